//! What the generated types stand on: reading with places, numbers without rounding, checks.

mod any;
mod decimal;
mod error;
mod exact;
mod format;
mod idn;
mod number;
mod punycode;
mod read;
mod replay;
mod text;
mod trail;
mod tuple;
mod uri_template;
mod value;

pub use decimal::Decimal;
pub use error::{DecodeError, RuleError, ensure, from_slice, from_value, missing, not_both};
pub use exact::exact_kinds;
pub use format::Format;
pub use number::{Integer, Number};
pub use read::{
    ByKind, Kind, Member, Members, Object, Read, Seed, constant, forget, kinds, mark, object, refuse,
    required, taken_for, text,
};
pub use replay::{Choice, Content, Head, Replay};
pub use text::{Pattern, Steps, Uuid, check_text, must_match, shortened};
pub use tuple::{Items, Tuple, tuple};
pub use value::{
    all_different, all_different_items, all_distinct, equal, is_integer, kind_of, number, same_json, to_value,
};
