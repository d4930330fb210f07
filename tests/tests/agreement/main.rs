//! The schema of a tool against the tool: what a validator by other people accepts is taken, what it
//! refuses is refused, but for the two tolerances; and each result is what its schema says. Arguments that
//! come as text, in whatever spelling, are taken or refused as the same ones that come as a value.
//!
//! A host that coerces arguments takes these as well, and the same where a text stands for a value that is none.
//!
//! The arguments are made from the schema and then damaged. All choices follow from a number that a
//! disagreement names. `LUDWIRE_DOCUMENTS=5000` makes more for each tool, `LUDWIRE_SEED=7` others.

mod arguments;
mod types;

use fastrand::Rng;
use jsonschema::Validator;
use ludwire::{Host, ToolErrorKind, registered};
use ludwire_tests::mutate::{Material, mutate};
use ludwire_tests::sample::{DIGITS, Sampler};
use ludwire_tests::spell::spell;
use serde_json::{Map, Value, json};

/// The state of the tools here.
pub struct World;

/// Calls of each tool.
const DOCUMENTS: u64 = 400;

fn host() -> Host<World> {
    Host::builder("World", "1").tools(registered()).build().expect("the tools go together")
}

fn coercing_host() -> Host<World> {
    let builder = Host::builder("World", "1").tools(registered());
    builder.coerce_arguments().build().expect("the tools go together")
}

#[derive(Default)]
struct Run {
    disagreements: Vec<String>,
    strict: usize,
    tolerated: usize,
    refused: usize,
    coerced: usize,
}

#[test]
fn schemas_accept_what_arguments_accept() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let documents = number("LUDWIRE_DOCUMENTS").unwrap_or(DOCUMENTS);
    let seed: u64 = number("LUDWIRE_SEED").unwrap_or(0);
    let (host, coercing) = (host(), coercing_host());
    let mut run = Run::default();
    for tool in host.manifest()["tools"].as_array().expect("a list of tools") {
        let subject = Subject::new(tool);
        let mut sampler = Sampler::new(&tool["inputSchema"]);
        let words = words(&tool["inputSchema"]);
        let takes_all = ["scalar/value", "option/value"].contains(&subject.name.as_str());
        let (mut accepted, mut refused) = (0, 0);
        for number in 0..documents {
            let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
            let (mut arguments, mut other) = (sampler.value(&mut rng), sampler.value(&mut rng));
            // Where there is one argument, its type is what matters.
            let is_one = other.get("value").is_some();
            let (damaged, other) = if is_one {
                (&mut arguments["value"], other["value"].take())
            } else {
                (&mut arguments, other)
            };
            for _ in 0..rng.usize(..3) {
                let material = Material { words: &words, other: &other };
                mutate(damaged, &material, &mut rng);
            }
            // What no text can hold does not come from outside.
            let text = spell(&arguments, &mut rng);
            let Ok(arguments) = ludwire_tests::json(&text) else { continue };
            if !arguments.is_object() {
                continue;
            }
            // To `serde_json::Value`, which reads itself, this name means something else.
            if takes_all && arguments.to_string().contains("$serde_json::private::RawValue") {
                continue;
            }
            let compared = subject.compare(&host, &arguments, &text, &mut run);
            let compared = compared.and_then(|accepted| {
                // Four more calls: not each time.
                if number % 4 == 0 {
                    subject.coerce(&host, &coercing, &arguments, &mut run)?;
                }
                Ok(accepted)
            });
            match compared {
                Ok(true) => accepted += 1,
                Ok(false) => refused += 1,
                Err(why) => {
                    let name = &subject.name;
                    run.disagreements.push(format!("{name}, document {number}: {arguments}: {why}"));
                }
            }
        }
        assert!(accepted > 0, "nothing is right for {}", subject.name);
        assert!(refused > 0 || takes_all, "nothing is wrong for {}", subject.name);
    }
    let Run { disagreements, strict, tolerated, refused, coerced } = run;
    println!("seed {seed}: {strict} accepted, {tolerated} tolerated, {refused} refused, {coerced} coerced");
    let list: Vec<&str> = disagreements.iter().take(20).map(String::as_str).collect();
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", disagreements.len(), list.join("\n"));
    assert!(strict > 1000 && tolerated > 100 && refused > 1000 && coerced > 1000);
}

/// A tool, and what the validator makes of its schemas.
struct Subject {
    name: String,
    strict: Validator,
    tolerant: Validator,
    output: Validator,
    /// The arguments that are no texts.
    no_texts: Vec<String>,
}

