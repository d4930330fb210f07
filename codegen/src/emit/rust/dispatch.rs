//! `Message`, `decode` and `decode_response`: discriminators first, then the one right type.

use super::checks::mentions;
use super::literals;
use super::types::{Context, wide};
use super::widen;
use crate::ir::{Message, MessageKind, Presence, Protocol, Rest, TypeRef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `messages.rs`.
pub(super) fn module(protocol: &Protocol) -> TokenStream {
    if protocol.messages.is_empty() {
        return quote! { #![doc = " The protocol has no messages."] };
    }
    let messages = &protocol.messages;
    let idents: Vec<_> = messages.iter().map(|message| format_ident!("{}", message.rust)).collect();
    let types: Vec<_> = messages
        .iter()
        .map(|message| format_ident!("{}", protocol.types[message.read_as().0].name))
        .collect();
    let names: Vec<&String> = messages.iter().map(|message| &message.name).collect();
    let variants = messages.iter().zip(&idents).zip(&types).map(|((message, ident), ty)| {
        let direction =
            if message.direction.is_empty() { String::new() } else { format!("Sent {}.", message.direction) };
        let written = match message.reading {
            Some(_) => format!("To write one, take {}.", protocol.types[message.ty.0].name),
            None => String::new(),
        };
        let docs = literals::docs(&[&format!("{}.", message.name), &direction, &written]);
        quote! { #docs #ident(super::types::#ty) }
    });
    let unique = |ty: &proc_macro2::Ident| types.iter().filter(|other| *other == ty).count() == 1;
    let conversions = idents.iter().zip(&types).filter(|(_, ty)| unique(ty)).map(|(ident, ty)| {
        quote! {
            impl From<super::types::#ty> for Message {
                fn from(message: super::types::#ty) -> Self {
                    Self::#ident(message)
                }
            }
        }
    });
    let context = Context::new(protocol);
    let widened = |message: &&Message| {
        let shared = messages.iter().filter(|other| other.ty == message.ty).count() > 1;
        !shared && message.reading.is_some_and(|id| widen::is_possible(&context, id.0))
    };
    let conversions = conversions.chain(messages.iter().filter(widened).map(|message| {
        let ident = format_ident!("{}", message.rust);
        let ty = format_ident!("{}", protocol.types[message.ty.0].name);
        quote! {
            impl From<super::types::#ty> for Message {
                fn from(message: super::types::#ty) -> Self {
                    Self::#ident(message.into())
                }
            }
        }
    }));
    let standalone: Vec<usize> = (0..messages.len()).filter(|index| messages[*index].standalone).collect();
    let route = route(protocol, &standalone, &[]);
    let wide = wide(protocol);
    let is_wide = |index: usize| wide[messages[index].read_as().0];
    let head =
        format_ident!("{}", if standalone.iter().any(|index| is_wide(*index)) { "exact" } else { "new" });
    let read = quote! {
        let mut head = support::Head::#head(map);
        #route
    };
    let (decode, read, guess) = if mentions(&route, "LIKELY") {
        (
            quote! { support::from_slice::<Likely>(bytes).map(|likely| likely.0).or_else(|_| support::from_slice(bytes)) },
            quote! { Self::guess::<false, __A>(map) },
            guessing(&read),
        )
    } else {
        (quote! { support::from_slice(bytes) }, read, TokenStream::new())
    };
    let label = format!("{} message", protocol.title);
    let responses = responses(protocol);
    let title = literals::docs(&[&format!("A message of {}.", protocol.title)]);
    quote! {
        //! All messages, and how a reader finds out which one it has.
        use super::support::{self, DecodeError};

        #title
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "a message is made once and matched, seldom moved")]
        pub enum Message { #(#variants),* }

        #(#conversions)*

        impl Message {
            /// What people call the message.
            pub fn name(&self) -> &'static str {
                match self {
                    #(Self::#idents(_) => #names),*
                }
            }

            /// The message as JSON text, without line breaks.
            ///
            /// # Errors
            ///
            /// When it breaks a rule that spans members.
            pub fn to_json(&self) -> ::serde_json::Result<String> {
                ::serde_json::to_string(self)
            }
        }

        impl ::serde::Serialize for Message {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                match self {
                    #(Self::#idents(message) => ::serde::Serialize::serialize(message, serializer)),*
                }
            }
        }

        /// Reads one message. What it is is decided by its discriminators alone; then it must be that.
        ///
        /// # Errors
        ///
        /// When the bytes are not JSON, or no message: with the place and what was expected.
        pub fn decode(bytes: &[u8]) -> Result<Message, DecodeError> {
            #decode
        }

        impl<'de> support::Object<'de> for Message {
            const WHAT: &'static str = #label;
            fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                #read
            }
        }

        #guess

        support::read_object!(Message);

        #responses
    }
}

