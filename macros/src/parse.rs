//! Reads the function that an attribute of ours stands before. What cannot be read is noted, and the rest goes on.

use crate::attribute::conditional;
use crate::docs::Docs;
use crate::keys::{ArgAttribute, arg_attribute};
use crate::mistakes::Mistakes;
use crate::role::{Kind, Role};
use crate::types::{self, Lent, ungrouped_type};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, Ident, ItemFn, Meta, Pat, PatIdent, Receiver, ReceiverKind, ReturnType, Signature,
    Token, Type, parse_quote_spanned,
};

/// A function that peers can have run, as the user wrote it.
pub(crate) struct Function {
    pub(crate) role: Role,
    /// Where the attribute stands.
    pub(crate) at: Span,
    pub(crate) docs: Docs,
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    /// `self` that is no reference.
    pub(crate) consumed: Option<Receiver>,
    /// The type that it is a function of, in an `impl` with `#[ludwire::tools]`.
    pub(crate) owner: Option<Type>,
    /// Where these do not hold, the function is not there either.
    pub(crate) cfgs: Vec<Attribute>,
    /// It has Rust's own `#[deprecated]`.
    pub(crate) is_deprecated: bool,
}

/// A parameter of the function.
pub(crate) struct Parameter {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) arg: ArgAttribute,
    /// It is an argument that is read as another type, and lent.
    pub(crate) lent: Option<Lent>,
    /// `#[cfg]` before it, or before what is known of it.
    pub(crate) cfg: Option<Attribute>,
}

/// Reads a function; `None` when it is none.
pub(crate) fn function(kind: Kind, item: TokenStream, mistakes: &mut Mistakes) -> Option<ItemFn> {
    let (word, written) = (kind.word(), kind.written());
    let error = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => return Some(function),
        Err(error) => error,
    };
    match syn::parse2::<syn::Item>(item.clone()) {
        // A function that syn keeps as tokens has no body, or syntax of tomorrow.
        Ok(syn::Item::Verbatim(tokens)) => {
            let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "fn");
            let name = tokens.clone().into_iter().skip_while(|token| !is_fn(token)).nth(1);
            mistakes.on(name.map_or(tokens, TokenTree::into), format!("`#[{word}]` needs a function with a body"));
        }
        Ok(syn::Item::Impl(item)) => mistakes.on(
            item.impl_token,
            format!(
                "`#[{word}]` stands before a function: write `#[ludwire::tools]` here, and `{written}` on the \
                 methods that agents may call"
            ),
        ),
        Ok(item) => mistakes.on(keyword(&item), only_functions(kind)),
        Err(_) => mistakes.parsing(error),
    }
    None
}

/// The word that says what an item is.
pub(crate) fn keyword(item: &syn::Item) -> Option<TokenTree> {
    let mut tokens = item.to_token_stream().into_iter().peekable();
    // Attributes, and who may see it.
    while tokens.next_if(|token| matches!(token, TokenTree::Punct(hash) if hash.as_char() == '#')).is_some() {
        tokens.next();
    }
    if tokens.next_if(|token| matches!(token, TokenTree::Ident(word) if word == "pub")).is_some() {
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
    }
    tokens.next()
}

/// Said where an attribute stands elsewhere.
pub(crate) fn only_functions(kind: Kind) -> String {
    let what = if kind == Kind::Observe { "observation" } else { kind.word() };
    format!("`#[{}]` stands before a function; only functions can be {what}s", kind.word())
}

