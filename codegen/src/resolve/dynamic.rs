//! References that lead to where the reader comes from: `$dynamicRef` and `$recursiveRef`.

use super::index::{Index, Keyword, ResourceId, SpotId};
use crate::diagnostics::Diagnostics;
use crate::graph::{Graph, Schema, SchemaId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Refuses the dynamic references that lead to different schemas from different starts. All others
/// lead where a plain reference does, and there the graph has them lead already.
pub(super) fn check(index: &Index<'_>, graph: &Graph, spots: &[SpotId], problems: &mut Diagnostics) {
    // Dynamic references by the anchor they look for; `None` is that of `$recursiveRef`.
    let mut uses: BTreeMap<Option<&str>, Vec<(SchemaId, Keyword, ResourceId)>> = BTreeMap::new();
    for (number, spot) in spots.iter().enumerate() {
        for (keyword, target) in &index.spots[spot.0].targets {
            if let Some(anchor) = anchor(index, *keyword, *spot, *target) {
                let home = index.spots[target.0].resource;
                uses.entry(anchor).or_default().push((SchemaId(number), *keyword, home));
            }
        }
    }
    if uses.is_empty() {
        return;
    }
    let mut schemas_of: HashMap<ResourceId, Vec<usize>> = HashMap::new();
    for (number, spot) in spots.iter().enumerate() {
        schemas_of.entry(index.spots[spot.0].resource).or_default().push(number);
    }
    for (anchor, uses) in uses {
        let homes: Vec<ResourceId> = (0..index.resources.len())
            .map(ResourceId)
            .filter(|resource| {
                let resource = &index.resources[resource.0];
                anchor
                    .map_or(resource.is_recursive_anchor, |name| resource.dynamic_anchors.contains_key(name))
            })
            .collect();
        if homes.len() < 2 {
            continue;
        }
        for home in homes {
            let reached = reach(graph, schemas_of.get(&home).map(Vec::as_slice).unwrap_or_default());
            for (schema, keyword, static_home) in &uses {
                if *static_home != home && reached.contains(&schema.0) {
                    let place = &graph.schemas[schema.0].place;
                    let other = &index.resources[home.0].root;
                    let other = index.place(*other, "", index.spots[other.0].node.span);
                    let name = keyword.name();
                    let message = format!(
                        "`{name}` leads elsewhere for who comes from {other}, which no one type can follow; use `$ref`"
                    );
                    let span =
                        index.spots[spots[schema.0].0].node.get(name).map_or(place.span, |node| node.span);
                    problems.push(index.place(spots[schema.0], &format!("/{name}"), span), message);
                }
            }
        }
    }
}

/// The name that a dynamic reference looks for, if it is dynamic where it first leads.
fn anchor<'a>(index: &Index<'a>, keyword: Keyword, from: SpotId, target: SpotId) -> Option<Option<&'a str>> {
    let resource = index.resource_of(target);
    match keyword {
        Keyword::Ref => None,
        Keyword::RecursiveRef => resource.is_recursive_anchor.then_some(None),
        Keyword::DynamicRef => {
            let reference = index.spots[from.0].node.get("$dynamicRef")?.as_str()?;
            let (_, fragment) = super::uri::split(reference);
            let fragment = super::uri::decode(fragment)?;
            let (name, _) = resource.dynamic_anchors.get_key_value(fragment.as_str())?;
            Some(Some(name))
        }
    }
}

/// All schemas that some lead to.
fn reach(graph: &Graph, starts: &[usize]) -> HashSet<usize> {
    let mut reached: HashSet<usize> = starts.iter().copied().collect();
    let mut waiting = starts.to_vec();
    while let Some(schema) = waiting.pop() {
        for next in all_inside(&graph.schemas[schema]) {
            if reached.insert(next.0) {
                waiting.push(next.0);
            }
        }
    }
    reached
}

fn all_inside(schema: &Schema) -> Vec<SchemaId> {
    let mut found = schema.references.clone();
    for list in [&schema.all_of, &schema.prefix_items] {
        found.extend(list);
    }
    for list in [&schema.any_of, &schema.one_of].into_iter().flatten() {
        found.extend(list);
    }
    for map in [&schema.properties, &schema.pattern_properties, &schema.dependent_schemas] {
        found.extend(map.iter().map(|(_, id)| *id));
    }
    for one in [
        schema.items,
        schema.contains,
        schema.unevaluated_items,
        schema.additional_properties,
        schema.property_names,
        schema.unevaluated_properties,
        schema.not,
    ] {
        found.extend(one);
    }
    if let Some(condition) = &schema.condition {
        found.push(condition.when);
        found.extend(condition.then);
        found.extend(condition.otherwise);
    }
    found
}
