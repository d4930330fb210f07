//! Nothing that is written down holds a token, whatever is looked for.

use ludwire::client::gabp::Client;
use ludwire::client::{ClientError, Target, block_on};
use ludwire::{Gabp, Host, registered, tool};
use ludwire_tests::arena::{Peer, fresh_path, hello, request, wait_for};
use ludwire_tests::log::Log;
use serde_json::json;
use tracing::Level;

/// Echoes.
#[tool("test/echo")]
fn echo(text: String) -> String {
    text
}

#[test]
fn tokens_are_in_no_log_and_messages_are() {
    let log = Log::of_all(Level::TRACE);

    let (right, wrong) = ("right-token-right-token-right-token", "wrong-token-wrong-token-wrong-token");
    let path = fresh_path("secret.json");
    let gabp = Gabp::tcp("127.0.0.1:0").token(right).bridge_file(&path);
    let shown = format!("{gabp:?}");
    let host =
        Host::<()>::builder("Secrets", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let address = host.endpoints()[0].address.clone();
    let mut peer = Peer::welcome(&address, right);
    assert_eq!(
        peer.call("test/echo", json!({ "text": "a-text-to-find" }))["result"]["result"],
        "a-text-to-find"
    );
    // Once more, and where it does not belong.
    assert!(peer.ask("session/hello", hello(right))["result"].is_object());
    let mut misplaced = request(1, "session/hello", &hello(right));
    misplaced["params"]["token"] = json!([right]);
    peer.send(&misplaced);
    let told = peer.read().expect("an answer").to_string();
    assert_eq!(Peer::stranger(&address).ask("session/hello", hello(wrong))["error"]["code"], -32101);
    let mut foreign = Peer::stranger(&address);
    foreign.raw(format!("GET /?token={right} HTTP/1.1\r\n\r\n").as_bytes());
    assert_eq!(foreign.read(), None);
    let target = Target::from_bridge_file(&path).expect("it is there");
    let client = block_on::<_, ClientError>(async {
        let connect = Client::to(&target);
        let shown = format!("{connect:?}");
        Ok(format!("{shown} {:?}", connect.connect().await?))
    });
    let client = client.expect("it is welcome");
    let shown = format!("{shown} {target:?} {client} {host:?} {told}");
    let said = wait_for("the log", || {
        let text = log.text();
        (text.contains("wrong tokens were shown") && text.contains("speaks no GABP")).then_some(text)
    });
    for token in [right, wrong] {
        assert!(!said.contains(token), "{said}");
        assert!(!shown.contains(token), "{shown}");
    }
    // Received and answered.
    assert_eq!(said.matches("a-text-to-find").count(), 2, "{said}");
    drop(host);
}
