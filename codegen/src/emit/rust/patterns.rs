//! Patterns in code: as a table or a `match` over characters where that is enough, else by the engine.

use super::literals::indices;
use crate::pattern::{Automaton, Next, State, automaton};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::cmp::Ordering;

/// Whether the pattern matches in a `&str`, as a condition.
pub(super) fn matches(pattern: &str, text: &TokenStream) -> TokenStream {
    match automaton(pattern) {
        Some(automaton) => {
            let function = function(&automaton);
            quote! { { #function matches(#text) } }
        }
        None => {
            let engine = engine(pattern);
            quote! { { #engine PATTERN.matches(#text) } }
        }
    }
}

/// The same as a `Result<(), RuleError>`.
pub(super) fn check(pattern: &str, text: &TokenStream) -> TokenStream {
    match automaton(pattern) {
        Some(automaton) => {
            let function = function(&automaton);
            quote! { #function support::must_match(matches(#text), #pattern, #text) }
        }
        None => {
            let engine = engine(pattern);
            quote! { #engine PATTERN.check(#text) }
        }
    }
}

fn engine(pattern: &str) -> TokenStream {
    quote! {
        static PATTERN: ::std::sync::LazyLock<support::Pattern> =
            ::std::sync::LazyLock::new(|| support::Pattern::new(#pattern));
    }
}

fn function(automaton: &Automaton) -> TokenStream {
    let body = body(automaton);
    quote! { fn matches(text: &str) -> bool { #body } }
}

fn body(automaton: &Automaton) -> TokenStream {
    let states = &automaton.states;
    let accepting: Vec<usize> = (0..states.len()).filter(|index| states[*index].accepts).collect();
    let at_end = match accepting.as_slice() {
        [] => quote! { false },
        all if all.len() == states.len() => quote! { true },
        some => {
            let some = indices(some);
            quote! { ::std::matches!(state, #some) }
        }
    };
    // The first character decides: there is nothing to go round for.
    if let [only] = states.as_slice()
        && !only.edges.iter().any(|(.., next)| matches!(next, Next::State(_)))
    {
        let matching = patterns(&only.edges, Next::Match, Alphabet::Characters);
        let or_empty = if only.accepts {
            quote! { is_none_or }
        } else {
            quote! { is_some_and }
        };
        return quote! { text.chars().next().#or_empty(|c| ::std::matches!(c, #(#matching)|*)) };
    }
    let alphabet = if bytes_are_enough(states) { Alphabet::Bytes } else { Alphabet::Characters };
    if let Alphabet::Bytes = alphabet
        && !states.iter().flat_map(|state| &state.edges).any(|(.., next)| *next == Next::Match)
    {
        return table(states);
    }
    let arms = states.iter().enumerate().flat_map(|(index, state)| {
        let index = Literal::usize_unsuffixed(index);
        // Where the last characters lead, which no schema names, the unnamed ones lead.
        let others = state.edges.last().map_or(Next::Fail, |(.., next)| *next);
        let mut targets: Vec<Next> = Vec::new();
        for (.., next) in &state.edges {
            if *next != others && !targets.contains(next) {
                targets.push(*next);
            }
        }
        let mut arms: Vec<TokenStream> = targets
            .into_iter()
            .filter_map(|next| {
                let (characters, target) = (patterns(&state.edges, next, alphabet), target(next));
                (!characters.is_empty()).then(|| quote! { (#index, #(#characters)|*) => #target, })
            })
            .collect();
        if others != Next::Fail {
            let target = target(others);
            arms.push(quote! { (#index, _) => #target, });
        }
        arms
    });
    let letters = match alphabet {
        Alphabet::Bytes => quote! { bytes },
        Alphabet::Characters => quote! { chars },
    };
    quote! {
        let mut state = 0;
        for c in text.#letters() {
            state = match (state, c) {
                #(#arms)*
                _ => return false,
            };
        }
        #at_end
    }
}

/// What needs the whole text to be known is looked up, which is faster than to decide.
fn table(states: &[State]) -> TokenStream {
    let steps = states.iter().enumerate().flat_map(|(from, state)| {
        let from = Literal::usize_unsuffixed(from);
        state.edges.iter().filter_map(move |(first, last, next)| {
            let Next::State(next) = next else { return None };
            let (first, next) = (u8::try_from(*first).ok()?, Literal::usize_unsuffixed(*next));
            let last = u8::try_from(*last).unwrap_or(u8::MAX);
            let (first, last) = (Literal::byte_character(first), Literal::byte_character(last));
            Some(quote! { (#from, #first, #last, #next) })
        })
    });
    let accepting = (0..states.len()).filter(|index| states[*index].accepts).map(Literal::usize_unsuffixed);
    let count = Literal::usize_unsuffixed(states.len());
    quote! {
        static STEPS: support::Steps<#count> = support::Steps::new(&[#(#steps),*], &[#(#accepting),*]);
        STEPS.match_all(text)
    }
}

fn target(next: Next) -> TokenStream {
    match next {
        Next::State(index) => {
            let index = Literal::usize_unsuffixed(index);
            quote! { #index }
        }
        Next::Match => quote! { return true },
        Next::Fail => quote! { return false },
    }
}

#[derive(Clone, Copy)]
enum Alphabet {
    Bytes,
    Characters,
}

/// Whether it makes no difference that a character outside ASCII is met as several bytes: all of
/// them lead to one place, and each more of them leads there again.
fn bytes_are_enough(states: &[State]) -> bool {
    let beyond = |state: &State| state.edges.last().filter(|(first, ..)| *first <= 0x80).map(|edge| edge.2);
    states.iter().all(|state| match beyond(state) {
        Some(Next::State(next)) => beyond(&states[next]) == Some(Next::State(next)),
        decided => decided.is_some(),
    })
}

/// The letters that lead to `next`.
fn patterns(edges: &[(u32, u32, Next)], next: Next, alphabet: Alphabet) -> Vec<TokenStream> {
    let letter = |code: u32| match (alphabet, u8::try_from(code)) {
        (Alphabet::Bytes, Ok(byte)) => Some(Literal::byte_character(byte)),
        (Alphabet::Bytes, Err(_)) => None,
        (Alphabet::Characters, _) => char::from_u32(code).map(Literal::character),
    };
    edges
        .iter()
        .filter(|(.., to)| *to == next)
        .filter_map(|(first, last, _)| {
            // The halves of pairs lie between these two, and are no characters.
            let first = if (0xD800..0xE000).contains(first) { 0xE000 } else { *first };
            let last = if (0xD800..0xE000).contains(last) { 0xD7FF } else { *last };
            let (from, to) = (letter(first)?, letter(last)?);
            match first.cmp(&last) {
                Ordering::Less => Some(quote! { #from..=#to }),
                Ordering::Equal => Some(quote! { #from }),
                Ordering::Greater => None,
            }
        })
        .collect()
}
