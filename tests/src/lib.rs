//! Tests that need more than one package stand in `tests/`; this library is what they share.
//!
//! The differential test rests on it: [`protocol`] gives the schemas and an [`Oracle`] that knows
//! what they accept, [`subject`] the generated type of every schema, [`valid`] makes documents that a
//! schema accepts, [`mutate`] damages them, [`spell`] writes them down in many ways, [`route`] says
//! which schema a message must pass. [`fixtures`] are messages made by hand.
//!
//! [`Oracle`]: protocol::Oracle

pub mod agent;
pub mod ai_control;
pub mod arena;
pub mod bridge;
pub mod copy;
pub mod decode;
pub mod edit;
pub mod fixtures;
pub mod judge;
pub mod log;
pub mod mutate;
pub mod near;
pub mod protocol;
pub mod route;
pub mod same;
pub mod sample;
pub mod schemas;
pub mod spell;
pub mod strict;
pub mod subject;
pub mod suite;
pub mod valid;
pub mod webs;

use ludwire_protocols::support::Read as _;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A variable of the environment whose text can be a token, and that text: `PATH`, as a rule. Front ends take tokens
/// from there and from nowhere else, and a test cannot add a variable to its own process.
pub static TOKEN_VARIABLE: LazyLock<(String, String)> = LazyLock::new(|| {
    let is_token = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
    let mut variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)))
        .filter(|(_, text)| is_token(text))
        .collect();
    variables.sort_by_key(|(name, _)| (name != "PATH", name.clone()));
    variables.into_iter().next().expect("a variable of 32 characters or more without spaces, such as PATH")
});

/// Any JSON. serde_json's own reader of values takes an object for something else whose first member
/// has one of the names that it keeps for itself.
///
/// # Errors
///
/// When it is none.
pub fn json(text: &str) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Value::read(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

/// The folder of the whole project.
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package lies in the workspace").to_owned()
}

/// The programs of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
