//! A message as one table: the members of objects inside it stand below them, under their whole path.

use super::checks::{self, Note};
use super::prose::{Prose, Span, code};
use super::sections::{self, TypeSection, ValueRow};
use super::words::{Described, Words};
use crate::ir::{Field, Presence, Protocol, Rest, Shape, Struct, TypeId, TypeRef};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A message or a type.
#[derive(Debug, Serialize)]
pub(super) struct View {
    pub(super) rust: String,
    pub(super) description: Option<String>,
    pub(super) rows: Vec<Row>,
    /// What other members it may have.
    pub(super) rest: &'static str,
    /// What else holds.
    pub(super) notes: Vec<PlacedNote>,
    /// The values of enums in it, with their meanings.
    pub(super) values: Vec<Values>,
    /// Types in it that no rows can show, and that stand nowhere above on the page.
    pub(super) sections: Vec<TypeSection>,
    /// The Rust types of what is in it.
    pub(super) types: Vec<RustType>,
}

/// A member, at whatever depth.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// `result.tools[].name`
    pub(super) path: String,
    pub(super) ty: Prose,
    pub(super) required: bool,
    pub(super) constraints: Vec<Prose>,
    /// For an object, what other members it may have: `closed`, `open`, `empty` or `told`.
    pub(super) rest: Option<&'static str>,
    pub(super) deprecated: bool,
    pub(super) description: Option<String>,
}

/// What holds somewhere in a message.
#[derive(Debug, Serialize)]
pub(super) struct PlacedNote {
    /// Where; empty for the message as a whole.
    pub(super) path: String,
    pub(super) note: Note,
}

/// The values of an enum.
#[derive(Debug, Serialize)]
pub(super) struct Values {
    /// Where they stand.
    pub(super) paths: Vec<String>,
    /// Their Rust type.
    pub(super) rust: String,
    pub(super) values: Vec<ValueRow>,
}

/// The Rust type of a member.
#[derive(Debug, Serialize)]
pub(super) struct RustType {
    pub(super) path: String,
    pub(super) rust: String,
}

/// The views of what stands on one page.
pub(super) struct Tables<'a> {
    words: Words<'a>,
    /// The types with a section of their own, those of them that have it already, and by whom they are used.
    shown: BTreeSet<TypeId>,
}

impl<'a> Tables<'a> {
    /// For a page with these messages or types.
    pub(super) fn new(protocol: &'a Protocol, roots: &[TypeId]) -> Self {
        let mut apart = BTreeMap::new();
        let mut seen: BTreeSet<TypeId> = roots.iter().copied().collect();
        let mut open: Vec<(TypeId, bool)> = roots.iter().map(|id| (*id, false)).collect();
        while let Some((id, in_union)) = open.pop() {
            let Some(def) = protocol.types.get(id.0) else { continue };
            let is_row = matches!(def.shape, Shape::Struct(_)) && !def.recursive && !in_union;
            let is_line = matches!(def.shape, Shape::Enum(_)) || !sections::has_section(protocol, id);
            if !roots.contains(&id) && !is_row && (!is_line || in_union) {
                let target = format!("#{}", anchor(&def.name));
                apart.insert(id, (sections::title(def).to_owned(), target));
            }
            let splits = matches!(def.shape, Shape::Union(_) | Shape::Tuple(_));
            for used in def.shape.uses().into_iter().map(TypeId) {
                let needs_more = splits
                    && protocol.types.get(used.0).is_some_and(|def| matches!(def.shape, Shape::Struct(_)));
                if seen.insert(used) || (needs_more && !apart.contains_key(&used)) {
                    open.push((used, needs_more));
                }
            }
        }
        Self { words: Words { protocol, sections: apart }, shown: BTreeSet::new() }
    }

    /// What stands on the page of a type.
    pub(super) fn view(&mut self, id: TypeId) -> View {
        let protocol = self.words.protocol;
        let mut view = View {
            rust: sections::rust_name(protocol, id),
            description: protocol.types.get(id.0).and_then(|def| def.description.clone()),
            rows: Vec::new(),
            rest: "open",
            notes: Vec::new(),
            values: Vec::new(),
            sections: Vec::new(),
            types: Vec::new(),
        };
        let mut apart = Vec::new();
        if let Some(object) = protocol.object(id) {
            view.rest = rest(object);
            Rows { words: &self.words, view: &mut view, apart: &mut apart, within: vec![id] }
                .object(object, "");
        }
        // Sections are found in the order of the rows, and what they use after them.
        let mut at = 0;
        while let Some(id) = apart.get(at).copied() {
            at += 1;
            if !self.shown.insert(id) {
                continue;
            }
            view.sections.extend(sections::type_section(&self.words, id));
            let uses = protocol.types.get(id.0).map_or_else(Vec::new, |def| def.shape.uses());
            apart.extend(uses.into_iter().map(TypeId).filter(|id| self.words.sections.contains_key(id)));
        }
        view
    }
}

/// What the place of a type on a page is called.
pub(super) fn anchor(rust: &str) -> String {
    format!("type:{rust}")
}

