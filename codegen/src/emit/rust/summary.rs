//! What the types of a protocol became, for whoever runs the generator.

use super::layout::Layout;
use super::types::Context;
use super::widen;
use crate::diagnostics::{Diagnostic, Place};
use crate::ir::{Rest, Shape};
use std::fmt;

/// What the types of a protocol became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of the protocol.
    pub protocol: String,
    /// How many named types there are.
    pub types: usize,
    /// How many of them are structs.
    pub structs: usize,
    /// How many of them are enums of constants.
    pub enums: usize,
    /// How many structs and enums typify laid out.
    pub laid_out: usize,
    /// The types that are JSON values under a check, since no Rust type says what their schemas do:
    /// their names, and where the schemas stand.
    pub values: Vec<(String, Place)>,
    /// The structs whose members without a field are JSON values under a check, since their names decide
    /// what they may be: their names, and where the schemas stand.
    pub mixed: Vec<(String, Place)>,
    /// The types that are only read and that have no `From` of what is written in their place: their
    /// names, where they stand, and why.
    pub gaps: Vec<(String, Place, String)>,
    /// What is odd in the sources, though they are accepted.
    pub notes: Vec<Diagnostic>,
}

impl Summary {
    pub(super) fn new(context: &Context<'_>, layout: &Layout) -> Self {
        let protocol = context.protocol;
        let count = |is: fn(&Shape) -> bool| protocol.types.iter().filter(|ty| is(&ty.shape)).count();
        let those = |is: fn(&Shape) -> bool| {
            let types = protocol.types.iter().filter(|ty| is(&ty.shape));
            types.map(|ty| (ty.name.clone(), ty.place.clone())).collect::<Vec<_>>()
        };
        Self {
            protocol: protocol.name.clone(),
            types: protocol.types.len(),
            structs: count(|shape| matches!(shape, Shape::Struct(_))),
            enums: count(|shape| matches!(shape, Shape::Enum(_))),
            laid_out: layout.count(),
            values: those(|shape| matches!(shape, Shape::Value(_))),
            mixed: those(
                |shape| matches!(shape, Shape::Struct(shape) if matches!(shape.rest, Rest::Checked(_))),
            ),
            gaps: widen::gaps(context),
            notes: protocol.notes.0.clone(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { protocol, types, structs, enums, laid_out, values, mixed, gaps, notes: _ } = self;
        write!(
            f,
            "{protocol}: {types} types, of them {structs} structs and {enums} enums, {laid_out} of which typify laid out; "
        )?;
        match values.len() {
            0 => write!(f, "no checked JSON values")?,
            count => {
                write!(f, "checked JSON values: {count}")?;
                values.iter().try_for_each(|(name, place)| write!(f, "\n    {name}, {place}"))?;
            }
        }
        if !mixed.is_empty() {
            write!(f, "\n  with members that are checked JSON values: {}", mixed.len())?;
            mixed.iter().try_for_each(|(name, place)| write!(f, "\n    {name}, {place}"))?;
        }
        if !gaps.is_empty() {
            write!(f, "\n  without a `From` of what is written, which must be turned into them by hand:")?;
        }
        gaps.iter().try_for_each(|(name, place, why)| write!(f, "\n    {name}, {place}: {why}"))
    }
}
