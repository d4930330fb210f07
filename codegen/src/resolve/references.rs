//! Follows every reference to the schema that it names.

use super::Mapping;
use super::dialect::Dialect;
use super::index::{Index, Keyword, ResourceId, SpotId, State, Use};
use super::uri::{self, Address};
use crate::json::{Node, quoted};
use crate::load::Document;
use std::collections::HashMap;

/// The index of all schemas of the documents, every reference followed.
pub(super) fn follow_all<'a>(documents: &'a [Document], mappings: Option<&[Mapping]>) -> Index<'a> {
    let mut walk = Walk::new(documents, mappings);
    for (number, document) in documents.iter().enumerate() {
        if !document.on_demand && document.root.get("$schema").is_some() {
            walk.open(number, None);
        }
    }
    walk.follow_found();
    for (number, document) in documents.iter().enumerate() {
        if !document.on_demand && walk.index.states[number] == State::Waiting {
            walk.open(number, None);
            walk.follow_found();
        }
    }
    // Only now is every name known, so what was not found before may be found now.
    walk.is_complete = true;
    let unresolved = std::mem::take(&mut walk.unresolved);
    for found in unresolved {
        walk.follow(found);
    }
    walk.follow_found();
    for spot in &mut walk.index.spots {
        spot.targets.sort();
    }
    walk.index
}

/// Where a document has its dialect from.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// Its own `$schema`.
    Itself,
    /// The first reference to it from a file that has one.
    Reference,
    /// From nowhere.
    Default,
}

struct Walk<'a> {
    index: Index<'a>,
    origins: Vec<Origin>,
    /// Documents by where they lie, and by the URLs that are mapped to there.
    files: HashMap<String, usize>,
    /// Documents by the id at their root. The index has these too, but only once their dialect is
    /// known, and without those that stand beside a `$ref`.
    names: HashMap<String, usize>,
    /// References that were not found before every document was scanned.
    unresolved: Vec<Use<'a>>,
    is_complete: bool,
    /// Whether files can be given for URLs.
    can_map: bool,
}

/// Where the part of a reference before `#` leads.
enum Located {
    Resource(ResourceId),
    Document(usize),
    Nothing,
}

impl<'a> Walk<'a> {
    fn new(documents: &'a [Document], mappings: Option<&[Mapping]>) -> Self {
        let can_map = mappings.is_some();
        let mappings = mappings.unwrap_or_default();
        let index = Index::new(documents);
        let mut files = HashMap::new();
        let mut names = HashMap::new();
        for (number, (document, address)) in documents.iter().zip(&index.addresses).enumerate() {
            let Some(address) = address else { continue };
            files.insert(address.key(), number);
            let mapped = mappings.iter().filter_map(|mapping| mapping.url(&document.path));
            for address in mapped.filter_map(|url| Address::parse(&url)) {
                files.insert(address.key(), number);
            }
            for keyword in ["$id", "id"] {
                let id = document.root.get(keyword).and_then(Node::as_str);
                let name = id.map(|id| uri::split(id).0).filter(|name| !name.is_empty());
                if let Some(address) = name.and_then(|name| address.join(name))
                    && has_id_keyword(document, keyword)
                {
                    names.entry(address.key()).or_insert(number);
                }
            }
        }
        let origins = vec![Origin::Itself; documents.len()];
        Self { index, origins, files, names, unresolved: Vec::new(), is_complete: false, can_map }
    }

    /// Scans a document. If it does not name its dialect, it has that of who refers to it, and must
    /// tell by itself where nothing does.
    fn open(&mut self, number: usize, referrer: Option<Dialect>) {
        let document = &self.index.documents[number];
        let dialect = match document.root.get("$schema") {
            None => {
                self.origins[number] = referrer.map_or(Origin::Default, |_| Origin::Reference);
                referrer.unwrap_or_else(|| Dialect::guess(&document.root))
            }
            Some(named) => match named.as_str().and_then(Dialect::from_uri) {
                Some(dialect) => dialect,
                None => {
                    self.index.problems.push(document.place("/$schema", named.span), Dialect::unknown(named));
                    self.index.states[number] = State::Broken;
                    return;
                }
            },
        };
        self.index.scan_document(number, dialect);
    }

    /// Follows the references that were found, and those that are found on the way.
    fn follow_found(&mut self) {
        let mut next = 0;
        while next < self.index.uses.len() {
            let found = self.index.uses[next];
            next += 1;
            self.follow(found);
        }
        self.index.uses.clear();
    }

