//! Every kind of type that an argument and a result can have, each in a tool that gives back what it takes.

use super::World;
use ludwire::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::{NonZeroI8, NonZeroI64, NonZeroU64};

macro_rules! echo {
    ($($name:ident $tool:literal $type:ty;)*) => {$(
        /// Gives back what it takes.
        #[tool($tool)]
        fn $name(_: &World, value: $type) -> $type {
            value
        }
    )*};
}

echo! {
    t_i8 "scalar/i8" i8;
    t_i16 "scalar/i16" i16;
    t_i32 "scalar/i32" i32;
    t_i64 "scalar/i64" i64;
    t_i128 "scalar/i128" i128;
    t_isize "scalar/isize" isize;
    t_u8 "scalar/u8" u8;
    t_u16 "scalar/u16" u16;
    t_u32 "scalar/u32" u32;
    t_u64 "scalar/u64" u64;
    t_u128 "scalar/u128" u128;
    t_usize "scalar/usize" usize;
    t_f32 "scalar/f32" f32;
    t_f64 "scalar/f64" f64;
    t_bool "scalar/bool" bool;
    t_char "scalar/char" char;
    t_string "scalar/string" String;
    t_value "scalar/value" Value;
    t_unit "scalar/unit" ();
    t_nonzero "scalar/nonzero" (NonZeroI8, NonZeroI64, NonZeroU64);
    t_option "option/string" Option<String>;
    t_option_large "option/large" Option<u64>;
    t_option_enum "option/enum" Option<Unit>;
    t_option_documented "option/documented" Option<Documented>;
    t_option_union "option/union" Option<Internal>;
    t_option_struct "option/struct" Option<Inner>;
    t_option_value "option/value" Option<Value>;
    t_vec "list/vec" Vec<Option<i64>>;
    t_array "list/array" [u16; 3];
    t_empty "list/empty" [u16; 0];
    t_tuple "list/tuple" (f32, String, Option<u64>);
    t_set "list/set" BTreeSet<i32>;
    t_large_set "list/large_set" BTreeSet<u64>;
    t_text_map "map/text" BTreeMap<String, Option<u64>>;
    t_value_map "map/value" HashMap<String, Value>;
    t_i64_map "map/i64" BTreeMap<i64, u8>;
    t_u8_map "map/u8" HashMap<u8, Inner>;
    t_usize_map "map/usize" BTreeMap<usize, u64>;
    t_u128_map "map/u128" BTreeMap<u128, bool>;
    t_enum_map "map/enum" BTreeMap<Unit, u8>;
    t_nested_map "map/nested" Vec<BTreeMap<String, BTreeMap<i8, u8>>>;
    t_unit_enum "enum/unit" Unit;
    t_documented "enum/documented" Documented;
    t_external "enum/external" External;
    t_internal "enum/internal" Internal;
    t_adjacent "enum/adjacent" Adjacent;
    t_untagged "enum/untagged" Untagged;
    t_strict_enum "enum/strict" StrictEnum;
    t_struct "struct/named" Inner;
    t_nested "struct/nested" Outer;
    t_unit_struct "struct/unit" Nothing;
    t_pair "struct/pair" Pair;
    t_newtype "struct/newtype" Newtype;
    t_transparent "struct/transparent" Transparent;
    t_renamed "struct/renamed" Renamed;
    t_defaults "struct/defaults" Defaults;
    t_all_default "struct/all_default" AllDefault;
    t_skips "struct/skips" Skips;
    t_strict "struct/strict" Strict;
    t_flat "flat/struct" Flat;
    t_flat_map "flat/map" FlatMap;
    t_flat_enum "flat/enum" FlatEnum;
    t_flat_two "flat/two" FlatTwo;
    t_flat_option "flat/option" FlatOption;
    t_tree "recursive/tree" Tree;
    t_list "recursive/list" Link;
    t_expression "recursive/expression" Expression;
    t_both "flat/both" FlatBoth;
    t_range "std/range" std::ops::Range<u32>;
    t_results "std/results" Vec<Result<u64, String>>;
    t_flat_strict "flat/strict" FlatStrict;
    t_bound "std/bound" std::ops::Bound<i64>;
    t_cow "std/cow" std::borrow::Cow<'static, str>;
    t_boxed "std/boxed" Box<[Option<Unit>]>;
    t_number "std/number" serde_json::Number;
    t_object "std/object" serde_json::Map<String, Value>;
    t_twice "option/twice" Option<Option<u64>>;
    t_union_list "list/union" Vec<Option<Internal>>;
    t_ruled "rules/own" Ruled;
    t_text_id "rules/text_id" TextId;
    t_from "rules/from" Converted;
    t_other "enum/other" WithOther;
    t_fallback "enum/fallback" Fallback;
    t_uuid "text/uuid" Uuid;
    t_names "names/odd" Odd;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    FirstOne,
    Second,
    #[serde(rename = "3")]
    Third,
}

/// With words on each.
#[derive(Deserialize, Serialize, JsonSchema)]
enum Documented {
    /// Up.
    Up,
    /// Down.
    Down,
}

