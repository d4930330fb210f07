//! Reads messages from files and says what they are.
//!
//! `cargo run -q -p ludwire-protocols --example decode -- gabp FILE…` prints a line a file,
//! `FILE: ok <message>` or `FILE: error <pointer>: <text>`, and exits 0, 1 when a message was
//! refused, or 2 when a file could not be read or the arguments are wrong. The pointer of a whole
//! document, which is empty, is shown as `(root)`. With `--response-to METHOD` the files are
//! responses to that method, one of those that the protocol defines; a response to another one is
//! read without the option.

use ludwire_protocols::{aicc, aicontrol, gabp, support::DecodeError};
use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "\
usage: decode [--response-to METHOD] gabp|aicc|aicontrol FILE…

Prints a line a file: `FILE: ok <message>`, or `FILE: error <pointer>: <text>`.
Exit status: 0 when all are messages, 1 when one is not, 2 when one could not be read.

--response-to METHOD  the files are responses to that method of the protocol;
                      leave it out for the response to a method of a game's own";

/// The name of the message in some bytes.
type Reader = fn(Option<&str>, &[u8]) -> Result<&'static str, DecodeError>;

fn main() -> ExitCode {
    // A name that is no text is that of no file here, and says so.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        // Nobody may read on.
        let _ = writeln!(std::io::stdout(), "{USAGE}");
        return ExitCode::SUCCESS;
    }
    let mut arguments = arguments.into_iter().peekable();
    let method = match arguments.next_if_eq("--response-to") {
        Some(_) => match arguments.next() {
            Some(method) => Some(method),
            None => return usage("--response-to wants a method"),
        },
        None => None,
    };
    let Some(protocol) = arguments.next() else { return usage("which protocol?") };
    let files: Vec<String> = arguments.collect();
    if let Some(option) = std::iter::once(&protocol).chain(&files).find(|word| word.starts_with('-')) {
        return usage(&format!("there is no option {option:?} here; a file of that name is ./{option}"));
    }
    let (methods, read): (&[&str], Reader) = match protocol.as_str() {
        "gabp" => (gabp::methods::ALL, |method, bytes| match method {
            Some(method) => gabp::decode_response(method, bytes).map(|message| message.name()),
            None => gabp::decode(bytes).map(|message| message.name()),
        }),
        "aicontrol" => (aicontrol::methods::ALL, |method, bytes| match method {
            Some(method) => aicontrol::decode_response(method, bytes).map(|message| message.name()),
            None => aicontrol::decode(bytes).map(|message| message.name()),
        }),
        "aicc" if method.is_some() => return usage("the responses of AICC need no --response-to"),
        "aicc" => (&[], |_, bytes| aicc::decode(bytes).map(|message| message.name())),
        other => return usage(&format!("no protocol {other:?}")),
    };
    // To a method that GABP does not define any response is right, also where it is a slip of the pen.
    if let Some(method) = method.as_deref().filter(|method| !methods.contains(method)) {
        let methods = methods.join(", ");
        return usage(&format!("{protocol} has no method {method:?}; there are {methods}"));
    }
    if files.is_empty() {
        return usage("which files?");
    }
    let mut out = std::io::stdout().lock();
    let mut code = 0;
    for file in files {
        let line = match std::fs::read(&file) {
            Err(error) => {
                eprintln!("{file}: {error}");
                code = 2;
                continue;
            }
            Ok(bytes) => match read(method.as_deref(), &bytes) {
                Ok(name) => format!("{file}: ok {name}"),
                Err(error) => {
                    code = code.max(1);
                    format!("{file}: error {}", shown(&error))
                }
            },
        };
        if writeln!(out, "{line}").is_err() {
            // Nobody reads on.
            break;
        }
    }
    ExitCode::from(code)
}

fn shown(error: &DecodeError) -> String {
    let subject = error.subject().map(|subject| format!(" (taken for {subject})")).unwrap_or_default();
    // Names in it come from the document, and must not look like lines of ours.
    let shown: String = error.pointer().chars().flat_map(plain).collect();
    let pointer = if shown.is_empty() { "(root)" } else { &shown };
    format!("{pointer}: {}{subject}", error.message())
}

fn usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\n{USAGE}");
    ExitCode::from(2)
}

/// A character as it is, or escaped where it controls the terminal.
fn plain(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
