//! What a host takes of memory: the pages of its process, beside the same program without one.

use crate::load::Load;
use crate::servers::{Kind, Server};
use std::time::Duration;

const CONNECTIONS: usize = 500;

pub(crate) fn measure() {
    let bare = Server::start(Kind::Nothing);
    let host = Server::start(Kind::Ludwire);
    let (without, idle) = (settled(&bare), settled(&host));
    // The first one pays for what all share.
    let mut first = Load::connect(Kind::Ludwire, &host.address);
    first.many(1000, 64);
    let before = settled(&host);
    let mut loads: Vec<Load> =
        (0..CONNECTIONS).map(|_| Load::connect(Kind::Ludwire, &host.address)).collect();
    let open = settled(&host);
    for load in &mut loads {
        load.many(10, 1);
    }
    let used = settled(&host);
    let each = |after: u64| (after - before) as f64 / CONNECTIONS as f64;
    println!(
        "\nidle host               {:>8.2} MiB over the process without one",
        (idle - without) as f64 / 1024.0
    );
    println!("a connection            {:>8.1} KiB, after ten calls {:.1} KiB", each(open), each(used));
}

/// KiB that a process has, once that no longer changes.
fn settled(server: &Server) -> u64 {
    let mut last = 0;
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let now = resident(server.id());
        if now == last {
            return now;
        }
        last = now;
    }
}

fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux has this file");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line of it");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}