#[derive(Deserialize, Serialize, JsonSchema)]
enum External {
    Wall,
    /// Documented.
    Door,
    Number(u64),
    Perhaps(Option<i64>),
    Pair(u8, f32),
    Named {
        x: i32,
        #[serde(default)]
        y: Option<u128>,
    },
    Inner(Inner),
    Nothing(()),
    Many(Vec<External>),
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    NoFields,
    Named { large: i64, perhaps: Option<u8> },
    Inner(Inner),
    Map(BTreeMap<String, u64>),
    Other(Adjacent),
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    One(u64),
    Perhaps(Option<u8>),
    Two(u64, String),
    Named { a: u64, b: Option<bool> },
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Small(u8),
    Large(i64),
    Ratio(f64),
    Word(Unit),
    Pair(u8, u8),
    Inner(Inner),
    Named { name: String },
    Nothing,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", deny_unknown_fields)]
enum StrictEnum {
    A,
    B { b: u64 },
}

#[derive(Default, Deserialize, Serialize, JsonSchema)]
struct Inner {
    id: u64,
    at: (i32, i32),
    note: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Outer {
    one: Inner,
    many: Vec<Inner>,
    perhaps: Option<Box<Inner>>,
    by_name: BTreeMap<String, Inner>,
    shape: Option<External>,
    any: Value,
    perhaps_any: Option<Value>,
    nothing: (),
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Nothing;

#[derive(Deserialize, Serialize, JsonSchema)]
struct Pair(u64, Option<Unit>);

#[derive(Deserialize, Serialize, JsonSchema)]
struct Newtype(i128);

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Vec<u64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    first_name: String,
    #[serde(rename = "a/b~c")]
    second: u64,
    #[serde(alias = "old")]
    current: bool,
    #[serde(rename(serialize = "out", deserialize = "in"))]
    both_ways: u8,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Defaults {
    #[serde(default)]
    count: u16,
    #[serde(default = "seven")]
    seven: u64,
    #[serde(default)]
    any: Value,
    #[serde(default)]
    inner: Inner,
    #[serde(default)]
    perhaps: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<u64>,
}

fn seven() -> u64 {
    7
}

#[derive(Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
struct AllDefault {
    a: u64,
    b: Option<String>,
    c: BTreeMap<String, u8>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[expect(dead_code, reason = "what is skipped is not read")]
struct Skips {
    #[serde(skip)]
    never: u8,
    #[serde(skip_serializing)]
    secret: Option<u8>,
    #[serde(skip_deserializing)]
    made: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    perhaps: Option<u64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
    b: Option<u64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Flat {
    own: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct FlatMap {
    own: u64,
    #[serde(flatten)]
    rest: BTreeMap<String, u64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct FlatEnum {
    /// Its own.
    own: u64,
    #[serde(flatten)]
    kind: Internal,
}

#[derive(Deserialize, Serialize, JsonSchema)]
enum Where {
    Here { x: u8 },
    There(String),
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct FlatTwo {
    #[serde(flatten)]
    place: Where,
    #[serde(flatten)]
    kind: Adjacent,
    own: Option<u8>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct FlatOption {
    own: u8,
    #[serde(flatten)]
    inner: Option<Strictless>,
    #[serde(flatten)]
    place: Option<Where>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Strictless {
    a: u64,
    b: bool,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Tree {
    id: u64,
    #[serde(default)]
    children: Vec<Tree>,
    by_name: Option<BTreeMap<String, Tree>>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Link {
    value: i64,
    next: Option<Box<Link>>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Expression {
    Number(i64),
    Text(String),
    List(Vec<Expression>),
    Pair { left: Box<Expression>, right: Box<Expression> },
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct FlatBoth {
    own: u64,
    #[serde(flatten)]
    place: Where,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FlatStrict {
    own: u64,
    #[serde(flatten)]
    inner: Strict,
}

/// Rules that stand in attributes.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Ruled {
    #[schemars(range(min = 1, max = 300))]
    large: u64,
    #[schemars(range(min = -5))]
    signed: i64,
    #[schemars(range(min = 3, max = 1000))]
    small: u8,
    #[schemars(length(min = 1, max = 3))]
    text: String,
    #[schemars(regex(pattern = r"^-?[0-9]+$"))]
    digits: String,
    #[schemars(length(max = 2))]
    list: Vec<u64>,
}

/// Text that is meant as text, whatever it looks like.
#[derive(Deserialize, Serialize, JsonSchema)]
struct TextId {
    #[serde(with = "text_id")]
    #[schemars(with = "String", regex(pattern = r"^[0-9]{1,18}$"))]
    id: u64,
    name: String,
}

mod text_id {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(id: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(from = "(u64, u8)", into = "(u64, u8)")]
struct Converted {
    both: (u64, u8),
}

impl From<(u64, u8)> for Converted {
    fn from(both: (u64, u8)) -> Self {
        Self { both }
    }
}

impl From<Converted> for (u64, u8) {
    fn from(converted: Converted) -> Self {
        converted.both
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type")]
enum WithOther {
    Known {
        n: u64,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize, Serialize, JsonSchema)]
enum Fallback {
    Known(u64),
    Word,
    #[serde(untagged)]
    Else(Inner),
}

/// What the crate `uuid` says of its type.
struct Uuid(u128);

impl JsonSchema for Uuid {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Uuid".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "uuid" })
    }
}

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?.replace('-', "");
        u128::from_str_radix(&digits, 16).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Uuid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hex = format!("{:032x}", self.0);
        let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
        serializer.serialize_str(&parts.join("-"))
    }
}

/// Names that are words of JSON Schema.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Odd {
    r#type: u64,
    title: Option<String>,
    format: Option<Unit>,
    description: String,
    #[serde(rename = "$ref")]
    reference: Option<u64>,
    properties: BTreeMap<String, u64>,
    required: Vec<String>,
    #[serde(rename = "oneOf", default)]
    one_of: u64,
    default: Option<u8>,
}
