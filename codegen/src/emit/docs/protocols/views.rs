//! A message or a type as a reader sees it: one table, in which the members of objects stand below them under
//! their whole path, and sections for what no table can show.

use super::checks::{self, Note, Say, leaf};
use super::types::{self, ValueRow};
use super::words::{Described, Words, member_rules, type_of};
use crate::emit::docs::vocabulary::{Rule, Type, one_of};
use crate::ir::{
    Enum, Field, Presence, Protocol, Rest, Routing, Shape, Struct, TypeDef, TypeId, TypeRef, Union,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A message or a type.
#[derive(Debug, Serialize)]
pub(super) struct View {
    /// What links to it say.
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) rust: String,
    pub(super) description: Option<String>,
    /// What it is, where it is no object, no enum and no union.
    pub(super) is: Option<Described>,
    /// The members of an object, at whatever depth.
    pub(super) rows: Vec<Row>,
    /// What other members an object may have: `closed`, `open`, `empty` or `told` (by a note).
    pub(super) rest: Option<&'static str>,
    /// The values of an enum.
    pub(super) choices: Vec<ValueRow>,
    /// An enum takes other texts, too.
    pub(super) open: bool,
    /// The variants of a union.
    pub(super) variants: Vec<VariantRow>,
    /// How a reader tells the variants apart: `tag`, `kind`, `exactly_one` or `first`.
    pub(super) routing: Option<&'static str>,
    /// The member that tells them apart.
    pub(super) tag: Option<String>,
    /// What else holds.
    pub(super) notes: Vec<PlacedNote>,
    /// The values of enums in it, with their meanings.
    pub(super) values: Vec<Values>,
    /// Types in it that no rows can show, and that stand nowhere above on the page.
    pub(super) sections: Vec<View>,
    /// The Rust types of what is in it.
    pub(super) types: Vec<RustType>,
}

/// A member, at whatever depth.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// `result.tools[].name`
    pub(super) path: String,
    pub(super) ty: Type,
    pub(super) required: bool,
    pub(super) constraints: Vec<Rule>,
    /// For an object, as [`View::rest`].
    pub(super) rest: Option<&'static str>,
    pub(super) deprecated: bool,
    pub(super) description: Option<String>,
}

/// A variant of a union.
#[derive(Debug, Serialize)]
pub(super) struct VariantRow {
    pub(super) ty: Type,
    pub(super) constraints: Vec<Rule>,
    /// What the member has that tells variants apart.
    pub(super) tags: Vec<String>,
    /// What JSON its values are.
    pub(super) is: Option<Type>,
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
pub(super) struct Views<'a> {
    /// With the types that have a section of their own.
    words: Words<'a>,
    /// Those of them that have it already.
    shown: BTreeSet<TypeId>,
}

