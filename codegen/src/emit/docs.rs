//! Reference pages.
//!
//! A page is a model, plain data that says what stands on it, and a template that writes it down.
//! Markdown is known to the templates and to the module `markdown`, which escapes whatever they print.

pub mod game;
#[cfg(feature = "generator")]
mod links;
#[cfg(not(feature = "generator"))]
mod links {
    /// Without the generator there are no templates but ours, whose links the tests look at.
    pub(super) fn check(_: &[crate::OutputFile]) -> crate::diagnostics::Diagnostics {
        crate::diagnostics::Diagnostics::default()
    }
}
#[cfg_attr(not(feature = "generator"), allow(dead_code, reason = "the pages of protocols need more"))]
mod markdown;
mod pages;
#[cfg_attr(not(feature = "generator"), allow(dead_code, reason = "the pages of protocols need more"))]
mod prose;
#[cfg(feature = "generator")]
mod protocols;
mod templates;
#[cfg_attr(not(feature = "generator"), allow(dead_code, reason = "the pages of protocols need more"))]
mod vocabulary;

pub use pages::Pages;
#[cfg(feature = "generator")]
pub use protocols::{files, over_all, pages};
pub use templates::Templates;

#[cfg(all(test, feature = "generator"))]
mod tests;
