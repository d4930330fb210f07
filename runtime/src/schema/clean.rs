//! Takes out of a schema what agents and their providers stumble over.

use super::compare;
use super::flatten::distribute;
use super::integers;
use serde_json::{Map, Number, Value, json};
use std::cmp::Ordering;
use std::collections::HashSet;

/// Cleans a schema of arguments: what is optional may be left out, and is not null; and no object has
/// members that its schema does not name, unless it is to stay open.
pub(super) fn input(schema: &mut Value, open: bool) {
    clean(schema, Rules { input: true, close: !open, by_names: false });
}

/// Cleans a schema of results. What is optional is left out there, too, where serde would write null.
pub(super) fn output(schema: &mut Value) {
    clean(schema, Rules { input: false, close: false, by_names: false });
}

#[derive(Clone, Copy)]
struct Rules {
    /// The schema is read against, not written.
    input: bool,
    /// Objects have no other members.
    close: bool,
    /// The names of the members tell which alternative it is, so that each must be there.
    by_names: bool,
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
            if let Some(Value::String(text)) = members.get_mut("description") {
                clean_stars(text);
            }
            distribute(members);
            clean_children(members, rules);
            clean_branches(members);
            clean_format(members);
            clean_unit_enum(members);
            clean_nullable(members);
            clean_tuple(members);
            if let Some(Value::Array(required)) = members.get_mut("required") {
                let mut seen = HashSet::new();
                required.retain(|name| seen.insert(name.clone()));
            }
            if rules.close && is_plain_object(members) {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        _ => *schema = json!({ "description": "Any JSON value." }),
    }
}

fn clean_children(members: &mut Map<String, Value>, rules: Rules) {
    let mut required = members.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let by_names = rules.by_names && !has_tag(members);
    let rules = Rules { by_names: false, ..rules };
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            if !rules.input && !by_names && is_nullable(property) {
                required.retain(|required| required != name.as_str());
            }
            if !required.iter().any(|required| required == name.as_str()) {
                without_null(property);
            }
            clean(property, rules);
        }
    }
    if required.is_empty() {
        members.remove("required");
    } else {
        members.insert("required".to_owned(), Value::Array(required));
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
    // Beside `properties` branches have some of the members each, where they could not be written out:
    // what would close one would forbid the others.
    let rules = Rules { close: rules.close && !members.contains_key("properties"), ..rules };
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = members.get_mut(keyword) {
            let are_several = children.iter().filter(|child| !is_null(child)).count() > 1;
            let rules = Rules { by_names: keyword != "prefixItems" && are_several, ..rules };
            children.iter_mut().for_each(|child| clean(child, rules));
        }
    }
}

/// Whether an object has a member whose value tells which alternative it is.
fn has_tag(members: &Map<String, Value>) -> bool {
    let properties = members.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::values).any(|property| property.get("const").is_some())
}

/// Whether a schema is for null or something else.
pub(super) fn is_nullable(schema: &Value) -> bool {
    let has_null = |keyword: &str, is_null: fn(&Value) -> bool| {
        schema.get(keyword).and_then(Value::as_array).is_some_and(|all| all.iter().any(is_null))
    };
    has_null("type", |kind| kind == "null") || has_null("anyOf", is_null) || has_null("oneOf", is_null)
}

/// What every schema says of its own, without those in it.
pub(super) fn for_each(schema: &mut Value, act: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(members) = schema else { return };
    act(members);
    for keyword in ["properties", "patternProperties", "$defs"] {
        if let Some(Value::Object(children)) = members.get_mut(keyword) {
            children.values_mut().for_each(|child| for_each(child, act));
        }
    }
    for keyword in ["items", "additionalProperties", "unevaluatedProperties", "not"] {
        if let Some(child) = members.get_mut(keyword) {
            for_each(child, act);
        }
    }
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = members.get_mut(keyword) {
            children.iter_mut().for_each(|child| for_each(child, act));
        }
    }
}

/// The schema of a member that is there.
pub(super) fn without_null(schema: &mut Value) {
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
        if !branches.iter().all(is_null) {
            branches.retain(|branch| !is_null(branch));
        }
        if let [Value::Object(branch)] = branches.as_mut_slice() {
            let branch = std::mem::take(branch);
            members.remove(keyword);
            for (key, value) in branch {
                members.entry(key).or_insert(value);
            }
        }
    }
}

/// Keywords that nothing here looks at, and that say which values are right.
pub(super) fn unsupported(schema: &mut Value) -> Vec<&'static str> {
    let mut found = Vec::new();
    for_each(schema, &mut |members| {
        found.extend(UNSUPPORTED.iter().filter(|keyword| members.contains_key(**keyword)));
    });
    found.sort_unstable();
    found.dedup();
    found
}

const UNSUPPORTED: &[&str] = &[
    "additionalItems",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "$dynamicRef",
    "if",
    "maxProperties",
    "minProperties",
    "multipleOf",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// Alternatives of an alternative are alternatives.
fn clean_branches(members: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = members.get_mut(keyword) else { continue };
        let mut description = None;
        let mut flat = Vec::new();
        for mut branch in std::mem::take(branches) {
            let inner = branch.as_object_mut().and_then(|branch| {
                let is_only =
                    branch.keys().all(|key| key == "oneOf" || key == keyword || key == "description");
                let inner = [keyword, "oneOf"].into_iter().find(|inner| branch.contains_key(*inner))?;
                let has_both =
                    keyword != "oneOf" && branch.contains_key("oneOf") && branch.contains_key(keyword);
                (is_only && !has_both).then_some((branch.remove("description"), branch.remove(inner)?))
            });
            match inner {
                Some((inner_description, Value::Array(inner))) => {
                    description = description.or(inner_description);
                    flat.extend(inner);
                }
                _ => flat.push(branch),
            }
        }
        *branches = flat;
        if let Some(description) = description {
            members.entry("description").or_insert(description);
        }
    }
}

