//! What an attribute makes of a function.

use crate::keys::{ToolAttribute, tool_attribute};
use crate::mistakes::Mistakes;
use crate::resource::{self, ResourceAttribute};
use crate::state::{self, ObserveAttribute, StateAttribute};
use proc_macro2::TokenStream;
use syn::{Meta, Path};

/// What a function can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Resource,
    State,
    Observe,
}

/// The same, with what its attribute says.
pub(crate) enum Role {
    Tool(Box<ToolAttribute>),
    Resource(ResourceAttribute),
    State(StateAttribute),
    Observe(ObserveAttribute),
}

impl Kind {
    const ALL: [Self; 4] = [Self::Tool, Self::Resource, Self::State, Self::Observe];

    /// What an attribute makes, under any path: `#[tool]`, `#[ludwire::tool]`. The compiler cannot be asked.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let last = &path.segments.last()?.ident;
        Self::ALL.into_iter().find(|kind| last == kind.word())
    }

    /// The name of the attribute.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::State => "state",
            Self::Observe => "observe",
        }
    }

    /// What it makes.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Tool => "a tool",
            Self::Resource => "a resource",
            Self::State => "a state",
            Self::Observe => "an observation",
        }
    }

    /// The attribute, as it is written.
    pub(crate) fn written(self) -> &'static str {
        match self {
            Self::Tool => "#[tool(\"…\")]",
            Self::Resource => "#[resource(\"…\")]",
            Self::State => "#[state(\"…\")]",
            Self::Observe => "#[observe]",
        }
    }
}

impl Role {
    /// Reads what stands in the brackets.
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, mistakes: &mut Mistakes) -> Self {
        match kind {
            Kind::Tool => Self::Tool(Box::new(tool_attribute(tokens, mistakes))),
            Kind::Resource => Self::Resource(resource::attribute(tokens, mistakes)),
            Kind::State => Self::State(state::state_attribute(tokens, mistakes)),
            Kind::Observe => Self::Observe(state::observe_attribute(tokens, mistakes)),
        }
    }

    /// Reads an attribute in whatever form it is written.
    pub(crate) fn of(kind: Kind, meta: &Meta, mistakes: &mut Mistakes) -> Self {
        match meta {
            Meta::Path(_) => Self::parse(kind, TokenStream::new(), mistakes),
            Meta::List(list) => Self::parse(kind, list.tokens.clone(), mistakes),
            Meta::NameValue(_) => {
                // Whatever else is said of it then would only follow from this.
                let mut others = Mistakes::default();
                let role = Self::parse(kind, quote::quote!(0), &mut others);
                let (noun, written) = (kind.noun(), kind.written());
                mistakes.on(meta, format!("what makes {noun} stands in brackets: `{written}`"));
                role
            }
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Tool(_) => Kind::Tool,
            Self::Resource(_) => Kind::Resource,
            Self::State(_) => Kind::State,
            Self::Observe(_) => Kind::Observe,
        }
    }

    pub(crate) fn tool(&self) -> Option<&ToolAttribute> {
        match self {
            Self::Tool(attribute) => Some(attribute),
            _ => None,
        }
    }

    /// Where the runtime is.
    pub(crate) fn runtime(&self) -> Option<&Path> {
        match self {
            Self::Tool(attribute) => attribute.runtime.as_ref(),
            Self::Resource(attribute) => attribute.runtime.as_ref(),
            Self::State(attribute) => attribute.runtime.as_ref(),
            Self::Observe(attribute) => attribute.runtime.as_ref(),
        }
    }

    /// Says where the runtime is, unless the attribute does.
    pub(crate) fn set_runtime(&mut self, runtime: Option<&Path>) {
        let own = match self {
            Self::Tool(attribute) => &mut attribute.runtime,
            Self::Resource(attribute) => &mut attribute.runtime,
            Self::State(attribute) => &mut attribute.runtime,
            Self::Observe(attribute) => &mut attribute.runtime,
        };
        if own.is_none() {
            *own = runtime.cloned();
        }
    }

    /// 64-bit integers of what it gives are JSON numbers.
    pub(crate) fn number(&self) -> bool {
        match self {
            Self::Tool(attribute) => attribute.number,
            Self::Resource(attribute) => attribute.number,
            Self::State(attribute) => attribute.number.is_some(),
            Self::Observe(attribute) => attribute.number,
        }
    }
}
