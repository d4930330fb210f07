//! The generated types against a validator by other people: `serde_json::from_str::<T>` succeeds if
//! and only if the schema accepts the document, and what it read is written as a valid document that
//! says the same.
//!
//! The documents are made from the schemas and from the seeds in `fixtures/`, then damaged, then
//! written down in one of many spellings. All choices follow from a number that a disagreement names.
//! `LUDWIRE_DOCUMENTS=5000` makes more documents of each type, `LUDWIRE_SEED=7` others.

use fastrand::Rng;
use jsonschema::Validator;
use ludwire_protocols::support::DecodeError;
use ludwire_tests::decode::{Decoded, decode, decode_response};
use ludwire_tests::fixtures::{self, Fixture};
use ludwire_tests::mutate::{Change, Material, mutate};
use ludwire_tests::protocol::{self, Form, Oracle, Protocol};
use ludwire_tests::route::{self, Route};
use ludwire_tests::same::difference;
use ludwire_tests::spell::spell;
use ludwire_tests::subject::{self, Outcome, Subject};
use ludwire_tests::{json, valid};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Documents for each type, and for each kind of message.
const DOCUMENTS: u64 = 300;

#[test]
fn every_type_accepts_what_its_schema_accepts() {
    let mut run = Run::default();
    for form in [Form::Written, Form::Read] {
        for protocol in protocol::all(form) {
            let oracle = protocol.oracle();
            let defaults = protocol.defaults();
            for subject in subject::of(&protocol.name, form) {
                let validator = oracle.validator(subject.at);
                run.documents(&protocol, subject.at, &validator, |text, valid| {
                    compare(&subject, &validator, &defaults, text, valid)
                });
            }
        }
    }
    run.finish("documents of single types");
}

/// Nobody can decide of two schemas whether one accepts all that the other does, so it is tried.
#[test]
fn what_may_be_written_can_be_read() {
    let mut run = Run::default();
    for (written, read) in protocol::all(Form::Written).iter().zip(&protocol::all(Form::Read)) {
        let (strict, wide) = (written.oracle(), read.oracle());
        for subject in subject::of(&written.name, Form::Read) {
            let (strict, wide) = (strict.validator(subject.at), wide.validator(subject.at));
            let widen = subject.widen.expect("it is made from what is written");
            run.documents(written, subject.at, &strict, |text, document| {
                match (strict.is_valid(document), wide.validate(document)) {
                    (true, Err(error)) => Err(format!("the schema for reading refuses it: {error}")),
                    // A message that is made of it is written as it is itself.
                    (true, Ok(())) => widen(text),
                    _ => Ok(()),
                }
            });
        }
    }
    run.finish("documents of types that have a wider one for reading");
}

#[test]
fn every_schema_has_its_type_in_the_table() {
    for (protocol, form) in [Form::Written, Form::Read]
        .into_iter()
        .flat_map(|form| protocol::all(form).into_iter().map(move |protocol| (protocol, form)))
    {
        let subjects = subject::of(&protocol.name, form);
        let listed: BTreeSet<(&str, &str)> =
            subjects.iter().map(|subject| (subject.at, subject.name)).collect();
        for ty in protocol.ir.types.iter().filter(|ty| ty.reading.is_some() == (form == Form::Read)) {
            let pointer = ty.place.pointer.trim_start_matches('#');
            let found = protocol.documents.iter().any(|document| {
                let at = format!("{}#{pointer}", document.path);
                let place = document.root.pointer(pointer).map(|node| document.place(pointer, node.span));
                place.as_ref() == Some(&ty.place) && listed.contains(&(at.as_str(), ty.name.as_str()))
            });
            assert!(found, "{}: {} ({}) is not in tests/src/subject.rs", protocol.name, ty.name, ty.place);
        }
        for at in protocol.roots_and_definitions().into_iter().filter(|_| form == Form::Written) {
            assert!(subjects.iter().any(|subject| subject.at == at), "{}: no type for {at}", protocol.name);
        }
    }
}

#[test]
fn decode_reads_the_messages_that_their_schemas_accept() {
    let mut run = Run::default();
    for protocol in protocol::all(Form::Read) {
        let messages = Messages::of(&protocol);
        for at in messages.schemas() {
            run.documents(&protocol, &at, &messages.validators[&at], |text, document| {
                let decoded = decode(&protocol.name, text.as_bytes());
                messages.compare(route::message(&protocol.name, document), decoded, document)
            });
        }
    }
    run.finish("messages");
}