fn rest(object: &Struct) -> &'static str {
    match &object.rest {
        Rest::Closed if object.fields.is_empty() => "empty",
        Rest::Closed => "closed",
        Rest::Open => "open",
        Rest::Typed(_) | Rest::Checked(_) => "told",
    }
}

struct Rows<'a, 'b> {
    words: &'a Words<'b>,
    view: &'a mut View,
    /// Types with sections, in the order in which they are met.
    apart: &'a mut Vec<TypeId>,
    /// The objects that this is inside of.
    within: Vec<TypeId>,
}

impl Rows<'_, '_> {
    fn object(&mut self, object: &Struct, path: &str) {
        for field in &object.fields {
            self.field(field, path);
        }
        let notes = checks::object_notes(object, self.words.protocol, |rest| match rest {
            Rest::Typed(_) => Some(sections::typed_rest(self.words, rest)),
            _ => None,
        });
        let placed = |note| PlacedNote { path: path.to_owned(), note };
        self.view.notes.extend(notes.into_iter().map(placed));
    }

    fn field(&mut self, field: &Field, within: &str) {
        let path = if within.is_empty() { field.wire.clone() } else { format!("{within}.{}", field.wire) };
        let Described { ty, mut rules } = self.words.describe(&field.ty);
        if let Some(constant) = &field.constant {
            let mut always = vec![Span::Text("always ".to_owned())];
            always.extend(code(constant.to_string()));
            if !rules.contains(&always) {
                rules.insert(0, always);
            }
        }
        if let Presence::Default(value) = &field.presence {
            let mut default = vec![Span::Text("default ".to_owned())];
            default.extend(code(value.to_string()));
            rules.push(default);
        }
        let inner = self.inner(&field.ty, &path);
        let protocol = self.words.protocol;
        let object = inner.as_ref().and_then(|(id, _)| match &protocol.types.get(id.0)?.shape {
            // A type that holds itself has a section.
            Shape::Struct(object) if !self.within.contains(id) => Some(object),
            _ => None,
        });
        let object =
            object.filter(|_| inner.as_ref().is_some_and(|(id, _)| !self.words.sections.contains_key(id)));
        self.view.rows.push(Row {
            path,
            ty,
            required: matches!(field.presence, Presence::Required),
            constraints: rules,
            rest: object.map(rest),
            deprecated: field.deprecated,
            description: sections::description(self.words, field),
        });
        let Some((id, path)) = inner else { return };
        if self.words.sections.contains_key(&id) {
            self.apart.push(id);
        } else if let Some(object) = object {
            self.note_type(id, &path);
            self.within.push(id);
            self.object(object, &path);
            self.within.pop();
        } else if let Some(Shape::Enum(choices)) = self.words.protocol.types.get(id.0).map(|def| &def.shape) {
            let rust = self.note_type(id, &path);
            if let Some(known) = self.view.values.iter_mut().find(|known| known.rust == rust) {
                known.paths.push(path);
                return;
            }
            let (_, values) = sections::values(choices, self.description_of(id, field));
            if values.iter().any(|value| value.meaning.is_some()) {
                self.view.values.push(Values { paths: vec![path], rust, values });
            }
        }
    }

    /// What is said of an enum, in which the meanings of its values may stand.
    fn description_of<'c>(&'c self, id: TypeId, field: &'c Field) -> Option<&'c str> {
        let def = self.words.protocol.types.get(id.0)?;
        def.description.as_deref().or(field.description.as_deref())
    }

    /// Notes the Rust type of what stands there.
    fn note_type(&mut self, id: TypeId, path: &str) -> String {
        let rust = sections::rust_name(self.words.protocol, id);
        if !self.view.types.iter().any(|known| known.rust == rust) {
            self.view.types.push(RustType { path: path.to_owned(), rust: rust.clone() });
        }
        rust
    }

    /// The named type in a use of a type, through lists, maps and other names, and the path of its values.
    fn inner(&self, ty: &TypeRef, path: &str) -> Option<(TypeId, String)> {
        let mut path = path.to_owned();
        let mut ty = ty;
        loop {
            match ty {
                TypeRef::List(items) => {
                    path.push_str("[]");
                    ty = items;
                }
                TypeRef::Map(values) => {
                    path.push_str(".*");
                    ty = values;
                }
                TypeRef::Nullable(inner) => ty = inner,
                TypeRef::Named(id) => {
                    let def = self.words.protocol.types.get(id.0)?;
                    if self.words.sections.contains_key(id) || def.recursive {
                        return Some((*id, path));
                    }
                    match &def.shape {
                        Shape::List(list) => {
                            path.push_str("[]");
                            ty = &list.items;
                        }
                        Shape::Map(map) => {
                            path.push_str(".*");
                            ty = &map.values;
                        }
                        Shape::Alias(other) => ty = other,
                        Shape::Sealed(sealed) => ty = &sealed.inner,
                        _ => return Some((*id, path)),
                    }
                }
                _ => return None,
            }
        }
    }
}
