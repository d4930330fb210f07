//! What the expansion of `#[tool]` names. Nothing here is for users, and all of it may change.
//!
//! A parameter is told apart by its type, under any alias: [`Probe`] has an inherent method for the
//! types that are special, and a trait has the same method for all others. An inherent method wins.

pub use crate::arguments::{Arg, Arguments};
use crate::arguments::{Known, Sent};
use crate::call::Call;
pub use crate::error::ToolError;
pub use crate::references::*;
use crate::schema::{self, ArgumentsSchema, Held};
pub use crate::schema::{Form, Given, ReadError};
use crate::tool::Registered;
pub use crate::tool::{Class, Kind, LONGEST_SENTENCE, Limits, Location, Options, Run, Tool, first_sentence};
pub use inventory;
use schemars::JsonSchema;
use schemars::generate::SchemaGenerator;
use serde::Serialize;
use serde::de::DeserializeOwned;
pub use serde_json::{Map, Number, Value, json};
use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
pub use std::string::String;
use std::sync::atomic::AtomicBool;
pub use std::time::Duration;
pub use std::vec::Vec;

/// A running call, as the expansion sees it.
pub struct Context<'a> {
    pub(crate) state: Option<&'a mut dyn Any>,
    pub(crate) call: &'a Call,
    pub(crate) arguments: Option<&'a mut Sent>,
    pub(crate) tool: &'a Registered,
}

impl<'a> Context<'a> {
    /// The arguments, once.
    pub fn arguments(&mut self) -> Arguments<'a> {
        Arguments::new(self.arguments.take(), self.tool)
    }

    /// The result as JSON.
    ///
    /// # Errors
    ///
    /// That of the tool, or that its result is no JSON, or not what its schema says.
    pub fn finish<R: OutputRole>(&self, role: &R, output: R::Type) -> Result<Value, ToolError> {
        self.results().write(role, output)
    }

    /// How the result is written, when it comes later.
    pub fn results(&self) -> Results<'a> {
        Results(self.tool)
    }
}

/// How the result of a tool is written.
pub struct Results<'a>(&'a Registered);

impl Results<'_> {
    /// The result as JSON.
    ///
    /// # Errors
    ///
    /// That of the tool, or that its result is no JSON, or not what its schema says.
    pub fn write<R: OutputRole>(&self, role: &R, output: R::Type) -> Result<Value, ToolError> {
        let mut value = role.finish(output, self.0.form)?;
        self.0.hold_result(&mut value)?;
        Ok(value)
    }
}

/// The rest of an async tool.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send + 'a>>;

/// The rest of an async tool, which goes from thread to thread.
pub fn running<'a>(rest: impl Future<Output = Result<Value, ToolError>> + Send + 'a) -> Running<'a> {
    Box::pin(rest)
}

