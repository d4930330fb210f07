//! Names of documents and schemas: URIs, as RFC 3986 has them.

use fluent_uri::resolve::Resolver;
use fluent_uri::{Uri, UriRef};

/// The scheme of the addresses that files have by where they lie. Never shown.
const FOLDER: &str = "ludwire-folder";

/// An absolute URI without a fragment.
#[derive(Clone, Debug)]
pub(super) struct Address(Uri<String>);

impl Address {
    /// The address of a file by its path below the protocol's folder.
    pub(super) fn of_file(path: &str) -> Option<Self> {
        let escaped: String =
            path.chars().map(|c| if "?#%[]".contains(c) { escape(c) } else { c.into() }).collect();
        Self::parse(&format!("{FOLDER}:/{escaped}"))
    }

    /// An absolute URI; a fragment is cut off.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let (uri, _) = split(uri);
        Uri::parse(tolerant(uri)).ok().map(|uri| Self(uri.normalize()))
    }

    /// Where a reference without fragment leads from here. `None` when it is no reference, and when
    /// it leaves the protocol's folder.
    pub(super) fn join(&self, reference: &str) -> Option<Self> {
        let reference = tolerant(reference);
        let reference = UriRef::parse(reference.as_str()).ok()?;
        let in_folder = self.0.scheme().as_str() == FOLDER;
        let resolver = Resolver::with_base(self.0.borrow()).allow_path_underflow(!in_folder);
        resolver.resolve(&reference).ok().map(|uri| Self(uri.normalize()))
    }

    /// Two addresses are one when their keys are the same.
    pub(super) fn key(&self) -> String {
        decode(self.0.as_str()).unwrap_or_else(|| self.0.as_str().to_owned())
    }

    /// The URI, unless it only says where a file lies.
    pub(super) fn shown(&self) -> Option<&str> {
        (self.0.scheme().as_str() != FOLDER).then(|| self.0.as_str())
    }
}

/// A reference in two: before the `#`, and behind it.
pub(super) fn split(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// Undoes percent escapes. `None` for a broken escape and for what is not UTF-8 then.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Escapes what people write unescaped: spaces, `<`, letters beyond ASCII and their like.
fn tolerant(uri: &str) -> String {
    uri.chars()
        .map(|c| if c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c) { c.into() } else { escape(c) })
        .collect()
}

fn escape(character: char) -> String {
    character.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect()
}
