use super::idn::{hostname, idn_domain, idn_hostname};
use super::uri_template::uri_template;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A format of JSON Schema that is asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `date` (RFC 3339)
    Date,
    /// `date-time` (RFC 3339)
    DateTime,
    /// `duration` (RFC 3339, appendix A)
    Duration,
    /// `email` (RFC 5321)
    Email,
    /// `hostname` (RFC 1123)
    Hostname,
    /// `idn-email` (RFC 6531)
    IdnEmail,
    /// `idn-hostname` (RFC 5890)
    IdnHostname,
    /// `ipv4`
    Ipv4,
    /// `ipv6`
    Ipv6,
    /// `iri` (RFC 3987)
    Iri,
    /// `iri-reference` (RFC 3987)
    IriReference,
    /// `json-pointer` (RFC 6901)
    JsonPointer,
    /// `regex` (ECMA-262)
    Regex,
    /// `relative-json-pointer`
    RelativeJsonPointer,
    /// `time` (RFC 3339)
    Time,
    /// `uri` (RFC 3986)
    Uri,
    /// `uri-reference` (RFC 3986)
    UriReference,
    /// `uri-template` (RFC 6570)
    UriTemplate,
    /// `uuid` (RFC 4122)
    Uuid,
}

impl Format {
    /// The format called `name` in a schema; `None` for one that is not asserted.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "duration" => Self::Duration,
            "email" => Self::Email,
            "hostname" => Self::Hostname,
            "idn-email" => Self::IdnEmail,
            "idn-hostname" => Self::IdnHostname,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "iri" => Self::Iri,
            "iri-reference" => Self::IriReference,
            "json-pointer" => Self::JsonPointer,
            "regex" => Self::Regex,
            "relative-json-pointer" => Self::RelativeJsonPointer,
            "time" => Self::Time,
            "uri" => Self::Uri,
            "uri-reference" => Self::UriReference,
            "uri-template" => Self::UriTemplate,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    /// What a text of the format is, with an article.
    pub fn words(self) -> &'static str {
        match self {
            Self::Date => "a date (YYYY-MM-DD)",
            Self::DateTime => "a date and time (RFC 3339)",
            Self::Duration => "a duration (ISO 8601)",
            Self::Email => "an e-mail address",
            Self::Hostname => "a host name",
            Self::IdnEmail => "an e-mail address, in Unicode or ASCII",
            Self::IdnHostname => "a host name, in Unicode or ASCII",
            Self::Ipv4 => "an IPv4 address",
            Self::Ipv6 => "an IPv6 address",
            Self::Iri => "an IRI with a scheme",
            Self::IriReference => "an IRI or a relative reference",
            Self::JsonPointer => "a JSON pointer",
            Self::Regex => "a regular expression (ECMA-262)",
            Self::RelativeJsonPointer => "a relative JSON pointer",
            Self::Time => "a time with offset (RFC 3339)",
            Self::Uri => "a URI with a scheme",
            Self::UriReference => "a URI or a relative reference",
            Self::UriTemplate => "a URI template (RFC 6570)",
            Self::Uuid => "a UUID",
        }
    }

    /// Whether a text is of the format.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Date => date(text),
            Self::DateTime => {
                text.is_ascii()
                    && text.len() > 11
                    && matches!(text.as_bytes()[10], b'T' | b't')
                    && date(&text[..10])
                    && time(&text[11..])
            }
            Self::Duration => duration(text),
            Self::Email => email(text, |_| false, hostname),
            Self::Hostname => hostname(text),
            Self::IdnEmail => email(text, |c| !c.is_ascii(), idn_domain),
            Self::IdnHostname => idn_hostname(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Iri => fluent_uri::Iri::parse(text).is_ok(),
            Self::IriReference => fluent_uri::IriRef::parse(text).is_ok(),
            Self::JsonPointer => pointer(text),
            Self::Regex => regress::Regex::with_flags(text, "u").is_ok(),
            Self::RelativeJsonPointer => relative_pointer(text),
            Self::Time => text.is_ascii() && time(text),
            Self::Uri => fluent_uri::Uri::parse(text).is_ok(),
            Self::UriReference => fluent_uri::UriRef::parse(text).is_ok(),
            Self::UriTemplate => uri_template(text),
            Self::Uuid => uuid(text.as_bytes()),
        }
    }
}

