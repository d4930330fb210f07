//! What becomes of the rules of a catalogue.

use crate::diagnostics::{Diagnostics, Place};
use crate::ir::{Enforcement, RuleList};
use crate::json::quoted;
use crate::near::nearest;
use crate::overlay::Overlay;
use std::collections::HashMap;

/// What the overlay says becomes of each rule, in the order of the lists. Where it speaks of one, it has to
/// speak of each, once.
pub(super) fn enforcement(
    overlay: &Overlay,
    lists: &[RuleList],
    problems: &mut Diagnostics,
) -> Vec<Enforcement> {
    let Some((_, first)) = overlay.enforcement.first() else { return Vec::new() };
    let ids: Vec<&str> = lists.iter().flat_map(|list| &list.entries).map(|entry| entry.id.as_str()).collect();
    let mut said = HashMap::new();
    for (enforcement, place) in &overlay.enforcement {
        let id = enforcement.id.as_str();
        if !ids.contains(&id) {
            let near = nearest(id, ids.iter().copied());
            let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            problems.push(place.clone(), format!("no rule has the id {}{hint}", quoted(id)));
        } else if said.insert(id, enforcement).is_some() {
            problems.push(place.clone(), format!("{id} stands twice"));
        }
    }
    let missing: Vec<&str> = ids.iter().copied().filter(|id| !said.contains_key(id)).collect();
    if !missing.is_empty() {
        let list = missing.join(", ");
        let place = Place { pointer: "#/enforcement".to_owned(), ..first.clone() };
        problems.push(place, format!("nothing is said of what becomes of {list}"));
    }
    problems.add_lines(&overlay.display, &overlay.text);
    ids.into_iter().filter_map(|id| said.get(id).map(|enforcement| (*enforcement).clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::enforcement;
    use crate::diagnostics::{Diagnostics, Place};
    use crate::ir::{Enforcement, RuleEntry, RuleList};
    use crate::overlay::Overlay;

    fn lists() -> Vec<RuleList> {
        let entry = |id: &str| RuleEntry {
            id: id.to_owned(),
            name: String::new(),
            stability: String::new(),
            requirement: String::new(),
            rationale: String::new(),
            sources: Vec::new(),
            params: None,
            result: None,
            value_type: None,
            code: None,
            place: Place::default(),
        };
        let list = |key: &str, ids: &[&str]| RuleList {
            key: key.to_owned(),
            entries: ids.iter().copied().map(entry).collect(),
        };
        vec![list("wire_rules", &["wire.tcp", "wire.utf8"]), list("methods", &["method.ping"])]
    }

    fn of(ids: &[&str]) -> (Vec<String>, String) {
        let said = |id: &&str| {
            let enforcement = Enforcement { id: (*id).to_owned(), by: "us".to_owned(), test: None };
            (enforcement, Place::default())
        };
        let overlay = Overlay { enforcement: ids.iter().map(said).collect(), ..Overlay::default() };
        let mut problems = Diagnostics::default();
        let rows = enforcement(&overlay, &lists(), &mut problems);
        let messages: Vec<&str> = problems.0.iter().map(|problem| problem.message.as_str()).collect();
        (rows.into_iter().map(|row| row.id).collect(), messages.join("; "))
    }

    #[test]
    fn every_rule_is_spoken_of_once_or_none_is() {
        assert_eq!(of(&[]), (vec![], String::new()));
        let (rows, wrong) = of(&["method.ping", "wire.utf8", "wire.tcp"]);
        assert_eq!(rows, ["wire.tcp", "wire.utf8", "method.ping"], "in the order of the lists");
        assert_eq!(wrong, "");
        let (_, wrong) = of(&["wire.tcp", "wire.tcp", "wire.utf-8"]);
        let expected = "wire.tcp stands twice; no rule has the id \"wire.utf-8\"; did you mean wire.utf8?; nothing is \
                        said of what becomes of wire.utf8, method.ping";
        assert_eq!(wrong, expected);
    }
}
