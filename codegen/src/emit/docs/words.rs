//! Types and their rules in plain words.

use super::prose::{Prose, Span, after, code, labelled, listed, sentence, text};
use crate::graph::JsonType;
use crate::ir::{Bound, Check, Enum, List, NumberRules, Protocol, Shape, TextRules, Tuple, TypeId, TypeRef};
use crate::json::Node;
use std::collections::BTreeMap;

/// A use of a type in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Described {
    /// What it is: "list of text".
    pub(super) ty: Prose,
    /// What holds for it beyond that, each a phrase: "at least 1 character".
    pub(super) rules: Vec<Prose>,
}

/// Says types in words; types that have a section of their own are links to it.
pub(super) struct Words<'a> {
    /// Whose types they are.
    pub(super) protocol: &'a Protocol,
    /// The heading and the link target of each section.
    pub(super) sections: BTreeMap<TypeId, (String, String)>,
}

impl Words<'_> {
    /// A use of a type.
    pub(super) fn describe(&self, ty: &TypeRef) -> Described {
        self.reference(ty, &mut Vec::new())
    }

    /// What a named type is, although it has a section of its own.
    pub(super) fn define(&self, id: TypeId) -> Described {
        self.shape(id, &mut vec![id])
    }

    /// `within`: the types that are being spelled out, lest one that holds itself never end.
    pub(super) fn reference(&self, ty: &TypeRef, within: &mut Vec<TypeId>) -> Described {
        let plain = |words: &str| Described { ty: text(words), rules: Vec::new() };
        match ty {
            TypeRef::Any => plain("any JSON value"),
            TypeRef::Null => plain("null"),
            TypeRef::Bool => plain("true or false"),
            TypeRef::Text => plain("text"),
            TypeRef::Number => plain("number"),
            TypeRef::Integer => plain("integer"),
            TypeRef::Uuid => Described { ty: text("text"), rules: vec![text("UUID")] },
            TypeRef::Object => plain("object"),
            TypeRef::Never => Described { ty: text("nothing"), rules: vec![text("must be absent")] },
            TypeRef::List(items) => self.many("list of ", "each: ", items, within),
            TypeRef::Map(values) => self.many("object with values: ", "each value: ", values, within),
            TypeRef::Nullable(inner) => {
                let mut described = self.reference(inner, within);
                described.ty.push(Span::Text(" or null".to_owned()));
                described
            }
            TypeRef::Named(id) => self.named(*id, within),
        }
    }

    fn many(&self, what: &str, each: &str, items: &TypeRef, within: &mut Vec<TypeId>) -> Described {
        let mut described = self.reference(items, within);
        if matches!(items, TypeRef::Nullable(_)) {
            described.ty.insert(0, Span::Text("(".to_owned()));
            described.ty.push(Span::Text(")".to_owned()));
        }
        let rules = described.rules.into_iter().map(|rule| after(each, rule)).collect();
        Described { ty: after(what, described.ty), rules }
    }

    fn named(&self, id: TypeId, within: &mut Vec<TypeId>) -> Described {
        if let Some((heading, target)) = self.sections.get(&id) {
            let link = Span::Link { label: heading.clone(), target: target.clone() };
            return Described { ty: vec![link], rules: Vec::new() };
        }
        if within.contains(&id) {
            let name = self.protocol.types.get(id.0).map_or("?", |def| def.name.as_str());
            return Described { ty: code(name), rules: Vec::new() };
        }
        within.push(id);
        let described = self.shape(id, within);
        within.pop();
        described
    }

    fn shape(&self, id: TypeId, within: &mut Vec<TypeId>) -> Described {
        let Some(def) = self.protocol.types.get(id.0) else { return Described::default() };
        match &def.shape {
            Shape::Struct(_) => Described { ty: text("object"), rules: Vec::new() },
            Shape::Union(union) => {
                let variants = union.variants.iter().map(|variant| self.reference(&variant.ty, within).ty);
                Described { ty: listed(variants, ", ", " or "), rules: Vec::new() }
            }
            Shape::Enum(choices) => choice(choices),
            Shape::OpenEnum(_) => Described { ty: text("text"), rules: Vec::new() },
            Shape::Text(rules) => Described { ty: text("text"), rules: text_rules(rules) },
            Shape::Number(rules) => {
                let ty = if rules.integer { "integer" } else { "number" };
                Described { ty: text(ty), rules: number_rules(rules) }
            }
            Shape::List(list) => self.list(list, within),
            Shape::Tuple(tuple) => self.tuple(tuple, within),
            Shape::Map(map) => {
                let mut described = self.many("object with values: ", "each value: ", &map.values, within);
                let names = text_rules(&map.names).into_iter().map(|rule| after("each name: ", rule));
                let count = count(map.min_members, map.max_members, "member", "members");
                described.rules = count.into_iter().chain(names).chain(described.rules).collect();
                described
            }
            Shape::Alias(ty) => self.reference(ty, within),
            Shape::Value(check) => value(check),
            Shape::Sealed(sealed) => {
                let mut described = self.reference(&sealed.inner, within);
                described.rules.extend(value(&sealed.check).rules);
                described
            }
        }
    }

    fn tuple(&self, tuple: &Tuple, within: &mut Vec<TypeId>) -> Described {
        let mut places = Vec::new();
        for (place, item) in tuple.items.iter().enumerate() {
            let Described { mut ty, rules } = self.reference(item, within);
            for rule in rules {
                ty.push(Span::Text(", ".to_owned()));
                ty.extend(rule);
            }
            if place >= tuple.required {
                ty.push(Span::Text(", optional".to_owned()));
            }
            places.push(ty);
        }
        if let Some(rest) = &tuple.rest {
            places.push(after("then any number of ", self.reference(rest, within).ty));
        }
        let ty = match places.as_slice() {
            [] => text("empty list"),
            _ => after("list of: ", listed(places, "; ", "; ")),
        };
        let count = count(tuple.min_items, tuple.max_items, "item", "items");
        let unique = tuple.unique.then(|| text("no two equal"));
        Described { ty, rules: count.into_iter().chain(unique).collect() }
    }

    fn list(&self, list: &List, within: &mut Vec<TypeId>) -> Described {
        let mut described = self.many("list of ", "each: ", &list.items, within);
        let count = count(list.min_items, list.max_items, "item", "items");
        let unique = list.unique.then(|| text("no two equal"));
        described.rules = count.into_iter().chain(unique).chain(described.rules).collect();
        described
    }
}

