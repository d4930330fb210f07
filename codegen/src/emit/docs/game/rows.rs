//! Schemas as rows of a table: a member a row, and what is in it below it.

use super::integers;
use super::layers::Layers;
use super::rules::rules;
use crate::emit::docs::vocabulary::{Rule, Type, one_of};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is deeper is not shown.
const DEEPEST: usize = 12;
/// More rows help nobody.
const MOST: usize = 400;

/// The members of an object, and of what is in them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// What it is, where it is more than an object with these members.
    pub(super) whole: Option<Whole>,
    /// There may be other members as well.
    pub(super) open: bool,
    /// Not everything is shown.
    pub(super) cut: bool,
}

impl Table {
    /// Whether nobody can tell the two apart. Where not everything is shown nobody knows.
    pub(super) fn shows_as(&self, other: &Self) -> bool {
        let shown = |table: &Self| serde_json::json!([table.rows, table.whole]);
        !self.cut && !other.cut && shown(self) == shown(other)
    }
}

/// A value that has no name.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Whole {
    pub(super) ty: Type,
    pub(super) rules: Vec<Rule>,
}

/// A member.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// `entities[].at`
    pub(super) name: String,
    /// How many it is in.
    pub(super) depth: usize,
    pub(super) ty: Type,
    pub(super) required: bool,
    pub(super) rules: Vec<Rule>,
    /// As JSON.
    pub(super) default: Option<String>,
    pub(super) description: String,
    pub(super) deprecated: bool,
    /// It is there only then.
    pub(super) when: Option<When>,
}

/// In which of several forms of an object a member is there.
#[derive(Clone, Debug, Serialize)]
pub(super) struct When {
    /// The member that tells; empty where none does.
    pub(super) name: String,
    /// Its value as JSON, else what the form is called.
    pub(super) value: String,
}

/// The rows of a schema of an object.
pub(super) fn table(schema: &Value) -> Table {
    let known = BTreeMap::from([("#", String::new())]);
    let mut walk = Walk { root: schema, table: Table::default(), known };
    let layers = Layers::of(schema, schema);
    let described = walk.describe(&layers, "", 0);
    let ty = one_of(described.types);
    if ty != Type::Object || !described.rules.is_empty() {
        walk.table.whole = Some(Whole { ty, rules: described.rules });
    }
    walk.inside(described.inside, 0);
    walk.table.open =
        !layers.never && layers.get("additionalProperties").is_none_or(|more| *more != Value::Bool(false));
    walk.table.cut |= layers.cut;
    walk.table
}

/// What is to be shown of the inside of a value.
struct Inside<'a> {
    path: String,
    layers: Layers<'a>,
    when: Option<When>,
    /// It is a value of its own (`[0]`), not an object whose members are shown.
    is_item: bool,
}

struct Described<'a> {
    types: Vec<Type>,
    rules: Vec<Rule>,
    inside: Vec<Inside<'a>>,
}

struct Walk<'a> {
    root: &'a Value,
    table: Table,
    /// Where types that are referred to are shown.
    known: BTreeMap<&'a str, String>,
}

impl<'a> Walk<'a> {
    fn inside(&mut self, all: Vec<Inside<'a>>, depth: usize) {
        for Inside { path, layers, when, is_item } in all {
            if is_item {
                self.row(path, &layers, true, when, depth);
                continue;
            }
            for (name, schema, required) in layers.members() {
                let dot = if path.is_empty() { "" } else { "." };
                let layers = Layers::of(self.root, schema);
                let is_tag = when.as_ref().is_some_and(|when| when.name == name);
                if !is_tag {
                    self.row(format!("{path}{dot}{name}"), &layers, required, when.clone(), depth);
                }
            }
        }
    }

    fn row(&mut self, name: String, layers: &Layers<'a>, required: bool, when: Option<When>, depth: usize) {
        if depth > DEEPEST || self.table.rows.len() >= MOST {
            self.table.cut = true;
            return;
        }
        // The same member may stand in several forms of an object.
        let Described { types, rules, inside } = self.describe(layers, &name, depth);
        self.table.cut |= layers.cut;
        self.table.rows.push(Row {
            name,
            depth,
            ty: one_of(types),
            required,
            rules,
            default: layers.get("default").map(|value| super::sample::sorted(value).to_string()),
            description: layers
                .text("description")
                .or_else(|| layers.text("title"))
                .unwrap_or_default()
                .to_owned(),
            deprecated: layers.get("deprecated") == Some(&Value::Bool(true)),
            when,
        });
        self.inside(inside, depth + 1);
    }

