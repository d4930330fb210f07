//! Reads messages from files and says what they are.
//!
//! `cargo run -q -p ludwire-protocols --example decode -- gabp FILE…` prints a line a file,
//! `FILE: ok <message>` or `FILE: error <pointer>: <text>`, and exits 0, 1 when a message was
//! refused, or 2 when a file could not be read or the arguments are wrong. With
//! `--response-to METHOD` the files are responses to that method.

use ludwire_protocols::{aicc, aicontrol, gabp, support::DecodeError};
use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "usage: decode [--response-to METHOD] gabp|aicc|aicontrol FILE…";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let method = match arguments.next_if_eq("--response-to") {
        Some(_) => match arguments.next() {
            Some(method) => Some(method),
            None => return usage("--response-to wants a method"),
        },
        None => None,
    };
    let Some(protocol) = arguments.next() else { return usage("which protocol?") };
    let read: fn(Option<&str>, &[u8]) -> Result<&'static str, DecodeError> = match protocol.as_str() {
        "gabp" => |method, bytes| match method {
            Some(method) => gabp::decode_response(method, bytes).map(|message| message.name()),
            None => gabp::decode(bytes).map(|message| message.name()),
        },
        "aicontrol" => |method, bytes| match method {
            Some(method) => aicontrol::decode_response(method, bytes).map(|message| message.name()),
            None => aicontrol::decode(bytes).map(|message| message.name()),
        },
        "aicc" if method.is_some() => return usage("the responses of AICC need no --response-to"),
        "aicc" => |_, bytes| aicc::decode(bytes).map(|message| message.name()),
        other => return usage(&format!("no protocol {other:?}")),
    };
    let files: Vec<String> = arguments.collect();
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
                    let subject =
                        error.subject().map(|subject| format!(" (taken for {subject})")).unwrap_or_default();
                    format!("{file}: error {}: {}{subject}", error.pointer(), error.message())
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

fn usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\n{USAGE}");
    ExitCode::from(2)
}
