//! Where a value stands.

use super::words::shown;
use crate::error::Problem;

/// Where a value stands.
#[derive(Clone, Copy)]
pub(crate) enum At<'a> {
    Root,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl At<'_> {
    /// A problem there. Of a very long name in the pointer stands the beginning.
    pub(crate) fn problem(self, message: String) -> Problem {
        let mut pointer = String::new();
        self.write(&mut pointer);
        Problem { pointer, message }
    }

    fn write(self, pointer: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(within, name) => {
                within.write(pointer);
                pointer.push('/');
                pointer.push_str(&shown(name).replace('~', "~0").replace('/', "~1"));
            }
            Self::Item(within, index) => {
                within.write(pointer);
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
    }
}
