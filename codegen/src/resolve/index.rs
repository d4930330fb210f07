//! Which schemas there are and by what names they can be referred to.

use super::dialect::{Dialect, is_schema};
use super::uri::{self, Address};
use crate::diagnostics::{Diagnostics, Place};
use crate::json::{Json, Node, Span, quoted, unescape};
use crate::load::Document;
use std::collections::HashMap;

/// A place that holds a schema; an index into [`Index::spots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SpotId(pub(super) usize);

/// A schema with a base URI of its own; an index into [`Index::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ResourceId(pub(super) usize);

/// A place that holds a schema.
pub(super) struct Spot<'a> {
    pub(super) node: &'a Node,
    /// JSON pointer in its document.
    pub(super) pointer: String,
    /// The resource it belongs to.
    pub(super) resource: ResourceId,
    /// Where its references lead, as far as they were followed, with the keyword.
    pub(super) targets: Vec<(Keyword, SpotId)>,
}

/// A document, or a schema inside one that `$id` makes a unit of its own.
pub(super) struct Resource<'a> {
    /// Index of the document.
    pub(super) document: usize,
    pub(super) base: Address,
    pub(super) dialect: Dialect,
    pub(super) root: SpotId,
    /// Schemas by plain name: `$anchor`, `$dynamicAnchor`, `$id: "#name"`.
    pub(super) anchors: HashMap<&'a str, SpotId>,
    /// Those of them that are dynamic.
    pub(super) dynamic_anchors: HashMap<&'a str, SpotId>,
    /// `$recursiveAnchor`
    pub(super) is_recursive_anchor: bool,
}

/// A keyword that refers to another schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keyword {
    Ref,
    DynamicRef,
    RecursiveRef,
}

/// A reference: the schema it is in, and its value.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    pub(super) from: SpotId,
    pub(super) keyword: Keyword,
    pub(super) target: &'a str,
    pub(super) span: Span,
}

/// How far a document has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It names no dialect, so which one it has is not known yet.
    Waiting,
    /// Its schemas are in the index, this being its root.
    Scanned(SpotId),
    /// It was refused.
    Broken,
}

/// All schemas of a run, and their names.
pub(super) struct Index<'a> {
    pub(super) documents: &'a [Document],
    pub(super) states: Vec<State>,
    /// Where each document lies.
    pub(super) addresses: Vec<Option<Address>>,
    pub(super) spots: Vec<Spot<'a>>,
    pub(super) resources: Vec<Resource<'a>>,
    /// References that were found and not followed yet, in order.
    pub(super) uses: Vec<Use<'a>>,
    pub(super) problems: Diagnostics,
    /// Resources by `$id`.
    pub(super) ids: HashMap<String, ResourceId>,
    /// A node is known by its address, which is stable while the documents are borrowed.
    by_node: HashMap<*const Node, SpotId>,
    /// The members of large objects by name, so that a pointer costs the same in every file.
    members: HashMap<*const Node, HashMap<&'a str, &'a Node>>,
}

/// Where a scan starts.
struct Start<'a> {
    node: &'a Node,
    pointer: String,
    resource: ResourceId,
}

impl<'a> Index<'a> {
    pub(super) fn new(documents: &'a [Document]) -> Self {
        Self {
            documents,
            states: vec![State::Waiting; documents.len()],
            addresses: documents.iter().map(|document| Address::of_file(&document.path)).collect(),
            spots: Vec::new(),
            resources: Vec::new(),
            uses: Vec::new(),
            problems: Diagnostics::default(),
            ids: HashMap::new(),
            by_node: HashMap::new(),
            members: HashMap::new(),
        }
    }

    /// The schema that stands at a node.
    pub(super) fn spot_of(&self, node: &Node) -> Option<SpotId> {
        self.by_node.get(&std::ptr::from_ref(node)).copied()
    }

