//! The templates, and the words that they know beside minijinja's own.
//!
//! Whatever a template prints is escaped, so a page cannot be broken by forgetting a filter:
//!
//! - `{{ x }}` prints a line of text.
//! - `{{ x | cell }}` prints a line into a cell of a table.
//! - `{{ x | paragraphs }}` prints text of several paragraphs.
//! - `{{ x | code }}` is `x` as code, `{{ x | link(target) }}` is `x` as a link; in a table,
//!   `{{ x | code | cell }}`.
//! - `{{ x | linked(links) }}` is a text in which code is a link, where the map `links` has it.
//! - `{{ x | anchor }}` is a place that a link to `"#" ~ (x | id)` leads to.
//! - `{{ x | fence("json") }}` prints a block of code, `{{ x | fence("json", 3) }}` one inside of a list.
//! - `{{ x | comment }}` prints into an HTML comment.

use super::markdown::{self, Context};
use super::prose::{self, Span};
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::near::nearest;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Our templates, sorted. A file of the same name in the user's folder replaces one.
const TEMPLATES: [(&str, &str); 27] = [
    ("amendments.md", include_str!("../../../../templates/amendments.md")),
    ("catalogue.md", include_str!("../../../../templates/catalogue.md")),
    ("enforcement.md", include_str!("../../../../templates/enforcement.md")),
    ("fields.md", include_str!("../../../../templates/fields.md")),
    ("game-events.md", include_str!("../../../../templates/game-events.md")),
    ("game-head.md", include_str!("../../../../templates/game-head.md")),
    ("game-index.md", include_str!("../../../../templates/game-index.md")),
    ("game-resources.md", include_str!("../../../../templates/game-resources.md")),
    ("game-splice.md", include_str!("../../../../templates/game-splice.md")),
    ("game-state.md", include_str!("../../../../templates/game-state.md")),
    ("game-tool.md", include_str!("../../../../templates/game-tool.md")),
    ("game-untold.md", include_str!("../../../../templates/game-untold.md")),
    ("game-words.md", include_str!("../../../../templates/game-words.md")),
    ("guide.md", include_str!("../../../../templates/guide.md")),
    ("head.md", include_str!("../../../../templates/head.md")),
    ("list.md", include_str!("../../../../templates/list.md")),
    ("message.md", include_str!("../../../../templates/message.md")),
    ("messages.md", include_str!("../../../../templates/messages.md")),
    ("note.md", include_str!("../../../../templates/note.md")),
    ("other-types.md", include_str!("../../../../templates/other-types.md")),
    ("pages.md", include_str!("../../../../templates/pages.md")),
    ("protocol.md", include_str!("../../../../templates/protocol.md")),
    ("sources.md", include_str!("../../../../templates/sources.md")),
    ("tail.md", include_str!("../../../../templates/tail.md")),
    ("titles.md", include_str!("../../../../templates/titles.md")),
    ("together.md", include_str!("../../../../templates/together.md")),
    ("words.md", include_str!("../../../../templates/words.md")),
];

/// How many steps a page may take. The index of a game of 10,000 tools takes fewer.
const STEPS: u64 = 20_000_000;

/// All templates, ready to render.
pub struct Templates {
    environment: Environment<'static>,
    /// The user's own templates.
    own: Option<Own>,
    /// The names of those that are the user's own.
    replaced: Vec<&'static str>,
    /// What is odd in the user's folder.
    warnings: Diagnostics,
}

/// The folder of the user's own templates.
struct Own {
    at: PathBuf,
    /// Its path as diagnostics show it.
    display: String,
}

impl Templates {
    /// Our templates, and those of the folder `own` in their place; `display` is its path as diagnostics
    /// show it.
    ///
    /// # Errors
    ///
    /// A folder that is not there, and files in it that cannot be read or are no templates.
    pub fn new(own: Option<(&Path, &str)>) -> Result<Self> {
        let own = own.map(|(at, display)| Own { at: at.to_owned(), display: display.to_owned() });
        let mut templates =
            Self { environment: environment(), own, replaced: Vec::new(), warnings: Diagnostics::default() };
        let mut problems = Diagnostics::default();
        if let Some(own) = &templates.own {
            // Of a folder that is none no file is asked for.
            templates.warnings = own.unknown()?;
        }
        for (name, ours) in TEMPLATES {
            let source = match templates.own.as_ref().map_or(Ok(None), |own| own.read(name)) {
                Ok(Some(source)) => {
                    templates.replaced.push(name);
                    source
                }
                Ok(None) => ours.to_owned(),
                Err(error) => {
                    problems.append(error);
                    continue;
                }
            };
            if let Err(error) = templates.environment.add_template_owned(name, source) {
                problems.append(templates.wrong(name, &error));
            }
        }
        problems.finish(templates)
    }

