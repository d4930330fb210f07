//! Messages, error codes, and what a catalogue or an overlay says beside the schemas.

use super::TypeId;
use crate::diagnostics::Place;
use crate::json::Node;

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
    /// Whether the same request may succeed later; `None` where that is not said.
    pub retry: Option<Retry>,
    /// Files that it comes from.
    pub sources: Vec<String>,
}

impl ErrorCode {
    /// The code as text; of a range, the first.
    pub fn text(&self) -> String {
        self.code.as_str().map_or_else(|| self.code.to_string(), str::to_owned)
    }
}

/// Whether the same request may succeed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// It never will.
    Never,
    /// It may, a little later.
    Later,
    /// It may after something else was done first.
    Then,
    /// The error itself says so.
    Told,
}

/// What a catalogue promises as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// What the catalogue is about: `ai-control-protocol`.
    pub surface: String,
    /// `experimental`, `stable`…
    pub stability: String,
    /// The release that has it first; `None` where none has it yet.
    pub since: Option<String>,
    /// How far one may rely on it.
    pub support_note: String,
    /// What belongs to it.
    pub included: Vec<String>,
    /// What does not.
    pub excluded: Vec<String>,
    /// Files that it comes from: member of the catalogue, path.
    pub references: Vec<(String, String)>,
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

/// What becomes of a rule of a catalogue in what implements the protocol.
#[derive(Clone, Debug)]
pub struct Enforcement {
    /// Stable id of the rule.
    pub id: String,
    /// What sees to it.
    pub by: String,
    /// The test that shows it; `None` where it is the duty of whoever uses the protocol, and `by` is what
    /// they are advised to do.
    pub test: Option<String>,
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