    pub(super) fn resource_of(&self, spot: SpotId) -> &Resource<'a> {
        &self.resources[self.spots[spot.0].resource.0]
    }

    /// The place of a value inside a schema, by its pointer from there.
    pub(super) fn place(&self, spot: SpotId, inside: &str, span: Span) -> Place {
        let document = &self.documents[self.resource_of(spot).document];
        document.place(&format!("{}{inside}", self.spots[spot.0].pointer), span)
    }

    /// Enters the schemas of a document under their names.
    pub(super) fn scan_document(&mut self, document: usize, dialect: Dialect) {
        let Document { root, .. } = &self.documents[document];
        let place = |pointer: &str, span| self.documents[document].place(pointer, span);
        if !is_schema(root) {
            let message = format!("a schema is an object or a boolean, not {}", root.kind());
            self.problems.push(place("", root.span), message);
            self.states[document] = State::Broken;
            return;
        }
        let Some(address) = self.addresses[document].clone() else {
            self.problems.push(place("", root.span), "the file's name can't be part of a URI; rename it");
            self.states[document] = State::Broken;
            return;
        };
        let resource = self.add_resource(document, address, dialect);
        let root = self.scan(Start { node: root, pointer: String::new(), resource }, true);
        self.states[document] = State::Scanned(root);
    }

    /// The schema that a JSON pointer leads to from the root of a resource.
    ///
    /// # Errors
    ///
    /// What is wrong with the target, for a message that has named it.
    pub(super) fn follow(&mut self, resource: ResourceId, pointer: &str) -> Result<SpotId, String> {
        let root = self.resources[resource.0].root;
        let mut node = self.spots[root.0].node;
        let mut whole = self.spots[root.0].pointer.clone();
        let mut context = root;
        for token in pointer.split('/').skip(1) {
            node = self.step(node, token).ok_or("which does not exist")?;
            whole.push('/');
            whole.push_str(token);
            context = self.spot_of(node).unwrap_or(context);
        }
        if let Some(spot) = self.spot_of(node) {
            return Ok(spot);
        }
        if !is_schema(node) {
            return Err(format!("which is {}, not a schema", node.kind()));
        }
        // Nothing but this reference makes it a schema. So it is none to those that look for names,
        // whether they come before or after.
        let resource = self.spots[context.0].resource;
        Ok(self.scan(Start { node, pointer: whole, resource }, false))
    }

    fn step(&mut self, node: &'a Node, token: &str) -> Option<&'a Node> {
        const LARGE: usize = 16;
        match &node.value {
            Json::Object(members) if members.len() > LARGE => {
                let members = self.members.entry(std::ptr::from_ref(node)).or_insert_with(|| {
                    members.iter().map(|member| (member.name.as_str(), &member.node)).collect()
                });
                members.get(unescape(token).as_str()).copied()
            }
            _ => node.pointer(&format!("/{token}")),
        }
    }

    fn add_resource(&mut self, document: usize, base: Address, dialect: Dialect) -> ResourceId {
        self.resources.push(Resource {
            document,
            base,
            dialect,
            root: SpotId(self.spots.len()),
            anchors: HashMap::new(),
            dynamic_anchors: HashMap::new(),
            is_recursive_anchor: false,
        });
        ResourceId(self.resources.len() - 1)
    }

    /// Enters a schema and all inside it. Only a schema that every reader takes for one is
    /// `registered`: can be found by its `$id`.
    fn scan(&mut self, start: Start<'a>, registered: bool) -> SpotId {
        let first = SpotId(self.spots.len());
        let mut waiting = vec![start];
        while let Some(Start { node, pointer, resource }) = waiting.pop() {
            if self.spot_of(node).is_some() {
                continue;
            }
            let spot = SpotId(self.spots.len());
            let is_document = pointer.is_empty();
            let resource = self.enter(node, &pointer, resource, registered);
            self.by_node.insert(std::ptr::from_ref(node), spot);
            self.spots.push(Spot { node, pointer, resource, targets: Vec::new() });
            let dialect = self.resources[resource.0].dialect;
            let alone = dialect.is_lone_reference(node);
            if !alone {
                self.note_anchors(spot, node);
            }
            self.note_uses(spot, node);
            let pointer = &self.spots[spot.0].pointer;
            let inside = dialect.subschemas(node).into_iter().filter(|(_, inside)| {
                // The definitions of a file are listed even where a reference voids them.
                !alone
                    || is_document && (inside.starts_with("/definitions/") || inside.starts_with("/$defs/"))
            });
            let inside: Vec<_> = inside
                .map(|(node, inside)| Start { node, pointer: format!("{pointer}{inside}"), resource })
                .collect();
            waiting.extend(inside.into_iter().rev());
        }
        first
    }

    /// The resource that the schema at a node belongs to: a new one if it has an `$id`.
    fn enter(&mut self, node: &'a Node, pointer: &str, outer: ResourceId, registered: bool) -> ResourceId {
        let Resource { document, dialect: outer_dialect, .. } = self.resources[outer.0];
        let dialect = match node.get("$schema").and_then(Node::as_str).and_then(Dialect::from_uri) {
            Some(dialect) if node.get(dialect.id()).is_some() => dialect,
            _ => outer_dialect,
        };
        let Some(id) = node.get(dialect.id()) else { return outer };
        if dialect.is_lone_reference(node) {
            return outer;
        }
        if let Some(named) = node.get("$schema").filter(|_| !pointer.is_empty())
            && named.as_str().and_then(Dialect::from_uri).is_none()
        {
            let place = self.documents[document].place(&format!("{pointer}/$schema"), named.span);
            self.problems.push(place, Dialect::unknown(named));
        }
        let place = self.documents[document].place(&format!("{pointer}/{}", dialect.id()), id.span);
        let Some(text) = id.as_str() else {
            let message = format!("`{}` is a string, not {}", dialect.id(), id.kind());
            self.problems.push(place, message);
            return outer;
        };
        let (name, fragment) = uri::split(text);
        if !fragment.is_empty() && dialect >= Dialect::Draft2019 {
            self.problems.push(place, "`$id` has no fragment from 2019-09 on; use `$anchor`");
            return outer;
        }
        if name.is_empty() {
            return outer;
        }
        let Some(base) = self.resources[outer.0].base.join(name) else {
            let message = format!("{} is no URI that can be resolved from here", quoted(text));
            self.problems.push(place, message);
            return outer;
        };
        let key = base.key();
        let spot = SpotId(self.spots.len());
        let resource = if pointer.is_empty() {
            // A document is one resource under two names.
            let resource = &mut self.resources[outer.0];
            resource.base = base;
            outer
        } else {
            self.add_resource(document, base, dialect)
        };
        if registered {
            match self.ids.get(&key) {
                Some(&other) => {
                    let other = self.resources[other.0].root;
                    // A copy says the same, wherever a reference finds it.
                    if other != spot && self.spots[other.0].node.to_string() != node.to_string() {
                        let message =
                            format!("{} is already the id of {}", quoted(text), self.spot_place(other));
                        self.problems.push(place, message);
                    }
                }
                None => {
                    self.ids.insert(key, resource);
                }
            }
        }
        resource
    }

    fn note_anchors(&mut self, spot: SpotId, node: &'a Node) {
        let resource = self.spots[spot.0].resource;
        let dialect = self.resources[resource.0].dialect;
        let mut anchors = Vec::new();
        if dialect <= Dialect::Draft7
            && let Some(id) = node.get(dialect.id())
        {
            let (_, name) = uri::split(id.as_str().unwrap_or_default());
            // Some tools write the pointer of a schema as its id. It is no name.
            if !name.is_empty() && !name.starts_with('/') {
                anchors.push((dialect.id(), id, name, false));
            }
        }
        for (keyword, since, dynamic) in
            [("$anchor", Dialect::Draft2019, false), ("$dynamicAnchor", Dialect::Draft2020, true)]
        {
            if dialect < since {
                continue;
            }
            if let Some(anchor) = node.get(keyword) {
                match anchor.as_str() {
                    Some(name) => anchors.push((keyword, anchor, name, dynamic)),
                    None => {
                        let message = format!("`{keyword}` is a string, not {}", anchor.kind());
                        self.problems.push(self.place(spot, &format!("/{keyword}"), anchor.span), message);
                    }
                }
            }
        }
        for (keyword, anchor, name, dynamic) in anchors {
            let taken = self.resources[resource.0].anchors.get(name).copied();
            match taken {
                Some(other) if other != spot => {
                    let message = format!("{} already names {}", quoted(name), self.spot_place(other));
                    self.problems.push(self.place(spot, &format!("/{keyword}"), anchor.span), message);
                }
                _ => {
                    let resource = &mut self.resources[resource.0];
                    resource.anchors.insert(name, spot);
                    if dynamic {
                        resource.dynamic_anchors.insert(name, spot);
                    }
                }
            }
        }
        let recursive =
            node.get("$recursiveAnchor").is_some_and(|value| matches!(value.value, Json::Bool(true)));
        let resource = &mut self.resources[resource.0];
        if recursive && dialect == Dialect::Draft2019 && resource.root == spot {
            resource.is_recursive_anchor = true;
        }
    }

    fn note_uses(&mut self, spot: SpotId, node: &'a Node) {
        let dialect = self.resource_of(spot).dialect;
        for (name, keyword) in [
            ("$ref", Keyword::Ref),
            ("$dynamicRef", Keyword::DynamicRef),
            ("$recursiveRef", Keyword::RecursiveRef),
        ] {
            let Some(value) = node.get(name).filter(|_| dialect.asserts(name)) else { continue };
            match value.as_str() {
                Some(target) if keyword == Keyword::RecursiveRef && target != "#" => {
                    let place = self.place(spot, &format!("/{name}"), value.span);
                    self.problems.push(place, "the value of `$recursiveRef` is always \"#\"");
                }
                Some(target) => self.uses.push(Use { from: spot, keyword, target, span: value.span }),
                None => {
                    let message = format!("`{name}` is a string, not {}", value.kind());
                    self.problems.push(self.place(spot, &format!("/{name}"), value.span), message);
                }
            }
        }
    }

    fn spot_place(&self, spot: SpotId) -> String {
        self.place(spot, "", self.spots[spot.0].node.span).to_string()
    }
}
