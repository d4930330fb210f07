//! What pages say of types and their rules, as data: whichever page it is, the template `words.md` has the words.

use serde::Serialize;

/// What a value is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Type {
    /// Any JSON value.
    #[default]
    Any,
    /// No value at all.
    Nothing,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    List,
    Object,
    /// A list of one type.
    ListOf {
        items: Box<Type>,
    },
    /// A list with a type for each place.
    Places {
        places: Vec<Place>,
        rest: Option<Box<Type>>,
    },
    /// An object whose members all have one type.
    MapOf {
        values: Box<Type>,
    },
    /// One of several types.
    OneOf {
        types: Vec<Type>,
    },
    /// A type with a section of its own.
    Link {
        label: String,
        target: String,
    },
    /// A type that is being described already.
    Name {
        name: String,
    },
    /// The type of another value on the page; without a name that of the whole.
    Same {
        of: String,
    },
    /// Values whose types are told of where each of them is.
    Each,
    /// An integer that stands in JSON as text.
    IntegerText,
}

/// A place of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    pub(super) ty: Type,
    pub(super) rules: Vec<Rule>,
    pub(super) optional: bool,
}

/// What holds for a value beyond what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Rule {
    /// How many there may be.
    Count(Count),
    Format {
        name: String,
    },
    Pattern {
        pattern: String,
    },
    Exactly {
        value: String,
    },
    Between {
        least: String,
        most: String,
    },
    AtLeast {
        value: String,
    },
    Above {
        value: String,
    },
    AtMost {
        value: String,
    },
    Below {
        value: String,
    },
    MultipleOf {
        value: String,
    },
    /// An integer, written without a fraction.
    NoFraction,
    /// No two items are equal.
    Unique,
    /// The one value that it has.
    Always {
        value: String,
    },
    Values {
        values: Vec<Choice>,
    },
    /// No value is allowed.
    NoValue,
    /// It must be absent.
    Absent,
    /// What its absence means.
    Default {
        value: String,
    },
    /// Of each item.
    Each {
        rule: Box<Rule>,
    },
    /// Of each value of an object.
    EachValue {
        rule: Box<Rule>,
    },
    /// Of each name in an object.
    EachName {
        rule: Box<Rule>,
    },
    /// A keyword of a schema that there are no words for, as JSON.
    Keyword {
        value: String,
    },
}

/// One of several values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Choice {
    /// As JSON.
    pub(super) value: String,
    /// What it means, if that is said.
    pub(super) meaning: Option<String>,
}

impl Rule {
    /// One of these values.
    pub(super) fn of_values(mut values: Vec<Choice>) -> Self {
        match values.len() {
            0 => Self::NoValue,
            1 if values[0].meaning.is_none() => Self::Always { value: values.remove(0).value },
            _ => Self::Values { values },
        }
    }
}

/// How many there may be; one of the bounds is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Count {
    pub(super) of: Counted,
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Counted {
    Characters,
    Items,
    Members,
}

/// One of these types, each told once.
pub(super) fn one_of(types: impl IntoIterator<Item = Type>) -> Type {
    let mut found: Vec<Type> = Vec::new();
    for ty in types {
        if !found.contains(&ty) {
            found.push(ty);
        }
    }
    match found.len() {
        0 => Type::Nothing,
        1 => found.remove(0),
        _ => Type::OneOf { types: found },
    }
}

/// How many there may be, where that has a bound.
pub(super) fn count(of: Counted, least: Option<u64>, most: Option<u64>) -> Option<Count> {
    let least = least.filter(|least| *least > 0);
    (least.is_some() || most.is_some()).then_some(Count { of, least, most })
}
