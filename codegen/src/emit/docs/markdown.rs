//! Writes prose down as Markdown in which nothing that a schema says can be mistaken for markup.
//!
//! Text is text: every character that CommonMark, GitHub's tables or HTML would act on is escaped.
//! One thing is kept, because descriptions use it so often: a well-formed `` `code span` ``.

use super::prose::Span;
use std::fmt::Write as _;

/// Where a line will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// In a paragraph, a heading or an item of a list.
    Line,
    /// In a cell of a table.
    Cell,
}

/// A line of pieces, without blanks at its edges: four of them would make code of it.
pub(super) fn line(spans: &[Span], context: Context) -> String {
    let mut line = String::new();
    for span in spans {
        match span {
            Span::Text(words) => push_text(&mut line, words, context),
            Span::Code(letters) => push_code(&mut line, letters, context),
            Span::CodeLink { code: letters, target } => {
                // Writing to a String does not fail.
                let _ = write!(line, "[{}]({})", code(letters, context), url(target));
            }
            Span::Link { label, target } => {
                // Writing to a String does not fail.
                let _ = write!(line, "[{}]({})", plain(&one_line(label), context, false), url(target));
            }
        }
    }
    line.truncate(line.trim_end_matches(' ').len());
    line
}

/// Text of several paragraphs, set apart by blank lines; in a cell by breaks.
///
/// A line break in a paragraph is a space, as in Markdown, unless the next line starts like an
/// item of a list: then it stays a break.
pub(super) fn paragraphs(text: &str, context: Context) -> String {
    let gap = if context == Context::Cell { "<br><br>" } else { "\n\n" };
    let mut paragraphs: Vec<Vec<String>> = vec![Vec::new()];
    for source in text.split(['\n', '\r', '\u{0b}', '\u{0c}', '\u{85}', '\u{2028}', '\u{2029}']) {
        let source = one_line(source);
        match (paragraphs.last_mut(), source.is_empty()) {
            (Some(last), false) => match last.last_mut() {
                Some(before) if !is_item(&source) => {
                    before.push(' ');
                    before.push_str(&source);
                }
                _ => last.push(source),
            },
            (Some(last), true) if last.is_empty() => {}
            _ => paragraphs.push(Vec::new()),
        }
    }
    let written = paragraphs
        .iter()
        .filter(|lines| !lines.is_empty())
        .map(|lines| lines.iter().map(|line| text_line(line, context)).collect::<Vec<_>>().join("<br>"));
    written.collect::<Vec<_>>().join(gap)
}

/// A code span. Its fence is longer than any run of backticks inside.
pub(super) fn code(letters: &str, context: Context) -> String {
    let letters: String = letters.chars().map(visible).collect();
    if letters.is_empty() {
        return html_code("");
    }
    if context == Context::Cell && letters.contains("\\|") {
        // A table takes the backslash before a pipe for its own, and renderers differ about a
        // second one; entities are the same everywhere.
        return html_code(&letters);
    }
    let longest = letters.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let edge = |c: Option<char>| matches!(c, Some('`' | ' '));
    let blank = letters.chars().all(|c| c == ' ');
    let padded = !blank && (edge(letters.chars().next()) || edge(letters.chars().last()));
    let pad = if padded { " " } else { "" };
    let letters = if context == Context::Cell { letters.replace('|', "\\|") } else { letters };
    format!("{fence}{pad}{letters}{pad}{fence}")
}

/// Adds a code span to a line, apart from one that the line ends with: their fences would be one.
fn push_code(line: &mut String, letters: &str, context: Context) {
    if line.ends_with('`') {
        line.push_str(&html_code(&letters.chars().map(visible).collect::<String>()));
    } else {
        line.push_str(&code(letters, context));
    }
}

/// Code without fences.
fn html_code(letters: &str) -> String {
    format!("<code>{}</code>", entities(letters))
}

/// Text for the inside of an HTML comment, which it cannot end.
pub(super) fn comment(text: &str) -> String {
    one_line(text).replace("-->", "--&gt;").replace("--!>", "--!&gt;")
}

/// What an anchor is called that stands for a wire name, a stable id and the like: the same with a
/// hyphen in place of what a link would have to escape.
pub(super) fn id(name: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || "-._/:".contains(c);
    name.chars().map(|c| if kept(c) || (c.is_alphanumeric() && !c.is_ascii()) { c } else { '-' }).collect()
}

/// A place that links lead to, whatever the text beside it says.
pub(super) fn target(name: &str) -> String {
    format!("<a id=\"{}\"></a>", id(name))
}

