//! Tokens and ids that nobody can guess.

use ludwire_protocols::support::Uuid;
use std::cell::RefCell;
use std::io;

/// 32 random bytes as 64 hexadecimal digits.
///
/// # Errors
///
/// When the operating system has no randomness.
pub(crate) fn token() -> io::Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

/// A random UUID (version 4).
///
/// # Errors
///
/// When the operating system has no randomness.
pub(crate) fn uuid() -> io::Result<Uuid> {
    let mut bytes = STORE.with_borrow_mut(Store::take)?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = *b"00000000-0000-0000-0000-000000000000";
    let mut places = text.iter_mut().filter(|place| **place != b'-');
    for half in bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]) {
        *places.next().expect("16 bytes have 32 digits") = digit(half);
    }
    let text = std::str::from_utf8(&text).expect("these are digits");
    Ok(text.parse().expect("32 hexadecimal digits in five groups are a UUID"))
}

/// Random bytes that nobody has had: to ask the operating system for each id takes longer than all else about a
/// message.
struct Store {
    bytes: [u8; 1024],
    left: usize,
}

thread_local! {
    static STORE: RefCell<Store> = const { RefCell::new(Store { bytes: [0; 1024], left: 0 }) };
}

impl Store {
    fn take(&mut self) -> io::Result<[u8; 16]> {
        if self.left == 0 {
            getrandom::fill(&mut self.bytes).map_err(io::Error::other)?;
            self.left = self.bytes.len();
        }
        self.left -= 16;
        let taken = &mut self.bytes[self.left..][..16];
        let bytes = <[u8; 16]>::try_from(&*taken).expect("these are 16 bytes");
        taken.fill(0);
        Ok(bytes)
    }
}

/// Any number; the same one each time where the operating system has no randomness.
pub(crate) fn number() -> u64 {
    getrandom::u64().unwrap_or_default()
}

/// Two digits a byte.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).map(char::from).collect()
}

fn digit(half: u8) -> u8 {
    b"0123456789abcdef"[usize::from(half)]
}

#[cfg(test)]
mod tests {
    #[test]
    fn differs_each_time() {
        let (a, b) = (super::token().expect("randomness"), super::token().expect("randomness"));
        assert_eq!((a.len(), a == b), (64, false));
        let mut uuids: Vec<_> = (0..200).map(|_| super::uuid().expect("randomness").to_string()).collect();
        assert!(uuids.iter().all(|uuid| &uuid[14..15] == "4"));
        uuids.sort();
        uuids.dedup();
        assert_eq!(uuids.len(), 200);
    }
}
