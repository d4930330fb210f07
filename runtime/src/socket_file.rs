//! A Unix socket as a file that only its owner can use.

use crate::random;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// A socket of ours; removed when this is dropped, unless another game has put its own there.
pub(crate) struct SocketFile {
    path: PathBuf,
    /// Device and number of the file.
    identity: (u64, u64),
}

impl SocketFile {
    /// Listens on a socket that is never there with any other mode than 0600: it is made in a folder that
    /// nobody else may enter, and then moved.
    pub(crate) fn bind(path: &Path) -> io::Result<(UnixListener, Self)> {
        make_way(path)?;
        let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = parent.join(format!(".ludwire-{}", &random::token()?[..8]));
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let made = (|| {
            let inside = folder.join("s");
            let listener = UnixListener::bind(&inside)?;
            fs::set_permissions(&inside, fs::Permissions::from_mode(0o600))?;
            let found = fs::metadata(&inside)?;
            fs::rename(&inside, path).inspect_err(|_| drop(fs::remove_file(&inside)))?;
            Ok((listener, Self { path: path.to_owned(), identity: (found.dev(), found.ino()) }))
        })();
        let _ = fs::remove_dir(&folder);
        made
    }
}

/// A socket that nobody listens on is in the way of nobody.
fn make_way(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !found.file_type().is_socket() {
        let text = "there is a file that is no socket";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::new(io::ErrorKind::AddrInUse, "somebody listens there")),
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let is_ours =
            fs::symlink_metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == self.identity);
        if is_ours && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "the socket could not be removed");
        }
    }
}
