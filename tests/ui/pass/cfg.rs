//! A tool is registered only where its `#[cfg]` holds, on either side of `#[tool]`.

use ludwire::tool;

/// There.
#[cfg(all())]
#[tool("cfg/before")]
fn before() {}

/// There.
#[tool("cfg/after")]
#[cfg(all())]
fn after() {}

/// Absent, with a type that is absent too.
#[cfg(any())]
#[tool("cfg/absent_before")]
fn absent_before(absent: Absent) {}

/// Absent.
#[tool("cfg/absent_after")]
#[cfg(any())]
fn absent_after(absent: Absent) {}

/// Absent, so that its mistakes do not matter.
#[tool("absent")]
#[cfg(any())]
fn absent_with_mistakes(absent: &str) {}

/// There.
#[cfg_attr(all(), tool("cfg/attribute"))]
#[cfg_attr(all(), cfg(all()))]
fn attribute() {}

/// A function, and no tool.
#[cfg_attr(any(), tool("cfg/no_tool"))]
#[allow(dead_code)]
fn no_tool() {}

fn main() {
    let host = ludwire::Host::builder("cfg", "1").tools(ludwire::registered::<()>()).build();
    let manifest = host.expect("no names meet").manifest();
    let tools = manifest["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["cfg/after", "cfg/attribute", "cfg/before"]);
}
