//! Texts that a pattern matches, to show.

use super::parse::{Node, pattern};

/// A longer text shows nobody anything.
const LONGEST: usize = 200;

/// Short texts that a regular pattern may match, the shortest first. Whoever needs one that it does match has
/// to try: anchors in the middle are passed over.
pub fn examples(text: &str) -> Vec<String> {
    let Some(node) = pattern(text) else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for more in 0..24 {
        let mut text = String::new();
        if write(&node, more, &mut text).is_some() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Writes a text; what may be repeated comes `more` often than it must.
fn write(node: &Node, more: u32, text: &mut String) -> Option<()> {
    match node {
        Node::Character(ranges) => text.push(nice(ranges)?),
        Node::AtStart | Node::AtEnd => {}
        Node::Sequence(nodes) => nodes.iter().try_for_each(|node| write(node, more, text))?,
        Node::Either(nodes) => write(nodes.first()?, more, text)?,
        Node::Repeat(node, least, most) => {
            let times = least.saturating_add(more).min(most.unwrap_or(u32::MAX));
            (0..times).try_for_each(|_| write(node, more, text))?;
        }
    }
    (text.len() <= LONGEST).then_some(())
}

/// A character that is easy to read, where there is one.
fn nice(ranges: &[(u32, u32)]) -> Option<char> {
    let has = |c: &char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&(*c as u32)));
    let known = ['a', 'A', '1', '0', 'f', 'm', '-', '_', ' '];
    let printable = '!'..='~';
    let other = || ranges.iter().filter_map(|(first, _)| char::from_u32(*first)).find(|c| !c.is_control());
    known.into_iter().chain(printable).find(has).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::examples;
    use regress::Regex;

    #[test]
    fn texts_match() {
        for (pattern, first) in [
            ("^[a-z][a-z0-9_]*$", "a"),
            ("^#[0-9a-f]{6}$", "#aaaaaa"),
            ("^(0|-?[1-9][0-9]{0,18})$", "0"),
            ("^\\d+-\\w{2,}$", "1-aa"),
            ("^[^a]$", "A"),
        ] {
            let texts = examples(pattern);
            assert_eq!(texts.first().map(String::as_str), Some(first), "{pattern}");
            let regex = Regex::with_flags(pattern, "u").expect("it is a pattern");
            assert!(texts.iter().all(|text| regex.find(text).is_some()), "{pattern}: {texts:?}");
        }
        assert!(examples("(?=a)").is_empty());
        assert!(examples("(((a{24}){24}){24}){24}").is_empty());
    }
}
