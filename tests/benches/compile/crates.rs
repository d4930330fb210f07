//! Crates with tools that do the same, written in one of three ways.

use std::fs;
use std::path::Path;

/// How tools are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// A function, a struct for its arguments with what serde and schemars derive, and a line that
    /// registers it.
    Hand,
    /// Our `#[tool]`.
    Tool,
    /// rmcp's `#[tool]`, with a struct for the arguments, as it needs one.
    Rmcp,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Hand, Self::Tool, Self::Rmcp];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hand => "hand",
            Self::Tool => "tool",
            Self::Rmcp => "rmcp",
        }
    }

    fn dependencies(self) -> String {
        let common = "serde = { version = \"1\", features = [\"derive\"] }\nschemars = \"1\"\n";
        let own = match self {
            Self::Hand => "serde_json = \"1\"\ninventory = \"0.3\"\n".to_owned(),
            Self::Tool => format!(
                "ludwire = {{ path = {:?}, default-features = false, features = [\"serve\"] }}\n",
                runtime()
            ),
            Self::Rmcp => "rmcp = \"=3.11.0\"\n".to_owned(),
        };
        format!("{common}{own}")
    }

    /// What stands once in a crate, and before and behind all methods.
    fn frame(self) -> [&'static str; 3] {
        match self {
            Self::Hand => [HAND, "", ""],
            Self::Tool => [TOOL, "", ""],
            Self::Rmcp => [RMCP, "#[tool_router]\nimpl Server {", RMCP_END],
        }
    }

    /// What stands in a crate for each tool, and what among the methods.
    fn tool(self) -> [&'static str; 3] {
        match self {
            Self::Hand => [ARGUMENTS, HAND_TOOL, ""],
            Self::Tool => ["", TOOL_TOOL, ""],
            Self::Rmcp => [ARGUMENTS, "", RMCP_TOOL],
        }
    }
}

fn runtime() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime").display().to_string()
}

pub(crate) fn name(way: Way, size: usize) -> String {
    format!("{}_{size}", way.name())
}

/// Writes a crate.
pub(crate) fn write(folder: &Path, way: Way, size: usize) {
    let name = name(way, size);
    let crate_folder = folder.join(&name);
    fs::create_dir_all(crate_folder.join("src")).expect("the folder can be made");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{}",
        way.dependencies()
    );
    fs::write(crate_folder.join("Cargo.toml"), manifest).expect("the manifest can be written");
    let [once, before, behind] = way.frame();
    let [arguments, item, method] = way.tool();
    let each = |template: &str| -> String {
        (0..size).map(|number| template.replace("{number}", &number.to_string())).collect()
    };
    let (items, methods) = (each(arguments) + &each(item), each(method));
    let source = format!("{SHARED}{once}{items}{before}{methods}{behind}");
    fs::write(crate_folder.join("src/lib.rs"), source).expect("the source can be written");
    if way == Way::Tool {
        fs::write(crate_folder.join("src/main.rs"), START.replace("{crate}", &name))
            .expect("it can be written");
    }
    let bytes = fs::metadata(crate_folder.join("src/lib.rs")).expect("it is there").len();
    println!("{name}: {bytes} bytes of source");
}

pub(crate) fn write_workspace(folder: &Path, ways: &[Way], sizes: &[usize]) {
    let members: Vec<String> =
        ways.iter().flat_map(|way| sizes.iter().map(|size| format!("{:?}", name(*way, *size)))).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest can be written");
}

/// Types that several tools take, as in a game.
const SHARED: &str = "
/// A tile of the map.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Point {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

/// What a tool did.
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Done {
    /// Where it happened.
    pub at: Point,
    /// How often.
    pub count: u32,
}

pub struct World {
    pub log: Vec<String>,
}
";

const HAND: &str = "
use serde_json::Value;
use std::any::Any;

pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub input: fn() -> schemars::Schema,
    pub output: fn() -> schemars::Schema,
    pub run: fn(&mut dyn Any, Value) -> Result<Value, String>,
}

inventory::collect!(Tool);
";

/// The arguments of a tool, where they are a struct.
const ARGUMENTS: &str = "
/// Does thing number {number}.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Thing{number} {
    /// Where it happens.
    at: Point,
    /// What it is called.
    label: String,
    /// How often.
    #[schemars(range(min = 1, max = 10))]
    count: Option<u32>,
    /// Whether all hear it.
    loud: bool,
}
";

const HAND_TOOL: &str = "
fn thing_{number}(world: &mut World, thing: Thing{number}) -> Result<Done, String> {
    if thing.loud {
        world.log.push(thing.label);
    }
    Ok(Done { at: thing.at, count: thing.count.unwrap_or({number}) })
}

inventory::submit! {
    Tool {
        name: \"thing/number_{number}\",
        description: \"Does thing number {number}.\",
        input: || schemars::schema_for!(Thing{number}),
        output: || schemars::schema_for!(Done),
        run: |state, arguments| {
            let world = state.downcast_mut().ok_or(\"another state\")?;
            let arguments = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
            let done = thing_{number}(world, arguments)?;
            serde_json::to_value(done).map_err(|error| error.to_string())
        },
    }
}
";

const TOOL: &str = "
use ludwire::{ToolError, tool};
";

const TOOL_TOOL: &str = "
/// Does thing number {number}.
#[tool(\"thing/number_{number}\")]
fn thing_{number}(
    world: &mut World,
    /// Where it happens.
    at: Point,
    /// What it is called.
    label: String,
    /// How often.
    #[arg(range = 1..=10)]
    count: Option<u32>,
    /// Whether all hear it.
    loud: bool,
) -> Result<Done, ToolError> {
    if loud {
        world.log.push(label);
    }
    Ok(Done { at, count: count.unwrap_or({number}) })
}
";

/// Tells how long a game with these tools takes to have a host: a line of two numbers, in milliseconds.
const START: &str = "
use std::time::Instant;

fn main() {
    // The first time pays for memory, too.
    for _ in 0..2 {
        let start = Instant::now();
        let tools = ludwire::registered::<{crate}::World>();
        let found = start.elapsed();
        let start = Instant::now();
        let host = ludwire::Host::builder(\"World\", \"1\").tools(tools).build().expect(\"the tools are right\");
        let built = start.elapsed();
        assert!(host.manifest()[\"tools\"][0][\"name\"].is_string());
        println!(\"{:.2} {:.2}\", found.as_secs_f64() * 1e3, built.as_secs_f64() * 1e3);
    }
}
";

const RMCP: &str = "
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{tool, tool_router};
use std::sync::Mutex;

pub struct Server {
    world: Mutex<World>,
}
";

const RMCP_TOOL: &str = "
    /// Does thing number {number}.
    #[tool(name = \"thing/number_{number}\")]
    fn thing_{number}(&self, Parameters(thing): Parameters<Thing{number}>) -> Result<Json<Done>, String> {
        if thing.loud {
            self.world.lock().map_err(|_| \"poisoned\")?.log.push(thing.label);
        }
        Ok(Json(Done { at: thing.at, count: thing.count.unwrap_or({number}) }))
    }
";

/// What nobody uses would not be compiled in full.
const RMCP_END: &str = "
}

pub fn router() -> rmcp::handler::server::router::tool::ToolRouter<Server> {
    Server::tool_router()
}
";
