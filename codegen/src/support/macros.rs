/// `Deserialize` for a type that is [`Read`](super::Read).
macro_rules! deserialize {
    ($name:ident) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                <Self as support::Read>::read(deserializer)
            }
        }
    };
}

/// Reading for a type that is an [`Object`](super::Object).
macro_rules! read_object {
    ($name:ident) => {
        impl<'de> support::Read<'de> for $name {
            fn read<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                support::object(deserializer)
            }
        }
        support::deserialize!($name);
    };
}

/// Reading for a type that is made from a string by `TryFrom`, and `FromStr`.
macro_rules! read_text {
    ($name:ident, $what:literal) => {
        impl ::std::str::FromStr for $name {
            type Err = support::RuleError;
            fn from_str(text: &str) -> Result<Self, support::RuleError> {
                Self::try_from(text)
            }
        }
        impl<'de> support::Read<'de> for $name {
            fn read<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                support::text(deserializer, $what, |text| Self::try_from(text))
            }
        }
        support::deserialize!($name);
    };
}

/// Writing for a type that is a string, which `as_str` gives, and what every such type has.
macro_rules! write_text {
    ($name:ident) => {
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl ::serde::Serialize for $name {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

/// Writing for a newtype that is written as what it holds.
macro_rules! write_inner {
    ($name:ident) => {
        impl ::serde::Serialize for $name {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                ::serde::Serialize::serialize(&self.0, serializer)
            }
        }
    };
}

/// Writing for a type with a `check` and a `write` of its own.
macro_rules! write_checked {
    ($name:ident) => {
        impl ::serde::Serialize for $name {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                if !support::is_unchecked() {
                    self.check().map_err(::serde::ser::Error::custom)?;
                }
                self.write(serializer)
            }
        }
    };
}

/// All that a newtype of strings has, from a `check` of its own.
macro_rules! text_newtype {
    ($name:ident, $what:literal) => {
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
            /// The text, owned.
            pub fn into_string(self) -> String {
                self.0
            }
        }
        impl TryFrom<&str> for $name {
            type Error = support::RuleError;
            fn try_from(text: &str) -> Result<Self, support::RuleError> {
                Self::check(text)?;
                Ok(Self(text.to_owned()))
            }
        }
        impl TryFrom<String> for $name {
            type Error = support::RuleError;
            fn try_from(text: String) -> Result<Self, support::RuleError> {
                Self::check(&text)?;
                Ok(Self(text))
            }
        }
        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }
        support::read_text!($name, $what);
        support::write_text!($name);
    };
}

pub(crate) use {deserialize, read_object, read_text, text_newtype, write_checked, write_inner, write_text};
