//! What the types of a protocol became, for whoever runs the generator.

use super::layout::Layout;
use crate::diagnostics::Place;
use crate::ir::{Protocol, Shape};
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
}

impl Summary {
    pub(super) fn new(protocol: &Protocol, layout: &Layout) -> Self {
        let count = |is: fn(&Shape) -> bool| protocol.types.iter().filter(|ty| is(&ty.shape)).count();
        let values = protocol.types.iter().filter(|ty| matches!(ty.shape, Shape::Value(_)));
        Self {
            protocol: protocol.name.clone(),
            types: protocol.types.len(),
            structs: count(|shape| matches!(shape, Shape::Struct(_))),
            enums: count(|shape| matches!(shape, Shape::Enum(_))),
            laid_out: layout.count(),
            values: values.map(|ty| (ty.name.clone(), ty.place.clone())).collect(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { protocol, types, structs, enums, laid_out, values } = self;
        write!(
            f,
            "{protocol}: {types} types, of them {structs} structs and {enums} enums, {laid_out} of which typify laid out; "
        )?;
        match values.len() {
            0 => write!(f, "no checked JSON values"),
            count => {
                write!(f, "checked JSON values: {count}")?;
                values.iter().try_for_each(|(name, place)| write!(f, "\n    {name}, {place}"))
            }
        }
    }
}
