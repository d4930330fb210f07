//! The file that tells bridges where a game listens, and with which token.

use ludwire_protocols::support::Uuid;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A bridge file of ours. When it is dropped, it makes room for that of a game which it has taken the place
/// of, if that still listens, and is removed otherwise; where another game has written its own, that stays.
pub(crate) struct BridgeFile {
    path: PathBuf,
    launch_id: Uuid,
    /// Where the game listens.
    address: String,
    /// What was there before.
    before: Option<Vec<u8>>,
}

/// How long a game may take to let somebody in who asks whether it is still there.
const STILL_THERE_WITHIN: Duration = Duration::from_millis(200);

impl BridgeFile {
    /// Writes the file in one step: whoever reads it sees all of it or what was there before.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or is not what was written: only whoever may read it must have it.
    pub(crate) fn write(
        path: &Path,
        token: &str,
        (kind, address): (&str, &str),
        launch_id: Uuid,
    ) -> io::Result<Self> {
        let content = json!({
            "token": token,
            "transport": { "type": kind, "address": address },
            "metadata": {
                "pid": std::process::id(),
                "startTime": humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                "launchId": launch_id,
            },
        });
        let before = read(path);
        put(path, format!("{content:#}\n").as_bytes(), &launch_id)?;
        Ok(Self { path: path.to_owned(), launch_id, address: address.to_owned(), before })
    }
}

impl Drop for BridgeFile {
    fn drop(&mut self) {
        let is_ours = |file: &[u8]| parsed(file)["metadata"]["launchId"] == self.launch_id.as_str();
        if !read(&self.path).is_some_and(|file| is_ours(&file)) {
            return;
        }
        // Where this game listens, no other does; its own listener may still be there.
        let is_other = |before: &Value| before["transport"]["address"] != *self.address;
        let is_there = |before: &Vec<u8>| {
            let before = parsed(before);
            is_other(&before) && still_listens(&before)
        };
        let done = match self.before.take().filter(is_there) {
            Some(before) => put(&self.path, &before, &self.launch_id),
            None => fs::remove_file(&self.path),
        };
        if let Err(error) = done {
            tracing::warn!(path = %self.path.display(), %error, "the bridge file could not be removed");
        }
    }
}

/// A bridge file; what is none of a few kilobytes is left alone.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Bytes of a bridge file.
const LARGEST: u64 = 64 * 1024;

fn parsed(file: &[u8]) -> Value {
    serde_json::from_slice(file).unwrap_or_default()
}

/// Whether somebody listens where a bridge file says.
fn still_listens(file: &Value) -> bool {
    let transport = &file["transport"];
    let address = transport["address"].as_str().unwrap_or_default();
    match transport["type"].as_str() {
        Some("tcp") => address
            .parse()
            .is_ok_and(|address| TcpStream::connect_timeout(&address, STILL_THERE_WITHIN).is_ok()),
        #[cfg(unix)]
        Some("pipe") => std::os::unix::net::UnixStream::connect(address).is_ok(),
        _ => false,
    }
}

/// Puts a file in its place in one step.
fn put(path: &Path, content: &[u8], launch_id: &Uuid) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = folder.join(format!(".bridge-{launch_id}.tmp"));
    let written = secret_file(&temporary)
        .and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()?;
            verify(&temporary, content)
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// A file system need not do what it is asked to.
fn verify(path: &Path, content: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path)?.permissions().mode() & 0o777;
        if mode != 0o600 {
            let text = format!("its mode is {mode:o} and not 600, so that others could read the token");
            return Err(io::Error::other(text));
        }
    }
    if fs::read(path)? == content {
        Ok(())
    } else {
        Err(io::Error::other("it does not hold what was written"))
    }
}

/// A new file that only its owner can read.
fn secret_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Where bridges look for it.
pub(crate) fn default_path() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = if cfg!(target_os = "windows") {
        variable("APPDATA")?
    } else if cfg!(target_os = "macos") {
        variable("HOME")?.join("Library/Application Support")
    } else {
        variable("HOME")?.join(".config")
    };
    Some(folder.join("gabp").join("bridge.json"))
}
