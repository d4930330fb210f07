//! `Service` and `dispatch`: what the side that answers must do, and how a request gets there.

use super::literals;
use super::types::Context;
use crate::ir::{Field, Message, MessageKind, Presence, Protocol, Rest, Shape, Struct, TypeId, TypeRef};
use crate::names::{self, Scope};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// `service.rs`, where the protocol has requests and responses with the same few members in all of
/// them: an id, parameters, a result or an error.
pub(super) fn module(protocol: &Protocol) -> Option<TokenStream> {
    let context = Context::new(protocol);
    let general = protocol
        .messages
        .iter()
        .find(|message| message.kind == MessageKind::Response && message.method.is_none())?;
    let failing = Response::new(&context, general.ty)?;
    let error = failing.shape.fields.iter().find(|field| field.wire == "error")?;
    if !matches!(error.presence, Presence::Optional) {
        return None;
    }
    let requests: Vec<&Message> =
        protocol.messages.iter().filter(|message| message.kind == MessageKind::Request).collect();
    let mut scope = Scope::default();
    let exchanges = requests
        .iter()
        .map(|request| Exchange::new(&context, request, general, &failing, &mut scope))
        .collect::<Option<Vec<_>>>()?;
    if exchanges.is_empty() {
        return None;
    }
    Some(tokens(&context, &exchanges, &failing, error))
}

fn tokens(
    context: &Context<'_>,
    exchanges: &[Exchange<'_>],
    failing: &Response<'_>,
    error: &Field,
) -> TokenStream {
    let (error_type, id_type) = (context.of(&error.ty, None), context.of(&failing.id.ty, None));
    let signatures = exchanges.iter().map(|exchange| exchange.signature(context, &error_type));
    let arms = exchanges.iter().map(Exchange::arm);
    let asks = exchanges.iter().map(Exchange::asks);
    let refusals = exchanges.iter().map(|exchange| {
        let (variant, id) = (&exchange.variant, exchange.id());
        quote! { Message::#variant(request) => failure(#id, error) }
    });
    let failed = failing.literal((error, quote! { Some(error) }));
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

/// A request and what answers it.
struct Exchange<'a> {
    request: &'a Message,
    /// The variant of `Message`.
    variant: Ident,
    /// The method of the trait.
    name: Ident,
    /// The struct that it is read as, and its type.
    shape: &'a Struct,
    ty: usize,
    params: Option<&'a Field>,
    id: &'a Field,
    response: Response<'a>,
}

impl<'a> Exchange<'a> {
    fn new(
        context: &Context<'a>,
        request: &'a Message,
        general: &'a Message,
        failing: &Response<'_>,
        scope: &mut Scope,
    ) -> Option<Self> {
        let messages = &context.protocol.messages;
        let response = match &request.method {
            Some(_) => messages
                .iter()
                .find(|message| message.kind == MessageKind::Response && message.method == request.method)?,
            None => general,
        };
        let response = Response::new(context, response.ty)?;
        let ty = request.read_as();
        let shape = plain(context.protocol, ty)?;
        let field = |wire: &str| shape.fields.iter().find(|field| field.wire == wire);
        let name = match &request.method {
            Some(method) => scope.take([names::snake(method).as_str()]),
            None => scope.take(["other"]),
        };
        let exchange = Self {
            request,
            variant: format_ident!("{}", request.rust),
            name: format_ident!("{name}"),
            shape,
            ty: ty.0,
            params: field("params"),
            id: field("id")?,
            response,
        };
        let same = |a: &Field, b: &Field| context.expanded(&a.ty) == context.expanded(&b.ty);
        let takes_any = context.expanded(&failing.id.ty) == TypeRef::Any;
        let id_fits = match exchange.id.presence {
            Presence::Required => same(exchange.id, failing.id),
            _ => takes_any && same(exchange.id, failing.id),
        };
        (id_fits && same(exchange.response.id, failing.id)).then_some(exchange)
    }

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

    /// The member that names the method, in a request for any.
    fn method_field(&self) -> Option<&Field> {
        let is_any = self.request.method.is_none();
        self.shape.fields.iter().find(|field| is_any && field.wire == "method")
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
        let response = self.response.literal((self.response.result, result));
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

/// A response that is a struct of an id, a result, and what may be left out.
struct Response<'a> {
    name: Ident,
    shape: &'a Struct,
    id: &'a Field,
    result: &'a Field,
}

impl<'a> Response<'a> {
    fn new(context: &Context<'a>, ty: TypeId) -> Option<Self> {
        let shape = plain(context.protocol, ty)?;
        let field = |wire: &str| shape.fields.iter().find(|field| field.wire == wire);
        let (id, result) = (field("id")?, field("result")?);
        let rest_is_optional = shape
            .fields
            .iter()
            .filter(|field| field.constant.is_none() && !["id", "result"].contains(&field.wire.as_str()))
            .all(|field| matches!(field.presence, Presence::Optional));
        let is_fit = rest_is_optional && matches!(id.presence, Presence::Required);
        let name = format_ident!("{}", context.protocol.types[ty.0].name);
        is_fit.then_some(Self { name, shape, id, result })
    }

    /// The expression that makes one of `id` and of `given`, a member and its value.
    fn literal(&self, given: (&Field, TokenStream)) -> TokenStream {
        let name = &self.name;
        let fields = super::layout::stored(&self.shape.fields).map(|field| {
            let rust = format_ident!("{}", field.rust);
            match &given {
                _ if field.wire == self.id.wire => quote! { #rust },
                (own, value) if field.wire == own.wire => match value.to_string() == field.rust {
                    true => quote! { #rust },
                    false => quote! { #rust: #value },
                },
                _ => quote! { #rust: None },
            }
        });
        let additional =
            (!matches!(self.shape.rest, Rest::Closed)).then(|| quote! { additional: Default::default() });
        quote! { #name { #(#fields,)* #additional } }
    }
}

/// The struct that a type is by itself.
fn plain(protocol: &Protocol, ty: TypeId) -> Option<&Struct> {
    match &protocol.types[ty.0].shape {
        Shape::Struct(shape) => Some(shape),
        _ => None,
    }
}
