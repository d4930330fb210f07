//! The table between the markers.

use super::*;

fn spliced(text: &str, folder: Option<&str>) -> std::result::Result<String, String> {
    let tools =
        json!([{ "name": "ship/sail", "description": "Sails | far. And back.", "tags": ["actuator"] }]);
    let manifest = Manifest::of(&manifest(tools), "sea.json").expect("it is a manifest");
    splice(&manifest, &ours(), folder, "README.md", text).map_err(|problems| problems.to_string())
}

#[test]
fn what_is_outside_stays_as_it_is() {
    let table =
        "| Tool | Class | What it does |\n| --- | --- | --- |\n| `ship/sail` | actuator | Sails \\| far. |\n";
    let text = "# Sea\n<!-- ludwire:tools -->\nold\n<!-- /ludwire:tools -->\n  end, without a line break";
    let expected = text.replace("old\n", &format!("\n{table}\n"));
    assert_eq!(spliced(text, None).as_deref(), Ok(expected.as_str()));
    assert_eq!(spliced(&expected, None).as_deref(), Ok(expected.as_str()), "twice is as once");
    let dos = text.replace('\n', "\r\n");
    assert_eq!(spliced(&dos, None), Ok(expected.replace('\n', "\r\n")));
    let linked = spliced(text, Some("docs/sea")).expect("the markers are there");
    assert!(linked.contains("| [`ship/sail`](docs/sea/tools/ship.sail.md) |"), "{linked}");
    let shown = "```\n<!-- ludwire:tools -->\n```\n~~~~ md\n<!-- /ludwire:tools -->\n~~~\n~~~~\nsay <!-- ludwire:tools -->\n";
    let marked = format!("\u{feff}{}", text.trim_start_matches(|c| c != '<'));
    assert!(
        spliced(&marked, None)
            .expect("a byte order mark is no letter")
            .starts_with("\u{feff}<!-- ludwire:tools -->")
    );
    let both = format!("{shown}{text}");
    assert_eq!(spliced(&both, None), Ok(format!("{shown}{expected}")), "markers that are shown are none");
}

#[test]
fn wrong_markers_are_told_with_their_line() {
    let (open, close) = ("<!-- ludwire:tools -->\n", "<!-- /ludwire:tools -->\n");
    for (text, told) in [
        ("# Sea\n".to_owned(), "README.md: there is no line `<!-- ludwire:tools -->`"),
        (
            format!("a\n{open}b\n"),
            "README.md:2:1: `<!-- ludwire:tools -->` has no `<!-- /ludwire:tools -->` below it",
        ),
        (format!("a\n{close}"), "README.md:2:1: `<!-- /ludwire:tools -->` stands here without"),
        (
            format!("{open}{open}{close}"),
            "README.md:2:1: a second `<!-- ludwire:tools -->`; the first one is in line 1",
        ),
        (format!("{open}{close}{close}"), "README.md:3:1: a second `<!-- /ludwire:tools -->`"),
        (format!("{open}{close}a\n{open}{close}"), "README.md:4:1: a second `<!-- ludwire:tools -->`"),
        (format!("{close}{open}"), "README.md:1:1: `<!-- /ludwire:tools -->` stands here without"),
        (format!("{open}```\n{close}"), "README.md:1:1: `<!-- ludwire:tools -->` has no"),
    ] {
        let error = spliced(&text, None).expect_err(&text);
        assert!(error.starts_with(told), "{text:?}: {error}");
    }
}
