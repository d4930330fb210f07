//! The JSON Schemas that a catalogue stands for, as documents that no file holds.
//!
//! | document | what |
//! |---|---|
//! | `methods/<name>.request.json`, `methods/<name>.response.json` | one pair a method |
//! | `response.json` | an answer whose request is not known |
//! | `error.response.json` | an answer that is an error |
//! | `error.json`, `id.json` | what these share |
//! | `command.json`, `identifier.json` | a command, from the list of its fields |
//!
//! All objects are open, since a catalogue names members and closes nothing.

use super::phrases::{phrase, phrase_of};
use super::{Entry, List, Reader, Spot, entries};
use crate::json::{Json, Member, Node, Span};
use crate::load::Document;
use crate::names::words;
use crate::notation;

/// All documents, in the order in which a reader meets them: methods first.
pub(super) fn documents(reader: &mut Reader, lists: &[List], jsonrpc: Option<&Spot>) -> Vec<Document> {
    let methods = entries(lists, "methods");
    let fields = entries(lists, "command_fields");
    let mut maker = Maker {
        jsonrpc: jsonrpc.map(|spot| spot.node),
        titles: Titles::default(),
        file: reader.file.to_owned(),
        documents: Vec::new(),
        reader,
    };
    for title in ["Error", "Response", "Error response", "Request id", "Command", "Project identifier"] {
        maker.titles.claim(title, "");
    }
    let mut named: Vec<(&Entry, MethodTitles)> = Vec::new();
    for method in methods {
        // A second method of one name has been reported.
        if !named.iter().any(|(earlier, _)| earlier.rule.name == method.rule.name) {
            named.push((method, maker.titles.of_method(&method.rule.name)));
        }
    }
    for (method, titles) in named {
        maker.method(method, &titles);
    }
    if let Some(first) = methods.first() {
        maker.shared(first.spot.node.span);
    }
    if let Some(first) = fields.first() {
        maker.command(fields, first.spot.node.span);
    }
    maker.documents
}

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

struct Maker<'r, 'a> {
    reader: &'r mut Reader<'a>,
    jsonrpc: Option<&'r Node>,
    titles: Titles,
    file: String,
    documents: Vec<Document>,
}

/// The titles of a method's schemas.
struct MethodTitles {
    request: String,
    response: String,
    params: String,
    result: String,
}

impl Maker<'_, '_> {
    fn method(&mut self, method: &Entry, titles: &MethodTitles) {
        let at = method.spot.node.span;
        let rule = &method.rule;
        let stem: String = rule
            .name
            .chars()
            .map(|c| if c.is_alphanumeric() || "_-".contains(c) { c } else { '.' })
            .collect();
        let request = format!("methods/{stem}.request.json");
        if self.documents.iter().any(|document| document.path == request) {
            let message = format!("the name `{}` differs too little from that of another method", rule.name);
            self.reader.report(&method.spot, message);
        }

        let params = self.shape(method, "params", &titles.params);
        let params = annotated(params, &titles.params, &phrase_of("input", &rule.name));
        let properties = vec![
            ("jsonrpc", self.jsonrpc(at)),
            ("id", described_ref(at, say("chosen_id"), "../id.json")),
            ("method", constant(at, &phrase_of("method", &rule.name), at.text(&*rule.name))),
            ("params", params),
        ];
        let required = ["jsonrpc", "id", "method", "params"];
        let root = object(at, &titles.request, &rule.requirement, &required, properties);
        self.push(request, root);

        let result = self.shape(method, "result", &titles.result);
        let result = annotated(result, &titles.result, &phrase_of("outcome", &rule.name));
        let never = Node { value: Json::Bool(false), span: at };
        let properties = vec![
            ("jsonrpc", self.jsonrpc(at)),
            ("id", described_ref(at, say("repeated_id"), "../id.json")),
            ("result", result),
            ("error", never),
        ];
        let description = phrase_of("answer", &rule.name);
        let root = object(at, &titles.response, &description, &["jsonrpc", "id", "result"], properties);
        self.push(format!("methods/{stem}.response.json"), root);
    }

