//! The attribute macros of Ludwire.

mod argument;
mod attribute;
mod bounds;
mod docs;
mod expand;
mod keys;
mod methods;
mod mistakes;
mod names;
mod parse;
mod tokens;
mod types;
mod validate;

use mistakes::Mistakes;
use parse::Tool;
use proc_macro2::{Span, TokenStream};
use quote::quote;

/// Makes a function a tool that agents can call.
///
/// The function stays as it is. `ludwire::registered::<S>()` finds the tool, wherever it is written;
/// its doc comment is the description that agents choose it by, and must be there. A function with
/// Rust's `#[deprecated]` is a deprecated tool; one whose `#[cfg]` does not hold is none. Functions of an
/// `impl` become tools when [`#[ludwire::tools]`](macro@tools) stands on it. Where that is missing, and no
/// `self` tells that there is an `impl`, only the compiler sees it, and says in its own words that a `const`
/// needs a name there, and that it cannot find the function.
///
/// # What stands in `#[tool(…)]`
///
/// | | |
/// |---|---|
/// | `"world/spawn_orc"` | The name, first: two or more words of lowercase letters, digits, `_` and `-`, each beginning with a letter, with slashes between; 64 bytes at most. |
/// | `title = "…"` | For people; made from the name otherwise. |
/// | `class = sensor` | What it does to the world: `sensor` only looks, `actuator` acts as a player could (the default), `generator` makes things as a designer could. |
/// | `tags = ["…"]` | By which agents find it. |
/// | `version = "…"` | Of this tool. |
/// | `deprecated` | Agents should not begin to use it. |
/// | `number` | 64-bit integers of its result are JSON numbers, not decimal strings. |
/// | `lenient` | Members of the arguments that it does not know are ignored, at every depth; otherwise they are errors. |
/// | `timeout = 5` | How long a peer waits for it, instead of what the host says: seconds, or a constant `Duration`. |
/// | `thread = game` | It runs on the game's thread though it takes no state; `worker` says that it does not, and is an error where it takes the state. |
/// | `read_only`, `destructive`, `idempotent` | Hints: it changes nothing; what it does cannot be taken back; twice is as once. `= false` says that it is not so. |
/// | `examples = [{ "hp": 3 }]` | Arguments as they could be, as JSON or expressions. They stand in the input schema, which must accept them, or the host is not built. |
/// | `requires = "world:write"` | A capability that a caller must have, or a list of them. Shown in the manifest; GABP has no capabilities, so nothing asks for them yet. |
/// | `limits(per_minute = 60, per_session = 500)` | How often it may be called, either or both. Shown in the manifest; nothing counts yet. |
/// | `crate = engine::ludwire` | The path of the runtime, where it is not `::ludwire`. |
///
/// # Parameters
///
/// They are told apart by type, under any name or alias, never by spelling:
///
/// - `&S` and `&mut S` are the game's state, one of them at most. A tool that takes it runs on the
///   game's thread, when the game calls `Host::run`; one that does not runs on a worker, where it may
///   block.
/// - `&Call` is the call: caller, deadline, cancellation, events. It does not show in the schema.
/// - `&Res<T>` is a value that the host holds (`Builder::hold`). It does not show in the schema.
/// - All others are arguments, with the parameter's name as name. Their types implement
///   `serde::Deserialize` and `schemars::JsonSchema`, and own their data; only `&str` and `&[T]` are
///   lent. `Option<T>` may be left out.
///
/// An argument named `timeout` or `timeoutMs` is a whole number, since bridges read it as their own
/// deadline for the call.
///
/// The doc comment of an argument is its description, and `#[arg(…)]` says more:
///
/// | | |
/// |---|---|
/// | `default = 10` | The value when it is not given: an expression of the argument's type, which must implement `serde::Serialize`; or a literal as it stands in JSON. |
/// | `default` | The same, with the `Default` of the type. |
/// | `range = 1..=100` | Least and greatest number. Either end may be left out, or be a constant. |
/// | `len = 1..=200` | Least and greatest length: characters of a text, items of a list. |
/// | `pattern = "^[a-z]+$"` | What a text must match somewhere: an ECMA-262 pattern, compiled here. |
/// | `rename = "label"` | The name that agents see. |
/// | `number` | Its 64-bit integers are JSON numbers, not decimal strings. |
/// | `alias = "name"` | Another name under which it is read, or a list of them: for agents that know an older one. The schema does not show it. |
/// | `flatten` | The fields of this struct stand beside the other arguments, each with its own docs. |
///
/// A call whose arguments break any of this does not run; its error names every bad argument, with
/// what was expected.
///
/// # Async tools
///
/// An `async fn` runs on the host's runtime (tokio), where it must not block, and takes no state:
/// `call.on_game(|world: &mut World| …).await` does something with it. When the deadline passes or the
/// peer goes, its future is dropped. The future must be `Send`.
///
/// # Results
///
/// `T`, `()` or `Result<T, E>`, where `T` implements `serde::Serialize` and `schemars::JsonSchema`, and
/// `E` becomes a `ToolError`. A result is always an object: anything else stands in it as `result`.
///
/// # What it does not take
///
/// Generic, `unsafe`, `const` and `extern` functions, and patterns in place of an argument's name. Each
/// is an error that says what to write instead. With the feature `require-docs`, so is an argument
/// without a doc comment, and a description whose first sentence has more than 137 bytes, which agents
/// that see many tools do not see whole; otherwise both are warnings in the game's log.
#[proc_macro_attribute]
pub fn tool(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tool_tokens(attribute.into(), item.into()).into()
}

fn tool_tokens(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(mut function) = parse::function(item.clone(), &mut mistakes) else {
        let errors = mistakes.into_items();
        return quote!(#item #errors);
    };
    let attribute = keys::tool_attribute(attribute, &mut mistakes);
    let at = Span::call_site();
    let tool = Tool::parse(attribute, at, &mut function.attrs, &mut function.sig, &mut mistakes);
    let more = checked(&tool, mistakes);
    // The function is always there, so that one mistake is one error.
    quote!(#function #more)
}

/// What registers a tool, or its mistakes.
fn checked(tool: &Tool, mut mistakes: Mistakes) -> TokenStream {
    validate::tool(tool, &mut mistakes);
    if mistakes.is_empty() {
        return expand::tool(tool);
    }
    let (cfgs, mistakes) = (&tool.cfgs, mistakes.into_items());
    if cfgs.is_empty() { mistakes } else { quote!(#(#cfgs)* const _: () = { #mistakes };) }
}

/// Makes methods tools: those in the `impl` that have [`#[tool("…")]`](macro@tool), with all that can
/// stand there.
///
/// A method with `&self` or `&mut self` works on the state, which is of the type of the `impl`; a
/// function without a receiver is a tool as it would be elsewhere. `Self` means what it means in the
/// `impl`, which stays as it is. `#[cfg]` and `#[cfg_attr]` hold for the tool as for the method.
///
/// The `impl` is of one type, without parameters, and of no trait. Where the runtime is not `::ludwire`,
/// `#[tools(crate = engine::ludwire)]` says so for all methods.
#[proc_macro_attribute]
pub fn tools(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tools_tokens(attribute.into(), item.into()).into()
}

fn tools_tokens(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(methods) = methods::tools(attribute, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_items();
        return quote!(#item #errors);
    };
    let item = &methods.item;
    let errors = mistakes.into_items();
    let more = methods.tools.into_iter().map(|(tool, mistakes)| checked(&tool, mistakes));
    quote!(#item #errors #(#more)*)
}
