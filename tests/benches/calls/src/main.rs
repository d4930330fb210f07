//! Calls of a tool over TCP: Ludwire's GABP, beside rmcp's server and beside a bare tokio loop that parses a
//! request, repeats its arguments and writes them; and what a host that serves takes of memory.
//!
//! Each server is this program again, with a tokio runtime of two threads. One and the same load generator
//! puts the same call to each of them on one connection, with one call in flight and with 64. They take
//! turns, round after round, so that whatever else the machine does hits all of them; a number is the median
//! of the rounds. `cargo run --release --manifest-path tests/benches/calls/Cargo.toml`.
//!
//! `LUDWIRE_ROUNDS=15` makes more rounds, `LUDWIRE_ONLY=ludwire` asks one server only, for a profiler. The
//! memory is measured on Linux only, whose `/proc` tells it.

#![allow(clippy::expect_used, reason = "a bench that cannot measure has nothing else to do")]

mod load;
mod memory;
mod servers;

use load::Load;
use servers::{Kind, Server};
use std::time::Duration;

/// Calls of a round with 64 in flight, and with one.
const MANY: usize = 20_000;
const ONE: usize = 3_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, kind] = &arguments[..]
        && verb == "serve"
    {
        return Kind::named(kind).serve();
    }
    let rounds = std::env::var("LUDWIRE_ROUNDS").map_or(9, |rounds| rounds.parse().expect("a number"));
    let only = std::env::var("LUDWIRE_ONLY").ok();
    let kinds =
        Kind::SPEAKING.into_iter().filter(|kind| only.as_ref().is_none_or(|only| kind.name() == only));
    let mut loads: Vec<(Kind, Server, Load)> = kinds
        .map(|kind| {
            let server = Server::start(kind);
            let load = Load::connect(kind, &server.address);
            (kind, server, load)
        })
        .collect();
    let mut results = vec![(Vec::new(), Vec::new()); loads.len()];
    for round in 0..=rounds {
        for turn in 0..loads.len() {
            let turn = (turn + round) % loads.len();
            let (_, _, load) = &mut loads[turn];
            let many = load.many(MANY, 64);
            let one = load.one(ONE);
            // The first time pays for memory, too.
            if round > 0 {
                results[turn].0.push(MANY as f64 / many.as_secs_f64());
                results[turn].1.push(one.as_secs_f64() * 1e6);
            }
        }
    }
    let medians: Vec<_> = results.iter_mut().map(|(many, one)| (median(many), median(one))).collect();
    println!("{:<28} {:>16} {:>14}", "", "64 in flight", "1 in flight");
    for ((kind, ..), (many, one)) in loads.iter().zip(&medians) {
        println!("{:<28} {many:>12.0}/s {one:>11.1} µs (p50)", kind.title());
    }
    let of = |wanted: Kind| loads.iter().position(|(kind, ..)| *kind == wanted).map(|index| medians[index]);
    if let Some(own) = of(Kind::Ludwire) {
        for other in [Kind::Rmcp, Kind::Bare, Kind::BareTogether] {
            let Some((many, one)) = of(other) else { continue };
            let (many, one) = (own.0 / many, own.1 / one);
            println!("to {:<25} {many:>13.2}x {one:>13.2}x", kind_words(other));
        }
    }
    drop(loads);
    if cfg!(target_os = "linux") && only.is_none() {
        memory::measure();
    }
}

fn kind_words(kind: Kind) -> &'static str {
    kind.title()
}

/// The one in the middle.
fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The duration in the middle.
fn middle(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}
