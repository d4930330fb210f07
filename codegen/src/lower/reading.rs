//! The types that are only read, beside those that are written.

use super::Lowering;
use crate::graph::SchemaId;
use crate::ir::Reading;
use crate::load::{Document, is_below};
use crate::names;
use crate::overlay::Overlay;
use std::collections::{BTreeSet, HashSet};

impl Lowering {
    /// The schema that a type made of several is from: one that is only read, if there is one.
    pub(super) fn origin(&self, key: &[SchemaId]) -> SchemaId {
        key.iter().copied().find(|id| self.graph.wider.contains(&id.0)).unwrap_or(key[0])
    }

    /// Names the wider forms of what has a name.
    pub(super) fn name_wider(&mut self) {
        for (own, wider) in self.sorted_readings() {
            if self.graph.wider.contains(&wider.0)
                && !self.reserved.contains_key(&wider)
                && let Some(name) = self.reserved.get(&own)
            {
                let name = self.scope.take([names::received(name).as_str()]);
                self.reserved.insert(wider, name);
            }
        }
    }

    /// Notes for each type that is only read what it stands for and why it is there. An operation for
    /// reading that none of them comes from does nothing, which is a mistake.
    pub(super) fn note_readings(&mut self, overlay: &Overlay, documents: &[Document]) {
        let places = self.places_of_operations(overlay, documents);
        let own = self.sorted_readings();
        let mut used = HashSet::new();
        for (ty, schema) in std::mem::take(&mut self.readings) {
            let within = self.wider_within(schema);
            let amendments: BTreeSet<usize> = places
                .iter()
                .filter(|(_, id)| within.contains(id))
                .map(|(operation, _)| *operation)
                .collect();
            used.extend(amendments.iter().copied());
            let own = own.iter().find(|(_, wider)| *wider == schema).map(|(own, _)| *own);
            let of = own.and_then(|own| self.made.get(&vec![own])).and_then(|made| self.id_of(made));
            let of = of.and_then(|of| self.types[of.0].as_ref()).map(|def| def.name.clone());
            let amendments =
                amendments.into_iter().map(|index| overlay.operations[index].amendment()).collect();
            if let Some(def) = &mut self.types[ty.0] {
                def.reading = Some(Reading { of, amendments });
            }
        }
        for (index, operation) in overlay.operations.iter().enumerate() {
            if operation.reading && !used.contains(&index) {
                let text = "no message is read in another way because of it";
                self.problems.push(operation.place.clone(), text);
            }
        }
        self.problems.add_lines(&overlay.display, &overlay.text);
    }

    /// What is read in other forms than it is written, in an order that is always the same.
    fn sorted_readings(&self) -> Vec<(SchemaId, SchemaId)> {
        let mut sorted: Vec<_> = self.graph.reading.iter().map(|(own, wider)| (*own, *wider)).collect();
        sorted.sort_unstable();
        sorted
    }

    /// For each operation for reading the innermost schema that it changes or brings.
    fn places_of_operations(&self, overlay: &Overlay, documents: &[Document]) -> Vec<(usize, SchemaId)> {
        let innermost = |file: &str, pointer: &str| {
            let here = |id: &SchemaId| {
                let schema = self.schema(*id);
                documents[schema.document].path == file && is_below(pointer, &schema.pointer)
            };
            self.graph
                .wider
                .clone()
                .map(SchemaId)
                .filter(here)
                .max_by_key(|id| self.schema(*id).pointer.len())
        };
        let reading = overlay.operations.iter().enumerate().filter(|(_, operation)| operation.reading);
        reading
            .filter_map(|(index, operation)| Some((index, innermost(&operation.file, &operation.pointer)?)))
            .collect()
    }

    /// The schemas that count for reading only, from one of them on.
    fn wider_within(&self, start: SchemaId) -> HashSet<SchemaId> {
        let mut found = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            for (_, part) in self.schema(id).parts() {
                if self.graph.wider.contains(&part.0) && found.insert(part) {
                    open.push(part);
                }
            }
        }
        found
    }
}