impl Subject {
    fn new(tool: &Value) -> Self {
        let validator = |schema: &Value| {
            jsonschema::options().build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
        };
        let mut tolerant = tool["inputSchema"].clone();
        tolerate(&mut tolerant);
        Self {
            name: tool["name"].as_str().expect("a name").to_owned(),
            strict: validator(&tool["inputSchema"]),
            tolerant: validator(&tolerant),
            output: validator(&tool["outputSchema"]),
            no_texts: no_texts(&tool["inputSchema"]),
        }
    }

    /// What a host makes of the arguments that reads texts as what they hold, where no text is meant.
    fn coerce(
        &self,
        host: &Host<World>,
        coercing: &Host<World>,
        arguments: &Value,
        run: &mut Run,
    ) -> Result<(), String> {
        let answer = host.call(&mut World, &self.name, arguments.clone());
        let coerced = coercing.call(&mut World, &self.name, arguments.clone());
        let of_text = coercing.call_json(&mut World, &self.name, &arguments.to_string());
        if of_text != coerced {
            return Err(format!("coerced, the text is {of_text:?}, the value {coerced:?}"));
        }
        if answer.is_ok() && coerced != answer {
            return Err(format!("coerced, it is {coerced:?}"));
        }
        let mut as_texts = arguments.clone();
        for name in &self.no_texts {
            if let Some(value) = as_texts.get_mut(name).filter(|value| !value.is_string()) {
                *value = value.to_string().into();
                run.coerced += 1;
            }
        }
        let of_texts = coercing.call(&mut World, &self.name, as_texts.clone());
        if of_texts != coerced {
            return Err(format!("{as_texts} is {of_texts:?}, without texts {coerced:?}"));
        }
        Ok(())
    }

    /// Whether both accept the arguments.
    fn compare(
        &self,
        host: &Host<World>,
        arguments: &Value,
        text: &str,
        run: &mut Run,
    ) -> Result<bool, String> {
        let is_strict = self.strict.is_valid(arguments);
        let answer = host.call(&mut World, &self.name, arguments.clone());
        // Text is held to the schema while it is read.
        let of_text = host.call_json(&mut World, &self.name, text);
        if of_text != answer {
            return Err(format!("{text} is {of_text:?}, as a value {answer:?}"));
        }
        let error = match answer {
            Ok(result) => {
                match (is_strict, self.tolerant.is_valid(arguments)) {
                    (true, _) => run.strict += 1,
                    (false, true) => run.tolerated += 1,
                    (false, false) => return Err("only the tool takes it".to_owned()),
                }
                if let Err(error) = self.output.validate(&result) {
                    return Err(format!("the result {result} is not what its schema says: {error}"));
                }
                return Ok(true);
            }
            Err(error) => error,
        };
        if is_strict {
            return Err(format!("only the schema accepts it: {error}"));
        }
        if error.kind() != ToolErrorKind::InvalidArguments || error.problems().is_empty() {
            return Err(format!("an error of another kind: {error}"));
        }
        for problem in error.problems() {
            if !error.to_string().contains(&format!("{}: {}", problem.pointer, problem.message)) {
                return Err(format!("{error} does not name {problem:?}"));
            }
            // What is missing has a place too, in something that is there.
            let (place, _) = problem.pointer.rsplit_once('/').expect("a pointer into the arguments");
            if arguments.pointer(place).is_none() {
                return Err(format!("{place} is no place"));
            }
        }
        run.refused += 1;
        Ok(false)
    }
}

/// Takes both tolerances into a schema: null for what is absent, a number for digits in a string.
fn tolerate(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let required = members.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|required| required.iter().any(|other| other == name));
    for keyword in ["properties", "patternProperties", "$defs"] {
        let children = members.get_mut(keyword).and_then(Value::as_object_mut).into_iter().flatten();
        for (name, child) in children {
            tolerate(child);
            if keyword == "properties" && !is_required(name) {
                *child = json!({ "anyOf": [child, { "type": "null" }] });
            }
        }
    }
    for keyword in ["items", "additionalProperties"] {
        members.get_mut(keyword).into_iter().for_each(tolerate);
    }
    for keyword in ["oneOf", "anyOf", "prefixItems"] {
        let children = members.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten();
        children.for_each(tolerate);
    }
    let is_digits = members.get("pattern").is_some_and(|pattern| {
        let validator = jsonschema::validator_for(&json!({ "pattern": pattern })).expect("a pattern");
        validator.is_valid(&json!("1")) && !validator.is_valid(&json!("a"))
    });
    if is_digits {
        *schema = json!({ "anyOf": [schema, { "type": "integer" }] });
    }
}

