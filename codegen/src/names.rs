//! All Rust names, and nothing but names.

use std::collections::{HashMap, HashSet};

/// A type or variant name: `tools/call request` becomes `ToolsCallRequest`.
pub fn pascal(text: &str) -> String {
    let name: String = words(text).iter().map(|word| capitalised(word)).collect();
    escaped(if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name })
}

/// The name of a type that is only read, beside the one that is written.
pub fn received(name: &str) -> String {
    format!("Received{name}")
}

/// A field, function or module name: `fooBar` becomes `foo_bar`.
pub fn snake(text: &str) -> String {
    let name = words(text).join("_");
    escaped(if name.starts_with(|c: char| c.is_ascii_digit()) { format!("n{name}") } else { name })
}

/// The name of a constant: `parse error` becomes `PARSE_ERROR`.
pub fn screaming(text: &str) -> String {
    let name = words(text).join("_").to_uppercase();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// The variant name of an enum's string: like [`pascal`], but symbols count where there is nothing
/// else, or where `with_symbols` asks for them because two values would meet.
pub fn variant(text: &str, with_symbols: bool) -> String {
    if with_symbols {
        let spelled: String =
            text.chars().map(|c| symbol(c).map_or(c.to_string(), |word| format!(" {word} "))).collect();
        pascal(&spelled)
    } else {
        pascal(text)
    }
}

/// Names that are taken in one scope.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    taken: HashSet<String>,
    /// The next number to try for a name.
    next: HashMap<String, u32>,
}

impl Scope {
    /// A scope in which `names` are taken from the start.
    pub fn reserving(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|name| (*name).to_owned()).collect(), next: HashMap::new() }
    }

    /// Takes the first free one of `candidates`; when all are taken, the last with a number.
    pub fn take<'a>(&mut self, candidates: impl IntoIterator<Item = &'a str>) -> String {
        let mut last = "";
        for candidate in candidates {
            if self.taken.insert(candidate.to_owned()) {
                return candidate.to_owned();
            }
            last = candidate;
        }
        let separator = if last.contains(|c: char| c.is_uppercase()) { "" } else { "_" };
        let next = self.next.entry(last.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{}{separator}{next}", last.trim_end_matches('_'));
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.taken.contains(name)
    }
}

/// Lower-case words. A text of symbols only is spelled out, an empty one is `empty`.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (index, &c) in chars.iter().enumerate() {
        if c.is_ascii_alphanumeric() {
            let before = index.checked_sub(1).map(|at| chars[at]);
            let after = chars.get(index + 1);
            let starts = c.is_ascii_uppercase()
                && (before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                    || (before.is_some_and(|b| b.is_ascii_uppercase())
                        && after.is_some_and(|a| a.is_ascii_lowercase())));
            if starts && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.push(c.to_ascii_lowercase());
        } else {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c.is_alphanumeric() {
                words.push(format!("u{:04x}", u32::from(c)));
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    if words.is_empty() {
        words = text
            .chars()
            .map(|c| symbol(c).map_or_else(|| format!("u{:04x}", u32::from(c)), str::to_owned))
            .collect();
    }
    if words.is_empty() {
        words.push("empty".to_owned());
    }
    words
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
}

/// What a symbol is called.
fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        ' ' => "space",
        '!' => "not",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "apostrophe",
        '(' => "open",
        ')' => "close",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' => "bracket",
        '\\' => "backslash",
        ']' => "bracketend",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' => "brace",
        '|' => "or",
        '}' => "braceend",
        '~' => "tilde",
        _ => return None,
    })
}

/// Keywords get an underscore; `r#` is not possible for all of them and reads worse.
fn escaped(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for (text, name) in [
            ("tools/call request", "ToolsCallRequest"),
            ("AICC message", "AiccMessage"),
            ("UUID", "Uuid"),
            ("sessionInit", "SessionInit"),
            ("2d", "N2d"),
            ("self", "Self_"),
            (">=", "GreaterEqual"),
            ("", "Empty"),
            ("é", "U00e9"),
            ("JSONRPCError", "JsonrpcError"),
            ("HTTPServer2Go", "HttpServer2Go"),
        ] {
            assert_eq!(pascal(text), name, "{text:?}");
        }
    }

    #[test]
    fn fields() {
        for (text, name) in [
            ("fooBar", "foo_bar"),
            ("type", "type_"),
            ("self", "self_"),
            ("$id", "id"),
            ("@x", "x"),
            ("", "empty"),
            ("3d", "n3d"),
        ] {
            assert_eq!(snake(text), name, "{text:?}");
        }
    }

    #[test]
    fn collisions_are_numbered() {
        let mut scope = Scope::default();
        let names: Vec<String> = (0..3).map(|_| scope.take(["foo_bar"])).collect();
        assert_eq!(names, ["foo_bar", "foo_bar_2", "foo_bar_3"]);
        let names: Vec<String> = (0..2).map(|_| scope.take(["Foo", "BarFoo"])).collect();
        assert_eq!(names, ["Foo", "BarFoo"]);
        assert_eq!(scope.take(["Foo", "BarFoo"]), "BarFoo2");
    }

    #[test]
    fn symbols_count_when_they_must() {
        assert_eq!(variant("a+", true), "APlus");
        assert_eq!(variant("a+", false), "A");
    }
}
