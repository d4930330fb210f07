//! What the expansions of the macros name. Nothing here is for users, and all of it may change.
//!
//! A parameter is told apart by its type, under any alias: [`Probe`] has an inherent method for the
//! types that are special, and a trait has the same method for all others. An inherent method wins.

pub use crate::arguments::{Arg, Arguments};
use crate::arguments::{Known, Sent};
use crate::call::Call;
pub use crate::common::compiled_once;
pub use crate::error::ToolError;
pub use crate::event::{Declaration, Declared, Event, topic};
use crate::function::Registered;
pub use crate::function::{Function, Kind, LONGEST_SENTENCE, Limits, Location, Options, Run, first_sentence};
pub use crate::inputs::*;
pub use crate::outputs::*;
pub use crate::references::*;
pub use crate::registry::nearest;
pub use crate::resource::{Resource, Segment};
pub use crate::schema::twice;
use crate::schema::{self, ArgumentsSchema, Held, Way};
pub use crate::schema::{Form, Given, ReadError};
pub use crate::state::{Observation, State};
pub use crate::tool::{Class, Tool};
pub use inventory;
use schemars::generate::SchemaGenerator;
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
        let way = if self.call.core.coerces { Way::Coerced } else { Way::In };
        Arguments::new(self.arguments.take(), self.tool, way)
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

/// Gives the schema of a type.
type SchemaOf<'r> = dyn Fn(&mut SchemaGenerator) -> Value + 'r;

/// Reads a value of a type, and forgets it.
type Reads<'r> = dyn Fn(Given<'_, '_>) -> Result<(), ReadError> + 'r;

/// Schemas and state of a tool.
pub struct Signature {
    /// Schemas are wanted, which take their time.
    in_full: bool,
    arguments: ArgumentsSchema,
    number_result: bool,
    output: Option<(Held, Form)>,
    names: Vec<String>,
    aliases: Vec<&'static str>,
    flat: Vec<(&'static str, Vec<String>)>,
    state: Option<Kind>,
    needs: Vec<Kind>,
    defaults: Vec<(&'static str, Value)>,
    defects: Vec<String>,
}

impl Signature {
    /// Without parameters, returning nothing.
    pub(crate) fn new() -> Self {
        Self {
            in_full: true,
            arguments: ArgumentsSchema::new(),
            number_result: false,
            output: None,
            names: Vec::new(),
            aliases: Vec::new(),
            flat: Vec::new(),
            state: None,
            needs: Vec::new(),
            defaults: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// The same, which then knows the state only.
    pub(crate) fn of_state() -> Self {
        Self { in_full: false, ..Self::new() }
    }

    /// A parameter that is an argument.
    pub fn argument<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) {
        self.add(arg, R::OPTIONAL, &|generator| role.schema(generator), &|given| role.read(given).map(drop));
    }

    /// The same. It is compiled once, not for each type.
    fn add(&mut self, arg: &Arg, is_optional: bool, schema: &SchemaOf<'_>, read: &Reads<'_>) {
        if !self.in_full {
            return;
        }
        self.names.push(arg.name.to_owned());
        let of_type = schema(self.arguments.generator());
        let schema = arg.schema(of_type, &mut self.defects);
        self.aliases.extend(arg.aliases);
        let is_required = arg.default.is_none() && !is_optional;
        self.arguments.add(arg.name, schema, is_required, read);
        let Some(default) = arg.default.map(|default| default()) else { return };
        self.defaults.push((arg.name, default.clone()));
        if let Err(error) = read(Given::value(default)) {
            self.defects.push(format!("the default of the argument `{}` cannot be read: {error}", arg.name));
        }
    }

    /// A parameter that is an argument whose members stand beside the other arguments.
    pub fn flatten<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) {
        let (schema, read) =
            (|generator: &mut _| role.schema(generator), |given: Given<'_, '_>| role.read(given).map(drop));
        self.add_members(arg.name, R::OPTIONAL, &schema, &read);
    }

    fn add_members(
        &mut self,
        name: &'static str,
        is_optional: bool,
        schema: &SchemaOf<'_>,
        read: &Reads<'_>,
    ) {
        if !self.in_full {
            return;
        }
        if is_optional {
            self.defects
                .push(format!("the argument `{name}` is an `Option`, which `flatten` does not go with"));
            return;
        }
        let of_type = schema(self.arguments.generator());
        match self.arguments.flatten(name, of_type, read) {
            Ok(members) => {
                self.names.extend(members.iter().cloned());
                self.flat.push((name, members));
            }
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

    /// The return type, of which an object is made.
    pub fn output<R: OutputRole>(&mut self, role: &R) {
        let Some((schema, mut generator)) = self.schema_of(role) else { return };
        self.output = Some(schema::result(schema, &mut generator));
    }

    /// The return type, which is an object.
    pub fn object<R: OutputRole>(&mut self, role: &R) {
        self.output(role);
        if self.output.as_ref().is_some_and(|(_, form)| *form != Form::Object) {
            self.defects.push("what it returns is no object: return a struct with named fields".to_owned());
        }
    }

    /// The return type, which stands for itself.
    pub fn value<R: OutputRole>(&mut self, role: &R) {
        let Some((schema, mut generator)) = self.schema_of(role) else { return };
        self.output = Some(schema::value(schema, &mut generator, false));
    }

    /// The return type, which is JSON, a text or bytes.
    pub fn content<R: OutputRole>(&mut self, role: &R) {
        let Some((schema, mut generator)) = self.schema_of(role) else { return };
        self.output = Some(schema::value(schema, &mut generator, true));
    }

    fn schema_of<R: OutputRole>(&mut self, role: &R) -> Option<(Value, SchemaGenerator)> {
        self.result(&|generator| role.schema(generator))
    }

    fn result(&mut self, schema: &SchemaOf<'_>) -> Option<(Value, SchemaGenerator)> {
        if !self.in_full {
            return None;
        }
        let mut generator = schema::for_result();
        let mut schema = schema(&mut generator);
        if self.number_result
            && let Some(why) = schema::as_numbers(&mut schema)
        {
            self.defects.push(format!("it has `number`, but {why}"));
        }
        Some((schema, generator))
    }

    pub(crate) fn state(&self) -> Option<Kind> {
        self.state
    }

    /// What a function is, in full.
    pub(crate) fn registered(mut self, function: Function) -> Registered {
        for alias in self.aliases.iter().filter(|alias| self.arguments.has(alias)) {
            self.defects.push(format!("`{alias}` is the name of one argument and an alias of another"));
        }
        self.defects.append(&mut self.arguments.defects);
        let remarks = std::mem::take(&mut self.arguments.remarks);
        let input = self.arguments.finish();
        let nothing = || schema::result(Value::from_iter([("type", "null")]), &mut schema::for_result());
        let (output, form) = self.output.unwrap_or_else(nothing);
        let mut registered = Registered {
            function,
            input_schema: input.published(),
            output_schema: output.published(),
            output_plan: output.whole_plan(),
            known: Known::of(&input, self.names, &self.aliases),
            input,
            output,
            state: self.state,
            needs: self.needs,
            flat: self.flat,
            form,
            remarks,
            defects: Vec::new(),
            enabled: AtomicBool::new(true),
            pace: Default::default(),
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
