//! `Requests`: what the side that asks is given, a method for each request.

use super::exchanges::{Exchange, Exchanges, plain};
use super::layout;
use super::literals;
use super::types::Context;
use crate::ir::{Field, Presence, Rest, Struct, TypeRef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `client.rs`, where each request can be written with an id of one type.
pub(super) fn module(context: &Context<'_>, exchanges: &Exchanges<'_>) -> Option<TokenStream> {
    let requests: Vec<Written<'_>> =
        exchanges.all.iter().map(|exchange| Written::new(context, exchange)).collect::<Option<_>>()?;
    let (first, others) = requests.split_first()?;
    let id_of = |request: &Written<'_>| context.expanded(&request.id.ty);
    if others.iter().any(|other| id_of(other) != id_of(first)) {
        return None;
    }
    let id_type = context.of(&first.id.ty, None);
    let methods = requests.iter().map(|request| request.method(context));
    let general = exchanges.failing.message.read_as();
    let error = plain(context.protocol, general)?.fields.iter().find(|field| field.wire == "error")?;
    let (error_type, failed) = match context.resolved(&error.ty) {
        TypeRef::Nullable(inner) => (context.of(inner, None), quote! { Some(Some(error)) }),
        _ => (context.of(&error.ty, None), quote! { Some(error) }),
    };
    let (general, error) =
        (format_ident!("{}", context.protocol.types[general.0].name), format_ident!("{}", error.rust));
    let title = literals::docs(&[&format!(
        "Asks what {} has requests for: a method for each, which takes the parameters and gives the result.",
        context.protocol.title
    )]);
    Some(quote! {
        //! What the side that asks is given.
        use super::messages::{Message, decode_response};
        use super::support::{self, DecodeError};
        use super::types::*;

        #title
        ///
        /// Who carries a request and brings its response back implements [`exchange`](Self::exchange); the
        /// rest is there.
        pub trait Requests: Sync {
            /// Why there is no result.
            type Error: From<Unanswered>;

            /// Sends a request of `method`, which `request` writes with the id that it is given, and gives
            /// the response to it as it came.
            ///
            /// # Errors
            ///
            /// When it cannot be written or sent, or no response comes.
            fn exchange<F>(
                &self,
                method: &str,
                request: F,
            ) -> impl ::std::future::Future<Output = Result<Vec<u8>, Self::Error>> + Send
            where
                F: FnOnce(#id_type) -> ::serde_json::Result<Vec<u8>> + Send;

            #(#methods)*
        }

        /// Why a response holds no result.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Unanswered {
            /// It says why the request failed.
            Refused(#error_type),
            /// It is not what the method answers.
            Undecodable(DecodeError),
        }

        impl Unanswered {
            /// What `response` means, which was read as `decoded` and holds no result.
            fn new(decoded: Result<Message, DecodeError>, response: &[u8]) -> Self {
                match (support::from_slice(response), decoded) {
                    (Ok(#general { #error: #failed, .. }), _) => Self::Refused(error),
                    (_, Err(error)) | (Err(error), _) => Self::Undecodable(error),
                    (Ok(_), Ok(message)) => {
                        Self::Undecodable(DecodeError::new("", ::std::format!("is a {}", message.name())))
                    }
                }
            }
        }
    })
}

/// A request as it is written.
struct Written<'a> {
    exchange: &'a Exchange<'a>,
    shape: &'a Struct,
    id: &'a Field,
}

impl<'a> Written<'a> {
    fn new(context: &Context<'a>, exchange: &'a Exchange<'a>) -> Option<Self> {
        let shape = plain(context.protocol, exchange.request.ty)?;
        let id = shape.fields.iter().find(|field| field.wire == "id")?;
        let request = Self { exchange, shape, id };
        let can_be_left_out = |field: &Field| {
            let is_given = request.is_given(field) || field.wire == id.wire;
            is_given || field.constant.is_some() || matches!(field.presence, Presence::Optional)
        };
        shape.fields.iter().all(can_be_left_out).then_some(request)
    }

    /// Whether a member is an argument of the method.
    fn is_given(&self, field: &Field) -> bool {
        field.wire == "params" || (field.wire == "method" && self.exchange.request.method.is_none())
    }

    fn method(&self, context: &Context<'_>) -> TokenStream {
        let Exchange { request, name, response, .. } = self.exchange;
        let ty = request.ty.0;
        let arguments: Vec<_> = layout::stored(&self.shape.fields)
            .filter(|field| self.is_given(field))
            .map(|field| {
                let (name, ty) = (format_ident!("{}", field.rust), context.of(&field.ty, Some(ty)));
                match field.presence {
                    Presence::Optional => quote! { #name: Option<#ty> },
                    _ => quote! { #name: #ty },
                }
            })
            .collect();
        let members = layout::stored(&self.shape.fields).map(|field| {
            let name = format_ident!("{}", field.rust);
            match field.presence {
                _ if self.is_given(field) => quote! { #name },
                Presence::Optional if field.wire == self.id.wire => quote! { #name: Some(id) },
                _ if field.wire == self.id.wire => quote! { id },
                _ => quote! { #name: None },
            }
        });
        let additional =
            (!matches!(self.shape.rest, Rest::Closed)).then(|| quote! { additional: Default::default() });
        let written = format_ident!("{}", context.protocol.types[ty].name);
        let method = match &request.method {
            Some(method) => quote! { #method },
            None => quote! { &asked },
        };
        let kept = request.method.is_none().then(|| quote! { let asked = method.as_str().to_owned(); });
        let variant = format_ident!("{}", response.message.rust);
        let read = format_ident!("{}", context.protocol.types[response.message.read_as().0].name);
        let result = match response.result.presence {
            Presence::Optional => quote! { #read { result: Some(result), .. } },
            _ => quote! { #read { result, .. } },
        };
        let result_type = context.of(&response.result.ty, None);
        let docs = match &request.method {
            Some(method) => {
                let about = context.protocol.types[ty].description.as_deref();
                literals::docs(&[&format!("Asks for {method}."), about.unwrap_or_default()])
            }
            None => literals::docs(&["Asks for a method that the protocol does not define."]),
        };
        quote! {
            #docs
            ///
            /// # Errors
            ///
            /// When there is no response, or one without a result.
            fn #name(
                &self,
                #(#arguments),*
            ) -> impl ::std::future::Future<Output = Result<#result_type, Self::Error>> + Send {
                async move {
                    #kept
                    let write = move |id| ::serde_json::to_vec(&#written { #(#members,)* #additional });
                    let response = self.exchange(#method, write).await?;
                    match decode_response(#method, &response) {
                        Ok(Message::#variant(#result)) => Ok(result),
                        decoded => Err(Unanswered::new(decoded, &response).into()),
                    }
                }
            }
        }
    }
}
