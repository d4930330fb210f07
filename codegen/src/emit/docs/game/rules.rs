//! What a schema asks beyond a type, each as a fact that a template has words for.

use super::accepts::whole;
use super::layers::Layers;
use super::sample::sorted;
use crate::emit::docs::vocabulary::{Choice, Counted, Rule, count};
use serde_json::Value;

/// Keywords that can refuse a value, and that a page has no words for.
const OTHERS: [&str; 12] = [
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxContains",
    "minContains",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// What a value must keep, without what is inside it.
pub(super) fn rules(layers: &Layers) -> Vec<Rule> {
    let mut rules: Vec<Rule> = choices(layers).map(Rule::of_values).into_iter().collect();
    let text = |keyword: &str| layers.get(keyword).map(Value::to_string);
    match (text("minimum"), text("maximum")) {
        (Some(least), Some(most)) if least == most => rules.push(Rule::Exactly { value: least }),
        (Some(least), Some(most)) => rules.push(Rule::Between { least, most }),
        (Some(value), None) => rules.push(Rule::AtLeast { value }),
        (None, Some(value)) => rules.push(Rule::AtMost { value }),
        (None, None) => {}
    }
    rules.extend(text("exclusiveMinimum").map(|value| Rule::Above { value }));
    rules.extend(text("exclusiveMaximum").map(|value| Rule::Below { value }));
    rules.extend(text("multipleOf").map(|value| Rule::MultipleOf { value }));
    let number = |keyword: &str| u64::try_from(whole(layers.get(keyword)?.as_number()?)?).ok();
    for (of, least, most) in [
        (Counted::Characters, "minLength", "maxLength"),
        (Counted::Items, "minItems", "maxItems"),
        (Counted::Members, "minProperties", "maxProperties"),
    ] {
        rules.extend(count(of, number(least), number(most)).map(Rule::Count));
        // What counts nothing is shown as it is.
        rules.extend(
            [least, most]
                .into_iter()
                .filter(|one| number(one).is_none())
                .filter_map(|one| keyword(layers, one)),
        );
    }
    rules.extend((layers.get("uniqueItems") == Some(&Value::Bool(true))).then_some(Rule::Unique));
    rules.extend(layers.text("format").map(|name| Rule::Format { name: name.to_owned() }));
    let patterns = layers.each("pattern").filter_map(Value::as_str);
    rules.extend(patterns.map(|pattern| Rule::Pattern { pattern: pattern.to_owned() }));
    rules.extend(OTHERS.iter().filter_map(|name| keyword(layers, name)));
    rules
}

/// A keyword as it stands in the schema.
fn keyword(layers: &Layers, name: &str) -> Option<Rule> {
    let value = layers.get(name)?;
    Some(Rule::Keyword { value: format!("\"{name}\": {}", sorted(value)) })
}

/// The values that a schema lists.
pub(super) fn values<'a>(layers: &Layers<'a>) -> Option<Vec<&'a Value>> {
    if let Some(value) = layers.get("const") {
        return Some(vec![value]);
    }
    if let Some(values) = layers.get("enum").and_then(Value::as_array) {
        return Some(values.iter().collect());
    }
    let (branches, _) = layers.branches()?;
    let values: Option<Vec<Vec<&Value>>> = branches.iter().map(listed).collect();
    values.map(|values| values.concat()).filter(|values| !values.is_empty())
}

/// The values of a branch that lists nothing else.
fn listed(branch: &Value) -> Option<Vec<&Value>> {
    match (branch.get("const"), branch.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(values)) => Some(values.as_array()?.iter().collect()),
        (None, None) if branch.get("type")? == "null" => Some(vec![&Value::Null]),
        _ => None,
    }
}

/// The values that a schema lists, with what is said of each.
fn choices(layers: &Layers) -> Option<Vec<Choice>> {
    let meaning = |value: &Value| {
        let (branches, _) = layers.branches()?;
        let branch = branches.iter().find(|branch| branch.get("const") == Some(value))?;
        branch.get("description")?.as_str()
    };
    let choice = |value: &Value| Choice {
        value: sorted(value).to_string(),
        meaning: meaning(value).filter(|meaning| !meaning.is_empty()).map(str::to_owned),
    };
    Some(values(layers)?.into_iter().map(choice).collect())
}
