//! Arrays.

use super::flat::Flat;
use super::shape::Made;
use super::{Lowering, Naming};
use crate::graph::{Schema, SchemaId};
use crate::ir::{List, Shape, Tuple, TypeRef};

impl Lowering {
    pub(super) fn list_shape(&mut self, flat: &Flat, naming: &Naming) -> Made {
        let parts: Vec<Schema> = flat.parts.iter().map(|id| self.schema(*id).clone()).collect();
        if parts.iter().any(|part| part.contains.is_some() || part.unevaluated_items.is_some()) {
            return self.sealed(flat, None, naming);
        }
        let min_items = parts.iter().filter_map(|part| part.min_items).max().filter(|count| *count > 0);
        let max_items = parts.iter().filter_map(|part| part.max_items).min();
        let unique = parts.iter().any(|part| part.unique_items);
        let items: Vec<SchemaId> = parts.iter().filter_map(|part| part.items).collect();
        let items = self.use_of(&items, &naming.member("", "item"));
        let places = parts.iter().map(|part| part.prefix_items.len()).max().unwrap_or(0);
        if places > 0 || items == TypeRef::Never {
            return self.tuple(&parts, places, items, (min_items, max_items), unique, naming);
        }
        if min_items.is_none() && max_items.is_none() && !unique {
            Made::Ref(TypeRef::List(Box::new(items)))
        } else {
            Made::Shape(Shape::List(List { items, min_items, max_items, unique }))
        }
    }

    fn tuple(
        &mut self,
        parts: &[Schema],
        places: usize,
        rest: TypeRef,
        (min_items, max_items): (Option<u64>, Option<u64>),
        unique: bool,
        naming: &Naming,
    ) -> Made {
        let most = max_items.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let mut items = Vec::new();
        for place in 0..places.min(most) {
            let schemas: Vec<SchemaId> = parts
                .iter()
                .filter_map(|part| part.prefix_items.get(place).copied().or(part.items))
                .collect();
            let item = self.use_of(&schemas, &naming.member("", &format!("item {}", place + 1)));
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
