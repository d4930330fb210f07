//! What rules over several members ask.

use serde::Serialize;

/// What a rule over several members asks, as far as it is put into words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Clause {
    /// What its schema says of it.
    Said {
        /// A sentence without a full stop.
        text: String,
    },
    /// There are no words for how its members must fit together.
    Fit,
    /// The names of members must fit.
    NamesFit,
    /// There are no members but those that the rules of the object name.
    NoOthers,
    /// A member must be absent.
    Absent {
        /// The member.
        name: String,
    },
    /// Members must not all be there.
    NotTogether {
        /// The members.
        names: Vec<String>,
    },
    /// Members must be there.
    There {
        /// The members.
        names: Vec<String>,
    },
    /// Of these sets of members at least one must be there.
    AtLeastOne {
        /// The sets.
        sets: Vec<Vec<String>>,
    },
    /// Of these sets of members exactly one must be there.
    ExactlyOne {
        /// The sets.
        sets: Vec<Vec<String>>,
    },
    /// Beside a member, others must be there.
    Beside {
        /// The member.
        name: String,
        /// The others.
        names: Vec<String>,
    },
    /// All of these.
    All {
        /// At least one.
        clauses: Vec<Clause>,
    },
    /// What is asked where some conditions hold, and what elsewhere; at least one of them.
    Where {
        /// The conditions.
        when: Vec<Condition>,
        /// Where they hold.
        then: Option<Box<Clause>>,
        /// Elsewhere.
        otherwise: Option<Box<Clause>>,
    },
}

/// What must be so for a rule to apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Condition {
    /// A member is one of these values.
    Is {
        /// The member.
        name: String,
        /// As JSON.
        values: Vec<String>,
        /// It may be absent as well.
        or_absent: bool,
    },
    /// A member is there.
    There {
        /// The member.
        name: String,
    },
}
