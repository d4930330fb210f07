//! What the formats of strings take, beside what the cases of the scale say of them.

use ludwire_codegen::support::Format;

fn check(format: Format, right: &[&str], wrong: &[&str]) {
    for text in right {
        assert!(format.accepts(text), "{format:?} refuses {text:?}");
    }
    for text in wrong {
        assert!(!format.accepts(text), "{format:?} accepts {text:?}");
    }
}

#[test]
fn encoded_labels_stand_for_international_ones() {
    let right = [
        "xn--bcher-kva.example",
        "XN--BCHER-KVA.Example",
        "xn--mller-kva",
        "xn--fuball-cta",
        "xn--p1ai",
        "xn--80ak6aa92e.com",
        "xn--zckzah",
        "xn--strae-oqa.xn--bcher-kva",
        "a--b.example",
    ];
    let wrong = [
        // No Punycode: a digit is missing, is none, or leads out of Unicode.
        "xn--x",
        "xn--",
        "xn---bcher",
        "xn--b_cher",
        "xn--99999999",
        "xn--zzzzzzzzzzzzzzzzzzzzzzzzzz",
        // What it stands for is ASCII, or a surrogate.
        "xn--abc-",
        "xn--0f0c",
        // Or no right label: `Ü`, `bÜcher`, `♥`, `-ü`, `ü-`, `öa--b`, `l·a`, a mark before `b`.
        "xn--wca",
        "xn--bcher-2pa.example",
        "xn--tda.xn--g6h",
        "xn----eha",
        "xn----dha",
        "xn--a--b-4qa",
        "xn--la-0ea",
        "xn--b-bcb",
        // No prefix that has a meaning.
        "ab--cd.example",
    ];
    check(Format::Hostname, &right, &wrong);
    check(Format::IdnHostname, &right, &wrong);
    check(Format::Hostname, &[], &["bücher.example", "a。b", "b\u{308}"]);
}

#[test]
fn international_labels_are_of_letters_digits_and_marks() {
    check(
        Format::IdnHostname,
        &[
            "bücher.example",
            "Example.COM",
            "straße.example",
            "москва.рф",
            "παράδειγμα.δοκιμή",
            "例え.テスト",
            "日本。東京．新宿｡一",
            "उदाहरण.परीक्षा",
            "ไทย",
            "한국",
            "7号",
            "a-ö",
            "𠮷野家",
        ],
        &[
            // Capital letters, also those of other widths and of other scripts, and compatibility forms.
            "Bücher",
            "ÖBB",
            "МОСКВА",
            "ａ",
            "ﬁn",
            "x²",
            "ª",
            "ⅷ",
            // Symbols, punctuation, spaces, controls, what is for nobody or for private use.
            "i♥rust",
            "😀",
            "ö!",
            "ö_a",
            "ö a",
            "ö\u{A0}a",
            "ö\n",
            "ö\u{85}",
            "ö\u{2028}a",
            "ö\u{AD}a",
            "ö\u{200B}a",
            "ö\u{FE0F}",
            "ö\u{E000}",
            "ö\u{378}",
            "ö\u{FFFF}",
            "\u{3164}",
            // Marks for symbols, music, single jamo.
            "a\u{20D0}",
            "ö\u{1D165}",
            "\u{1100}\u{1161}",
            // Hyphens and dots at wrong places.
            "-ö",
            "ö-",
            "öa--b",
            "xn--ö",
            "ö..a",
            ".ö",
            "ö.",
            "ö。",
        ],
    );
}

#[test]
fn some_characters_need_a_context() {
    check(
        Format::IdnHostname,
        &[
            "col·lecció",
            "l·l·l",
            "͵β",
            "ג׳ירפה",
            "צה״ל",
            "コーヒー・ショップ",
            "東京・abc",
            "سال۱۴۰۳",
            "عام٢٠٢٤",
            "नाम\u{94D}\u{200D}य",
            "न\u{94D}\u{200C}य",
            "نامه\u{200C}ای",
            "\u{628}\u{64E}\u{200C}\u{628}",
        ],
        &[
            "col·a",
            "ö·l",
            "l··l",
            "β͵",
            "͵б",
            "a״b",
            "׳א",
            "ö・ö",
            "۱٢",
            "٢a۱",
            "न\u{200D}य",
            "न\u{200C}य",
            "ه\u{200C}",
            "\u{200C}ه",
            "a\u{200C}ه",
            "ö\u{200D}",
        ],
    );
}