    fn describe(&mut self, layers: &Layers<'a>, path: &str, depth: usize) -> Described<'a> {
        let plain = |ty| Described { types: vec![ty], rules: Vec::new(), inside: Vec::new() };
        if layers.never {
            return plain(Type::Nothing);
        }
        if let Some(reference) = layers.reference {
            if let Some(of) = self.known.get(reference) {
                return plain(Type::Same { of: of.clone() });
            }
            let holding = ["properties", "oneOf", "anyOf", "items", "prefixItems", "additionalProperties"];
            if holding.iter().any(|keyword| layers.get(keyword).is_some()) {
                self.known.insert(reference, path.to_owned());
            }
        }
        let mut rules = rules(layers);
        if let Some(types) = constants(layers) {
            return Described { types, rules, inside: Vec::new() };
        }
        if let Some((branches, _)) = layers.branches()
            && depth <= DEEPEST
        {
            return self.union(layers, branches, rules, path, depth);
        }
        let mut types = Vec::new();
        let mut inside = Vec::new();
        for kind in kinds(layers) {
            match kind {
                "array" => types.push(self.list(layers, path, depth, &mut rules, &mut inside)),
                "object" => types.push(self.object(layers, path, depth, &mut rules, &mut inside)),
                "string" => types.push(match integer_text(layers) {
                    Some((least, most)) => {
                        rules.retain(|rule| !matches!(rule, Rule::Pattern { .. }));
                        rules.insert(0, Rule::Between { least, most });
                        Type::IntegerText
                    }
                    None => Type::Text,
                }),
                "boolean" => types.push(Type::Boolean),
                "integer" => types.push(Type::Integer),
                "null" => types.push(Type::Null),
                "number" => types.push(Type::Number),
                _ => types.push(Type::Any),
            }
        }
        Described { types: nulls_last(types), rules, inside }
    }

    fn union(
        &mut self,
        layers: &Layers<'a>,
        branches: &'a [Value],
        mut rules: Vec<Rule>,
        path: &str,
        depth: usize,
    ) -> Described<'a> {
        let base = if layers.get("properties").is_some() {
            vec![Inside { path: path.to_owned(), layers: layers.clone(), when: None, is_item: false }]
        } else {
            Vec::new()
        };
        let (mut types, mut inside) = (Vec::new(), base);
        let alone =
            branches.iter().filter(|branch| branch.get("type").is_none_or(|kind| kind != "null")).count()
                == 1;
        for (number, branch) in branches.iter().enumerate() {
            let branch = Layers::of(self.root, branch);
            let when = if alone { None } else { Some(when(&branch, number)) };
            let described = self.describe(&branch, path, depth + 1);
            for ty in described.types {
                if !types.contains(&ty) {
                    types.push(ty);
                }
            }
            for rule in described.rules {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
            inside.extend(
                described
                    .inside
                    .into_iter()
                    .map(|one| Inside { when: one.when.clone().or_else(|| when.clone()), ..one }),
            );
        }
        // A form of an object that has its tag only has no rows of its own.
        Described { types: nulls_last(types), rules, inside }
    }

    fn list(
        &mut self,
        layers: &Layers<'a>,
        path: &str,
        depth: usize,
        rules: &mut Vec<Rule>,
        inside: &mut Vec<Inside<'a>>,
    ) -> Type {
        let places =
            layers.get("prefixItems").or_else(|| layers.get("items").filter(|items| items.is_array()));
        if let Some(places) = places.and_then(Value::as_array) {
            for (at, place) in places.iter().enumerate() {
                let layers = Layers::of(self.root, place);
                inside.push(Inside { path: format!("{path}[{at}]"), layers, when: None, is_item: true });
            }
            return Type::ListOf { items: Box::new(Type::Each) };
        }
        let Some(items) = layers.get("items").filter(|items| items.is_object()) else {
            return Type::List;
        };
        let each = |rule| Rule::Each { rule };
        Type::ListOf { items: self.held(items, format!("{path}[]"), each, depth, rules, inside) }
    }

    fn object(
        &mut self,
        layers: &Layers<'a>,
        path: &str,
        depth: usize,
        rules: &mut Vec<Rule>,
        inside: &mut Vec<Inside<'a>>,
    ) -> Type {
        let is_named = layers.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
        if is_named {
            inside.push(Inside { path: path.to_owned(), layers: layers.clone(), when: None, is_item: false });
        }
        let more = layers.get("additionalProperties").filter(|more| more.is_object());
        let more = more.or_else(|| {
            let patterns = layers.get("patternProperties")?.as_object()?;
            patterns.values().next().filter(|_| patterns.len() == 1)
        });
        match more {
            Some(values) if !is_named => {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}*");
                let each = |rule| Rule::EachValue { rule };
                Type::MapOf { values: self.held(values, path, each, depth, rules, inside) }
            }
            _ => Type::Object,
        }
    }

