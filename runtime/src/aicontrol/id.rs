//! The id of a request, which its answer repeats as it was written.

use super::failures::is_json;
use crate::schema::{member, repeats};
use std::borrow::Cow;

/// An id that would come back as another text, though it be the same value, or as another value: JSON has
/// numbers of any length.
pub(super) struct Odd<'a>(&'a str);

impl<'a> Odd<'a> {
    /// The odd id of a line, and the line with null in its place.
    pub(super) fn taken_from(line: &'a str) -> (Option<Self>, Cow<'a, str>) {
        let found = member(line, "id").filter(|id| !is_plain(id) && is_json(line));
        // Of two, neither is the one.
        let Some(id) = found.filter(|_| !repeats(line, "id")) else {
            return (None, line.into());
        };
        let start = id.as_ptr().addr() - line.as_ptr().addr();
        let rest = [&line[..start], "null", &line[start + id.len()..]].concat();
        (Some(Self(id)), rest.into())
    }

    /// Bytes that it has.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The answer with this id in place of null.
    pub(super) fn put_into(&self, answer: Vec<u8>) -> Vec<u8> {
        let text = std::str::from_utf8(&answer).ok();
        let Some((text, id)) = text.and_then(|text| Some((text, member(text, "id")?))) else { return answer };
        let start = id.as_ptr().addr() - text.as_ptr().addr();
        [&answer[..start], self.0.as_bytes(), &answer[start + id.len()..]].concat()
    }
}

/// Whether an id is a text without escapes or a small integer, which are written in one way only.
fn is_plain(id: &str) -> bool {
    match id.as_bytes() {
        [b'"', text @ .., b'"'] => !text.contains(&b'\\'),
        b"0" | b"null" => true,
        [b'-', digits @ ..] | digits => {
            digits.len() <= 18
                && digits.first().is_some_and(|first| *first != b'0')
                && digits.iter().all(u8::is_ascii_digit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Odd;

    #[test]
    fn what_is_odd_is_taken_out_and_put_back() {
        for id in
            ["1.0", "-0", "1e400", r#""\u0041""#, "[1, 2]", r#"{"a": 1}"#, "true", "123456789012345678901"]
        {
            let line = format!(r#"{{"id": {id} ,"params":{{"id":1}}}}"#);
            let (odd, rest) = Odd::taken_from(&line);
            assert_eq!(rest, r#"{"id": null ,"params":{"id":1}}"#, "{id}");
            let answer = odd.expect("it is odd").put_into(br#"{"id":null,"result":{"id":null}}"#.to_vec());
            let answer = String::from_utf8(answer).expect("it is a text");
            assert_eq!(answer, format!(r#"{{"id":{id},"result":{{"id":null}}}}"#));
        }
        for line in [
            r#"{"id":1}"#,
            r#"{"id":-17}"#,
            r#"{"id":0}"#,
            r#"{"id":"ä/b"}"#,
            r#"{"id":null}"#,
            "{}",
            "1",
            r#"{"id":1.5,"id":2}"#,
            r#"{"id":1.5"#,
        ] {
            let (odd, rest) = Odd::taken_from(line);
            assert!(odd.is_none() && rest == line, "{line}");
        }
    }
}