/// Reads the one message that the members before have left.
fn take(protocol: &Protocol, index: usize) -> TokenStream {
    let message = &protocol.messages[index];
    let ident = format_ident!("{}", message.rust);
    let name = &message.name;
    quote! { support::taken_for(#name, head.replay()).map(Self::#ident) }
}

/// The decision between `candidates`, which agree in the members of `known`.
fn route(protocol: &Protocol, candidates: &[usize], known: &[String]) -> TokenStream {
    let messages = &protocol.messages;
    let next = candidates.iter().find_map(|index| {
        messages[*index]
            .discriminators
            .iter()
            .map(|found| &found.member)
            .find(|member| !known.contains(member))
    });
    let Some(member) = next else {
        return match candidates.first() {
            Some(index) => take(protocol, *index),
            None => quote! { Err(::serde::de::Error::custom("is no message")) },
        };
    };
    let mut cases: Vec<(String, Vec<usize>)> = Vec::new();
    let mut without = Vec::new();
    for index in candidates {
        match messages[*index].discriminators.iter().find(|found| found.member == *member) {
            None => without.push(*index),
            Some(discriminator) => {
                for value in discriminator.values.iter().filter_map(|value| value.as_str()) {
                    match cases.iter_mut().find(|(known, _)| known == value) {
                        Some((_, indices)) => indices.push(*index),
                        None => cases.push((value.to_owned(), vec![*index])),
                    }
                }
            }
        }
    }
    let mut known = known.to_vec();
    known.push(member.clone());
    let values: Vec<&String> = cases.iter().map(|(value, _)| value).collect();
    // Cases that lead to the same messages share an arm.
    let mut arms: Vec<(Vec<usize>, &Vec<usize>)> = Vec::new();
    for (at, (_, indices)) in cases.iter().enumerate() {
        match arms.iter_mut().find(|(_, known)| *known == indices) {
            Some((cases, _)) => cases.push(at),
            None => arms.push((vec![at], indices)),
        }
    }
    let arms = arms.into_iter().map(|(cases, indices)| {
        let next = route(protocol, indices, &known);
        let cases = literals::indices(&cases);
        quote! { support::Choice::Case(#cases) => { #next } }
    });
    // A message without the discriminator takes another value where it may have the member, and takes
    // the place of the others where it may lack it: as it is read, which may be wider than as it is
    // written.
    let presence = |index: usize| {
        let object = protocol.object(messages[index].read_as())?;
        let field = object.fields.iter().find(|field| field.wire == *member)?;
        (field.ty != TypeRef::Never).then_some(&field.presence)
    };
    let may_have = |index: &usize| presence(*index).is_some();
    let may_lack = |index: &usize| !matches!(presence(*index), Some(Presence::Required));
    let with: Vec<usize> = without.iter().copied().filter(may_have).collect();
    let lacking: Vec<usize> = without.iter().copied().filter(may_lack).collect();
    let other = |indices: &[usize], pattern: TokenStream| {
        (!indices.is_empty()).then(|| {
            let next = route(protocol, indices, &known);
            quote! { #pattern => { #next } }
        })
    };
    let with = other(&with, quote! { support::Choice::Other(_) });
    let guess = guess(protocol, candidates, member, &lacking);
    let lacking = other(&lacking, quote! { support::Choice::Absent });
    quote! {
        {
            #guess
            const VALUES: &[&str] = &[#(#values),*];
            match head.choose(#member, VALUES)? {
                #(#arms)*
                #with
                #lacking
                choice => Err(support::Head::<__A>::refuse(#member, &choice, VALUES)),
            }
        }
    }
}

/// Takes a message without `member` for what it is as soon as a member shows that no other message
/// names. Otherwise all of it would be kept until its end had shown that `member` is not there.
fn guess(protocol: &Protocol, candidates: &[usize], member: &str, lacking: &[usize]) -> Option<TokenStream> {
    let shape = |index: usize| protocol.object(protocol.messages[index].read_as());
    let [only] = lacking else { return None };
    let own = shape(*only)?;
    // It may have the member after all, and then it is not that which decides.
    if own.fields.iter().any(|field| field.wire == member && field.ty != TypeRef::Never) {
        return None;
    }
    let others: Vec<_> =
        candidates.iter().filter(|index| *index != only).map(|index| shape(*index)).collect::<Option<_>>()?;
    let telling: Vec<&String> = own
        .fields
        .iter()
        .filter(|field| field.ty != TypeRef::Never)
        .map(|field| &field.wire)
        .filter(|wire| !others.iter().any(|other| other.fields.iter().any(|field| field.wire == **wire)))
        .collect();
    if telling.is_empty() {
        return None;
    }
    let message = &protocol.messages[*only];
    let (ident, name) = (format_ident!("{}", message.rust), &message.name);
    // A closed one has refused the member by itself.
    let check = (!matches!(own.rest, Rest::Closed)).then(|| {
        quote! {
            if message.additional.contains_key(#member) {
                return Err(::serde::de::Error::custom("was guessed wrong"));
            }
        }
    });
    let ty = format_ident!("{}", protocol.types[message.read_as().0].name);
    Some(quote! {
        if LIKELY && head.first(&[#member, #(#telling),*])?.is_some_and(|found| found > 0) {
            let message: super::types::#ty = support::taken_for(#name, head.replay())?;
            #check
            return Ok(Self::#ident(message));
        }
    })
}

/// The reader that may guess, and the one that does.
fn guessing(read: &TokenStream) -> TokenStream {
    quote! {
        impl Message {
            /// Where it is `LIKELY`, a message may be taken for what it looks like before all that
            /// decides has been seen; when that fails, the message must be read once more.
            fn guess<'de, const LIKELY: bool, __A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                #read
            }
        }
        struct Likely(Message);
        impl<'de> support::Object<'de> for Likely {
            const WHAT: &'static str = <Message as support::Object>::WHAT;
            fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                Message::guess::<true, __A>(map).map(Self)
            }
        }
        impl<'de> support::Read<'de> for Likely {
            fn read<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                support::object(deserializer)
            }
        }
    }
}

/// `decode_response`, where responses depend on the method.
fn responses(protocol: &Protocol) -> TokenStream {
    let messages = &protocol.messages;
    let answers: Vec<(usize, &Message)> =
        messages.iter().enumerate().filter(|(_, message)| !message.standalone).collect();
    if answers.is_empty() {
        return TokenStream::new();
    }
    let any = messages.iter().position(|message| message.kind == MessageKind::Response && message.standalone);
    let unknown_methods =
        messages.iter().any(|message| message.kind == MessageKind::Request && message.method.is_none());
    // As it is written: one that is read with an `error` of null beside its result is no failure.
    let has_error = |index: usize| {
        protocol.object(messages[index].ty).is_some_and(|object| {
            object.fields.iter().any(|field| field.wire == "error" && field.ty != TypeRef::Never)
        })
    };
    let wide = wide(protocol);
    let kinds = answers.iter().map(|(index, message)| {
        let (ident, name) = (format_ident!("{}", message.rust), &message.name);
        let failure = any.filter(|_| !has_error(*index)).map(|any| {
            let (ident, name) = (format_ident!("{}", messages[any].rust), &messages[any].name);
            quote! {
                if head.is_failure()? {
                    return support::taken_for(#name, head.replay()).map(Message::#ident).map(Self);
                }
            }
        });
        let mutable = failure.as_ref().map(|_| quote! { mut });
        let head = format_ident!("{}", if wide[message.read_as().0] { "exact" } else { "new" });
        let reader = format_ident!("{}Reader", message.rust);
        quote! {
            struct #reader(Message);
            impl<'de> support::Object<'de> for #reader {
                const WHAT: &'static str = #name;
                fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                    let #mutable head = support::Head::#head(map);
                    #failure
                    support::taken_for(#name, head.replay()).map(Message::#ident).map(Self)
                }
            }
            impl<'de> support::Read<'de> for #reader {
                fn read<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                    support::object(deserializer)
                }
            }
        }
    });
    let arms = answers.iter().map(|(index, message)| {
        let method = message.method.as_deref().unwrap_or_default();
        let reader = format_ident!("{}Reader", message.rust);
        let rule = (!has_error(*index)).then(|| quote! { .map_err(|error| support::not_both(error, bytes)) });
        quote! { #method => support::from_slice::<#reader>(bytes).map(|reader| reader.0)#rule }
    });
    let methods: Vec<&str> = answers.iter().filter_map(|(_, message)| message.method.as_deref()).collect();
    let other = match any.filter(|_| unknown_methods) {
        Some(any) => {
            let ident = format_ident!("{}", messages[any].rust);
            let ty = format_ident!("{}", protocol.types[messages[any].read_as().0].name);
            quote! { _ => support::from_slice::<super::types::#ty>(bytes).map(Message::#ident) }
        }
        None => {
            let words = format!("must be one of {}", methods.join(", "));
            quote! {
                other => Err(DecodeError::new("", ::std::format!("no method {other:?}: {}", #words)))
            }
        }
    };
    let note = if any.is_some() && unknown_methods {
        "For a method that the protocol does not define, any response is read."
    } else {
        "A method that the protocol does not define is an error."
    };
    let note = literals::docs(&[note]);
    quote! {
        /// Reads the response to a request of `method`; a failure is a general response.
        ///
        #note
        ///
        /// # Errors
        ///
        /// When the bytes are not JSON, or no such response: with the place and what was expected.
        pub fn decode_response(method: &str, bytes: &[u8]) -> Result<Message, DecodeError> {
            match method {
                #(#arms,)*
                #other
            }
        }
        #(#kinds)*
    }
}
