//! Where a function stands. One of an `impl` that takes no `self` looks like any other: only its file tells.

use crate::attribute::conditional;
use crate::role::Kind;
use proc_macro2::Span;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, ItemFn, ItemImpl};

/// The functions of a file that have an attribute of ours, by name.
#[derive(Default)]
struct Functions {
    free: HashSet<String>,
    /// Of an `impl` without `#[tools]`.
    in_impl: HashSet<String>,
}

type Files = HashMap<(PathBuf, SystemTime), Functions>;

/// Each file is read once.
static FILES: LazyLock<Mutex<Files>> = LazyLock::new(Mutex::default);

/// Whether a function that could be a free one stands in an `impl` without `#[tools]`. Where the file does not
/// tell, as for one that a macro makes, it does not.
pub(crate) fn is_in_an_impl(name: &str, at: Span) -> bool {
    // In an attribute, where this is called, a span is always one of the compiler's.
    let at = at.unwrap();
    // What begins a line stands in nothing.
    at.column() > 1 && at.local_file().is_some_and(|path| is_in_an_impl_of(path, name).unwrap_or(false))
}

fn is_in_an_impl_of(path: PathBuf, name: &str) -> io::Result<bool> {
    let modified = fs::metadata(&path)?.modified()?;
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let functions = match files.entry((path, modified)) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => {
            let file = syn::parse_file(&fs::read_to_string(&new.key().0)?);
            let mut functions = Functions::default();
            functions.visit_file(&file.map_err(io::Error::other)?);
            new.insert(functions)
        }
    };
    Ok(functions.in_impl.contains(name) && !functions.free.contains(name))
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if has_ours(&item.attrs) {
            self.free.insert(item.sig.ident.to_string());
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if !has(&item.attrs, |path| path.segments.last().is_some_and(|last| last.ident == "tools")) {
            let functions = item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(function) => Some(function),
                _ => None,
            });
            let ours = functions.filter(|function| has_ours(&function.attrs));
            self.in_impl.extend(ours.map(|function| function.sig.ident.to_string()));
        }
        visit::visit_item_impl(self, item);
    }
}

fn has_ours(attributes: &[Attribute]) -> bool {
    has(attributes, |path| Kind::of(path).is_some())
}

/// Whether there is such an attribute, also under a condition.
fn has(attributes: &[Attribute], is_it: impl Fn(&syn::Path) -> bool) -> bool {
    attributes.iter().any(|attribute| {
        let under = conditional(attribute).map(|(_, metas)| metas);
        is_it(attribute.path()) || under.into_iter().flatten().any(|meta| is_it(meta.path()))
    })
}