/// Schemas and state of a tool.
pub struct Signature {
    arguments: ArgumentsSchema,
    number_result: bool,
    output: Option<(Held, Form)>,
    aliases: Vec<&'static str>,
    flat: Vec<(&'static str, Vec<String>)>,
    state: Option<Kind>,
    needs: Vec<Kind>,
    defaults: Vec<(&'static str, Value)>,
    defects: Vec<String>,
}

impl Signature {
    /// Without parameters, returning nothing.
    #[expect(clippy::new_without_default, reason = "only the expansion makes one")]
    pub fn new() -> Self {
        Self {
            arguments: ArgumentsSchema::new(),
            number_result: false,
            output: None,
            aliases: Vec::new(),
            flat: Vec::new(),
            state: None,
            needs: Vec::new(),
            defaults: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// A parameter that is an argument.
    pub fn argument<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) {
        let of_type = role.schema(self.arguments.generator());
        let schema = arg.schema(of_type, &mut self.defects);
        self.aliases.extend(arg.aliases);
        let is_required = arg.default.is_none() && !R::OPTIONAL;
        self.arguments.add(arg.name, schema, is_required, &|given| role.read(given).map(drop));
        let default = arg.default.map(|default| default());
        self.defaults.extend(default.clone().map(|default| (arg.name, default)));
        if let Some(Err(error)) = default.map(|default| role.read(Given::value(default))) {
            self.defects.push(format!("the default of the argument `{}` cannot be read: {error}", arg.name));
        }
    }

    /// A parameter that is an argument whose members stand beside the other arguments.
    pub fn flatten<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) {
        let name = arg.name;
        if R::OPTIONAL {
            self.defects
                .push(format!("the argument `{name}` is an `Option`, which `flatten` does not go with"));
            return;
        }
        let of_type = role.schema(self.arguments.generator());
        match self.arguments.flatten(name, of_type, &|given| role.read(given).map(drop)) {
            Ok(members) => self.flat.push((name, members)),
            Err(why) => self.defects.push(format!("the argument `{name}` has `flatten`, and {why}")),
        }
    }

    /// Members of the arguments that nobody knows are ignored. Said before the parameters.
    pub fn lenient(&mut self) {
        self.arguments.open();
    }

    /// A parameter of a reference type.
    pub fn reference<R: ReferenceRole>(&mut self, _role: &R) {
        match R::need() {
            Need::Nothing => {}
            Need::State(kind) => self.state = Some(kind),
            Need::Held(kind) => self.needs.push(kind),
        }
    }

    /// 64-bit integers of the result are JSON numbers. Said before the return type.
    pub fn number_result(&mut self) {
        self.number_result = true;
    }

    /// The return type.
    pub fn output<R: OutputRole>(&mut self, role: &R) {
        let mut generator = schema::for_result();
        let mut schema = role.schema(&mut generator);
        if self.number_result
            && let Some(why) = schema::as_numbers(&mut schema)
        {
            self.defects.push(format!("it has `number`, but {why}"));
        }
        self.output = Some(schema::result(schema, &mut generator));
    }

    pub(crate) fn state(&self) -> Option<Kind> {
        self.state
    }

    /// What a tool is, in full.
    pub(crate) fn registered(mut self, tool: Tool, title: String) -> Registered {
        for alias in self.aliases.iter().filter(|alias| self.arguments.has(alias)) {
            self.defects.push(format!("`{alias}` is the name of one argument and an alias of another"));
        }
        self.defects.append(&mut self.arguments.defects);
        let remarks = std::mem::take(&mut self.arguments.remarks);
        let input = self.arguments.finish();
        let nothing = || schema::result(Value::from_iter([("type", "null")]), &mut schema::for_result());
        let (output, form) = self.output.unwrap_or_else(nothing);
        let mut registered = Registered {
            tool,
            title,
            input_schema: input.published(),
            output_schema: output.published(),
            known: Known::of(&input, &self.aliases),
            input,
            output,
            state: self.state,
            needs: self.needs,
            flat: self.flat,
            form,
            remarks,
            defects: Vec::new(),
            enabled: AtomicBool::new(true),
        };
        self.defects.extend(registered.wrong_defaults(self.defaults));
        self.defects.extend(registered.add_examples());
        Registered { defects: self.defects, ..registered }
    }
}

/// A type of which it is not known what it is for.
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> Probe<T> {
    /// The probe.
    #[expect(clippy::new_without_default, reason = "only the expansion makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

// Arguments. What a type must implement is asked for where its role is found, and nowhere else, so
// that a type that lacks it is one error; the role then carries the functions.

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "must implement `serde::Deserialize` and `schemars::JsonSchema`",
    note = "derive both for your own types, also for those that stand in others: \
            `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
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

/// The value of an argument, once [`Arguments::finish`] has found no problem.
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

// Results.

/// A type that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "must implement `serde::Serialize` and `schemars::JsonSchema`, or be a `Result` of such a type",
    note = "derive both for your own types, also for those that stand in others: \
            `#[derive(serde::Serialize, schemars::JsonSchema)]`"
)]
pub trait Output: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for T {}

/// A type that a tool can fail with.
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "must become a `ToolError`",
    note = "implement `From<{Self}>` for `ludwire::ToolError`, or return `Result<_, ludwire::ToolError>`"
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
