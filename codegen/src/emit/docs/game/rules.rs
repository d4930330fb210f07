//! What a schema asks beyond a type, each as a fact that a template has words for.

use super::layers::Layers;
use super::sample::sorted;
use serde::Serialize;
use serde_json::Value;

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Rule {
    /// It is about what is so many lists or maps further in.
    pub(super) each: usize,
    #[serde(flatten)]
    pub(super) what: What,
}

/// What is asked. Values are JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub(super) enum What {
    Always {
        value: String,
    },
    OneOf {
        values: Vec<Choice>,
    },
    Between {
        least: String,
        greatest: String,
    },
    AtLeast {
        value: String,
    },
    AtMost {
        value: String,
    },
    Above {
        value: String,
    },
    Below {
        value: String,
    },
    MultipleOf {
        value: String,
    },
    /// `characters`, `items` or `members`; empty where there is no end.
    Count {
        of: &'static str,
        least: String,
        greatest: String,
    },
    Unique,
    Format {
        value: String,
    },
    Pattern {
        value: String,
    },
    /// A keyword that there are no words for.
    Keyword {
        value: String,
    },
}

/// One of several values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) meaning: String,
}

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
    let mut rules = Vec::new();
    if let Some(choices) = choices(layers) {
        rules.push(match choices.as_slice() {
            [one] if one.meaning.is_empty() => What::Always { value: one.value.clone() },
            _ => What::OneOf { values: choices },
        });
    }
    let text = |keyword: &str| layers.get(keyword).map(Value::to_string);
    match (text("minimum"), text("maximum")) {
        (Some(least), Some(greatest)) => rules.push(What::Between { least, greatest }),
        (Some(value), None) => rules.push(What::AtLeast { value }),
        (None, Some(value)) => rules.push(What::AtMost { value }),
        (None, None) => {}
    }
    rules.extend(text("exclusiveMinimum").map(|value| What::Above { value }));
    rules.extend(text("exclusiveMaximum").map(|value| What::Below { value }));
    rules.extend(text("multipleOf").map(|value| What::MultipleOf { value }));
    for (of, least, greatest) in [
        ("characters", "minLength", "maxLength"),
        ("items", "minItems", "maxItems"),
        ("members", "minProperties", "maxProperties"),
    ] {
        let least = text(least).filter(|least| least != "0").unwrap_or_default();
        let greatest = text(greatest).unwrap_or_default();
        if !(least.is_empty() && greatest.is_empty()) {
            rules.push(What::Count { of, least, greatest });
        }
    }
    if layers.get("uniqueItems") == Some(&Value::Bool(true)) {
        rules.push(What::Unique);
    }
    let words = |keyword: &str| layers.text(keyword).map(str::to_owned);
    rules.extend(words("format").map(|value| What::Format { value }));
    for pattern in layers.each("pattern").filter_map(Value::as_str) {
        rules.push(What::Pattern { value: pattern.to_owned() });
    }
    for keyword in OTHERS {
        if let Some(value) = layers.get(keyword) {
            rules.push(What::Keyword { value: format!("\"{keyword}\": {}", sorted(value)) });
        }
    }
    rules.into_iter().map(|what| Rule { each: 0, what }).collect()
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
        meaning: meaning(value).unwrap_or_default().to_owned(),
    };
    Some(values(layers)?.into_iter().map(choice).collect())
}
