//! How long it takes to read a message: into the generated type by serde_json (strict), by the
//! generated `from_slice` (read) and by `decode`; into a derived type that checks nothing (plain);
//! into a `serde_json::Value` (value), and from there through a validator into that type (checked).
//! Then how long it takes to write one.
//!
//! After divan's table comes one of ratios. For it all ways take turns, round after round, so that
//! whatever else the machine does hits all of them; a ratio is the median of the rounds.

#![expect(unreachable_pub, reason = "in a program nothing is reachable from outside")]

#[path = "decode/messages.rs"]
mod messages;
#[path = "decode/plain.rs"]
mod plain;

use divan::Bencher;
use jsonschema::Validator;
use ludwire_protocols::support::from_slice;
use ludwire_tests::protocol::{self, Form};
use messages::{AnyEventsPage, AnyToolsList, EventsPage, SessionInit, Subject, ToolsCall, ToolsList};
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

fn main() {
    divan::main();
    println!(
        "\nratios                            strict     read   decode   strict     read   decode    value    write"
    );
    println!(
        "                                  /plain   /plain   /plain /checked /checked /checked /checked   /plain"
    );
    row::<ToolsCall>();
    row::<ToolsList>();
    row::<AnyToolsList>();
    row::<SessionInit>();
    row::<EventsPage>();
    row::<AnyEventsPage>();
}

macro_rules! ways {
    ($($way:ident: $make:expr;)*) => {$(
        #[divan::bench(types = [ToolsCall, ToolsList, AnyToolsList, SessionInit, EventsPage, AnyEventsPage])]
        fn $way<S: Subject>(bencher: Bencher) {
            let message = Message::new::<S>();
            let mut way = $make(&message);
            bencher.bench_local(|| way());
        }
    )*};
}
ways! {
    a_strict: strict::<S>;
    b_read: read::<S>;
    c_decode: decode::<S>;
    d_plain: plain_read::<S>;
    e_value: value;
    f_checked: checked::<S>;
    g_write_strict: write_strict::<S>;
    h_write_plain: write_plain::<S>;
}

/// A message as bytes, and the validator that knows its schema.
struct Message {
    bytes: Vec<u8>,
    validator: Validator,
}

impl Message {
    fn new<S: Subject>() -> Self {
        let bytes = json(&S::plain());
        let (protocol, schema) = S::SCHEMA;
        let validator = protocol::named(protocol, Form::Written).oracle().validator(schema);
        let value: Value = parsed(&bytes);
        assert!(validator.is_valid(&value), "{} must be valid", S::NAME);
        Self { bytes, validator }
    }
}

fn strict<S: Subject>(message: &Message) -> impl FnMut() -> S::Strict {
    || parsed(&message.bytes)
}

fn read<S: Subject>(message: &Message) -> impl FnMut() -> S::Strict {
    || from_slice(divan::black_box(&message.bytes)).expect("the message is valid")
}

fn decode<S: Subject>(message: &Message) -> impl FnMut() -> S::Message {
    || S::decode(&message.bytes).expect("the message is valid")
}

fn plain_read<S: Subject>(message: &Message) -> impl FnMut() -> S::Plain {
    || parsed(&message.bytes)
}

fn value(message: &Message) -> impl FnMut() -> Value {
    || parsed(&message.bytes)
}

fn checked<S: Subject>(message: &Message) -> impl FnMut() -> S::Plain {
    || {
        let value: Value = parsed(&message.bytes);
        assert!(message.validator.is_valid(&value), "the message is valid");
        serde_json::from_value(value).expect("the message has this shape")
    }
}

fn write_strict<S: Subject>(message: &Message) -> impl FnMut() -> Vec<u8> {
    let value: S::Strict = parsed(&message.bytes);
    move || json(&value)
}

fn write_plain<S: Subject>(message: &Message) -> impl FnMut() -> Vec<u8> {
    let value: S::Plain = parsed(&message.bytes);
    move || json(&value)
}

fn parsed<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(divan::black_box(bytes)).expect("the message is valid")
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(divan::black_box(value)).expect("the message can be written")
}

const ROUNDS: usize = 201;

/// Long enough that what came before is forgotten, short enough that the next way meets the same
/// machine.
const TURN: Duration = Duration::from_micros(500);

fn row<S: Subject>() {
    let message = Message::new::<S>();
    let mut turns: [Box<dyn FnMut() -> f64 + '_>; 8] = [
        Box::new(turn(strict::<S>(&message))),
        Box::new(turn(read::<S>(&message))),
        Box::new(turn(decode::<S>(&message))),
        Box::new(turn(plain_read::<S>(&message))),
        Box::new(turn(value(&message))),
        Box::new(turn(checked::<S>(&message))),
        Box::new(turn(write_strict::<S>(&message))),
        Box::new(turn(write_plain::<S>(&message))),
    ];
    let [strict, read, decode, plain, value, checked, write_strict, write_plain] = [0, 1, 2, 3, 4, 5, 6, 7];
    let rounds: Vec<[f64; 8]> = (0..ROUNDS)
        .map(|round| {
            let mut times = [0.0; 8];
            // Who begins changes, so that nobody always comes after the same one.
            for way in (0..8).map(|at| (at + round) % 8) {
                times[way] = turns[way]();
            }
            times
        })
        .collect();
    let ratio = |a: usize, b: usize| {
        let mut ratios: Vec<f64> = rounds.iter().map(|times| times[a] / times[b]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ROUNDS / 2]
    };
    print!("{:31}", S::NAME);
    for (a, b) in [
        (strict, plain),
        (read, plain),
        (decode, plain),
        (strict, checked),
        (read, checked),
        (decode, checked),
        (value, checked),
        (write_strict, write_plain),
    ] {
        print!(" {:7.2}x", ratio(a, b));
    }
    println!();
}

/// Times a way, in nanoseconds a call. What it makes is dropped after the clock has stopped.
fn turn<T>(mut way: impl FnMut() -> T) -> impl FnMut() -> f64 {
    for _ in 0..20 {
        drop(way());
    }
    let start = Instant::now();
    drop(way());
    let calls = (TURN.as_nanos() / start.elapsed().as_nanos().max(1)).clamp(1, 1000) as usize;
    // Kept from round to round, so that no turn pays for memory that nobody has used before.
    let mut made = Vec::with_capacity(calls);
    move || {
        let start = Instant::now();
        for _ in 0..calls {
            made.push(divan::black_box(way()));
        }
        let time = start.elapsed();
        made.clear();
        time.as_nanos() as f64 / calls as f64
    }
}
