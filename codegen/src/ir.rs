//! The intermediate representation: plain data between `lower`, which fills it, and the emitters,
//! which know nothing else.

use crate::diagnostics::{Diagnostics, Place};
use crate::graph::JsonType;
use crate::json::Node;
use crate::support::Decimal;
use std::collections::BTreeSet;

/// One protocol, ready to be written down as code or as pages.
#[derive(Clone, Debug, Default)]
pub struct Protocol {
    /// Name of the Rust module and of the folders: `gabp`.
    pub name: String,
    /// What people call it: `GABP 1.0`.
    pub title: String,
    /// What it is, in a paragraph; may be empty.
    pub description: String,
    /// The files it was made from, by path.
    pub sources: Vec<Source>,
    /// All named types; a [`TypeId`] is an index into this list.
    pub types: Vec<TypeDef>,
    /// Checks that other checks call by index, so that recursion is possible.
    pub checks: Vec<SharedCheck>,
    /// All messages, in the order of the schemas.
    pub messages: Vec<Message>,
    /// Names for facts such as the version string.
    pub constants: Vec<Constant>,
    /// The error codes, in the order of the source.
    pub errors: Vec<ErrorCode>,
    /// The lists of a catalogue; empty for a protocol of JSON Schemas.
    pub lists: Vec<RuleList>,
    /// What the overlay changed, and why.
    pub amendments: Vec<Amendment>,
    /// What is odd in the sources, though they are accepted.
    pub notes: Diagnostics,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path from the folder of `ludwire.toml`, with forward slashes.
    pub path: String,
    /// Its sha256 in hexadecimal.
    pub sha256: String,
}

impl Protocol {
    /// The shared checks that `checks` call, directly or through others.
    pub fn called<'a>(&'a self, checks: impl IntoIterator<Item = &'a Check>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<&Check> = checks.into_iter().collect();
        while let Some(check) = waiting.pop() {
            match check {
                Check::Shared(index) if found.insert(*index) => waiting.push(&self.checks[*index].check),
                check => waiting.extend(check.parts()),
            }
        }
        found
    }

    /// The object with known members that a type is, whatever else is asked of it.
    pub fn object(&self, id: TypeId) -> Option<&Struct> {
        match &self.types.get(id.0)?.shape {
            Shape::Struct(object) => Some(object),
            Shape::Alias(TypeRef::Named(id)) | Shape::Sealed(Sealed { inner: TypeRef::Named(id), .. }) => {
                self.object(*id)
            }
            _ => None,
        }
    }
}

/// Index into [`Protocol::types`].
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
    /// The named types that its values hold, in order, as indices into [`Protocol::types`].
    pub fn uses(&self) -> Vec<usize> {
        let types: Vec<&TypeRef> = match self {
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
        };
        types.into_iter().filter_map(TypeRef::named).map(|id| id.0).collect()
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
    /// A type of [`Protocol::types`].
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
    /// What it asks, in words: "exactly one of `result` and `error`".
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

/// A condition on a JSON value. Where a kind is named (text, number, list, object), values of other
/// kinds pass.
#[derive(Clone, Debug)]
pub enum Check {
    /// Everything passes.
    Any,
    /// Nothing passes.
    Never,
    /// All pass.
    All(Vec<Check>),
    /// At least one passes.
    AnyOf(Vec<Check>),
    /// Exactly one passes.
    OneOf(Vec<Check>),
    /// It does not pass.
    Not(Box<Check>),
    /// `if`, `then`, `else`.
    If(Box<[Check; 3]>),
    /// A check of [`Protocol::checks`].
    Shared(usize),
    /// The value has one of these types.
    Kinds(Vec<JsonType>),
    /// The value equals one of these.
    Constants(Vec<Node>),
    /// For strings.
    Text(TextRules),
    /// For numbers; `integer` is not looked at.
    Number(NumberRules),
    /// For arrays.
    List(Box<ListCheck>),
    /// For objects.
    Object(Box<ObjectCheck>),
    /// For the members or items that nothing else has looked at.
    Unevaluated(Box<Unevaluated>),
}

impl Check {
    /// The checks that it is made of, without those that it calls by index.
    pub fn parts(&self) -> Vec<&Check> {
        match self {
            Self::All(checks) | Self::AnyOf(checks) | Self::OneOf(checks) => checks.iter().collect(),
            Self::Not(check) => vec![check],
            Self::If(parts) => parts.iter().collect(),
            Self::List(list) => list.parts().collect(),
            Self::Object(object) => object.parts().collect(),
            Self::Unevaluated(rest) => std::iter::once(&rest.check).chain(rest.evaluated.checks()).collect(),
            Self::Any
            | Self::Never
            | Self::Shared(_)
            | Self::Kinds(_)
            | Self::Constants(_)
            | Self::Text(_)
            | Self::Number(_) => Vec::new(),
        }
    }
}

impl ListCheck {
    /// The checks of its items.
    pub fn parts(&self) -> impl Iterator<Item = &Check> {
        let contained = self.contains.iter().map(|(check, ..)| check);
        self.prefix.iter().chain([&self.items]).chain(contained)
    }
}

impl ObjectCheck {
    /// Whether it asks nothing.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
            && self.patterns.is_empty()
            && matches!((&self.additional, &self.names), (Check::Any, Check::Any))
            && self.required.is_empty()
            && self.min_members.is_none()
            && self.max_members.is_none()
            && self.dependent.is_empty()
    }

    /// The checks of its members, of their names, and of itself where a member is there.
    pub fn parts(&self) -> impl Iterator<Item = &Check> {
        let named = self.properties.iter().chain(&self.patterns).chain(&self.dependent);
        named.map(|(_, check)| check).chain([&self.additional, &self.names])
    }
}

