//! What we say of the schemas that a catalogue stands for, since it says nothing of them itself. It is said in Rust
//! as it stands here; pages have words of their own for it, in the template `words.md`.

/// What is said, `{}` being the name of a method.
const PHRASES: [(&str, &str); 25] = [
    ("answer", "Answers {} when it succeeded. A failure is answered with an error response."),
    (
        "any_answer",
        "Answers one request of any method. It holds either a result or an error, never both and never neither.",
    ),
    ("any_id", "Chosen by the client to match a response to its request: a string or an integer."),
    ("chosen_id", "Chosen by the client; the response repeats it unchanged."),
    ("code", "Number that classifies the failure."),
    ("command", "What a client asks the game to do. A game may define further members for its commands."),
    ("data", "More about the failure. Any JSON value. Absent when the message says everything."),
    ("default_host", "Address on which a bridge listens unless told otherwise."),
    ("default_port", "TCP port on which a bridge listens unless told otherwise."),
    ("error", "Why a request failed. A response carries it in place of a result."),
    ("error_answer", "Answers a request that failed, whatever its method."),
    ("failure", "Why the request failed."),
    ("failure_if_any", "Why the request failed. Present when it did, and only then."),
    (
        "identifier",
        "Names something in the game. The game decides what its ids look like: strings or integers.",
    ),
    ("input", "Input of {}."),
    ("jsonrpc", "Marks the form of the message, which is modelled on JSON-RPC."),
    ("jsonrpc_version", "Value of the member jsonrpc of every message."),
    ("max_line_bytes", "Longest line in bytes, the line feed not counted."),
    ("message", "What went wrong and, where possible, what to do about it, in words for people and agents."),
    ("method", "Method to run. It is always {} here."),
    ("outcome", "Outcome of {}."),
    ("protocol_version", "Version of the protocol."),
    ("repeated_id", "The id of the request that is being answered, unchanged."),
    (
        "repeated_id_or_null",
        "The id of the request that is being answered, unchanged. null when the request had none or could not be \
         read.",
    ),
    ("result", "What the method returned; each method defines its form. Present when the method succeeded."),
];

/// What is said by this name; nothing where there is none of that name.
pub(super) fn phrase(name: &str) -> Option<&'static str> {
    PHRASES.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// The same of a method.
pub(super) fn phrase_of(name: &str, method: &str) -> String {
    phrase(name).unwrap_or_default().replace("{}", method)
}

/// The name of what a text says, and the method of which it does; `None` where the text is none of ours.
pub(crate) fn named(text: &str) -> Option<(&'static str, &str)> {
    PHRASES.iter().find_map(|(name, ours)| match ours.split_once("{}") {
        Some((before, after)) => {
            let method = text.strip_prefix(before)?.strip_suffix(after)?;
            // Else it is a sentence that only begins like ours.
            (!method.contains(char::is_whitespace)).then_some((*name, method))
        }
        None => (text == *ours).then_some((*name, "")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_known_again() {
        for (name, _) in PHRASES.iter() {
            let said = phrase_of(name, "move");
            let method = if said.contains("move") { "move" } else { "" };
            assert_eq!(named(&said), Some((*name, method)), "{said}");
        }
        assert_eq!(named("Input of the method; each has its own."), None);
    }
}
