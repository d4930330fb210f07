//! Compares the files of a run with the folders they belong to.

use super::{Change, Mode, State, io_error};
use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use similar::TextDiff;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How many lines of a file's diff are shown.
const DIFF_LINES: usize = 60;

/// The differences, sorted by path.
pub(super) fn changes(config: &Config, files: &[OutputFile], mode: Mode) -> Result<Vec<Change>> {
    let hand_written: BTreeSet<String> =
        config.hand_written.iter().map(|path| format!("{}/{}", folder(&config.src), folder(path))).collect();
    refuse_misplaced(config, files, &hand_written)?;

    let mut changes = BTreeMap::new();
    let mut problems = Diagnostics::default();
    for file in files {
        match compare(config, file, mode) {
            Ok(Some(change)) => drop(changes.insert(file.path.clone(), change)),
            Ok(None) => {}
            Err(error) => problems.append(error),
        }
    }
    let generated: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for base in bases(config) {
        match present(config, base) {
            Ok(paths) => {
                if base == folder(&config.src) && !matches!(mode, Mode::Check) {
                    problems.append(misspelt(&paths, &generated, &hand_written));
                }
                for path in paths {
                    if !generated.contains(path.as_str()) && !hand_written.contains(&path) {
                        let change = Change { path: path.clone(), state: State::Extra, detail: None };
                        changes.insert(path, change);
                    }
                }
            }
            Err(error) => problems.append(error),
        }
    }
    problems.finish(changes.into_values().collect())
}

/// A misspelt name in `hand_written` must not cost the file that was meant: where a listed file is
/// missing, nothing is removed beside it.
fn misspelt(paths: &[String], generated: &BTreeSet<&str>, hand_written: &BTreeSet<String>) -> Diagnostics {
    let mut problems = Diagnostics::default();
    let extra: Vec<&str> = paths
        .iter()
        .map(String::as_str)
        .filter(|path| !generated.contains(path) && !hand_written.contains(*path))
        .collect();
    for missing in hand_written.iter().filter(|path| !extra.is_empty() && !paths.contains(path)) {
        let place = Place { file: missing.clone(), ..Place::default() };
        problems.push(
            place,
            format!(
                "`hand_written` lists this file, but it is not there, and {} would be removed; correct the list or \
                 put the file back",
                extra.join(", ")
            ),
        );
    }
    problems
}

/// The configured folders, without a trailing slash.
pub(super) fn bases(config: &Config) -> [&str; 2] {
    [folder(&config.src), folder(&config.docs)]
}

/// The configured folder that a path is below.
pub(super) fn base_of<'a>(config: &'a Config, path: &str) -> Option<&'a str> {
    bases(config)
        .into_iter()
        .filter(|base| path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/')))
        .max_by_key(|base| base.len())
}

fn folder(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.strip_prefix("./").unwrap_or(path)
}

/// A path that no emitter may return: the writer would touch what is not ours.
fn refuse_misplaced(config: &Config, files: &[OutputFile], hand_written: &BTreeSet<String>) -> Result<()> {
    let mut problems = Diagnostics::default();
    let mut seen = BTreeSet::new();
    for OutputFile { path, .. } in files {
        let place = || Place { file: path.clone(), ..Place::default() };
        let plain =
            path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']));
        if !plain || base_of(config, path).is_none() {
            let [src, docs] = bases(config);
            let message = format!(
                "internal error: a generated file is neither below {src} nor below {docs}; please report it"
            );
            problems.push(place(), message);
        } else if !seen.insert(path) {
            problems.push(place(), "internal error: the file is generated twice; please report it");
        } else if hand_written.contains(path) {
            problems.push(
                place(),
                "ludwire.toml lists the file as hand-written, but it is generated; rename the one in \
                 `hand_written` or the protocol",
            );
        }
    }
    problems.finish(())
}

fn compare(config: &Config, file: &OutputFile, mode: Mode) -> Result<Option<Change>> {
    let change = |state, detail| Ok(Some(Change { path: file.path.clone(), state, detail }));
    let path = config.root.join(&file.path);
    stay_inside(config, &file.path)?;
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if is_absence(error.kind()) => return change(State::Missing, None),
        Err(error) => return Err(io_error(&file.path, "look at it", &error)),
    };
    if found.is_symlink() {
        // Its target may be anywhere, so it is neither read nor written through.
        return change(State::Stale, Some("it is a symbolic link, not a file".to_owned()));
    }
    if !found.is_file() {
        let place = Place { file: file.path.clone(), ..Place::default() };
        return Err(Diagnostics::one(place, "a generated file belongs here; move away what is there"));
    }
    let old = fs::read(&path).map_err(|error| io_error(&file.path, "read", &error))?;
    if old == file.content.as_bytes() {
        return Ok(None);
    }
    let detail = (mode == Mode::Check).then(|| difference(&old, &file.content));
    change(State::Stale, detail)
}

pub(super) fn is_absence(kind: ErrorKind) -> bool {
    // NotADirectory: a file stands where a folder should; it is an orphan, and goes first.
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Refuses a path on which a symbolic link leads out of the configured folder. The folder itself
/// may be a link.
pub(super) fn stay_inside(config: &Config, path: &str) -> Result<()> {
    let Some(base) = base_of(config, path) else { return Ok(()) };
    let below = path.get(base.len() + 1..).unwrap_or_default();
    let mut folder = config.root.join(base);
    for part in Path::new(below).parent().into_iter().flat_map(Path::components) {
        folder.push(part);
        if fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink()) {
            let place = Place { file: path.to_owned(), ..Place::default() };
            let message =
                format!("{} is a symbolic link, which the generator does not follow", folder.display());
            return Err(Diagnostics::one(place, message));
        }
    }
    Ok(())
}

/// Everything below a configured folder that is no folder, links included.
fn present(config: &Config, base: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![base.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| io_error(&folder, "list", &error);
        let entries = match fs::read_dir(config.root.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable(error)),
        };
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let place = Place { file: folder, ..Place::default() };
                let message =
                    format!("the name of {} is not UTF-8; rename or remove it", entry.path().display());
                return Err(Diagnostics::one(place, message));
            };
            let path = format!("{folder}/{name}");
            if entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    Ok(found)
}

/// What differs, for a person.
pub(super) fn difference(old: &[u8], new: &str) -> String {
    let Ok(old) = std::str::from_utf8(old) else { return "it is not UTF-8".to_owned() };
    let plain = |text: &str| text.replace("\r\n", "\n");
    if plain(old) == plain(new) {
        return "only line endings differ: the generator writes LF. Git may have checked the file out with \
                CRLF; a line `* text=auto eol=lf` in .gitattributes prevents that"
            .to_owned();
    }
    let diff = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(old, new);
    let diff = diff.unified_diff().context_radius(3).header("in the folder", "generated").to_string();
    let lines: Vec<&str> = diff.lines().collect();
    let mut text = lines.iter().take(DIFF_LINES).copied().collect::<Vec<_>>().join("\n");
    if lines.len() > DIFF_LINES {
        text.push_str(&format!("\n… {} more lines of diff", lines.len() - DIFF_LINES));
    }
    text
}
