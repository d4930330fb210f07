//! Several games of one title, each a process, that have one bridge file.

use ludwire::client::Target;
use ludwire_tests::arena::{Arena, Peer, agent, fresh_path};
use serde_json::{Value, json};
use std::path::Path;

fn start(bridge_file: &Path) -> Arena {
    Arena::start_with(bridge_file, "127.0.0.1:0")
}

fn file(path: &Path) -> Value {
    let text = std::fs::read(path).expect("there is a bridge file");
    serde_json::from_slice(&text).expect("it is JSON, whoever has written it")
}

/// Whom agents find.
fn found(path: &Path) -> String {
    let looked = agent().arg("--bridge-file").arg(path).args(["call", "world/look"]).output();
    let looked = looked.expect("the agent runs");
    assert!(looked.status.success(), "{}", String::from_utf8_lossy(&looked.stderr));
    file(path)["transport"]["address"].as_str().expect("an address").to_owned()
}

#[test]
fn whoever_still_runs_is_found_in_whatever_order_the_others_end() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let path = fresh_path("copies.json");
        let mut games: Vec<Option<Arena>> = (0..3).map(|_| Some(start(&path))).collect();
        for at in order {
            let mut game = games[at].take().expect("it runs");
            assert_eq!(game.terminate(), Some(0));
            match games.iter().flatten().last() {
                Some(latest) => assert_eq!(found(&path), latest.address, "{order:?}"),
                None => assert!(!path.exists(), "{order:?}"),
            }
        }
    }
}

#[test]
fn those_that_were_killed_are_passed_over() {
    let path = fresh_path("killed.json");
    let first = start(&path);
    let mut killed = [start(&path), start(&path)];
    for game in &mut killed {
        game.child.kill().expect("it runs");
        game.child.wait().expect("it ends");
    }
    let left = file(&path);
    assert_eq!(left["transport"]["address"], *killed[1].address, "nobody has taken it away");
    // The one below them is found all the same, and the file stays as it is.
    assert_eq!(Target::from_bridge_file(&path).expect("it is there").address, first.address);
    let spawned = agent()
        .arg("--bridge-file")
        .arg(&path)
        .args(["call", "world/spawn", r#"{"kind":"elf","at":{"x":1,"y":2}}"#])
        .output()
        .expect("the agent runs");
    assert!(spawned.status.success(), "{}", String::from_utf8_lossy(&spawned.stderr));
    let seen = Peer::welcome(&first.address, left["replaced"][1]["token"].as_str().expect("a token"))
        .call("world/look", json!({}));
    assert_eq!(seen["result"]["entities"][0]["kind"], "elf", "{seen}");
    assert_eq!(file(&path), left);
    let mut third = start(&path);
    assert_eq!(found(&path), third.address);
    assert_eq!(file(&path)["replaced"].as_array().map(Vec::len), Some(1), "of those that are there");
    assert_eq!(third.terminate(), Some(0));
    assert_eq!(found(&path), first.address);
    assert_eq!(file(&path).get("replaced"), None);
}

/// Where nobody is left, whoever asks is told which game was the last.
#[test]
fn where_all_were_killed_the_last_one_is_named() {
    let path = fresh_path("all-killed.json");
    let mut killed = [start(&path), start(&path)];
    for game in &mut killed {
        game.child.kill().expect("it runs");
        game.child.wait().expect("it ends");
    }
    let asked = agent().arg("--bridge-file").arg(&path).arg("tools").output().expect("the agent runs");
    let said = String::from_utf8_lossy(&asked.stderr);
    assert_eq!(asked.status.code(), Some(2), "{said}");
    let last = format!("the game (process {}) that wrote {} is gone", killed[1].child.id(), path.display());
    assert!(said.contains(&last), "{said}");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn many_that_start_and_end_at_once_forget_nobody() {
    let path = fresh_path("many.json");
    let stays = start(&path);
    for _ in 0..3 {
        let games: Vec<Arena> = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..6).map(|_| scope.spawn(|| start(&path))).collect();
            starting.into_iter().map(|game| game.join().expect("it starts")).collect()
        });
        assert_eq!(file(&path)["replaced"].as_array().map(Vec::len), Some(6));
        std::thread::scope(|scope| {
            for mut game in games {
                scope.spawn(move || assert_eq!(game.terminate(), Some(0)));
            }
        });
        assert_eq!(found(&path), stays.address);
    }
    drop(stays);
}
