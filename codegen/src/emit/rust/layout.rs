//! Layout: `typify` lays out the structs and enums of a schema that is normalised for it.
//!
//! It sees nothing that it could misread: members and variants have neutral names in our order,
//! every other named type is a stand-in, and what it would fold together (an optional list that is
//! absent with one that is empty) stands in too. Its structs come back with our names; reading and
//! writing are sealed by the other modules here.

use super::types::Context;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::ir::{Field, Presence, Protocol, Shape, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use typify::{TypeDetails, TypeId, TypeSpace};

/// The types of fields as typify laid them out, by type and position among the stored fields.
#[derive(Default)]
pub(super) struct Layout {
    structs: HashMap<usize, Vec<TokenStream>>,
    enums: HashMap<usize, usize>,
}

impl Layout {
    /// The type of a stored field; `None` where typify did not lay the struct out.
    pub(super) fn field(&self, index: usize, position: usize) -> Option<&TokenStream> {
        self.structs.get(&index)?.get(position)
    }

    /// How many types typify laid out.
    pub(super) fn count(&self) -> usize {
        self.structs.len() + self.enums.len()
    }

    /// Whether typify laid out the enum, with this many variants.
    pub(super) fn has_enum(&self, index: usize, variants: usize) -> bool {
        self.enums.get(&index) == Some(&variants)
    }
}

/// The fields that a struct stores: all but required constants and members that must be absent.
pub(super) fn stored(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| is_stored(field))
}

/// Whether a struct stores a field.
pub(super) fn is_stored(field: &Field) -> bool {
    let fixed = field.constant.is_some() && matches!(field.presence, Presence::Required);
    !fixed && field.ty != TypeRef::Never
}

/// How many types go to typify at once: its time grows faster than their number.
const CHUNK: usize = 64;

/// Lays out the structs and enums of a protocol.
///
/// # Errors
///
/// When typify refuses a normalised schema, which is a fault of the generator.
pub(super) fn layout(protocol: &Protocol) -> Result<Layout> {
    let context = Context::new(protocol);
    let mut layout = Layout::default();
    let wanted: Vec<usize> = (0..protocol.types.len())
        .filter(|index| match &protocol.types[*index].shape {
            Shape::Struct(_) => true,
            Shape::Enum(list) => list.variants.iter().all(|variant| variant.value.as_str().is_some()),
            _ => false,
        })
        .collect();
    for chunk in wanted.chunks(CHUNK) {
        lay_out(&context, chunk, &mut layout).map_err(|text| {
            let place = Place { file: protocol.name.clone(), ..Place::default() };
            Diagnostics::one(place, format!("typify refuses a normalised schema, please report this: {text}"))
        })?;
    }
    Ok(layout)
}