impl<'a> Views<'a> {
    /// For a page with these messages or types. Those `elsewhere` have a title and a link target already.
    pub(super) fn new(
        protocol: &'a Protocol,
        roots: &[TypeId],
        elsewhere: BTreeMap<TypeId, (String, String)>,
    ) -> Self {
        let shown: BTreeSet<TypeId> = elsewhere.keys().copied().collect();
        let mut sections = elsewhere;
        let mut seen: BTreeSet<TypeId> = roots.iter().copied().collect();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            let Some(def) = protocol.types.get(id.0) else { continue };
            // These have no path, so they cannot stand in the table of what holds them.
            let pathless = |used: TypeId| match &def.shape {
                Shape::Union(_) | Shape::Tuple(_) => true,
                Shape::Struct(Struct { rest: Rest::Typed(ty), .. }) => ty.named() == Some(used),
                _ => false,
            };
            for used in def.shape.uses().into_iter().map(TypeId) {
                let Some(other) = protocol.types.get(used.0).filter(|_| !shown.contains(&used)) else {
                    continue;
                };
                let has_path = !pathless(used);
                let is_row = matches!(other.shape, Shape::Struct(_)) && !other.recursive && has_path;
                let is_line = matches!(other.shape, Shape::Enum(_)) && has_path;
                if !is_row && !is_line && types::has_section(protocol, used) {
                    sections.insert(used, (types::title(other).to_owned(), format!("#{}", anchor(other))));
                }
                if seen.insert(used) {
                    open.push(used);
                }
            }
        }
        Self { words: Words { protocol, sections }, shown }
    }

    /// A message or a type, with sections for what is in it.
    pub(super) fn view(&mut self, id: TypeId) -> View {
        let mut met = Vec::new();
        let mut view = self.one(id, &mut met);
        self.shown.insert(id);
        let mut at = 0;
        while let Some(id) = met.get(at).copied() {
            at += 1;
            if self.shown.insert(id) {
                let section = self.one(id, &mut met);
                view.sections.push(section);
            }
        }
        view
    }

    /// A type by itself. `met` gets the types with sections that it uses.
    fn one(&self, id: TypeId, met: &mut Vec<TypeId>) -> View {
        let protocol = self.words.protocol;
        let Some(def) = protocol.types.get(id.0) else { return View::of("", "", "", None) };
        let mut view = View::of(&anchor(def), types::title(def), &def.name, def.description.clone());
        match &def.shape {
            Shape::Struct(object) => self.object(&mut view, object, id, met),
            Shape::Enum(choices) => view.choose(choices),
            Shape::OpenEnum(choices) => {
                view.choose(choices);
                view.open = true;
            }
            Shape::Union(union) => self.union(&mut view, union),
            Shape::Value(check) => view.note(checks::notes(check, protocol)),
            Shape::Sealed(sealed) => {
                match protocol.object(id) {
                    Some(object) => self.object(&mut view, object, id, met),
                    None => view.is = Some(self.words.describe(&sealed.inner)),
                }
                view.note(checks::notes(&sealed.check, protocol));
            }
            _ => match protocol.object(id) {
                Some(object) => self.object(&mut view, object, id, met),
                None => view.is = Some(self.words.define(id)),
            },
        }
        met.extend(linked(&self.words, id));
        view
    }

    fn object(&self, view: &mut View, object: &Struct, id: TypeId, met: &mut Vec<TypeId>) {
        view.rest = Some(rest(object));
        Rows { words: &self.words, view, met, within: vec![id] }.object(object, "");
    }

    fn union(&self, view: &mut View, union: &Union) {
        let variants = union.variants.iter().map(|variant| {
            let Described { ty, rules } = self.words.describe(&variant.ty);
            VariantRow {
                ty,
                constraints: rules,
                tags: variant.tags.iter().map(ToString::to_string).collect(),
                is: (union.routing == Routing::Kind)
                    .then(|| one_of(variant.kinds.iter().copied().map(type_of))),
                description: variant.description.clone(),
            }
        });
        view.variants = variants.collect();
        (view.routing, view.tag) = match &union.routing {
            Routing::Tag(member) => (Some("tag"), Some(member.clone())),
            Routing::Kind => (Some("kind"), None),
            Routing::ExactlyOne => (Some("exactly_one"), None),
            Routing::First => (Some("first"), None),
        };
    }
}

impl View {
    fn of(anchor: &str, title: &str, rust: &str, description: Option<String>) -> Self {
        Self {
            anchor: anchor.to_owned(),
            title: title.to_owned(),
            rust: rust.to_owned(),
            description,
            is: None,
            rows: Vec::new(),
            rest: None,
            choices: Vec::new(),
            open: false,
            variants: Vec::new(),
            routing: None,
            tag: None,
            notes: Vec::new(),
            values: Vec::new(),
            sections: Vec::new(),
            types: Vec::new(),
        }
    }

    fn choose(&mut self, choices: &Enum) {
        let (about, values) = types::values(choices, self.description.as_deref());
        if let Some(about) = about {
            self.description = Some(about).filter(|about| !about.is_empty());
        }
        self.choices = values;
    }

    fn note(&mut self, notes: Vec<Note>) {
        self.notes.extend(notes.into_iter().map(|note| PlacedNote { path: String::new(), note }));
    }
}

/// The types with sections that a type uses itself.
fn linked(words: &Words, id: TypeId) -> Vec<TypeId> {
    let uses = words.protocol.types.get(id.0).map_or_else(Vec::new, |def| def.shape.uses());
    uses.into_iter().map(TypeId).filter(|id| words.sections.contains_key(id)).collect()
}

