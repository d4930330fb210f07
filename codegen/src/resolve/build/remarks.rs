//! What is odd in a schema, though it means something: words that say nothing, and rules that leave
//! no value.

use super::Builder;
use crate::graph::Schema;
use crate::json::{Json, Node, escape, quoted};
use crate::near::nearest;
use crate::resolve::dialect;
use crate::resolve::index::SpotId;
use crate::support::{Decimal, Format};

/// The formats that are known.
const FORMATS: [&str; 19] = [
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

/// What other standards, schemars among their users, say by a format of how programs hold a value: remarks,
/// of which nobody has to be warned.
const REMARKS: [&str; 17] = [
    "binary", "byte", "double", "float", "int8", "int16", "int32", "int64", "int128", "int", "password",
    "uint8", "uint16", "uint32", "uint64", "uint128", "uint",
];

impl Builder<'_, '_> {
    /// Notes the members of a schema that are no keywords and look like one: they say nothing.
    pub(super) fn note_misspelt(&mut self, spot: SpotId, node: &Node) {
        for member in node.members() {
            if let Some(meant) = dialect::misspelt(&member.name) {
                let message = format!(
                    "{} is no keyword and says nothing; did you mean `{meant}`?",
                    quoted(&member.name)
                );
                self.note(spot, node, &member.name, message);
            }
        }
    }

    /// Notes a format that is not known, and bounds that no value keeps.
    pub(super) fn note_rules(&mut self, spot: SpotId, node: &Node, schema: &Schema) {
        let says_nothing = |name: &&str| Format::from_name(name).is_none() && !REMARKS.contains(name);
        // Once each: what one tool writes, it writes everywhere.
        if let Some(format) = schema.format.as_deref().filter(says_nothing)
            && self.unknown_formats.insert(format.to_owned())
        {
            let meant = nearest(format, FORMATS).map(|name| format!("; did you mean `{name}`?"));
            let meant = meant.unwrap_or_default();
            let message = format!("{} is no format that is known, and says nothing{meant}", quoted(format));
            self.note(spot, node, "format", message);
        }
        let counts = [
            ("minLength", schema.min_length, "maxLength", schema.max_length, "string"),
            ("minItems", schema.min_items, "maxItems", schema.max_items, "array"),
            ("minProperties", schema.min_properties, "maxProperties", schema.max_properties, "object"),
        ];
        for (least, min, most, max, what) in counts {
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                self.note(spot, node, most, format!("no {what} keeps it beside `{least}` {min}"));
            }
        }
        let lower =
            [("minimum", &schema.minimum, false), ("exclusiveMinimum", &schema.exclusive_minimum, true)];
        let upper =
            [("maximum", &schema.maximum, false), ("exclusiveMaximum", &schema.exclusive_maximum, true)];
        for (least, min, open) in lower {
            for (most, max, opened) in upper {
                let (Some(min), Some(max)) = (min.as_ref(), max.as_ref()) else { continue };
                let (Some(low), Some(high)) = (decimal(min), decimal(max)) else { continue };
                if low > high || (low == high && (open || opened)) {
                    self.note(spot, node, most, format!("no number keeps it beside `{least}` {min}"));
                }
            }
        }
    }

    fn note(&mut self, spot: SpotId, node: &Node, name: &str, message: String) {
        let span = node.members().iter().find(|member| member.name == name).map(|member| member.span);
        let place = self.index.place(spot, &format!("/{}", escape(name)), span.unwrap_or(node.span));
        self.notes.push(place, message);
    }
}

fn decimal(node: &Node) -> Option<Decimal> {
    match &node.value {
        Json::Number(text) => Decimal::parse(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::FORMATS;
    use crate::support::Format;

    #[test]
    fn every_format_is_known_by_its_name() {
        let known = FORMATS.map(|name| Format::from_name(name).map(|format| format!("{format:?}")));
        let mut names: Vec<String> = known.into_iter().flatten().collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), FORMATS.len());
    }
}
