//! What is wrong with the user's code, collected so that all of it is told at once.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;
use syn::Error;

/// Everything found so far, in the order of finding.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<Error>);

impl Mistakes {
    /// Notes a mistake on the tokens that made it.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.0.push(Error::new_spanned(tokens, message));
    }

    /// Notes a mistake where there are no tokens.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.0.push(Error::new(span, message));
    }

    /// Notes what the parser says.
    pub(crate) fn parsing(&mut self, error: Error) {
        self.0.push(error);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mistakes as items that rustc reports.
    pub(crate) fn into_items(self) -> TokenStream {
        self.0.into_iter().map(Error::into_compile_error).collect()
    }
}

/// `, did you mean …?`, or the words that there are.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.len() == 1 => format!("the only one is `{}`", known[0]),
        None => format!("expected one of `{}`", known.join("`, `")),
    }
}

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|known| (strsim::jaro_winkler(word, known), *known))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}