    /// What is odd in the user's folder: files that replace nothing.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// A page: what the template makes of `model`, without more than one empty line in a row, and
    /// with one line break at the end.
    pub(super) fn render(&self, name: &str, model: &Value) -> Result<String> {
        let template = self.environment.get_template(name).map_err(|error| self.wrong(name, &error))?;
        let page = template.render(model.clone()).map_err(|error| self.wrong(name, &error))?;
        let mut text = String::with_capacity(page.len());
        let mut empty = true;
        for line in page.lines() {
            if !(line.is_empty() && empty) {
                text.push_str(line);
                text.push('\n');
            }
            empty = line.is_empty();
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }

    fn wrong(&self, name: &str, error: &Error) -> Diagnostics {
        let error = innermost(error);
        let name = error.name().unwrap_or(name);
        let replaced = self.replaced.contains(&name);
        let folder = self.own.as_ref().filter(|_| replaced).map_or("templates", |own| &own.display);
        let mut place = Place { file: format!("{folder}/{name}"), ..Place::default() };
        if let Some(line) = error.line() {
            place.span.line = u32::try_from(line).unwrap_or(u32::MAX);
            place.span.column = 1;
        }
        let mut message = match error.kind() {
            ErrorKind::OutOfFuel => {
                format!("it comes to no end: a page takes {STEPS} steps at most")
            }
            kind => kind.to_string(),
        };
        match (error.detail(), error.template_source().zip(error.range())) {
            (Some(detail), _) => message = format!("{message}: {detail}"),
            // minijinja names what is printed, and not what is given to a filter.
            (None, Some((source, at))) if error.kind() == ErrorKind::UndefinedError => {
                message = format!("{message}: in `{}`", tag(source, at));
            }
            (None, _) => {}
        }
        let mut cause = std::error::Error::source(error);
        while let Some(error) = cause {
            message = format!("{message}; {error}");
            cause = error.source();
        }
        Diagnostics::one(place, message)
    }
}

/// The tag of a template around a part of it, on one line.
fn tag(source: &str, at: Range<usize>) -> String {
    let (before, after) =
        (source.get(..at.start).unwrap_or_default(), source.get(at.end..).unwrap_or_default());
    let from = ["{{", "{%"].iter().filter_map(|open| before.rfind(open)).max().unwrap_or(at.start);
    let to = ["}}", "%}"].iter().filter_map(|close| Some(at.end + after.find(close)? + close.len())).min();
    let tag = source.get(from..to.unwrap_or(at.end)).unwrap_or_default();
    tag.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where it went wrong: of a template that includes another, in that.
fn innermost(error: &Error) -> &Error {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<Error>());
    cause.map_or(error, innermost)
}

impl Own {
    /// Files that have the name of no template. Names that start with a dot are passed over, and a
    /// README.
    fn unknown(&self) -> Result<Diagnostics> {
        let wrong = |message: String| {
            Diagnostics::one(Place { file: self.display.clone(), ..Place::default() }, message)
        };
        let entries = fs::read_dir(&self.at).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => wrong("there is no such folder of templates".to_owned()),
            io::ErrorKind::NotADirectory => wrong("templates are a folder, and this is a file".to_owned()),
            _ => wrong(format!("cannot list the templates: {error}")),
        })?;
        let mut warnings = Diagnostics::default();
        for entry in entries {
            let name =
                entry.map_err(|error| wrong(format!("cannot list the templates: {error}")))?.file_name();
            let name = name.to_string_lossy();
            let known = TEMPLATES.map(|(name, _)| name);
            if name.starts_with('.') || name == "README.md" || known.contains(&name.as_ref()) {
                continue;
            }
            let place = Place { file: format!("{}/{name}", self.display), ..Place::default() };
            let hint = match nearest(&name, known) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", known.join(", ")),
            };
            warnings.push(place, format!("replaces no template; {hint}"));
        }
        // The system lists in any order.
        warnings.sort();
        Ok(warnings)
    }

    /// The template of a name.
    fn read(&self, name: &str) -> Result<Option<String>> {
        let path = self.at.join(name);
        let wrong = |message: String| {
            let place = Place { file: format!("{}/{name}", self.display), ..Place::default() };
            Err(Diagnostics::one(place, message))
        };
        // A pipe, say, that nobody ever writes to.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return wrong("a template belongs here, and this is no file".to_owned());
        }
        match fs::read_to_string(&path) {
            Ok(source) => Ok(Some(source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => wrong(format!("cannot read: {error}")),
        }
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the delimiters are minijinja's own"));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(STEPS));
    // For the expression that an error is about.
    environment.set_debug(true);
    // With this, what a macro or a recursive loop has printed is not escaped again.
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(|out, _, value| {
        let written = if value.is_safe() { value.to_string() } else { written(value, Context::Line) };
        Ok(out.write_str(&written)?)
    });
    environment.add_filter("cell", |value: &Value| Ok(safe(written(there(value)?, Context::Cell))));
    environment.add_filter("paragraphs", |value: &Value| {
        Ok(safe(markdown::paragraphs(there(value)?.as_str().unwrap_or_default(), Context::Line)))
    });
    environment.add_filter("code", |value: &Value| Ok(piece(Span::Code(text(value)?))));
    environment.add_filter("link", |label: &Value, target: &Value| {
        Ok(piece(Span::Link { label: text(label)?, target: text(target)? }))
    });
    environment.add_filter("anchor", |name: &Value| Ok(safe(markdown::target(&text(name)?))));
    environment.add_filter("id", |name: &Value| Ok(markdown::id(&text(name)?)));
    environment.add_filter("fence", |value: &Value, language: &str, indent: Option<usize>| {
        Ok(safe(markdown::fence(&text(value)?, language, indent.unwrap_or(0))))
    });
    environment.add_filter("put", |value: &Value, at: &str| {
        let context = if at == "cell" { Context::Cell } else { Context::Line };
        Ok(safe(written(there(value)?, context)))
    });
    environment.add_filter("sentence", |value: &Value| {
        let sentence = prose::sentence(there(value)?.as_str().unwrap_or_default());
        Ok(if value.is_safe() { safe(sentence) } else { Value::from(sentence) })
    });
    environment.add_filter("code_link", |code: &Value, target: &Value| {
        Ok(piece(Span::CodeLink { code: text(code)?, target: text(target)? }))
    });
    environment.add_filter("linked", |value: &Value, links: &Value| {
        let link = |code: &str| links.get_attr(code).ok()?.as_str().map(str::to_owned);
        Ok(Value::from(Serde(prose::linked(there(value)?.as_str().unwrap_or_default(), link))))
    });
    #[cfg(feature = "generator")]
    environment.add_filter("phrase", |value: &Value| {
        let named = there(value)?.as_str().and_then(crate::catalogue::phrases::named);
        Ok(named.map(|(kind, of)| minijinja::context! { kind, of }))
    });
    environment.add_filter("comment", |value: &Value| Ok(safe(markdown::comment(&text(value)?))));
    environment
}

/// What a filter is given. minijinja lets it have what is not there, and would say no more than that it is no
/// text.
fn there(value: &Value) -> std::result::Result<&Value, Error> {
    if value.is_undefined() { Err(ErrorKind::UndefinedError.into()) } else { Ok(value) }
}

/// A text, or how a number is written.
fn text(value: &Value) -> std::result::Result<String, Error> {
    Ok(there(value)?.to_string())
}

fn safe(written: String) -> Value {
    Value::from_safe_string(written)
}

fn piece(span: Span) -> Value {
    Value::from(Serde(span))
}

/// What the macro of `words.md` says of a part of a model.
#[cfg(test)]
pub(super) fn said(name: &str, of: impl serde::Serialize) -> String {
    let mut templates = Templates::new(None).expect("the templates are ours");
    let source = format!("{{% import \"words.md\" as words %}}{{{{ words.{name}(of, \"line\") }}}}");
    templates.environment.add_template_owned("said", source).expect("it is a template");
    let template = templates.environment.get_template("said").expect("it is there");
    template.render(minijinja::context! { of => Value::from(Serde(of)) }).expect("it has words for it")
}

/// What a template prints: text, a piece, or a line of pieces.
fn written(value: &Value, context: Context) -> String {
    match value.kind() {
        ValueKind::None | ValueKind::Undefined => String::new(),
        ValueKind::Map => markdown::line(&[span(value)], context),
        ValueKind::Seq | ValueKind::Iterable => {
            let spans: Vec<Span> = value.try_iter().into_iter().flatten().map(|value| span(&value)).collect();
            markdown::line(&spans, context)
        }
        _ => markdown::paragraphs(&value.to_string(), context).replace("\n\n", " "),
    }
}

/// A piece as templates see it, read back.
fn span(value: &Value) -> Span {
    let part = |name: &str| value.get_attr(name).ok().filter(|part| !part.is_undefined());
    let text_of = |value: &Value, name: &str| {
        value.get_attr(name).ok().and_then(|part| part.as_str().map(str::to_owned)).unwrap_or_default()
    };
    if let Some(link) = part("code_link") {
        Span::CodeLink { code: text_of(&link, "code"), target: text_of(&link, "target") }
    } else if let Some(code) = part("code") {
        Span::Code(code.to_string())
    } else if let Some(link) = part("link") {
        Span::Link { label: text_of(&link, "label"), target: text_of(&link, "target") }
    } else if let Some(words) = part("text") {
        Span::Text(words.to_string())
    } else {
        Span::Text(value.to_string())
    }
}
