//! Conditions on JSON values.

use super::{NumberRules, TextRules};
use crate::diagnostics::Place;
use crate::graph::JsonType;
use crate::json::Node;

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
    /// A check of [`Protocol::checks`](super::Protocol::checks).
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
    /// Whether it asks nothing.
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty()
            && matches!(self.items, Check::Any)
            && self.min_items.is_none()
            && self.max_items.is_none()
            && !self.unique
            && self.contains.is_empty()
    }

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
