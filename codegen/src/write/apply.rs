//! Carries the differences out.

use super::plan::{base_of, stay_inside};
use super::{Change, State, io_error, replace};
use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Removes first and writes then: a file may stand where a folder is needed, and on a file system
/// that ignores case the orphan `A.rs` is also the new `a.rs`.
pub(super) fn changes(config: &Config, files: &[OutputFile], changes: &[Change]) -> Result<()> {
    for change in changes.iter().filter(|change| change.state == State::Extra) {
        remove(config, &change.path)?;
    }
    let by_path: BTreeMap<&str, &OutputFile> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    for change in changes.iter().filter(|change| change.state != State::Extra) {
        if let Some(file) = by_path.get(change.path.as_str()) {
            write(config, file)?;
        }
    }
    Ok(())
}

/// Removes a file and the folders that it leaves empty, up to the configured one.
fn remove(config: &Config, path: &str) -> Result<()> {
    fs::remove_file(config.root.join(path)).map_err(|error| io_error(path, "remove", &error))?;
    let base = base_of(config, path).unwrap_or_default();
    for folder in Path::new(path).ancestors().skip(1).take_while(|folder| folder != &Path::new(base)) {
        // Fails for a folder that is not empty, which is how we know.
        if fs::remove_dir(config.root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

fn write(config: &Config, file: &OutputFile) -> Result<()> {
    stay_inside(config, &file.path)?;
    let path = config.root.join(&file.path);
    let folder = path.parent().unwrap_or(&config.root);
    fs::create_dir_all(folder).map_err(|error| io_error(&file.path, "make its folder", &error))?;
    replace(&path, &file.content).map_err(|error| io_error(&file.path, "write", &error))
}
