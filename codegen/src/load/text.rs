//! JSON text to nodes that know their places.

use crate::diagnostics::{Diagnostics, Place, Result};
use crate::json::{Json, Member, Node, Span, escape, quoted};
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::collections::HashMap;

/// Reads JSON text as RFC 8259 has it; `display` is the file name for diagnostics.
///
/// # Errors
///
/// Text that is no JSON, values nested deeper than 127, a number that no `f64` comes near, and every
/// second member of one name.
pub fn json(display: &str, text: &str) -> Result<Node> {
    let problem = |span, message: String| {
        let place = Place { file: display.to_owned(), span, pointer: String::new() };
        let mut problems = Diagnostics::one(place, message);
        problems.add_lines(display, text);
        problems
    };
    if text.starts_with('\u{feff}') {
        let message = "the file starts with a byte order mark; save it as UTF-8 without one";
        return Err(problem(Span { line: 1, column: 1 }, message.to_owned()));
    }
    // serde_json says what is JSON, and bounds the depth; the second reader adds the places.
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        return Err(problem(error_span(text, &error), message.to_owned()));
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &STRICT).map_err(|error| {
        let span = span_at(text.get(..error.range().start).unwrap_or(text));
        problem(span, error.kind().to_string())
    })?;
    let value = parsed.value.ok_or_else(|| problem(span_at(text), "the file is empty".to_owned()))?;
    let root = Cursor { text, offset: 0, span: Span { line: 1, column: 1 } }.node(value);
    let mut problems = Diagnostics::default();
    Path { parent: None, token: Token::Root }.check_names(&root, display, &mut problems);
    problems.add_lines(display, text);
    problems.finish(root)
}

/// The place behind `text`.
pub(crate) fn span_at(text: &str) -> Span {
    let mut cursor = Cursor { text, offset: 0, span: Span { line: 1, column: 1 } };
    cursor.at(text.len())
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// serde_json counts columns in bytes, up to and including the one at fault.
fn error_span(text: &str, error: &serde_json::Error) -> Span {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let mut end = error.column().saturating_sub(1).min(line.len());
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let column = line[..end].chars().count() + 1;
    Span { line: number(error.line().max(1)), column: number(column) }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Turns growing byte offsets into places, looking at each character once.
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    span: Span,
}

impl Cursor<'_> {
    fn at(&mut self, offset: usize) -> Span {
        for character in self.text.get(self.offset..offset).unwrap_or_default().chars() {
            if character == '\n' {
                self.span = Span { line: self.span.line.saturating_add(1), column: 1 };
            } else {
                self.span.column = self.span.column.saturating_add(1);
            }
        }
        self.offset = self.offset.max(offset);
        self.span
    }

    fn node(&mut self, value: Value<'_>) -> Node {
        let span = self.at(value.start());
        let value = match value {
            Value::NullKeyword(_) => Json::Null,
            Value::BooleanLit(literal) => Json::Bool(literal.value),
            Value::NumberLit(literal) => Json::Number(literal.value.to_owned()),
            Value::StringLit(literal) => Json::String(literal.value.into_owned()),
            Value::Array(array) => {
                Json::Array(array.elements.into_iter().map(|item| self.node(item)).collect())
            }
            Value::Object(object) => Json::Object(
                object
                    .properties
                    .into_iter()
                    .map(|property| Member {
                        span: self.at(property.start()),
                        name: property.name.into_string(),
                        node: self.node(property.value),
                    })
                    .collect(),
            ),
        };
        Node { value, span }
    }
}

/// The way from the root to a value, kept on the stack; it is spelt out only for a problem.
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    token: Token<'a>,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Root,
    Index(usize),
    Name(&'a str),
}

impl Path<'_> {
    /// Notes every second member of one name.
    fn check_names(&self, node: &Node, file: &str, problems: &mut Diagnostics) {
        let mut seen = HashMap::new();
        for member in node.members() {
            let path = Path { parent: Some(self), token: Token::Name(&member.name) };
            if let Some(first) = seen.insert(member.name.as_str(), member.span) {
                let place = Place {
                    file: file.to_owned(),
                    span: member.span,
                    pointer: format!("#{}", path.pointer()),
                };
                let message =
                    format!("{} is already a member, from line {}", quoted(&member.name), first.line);
                problems.push(place, message);
            }
            path.check_names(&member.node, file, problems);
        }
        for (index, item) in node.items().iter().enumerate() {
            Path { parent: Some(self), token: Token::Index(index) }.check_names(item, file, problems);
        }
    }

    fn pointer(&self) -> String {
        let before = self.parent.map(Path::pointer).unwrap_or_default();
        match self.token {
            Token::Root => before,
            Token::Index(index) => format!("{before}/{index}"),
            Token::Name(name) => format!("{before}/{}", escape(name)),
        }
    }
}