#[test]
fn decode_response_reads_the_responses_to_a_method() {
    let mut run = Run::default();
    let (gabp_methods, aicontrol_methods) = (&route::GABP_METHODS[..], &route::AICONTROL_METHODS[..]);
    for (name, methods) in [("gabp", gabp_methods), ("aicontrol", aicontrol_methods)] {
        let protocol = protocol::named(name, Form::Read);
        let messages = Messages::of(&protocol);
        for at in messages.schemas().into_iter().filter(|at| at.contains("response")) {
            run.documents(&protocol, &at, &messages.validators[&at], |text, document| {
                // Every document is tried as an answer to every method, also to one that is unknown.
                for method in methods.iter().copied().chain(["my-game/dance", ""]) {
                    let route = route::response(name, method, document);
                    let decoded = decode_response(name, method, text.as_bytes());
                    messages
                        .compare(route, decoded, document)
                        .map_err(|words| format!("as an answer to {method:?}: {words}"))?;
                }
                Ok(())
            });
        }
    }
    run.finish("responses");
}

/// Compares what a type says of a document with what its schema says.
fn compare(
    subject: &Subject,
    validator: &Validator,
    defaults: &[(String, Value)],
    text: &str,
    document: &Value,
) -> Result<(), String> {
    let verdict = validator.validate(document);
    match (
        (subject.examine)(text).map_err(|words| format!("{} contradicts itself: {words}", subject.name))?,
        verdict,
    ) {
        (Outcome::Refused(_), Err(_)) => Ok(()),
        (Outcome::Accepted(written), Ok(())) => check_written(validator, defaults, document, &written),
        (Outcome::Refused(words), Ok(())) => {
            Err(format!("{} refuses it: {words}; the schema accepts it", subject.name))
        }
        (Outcome::Accepted(_), Err(error)) => {
            let at = error.instance_path().to_string();
            Err(format!("{} accepts it; the schema refuses it: {at}: {error}", subject.name))
        }
    }
}

/// Checks that what was written is valid, and says what was read.
fn check_written(
    validator: &Validator,
    defaults: &[(String, Value)],
    read: &Value,
    written: &Value,
) -> Result<(), String> {
    if let Err(error) = validator.validate(written) {
        return Err(format!("written as {written}, which the schema refuses: {error}"));
    }
    match difference(read, written, defaults) {
        Some(words) => Err(format!("written as {written}: {words}")),
        None => Ok(()),
    }
}

/// The messages of a protocol.
struct Messages {
    validators: HashMap<String, Validator>,
    defaults: Vec<(String, Value)>,
}

impl Messages {
    fn of(protocol: &Protocol) -> Self {
        let oracle: Oracle<'_> = protocol.oracle();
        let validators = protocol.roots_and_definitions().into_iter().map(|at| {
            let validator = oracle.validator(&at);
            (at, validator)
        });
        Self { validators: validators.collect(), defaults: protocol.defaults() }
    }

    /// The schemas of messages, sorted.
    fn schemas(&self) -> Vec<String> {
        let aicc = route::AICC_TYPES.map(|(_, definition)| format!("aicc.schema.json#/$defs/{definition}"));
        let is_message = |at: &&String| {
            at.starts_with("methods/")
                || at.contains("message.json#")
                || at.ends_with("response.json#")
                || ["/request", "/response"].iter().any(|end| at.ends_with(end))
                || aicc.contains(at)
        };
        let mut schemas: Vec<String> = self.validators.keys().filter(is_message).cloned().collect();
        schemas.sort();
        schemas
    }

    fn compare(
        &self,
        route: Option<Route>,
        decoded: Result<Decoded, DecodeError>,
        document: &Value,
    ) -> Result<(), String> {
        let verdict = route.as_ref().map(|route| (&route.name, &self.validators[&route.at]));
        match (decoded, verdict) {
            (Err(_), None) => Ok(()),
            (Err(error), Some((name, validator))) => match validator.is_valid(document) {
                true => Err(format!("refused: {error}; but it is a valid {name}")),
                false => Ok(()),
            },
            (Ok(found), None) => Err(format!("taken for {}; but it is no message", found.name)),
            (Ok(Decoded { name: found, json: written }), Some((name, validator))) => {
                if found != name {
                    return Err(format!("taken for {found}; but it is a {name}"));
                }
                if let Err(error) = validator.validate(document) {
                    return Err(format!("read as {name}, which the schema refuses: {error}"));
                }
                let written = json(&written).map_err(|error| format!("{written}: {error}"))?;
                check_written(validator, &self.defaults, document, &written)
            }
        }
    }
}

/// What has been tried, and what went wrong.
struct Run {
    seed: u64,
    documents: u64,
    started: Instant,
    all: u64,
    mutated: u64,
    leaves: u64,
    still_valid: u64,
    no_json: u64,
    disagreements: Vec<String>,
}

