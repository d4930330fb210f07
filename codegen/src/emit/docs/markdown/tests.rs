use super::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

#[test]
fn text_is_escaped_where_it_must_be_and_nowhere_else() {
    for (text, written) in [
        ("plain, text. (Yes!) 100% {a: 1} 'b' \"c\"", "plain, text. (Yes!) 100% {a: 1} 'b' \"c\""),
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("<b>x</b>", "&lt;b>x&lt;/b>"),
        ("a & b; &lt; &#60; AT&T;", "a & b; &amp;lt; &amp;\\#60; AT&amp;T;"),
        ("[x](y) ![z]", "\\[x\\](y) !\\[z\\]"),
        ("*a* ~b~ $c$", "\\*a\\* \\~b\\~ \\$c\\$"),
        ("snake_case _x_ __y", "snake_case \\_x\\_ \\_\\_y"),
        ("# a, C# and #1", "\\# a, C# and \\#1"),
        ("say `x|y`, then ` alone", "say `x\\|y`, then \\` alone"),
        ("``a ` b``", "``a ` b``"),
        ("1.5 - 2", "1.5 - 2"),
    ] {
        assert_eq!(line(&[Span::Text(text.to_owned())], Context::Cell), written);
    }
}

#[test]
fn nothing_starts_a_block() {
    for (text, written) in [
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("> a", "\\> a"),
        ("1. a", "1\\. a"),
        ("12) a", "12\\) a"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("    code", "code"),
        ("\tcode", "code"),
    ] {
        assert_eq!(paragraphs(text, Context::Line), written);
    }
}

#[test]
fn paragraphs_stay_and_lines_flow() {
    let text = "One\ntwo  three\r\n\r\n\n  Four\n- five\n- six\nseven\n";
    assert_eq!(paragraphs(text, Context::Line), "One two three\n\nFour<br>\\- five<br>\\- six seven");
    assert_eq!(paragraphs(text, Context::Cell), "One two three<br><br>Four<br>- five<br>- six seven");
    assert_eq!(paragraphs("  \n \n", Context::Line), "");
}

#[test]
fn code_has_a_fence_that_it_does_not_hold() {
    for (letters, written) in [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("``", "``` `` ```"),
        (" a", "`  a `"),
        ("  ", "`  `"),
        ("a\nb", "`a b`"),
        ("a|b", "`a|b`"),
        ("", "<code></code>"),
    ] {
        assert_eq!(code(letters, Context::Line), written);
    }
}

#[test]
fn a_pipe_in_code_does_not_end_a_cell() {
    assert_eq!(code("^(a|b)$", Context::Cell), "`^(a\\|b)$`");
    assert_eq!(code("a\\|<b", Context::Cell), "<code>a&#92;&#124;&#60;b</code>");
}

#[test]
fn code_beside_code_has_a_fence_of_its_own() {
    let span = |letters: &str| Span::Code(letters.to_owned());
    let text = |words: &str| Span::Text(words.to_owned());
    let said = line(&[text("a `b`"), span("c`"), span("d"), text("`e`")], Context::Cell);
    assert_eq!(said, "a `b`<code>c&#96;</code>`d`<code>e</code>");
    assert_eq!(read(&format!("| {said} |\n| --- |")), ("abc`de".to_owned(), 1));
}

#[test]
fn a_comment_does_not_end_early() {
    assert_eq!(comment("a -->\n<b> --!> -- c"), "a --&gt; <b> --!&gt; -- c");
}

#[test]
fn links_keep_their_edges() {
    let link = |label: &str, target: &str| {
        line(&[Span::Link { label: label.to_owned(), target: target.to_owned() }], Context::Cell)
    };
    assert_eq!(link("a]|b", "x y.md"), "[a\\]\\|b](x%20y.md)");
    assert_eq!(link("a", "https://h/p?q=1#f"), "[a](https://h/p?q=1#f)");
    assert_eq!(link("a", "b)<c>\"|\\\n"), "[a](b%29%3Cc%3E%22%7C%5C%0A)");
}

#[test]
fn anchors_are_those_of_github() {
    for (heading, expected) in [
        ("tools/call request", "toolscall-request"),
        ("Attention item", "attention-item"),
        ("a_b - C#", "a_b---c"),
        ("Über 2", "über-2"),
    ] {
        assert_eq!(anchor(heading), expected);
    }
}

#[test]
fn anchors_of_names_need_no_escape() {
    for (name, expected) in [
        ("tools/call", "tools/call"),
        ("c.wire.tcp-stream", "c.wire.tcp-stream"),
        ("a b|\"<>`\n_", "a-b------_"),
        ("日本", "日本"),
    ] {
        assert_eq!(target(name), format!("<a id=\"{expected}\"></a>"), "{name}");
    }
}

#[test]
fn marks_that_reorder_text_are_shown() {
    assert_eq!(code("a\u{202e}b", Context::Line), "`a\u{fffd}b`");
    assert_eq!(paragraphs("a\u{2066}b\0", Context::Line), "a\u{fffd}b");
}

/// Many short texts out of everything that means something, read back by a Markdown reader.
#[test]
fn whatever_is_written_is_read_back() {
    const LETTERS: [&str; 40] = [
        "`",
        "``",
        "*",
        "**",
        "_",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "!",
        "|",
        "\\",
        "~",
        "$",
        "&",
        ";",
        "#",
        "+",
        "-",
        "=",
        ".",
        ":",
        "1",
        "a",
        "é",
        " ",
        " ",
        "\n",
        "\n\n",
        "\"",
        "/",
        "{",
        "^",
        "amp",
        "http://x.y",
        "    ",
        "```",
        "]: ",
    ];
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let text: String = (0..=next(12)).map(|_| LETTERS[next(LETTERS.len())]).collect();
        let expected = words(&text);
        let paragraph = paragraphs(&text, Context::Line);
        assert_eq!(read(&paragraph), (expected.clone(), 0), "{text:?} as {paragraph:?}");
        let row = format!("| a | {} | b |\n| --- | --- | --- |", paragraphs(&text, Context::Cell));
        assert_eq!(read(&row), (format!("a{expected}b"), 3), "{text:?} as {row:?}");
        let letters = one_line(&text);
        let row = format!(
            "| {} | {} |\n| --- | --- |",
            code(&letters, Context::Cell),
            code(&letters, Context::Cell)
        );
        let twice = format!("{letters}{letters}").replace(' ', "");
        assert_eq!(read(&row), (twice, 2), "{text:?} as {row:?}");
    }
}