fn lay_out(context: &Context<'_>, chunk: &[usize], layout: &mut Layout) -> std::result::Result<(), String> {
    let mut stand_ins = StandIns::default();
    let mut definitions = BTreeMap::new();
    for index in chunk {
        let schema = match &context.protocol.types[*index].shape {
            Shape::Struct(shape) => {
                let fields: Vec<&Field> = stored(&shape.fields).collect();
                let member = |position: usize| format!("f{position:05}");
                let properties: BTreeMap<String, Value> = fields
                    .iter()
                    .enumerate()
                    .map(|(position, field)| (member(position), stand_ins.schema(context, field, *index)))
                    .collect();
                let required: Vec<String> = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, field)| !matches!(field.presence, Presence::Optional))
                    .map(|(position, _)| member(position))
                    .collect();
                json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
            }
            Shape::Enum(list) => {
                let names: Vec<String> =
                    (0..list.variants.len()).map(|position| format!("V{position:05}")).collect();
                json!({ "type": "string", "enum": names })
            }
            _ => continue,
        };
        definitions.insert(format!("L{index}"), schema);
    }
    let mut settings = typify::TypeSpaceSettings::default();
    for name in stand_ins.types.keys() {
        definitions.insert(name.clone(), json!({}));
        settings.with_replacement(name, name, std::iter::empty());
    }
    let mut space = typify::TypeSpace::new(&settings);
    let root =
        serde_json::from_value(json!({ "definitions": definitions })).map_err(|error| error.to_string())?;
    space.add_root_schema(root).map_err(|error| error.to_string())?;
    for ty in space.iter_types() {
        let name = ty.name();
        let Some(index) = name.strip_prefix('L').and_then(|index| index.parse().ok()) else { continue };
        match ty.details() {
            TypeDetails::Struct(fields) => {
                let types = fields.properties().map(|(_, id)| stand_ins.ours(&space, &id));
                layout.structs.insert(index, types.collect::<std::result::Result<_, _>>()?);
            }
            TypeDetails::Enum(list) => {
                layout.enums.insert(index, list.variants().count());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Rust types that typify does not see, and the names it knows them by.
#[derive(Default)]
struct StandIns {
    /// The names, by how the types are written.
    names: HashMap<String, String>,
    types: BTreeMap<String, TokenStream>,
}

impl StandIns {
    /// A type as typify laid it out, with ours in place of those that stand for them.
    fn ours(&self, space: &TypeSpace, id: &TypeId) -> std::result::Result<TokenStream, String> {
        let ty = space.get_type(id).map_err(|error| error.to_string())?;
        Ok(match ty.details() {
            TypeDetails::Option(inner) => {
                let inner = self.ours(space, &inner)?;
                quote! { Option<#inner> }
            }
            TypeDetails::Vec(items) => {
                let items = self.ours(space, &items)?;
                quote! { Vec<#items> }
            }
            TypeDetails::Map(_, values) => {
                let values = self.ours(space, &values)?;
                match values.to_string().as_str() {
                    ":: serde_json :: Value" => quote! { ::serde_json::Map<String, #values> },
                    _ => quote! { ::std::collections::BTreeMap<String, #values> },
                }
            }
            TypeDetails::String => quote! { String },
            TypeDetails::Builtin(name) => match self.types.get(name) {
                Some(ours) => ours.clone(),
                None => ty.ident(),
            },
            _ => return Err(format!("it made {} of a plain type", ty.describe())),
        })
    }

    fn schema(&mut self, context: &Context<'_>, field: &Field, owner: usize) -> Value {
        let optional = matches!(field.presence, Presence::Optional);
        // An optional list, map or nullable value would lose the difference between absent and empty.
        let folds = matches!(
            field.ty,
            TypeRef::List(_) | TypeRef::Map(_) | TypeRef::Object | TypeRef::Nullable(_) | TypeRef::Any
        );
        if optional && folds {
            self.stand_in(context, &field.ty, Some(owner))
        } else {
            self.plain(context, &field.ty, Some(owner))
        }
    }

    /// A use of a type inside the type `owner`: in a list or a map it is on the heap, as [`Context::of`]
    /// has it, and `owner` does not matter.
    fn plain(&mut self, context: &Context<'_>, ty: &TypeRef, owner: Option<usize>) -> Value {
        match ty {
            TypeRef::Any => json!({}),
            TypeRef::Bool => json!({ "type": "boolean" }),
            TypeRef::Text => json!({ "type": "string" }),
            TypeRef::Object => json!({ "type": "object" }),
            TypeRef::List(items) => json!({ "type": "array", "items": self.plain(context, items, None) }),
            TypeRef::Map(values) => {
                json!({ "type": "object", "additionalProperties": self.plain(context, values, None) })
            }
            _ => self.stand_in(context, ty, owner),
        }
    }

    fn stand_in(&mut self, context: &Context<'_>, ty: &TypeRef, owner: Option<usize>) -> Value {
        let rust = context.of(ty, owner);
        let next = format!("T{}", self.names.len());
        let name = self.names.entry(rust.to_string()).or_insert_with(|| {
            self.types.insert(next.clone(), rust);
            next
        });
        json!({ "$ref": format!("#/definitions/{name}") })
    }
}
