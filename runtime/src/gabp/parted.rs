//! A tools/call without its arguments: they are read once, by the tool, from their text.

use crate::schema::Cursor;
use ludwire_protocols::gabp::{self, Message, methods};
use ludwire_protocols::support::DecodeError;
use serde::de::IgnoredAny;
use std::ops::Range;

/// Reads a message; of a tools/call without its arguments, which lie there in the body.
pub(super) fn decode(body: &[u8]) -> Result<(Message, Option<Range<usize>>), DecodeError> {
    if let Some((rest, arguments)) = part(body)
        && let Ok(message @ Message::ToolsCallRequest(_)) = gabp::decode(&rest)
    {
        return Ok((message, Some(arguments)));
    }
    // What is wrong is told of all of it.
    gabp::decode(body).map(|message| (message, None))
}

/// The text of a tools/call with an empty object for arguments, which is a message if and only if the whole is,
/// since what is left out is an object; and where that lies. `None` where it is written in another way than
/// usual.
fn part(body: &[u8]) -> Option<(Vec<u8>, Range<usize>)> {
    let text = std::str::from_utf8(body).ok()?;
    let (mut method, mut arguments) = (None, None);
    let mut cursor = Cursor::new(text);
    cursor.members(|cursor, name| {
        match name {
            "method" => method = method.or(Some(cursor.skip()?)),
            "params" => arguments = arguments.or(arguments_in(cursor)?),
            _ => drop(cursor.skip()?),
        }
        Some(())
    })?;
    let (method, arguments) = (method?, arguments?);
    if method.get(1..method.len() - 1)? != methods::TOOLS_CALL {
        return None;
    }
    let is_object = arguments.starts_with('{') && serde_json::from_str::<IgnoredAny>(arguments).is_ok();
    if !is_object || is_deep(arguments) {
        return None;
    }
    let start = arguments.as_ptr().addr() - text.as_ptr().addr();
    let all = start..start + arguments.len();
    Some(([&body[..all.start], b"{}", &body[all.end..]].concat(), all))
}

/// The arguments among the parameters that come, as they are written.
fn arguments_in<'a>(cursor: &mut Cursor<'a>) -> Option<Option<&'a str>> {
    let (mut arguments, mut others) = (None, None);
    cursor.members(|cursor, name| {
        let value = cursor.skip()?;
        match name {
            "arguments" => arguments = arguments.or(Some(value)),
            // Some bridges have another name for them.
            "parameters" => others = others.or(Some(value)),
            _ => {}
        }
        Some(())
    })?;
    Some(arguments.or(others))
}

/// Whether arguments nest deeper than they may: they stand in the parameters, and those in the message.
fn is_deep(arguments: &str) -> bool {
    // Each level has two brackets.
    arguments.len() / 2 > DEEPEST - 2 && depth(arguments) > DEEPEST - 2
}

/// Levels of a message that is read.
const DEEPEST: usize = 127;

/// How deeply lists and objects nest in a text that is JSON.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth -= 1,
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => drop(bytes.next()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn text(params: &str, method: &str) -> String {
        let id = "00000000-0000-4000-8000-000000000001";
        format!(r#"{{"v":"gabp/1","id":"{id}","type":"request","params":{params},"method":"{method}"}}"#)
    }

    #[test]
    fn a_message_is_one_with_or_without_its_arguments() {
        for (params, apart) in [
            (r#"{"name":"a/b","arguments":{"x":[1,"}"]} }"#, Some(r#"{"x":[1,"}"]}"#)),
            (r#"{"name":"a/b","parameters": {} }"#, Some("{}")),
            (r#"{"arguments":{"a":1},"parameters":{"b":1},"name":"a/b"}"#, Some(r#"{"a":1}"#)),
            (r#"{"name":"a/b"}"#, None),
            // These are none.
            (r#"{"name":"a/b","arguments":{"x":}}"#, None),
            (r#"{"name":"a/b","arguments":{"x":1,}}"#, None),
            (r#"{"name":"a/b","arguments":{"x":"\q"}}"#, None),
            (r#"{"name":"a/b","arguments":[1]}"#, None),
            (r#"{"name":"a/b","arguments":"{}"}"#, None),
            (r#"{"name":"a/b","arguments":{},"arguments":{}}"#, None),
            (r#"{"name":"A","arguments":{}}"#, None),
            (r#"{"name":"a/b","arguments":{},"x":1}"#, None),
        ] {
            let text = text(params, "tools/call");
            let whole = ludwire_protocols::gabp::decode(text.as_bytes());
            match decode(text.as_bytes()) {
                Ok((_, range)) => {
                    assert!(whole.is_ok(), "{params}");
                    assert_eq!(range.map(|range| &text[range]), apart, "{params}");
                }
                Err(error) => assert_eq!(whole, Err(error), "{params}"),
            }
        }
        for (levels, is_one) in [(124, true), (125, false), (200_000, false)] {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            let text =
                text(&format!(r#"{{"name":"a/b","arguments":{{"x\"{{":{open}{close}}}}}"#), "tools/call");
            assert_eq!(decode(text.as_bytes()).is_ok(), is_one, "{levels}");
            assert_eq!(ludwire_protocols::gabp::decode(text.as_bytes()).is_ok(), is_one, "{levels}");
        }
        let other = text(r#"{"name":"a/b"}"#, "tools/get");
        assert!(matches!(decode(other.as_bytes()), Ok((_, None))));
    }
}
