//! What the types are.

use super::{Amendment, Check, Clause};
use crate::diagnostics::Place;
use crate::graph::JsonType;
use crate::json::Node;
use crate::support::Decimal;

/// Index into [`Protocol::types`](super::Protocol::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub usize);

/// A named type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its Rust name.
    pub name: String,
    /// `title` of the schema.
    pub title: Option<String>,
    /// `description` of the schema.
    pub description: Option<String>,
    /// Where the schema stands.
    pub place: Place,
    /// What it is.
    pub shape: Shape,
    /// Holds itself, so a reference from inside is boxed.
    pub recursive: bool,
    /// The compiler may not look from the types that hold it into it: it would not come to an end.
    pub far: bool,
    /// Set for a type that is only read.
    pub reading: Option<Reading>,
}

/// What a type that is only read is for.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The Rust name of the type that is written in its place, if there is one.
    pub of: Option<String>,
    /// Why it takes more than that: the amendments that count in it, in order.
    pub amendments: Vec<Amendment>,
}

/// What a named type is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An object with known members.
    Struct(Struct),
    /// One of a closed list of constants.
    Enum(Enum),
    /// One of a list of strings, or any other string.
    OpenEnum(Enum),
    /// One of several types.
    Union(Union),
    /// A string under rules.
    Text(TextRules),
    /// An integer, or a number where `integer` is false, under rules.
    Number(NumberRules),
    /// An array under rules.
    List(List),
    /// An array with a type for each of its first items.
    Tuple(Tuple),
    /// An object whose members all have one type.
    Map(Map),
    /// Another name for a type.
    Alias(TypeRef),
    /// A type, of whose values not all are allowed.
    Sealed(Sealed),
    /// Any JSON value that passes a check.
    Value(Check),
}

impl Shape {
    /// The named types that its values hold, in order, as indices into [`Protocol::types`](super::Protocol::types).
    pub fn uses(&self) -> Vec<usize> {
        self.held().into_iter().filter_map(TypeRef::named).map(|id| id.0).collect()
    }

    /// What its values hold.
    pub fn held(&self) -> Vec<&TypeRef> {
        match self {
            Self::Struct(object) => {
                let rest = match &object.rest {
                    Rest::Typed(ty) => Some(ty),
                    _ => None,
                };
                object.fields.iter().map(|field| &field.ty).chain(rest).collect()
            }
            Self::Union(union) => union.variants.iter().map(|variant| &variant.ty).collect(),
            Self::List(list) => vec![&list.items],
            Self::Tuple(tuple) => tuple.items.iter().chain(&tuple.rest).collect(),
            Self::Map(map) => vec![&map.values],
            Self::Alias(ty) => vec![ty],
            Self::Sealed(sealed) => vec![&sealed.inner],
            Self::Enum(_) | Self::OpenEnum(_) | Self::Text(_) | Self::Number(_) | Self::Value(_) => {
                Vec::new()
            }
        }
    }

    /// The checks that its values must pass as JSON.
    pub fn checks(&self) -> Vec<&Check> {
        match self {
            Self::Value(check) | Self::Sealed(Sealed { check, .. }) => vec![check],
            Self::Struct(object) => {
                let rest = match &object.rest {
                    Rest::Checked(check) => Some(check),
                    _ => None,
                };
                object.rules.iter().map(|rule| &rule.check).chain(rest).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A use of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeRef {
    /// Any JSON value.
    Any,
    /// Only `null`.
    Null,
    /// A boolean.
    Bool,
    /// Any string.
    Text,
    /// Any number.
    Number,
    /// Any integer.
    Integer,
    /// A UUID in text form.
    Uuid,
    /// Any object.
    Object,
    /// An array of one type, without further rules.
    List(Box<TypeRef>),
    /// An object with any member names and values of one type, without further rules.
    Map(Box<TypeRef>),
    /// The type or `null`.
    Nullable(Box<TypeRef>),
    /// A type of [`Protocol::types`](super::Protocol::types).
    Named(TypeId),
    /// No value at all (`false`); only as the type of a member that must be absent.
    Never,
}

impl TypeRef {
    /// The named type in it, through lists, maps and `null`.
    pub fn named(&self) -> Option<TypeId> {
        match self {
            Self::Named(id) => Some(*id),
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) => inner.named(),
            _ => None,
        }
    }
}

/// An object with known members.
#[derive(Clone, Debug, Default)]
pub struct Struct {
    /// Its members, in order.
    pub fields: Vec<Field>,
    /// What other members it may have.
    pub rest: Rest,
    /// Fewest members in all.
    pub min_members: Option<u64>,
    /// Most members in all.
    pub max_members: Option<u64>,
    /// Rules that span members.
    pub rules: Vec<Rule>,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in JSON.
    pub wire: String,
    /// Its Rust name.
    pub rust: String,
    /// `title` of its schema.
    pub title: Option<String>,
    /// `description` of its schema.
    pub description: Option<String>,
    /// Its type; for a constant the type of the constant.
    pub ty: TypeRef,
    /// Whether it may be absent, and what absence means.
    pub presence: Presence,
    /// The one value it may have; a required constant is not stored.
    pub constant: Option<Node>,
    /// `deprecated`
    pub deprecated: bool,
}

/// Whether a member may be absent.
#[derive(Clone, Debug)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be absent.
    Optional,
    /// Absent means this value.
    Default(Node),
}

/// The members of an object that are not named.
#[derive(Clone, Debug, Default)]
pub enum Rest {
    /// There are none.
    #[default]
    Closed,
    /// Any, kept as they are.
    Open,
    /// Any name, one type.
    Typed(TypeRef),
    /// Those that pass a check, kept as JSON values. The check sees an object of these members only.
    Checked(Check),
}

/// A rule over several members.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The check that the whole object must pass. It binds other members than the type of each
    /// member already does.
    pub check: Check,
    /// What it asks, for pages.
    pub clause: Clause,
    /// The same in words, for errors: "exactly one of `result` and `error`".
    pub words: String,
    /// Where it stands.
    pub place: Place,
}

/// A list of constants.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its variants, in order.
    pub variants: Vec<Constant>,
}

