//! What the game reports, as GABP has it.

use crate::attention::{AttentionItem, AttentionReport, Severity};
use crate::events::Event;
use ludwire_protocols::gabp::{self, AttentionChannel, AttentionId, AttentionState, NonEmptyString};

/// What an event tells, if it is one of those.
pub(super) fn told(event: &Event) -> Option<(AttentionChannel, gabp::AttentionItem)> {
    let own = crate::attention::CHANNELS.into_iter().find(|own| *own == &*event.channel)?;
    let told: AttentionItem = serde_json::from_value(event.payload().clone()).ok()?;
    Some((AttentionChannel::try_from(own).ok()?, item(told)))
}

/// An item.
pub(super) fn item(item: AttentionItem) -> gabp::AttentionItem {
    gabp::AttentionItem {
        attention_id: AttentionId::try_from(item.id).expect("the core names it"),
        state: if item.open { AttentionState::Open } else { AttentionState::Cleared },
        severity: severity(item.severity),
        blocking: item.blocking,
        state_invalidated: item.invalidates_state,
        summary: text(item.summary),
        causal_operation_id: item.operation.and_then(|name| NonEmptyString::try_from(name).ok()),
        causal_method: item.cause.and_then(|name| NonEmptyString::try_from(name).ok()),
        opened_at_sequence: item.first.into(),
        latest_sequence: item.latest.into(),
        diagnostics_cursor: None,
        total_urgent_entries: item.reports.into(),
        sample: Some(item.recent.into_iter().map(sample).collect()),
    }
}

fn sample(report: AttentionReport) -> gabp::AttentionSample {
    gabp::AttentionSample {
        level: severity(report.severity),
        message: text(report.summary),
        repeat_count: report.times.try_into().expect("it was made"),
        latest_sequence: report.latest.into(),
    }
}

fn severity(severity: Severity) -> gabp::AttentionSeverity {
    match severity {
        Severity::Info => gabp::AttentionSeverity::Info,
        Severity::Warning => gabp::AttentionSeverity::Warning,
        Severity::Error => gabp::AttentionSeverity::Error,
        Severity::Fatal => gabp::AttentionSeverity::Fatal,
    }
}

/// What says something may not be empty.
fn text(text: String) -> NonEmptyString {
    NonEmptyString::try_from(text)
        .unwrap_or_else(|_| NonEmptyString::try_from("nothing was said").expect("it is not empty"))
}

#[cfg(test)]
mod tests {
    use super::AttentionChannel;
    use crate::attention::CHANNELS;

    #[test]
    fn the_channels_of_attention_are_gabps() {
        let own: Vec<&str> = AttentionChannel::ALL.iter().map(|channel| channel.as_str()).collect();
        assert_eq!(own, CHANNELS);
    }
}
