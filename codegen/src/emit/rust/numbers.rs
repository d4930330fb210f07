//! Checked newtypes of numbers.

use super::checks;
use super::literals;
use super::scalars::{reading, writing};
use crate::ir::{Bound, NumberRules, TypeDef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// How a number is held.
enum Held {
    /// A native integer type that has the whole range.
    Native(&'static str),
    Integer,
    Number,
}

fn held(rules: &NumberRules) -> Held {
    if !rules.integer {
        return Held::Number;
    }
    let whole = |bound: &Option<Bound>, inward: i128| -> Option<i128> {
        let bound = bound.as_ref()?;
        let value: i128 = bound.value.parse().ok()?;
        Some(if bound.exclusive { value + inward } else { value })
    };
    let (Some(min), Some(max)) = (whole(&rules.minimum, 1), whole(&rules.maximum, -1)) else {
        return Held::Integer;
    };
    let types: [(&str, i128, i128); 8] = [
        ("u8", 0, u8::MAX.into()),
        ("u16", 0, u16::MAX.into()),
        ("u32", 0, u32::MAX.into()),
        ("u64", 0, u64::MAX.into()),
        ("i8", i8::MIN.into(), i8::MAX.into()),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN.into(), i64::MAX.into()),
    ];
    types
        .into_iter()
        .find(|(_, low, high)| *low <= min && max <= *high)
        .map_or(Held::Integer, |(name, ..)| Held::Native(name))
}

/// A number under rules.
pub(super) fn number(ty: &TypeDef, rules: &NumberRules) -> TokenStream {
    if rules.are_wide() {
        return wide_number(ty, rules);
    }
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let test = checks::number_test(rules, &quote! { number });
    let strict = rules.strict_integer.then(|| {
        quote! {
            if !number.is_written_as_integer() {
                return Err(support::RuleError::new("must be written without a fraction"));
            }
        }
    });
    let integer = rules.integer.then(|| quote! { support::Integer::try_from(number)?; });
    let (inner, store, get) = match held(rules) {
        Held::Native(native) => {
            let native = format_ident!("{native}");
            let wide = if native.to_string().starts_with('u') {
                format_ident!("as_u64")
            } else {
                format_ident!("as_i64")
            };
            let store = quote! {
                number.#wide().and_then(|value| #native::try_from(value).ok()).map(Self).ok_or_else(|| {
                    support::RuleError::new(::std::format!("must be a smaller integer, found {number}"))
                })
            };
            (quote! { #native }, store, quote! { self.0 })
        }
        Held::Integer => (
            quote! { support::Integer },
            quote! { support::Integer::try_from(number).map(Self) },
            quote! { self.0 },
        ),
        Held::Number => (quote! { support::Number }, quote! { Ok(Self(number)) }, quote! { self.0 }),
    };
    let natives = match held(rules) {
        Held::Native(native) => {
            let native = format_ident!("{native}");
            let wide =
                if native.to_string().starts_with('u') { format_ident!("u64") } else { format_ident!("i64") };
            quote! {
                impl TryFrom<#native> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: #native) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Number::from(#wide::from(value)))
                    }
                }
                impl From<#name> for #native {
                    fn from(value: #name) -> Self {
                        value.0
                    }
                }
            }
        }
        Held::Integer => {
            let unsigned = rules.maximum.is_none()
                && rules.multiple_of.is_empty()
                && rules.minimum.as_ref().is_none_or(|bound| {
                    bound
                        .value
                        .parse::<i128>()
                        .is_ok_and(|least| least < 0 || (least == 0 && !bound.exclusive))
                });
            let from_unsigned = if unsigned {
                quote! {
                    /// No unsigned integer is too small.
                    impl From<u64> for #name {
                        fn from(value: u64) -> Self {
                            Self(support::Integer::from(value))
                        }
                    }
                }
            } else {
                quote! {
                    impl TryFrom<u64> for #name {
                        type Error = support::RuleError;
                        fn try_from(value: u64) -> Result<Self, support::RuleError> {
                            Self::try_from(support::Number::from(value))
                        }
                    }
                }
            };
            quote! {
                #from_unsigned
                impl TryFrom<i64> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: i64) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Number::from(value))
                    }
                }
                impl #name {
                    /// The integer as `u64`, when it fits.
                    pub fn as_u64(self) -> Option<u64> {
                        self.0.as_u64()
                    }
                    /// The integer as `i64`, when it fits.
                    pub fn as_i64(self) -> Option<i64> {
                        self.0.as_i64()
                    }
                }
            }
        }
        Held::Number => quote! {
            impl TryFrom<f64> for #name {
                type Error = support::RuleError;
                fn try_from(value: f64) -> Result<Self, support::RuleError> {
                    Self::try_from(support::Number::try_from(value)?)
                }
            }
            impl #name {
                /// The number as a double, rounded to the nearest one.
                pub fn as_f64(self) -> f64 {
                    self.0.as_f64()
                }
            }
        },
    };
    let read = reading(
        &name,
        &quote! {
            let number = support::Number::read(deserializer)?;
            Self::try_from(number).map_err(|error| support::refuse(&error))
        },
    );
    let write = writing(&name, &quote! { ::serde::Serialize::serialize(&self.0, serializer) });
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct #name(#inner);
        impl #name {
            /// The value.
            pub fn get(self) -> #inner {
                #get
            }
        }
        impl TryFrom<support::Number> for #name {
            type Error = support::RuleError;
            fn try_from(number: support::Number) -> Result<Self, support::RuleError> {
                #strict
                #integer
                #test?;
                #store
            }
        }
        #natives
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        #read
        #write
    }
}

