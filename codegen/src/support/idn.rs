//! Host names, in ASCII (RFC 1123) and international (RFC 5890 to 5893).
//!
//! Some of what IDNA asks of a label needs tables that are not at hand, and is not asked here, so
//! that a label is taken rather than refused: that it is in normalization form C, that its
//! directions go together (RFC 5893), and that a zero width non-joiner without a virama before it
//! stands between letters which join (the letters around it need only be of a script that joins).

use super::punycode;
use std::sync::LazyLock;

/// The dots between the labels of an international name.
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The longest label, in ASCII.
const LONGEST_LABEL: usize = 63;

/// The longest name, in ASCII.
const LONGEST_NAME: usize = 253;

/// What is before the Punycode in the ASCII form of a label.
const PREFIX: &str = "xn--";

/// Whether a text is a host name in ASCII. Its labels with `xn--` must stand for a right one.
pub(super) fn hostname(text: &str) -> bool {
    name(text.split('.'), ascii_label)
}

/// Whether a text is a host name, in ASCII or not.
pub(super) fn idn_hostname(text: &str) -> bool {
    name(text.split(DOTS), any_label)
}

/// Whether a text is the domain of an international e-mail address (RFC 6531), which has one dot.
pub(super) fn idn_domain(text: &str) -> bool {
    name(text.split('.'), any_label)
}

/// Whether labels make a name, by what gives the length of a right one in ASCII.
fn name<'a>(mut labels: impl Iterator<Item = &'a str>, length: fn(&str) -> Option<usize>) -> bool {
    // What is left after each label with its dot, which the last one has not.
    labels.try_fold(LONGEST_NAME + 1, |left, label| left.checked_sub(length(label)? + 1)).is_some()
}

fn any_label(label: &str) -> Option<usize> {
    if label.is_ascii() { ascii_label(label) } else { encoded(label).map(|ascii| ascii.len()) }
}

fn ascii_label(label: &str) -> Option<usize> {
    let is_right = (1..=LONGEST_LABEL).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && (label.get(2..4) != Some("--") || is_encoded(&label.to_ascii_lowercase()));
    is_right.then_some(label.len())
}

/// Whether a label of lower case is the ASCII form of an international one.
fn is_encoded(label: &str) -> bool {
    let decoded = label.strip_prefix(PREFIX).and_then(punycode::decode);
    decoded.and_then(|decoded| encoded(&decoded)).is_some_and(|again| again == label)
}

/// The ASCII form of an international label; `None` for what is none.
fn encoded(label: &str) -> Option<String> {
    // Each character is one of ASCII at least, so that what follows is only done with short labels.
    if label.is_ascii() || label.chars().nth(LONGEST_LABEL).is_some() || WRONG.find(label).is_some() {
        return None;
    }
    let ascii = format!("{PREFIX}{}", punycode::encode(label));
    (ascii.len() <= LONGEST_LABEL).then_some(ascii)
}

/// What a right international label has nowhere (RFC 5891, section 4.2.3).
static WRONG: LazyLock<regress::Regex> = LazyLock::new(|| {
    let wrong = [
        // A hyphen at an end, or two at the places three and four; a mark that is on nothing.
        r"^-|-$|^..--|^\p{M}|",
        // By RFC 5892: what is no letter, digit or mark, what NFKC and case folding change (which also
        // drop what can be ignored), symbols for music and the like, single jamo, and exceptions.
        r"[[\p{C}\p{Z}\p{P}\p{S}\p{Lt}\p{Me}\p{Nl}\p{No}\p{Changes_When_NFKC_Casefolded}",
        r"\u{20D0}-\u{20FF}\u{1D100}-\u{1D24F}\u{1100}-\u{11FF}\u{A960}-\u{A97F}\u{D7B0}-\u{D7FF}",
        r"\u{640}\u{7FA}\u{302E}\u{302F}\u{3031}-\u{3035}\u{303B}]",
        // Less the hyphen, exceptions, and what is right in some contexts.
        r"--[\-\u{DF}\u{3C2}\u{6FD}\u{6FE}\u{F0B}\u{3007}",
        r"\u{B7}\u{375}\u{5F3}\u{5F4}\u{30FB}\u{200C}\u{200D}]]|",
        // The contexts, as appendix A has them. A.1: the non-joiner, here between any two letters of
        // scripts that join.
        r"(?<!",
        VIRAMA,
        r")\u{200C}(?:(?<!",
        JOINING,
        r"\p{M}*\u{200C})|(?!\p{M}*",
        JOINING,
        r"))|",
        // A.2: the joiner.
        r"(?<!",
        VIRAMA,
        r")\u{200D}|",
        // A.3 to A.6: the dot of Catalan, the sign of Greek numbers, and geresh and gershayim.
        r"(?<!l)\u{B7}|\u{B7}(?!l)|\u{375}(?!\p{sc=Greek})|(?<!\p{sc=Hebrew})[\u{5F3}\u{5F4}]|",
        // A.7: the dot of Katakana, somewhere in Japanese.
        r"^(?!.*[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]).*\u{30FB}|",
        // A.8 and A.9: digits of Arabic and of Persian, which do not stand together.
        r"[\u{660}-\u{669}].*[\u{6F0}-\u{6F9}]|[\u{6F0}-\u{6F9}].*[\u{660}-\u{669}]",
    ];
    regress::Regex::with_flags(&wrong.concat(), "v").expect("it is a pattern")
});

/// The signs of the canonical combining class 9, which take the vowel from a letter.
const VIRAMA: &str = concat!(
    r"[\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D3B}\u{D3C}\u{D4D}\u{DCA}\u{E3A}",
    r"\u{EBA}\u{F84}\u{1039}\u{103A}\u{1714}\u{1715}\u{1734}\u{17D2}\u{1A60}\u{1B44}\u{1BAA}\u{1BAB}",
    r"\u{1BF2}\u{1BF3}\u{2D7F}\u{A806}\u{A82C}\u{A8C4}\u{A953}\u{A9C0}\u{AAF6}\u{ABED}\u{10A3F}",
    r"\u{11046}\u{11070}\u{1107F}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{112EA}\u{1134D}",
    r"\u{113CE}-\u{113D0}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}\u{11839}\u{1193D}",
    r"\u{1193E}\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}\u{11F41}",
    r"\u{11F42}\u{1612F}]",
);

/// The letters of scripts that join.
const JOINING: &str = concat!(
    r"[\p{L}&&[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Mongolian}\p{sc=Phags_Pa}",
    r"\p{sc=Manichaean}\p{sc=Psalter_Pahlavi}\p{sc=Hanifi_Rohingya}\p{sc=Sogdian}\p{sc=Chorasmian}",
    r"\p{sc=Old_Uyghur}\p{sc=Adlam}]]",
);