/// A closed list of constants that is too short for a section.
fn choice(choices: &Enum) -> Described {
    let values = choices.variants.iter().map(|variant| code(variant.value.to_string()));
    let kinds = choices.variants.iter().map(|variant| kind_of(&variant.value));
    let rule = match choices.variants.len() {
        0 => text("no value is allowed"),
        1 => after("always ", values.flatten().collect()),
        _ => after("one of ", listed(values, ", ", " and ")),
    };
    Described { ty: text(kinds_of(kinds)), rules: vec![rule] }
}

/// A checked JSON value: what its types are, and those rules that fit in a line. The section of the
/// type has all of them.
fn value(check: &Check) -> Described {
    let mut ty = None;
    let mut rules = Vec::new();
    let mut open = vec![check];
    while let Some(check) = open.pop() {
        match check {
            Check::All(checks) => open.extend(checks.iter().rev()),
            Check::Kinds(kinds) if ty.is_none() => {
                ty = Some(kinds_of(kinds.iter().map(|kind| kind_word(*kind))));
            }
            Check::Constants(values) if values.len() == 1 => {
                rules.push(after(
                    "always ",
                    values.iter().flat_map(|value| code(value.to_string())).collect(),
                ));
            }
            Check::Constants(values) => {
                let values = values.iter().map(|value| code(value.to_string()));
                rules.push(after("one of ", listed(values, ", ", " and ")));
            }
            Check::Text(of) => rules.extend(text_rules(of)),
            Check::Number(of) => rules.extend(number_rules(of)),
            _ => {}
        }
    }
    Described { ty: text(ty.unwrap_or_else(|| "any JSON value".to_owned())), rules }
}

/// Rules of a string.
pub(super) fn text_rules(rules: &TextRules) -> Vec<Prose> {
    let count = count(rules.min_length, rules.max_length, "character", "characters");
    let formats = rules.formats.iter().map(|format| match format_word(format) {
        Some(words) => text(words),
        None => labelled("format ", format),
    });
    let patterns = rules.patterns.iter().map(|pattern| labelled("matches ", pattern));
    count.into_iter().chain(formats).chain(patterns).collect()
}

