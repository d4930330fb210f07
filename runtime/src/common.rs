//! What is generic, for the types that most tools take, compiled with the runtime.
//!
//! A crate compiles generic functions anew for each type it uses them with, unless it depends on a crate that
//! has: rustc takes them from there where it does not optimise. A game with a few tools builds far faster so.

use crate::error::ToolError;
use crate::inputs::{AnyArgument as _, Argument, taken};
use crate::outputs::{AnyOutput as _, Output};
use crate::private::{Arg, Context, Probe, Signature};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Uses all that expansions of the macros do with common types. Nobody calls it: it is there to be compiled.
///
/// # Errors
///
/// Those of the arguments.
pub fn compiled_once(
    signature: &mut Signature,
    context: &mut Context<'_>,
    arg: &Arg,
) -> Result<Vec<Value>, ToolError> {
    signature.output(&Probe::<Result<(), ToolError>>::new().output());
    Ok(vec![
        as_tools_do::<bool>(signature, context, arg)?,
        as_tools_do::<i32>(signature, context, arg)?,
        as_tools_do::<i64>(signature, context, arg)?,
        as_tools_do::<u8>(signature, context, arg)?,
        as_tools_do::<u32>(signature, context, arg)?,
        as_tools_do::<u64>(signature, context, arg)?,
        as_tools_do::<usize>(signature, context, arg)?,
        as_tools_do::<f32>(signature, context, arg)?,
        as_tools_do::<f64>(signature, context, arg)?,
        as_tools_do::<String>(signature, context, arg)?,
    ])
}

/// A type as it stands in structs.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Members<T> {
    one: T,
    optional: Option<T>,
    many: Vec<T>,
}

/// What expansions do with a type: by itself, in a list, and as a member.
fn as_tools_do<T: Argument + Output>(
    signature: &mut Signature,
    context: &mut Context<'_>,
    arg: &Arg,
) -> Result<Value, ToolError> {
    Ok(Value::from(vec![
        as_a_tool_does::<T>(signature, context, arg)?,
        as_a_tool_does::<Vec<T>>(signature, context, arg)?,
        as_a_tool_does::<Members<T>>(signature, context, arg)?,
    ]))
}

fn as_a_tool_does<T: Argument + Output>(
    signature: &mut Signature,
    context: &mut Context<'_>,
    arg: &Arg,
) -> Result<Value, ToolError> {
    let (required, optional) = (Probe::<T>::new(), Probe::<Option<T>>::new());
    let (plain, fallible) = (Probe::<T>::new().output(), Probe::<Result<T, ToolError>>::new().output());
    signature.argument(&required.argument(), arg);
    signature.argument(&optional.argument(), arg);
    signature.output(&plain);
    signature.output(&fallible);
    let mut arguments = context.arguments();
    let value = arguments.read(&required.argument(), arg);
    let other = arguments.read(&optional.argument(), arg);
    arguments.finish()?;
    let (value, other) = (taken(value)?, taken(other)?);
    let written = context.finish(&plain, value)?;
    match other {
        Some(other) => context.finish(&fallible, Ok(other)),
        None => Ok(written),
    }
}
