//! Punycode (RFC 3492): a label of a host name in ASCII. All of it is in lower case.

const BASE: u64 = 36;
const FIRST_BIAS: u64 = 72;
const FIRST_CODE: u64 = 0x80;
const DIGITS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// The text that stands for `text`; takes time in the square of its length.
pub(super) fn encode(text: &str) -> String {
    let codes: Vec<u64> = text.chars().map(|c| u64::from(u32::from(c))).collect();
    let mut coded: String = text.chars().filter(char::is_ascii).collect();
    let plain = coded.len() as u64;
    if plain > 0 {
        coded.push('-');
    }
    let (mut code, mut delta, mut bias, mut done) = (FIRST_CODE, 0, FIRST_BIAS, plain);
    while let Some(next) = codes.iter().copied().filter(|next| *next >= code).min() {
        delta += (next - code) * (done + 1);
        code = next;
        for other in &codes {
            if *other < code {
                delta += 1;
            } else if *other == code {
                write(delta, bias, &mut coded);
                bias = adapted(delta, done + 1, done == plain);
                delta = 0;
                done += 1;
            }
        }
        delta += 1;
        code += 1;
    }
    coded
}

/// The text that `coded` stands for; `None` where it stands for none. Takes time in the square of
/// its length.
pub(super) fn decode(coded: &str) -> Option<String> {
    // A delimiter stands only behind something, so that at the start it is a digit, and a wrong one.
    let parts = coded.rsplit_once('-').filter(|(plain, _)| !plain.is_empty());
    let (plain, digits) = parts.unwrap_or(("", coded));
    let mut text: Vec<char> = plain.chars().collect();
    let (mut code, mut at, mut bias) = (FIRST_CODE, 0, FIRST_BIAS);
    let mut digits = digits.bytes();
    while digits.len() > 0 {
        let delta = read(&mut digits, bias)?;
        let count = text.len() as u64 + 1;
        at = delta.checked_add(at)?;
        code = code.checked_add(at / count)?;
        at %= count;
        bias = adapted(delta, count, text.len() == plain.len());
        text.insert(usize::try_from(at).ok()?, char::from_u32(u32::try_from(code).ok()?)?);
        at += 1;
    }
    Some(text.into_iter().collect())
}

/// Writes a number in digits whose last one is below its threshold, the lowest first.
fn write(mut number: u64, bias: u64, coded: &mut String) {
    let mut digit = |value: u64| coded.push(char::from(DIGITS[value as usize]));
    let mut place = BASE;
    loop {
        let threshold = threshold(place, bias);
        if number < threshold {
            return digit(number);
        }
        let rest = number - threshold;
        digit(threshold + rest % (BASE - threshold));
        number = rest / (BASE - threshold);
        place += BASE;
    }
}

fn read(digits: &mut impl Iterator<Item = u8>, bias: u64) -> Option<u64> {
    let (mut number, mut weight, mut place) = (0_u64, 1_u64, BASE);
    loop {
        let digit = digits.next()?;
        let digit = DIGITS.iter().position(|other| *other == digit)? as u64;
        number = number.checked_add(digit.checked_mul(weight)?)?;
        let threshold = threshold(place, bias);
        if digit < threshold {
            return Some(number);
        }
        weight = weight.checked_mul(BASE - threshold)?;
        place += BASE;
    }
}

fn threshold(place: u64, bias: u64) -> u64 {
    place.saturating_sub(bias).clamp(1, 26)
}

/// The bias after a delta by which the text became `count` long.
fn adapted(delta: u64, count: u64, is_first: bool) -> u64 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut places = 0;
    while delta > 35 * 26 / 2 {
        delta /= 35;
        places += BASE;
    }
    places + 36 * delta / (delta + 38)
}
