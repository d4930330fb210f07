//! JSON as the generator sees it: every value knows where it stands, and a number keeps its text.

use std::fmt;

/// A place in a source file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A JSON value and the place of its first character. Two are equal when they say the same in the
/// same order, wherever they stand.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Json,
    /// Where it starts.
    pub span: Span,
}

/// A JSON value. Numbers are text, so that nothing is rounded; members keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it was written, for example `1e2`.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object. Names are unique: the reader refuses a second member of the same name.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, unescaped.
    pub name: String,
    /// Where its name starts.
    pub span: Span,
    /// Its value.
    pub node: Node,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Node {}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.node == other.node
    }
}

impl Eq for Member {}

impl Node {
    /// The member `name` of an object; `None` for a missing member and for anything but an object.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.members().iter().find(|member| member.name == name).map(|member| &member.node)
    }

    /// The members of an object, none for anything else.
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array, none for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// Follows a JSON pointer (RFC 6901, unescaped from URI form), `""` being the node itself.
    pub fn pointer(&self, pointer: &str) -> Option<&Node> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |node, token| {
            let token = unescape(token);
            match &node.value {
                Json::Object(_) => node.get(&token),
                Json::Array(items) => array_index(&token).and_then(|index| items.get(index)),
                _ => None,
            }
        })
    }

    /// What kind of value it is, as an error says it: "a string".
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

/// Values that a program makes; all of them stand where the span says.
impl Span {
    /// A string.
    pub fn text(self, text: impl Into<String>) -> Node {
        Node { value: Json::String(text.into()), span: self }
    }

    /// An array.
    pub fn list(self, items: impl IntoIterator<Item = Node>) -> Node {
        Node { value: Json::Array(items.into_iter().collect()), span: self }
    }

    /// An object. The caller sees to it that no name occurs twice.
    pub fn object<Name: Into<String>>(self, members: impl IntoIterator<Item = (Name, Node)>) -> Node {
        let member = |(name, node): (Name, Node)| Member { name: name.into(), span: self, node };
        Node { value: Json::Object(members.into_iter().map(member).collect()), span: self }
    }
}

/// Compact JSON text.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(text) => f.write_str(text),
            Json::String(text) => f.write_str(&quoted(text)),
            Json::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (index, member) in members.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{}:{}", quoted(&member.name), member.node)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A string as JSON writes it.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// One token of a JSON pointer, escaped.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// One token of a JSON pointer, unescaped.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|byte| byte.is_ascii_digit())).then(|| token.parse().ok()).flatten()
}
