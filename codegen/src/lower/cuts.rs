//! Chains of types that the compiler could not follow to their ends.
//!
//! It goes 128 steps from a type to the types inside it, and gives up there. No JSON nests deeper than
//! that, but definitions can.

use super::Lowering;
use super::aliases::nesting;
use crate::ir::{Shape, TypeId, TypeRef};
use crate::reach::components;
use std::collections::HashSet;

/// How many types hold each other in a chain, each of which can be two steps to the compiler.
const MOST: usize = 60;

/// How many types may form a circle before it is cut; for less the crate can raise the limit.
const LARGEST: usize = 500;

impl Lowering {
    /// Makes checked values of some types of a chain that is too long.
    pub(super) fn cut_chains(&mut self) {
        let mut edges: Vec<Vec<usize>> =
            self.types.iter().map(|ty| ty.as_ref().map_or_else(Vec::new, |ty| ty.shape.uses())).collect();
        // A reader of a union asks the types of its variants for more than a value has.
        let variants: HashSet<usize> = self
            .types
            .iter()
            .zip(&edges)
            .filter(|(ty, _)| {
                ty.as_ref().is_some_and(|ty| matches!(ty.shape, Shape::Union(_) | Shape::Alias(_)))
            })
            .flat_map(|(_, edges)| edges.iter().copied())
            .collect();
        self.cut_circles(&mut edges, &variants);
        let components = components(&edges);
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|index| components[*index]);
        let mut lengths = vec![0; edges.len()];
        for index in order {
            let inner = edges[index].iter().filter(|next| components[**next] != components[index]);
            let length =
                inner.map(|next| lengths[*next]).max().map_or(0, |inner| inner + 1) + self.depth_of(index);
            lengths[index] =
                if length >= MOST && !variants.contains(&index) && self.cut(index) { 0 } else { length };
        }
    }

    /// How many steps the lists, maps and options are that a type has around what it holds.
    fn depth_of(&self, index: usize) -> usize {
        let Some(ty) = &self.types[index] else { return 0 };
        let uses: Vec<&TypeRef> = match &ty.shape {
            Shape::Struct(shape) => shape.fields.iter().map(|field| &field.ty).collect(),
            Shape::Union(shape) => shape.variants.iter().map(|variant| &variant.ty).collect(),
            Shape::List(list) => vec![&list.items],
            Shape::Tuple(tuple) => tuple.items.iter().chain(&tuple.rest).collect(),
            Shape::Map(map) => vec![&map.values],
            Shape::Alias(target) => vec![target],
            Shape::Sealed(sealed) => vec![&sealed.inner],
            _ => Vec::new(),
        };
        2 * uses.into_iter().map(nesting).max().unwrap_or(0)
    }

    /// Cuts what leads in a circle too large to follow, at each so many steps from where it is entered.
    fn cut_circles(&mut self, edges: &mut [Vec<usize>], variants: &HashSet<usize>) {
        let components = components(edges);
        let mut sizes = vec![0usize; edges.len()];
        for component in &components {
            sizes[*component] += 1;
        }
        let mut depths: Vec<Option<usize>> = vec![None; edges.len()];
        for start in 0..edges.len() {
            if sizes[components[start]] <= LARGEST || depths[start].is_some() {
                continue;
            }
            depths[start] = Some(1);
            let mut way = vec![(start, 0)];
            while let Some((index, taken)) = way.last_mut() {
                let (index, edge) = (*index, *taken);
                let Some(&next) = edges[index].get(edge) else {
                    way.pop();
                    continue;
                };
                *taken += 1;
                if depths[next].is_none() && components[next] == components[index] {
                    depths[next] = depths[index].map(|depth| depth + 1);
                    way.push((next, 0));
                }
            }
        }
        for index in 0..edges.len() {
            let is_far = depths[index].is_some_and(|depth| depth % MOST == 0);
            if is_far && !variants.contains(&index) && self.cut(index) {
                edges[index].clear();
            }
        }
    }

    /// Makes a checked value of a type.
    fn cut(&mut self, index: usize) -> bool {
        let Some(key) = self.sources.get(&TypeId(index)).cloned() else { return false };
        let check = self.check_all(&key);
        if let Some(ty) = &mut self.types[index] {
            ty.shape = Shape::Value(check);
        }
        true
    }
}
