//! Takes out of a schema what agents and their providers stumble over.

use serde_json::{Map, Value, json};

/// Cleans a schema of arguments: what is optional may be left out, and is not null; and no object has
/// members that its schema does not name, unless it is to stay open.
pub(super) fn input(schema: &mut Value, open: bool) {
    clean(schema, Rules { input: true, close: !open });
}

/// Cleans a schema of results, where an absent value is written as null.
pub(super) fn output(schema: &mut Value) {
    clean(schema, Rules { input: false, close: false });
}

#[derive(Clone, Copy)]
struct Rules {
    /// The schema is read against, not written.
    input: bool,
    /// Objects have no other members.
    close: bool,
}

/// Formats that JSON Schema defines.
const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

fn clean(schema: &mut Value, rules: Rules) {
    match schema {
        Value::Bool(false) => *schema = json!({ "not": {} }),
        Value::Object(members) if !members.is_empty() => {
            clean_children(members, rules);
            clean_format(members);
            clean_unit_enum(members);
            clean_tuple(members);
            if let Some(Value::Array(required)) = members.get_mut("required") {
                let mut seen = Vec::new();
                required.retain(|name| {
                    !seen.contains(name) && {
                        seen.push(name.clone());
                        true
                    }
                });
            }
            if rules.close && is_plain_object(members) {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        _ => *schema = json!({ "description": "Any JSON value." }),
    }
}

fn clean_children(members: &mut Map<String, Value>, rules: Rules) {
    let required = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            if rules.input && !required.iter().any(|required| required == name.as_str()) {
                without_null(property);
            }
            clean(property, rules);
        }
    }
    for keyword in ["patternProperties", "$defs"] {
        if let Some(Value::Object(children)) = members.get_mut(keyword) {
            children.values_mut().for_each(|child| clean(child, rules));
        }
    }
    for keyword in ["items", "additionalProperties"] {
        // `false` says that there are no more.
        if let Some(child) = members.get_mut(keyword).filter(|child| **child != Value::Bool(false)) {
            clean(child, rules);
        }
    }
    // Beside `properties`, the branches of a flattened enum have some of the members each: what would
    // close one would forbid the others.
    let rules = Rules { close: rules.close && !members.contains_key("properties"), ..rules };
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = members.get_mut(keyword) {
            children.iter_mut().for_each(|child| clean(child, rules));
        }
    }
}

/// The schema of a member that is there.
fn without_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            members.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if members.get("default").is_some_and(Value::is_null) {
        members.remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = members.get_mut(keyword) else { continue };
        branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(branch)] = branches.as_mut_slice() {
            let branch = std::mem::take(branch);
            members.remove(keyword);
            for (key, value) in branch {
                members.entry(key).or_insert(value);
            }
        }
    }
}

/// `uint32` and its like are Rust's; what they say that matters are the bounds.
fn clean_format(members: &mut Map<String, Value>) {
    let Some(format) = members.get("format").and_then(Value::as_str) else { return };
    let bounds = match format {
        "int32" => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        "uint32" => Some((0, i64::from(u32::MAX))),
        known if FORMATS.contains(&known) => return,
        _ => None,
    };
    members.remove("format");
    if let Some((least, greatest)) = bounds {
        members.entry("minimum").or_insert(Value::from(least));
        members.entry("maximum").or_insert(Value::from(greatest));
    }
}

/// An enum without data is a list of words; what its variants' docs say goes into the description.
fn clean_unit_enum(members: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = members.get("oneOf") else { return };
    let mut words = Vec::new();
    let mut docs = Vec::new();
    for branch in branches {
        let Value::Object(branch) = branch else { return };
        let is_word = branch.get("type").is_some_and(|kind| kind == "string")
            && branch.keys().all(|key| matches!(key.as_str(), "type" | "const" | "enum" | "description"));
        match (branch.get("const"), branch.get("enum")) {
            (Some(word), None) if is_word => words.push(word.clone()),
            (None, Some(Value::Array(several))) if is_word => words.extend(several.iter().cloned()),
            _ => return,
        }
        if let (Some(word), Some(doc)) =
            (branch.get("const").and_then(Value::as_str), branch.get("description").and_then(Value::as_str))
        {
            docs.push(format!("- `{word}`: {doc}"));
        }
    }
    members.remove("oneOf");
    members.insert("type".to_owned(), Value::from("string"));
    members.insert("enum".to_owned(), Value::Array(words));
    if !docs.is_empty() {
        let mut description = String::new();
        if let Some(own) = members.get("description").and_then(Value::as_str) {
            description = format!("{own}\n\n");
        }
        description.push_str(&docs.join("\n"));
        members.insert("description".to_owned(), Value::from(description));
    }
}

/// Many readers of schemas know `items` only.
fn clean_tuple(members: &mut Map<String, Value>) {
    let Some(Value::Array(prefix)) = members.get("prefixItems") else {
        if members.get("type").is_some_and(|kind| kind == "array") && !members.contains_key("items") {
            members.insert("items".to_owned(), json!({ "description": "Any JSON value." }));
        }
        return;
    };
    let mut kinds: Vec<Value> = Vec::new();
    for item in prefix {
        if !kinds.contains(item) {
            kinds.push(item.clone());
        }
    }
    let is_whole = members.get("minItems") == Some(&Value::from(prefix.len()))
        && members.get("maxItems") == members.get("minItems");
    if !is_whole || members.contains_key("items") {
        return;
    }
    // No item follows the prefix, so that this says nothing new.
    let items = match kinds.as_slice() {
        [kind] => {
            let kind = kind.clone();
            members.remove("prefixItems");
            kind
        }
        _ => json!({ "anyOf": kinds }),
    };
    members.insert("items".to_owned(), items);
}

/// An object of which all members are named.
fn is_plain_object(members: &Map<String, Value>) -> bool {
    let opens = [
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "oneOf",
        "anyOf",
        "allOf",
        "$ref",
    ];
    members.contains_key("properties") && !opens.iter().any(|keyword| members.contains_key(*keyword))
}