impl Function {
    /// Reads the rest of a function, and takes what only we understand out of the signature.
    pub(crate) fn parse(
        role: Role,
        at: Span,
        attributes: &mut Vec<Attribute>,
        signature: &mut Signature,
        mistakes: &mut Mistakes,
    ) -> Self {
        // The second would not see what the first has taken from the parameters.
        attributes.retain(|attribute| {
            let other = Kind::of(attribute.path());
            if let Some(other) = other {
                let (this, noun) = (role.kind(), other.noun());
                let message = if other == Kind::Tool && this == Kind::Tool {
                    "a function is one tool: write another function for another tool".to_owned()
                } else {
                    format!("a function is one thing only: write another function for {noun}")
                };
                mistakes.on(attribute, message);
            }
            other.is_none()
        });
        let mut consumed = None;
        let mut parameters = Vec::new();
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(receiver) => match Parameter::of_receiver(receiver) {
                    Some(parameter) => parameters.push(parameter),
                    None => consumed = Some(receiver.clone()),
                },
                FnArg::Typed(typed) => {
                    let docs = Docs::of(&typed.attrs);
                    let arg = arg_attribute(&typed.attrs, mistakes);
                    let is_ours = |attribute: &Attribute| {
                        attribute.path().is_ident("doc") || attribute.path().is_ident("arg")
                    };
                    let cfg = typed.attrs.iter().find(|attribute| is_condition(attribute)).cloned();
                    // Only we understand what a condition would leave here.
                    typed.attrs.retain(|attribute| {
                        !is_ours(attribute) && (attribute.path().is_ident("cfg") || !is_condition(attribute))
                    });
                    let (pattern, ty) = ((*typed.pat).clone(), (*typed.ty).clone());
                    let lent = Lent::of(&ty);
                    parameters.push(Parameter { pattern, ty, docs, arg, lent, cfg });
                }
            }
        }
        Self {
            role,
            at,
            docs: Docs::of(attributes),
            signature: signature.clone(),
            parameters,
            consumed,
            owner: None,
            cfgs: Vec::new(),
            is_deprecated: attributes.iter().any(|attribute| attribute.path().is_ident("deprecated")),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.role.kind()
    }

    /// `a tool`
    pub(crate) fn noun(&self) -> &'static str {
        self.kind().noun()
    }

    /// The parameters that are read from what a peer sends.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.reference().is_none())
    }

    /// Nothing, as far as tokens tell.
    pub(crate) fn returns_nothing(&self) -> bool {
        match &self.signature.output {
            ReturnType::Default => true,
            ReturnType::Type(_, ty) => {
                matches!(ungrouped_type(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
            }
        }
    }
}

/// Whether the parameter, or what is known of it, depends on something that only the compiler knows.
fn is_condition(attribute: &Attribute) -> bool {
    let is_ours = |meta: &Meta| ["arg", "doc", "cfg"].iter().any(|word| meta.path().is_ident(word));
    attribute.path().is_ident("cfg")
        || conditional(attribute).is_some_and(|(_, metas)| metas.iter().any(is_ours))
}

impl Parameter {
    /// `&self`, `&mut self` or `self: &Self`
    fn of_receiver(receiver: &Receiver) -> Option<Self> {
        let at = receiver.span();
        let ty = match &receiver.kind {
            ReceiverKind::Reference(and, lifetime, mutability) => {
                let own = quote_spanned!(receiver.self_token.span=> Self);
                Type::Verbatim(quote_spanned!(at=> #and #lifetime #mutability #own))
            }
            ReceiverKind::Typed(_, ty) => (**ty).clone(),
            _ => return None,
        };
        // So that it is what it looks like.
        let ty: Type = parse_quote_spanned!(at=> #ty);
        types::is_reference(&ty).then(|| Self {
            pattern: Pat::Ident(PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                mutability: None,
                ident: Ident::new("self", receiver.self_token.span),
                subpat: None,
            }),
            ty,
            docs: Docs::default(),
            arg: ArgAttribute::default(),
            lent: None,
            cfg: None,
        })
    }

    /// The name, where the pattern is one.
    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.pattern {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                Some(&pattern.ident)
            }
            _ => None,
        }
    }

    pub(crate) fn is_receiver(&self) -> bool {
        self.ident().is_some_and(|ident| ident == "self")
    }

    /// The type behind the reference, and its `mut`; not for arguments that are lent.
    pub(crate) fn reference(&self) -> Option<(&Type, Option<Token![mut]>)> {
        match ungrouped_type(&self.ty) {
            Type::Reference(reference) if self.lent.is_none() => {
                Some((&reference.elem, reference.mutability))
            }
            _ => None,
        }
    }

    /// The name in JSON, and where it is written.
    pub(crate) fn json_name(&self) -> Option<(String, Span)> {
        if let Some(rename) = &self.arg.rename {
            return Some((rename.value(), rename.span()));
        }
        self.ident().map(|ident| (ident.unraw().to_string(), ident.span()))
    }
}
