//! Arrays with a type for each place.

use super::literals;
use super::scalars::{counted, reading, writing};
use super::structs::label;
use super::types::Context;
use crate::ir::{Tuple, TypeRef};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// A tuple and how it is read and written.
pub(super) fn tokens(context: &Context<'_>, index: usize, tuple: &Tuple) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let label = label(ty);
    let required = tuple.required;
    let types: Vec<TokenStream> = tuple.items.iter().map(|item| context.of(item, Some(index))).collect();
    let fields = types.iter().enumerate().map(|(place, ty)| {
        let docs = literals::docs(&[&format!("Item {}.", place + 1)]);
        if place < required {
            quote! { #docs pub #ty }
        } else {
            quote! { #docs pub Option<#ty> }
        }
    });
    let rest = tuple.rest.as_ref().map(|rest| context.of(&TypeRef::List(Box::new(rest.clone())), None));
    let more = rest.as_ref().map(|rest| quote! { #[doc = " The items after them."] pub #rest });
    let fields: Vec<TokenStream> = fields.chain(more).collect();

    let items: Vec<_> = (0..tuple.items.len()).map(|place| format_ident!("item_{place}")).collect();
    let reads = items.iter().zip(&types).enumerate().map(|(place, (item, ty))| {
        if place < required {
            quote! { let #item = items.required::<#ty>(#required)?; }
        } else {
            quote! { let #item = items.optional::<#ty>()?; }
        }
    });
    let end = match &rest {
        Some(_) => quote! { let rest = items.rest()?; },
        None => quote! { items.end()?; },
    };
    let mutable = (!items.is_empty()).then(|| quote! { mut });
    let built: Vec<TokenStream> =
        items.iter().map(|item| quote! { #item }).chain(rest.as_ref().map(|_| quote! { rest })).collect();
    let checks = checks(tuple);
    let (check, checked, check_first) = if checks.is_empty() {
        (TokenStream::new(), quote! { Ok(Self(#(#built),*)) }, TokenStream::new())
    } else {
        let check = quote! {
            impl #name {
                /// Checks what the items by themselves do not say; reading and writing do it too.
                ///
                /// # Errors
                ///
                /// When a rule is broken, in words.
                pub fn check(&self) -> Result<(), support::RuleError> {
                    #checks
                    Ok(())
                }
            }
        };
        let checked = quote! {
            let value = Self(#(#built),*);
            value.check().map_err(|error| support::refuse(&error))?;
            Ok(value)
        };
        (
            check,
            checked,
            quote! {
                if !support::is_unchecked() {
                    self.check().map_err(::serde::ser::Error::custom)?;
                }
            },
        )
    };
    let writes = writes(tuple);
    let empty = items.is_empty() && rest.is_none();
    let writer = if empty {
        quote! { serializer.serialize_seq(Some(0))?.end() }
    } else {
        quote! {
            let mut items = serializer.serialize_seq(None)?;
            #writes
            items.end()
        }
    };
    let read = reading(&name, &quote! { support::tuple(deserializer) });
    let write = writing(
        &name,
        &quote! {
            use ::serde::ser::SerializeSeq as _;
            #check_first
            #writer
        },
    );
    let conversion = conversion(&name, tuple, &types, rest.is_some());
    let fields = if empty {
        quote! { () }
    } else {
        quote! { (#(#fields),*) }
    };
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name #fields;
        #conversion
        #check
        impl<'de> support::Tuple<'de> for #name {
            const WHAT: &'static str = #label;
            fn items<__A: ::serde::de::SeqAccess<'de>>(#mutable items: support::Items<__A>) -> Result<Self, __A::Error> {
                #(#reads)*
                #end
                #checked
            }
        }
        #read
        #write
    }
}

/// From a tuple of Rust, where every item must be there.
fn conversion(
    name: &proc_macro2::Ident,
    tuple: &Tuple,
    types: &[TokenStream],
    has_rest: bool,
) -> Option<TokenStream> {
    let plain = !has_rest && tuple.required == types.len() && (2..=12).contains(&types.len());
    plain.then(|| {
        let places = (0..types.len()).map(Literal::usize_unsuffixed);
        quote! {
            impl From<(#(#types),*)> for #name {
                fn from(items: (#(#types),*)) -> Self {
                    Self(#(items.#places),*)
                }
            }
        }
    })
}

/// The rules that span items.
fn checks(tuple: &Tuple) -> TokenStream {
    let mut tests = TokenStream::new();
    let count = tuple.items.len();
    let field = |place: usize| {
        let place = Literal::usize_unsuffixed(place);
        quote! { self.#place }
    };
    // Each optional item, and what follows all, stands only where the one before it does.
    for place in tuple.required + 1..count {
        let (before, item) = (field(place - 1), field(place));
        let words = format!("item {} must not be there without item {place}", place + 1);
        tests.extend(quote! { support::ensure(#before.is_some() || #item.is_none(), #words)?; });
    }
    if tuple.rest.is_none() {
        return with_unique(tuple, tests);
    }
    let rest = field(count);
    if count > tuple.required {
        let last = field(count - 1);
        let words = format!("no more items must be there without item {count}");
        tests.extend(quote! { support::ensure(#last.is_some() || #rest.is_empty(), #words)?; });
    }
    // Where there is a rest, all places are filled.
    let in_places = count as u64;
    if let Some(min) = tuple.min_items {
        let words = format!("must have at least {}", counted(min, "item"));
        let min = min - in_places;
        tests.extend(quote! { support::ensure(#rest.len() as u64 >= #min, #words)?; });
    }
    if let Some(max) = tuple.max_items {
        let words = format!("must have at most {}", counted(max, "item"));
        let max = max - in_places;
        tests.extend(quote! { support::ensure(#rest.len() as u64 <= #max, #words)?; });
    }
    with_unique(tuple, tests)
}

fn with_unique(tuple: &Tuple, mut tests: TokenStream) -> TokenStream {
    if tuple.unique {
        let places =
            (0..tuple.items.len()).map(Literal::usize_unsuffixed).enumerate().map(|(place, field)| {
                if place < tuple.required {
                    quote! { items.push(support::to_value(&self.#field)); }
                } else {
                    quote! { items.extend(self.#field.as_ref().map(support::to_value)); }
                }
            });
        let rest = tuple.rest.as_ref().map(|_| {
            let field = Literal::usize_unsuffixed(tuple.items.len());
            quote! { items.extend(self.#field.iter().map(support::to_value)); }
        });
        tests.extend(quote! {
            let mut items = Vec::new();
            #(#places)*
            #rest
            let items: Vec<::serde_json::Value> = items
                .into_iter()
                .collect::<Result<_, _>>()
                .map_err(|error| support::RuleError::new(error.to_string()))?;
            support::ensure(support::all_different(&items), "must not have two equal items")?;
        });
    }
    tests
}

fn writes(tuple: &Tuple) -> TokenStream {
    let places = (0..tuple.items.len()).map(Literal::usize_unsuffixed).enumerate().map(|(place, field)| {
        if place < tuple.required {
            quote! { items.serialize_element(&self.#field)?; }
        } else {
            quote! {
                if let Some(item) = &self.#field {
                    items.serialize_element(item)?;
                }
            }
        }
    });
    let rest = tuple.rest.as_ref().map(|_| {
        let field = Literal::usize_unsuffixed(tuple.items.len());
        quote! {
            for item in &self.#field {
                items.serialize_element(item)?;
            }
        }
    });
    quote! { #(#places)* #rest }
}