/// What the place of a type on a page is called.
fn anchor(def: &TypeDef) -> String {
    format!("type:{}", def.name)
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
    met: &'a mut Vec<TypeId>,
    /// The objects that this is inside of.
    within: Vec<TypeId>,
}

impl Rows<'_, '_> {
    fn object(&mut self, object: &Struct, path: &str) {
        for field in &object.fields {
            self.field(field, path);
        }
        let typed = match &object.rest {
            Rest::Typed(ty) => {
                self.met.extend(ty.named().filter(|id| self.words.sections.contains_key(id)));
                let Described { ty, rules } = self.words.describe(ty);
                Some(leaf(Say::EachOtherMember { ty, rules }))
            }
            _ => None,
        };
        let notes = checks::object_notes(object, self.words.protocol).into_iter().chain(typed);
        self.view.notes.extend(notes.map(|note| PlacedNote { path: path.to_owned(), note }));
    }

    fn field(&mut self, field: &Field, within: &str) {
        let path = if within.is_empty() { field.wire.clone() } else { format!("{within}.{}", field.wire) };
        let Described { ty, mut rules } = self.words.describe(&field.ty);
        member_rules(&mut rules, field.constant.as_ref(), &field.presence);
        let inner = self.inner(&field.ty, &path);
        let protocol = self.words.protocol;
        let shape = inner.as_ref().and_then(|(id, _)| Some(&protocol.types.get(id.0)?.shape));
        // A type that holds itself has a section.
        let is_inside = inner.as_ref().is_none_or(|(id, _)| self.within.contains(id));
        let has_section = inner.as_ref().is_some_and(|(id, _)| self.words.sections.contains_key(id));
        let object = match shape {
            Some(Shape::Struct(object)) if !has_section && !is_inside => Some(object),
            _ => None,
        };
        self.view.rows.push(Row {
            path,
            ty,
            required: matches!(field.presence, Presence::Required),
            constraints: rules,
            rest: object.map(rest),
            deprecated: field.deprecated,
            description: types::description(self.words, field),
        });
        let Some((id, path)) = inner else { return };
        if has_section {
            self.met.push(id);
        } else if let Some(object) = object {
            self.note_type(id, &path);
            self.within.push(id);
            self.object(object, &path);
            self.within.pop();
        } else if let Some(Shape::Enum(choices)) = shape {
            self.values(id, choices, path, field);
        } else {
            self.met.extend(linked(self.words, id));
        }
    }

    /// Notes the values of an enum, once for all its places.
    fn values(&mut self, id: TypeId, choices: &Enum, path: String, field: &Field) {
        let rust = self.note_type(id, &path);
        if let Some(known) = self.view.values.iter_mut().find(|known| known.rust == rust) {
            known.paths.push(path);
            return;
        }
        let def = self.words.protocol.types.get(id.0);
        let said = def.and_then(|def| def.description.as_deref()).or(field.description.as_deref());
        let (_, values) = types::values(choices, said);
        if values.iter().any(|value| value.meaning.is_some()) {
            self.view.values.push(Values { paths: vec![path], rust, values });
        }
    }

    /// Notes the Rust type of what stands there.
    fn note_type(&mut self, id: TypeId, path: &str) -> String {
        let rust = types::rust_name(self.words.protocol, id);
        if !self.view.types.iter().any(|known| known.rust == rust) {
            self.view.types.push(RustType { path: path.to_owned(), rust: rust.clone() });
        }
        rust
    }

    /// The named type in a use of a type, through lists, maps and other names, and the path of its values.
    fn inner(&self, ty: &TypeRef, path: &str) -> Option<(TypeId, String)> {
        let mut path = path.to_owned();
        let mut ty = ty;
        // A list of itself has a section, but this must end all the same.
        for _ in 0..self.words.protocol.types.len() + DEEPEST {
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
        None
    }
}

/// How many lists, maps and nulls may stand around a type beside the named ones.
const DEEPEST: usize = 256;

#[cfg(test)]
mod tests;
