//! Example messages as text.

use crate::json::{Json, Node, quoted};

/// A line has so many characters at most, where it can be cut.
const WIDEST: usize = 88;

/// JSON for people: what fits stands on one line.
pub(super) fn pretty(node: &Node) -> String {
    let mut text = String::new();
    write(node, 0, 0, &mut text);
    text
}

/// The bytes of a message on the wire, with line breaks shown as what they are.
pub(super) fn visible(bytes: &str) -> String {
    let shown = bytes.replace('\r', "\\r").replace('\n', "\\n\n");
    shown.trim_end_matches('\n').to_owned()
}

/// `before`: what stands on the line already, beside the indentation.
fn write(node: &Node, depth: usize, before: usize, text: &mut String) {
    let line = inline(node);
    if 2 * depth + before + line.chars().count() < WIDEST {
        text.push_str(&line);
        return;
    }
    let indent = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&"  ".repeat(depth));
    };
    match &node.value {
        Json::Object(members) => {
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                indent(text, depth + 1);
                let name = format!("{}: ", quoted(&member.name));
                text.push_str(&name);
                write(&member.node, depth + 1, name.chars().count(), text);
            }
            indent(text, depth);
            text.push('}');
        }
        Json::Array(items) => {
            text.push('[');
            let is_flat = |item: &Node| item.items().is_empty() && item.members().is_empty();
            if items.iter().all(is_flat) {
                fill(items, depth, text);
                indent(text, depth);
                text.push(']');
                return;
            }
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                indent(text, depth + 1);
                write(item, depth + 1, 0, text);
            }
            indent(text, depth);
            text.push(']');
        }
        _ => text.push_str(&line),
    }
}

/// Values that hold no others, as many on a line as fit.
fn fill(items: &[Node], depth: usize, text: &mut String) {
    let mut room = 0;
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 == items.len() { "" } else { "," };
        let word = format!("{item}{comma}");
        let width = word.chars().count() + 1;
        if width > room {
            room = WIDEST.saturating_sub(2 * depth + 2);
            text.push('\n');
            text.push_str(&"  ".repeat(depth + 1));
        } else {
            text.push(' ');
        }
        room = room.saturating_sub(width);
        text.push_str(&word);
    }
}

/// On one line, with blanks where a reader wants them.
fn inline(node: &Node) -> String {
    match &node.value {
        Json::Object(members) if !members.is_empty() => {
            let members =
                members.iter().map(|member| format!("{}: {}", quoted(&member.name), inline(&member.node)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        _ => node.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn read(text: &str) -> Node {
        load::json("a.json", text).expect("it is JSON")
    }

    #[test]
    fn what_fits_stands_on_one_line() {
        assert_eq!(
            pretty(&read(r#"{"a":[1,{"b":null}],"c":{}}"#)),
            r#"{ "a": [1, { "b": null }], "c": {} }"#
        );
    }

    #[test]
    fn what_does_not_is_cut_between_members_and_items_and_reads_back() {
        let long = "x".repeat(60);
        let node = read(&format!(r#"{{"a":"{long}","b":[{{"c":"{long}"}},1.50],"d":"e"}}"#));
        let text = pretty(&node);
        assert_eq!(
            text,
            format!(
                "{{\n  \"a\": \"{long}\",\n  \"b\": [{{ \"c\": \"{long}\" }}, 1.50],\n  \"d\": \"e\"\n}}"
            )
        );
        assert_eq!(read(&text), node);
    }

    #[test]
    fn short_values_share_lines() {
        let node = read(&format!("[{}]", ["\"twelve bytes\""; 8].join(",")));
        let text = pretty(&node);
        let line = ["\"twelve bytes\","; 5].join(" ");
        assert_eq!(text, format!("[\n  {line}\n  \"twelve bytes\", \"twelve bytes\", \"twelve bytes\"\n]"));
        assert_eq!(read(&text), node);
    }

    #[test]
    fn line_breaks_on_the_wire_are_seen() {
        assert_eq!(visible("A: 1\r\n\r\n{}"), "A: 1\\r\\n\n\\r\\n\n{}");
        assert_eq!(visible("{}\n"), "{}\\n");
    }
}
