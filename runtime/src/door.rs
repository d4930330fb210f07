//! Who may come in: room for connections, the token, and what a wrong one costs.

use crate::dispatch::lock;
use crate::listen::Reach;
use crate::schema::counted;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq as _;
use tokio::sync::{Notify, Semaphore};

/// Who may come in to a front end, and from where, as it is set.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    token: Token,
    /// Other machines may connect.
    is_remote: bool,
}

/// What opens a front end.
#[derive(Clone)]
enum Token {
    /// That of the host.
    Fresh,
    Given {
        token: String,
        /// The environment variable that held it.
        variable: Option<String>,
    },
    /// Everybody who can connect may come in.
    Nobody,
}

/// Characters of the shortest token that is taken: GABP wants as many (session/hello, `token`), and a short one
/// can be guessed over the others as well.
const SHORTEST_TOKEN: usize = 32;

impl Default for Access {
    /// With the host's own token, from this machine.
    fn default() -> Self {
        Self { token: Token::Fresh, is_remote: false }
    }
}

impl Access {
    pub(crate) fn with_token(self, token: impl Into<String>) -> Self {
        Self { token: Token::Given { token: token.into(), variable: None }, ..self }
    }

    /// With the token that this environment variable holds, where it is set and not empty.
    pub(crate) fn with_token_from(self, variable: &str) -> Self {
        match std::env::var_os(variable) {
            Some(token) if !token.is_empty() => {
                // What is no Unicode is refused later, for what stands in its place.
                let token = token.to_string_lossy().into_owned();
                Self { token: Token::Given { token, variable: Some(variable.to_owned()) }, ..self }
            }
            _ => self,
        }
    }

    pub(crate) fn without_token(self) -> Self {
        Self { token: Token::Nobody, ..self }
    }

    pub(crate) fn with_other_machines(self) -> Self {
        Self { is_remote: true, ..self }
    }

    /// Who may reach the listener.
    pub(crate) fn reach(&self) -> Reach {
        match self.is_remote {
            true => Reach::Remote { has_own_token: matches!(self.token, Token::Given { .. }) },
            false => Reach::Local,
        }
    }

    /// What is wrong with the token that it was given: it is too short, or holds what no token may.
    pub(crate) fn wrong(&self) -> Option<String> {
        let Token::Given { token, variable } = &self.token else { return None };
        let place = variable.as_ref().map(|variable| format!(" in {variable}")).unwrap_or_default();
        unfit(token).map(|why| format!("the token{place} {why}"))
    }

    /// What must be shown, where nothing is wrong with it; `None` where everybody who can connect may come in.
    pub(crate) fn token(self, fresh: String) -> Option<String> {
        match self.token {
            Token::Fresh => Some(fresh),
            Token::Given { token, .. } => Some(token),
            Token::Nobody => None,
        }
    }
}

/// Why something is no token, whatever the protocol: one that is good for GABP must be good for AICC as well, where
/// it stands in an HTTP header.
fn unfit(token: &str) -> Option<String> {
    let length = token.chars().count();
    if length < SHORTEST_TOKEN {
        let characters = counted(length, "character");
        return Some(format!("has {characters}; it must have {SHORTEST_TOKEN} at least"));
    }
    let (at, wrong) = token.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic())?;
    let what = match wrong {
        ' ' => "a space",
        wrong if wrong.is_control() => "a control character, such as a line break",
        _ => "not of ASCII",
    };
    let number = at + 1;
    Some(format!(
        "must be of ASCII's letters, digits and marks, without spaces; character {number} is {what}"
    ))
}

/// A token is never shown.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fresh => "Fresh",
            Self::Given { .. } => "Given(…)",
            Self::Nobody => "Nobody",
        })
    }
}

/// The way into a front end.
///
/// Those who have shown the token have their room, strangers another one: however many come and say
/// nothing, they keep nobody out who has the token.
pub(crate) struct Door {
    /// Of the front end.
    protocol: &'static str,
    /// `None`: everybody who can connect may come in.
    token: Option<String>,
    /// Connections that may be inside at one time.
    room: usize,
    state: Mutex<State>,
    /// For those that wait to hear that their token is wrong.
    penance: Semaphore,
}

#[derive(Default)]
struct State {
    inside: usize,
    /// The oldest first.
    strangers: VecDeque<Stranger>,
    /// The number of the next one who comes.
    next: u64,
    /// Strangers that had to make room.
    evicted: u64,
    /// Wrong tokens of late, and when the last one was shown.
    wrong: u32,
    /// Strangers that were turned away.
    turned_away: u64,
    last_wrong: Option<Instant>,
}

