//! Reads `ludwire.toml`, and says everything that is wrong in it at once.

use super::{Config, Kind, ProtocolConfig};
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::json::quoted;
use crate::load::{self, slashes};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads `ludwire.toml`.
///
/// # Errors
///
/// A file that can't be read or is no TOML; keys that are unknown, missing or of the wrong type;
/// names that make no Rust module; paths that leave the folder of the file.
pub fn read(path: &Path) -> Result<Config> {
    let display = slashes(path);
    let text = load::text(path, &display)?;
    let root = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    parse(root, &display, &text)
}

/// Reads the text of `ludwire.toml`; `display` is its name in diagnostics.
fn parse(root: PathBuf, display: &str, text: &str) -> Result<Config> {
    let mut reader = Reader { display, text, problems: Diagnostics::default() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        reader.problem(error.span().unwrap_or_default(), error.message().trim());
    }
    // What TOML itself refuses leaves holes, which are not worth a word.
    let config = reader.problems.0.is_empty().then(|| reader.config(root, &table));
    reader.problems.add_lines(display, text);
    reader.problems.finish(())?;
    config.ok_or_else(|| Diagnostics::one(Place::default(), "no configuration"))
}

struct Reader<'a> {
    display: &'a str,
    text: &'a str,
    problems: Diagnostics,
}

/// A table and the place where one would look for a key that is missing.
struct Table<'a> {
    keys: &'a DeTable<'a>,
    span: Range<usize>,
    name: &'static str,
}

