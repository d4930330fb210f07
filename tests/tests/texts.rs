//! Messages as text: what JSON lets a sender write in another way is the same message, and what is no
//! JSON is a syntax error.

use ludwire_protocols::support::DecodeError;
use ludwire_protocols::{aicc, aicontrol, gabp};
use ludwire_tests::edit::{Edit::Set, accepted};
use ludwire_tests::fixtures::{self, first};
use serde_json::{Value, json};

fn gabp_error(text: impl AsRef<[u8]>) -> DecodeError {
    gabp::decode(text.as_ref()).expect_err("it is no message")
}

#[test]
fn a_member_stands_once() {
    let text = first("gabp", "tools/call request").message.to_string();
    for (once, twice, pointer) in [
        (r#""v":"gabp/1""#, r#""v":"gabp/1","v":"gabp/1""#, "/v"),
        (r#""type":"request""#, r#""type":"request","\u0074ype":"request""#, "/type"),
        (r#""method":"tools/call""#, r#""method":"tools/call","method":"tools/list""#, "/method"),
        (r#""name":"#, r#""name":"a/b","name":"#, "/params/name"),
        (r#""params":{"#, r#""params":{"name":"a/b"},"params":{"#, "/params"),
    ] {
        let twice = text.replace(once, twice);
        assert_ne!(twice, text, "{once} is not in {text}");
        let error = gabp_error(&twice);
        assert_eq!((error.pointer(), error.message()), (pointer, "stands twice"), "{twice}");
    }
    let text = first("aicontrol", "act request").message.to_string();
    let twice = text.replace(r#""params":{"#, r#""params":{"mood":1,"mood":1,"#);
    let error = aicontrol::decode(twice.as_bytes()).expect_err("a member that is kept stands twice");
    assert_eq!((error.pointer(), error.message()), ("/params/mood", "stands twice"));
}

#[test]
fn numbers_may_have_any_form() {
    for form in ["4", "4.0", "4e0", "0.4e1", "400E-2", "4.000"] {
        let text =
            first("gabp", "event").message.to_string().replace(r#""seq":0"#, &format!(r#""seq":{form}"#));
        match gabp::decode(text.as_bytes()).expect(&text) {
            gabp::Message::Event(event) => assert_eq!(event.seq.as_u64(), Some(4), "{form}"),
            other => panic!("{}", other.name()),
        }
    }
    for form in ["-0", "-0.0", "0e99", "18446744073709551616", "1e300", "99999999999999999999999"] {
        let text =
            first("gabp", "event").message.to_string().replace(r#""seq":0"#, &format!(r#""seq":{form}"#));
        assert_eq!(gabp::decode(text.as_bytes()).expect(&text).name(), "event");
    }
    for form in ["4.5", "4e-1", "-1", "-1e300", "\"4\"", "true", "[4]"] {
        let text =
            first("gabp", "event").message.to_string().replace(r#""seq":0"#, &format!(r#""seq":{form}"#));
        assert_eq!(gabp_error(&text).pointer(), "/seq", "{text}");
    }
    // Beyond what a double holds there is no number, and no JSON of such a form.
    for form in ["1e400", "-1e999", "01", "+1", ".5", "1.", "0x10", "NaN", "Infinity", "-"] {
        let text =
            first("gabp", "event").message.to_string().replace(r#""seq":0"#, &format!(r#""seq":{form}"#));
        assert!(gabp_error(&text).is_syntax(), "{text}");
    }
}

#[test]
fn an_escaped_string_is_the_same_string() {
    let text = first("gabp", "tools/call request").message.to_string();
    for (plain, escaped) in [
        ("\"tools/call\"", r#""tools\/call""#),
        ("\"tools/call\"", r#""\u0074ools/c\u0061ll""#),
        ("\"gabp/1\"", r#""gabp\u002F1""#),
        ("\"method\"", r#""\u006dethod""#),
        ("\"params\"", r#""param\u0073""#),
        ("\"name\"", r#""n\u0061me""#),
    ] {
        let escaped = text.replace(plain, escaped);
        assert_ne!(escaped, text);
        assert_eq!(gabp::decode(escaped.as_bytes()), gabp::decode(text.as_bytes()), "{escaped}");
    }
}

#[test]
fn what_is_no_object_is_no_message() {
    for fixture in fixtures::all() {
        let values = fixture.message.as_object().expect("a message is an object").values().cloned().collect();
        for other in [Value::Array(values), json!([fixture.message]), json!(fixture.message.to_string())] {
            let error = fixture.read(other.to_string().as_bytes()).expect_err("no object");
            assert_eq!((error.pointer(), error.is_syntax()), ("", false), "{other}");
            assert!(error.message().starts_with("must be an object ("), "{error}");
        }
    }
    for text in ["null", "true", "1", "\"\"", "[]"] {
        assert!(gabp_error(text).message().starts_with("must be an object (GABP 1.0 message)"), "{text}");
        assert_eq!(aicc::decode(text.as_bytes()).expect_err(text).pointer(), "");
        assert_eq!(aicontrol::decode(text.as_bytes()).expect_err(text).pointer(), "");
    }
}

#[test]
fn what_is_no_json_is_a_syntax_error() {
    for fixture in fixtures::all() {
        let text = fixture.message.to_string();
        for (end, _) in text.char_indices() {
            let error = fixture.read(&text.as_bytes()[..end]).expect_err("the end is missing");
            assert!(error.is_syntax(), "{}\n{error}", &text[..end]);
        }
        for trailing in ["x", "}", ",", "null", "{}", "\u{0}", "//"] {
            let error = fixture.read(format!("{text} {trailing}").as_bytes()).expect_err("something follows");
            assert!(error.is_syntax(), "{text} {trailing}\n{error}");
        }
        assert!(fixture.read(format!("\u{FEFF}{text}").as_bytes()).expect_err("a BOM").is_syntax());
        assert!(fixture.read(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).is_err());
        assert!(fixture.read(format!(" \r\n\t{text}\n\n").as_bytes()).is_ok());
    }
    // The version is wrong as well, but that is for a document that is one.
    for end in ["", ",", "}}", "} x", ",\"id\":01}"] {
        let error = gabp_error(format!("{{\"v\":\"gabp/2\"{end}"));
        assert_eq!((error.is_syntax(), error.pointer()), (true, ""), "{end}");
    }
    for text in ["", " ", "{", "{]", "{'v':1}", r#"{"v":}"#, r#"{"v" "gabp/1"}"#, "{\"v\":\"gabp\n/1\"}"] {
        assert!(gabp_error(text).is_syntax(), "{text}");
    }
}

#[test]
fn strings_are_unicode() {
    let text = first("gabp", "tools/call request").message.to_string();
    let with = |inside: &[u8]| {
        let (start, end) = text.split_once("\"params\":{").expect("it has params");
        let argument = [b"\"params\":{\"arguments\":{\"a\":\"", inside, b"\"},"].concat();
        [start.as_bytes(), &argument, end.as_bytes()].concat()
    };
    assert!(gabp::decode(&with("\u{1F47A}".as_bytes())).is_ok());
    assert!(gabp::decode(&with(br"\ud83d\udc7a")).is_ok());
    for (bytes, why) in [
        (&b"\xff"[..], "a byte that UTF-8 does not have"),
        (b"\xc3", "half of a character"),
        (b"\xed\xa0\x80", "a surrogate in UTF-8"),
        (b"\xf4\x90\x80\x80", "beyond the last code point"),
        (b"\xc0\x80", "an overlong form"),
        (br"\ud83d", "a high surrogate alone"),
        (br"\udc7a", "a low surrogate alone"),
        (br"\ud83d\ud83d", "two high surrogates"),
        (br"\ud83d\u0041", "a surrogate and a letter"),
        (br"\u12", "a short escape"),
        (br"\x41", "an escape that JSON does not have"),
        (b"\x00", "a control character"),
        (b"\t", "a tabulator"),
    ] {
        assert!(gabp_error(with(bytes)).is_syntax(), "{why}");
    }
    // The same in a name of a member and in a constant, which nothing keeps.
    assert!(gabp_error(b"{\"v\xff\":1}").is_syntax());
    assert!(gabp_error(br#"{"v":"gabp/1\ud800"}"#).is_syntax());
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    for depth in [200, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for fixture in fixtures::all() {
                let text = fixture.message.to_string();
                let inside = format!("{{\"zzz\":{value},{}", &text[1..]);
                let error = fixture.read(inside.as_bytes()).expect_err("too deep, or unknown");
                assert!(error.pointer().len() < 2_000, "{}", error.pointer().len());
                assert!(fixture.read(value.as_bytes()).is_err());
            }
        }
    }
    // What is not too deep is read, wherever it stands.
    let value = (0..120).fold(json!(1), |inner, _| json!([inner]));
    accepted("gabp", "tools/call request", Set("/params/arguments", json!({ "a": value })));
    accepted("gabp", "response", Set("/result", value.clone()));
    accepted("aicc", "event", Set("/payload", json!({ "a": value })));
    accepted("aicontrol", "ping request", Set("/params/zzz", value));
}
