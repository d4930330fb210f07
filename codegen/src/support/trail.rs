//! The way from an error out to the document, noted as the error passes. Nothing is noted, and
//! nothing costs, while all is well.

use std::cell::RefCell;

enum Step {
    Member(String),
    Item(usize),
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
pub(crate) fn item<E>(index: usize, error: E) -> E {
    push(Step::Item(index));
    error
}

pub(crate) fn clear() {
    forget(0);
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

pub(crate) fn forget(mark: usize) {
    TRAIL.with_borrow_mut(|trail| trail.truncate(mark));
}

pub(crate) fn take() -> String {
    TRAIL.with_borrow_mut(|trail| {
        trail.drain(..).rev().fold(String::new(), |mut pointer, step| {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
            pointer
        })
    })
}

fn push(step: Step) {
    TRAIL.with_borrow_mut(|trail| {
        if trail.len() < LONGEST {
            trail.push(step);
        }
    });
}
