use super::error::{DecodeError, in_our_words};
use super::members::missing;
use super::{Content, Kind, trail};
use serde::de::Error;

/// A variant of a union whose variants are tried one after the other, as errors tell of it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What it is called.
    pub name: &'static str,
    /// The JSON types that its values have.
    pub kinds: &'static [Kind],
    /// The members that it names, where it is an object.
    pub members: &'static [&'static str],
    /// Those that must be there.
    pub required: &'static [&'static str],
}

/// The variants that were tried and did not fit, each with its error.
#[derive(Debug)]
pub struct Tries<E> {
    mark: usize,
    failed: Vec<(usize, trail::Steps, E)>,
}

impl<E: Error> Tries<E> {
    /// Nothing tried yet.
    pub fn new() -> Self {
        Self { mark: trail::mark(), failed: Vec::new() }
    }

    /// Whether the variant of a number is worth a try. Unions inside each other take time for each way
    /// through them, so what cannot fit is not gone into.
    pub fn may_fit(&mut self, variant: usize, variants: &[Variant], content: &Content<'_>) -> bool {
        let Variant { kinds, required, .. } = variants[variant];
        let kind = content.kind();
        let lacking = match kind {
            Kind::Object => required.iter().find(|name| content.get(name).is_none()),
            _ => None,
        };
        if let Some(name) = lacking {
            let error = missing(name);
            self.failed(variant, error);
        }
        kinds.contains(&kind) && lacking.is_none()
    }

    /// Notes that the variant of a number does not fit. What is said of it is only made up when it is asked
    /// for, since another variant may fit.
    #[cold]
    pub fn failed(&mut self, variant: usize, error: E) {
        self.failed.push((variant, trail::since(self.mark), error));
    }

    /// The error for a value that none of `variants` fits, of which all were tried that can have its JSON
    /// type: which one is nearest to it, and why it does not fit.
    #[cold]
    pub fn none_fits(self, what: &str, variants: &[Variant], content: &Content<'_>) -> E {
        let kind = content.kind();
        let tried = self.failed.into_iter().map(|(index, steps, error)| (&variants[index], (steps, error)));
        let tried = tried.filter(|(variant, _)| variant.kinds.contains(&kind));
        // The variant that names the most members of the value, then the one that was read the
        // furthest into it, then the first.
        let nearest = tried.rev().max_by_key(|(variant, (steps, _))| {
            let named = variant.members.iter().filter(|name| content.get(name).is_some()).count();
            (named, steps.depth())
        });
        match nearest {
            Some((variant, (steps, error))) => {
                let reason = DecodeError::at(&steps, in_our_words(&error.to_string())).to_string();
                E::custom(format_args!("does not fit {what}: taken for {}: {}", variant.name, cut(&reason)))
            }
            None => {
                let kinds = variants.iter().flat_map(|variant| variant.kinds);
                other_kind(what, &kinds.copied().collect::<Vec<_>>(), kind)
            }
        }
    }
}

impl<E: Error> Default for Tries<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// Notes that a value was taken for a variant of a union, by its tag or its JSON type.
#[cold]
pub fn taken_for_variant<E>(union: &'static str, variant: &'static str, error: E) -> E {
    trail::variant(union, variant, error)
}

/// The error for a value that fits two variants where it must fit exactly one.
#[cold]
pub fn two_fit<E: Error>(what: &str, first: &Variant, second: &Variant) -> E {
    E::custom(format_args!("must fit exactly one variant of {what}, fits {} and {}", first.name, second.name))
}

/// The error for a value of a JSON type that no variant of a union has; `kinds` are those they have.
#[cold]
pub fn other_kind<E: Error>(what: &str, kinds: &[Kind], found: Kind) -> E {
    let whole = kinds.contains(&Kind::Integer) && !kinds.contains(&Kind::Fraction);
    let mut words: Vec<&str> = Vec::new();
    for kind in kinds {
        let word = if *kind == Kind::Integer && whole { "an integer" } else { kind.words() };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let words = match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    };
    E::custom(format_args!("does not fit {what}: must be {words}, found {}", found.words()))
}

/// A reason as an error shows it: unions inside each other would make it long.
fn cut(reason: &str) -> String {
    match reason.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}