/// A block of code, indented so far, with its lines as they are. Its fence is longer than any run of backticks inside.
pub(super) fn fence(text: &str, language: &str, indent: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let blank = " ".repeat(indent);
    // What is written with CR LF has no more lines than with LF.
    let text = text.replace("\r\n", "\n");
    let lines = text.trim_end_matches(['\n', '\r']).split(['\n', '\r']).map(|line| {
        let line: String = line.chars().map(visible).collect();
        format!("{blank}{line}\n")
    });
    let lines = lines.collect::<String>();
    format!("{blank}{fence}{language}\n{lines}{blank}{fence}\n")
}

/// The anchor that a heading gets, as GitHub makes it.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A line of text with its code spans.
fn text_line(text: &str, context: Context) -> String {
    let mut line = String::new();
    push_text(&mut line, text, context);
    line
}

/// Adds text with its code spans to a line.
fn push_text(line: &mut String, text: &str, context: Context) {
    let text: String = text.chars().map(visible).collect();
    let mut rest = if line.is_empty() { text.trim_start_matches(' ') } else { &text };
    while let Some((before, letters, after)) = code_span(rest) {
        line.push_str(&plain(before, context, line.is_empty()));
        push_code(line, letters, context);
        rest = after;
    }
    line.push_str(&plain(rest, context, line.is_empty()));
}

/// The first code span: what stands before it, in it and after it.
fn code_span(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('`').map(|at| from + at) {
        let run = text.get(open..)?.bytes().take_while(|byte| *byte == b'`').count();
        let inside = open + run;
        let mut search = inside;
        while let Some(close) = text.get(search..)?.find('`').map(|at| search + at) {
            let length = text.get(close..)?.bytes().take_while(|byte| *byte == b'`').count();
            if length == run {
                let letters = text.get(inside..close)?;
                let letters = match letters.strip_prefix(' ').and_then(|rest| rest.strip_suffix(' ')) {
                    Some(inner) if !inner.trim().is_empty() => inner,
                    _ => letters,
                };
                return Some((text.get(..open)?, letters, text.get(close + length..)?));
            }
            search = close + length;
        }
        from = inside;
    }
    None
}

/// Escapes text. `start`: it may be the first of a block, where more is special.
fn plain(text: &str, context: Context, start: bool) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    let mut before: Option<char> = None;
    let marker = if start && context == Context::Line { marker(text) } else { None };
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map(|(_, c)| *c);
        let inside_word =
            before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        match c {
            '<' => written.push_str("&lt;"),
            '&' if starts_entity(text.get(at + 1..).unwrap_or_default()) => written.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => {
                written.push('\\');
                written.push(c);
            }
            '_' if !inside_word => written.push_str("\\_"),
            '#' if !before.is_some_and(char::is_alphanumeric) => written.push_str("\\#"),
            _ if marker == Some(at) => {
                written.push('\\');
                written.push(c);
            }
            _ => written.push(c),
        }
        before = Some(c);
    }
    written
}

/// The place of the character that makes a list, a quote or a rule of a line that starts so.
fn marker(text: &str) -> Option<usize> {
    let first = text.find(|c: char| c != ' ')?;
    match text.get(first..)?.chars().next()? {
        '+' | '-' | '>' | '=' | ':' => Some(first),
        '0'..='9' => {
            let end = first + text.get(first..)?.find(|c: char| !c.is_ascii_digit())?;
            text.get(end..)?.starts_with(['.', ')']).then_some(end)
        }
        _ => None,
    }
}

/// Whether a line of a description was meant as an item of a list.
fn is_item(line: &str) -> bool {
    let rest = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() == line.len() { None } else { digits.strip_prefix(['.', ')']) }
    });
    rest.is_some_and(|rest| rest.starts_with(' '))
}

/// Whether what follows an ampersand makes it an entity.
fn starts_entity(rest: &str) -> bool {
    let body = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    body.len() < rest.len() && body.starts_with(';')
}

fn entities(text: &str) -> String {
    text.chars().fold(String::new(), |mut written, c| {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '-' | '.' | ',' | '/' => written.push(c),
            c if c.is_alphanumeric() => written.push(c),
            // Writing to a String does not fail.
            c => drop(write!(written, "&#{};", c as u32)),
        }
        written
    })
}

/// A link's target, with what would end it percent-encoded.
fn url(target: &str) -> String {
    target.bytes().fold(String::new(), |mut written, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => written.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'#' | b'?' | b'=' | b'&' | b'%' | b'@' | b'+'
            | b',' => {
                written.push(char::from(byte));
            }
            // Writing to a String does not fail.
            byte => drop(write!(written, "%{byte:02X}")),
        }
        written
    })
}

/// On one line, without white space at the edges and with single blanks inside.
fn one_line(text: &str) -> String {
    let visible: String = text.chars().map(visible).collect();
    visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Line breaks and other controls become blanks. Marks that reorder what a person sees are shown as
/// what they are: unreadable.
fn visible(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests;
