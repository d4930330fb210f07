//! Typed messages of AICC, GABP and AiControl.
//!
//! Everything here but this file is made from the schemas by `cargo run -- generate`. A type reads
//! exactly what its schema accepts: `serde_json::from_str::<T>` succeeds when a JSON Schema
//! validator would say yes, and only then.
//!
//! ```
//! use ludwire_protocols::gabp::{self, Message};
//!
//! let bytes = br#"{"v":"gabp/1","id":"7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a11","type":"request",
//!     "method":"tools/call","params":{"name":"world/spawn"}}"#;
//! let Message::ToolsCallRequest(call) = gabp::decode(bytes)? else { panic!("it is a tools/call") };
//! assert_eq!(call.params.name.as_str(), "world/spawn");
//!
//! let error = gabp::decode(br#"{"v":"gabp/2"}"#).unwrap_err();
//! assert_eq!(error.pointer(), "/v");
//! # Ok::<(), gabp::DecodeError>(())
//! ```

// The generator formats what it writes.
#[rustfmt::skip]
pub mod aicc;
#[rustfmt::skip]
pub mod aicontrol;
#[rustfmt::skip]
pub mod gabp;
#[rustfmt::skip]
pub mod support;
