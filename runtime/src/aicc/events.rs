//! What an agent hears without having asked for it.

use super::connection::Shared;
use super::session::Session;
use crate::dispatch::Core;
use crate::{event, events};
use ludwire_protocols::aicc::{Event, EventTopic, Meta, ModelClass, NonNegativeInteger};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// The topic of a channel of the game.
pub(super) fn topic(channel: &str) -> EventTopic {
    EventTopic::try_from(event::topic(channel)).unwrap_or(EventTopic::StateChange)
}

/// The channels of these topics.
pub(super) fn channels(core: &Core, topics: &BTreeSet<EventTopic>) -> Vec<String> {
    core.channels().into_iter().filter(|channel| topics.contains(&topic(channel))).collect()
}

/// How long after a tick event the next one may come.
pub(super) fn tick_gap(tick_rate: f64, class: ModelClass, is_mostly_looking: bool) -> Duration {
    let slowest = match class {
        ModelClass::EdgeSmall if is_mostly_looking => Duration::from_secs(1),
        ModelClass::EdgeMedium if is_mostly_looking => Duration::from_millis(500),
        _ => Duration::ZERO,
    };
    let own = Duration::try_from_secs_f64(1.0 / tick_rate).unwrap_or(Duration::MAX);
    // A day: timers do not go on for ever.
    own.max(slowest).min(Duration::from_secs(86_400))
}

impl Shared {
    /// An event of the game, as a message of this session.
    pub(super) fn event(&self, session: &Session, event: &events::Event) -> Event {
        let members = [
            ("channel", Value::from(&*event.channel)),
            ("seq", Value::from(event.seq)),
            ("data", event.payload().clone()),
        ];
        let payload = Map::from_iter(members.map(|(name, value)| (name.to_owned(), value)));
        let meta = Meta::new().with_source(&*event.channel);
        Event::new(session.id, self.message_id(), topic(&event.channel), payload).with_meta(meta)
    }

    /// That the world has ticked.
    pub(super) fn tick_event(&self, session: &Session, tick: u64) -> Event {
        let payload = Map::from_iter([("tick".to_owned(), Value::from(tick))]);
        let meta = Meta::new().with_tick(tick);
        Event::new(session.id, self.message_id(), EventTopic::Tick, payload).with_meta(meta)
    }
}

/// Milliseconds, as messages have them.
pub(super) fn millis(time: Duration) -> NonNegativeInteger {
    NonNegativeInteger::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{tick_gap, topic};
    use ludwire_protocols::aicc::{EventTopic, ModelClass};

    #[test]
    fn the_topics_of_channels_are_aiccs() {
        let topics = ["collision/hit", "audio/heard", "agent_message/said", "unit/moved"].map(topic);
        let own =
            [EventTopic::Collision, EventTopic::Audio, EventTopic::AgentMessage, EventTopic::StateChange];
        assert_eq!(topics, own);
    }

    #[test]
    fn small_models_that_look_get_fewer_ticks() {
        let gap = |rate, class, looks| tick_gap(rate, class, looks).as_millis();
        assert_eq!(gap(20.0, ModelClass::EdgeSmall, true), 1000);
        assert_eq!(gap(20.0, ModelClass::EdgeSmall, false), 50);
        assert_eq!(gap(20.0, ModelClass::EdgeMedium, true), 500);
        assert_eq!(gap(20.0, ModelClass::CloudLarge, true), 50);
        assert_eq!(gap(0.5, ModelClass::EdgeSmall, true), 2000);
        assert_eq!(gap(f64::MIN_POSITIVE, ModelClass::CloudLarge, false), 86_400_000);
    }
}