/// A number whose rules ask for more than 64 bits.
fn wide_number(ty: &TypeDef, rules: &NumberRules) -> TokenStream {
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let (min, max) = (checks::bound(&rules.minimum), checks::bound(&rules.maximum));
    let divisors = &rules.multiple_of;
    let integer = rules.integer.then(|| {
        quote! { support::ensure(number.is_integer(), "must be an integer")?; }
    });
    let reader = if rules.strict_integer {
        quote! { support::Decimal::read_written_as_integer }
    } else {
        quote! { <support::Decimal as support::Read>::read }
    };
    let read = reading(
        &name,
        &quote! {
            let number = #reader(deserializer)?;
            Self::try_from(number).map_err(|error| support::refuse(&error))
        },
    );
    let write = writing(&name, &quote! { ::serde::Serialize::serialize(&self.0, serializer) });
    let (inner, copy, store, own) = match held(rules) {
        Held::Native(native) => {
            let signed = native.starts_with('i');
            let wide = format_ident!("as_{}64", if signed { "i" } else { "u" });
            let wider = format_ident!("{}64", if signed { "i" } else { "u" });
            let native = format_ident!("{native}");
            let store = quote! {
                number.#wide().and_then(|value| #native::try_from(value).ok()).map(Self).ok_or_else(|| {
                    support::RuleError::new(::std::format!("must be a smaller integer, found {number}"))
                })
            };
            let own = quote! {
                impl #name {
                    /// The value.
                    pub fn get(self) -> #native {
                        self.0
                    }
                }
                impl TryFrom<#native> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: #native) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Decimal::from(#wider::from(value)))
                    }
                }
                impl From<#name> for #native {
                    fn from(value: #name) -> Self {
                        value.0
                    }
                }
            };
            (quote! { #native }, Some(quote! { Copy, }), store, own)
        }
        Held::Integer | Held::Number => {
            let own = quote! {
                impl #name {
                    /// The value, with all its digits.
                    pub fn get(&self) -> &support::Decimal {
                        &self.0
                    }
                    /// The number as `u64`, when it is one.
                    pub fn as_u64(&self) -> Option<u64> {
                        self.0.as_u64()
                    }
                    /// The number as `i64`, when it is one.
                    pub fn as_i64(&self) -> Option<i64> {
                        self.0.as_i64()
                    }
                    /// The number as a double, rounded to the nearest one.
                    pub fn as_f64(&self) -> f64 {
                        self.0.as_f64()
                    }
                }
                impl TryFrom<u64> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: u64) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Decimal::from(value))
                    }
                }
                impl TryFrom<i64> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: i64) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Decimal::from(value))
                    }
                }
                impl TryFrom<f64> for #name {
                    type Error = support::RuleError;
                    fn try_from(value: f64) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Decimal::try_from(value)?)
                    }
                }
                impl ::std::str::FromStr for #name {
                    type Err = support::RuleError;
                    fn from_str(text: &str) -> Result<Self, support::RuleError> {
                        Self::try_from(text.parse::<support::Decimal>()?)
                    }
                }
            };
            (quote! { support::Decimal }, None, quote! { Ok(Self(number)) }, own)
        }
    };
    quote! {
        #docs
        #[derive(Clone, #copy Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct #name(#inner);
        impl TryFrom<support::Decimal> for #name {
            type Error = support::RuleError;
            fn try_from(number: support::Decimal) -> Result<Self, support::RuleError> {
                #integer
                number.check(#min, #max, &[#(#divisors),*])?;
                #store
            }
        }
        #own
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        #read
        #write
    }
}
