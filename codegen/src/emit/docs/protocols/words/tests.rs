use super::*;
use crate::emit::docs::templates::said;
use crate::ir::{Constant, Map, Sealed, TypeDef};
use crate::json::Json;

/// A protocol of types without sections, but for `Linked`, the first.
fn words(shapes: Vec<Shape>) -> (Protocol, BTreeMap<TypeId, (String, String)>) {
    let shapes = [Shape::Alias(TypeRef::Any)].into_iter().chain(shapes);
    let types = shapes.map(|shape| TypeDef {
        name: "Name".to_owned(),
        title: None,
        description: None,
        place: Default::default(),
        shape,
        recursive: false,
        far: false,
        reading: None,
    });
    let sections = BTreeMap::from([(TypeId(0), ("Linked".to_owned(), "#linked".to_owned()))]);
    (Protocol { types: types.collect(), ..Protocol::default() }, sections)
}

fn say(ty: TypeRef, shapes: Vec<Shape>) -> (String, Vec<String>) {
    let (protocol, sections) = words(shapes);
    let described = Words { protocol: &protocol, sections }.describe(&ty);
    (said("type_of", &described.ty), described.rules.iter().map(|rule| said("rule", rule)).collect())
}

fn named(id: usize) -> TypeRef {
    TypeRef::Named(TypeId(id))
}

#[test]
fn types_have_plain_words() {
    let list = |ty| TypeRef::List(Box::new(ty));
    let or_null = |ty| TypeRef::Nullable(Box::new(ty));
    for (ty, expected) in [
        (TypeRef::Text, "text"),
        (TypeRef::Integer, "integer"),
        (TypeRef::Bool, "true or false"),
        (TypeRef::Any, "any JSON value"),
        (TypeRef::Object, "object"),
        (named(0), "[Linked](#linked)"),
        (list(named(0)), "list of [Linked](#linked)"),
        (or_null(named(0)), "[Linked](#linked) or null"),
        (list(or_null(TypeRef::Text)), "list of (text or null)"),
        (or_null(list(TypeRef::Text)), "list of text or null"),
        (TypeRef::Map(Box::new(TypeRef::Number)), "object with values: number"),
    ] {
        assert_eq!(say(ty, Vec::new()), (expected.to_owned(), Vec::new()));
    }
    assert_eq!(say(TypeRef::Uuid, Vec::new()), ("text".to_owned(), vec!["UUID".to_owned()]));
}

#[test]
fn text_and_numbers_say_their_rules() {
    let text = |min_length, max_length| TextRules { min_length, max_length, ..TextRules::default() };
    for (rules, expected) in [
        (text(Some(1), Some(200)), "1 to 200 characters"),
        (text(Some(1), None), "at least 1 character"),
        (text(None, Some(8)), "at most 8 characters"),
        (text(Some(0), Some(8)), "at most 8 characters"),
        (text(Some(5), Some(5)), "exactly 5 characters"),
        (text(None, Some(0)), "no characters"),
    ] {
        assert_eq!(say(named(1), vec![Shape::Text(rules)]), ("text".to_owned(), vec![expected.to_owned()]));
    }
    let bound = |value: &str, exclusive| Some(Bound { value: value.to_owned(), exclusive });
    for (minimum, maximum, expected) in [
        (bound("0", false), None, "at least 0"),
        (bound("0", true), None, "above 0"),
        (None, bound("9", false), "at most 9"),
        (None, bound("9", true), "below 9"),
        (bound("1", false), bound("9.5", false), "1 to 9.5"),
        (bound("1", false), bound("1", false), "exactly 1"),
        (bound("1", true), bound("9", false), "above 1; at most 9"),
    ] {
        let rules = NumberRules { minimum, maximum, ..NumberRules::default() };
        let (ty, rules) = say(named(1), vec![Shape::Number(rules)]);
        assert_eq!((ty.as_str(), rules.join("; ").as_str()), ("number", expected));
    }
}

#[test]
fn rules_of_parts_say_which_part() {
    let list = List { items: named(2), min_items: Some(1), max_items: Some(3), unique: true };
    let tag = TextRules {
        patterns: vec!["^a".to_owned()],
        formats: vec!["colour".to_owned()],
        ..Default::default()
    };
    assert_eq!(
        say(named(1), vec![Shape::List(list), Shape::Text(tag.clone())]),
        (
            "list of text".to_owned(),
            ["1 to 3 items", "no two equal", "each: format `colour`", "each: matches `^a`"]
                .map(str::to_owned)
                .into()
        )
    );
    let map = Map { names: tag, values: named(0), min_members: Some(1), max_members: None };
    assert_eq!(
        say(named(1), vec![Shape::Map(map)]),
        (
            "object with values: [Linked](#linked)".to_owned(),
            ["at least 1 member", "each name: format `colour`", "each name: matches `^a`"]
                .map(str::to_owned)
                .into()
        )
    );
}

#[test]
fn a_single_constant_is_always_it() {
    let value = Node { value: Json::String("a".to_owned()), span: Default::default() };
    let one = Enum { variants: vec![Constant { rust: "A".to_owned(), value, description: None }] };
    assert_eq!(say(named(1), vec![Shape::Enum(one)]), ("text".to_owned(), vec!["always `\"a\"`".to_owned()]));
}

#[test]
fn a_checked_value_says_its_type_and_its_rules() {
    let check = Check::All(vec![
        Check::Kinds(vec![JsonType::String, JsonType::Null]),
        Check::Text(TextRules { min_length: Some(2), ..TextRules::default() }),
    ]);
    assert_eq!(
        say(named(1), vec![Shape::Value(check)]),
        ("text or null".to_owned(), vec!["at least 2 characters".to_owned()])
    );
}

#[test]
fn a_tuple_says_its_places() {
    let tuple =
        |items, rest| Tuple { items, required: 1, rest, min_items: None, max_items: None, unique: true };
    let name = Shape::Text(TextRules { min_length: Some(1), ..TextRules::default() });
    let full = Shape::Tuple(tuple(vec![named(2), TypeRef::Bool], Some(TypeRef::Number)));
    assert_eq!(
        say(named(1), vec![full, name]),
        (
            "list of: text, at least 1 character; true or false, optional; then any number of number"
                .to_owned(),
            vec!["no two equal".to_owned()]
        )
    );
    assert_eq!(say(named(1), vec![Shape::Tuple(tuple(Vec::new(), None))]).0, "empty list");
}

#[test]
fn a_sealed_type_says_what_it_is_and_what_binds_it() {
    let check = Check::Text(TextRules { max_length: Some(3), ..TextRules::default() });
    let sealed = Shape::Sealed(Sealed { inner: TypeRef::Text, check });
    assert_eq!(say(named(1), vec![sealed]), ("text".to_owned(), vec!["at most 3 characters".to_owned()]));
}

/// The lowering marks such a type as recursive, and it gets a section; this must end all the same.
#[test]
fn a_type_that_holds_itself_ends() {
    let list = List { items: named(1), min_items: None, max_items: None, unique: false };
    assert_eq!(say(named(1), vec![Shape::List(list)]).0, "list of `Name`");
}
