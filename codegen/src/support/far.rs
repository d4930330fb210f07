use super::{Content, Head, Object, Read};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, value};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};

/// A value that stands by itself, as in a [`Box`]: made by `into`, used as what it holds.
///
/// Where types lead to each other in very long ways, as some definitions do, the compiler would give up
/// on its way along them. It does not look into this one.
pub struct Far<T>(Box<dyn Held>, PhantomData<fn() -> T>);

/// What a value can do behind a [`Far`].
pub trait Held: Any + fmt::Debug + Send + Sync {
    /// One more of it.
    fn copy(&self) -> Box<dyn Held>;
    /// Whether both are equal, and of one type.
    fn equals(&self, other: &dyn Held) -> bool;
    /// Its JSON.
    ///
    /// # Errors
    ///
    /// When it breaks a rule of its type.
    fn written(&self) -> serde_json::Result<Box<RawValue>>;
}

impl<T> Held for T
where
    T: Any + Clone + fmt::Debug + PartialEq + Serialize + Send + Sync,
{
    fn copy(&self) -> Box<dyn Held> {
        Box::new(self.clone())
    }
    fn equals(&self, other: &dyn Held) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }
    fn written(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

/// A type whose values stand behind a [`Far`].
pub trait Distant: Held + Sized {
    /// Whether its numbers keep all their digits.
    const IS_EXACT: bool;
    /// [`read_far`] of it, out of a list with those of all such types. The compiler goes from a reader to
    /// the readers it calls; at the list it has been already when it comes from a type in it.
    fn reader() -> Reader;
}

/// Reads one type.
pub type Reader = for<'de> fn(Content<'de>) -> Result<Box<dyn Held>, value::Error>;

/// Reads a `T`.
///
/// # Errors
///
/// When the value is none.
pub fn read_far<T: Distant + for<'de> Read<'de>>(
    content: Content<'_>,
) -> Result<Box<dyn Held>, value::Error> {
    Ok(Box::new(T::read(content.into_deserializer())?))
}

// No generated type changes behind a shared reference. The compiler is not asked to see that for itself: with
// maps it takes long ways.
impl<T> UnwindSafe for Far<T> {}
impl<T> RefUnwindSafe for Far<T> {}

const IS_A_T: &str = "what is made from a T, or by its reader, is a T";

impl<T: Distant> Far<T> {
    /// The value, which stands by itself no longer.
    pub fn into_inner(self) -> T {
        let held: Box<dyn Any> = self.0;
        *held.downcast().expect(IS_A_T)
    }

    fn of<E: Error>(content: Content<'_>) -> Result<Self, E> {
        T::reader()(content).map(|held| Self(held, PhantomData)).map_err(E::custom)
    }
}

impl<T: Distant> From<T> for Far<T> {
    fn from(value: T) -> Self {
        Self(Box::new(value), PhantomData)
    }
}

impl<T: Distant> Deref for Far<T> {
    type Target = T;
    fn deref(&self) -> &T {
        let held: &dyn Any = &*self.0;
        held.downcast_ref().expect(IS_A_T)
    }
}

impl<T: Distant> DerefMut for Far<T> {
    fn deref_mut(&mut self) -> &mut T {
        let held: &mut dyn Any = &mut *self.0;
        held.downcast_mut().expect(IS_A_T)
    }
}

impl<T> Clone for Far<T> {
    fn clone(&self) -> Self {
        Self((*self.0).copy(), PhantomData)
    }
}

impl<T> fmt::Debug for Far<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self.0).fmt(f)
    }
}

impl<T> PartialEq for Far<T> {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl<T> Serialize for Far<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (*self.0).written().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de, T: Distant> Read<'de> for Far<T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(if T::IS_EXACT { Content::read_exact(deserializer)? } else { Content::read(deserializer)? })
    }
}

impl<'de, T: Distant> serde::Deserialize<'de> for Far<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

impl<'de, T: Distant + Object<'de>> Object<'de> for Far<T> {
    const WHAT: &'static str = T::WHAT;
    fn members<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Self::of(if T::IS_EXACT { Head::exact(map) } else { Head::new(map) }.into_content()?)
    }
}
