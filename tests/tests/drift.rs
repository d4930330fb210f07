//! What lies in `generated/` is what the schemas make, and the generator notices when it is not.

use ludwire_codegen::write::{self, Mode};
use ludwire_codegen::{REGENERATE, config};
use ludwire_tests::copy::{Copy, Said};
use ludwire_tests::workspace;

/// A generated file of each folder.
const TYPES: &str = "generated/src/gabp/types.rs";
const PAGE: &str = "generated/docs/aicc/index.md";

/// Runs `generate --check`, which must change nothing.
fn check(copy: &Copy) -> Said {
    let before = copy.files();
    let said = copy.run(&["generate", "--check"]);
    assert!(copy.files() == before, "--check changed files: {said:?}");
    said
}

/// The lines that name a file and its state.
fn states(said: &Said) -> Vec<&str> {
    let named = |line: &&str| ["stale: ", "missing: ", "extra: "].iter().any(|state| line.starts_with(state));
    said.stdout.lines().filter(named).collect()
}

#[test]
fn what_is_committed_is_what_the_schemas_make() {
    let config = config::read(&workspace().join("ludwire.toml")).expect("ludwire.toml is right");
    let ludwire_codegen::Generated { files, summaries, .. } =
        ludwire_codegen::generate(&config).expect("the schemas are right");
    assert!(files.len() > 20, "only {} files", files.len());
    let report = write::run(&config, &files, Mode::Check).expect("the folders can be read");
    // The report names the files, shows the differences, and says what to do.
    assert!(report.is_clean(), "\n{report}");
    for summary in summaries {
        assert!(summary.values.is_empty(), "not all types say what their schemas do:\n{summary}");
        assert!(2 * summary.laid_out > summary.structs + summary.enums, "{summary}");
    }
}

#[test]
fn check_has_nothing_to_say_of_a_fresh_copy() {
    let said = check(&Copy::new());
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    assert!(said.stdout.contains(", 0 stale, 0 missing, 0 extra, "), "{said:?}");
    assert!(!said.stdout.contains(REGENERATE), "{said:?}");
}

#[test]
fn an_edited_file_is_stale() {
    let copy = Copy::new();
    copy.edit(TYPES, "pub struct AttentionItem {", "pub struct AttentionItem { // mine");
    let said = check(&copy);
    assert_eq!((said.code, said.stderr.as_str()), (1, ""), "{said:?}");
    assert_eq!(states(&said), [format!("stale: {TYPES}")]);
    assert!(said.stdout.contains("\n    -pub struct AttentionItem { // mine\n"), "{said:?}");
    assert!(said.stdout.contains("\n    +pub struct AttentionItem {\n"), "{said:?}");
    assert!(said.stdout.ends_with(&format!("run: {REGENERATE}\n")), "{said:?}");
}

#[test]
fn each_way_to_differ_has_its_word() {
    let copy = Copy::new();
    copy.edit(PAGE, "# ", "# No ");
    copy.remove(TYPES);
    copy.put("generated/src/gabp/old.rs", b"");
    copy.put("generated/docs/chess/index.md", b"# Chess\n");
    let said = check(&copy);
    assert_eq!(said.code, 1, "{said:?}");
    let expected = [
        format!("stale: {PAGE}"),
        "extra: generated/docs/chess/index.md".to_owned(),
        "extra: generated/src/gabp/old.rs".to_owned(),
        format!("missing: {TYPES}"),
    ];
    assert_eq!(states(&said), expected);
    assert!(said.stdout.contains(", 1 stale, 1 missing, 2 extra, "), "{said:?}");
    assert!(said.stdout.contains(REGENERATE), "{said:?}");
}

