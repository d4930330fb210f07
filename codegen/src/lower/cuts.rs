//! Ways from type to type that the compiler could not follow to their ends.
//!
//! It goes 128 steps from a type to the types inside it, to see whether it can be sent to a thread say, and
//! gives up there. No JSON nests deeper than that, but definitions can. Behind a
//! [`Far`](crate::support::Far) it does not look, so a type stands in one wherever a way has become too
//! long, and wherever a large circle closes.

use super::Lowering;
use crate::ir::{Rest, Shape, Struct, Tuple, TypeId, TypeRef};
use crate::reach::components;

/// How many types, lists and options may hold each other, each of which is up to five steps to the compiler.
/// Smaller circles stay as they are: they could be gone along all around.
const MOST: usize = 20;

/// As how many of them a map counts.
const MAP: usize = 2;

impl Lowering {
    /// Puts types far away until no way from type to type is too long.
    pub(super) fn cut_ways(&mut self) {
        let mut edges: Vec<Vec<usize>> = Vec::new();
        let mut weights = Vec::new();
        for index in 0..self.types.len() {
            let uses = self.uses(index);
            weights.push(uses.iter().map(|(_, depth)| self.weight_of(index) + depth).max().unwrap_or(0));
            edges.push(uses.into_iter().map(|(used, _)| used).collect());
        }
        let mut far = ends_of_circles(&edges, &weights);
        for edges in &mut edges {
            edges.retain(|used| !far[*used]);
        }
        cut_chains(&edges, &weights, &mut far);
        // Another name for a type is where that is.
        let ends = (0..self.types.len()).map(|index| self.end_of(&TypeRef::Named(TypeId(index))));
        let ends: Vec<bool> =
            ends.map(|end| end.is_some_and(|(end, depth)| depth == 0 && far[end])).collect();
        for (ty, far) in self.types.iter_mut().zip(ends) {
            if let Some(ty) = ty {
                ty.far = far;
            }
        }
    }

    /// What a type counts as, with the list or map that it is itself.
    fn weight_of(&self, index: usize) -> usize {
        match self.types[index].as_ref().map(|ty| &ty.shape) {
            Some(Shape::List(_) | Shape::Tuple(Tuple { rest: Some(_), .. })) => 2,
            Some(Shape::Map(_) | Shape::Struct(Struct { rest: Rest::Typed(_), .. })) => 1 + MAP,
            _ => 1,
        }
    }

    /// The types that a type holds, and what the lists, maps and options around each count as. An alias is
    /// none, and holds none: it is what it stands for.
    fn uses(&self, index: usize) -> Vec<(usize, usize)> {
        match &self.types[index] {
            Some(ty) if !matches!(ty.shape, Shape::Alias(_)) => {
                ty.shape.held().into_iter().filter_map(|held| self.end_of(held)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn end_of(&self, held: &TypeRef) -> Option<(usize, usize)> {
        let (mut held, mut depth) = (held, 0);
        loop {
            match held {
                TypeRef::List(inner) | TypeRef::Nullable(inner) => (held, depth) = (inner, depth + 1),
                TypeRef::Map(inner) => (held, depth) = (inner, depth + MAP),
                TypeRef::Named(id) => match &self.types[id.0].as_ref()?.shape {
                    Shape::Alias(target) => held = target,
                    _ => return Some((id.0, depth)),
                },
                _ => return None,
            }
        }
    }
}

/// The types at which circles close that are too large to be gone along: without the ways to these there
/// are none of them.
fn ends_of_circles(edges: &[Vec<usize>], weights: &[usize]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        OnTheWay,
        Left,
    }
    let components = components(edges);
    let mut sizes = vec![0; edges.len()];
    for (component, weight) in components.iter().zip(weights) {
        sizes[*component] += weight;
    }
    let mut ends = vec![false; edges.len()];
    let mut states = vec![State::Unseen; edges.len()];
    for start in 0..edges.len() {
        if sizes[components[start]] <= MOST || states[start] != State::Unseen {
            continue;
        }
        states[start] = State::OnTheWay;
        let mut way = vec![(start, 0)];
        while let Some((index, taken)) = way.last_mut() {
            let Some(&next) = edges[*index].get(*taken) else {
                states[*index] = State::Left;
                way.pop();
                continue;
            };
            *taken += 1;
            match states[next] {
                _ if components[next] != components[start] => {}
                State::Unseen => {
                    states[next] = State::OnTheWay;
                    way.push((next, 0));
                }
                State::OnTheWay => ends[next] = true,
                State::Left => {}
            }
        }
    }
    ends
}

/// Puts away what would make a chain too long, in which a circle counts as all of its types.
fn cut_chains(edges: &[Vec<usize>], weights: &[usize], far: &mut [bool]) {
    let components = components(edges);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (index, component) in components.iter().enumerate() {
        members[*component].push(index);
    }
    let mut lengths = vec![0; edges.len()];
    // What a component leads to has a lesser number.
    for (component, members) in members.iter().enumerate() {
        let own: usize = members.iter().map(|member| weights[*member]).sum();
        let mut longest = 0;
        for &next in members.iter().flat_map(|member| &edges[*member]) {
            let length = lengths[components[next]];
            if components[next] == component || far[next] {
                continue;
            }
            if length > 0 && own + length > MOST {
                far[next] = true;
            } else {
                longest = longest.max(length);
            }
        }
        lengths[component] = own + longest;
    }
}