fn uuid(bytes: &[u8]) -> bool {
    let Ok(bytes) = <&[u8; 36]>::try_from(bytes) else { return false };
    // Counted without a way out in between, which the compiler does for many bytes at once.
    let digits: u8 = bytes.iter().map(|byte| u8::from(byte.is_ascii_hexdigit())).sum();
    digits == 32 && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-')
}

/// The number that exactly these digits make.
fn digits(text: Option<&str>, count: usize) -> Option<u32> {
    let text = text?;
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

fn date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !text.is_ascii() || bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) =
        (digits(text.get(..4), 4), digits(text.get(5..7), 2), digits(text.get(8..), 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=last).contains(&day)
}

/// `hh:mm:ss[.fraction](Z|±hh:mm)`; second 60 only where it is 23:59:60 in UTC. ASCII only.
fn time(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 9 || bytes[2] != b':' || bytes[5] != b':' {
        return false;
    }
    let (Some(hour), Some(minute), Some(second)) =
        (digits(text.get(..2), 2), digits(text.get(3..5), 2), digits(text.get(6..8), 2))
    else {
        return false;
    };
    let mut rest = &text[8..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    let offset = match rest.as_bytes() {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let (Some(hours), Some(minutes)) = (digits(rest.get(1..3), 2), digits(rest.get(4..), 2)) else {
                return false;
            };
            if hours > 23 || minutes > 59 {
                return false;
            }
            let minutes = (hours * 60 + minutes) as i32;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return false,
    };
    let in_utc = ((hour * 60 + minute) as i32 - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || (second == 60 && in_utc == 23 * 60 + 59))
}

fn duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    // Units must follow one another without a gap: P1Y2D is none, P1Y2M3D is one.
    let part = |text: &str, units: &str| -> bool {
        let mut next: Option<usize> = None;
        let mut rest = text;
        while !rest.is_empty() {
            let count = rest.bytes().take_while(u8::is_ascii_digit).count();
            let Some(unit) = rest[count..].chars().next() else { return false };
            let Some(at) = units.find(unit) else { return false };
            if count == 0 || next.is_some_and(|next| next != at) {
                return false;
            }
            next = Some(at + 1);
            rest = &rest[count + unit.len_utf8()..];
        }
        true
    };
    match time {
        Some(time) => !time.is_empty() && part(time, "HMS") && part(date, "YMD"),
        None => !date.is_empty() && (part(date, "YMD") || (part(date, "W"))),
    }
}

/// A mailbox, with what characters its local part may have besides those of ASCII.
fn email(text: &str, is_more: fn(char) -> bool, is_domain: fn(&str) -> bool) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let local_is_right = if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
    {
        let mut escaped = false;
        quoted.chars().all(|c| {
            let right = match c {
                '"' => escaped,
                ' '..='~' => true,
                _ => !escaped && is_more(c),
            };
            escaped = !escaped && c == '\\';
            right
        }) && !escaped
    } else {
        !local.is_empty()
            && local.split('.').all(|atom| {
                !atom.is_empty()
                    && atom
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c) || is_more(c))
            })
    };
    let domain_is_right = match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => match address.split_at_checked(5) {
            Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
            _ => address.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_domain(domain),
    };
    local.len() <= 64 && local_is_right && domain_is_right
}

fn pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
}

fn relative_pointer(text: &str) -> bool {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    count > 0 && (number == "0" || !number.starts_with('0')) && (rest == "#" || pointer(rest))
}
