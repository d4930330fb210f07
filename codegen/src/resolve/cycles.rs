//! Circles and towers of schemas that never come to a value of their own.

use crate::diagnostics::Diagnostics;
use crate::graph::{Graph, Schema};

/// Refuses schemas that lead back to themselves without a step into a member or an item: whether a
/// value passes has no answer then. Each is named once as the start of a circle, however many there
/// are through it. Refuses what leads too far without such a step, too.
pub(super) fn check(graph: &Graph, problems: &mut Diagnostics) {
    let edges: Vec<Vec<usize>> = graph.schemas.iter().map(in_place).collect();
    let mut states = vec![Visit::New; edges.len()];
    let mut heights = vec![0; edges.len()];
    for start in 0..edges.len() {
        if states[start] != Visit::New {
            continue;
        }
        // The way from `start` to the schema in hand, with the number of edges taken from each.
        let mut way = vec![(start, 0)];
        states[start] = Visit::OnTheWay(0);
        while let Some((schema, taken)) = way.last_mut() {
            let Some(&next) = edges[*schema].get(*taken) else {
                states[*schema] = Visit::Done;
                heights[*schema] = height(graph, *schema, &edges[*schema], &heights, problems);
                way.pop();
                continue;
            };
            *taken += 1;
            match states[next] {
                Visit::New => {
                    states[next] = Visit::OnTheWay(way.len());
                    way.push((next, 0));
                }
                Visit::OnTheWay(from) => {
                    let circle: Vec<&Schema> =
                        way[from..].iter().map(|(schema, _)| &graph.schemas[*schema]).collect();
                    report(&circle, problems);
                    states[next] = Visit::Reported;
                }
                Visit::Reported | Visit::Done => {}
            }
        }
    }
}

/// How many schemas inside each other apply to the same value; what is a mere reference does not
/// count. Whoever checks a value goes from one to the next, so there is a bound.
fn height(
    graph: &Graph,
    schema: usize,
    edges: &[usize],
    heights: &[usize],
    problems: &mut Diagnostics,
) -> usize {
    const MOST: usize = 256;
    let inner = edges.iter().map(|next| heights[*next]).max().unwrap_or(0);
    let found = &graph.schemas[schema];
    let height = inner + usize::from(!(found.references.len() == 1 && found.says_nothing_else()));
    if height == MOST + 1 && inner == MOST {
        let message = format!(
            "more than {MOST} schemas apply to the same value through `$ref`, `allOf` and the like, one inside \
             the other; join some of them"
        );
        problems.push(found.place.clone(), message);
    }
    height
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    /// At this position of the way.
    OnTheWay(usize),
    /// On the way, and already named as the start of a circle.
    Reported,
    Done,
}

/// The schemas that the same value must pass or fail.
fn in_place(schema: &Schema) -> Vec<usize> {
    let mut found = schema.references.clone();
    found.extend(&schema.all_of);
    found.extend(schema.any_of.iter().flatten());
    found.extend(schema.one_of.iter().flatten());
    found.extend(schema.not);
    found.extend(schema.dependent_schemas.iter().map(|(_, id)| *id));
    if let Some(condition) = &schema.condition {
        found.push(condition.when);
        found.extend(condition.then);
        found.extend(condition.otherwise);
    }
    found.into_iter().map(|id| id.0).collect()
}

fn report(circle: &[&Schema], problems: &mut Diagnostics) {
    const SHOWN: usize = 6;
    let first = circle[0];
    let mut names: Vec<String> = circle.iter().take(SHOWN).map(|schema| name(schema, first)).collect();
    if circle.len() > SHOWN {
        names.push(format!("({} more)", circle.len() - SHOWN));
    }
    names.push(name(first, first));
    let only_references =
        circle.iter().all(|schema| schema.references.len() == 1 && in_place(schema).len() == 1);
    let kind = if only_references {
        "the references only lead in a circle"
    } else {
        "the schema applies itself to the same value"
    };
    problems.push(first.place.clone(), format!("{kind}: {}", names.join(" → ")));
}

fn name(schema: &Schema, first: &Schema) -> String {
    if schema.place.file == first.place.file {
        schema.place.pointer.clone()
    } else {
        format!("{}{}", schema.place.file, schema.place.pointer)
    }
}
