//! Small schemas, one for each thing that can be said wrong or right.

mod dialects;
mod dynamic;
mod keywords;
mod reading;
mod references;
mod refusals;

use super::{Mapping, graph_with};
use crate::graph::{Graph, Schema, SchemaId};
use crate::load::{self, Document};
use serde_json::{Value, json};

const DRAFT_4: &str = "http://json-schema.org/draft-04/schema#";
const DRAFT_6: &str = "http://json-schema.org/draft-06/schema#";
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019: &str = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

fn document(path: &str, schema: &Value) -> Document {
    let text = serde_json::to_string_pretty(schema).expect("a value is JSON");
    let root = load::json(path, &text).expect("what serde_json writes is JSON");
    Document::new(path, path, text, root)
}

fn documents(files: &[(&str, Value)]) -> Vec<Document> {
    files.iter().map(|(path, schema)| document(path, schema)).collect()
}

/// The graph of files that are right.
#[track_caller]
fn graph(files: &[(&str, Value)]) -> Graph {
    mapped(&documents(files), &[])
}

#[track_caller]
fn mapped(documents: &[Document], mappings: &[Mapping]) -> Graph {
    graph_with(documents, mappings).unwrap_or_else(|problems| panic!("refused:\n{problems}"))
}

/// What is wrong in files: `a.json #/pointer: message`.
#[track_caller]
fn problems(files: &[(&str, Value)]) -> Vec<String> {
    match super::graph(&documents(files)) {
        Ok(_) => panic!("not refused"),
        Err(problems) => problems
            .0
            .iter()
            .map(|problem| format!("{} {}: {}", problem.place.file, problem.place.pointer, problem.message))
            .collect(),
    }
}

/// What is wrong in one file: `#/pointer: message`.
#[track_caller]
fn problems_of(schema: Value) -> Vec<String> {
    let found = problems(&[("a.json", schema)]);
    found.iter().map(|problem| problem.trim_start_matches("a.json ").to_owned()).collect()
}

impl Graph {
    #[track_caller]
    fn schema(&self, id: SchemaId) -> &Schema {
        &self.schemas[id.0]
    }

    /// The schema at the root of a file.
    #[track_caller]
    fn root(&self, path: &str) -> &Schema {
        let file = self.files.iter().find(|file| file.path == path).expect("the file is there");
        self.schema(file.root.expect("the file has a root"))
    }

    #[track_caller]
    fn property(&self, schema: &Schema, name: &str) -> &Schema {
        let found = schema.properties.iter().find(|(property, _)| property == name);
        self.schema(found.expect("the property is there").1)
    }

    /// The place of the one schema that a property of the root of `a.json` refers to.
    #[track_caller]
    fn target(&self, property: &str) -> String {
        let property = self.property(self.root("a.json"), property);
        assert_eq!(property.references.len(), 1, "one reference");
        let target = self.schema(property.references[0]);
        format!("{}{}", target.place.file, target.place.pointer)
    }
}
