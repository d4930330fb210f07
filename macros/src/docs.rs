//! Doc comments, as the text that agents read.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// The doc comments of an item or a parameter.
#[derive(Default)]
pub(crate) struct Docs {
    parts: Vec<Part>,
    /// Where the first of them stands.
    pub(crate) at: Option<Span>,
}

/// A `#[doc]` attribute.
enum Part {
    /// `/// text`, or `/** text */` with several lines.
    Lines(Vec<String>),
    /// `#[doc = concat!(…)]`, which only the compiler can read.
    Macro(Box<Expr>),
}

impl Docs {
    /// Reads the doc comments among the attributes.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut parts = Vec::new();
        let mut at = None;
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
            // `#[doc(hidden)]` and the like are no text.
            let Meta::NameValue(meta) = &attribute.meta else { continue };
            at = at.or_else(|| Some(meta.value.span()));
            match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    parts.push(Part::Lines(lines(&text.value(), is_block(text))))
                }
                other => parts.push(Part::Macro(Box::new(other.clone()))),
            }
        }
        Self { parts, at }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Lines(lines) => lines.iter().all(|line| line.trim().is_empty()),
            Part::Macro(_) => false,
        })
    }

    /// An expression for the text: as written, without the indentation that all lines share.
    pub(crate) fn text(&self) -> TokenStream {
        let indentation = self.indentation();
        let mut pieces = Vec::new();
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Lines(lines) => {
                    for line in lines {
                        text.push_str(line.get(indentation..).unwrap_or("").trim_end());
                        text.push('\n');
                    }
                }
                Part::Macro(expr) => {
                    pieces.push(quote!(#text, #expr,));
                    "\n".clone_into(&mut text);
                }
            }
        }
        if pieces.is_empty() {
            let text = text.trim_matches('\n');
            return quote!(#text);
        }
        let text = text.trim_end_matches('\n');
        quote!(::core::concat!(#(#pieces)* #text))
    }

    /// How far all lines are indented: the space after `///`, usually.
    fn indentation(&self) -> usize {
        let lines = self.parts.iter().flat_map(|part| match part {
            Part::Lines(lines) => lines.as_slice(),
            Part::Macro(_) => &[],
        });
        let of_line = |line: &String| line.len() - line.trim_start_matches(' ').len();
        lines.filter(|line| !line.trim().is_empty()).map(of_line).min().unwrap_or(0)
    }
}

/// Whether a text is all of a `/** … */`, and not what stands in `#[doc = "…"]`.
fn is_block(text: &LitStr) -> bool {
    text.span().source_text().is_some_and(|source| source.starts_with("/*"))
}

/// The lines of one comment. In a block, lines often begin with a star in a column of stars.
fn lines(text: &str, is_block: bool) -> Vec<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        lines.push("");
    }
    let (first, rest) = lines.split_first().expect("there is a line");
    if !is_block || rest.is_empty() {
        return lines.into_iter().map(str::to_owned).collect();
    }
    if !rest.iter().all(|line| line.trim().is_empty() || line.trim_start().starts_with('*')) {
        return as_far_as(first, rest);
    }
    let unstar = |line: &str| line.strip_prefix('*').unwrap_or(line).to_owned();
    let unstarred = rest.iter().map(|line| unstar(line.trim_start()));
    std::iter::once((*first).to_owned()).chain(unstarred).collect()
}

/// The first line stands behind the `/**`; the others are indented as the code is, here as far as the first.
fn as_far_as(first: &str, rest: &[&str]) -> Vec<String> {
    let indented = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let is_text = |line: &&&str| !line.trim().is_empty();
    let common = rest.iter().filter(is_text).map(indented).min().unwrap_or(0);
    let own = if first.trim().is_empty() { "" } else { &first[..indented(&first)] };
    let moved = rest.iter().map(|line| match line.get(common..) {
        Some(text) if !text.trim().is_empty() => format!("{own}{text}"),
        _ => String::new(),
    });
    std::iter::once(first.to_owned()).chain(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;
    use syn::{ItemFn, parse_quote};

    fn text(item: ItemFn) -> String {
        let tokens = Docs::of(&item.attrs).text();
        match syn::parse2::<LitStr>(tokens.clone()) {
            Ok(literal) => literal.value(),
            Err(_) => tokens.to_token_stream().to_string(),
        }
    }

    #[test]
    fn comments_are_kept_as_written() {
        let item = parse_quote! {
            /// Builds:
            ///
            /// - a wall
            ///   - of stone
            ///
            ///     let code = 1;
            fn build() {}
        };
        assert_eq!(text(item), "Builds:\n\n- a wall\n  - of stone\n\n    let code = 1;");
    }

    #[test]
    fn block_comments_lose_their_stars() {
        for (written, text) in [
            (" Builds. ", " Builds. "),
            ("\n * Builds.\n *\n * * a list\n ", "\n Builds.\n\n * a list\n"),
            (
                " Builds:\n\n        - a wall\n          - of stone\n    ",
                " Builds:\n\n - a wall\n   - of stone\n",
            ),
            (" Builds:\n * a wall\n * a gate ", " Builds:\n a wall\n a gate "),
        ] {
            assert_eq!(lines(written, true).join("\n"), text, "{written}");
        }
        let written = " Builds:\n * a wall\n     * a gate";
        assert_eq!(lines(written, false).join("\n"), written);
    }

    #[test]
    fn attributes_join_and_macros_stay() {
        let item = parse_quote! {
            #[doc(hidden)]
            #[doc = "Builds."]
            #[doc = "Again."]
            fn build() {}
        };
        assert_eq!(text(item), "Builds.\nAgain.");
        let item = parse_quote! {
            #[doc = concat!("Builds ", "walls")]
            fn build() {}
        };
        assert!(text(item).contains("concat"));
    }
}
