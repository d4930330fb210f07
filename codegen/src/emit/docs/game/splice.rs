//! A part of a text that is made, between two markers.

use crate::diagnostics::{Diagnostics, Place, Result};
use crate::json::Span;

const OPEN: &str = "<!-- ludwire:tools -->";
const CLOSE: &str = "<!-- /ludwire:tools -->";

/// What stands around the made part.
pub(super) struct Around<'a> {
    /// Up to the line end behind the first marker.
    before: &'a str,
    /// From the second marker on.
    after: &'a str,
    line_end: &'static str,
}

impl Around<'_> {
    /// The text with `made` in it.
    pub(super) fn with(&self, made: &str) -> String {
        let Self { before, after, line_end } = self;
        let made: String = made.lines().map(|line| format!("{line}{line_end}")).collect();
        format!("{before}{line_end}{made}{line_end}{after}")
    }
}

/// Finds the markers. One counts only where it stands alone on its line, and not within a fence, where a text
/// may show what markers are.
pub(super) fn place<'a>(file: &str, text: &'a str) -> Result<Around<'a>> {
    let mut problems = Diagnostics::default();
    let mut wrong = |line: u32, message: String| {
        let span = Span { line, column: u32::from(line > 0) };
        problems.push(Place { file: file.to_owned(), span, pointer: String::new() }, message);
    };
    let (mut open, mut close) = (None, None);
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let start = at;
        at += line.len();
        // Some editors begin a text with a byte order mark.
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        let marks = trimmed.trim_start_matches(['`', '~']);
        let run = trimmed.get(..trimmed.len() - marks.len()).unwrap_or_default();
        let is_fence = run.len() >= 3 && (run.chars().all(|c| c == '`') || run.chars().all(|c| c == '~'));
        match fence {
            Some(begun) if is_fence && marks.is_empty() && run.starts_with(begun) => fence = None,
            Some(_) => continue,
            // What stands behind backticks names a language, and has none in it.
            None if is_fence && !(run.starts_with('`') && marks.contains('`')) => fence = Some(run),
            None => {}
        }
        match trimmed {
            OPEN => match open {
                None if close.is_some() => {}
                None => open = Some((number, at)),
                Some((first, _)) => {
                    wrong(number, format!("a second `{OPEN}`; the first one is in line {first}"))
                }
            },
            CLOSE if close.is_some() => wrong(number, format!("a second `{CLOSE}`")),
            CLOSE if open.is_none() => {
                wrong(number, format!("`{CLOSE}` stands here without a `{OPEN}` before it"))
            }
            CLOSE => close = Some(start),
            _ => {}
        }
    }
    match (open, close) {
        (Some((line, _)), None) => {
            wrong(line, format!("`{OPEN}` has no `{CLOSE}` below it"));
        }
        (None, None) if problems.0.is_empty() => {
            let message =
                format!("there is no line `{OPEN}`, and none `{CLOSE}`, to put the table of tools between");
            problems.push(Place { file: file.to_owned(), ..Place::default() }, message);
        }
        _ => {}
    }
    let (Some((_, begin)), Some(end)) = (open, close) else { return Err(problems) };
    let before = text.get(..begin).unwrap_or_default();
    let line_end = if before.ends_with("\r\n") { "\r\n" } else { "\n" };
    problems.finish(Around { before, after: text.get(end..).unwrap_or_default(), line_end })
}
