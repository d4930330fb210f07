//! The support code, as it stands in this package: as files, and as one module.

use super::outer;
use crate::diagnostics::{Diagnostics, Place, Result};
use proc_macro2::TokenStream;
use quote::quote;

const ROOT: &str = include_str!("../../support/mod.rs");

/// All files but the root, by the names of their modules.
const PARTS: &[(&str, &str)] = &[
    ("any", include_str!("../../support/any.rs")),
    ("decimal", include_str!("../../support/decimal.rs")),
    ("error", include_str!("../../support/error.rs")),
    ("exact", include_str!("../../support/exact.rs")),
    ("far", include_str!("../../support/far.rs")),
    ("format", include_str!("../../support/format.rs")),
    ("idn", include_str!("../../support/idn.rs")),
    ("kinds", include_str!("../../support/kinds.rs")),
    ("macros", include_str!("../../support/macros.rs")),
    ("members", include_str!("../../support/members.rs")),
    ("number", include_str!("../../support/number.rs")),
    ("order", include_str!("../../support/order.rs")),
    ("punycode", include_str!("../../support/punycode.rs")),
    ("read", include_str!("../../support/read.rs")),
    ("replay", include_str!("../../support/replay.rs")),
    ("text", include_str!("../../support/text.rs")),
    ("trail", include_str!("../../support/trail.rs")),
    ("tries", include_str!("../../support/tries.rs")),
    ("tuple", include_str!("../../support/tuple.rs")),
    ("uri_template", include_str!("../../support/uri_template.rs")),
    ("value", include_str!("../../support/value.rs")),
];

/// What emitted code needs: the body of `[dependencies]`.
pub const DEPENDENCIES: &str = "\
fluent-uri = { version = \"0.4\", default-features = false, features = [\"std\"] }
regress = \"0.12\"
serde = \"1\"
serde_json = { version = \"1\", features = [\"float_roundtrip\", \"raw_value\"] }
";

/// The files, by name, with their texts.
pub(super) fn files() -> impl Iterator<Item = (String, &'static str)> {
    let root = std::iter::once(("mod", ROOT));
    root.chain(PARTS.iter().copied()).map(|(name, text)| (format!("{name}.rs"), text))
}

/// All of it as `pub mod support { … }`.
pub(super) fn module() -> Result<TokenStream> {
    let mut root = outer(parsed("mod", ROOT)?);
    for item in &mut root.items {
        let syn::Item::Mod(module) = item else { continue };
        let name = module.ident.to_string();
        let Some((name, text)) = PARTS.iter().find(|(part, _)| *part == name) else { continue };
        let part = outer(parsed(name, text)?);
        module.attrs.extend(part.attrs);
        module.semi = None;
        module.content = Some((syn::token::Brace::default(), part.items));
    }
    let (attributes, items) = (&root.attrs, &root.items);
    Ok(quote! {
        #(#attributes)*
        #[allow(dead_code, unused_imports, unreachable_pub, reason = "no schema needs all of it")]
        #[allow(clippy::pedantic, reason = "generated code has one form for all schemas")]
        pub mod support { #(#items)* }
    })
}

fn parsed(name: &str, text: &str) -> Result<syn::File> {
    syn::parse_file(text).map_err(|error| {
        let place = Place { file: format!("support/{name}.rs"), ..Place::default() };
        Diagnostics::one(place, error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::{PARTS, ROOT, parsed};
    use quote::ToTokens as _;

    #[test]
    fn what_users_need_is_shown_and_nothing_else() {
        let root = parsed("mod", ROOT).expect("it is Rust");
        let hidden = |attributes: &[syn::Attribute]| {
            attributes.iter().any(|attribute| attribute.to_token_stream().to_string().contains("hidden"))
        };
        let shown: Vec<String> = root
            .items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Use(item)
                    if matches!(item.vis, syn::Visibility::Public(_)) && !hidden(&item.attrs) =>
                {
                    Some(item.tree.to_token_stream().to_string())
                }
                _ => None,
            })
            .collect();
        let expected = [
            "decimal :: Decimal",
            "error :: { DecodeError , RuleError , from_slice , from_value }",
            "far :: Far",
            "number :: { Integer , Number }",
            "read :: Read",
            "text :: Uuid",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_file_is_a_module() {
        let root = parsed("mod", ROOT).expect("it is Rust");
        let modules = root.items.iter().filter_map(|item| match item {
            syn::Item::Mod(module) => Some(module.ident.to_string()),
            _ => None,
        });
        assert_eq!(
            modules.collect::<Vec<_>>(),
            PARTS.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>()
        );
    }
}