    /// What a list or a map holds.
    fn held(
        &mut self,
        schema: &'a Value,
        path: String,
        each: fn(Box<Rule>) -> Rule,
        depth: usize,
        rules: &mut Vec<Rule>,
        inside: &mut Vec<Inside<'a>>,
    ) -> Box<Type> {
        let layers = Layers::of(self.root, schema);
        if depth > DEEPEST {
            self.table.cut = true;
            return Box::new(Type::Any);
        }
        let described = self.describe(&layers, &path, depth + 1);
        rules.extend(described.rules.into_iter().map(|rule| each(Box::new(rule))));
        inside.extend(described.inside);
        Box::new(one_of(described.types))
    }
}

fn nulls_last(types: Vec<Type>) -> Vec<Type> {
    let (nulls, mut others): (Vec<_>, Vec<_>) = types.into_iter().partition(|one| *one == Type::Null);
    others.extend(nulls.into_iter().take(1));
    others
}

fn integer_text(layers: &Layers) -> Option<(String, String)> {
    layers.text("pattern").and_then(integers::bounds)
}

/// The types that a schema names, or that its keywords are about.
fn kinds<'a>(layers: &Layers<'a>) -> Vec<&'a str> {
    let types = layers.types();
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| layers.get(keyword).is_some());
    match types.as_slice() {
        [] if has(&["properties", "additionalProperties", "required"]) => vec!["object"],
        [] if has(&["items", "prefixItems"]) => vec!["array"],
        [] if has(&["pattern", "minLength", "maxLength"]) => vec!["string"],
        [] if has(&["minimum", "maximum"]) => vec!["number"],
        [] => vec!["any"],
        _ => types,
    }
}

/// The types of the values, where a schema lists them.
fn constants(layers: &Layers) -> Option<Vec<Type>> {
    let values = super::rules::values(layers)?;
    let mut types: Vec<Type> = Vec::new();
    for value in values {
        types.push(match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Number(number) if number.is_f64() => Type::Number,
            Value::Number(_) => Type::Integer,
            Value::String(_) => Type::Text,
            Value::Array(_) => Type::List,
            Value::Object(_) => Type::Object,
        });
    }
    Some(nulls_last(types))
}

/// What a form of an object is known by: a member that is always the same, else its title.
fn when(branch: &Layers, number: usize) -> When {
    let tag = branch.members().into_iter().find_map(|(name, schema, required)| {
        let schema = schema.as_object().filter(|_| required)?;
        let only = |values: &Value| values.as_array().filter(|values| values.len() == 1)?.first().cloned();
        let value = schema.get("const").cloned().or_else(|| only(schema.get("enum")?))?;
        Some(When { name: name.to_owned(), value: value.to_string() })
    });
    tag.unwrap_or_else(|| When {
        name: String::new(),
        value: match branch
            .text("title")
            .or_else(|| branch.members().into_iter().find(|(.., required)| *required).map(|(name, ..)| name))
        {
            Some(title) => title.to_owned(),
            None => (number + 1).to_string(),
        },
    })
}
