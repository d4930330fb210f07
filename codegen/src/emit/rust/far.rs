//! Types that the compiler finds by way of a list only.

use super::types::Context;
use crate::ir::{Shape, TypeDef};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The list of the types that are far, and how each is found in it.
pub(super) fn tokens(context: &Context<'_>) -> TokenStream {
    let types: Vec<usize> = (0..context.protocol.types.len())
        .filter(|index| is_listed(&context.protocol.types[*index]))
        .collect();
    if types.is_empty() {
        return TokenStream::new();
    }
    let count = types.len();
    let names =
        types.iter().map(|ty| format_ident!("{}", context.protocol.types[*ty].name)).collect::<Vec<_>>();
    let exact = types.iter().map(|ty| context.is_wide(*ty));
    let places = (0..count).map(Literal::usize_unsuffixed);
    quote! {
        static FAR: [support::Reader; #count] = [#(support::read_far::<#names>),*];
        #(impl support::Distant for #names {
            const IS_EXACT: bool = #exact;
            fn reader() -> support::Reader {
                FAR[#places]
            }
        })*
    }
}

fn is_listed(ty: &TypeDef) -> bool {
    ty.far && !matches!(ty.shape, Shape::Alias(_))
}
