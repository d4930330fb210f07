//! `Service` and `dispatch`: what the side that answers must do, and how a request gets there.

use super::exchanges::{Exchange, Exchanges, Response};
use super::literals;
use super::types::Context;
use crate::ir::{Field, Presence, Rest};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `service.rs`, where the protocol has such requests.
pub(super) fn module(context: &Context<'_>, exchanges: &Exchanges<'_>) -> TokenStream {
    let Exchanges { all, failing, error } = exchanges;
    let (error_type, id_type) = (context.of(&error.ty, None), context.of(&failing.id.ty, None));
    let signatures = all.iter().map(|exchange| exchange.signature(context, &error_type));
    let arms = all.iter().map(Exchange::arm);
    let asks = all.iter().map(Exchange::asks);
    let refusals = all.iter().map(|exchange| {
        let (variant, id) = (&exchange.variant, exchange.id());
        quote! { Message::#variant(request) => failure(#id, error) }
    });
    let failed = literal(failing, (error, quote! { Some(error) }));
    let title = literals::docs(&[&format!(
        "Answers the requests of {}: a method for each, which takes the parameters and gives the result.",
        context.protocol.title
    )]);
    quote! {
        //! What the side that answers must do, and how a request gets there.
        use super::messages::Message;
        #[allow(unused_imports, reason = "a protocol need not use each of its types in a request")]
        use super::support;
        use super::types::*;

        #title
        pub trait Service: Sync {
            #(#signatures)*

            /// Sees each response to a method before it is sent; `Err` puts a failure in its place.
            ///
            /// What cannot be written breaks a rule that spans members: then there are no bytes.
            ///
            /// # Errors
            ///
            /// What is answered instead.
            fn written(
                &self,
                method: &str,
                response: ::serde_json::Result<Vec<u8>>,
            ) -> Result<Vec<u8>, #error_type>;
        }

        /// Has the service answer a request, and writes the response as JSON; `None` for what is no
        /// request.
        ///
        /// # Errors
        ///
        /// When a failure cannot be written: it breaks a rule that spans members.
        pub async fn dispatch<S: Service + ?Sized>(
            service: &S,
            message: Message,
        ) -> Option<::serde_json::Result<Vec<u8>>> {
            Some(match message {
                #(#arms,)*
                _ => return None,
            })
        }

        /// Answers a request with a failure, as JSON, and asks no service; `None` for what is no request.
        ///
        /// # Errors
        ///
        /// When it cannot be written: it breaks a rule that spans members.
        pub fn refuse(message: Message, error: #error_type) -> Option<::serde_json::Result<Vec<u8>>> {
            Some(match message {
                #(#refusals,)*
                _ => return None,
            })
        }

        fn failure(id: #id_type, error: #error_type) -> ::serde_json::Result<Vec<u8>> {
            ::serde_json::to_vec(&#failed)
        }

        impl Message {
            /// The method that it asks for; `None` for what is no request.
            pub fn asks(&self) -> Option<&str> {
                match self {
                    #(#asks,)*
                    _ => None,
                }
            }
        }
    }
}

impl Exchange<'_> {
    /// The id for the response: one that may be absent counts as null.
    fn id(&self) -> TokenStream {
        let name = format_ident!("{}", self.id.rust);
        match self.id.presence {
            Presence::Optional => quote! { request.#name.unwrap_or_default() },
            _ => quote! { request.#name },
        }
    }

    fn signature(&self, context: &Context<'_>, error: &TokenStream) -> TokenStream {
        let (name, result) = (&self.name, context.of(&self.response.result.ty, None));
        let typed = |field: &Field| {
            let ty = context.of(&field.ty, Some(self.ty));
            match field.presence {
                Presence::Optional => quote! { Option<#ty> },
                _ => ty,
            }
        };
        let params = self.params.map(|field| {
            let ty = typed(field);
            quote! { params: #ty, }
        });
        let method = self.method_field().map(|field| {
            let ty = typed(field);
            quote! { method: #ty, }
        });
        let docs = match &self.request.method {
            Some(method) => {
                let about = context.protocol.types[self.request.ty.0].description.as_deref();
                literals::docs(&[&format!("Answers {method}."), about.unwrap_or_default()])
            }
            None => literals::docs(&["Answers a method that the protocol does not define."]),
        };
        quote! {
            #docs
            fn #name(&self, #method #params) -> impl ::std::future::Future<Output = Result<#result, #error>> + Send;
        }
    }

    fn asks(&self) -> TokenStream {
        let variant = &self.variant;
        match (&self.request.method, self.method_field()) {
            (Some(method), _) => quote! { Self::#variant(_) => Some(#method) },
            (None, Some(field)) => {
                let name = format_ident!("{}", field.rust);
                quote! { Self::#variant(request) => Some(request.#name.as_str()) }
            }
            (None, None) => quote! { Self::#variant(_) => None },
        }
    }

    fn arm(&self) -> TokenStream {
        let (variant, name, id) = (&self.variant, &self.name, self.id());
        let params = self.params.map(|field| {
            let name = format_ident!("{}", field.rust);
            quote! { request.#name }
        });
        let (keep, method, known) = match (&self.request.method, self.method_field()) {
            (None, Some(field)) => {
                let name = format_ident!("{}", field.rust);
                let keep = quote! { let method = request.#name.as_str().to_owned(); };
                (Some(keep), Some(quote! { request.#name, }), quote! { &method })
            }
            (known, _) => {
                let known = known.as_deref().unwrap_or_default();
                (None, None, quote! { #known })
            }
        };
        let result = match self.response.result.presence {
            Presence::Optional => quote! { Some(result) },
            _ => quote! { result },
        };
        let response = literal(&self.response, (self.response.result, result));
        quote! {
            Message::#variant(request) => {
                let id = #id;
                #keep
                match service.#name(#method #params).await {
                    Ok(result) => {
                        let response = #response;
                        let written = service.written(#known, ::serde_json::to_vec(&response));
                        written.or_else(|error| failure(response.id, error))
                    }
                    Err(error) => failure(id, error),
                }
            }
        }
    }
}

/// The expression that makes a response of `id` and of `given`, a member and its value.
fn literal(response: &Response<'_>, given: (&Field, TokenStream)) -> TokenStream {
    let name = &response.name;
    let fields = super::layout::stored(&response.shape.fields).map(|field| {
        let rust = format_ident!("{}", field.rust);
        match &given {
            _ if field.wire == response.id.wire => quote! { #rust },
            (own, value) if field.wire == own.wire => match value.to_string() == field.rust {
                true => quote! { #rust },
                false => quote! { #rust: #value },
            },
            _ => quote! { #rust: None },
        }
    });
    let additional =
        (!matches!(response.shape.rest, Rest::Closed)).then(|| quote! { additional: Default::default() });
    quote! { #name { #(#fields,)* #additional } }
}
