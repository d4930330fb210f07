use super::{Read, Seed, trail};
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A type that is an array with a type for each place.
pub trait Tuple<'de>: Sized {
    /// What it is, as errors say it.
    const WHAT: &'static str;

    /// Reads it from the items of an array.
    ///
    /// # Errors
    ///
    /// When an item is wrong, missing or too much.
    fn items<A: SeqAccess<'de>>(items: Items<A>) -> Result<Self, A::Error>;
}

/// Reads a tuple.
///
/// # Errors
///
/// As [`Tuple::items`], and when the value is no array.
pub fn tuple<'de, T: Tuple<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct TupleVisitor<T>(PhantomData<T>);
    impl<'de, T: Tuple<'de>> Visitor<'de> for TupleVisitor<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an array ({})", T::WHAT)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
            T::items(Items { items, read: 0 })
        }
    }
    deserializer.deserialize_seq(TupleVisitor(PhantomData))
}

/// The items of an array, as they come.
#[derive(Debug)]
pub struct Items<A> {
    items: A,
    read: usize,
}

impl<'de, A: SeqAccess<'de>> Items<A> {
    /// The next item, if there is one.
    ///
    /// # Errors
    ///
    /// When it is no `T`.
    pub fn optional<T: Read<'de>>(&mut self) -> Result<Option<T>, A::Error> {
        let item = self.items.next_element_seed(Seed::<T>::new());
        let item = item.map_err(|error| trail::item(self.read, error))?;
        self.read += usize::from(item.is_some());
        Ok(item)
    }

    /// The next item; `fewest` is how many there must be in all.
    ///
    /// # Errors
    ///
    /// When there is none, or it is no `T`.
    pub fn required<T: Read<'de>>(&mut self, fewest: usize) -> Result<T, A::Error> {
        match self.optional()? {
            Some(item) => Ok(item),
            None => {
                Err(A::Error::custom(format_args!("must have at least {fewest} items, found {}", self.read)))
            }
        }
    }

    /// All items that are left.
    ///
    /// # Errors
    ///
    /// When one is no `T`.
    pub fn rest<T: Read<'de>>(mut self) -> Result<Vec<T>, A::Error> {
        let mut rest = Vec::new();
        while let Some(item) = self.optional()? {
            rest.push(item);
        }
        Ok(rest)
    }

    /// Makes sure that no item is left.
    ///
    /// # Errors
    ///
    /// When one is.
    pub fn end(mut self) -> Result<(), A::Error> {
        let most = self.read;
        match self.items.next_element::<IgnoredAny>() {
            Ok(None) => Ok(()),
            Ok(Some(_)) => {
                let error =
                    A::Error::custom(format_args!("must not be there: there are at most {most} items"));
                Err(trail::item(most, error))
            }
            Err(error) => Err(trail::item(most, error)),
        }
    }
}