impl Reader<'_> {
    fn config(&mut self, root: PathBuf, table: &Spanned<DeTable<'_>>) -> Config {
        let top = Table { keys: table.get_ref(), span: 0..0, name: "ludwire.toml" };
        self.check_keys(&top, &["output", "protocol", "together"]);
        let empty = DeTable::new();
        let output = match top.keys.get("output").map(|value| (value.get_ref(), value.span())) {
            Some((DeValue::Table(keys), span)) => Table { keys, span, name: "[output]" },
            Some((value, span)) => {
                self.problem(span, format!("`output` is a table, not {}", kind(value)));
                Table { keys: &empty, span: 0..0, name: "[output]" }
            }
            None => Table { keys: &empty, span: 0..0, name: "[output]" },
        };
        self.check_keys(&output, &["src", "docs", "hand_written", "templates"]);
        let mut config = Config {
            root,
            src: self.path(&output, "src").unwrap_or_else(|| "generated/src".to_owned()),
            docs: self.path(&output, "docs").unwrap_or_else(|| "generated/docs".to_owned()),
            hand_written: self.paths(&output, "hand_written").unwrap_or_else(|| vec!["lib.rs".to_owned()]),
            templates: self.path(&output, "templates"),
            together: self.path(&top, "together"),
            protocols: Vec::new(),
        };
        if is_inside(&config.src, &config.docs) || is_inside(&config.docs, &config.src) {
            let message =
                format!("`src` and `docs` are folders apart, not {} and {}", config.src, config.docs);
            self.problem(output.span.clone(), message);
        }
        config.protocols = self.protocols(&top, &config.hand_written);
        config
    }

    fn protocols(&mut self, top: &Table<'_>, hand_written: &[String]) -> Vec<ProtocolConfig> {
        let Some(value) = top.keys.get("protocol") else {
            self.problem(0..0, "no protocol is named; add a [[protocol]] table");
            return Vec::new();
        };
        let DeValue::Array(tables) = value.get_ref() else {
            let message =
                format!("`protocol` is an array of tables: [[protocol]], not {}", kind(value.get_ref()));
            self.problem(value.span(), message);
            return Vec::new();
        };
        let mut names = HashMap::new();
        let mut protocols = Vec::new();
        for value in tables.iter() {
            let DeValue::Table(keys) = value.get_ref() else {
                self.problem(value.span(), format!("a protocol is a table, not {}", kind(value.get_ref())));
                continue;
            };
            let table = Table { keys, span: value.span(), name: "[[protocol]]" };
            self.check_keys(&table, &["name", "kind", "schemas", "overlay", "source_url"]);
            let name = self.protocol_name(&table, hand_written);
            if let Some(name) = &name {
                let line = self.place(table.span.clone()).span.line;
                if let Some(first) = names.insert(name.clone(), line) {
                    let message = format!("the protocol {} is already there, in line {first}", quoted(name));
                    self.problem(value_span(&table, "name"), message);
                }
            }
            let kind = self.kind(&table);
            let schemas = self.required(&table, "schemas").then(|| self.path(&table, "schemas")).flatten();
            let overlay = self.path(&table, "overlay");
            let source_url = self.text(&table, "source_url");
            if let (Some(name), Some(kind), Some(schemas)) = (name, kind, schemas) {
                protocols.push(ProtocolConfig { name, kind, schemas, overlay, source_url });
            }
        }
        protocols
    }

    fn protocol_name(&mut self, table: &Table<'_>, hand_written: &[String]) -> Option<String> {
        if !self.required(table, "name") {
            return None;
        }
        let name = self.text(table, "name")?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_module = name.chars().all(plain) && syn::parse_str::<syn::Ident>(&name).is_ok() && name != "_";
        let message = if !is_module {
            format!("{} is no name of a Rust module: a to z, digits and _, no keyword", quoted(&name))
        } else if name == "support" || hand_written.contains(&format!("{name}.rs")) {
            format!("the module {} is already there; choose another name", quoted(&name))
        } else {
            return Some(name);
        };
        self.problem(value_span(table, "name"), message);
        None
    }

    fn kind(&mut self, table: &Table<'_>) -> Option<Kind> {
        if !self.required(table, "kind") {
            return None;
        }
        match self.text(table, "kind")?.as_str() {
            "json-schema" => Some(Kind::JsonSchema),
            "catalogue" => Some(Kind::Catalogue),
            other => {
                let message =
                    format!("{} is no kind; expected \"json-schema\" or \"catalogue\"", quoted(other));
                self.problem(value_span(table, "kind"), message);
                None
            }
        }
    }

    fn check_keys(&mut self, table: &Table<'_>, known: &[&str]) {
        for key in table.keys.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let message = format!(
                "{} is no key of {}; there are {}",
                quoted(key.get_ref()),
                table.name,
                known.join(", ")
            );
            self.problem(key.span(), message);
        }
    }

    fn required(&mut self, table: &Table<'_>, key: &str) -> bool {
        let given = table.keys.contains_key(key);
        if !given {
            self.problem(table.span.clone(), format!("`{key}` is missing in {}", table.name));
        }
        given
    }

    fn text(&mut self, table: &Table<'_>, key: &str) -> Option<String> {
        let value = table.keys.get(key)?;
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.problem(value.span(), format!("`{key}` is a string, not {}", kind(value.get_ref())));
        }
        text
    }

    fn path(&mut self, table: &Table<'_>, key: &str) -> Option<String> {
        let text = self.text(table, key)?;
        self.relative(&text, value_span(table, key))
    }

    fn paths(&mut self, table: &Table<'_>, key: &str) -> Option<Vec<String>> {
        let value = table.keys.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            let message = format!("`{key}` is an array of strings, not {}", kind(value.get_ref()));
            self.problem(value.span(), message);
            return None;
        };
        let mut paths = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str() {
                Some(text) => paths.extend(self.relative(text, item.span())),
                None => {
                    let message = format!("`{key}` is an array of strings, not of {}", kind(item.get_ref()));
                    self.problem(item.span(), message);
                }
            }
        }
        Some(paths)
    }

    /// A path without the `.` in it that say nothing.
    fn relative(&mut self, text: &str, span: Range<usize>) -> Option<String> {
        let drive = text.as_bytes().get(1) == Some(&b':');
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let message = if text.contains('\\') {
            "is a path with forward slashes, on every system"
        } else if text.starts_with('/') || drive {
            "is a path from the folder of this file, not an absolute one"
        } else if parts.contains(&"..") {
            "is a path inside the folder of this file, without `..`"
        } else if parts.is_empty() {
            "is the path of something inside the folder of this file"
        } else {
            return Some(parts.join("/"));
        };
        self.problem(span, format!("what stands here {message}: {}", quoted(text)));
        None
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place {
            file: self.display.to_owned(),
            span: load::span_at(self.text.get(..span.start).unwrap_or(self.text)),
            pointer: String::new(),
        }
    }

    fn problem(&mut self, span: Range<usize>, message: impl Into<String>) {
        let place = self.place(span);
        self.problems.push(place, message);
    }
}

fn value_span(table: &Table<'_>, key: &str) -> Range<usize> {
    table.keys.get(key).map_or(table.span.clone(), Spanned::span)
}

fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests;
