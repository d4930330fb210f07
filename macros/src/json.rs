//! JSON in which expressions may stand, as far as a reader of tokens tells: the macro that makes a value of it
//! does not say what is wrong, and where.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Error, Expr, LitStr, Result, Token, token};

/// Whether what stands in brackets is a list.
pub(crate) fn check(list: TokenStream) -> Result<()> {
    items.parse2(list)
}

fn items(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        value(input)?;
        comma(input)?;
    }
    Ok(())
}

fn members(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        let is_name = input.peek(LitStr) || input.peek(token::Paren);
        let name: TokenTree = input.parse()?;
        if !is_name {
            return Err(Error::new_spanned(name, "names in JSON stand in quotes: `\"count\": 3`"));
        }
        let Some(colon) = input.parse::<Option<Token![:]>>()? else {
            return Err(Error::new_spanned(name, "a colon and a value follow a name: `\"count\": 3`"));
        };
        if input.is_empty() || input.peek(Token![,]) {
            return Err(Error::new(colon.span(), "expected a value after this"));
        }
        value(input)?;
        comma(input)?;
    }
    Ok(())
}

fn value(input: ParseStream<'_>) -> Result<()> {
    let inside;
    if input.peek(token::Bracket) {
        syn::bracketed!(inside in input);
        items(&inside)
    } else if input.peek(token::Brace) {
        syn::braced!(inside in input);
        members(&inside)
    } else {
        input.parse::<Expr>().map(drop)
    }
}

fn comma(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    Err(input.error("expected a comma here"))
}
