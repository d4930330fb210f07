//! Emitters: each knows the intermediate representation and nothing else, and returns files.

pub mod docs;
pub mod rust;
