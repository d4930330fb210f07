//! The ratios of `decode`, where memory comes from mimalloc.

#![expect(unreachable_pub, reason = "in a program nothing is reachable from outside")]

#[path = "decode/messages.rs"]
mod messages;
#[path = "decode/plain.rs"]
mod plain;
#[path = "decode/ratios.rs"]
mod ratios;
#[path = "decode/ways.rs"]
mod ways;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    ratios::print("mimalloc");
}
