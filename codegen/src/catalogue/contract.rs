//! What a catalogue promises as a whole: its members `scope` and `sources`.

use super::{Reader, Spot};
use crate::ir::Contract;
use crate::json::Json;

impl Reader<'_> {
    /// `None` where the catalogue has neither member.
    pub(super) fn contract(&mut self, root: &Spot) -> Option<Contract> {
        let (scope, sources) = (root.member("scope"), root.member("sources"));
        if scope.is_none() && sources.is_none() {
            return None;
        }
        let mut contract = Contract::default();
        if let Some(scope) = scope
            && self.expect_object(&scope)
        {
            contract.surface = self.text(scope.member("surface")).unwrap_or_default();
            contract.stability = self.text(scope.member("stability")).unwrap_or_default();
            let since = scope.member("since").filter(|since| since.node.value != Json::Null);
            contract.since = self.text(since);
            contract.support_note = self.text(scope.member("support_note")).unwrap_or_default();
            contract.included = self.texts(scope.member("included"));
            contract.excluded = self.texts(scope.member("excluded"));
        }
        if let Some(sources) = sources
            && self.expect_object(&sources)
        {
            for member in sources.node.members() {
                let path = self.text(sources.member(&member.name)).unwrap_or_default();
                contract.references.push((member.name.clone(), path));
            }
        }
        Some(contract)
    }

    fn texts(&mut self, spot: Option<Spot>) -> Vec<String> {
        let Some(spot) = spot.filter(|spot| self.expect_array(spot)) else { return Vec::new() };
        spot.items().filter_map(|item| self.text(Some(item))).collect()
    }
}
