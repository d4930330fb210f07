//! Templates of URIs (RFC 6570).

/// Whether a text is a template.
pub(super) fn uri_template(text: &str) -> bool {
    let mut parts = text.split('{');
    parts.next().is_some_and(literals)
        && parts
            .all(|part| part.split_once('}').is_some_and(|(inner, rest)| expression(inner) && literals(rest)))
}

fn literals(text: &str) -> bool {
    percent_encoded(text, |c| match c {
        // The apostrophe, which the RFC forgot, is here by its erratum 6937.
        '!'..='~' => !matches!(c, '"' | '%' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'),
        // Of the rest, the characters of IRIs (RFC 3987), for private use too.
        '\u{A0}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}' => true,
        '\u{E0000}'..='\u{E0FFF}' => false,
        '\u{10000}'.. => u32::from(c) & 0xFFFF < 0xFFFE,
        _ => false,
    })
}

/// What is between braces. The operators `=,!@|` are kept for later, and right by the grammar.
fn expression(text: &str) -> bool {
    let variables = text.strip_prefix(['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|']);
    variables.unwrap_or(text).split(',').all(variable)
}

fn variable(text: &str) -> bool {
    let name = match (text.strip_suffix('*'), text.split_once(':')) {
        (Some(name), _) => name,
        (None, Some((name, length))) if is_length(length) => name,
        (None, Some(_)) => return false,
        (None, None) => text,
    };
    name.split('.')
        .all(|part| !part.is_empty() && percent_encoded(part, |c| c.is_ascii_alphanumeric() || c == '_'))
}

/// How much of a value is taken: 1 to 9999.
fn is_length(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

/// Whether a text is of such characters, and of octets as `%` and two digits.
fn percent_encoded(text: &str, is_plain: fn(char) -> bool) -> bool {
    let mut parts = text.split('%');
    parts.next().is_some_and(|part| part.chars().all(is_plain))
        && parts.all(|part| {
            part.split_at_checked(2).is_some_and(|(octet, rest)| {
                octet.bytes().all(|byte| byte.is_ascii_hexdigit()) && rest.chars().all(is_plain)
            })
        })
}