struct Stranger {
    number: u64,
    leave: Arc<Notify>,
}

/// Somebody at the door, or inside. Makes room when dropped.
pub(crate) struct Guest {
    door: Arc<Door>,
    number: u64,
    is_inside: bool,
    leave: Arc<Notify>,
}

/// Why somebody does not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// This is not the token.
    WrongToken,
    /// So many connections are inside already.
    Full(usize),
}

/// Connections that have shown no token yet, or as many as may be inside: they may all come at once. One more,
/// and the oldest of them is closed.
const MOST_STRANGERS: usize = 16;
/// Connections that are kept waiting for the answer to a wrong token; others are told at once.
const MOST_PENITENT: usize = 32;
/// The longest that one waits.
const LONGEST_PENANCE: Duration = Duration::from_secs(3);
/// Wrong tokens are forgotten after so long without any.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// Mistakes that cost nothing.
const FORGIVEN: u32 = 3;

impl Door {
    /// A door that this token opens, or anybody where there is none, to so many at one time.
    pub(crate) fn new(protocol: &'static str, token: Option<String>, room: usize) -> Self {
        Self { protocol, token, room, state: Mutex::default(), penance: Semaphore::new(MOST_PENITENT) }
    }

    /// Whether everybody who can connect may come in.
    pub(crate) fn is_open(&self) -> bool {
        self.token.is_none()
    }

    /// Somebody has connected.
    pub(crate) fn knock(self: &Arc<Self>) -> Guest {
        let leave = Arc::<Notify>::default();
        let mut state = lock(&self.state);
        let number = state.next;
        state.next += 1;
        state.strangers.push_back(Stranger { number, leave: Arc::clone(&leave) });
        let most = self.room.max(MOST_STRANGERS);
        if state.strangers.len() > most
            && let Some(oldest) = state.strangers.pop_front()
        {
            state.evicted += 1;
            let evicted = state.evicted;
            // Said when it begins, and each time that it is twice as many.
            if evicted.is_power_of_two() {
                tracing::warn!(
                    evicted,
                    "more than {most} connections have shown no token; the oldest is closed"
                );
            }
            oldest.leave.notify_one();
        }
        drop(state);
        Guest { door: Arc::clone(self), number, is_inside: false, leave }
    }

    /// A stranger is turned away; the log hears of it, and of each time that it is twice as often.
    pub(crate) fn turn_away(&self, why: impl fmt::Display) {
        let mut state = lock(&self.state);
        state.turned_away += 1;
        let count = state.turned_away;
        drop(state);
        if count.is_power_of_two() {
            tracing::warn!(protocol = self.protocol, count, "a connection is turned away: {why}");
        }
    }

    /// Keeps whoever has shown a wrong token from showing many: each of late makes the next wait longer. Who
    /// has the right one never waits.
    async fn repent(&self) {
        let count = {
            let mut state = lock(&self.state);
            let lately = state.last_wrong.is_some_and(|last| last.elapsed() < FORGOTTEN);
            state.wrong = if lately { state.wrong.saturating_add(1) } else { 1 };
            state.last_wrong = Some(Instant::now());
            state.wrong
        };
        // Said when it begins, and each time that it is twice as many: a log that anybody can fill tells nothing.
        if count.is_power_of_two() {
            tracing::warn!(protocol = self.protocol, count, "wrong tokens were shown of late");
        }
        let Some(waits) = count.checked_sub(FORGIVEN) else { return };
        if let Ok(_place) = self.penance.try_acquire() {
            let time = Duration::from_millis(50).saturating_mul(2u32.saturating_pow(waits.min(10)));
            tokio::time::sleep(time.min(LONGEST_PENANCE)).await;
        }
    }
}

/// The token is not shown.
impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("room", &self.room).finish_non_exhaustive()
    }
}

impl Guest {
    /// Whether it has come in.
    pub(crate) fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// Comes in with a token. Who is inside already stays there, whatever it shows.
    ///
    /// # Errors
    ///
    /// That the token is wrong, which after a few times is said with delay; or that there is no room.
    pub(crate) async fn enter(&mut self, token: &str) -> Result<(), Closed> {
        if let Some(own) = &self.door.token
            && !bool::from(token.as_bytes().ct_eq(own.as_bytes()))
        {
            self.door.repent().await;
            return Err(Closed::WrongToken);
        }
        self.step_in()
    }

    /// Comes in where no token is asked for.
    ///
    /// # Errors
    ///
    /// That a token is asked for, or that there is no room.
    pub(crate) fn walk_in(&mut self) -> Result<(), Closed> {
        if self.door.is_open() { self.step_in() } else { Err(Closed::WrongToken) }
    }

