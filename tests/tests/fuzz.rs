//! Schemas at random: the generator panics on none, and the types of those that it takes accept what
//! a validator by other people accepts.
//!
//! All choices follow from a number that a failure names. `LUDWIRE_FUZZ_SECONDS=600` goes on for so
//! long, `LUDWIRE_SEED=7` starts elsewhere.

use fastrand::Rng;
use ludwire_codegen::Formats;
use ludwire_tests::judge::judged_by_others;
use ludwire_tests::near::near;
use ludwire_tests::schemas::{damage, sane, wild};
use ludwire_tests::suite::{self, Group, Options, Outcome, Test};
use ludwire_tests::webs::web;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Schemas in one program.
const SCHEMAS: usize = 60;

/// Documents for each.
const DOCUMENTS: usize = 40;

#[test]
fn the_generator_panics_on_no_schema() {
    let materials = materials();
    let run = Run::new(6);
    let (mut taken, mut refused, mut failures) = (0, 0, Vec::new());
    for seed in run.seeds() {
        let mut rng = Rng::with_seed(seed);
        let mut schema = match rng.u8(..4) {
            0 => wild(&mut rng),
            1 => sane(&mut rng),
            2 => web(&mut rng),
            _ => materials[rng.usize(..materials.len())].clone(),
        };
        if rng.bool() {
            damage(&mut schema, &mut rng);
        }
        let group = group(seed, &schema, Vec::new());
        match suite::emitted(&group, &options()) {
            Ok(true) => taken += 1,
            Ok(false) => refused += 1,
            Err(panic) => failures.push(format!("seed {seed}: {panic}\n  {schema}")),
        }
    }
    println!("{taken} schemas taken, {refused} refused, {} panics", failures.len());
    let first: Vec<String> = failures.iter().take(10).cloned().collect();
    assert!(failures.is_empty(), "{} failures; the first:\n{}", failures.len(), first.join("\n"));
    assert!(taken * 10 > refused && refused * 10 > taken, "{taken} taken, {refused} refused: one-sided");
}

#[test]
fn types_agree_with_a_validator_on_random_schemas() {
    let run = Run::new(1);
    let mut seeds = run.seeds();
    let (mut right, mut valid, mut refused, mut wrong) = (0, 0, 0, Vec::new());
    loop {
        let groups: Vec<Group> = seeds.by_ref().filter_map(judged).take(SCHEMAS).collect();
        if groups.is_empty() {
            break;
        }
        let report = suite::score(groups, &options()).expect("the program of the schemas runs");
        for scored in &report.scored {
            let bad = |outcome: &&Outcome| !matches!(outcome, Outcome::Right | Outcome::Refused(_));
            valid += scored.group.tests.iter().filter(|test| test.valid).count();
            right += scored.outcomes.iter().filter(|outcome| **outcome == Outcome::Right).count();
            refused +=
                scored.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Refused(_))).count();
            if let Some(at) = scored.outcomes.iter().position(|outcome| bad(&outcome)) {
                let group = &scored.group;
                let document = group.tests.get(at).map(|test| test.document.as_str()).unwrap_or_default();
                wrong.push(format!(
                    "{}: {:?}\n  {document}\n  {}",
                    group.name, scored.outcomes[at], group.schema
                ));
            }
        }
        if run.is_over() {
            break;
        }
    }
    println!(
        "{right} documents right, {refused} of refused schemas, {valid} valid, {} schemas wrong",
        wrong.len()
    );
    let first: Vec<String> = wrong.iter().take(20).cloned().collect();
    assert!(wrong.is_empty(), "{} schemas wrong; the first:\n{}", wrong.len(), first.join("\n"));
    assert!(right > 4 * refused, "{right} documents right, {refused} refused: too few are put to the test");
    assert!(valid * 10 > right, "only {valid} valid documents");
}

/// How long to go on, and from where.
struct Run {
    first: u64,
    until: Instant,
}

impl Run {
    fn new(seconds: u64) -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let seconds = number("LUDWIRE_FUZZ_SECONDS").unwrap_or(seconds);
        let first = number("LUDWIRE_SEED").unwrap_or(0u64).wrapping_mul(1 << 32);
        Self { first, until: Instant::now() + Duration::from_secs(seconds) }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    fn seeds(&self) -> impl Iterator<Item = u64> + '_ {
        (0..).map(|index| self.first.wrapping_add(index)).take_while(|index| {
            // At least some, on however slow a machine.
            index.wrapping_sub(self.first) < 200 || !self.is_over()
        })
    }
}

fn options() -> Options {
    Options { name: "fuzz".to_owned(), formats: Formats::Annotate, mappings: Vec::new(), chunk: SCHEMAS }
}

fn group(seed: u64, schema: &Value, tests: Vec<Test>) -> Group {
    Group {
        keyword: "fuzz".to_owned(),
        name: format!("seed {seed}"),
        schema: schema.to_string(),
        files: Vec::new(),
        tests,
        formats: None,
        refuse: None,
    }
}

/// A schema and documents, with what the validator says of them; none where it refuses the schema.
fn judged(seed: u64) -> Option<Group> {
    let mut rng = Rng::with_seed(seed);
    let schema = if rng.u8(..3) == 0 { web(&mut rng) } else { sane(&mut rng) };
    let documents: Vec<Value> = (0..DOCUMENTS).map(|_| near(&schema, &mut rng)).collect();
    Some(group(seed, &schema, judged_by_others(&schema, &documents)?))
}

/// The schemas of the project's own cases and protocols.
fn materials() -> Vec<Value> {
    let mut found = Vec::new();
    let mut folders = vec![
        Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas"),
    ];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> = fs::read_dir(&folder)
            .expect("it is a folder")
            .map(|entry| entry.expect("it can be listed").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read_to_string(&path).expect("it can be read");
                let mut value: Value = serde_json::from_str(&text).expect("it is JSON");
                // A case holds its schema.
                let schema = value.get_mut("schema").map(Value::take);
                found.push(schema.unwrap_or(value));
            }
        }
    }
    found
}
