//! Whether the links of pages lead anywhere.

use crate::OutputFile;
use crate::diagnostics::{Diagnostics, Place};
use crate::load;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};

/// Every link from one of `pages` to another, or to a place on one, that leads nowhere. Links to what
/// is above the folder of the pages, to what is no page, and to other hosts are not looked at.
pub(super) fn check(pages: &[OutputFile]) -> Diagnostics {
    let read: BTreeMap<&str, Read> =
        pages.iter().map(|page| (page.path.as_str(), Read::of(&page.content))).collect();
    let mut problems = Diagnostics::default();
    for page in pages {
        let Some(Read { links, .. }) = read.get(page.path.as_str()) else { continue };
        for (at, target) in links {
            let Some((path, anchor)) = within(&page.path, target) else { continue };
            let message = match read.get(path.as_str()) {
                None if !path.ends_with(".md") => continue,
                None => format!("a link leads to `{target}`, but there is no page {path}"),
                Some(other) if anchor.as_ref().is_some_and(|anchor| !other.anchors.contains(anchor)) => {
                    format!("a link leads to `{target}`, but {path} has no such anchor")
                }
                Some(_) => continue,
            };
            let span = load::span_at(page.content.get(..*at).unwrap_or_default());
            problems.push(Place { file: page.path.clone(), span, ..Place::default() }, message);
        }
        for twice in &read[page.path.as_str()].twice {
            let place = Place { file: page.path.clone(), ..Place::default() };
            problems.push(place, format!("the anchor `{twice}` is there twice"));
        }
    }
    problems
}

/// The page and the place on it that a link from `page` leads to; `None` for one that leaves the
/// folder of the pages.
pub(super) fn within(page: &str, target: &str) -> Option<(String, Option<String>)> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(decoded(anchor))),
        None => (target, None),
    };
    if path.contains(':') || path.starts_with('/') {
        return None;
    }
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let mut parts: Vec<String> = page.split('/').map(str::to_owned).collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(decoded(part)),
        }
    }
    Some((parts.join("/"), anchor))
}

/// What of a page links are about.
pub(super) struct Read {
    /// Where a link stands, and where it leads.
    pub(super) links: Vec<(usize, String)>,
    /// The anchors that are written down, and those that headings have on GitHub.
    pub(super) anchors: BTreeSet<String>,
    /// Those of the former that are there more than once.
    pub(super) twice: BTreeSet<String>,
}

impl Read {
    pub(super) fn of(content: &str) -> Self {
        let mut read = Self { links: Vec::new(), anchors: BTreeSet::new(), twice: BTreeSet::new() };
        let mut heading: Option<String> = None;
        let mut headings: BTreeMap<String, usize> = BTreeMap::new();
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(content, options).into_offset_iter() {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    read.links.push((range.start, dest_url.into_string()));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = super::markdown::anchor(&heading.take().unwrap_or_default());
                    let count = headings.entry(anchor.clone()).or_default();
                    read.anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                    *count += 1;
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::InlineHtml(html) | Event::Html(html) => {
                    for id in ids(&html) {
                        if !read.anchors.insert(id.to_owned()) {
                            read.twice.insert(id.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
        read
    }
}

/// The anchors that HTML sets, as our templates write them: `<a id="…">`.
fn ids(html: &str) -> impl Iterator<Item = &str> {
    html.split("<a id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let hex = others.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(pages: &[(&str, &str)]) -> Vec<String> {
        let page = |(path, content): &(&str, &str)| OutputFile {
            path: (*path).to_owned(),
            content: (*content).to_owned(),
        };
        let pages: Vec<OutputFile> = pages.iter().map(page).collect();
        check(&pages).0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_that_lead_nowhere_are_told() {
        let said = problems(&[
            ("a/index.md", "# Top\n\n[x](#top) [x](#tap) [y](wire.md#one) [y](wire.md#two) [z](no.md)\n"),
            (
                "a/wire.md",
                "<a id=\"one\"></a>\n\n[up](../b.md) [out](../../c.md) [file](logo.svg) [web](https://e.org/x.md#y)\n",
            ),
            ("b.md", "[é](a/index.md#%C3%A9) [same](./b.md)\n\n## é\n\n## é\n\n[2](#é-1)\n"),
        ]);
        assert_eq!(
            said,
            [
                "a/index.md:3:11: a link leads to `#tap`, but a/index.md has no such anchor",
                "a/index.md:3:38: a link leads to `wire.md#two`, but a/wire.md has no such anchor",
                "a/index.md:3:55: a link leads to `no.md`, but there is no page a/no.md",
                "b.md:1:1: a link leads to `a/index.md#%C3%A9`, but a/index.md has no such anchor",
            ]
        );
    }

    #[test]
    fn an_anchor_is_one_place() {
        let said = problems(&[("a.md", "<a id=\"x\"></a>One\n\n<a id=\"x\"></a>Two\n\n# X\n")]);
        assert_eq!(said, ["a.md: the anchor `x` is there twice"]);
    }
}