    /// What all methods share.
    fn shared(&mut self, at: Span) {
        let id = at.list([at.object([("type", at.text("null"))]), reference(at, "id.json")]);
        let id = at.object([("description", at.text(say("repeated_id_or_null"))), ("oneOf", id)]);
        let result = say("result");
        let properties = vec![
            ("jsonrpc", self.jsonrpc(at)),
            ("id", id.clone()),
            ("result", at.object([("description", at.text(result))])),
            ("error", described_ref(at, say("failure_if_any"), "error.json")),
        ];
        let description = say("any_answer");
        let mut root = object(at, "Response", description, &["jsonrpc", "id"], properties);
        let has =
            |names: &[&str]| at.object([("required", at.list(names.iter().map(|name| at.text(*name))))]);
        let both = at.object([("not", has(&["result", "error"]))]);
        let either = at.object([("anyOf", at.list([has(&["result"]), has(&["error"])]))]);
        push_member(&mut root, "allOf", at.list([both, either]));
        self.push("response.json".to_owned(), root);

        let properties = vec![
            ("jsonrpc", self.jsonrpc(at)),
            ("id", id),
            ("result", Node { value: Json::Bool(false), span: at }),
            ("error", described_ref(at, say("failure"), "error.json")),
        ];
        let description = say("error_answer");
        let root = object(at, "Error response", description, &["jsonrpc", "id", "error"], properties);
        self.push("error.response.json".to_owned(), root);

        let code = say("code");
        let message = say("message");
        let properties = vec![
            ("code", typed(at, code, &["integer"])),
            ("message", typed(at, message, &["string"])),
            ("data", at.object([("description", at.text(say("data")))])),
        ];
        let description = say("error");
        self.push(
            "error.json".to_owned(),
            object(at, "Error", description, &["code", "message"], properties),
        );

        let description = say("any_id");
        let root = named(at, "Request id", description, &["string", "integer"]);
        self.push("id.json".to_owned(), root);
    }

    fn command(&mut self, fields: &[Entry], at: Span) {
        let mut identifiers = false;
        let mut properties = Vec::new();
        for field in fields {
            let span = field.spot.node.span;
            let node = if field.rule.value_type.as_deref() == Some("project identifier") {
                identifiers = true;
                reference(span, "identifier.json")
            } else {
                self.value_type(field)
            };
            let description = ("description", span.text(&*field.rule.requirement));
            properties.push((field.rule.name.as_str(), with_front(node, [description])));
        }
        let description = say("command");
        self.push("command.json".to_owned(), object(at, "Command", description, &[], properties));
        if identifiers {
            let description = say("identifier");
            let root = named(at, "Project identifier", description, &["string", "integer"]);
            self.push("identifier.json".to_owned(), root);
        }
    }

    /// The type of a field; prose stands for any value, which the overlay can make precise.
    fn value_type(&mut self, field: &Entry) -> Node {
        let shape = field.spot.member("value_type").and_then(|spot| self.read(&spot));
        let mut node = shape.unwrap_or_else(|| field.spot.node.span.object::<&str>([]));
        self.titles.entitle(&mut node, &sentence(&field.rule.name), "Command");
        node
    }

    /// The params or the result of a method. Prose stands for any object, which the overlay can make
    /// precise; so do absent params, whereas an absent result is any value.
    fn shape(&mut self, method: &Entry, member: &str, title: &str) -> Node {
        let any_object = |span: Span| span.object([("type", span.text("object"))]);
        let Some(spot) = method.spot.member(member) else {
            let span = method.spot.node.span;
            return if member == "params" { any_object(span) } else { span.object::<&str>([]) };
        };
        let Some(mut node) = self.read(&spot) else { return any_object(spot.node.span) };
        if member == "params" && !is_object(&node) {
            self.reader.report(&spot, "the params of a method are an object");
        }
        self.titles.entitle_inner(&mut node, title, title);
        node
    }

    /// A shape in notation; `None` for prose and for anything wrong, which is reported.
    fn read(&mut self, spot: &Spot) -> Option<Node> {
        match notation::schema(spot.node.as_str()?, spot.node.span) {
            Ok(node) => node,
            Err(mistake) => {
                self.reader.report(spot, mistake.to_string());
                None
            }
        }
    }

    fn jsonrpc(&self, at: Span) -> Node {
        let description = say("jsonrpc");
        match self.jsonrpc {
            Some(version) => constant(at, description, version.clone()),
            None => typed(at, description, &["string"]),
        }
    }

    fn push(&mut self, path: String, root: Node) {
        self.documents.push(Document::new(path, self.file.clone(), "", root));
    }
}

/// The titles that are taken. Titles become the names of types, so letters and digits decide.
#[derive(Default)]
struct Titles(Vec<String>);

impl Titles {
    fn of_method(&mut self, name: &str) -> MethodTitles {
        let words = sentence(name);
        MethodTitles {
            request: self.claim(&format!("{name} request"), ""),
            response: self.claim(&format!("{name} response"), ""),
            params: self.claim(&format!("{words} params"), ""),
            result: self.claim(&format!("{words} result"), ""),
        }
    }

