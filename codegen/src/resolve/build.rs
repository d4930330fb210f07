//! Makes the graph: reads each schema that is reached, whatever its draft, into the one form.

mod keywords;
mod remarks;

use super::dialect::Dialect;
use super::dynamic::{ScopeId, Scopes};
use super::index::{Index, SpotId, State};
use crate::diagnostics::Diagnostics;
use crate::graph::{File, Graph, Schema, SchemaId};
use crate::json::{Json, Node, escape};
use crate::load::Document;
use std::collections::{HashMap, HashSet, VecDeque};

/// How many schemas dynamic references may make of one.
const MOST_SCOPES: ScopeId = 64;

/// The graph of all schemas in the index that can be reached.
pub(super) fn build(index: &Index<'_>, problems: &mut Diagnostics) -> Graph {
    let mut builder = Builder {
        index,
        problems,
        schemas: Vec::with_capacity(index.spots.len()),
        ids: Vec::new(),
        scopes: Scopes::new(index),
        scope: 0,
        waiting: VecDeque::new(),
        patterns: HashMap::new(),
        notes: Diagnostics::default(),
        unknown_formats: HashSet::new(),
    };
    let mut files = Vec::new();
    // What is there on demand comes last: then it is known which of its schemas are in demand.
    for on_demand in [false, true] {
        for (number, (document, state)) in index.documents.iter().zip(&index.states).enumerate() {
            match state {
                State::Scanned(root) if document.on_demand == on_demand => {
                    files.push((number, builder.file(document, *root)));
                }
                _ => {}
            }
        }
        while let Some((id, spot, scope)) = builder.waiting.pop_front() {
            builder.scope = scope;
            builder.schemas[id.0] = builder.schema(spot);
        }
        builder.scope = 0;
    }
    files.sort_by_key(|(number, _)| *number);
    let files = files.into_iter().map(|(_, file)| file).collect();
    Graph { schemas: builder.schemas, files, notes: builder.notes, ..Graph::default() }
}

struct Builder<'i, 'a> {
    index: &'i Index<'a>,
    problems: &'i mut Diagnostics,
    schemas: Vec<Schema>,
    /// For each scope, the schema of each spot that was reached in it.
    ids: Vec<Vec<Option<SchemaId>>>,
    scopes: Scopes<'a>,
    /// The scope of the schema in hand.
    scope: ScopeId,
    waiting: VecDeque<(SchemaId, SpotId, ScopeId)>,
    /// Patterns that were checked, with what is wrong with them.
    patterns: HashMap<&'a str, Option<String>>,
    notes: Diagnostics,
    /// The formats that a note says are not known.
    unknown_formats: HashSet<String>,
}

