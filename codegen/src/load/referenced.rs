//! Files that nobody named, but that others refer to.

use super::{Reader, Source, join, slashes};
use crate::diagnostics::Result;
use crate::resolve::{self, Target};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// URLs that stand for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// What the URLs start with: `https://example.com/schemas/`.
    pub prefix: String,
    /// The folder that has the files for them.
    pub folder: PathBuf,
}

/// Adds the files that the documents of `source` refer to, and those that these refer to: those of
/// `mappings`, and those that are in `folder`, where the documents' paths count from, if that is
/// given. A file that is not there is no problem here: the reference to it will be one.
///
/// # Errors
///
/// Files that are there and can't be read as JSON.
pub fn referenced(source: Source, mappings: &[Mapping], folder: Option<&Path>) -> Result<Source> {
    let mut seen: HashSet<Target> =
        source.documents.iter().map(|document| Target::File(document.path.clone())).collect();
    let mut reader = Reader { source, ..Reader::default() };
    let mut next = 0;
    while let Some(document) = reader.source.documents.get(next) {
        next += 1;
        for target in resolve::targets(document) {
            if !seen.insert(target.clone()) {
                continue;
            }
            let (file, path, display, url) = match target {
                Target::Url(url) => {
                    let Some((mapping, rest)) = find(mappings, &url) else { continue };
                    let display = join(&slashes(&mapping.folder), &rest);
                    (mapping.folder.join(&rest), rest, display, Some(url))
                }
                Target::File(path) => {
                    let Some(folder) = folder else { continue };
                    let file = folder.join(&path);
                    let display = slashes(&near(&file));
                    (file, path, display, None)
                }
            };
            if file.is_file() {
                let before = reader.source.documents.len();
                reader.file(&file, &path, &display);
                for document in &mut reader.source.documents[before..] {
                    document.url.clone_from(&url);
                    document.is_library = true;
                }
            }
        }
    }
    reader.finish()
}

/// A path as it is from the current folder, where it is below that.
fn near(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

/// The mapping of a URL, and the path below its folder.
fn find<'m>(mappings: &'m [Mapping], url: &str) -> Option<(&'m Mapping, String)> {
    mappings.iter().find_map(|mapping| {
        let rest = url.strip_prefix(mapping.prefix.trim_end_matches('/'))?.strip_prefix('/')?;
        let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
        // Nothing outside the folder is a file of it.
        let inside = Path::new(rest).components().all(|part| matches!(part, Component::Normal(_)));
        (inside && !rest.is_empty()).then(|| (mapping, rest.to_owned()))
    })
}
