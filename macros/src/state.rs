//! `#[state]` and `#[observe]`: their keys, their rules, and their registration.

use crate::attribute::{Entries, Keys, Value};
use crate::expand;
use crate::keys::{NO_ENTRY, path};
use crate::mistakes::Mistakes;
use crate::names::{self, First, Named, first};
use crate::parse::Function;
use crate::tokens::code;
use proc_macro2::TokenStream;
use syn::{Ident, LitStr, Path};

/// `#[state(…)]`
#[derive(Default)]
pub(crate) struct StateAttribute {
    pub(crate) name: First,
    /// The function sets the state, and does not read it.
    pub(crate) write: bool,
    /// The key, where it stands.
    pub(crate) number: Option<Ident>,
    pub(crate) runtime: Option<Path>,
}

/// `#[observe]`
#[derive(Default)]
pub(crate) struct ObserveAttribute {
    pub(crate) number: bool,
    pub(crate) runtime: Option<Path>,
}

const STATE: Keys = Keys { attribute: "#[state]", known: &["write", "number", "crate"] };
const OBSERVE: Keys = Keys { attribute: "#[observe]", known: &["number", "crate"] };

const NAME: Named = Named {
    what: "the name of a state",
    needed: "a state needs a name",
    attribute: "state",
    key: "name",
    example: "player",
    words: 1,
};

/// The argument of a state that each player has.
pub(crate) const PLAYER: &str = "player_id";

/// Reads `#[state(…)]`.
pub(crate) fn state_attribute(tokens: TokenStream, mistakes: &mut Mistakes) -> StateAttribute {
    let mut entries = Entries::parse(tokens, mistakes);
    let mut found =
        StateAttribute { name: first(&mut entries, &NAME, &STATE, mistakes), ..StateAttribute::default() };
    for entry in entries.known(&STATE, mistakes) {
        match entry.key.to_string().as_str() {
            "write" => match &entry.value {
                Value::Expr(expr) => {
                    // Then it is not known which of the two functions this is.
                    found.name = First::Wrong;
                    mistakes.on(
                        expr,
                        "`#[state(\"…\", write)]` stands before the function that sets the state: write it there",
                    );
                }
                _ => found.write = entry.flag(mistakes),
            },
            "number" => found.number = entry.flag(mistakes).then_some(entry.key),
            _ => found.runtime = path(&entry, mistakes),
        }
    }
    found
}

/// Reads `#[observe(…)]`.
pub(crate) fn observe_attribute(tokens: TokenStream, mistakes: &mut Mistakes) -> ObserveAttribute {
    let entries = Entries::parse(tokens, mistakes);
    let mut found = ObserveAttribute::default();
    for stray in entries.first.iter().chain(&entries.stray) {
        mistakes.on(
            stray,
            if crate::attribute::text(stray).is_some() {
                "there is one observation, without a name: write `#[observe]`"
            } else {
                NO_ENTRY
            },
        );
    }
    for entry in entries.known(&OBSERVE, mistakes) {
        match entry.key.to_string().as_str() {
            "number" => found.number = entry.flag(mistakes),
            _ => found.runtime = path(&entry, mistakes),
        }
    }
    found
}

/// Checks what only states have.
pub(crate) fn check_state(function: &Function, attribute: &StateAttribute, mistakes: &mut Mistakes) {
    let ident = &function.signature.ident;
    match &attribute.name {
        First::Text(name) => names::check(name, &NAME, mistakes),
        First::Wrong => {}
        First::Missing => names::missing(&ident.to_string(), function.at, &NAME, mistakes),
    }
    at_once(function, "a state is read and set between two frames of the game", mistakes);
    let mut values = 0;
    for argument in function.arguments() {
        let name = argument.json_name().map(|(name, _)| name);
        if name.as_deref() == Some(PLAYER) {
            continue;
        }
        values += 1;
        if argument.arg.flatten.is_some() {
            mistakes.on(&argument.pattern, "a state is one value: leave out `flatten`, and take the struct");
        } else if !attribute.write {
            mistakes.on(
                &argument.pattern,
                format!(
                    "a state is read without arguments but for `{PLAYER}`, of a state that each player has: write a \
                     tool or a resource, or `#[state(\"…\", write)]` where this is the new value"
                ),
            );
        } else if values > 1 {
            mistakes.on(&argument.pattern, "a state is one value: take a struct with all of it");
        }
    }
    if !attribute.write && function.returns_nothing() {
        mistakes.on(
            ident,
            "a state is read by what its function returns: write a return type, or `#[state(\"…\", write)]` where the \
             function sets it",
        );
    }
    if attribute.write && values == 0 {
        mistakes.on(
            ident,
            "this function sets a state, and takes no value: give it a parameter with the new one",
        );
    }
    if let Some(number) = attribute.number.as_ref().filter(|_| attribute.write) {
        mistakes.on(number, "`number` is for what is read: here, write `#[arg(number)]` on the parameter");
    }
}

/// Checks what only the observation has.
pub(crate) fn check_observation(function: &Function, mistakes: &mut Mistakes) {
    at_once(function, "the game is observed between two of its frames", mistakes);
    for argument in function.arguments() {
        mistakes.on(
            &argument.pattern,
            "an observation takes no arguments: write a tool, class `sensor`, or a resource",
        );
    }
    if function.returns_nothing() {
        mistakes.on(
            &function.signature.ident,
            "an observation is what its function returns: write a return type, a struct with all that an agent sees",
        );
    }
}

fn at_once(function: &Function, why: &str, mistakes: &mut Mistakes) {
    if let Some(asyncness) = &function.signature.asyncness {
        mistakes.on(asyncness, format!("{why}: leave out `async`"));
    }
}

/// What registers a state.
pub(crate) fn state(
    function: &Function,
    attribute: &StateAttribute,
    signature: &TokenStream,
    run: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let options = code!(#p::Options::NONE);
    let described = expand::described(function, attribute.name.text(), &options, signature, run, p);
    let writes = attribute.write;
    code! {
        #p::inventory::submit! {
            #p::State { function: #described, writes: #writes }
        }
    }
}

/// What registers the observation.
pub(crate) fn observation(
    function: &Function,
    signature: &TokenStream,
    run: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let ident = &function.signature.ident;
    let name = LitStr::new(&ident.to_string(), ident.span());
    let options = code!(#p::Options::NONE);
    let described = expand::described(function, &name, &options, signature, run, p);
    code! {
        #p::inventory::submit! {
            #p::Observation { function: #described }
        }
    }
}