#[test]
fn lengths_are_those_in_ascii() {
    let name = |label: &str, count: usize| vec![label; count].join(".");
    let longest = format!("{}ü", "a".repeat(55));
    let coded = "xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-8yf";
    assert_eq!(coded.len(), 63);
    check(Format::IdnHostname, &[&longest, coded], &[&format!("a{longest}")]);
    check(Format::Hostname, &[&name(&"a".repeat(63), 3), &name("a", 127)], &[&name("a", 128)]);
    // Each is `xn--tda` in ASCII.
    check(Format::IdnHostname, &[&name("ü", 31), &name("ü", 1)], &[&name("ü", 32)]);
    for long in ["ü".repeat(1 << 20), "ü.".repeat(1 << 20), "xn--a".repeat(1 << 20)] {
        check(Format::IdnHostname, &[], &[&long]);
    }
}

#[test]
fn international_mail_has_more_letters() {
    let both =
        ["a@b.example", "\"a b\"@c", "a+b@[127.0.0.1]", "a@[IPv6:::1]", "a@[ipv6:::1]", "a@xn--bcher-kva"];
    let more =
        ["jörg@bücher.example", "用户@例え.テスト", "\"ö \\\" ß\"@b", "ö.ß@[IPv6:::1]", "a@bücher", "♥@a"];
    let none = [
        "",
        "@",
        "ö",
        "ö@",
        "@ö",
        "ö@Ö",
        "ö..ß@a",
        ".ö@a",
        "ö ß@a",
        "\"ö@a",
        "\"\\ö\"@a",
        "a@ö。a",
        "a@xn--x",
        "a@[::1]",
        "a@[IPv6:127.0.0.1]",
        "a@[IPvö]",
    ];
    check(Format::Email, &both, &more);
    check(Format::Email, &[], &none);
    check(Format::IdnEmail, &both, &none);
    check(Format::IdnEmail, &more, &[]);
    // The local part is counted in octets.
    check(Format::IdnEmail, &[&format!("{}@a", "ö".repeat(32))], &[&format!("{}@a", "ö".repeat(33))]);
}

#[test]
fn templates_are_literals_and_expressions() {
    check(
        Format::UriTemplate,
        &[
            "",
            "/",
            "{a}",
            "{a}{b}",
            "http://host{/path*}{?page,size}{&more*}{#at:12}",
            "{+base}/x{;v}{.ext}",
            "{a.b,c_d:9999,%41b,1}",
            "{=later}{,a}{!a}{@a}{|a}",
            "it's%20so",
            "/straße/{st%C3%BCck}",
            "\u{E000}\u{10FFFD}",
        ],
        &[
            "{",
            "}",
            "{}",
            "{+}",
            "{a",
            "a}",
            "{{a}}",
            "{a}}",
            "{a,}",
            "{,}",
            "{a,,b}",
            "{++a}",
            "{a b}",
            "{a-b}",
            "{ä}",
            "{.a.}",
            "{..a}",
            "{a..b}",
            "{a:}",
            "{a:0}",
            "{a:01}",
            "{a:10000}",
            "{a:1:2}",
            "{a:+1}",
            "{a:1*}",
            "{a**}",
            "{*}",
            "{:1}",
            "{a%4}",
            "{a%}",
            "50%",
            "%4",
            "%zz",
            "%€",
            "%4{a}1",
            "a b",
            "a\"",
            "<a>",
            "a\\b",
            "a^b",
            "a`b",
            "a|b",
            "a\n",
            "a\u{7F}",
            "a\u{85}",
            "\u{FFFE}",
            "\u{FDD0}",
            "\u{1FFFF}",
            "\u{E0001}",
        ],
    );
}
