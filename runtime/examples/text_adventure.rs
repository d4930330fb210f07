//! A cellar with a door that is locked, for agents that like to read.
//!
//! ```text
//! cargo run -p ludwire --example text_adventure
//! ```
//!
//! It prints where it listens; `ludwire-agent` plays it. With `--manifest` it prints what it offers as JSON
//! instead, for `ludwire docs --manifest`.

use clap::Parser;
use ludwire::{Budget, Call, Event, Gabp, Host, Page, ToolError, registered, resource, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A place in the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Room {
    Hall,
    Kitchen,
    Cellar,
}

/// A way out of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    North,
    South,
    Up,
    Down,
}

/// Something that can be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Item {
    Key,
    Lamp,
    Cheese,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Hero {
    /// As others call them.
    name: String,
    /// What they carry.
    bag: BTreeSet<Item>,
}

/// A room, as somebody sees it who stands in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct View {
    /// Its name.
    room: Room,
    /// What it looks like.
    text: &'static str,
    /// What lies there.
    items: BTreeSet<Item>,
    /// Where one can go from here.
    ways: BTreeMap<Direction, Room>,
}

/// The hero has come into a room.
#[derive(Serialize, JsonSchema, Event)]
#[event("hero/entered")]
struct Entered<'a> {
    /// Which.
    room: Room,
    /// What they say to that.
    remark: &'a str,
}

/// The clock in the hall strikes.
#[derive(Serialize, JsonSchema, Event)]
#[event("clock/struck")]
struct Struck {
    /// How often.
    hour: u8,
}

/// The house, and who is in it.
pub(crate) struct House {
    hero: Hero,
    here: Room,
    lying: BTreeMap<Item, Room>,
    unlocked: bool,
    hour: u8,
    /// What has happened so far.
    story: Vec<String>,
}

impl Default for House {
    fn default() -> Self {
        Self {
            hero: Hero { name: "Ada".to_owned(), bag: BTreeSet::new() },
            here: Room::Hall,
            lying: BTreeMap::from([
                (Item::Key, Room::Kitchen),
                (Item::Lamp, Room::Hall),
                (Item::Cheese, Room::Cellar),
            ]),
            unlocked: false,
            hour: 8,
            story: vec!["You wake up in the hall of a house that is not yours.".to_owned()],
        }
    }
}

#[tools]
impl House {
    /// Shows the room that the hero stands in.
    #[tool("room/look", class = sensor, read_only)]
    fn look(&self) -> Result<View, ToolError> {
        if self.here == Room::Cellar && !self.hero.bag.contains(&Item::Lamp) {
            return Err(ToolError::failed("it is pitch dark; a lamp would help"));
        }
        Ok(self.view(self.here))
    }

    /// Goes to the next room.
    ///
    /// Fails where there is no way, or a door is locked.
    #[tool("hero/go")]
    fn go(
        &mut self,
        call: &Call,
        /// Which way.
        direction: Direction,
    ) -> Result<Room, ToolError> {
        let ways = self.view(self.here).ways;
        let room = *ways.get(&direction).ok_or_else(|| {
            let ways: Vec<String> =
                ways.iter().map(|(way, room)| format!("{way:?} to the {room:?}")).collect();
            ToolError::failed(format!("there is no way {direction:?}, but {}", ways.join(" and ")))
        })?;
        if room == Room::Cellar && !self.unlocked {
            return Err(ToolError::failed("the door to the cellar is locked; a key would help"));
        }
        self.here = room;
        self.tell(format!("You go {direction:?}, to the {room:?}."));
        let remark = if room == Room::Cellar { "I smell cheese." } else { "Hm." };
        call.emit(&Entered { room, remark });
        Ok(room)
    }

    /// Takes something that lies in the room. The key opens the cellar.
    #[tool("item/take", examples = [{ "item": "lamp" }])]
    fn take(
        &mut self,
        /// What.
        item: Item,
    ) -> Result<Hero, ToolError> {
        if self.lying.get(&item) != Some(&self.here) {
            return Err(ToolError::failed(format!("no {item:?} lies here")));
        }
        self.lying.remove(&item);
        self.hero.bag.insert(item);
        self.unlocked |= item == Item::Key;
        self.tell(format!("You take the {item:?}."));
        Ok(self.hero.clone())
    }

