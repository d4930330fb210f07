//! Patterns in code: as a `match` over characters where that is enough, else by the engine.

use crate::pattern::{Automaton, Next, automaton};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

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
    let accepting: Vec<Literal> =
        (0..states.len()).filter(|index| states[*index].accepts).map(Literal::usize_unsuffixed).collect();
    let at_end = match accepting.as_slice() {
        [] => quote! { false },
        all if all.len() == states.len() => quote! { true },
        some => quote! { ::std::matches!(state, #(#some)|*) },
    };
    // The first character decides: there is nothing to go round for.
    if let [only] = states.as_slice()
        && !only.edges.iter().any(|(.., next)| matches!(next, Next::State(_)))
    {
        let matching = patterns(&only.edges, Next::Match);
        let or_empty = if only.accepts {
            quote! { is_none_or }
        } else {
            quote! { is_some_and }
        };
        return quote! { text.chars().next().#or_empty(|c| ::std::matches!(c, #(#matching)|*)) };
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
                let (characters, target) = (patterns(&state.edges, next), target(next));
                (!characters.is_empty()).then(|| quote! { (#index, #(#characters)|*) => #target, })
            })
            .collect();
        if others != Next::Fail {
            let target = target(others);
            arms.push(quote! { (#index, _) => #target, });
        }
        arms
    });
    quote! {
        let mut state = 0;
        for c in text.chars() {
            state = match (state, c) {
                #(#arms)*
                _ => return false,
            };
        }
        #at_end
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

/// The characters that lead to `next`.
fn patterns(edges: &[(u32, u32, Next)], next: Next) -> Vec<TokenStream> {
    edges
        .iter()
        .filter(|(.., to)| *to == next)
        .filter_map(|(first, last, _)| {
            // Between the two lie the halves of pairs, which are no characters.
            let first = char::from_u32(*first).unwrap_or('\u{E000}');
            let last = char::from_u32(*last).unwrap_or('\u{D7FF}');
            match first.cmp(&last) {
                std::cmp::Ordering::Less => Some(quote! { #first..=#last }),
                std::cmp::Ordering::Equal => Some(quote! { #first }),
                std::cmp::Ordering::Greater => None,
            }
        })
        .collect()
}