/// A condition on the parts of a value that nothing else has looked at.
#[derive(Clone, Debug)]
pub struct Unevaluated {
    /// Which parts.
    pub of: Parts,
    /// Those that it does not bind.
    pub evaluated: Evaluated,
    /// What it asks of the others.
    pub check: Check,
}

/// Parts of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// The members of an object.
    Members,
    /// The items of an array.
    Items,
}

/// Some of the parts of a value.
#[derive(Clone, Debug)]
pub enum Evaluated {
    /// All of them.
    All,
    /// The members of these names.
    Names(Vec<String>),
    /// The members whose names match one of these.
    Patterns(Vec<String>),
    /// So many items from the start.
    First(usize),
    /// The items that pass a check.
    Matching(Check),
    /// Those of each.
    Each(Vec<Evaluated>),
    /// Those, where the whole value passes a check; else none.
    When(Check, Box<Evaluated>),
}

impl Evaluated {
    /// The checks that decide what it is.
    pub fn checks(&self) -> Vec<&Check> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(some) = open.pop() {
            match some {
                Self::Matching(check) => found.push(check),
                Self::Each(each) => open.extend(each),
                Self::When(check, some) => {
                    found.push(check);
                    open.push(some);
                }
                Self::All | Self::Names(_) | Self::Patterns(_) | Self::First(_) => {}
            }
        }
        found
    }
}

/// A check that others call.
#[derive(Clone, Debug)]
pub struct SharedCheck {
    /// Its Rust name, a function's.
    pub name: String,
    /// Where its schema stands.
    pub place: Place,
    /// What it checks.
    pub check: Check,
}

/// A condition on arrays.
#[derive(Clone, Debug)]
pub struct ListCheck {
    /// For the first items, in order.
    pub prefix: Vec<Check>,
    /// For the items after them.
    pub items: Check,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
    /// No two items are the same JSON value.
    pub unique: bool,
    /// How many items must pass a check: the check, at least, at most.
    pub contains: Vec<(Check, u64, Option<u64>)>,
}

/// A condition on objects.
#[derive(Clone, Debug)]
pub struct ObjectCheck {
    /// For the members of these names.
    pub properties: Vec<(String, Check)>,
    /// For the members whose names match.
    pub patterns: Vec<(String, Check)>,
    /// For all other members.
    pub additional: Check,
    /// For the names of all members, as strings.
    pub names: Check,
    /// Names that must be there.
    pub required: Vec<String>,
    /// Fewest members.
    pub min_members: Option<u64>,
    /// Most members.
    pub max_members: Option<u64>,
    /// What else must hold when a member is there.
    pub dependent: Vec<(String, Check)>,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Asks for an answer.
    Request,
    /// Answers a request.
    Response,
    /// Tells, unasked.
    Event,
    /// A message of a protocol that has no such distinction.
    Message,
}

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its Rust name: the variant of `Message`.
    pub rust: String,
    /// What people call it, as `decode` prints it: `tools/call request`, `heartbeat`.
    pub name: String,
    /// What it is.
    pub kind: MessageKind,
    /// The method it asks for or answers.
    pub method: Option<String>,
    /// Who sends it, to whom: `bridge → mod`; empty where the source does not say.
    pub direction: String,
    /// Its type.
    pub ty: TypeId,
    /// The wider type that it is read as, where that is another one.
    pub reading: Option<TypeId>,
    /// The members by which `decode` knows it, outermost first; a later message with fewer
    /// discriminators takes what is left over.
    pub discriminators: Vec<Discriminator>,
    /// `decode` may meet it without knowing the request: false for the responses of one method,
    /// which only `decode_response` reads.
    pub standalone: bool,
}

impl Message {
    /// The type that it is read as.
    pub fn read_as(&self) -> TypeId {
        self.reading.unwrap_or(self.ty)
    }
}

/// A member whose value tells messages apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Discriminator {
    /// Its name.
    pub member: String,
    /// The values it has in this message, strings in practice.
    pub values: Vec<Node>,
}

/// An error code.
#[derive(Clone, Debug)]
pub struct ErrorCode {
    /// Name of the Rust constant.
    pub rust: String,
    /// The stable id, where the source has one.
    pub id: Option<String>,
    /// The code in JSON: a number or a string.
    pub code: Node,
    /// Its name.
    pub name: String,
    /// When it is used.
    pub description: String,
    /// For a range of codes, the last one; `code` is the first.
    pub last: Option<i64>,
    /// Files that it comes from.
    pub sources: Vec<String>,
}

/// A list of a catalogue.
#[derive(Clone, Debug)]
pub struct RuleList {
    /// Member of the catalogue: `wire_rules`.
    pub key: String,
    /// Its entries, in order.
    pub entries: Vec<RuleEntry>,
}

/// An entry of a catalogue's list.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// Stable id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `experimental`, `stable`…
    pub stability: String,
    /// What it asks.
    pub requirement: String,
    /// Why.
    pub rationale: String,
    /// Where it comes from: path and anchors.
    pub sources: Vec<(String, Vec<String>)>,
    /// `params`, in the shape notation.
    pub params: Option<String>,
    /// `result`, in the shape notation.
    pub result: Option<String>,
    /// `value_type`
    pub value_type: Option<String>,
    /// `code`
    pub code: Option<i64>,
    /// Where it stands.
    pub place: Place,
}

/// A change that the overlay makes to the published files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// The file it changes or adds, below the protocol's folder.
    pub file: String,
    /// `add`, `replace` or `remove`.
    pub operation: String,
    /// JSON pointer in the file, empty for the whole file.
    pub pointer: String,
    /// Why.
    pub reason: String,
    /// It only counts for what is read.
    pub reading: bool,
}
