//! Numbers among each other: as JSON values, whatever they are held as.

use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::support::{Decimal, Integer, Number};
use ludwire_codegen::{Formats, ModuleOptions, Support};
use std::hash::{DefaultHasher, Hash, Hasher};

fn hash(number: Number) -> u64 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn numbers_have_one_order_and_equal_ones_equal_hashes() {
    let float = |value: f64| Number::try_from(value).expect("it is finite");
    // Ascending; what stands together is equal.
    let numbers: Vec<Vec<Number>> = vec![
        vec![float(-1e300)],
        vec![float(-9_223_372_036_854_777_856.0)],
        // A double stands for its shortest digits, which is how it is written.
        vec![float(-9_223_372_036_854_775_808.0)],
        vec![Number::from(i64::MIN)],
        vec![float(-1.5)],
        vec![Number::from(-1i64), float(-1.0)],
        vec![Number::from(0u64), float(0.0), float(-0.0)],
        vec![float(0.5)],
        vec![Number::from(1u64), Number::from(1i64), float(1.0)],
        vec![Number::from(9_007_199_254_740_992u64), float(9_007_199_254_740_992.0)],
        vec![Number::from(9_007_199_254_740_993u64)],
        vec![Number::from(9_223_372_036_854_775_808u64)],
        vec![Number::from(9_223_372_036_854_776_000u64), float(9_223_372_036_854_775_808.0)],
        vec![Number::from(u64::MAX)],
        vec![float(18_446_744_073_709_551_616.0)],
        vec![float(1e300)],
    ];
    let all: Vec<(usize, Number)> = numbers
        .iter()
        .enumerate()
        .flat_map(|(place, same)| same.iter().map(move |number| (place, *number)))
        .collect();
    for (place, a) in &all {
        for (other, b) in &all {
            assert_eq!(a.cmp(b), place.cmp(other), "{a} and {b}");
            assert_eq!(a == b, place == other, "{a} and {b}");
            assert_eq!(a.decimal().cmp(&b.decimal()), place.cmp(other), "{a} and {b}");
            if place == other {
                assert_eq!(hash(*a), hash(*b), "{a} and {b}");
            }
        }
    }
}

#[test]
fn integers_come_from_those_of_rust() {
    for (integer, text) in [
        (Integer::from(7u8), "7"),
        (Integer::from(-7isize), "-7"),
        (Integer::from(7usize), "7"),
        (Integer::try_from(u128::from(u64::MAX)).expect("64 bits"), "18446744073709551615"),
        (Integer::try_from(i128::from(i64::MIN)).expect("64 bits"), "-9223372036854775808"),
    ] {
        assert_eq!(integer.to_string(), text);
    }
    let error = Integer::try_from(i128::from(u64::MAX) + 1).expect_err("65 bits");
    assert_eq!(error.to_string(), "must be an integer of 64 bits, found 18446744073709551616");
    assert_eq!(Decimal::from(u128::MAX).to_string(), u128::MAX.to_string());
    assert_eq!(Decimal::from(i128::MIN).to_string(), i128::MIN.to_string());
    assert_eq!(Decimal::from(-3i8), Decimal::from(-3i64));
    for (written, shown) in [
        ("0.291", "0.291"),
        ("-0.05", "-0.05"),
        ("2.5e-3", "0.0025"),
        ("1e-10", "0.0000000001"),
        ("1e-11", "0.1e-10"),
        ("1e-9223372036854775807", "0.1e-9223372036854775806"),
    ] {
        let number = Decimal::parse(written).unwrap_or_else(|| panic!("{written} is a number"));
        assert_eq!(number.to_string(), shown);
        assert_eq!(Decimal::parse(shown), Some(number), "{shown}");
    }
}

#[test]
fn what_cannot_be_told_from_its_neighbours_is_refused_with_the_reason() {
    let refused = |constant: &str| {
        let text = format!(r#"{{ "properties": {{ "a": {{ "enum": [{constant}, "x"] }} }} }}"#);
        let root = load::json("a.json", &text).expect("it is JSON");
        let documents = vec![Document::new("a.json", "a.json", text, root)];
        let options = ModuleOptions {
            root: None,
            formats: Formats::Assert,
            mappings: Vec::new(),
            support: Support::Inline,
            command: "ludwire emit".to_owned(),
        };
        let made = ludwire_codegen::module(Source { documents, ..Source::default() }, &options);
        made.err().map(|problems| problems.0[0].message.clone())
    };
    let least =
        "-9223372036854775808 can't be told here from the integers below it, which are beyond 64 bits";
    assert_eq!(refused("-9223372036854775808").as_deref(), Some(least));
    let beyond = "-9223372036854775809 is beyond 64 bits, and here it can't be told from its neighbours";
    assert_eq!(refused("-9223372036854775809").as_deref(), Some(beyond));
    for exact in ["-9223372036854775807", "9223372036854775807", "18446744073709551615"] {
        assert_eq!(refused(exact), None, "{exact}");
    }
}
