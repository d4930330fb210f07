//! The attribute macros of Ludwire.

mod attribute;
mod bounds;
mod docs;
mod expand;
mod mistakes;
mod parse;
mod types;
mod validate;

use mistakes::Mistakes;
use proc_macro2::TokenStream;
use quote::quote;

/// Makes a tool.
#[proc_macro_attribute]
pub fn tool(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tool_tokens(attribute.into(), item.into()).into()
}

fn tool_tokens(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(tool) = parse::tool(attribute, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_items();
        return quote!(#item #errors);
    };
    validate::tool(&tool, &mut mistakes);
    let function = &tool.function;
    let more = if mistakes.is_empty() { expand::tool(&tool) } else { mistakes.into_items() };
    // The function is always there, so that one mistake is one error.
    quote!(#function #more)
}
