//! What the spelling of a type tells. What a parameter is *for* is never decided by it: the expansion
//! asks the compiler. Here, types are refused that cannot work under any meaning.

use crate::mistakes::Mistakes;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Generics, Lifetime, PathArguments, Type, TypePath, TypeReference};

/// Said where a function takes two states.
pub(crate) fn one_state(noun: &str) -> String {
    format!("{noun} has one state: put what it needs into one struct, and take that")
}

const NO_GENERICS: &str = "a function has one signature, which agents see: name the type";

/// A type of Rust's own, as far as it is spelled like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spelled {
    Integer {
        name: &'static str,
        least: i128,
        greatest: i128,
    },
    Float,
    Text,
    List,
    /// Neither a number nor a text nor a list.
    Other(&'static str),
}

/// An argument that the function borrows: it is read as a type that owns its data.
#[derive(Clone)]
pub(crate) struct Lent {
    pub(crate) what: Borrowed,
    /// It is an `Option`.
    pub(crate) optional: bool,
}

/// What is borrowed. No reference to one of these could be anything but an argument.
#[derive(Clone)]
pub(crate) enum Borrowed {
    /// `&str`
    Text,
    /// `&[T]`
    Slice(Box<Type>),
}

impl Lent {
    pub(crate) fn of(ty: &Type) -> Option<Self> {
        let (ty, optional) = match in_option(ty) {
            Some(inner) => (inner, true),
            None => (ty, false),
        };
        let Type::Reference(reference) = ungrouped_type(ty) else { return None };
        let what = Borrowed::of(&reference.elem)?;
        reference.mutability.is_none().then_some(Self { what, optional })
    }
}

impl Borrowed {
    fn of(target: &Type) -> Option<Self> {
        match ungrouped_type(target) {
            Type::Path(path) if path.path.is_ident("str") => Some(Self::Text),
            Type::Slice(slice) => Some(Self::Slice(slice.elem.clone())),
            _ => None,
        }
    }
}

/// Whether a reference to this type can be nothing but an argument.
pub(crate) fn is_lent(target: &Type) -> bool {
    Borrowed::of(target).is_some()
}

/// `T` in `Option<T>`
fn in_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ungrouped_type(ty) else { return None };
    let segment = path.path.segments.first().filter(|_| is_option_path(path))?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// Whether a type is spelled as an option.
pub(crate) fn is_option(ty: &Type) -> bool {
    in_option(ty).is_some()
}

/// Whether a type is spelled as a reference.
pub(crate) fn is_reference(ty: &Type) -> bool {
    matches!(ungrouped_type(ty), Type::Reference(_))
}

/// `macro_rules!` puts what it captured into invisible groups.
pub(crate) fn ungrouped_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped_type(&group.elem),
        Type::Paren(paren) => ungrouped_type(&paren.elem),
        other => other,
    }
}

macro_rules! integers {
    ($name:ident: $($integer:ident)*) => {
        match $name {
            $(stringify!($integer) => Spelled::Integer {
                name: stringify!($integer),
                least: $integer::MIN as i128,
                greatest: $integer::MAX as i128,
            },)*
            "f32" | "f64" => Spelled::Float,
            "String" | "str" => Spelled::Text,
            "Vec" => Spelled::List,
            "bool" => Spelled::Other("bool"),
            "char" => Spelled::Other("char"),
            _ => return None,
        }
    };
}

impl Spelled {
    /// The type, or that in an `Option` or behind a reference.
    pub(crate) fn of(ty: &Type) -> Option<Self> {
        if let Some(inner) = in_option(ty) {
            return Self::of(inner);
        }
        match ungrouped_type(ty) {
            Type::Array(_) | Type::Tuple(_) | Type::Slice(_) => Some(Self::List),
            Type::Reference(reference) => Self::of(&reference.elem),
            Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                let name = path.path.segments[0].ident.to_string();
                let name = name.as_str();
                Some(integers!(name: i8 i16 i32 i64 isize u8 u16 u32 u64 usize))
            }
            _ => None,
        }
    }
}

/// `&S`, `&mut S`, `&Call` or `&Res<T>`
pub(crate) fn check_reference(ty: &Type, generics: &Generics, in_impl: bool, mistakes: &mut Mistakes) {
    check_lifetime(ty, generics, mistakes);
    let Type::Reference(reference) = ungrouped_type(ty) else { return };
    let target = ungrouped_type(&reference.elem);
    match target {
        Type::Slice(_) => mistakes.on(ty, "an argument is lent, not given away: write `&[…]`, without `mut`"),
        Type::Path(path) if path.path.is_ident("str") => {
            mistakes.on(ty, "an argument is lent, not given away: write `&str`, without `mut`");
        }
        _ => open(target, in_impl, mistakes),
    }
}

