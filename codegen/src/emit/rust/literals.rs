//! Doc comments and JSON values as tokens.

use super::rules::rules_of;
use crate::ir::{Reading, TypeDef};
use crate::json::{Json, Node};
use proc_macro2::TokenStream;
use quote::quote;

/// Doc comment of a type: title, description, rules, what it is for and where it comes from.
pub(super) fn type_docs(ty: &TypeDef) -> TokenStream {
    let title = ty.title.as_deref().map(sentence);
    let fallback = format!("{}.", ty.name);
    let first = title.unwrap_or(fallback);
    let source = format!("From {} ({}).", ty.place.file, ty.place.pointer);
    let mut paragraphs = vec![first.as_str()];
    paragraphs.extend(ty.description.as_deref());
    let rules = rules_of(&ty.shape);
    paragraphs.extend(rules.as_deref());
    let reading = match &ty.reading {
        Some(Reading { of: Some(of), .. }) => format!("Only read; what is written is {of}. It takes more:"),
        Some(_) => "Only read:".to_owned(),
        None => String::new(),
    };
    paragraphs.push(&reading);
    for amendment in ty.reading.iter().flat_map(|reading| &reading.amendments) {
        // One reason may be that of several changes.
        if !paragraphs.contains(&amendment.reason.as_str()) {
            paragraphs.push(&amendment.reason);
        }
    }
    paragraphs.push(&source);
    docs(&paragraphs)
}

/// A doc comment of paragraphs, harmless in rustdoc whatever they hold.
pub(super) fn docs(paragraphs: &[&str]) -> TokenStream {
    let lines = lines(paragraphs);
    quote! { #(#[doc = #lines])* }
}

/// The same for the module that it stands in.
pub(super) fn inner_docs(paragraphs: &[&str]) -> TokenStream {
    let lines = lines(paragraphs);
    quote! { #(#![doc = #lines])* }
}

/// A title as a sentence.
pub(super) fn sentence(title: &str) -> String {
    let title = title.trim();
    if title.ends_with(['.', '!', '?']) { title.to_owned() } else { format!("{title}.") }
}

fn lines(paragraphs: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.trim().is_empty()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        for line in paragraph.trim().lines() {
            lines.extend(wrapped(line.trim()));
        }
    }
    lines.into_iter().map(|line| if line.is_empty() { line } else { format!(" {line}") }).collect()
}

/// A line in pieces of at most a hundred characters, each without a meaning in Markdown.
fn wrapped(line: &str) -> Vec<String> {
    let mut pieces: Vec<String> = vec![String::new()];
    let mut length = 0;
    for word in line.split_whitespace() {
        let piece = pieces.last_mut().expect("there is always a piece");
        let more = word.chars().count();
        if !piece.is_empty() && length + more >= 96 {
            pieces.push(word.to_owned());
            length = more;
        } else {
            if !piece.is_empty() {
                piece.push(' ');
                length += 1;
            }
            piece.push_str(word);
            length += more;
        }
    }
    pieces.iter().map(|piece| escaped(piece)).collect()
}

/// Markdown's characters and what begins a list, a heading or a quotation, made plain.
fn escaped(line: &str) -> String {
    // Most lines are words, with nothing that means something anywhere.
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b" .,;'\"?!/()-".contains(&byte);
    if line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.bytes().all(harmless) {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len() + 8);
    let marker = line.starts_with(['#', '-', '+', '=', '>'])
        || line.split_once(['.', ')']).is_some_and(|(number, _)| {
            !number.is_empty() && number.len() < 10 && number.bytes().all(|byte| byte.is_ascii_digit())
        });
    for (index, c) in line.char_indices() {
        let begins = index == 0 && marker && !c.is_ascii_digit();
        let list_dot = marker
            && matches!(c, '.' | ')')
            && index > 0
            && line[..index].bytes().all(|byte| byte.is_ascii_digit());
        let url = c == ':' && line[index..].starts_with("://");
        if begins
            || list_dot
            || url
            || matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&')
        {
            out.push('\\');
        }
        match c {
            // The compiler refuses what would turn the direction of the text around.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("U+{:04X}", u32::from(c)))
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    // An underscore inside a word means nothing, one at an end may.
    out.split(' ')
        .map(|word| {
            if word.starts_with('_') || word.ends_with('_') {
                word.replace('_', "\\_")
            } else {
                word.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A pattern of indices, as a range where it is one.
pub(super) fn indices(indices: &[usize]) -> TokenStream {
    match indices {
        [first, .., last] if indices.windows(2).all(|pair| pair[0] + 1 == pair[1]) => {
            quote! { #first..=#last }
        }
        _ => quote! { #(#indices)|* },
    }
}

/// A `serde_json::Value`.
pub(super) fn value(node: &Node) -> TokenStream {
    match &node.value {
        Json::Null => quote! { ::serde_json::Value::Null },
        Json::Bool(value) => quote! { ::serde_json::Value::Bool(#value) },
        Json::Number(_) => {
            let number = number(node);
            quote! { ::serde_json::Value::from(#number) }
        }
        Json::String(text) => quote! { ::serde_json::Value::from(#text) },
        Json::Array(items) => {
            let items = items.iter().map(value);
            quote! { ::serde_json::Value::Array(::std::vec![#(#items),*]) }
        }
        Json::Object(members) if members.is_empty() => {
            quote! { ::serde_json::Value::Object(::serde_json::Map::new()) }
        }
        Json::Object(members) => {
            let members = members.iter().map(|member| {
                let name = &member.name;
                let value = value(&member.node);
                quote! { (#name.to_owned(), #value) }
            });
            quote! { ::serde_json::Value::Object([#(#members),*].into_iter().collect()) }
        }
    }
}

/// A number as the literal that reads back as serde_json reads its text.
pub(super) fn number(node: &Node) -> TokenStream {
    let Json::Number(text) = &node.value else { return quote! { 0u64 } };
    if let Ok(value) = text.parse::<u64>() {
        quote! { #value }
    } else if let Ok(value) = text.parse::<i64>() {
        quote! { #value }
    } else {
        let value: f64 = text.parse().unwrap_or(0.0);
        quote! { #value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_are_plain_text() {
        assert_eq!(escaped("# no heading"), "\\# no heading");
        assert_eq!(escaped("1. no list"), "1\\. no list");
        assert_eq!(escaped("a `b` <c> [d] tool_call _x_"), "a \\`b\\` \\<c\\> \\[d\\] tool_call \\_x\\_");
        assert_eq!(lines(&["a\n    let x = ;\n```\nb"]), [" a", " let x = ;", " \\`\\`\\`", " b"]);
        assert_eq!(escaped("see https://a.test/b"), "see https\\://a.test/b");
    }
}
