//! How long the generator takes: for the protocols here, and for definitions of several kinds, 400 and
//! 4,000 of each. The second number may be 11 times the first, no more.

use divan::Bencher;
use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::{Formats, ModuleOptions, Support, config};
use serde_json::{Map, Value, json};

/// The allocator of the command, as it is the command that a user waits for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// The files of all protocols.
#[divan::bench(sample_count = 20)]
fn protocols(bencher: Bencher<'_, '_>) {
    let config = config::read(&ludwire_tests::workspace().join("ludwire.toml")).expect("it can be read");
    bencher.bench(|| ludwire_codegen::generate(&config).map_err(|problems| problems.to_string()));
}

#[divan::bench(args = [400, 4_000], sample_count = 3, sample_size = 1)]
fn objects(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, count, |index| {
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "string" },
                "b": { "type": "integer", "minimum": index },
                "c": { "type": "array", "items": { "type": "number" } },
            },
            "required": ["a"],
            "additionalProperties": false,
        })
    });
}

#[divan::bench(args = [400, 4_000], sample_count = 3, sample_size = 1)]
fn enums(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, count, |index| json!({ "enum": [format!("a{index}"), format!("b{index}"), "other"] }));
}

#[divan::bench(args = [400, 4_000], sample_count = 3, sample_size = 1)]
fn unions(bencher: Bencher<'_, '_>, count: usize) {
    let variant = |tag: String| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": tag }, "value": { "type": "string" } },
            "required": ["kind"],
        })
    };
    measure(
        bencher,
        count,
        |index| json!({ "oneOf": [variant(format!("a{index}")), variant(format!("b{index}"))] }),
    );
}

#[divan::bench(args = [400, 4_000], sample_count = 3, sample_size = 1)]
fn references(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, count, |index| {
        let other = |step: usize| json!({ "$ref": format!("#/$defs/Type{}", (index * step + 7) % count) });
        json!({
            "type": "object",
            "properties": { "a": other(3), "b": { "type": "array", "items": other(5) }, "c": other(11) },
        })
    });
}

#[divan::bench(args = [400, 4_000], sample_count = 3, sample_size = 1)]
fn texts(bencher: Bencher<'_, '_>, count: usize) {
    measure(
        bencher,
        count,
        |index| json!({ "type": "string", "minLength": 1, "pattern": format!("^[a-z]{{2}}-{index}$") }),
    );
}

/// Times the way from text to text for `count` definitions.
fn measure(bencher: Bencher<'_, '_>, count: usize, definition: impl Fn(usize) -> Value) {
    let definitions: Map<String, Value> =
        (0..count).map(|index| (format!("Type{index}"), definition(index))).collect();
    let schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions });
    let text = schema.to_string();
    bencher.bench(|| {
        let root = load::json("schema.json", &text).expect("it is JSON");
        let document = Document::new("schema.json", "schema.json", text.as_str(), root);
        let source = Source { documents: vec![document], ..Source::default() };
        let options = ModuleOptions {
            root: None,
            formats: Formats::Assert,
            mappings: Vec::new(),
            support: Support::Inline,
            command: "ludwire emit".to_owned(),
        };
        ludwire_codegen::module(source, &options).expect("the generator takes it")
    });
}
