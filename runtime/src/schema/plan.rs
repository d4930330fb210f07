//! Schemas that can be held to while text is read. What most arguments are made of has a plan; of the
//! rest, and of whatever a plan does not take, a [`Value`] is made, and held to the schema itself.
//!
//! A plan takes nothing that its schema refuses, but it may refuse more. Results are held to plans, too,
//! which looks no keywords up.

use super::integers::{self, Whole};
use super::measure::{BOUNDS, compare};
use super::patterns::Patterns;
use super::read::ReadError;
use super::text::Cursor;
use super::token::{Items, Members, Token};
use regress::Regex;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// How a value is held to its schema while it is read.
pub(crate) enum Plan {
    Bool,
    Integer(Bounds),
    Number(Bounds),
    /// An integer that stands as a decimal string; a number is read too.
    Large(integers::Bounds),
    Text(Text),
    List(List),
    Object(Object),
    /// What the plan says, or null.
    Nullable(Box<Self>),
}

/// Numbers, two at most, and how others may not compare with them. They stand here, and nowhere
/// else: an event that is written after a pause finds nothing in a cache.
pub(crate) struct Bounds([Option<(Number, &'static [Ordering])>; 2]);

pub(crate) struct Text {
    length: (u64, u64),
    pattern: Option<Box<Regex>>,
    /// It is one of these.
    words: Option<Vec<String>>,
}

pub(crate) struct List {
    /// The first ones; the others are as the last of them.
    items: Vec<Plan>,
    length: (u64, u64),
}

/// An object whose members are known.
pub(crate) struct Object {
    members: Vec<Member>,
    required: usize,
}

pub(super) struct Member {
    /// Its name as it stands in an object, with quotes and colon.
    pub(super) key: String,
    is_required: bool,
    pub(super) plan: Plan,
}

/// Keywords that say nothing of a value.
const REMARKS: [&str; 6] = ["title", "description", "default", "deprecated", "examples", "format"];

impl Plan {
    /// The plan of a clean schema, where it can have one.
    pub(super) fn of(schema: &Value, patterns: &Patterns) -> Option<Self> {
        let keywords = schema.as_object()?;
        match keywords.get("type")? {
            Value::String(kind) => Self::of_kind(kind, keywords, patterns),
            Value::Array(kinds) => match kinds.as_slice() {
                [Value::String(kind), null] if null == "null" && may_be_null(keywords) => {
                    Some(Self::Nullable(Box::new(Self::of_kind(kind, keywords, patterns)?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn of_kind(kind: &str, keywords: &Map<String, Value>, patterns: &Patterns) -> Option<Self> {
        if let Some(bounds) = integers::Bounds::marked(keywords) {
            return Some(Self::Large(bounds));
        }
        let known: &[&str] = match kind {
            "boolean" => &[],
            "integer" | "number" => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
            "string" => &["minLength", "maxLength", "pattern", "enum"],
            "array" => &["minItems", "maxItems", "items", "prefixItems"],
            "object" => &["properties", "required", "additionalProperties"],
            _ => return None,
        };
        let is_known =
            |keyword: &str| keyword == "type" || known.contains(&keyword) || REMARKS.contains(&keyword);
        if !keywords.keys().all(|keyword| is_known(keyword)) {
            return None;
        }
        let length = |[least, greatest]: [&str; 2]| {
            let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
            (bound(least).unwrap_or(0), bound(greatest).unwrap_or(u64::MAX))
        };
        Some(match kind {
            "boolean" => Self::Bool,
            "integer" => Self::Integer(Bounds::of(keywords)?),
            "number" => Self::Number(Bounds::of(keywords)?),
            "string" => Self::Text(Text {
                length: length(["minLength", "maxLength"]),
                pattern: keywords
                    .get("pattern")
                    .and_then(Value::as_str)
                    .and_then(|pattern| patterns.get(pattern).cloned())
                    .map(Box::new),
                words: match keywords.get("enum") {
                    None => None,
                    Some(words) => Some(words_of(words)?),
                },
            }),
            "array" => {
                let length = length(["minItems", "maxItems"]);
                let items = match keywords.get("prefixItems") {
                    None => vec![Self::of(keywords.get("items")?, patterns)?],
                    Some(Value::Array(items)) if length == (items.len() as u64, items.len() as u64) => {
                        items.iter().map(|item| Self::of(item, patterns)).collect::<Option<_>>()?
                    }
                    Some(_) => return None,
                };
                Self::List(List { items, length })
            }
            _ => Self::Object(Object::of(keywords, patterns)?),
        })
    }

    /// Begins to read what stands there.
    pub(super) fn token<'a, 'c>(&'a self, cursor: &'c mut Cursor<'a>) -> Result<Token<'a, 'c>, ReadError> {
        let token = match self {
            Self::Nullable(plan) => {
                return if cursor.word("null") { Ok(Token::Null) } else { plan.token(cursor) };
            }
            Self::Bool => match (cursor.word("true"), cursor.word("false")) {
                (true, _) => Some(Token::Bool(true)),
                (_, true) => Some(Token::Bool(false)),
                _ => None,
            },
            Self::Integer(bounds) => {
                cursor.number().filter(|number| !number.is_f64() && bounds.take(number)).map(Token::of)
            }
            Self::Number(bounds) => cursor.number().filter(|number| bounds.take(number)).map(Token::of),
            Self::Large(bounds) => large(*bounds, cursor),
            Self::Text(rules) => cursor.string().filter(|text| rules.take(text)).map(Token::Text),
            Self::List(plan) => cursor.take(b'[').then(|| Token::Items(Items::planned(plan, cursor))),
            Self::Object(plan) => cursor.take(b'{').then(|| Token::Members(Members::planned(plan, cursor))),
        };
        token.ok_or_else(ReadError::unplanned)
    }

    /// Whether a result is right. It becomes what peers read, as far as it is.
    pub(super) fn hold(&self, value: &mut Value) -> bool {
        match (self, value) {
            (Self::Nullable(_), Value::Null) | (Self::Bool, Value::Bool(_)) => true,
            (Self::Nullable(plan), value) => plan.hold(value),
            (Self::Integer(bounds), Value::Number(number)) => !number.is_f64() && bounds.take(number),
            (Self::Number(bounds), Value::Number(number)) => bounds.take(number),
            (Self::Large(bounds), value) => {
                let Value::Number(number) = &*value else { return false };
                let whole = Whole::of(number).filter(|whole| bounds.contain(*whole));
                whole.map(|whole| *value = whole.to_string().into()).is_some()
            }
            (Self::Text(rules), Value::String(text)) => rules.take(text),
            (Self::List(plan), Value::Array(items)) => plan.hold(items),
            (Self::Object(plan), Value::Object(members)) => plan.hold(members),
            _ => false,
        }
    }

    /// Whether null stands there, which then is behind.
    pub(super) fn null(&self, cursor: &mut Cursor<'_>) -> Result<bool, ReadError> {
        match (cursor.word("null"), self) {
            (false, _) => Ok(false),
            (true, Self::Nullable(_)) => Ok(true),
            // It stands for what is left out.
            (true, _) => Err(ReadError::unplanned()),
        }
    }
}

/// Whether an enum, if there is one, has null in it.
fn may_be_null(keywords: &Map<String, Value>) -> bool {
    keywords.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(&Value::Null))
}

/// The words of an enum, if all are.
fn words_of(words: &Value) -> Option<Vec<String>> {
    let words = words.as_array()?.iter().filter(|word| !word.is_null());
    words.map(|word| word.as_str().map(str::to_owned)).collect()
}

fn large<'a, 'c>(bounds: integers::Bounds, cursor: &mut Cursor<'a>) -> Option<Token<'a, 'c>> {
    let whole: Whole = match cursor.peek()? {
        b'"' => cursor.string()?.parse().ok()?,
        _ => Whole::of(&cursor.number()?)?,
    };
    let is_within = bounds.contain(whole);
    // What has no number stays a string.
    let token = || whole.number().map_or_else(|| Token::Text(whole.to_string().into()), Token::of);
    is_within.then(token)
}

impl Bounds {
    fn of(keywords: &Map<String, Value>) -> Option<Self> {
        let bound = |(keyword, _, refused): &(&str, &str, &'static [Ordering])| {
            Some((keywords.get(*keyword)?.as_number()?.clone(), *refused))
        };
        let mut bounds = BOUNDS.iter().filter_map(bound);
        let both = [bounds.next(), bounds.next()];
        bounds.next().is_none().then_some(Self(both))
    }

    pub(super) fn take(&self, number: &Number) -> bool {
        let refuses = |(bound, refused): &(Number, &[Ordering])| {
            compare(number, bound).is_some_and(|order| refused.contains(&order))
        };
        !self.0.iter().flatten().any(refuses)
    }
}

impl Text {
    pub(super) fn take(&self, text: &str) -> bool {
        let (least, greatest) = self.length;
        let is_sized = || {
            let length = text.chars().count() as u64;
            least <= length && length <= greatest
        };
        ((least, greatest) == (0, u64::MAX) || is_sized())
            && self.words.as_ref().is_none_or(|words| words.iter().any(|word| word == text))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.find(text).is_some())
    }
}

impl List {
    /// The plan of an item, unless there may be none.
    pub(super) fn item(&self, index: u64) -> Option<&Plan> {
        let item = usize::try_from(index).ok().and_then(|index| self.items.get(index));
        item.or(self.items.last()).filter(|_| index < self.length.1)
    }

    pub(super) fn may_end(&self, length: u64) -> bool {
        self.length.0 <= length
    }

    fn hold(&self, items: &mut [Value]) -> bool {
        let holds = |(index, item): (u64, &mut Value)| self.item(index).is_some_and(|plan| plan.hold(item));
        self.may_end(items.len() as u64) && (0..).zip(items).all(holds)
    }
}

impl Object {
    fn of(keywords: &Map<String, Value>, patterns: &Patterns) -> Option<Self> {
        if keywords.get("additionalProperties").is_some_and(|others| *others != Value::Bool(false)) {
            return None;
        }
        let properties = keywords.get("properties")?.as_object()?;
        let required: Vec<&str> = match keywords.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let member = |(name, schema): (&String, &Value)| {
            let (key, is_required) = (format!("\"{name}\":"), required.contains(&name.as_str()));
            let is_plain = serde_json::to_string(name).is_ok_and(|quoted| key.starts_with(&quoted));
            let plan = Plan::of(schema, patterns)?;
            is_plain.then_some(Member { key, is_required, plan })
        };
        let members: Vec<Member> = properties.iter().map(member).collect::<Option<_>>()?;
        let are_named = required.iter().all(|name| properties.contains_key(*name));
        // Each has a bit.
        let fits = members.len() <= u64::BITS as usize && are_named;
        let required = members.iter().filter(|member| member.is_required).count();
        fits.then_some(Self { members, required })
    }

    /// The plan of a member that has not been `seen`.
    pub(super) fn member(&self, name: &str, seen: &mut u64) -> Option<&Plan> {
        let (member, bit) = self.find(name)?;
        let is_new = *seen & bit == 0;
        *seen |= bit;
        is_new.then_some(&member.plan)
    }

    /// A member, and its bit.
    pub(super) fn find(&self, name: &str) -> Option<(&Member, u64)> {
        let (index, member) = self.members.iter().enumerate().find(|(_, member)| member.name() == name)?;
        Some((member, 1 << index))
    }

    fn hold(&self, members: &mut Map<String, Value>) -> bool {
        let (mut seen, mut holds) = (0, true);
        members.retain(|name, value| {
            let Some((member, bit)) = self.find(name) else {
                holds = false;
                return true;
            };
            // Null stands for what is left out.
            if value.is_null() && !member.is_required && !matches!(member.plan, Plan::Nullable(_)) {
                return false;
            }
            seen |= bit;
            holds = holds && member.plan.hold(value);
            true
        });
        holds && self.may_end(seen)
    }

    /// Whether all is there that must be.
    pub(super) fn may_end(&self, seen: u64) -> bool {
        let is_seen = |(index, member): &(usize, &Member)| member.is_required && seen & (1 << *index) != 0;
        self.members.iter().enumerate().filter(is_seen).count() == self.required
    }
}

impl Member {
    fn name(&self) -> &str {
        &self.key[1..self.key.len() - 2]
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::schema::patterns::Patterns;
    use crate::schema::read::{Given, read};
    use crate::schema::text::Cursor;
    use crate::schema::{Held, generator, of};
    use schemars::JsonSchema;
    use schemars::generate::Contract;
    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Orc,
        Elf,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "it is only read")]
    struct Unit {
        id: u64,
        kind: Kind,
        at: (i16, i16),
        path: Vec<Option<[f32; 2]>>,
        note: Option<String>,
        #[serde(default)]
        #[schemars(range(min = 1, max = 9))]
        rank: u8,
    }

    /// What is read of texts as the plan of a type says, if it has one.
    fn taken<T: DeserializeOwned + JsonSchema>(texts: &[&str]) -> Option<Vec<bool>> {
        let mut schema = json!({ "properties": { "it": of::<T>(&mut generator(Contract::Deserialize)) } });
        super::super::clean::input(&mut schema, false);
        let plan = Held::new(schema).plan("it")?;
        let take = |text: &&str| read::<T>(Given::planned(&plan, &mut Cursor::new(text))).is_ok();
        Some(texts.iter().map(take).collect())
    }

    #[test]
    fn what_arguments_are_made_of_has_a_plan() {
        let right = [
            r#"{"id":"18446744073709551615","kind":"orc","at":[-3,4],"path":[[1,2.5],null]}"#,
            r#" { "rank" : 9 , "path" : [ ] , "at" : [ 0 , 0 ] , "kind" : "elf" , "\u0069d" : 7 , "note" : "x" } "#,
        ];
        assert_eq!(taken::<Unit>(&right), Some(vec![true; 2]));
        let wrong = [
            r#"{"id":"18446744073709551616","kind":"orc","at":[-3,4],"path":[]}"#,
            r#"{"id":"07","kind":"orc","at":[-3,4],"path":[]}"#,
            r#"{"id":1,"kind":"Orc","at":[-3,4],"path":[]}"#,
            r#"{"id":1,"kind":{"orc":null},"at":[-3,4],"path":[]}"#,
            r#"{"id":1,"kind":"orc","at":[-3],"path":[]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4,5],"path":[]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,40000],"path":[]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4],"path":[[1]]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4],"path":[1e39,1]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4]}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4],"path":[],"rank":10}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4],"path":[],"rank":1,"rank":1}"#,
            r#"{"id":1,"kind":"orc","at":[-3,4],"path":[],"size":1}"#,
            r#"[1,"orc",[-3,4],[],null,1]"#,
            "null",
        ];
        assert_eq!(taken::<Unit>(&wrong), Some(vec![false; wrong.len()]));
    }

    #[test]
    fn what_a_schema_takes_otherwise_has_none() {
        assert_eq!(taken::<BTreeMap<String, u8>>(&[]), None);
        assert_eq!(taken::<Result<u8, String>>(&[]), None);
        assert_eq!(taken::<Vec<serde_json::Value>>(&[]), None);
        let none = Patterns::default();
        for schema in [
            json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true }),
            json!({ "type": "integer", "not": { "const": 0 } }),
            json!({ "type": ["string", "null"], "enum": ["a"] }),
            json!({ "type": "integer", "enum": [1] }),
            json!({ "type": "array", "prefixItems": [{ "type": "string" }], "minItems": 0 }),
        ] {
            assert!(Plan::of(&schema, &none).is_none(), "{schema}");
        }
    }
}