impl Default for Run {
    fn default() -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        Self {
            seed: number("LUDWIRE_SEED").unwrap_or(0),
            documents: number("LUDWIRE_DOCUMENTS").unwrap_or(DOCUMENTS),
            started: Instant::now(),
            all: 0,
            mutated: 0,
            leaves: 0,
            still_valid: 0,
            no_json: 0,
            disagreements: Vec::new(),
        }
    }
}

impl Run {
    /// Makes documents for a schema, valid ones and damaged ones, and has each one judged.
    fn documents(
        &mut self,
        protocol: &Protocol,
        at: &str,
        validator: &Validator,
        judge: impl Fn(&str, &Value) -> Result<(), String>,
    ) {
        let words = protocol.words();
        let seeds = seeds(protocol, at);
        let mut refused = 0;
        for index in 0..self.documents {
            let seed = self.seed.wrapping_mul(1 << 32).wrapping_add(index);
            let mut rng = Rng::with_seed(seed);
            let mut document = valid_document(protocol, at, validator, &seeds, &mut rng);
            let mut changes = Vec::new();
            if index % 10 != 0 {
                let other = valid_document(protocol, at, validator, &seeds, &mut rng);
                let material = Material { words: &words, other: &other };
                let count = if index % 5 == 0 { rng.usize(2..4) } else { 1 };
                changes.extend((0..count).map(|_| mutate(&mut document, &material, &mut rng)));
            }
            let text = spell(&document, &mut rng);
            self.all += 1;
            // The document as it is read: too deep a nesting is no JSON to any of our readers.
            let outcome = match json(&text) {
                Ok(document) => {
                    if !changes.is_empty() {
                        self.mutated += 1;
                        self.leaves += u64::from(changes == [Change::Leaf]);
                        let valid = validator.is_valid(&document);
                        self.still_valid += u64::from(valid);
                        refused += u64::from(!valid);
                    }
                    catch_unwind(AssertUnwindSafe(|| judge(&text, &document)))
                        .unwrap_or_else(|_| Err("reading it panics".to_owned()))
                }
                Err(_) => {
                    self.no_json += 1;
                    catch_unwind(AssertUnwindSafe(|| judge(&text, &Value::Null)))
                        .unwrap_or_else(|_| Err("reading it panics".to_owned()))
                }
            };
            if let Err(words) = outcome {
                self.disagreements.push(format!("{} {at}, seed {seed}: {words}\n  {text}", protocol.name));
            }
        }
        // A validator that says yes to everything would agree with a type that does.
        assert!(refused * 20 > self.documents, "{at}: the schema refuses only {refused} damaged documents");
    }

    fn finish(self, what: &str) {
        let Self { all, mutated, leaves, still_valid, no_json, .. } = self;
        println!(
            "{all} {what} in {:.1} s: {mutated} damaged, {leaves} of these in one leaf, {still_valid} still valid, \
             {no_json} nested too deep",
            self.started.elapsed().as_secs_f64()
        );
        let count = self.disagreements.len();
        let first: Vec<String> = self.disagreements.into_iter().take(20).collect();
        assert!(first.is_empty(), "{count} disagreements; the first:\n{}", first.join("\n"));
        assert!(leaves * 3 >= mutated, "too few damaged leaves: {leaves} of {mutated}");
        assert!(still_valid * 5 >= mutated, "too few valid ones: {still_valid} of {mutated}");
    }
}

/// The messages made by hand that are to pass a schema.
fn seeds(protocol: &Protocol, at: &str) -> Vec<Value> {
    let all = fixtures::all().into_iter().filter(|fixture| fixture.protocol == protocol.name);
    let here = |fixture: &Fixture| {
        let route = match &fixture.answers {
            Some(method) => route::response(fixture.protocol, method, &fixture.message),
            None => route::message(fixture.protocol, &fixture.message),
        };
        route.is_some_and(|route| route.at == at)
    };
    all.filter(here).map(|fixture| fixture.message).collect()
}

/// A document that the schema accepts: now and then a seed, else a new one.
fn valid_document(
    protocol: &Protocol,
    at: &str,
    validator: &Validator,
    seeds: &[Value],
    rng: &mut Rng,
) -> Value {
    if !seeds.is_empty() && rng.u8(..4) == 0 {
        return seeds[rng.usize(..seeds.len())].clone();
    }
    (0..100)
        .map(|_| valid::document(protocol, at, rng))
        .find(|document| validator.is_valid(document))
        .unwrap_or_else(|| {
            panic!("no valid document for {at} in 100 tries: the generator of documents is wrong")
        })
}
