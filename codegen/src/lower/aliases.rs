//! Other names for types: no long chains of them, and none that holds itself.
//!
//! The compiler writes out a type's other name wherever it stands. So an alias can't hold itself, and
//! aliases that hold each other are one deep type to it.

use super::Lowering;
use crate::ir::{List, Map, Shape, TextRules, TypeId, TypeRef};

/// How deep lists, maps and options nest in a type without a new type in between. The compiler follows
/// 128 steps at most to see what such a type can do.
pub(super) const MOST_NESTED: usize = 16;

/// How far an alias is from what it stands for.
#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Unknown,
    /// It is on the way to itself.
    Open,
    /// So many aliases, lists, maps and options.
    Is(usize),
}

impl Lowering {
    /// Makes new types of the aliases that hold themselves or are too deep, and lets the rest of a
    /// chain of plain aliases name its end.
    pub(super) fn shorten_aliases(&mut self) {
        let mut depths = vec![Depth::Unknown; self.types.len()];
        for start in 0..self.types.len() {
            let mut way = vec![start];
            while let Some(&index) = way.last() {
                let inner = match self.aliased(index) {
                    _ if depths[index] != Depth::Unknown && depths[index] != Depth::Open => None,
                    None => Some(Depth::Is(0)),
                    Some(None) => Some(Depth::Is(self.shortened(index, 0))),
                    Some(Some(held)) => match depths.get(held.0) {
                        Some(Depth::Unknown) => {
                            depths[index] = Depth::Open;
                            way.push(held.0);
                            continue;
                        }
                        Some(Depth::Open) => {
                            self.open_circle(&mut way, held.0, &mut depths);
                            continue;
                        }
                        Some(Depth::Is(inner)) => Some(Depth::Is(self.shortened(index, *inner))),
                        // It was added here, for the inside of an alias.
                        None => Some(Depth::Is(0)),
                    },
                };
                depths[index] = inner.unwrap_or(depths[index]);
                way.pop();
            }
        }
    }

    /// Makes a new type of one alias of a circle: the part of the way from `first` on.
    fn open_circle(&mut self, way: &mut Vec<usize>, first: usize, depths: &mut [Depth]) {
        while let Some(index) = way.pop() {
            depths[index] = Depth::Unknown;
            if self.close(index) {
                depths[index] = Depth::Is(0);
                return;
            }
            if index == first {
                // No circle without a list or map comes here: `resolve` refuses it.
                depths[index] = Depth::Is(0);
                return;
            }
        }
    }

    /// What an alias holds; `None` where the type is no alias.
    fn aliased(&self, index: usize) -> Option<Option<TypeId>> {
        match &self.types.get(index)?.as_ref()?.shape {
            Shape::Alias(target) => Some(match innermost(target) {
                TypeRef::Named(id) => Some(*id),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The depth of an alias of what is `inner` deep, once it is not too deep.
    fn shortened(&mut self, index: usize, inner: usize) -> usize {
        let Some(Shape::Alias(target)) = self.types[index].as_ref().map(|ty| &ty.shape) else { return 0 };
        let depth = inner + nesting(target) + 1;
        if depth <= MOST_NESTED {
            return depth;
        }
        let end = match target {
            TypeRef::Named(id) => match self.types[id.0].as_ref().map(|ty| &ty.shape) {
                Some(Shape::Alias(end @ TypeRef::Named(_))) => Some(end.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(end) = end
            && let Some(ty) = &mut self.types[index]
        {
            // The next of the chain was shortened already where it had to be.
            ty.shape = Shape::Alias(end);
            return inner;
        }
        if self.close(index) { 0 } else { depth }
    }

    /// Makes a new type of an alias, or of the list or map inside it; false where there is none.
    fn close(&mut self, index: usize) -> bool {
        let Some(ty) = &mut self.types[index] else { return false };
        let Shape::Alias(target) = &ty.shape else { return false };
        match target.clone() {
            TypeRef::Nullable(inner) if nesting(&inner) > 0 => {
                let mut held = ty.clone();
                held.name = self.scope.take([format!("{}Value", ty.name).as_str()]);
                held.shape = Shape::Alias(*inner);
                self.types.push(Some(held));
                let id = TypeId(self.types.len() - 1);
                if let Some(ty) = &mut self.types[index] {
                    ty.shape = Shape::Alias(TypeRef::Nullable(Box::new(TypeRef::Named(id))));
                }
                self.close(id.0)
            }
            other => match new_type(&other) {
                Some(shape) => {
                    ty.shape = shape;
                    true
                }
                None => false,
            },
        }
    }
}

/// How many lists, maps and options a use of a type has around its innermost one.
pub(super) fn nesting(mut ty: &TypeRef) -> usize {
    let mut depth = 0;
    while let TypeRef::List(inner) | TypeRef::Map(inner) | TypeRef::Nullable(inner) = ty {
        depth += 1;
        ty = inner;
    }
    depth
}

/// What lists, maps and options of a use are around.
pub(super) fn innermost(mut ty: &TypeRef) -> &TypeRef {
    while let TypeRef::List(inner) | TypeRef::Map(inner) | TypeRef::Nullable(inner) = ty {
        ty = inner;
    }
    ty
}

/// A list or a map as a type of its own.
pub(super) fn new_type(ty: &TypeRef) -> Option<Shape> {
    match ty {
        TypeRef::List(items) => {
            let items = TypeRef::clone(items);
            Some(Shape::List(List { items, min_items: None, max_items: None, unique: false }))
        }
        TypeRef::Map(values) => Some(Shape::Map(Map {
            names: TextRules::default(),
            values: TypeRef::clone(values),
            min_members: None,
            max_members: None,
        })),
        _ => None,
    }
}
