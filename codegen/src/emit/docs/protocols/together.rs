//! The page over all protocols: which one for whom, what a mistake comes to in each, and how names are written.

use crate::emit::docs::markdown::id;
use crate::ir::{Protocol, Role, Together, ToolNames};
use serde::Serialize;

/// The page.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    pub(super) protocols: Vec<ProtocolRow>,
    pub(super) situations: Vec<SituationRow>,
    pub(super) marks: Vec<Role>,
    pub(super) columns: Vec<ToolNames>,
    pub(super) names: Vec<Vec<String>>,
    pub(super) meeting: Vec<Meeting>,
}

/// A protocol.
#[derive(Debug, Serialize)]
pub(super) struct ProtocolRow {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) audience: String,
    pub(super) description: String,
}

/// What happens, and what it comes to over each protocol.
#[derive(Debug, Serialize)]
pub(super) struct SituationRow {
    pub(super) id: String,
    pub(super) what: String,
    pub(super) advice: String,
    pub(super) cells: Vec<SituationCell>,
}

/// What a situation comes to over a protocol.
#[derive(Debug, Serialize)]
pub(super) struct SituationCell {
    pub(super) is: String,
    /// Where the code is explained; none where it is no code.
    pub(super) target: Option<String>,
}

/// Two names that cannot be in one game.
#[derive(Debug, Serialize)]
pub(super) struct Meeting {
    pub(super) one: String,
    pub(super) other: String,
    /// What both become, and where.
    pub(super) meet_as: String,
    pub(super) columns: Vec<String>,
}

/// The page over `protocols`.
pub(super) fn page(protocols: &[Protocol], together: &Together) -> Page {
    let rows = protocols.iter().map(|protocol| ProtocolRow {
        name: protocol.name.clone(),
        title: protocol.title.clone(),
        audience: protocol.guide.as_ref().map(|guide| guide.audience.clone()).unwrap_or_default(),
        description: protocol.description.clone(),
    });
    let situations = together.situations.iter().map(|happening| SituationRow {
        id: happening.id.clone(),
        what: happening.what.clone(),
        advice: happening.advice.clone(),
        cells: protocols.iter().map(|protocol| cell(protocol, &happening.id)).collect(),
    });
    let own = protocols.iter().filter_map(|protocol| protocol.guide.as_ref()?.tool_names.clone());
    let columns: Vec<ToolNames> = own.chain(together.others.iter().cloned()).collect();
    let names = together.names.iter();
    let names = names.map(|name| columns.iter().map(|column| written(name, column)).collect()).collect();
    let meeting = together.meeting.iter().filter_map(|(one, other)| {
        let meets = |column: &&ToolNames| written(one, column) == written(other, column);
        let meets: Vec<&ToolNames> = columns.iter().filter(meets).collect();
        Some(Meeting {
            one: one.clone(),
            other: other.clone(),
            meet_as: written(one, meets.first()?),
            columns: meets.iter().map(|column| column.title.clone()).collect(),
        })
    });
    Page {
        protocols: rows.collect(),
        situations: situations.collect(),
        marks: together.marks.clone(),
        meeting: meeting.collect(),
        names,
        columns,
    }
}

fn cell(protocol: &Protocol, situation: &str) -> SituationCell {
    let situations = protocol.guide.iter().flat_map(|guide| &guide.situations);
    let is =
        situations.filter(|own| own.id == situation).map(|own| own.is.clone()).next().unwrap_or_default();
    let known = protocol.errors.iter().find(|error| error.text() == is);
    let target = known.map(|error| match (protocol.lists.is_empty(), &error.id) {
        (true, _) => format!("{}/index.md#{}", protocol.name, id(&format!("error:{is}"))),
        (false, Some(entry)) => format!("{}/wire.md#{}", protocol.name, id(entry)),
        (false, None) => format!("{}/wire.md", protocol.name),
    });
    SituationCell { is, target }
}

/// A tool's name as a protocol writes it.
pub(super) fn written(name: &str, names: &ToolNames) -> String {
    let put = |name: String, (from, to): &(String, String)| name.replace(from, to);
    names.replace.iter().fold(name.to_owned(), put)
}
