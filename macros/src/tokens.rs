//! Pieces of what the macros write.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;

/// `quote!`, with local names that the user's expressions do not see.
macro_rules! code {
    ($($token:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($token)*)
    };
}
pub(crate) use code;

/// Where the user wrote something, so that errors point there; names in tokens that stand there still
/// mean what they mean here.
pub(crate) fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// The same path, elsewhere.
pub(crate) fn located(path: &TokenStream, at: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(at));
        token
    };
    path.clone().into_iter().map(locate).collect()
}

pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(none, |value| code!(::core::option::Option::Some(#value)))
}

pub(crate) fn none() -> TokenStream {
    code!(::core::option::Option::None)
}