    fn step_in(&mut self) -> Result<(), Closed> {
        if self.is_inside {
            return Ok(());
        }
        let mut state = lock(&self.door.state);
        if state.inside >= self.door.room {
            return Err(Closed::Full(self.door.room));
        }
        state.inside += 1;
        state.strangers.retain(|stranger| stranger.number != self.number);
        self.is_inside = true;
        Ok(())
    }

    /// What tells a stranger that it must make room for others.
    pub(crate) fn leaves(&self) -> Arc<Notify> {
        Arc::clone(&self.leave)
    }

    /// Told when it must make room for others, unless it has come in.
    pub(crate) fn leave(&self) -> Arc<Notify> {
        Arc::clone(&self.leave)
    }

    /// Waits until a stranger must make room for others. Who is inside stays.
    pub(crate) async fn must_leave(&self) {
        if self.is_inside {
            std::future::pending().await
        } else {
            self.leave.notified().await;
        }
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongToken => f.write_str("this is not the token; it stands in the bridge file"),
            Self::Full(most) => {
                let connections = counted(*most, "connection");
                write!(f, "there is room for {connections}, and no more; close one of those, and try again")
            }
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut state = lock(&self.door.state);
        if self.is_inside {
            state.inside -= 1;
        } else {
            state.strangers.retain(|stranger| stranger.number != self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Closed, Door, MOST_STRANGERS};
    use std::sync::Arc;

    #[test]
    fn a_token_can_stand_in_a_header() {
        let refused = |token: &str| Access::default().with_token(token).wrong();
        for good in [
            // 32 bytes in hexadecimal, as GABP's supervisors make it; in base64; a UUID.
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
            "123e4567-e89b-42d3-a456-426614174000",
            "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        ] {
            assert_eq!(refused(good), None, "{good}");
        }
        for (bad, why) in [
            (String::new(), "has 0 characters; it must have 32 at least"),
            ("é".to_owned(), "has 1 character; it must have 32 at least"),
            ("é".repeat(31), "has 31 characters; it must have 32 at least"),
            ("é".repeat(32), "character 1 is not of ASCII"),
            (format!("{} ", "x".repeat(32)), "character 33 is a space"),
            (format!("{}\n", "x".repeat(32)), "character 33 is a control character"),
            (format!("{}\r\nx-y: z", "x".repeat(32)), "character 33 is a control character"),
            (format!("x\t{}", "x".repeat(32)), "character 2 is a control character"),
            (format!("x\u{7f}{}", "x".repeat(32)), "character 2 is a control character"),
            (format!("x\u{85}{}", "x".repeat(32)), "character 2 is a control character"),
            (format!("x\u{a0}{}", "x".repeat(32)), "character 2 is not of ASCII"),
        ] {
            let said = refused(&bad).unwrap_or_else(|| panic!("{bad:?} is taken"));
            assert!(said.starts_with("the token ") && said.contains(why), "{said}");
            assert!(!said.contains("xx") && !said.contains('é'), "{said} shows it");
        }
    }

    #[tokio::test]
    async fn strangers_keep_nobody_out() {
        let door = Arc::new(Door::new("test", Some("secret".to_owned()), 2));
        let strangers: Vec<_> = (0..MOST_STRANGERS).map(|_| door.knock()).collect();
        let mut owner = door.knock();
        // The oldest has to go, and nobody else.
        strangers[0].must_leave().await;
        assert_eq!(owner.enter("secret").await, Ok(()));
        assert_eq!(door.knock().enter("secre").await, Err(Closed::WrongToken));
        let mut second = door.knock();
        assert_eq!(second.enter("secret").await, Ok(()));
        assert_eq!(door.knock().enter("secret").await, Err(Closed::Full(2)));
        drop(second);
        assert_eq!(door.knock().enter("secret").await, Ok(()));
        assert!(owner.is_inside());
    }

    #[tokio::test]
    async fn an_open_door_asks_for_nothing() {
        let door = Arc::new(Door::new("test", None, 1));
        let mut guest = door.knock();
        assert_eq!(guest.walk_in(), Ok(()));
        assert_eq!(guest.enter("whatever").await, Ok(()));
        assert_eq!(door.knock().walk_in(), Err(Closed::Full(1)));
        let shut = Arc::new(Door::new("test", Some("t".to_owned()), 1));
        assert_eq!(shut.knock().walk_in(), Err(Closed::WrongToken));
    }
}