/// A named constant: an enum variant, or a fact such as a version.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its Rust name.
    pub rust: String,
    /// Its value in JSON.
    pub value: Node,
    /// What it means.
    pub description: Option<String>,
}

/// One of several types.
#[derive(Clone, Debug)]
pub struct Union {
    /// Its variants, in order.
    pub variants: Vec<Variant>,
    /// How a reader tells them apart.
    pub routing: Routing,
}

/// A variant of a union.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its Rust name.
    pub rust: String,
    /// What it means.
    pub description: Option<String>,
    /// What it holds.
    pub ty: TypeRef,
    /// The JSON types its values have.
    pub kinds: Vec<JsonType>,
    /// The constants by which it is known, for [`Routing::Tag`].
    pub tags: Vec<Node>,
}

/// How a reader tells the variants of a union apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Routing {
    /// By the value of this member of an object.
    Tag(String),
    /// By the JSON type: no two variants share one.
    Kind,
    /// By trying: exactly one variant must accept (`oneOf`).
    ExactlyOne,
    /// By trying: the first variant that accepts (`anyOf`).
    First,
}

/// Rules of a string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRules {
    /// Shortest length in code points.
    pub min_length: Option<u64>,
    /// Greatest length in code points.
    pub max_length: Option<u64>,
    /// ECMA-262 patterns, all of which must match somewhere.
    pub patterns: Vec<String>,
    /// A format of JSON Schema that is asserted: `uuid`, `date-time`, `uri`…
    pub formats: Vec<String>,
}

/// Rules of a number. Bounds are JSON number texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberRules {
    /// Only integers (1.0 is one).
    pub integer: bool,
    /// Draft-04: 1.0 is not an integer.
    pub strict_integer: bool,
    /// Least value.
    pub minimum: Option<Bound>,
    /// Greatest value.
    pub maximum: Option<Bound>,
    /// All of which must divide it.
    pub multiple_of: Vec<String>,
}

impl NumberRules {
    /// Whether the rules tell numbers apart that are one in 64 bits.
    pub fn are_wide(&self) -> bool {
        let bounds = self.minimum.iter().chain(&self.maximum);
        !self.multiple_of.is_empty() || bounds.into_iter().any(|bound| is_wide(&bound.value))
    }
}

/// Whether a number is next to others that are the same as it in 64 bits.
pub fn is_wide(number: &str) -> bool {
    if number.parse::<u64>().is_ok() {
        return false;
    }
    // Below the least integer of 64 bits there are doubles only, the nearest of which is that integer.
    match (number.parse::<i64>(), number.parse::<f64>()) {
        (Ok(value), _) => value == i64::MIN,
        (_, Ok(value)) => {
            let small = value.abs() < 9_223_372_036_854_775_808.0;
            !(small && Decimal::parse(number) == Decimal::parse(&value.to_string()))
        }
        _ => true,
    }
}

/// A bound of a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The number, as text.
    pub value: String,
    /// The bound itself is outside.
    pub exclusive: bool,
}

/// An array under rules.
#[derive(Clone, Debug)]
pub struct List {
    /// Its items.
    pub items: TypeRef,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
    /// No two items are the same JSON value.
    pub unique: bool,
}

/// An array with a type for each of its first items.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The first items, in order.
    pub items: Vec<TypeRef>,
    /// How many of them must be there.
    pub required: usize,
    /// The items after them; `None` where there are none.
    pub rest: Option<TypeRef>,
    /// Fewest items, where that is more than are required by their places.
    pub min_items: Option<u64>,
    /// Most items, where more could stand in `rest`.
    pub max_items: Option<u64>,
    /// No two items are the same JSON value.
    pub unique: bool,
}

/// A type, of whose values not all are allowed.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The type without the rules.
    pub inner: TypeRef,
    /// What its values must pass besides, as JSON.
    pub check: Check,
}

/// An object whose members all have one type.
#[derive(Clone, Debug)]
pub struct Map {
    /// Rules for the names.
    pub names: TextRules,
    /// The values.
    pub values: TypeRef,
    /// Fewest members.
    pub min_members: Option<u64>,
    /// Most members.
    pub max_members: Option<u64>,
}
