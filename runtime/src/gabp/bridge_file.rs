//! The file that tells bridges where a game listens, and with which token.

use ludwire_protocols::support::Uuid;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A bridge file of ours; removed when it is dropped, unless another game has written its own.
pub(crate) struct BridgeFile {
    path: PathBuf,
    launch_id: Uuid,
}

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
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let temporary = folder.join(format!(".bridge-{launch_id}.tmp"));
        let text = format!("{content:#}\n");
        let written = secret_file(&temporary)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                verify(&temporary, &text)
            })
            .and_then(|()| fs::rename(&temporary, path));
        if let Err(error) = written {
            let _ = fs::remove_file(&temporary);
            return Err(error);
        }
        Ok(Self { path: path.to_owned(), launch_id })
    }
}

impl Drop for BridgeFile {
    fn drop(&mut self) {
        let ours = fs::read(&self.path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok())
            .is_some_and(|file| file["metadata"]["launchId"] == self.launch_id.as_str());
        if ours && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "the bridge file could not be removed");
        }
    }
}

/// A file system need not do what it is asked to.
fn verify(path: &Path, text: &str) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path)?.permissions().mode() & 0o777;
        if mode != 0o600 {
            let text = format!("its mode is {mode:o} and not 600, so that others could read the token");
            return Err(io::Error::other(text));
        }
    }
    if fs::read(path)? == text.as_bytes() {
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
