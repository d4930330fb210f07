//! Which schemas are messages, and how a reader knows them.

use super::{Lowering, Naming};
use crate::graph::SchemaId;
use crate::ir::{Discriminator, Message, MessageKind, Presence, Struct, TypeId, TypeRef};
use crate::json::{Node, quoted};
use crate::names::{self, Scope};
use crate::near::nearest;
use crate::overlay::{MessageRule, Overlay, Select};

/// The messages that the overlay's rules select, in the order of the rules.
pub(super) fn messages(lowering: &mut Lowering, overlay: &Overlay) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut scope = Scope::default();
    let mut seen: Vec<SchemaId> = Vec::new();
    for rule in &overlay.messages {
        let selected = select(lowering, rule);
        if selected.is_empty() {
            lowering.problems.push(rule.place.clone(), "no schema is selected");
        }
        let first = messages.len();
        for (id, path) in selected {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            if let Some(message) = message(lowering, overlay, rule, id, &path, &mut scope) {
                messages.push(message);
            }
        }
        let own: &[Message] = &messages[first..];
        for direction in &rule.directions {
            if !own.iter().any(|message| message.name == direction.name) {
                let names: Vec<&str> = own.iter().map(|message| message.name.as_str()).collect();
                let name = quoted(&direction.name);
                let text = match nearest(&direction.name, names.iter().copied()) {
                    Some(near) => format!("{name} is no message here; did you mean {}?", quoted(near)),
                    None => format!("{name} is none of these messages: {}", names.join(", ")),
                };
                lowering.problems.push(direction.place.clone(), text);
            }
        }
    }
    check_answers(lowering, overlay, &messages);
    separate(lowering, &mut messages);
    lowering.problems.add_lines(&overlay.display, &overlay.text);
    messages
}

/// Notes what `answers` says of files that are no responses, or of methods that nobody asks for.
fn check_answers(lowering: &mut Lowering, overlay: &Overlay, messages: &[Message]) {
    for answer in &overlay.answers {
        let is_asked = messages.iter().any(|message| {
            message.kind == MessageKind::Request && message.method.as_deref() == Some(answer.name.as_str())
        });
        let file = lowering.graph.files.iter().find(|file| file.path == answer.text);
        let text = if !is_asked {
            format!("no request asks for the method {:?}", answer.name)
        } else if file.is_none() {
            format!("there is no file {}", answer.text)
        } else {
            continue;
        };
        lowering.problems.push(answer.place.clone(), text);
    }
}

fn select(lowering: &Lowering, rule: &MessageRule) -> Vec<(SchemaId, String)> {
    let files = &lowering.graph.files;
    match &rule.select {
        Select::Files(pattern) => files
            .iter()
            .filter(|file| glob(pattern, &file.path))
            .filter_map(|file| Some((file.root?, file.path.clone())))
            .collect(),
        Select::Schema(reference) => {
            let (path, pointer) = reference.split_once('#').unwrap_or((reference, ""));
            let found = files.iter().find(|file| file.path == path).and_then(|file| {
                if pointer.is_empty() {
                    return file.root;
                }
                let name = pointer.rsplit('/').next()?;
                let name = crate::json::unescape(name);
                file.definitions.iter().find(|(own, _)| *own == name).map(|(_, id)| *id)
            });
            found.map(|id| (id, path.to_owned())).into_iter().collect()
        }
        Select::Branches(path) => files
            .iter()
            .find(|file| file.path == *path)
            .and_then(|file| lowering.schema(file.root?).one_of.clone())
            .unwrap_or_default()
            .into_iter()
            .map(|id| (lowering.schema(id).references.first().copied().unwrap_or(id), path.clone()))
            .collect(),
    }
}

fn message(
    lowering: &mut Lowering,
    overlay: &Overlay,
    rule: &MessageRule,
    id: SchemaId,
    path: &str,
    scope: &mut Scope,
) -> Option<Message> {
    let ty = lowering.use_of(&[id], &Naming::root());
    let (Some(type_id), Some(found)) = (lowering.id_of(&ty), lowering.struct_of(&ty).cloned()) else {
        let place = lowering.place(id);
        lowering.problems.push(place, "a message must be an object with known members");
        return None;
    };
    let discriminators = discriminators(&found);
    let reading = wider(lowering, id, type_id, &discriminators);
    let constant = |member: &str| {
        let found = discriminators.iter().find(|discriminator| discriminator.member == member)?;
        found.values.first().and_then(Node::as_str).map(str::to_owned)
    };
    let method = match rule.kind {
        MessageKind::Request => constant("method"),
        MessageKind::Response => answered(lowering, overlay, path),
        _ => None,
    };
    if rule.kind == MessageKind::Response && rule.name.is_none() && method.is_none() {
        let place = lowering.place(id);
        lowering.problems.push(place, unanswered(path));
        return None;
    }
    let name = rule.name.clone().unwrap_or_else(|| match (&method, rule.kind) {
        (Some(method), MessageKind::Request) => format!("{method} request"),
        (Some(method), MessageKind::Response) => format!("{method} response"),
        _ => constant("type").unwrap_or_else(|| lowering.reserved.get(&id).cloned().unwrap_or_default()),
    });
    let direction =
        rule.directions.iter().find(|own| own.name == name).map_or(&rule.direction, |own| &own.text);
    Some(Message {
        rust: scope.take([names::pascal(&name).as_str()]),
        name,
        kind: rule.kind,
        direction: direction.clone(),
        ty: type_id,
        reading,
        discriminators,
        standalone: rule.kind != MessageKind::Response || method.is_none(),
        method,
    })
}

