//! The generated `Service` and `Requests`: every request gets to its method, and comes back as its response.

use ludwire_protocols::gabp::{
    self, EnvelopeError, Message, NonEmptyString, Requests as _, Unanswered, error_codes, methods,
};
use ludwire_protocols::support::Uuid;
use ludwire_protocols::{aicc, aicontrol};
use ludwire_tests::decode::decode_response;
use ludwire_tests::fixtures::{self, Fixture};
use serde_json::{Map, Value, json};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// What a future gives that waits for nothing.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("it waits for something"),
    }
}

/// The result of the first good response to `method` among the fixtures.
fn result_of(protocol: &'static str, method: &str) -> Value {
    let answers = |fixture: &Fixture| {
        fixture.answers.as_deref() == Some(method)
            && fixture.message.get("result").is_some_and(|r| r.is_object())
    };
    let found = fixtures::of(protocol).into_iter().find(answers);
    found.unwrap_or_else(|| panic!("no response to {method}")).message["result"].clone()
}

fn failure(code: i64, message: &str) -> EnvelopeError {
    EnvelopeError {
        code: code.into(),
        message: NonEmptyString::try_from(message).expect("it is not empty"),
        data: Some(json!({ "hint": 1 })),
    }
}

/// Answers with what stands in the fixtures; or refuses everything, before or after.
#[derive(Clone, Copy, PartialEq)]
enum Game {
    Plays,
    Fails,
    SaysTooMuch,
}

impl Game {
    fn give<T: serde::de::DeserializeOwned>(self, method: &str) -> Result<T, EnvelopeError> {
        match self {
            Self::Fails => Err(failure(error_codes::TOOL_EXECUTION_FAILED, method)),
            _ => Ok(serde_json::from_value(result_of("gabp", method)).expect("a fixture is a result")),
        }
    }
}

