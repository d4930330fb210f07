//! A Unix socket as a file that only its owner can use.

use crate::random;
use std::fs::{self, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
        let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Of two that begin at once, the second is to see what the first has made.
        let _turn = turn(parent)?;
        make_way(path)?;
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

/// The right to make a socket in a folder, which one game at a time has; it goes with what is given. Where
/// the file system has no locks, there is none.
fn turn(folder: &Path) -> io::Result<Option<fs::File>> {
    let folder = fs::File::open(folder)?;
    let end = Instant::now() + TURN_WITHIN;
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::WouldBlock) if Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                let text = "somebody else makes a socket in this folder, and takes too long";
                return Err(io::Error::new(io::ErrorKind::WouldBlock, text));
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// How long it may take until it is one's turn.
const TURN_WITHIN: Duration = Duration::from_secs(2);

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
