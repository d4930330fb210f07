//! References that lead to where the reader comes from: `$dynamicRef` and `$recursiveRef`.
//!
//! A schema that has such a reference inside is as many schemas as there are places that the
//! reference leads to. Which one is meant depends on the resources that a reader has come through:
//! its *scope*, of which only the first home of each anchor matters.

use super::index::{Index, Keyword, SpotId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Index of a scope; 0 is the one in which no anchor has a home.
pub(super) type ScopeId = usize;

/// What a dynamic reference looks for: an anchor, or with `None` what `$recursiveRef` looks for.
type Anchor<'a> = Option<&'a str>;

/// The scopes that were met so far.
pub(super) struct Scopes<'a> {
    /// The anchors that have more than one home. All others lead where a plain reference does.
    contested: HashSet<Anchor<'a>>,
    scopes: Vec<BTreeMap<Anchor<'a>, SpotId>>,
    known: HashMap<BTreeMap<Anchor<'a>, SpotId>, ScopeId>,
}

impl<'a> Scopes<'a> {
    /// Room for the scopes of all schemas in the index.
    pub(super) fn new(index: &Index<'a>) -> Self {
        let mut uses = HashSet::new();
        for (number, spot) in index.spots.iter().enumerate() {
            let targets = spot.targets.iter();
            uses.extend(
                targets.filter_map(|(keyword, target)| anchor(index, *keyword, SpotId(number), *target)),
            );
        }
        let is_contested = |name: &Anchor<'a>| {
            (0..index.resources.len()).filter(|resource| home(index, *resource, *name).is_some()).count() > 1
        };
        let contested = uses.into_iter().filter(is_contested).collect();
        let empty = BTreeMap::new();
        Self { contested, known: HashMap::from([(empty.clone(), 0)]), scopes: vec![empty] }
    }

    /// The scope of a reader who comes from another one to a schema.
    pub(super) fn enter(&mut self, index: &Index<'a>, from: ScopeId, spot: SpotId) -> ScopeId {
        if self.contested.is_empty() {
            return from;
        }
        let resource = index.spots[spot.0].resource;
        let mut scope = self.scopes[from].clone();
        for name in &self.contested {
            if let Some(home) = home(index, resource.0, *name) {
                scope.entry(*name).or_insert(home);
            }
        }
        let next = self.scopes.len();
        let id = *self.known.entry(scope.clone()).or_insert(next);
        if id == next {
            self.scopes.push(scope);
        }
        id
    }

    /// Where a reference leads for a reader in a scope; `target` is where it leads at first.
    pub(super) fn target(
        &self,
        index: &Index<'a>,
        scope: ScopeId,
        keyword: Keyword,
        from: SpotId,
        target: SpotId,
    ) -> SpotId {
        let name = anchor(index, keyword, from, target);
        name.and_then(|name| self.scopes[scope].get(&name)).copied().unwrap_or(target)
    }
}

/// The schema that a resource has for a name.
fn home(index: &Index<'_>, resource: usize, name: Anchor<'_>) -> Option<SpotId> {
    let resource = &index.resources[resource];
    match name {
        Some(name) => resource.dynamic_anchors.get(name).copied(),
        None => resource.is_recursive_anchor.then_some(resource.root),
    }
}

/// The name that a reference looks for, if it is dynamic where it leads at first.
fn anchor<'a>(index: &Index<'a>, keyword: Keyword, from: SpotId, target: SpotId) -> Option<Anchor<'a>> {
    let resource = index.resource_of(target);
    match keyword {
        Keyword::Ref => None,
        Keyword::RecursiveRef => resource.is_recursive_anchor.then_some(None),
        Keyword::DynamicRef => {
            let reference = index.spots[from.0].node.get("$dynamicRef")?.as_str()?;
            let (_, fragment) = super::uri::split(reference);
            let fragment = super::uri::decode(fragment)?;
            let (name, _) = resource.dynamic_anchors.get_key_value(fragment.as_str())?;
            Some(Some(name))
        }
    }
}
