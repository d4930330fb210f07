//! The attribute macros of Ludwire.

mod attribute;
mod bounds;
mod docs;
mod expand;
mod keys;
mod methods;
mod mistakes;
mod parse;
mod types;
mod validate;

use mistakes::Mistakes;
use parse::Tool;
use proc_macro2::{Span, TokenStream};
use quote::quote;

/// Makes a function a tool that agents can call.
///
/// ```ignore
/// use ludwire::{Call, ToolError, tool};
///
/// /// Spawns an orc.
/// ///
/// /// Fails when the tile is taken.
/// #[tool("world/spawn_orc", title = "Spawn an orc", class = generator, tags = ["spawn"])]
/// fn spawn_orc(
///     arena: &mut Arena,
///     call: &Call,
///     /// Where it appears, in tiles.
///     at: Point,
///     /// Hit points.
///     #[arg(default = 10, range = 1..=100)] hp: u32,
///     #[arg(len = 1..=20, pattern = "^[A-Z]", rename = "label")] name: Option<String>,
/// ) -> Result<OrcId, ToolError> { todo!() }
/// ```
///
/// The function stays as it is. `ludwire::registered::<Arena>()` finds the tool, wherever it is
/// written; its doc comment is the description that agents choose it by, and must be there. A function
/// with Rust's `#[deprecated]` is a deprecated tool; one whose `#[cfg]` does not hold is none.
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
/// | `crate = engine::ludwire` | The path of the runtime, where it is not `::ludwire`. |
///
/// # Parameters
///
/// They are told apart by type, under any name or alias, never by spelling:
///
/// - `&S` and `&mut S` are the game's state, one of them at most. A tool that takes it runs on the
///   game's thread, when the game calls `Host::run`; one that does not runs on a worker.
/// - `&Call` is the call: caller, deadline, cancellation, events. It does not show in the schema.
/// - All others are arguments, with the parameter's name as name. Their types implement
///   `serde::Deserialize` and `schemars::JsonSchema`, and own their data. `Option<T>` may be left out.
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
///
/// A call whose arguments break any of this does not run; its error names every bad argument, with
/// what was expected.
///
/// # Results
///
/// `T`, `()` or `Result<T, E>`, where `T` implements `serde::Serialize` and `schemars::JsonSchema`, and
/// `E` becomes a `ToolError`. A result is always an object: anything else stands in it as `result`.
///
/// # What it does not take
///
/// Methods, `async` functions, borrowed arguments such as `&str`: these come later. Generic, `unsafe`,
/// `const` and `extern` functions, and patterns in place of an argument's name. Each is an error that
/// says what to write instead.
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
    let tool = Tool::parse(attribute, at, &function.attrs, &mut function.sig, &mut mistakes);
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

/// Makes methods tools: those in the `impl` that have `#[tool("…")]`.
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
