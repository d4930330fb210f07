//! The way from an error out to the document, noted as the error passes. Nothing is noted, and
//! nothing costs, while all is well.

use std::cell::RefCell;

#[derive(Debug)]
enum Step {
    Member(String),
    /// A member by which its object is seen to be another one: it should not be there, or should.
    Misfit(String),
    Item(usize),
    /// No step, but what the value here was taken for: a union and its variant.
    Variant(&'static str, &'static str),
}

/// A part of the way, the innermost step first.
#[derive(Debug)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    /// The innermost variant that a value was taken for.
    pub(crate) fn variant(&self) -> Option<String> {
        self.0.iter().find_map(|step| match step {
            Step::Variant(union, variant) => Some(format!("{variant} of {union}")),
            _ => None,
        })
    }

    /// How far inside the value lies what is wrong.
    pub(crate) fn depth(&self) -> usize {
        self.0.iter().filter(|step| matches!(step, Step::Member(_) | Step::Item(_))).count()
    }

    /// The way as a JSON pointer.
    pub(crate) fn pointer(&self) -> String {
        let tokens = self.0.iter().rev().filter_map(|step| match step {
            Step::Member(name) | Step::Misfit(name) => Some(named(name)),
            Step::Item(index) => Some(format!("/{index}")),
            Step::Variant(..) => None,
        });
        tokens.collect()
    }
}

/// A name as a step of a JSON pointer.
pub(crate) fn named(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Deeper than any document that serde_json reads.
const LONGEST: usize = 256;

thread_local! {
    static SUBJECT: RefCell<Option<&'static str>> = const { RefCell::new(None) };
    static TRAIL: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

#[cold]
pub(crate) fn member<E>(name: &str, error: E) -> E {
    push(Step::Member(name.to_owned()));
    error
}

#[cold]
pub(crate) fn misfit<E>(name: &str, error: E) -> E {
    push(Step::Misfit(name.to_owned()));
    error
}

#[cold]
pub(crate) fn variant<E>(union: &'static str, name: &'static str, error: E) -> E {
    push(Step::Variant(union, name));
    error
}

#[cold]
pub(crate) fn item<E>(index: usize, error: E) -> E {
    push(Step::Item(index));
    error
}

pub(crate) fn clear() {
    TRAIL.with_borrow_mut(Vec::clear);
    SUBJECT.set(None);
}

pub(crate) fn subject(name: &'static str) {
    SUBJECT.set(Some(name));
}

pub(crate) fn take_subject() -> Option<&'static str> {
    SUBJECT.take()
}

pub(crate) fn mark() -> usize {
    TRAIL.with_borrow(Vec::len)
}

/// The steps behind a mark, which are forgotten.
pub(crate) fn since(mark: usize) -> Steps {
    TRAIL.with_borrow_mut(|trail| Steps(trail.split_off(mark.min(trail.len()))))
}

/// The whole way, which is forgotten.
pub(crate) fn take() -> Steps {
    since(0)
}

fn push(step: Step) {
    TRAIL.with_borrow_mut(|trail| {
        if trail.len() < LONGEST {
            trail.push(step);
        }
    });
}
