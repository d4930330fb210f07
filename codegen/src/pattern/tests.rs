use super::{Automaton, Next, automaton};
use crate::support::Pattern;

impl Automaton {
    /// What the code does that is written from it.
    fn matches(&self, text: &str) -> bool {
        let mut state = 0;
        for c in text.chars() {
            let of = &self.states[state].edges;
            let (.., next) =
                of.iter().find(|(from, to, _)| (*from..=*to).contains(&(c as u32))).expect("it is there");
            match next {
                Next::State(next) => state = *next,
                Next::Match => return true,
                Next::Fail => return false,
            }
        }
        self.states[state].accepts
    }
}

/// Pieces of texts and of patterns that touch each other.
const TEXTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "z",
    "A",
    "0",
    "7",
    "_",
    "-",
    "/",
    ".",
    " ",
    "\n",
    "\r",
    "\u{2028}",
    "\u{a0}",
    "\u{feff}",
    "é",
    "\u{d7ff}",
    "\u{e000}",
    "😀",
    "\u{10ffff}",
    "gabp://",
    "1.",
    "|",
    "\\",
    "]",
    "^",
];
const PIECES: &[&str] = &[
    "a",
    "b",
    "[a-z]",
    "[a-z0-9_-]",
    "[^a]",
    "[^\\d/]",
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\.",
    "/",
    "\\/",
    "(a|b)",
    "(?:ab|)",
    "(/[a-z]+)+",
    "(a*)*",
    "(?:a|^)",
    "(?:b|$)",
    "^",
    "$",
    "|",
    "\\u0061",
    "\\x62",
    "[\\w-]",
    "[-a]",
    "[\\u2028é]",
    "[😀-\\u{10ffff}]",
    "😀",
    "\\t",
    "[\\]\\\\^]",
    "gabp://",
    "(?=a)",
    "\\b",
    "(",
    ")",
    "()",
    "[]",
    "[^]",
];
const REPEATS: &[&str] = &["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "{2,3}?"];

fn text(random: &mut fastrand::Rng) -> String {
    (0..random.usize(0..7)).map(|_| *random.choice(TEXTS).expect("it is there")).collect()
}

fn same(pattern: &str, random: &mut fastrand::Rng) -> bool {
    let Some(automaton) = automaton(pattern) else { return false };
    let engine = Pattern::new(Box::leak(pattern.to_owned().into_boxed_str()));
    for _ in 0..40 {
        let text = text(random);
        assert_eq!(automaton.matches(&text), engine.matches(&text), "{pattern} on {text:?}");
    }
    true
}

#[test]
fn an_automaton_says_what_the_engine_says() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut automata = 0;
    for _ in 0..4000 {
        let mut pattern = String::new();
        for _ in 0..random.usize(1..6) {
            pattern += random.choice(PIECES).expect("it is there");
            pattern += random.choice(REPEATS).expect("it is there");
        }
        if random.bool() {
            pattern = format!("^{pattern}$");
        }
        automata += usize::from(same(&pattern, &mut random));
    }
    assert!(automata > 1000, "only {automata} of the patterns are regular");
}

#[test]
fn what_schemas_use_needs_no_engine() {
    let mut random = fastrand::Rng::with_seed(2);
    for pattern in [
        "^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)+$",
        "^[a-z][a-z0-9_]*$",
        "^gabp://.*",
        "^1\\.\\d+(?:\\.\\d+)?$",
        "^(?:read|write|admin)$",
        "^[A-Z]{2,3}-\\d{1,4}$",
        "a",
    ] {
        assert!(same(pattern, &mut random), "{pattern}");
    }
}

#[test]
fn the_rest_is_left_to_the_engine() {
    for pattern in [
        "(a)\\1",
        "(?=a)b",
        "a(?!b)",
        "(?<=a)b",
        "\\bword",
        "(?<name>a)",
        "\\p{L}",
        "^[a-f0-9]{64}$",
        "\\_",
        "",
        "a*",
        "^$",
        "\\ud83d",
        "(?i:a)",
    ] {
        assert_eq!(automaton(pattern), None, "{pattern}");
    }
}