#[test]
fn generating_again_repairs_all_of_it() {
    let copy = Copy::new();
    let before = copy.content("generated");
    copy.edit(PAGE, "# ", "# No ");
    copy.remove(TYPES);
    copy.put("generated/docs/chess/index.md", b"# Chess\n");
    let said = copy.run(&["generate"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    assert!(said.stdout.contains(", 2 written, 1 removed, "), "{said:?}");
    assert!(copy.content("generated") == before, "the files differ from what is committed");
    // What is right is left alone.
    let files = copy.files();
    assert_eq!(copy.run(&["generate"]).code, 0);
    assert!(copy.files() == files, "the second run touched files");
}

#[test]
fn from_nothing_two_runs_make_the_same_bytes() {
    let (one, other) = (Copy::new(), Copy::new());
    for copy in [&one, &other] {
        for path in copy.content("generated").keys().filter(|path| !is_by_hand(path)) {
            copy.remove(path);
        }
        let said = copy.run(&["generate"]);
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    }
    assert!(one.content("generated") == other.content("generated"));
    assert!(
        one.content("generated") == Copy::new().content("generated"),
        "it differs from what is committed"
    );
}

fn is_by_hand(path: &str) -> bool {
    path == "generated/src/lib.rs"
        || !["generated/src/", "generated/docs/"].iter().any(|base| path.starts_with(base))
}

#[test]
fn what_is_written_by_hand_is_not_compared() {
    let copy = Copy::new();
    copy.edit("generated/src/lib.rs", "//!", "//! Mine.\n//!");
    copy.edit("generated/examples/decode.rs", "//!", "//! Mine.\n//!");
    let said = check(&copy);
    assert_eq!(said.code, 0, "{said:?}");
}

#[test]
fn a_changed_schema_shows_in_code_and_page() {
    let copy = Copy::new();
    let schema = "schemas/gabp/1.0/common/error.schema.json";
    copy.edit(schema, r#""minLength": 1"#, r#""minLength": 2"#);
    let said = check(&copy);
    assert_eq!(said.code, 1, "{said:?}");
    let stale = states(&said);
    for file in [TYPES, "generated/docs/gabp/index.md"] {
        assert!(stale.contains(&format!("stale: {file}").as_str()), "{file}: {stale:?}");
    }
    assert!(!stale.iter().any(|line| line.contains("/aicc/") || line.contains("/support/")), "{stale:?}");
    assert_eq!(copy.run(&["generate"]).code, 0);
    assert_eq!(check(&copy).code, 0);
}

/// Breaks a copy, and checks that nothing is generated and that stderr names each of the places: a
/// file, the text that stands there, and what follows the place.
fn broken(damage: impl Fn(&Copy), places: &[(&str, &str, &str)]) {
    let copy = Copy::new();
    damage(&copy);
    let before = copy.files();
    for arguments in [&["generate"][..], &["generate", "--check"], &["generate", "--dry-run"]] {
        let said = copy.run(arguments);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{arguments:?}: {said:?}");
        assert!(said.stderr.starts_with("error: ") && !said.stderr.contains("panicked"), "{}", said.stderr);
        for (file, text, rest) in places {
            let content = copy.get(file);
            let (above, _) = content.split_once(text).unwrap_or_else(|| panic!("{file} has no {text}"));
            let (line, column) =
                (above.split('\n').count(), above.chars().rev().take_while(|c| *c != '\n').count());
            let place = format!("{file}:{line}:{}{rest}", column + 1);
            assert!(said.stderr.contains(&place), "{place}: {}", said.stderr);
        }
        assert!(copy.files() == before, "{arguments:?} changed files");
    }
}

#[test]
fn a_broken_configuration_is_an_error_with_its_place() {
    const FILE: &str = "ludwire.toml";
    broken(|copy| copy.put(FILE, b"# Mine.\n[output]\nsrc = ?\n"), &[(FILE, "?", ": ")]);
    broken(
        |copy| copy.edit(FILE, "kind = \"catalogue\"", "kind = \"tea leaves\""),
        &[(FILE, "\"tea leaves\"", ": \"tea leaves\" is no kind")],
    );
    broken(
        |copy| {
            copy.edit(FILE, "[output]", "[output]\ncolour = \"red\"");
            copy.edit(FILE, "name = \"aicc\"", "name = \"fn\"");
        },
        &[(FILE, "colour", ": \"colour\" is no key"), (FILE, "\"fn\"", ": \"fn\" is no name")],
    );
    let copy = Copy::new();
    copy.edit(FILE, "schemas/gabp/1.0", "schemas/gabp/9.9");
    let said = copy.run(&["generate"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{said:?}");
    assert!(said.stderr.contains("schemas/gabp/9.9: there is no such folder"), "{said:?}");
}

#[test]
fn a_broken_schema_is_an_error_with_its_place() {
    const ERROR: &str = "schemas/gabp/1.0/common/error.schema.json";
    const AICC: &str = "schemas/aicc/0.1/aicc.schema.json";
    const CATALOGUE: &str = "schemas/aicontrol/AiControlProtocol.json";
    const OVERLAY: &str = "schemas/gabp/overlay.json";
    broken(|copy| copy.put(ERROR, b"{\n  \"type\": ?\n}"), &[(ERROR, "?", "")]);
    broken(|copy| copy.put(ERROR, b"[]"), &[(ERROR, "[]", " (#): a schema is an object or a boolean")]);
    // Each mistake of every file at once, with its pointer.
    broken(
        |copy| {
            copy.edit(ERROR, r#""type": "integer""#, r#""type": "whole""#);
            copy.edit(AICC, "#/$defs/sessionClose", "#/$defs/nowhere");
        },
        &[
            (ERROR, r#""whole""#, " (#/properties/code/type)"),
            (AICC, r##""#/$defs/nowhere""##, " (#/oneOf/2/$ref)"),
        ],
    );
    broken(
        |copy| copy.edit(OVERLAY, "/$defs/request/properties/method/pattern", "/$defs/none"),
        &[(OVERLAY, "\"/$defs/none\"", " (#/operations/0/pointer): there is nothing at /$defs/none")],
    );
    broken(|copy| copy.edit(CATALOGUE, "{token: string}", "{token: }"), &[(CATALOGUE, "\"{token: }\"", "")]);
}
