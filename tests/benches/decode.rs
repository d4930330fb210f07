//! How long it takes to read a message: into the generated type by serde_json (strict), by the
//! generated `from_slice` (read) and by `decode`; into a derived type that checks nothing (plain);
//! into a `serde_json::Value` (value), and from there through a validator into that type (checked).
//! Then how long it takes to write one.
//!
//! After divan's table comes one of ratios, which `decode_mimalloc` prints too: much of reading is
//! the allocator's work, so it matters whose it is.

#![expect(unreachable_pub, reason = "in a program nothing is reachable from outside")]

#[path = "decode/messages.rs"]
mod messages;
#[path = "decode/plain.rs"]
mod plain;
#[path = "decode/ratios.rs"]
mod ratios;
#[path = "decode/ways.rs"]
mod ways;

use divan::Bencher;
use messages::{AnyEventsPage, AnyToolsList, EventsPage, SessionInit, Subject, ToolsCall, ToolsList};
use ways::*;

fn main() {
    divan::main();
    ratios::print("the system's allocator");
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