fn is_option_path(path: &TypePath) -> bool {
    path.path.segments.len() == 1 && path.path.segments[0].ident == "Option"
}

/// No reference can outlast the call. Lifetimes that the function declares are told where it does.
pub(crate) fn check_lifetime(ty: &Type, generics: &Generics, mistakes: &mut Mistakes) {
    let Type::Reference(reference) = ungrouped_type(in_option(ty).unwrap_or(ty)) else { return };
    let declared = |lifetime: &Lifetime| generics.lifetimes().any(|known| known.lifetime == *lifetime);
    if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| !declared(lifetime)) {
        mistakes.on(lifetime, "the reference lasts for the call only: leave out the lifetime");
    }
}

/// A type that is read from JSON.
pub(crate) fn check_argument(ty: &Type, lent: Option<&Lent>, in_impl: bool, mistakes: &mut Mistakes) {
    // Of a lent argument, only the items are read as they are written.
    let read = match lent {
        Some(Lent { what: Borrowed::Text, .. }) => None,
        Some(Lent { what: Borrowed::Slice(item), .. }) => Some(&**item),
        None => Some(ty),
    };
    if let Some(read) = read {
        Borrows { mistakes }.visit_type(read);
        open(read, in_impl, mistakes);
    }
}

/// A type that is written as JSON, or a `Result` of one.
pub(crate) fn check_output(ty: &Type, noun: &str, in_impl: bool, mistakes: &mut Mistakes) {
    if let Type::Never(never) = ungrouped_type(ty) {
        mistakes.on(never, format!("{noun} must return, so that the agent gets an answer"));
    }
    // `Box<dyn Error>` is an error as good as others. What cannot be a result, the compiler knows.
    Open { in_impl, takes_objects: true, mistakes }.visit_type(ty);
}

/// The type of an `impl` with tools.
pub(crate) fn check_owner(ty: &Type, mistakes: &mut Mistakes) {
    Lasting { mistakes }.visit_type(ty);
    open(ty, true, mistakes);
}

/// Types that are not one type.
fn open(ty: &Type, in_impl: bool, mistakes: &mut Mistakes) {
    Open { in_impl, takes_objects: false, mistakes }.visit_type(ty);
}

struct Open<'a> {
    in_impl: bool,
    /// `dyn Trait` may stand in it.
    takes_objects: bool,
    mistakes: &'a mut Mistakes,
}

impl<'ast> Visit<'ast> for Open<'_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::ImplTrait(ty) => self.mistakes.on(ty, NO_GENERICS),
            Type::TraitObject(ty) if !self.takes_objects => self.mistakes.on(ty, NO_GENERICS),
            Type::Infer(ty) => self.mistakes.on(ty, NO_GENERICS),
            Type::Path(path)
                if !self.in_impl
                    && path.qself.is_none()
                    && path.path.segments.first().is_some_and(|s| s.ident == "Self") =>
            {
                self.mistakes.on(path, TOOLS_ON_IMPL);
            }
            _ => visit::visit_type(self, ty),
        }
    }
}

/// Said of a method that is not in an `impl` with `#[tools]`.
pub(crate) const TOOLS_ON_IMPL: &str =
    "a function of an `impl` becomes a tool when `#[ludwire::tools]` stands on the `impl`: write it there";

struct Borrows<'a> {
    mistakes: &'a mut Mistakes,
}

impl<'ast> Visit<'ast> for Borrows<'_> {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        let owned = match ungrouped_type(&reference.elem) {
            Type::Path(path) if path.path.is_ident("str") => "`String` in place of `&str`",
            Type::Slice(_) => "`Vec` in place of a slice",
            _ => "the type itself in place of a reference",
        };
        self.mistakes.on(reference, format!("what stands in an argument owns its data: take {owned}"));
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.mistakes.on(lifetime, "an argument owns its data: take a type without lifetimes");
        }
    }
}

struct Lasting<'a> {
    mistakes: &'a mut Mistakes,
}

impl<'ast> Visit<'ast> for Lasting<'_> {
    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.mistakes.on(lifetime, "the game's state owns its data: it is a type without lifetimes");
        }
    }
}
