//! The shape notation of catalogues: `{afterSeq?: integer, limit?: integer}`.
//!
//! ```text
//! shape    = choice { "|" choice }
//! choice   = object | list | word | constant
//! object   = "{" [ member { "," member } ] "}"
//! member   = name [ "?" ] [ ":" shape ]          name = letters, digits, "_", "-", "$", or quoted
//! list     = "[" shape "]"
//! word     = string | integer | number | boolean | object | array | null | any
//! constant = true | false | a JSON number | "quoted" | 'quoted'
//! ```
//!
//! A member with `?` may be absent; one without a shape takes any value. Objects are open: what the
//! notation does not name is allowed, since nothing in it says otherwise.

use crate::json::{Json, Node, Span};
use std::fmt;

/// How deep shapes may nest. A shape makes up to four levels of JSON, and schemas nested deeper than 127
/// are refused everywhere, so that no input exhausts the stack.
const MAX_DEPTH: usize = 24;

/// A text that is meant as notation but is not well formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where in the text, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {} of the shape: {}", self.column, self.message)
    }
}

impl std::error::Error for Mistake {}

/// The JSON Schema (draft-07) that `text` stands for, every part of it placed at `span`; `None` when
/// the text is prose.
///
/// A text is notation when it begins like one: with a bracket, a quote or a number, or with a word
/// and a `|`. Of the other texts, a single word that names a type or a constant is notation, the rest
/// is prose.
///
/// # Errors
///
/// The first mistake in a text that is meant as notation.
pub fn schema(text: &str, span: Span) -> Result<Option<Node>, Mistake> {
    let mut parser = Parser { chars: text.chars().collect(), at: 0, depth: 0, span };
    let read = parser.shape().and_then(|node| match parser.peek() {
        None => Ok(node),
        Some(other) => Err(parser.mistake(format!("expected the end, found `{other}`"))),
    });
    match read {
        Ok(node) => Ok(Some(node)),
        Err(_) if is_prose(text) => Ok(None),
        Err(mistake) => Err(mistake),
    }
}

/// Whether a text that cannot be read as notation was never meant as such.
fn is_prose(text: &str) -> bool {
    let after_word = text.trim_start().trim_start_matches(is_name);
    let begins_with_word = text.trim_start().starts_with(|c: char| c.is_alphabetic());
    begins_with_word && !after_word.trim_start().starts_with('|')
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$')
}

/// One of the alternatives of a shape.
enum Choice {
    /// A type by name.
    Word(String),
    /// One value.
    Constant(Node),
    /// `any`, at this index of the text.
    Any(usize),
    /// An object or a list with a schema of its own.
    Schema(Node),
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    span: Span,
}

