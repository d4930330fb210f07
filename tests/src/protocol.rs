//! The schemas of a protocol, as the generator sees them, and what they accept according to a
//! validator by other people.

use crate::workspace;
use jsonschema::{Registry, Validator};
use ludwire_codegen::config::{self, Config, Kind, ProtocolConfig};
use ludwire_codegen::load::{Document, Source};
use ludwire_codegen::{catalogue, ir, load, overlay};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A protocol: its files with the changes of its overlay, in one of two forms.
pub struct Protocol {
    /// Its name in `ludwire.toml`.
    pub name: String,
    /// Its files, in the order of the generator.
    pub files: Vec<File>,
    /// What the generator made of them, for questions of the sort "is this all?".
    pub ir: ir::Protocol,
    /// The same files with the places of their values.
    pub documents: Vec<Document>,
}

/// A file of schemas.
pub struct File {
    /// Path below the protocol's folder.
    pub path: String,
    /// Its URI: the one that its `$id` gives, else one of ours.
    pub uri: String,
    /// Its content.
    pub root: Value,
}

/// What a schema is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What we write: all types but those that are only read.
    Written,
    /// What `decode` reads, some of it in wider forms.
    Read,
}

/// The protocols of `ludwire.toml`.
pub fn all(form: Form) -> Vec<Protocol> {
    let config = config::read(&workspace().join("ludwire.toml")).expect("ludwire.toml can be read");
    config.protocols.iter().map(|protocol| Protocol::read(&config, protocol, form)).collect()
}

/// The protocol called `name`.
pub fn named(name: &str, form: Form) -> Protocol {
    let found = all(form).into_iter().find(|protocol| protocol.name == name);
    found.expect("ludwire.toml names the protocol")
}

impl Protocol {
    fn read(config: &Config, protocol: &ProtocolConfig, form: Form) -> Self {
        let source = amended(config, protocol).expect("the schemas and their overlay can be read");
        let documents = match form {
            Form::Written => source.documents,
            Form::Read => source.reading.unwrap_or(source.documents),
        };
        let file = |document: &Document| {
            let root: Value =
                serde_json::from_str(&document.root.to_string()).expect("a node displays as JSON");
            let uri = match root.get("$id").and_then(Value::as_str) {
                Some(id) => id.to_owned(),
                None => format!("https://{}.invalid/{}", protocol.name, document.path),
            };
            File { path: document.path.clone(), uri, root }
        };
        Self {
            name: protocol.name.clone(),
            files: documents.iter().map(file).collect(),
            ir: ludwire_codegen::read(config, protocol).expect("the generator reads its own protocols"),
            documents,
        }
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> &File {
        let found = self.files.iter().find(|file| file.path == path);
        found.unwrap_or_else(|| panic!("{} has no file {path}", self.name))
    }

    /// The schema that `path#/pointer` names.
    pub fn schema(&self, at: &str) -> &Value {
        let (path, pointer) = at.split_once('#').unwrap_or((at, ""));
        let found = self.file(path).root.pointer(pointer);
        found.unwrap_or_else(|| panic!("{} has no schema {at}", self.name))
    }

    /// Every schema that the files hold as a root or a definition, as `path#/pointer`.
    pub fn roots_and_definitions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for file in &self.files {
            found.push(format!("{}#", file.path));
            for keyword in ["$defs", "definitions"] {
                let definitions = file.root.get(keyword).and_then(Value::as_object);
                for name in definitions.into_iter().flat_map(serde_json::Map::keys) {
                    found.push(format!("{}#/{keyword}/{name}", file.path));
                }
            }
        }
        found
    }

    /// Every member that a schema gives a default, with that default.
    pub fn defaults(&self) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        self.walk(&mut |schema| {
            for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                found.extend(member.get("default").map(|value| (name.clone(), value.clone())));
            }
        });
        found
    }

    /// Every string that some schema asks for, and the names of all members: with these a damaged
    /// document comes close to being another valid one.
    pub fn words(&self) -> Vec<String> {
        let mut found = BTreeSet::new();
        self.walk(&mut |schema| {
            found.extend(schema.get("const").and_then(Value::as_str).map(str::to_owned));
            let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
            found.extend(listed.filter_map(Value::as_str).map(str::to_owned));
            found.extend(
                schema
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .map(|p| p.0.clone()),
            );
        });
        found.into_iter().collect()
    }

    /// The validator of each schema, by `path#/pointer`.
    pub fn oracle(&self) -> Oracle<'_> {
        let uris = self.files.iter().map(|file| (file.uri.as_str(), &file.root));
        // A file is entered under its `$id` also where draft-07 ignores that, beside a `$ref`; so
        // references out of it resolve as its author meant them.
        let registry = Registry::new().extend(uris).and_then(|builder| builder.prepare());
        Oracle { protocol: self, registry: registry.expect("the schemas refer to each other only") }
    }

    fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Value)) {
        let mut waiting: Vec<&Value> = self.files.iter().map(|file| &file.root).collect();
        while let Some(value) = waiting.pop() {
            visit(value);
            match value {
                Value::Array(items) => waiting.extend(items),
                Value::Object(members) => waiting.extend(members.values()),
                _ => {}
            }
        }
    }
}

/// The files of a protocol after its overlay: the first half of what the generator does.
fn amended(
    config: &Config,
    protocol: &ProtocolConfig,
) -> Result<Source, ludwire_codegen::diagnostics::Diagnostics> {
    let overlay = overlay::read(config, protocol)?;
    let mut source = match protocol.kind {
        Kind::JsonSchema => load::folder(config, &protocol.schemas)?,
        Kind::Catalogue => catalogue::source(load::file(config, &protocol.schemas)?)?,
    };
    overlay::apply(&overlay, &mut source)?;
    Ok(source)
}

/// What the schemas of a protocol accept. Formats are asserted.
pub struct Oracle<'a> {
    protocol: &'a Protocol,
    registry: Registry<'a>,
}

impl Oracle<'_> {
    /// The validator of the schema `path#/pointer`.
    pub fn validator(&self, at: &str) -> Validator {
        let (path, pointer) = at.split_once('#').unwrap_or((at, ""));
        let target = format!("{}#{pointer}", self.protocol.file(path).uri);
        let schema = json!({ "$schema": DRAFT, "$ref": target });
        let uuid = format("uuid");
        jsonschema::options()
            .with_registry(&self.registry)
            .should_validate_formats(true)
            // The draft of GABP does not define this format yet, so that the validator would pass it
            // over; the generator takes it as meant, in every draft.
            .with_format("uuid", move |text: &str| uuid.is_valid(&text.into()))
            .build(&schema)
            .unwrap_or_else(|error| panic!("{at}: {error}"))
    }
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The validator of a format, as the newest draft has it.
fn format(name: &str) -> Validator {
    let schema = json!({ "$schema": DRAFT, "format": name });
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).expect("it is a schema")
}