/// The members by which a reader knows a message.
fn discriminators(message: &Struct) -> Vec<Discriminator> {
    let required = message.fields.iter().filter(|field| matches!(field.presence, Presence::Required));
    required
        .filter_map(|field| {
            let value = field.constant.clone().filter(|value| value.as_str().is_some())?;
            Some(Discriminator { member: field.wire.clone(), values: vec![value] })
        })
        .collect()
}

/// The type that a message is read as, where it is another one than it is written as.
fn wider(lowering: &mut Lowering, id: SchemaId, own: TypeId, known_by: &[Discriminator]) -> Option<TypeId> {
    let wider = *lowering.graph.reading.get(&id)?;
    let ty = lowering.use_of(&[wider], &Naming::root());
    let found = lowering.struct_of(&ty).map(discriminators);
    if found.as_deref() != Some(known_by) {
        let place = lowering.place(wider);
        let text = "what is read must be known by the same members as what is written";
        lowering.problems.push(place, text);
    }
    lowering.id_of(&ty).filter(|ty| *ty != own)
}

/// The method that a response file answers: the one whose request file has the same name, or the
/// one that the overlay says.
fn answered(lowering: &Lowering, overlay: &Overlay, path: &str) -> Option<String> {
    if let Some(answer) = overlay.answers.iter().find(|answer| answer.text == path) {
        return Some(answer.name.clone());
    }
    let request = path.replace(".response.", ".request.");
    if request == path {
        return None;
    }
    let file = lowering.graph.files.iter().find(|file| file.path == request)?;
    let schema = lowering.schema(file.root?);
    let (_, method) = schema.properties.iter().find(|(name, _)| name == "method")?;
    lowering.schema(*method).constants.as_deref()?.first()?.as_str().map(str::to_owned)
}

/// What is wrong with a response that answers nothing.
fn unanswered(path: &str) -> String {
    let request = path.replace(".response.", ".request.");
    let missing = if request == path {
        "its name does not tell the request".to_owned()
    } else {
        format!("there is no {request} with a constant `method`")
    };
    format!(
        "it is not known what this response answers: {missing}, and no entry of `answers` in the overlay names \
         {path}; a response to any request has a `name` there"
    )
}

/// Where two messages have the same constants, a closed list of values tells one of them apart.
fn separate(lowering: &mut Lowering, messages: &mut [Message]) {
    let key = |message: &Message| -> Vec<(String, String)> {
        message.discriminators.iter().map(|d| (d.member.clone(), d.values[0].to_string())).collect()
    };
    for index in 0..messages.len() {
        let own = key(&messages[index]);
        let twin = (index + 1..messages.len()).find(|other| {
            messages[*other].standalone && messages[index].standalone && key(&messages[*other]) == own
        });
        let Some(twin) = twin else { continue };
        let found = lowering.struct_of(&TypeRef::Named(messages[index].ty)).cloned().unwrap_or_default();
        let extra = found.fields.iter().find_map(|field| {
            let known = own.iter().any(|(member, _)| *member == field.wire);
            let values = lowering.tags(&found, &field.wire)?;
            (!known).then(|| Discriminator { member: field.wire.clone(), values })
        });
        match extra {
            Some(extra) => messages[index].discriminators.push(extra),
            None => {
                let place = lowering.types[messages[index].ty.0]
                    .as_ref()
                    .map(|ty| ty.place.clone())
                    .unwrap_or_default();
                let text =
                    format!("`{}` and `{}` cannot be told apart", messages[index].name, messages[twin].name);
                lowering.problems.push(place, text);
            }
        }
    }
}

/// Whether a path matches a pattern in which `*` stands for any text.
fn glob(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((start, rest)) => path.strip_prefix(start).is_some_and(|path| {
            (0..=path.len()).filter(|at| path.is_char_boundary(*at)).any(|at| glob(rest, &path[at..]))
        }),
    }
}