impl Parser {
    fn shape(&mut self) -> Result<Node, Mistake> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.mistake(format!("nested deeper than {MAX_DEPTH}")));
        }
        let mut choices = vec![self.choice()?];
        while self.take('|') {
            choices.push(self.choice()?);
        }
        self.depth -= 1;
        self.join(choices)
    }

    fn choice(&mut self) -> Result<Choice, Mistake> {
        match self.peek() {
            Some('{') => Ok(Choice::Schema(self.object()?)),
            Some('[') => Ok(Choice::Schema(self.list()?)),
            Some('"' | '\'') => Ok(Choice::Constant(self.quoted().map(|text| self.span.text(text))?)),
            Some(c) if c.is_ascii_digit() || c == '-' => Ok(Choice::Constant(self.number()?)),
            Some(c) if is_name(c) => self.word(),
            Some(other) => Err(self.mistake(format!("expected a shape, found `{other}`"))),
            None => Err(self.mistake("expected a shape, found the end")),
        }
    }

    fn object(&mut self) -> Result<Node, Mistake> {
        let mut properties: Vec<(String, Node)> = Vec::new();
        let mut required = Vec::new();
        self.expect('{')?;
        if !self.take('}') {
            loop {
                self.peek();
                let start = self.at;
                let name = self.name()?;
                if properties.iter().any(|(earlier, _)| *earlier == name) {
                    return Err(mistake_at(start, format!("a second member `{name}`")));
                }
                if !self.take('?') {
                    required.push(self.span.text(&*name));
                }
                let shape = if self.take(':') { self.shape()? } else { self.span.object::<&str>([]) };
                properties.push((name, shape));
                if !self.take(',') {
                    break;
                }
            }
            self.expect('}')?;
        }
        let mut members = vec![("type", self.span.text("object"))];
        if !required.is_empty() {
            members.push(("required", self.span.list(required)));
        }
        members.push(("properties", self.span.object(properties)));
        Ok(self.span.object(members))
    }

    fn list(&mut self) -> Result<Node, Mistake> {
        self.expect('[')?;
        if self.peek() == Some(']') {
            return Err(self.mistake("a list names the shape of its items; `array` is any list"));
        }
        let items = self.shape()?;
        self.expect(']')?;
        Ok(self.span.object([("type", self.span.text("array")), ("items", items)]))
    }

    fn word(&mut self) -> Result<Choice, Mistake> {
        let start = self.at;
        let word = self.run(is_name);
        match word.as_str() {
            "string" | "integer" | "number" | "boolean" | "object" | "array" | "null" => {
                Ok(Choice::Word(word))
            }
            "any" => Ok(Choice::Any(start)),
            "true" | "false" => {
                Ok(Choice::Constant(Node { value: Json::Bool(word == "true"), span: self.span }))
            }
            _ => Err(mistake_at(start, format!("`{word}` names no type"))),
        }
    }

    fn number(&mut self) -> Result<Node, Mistake> {
        let start = self.at;
        let text = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'));
        match serde_json::from_str::<serde_json::Number>(&text) {
            Ok(_) => Ok(Node { value: Json::Number(text), span: self.span }),
            Err(_) => Err(mistake_at(start, format!("`{text}` is not a number as JSON writes it"))),
        }
    }

    fn name(&mut self) -> Result<String, Mistake> {
        match self.peek() {
            Some('"' | '\'') => self.quoted(),
            Some(c) if is_name(c) => Ok(self.run(is_name)),
            Some(other) => Err(self.mistake(format!("expected the name of a member, found `{other}`"))),
            None => Err(self.mistake("expected the name of a member, found the end")),
        }
    }

    /// A string in either kind of quotes. Between double quotes escapes are those of JSON; between
    /// single quotes there are none.
    fn quoted(&mut self) -> Result<String, Mistake> {
        let start = self.at;
        let quote = self.chars[start];
        let escapes = quote == '"';
        let mut end = start + 1;
        while let Some(&c) = self.chars.get(end) {
            match c {
                '\\' if escapes => end += 2,
                c if c == quote => break,
                _ => end += 1,
            }
        }
        let Some(text) = self.chars.get(start..=end) else {
            return Err(mistake_at(start, "this string has no end"));
        };
        self.at = end + 1;
        if !escapes {
            return Ok(text[1..text.len() - 1].iter().collect());
        }
        serde_json::from_str(&text.iter().collect::<String>())
            .map_err(|_| mistake_at(start, "not a string as JSON writes it"))
    }

    /// One schema for all choices: a list of types, a list of constants, or `anyOf`.
    fn join(&self, mut choices: Vec<Choice>) -> Result<Node, Mistake> {
        let span = self.span;
        if choices.len() == 1 {
            return Ok(match choices.remove(0) {
                Choice::Any(_) => span.object::<&str>([]),
                other => single(other, span),
            });
        }
        let mut words: Vec<&String> = Vec::new();
        for choice in &choices {
            match choice {
                Choice::Any(at) => {
                    return Err(mistake_at(*at, "`any` takes every value, so it stands alone"));
                }
                Choice::Word(word) if words.contains(&word) => {
                    return Err(self.mistake(format!("`{word}` stands among the alternatives twice")));
                }
                Choice::Word(word) => words.push(word),
                Choice::Constant(_) | Choice::Schema(_) => {}
            }
        }
        if words.len() == choices.len() {
            let types = words.into_iter().map(|word| span.text(word));
            return Ok(span.object([("type", span.list(types))]));
        }
        if choices.iter().all(|choice| matches!(choice, Choice::Constant(_))) {
            let constants = choices.into_iter().filter_map(|choice| match choice {
                Choice::Constant(value) => Some(value),
                _ => None,
            });
            return Ok(span.object([("enum", span.list(constants))]));
        }
        let schemas = choices.into_iter().map(|choice| single(choice, span));
        Ok(span.object([("anyOf", span.list(schemas))]))
    }

    /// The next character that is not white space, which is skipped.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), Mistake> {
        match self.peek() {
            Some(c) if c == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(other) => Err(self.mistake(format!("expected `{wanted}`, found `{other}`"))),
            None => Err(self.mistake(format!("expected `{wanted}`, found the end"))),
        }
    }

    fn run(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = self.chars[self.at..].iter();
        let text: String = rest.take_while(|c| belongs(**c)).collect();
        self.at += text.chars().count();
        text
    }

    fn mistake(&self, message: impl Into<String>) -> Mistake {
        mistake_at(self.at, message)
    }
}