/// The arguments of which the schema says that they are no texts.
fn no_texts(schema: &Value) -> Vec<String> {
    let is_none = |schema: &Value| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().all(|kind| kind != "string"),
        kind => kind.is_string() && kind != "string",
    };
    let properties = schema["properties"].as_object().expect("an object");
    properties.iter().filter(|(_, schema)| is_none(schema)).map(|(name, _)| name.clone()).collect()
}

/// Names and texts that the schema knows, and some that it may not.
fn words(schema: &Value) -> Vec<String> {
    let mut words: Vec<String> = DIGITS.iter().map(|text| (*text).to_owned()).collect();
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        match schema {
            Value::Object(members) => {
                let names = members.get("properties").and_then(Value::as_object).into_iter();
                words.extend(names.flat_map(Map::keys).cloned());
                waiting.extend(members.values());
            }
            Value::Array(items) => waiting.extend(items),
            Value::String(text) => words.push(text.clone()),
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// What other seeds found.
#[test]
fn what_disagreed_once_agrees() {
    let host = host();
    let manifest = host.manifest();
    let both = json!({ "own": "128", "Here": { "y": 1 }, "There": "x" });
    let deep = (0..300).fold(json!("1"), |inner, _| json!([inner]));
    for (name, value) in [("flat/both", both), ("recursive/expression", deep)] {
        let tools = manifest["tools"].as_array().expect("a list of tools");
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("the tool is listed");
        let arguments = json!({ "value": value });
        if name == "flat/both" {
            let compared =
                Subject::new(tool).compare(&host, &arguments, &arguments.to_string(), &mut Run::default());
            assert_eq!(compared, Ok(false));
        }
        assert!(host.call(&mut World, name, arguments).is_err());
    }
}

/// What agents and their providers stumble over.
#[test]
fn schemas_are_plain() {
    let host = host();
    for tool in host.manifest()["tools"].as_array().expect("a list of tools") {
        let name = tool["name"].as_str().expect("a name");
        for side in ["inputSchema", "outputSchema"] {
            let schema = &tool[side];
            assert_eq!(schema["type"], "object", "{tool}");
            for keyword in ["$schema", "$ref", "oneOf", "anyOf", "allOf"] {
                assert!(schema.get(keyword).is_none(), "{keyword} at the root of {tool}");
            }
            let has_references = schema.to_string().contains("#/$defs/");
            let is_recursive =
                name.starts_with("recursive/") || ["enum/external", "struct/nested"].contains(&name);
            assert_eq!(has_references, is_recursive, "{tool}");
            plain(schema, name);
        }
    }
}

fn plain(schema: &Value, name: &str) {
    let Value::Object(members) = schema else { panic!("{name} has a schema {schema}") };
    if let Some(format) = members.get("format") {
        assert_eq!(format, "uuid", "{name}: {schema}");
    }
    if members.get("type").is_some_and(|kind| kind == "array") {
        assert!(members.contains_key("items"), "{name}: {schema}");
    }
    for known in ["title", "ludwire:integer", "unevaluatedProperties"] {
        assert!(!members.contains_key(known), "{name}: {schema}");
    }
    for keyword in ["properties", "patternProperties", "$defs"] {
        let children = members.get(keyword).and_then(Value::as_object).into_iter().flatten();
        children.for_each(|(_, child)| plain(child, name));
    }
    for child in ["items", "not"].iter().filter_map(|keyword| members.get(*keyword)) {
        plain(child, name);
    }
    if let Some(others) = members.get("additionalProperties").filter(|others| **others != json!(false)) {
        plain(others, name);
    }
    for keyword in ["oneOf", "anyOf", "prefixItems"] {
        let children = members.get(keyword).and_then(Value::as_array).into_iter().flatten();
        children.for_each(|child| plain(child, name));
    }
    if members.contains_key("oneOf") || members.contains_key("anyOf") {
        // What else is said of a value says it beside the alternatives, which many readers pass over.
        let remarks = ["oneOf", "anyOf", "description", "default"];
        assert!(members.keys().all(|key| remarks.contains(&key.as_str())), "{name}: {schema}");
        assert!(members.contains_key("oneOf") != members.contains_key("anyOf"), "{name}: {schema}");
    }
}