    /// `title` if it is free, else with the title of the owner before it, else with a number.
    fn claim(&mut self, title: &str, owner: &str) -> String {
        let longer = format!("{owner} {}", words(title).join(" "));
        let numbered = (2..).map(|number| format!("{title} {number}"));
        let mut wishes = [title.to_owned(), longer.trim().to_owned()].into_iter().chain(numbered);
        let free = |wish: &String| !self.0.contains(&words(wish).concat());
        let wish = wishes.find(free).unwrap_or_default();
        self.0.push(words(&wish).concat());
        wish
    }

    /// Gives titles to the objects with named members in a schema, itself included.
    fn entitle(&mut self, node: &mut Node, name: &str, owner: &str) {
        if node.get("properties").is_none() {
            return self.entitle_inner(node, name, owner);
        }
        let title = self.claim(name, owner);
        self.entitle_inner(node, &title, &title);
        let span = node.span;
        if let Json::Object(members) = &mut node.value {
            members.insert(0, Member { name: "title".to_owned(), span, node: span.text(title) });
        }
    }

    /// The same for what stands inside of a schema, without itself.
    fn entitle_inner(&mut self, node: &mut Node, name: &str, owner: &str) {
        let Json::Object(members) = &mut node.value else { return };
        for member in members {
            match (member.name.as_str(), &mut member.node.value) {
                ("properties", Json::Object(properties)) => {
                    for property in properties {
                        let name = sentence(&property.name);
                        self.entitle(&mut property.node, &name, owner);
                    }
                }
                ("items", _) => self.entitle(&mut member.node, &format!("{name} entry"), owner),
                ("anyOf", Json::Array(branches)) => {
                    for (index, branch) in branches.iter_mut().enumerate() {
                        self.entitle(branch, &format!("{name} option {}", index + 1), owner);
                    }
                }
                _ => {}
            }
        }
    }
}

/// `tools/call` → `Tools call`
fn sentence(name: &str) -> String {
    let text = words(name).join(" ");
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn is_object(node: &Node) -> bool {
    let branches = node.get("anyOf").map(Node::items).unwrap_or_default();
    node.get("type").and_then(Node::as_str) == Some("object")
        || (!branches.is_empty() && branches.iter().all(is_object))
}

fn say(name: &str) -> &'static str {
    phrase(name).unwrap_or_default()
}

/// A schema with a description, and with a title where it is an object or one of several.
fn annotated(node: Node, title: &str, description: &str) -> Node {
    let span = node.span;
    let description = ("description", span.text(description));
    if is_object(&node) || node.get("anyOf").is_some() {
        with_front(node, [("title", span.text(title)), description])
    } else {
        with_front(node, [description])
    }
}

fn with_front<const N: usize>(mut node: Node, front: [(&str, Node); N]) -> Node {
    let span = node.span;
    if let Json::Object(members) = &mut node.value {
        let front = front.map(|(name, node)| Member { name: name.to_owned(), span, node });
        members.splice(0..0, front);
    }
    node
}

fn push_member(object: &mut Node, name: &str, node: Node) {
    let span = node.span;
    if let Json::Object(members) = &mut object.value {
        members.push(Member { name: name.to_owned(), span, node });
    }
}

/// A document's root that is an open object.
fn object(
    at: Span,
    title: &str,
    description: &str,
    required: &[&str],
    properties: Vec<(&str, Node)>,
) -> Node {
    let mut root = named(at, title, description, &["object"]);
    if !required.is_empty() {
        push_member(&mut root, "required", at.list(required.iter().map(|name| at.text(*name))));
    }
    push_member(&mut root, "properties", at.object(properties));
    root
}

/// A document's root of some types.
fn named(at: Span, title: &str, description: &str, types: &[&str]) -> Node {
    with_front(typed(at, description, types), [("$schema", at.text(DRAFT)), ("title", at.text(title))])
}

fn typed(at: Span, description: &str, types: &[&str]) -> Node {
    let types = match types {
        [one] => at.text(*one),
        several => at.list(several.iter().map(|name| at.text(*name))),
    };
    at.object([("description", at.text(description)), ("type", types)])
}

fn constant(at: Span, description: &str, value: Node) -> Node {
    at.object([("description", at.text(description)), ("const", value)])
}

fn reference(at: Span, target: &str) -> Node {
    at.object([("$ref", at.text(target))])
}

fn described_ref(at: Span, description: &str, target: &str) -> Node {
    with_front(reference(at, target), [("description", at.text(description))])
}