fn mistake_at(index: usize, message: impl Into<String>) -> Mistake {
    Mistake { column: index + 1, message: message.into() }
}

fn single(choice: Choice, span: Span) -> Node {
    match choice {
        Choice::Word(word) => span.object([("type", span.text(word))]),
        Choice::Constant(value) => span.object([("const", value)]),
        Choice::Any(_) => span.object::<&str>([]),
        Choice::Schema(node) => node,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_become_schemas() {
        for (text, expected) in [
            ("{}", r#"{"type":"object","properties":{}}"#),
            (
                "{token: string}",
                r#"{"type":"object","required":["token"],"properties":{"token":{"type":"string"}}}"#,
            ),
            (
                " { afterSeq? : integer , limit?: integer } ",
                r#"{"type":"object","properties":{"afterSeq":{"type":"integer"},"limit":{"type":"integer"}}}"#,
            ),
            (
                "{running, host?}",
                r#"{"type":"object","required":["running"],"properties":{"running":{},"host":{}}}"#,
            ),
            ("{ok: true}", r#"{"type":"object","required":["ok"],"properties":{"ok":{"const":true}}}"#),
            (
                "[{seq: integer, event: object}]",
                r#"{"type":"array","items":{"type":"object","required":["seq","event"],"properties":{"seq":{"type":"integer"},"event":{"type":"object"}}}}"#,
            ),
            (
                "{at: {x: number}}",
                r#"{"type":"object","required":["at"],"properties":{"at":{"type":"object","required":["x"],"properties":{"x":{"type":"number"}}}}}"#,
            ),
            ("[[string]]", r#"{"type":"array","items":{"type":"array","items":{"type":"string"}}}"#),
            ("string", r#"{"type":"string"}"#),
            ("any", "{}"),
            ("array", r#"{"type":"array"}"#),
            ("null", r#"{"type":"null"}"#),
            ("boolean | null", r#"{"type":["boolean","null"]}"#),
            ("'a' | \"b\\n\" | 1e2 | false", r#"{"enum":["a","b\n",1e2,false]}"#),
            ("-1.5", r#"{"const":-1.5}"#),
            (
                "string|[integer] | 'x'",
                r#"{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}},{"const":"x"}]}"#,
            ),
            (
                "{'a b': any, \"c\"?}",
                r#"{"type":"object","required":["a b"],"properties":{"a b":{},"c":{}}}"#,
            ),
        ] {
            let span = Span { line: 3, column: 7 };
            let node = schema(text, span).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
            let node = node.unwrap_or_else(|| panic!("{text}: taken for prose"));
            assert_eq!(node.to_string(), expected, "{text}");
            assert_eq!(node.span, span, "{text}");
        }
    }

    #[test]
    fn prose_is_no_shape() {
        for text in [
            "project command object with non-empty type",
            "object with members",
            "string or integer",
            "project identifier",
            "text",
            "any JSON value",
            "integer, from 0",
        ] {
            assert!(matches!(schema(text, Span::default()), Ok(None)), "{text}");
        }
    }

    #[test]
    fn mistakes_have_a_column() {
        for (text, column, message) in [
            ("", 1, "expected a shape, found the end"),
            ("{", 2, "expected the name of a member, found the end"),
            ("{a: string", 11, "expected `}`, found the end"),
            ("{a: strin}", 5, "`strin` names no type"),
            ("{a: string b}", 12, "expected `}`, found `b`"),
            ("{a,}", 4, "expected the name of a member, found `}`"),
            ("{a, b, a}", 8, "a second member `a`"),
            ("{ä: ?}", 5, "expected a shape, found `?`"),
            ("[]", 2, "a list names the shape of its items; `array` is any list"),
            ("{} more", 4, "expected the end, found `m`"),
            ("string | strin", 10, "`strin` names no type"),
            ("string | string", 16, "`string` stands among the alternatives twice"),
            ("string | any", 10, "`any` takes every value, so it stands alone"),
            ("'a", 1, "this string has no end"),
            ("\"a\\", 1, "this string has no end"),
            ("\"\\x\"", 1, "not a string as JSON writes it"),
            ("01", 1, "`01` is not a number as JSON writes it"),
        ] {
            let found = schema(text, Span::default()).expect_err(text);
            assert_eq!((found.column, found.message.as_str()), (column, message), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_a_mistake_and_not_a_crash() {
        let text = "[".repeat(100_000);
        let found = schema(&text, Span::default()).expect_err("too deep");
        assert_eq!(found.message, "nested deeper than 24");
    }
}
