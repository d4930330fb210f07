//! The attribute macros of Ludwire.

mod argument;
mod attribute;
mod bounds;
mod docs;
mod event;
mod expand;
mod json;
mod keys;
mod methods;
mod mistakes;
mod names;
mod parse;
mod place;
mod resource;
mod role;
mod state;
mod template;
mod tokens;
mod types;
mod validate;

use mistakes::Mistakes;
use parse::Function;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use role::{Kind, Role};

/// Makes a function a tool that agents can call.
///
/// The function stays as it is. `ludwire::registered::<S>()` finds the tool, wherever it is written;
/// its doc comment is the description that agents choose it by, and must be there. A function with
/// Rust's `#[deprecated]` is a deprecated tool; one whose `#[cfg]` does not hold is none. Functions of an
/// `impl` become tools when [`#[ludwire::tools]`](macro@tools) stands on it.
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
/// | `requires = "world:write"` | A capability that a caller must have, or a list of them. Shown in the manifest, and asked for where sessions have capabilities, as AICC's do. |
/// | `limits(per_minute = 60, per_session = 500)` | How often it may be called, either or both. Shown in the manifest, and counted for each session: over GABP and AiControl that is a connection, over AICC one or several. |
/// | `crate = engine::ludwire` | The path of the runtime, where it is not `::ludwire`. |
///
/// # Parameters
///
/// They are told apart by type, under any name or alias, never by spelling:
///
/// - `&S` and `&mut S` are the game's state, one of them at most. `S` is a struct or an enum of the game,
///   not a type such as `u32`, `String` or `Vec<T>`: put that into a struct. A tool that takes the state
///   runs on the game's thread, when the game calls `Host::run`; one that does not runs on a worker, where
///   it may block.
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
/// | `alias = "name"` | Another name under which it is read, or a list of them: for agents that know an older one. The schema does not show it; a call with it is what it is with the name. |
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
/// `E` becomes a `ToolError`: a `String`, a `&str`, an `std::io::Error`, a type of yours with `From`, or a
/// `Box<dyn Error>`, which `?` turns any error into; agents get its words. A result is always an object:
/// anything else stands in it as `result`.
///
/// # What it does not take
///
/// Generic, `unsafe`, `const` and `extern` functions, and patterns in place of an argument's name. Each
/// is an error that says what to write instead. With the feature `require-docs`, so is an argument
/// without a doc comment, and a description whose first sentence has more than 137 bytes, which agents
/// that see many tools do not see whole; otherwise both are warnings in the game's log.
#[proc_macro_attribute]
pub fn tool(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    function(Kind::Tool, attribute.into(), item.into()).into()
}

/// Lets agents read something of the game under a URI.
///
/// What the function returns is the content of the resource: JSON, where it is a type that implements
/// `serde::Serialize` and `schemars::JsonSchema`; a text, where that type is a string; or bytes, where it
/// is a `Vec<u8>`, which agents get in base64. It may be in a `Result<T, E>`, where `E` becomes a
/// `ToolError`; `ToolError::missing` says that what the URI names is not there.
///
/// The doc comment is the description that agents choose the resource by. The function is like that of
/// a [`#[tool]`](macro@tool) in all else: state, `&Call`, `&Res<T>`, `#[arg(…)]`, `async`, methods.
///
/// # What stands in `#[resource(…)]`
///
/// | | |
/// |---|---|
/// | `"gabp://game/world"` | The URI, first: a namespace and a path. |
/// | `name = "World"` | For people; made from the path otherwise. |
/// | `mime = "text/markdown"` | The media type; otherwise `application/json`, `text/plain` or `application/octet-stream`. |
/// | `number` | 64-bit integers of its content are JSON numbers, not decimal strings. |
/// | `timeout = 5` | How long a peer waits for it, as in `#[tool]`. |
/// | `crate = engine::ludwire` | The path of the runtime, where it is not `::ludwire`. |
///
/// # Variables
///
/// A segment `{id}` of the URI, and the members of a query at its end, `{?limit,offset}`, are arguments
/// of the function, by name. All arguments stand in the URI, and all variables are arguments. They are
/// read from the text that a peer writes there: numbers, `bool`, strings, and what is a string in JSON,
/// such as an enum without fields; a list has no text. A member of the query may be left out where its argument has a
/// default or is an `Option`. Where two URIs fit, a segment that is no variable goes first.
///
/// A list that may be long is a `Page<T>`, with `limit` and `offset` as its query.
#[proc_macro_attribute]
pub fn resource(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    function(Kind::Resource, attribute.into(), item.into()).into()
}

