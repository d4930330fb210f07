//! Values that a host holds for its tools.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A value that the host holds, and lends to every tool with a parameter `&Res<T>`.
///
/// It is no part of the game's state, so that tools on any thread can use it: a connection, a
/// dictionary, a counter. It derefs to the value; a clone is another handle of the same value.
///
/// ```standalone_crate
/// use ludwire::{Host, Res, tool};
/// use serde_json::json;
///
/// struct Names(Vec<&'static str>);
///
/// /// Gives a name.
/// #[tool("names/nth")]
/// fn nth(names: &Res<Names>, index: usize) -> Option<String> {
///     names.0.get(index).map(|name| (*name).to_owned())
/// }
///
/// let host = Host::<()>::builder("Names", "1")
///     .tools(ludwire::registered())
///     .hold(Names(vec!["Ada", "Bob"]))
///     .build()?;
/// assert_eq!(host.call(&mut (), "names/nth", json!({ "index": 1 }))?, json!({ "result": "Bob" }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Res<T>(Arc<T>);

impl<T> Deref for Res<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Res<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for Res<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Res").field(&**self).finish()
    }
}

/// The values, by type.
#[derive(Default)]
pub(crate) struct Held(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl Held {
    /// Whether there was none of this type before.
    pub(crate) fn add<T: Send + Sync + 'static>(&mut self, value: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Box::new(Res(Arc::new(value)))).is_none()
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&Res<T>> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}
