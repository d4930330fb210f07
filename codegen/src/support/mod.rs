//! What the generated types stand on: reading with places, numbers without rounding, checks.
//!
//! - [`from_slice`] and [`from_value`] read a document into any of the types. Unlike serde_json's own
//!   functions, which the types work with as well, they say in a [`DecodeError`] where it is wrong.
//! - [`RuleError`] is why a value cannot be made: what `try_from`, `parse`, `build` and `check` give.
//! - [`Integer`], [`Number`] and [`Decimal`] are JSON's numbers, and [`Uuid`] a UUID as it was written.
//! - [`Far`] is a value in a box of its own, where types lead to each other in very long ways.
//! - [`Read`] is what all of the types are, for code that takes any of them.
//!
//! Everything else in here is for the generated code alone, and may change with every version of it.

mod any;
mod decimal;
mod error;
mod exact;
mod far;
mod format;
mod idn;
mod kinds;
#[allow(unused_macros, reason = "no schema needs all of them")]
mod macros;
mod members;
mod number;
mod order;
mod punycode;
mod read;
mod replay;
mod text;
mod trail;
mod tries;
mod tuple;
mod uri_template;
mod value;

pub use decimal::Decimal;
pub use error::{DecodeError, RuleError, from_slice, from_value};
pub use far::Far;
pub use number::{Integer, Number};
pub use read::Read;
pub use text::Uuid;

#[doc(hidden)]
pub use error::{ensure, ensure_members, missing, not_both};
#[doc(hidden)]
pub use exact::exact_kinds;
#[doc(hidden)]
pub use far::{Distant, Held, Reader, read_far};
#[doc(hidden)]
pub use format::Format;
#[doc(hidden)]
pub use kinds::{ByKind, Kind, kinds};
#[doc(hidden)]
pub use members::{Member, Members, Object, constant, object, required, taken_for};
#[doc(hidden)]
pub use read::{Seed, refuse, text};
#[doc(hidden)]
pub use replay::{Choice, Content, Head, Replay};
#[doc(hidden)]
pub use text::{Pattern, Steps, check_text, must_match, shortened};
#[doc(hidden)]
pub use tries::{Tries, Variant, other_kind, taken_for_variant, two_fit};
#[doc(hidden)]
pub use tuple::{Items, Tuple, tuple};
#[doc(hidden)]
pub use value::{
    all_different, all_different_items, all_distinct, equal, is_integer, is_unchecked, kind_of, number,
    same_json, to_value, unchecked,
};

#[allow(unused_imports, reason = "no schema needs all of them")]
pub(crate) use macros::{
    deserialize, read_object, read_text, text_newtype, write_checked, write_inner, write_text,
};
