//! The regular part of the patterns of ECMA-262. What it can't read may still be a pattern.

use super::LAST;
use std::iter::Peekable;
use std::str::Chars;

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A character out of ranges of code points.
    Character(Vec<(u32, u32)>),
    /// `^`
    AtStart,
    /// `$`
    AtEnd,
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of them.
    Either(Vec<Node>),
    /// A number of times, without end where there is no greatest number.
    Repeat(Box<Node>, u32, Option<u32>),
}

/// More repeats are left to the engine.
const MOST_REPEATS: u32 = 24;

/// Deeper groups are left to the engine.
const DEEPEST: usize = 50;

const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// White space and line ends.
const SPACES: &[(u32, u32)] = &[
    (0x9, 0xD),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
const LINE_ENDS: &[(u32, u32)] = &[(0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029)];

/// Reads a pattern that is known to be one of Unicode text.
pub(super) fn pattern(text: &str) -> Option<Node> {
    let mut reader = Reader { rest: text.chars().peekable(), depth: 0 };
    let node = reader.alternatives()?;
    reader.rest.next().is_none().then_some(node)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    depth: usize,
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Option<Node> {
        let mut nodes = vec![self.sequence()?];
        while self.rest.next_if_eq(&'|').is_some() {
            nodes.push(self.sequence()?);
        }
        Some(Node::Either(nodes))
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(next) = self.rest.next_if(|c| !matches!(c, '|' | ')')) {
            let node = match next {
                '^' => Node::AtStart,
                '$' => Node::AtEnd,
                '(' => self.group()?,
                '[' => Node::Character(self.class()?),
                '.' => Node::Character(complement(LINE_ENDS.to_vec())),
                '\\' => Node::Character(self.escape()?.ranges()),
                '*' | '+' | '?' | '{' | '}' | ']' => return None,
                other => Node::Character(single(other as u32)),
            };
            nodes.push(self.repeated(node)?);
        }
        Some(Node::Sequence(nodes))
    }

    fn group(&mut self) -> Option<Node> {
        if self.rest.next_if_eq(&'?').is_some() {
            // Names and looks ahead and behind are the engine's.
            self.rest.next_if_eq(&':')?;
        }
        self.depth += 1;
        let node = if self.depth > DEEPEST { None } else { self.alternatives() }?;
        self.depth -= 1;
        self.rest.next_if_eq(&')')?;
        Some(node)
    }

    fn repeated(&mut self, node: Node) -> Option<Node> {
        let (least, most) = match self.rest.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.rest.next();
                let least = self.number()?;
                if self.rest.next_if_eq(&',').is_none() {
                    (least, Some(least))
                } else if self.rest.peek() == Some(&'}') {
                    (least, None)
                } else {
                    (least, Some(self.number()?))
                }
            }
            _ => return Some(node),
        };
        self.rest.next()?;
        // A lazy one matches in the same texts.
        self.rest.next_if_eq(&'?');
        let fits = least <= MOST_REPEATS && most.is_none_or(|most| (least..=MOST_REPEATS).contains(&most));
        fits.then(|| Node::Repeat(Box::new(node), least, most))
    }

    fn number(&mut self) -> Option<u32> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok()
    }

    /// What follows `[`.
    fn class(&mut self) -> Option<Vec<(u32, u32)>> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        loop {
            let item = match self.rest.next()? {
                ']' => break,
                '\\' => self.escape()?,
                other => Escape::One(other as u32),
            };
            if self.rest.next_if_eq(&'-').is_none() {
                ranges.extend(item.ranges());
                continue;
            }
            if self.rest.next_if_eq(&']').is_some() {
                ranges.extend(item.ranges());
                ranges.extend(single('-' as u32));
                break;
            }
            let last = match self.rest.next()? {
                '\\' => self.escape()?,
                other => Escape::One(other as u32),
            };
            let (Escape::One(first), Escape::One(last)) = (item, last) else { return None };
            ranges.push((first, last));
        }
        Some(if negated { complement(ranges) } else { ranges })
    }

    /// What follows `\`.
    fn escape(&mut self) -> Option<Escape> {
        Some(match self.rest.next()? {
            'd' => Escape::Many(DIGITS.to_vec()),
            'D' => Escape::Many(complement(DIGITS.to_vec())),
            'w' => Escape::Many(WORD.to_vec()),
            'W' => Escape::Many(complement(WORD.to_vec())),
            's' => Escape::Many(SPACES.to_vec()),
            'S' => Escape::Many(complement(SPACES.to_vec())),
            't' => Escape::One(0x9),
            'n' => Escape::One(0xA),
            'v' => Escape::One(0xB),
            'f' => Escape::One(0xC),
            'r' => Escape::One(0xD),
            'x' => Escape::One(self.hex(2)?),
            'u' if self.rest.peek() != Some(&'{') => {
                // Half of a pair is not a character by itself.
                Escape::One(self.hex(4).filter(|code| char::from_u32(*code).is_some())?)
            }
            c @ ('^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/'
            | '-') => Escape::One(c as u32),
            _ => return None,
        })
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |code, _| Some(code * 16 + self.rest.next()?.to_digit(16)?))
    }
}

/// What an escape stands for.
enum Escape {
    One(u32),
    Many(Vec<(u32, u32)>),
}

impl Escape {
    fn ranges(self) -> Vec<(u32, u32)> {
        match self {
            Self::One(code) => single(code),
            Self::Many(ranges) => ranges,
        }
    }
}

fn single(code: u32) -> Vec<(u32, u32)> {
    vec![(code, code)]
}

/// All other code points.
fn complement(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut others = Vec::new();
    let mut from = 0;
    for (first, last) in ranges {
        if first > from {
            others.push((from, first - 1));
        }
        from = from.max(last + 1);
    }
    if from <= LAST {
        others.push((from, LAST));
    }
    others
}
