//! The requests of a protocol, each with what answers it.

use super::types::Context;
use crate::ir::{Field, Message, MessageKind, Presence, Protocol, Shape, Struct, TypeId, TypeRef};
use crate::names::{self, Scope};
use proc_macro2::Ident;
use quote::format_ident;

/// All of them, where the protocol has requests and responses with the same few members in all of them: an
/// id, parameters, a result or an error.
pub(super) struct Exchanges<'a> {
    pub(super) all: Vec<Exchange<'a>>,
    /// The response to any request, which a failure is.
    pub(super) failing: Response<'a>,
    /// Its member `error`.
    pub(super) error: &'a Field,
}

impl<'a> Exchanges<'a> {
    pub(super) fn of(context: &Context<'a>) -> Option<Self> {
        let messages = &context.protocol.messages;
        let general = messages
            .iter()
            .find(|message| message.kind == MessageKind::Response && message.method.is_none())?;
        let failing = Response::new(context, general)?;
        let error = failing.shape.fields.iter().find(|field| field.wire == "error")?;
        if !matches!(error.presence, Presence::Optional) {
            return None;
        }
        let requests = messages.iter().filter(|message| message.kind == MessageKind::Request);
        let mut scope = Scope::default();
        let all = requests
            .map(|request| Exchange::new(context, request, general, &failing, &mut scope))
            .collect::<Option<Vec<_>>>()?;
        (!all.is_empty()).then_some(Self { all, failing, error })
    }
}

/// A request and what answers it.
pub(super) struct Exchange<'a> {
    pub(super) request: &'a Message,
    /// The variant of `Message`.
    pub(super) variant: Ident,
    /// The method of the trait.
    pub(super) name: Ident,
    /// The struct that it is read as, and its type.
    pub(super) shape: &'a Struct,
    pub(super) ty: usize,
    pub(super) params: Option<&'a Field>,
    pub(super) id: &'a Field,
    pub(super) response: Response<'a>,
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
        let response = Response::new(context, response)?;
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

    /// The member that names the method, in a request for any.
    pub(super) fn method_field(&self) -> Option<&Field> {
        let is_any = self.request.method.is_none();
        self.shape.fields.iter().find(|field| is_any && field.wire == "method")
    }
}

/// A response that is a struct of an id, a result, and what may be left out.
pub(super) struct Response<'a> {
    pub(super) message: &'a Message,
    pub(super) name: Ident,
    pub(super) shape: &'a Struct,
    pub(super) id: &'a Field,
    pub(super) result: &'a Field,
}

impl<'a> Response<'a> {
    fn new(context: &Context<'a>, message: &'a Message) -> Option<Self> {
        let shape = plain(context.protocol, message.ty)?;
        let field = |wire: &str| shape.fields.iter().find(|field| field.wire == wire);
        let (id, result) = (field("id")?, field("result")?);
        let rest_is_optional = shape
            .fields
            .iter()
            .filter(|field| field.constant.is_none() && !["id", "result"].contains(&field.wire.as_str()))
            .all(|field| matches!(field.presence, Presence::Optional));
        let is_fit = rest_is_optional && matches!(id.presence, Presence::Required);
        let name = format_ident!("{}", context.protocol.types[message.ty.0].name);
        is_fit.then_some(Self { message, name, shape, id, result })
    }
}

/// The struct that a type is by itself.
pub(super) fn plain(protocol: &Protocol, ty: TypeId) -> Option<&Struct> {
    match &protocol.types[ty.0].shape {
        Shape::Struct(shape) => Some(shape),
        _ => None,
    }
}
