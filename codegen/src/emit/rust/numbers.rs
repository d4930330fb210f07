//! Checked newtypes of numbers.

use super::checks;
use super::literals;
use super::scalars::reading;
use crate::ir::{Bound, NumberRules, Protocol, Shape, TypeDef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// How a number is held.
enum Held {
    /// A native integer type that has the whole range.
    Native(&'static str),
    Integer,
    Number,
}

/// The integers of Rust with their ranges; those of 128 bits hold all that rules can say.
const INTEGERS: [(&str, i128, i128); 12] = [
    ("u8", 0, u8::MAX as i128),
    ("u16", 0, u16::MAX as i128),
    ("u32", 0, u32::MAX as i128),
    ("u64", 0, u64::MAX as i128),
    ("i8", i8::MIN as i128, i8::MAX as i128),
    ("i16", i16::MIN as i128, i16::MAX as i128),
    ("i32", i32::MIN as i128, i32::MAX as i128),
    ("i64", i64::MIN as i128, i64::MAX as i128),
    ("usize", 0, u16::MAX as i128),
    ("isize", i16::MIN as i128, i16::MAX as i128),
    ("u128", 0, i128::MAX),
    ("i128", i128::MIN, i128::MAX),
];

/// The least and the greatest integer that rules allow, where there is one that can be told.
fn range(rules: &NumberRules) -> (Option<i128>, Option<i128>) {
    let whole = |bound: &Option<Bound>, inward: i128| -> Option<i128> {
        let bound = bound.as_ref()?;
        let value: i128 = bound.value.parse().ok()?;
        if bound.exclusive { value.checked_add(inward) } else { Some(value) }
    };
    (whole(&rules.minimum, 1), whole(&rules.maximum, -1))
}

fn held(rules: &NumberRules) -> Held {
    if !rules.integer {
        return Held::Number;
    }
    let (Some(min), Some(max)) = range(rules) else { return Held::Integer };
    let native = INTEGERS[..8].iter().find(|(_, low, high)| *low <= min && max <= *high);
    native.map_or(Held::Integer, |(name, ..)| Held::Native(name))
}

/// From and to the integers of Rust. Only one of them, the natural one, may become the type without a
/// check: so a literal is seen to be one of it.
fn integers(name: &proc_macro2::Ident, rules: &NumberRules) -> TokenStream {
    let wide = rules.are_wide();
    let (held, (min, max)) = (held(rules), range(rules));
    let unchecked = match &held {
        _ if wide => None,
        Held::Native(native) => INTEGERS
            .iter()
            .find(|(name, low, high)| name == native && (Some(*low), Some(*high)) == (min, max)),
        Held::Integer
            if rules.maximum.is_none() && (rules.minimum.is_none() || min.is_some_and(|min| min <= 0)) =>
        {
            INTEGERS.iter().find(|(name, ..)| *name == "u64")
        }
        _ => None,
    };
    let unchecked = unchecked.map(|(name, ..)| *name);
    let ident = |name: &str| format_ident!("{name}");
    let checked = INTEGERS.iter().map(|(name, ..)| *name).filter(|name| Some(*name) != unchecked).map(ident);
    let from = unchecked.map(|ty| {
        let ident = ident(ty);
        let (docs, value) = match &held {
            Held::Integer => (" No unsigned integer is too small.", quote! { support::Integer::from(value) }),
            _ => (" Every value is allowed.", quote! { value }),
        };
        quote! {
            #[doc = #docs]
            impl From<#ident> for #name {
                fn from(value: #ident) -> Self {
                    Self(#value)
                }
            }
        }
    });
    let into = match (&held, min, max) {
        (Held::Native(_), Some(min), Some(max)) => {
            let holds = INTEGERS.iter().filter(|(_, low, high)| *low <= min && max <= *high);
            let into = holds.map(|(name, ..)| ident(name));
            Some(quote! { integers! { #name into #(#into)* } })
        }
        _ => None,
    };
    let by = if wide {
        quote! { decimal }
    } else {
        quote! { integer }
    };
    quote! {
        #from
        integers! { #name by #by from #(#checked)* }
        #into
    }
}

/// The macro that the conversions of integers are written with, where there are any.
pub(super) fn conversions(protocol: &Protocol) -> Option<TokenStream> {
    let mut rules = protocol.types.iter().filter_map(|ty| match &ty.shape {
        Shape::Number(rules) if rules.integer => Some(rules),
        _ => None,
    });
    rules.next()?;
    Some(quote! {
        macro_rules! integers {
            ($name:ident by integer from $($type:ident)*) => {$(
                impl TryFrom<$type> for $name {
                    type Error = support::RuleError;
                    fn try_from(value: $type) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Integer::try_from(value)?.number())
                    }
                }
            )*};
            ($name:ident by decimal from $($type:ident)*) => {$(
                impl TryFrom<$type> for $name {
                    type Error = support::RuleError;
                    fn try_from(value: $type) -> Result<Self, support::RuleError> {
                        Self::try_from(support::Decimal::from(value))
                    }
                }
            )*};
            ($name:ident into $($type:ident)*) => {$(
                impl From<$name> for $type {
                    fn from(value: $name) -> Self {
                        value.0 as $type
                    }
                }
            )*};
        }
    })
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
    let conversions = rules.integer.then(|| integers(&name, rules));
    let natives = match held(rules) {
        Held::Native(_) => TokenStream::new(),
        Held::Integer => quote! {
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
        },
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
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
        #conversions
        #natives
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        #read
        support::write_inner!(#name);
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
    let conversions = rules.integer.then(|| integers(&name, rules));
    let (inner, copy, store, own) = match held(rules) {
        Held::Native(native) => {
            let wide = format_ident!("as_{}64", if native.starts_with('i') { "i" } else { "u" });
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
            };
            (quote! { #native }, Some(quote! { Copy, }), store, own)
        }
        Held::Integer | Held::Number => {
            // An integer has them among its conversions.
            let fractional = (!rules.integer).then(|| {
                quote! {
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
                }
            });
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
                #fractional
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
        #conversions
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        #read
        support::write_inner!(#name);
    }
}
