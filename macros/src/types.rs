//! What the spelling of a type tells. What a parameter is *for* is never decided by it: the expansion
//! asks the compiler. Here, types are refused that cannot work under any meaning.

use crate::mistakes::Mistakes;
use crate::parse::ungrouped_type;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Generics, Lifetime, PathArguments, Type, TypeReference};

/// Said where a tool takes two states.
pub(crate) const ONE_STATE: &str = "a tool has one state: put what it needs into one struct, and take that";

const NO_GENERICS: &str = "a tool has one signature, which agents see: name the type";

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

macro_rules! integers {
    ($name:ident: $($integer:ident)*) => {
        match $name {
            $(stringify!($integer) => Spelled::Integer {
                name: stringify!($integer),
                least: $integer::MIN as i128,
                greatest: $integer::MAX as i128,
            },)*
            "f32" | "f64" => Spelled::Float,
            "String" => Spelled::Text,
            "Vec" => Spelled::List,
            "bool" => Spelled::Other("bool"),
            "char" => Spelled::Other("char"),
            _ => return None,
        }
    };
}

impl Spelled {
    /// The type, or that in an `Option`.
    pub(crate) fn of(ty: &Type) -> Option<Self> {
        match ungrouped_type(ty) {
            Type::Array(_) | Type::Tuple(_) => Some(Self::List),
            Type::Path(path) if path.qself.is_none() => {
                let segment = path.path.segments.last()?;
                let name = segment.ident.to_string();
                let is_alone = path.path.segments.len() == 1;
                if let (true, "Option", PathArguments::AngleBracketed(arguments)) =
                    (is_alone, name.as_str(), &segment.arguments)
                {
                    return match arguments.args.first()? {
                        GenericArgument::Type(inner) => Self::of(inner),
                        _ => None,
                    };
                }
                if !is_alone {
                    return None;
                }
                let name = name.as_str();
                Some(integers!(name: i8 i16 i32 i64 isize u8 u16 u32 u64 usize))
            }
            _ => None,
        }
    }
}

/// `&S`, `&mut S` or `&Call`
///
/// Lifetimes that the function declares are told where it does.
pub(crate) fn check_reference(ty: &Type, generics: &Generics, mistakes: &mut Mistakes) {
    let Type::Reference(reference) = ungrouped_type(ty) else { return };
    let declared = |lifetime: &Lifetime| generics.lifetimes().any(|known| known.lifetime == *lifetime);
    if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| !declared(lifetime)) {
        mistakes.on(lifetime, "the reference lasts for the call only: leave out the lifetime");
    }
    let target = ungrouped_type(&reference.elem);
    match target {
        Type::Slice(slice) => {
            let element = &slice.elem;
            let owned = quote::quote!(Vec<#element>).to_string().replace(' ', "");
            mistakes
                .on(ty, format!("an argument owns its data: take a `{owned}` (borrowed slices come later)"));
        }
        Type::Reference(_) | Type::Ptr(_) | Type::Array(_) | Type::Tuple(_) | Type::FnPtr(_) => {
            mistakes.on(ty, "a reference is to the game's state or to `Call`; arguments are taken by value");
        }
        Type::Path(path) if path.path.is_ident("str") => {
            mistakes.on(ty, "an argument owns its data: take a `String` (`&str` arguments come later)");
        }
        Type::Path(path) if Spelled::of(target).is_some() || is_option(path) => {
            mistakes.on(
                ty,
                "a reference is to the game's state or to `Call`: take this argument by value, without `&`",
            );
        }
        _ => open(target, mistakes),
    }
}

fn is_option(path: &syn::TypePath) -> bool {
    path.path.segments.len() == 1 && path.path.segments[0].ident == "Option"
}

/// A type that is read from JSON.
pub(crate) fn check_argument(ty: &Type, mistakes: &mut Mistakes) {
    let mut borrowed = Borrowed { mistakes };
    borrowed.visit_type(ty);
    open(ty, mistakes);
}

/// A type that is written as JSON.
pub(crate) fn check_output(ty: &Type, mistakes: &mut Mistakes) {
    if let Type::Never(never) = ungrouped_type(ty) {
        mistakes.on(never, "a tool must return, so that the agent gets an answer");
    }
    open(ty, mistakes);
}

/// Types that are not one type.
fn open(ty: &Type, mistakes: &mut Mistakes) {
    Open { mistakes }.visit_type(ty);
}

struct Open<'a> {
    mistakes: &'a mut Mistakes,
}

impl<'ast> Visit<'ast> for Open<'_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::ImplTrait(ty) => self.mistakes.on(ty, NO_GENERICS),
            Type::TraitObject(ty) => self.mistakes.on(ty, NO_GENERICS),
            Type::Infer(ty) => self.mistakes.on(ty, NO_GENERICS),
            Type::Path(path)
                if path.qself.is_none() && path.path.segments.first().is_some_and(|s| s.ident == "Self") =>
            {
                self.mistakes.on(
                    path,
                    "functions of an `impl` become tools with `#[ludwire::tools]`, which is not there yet: write a \
                     free function",
                );
            }
            _ => visit::visit_type(self, ty),
        }
    }
}

struct Borrowed<'a> {
    mistakes: &'a mut Mistakes,
}

impl<'ast> Visit<'ast> for Borrowed<'_> {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        let owned = match ungrouped_type(&reference.elem) {
            Type::Path(path) if path.path.is_ident("str") => "`String` in place of `&str`",
            Type::Slice(_) => "`Vec` in place of a slice",
            _ => "the type itself in place of a reference",
        };
        self.mistakes.on(reference, format!("an argument owns its data: take {owned}"));
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.mistakes.on(lifetime, "an argument owns its data: take a type without lifetimes");
        }
    }
}
