//! The rules of a type in a sentence, for its doc comment.

use crate::ir::{Bound, NumberRules, Shape, TextRules};

/// A pattern or a format that is longer is only mentioned.
const LONGEST: usize = 120;

/// What a type is that is only told from others by its rules: "Integer, at least 1."
pub(super) fn rules_of(shape: &Shape) -> Option<String> {
    let (what, rules) = match shape {
        Shape::Text(rules) => ("Text", text_rules(rules)),
        Shape::Number(rules) if rules.integer => ("Integer", number_rules(rules)),
        Shape::Number(rules) => ("Number", number_rules(rules)),
        Shape::List(list) => {
            let unique = list.unique.then(|| "no two equal".to_owned());
            let count = count(list.min_items, list.max_items, "item", "items");
            ("List", count.into_iter().chain(unique).collect())
        }
        Shape::Map(map) => {
            let names = text_rules(&map.names).into_iter().map(|rule| format!("each name: {rule}"));
            let count = count(map.min_members, map.max_members, "member", "members");
            ("Object", count.into_iter().chain(names).collect())
        }
        _ => return None,
    };
    let parts: Vec<String> = std::iter::once(what.to_owned()).chain(rules).collect();
    Some(format!("{}.", parts.join(", ")))
}

fn text_rules(rules: &TextRules) -> Vec<String> {
    let count = count(rules.min_length, rules.max_length, "character", "characters");
    let formats = rules.formats.iter().map(|format| match format_word(format) {
        Some(words) => words.to_owned(),
        None => format!("format {}", shortened(format)),
    });
    let patterns = rules.patterns.iter().map(|pattern| format!("matches {}", shortened(pattern)));
    count.into_iter().chain(formats).chain(patterns).collect()
}

fn shortened(letters: &str) -> &str {
    if letters.len() > LONGEST { "a long pattern" } else { letters }
}

fn number_rules(rules: &NumberRules) -> Vec<String> {
    let mut phrases = Vec::new();
    let closed = |bound: &Bound| !bound.exclusive;
    match (&rules.minimum, &rules.maximum) {
        (Some(least), Some(most)) if closed(least) && closed(most) => {
            phrases.push(if least.value == most.value {
                format!("exactly {}", least.value)
            } else {
                format!("{} to {}", least.value, most.value)
            });
        }
        (least, most) => {
            let said = |bound: &Bound, open: &str, closed: &str| {
                format!("{} {}", if bound.exclusive { open } else { closed }, bound.value)
            };
            phrases.extend(least.iter().map(|least| said(least, "above", "at least")));
            phrases.extend(most.iter().map(|most| said(most, "below", "at most")));
        }
    }
    phrases.extend(rules.multiple_of.iter().map(|factor| format!("multiple of {factor}")));
    if rules.strict_integer {
        phrases.push("written without a fraction".to_owned());
    }
    phrases
}

fn count(least: Option<u64>, most: Option<u64>, one: &str, many: &str) -> Option<String> {
    let noun = |number: u64| if number == 1 { one } else { many };
    Some(match (least.filter(|least| *least > 0), most) {
        (None, None) => return None,
        (None, Some(0)) => format!("no {many}"),
        (Some(least), Some(most)) if least == most => format!("exactly {least} {}", noun(least)),
        (Some(least), Some(most)) => format!("{least} to {most} {many}"),
        (Some(least), None) => format!("at least {least} {}", noun(least)),
        (None, Some(most)) => format!("at most {most} {}", noun(most)),
    })
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