    fn follow(&mut self, found: Use<'a>) {
        match self.target(found) {
            Ok(Some(target)) => self.index.spots[found.from.0].targets.push((found.keyword, target)),
            // It leads into a file that was refused, which is problem enough.
            Ok(None) => {}
            Err(why) if self.is_complete => {
                let name = found.keyword.name();
                let place = self.index.place(found.from, &format!("/{name}"), found.span);
                self.index.problems.push(place, format!("`{name}` leads to {}, {why}", quoted(found.target)));
            }
            Err(_) => self.unresolved.push(found),
        }
    }

    fn target(&mut self, found: Use<'a>) -> Result<Option<SpotId>, String> {
        let (file, fragment) = uri::split(found.target);
        let own = self.index.spots[found.from.0].resource;
        let resource = match self.locate(own, file) {
            Located::Resource(resource) => resource,
            Located::Document(document) => {
                if self.index.states[document] == State::Waiting {
                    self.open(document, Some(self.index.resources[own.0].dialect));
                }
                match self.index.states[document] {
                    State::Scanned(root) => self.index.spots[root.0].resource,
                    State::Waiting | State::Broken => return Ok(None),
                }
            }
            Located::Nothing => return Err(self.nothing(own, file)),
        };
        self.check_dialects(found, resource);
        let fragment = uri::decode(fragment).ok_or("which has a broken percent escape")?;
        let target = match fragment.as_str() {
            "" => self.index.resources[resource.0].root,
            pointer if pointer.starts_with('/') => self.index.follow(resource, pointer)?,
            name => {
                let anchor = self.index.resources[resource.0].anchors.get(name);
                *anchor.ok_or("but no schema there has that anchor")?
            }
        };
        Ok(Some(target))
    }

    fn locate(&self, from: ResourceId, file: &str) -> Located {
        if file.is_empty() {
            return Located::Resource(from);
        }
        let from = &self.index.resources[from.0];
        let lies = self.index.addresses[from.document].as_ref();
        for base in std::iter::once(&from.base).chain(lies) {
            let Some(key) = base.join(file).map(|address| address.key()) else { continue };
            if let Some(resource) = self.index.ids.get(&key) {
                return Located::Resource(*resource);
            }
            if let Some(document) = self.files.get(&key).or_else(|| self.names.get(&key)) {
                return Located::Document(*document);
            }
        }
        Located::Nothing
    }

    fn nothing(&self, from: ResourceId, file: &str) -> String {
        let Some(address) = self.index.resources[from.0].base.join(file) else {
            return "which is no URI that can be resolved from here".to_owned();
        };
        if address.key().contains("://json-schema.org/") {
            return "a metaschema, which is not among the files; add its file, or state the rule in words"
                .to_owned();
        }
        let key = address.key();
        let is_remote = key.starts_with("http://") || key.starts_with("https://");
        let hint = if is_remote && self.can_map {
            "; nothing is fetched: --map URL-PREFIX=FOLDER takes files for such URLs"
        } else {
            ""
        };
        match address.shown().filter(|shown| *shown != file) {
            Some(shown) => format!("but no file is there, and no schema has the id {}{hint}", quoted(shown)),
            None => format!("but no file is there, and no schema has that id{hint}"),
        }
    }

    /// A file without a dialect of its own can't have two.
    fn check_dialects(&mut self, found: Use<'a>, target: ResourceId) {
        let from = self.index.resource_of(found.from);
        let (from, dialect) = (from.document, from.dialect);
        let target = &self.index.resources[target.0];
        let differs = target.document != from
            && target.dialect != dialect
            && self.origins[target.document] != Origin::Itself
            && self.origins[from] != Origin::Default;
        if differs {
            let place = self.index.place(found.from, &format!("/{}", found.keyword.name()), found.span);
            let message = format!(
                "{} says no `$schema`, and files of different dialects refer to it; give it one",
                self.index.documents[target.document].display
            );
            self.index.problems.push(place, message);
        }
    }
}

impl Keyword {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ref => "$ref",
            Self::DynamicRef => "$dynamicRef",
            Self::RecursiveRef => "$recursiveRef",
        }
    }
}

/// Whether the keyword can be the one that names the document: `id` is draft-04's.
fn has_id_keyword(document: &Document, keyword: &str) -> bool {
    let dialect = document.root.get("$schema").and_then(Node::as_str).and_then(Dialect::from_uri);
    dialect.is_none_or(|dialect| dialect.id() == keyword)
}