impl<'a> Builder<'_, 'a> {
    fn file(&mut self, document: &Document, root: SpotId) -> File {
        let node = self.index.spots[root.0].node;
        let dialect = self.index.resource_of(root).dialect;
        let mut definitions = Vec::new();
        let mut has_definitions = false;
        for member in node.members() {
            if member.name != "definitions" && member.name != "$defs" {
                continue;
            }
            has_definitions = true;
            if !matches!(member.node.value, Json::Object(_)) {
                if !dialect.is_lone_reference(node) {
                    let what = format!("`{}` is an object of schemas", member.name);
                    self.wrong(root, &format!("/{}", member.name), &member.node, &what);
                }
                continue;
            }
            for definition in member.node.members() {
                let inside = format!("/{}/{}", member.name, escape(&definition.name));
                if document.on_demand && !self.is_reached(&definition.node) {
                    continue;
                }
                if let Some(id) = self.child(root, &definition.node, &inside) {
                    definitions.push((definition.name.clone(), id));
                }
            }
        }
        let asserts = node.members().iter().any(|member| dialect.asserts(&member.name));
        let has_root = (asserts || !has_definitions) && (!document.on_demand || self.is_reached(node));
        let root = has_root.then(|| self.id(root));
        File { path: document.path.clone(), root, definitions }
    }

    fn is_reached(&self, node: &Node) -> bool {
        self.index.spot_of(node).is_some_and(|spot| self.ids.iter().any(|ids| ids[spot.0].is_some()))
    }

    /// The schema of a spot for who comes from the schema in hand, to be made if it is not yet.
    fn id(&mut self, spot: SpotId) -> SchemaId {
        let scope = self.scopes.enter(self.index, self.scope, spot);
        while self.ids.len() <= scope {
            self.ids.push(vec![None; self.index.spots.len()]);
        }
        if let Some(id) = self.ids[scope][spot.0] {
            return id;
        }
        let id = self.add(Schema::default());
        self.ids[scope][spot.0] = Some(id);
        if scope == MOST_SCOPES {
            let message = format!("`$dynamicRef` makes more than {MOST_SCOPES} schemas of it; use `$ref`");
            self.problem(spot, "", self.index.spots[spot.0].node, message);
        }
        if scope < MOST_SCOPES {
            self.waiting.push_back((id, spot, scope));
        }
        id
    }

    fn add(&mut self, schema: Schema) -> SchemaId {
        self.schemas.push(schema);
        SchemaId(self.schemas.len() - 1)
    }

    /// The schema that stands inside another at `inside`.
    fn child(&mut self, parent: SpotId, node: &'a Node, inside: &str) -> Option<SchemaId> {
        let before_booleans = self.index.resource_of(parent).dialect == Dialect::Draft4;
        if before_booleans && matches!(node.value, Json::Bool(_)) {
            let may_be = ["/additionalProperties", "/additionalItems"].contains(&inside);
            if !may_be {
                self.wrong(parent, inside, node, "a schema of draft-04 is an object");
                return None;
            }
        }
        match self.index.spot_of(node) {
            Some(spot) => Some(self.id(spot)),
            None => {
                self.wrong(parent, inside, node, "a schema is an object or a boolean");
                None
            }
        }
    }

    /// Notes that a value has the wrong type: `expected`, and what it is.
    fn wrong(&mut self, spot: SpotId, inside: &str, node: &Node, expected: &str) {
        self.problem(spot, inside, node, format!("{expected}, not {}", node.kind()));
    }

    fn problem(&mut self, spot: SpotId, inside: &str, node: &Node, message: impl Into<String>) {
        self.problems.push(self.index.place(spot, inside, node.span), message);
    }

    fn schema(&mut self, spot: SpotId) -> Schema {
        let index = self.index;
        let node = index.spots[spot.0].node;
        let dialect = index.resource_of(spot).dialect;
        let mut schema = Schema {
            place: index.place(spot, "", node.span),
            document: index.resource_of(spot).document,
            pointer: index.spots[spot.0].pointer.clone(),
            floats_are_not_integers: dialect == Dialect::Draft4,
            min_contains: 1,
            ..Schema::default()
        };
        if let Json::Bool(value) = node.value {
            schema.boolean = Some(value);
            return schema;
        }
        for (keyword, target) in &index.spots[spot.0].targets {
            let target = self.scopes.target(index, self.scope, *keyword, spot, *target);
            let target = self.id(target);
            schema.references.push(target);
        }
        if dialect.is_lone_reference(node) {
            // Annotations say nothing of the value, so they may stay.
            schema.title = node.get("title").and_then(Node::as_str).map(str::to_owned);
            schema.description = node.get("description").and_then(Node::as_str).map(str::to_owned);
            schema.deprecated = matches!(node.get("deprecated"), Some(Node { value: Json::Bool(true), .. }));
            return schema;
        }
        self.note_misspelt(spot, node);
        keywords::Reading { builder: self, spot, dialect, node }.read(&mut schema);
        self.note_rules(spot, node, &schema);
        schema
    }

    /// What is wrong with an ECMA-262 pattern, if anything is.
    fn pattern_error(&mut self, pattern: &'a str) -> Option<String> {
        let checked = self.patterns.entry(pattern).or_insert_with(|| {
            // The engine reads alternatives by recursion, and has no bound of its own for them.
            const MOST_BARS: usize = 1000;
            if pattern.bytes().filter(|byte| *byte == b'|').count() > MOST_BARS {
                return Some(format!("more than {MOST_BARS} alternatives"));
            }
            let unicode = regress::Regex::with_flags(pattern, "u").err()?.to_string();
            // Published patterns also escape what only the older syntax lets them escape. But it takes
            // these for plain letters, which nobody means.
            let changes_meaning = ["\\p{", "\\P{", "\\u{"].iter().any(|escape| pattern.contains(escape));
            (changes_meaning || regress::Regex::new(pattern).is_err()).then_some(unicode)
        });
        checked.clone()
    }
}
