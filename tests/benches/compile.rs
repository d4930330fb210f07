//! How long it takes to compile tools: `#[tool]`, beside a function that a person registers by hand, with
//! a struct for its arguments that derives what must be derived, and beside rmcp's `#[tool]`.
//!
//! Makes crates in a folder for temporary files, with 1, 100 and 500 tools each way, and builds each of
//! them several times when all they depend on is built. The ways take turns, so that whatever else the
//! machine does hits all of them. What counts is the processor's time, which others disturb least, of
//! cargo and rustc together, less what cargo takes to see that there is nothing to do, which is the last number
//! of a cell: that depends on how many packages a crate has below it and on where they lie, not on tools. The
//! times are medians. It says how many bytes of code each crate has, too; and
//! how long a program with so many of our tools takes to find them and to build a host, optimised.
//!
//! `LUDWIRE_SIZES=1,100` makes other sizes, `LUDWIRE_ROUNDS=9` more turns, `LUDWIRE_WAYS=hand,tool` fewer
//! ways. Needs Linux, whose `/proc` tells the time of processes.

#![expect(clippy::expect_used, reason = "a bench that cannot measure has nothing else to do")]

#[path = "compile/crates.rs"]
mod crates;

use crates::Way;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SIZES: [usize; 3] = [1, 100, 500];
const ROUNDS: usize = 5;

fn main() {
    let setting = |name: &str| std::env::var(name).ok();
    let sizes: Vec<usize> = match setting("LUDWIRE_SIZES") {
        Some(list) => list.split(',').map(|size| size.parse().expect("sizes are numbers")).collect(),
        None => SIZES.to_vec(),
    };
    let rounds = setting("LUDWIRE_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().expect("a number"));
    let wanted = setting("LUDWIRE_WAYS");
    let ways: Vec<Way> = Way::ALL
        .into_iter()
        .filter(|way| wanted.as_ref().is_none_or(|list| list.split(',').any(|name| name == way.name())))
        .collect();
    let folder = std::env::temp_dir().join("ludwire-compile");
    for way in &ways {
        for size in &sizes {
            crates::write(&folder, *way, *size);
        }
    }
    crates::write_workspace(&folder, &ways, &sizes);
    for verb in ["check", "build"] {
        println!(
            "\n{verb}: seconds of the processor, as a ratio to the first way, and of cargo with nothing to do"
        );
        for size in &sizes {
            measure(&folder, verb, *size, &ways, rounds);
        }
    }
    if ways.contains(&Way::Tool) {
        println!("\nstart: milliseconds");
        sizes.iter().for_each(|size| start(&folder, *size));
    }
}

/// Starts a program with tools some times, and prints a line.
fn start(folder: &Path, size: usize) {
    let name = crates::name(Way::Tool, size);
    let run = |_| {
        let output = cargo(folder, "run", &name).arg("--release").output().expect("cargo runs");
        assert!(output.status.success(), "{name} does not run");
        let text = String::from_utf8(output.stdout).expect("numbers are ASCII");
        let line = text.lines().last().expect("a line");
        let numbers: Vec<f64> = line.split(' ').map(|text| text.parse().expect("a number")).collect();
        [numbers[0], numbers[1]]
    };
    let runs: Vec<[f64; 2]> = (0..5).map(run).collect();
    let [found, built] =
        [0, 1].map(|index| median(&mut runs.iter().map(|run| run[index]).collect::<Vec<_>>()));
    println!("{size:4} tools   found {found:8.2}   built {built:8.2}");
}

/// Builds each way in turn, and prints a line.
fn measure(folder: &Path, verb: &str, size: usize, ways: &[Way], rounds: usize) {
    // What they depend on, and whatever a first time costs.
    for way in ways {
        build(folder, verb, *way, size);
    }
    let mut times: Vec<[Vec<f64>; 2]> = vec![[Vec::new(), Vec::new()]; ways.len()];
    for round in 0..rounds {
        for turn in 0..ways.len() {
            let turn = (turn + round) % ways.len();
            let [build_times, idle_times] = &mut times[turn];
            build_times.push(build(folder, verb, ways[turn], size));
            idle_times.push(run(folder, verb, ways[turn], size));
        }
    }
    let medians: Vec<[f64; 2]> = times
        .iter_mut()
        .map(|[build, idle]| [median(build), median(idle)])
        .map(|[build, idle]| [build - idle, idle])
        .collect();
    let cells: Vec<String> = ways
        .iter()
        .zip(&medians)
        .map(|(way, [time, idle])| {
            format!("{} {time:6.2} s {:5.2}x ({idle:.2} s)", way.name(), time / medians[0][0])
        })
        .collect();
    println!("{size:4} tools   {}", cells.join("   "));
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Builds one crate anew; the processor's time in seconds.
fn build(folder: &Path, verb: &str, way: Way, size: usize) -> f64 {
    let name = crates::name(way, size);
    let source = folder.join(&name).join("src/lib.rs");
    // cargo looks at the time of the last change.
    let text = fs::read(&source).expect("the crate is there");
    fs::write(&source, text).expect("the crate can be written");
    run(folder, verb, way, size)
}

/// Lets cargo build what is to be built; the processor's time in seconds.
fn run(folder: &Path, verb: &str, way: Way, size: usize) -> f64 {
    let name = crates::name(way, size);
    let before = children();
    let status = cargo(folder, verb, &name).arg("--lib").status().expect("cargo runs");
    assert!(status.success(), "{name} does not build");
    children() - before
}

fn cargo(folder: &Path, verb: &str, package: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([verb, "--quiet", "--package", package])
        .current_dir(folder)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .stdin(Stdio::null());
    cargo
}

/// Seconds that the processor has worked for processes that this one has waited for.
fn children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux has this file");
    // The name of the program comes first, in brackets.
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks = |index: usize| -> f64 {
        fields.split_whitespace().nth(index).and_then(|ticks| ticks.parse().ok()).expect("a number")
    };
    // `cutime` and `cstime`, in hundredths of a second.
    (ticks(13) + ticks(14)) / 100.0
}
