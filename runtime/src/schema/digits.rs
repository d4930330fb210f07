//! Patterns of decimal numbers between two ends.

/// Forms as one.
pub(super) fn group(forms: Vec<String>) -> String {
    match forms.as_slice() {
        [form] if !form.contains('|') => form.clone(),
        _ => format!("({})", forms.join("|")),
    }
}

/// Patterns of the numbers from `least`, which is not 0, to `greatest`: one for each count of digits,
/// but one for all the counts that are there in full.
pub(super) fn magnitudes(least: u128, greatest: u128) -> Vec<String> {
    let mut forms = Vec::new();
    // Counts of further digits of which each number fits.
    let mut full: Option<(usize, usize)> = None;
    let digits = |number: u128| number.to_string().into_bytes();
    let (shortest, longest) = (digits(least), digits(greatest));
    for length in shortest.len()..=longest.len() {
        let mut from = vec![b'0'; length];
        from[0] = b'1';
        if length == shortest.len() {
            from.clone_from(&shortest);
        }
        let to = if length == longest.len() { longest.clone() } else { vec![b'9'; length] };
        if from[0] == b'1'
            && from[1..].iter().all(|digit| *digit == b'0')
            && to.iter().all(|digit| *digit == b'9')
        {
            let first = full.map_or(length - 1, |(first, _)| first);
            full = Some((first, length - 1));
        } else {
            forms.push(between(&from, &to));
        }
    }
    if let Some((fewest, most)) = full {
        forms.insert(0, format!("[1-9]{}", any_digits(fewest, most)));
    }
    forms
}

/// The pattern of the texts of digits from one to another of the same length.
fn between(from: &[u8], to: &[u8]) -> String {
    let ([low, from @ ..], [high, to @ ..]) = (from, to) else { return String::new() };
    let is_all = |digits: &[u8], digit: u8| digits.iter().all(|other| *other == digit);
    let length = from.len();
    if low == high {
        return format!("{}{}", char::from(*low), nested(from, to));
    }
    let (mut first, mut last) = (*low, *high);
    let mut forms = Vec::new();
    if !is_all(from, b'0') {
        forms.push(format!("{}{}", char::from(*low), nested(from, &vec![b'9'; length])));
        first += 1;
    }
    let high_apart = !is_all(to, b'9');
    if high_apart {
        last -= 1;
    }
    if first <= last {
        forms.push(format!("{}{}", digit(first, last), any_digits(length, length)));
    }
    if high_apart {
        forms.push(format!("{}{}", char::from(*high), nested(&vec![b'0'; length], to)));
    }
    forms.join("|")
}

fn nested(from: &[u8], to: &[u8]) -> String {
    if from.iter().all(|digit| *digit == b'0') && to.iter().all(|digit| *digit == b'9') {
        return any_digits(from.len(), from.len());
    }
    group(vec![between(from, to)])
}

fn digit(first: u8, last: u8) -> String {
    let (first, last) = (char::from(first), char::from(last));
    if first == last { first.to_string() } else { format!("[{first}-{last}]") }
}

fn any_digits(fewest: usize, most: usize) -> String {
    match (fewest, most) {
        (_, 0) => String::new(),
        (1, 1) => "[0-9]".to_owned(),
        _ if fewest == most => format!("[0-9]{{{most}}}"),
        _ => format!("[0-9]{{{fewest},{most}}}"),
    }
}
