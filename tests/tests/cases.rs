//! Every file in `cases/` is a schema with documents that its type must accept and reject, or with
//! why it must be refused.

use ludwire_codegen::Formats;
use ludwire_tests::suite::{self, Group, Options, Outcome, Test};
use std::fs;
use std::path::Path;

#[test]
fn every_case_is_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let groups = suite::groups(&folder).expect("the cases can be read");
    let options =
        Options { name: "cases".to_owned(), formats: Formats::Assert, mappings: Vec::new(), chunk: 50 };
    let report = suite::score(groups, &options).expect("the program of the cases runs");
    let wrong =
        report.scored.iter().flat_map(|scored| &scored.outcomes).any(|outcome| *outcome != Outcome::Right);
    assert!(!wrong, "\n{report}");
}

#[test]
fn nothing_is_passed_over() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let groups = suite::groups(&folder).expect("the cases can be read");
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let run = groups.iter().find(|group| group.keyword == stem);
        assert!(run.is_some(), "{} is no case", path.display());
        let says_something = run.is_some_and(|group| {
            group.refuse.is_some() || !group.tests.is_empty() || stem == "definitions_only"
        });
        assert!(says_something, "{} has no documents", path.display());
    }
}

#[test]
fn a_refusal_names_the_error_and_not_what_is_odd_besides() {
    let group = |schema: &str| Group {
        keyword: "refusal".to_owned(),
        name: schema.to_owned(),
        schema: schema.to_owned(),
        files: Vec::new(),
        tests: vec![Test { name: String::new(), document: "1".to_owned(), valid: true }],
        formats: None,
        refuse: None,
    };
    let groups = vec![group(r#"{ "maxlength": 3, "type": "strng" }"#), group(r#"{ "maxlength": 3 }"#)];
    let options =
        Options { name: "refusals".to_owned(), formats: Formats::Assert, mappings: Vec::new(), chunk: 1 };
    let report = suite::score(groups, &options).expect("the program of the cases runs");
    let outcomes: Vec<&Outcome> = report.scored.iter().flat_map(|scored| &scored.outcomes).collect();
    let [Outcome::Refused(reason), Outcome::Right] = outcomes[..] else { panic!("{outcomes:?}") };
    assert!(reason.contains("strng"), "{reason}");
}