/// Rules of a number.
pub(super) fn number_rules(rules: &NumberRules) -> Vec<Prose> {
    let mut phrases = Vec::new();
    let closed = |bound: &Bound| !bound.exclusive;
    match (&rules.minimum, &rules.maximum) {
        (Some(least), Some(greatest)) if closed(least) && closed(greatest) => {
            phrases.push(text(if least.value == greatest.value {
                format!("exactly {}", least.value)
            } else {
                format!("{} to {}", least.value, greatest.value)
            }));
        }
        (least, greatest) => {
            if let Some(Bound { value, exclusive }) = least {
                phrases.push(text(format!("{} {value}", if *exclusive { "above" } else { "at least" })));
            }
            if let Some(Bound { value, exclusive }) = greatest {
                phrases.push(text(format!("{} {value}", if *exclusive { "below" } else { "at most" })));
            }
        }
    }
    phrases.extend(rules.multiple_of.iter().map(|factor| text(format!("multiple of {factor}"))));
    if rules.strict_integer {
        phrases.push(text("written without a fraction"));
    }
    phrases
}

/// What a type is that is only told from others by its rules, as a sentence: "Integer, at least 1."
pub(crate) fn rules_of(shape: &Shape) -> Option<String> {
    const LONGEST: usize = 120;
    let (what, rules) = match shape {
        Shape::Text(rules) => ("text", text_rules(rules)),
        Shape::Number(rules) if rules.integer => ("integer", number_rules(rules)),
        Shape::Number(rules) => ("number", number_rules(rules)),
        Shape::List(list) => {
            let unique = list.unique.then(|| text("no two equal"));
            (
                "list",
                count(list.min_items, list.max_items, "item", "items").into_iter().chain(unique).collect(),
            )
        }
        Shape::Map(map) => {
            let names = text_rules(&map.names).into_iter().map(|rule| after("each name: ", rule));
            let count = count(map.min_members, map.max_members, "member", "members");
            ("object", count.into_iter().chain(names).collect())
        }
        _ => return None,
    };
    let plain = |span: Span| match span {
        Span::Text(words) => words,
        Span::Code(letters) if letters.len() > LONGEST => "a long pattern".to_owned(),
        Span::Code(letters) | Span::CodeLink { code: letters, .. } => letters,
        Span::Link { label, .. } => label,
    };
    let rules = rules.into_iter().map(|rule| rule.into_iter().map(plain).collect::<String>());
    let parts: Vec<String> = std::iter::once(what.to_owned()).chain(rules).collect();
    Some(sentence(&parts.join(", ")))
}

/// How many there may be.
pub(super) fn count(least: Option<u64>, greatest: Option<u64>, one: &str, many: &str) -> Option<Prose> {
    let noun = |number: u64| if number == 1 { one } else { many };
    let words = match (least.filter(|least| *least > 0), greatest) {
        (None, None) => return None,
        (None, Some(0)) => format!("no {many}"),
        (Some(least), Some(greatest)) if least == greatest => format!("exactly {least} {}", noun(least)),
        (Some(least), Some(greatest)) => format!("{least} to {greatest} {many}"),
        (Some(least), None) => format!("at least {least} {}", noun(least)),
        (None, Some(greatest)) => format!("at most {greatest} {}", noun(greatest)),
    };
    Some(text(words))
}

/// JSON types in words: "text or null".
pub(super) fn kinds_of<'a>(kinds: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for kind in kinds {
        if !words.contains(&kind) {
            words.push(kind);
        }
    }
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
    }
}

/// A JSON type in words.
pub(super) fn kind_word(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "integer",
        JsonType::Number => "number",
        JsonType::String => "text",
        JsonType::Array => "list",
        JsonType::Object => "object",
    }
}

/// The type of a constant in words.
pub(super) fn kind_of(value: &Node) -> &'static str {
    use crate::json::Json;
    match &value.value {
        Json::Null => "null",
        Json::Bool(_) => "true or false",
        Json::Number(number) if number.contains(['.', 'e', 'E']) => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "text",
        Json::Array(_) => "list",
        Json::Object(_) => "object",
    }
}

fn format_word(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "UUID",
        "date-time" => "date and time (RFC 3339)",
        "date" => "date (RFC 3339)",
        "time" => "time of day (RFC 3339)",
        "duration" => "duration (ISO 8601)",
        "uri" => "URI",
        "uri-reference" => "URI or relative reference",
        "iri" => "IRI",
        "iri-reference" => "IRI or relative reference",
        "uri-template" => "URI template",
        "email" => "e-mail address",
        "idn-email" => "e-mail address, international",
        "hostname" => "host name",
        "idn-hostname" => "host name, international",
        "ipv4" => "IPv4 address",
        "ipv6" => "IPv6 address",
        "regex" => "regular expression (ECMA-262)",
        "json-pointer" => "JSON pointer",
        "relative-json-pointer" => "relative JSON pointer",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
