//! The ways beside each other. All take turns, round after round, so that whatever else the machine
//! does hits all of them; a ratio is the median of the rounds.

use crate::messages::{AnyEventsPage, AnyToolsList, EventsPage, SessionInit, Subject, ToolsCall, ToolsList};
use crate::ways::{Message, checked, decode, plain_read, read, strict, value, write_plain, write_strict};
use std::time::{Duration, Instant};

/// Prints the table. `allocator` is where memory comes from.
pub fn print(allocator: &str) {
    println!("\nratios, memory from {allocator}");
    println!(
        "                                  strict     read   decode   strict     read   decode    value    write"
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
