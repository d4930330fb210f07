//! Arrays.

use super::flat::Flat;
use super::shape::Made;
use super::{Lowering, Naming};
use crate::graph::{Schema, SchemaId};
use crate::ir::{List, Shape, Tuple, TypeRef};
use std::collections::HashSet;

/// How many places of a tuple are looked through for one that asks the same as another.
const MOST_KINDS: usize = 16;

/// How many schemas are looked at to see whether two ask the same.
const MOST_COMPARED: usize = 256;

impl Lowering {
    pub(super) fn list_shape(&mut self, flat: &Flat, naming: &Naming) -> Made {
        let parts: Vec<Schema> = flat.parts.iter().map(|id| self.schema(*id).clone()).collect();
        if parts.iter().any(|part| part.contains.is_some() || part.unevaluated_items.is_some()) {
            return self.sealed(flat, None, naming);
        }
        let min_items = parts.iter().filter_map(|part| part.min_items).max().filter(|count| *count > 0);
        let max_items = parts.iter().filter_map(|part| part.max_items).min();
        let unique = parts.iter().any(|part| part.unique_items);
        let rest: Vec<SchemaId> = parts.iter().filter_map(|part| part.items).collect();
        let items = self.use_of(&rest, &naming.member("", "item"));
        let places = parts.iter().map(|part| part.prefix_items.len()).max().unwrap_or(0);
        if places > 0 || items == TypeRef::Never {
            return self.tuple(&parts, places, (rest, items), (min_items, max_items), unique, naming);
        }
        if min_items.is_none() && max_items.is_none() && !unique {
            Made::Ref(TypeRef::List(Box::new(items)))
        } else {
            Made::Shape(Shape::List(List { items, min_items, max_items, unique }))
        }
    }

    /// Whether two sets of schemas ask the same and have the same titles, wherever they stand.
    fn ask_the_same(&self, some: &[SchemaId], others: &[SchemaId]) -> bool {
        let mut pairs: Vec<(SchemaId, SchemaId)> = some.iter().copied().zip(others.iter().copied()).collect();
        let titles = pairs.iter().all(|(a, b)| self.schema(*a).title == self.schema(*b).title);
        let mut seen = HashSet::new();
        let mut same = some.len() == others.len() && titles;
        while let Some((a, b)) = pairs.pop().filter(|_| same) {
            let (a, b) = (self.followed(a), self.followed(b));
            if a == b || !seen.insert((a, b)) {
                continue;
            }
            let is_named = self.reserved.contains_key(&a) || self.reserved.contains_key(&b);
            let (a, b) = (self.schema(a), self.schema(b));
            let (inside, others) = (a.parts(), b.parts());
            same = !is_named
                && seen.len() < MOST_COMPARED
                && a.bare() == b.bare()
                && inside.len() == others.len()
                && inside.iter().zip(&others).all(|((part, _), (other, _))| part == other);
            pairs.extend(inside.into_iter().zip(others).map(|((_, a), (_, b))| (a, b)));
        }
        same
    }

    fn tuple(
        &mut self,
        parts: &[Schema],
        places: usize,
        (after, rest): (Vec<SchemaId>, TypeRef),
        (min_items, max_items): (Option<u64>, Option<u64>),
        unique: bool,
        naming: &Naming,
    ) -> Made {
        let most = max_items.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let schemas = |place: usize| -> Vec<SchemaId> {
            parts.iter().filter_map(|part| part.prefix_items.get(place).copied().or(part.items)).collect()
        };
        let wanted: Vec<Vec<SchemaId>> = (0..places.min(most)).map(schemas).collect();
        // Places that ask the same are of one type, which is called after the first of them, or after
        // none where all places ask it.
        let mut kinds: Vec<(&[SchemaId], String)> = vec![(&after, "item".to_owned())];
        let all_alike = wanted.iter().skip(1).all(|schemas| self.ask_the_same(&wanted[0], schemas));
        let mut items = Vec::new();
        for (place, schemas) in wanted.iter().enumerate() {
            let known = kinds.iter().find(|(known, _)| self.ask_the_same(known, schemas)).cloned();
            let (schemas, name) = known.unwrap_or_else(|| {
                let is_one = all_alike && wanted.len() > 1;
                let name = if is_one { "item".to_owned() } else { format!("item {}", place + 1) };
                if kinds.len() < MOST_KINDS {
                    kinds.push((schemas, name.clone()));
                }
                (schemas, name)
            });
            let item = self.use_of(schemas, &naming.member("", &name));
            if item == TypeRef::Never {
                break;
            }
            items.push(item);
        }
        // Where an item can't be, none can follow.
        let ends = items.len() < places || items.len() == most || rest == TypeRef::Never;
        let fewest = min_items.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        if ends && fewest > items.len() {
            return Made::Ref(TypeRef::Never);
        }
        // One item differs from all others.
        let unique = unique && (items.len() > 1 || !ends);
        Made::Shape(Shape::Tuple(Tuple {
            required: fewest.min(items.len()),
            rest: (!ends).then_some(rest),
            min_items: min_items.filter(|_| fewest > items.len()),
            max_items: max_items.filter(|_| !ends),
            items,
            unique,
        }))
    }
}
