//! Every link of every generated page leads somewhere.

use super::reader::links;
use super::workspace;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<String>, Vec<String>)>) {
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            pages(&path, found);
        } else {
            let page = fs::read_to_string(&path).expect("it is a text");
            found.insert(path.canonicalize().expect("it is there"), links(&page));
        }
    }
}

#[test]
fn every_link_leads_to_a_file_and_to_an_anchor_that_is_written_there() {
    let mut found = BTreeMap::new();
    pages(&workspace().join("generated/docs"), &mut found);
    let mut count = 0;
    for (page, (links, anchors)) in &found {
        for (at, anchor) in anchors.iter().enumerate() {
            assert!(!anchors[..at].contains(anchor), "{anchor} twice in {}", page.display());
        }
        for link in links.iter().filter(|link| !link.starts_with("https://")) {
            count += 1;
            let (path, anchor) =
                link.split_once('#').map_or((link.as_str(), None), |(path, anchor)| (path, Some(anchor)));
            let target = if path.is_empty() {
                page.clone()
            } else {
                page.parent().expect("it is in a folder").join(path)
            };
            let target = target.canonicalize().unwrap_or_else(|_| panic!("{link} in {}", page.display()));
            if let Some(anchor) = anchor {
                let (_, anchors) = &found[&target];
                assert!(anchors.iter().any(|known| known == anchor), "{link} in {}", page.display());
            }
        }
    }
    assert!(found.len() >= 10 && count > 100, "{} pages, {count} links", found.len());
}
