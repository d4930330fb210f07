//! Names of tools.

use crate::mistakes::Mistakes;
use crate::parse::Tool;

/// Longest name of a tool, in bytes.
const TOOL_NAME_LIMIT: usize = 64;
/// Checks the name of a tool, and proposes one.
pub(crate) fn check(tool: &Tool, mistakes: &mut Mistakes) {
    let Some(literal) = &tool.attribute.name else {
        if !tool.attribute.name_is_wrong {
            let name = proposal(&tool.signature.ident.to_string());
            mistakes.at(tool.at, format!("a tool needs a name: `#[tool(\"{name}\")]`"));
        }
        return;
    };
    let name = literal.value();
    if name.len() > TOOL_NAME_LIMIT {
        let length = name.len();
        mistakes.on(
            literal,
            format!("the name of a tool has at most {TOOL_NAME_LIMIT} bytes, this one has {length}"),
        );
    }
    if !is_tool_name(&name) {
        let proposal = proposal(&name);
        mistakes.on(
            literal,
            format!(
                "the name of a tool is two or more words with slashes between, matching \
                 `^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)+$`: try `{proposal}`"
            ),
        );
    }
}

fn is_tool_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
    };
    name.contains('/') && name.split('/').all(is_word)
}

/// The nearest name that is one.
fn proposal(name: &str) -> String {
    let mut words = vec![String::new()];
    let mut after_lowercase = false;
    for c in name.trim_start_matches("r#").chars() {
        let word = words.last_mut().expect("there is a word");
        match c {
            '/' | '.' | ':' | '\\' => words.push(String::new()),
            'A'..='Z' => {
                if after_lowercase {
                    word.push('_');
                }
                word.push(c.to_ascii_lowercase());
            }
            'a'..='z' => word.push(c),
            '0'..='9' | '_' | '-' if !word.is_empty() => word.push(c),
            _ if !word.is_empty() && !word.ends_with('_') => word.push('_'),
            _ => {}
        }
        after_lowercase = c.is_ascii_lowercase();
    }
    let mut words: Vec<&str> = words.iter().map(|word| word.trim_end_matches(['_', '-'])).collect();
    words.retain(|word| !word.is_empty());
    match words.as_slice() {
        [] => "world/spawn".to_owned(),
        [word] => format!("world/{word}"),
        words => words.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_tool_name, proposal};

    #[test]
    fn proposals_are_names() {
        for (wrong, right) in [
            ("spawn", "world/spawn"),
            ("World/SpawnOrc", "world/spawn_orc"),
            ("world.spawn", "world/spawn"),
            ("world::spawn orc!", "world/spawn_orc"),
            ("/world/", "world/world"),
            ("9lives/7th", "lives/th"),
            ("größe/höhe", "gr_e/h_he"),
            ("r#type", "world/type"),
            ("", "world/spawn"),
        ] {
            assert!(!is_tool_name(wrong));
            assert_eq!(proposal(wrong), right);
            assert!(is_tool_name(right));
        }
    }
}
