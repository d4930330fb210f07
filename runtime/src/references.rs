//! What parameters of a reference type are for: the call, what the host holds, else the game's state.

use crate::call::Call;
use crate::error::ToolError;
use crate::function::Kind;
use crate::held::Res;
use crate::private::{Context, Probe};
use std::any::Any;
use std::marker::PhantomData;

/// What a tool needs so that a parameter has a value.
pub enum Need {
    /// It is always there.
    Nothing,
    /// The game's state.
    State(Kind),
    /// A value that the host holds.
    Held(Kind),
}

/// What a reference parameter is for.
pub trait ReferenceRole {
    /// The type behind the reference.
    type Target: ?Sized;
    /// What the tool then needs.
    fn need() -> Need;
    /// The value of the parameter.
    fn shared<'a>(&self, context: &mut Context<'a>) -> Result<&'a Self::Target, ToolError>;
}

/// What an exclusive reference parameter is for: only the state can be one.
#[diagnostic::on_unimplemented(
    message = "only the game's state can be taken as `&mut`",
    label = "take this one as `&`"
)]
pub trait ExclusiveRole: ReferenceRole {
    /// The value of the parameter.
    fn exclusive<'a>(&self, context: &mut Context<'a>) -> Result<&'a mut Self::Target, ToolError>;
}

/// `&Call`
pub struct CallRole;

/// `&S` or `&mut S`
pub struct StateRole<T>(PhantomData<T>);

impl Probe<Call> {
    /// It is the call.
    pub fn reference(&self) -> CallRole {
        CallRole
    }
}

/// `&Res<T>`
pub struct ResRole<T>(PhantomData<T>);

/// A value that a host can hold.
#[diagnostic::on_unimplemented(
    message = "a host cannot hold a `{Self}`",
    label = "tools on every thread can use it at one time, so it must be `Send`, `Sync` and without lifetimes"
)]
pub trait Holdable: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Holdable for T {}

impl<T> Probe<Res<T>> {
    /// The host holds it.
    pub fn reference(&self) -> ResRole<T>
    where
        T: Holdable,
    {
        ResRole(PhantomData)
    }
}

/// What holds a game: a type of the game's own. No plain type implements it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is no state of a game",
    label = "the state is a struct or an enum of yours: put this value into it, and take that; or take it as an \
             argument, by value"
)]
pub trait GameState: Sized {}

/// A plain type behind a reference is a mistake, under whatever name it goes. What takes the probe by value is
/// found before all else.
pub trait PlainReference: Sized {
    /// The type.
    type Target;
    /// It is no state.
    fn reference(self) -> StateRole<Self::Target>
    where
        Self::Target: GameState,
    {
        StateRole(PhantomData)
    }
}

macro_rules! plain {
    ($([$($parameter:tt)*] $plain:ty),* $(,)?) => {$(
        impl<$($parameter)*> PlainReference for Probe<$plain> {
            type Target = $plain;
        }
    )*};
}

plain! {
    [] i8, [] i16, [] i32, [] i64, [] i128, [] isize,
    [] u8, [] u16, [] u32, [] u64, [] u128, [] usize,
    [] f32, [] f64, [] bool, [] char, [] String,
    [T] Vec<T>, [T] Option<T>, ['a, T] &'a T, ['a, T] &'a mut T, [T, const N: usize] [T; N],
    [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, D] (A, B, C, D),
}

/// Any other type behind a reference is the state.
pub trait AnyReference {
    /// The type.
    type Target;
    /// It is the state.
    fn reference(&self) -> StateRole<Self::Target>;
}

impl<T: 'static> AnyReference for Probe<T> {
    type Target = T;
    fn reference(&self) -> StateRole<T> {
        StateRole(PhantomData)
    }
}

impl ReferenceRole for CallRole {
    type Target = Call;
    fn need() -> Need {
        Need::Nothing
    }
    fn shared<'a>(&self, context: &mut Context<'a>) -> Result<&'a Call, ToolError> {
        Ok(context.call)
    }
}

impl<T: 'static> ReferenceRole for ResRole<T> {
    type Target = Res<T>;
    fn need() -> Need {
        Need::Held(Kind::of::<T>())
    }
    fn shared<'a>(&self, context: &mut Context<'a>) -> Result<&'a Res<T>, ToolError> {
        let held = context.call.core.held.get();
        held.ok_or_else(|| ToolError::internal("the host does not hold what this tool needs"))
    }
}

impl<T: 'static> ReferenceRole for StateRole<T> {
    type Target = T;
    fn need() -> Need {
        Need::State(Kind::of::<T>())
    }
    fn shared<'a>(&self, context: &mut Context<'a>) -> Result<&'a T, ToolError> {
        self.exclusive(context).map(|state| &*state)
    }
}

impl<T: 'static> ExclusiveRole for StateRole<T> {
    fn exclusive<'a>(&self, context: &mut Context<'a>) -> Result<&'a mut T, ToolError> {
        let state = context.state.take().and_then(<dyn Any>::downcast_mut);
        state.ok_or_else(|| ToolError::internal("the host has no state of the type that this tool works on"))
    }
}

/// How many states the parameters so far have asked for: none.
pub struct NoState;

/// How many states the parameters so far have asked for: one.
pub struct HasState;

/// Counts states, where more than one parameter is a reference.
#[diagnostic::on_unimplemented(
    message = "there is one state",
    label = "this would be a second one: put what the function needs into one struct, and take that"
)]
pub trait OneState<R> {
    /// What has been asked for then.
    type Then;
    /// Another parameter.
    fn also(self, role: &R) -> Self::Then;
}

#[diagnostic::do_not_recommend]
impl OneState<CallRole> for NoState {
    type Then = Self;
    fn also(self, _role: &CallRole) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> OneState<ResRole<T>> for NoState {
    type Then = Self;
    fn also(self, _role: &ResRole<T>) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> OneState<StateRole<T>> for NoState {
    type Then = HasState;
    fn also(self, _role: &StateRole<T>) -> HasState {
        HasState
    }
}

#[diagnostic::do_not_recommend]
impl OneState<CallRole> for HasState {
    type Then = Self;
    fn also(self, _role: &CallRole) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> OneState<ResRole<T>> for HasState {
    type Then = Self;
    fn also(self, _role: &ResRole<T>) -> Self {
        self
    }
}

/// What an async tool can take by reference.
#[diagnostic::on_unimplemented(
    message = "an `async` function cannot take the game's state: the game does not stand still while it waits",
    label = "take the `&Call` in place of it, and write `call.on_game(|world: &mut World| …).await` where the \
             function needs the state"
)]
pub trait WhileWaiting {
    /// It can.
    fn while_waiting(&self) {}
}

/// What a tool can take by reference that runs on a worker.
#[diagnostic::on_unimplemented(
    message = "a tool that takes the game's state runs on the game's thread",
    label = "this is the state: leave out `thread = worker`, or take this parameter away"
)]
pub trait OffGame {
    /// It can.
    fn off_game(&self) {}
}

#[diagnostic::do_not_recommend]
impl WhileWaiting for CallRole {}
#[diagnostic::do_not_recommend]
impl<T> WhileWaiting for ResRole<T> {}
#[diagnostic::do_not_recommend]
impl OffGame for CallRole {}
#[diagnostic::do_not_recommend]
impl<T> OffGame for ResRole<T> {}