    /// Waits until the clock in the hall strikes an hour, while the game goes on.
    #[tool("hero/wait", timeout = 20)]
    async fn wait(
        call: &Call,
        /// The hour, from 1 to 12.
        #[arg(range = 1..=12)]
        hour: u8,
    ) -> Result<String, ToolError> {
        loop {
            let now = call.on_game(|house: &mut Self| house.hour).await?;
            if now == hour {
                return Ok(format!("It is {hour} o'clock."));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A room that the hero need not stand in, for those who know the house.
    #[resource("gabp://game/rooms/{room}", name = "Room")]
    fn room(&self, room: Room) -> View {
        self.view(room)
    }

    /// What has happened so far, line by line.
    #[resource("gabp://game/story{?limit,offset}", name = "Story")]
    fn story(
        &self,
        /// At most so many lines.
        #[arg(default = 20, range = 1..=100)]
        limit: usize,
        /// So many lines are skipped.
        #[arg(default = 0)]
        offset: usize,
    ) -> Page<String> {
        Page::of(self.story.iter().cloned(), limit, offset)
    }

    /// The hero, and what is in their bag.
    #[state("hero")]
    fn hero(&self) -> Hero {
        self.hero.clone()
    }

    #[state("hero", write)]
    fn set_hero(
        &mut self,
        /// With a name.
        hero: Hero,
    ) -> Result<(), ToolError> {
        if hero.name.trim().is_empty() {
            return Err(ToolError::failed("a hero has a name"));
        }
        self.unlocked |= hero.bag.contains(&Item::Key);
        self.lying.retain(|item, _| !hero.bag.contains(item));
        self.hero = hero;
        Ok(())
    }

    /// The hour that the clock shows.
    #[state("hour")]
    fn hour(&self) -> u8 {
        self.hour
    }

    /// What the hero sees.
    #[observe]
    fn observe(&self) -> Result<View, ToolError> {
        self.look()
    }

    fn view(&self, room: Room) -> View {
        let (text, ways): (_, &[_]) = match room {
            Room::Hall => (
                "A hall with a clock. Through a door it smells of soup.",
                &[(Direction::North, Room::Kitchen)],
            ),
            Room::Kitchen => (
                "A kitchen. Steps lead down to a door.",
                &[(Direction::South, Room::Hall), (Direction::Down, Room::Cellar)],
            ),
            Room::Cellar => ("A cellar full of barrels.", &[(Direction::Up, Room::Kitchen)]),
        };
        let lying = self.lying.iter().filter(|(_, place)| **place == room);
        View {
            room,
            text,
            items: lying.map(|(item, _)| *item).collect(),
            ways: ways.iter().copied().collect(),
        }
    }

    fn tell(&mut self, line: String) {
        self.story.push(line);
    }

    /// An hour has passed.
    pub(crate) fn tick(&mut self, host: &Host<Self>) {
        self.hour = self.hour % 12 + 1;
        host.emit(&Struck { hour: self.hour });
    }
}

/// How the game is played.
#[resource("gabp://game/rules", mime = "text/markdown")]
fn rules() -> &'static str {
    "# Rules\n\nFind the cheese. `room/look` shows where you are, `hero/go` takes you on.\n"
}

/// A cellar with a door that is locked, for agents that like to read.
#[derive(Parser)]
struct Options {
    /// Print what the game offers as JSON, and exit.
    #[arg(long)]
    manifest: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    // Whoever ends the game lets the host go, and with it the file that says where it listens.
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    let builder =
        Host::builder("The cheese in the cellar", env!("CARGO_PKG_VERSION")).tools(registered::<House>());
    if options.manifest {
        println!("{:#}", builder.build()?.manifest());
        return Ok(());
    }
    let host = builder.serve(Gabp::from_env()).start()?;
    for endpoint in host.endpoints() {
        println!("{endpoint}");
    }
    let mut house = House::default();
    let mut frames = (1..=FRAMES_OF_AN_HOUR).cycle();
    while !stop.load(Ordering::Relaxed) {
        host.run(&mut house, Budget::millis(4));
        std::thread::sleep(Duration::from_millis(20));
        if frames.next() == Some(FRAMES_OF_AN_HOUR) {
            house.tick(&host);
        }
    }
    Ok(())
}

const FRAMES_OF_AN_HOUR: u32 = 50;
