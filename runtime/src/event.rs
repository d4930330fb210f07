//! What a game declares as events: a type a channel, with the schema of its payload.

use crate::function::Location;
use crate::private::Payload;
use crate::schema::{self, Form, Held, Plan};
use schemars::generate::SchemaGenerator;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// Something that happens in the game, and that peers can subscribe to.
///
/// [`#[derive(Event)]`](derive@crate::Event) makes a type one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no event",
    label = "this is no event",
    note = "derive it: `#[derive(serde::Serialize, schemars::JsonSchema, ludwire::Event)]`, with \
            `#[event(\"unit/moved\")]` for the channel"
)]
pub trait Event: Sized {
    /// Where it is sent: `unit/moved`.
    const CHANNEL: &'static str;

    /// What its derive says of it.
    #[doc(hidden)]
    fn declaration() -> &'static Declaration;

    /// How its payload is written.
    #[doc(hidden)]
    fn payload() -> Payload<Self>;
}

/// An event as its derive registers it.
#[doc(hidden)]
pub struct Declaration {
    pub(crate) channel: &'static str,
    pub(crate) description: &'static str,
    pub(crate) location: Location,
    number: bool,
    schema: fn(&mut SchemaGenerator) -> Value,
    made: OnceLock<Made>,
}

/// How to come by an event's declaration.
#[doc(hidden)]
pub struct Declared(pub fn() -> &'static Declaration);

inventory::collect!(Declared);

/// The topics of events whose channels begin with their names. Agents that know no channels hear of topics.
const OWN_TOPICS: [&str; 3] = ["collision", "audio", "agent_message"];
/// The topic of all others.
const COMMON_TOPIC: &str = "state_change";

/// The topic of a channel of the game.
pub fn topic(channel: &str) -> &'static str {
    let first = channel.split('/').next().unwrap_or_default();
    OWN_TOPICS.into_iter().find(|topic| *topic == first).unwrap_or(COMMON_TOPIC)
}

/// What is known of an event once its schema has been made.
struct Made {
    payload: Held,
    plan: Option<Plan>,
    form: Form,
    /// What is wrong with it that the compiler could not see.
    defects: Vec<String>,
}

fn schema_of<E: Event>(generator: &mut SchemaGenerator) -> Value {
    (E::payload().schema)(generator)
}

impl Declaration {
    /// An event of this type. With `number`, its 64-bit integers are JSON numbers.
    pub const fn of<E: Event + 'static>(description: &'static str, location: Location, number: bool) -> Self {
        let schema = schema_of::<E>;
        Self { channel: E::CHANNEL, description, location, number, schema, made: OnceLock::new() }
    }

    fn made(&self) -> &Made {
        self.made.get_or_init(|| {
            let mut defects = Vec::new();
            let mut generator = schema::for_result();
            let mut schema = (self.schema)(&mut generator);
            if self.number
                && let Some(why) = schema::as_numbers(&mut schema)
            {
                defects.push(format!("it has `number`, but {why}"));
            }
            let (payload, form) = schema::result(schema, &mut generator);
            if form == Form::Wrapped {
                defects.push("its payload is no object: put it into a struct with named fields".to_owned());
            }
            Made { plan: payload.whole_plan(), payload, form, defects }
        })
    }

    /// What is wrong with it that the compiler could not see.
    pub(crate) fn defects(&self) -> &[String] {
        &self.made().defects
    }

    /// Writes the payload as JSON text into what is empty.
    ///
    /// # Errors
    ///
    /// That it is no JSON, or not what its schema says.
    pub(crate) fn write<E: Event>(&self, event: &E, out: &mut Vec<u8>) -> Result<(), String> {
        let made = self.made();
        let Payload { to_json, to_text, .. } = E::payload();
        if made.plan.as_ref().is_some_and(|plan| to_text(event, plan, out)) {
            return Ok(());
        }
        let payload = to_json(event).map_err(|error| format!("its payload is no JSON: {error}"))?;
        let mut payload = made.form.of(payload);
        made.payload
            .hold(None, &mut payload)
            .map_err(|problems| format!("its payload is not what its schema says: {problems}"))?;
        out.clear();
        serde_json::to_writer(out, &payload).map_err(|error| error.to_string())
    }

    /// As a manifest has it.
    pub(crate) fn described(&self) -> Value {
        json!({
            "channel": self.channel,
            "title": crate::tool::title(self.channel),
            "description": self.description,
            "schema": self.schema(),
            "topic": topic(self.channel),
        })
    }

    /// The schema of the payload.
    pub(crate) fn schema(&self) -> Value {
        self.made().payload.published()
    }
}

#[cfg(test)]
mod tests {
    use super::topic;

    #[test]
    fn channels_have_topics() {
        for (channel, expected) in [
            ("collision/hit", "collision"),
            ("audio/heard", "audio"),
            ("agent_message/said", "agent_message"),
            ("audio", "audio"),
            ("audios/heard", "state_change"),
            ("tick/tock", "state_change"),
            ("unit/moved", "state_change"),
        ] {
            assert_eq!(topic(channel), expected, "{channel}");
        }
    }
}
