//! What parameters by value are for: arguments, which must be given or not.
//!
//! What a type must implement is asked for where its role is found, and nowhere else, so that a type that
//! lacks it is one error; the role then carries the functions.

use crate::call::Call;
use crate::error::ToolError;
use crate::held::Res;
use crate::private::Probe;
use crate::schema::{self, Given, ReadError};
use schemars::JsonSchema;
use schemars::generate::SchemaGenerator;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument",
    label = "must implement `serde::Deserialize` and `schemars::JsonSchema`",
    note = "derive both for your own types, also for those that stand in others: \
            `#[derive(serde::Deserialize, schemars::JsonSchema)]`",
    note = "if it is the game's state, take it by reference: write `&mut` or `&` before the type"
)]
pub trait Argument: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {}

/// What a parameter by value is for.
pub trait ArgumentRole {
    /// The type of the parameter.
    type Type;
    /// It need not be given.
    const OPTIONAL: bool;
    /// The schema of a value that is given.
    fn schema(&self, generator: &mut SchemaGenerator) -> Value;
    /// Reads a value that is given.
    fn read(&self, given: Given<'_, '_>) -> Read<Self::Type>;
    /// The value when none is given.
    fn absent() -> Option<Self::Type>;
}

type Read<T> = Result<T, ReadError>;

/// A value that must be given, unless there is a default.
pub struct RequiredArgument<T> {
    schema: fn(&mut SchemaGenerator) -> Value,
    read: fn(Given<'_, '_>) -> Read<T>,
}

/// `Option<T>`
pub struct OptionalArgument<T>(RequiredArgument<T>);

impl<T: Argument> RequiredArgument<T> {
    fn new() -> Self {
        Self { schema: schema::of::<T>, read: schema::read::<T> }
    }
}

impl<T> Probe<Option<T>> {
    /// It need not be given.
    pub fn argument(&self) -> OptionalArgument<T>
    where
        T: Argument,
    {
        OptionalArgument(RequiredArgument::new())
    }
}

/// What is lent to a function for the call, and never taken by value: no type implements it.
#[diagnostic::on_unimplemented(message = "`{Self}` is no argument", label = "take `&{Self}`")]
pub trait ByValue: Sized {
    /// How it would be read.
    fn role() -> RequiredArgument<Self>;
}

impl Probe<Call> {
    /// It is lent.
    pub fn argument(&self) -> RequiredArgument<Call>
    where
        // What never holds may only be asked for under a `for`.
        for<'a> Call: ByValue,
    {
        Call::role()
    }
}

impl<T> Probe<Res<T>> {
    /// It is lent.
    pub fn argument(&self) -> RequiredArgument<Res<T>>
    where
        Res<T>: ByValue,
    {
        Res::role()
    }
}

/// Any other type must be given.
pub trait AnyArgument {
    /// The type.
    type Type;
    /// It must be given.
    fn argument(&self) -> RequiredArgument<Self::Type>
    where
        Self::Type: Argument;
}

impl<T> AnyArgument for Probe<T> {
    type Type = T;
    fn argument(&self) -> RequiredArgument<T>
    where
        T: Argument,
    {
        RequiredArgument::new()
    }
}

impl<T> ArgumentRole for RequiredArgument<T> {
    type Type = T;
    const OPTIONAL: bool = false;
    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        (self.schema)(generator)
    }
    fn read(&self, given: Given<'_, '_>) -> Read<T> {
        (self.read)(given)
    }
    fn absent() -> Option<T> {
        None
    }
}

impl<T> ArgumentRole for OptionalArgument<T> {
    type Type = Option<T>;
    const OPTIONAL: bool = true;
    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        self.0.schema(generator)
    }
    fn read(&self, mut given: Given<'_, '_>) -> Read<Option<T>> {
        // Agents write null for what they leave out.
        if given.null()? { Ok(None) } else { self.0.read(given).map(Some) }
    }
    fn absent() -> Option<Option<T>> {
        Some(None)
    }
}

/// The value of an argument, once `Arguments::finish` has found no problem.
pub fn taken<T>(value: Option<T>) -> Result<T, ToolError> {
    value.ok_or_else(|| ToolError::internal("an argument was not read"))
}

/// A type whose values can be defaults.
#[diagnostic::on_unimplemented(
    message = "a default of `{Self}` cannot be written as JSON",
    label = "the type of the argument must implement `serde::Serialize`",
    note = "derive it: agents see the default in the schema"
)]
pub trait DefaultValue: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> DefaultValue for T {}

/// A default as JSON.
pub fn default_value<T: DefaultValue>(value: T) -> Value {
    // What cannot be written cannot be read either, which is told when the tool is registered.
    schema::to_json(&value).unwrap_or_default()
}

/// A constant that a range ends with.
pub trait Bound {
    /// It is in the range.
    fn included(self) -> Option<Number>;
    /// It is the first above the range.
    fn excluded(self) -> Option<Number>;
}

macro_rules! bound {
    ($($integer:ty)*) => {$(
        impl Bound for $integer {
            fn included(self) -> Option<Number> {
                Some(Number::from(self))
            }
            fn excluded(self) -> Option<Number> {
                Some(Number::from(self - 1))
            }
        }
    )*};
}
bound!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
