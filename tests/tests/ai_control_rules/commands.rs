//! The members of commands.

use super::*;

/// What the tool was given by a command with this member.
fn aimed(member: &str, value: Value) -> Value {
    let game = Game::open();
    let mut client = game.client();
    let mut command = json!({ "type": "unit/aim" });
    command[member] = value;
    let completed = client.carry_out(&command);
    assert_eq!(completed["success"], true, "{completed}");
    completed["result"].clone()
}

#[test]
fn ai_control_protocol_command_type() {
    let game = Game::open();
    let mut client = game.client();
    let unknown = client.carry_out(&json!({ "type": "unit/stepp" }));
    assert_eq!(unknown["success"], false);
    assert!(unknown["message"].as_str().expect("a text").contains("did you mean `unit/step`"), "{unknown}");
}

#[test]
fn ai_control_protocol_command_target_id() {
    assert_eq!(aimed("targetId", json!("orc-7"))["target"], "orc-7");
    assert_eq!(aimed("targetId", json!(7))["target"], "7", "the game has texts");
    assert_eq!(aimed("target_id", json!("orc"))["target"], "orc");
}

#[test]
fn ai_control_protocol_command_item_id() {
    assert_eq!(aimed("itemId", json!(9))["item"], 9);
    assert_eq!(aimed("itemId", json!("9"))["item"], 9, "the game has numbers");
}

#[test]
fn ai_control_protocol_command_aux_id() {
    assert_eq!(aimed("auxId", json!(-4))["aux"], "-4");
    assert_eq!(aimed("auxId", json!("-4"))["aux"], "-4");
}

#[test]
fn ai_control_protocol_command_x() {
    assert_eq!(aimed("x", json!(5))["at"], json!([5, 0]));
}

#[test]
fn ai_control_protocol_command_y() {
    assert_eq!(aimed("y", json!(-5))["at"], json!([0, -5]));
}

#[test]
fn ai_control_protocol_command_screen_x() {
    assert_eq!(aimed("screenX", json!(640.0))["on_screen"], json!([640, 0]));
}

#[test]
fn ai_control_protocol_command_screen_y() {
    assert_eq!(aimed("screenY", json!(480))["on_screen"], json!([0, 480]));
}

#[test]
fn ai_control_protocol_command_int_arg() {
    assert_eq!(aimed("intArg", json!(42))["int"], 42);
}

#[test]
fn ai_control_protocol_command_string_arg() {
    assert_eq!(aimed("stringArg", json!("a \"b\""))["string"], "a \"b\"");
}

#[test]
fn ai_control_protocol_command_append() {
    assert_eq!(aimed("append", json!(true))["append"], true);
    assert_eq!(aimed("append", json!(false))["append"], false);
    let game = Game::open();
    let mut client = game.client();
    let step = client.carry_out(&json!({ "type": "unit/step", "append": false }));
    assert_eq!(step["success"], true, "absent means false: {step}");
    let step = client.carry_out(&json!({ "type": "unit/step", "append": true }));
    assert_eq!(step["success"], false, "a tool that cannot must not be asked to: {step}");
    assert_eq!(step["problems"][0]["pointer"], "/append");
}
