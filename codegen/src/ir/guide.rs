//! What no schema says of a protocol, for its pages: how a conversation goes, and what messages look like.

use crate::diagnostics::Place;
use crate::json::Node;
use serde::Serialize;

/// What a reader must know of a protocol beside its messages. Codes in backticks that name a message, a
/// method, an error code or a topic become links.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Guide {
    /// Whom the protocol is for.
    pub audience: String,
    /// What is asked first, with short answers.
    pub questions: Vec<Question>,
    /// Who talks.
    pub roles: Vec<Role>,
    /// How messages travel.
    pub transports: Vec<Transport>,
    /// What has a section of its own, in order.
    #[serde(skip)]
    pub topics: Vec<Topic>,
    /// Bounds that no schema has.
    pub limits: Vec<Limit>,
    /// What names look like.
    pub names: Vec<NameRule>,
    /// How the names of a game's tools are written here.
    #[serde(skip)]
    pub tool_names: Option<ToolNames>,
    /// Errors that any request can give.
    #[serde(skip)]
    pub always: Vec<CodeUse>,
    /// What is said of single messages.
    #[serde(skip)]
    pub notes: Vec<MessageNote>,
    /// What a situation comes to: a code, or what else is seen.
    #[serde(skip)]
    pub situations: Vec<Situation>,
    /// The file of the examples; `None` where there are none.
    pub examples_file: Option<String>,
    /// Messages as they are sent.
    #[serde(skip)]
    pub examples: Vec<Example>,
}

/// A question and its answer.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// The answer.
    pub answer: String,
    /// What says more: a topic, or one of the sections that each index has.
    pub see: Option<String>,
}

/// One of those who talk.
#[derive(Clone, Debug, Serialize)]
pub struct Role {
    /// As directions name it.
    pub name: String,
    /// What it is and does.
    pub text: String,
}

/// A way for messages to travel.
#[derive(Clone, Debug, Serialize)]
pub struct Transport {
    /// `TCP`
    pub name: String,
    /// Where the other side is found.
    pub address: String,
    /// Where the token goes.
    pub token: String,
    /// What else holds.
    pub text: String,
}

/// A section of its own.
#[derive(Clone, Debug)]
pub struct Topic {
    /// What links to it say.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// What is done one after the other.
    pub steps: Vec<Step>,
    /// What holds, in any order.
    pub points: Vec<String>,
    /// What is written, letter by letter.
    pub sample: Option<String>,
    /// A message with the bytes around it.
    pub framed: Option<Framed>,
}

/// A step of a conversation.
#[derive(Clone, Debug)]
pub struct Step {
    /// The message that is sent; `None` for what is no message.
    pub message: Option<String>,
    /// What is done.
    pub text: String,
}

/// A message with the bytes around it. `{length}` in them is the length of the message in bytes.
#[derive(Clone, Debug)]
pub struct Framed {
    /// The message, of which the first example is shown.
    pub message: String,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
}

/// A bound that no schema has.
#[derive(Clone, Debug, Serialize)]
pub struct Limit {
    /// What is bounded.
    pub what: String,
    /// The bound.
    pub value: String,
    /// What happens beyond it, and where it is told.
    pub text: String,
}

/// What names of a sort look like.
#[derive(Clone, Debug, Serialize)]
pub struct NameRule {
    /// Of what.
    pub what: String,
    /// An ECMA-262 pattern.
    pub pattern: String,
    /// A name that matches it.
    pub example: String,
    /// What else holds.
    pub text: String,
}

/// How the names of a game's tools are written in a protocol.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ToolNames {
    /// What the names are called in a table.
    pub title: String,
    /// Letters and what stands in their place.
    pub replace: Vec<(String, String)>,
    /// An ECMA-262 pattern that they match.
    pub pattern: String,
    /// The longest name, in bytes.
    pub longest: Option<u64>,
    /// The place in a message.
    pub place: String,
}

/// A code, and when it is given.
#[derive(Clone, Debug)]
pub struct CodeUse {
    /// The code, as text.
    pub code: String,
    /// When, where that is more exact than what is said of the code.
    pub when: Option<String>,
}

/// What is said of a message beside its schema.
#[derive(Clone, Debug)]
pub struct MessageNote {
    /// Its name.
    pub message: String,
    /// When it is sent.
    pub when: String,
    /// The messages that answer it, where methods do not say so.
    pub answered_by: Vec<String>,
    /// Errors that it can give beside those of any request.
    pub errors: Vec<CodeUse>,
    /// Messages that may follow, of which it is the cause.
    pub causes: Vec<String>,
}

/// What a situation comes to.
#[derive(Clone, Debug)]
pub struct Situation {
    /// Its id, by which protocols are compared.
    pub id: String,
    /// A code, or what else is seen.
    pub is: String,
}

/// A message as it is sent.
#[derive(Clone, Debug)]
pub struct Example {
    /// The name of the message that it is.
    pub of: String,
    /// What it shows.
    pub says: Option<String>,
    /// The message.
    pub message: Node,
    /// Where it stands.
    pub place: Place,
}

/// What holds over all protocols, for the page that compares them.
#[derive(Clone, Debug, Default)]
pub struct Together {
    /// What can happen over each.
    pub situations: Vec<Happening>,
    /// What `is` means where it is no code: the letters, and what they say.
    pub marks: Vec<Role>,
    /// Names of tools that show how they are written over each protocol.
    pub names: Vec<String>,
    /// Names that meet in some protocol.
    pub meeting: Vec<(String, String)>,
    /// How names are written by those who are no protocol here.
    pub others: Vec<ToolNames>,
}

/// A situation that each protocol has its own words for.
#[derive(Clone, Debug)]
pub struct Happening {
    /// Its id.
    pub id: String,
    /// What happens.
    pub what: String,
    /// What to do about it.
    pub advice: String,
}
