//! Async tools of many forms.
#![deny(warnings, missing_docs, unsafe_code)]

use ludwire::{Call, Host, Res, ToolError, tool, tools};
use serde_json::json;
use std::sync::Mutex;

/// The state.
pub struct World {
    orcs: u32,
}

/// A trait with the names of what is ours.
pub trait Signature {
    /// A method of the same name as a tool.
    fn signature(&self) -> u32;
}

impl Signature for World {
    fn signature(&self) -> u32 {
        7
    }
}

type Names = Res<Vec<String>>;

/// Borrows its result from what the host holds.
#[tool("async/first")]
pub async fn first(names: &Names) -> Option<&str> {
    names.first().map(String::as_str)
}

/// Fails with a type of its own.
#[tool("async/fail")]
#[allow(clippy::unused_async)]
pub async fn fail(why: &str, _more: Option<&[u8]>) -> Result<(), String> {
    Err(why.to_owned())
}

macro_rules! waits {
    ($($name:literal $function:ident($($argument:ident: $ty:ty),*) -> $output:ty { $value:expr })*) => {$(
        #[doc = concat!("Waits: ", $name, ".")]
        #[tool($name, timeout = 1.5)]
        async fn $function(call: &Call, $($argument: $ty),*) -> $output {
            let _ = call.caller();
            std::future::ready($value).await
        }
    )*};
}
waits! {
    "async/add" add(a: u32, b: u32) -> u32 { a + b }
    "async/join" join(a: &str, b: &[String]) -> Result<String, ToolError> { Ok(format!("{a}{b:?}")) }
}

#[tools]
impl World {
    /// Has the name of a trait's method.
    #[tool("async/signature")]
    async fn signature(call: &Call, log: &Res<Mutex<Vec<u32>>>) -> Result<u32, ToolError>
    where
        Self: Sized,
    {
        let (orcs, of_trait) = call.on_game(|world: &mut Self| (world.orcs, Signature::signature(world))).await?;
        log.lock().map_err(|_| "the log is poisoned")?.push(orcs);
        Ok(of_trait)
    }

    /// Nothing waits here, and `self` is not needed.
    #[tool("async/raw")]
    async fn r#async(r#type: Option<&str>) -> String {
        r#type.unwrap_or("none").to_owned()
    }
}

fn main() {
    let builder = Host::<World>::builder("async", "1").tools(ludwire::registered());
    let host = builder.hold(vec!["Ada".to_owned()]).hold(Mutex::new(Vec::<u32>::new())).build();
    let (host, mut world) = (host.expect("no names meet"), World { orcs: 3 });
    let mut call = |name: &str, arguments| host.call(&mut world, name, arguments);
    for (name, arguments, result) in [
        ("async/first", json!({}), json!("Ada")),
        ("async/add", json!({ "a": 1, "b": 2 }), json!(3)),
        ("async/join", json!({ "a": "x", "b": ["y"] }), json!(r#"x["y"]"#)),
        ("async/signature", json!({}), json!(7)),
        ("async/raw", json!({ "type": "t" }), json!("t")),
    ] {
        assert_eq!(call(name, arguments).expect(name), json!({ "result": result }));
    }
    assert_eq!(call("async/fail", json!({ "why": "tired" })).expect_err("it fails").message(), "tired");
}
