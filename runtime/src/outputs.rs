//! What return types are: results, of functions that can fail or not; and what events are.

use crate::error::ToolError;
use crate::private::Probe;
use crate::schema::{self, Form, Plan};
use schemars::JsonSchema;
use schemars::generate::SchemaGenerator;
use serde::Serialize;
use serde_json::Value;

/// A type that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a result",
    label = "must implement `serde::Serialize` and `schemars::JsonSchema`, or be a `Result` of such a type",
    note = "derive both for your own types, also for those that stand in others: \
            `#[derive(serde::Serialize, schemars::JsonSchema)]`"
)]
pub trait Output: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for T {}

/// A type that can be the payload of an event.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the payload of an event",
    label = "must implement `serde::Serialize` and `schemars::JsonSchema`",
    note = "derive both, also for the types that stand in it: `#[derive(serde::Serialize, schemars::JsonSchema)]`"
)]
pub trait Written: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Written for T {}

/// How the payload of an event is written.
pub struct Payload<T> {
    pub(crate) schema: fn(&mut SchemaGenerator) -> Value,
    pub(crate) to_json: fn(&T) -> Result<Value, schema::WriteError>,
    /// As text, where its plan takes it.
    pub(crate) to_text: fn(&T, &Plan, &mut Vec<u8>) -> bool,
}

impl<T: Written> Payload<T> {
    /// As its derives say.
    #[expect(clippy::new_without_default, reason = "only the expansion makes one")]
    pub fn new() -> Self {
        Self { schema: schema::of::<T>, to_json: schema::to_json::<T>, to_text: schema::written::<T> }
    }
}

/// A type that a tool can fail with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to an agent as an error",
    label = "must become a `ToolError`",
    note = "an error of yours: implement `From<{Self}>` for `ludwire::ToolError`",
    note = "an error of others: return `Result<_, ludwire::ToolError>`, and write \
            `.map_err(|error| ToolError::failed(error.to_string()))?`; or return `Result<_, Box<dyn std::error::Error>>`, \
            which `?` turns any error into"
)]
pub trait Failure: Into<ToolError> {}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> Failure for E {}

/// What a return type is.
pub trait OutputRole {
    /// The return type.
    type Type;
    /// The schema of a result.
    fn schema(&self, generator: &mut SchemaGenerator) -> Value;
    /// The result as JSON.
    fn finish(&self, output: Self::Type, form: Form) -> Result<Value, ToolError>;
}

/// A type that is the result.
pub struct PlainOutput<T> {
    schema: fn(&mut SchemaGenerator) -> Value,
    finish: fn(&T, Form) -> Result<Value, ToolError>,
}

/// `Result<T, E>`
pub struct FallibleOutput<T, E> {
    success: PlainOutput<T>,
    failure: fn(E) -> ToolError,
}

impl<T: Output> PlainOutput<T> {
    fn new() -> Self {
        Self { schema: schema::of::<T>, finish: schema::write::<T> }
    }
}

impl<T, E> Probe<Result<T, E>> {
    /// It can fail.
    pub fn output(&self) -> FallibleOutput<T, E>
    where
        T: Output,
        E: Failure,
    {
        FallibleOutput { success: PlainOutput::new(), failure: E::into }
    }
}

/// Any other type is the result.
pub trait AnyOutput {
    /// The type.
    type Type;
    /// It is the result.
    fn output(&self) -> PlainOutput<Self::Type>
    where
        Self::Type: Output;
}

impl<T> AnyOutput for Probe<T> {
    type Type = T;
    fn output(&self) -> PlainOutput<T>
    where
        T: Output,
    {
        PlainOutput::new()
    }
}

impl<T> OutputRole for PlainOutput<T> {
    type Type = T;
    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        (self.schema)(generator)
    }
    fn finish(&self, output: T, form: Form) -> Result<Value, ToolError> {
        (self.finish)(&output, form)
    }
}

impl<T, E> OutputRole for FallibleOutput<T, E> {
    type Type = Result<T, E>;
    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        self.success.schema(generator)
    }
    fn finish(&self, output: Result<T, E>, form: Form) -> Result<Value, ToolError> {
        output.map_err(self.failure).and_then(|output| self.success.finish(output, form))
    }
}
