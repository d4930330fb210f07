//! What the generator says when an input is wrong: every problem at once, each with its place.

use crate::json::Span;
use std::fmt;

/// A place in an input: a file, a position in it and the JSON pointer of the value there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file as the user named it, with forward slashes.
    pub file: String,
    /// Line and column.
    pub span: Span,
    /// JSON pointer with a leading `#`, for example `#/properties/a`; empty where none fits.
    pub pointer: String,
}

/// What a problem means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It is odd, and accepted.
    Warning,
    /// Nothing comes of the run.
    Error,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// What it means: a warning stands before the errors.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// What is wrong and what to do, without a final full stop.
    pub message: String,
    /// The source line, when it is at hand.
    pub line: Option<String>,
}

/// All problems of a run. Never empty when it is an error.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

/// The result of a step of the generator.
pub type Result<T> = std::result::Result<T, Diagnostics>;

impl Diagnostic {
    fn error(place: Place, message: String) -> Self {
        Self { severity: Severity::Error, place, message, line: None }
    }
}

impl Diagnostics {
    /// One problem at a place.
    pub fn one(place: Place, message: impl Into<String>) -> Self {
        Self(vec![Diagnostic::error(place, message.into())])
    }

    /// Notes another problem.
    pub fn push(&mut self, place: Place, message: impl Into<String>) {
        self.0.push(Diagnostic::error(place, message.into()));
    }

    /// Notes the problems of another step.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.0.append(&mut other.0);
    }

    /// The same errors, after what is odd besides: it may be what they come from.
    #[must_use]
    pub fn after(mut self, notes: &Diagnostics) -> Self {
        let warning = |note: &Diagnostic| Diagnostic { severity: Severity::Warning, ..note.clone() };
        self.0.extend(notes.0.iter().map(warning));
        self.sort();
        self
    }

    /// Puts the problems in the order of their places, each once, and the errors last.
    pub fn sort(&mut self) {
        self.0.sort();
        self.0.dedup();
    }

    /// Gives the problems in `file` the lines of its `text` that they stand in. Lines that are
    /// blank or too long to show are left out.
    pub fn add_lines(&mut self, file: &str, text: &str) {
        const LONGEST: usize = 240;
        if !self.0.iter().any(|problem| problem.line.is_none() && problem.place.file == file) {
            return;
        }
        let lines: Vec<&str> = text.split('\n').collect();
        for problem in self.0.iter_mut().filter(|problem| problem.line.is_none()) {
            let number = problem.place.span.line as usize;
            if problem.place.file == file && number > 0 {
                let line = lines.get(number - 1);
                let line = line.filter(|line| line.len() <= LONGEST && !line.trim().is_empty());
                problem.line = line.map(|line| line.trim_end_matches('\r').to_owned());
            }
        }
    }

    /// `value`, unless problems were noted.
    pub fn finish<T>(self, value: T) -> Result<T> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.span.line > 0 {
            write!(f, ":{}:{}", self.span.line, self.span.column)?;
        }
        if !self.pointer.is_empty() {
            write!(f, " ({})", self.pointer)?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        if let Some(line) = &self.line {
            let number = self.place.span.line.to_string();
            let pad = " ".repeat(number.len());
            let before: String = line
                .chars()
                .take((self.place.span.column as usize).saturating_sub(1))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            write!(f, "\n {number} | {}\n {pad} | {before}^", line.trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            let warning = if diagnostic.severity == Severity::Warning { "warning: " } else { "" };
            write!(f, "{}{warning}{diagnostic}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