/// One kind of value or null is one schema.
fn clean_nullable(members: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = members.get_mut("anyOf") else { return };
    let [some, null] = branches.as_mut_slice() else { return };
    let is_plain = |branch: &Map<String, Value>| {
        branch.get("type").is_some_and(Value::is_string)
            && !["anyOf", "oneOf", "allOf", "not", "$ref"].iter().any(|keyword| branch.contains_key(*keyword))
    };
    let Some(some) = some.as_object_mut().filter(|some| is_plain(some)) else { return };
    if !is_null(null) {
        return;
    }
    let mut some = std::mem::take(some);
    members.remove("anyOf");
    if let Some(constant) = some.remove("const") {
        some.insert("enum".to_owned(), json!([constant]));
    }
    if let Some(Value::Array(values)) = some.get_mut("enum") {
        values.push(Value::Null);
    }
    if let Some(kind) = some.get_mut("type") {
        *kind = json!([kind, "null"]);
    }
    for (keyword, value) in some {
        members.entry(keyword).or_insert(value);
    }
}

/// A `/** … */` often has a star before each line, in one column, which says nothing: of a type and its members, the text
/// comes here as it stands. Nor is a list with stars meant: where code is indented by fours, the column is one
/// to the right of that, and no list within a list is.
fn clean_stars(text: &mut String) {
    let Some(first) = text.strip_prefix('*') else { return };
    let mut lines = first.lines();
    let mut unstarred: Vec<&str> = lines.next().into_iter().collect();
    let mut column = None;
    for line in lines {
        let Some(at) = line.find('*').filter(|at| line[..*at].bytes().all(|byte| byte == b' ')) else {
            return;
        };
        if at % 4 != 1 || *column.get_or_insert(at) != at {
            return;
        }
        unstarred.push(&line[at + 1..]);
    }
    let indented = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let is_text = |line: &&&str| !line.trim().is_empty();
    let common = unstarred.iter().filter(is_text).map(indented).min().unwrap_or(0);
    let lines: Vec<&str> =
        unstarred.iter().map(|line| line.get(common..).unwrap_or_default().trim_end()).collect();
    *text = lines.join("\n").trim_matches('\n').to_owned();
}

/// `uint32` and its like are Rust's; what they say that matters are the bounds.
fn clean_format(members: &mut Map<String, Value>) {
    let Some(format) = members.get("format").and_then(Value::as_str).map(str::to_owned) else { return };
    if FORMATS.contains(&format.as_str()) {
        // A validator may take a format for a remark; this one has one form only.
        if format == "uuid" {
            members.entry("pattern").or_insert(Value::from(UUID));
        }
        return;
    }
    members.remove("format");
    if !members.contains_key("enum") && !members.contains_key("const") {
        integers::as_string(members, &format);
    }
    let (least, greatest) = match format.as_str() {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int" => (-integers::SAFE, integers::SAFE),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint" => (0, integers::SAFE),
        "float" => {
            // What becomes infinite lies beyond.
            return bound(members, Number::from_f64(-LARGEST_FLOAT), Number::from_f64(LARGEST_FLOAT));
        }
        _ => return,
    };
    bound(members, Some(least.into()), Some(greatest.into()));
}

/// The largest `f32`, as it is written.
const LARGEST_FLOAT: f64 = 3.4028235e38;

const UUID: &str = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

/// Adds bounds; those that are there and tighter stay.
fn bound(members: &mut Map<String, Value>, least: Option<Number>, greatest: Option<Number>) {
    for (keyword, bound, looser) in
        [("minimum", least, Ordering::Less), ("maximum", greatest, Ordering::Greater)]
    {
        let Some(bound) = bound else { continue };
        let is_tighter = |own: &Value| own.as_number().and_then(|own| compare(&bound, own)) == Some(looser);
        if !members.get(keyword).is_some_and(is_tighter) {
            members.insert(keyword.to_owned(), bound.into());
        }
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
            // All of it is of this item.
            let doc: Vec<&str> = doc.lines().collect();
            docs.push(format!("- `{word}`: {}", doc.join("\n  ").replace("\n  \n", "\n\n")));
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

#[cfg(test)]
mod tests {
    use super::clean_stars;

    #[test]
    fn the_stars_of_a_comment_go_and_those_of_lists_stay() {
        for (written, expected) in [
            ("* Builds.", "Builds."),
            ("* Builds.\n *\n * * a wall\n *   * of stone", "Builds.\n\n* a wall\n  * of stone"),
            ("* Builds:\n     *\n     *     let code = 1;", "Builds:\n\n    let code = 1;"),
            ("*\n *", ""),
            ("* é\n *é", " é\né"),
        ] {
            let mut text = written.to_owned();
            clean_stars(&mut text);
            assert_eq!(text, expected, "{written}");
        }
        for list in [
            "Builds.",
            "Builds:\n * a wall",
            "* a wall\n* a gate",
            "* a wall\n  * of stone\n  * or wood",
            "* a wall\n    * of stone",
            "* a wall\n * a gate\n  * of wood",
            "* a wall\n\n * a gate",
            "* a wall\né * a gate",
        ] {
            let mut text = list.to_owned();
            clean_stars(&mut text);
            assert_eq!(text, list);
        }
    }
}