/// The text without white space and without the fences of code.
fn words(text: &str) -> String {
    let mut words = String::new();
    let mut gathered = String::new();
    let mut flush = |line: &mut String| {
        let mut rest = line.as_str();
        while let Some((before, letters, after)) = code_span(rest) {
            words.push_str(before);
            words.push_str(letters);
            rest = after;
        }
        words.push_str(rest);
        line.clear();
    };
    for source in text.split('\n').map(one_line) {
        if source.is_empty() || is_item(&source) {
            flush(&mut gathered);
        }
        gathered.push(' ');
        gathered.push_str(&source);
        gathered = gathered.trim().to_owned();
    }
    flush(&mut gathered);
    words.replace(' ', "")
}

/// What a Markdown reader shows, without white space, and how many cells there are. Anything but
/// text and code is a failure.
fn read(markdown: &str) -> (String, usize) {
    let mut shown = String::new();
    let mut cells = 0;
    let options = Options::all()
        // What GitHub does not know: "…" for three full stops, a^b^.
        .difference(
            Options::ENABLE_SMART_PUNCTUATION | Options::ENABLE_SUPERSCRIPT | Options::ENABLE_SUBSCRIPT,
        );
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(text) | Event::Code(text) => shown.push_str(&text),
            Event::InlineHtml(html) if ["<br>", "<code>", "</code>"].contains(&html.as_ref()) => {}
            Event::Start(Tag::TableCell) => cells += 1,
            Event::Start(Tag::Paragraph | Tag::Table(_) | Tag::TableHead | Tag::TableRow)
            | Event::End(
                TagEnd::Paragraph | TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell,
            ) => {}
            other => panic!("{other:?} in {markdown:?}"),
        }
    }
    (shown.replace(' ', ""), cells)
}

#[test]
fn a_fence_is_longer_than_what_is_in_it_and_keeps_each_line_inside() {
    assert_eq!(fence("a\r\nb\rc\n\r\n", "text", 0), "```text\na\nb\nc\n```\n");
    assert_eq!(fence("````", "", 2), "  `````\n  ````\n  `````\n");
}
