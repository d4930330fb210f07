//! The way from an error out to the document, noted as the error passes. Nothing is noted, and
//! nothing costs, while all is well.

use std::cell::RefCell;

#[derive(Debug)]
enum Step {
    Member(String),
    /// A member by which its object is seen to be another one: it should not be there, or should.
    Misfit(String),
    Item(usize),
}

/// A part of the way, the innermost step first.
#[derive(Debug)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How far inside the value lies what is wrong.
    pub(crate) fn depth(&self) -> usize {
        self.0.iter().filter(|step| !matches!(step, Step::Misfit(_))).count()
    }

    /// The way as a JSON pointer.
    pub(crate) fn pointer(&self) -> String {
        self.0.iter().rev().fold(String::new(), |mut pointer, step| {
            pointer.push('/');
            match step {
                Step::Member(name) | Step::Misfit(name) => {
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
            pointer
        })
    }
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

pub(crate) fn take() -> String {
    since(0).pointer()
}

fn push(step: Step) {
    TRAIL.with_borrow_mut(|trail| {
        if trail.len() < LONGEST {
            trail.push(step);
        }
    });
}