macro_rules! service {
    ($($name:ident($params:ty) -> $result:ty = $method:ident;)+) => {
        impl gabp::Service for Game {
            $(async fn $name(&self, _: $params) -> Result<$result, EnvelopeError> {
                self.give(methods::$method)
            })+
            async fn other(&self, method: gabp::MethodName, _: Map<String, Value>) -> Result<Value, EnvelopeError> {
                match self {
                    Self::Fails => Err(failure(error_codes::METHOD_NOT_FOUND, method.as_str())),
                    _ => Ok(json!(method.as_str())),
                }
            }
            fn written(&self, method: &str, response: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, EnvelopeError> {
                match self {
                    Self::SaysTooMuch => Err(failure(error_codes::INTERNAL_ERROR, method)),
                    _ => Ok(response.expect("a fixture can be written")),
                }
            }
        }
    };
}

service! {
    attention_ack(gabp::AttentionAckParams) -> gabp::AttentionAckResult = ATTENTION_ACK;
    attention_current(gabp::AttentionCurrentParams) -> gabp::AttentionCurrentResult = ATTENTION_CURRENT;
    events_list(Map<String, Value>) -> gabp::EventsListResult = EVENTS_LIST;
    events_subscribe(gabp::EventsSubscribeParams) -> gabp::EventsSubscribeResult = EVENTS_SUBSCRIBE;
    events_unsubscribe(gabp::EventsUnsubscribeParams) -> gabp::EventsUnsubscribeResult = EVENTS_UNSUBSCRIBE;
    resources_list(gabp::ResourcesListParams) -> gabp::ResourcesListResult = RESOURCES_LIST;
    resources_read(gabp::ResourcesReadParams) -> gabp::ResourcesReadResult = RESOURCES_READ;
    session_goodbye(gabp::SessionGoodbyeParams) -> Value = SESSION_GOODBYE;
    session_hello(gabp::ReceivedSessionHelloParams) -> gabp::SessionWelcomeResult = SESSION_HELLO;
    session_ping(Map<String, Value>) -> Value = SESSION_PING;
    state_get(Option<gabp::StateGetParams>) -> gabp::StateGetResult = STATE_GET;
    state_set(gabp::StateSetParams) -> gabp::StateSetResult = STATE_SET;
    tools_call(gabp::ReceivedToolsCallParams) -> Value = TOOLS_CALL;
    tools_get(gabp::ToolsGetParams) -> gabp::ToolsGetResult = TOOLS_GET;
    tools_list(gabp::ToolsListParams) -> gabp::ToolsListResult = TOOLS_LIST;
}

/// The answer to a message, if it gets one.
fn answer(game: Game, message: &Value) -> Option<Value> {
    let message = gabp::decode(message.to_string().as_bytes()).expect("a fixture can be read");
    let answer = now(gabp::dispatch(&game, message))?.expect("it can be written");
    Some(serde_json::from_slice(&answer).expect("it is JSON"))
}

#[test]
fn each_request_gets_to_its_method_and_back() {
    let mut asked = Vec::new();
    for fixture in fixtures::of("gabp").iter().filter(|fixture| fixture.answers.is_none()) {
        let (message, is) = (&fixture.message, &fixture.is);
        let Some(played) = answer(Game::Plays, message) else {
            assert!(!is.ends_with("request"), "{is} has no answer");
            continue;
        };
        let method = message["method"].as_str().expect("only requests are answered");
        let text = played.to_string();
        let response = decode_response("gabp", method, text.as_bytes())
            .unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(played["id"], message["id"], "{is}");
        if methods::ALL.contains(&method) {
            assert_eq!(
                (response.name, &played["result"]),
                (&*format!("{method} response"), &result_of("gabp", method))
            );
            asked.push(method.to_owned());
        } else {
            assert_eq!((response.name, &played["result"]), ("response", &json!(method)));
        }
        for (game, code) in [
            (Game::Fails, if methods::ALL.contains(&method) { -32402 } else { -32601 }),
            (Game::SaysTooMuch, -32603),
        ] {
            let failed = answer(game, message).expect("a failure is an answer, too");
            assert_eq!(failed["error"], json!({ "code": code, "message": method, "data": { "hint": 1 } }));
            assert_eq!((failed.get("result"), &failed["id"]), (None, &message["id"]), "{is}");
        }
    }
    asked.sort();
    asked.dedup();
    assert_eq!(
        asked,
        methods::ALL
            .iter()
            .map(|method| (*method).to_owned())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_request_says_what_it_asks_for_and_can_be_refused() {
    for fixture in fixtures::of("gabp").iter().filter(|fixture| fixture.answers.is_none()) {
        let message = gabp::decode(fixture.message.to_string().as_bytes()).expect("a fixture can be read");
        assert_eq!(message.asks(), fixture.message["method"].as_str(), "{}", fixture.is);
        let is_request = message.asks().is_some();
        let refused = gabp::refuse(message, failure(-1, "no"));
        assert_eq!(refused.is_some(), is_request, "{}", fixture.is);
        if let Some(refused) = refused {
            let refused: Value = serde_json::from_slice(&refused.expect("it can be written")).expect("JSON");
            assert_eq!((&refused["id"], &refused["error"]["code"]), (&fixture.message["id"], &json!(-1)));
        }
    }
}

/// The side of AiControl that answers.
struct Bridge;

impl aicontrol::Service for Bridge {
    async fn auth(&self, _: aicontrol::AuthParams) -> Result<aicontrol::AuthResult, aicontrol::Error> {
        self.give("auth")
    }
    async fn ping(&self, _: Map<String, Value>) -> Result<aicontrol::PingResult, aicontrol::Error> {
        self.give("ping")
    }
    async fn status(&self, _: Map<String, Value>) -> Result<aicontrol::StatusResult, aicontrol::Error> {
        self.give("status")
    }
    async fn observe(&self, _: Map<String, Value>) -> Result<aicontrol::ObserveResult, aicontrol::Error> {
        self.give("observe")
    }
    async fn events(&self, _: aicontrol::EventsParams) -> Result<aicontrol::EventsResult, aicontrol::Error> {
        self.give("events")
    }
    async fn act(&self, _: aicontrol::Command) -> Result<aicontrol::ActResult, aicontrol::Error> {
        self.give("act")
    }
    fn written(&self, _: &str, response: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, aicontrol::Error> {
        Ok(response.expect("a fixture can be written"))
    }
}

impl Bridge {
    fn give<T: serde::de::DeserializeOwned>(&self, method: &str) -> Result<T, aicontrol::Error> {
        Ok(serde_json::from_value(result_of("aicontrol", method)).expect("a fixture is a result"))
    }
}

#[test]
fn ids_come_back_as_they_were() {
    for id in [json!(7), json!("seven"), json!(null), json!([1]), json!({ "a": 1 })] {
        let mut ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping", "params": {} });
        let answer = |message: &Value| -> Value {
            let message = aicontrol::decode(message.to_string().as_bytes()).expect("a ping");
            let answer = now(aicontrol::dispatch(&Bridge, message)).expect("a ping is answered");
            serde_json::from_slice(&answer.expect("it can be written")).expect("JSON")
        };
        assert_eq!(
            answer(&ping),
            json!({ "jsonrpc": "2.0", "id": id, "result": result_of("aicontrol", "ping") })
        );
        ping.as_object_mut().expect("an object").remove("id");
        assert_eq!(answer(&ping)["id"], json!(null));
    }
}

#[test]
fn what_is_no_request_is_not_answered() {
    let event =
        gabp::decode(fixtures::first("gabp", "event").message.to_string().as_bytes()).expect("an event");
    assert!(matches!(event, Message::Event(_)) && now(gabp::dispatch(&Game::Plays, event)).is_none());
    // A protocol whose messages are no requests has no service; its messages are read all the same.
    let heartbeat = fixtures::first("aicc", "heartbeat").message.to_string();
    assert_eq!(aicc::decode(heartbeat.as_bytes()).expect("a heartbeat").name(), "heartbeat");
}

/// Carries requests to a game, without anything in between; the game's answer may be replaced.
struct Carrier {
    game: Game,
    instead: Option<&'static str>,
}

impl gabp::Requests for Carrier {
    type Error = Unanswered;

    async fn exchange<F>(&self, method: &str, request: F) -> Result<Vec<u8>, Unanswered>
    where
        F: FnOnce(Uuid) -> serde_json::Result<Vec<u8>> + Send,
    {
        let id: Uuid = "11111111-2222-4333-8444-555555555555".parse().expect("a UUID");
        let written = request(id).expect("it can be written");
        let message = gabp::decode(&written).expect("it is a message");
        assert_eq!(message.asks(), Some(method));
        let answer = gabp::dispatch(&self.game, message).await.expect("it is a request");
        let answer = answer.expect("it can be written");
        assert_eq!(serde_json::from_slice::<Value>(&answer).expect("JSON")["id"], id.as_str());
        Ok(self.instead.map_or(answer, |text| text.as_bytes().to_vec()))
    }
}

/// The parameters of the first request of a method among the fixtures.
fn params_of<T: serde::de::DeserializeOwned>(method: &str) -> T {
    let request = fixtures::of("gabp").into_iter().find(|fixture| fixture.is == format!("{method} request"));
    let params = request.expect("there is a request of each method").message["params"].take();
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params).unwrap_or_else(|error| panic!("{method}: {error}"))
}

#[test]
fn who_asks_gets_what_the_service_gives() {
    /// What a method gives, or refuses, as JSON.
    fn told<T: serde::Serialize>(result: Result<T, Unanswered>) -> Result<Value, (Value, Option<i64>)> {
        match result {
            Ok(result) => Ok(json!(result)),
            Err(Unanswered::Refused(error)) => Err((json!(error.message), error.code.as_i64())),
            Err(other) => panic!("{other:?}"),
        }
    }
    for game in [Game::Plays, Game::Fails] {
        let carrier = Carrier { game, instead: None };
        macro_rules! asked {
            ($($name:ident = $method:ident;)+) => {
                [$((methods::$method, told(now(carrier.$name(params_of(methods::$method)))))),+]
            };
        }
        let asked = asked! {
            attention_ack = ATTENTION_ACK;
            attention_current = ATTENTION_CURRENT;
            events_list = EVENTS_LIST;
            events_subscribe = EVENTS_SUBSCRIBE;
            events_unsubscribe = EVENTS_UNSUBSCRIBE;
            resources_list = RESOURCES_LIST;
            resources_read = RESOURCES_READ;
            session_goodbye = SESSION_GOODBYE;
            session_hello = SESSION_HELLO;
            session_ping = SESSION_PING;
            state_get = STATE_GET;
            state_set = STATE_SET;
            tools_call = TOOLS_CALL;
            tools_get = TOOLS_GET;
            tools_list = TOOLS_LIST;
        };
        assert_eq!(asked.len(), methods::ALL.len());
        for (method, told) in asked {
            let expected = match game {
                Game::Plays => Ok(result_of("gabp", method)),
                _ => Err((json!(method), Some(error_codes::TOOL_EXECUTION_FAILED))),
            };
            assert_eq!(told, expected, "{method}");
        }
    }
    let dance = gabp::MethodName::try_from("my-game/dance").expect("a name");
    let carrier = Carrier { game: Game::Plays, instead: None };
    assert_eq!(told(now(carrier.other(dance, Map::new()))), Ok(json!("my-game/dance")));
}

#[test]
fn what_answers_nothing_is_said_to() {
    let head = r#"{"v":"gabp/1","type":"response","id":"11111111-2222-4333-8444-555555555555""#;
    for (rest, pointer, words) in [
        (r#","result":{"tools":[7]}}"#, "/result/tools/0", "must be an object"),
        (r#","result":{}}"#, "/result/tools", "is missing"),
        ("}", "/result", "is missing"),
        (r#","error":{"code":"no","message":"x"}}"#, "/error/code", "must be an integer"),
        ("", "", "is no JSON"),
    ] {
        let text: &'static str = Box::leak(format!("{head}{rest}").into_boxed_str());
        let carrier = Carrier { game: Game::Plays, instead: Some(text) };
        let unanswered = now(carrier.tools_list(gabp::ToolsListParams::default())).expect_err("it is wrong");
        let Unanswered::Undecodable(error) = unanswered else { panic!("{text}: {unanswered:?}") };
        assert_eq!(error.pointer(), pointer, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}