/// Lets agents read a part of the game's state by name, and set it.
///
/// `#[state("player")]` stands before the function that reads it: it takes the game's state, and returns
/// a value, which implements `serde::Serialize` and `schemars::JsonSchema`, or a `Result` of one. Its doc
/// comment is the description.
///
/// `#[state("player", write)]` stands before the function that sets it: it takes the game's state, and the
/// new value, which implements `serde::Deserialize` and `schemars::JsonSchema`. It may have an `#[arg(…)]`,
/// and the function may fail. Without such a function agents can only read.
///
/// Where each player has a state of that name, both functions take an argument `player_id`, a string or a
/// number, which may be an `Option` where the name also means something without a player.
///
/// Both run on the game's thread, between two frames; several states that are asked for together are
/// read at one moment. Beside the name, `#[state]` takes `number` (64-bit integers of what is read are JSON
/// numbers) and `crate = engine::ludwire`.
#[proc_macro_attribute]
pub fn state(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    function(Kind::State, attribute.into(), item.into()).into()
}

/// Says what an agent sees of the game at a moment: one function of a game, which returns an object.
///
/// It takes the game's state, `&Call` and `&Res<T>` as a [`#[tool]`](macro@tool) does, and no arguments,
/// and runs on the game's thread. What it returns implements `serde::Serialize` and
/// `schemars::JsonSchema`, and is a struct with named fields, or a `Result` of one. `Host::observe` calls
/// it. Two of them for one host are refused, with both places.
///
/// `#[observe]` takes `number` (64-bit integers are JSON numbers) and `crate = engine::ludwire`.
#[proc_macro_attribute]
pub fn observe(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    function(Kind::Observe, attribute.into(), item.into()).into()
}

fn function(kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(mut item_fn) = parse::function(kind, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_items();
        return quote!(#item #errors);
    };
    let role = Role::parse(kind, attribute, &mut mistakes);
    let at = Span::call_site();
    let function = Function::parse(role, at, &mut item_fn.attrs, &mut item_fn.sig, &mut mistakes);
    let name = &function.signature.ident;
    // What takes `self` is told where that stands.
    if item_fn.sig.receiver().is_none() && place::is_in_an_impl(&name.to_string(), at) {
        mistakes.on(name, types::TOOLS_ON_IMPL);
        let errors = mistakes.into_items();
        return quote!(#item_fn #errors);
    }
    let more = checked(&function, mistakes);
    // The function is always there, so that one mistake is one error.
    quote!(#item_fn #more)
}

/// What registers a function, or its mistakes.
fn checked(function: &Function, mut mistakes: Mistakes) -> TokenStream {
    validate::function(function, &mut mistakes);
    if mistakes.is_empty() {
        return expand::function(function);
    }
    let (cfgs, mistakes) = (&function.cfgs, mistakes.into_items());
    if cfgs.is_empty() { mistakes } else { quote!(#(#cfgs)* const _: () = { #mistakes };) }
}

/// Makes a struct an event that agents can subscribe to: `host.emit(&…)` and `call.emit(&…)` send it.
///
/// `#[event("unit/moved")]` names the channel, which has the form of a tool's name. The doc comment of
/// the struct is the description that agents choose the channel by, and must be there; those of the
/// fields are in the schema of the payload. `ludwire::registered::<S>()` finds the event, wherever it is
/// written.
///
/// The struct has named fields or none, and implements `serde::Serialize` and `schemars::JsonSchema`. It
/// may borrow (`struct Said<'a> { text: &'a str }`), but has no type parameters. The payload is written
/// as the result of a tool is: 64-bit integers are decimal strings, and NaN is an error, which is logged
/// while nothing is sent.
///
/// Beside the channel `#[event]` takes `number` (64-bit integers are JSON numbers) and
/// `crate = engine::ludwire` (the path of the runtime, where it is not `::ludwire`).
#[proc_macro_derive(Event, attributes(event))]
pub fn event(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    event::derive(item.into()).into()
}

/// Makes methods tools: those in the `impl` that have [`#[tool("…")]`](macro@tool), with all that can
/// stand there; and resources, states and the observation those that have
/// [`#[resource("…")]`](macro@resource), [`#[state("…")]`](macro@state) and [`#[observe]`](macro@observe).
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
    let more = methods.functions.into_iter().map(|(function, mistakes)| checked(&function, mistakes));
    quote!(#item #errors #(#more)*)
}
