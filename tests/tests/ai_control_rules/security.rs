//! The security boundary.

use super::*;

#[test]
fn ai_control_protocol_security_disabled_default() {
    let arena = Arena::start();
    assert_eq!(
        arena.ready.as_object().map(|ready| ready.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["gabp".to_owned()])
    );
    let host = Host::builder("Rules", "1").tools(registered::<World>()).build().expect("it is built");
    assert!(host.endpoints().is_empty());
}

#[test]
fn ai_control_protocol_security_loopback_default() {
    let game = Game::open();
    assert!(game.address.starts_with("127.0.0.1:"));
    let (reason, _) = refused(AiControl::at("0.0.0.0:0").token_env(&TOKEN_VARIABLE.0));
    assert!(reason.contains("loopback only"), "{reason}");
}

#[test]
fn ai_control_protocol_security_remote_token() {
    for front_end in [
        AiControl::at("0.0.0.0:0"),
        AiControl::at("0.0.0.0:0").without_token(),
        AiControl::at("0.0.0.0:0").token_env("LUDWIRE_NOT_SET"),
    ] {
        let (reason, _) = refused(front_end.allow_remote());
        assert!(reason.contains("a token must be given"), "{reason}");
    }
    let game = Game::start(AiControl::at("0.0.0.0:0").allow_remote().token_env(&TOKEN_VARIABLE.0));
    let local = game.address.replace("0.0.0.0", "127.0.0.1");
    assert_eq!(Client::connect(&local).refusal("ping", &json!({})).0, UNAUTHORIZED);
    Client::authorized(&local, &token());
}

#[test]
fn ai_control_protocol_security_secret_input() {
    // Neither program has an option that takes a token, and what is shown of a front end holds none.
    for mut program in [agent(), ludwire_tests::arena::arena()] {
        let help = program.arg("--help").output().expect("it runs");
        let help = String::from_utf8(help.stdout).expect("it is text");
        let options: Vec<&str> =
            help.split_whitespace().filter(|word| word.starts_with("--") && word.contains("token")).collect();
        assert!(options.iter().all(|option| *option == "--token-env"), "{options:?}");
    }
    let shown = format!("{:?}", AiControl::on(0).token_env(&TOKEN_VARIABLE.0));
    assert!(!shown.contains(&token()), "{shown}");
}
