//! The file that tells bridges where a game listens, and with which token.

use ludwire_protocols::support::Uuid;
use serde_json::{Value, json};
use std::fs::{self, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// A bridge file of ours. When it is dropped, it makes room for that of the latest game which it has taken the
/// place of and that still listens, and is removed where there is none; where another game has written its
/// own, that stays.
///
/// All that must be known for that stands in the file, since any of these games may end at any time: as
/// `replaced`, those whose places were taken, the latest first.
pub(crate) struct BridgeFile {
    path: PathBuf,
    launch_id: Uuid,
    /// Where the game listens.
    address: String,
}

/// How long a game may take to let somebody in who asks whether it is still there.
const STILL_THERE_WITHIN: Duration = Duration::from_millis(200);
/// How long it is waited for another game that is about to write the file.
const TURN_WITHIN: Duration = Duration::from_secs(2);
/// Games that a file remembers.
const MOST_REPLACED: usize = 16;
/// Where it remembers them.
const REPLACED: &str = "replaced";

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
        let file = Self { path: path.to_owned(), launch_id, address: address.to_owned() };
        let content = json!({
            "token": token,
            "transport": { "type": kind, "address": address },
            "metadata": {
                "pid": std::process::id(),
                "startTime": humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                "launchId": launch_id,
            },
        });
        let folder = folder_of(path);
        fs::create_dir_all(folder)?;
        let _turn = Turn::take(folder);
        let before = file.still_there(read(path));
        file.put(content, before)?;
        Ok(file)
    }

    /// Of a file the game that it names and those which it remembers, as far as they still listen.
    fn still_there(&self, file: Value) -> Vec<Value> {
        let games = split(file).into_iter().flat_map(|(game, replaced)| [vec![game], replaced].concat());
        // Where this game listens, no other does; its own listener may still be there.
        let is_other = |game: &Value| game["transport"]["address"] != *self.address;
        games.filter(|game| is_other(game) && still_listens(game)).take(MOST_REPLACED).collect()
    }

    /// Puts the file of a game in its place, in one step.
    fn put(&self, mut game: Value, replaced: Vec<Value>) -> io::Result<()> {
        if let (Value::Object(members), false) = (&mut game, replaced.is_empty()) {
            members.insert(REPLACED.to_owned(), Value::Array(replaced));
        }
        let content = format!("{game:#}\n").into_bytes();
        let temporary = folder_of(&self.path).join(format!(".bridge-{}.tmp", self.launch_id));
        let written = secret_file(&temporary)
            .and_then(|mut file| {
                file.write_all(&content)?;
                file.sync_all()?;
                verify(&temporary, &content)
            })
            .and_then(|()| fs::rename(&temporary, &self.path));
        written.inspect_err(|_| drop(fs::remove_file(&temporary)))
    }
}

impl Drop for BridgeFile {
    fn drop(&mut self) {
        let _turn = Turn::take(folder_of(&self.path));
        let file = read(&self.path);
        if file["metadata"]["launchId"] != self.launch_id.as_str() {
            return;
        }
        let mut others = self.still_there(file).into_iter();
        let done = match others.next() {
            Some(latest) => self.put(latest, others.collect()),
            None => fs::remove_file(&self.path),
        };
        if let Err(error) = done {
            tracing::warn!(path = %self.path.display(), %error, "the bridge file could not be removed");
        }
    }
}

/// Nobody else of us reads or writes in a folder meanwhile: of several games that start and end at once,
/// none is forgotten.
struct Turn(Option<fs::File>);

impl Turn {
    /// Waits for it; where it does not come, or there are none, things go on without.
    fn take(folder: &Path) -> Self {
        let Ok(folder) = fs::File::open(folder) else { return Self(None) };
        let start = Instant::now();
        while let Err(TryLockError::WouldBlock) = folder.try_lock() {
            if start.elapsed() > TURN_WITHIN {
                return Self(None);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Self(Some(folder))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = folder.unlock();
        }
    }
}

/// The file of a game, and those that it remembers, the latest first.
pub(crate) fn split(mut file: Value) -> Option<(Value, Vec<Value>)> {
    let replaced = match file.as_object_mut()?.remove(REPLACED) {
        Some(Value::Array(replaced)) => replaced,
        _ => Vec::new(),
    };
    Some((file, replaced))
}

/// A bridge file; what is none of a few kilobytes is left alone.
fn read(path: &Path) -> Value {
    let mut bytes = Vec::new();
    // Nobody may ever write to what is no file.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Value::Null;
    }
    let file = fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
    file.ok().and_then(|_| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Bytes of a bridge file.
const LARGEST: u64 = 64 * 1024;

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether somebody listens where a bridge file says.
pub(crate) fn still_listens(file: &Value) -> bool {
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
