//! Whether what an overlay says for the pages is about messages and codes that there are.

use crate::diagnostics::{Diagnostics, Place};
use crate::ir::{ErrorCode, Guide, Message};
use crate::json::quoted;
use crate::near::nearest;
use crate::overlay::Overlay;

/// What is said for the pages. A message that nobody sends and a code that is none are mistakes. A message
/// without an example, where there are examples, is odd: one that is new has its types and its page first.
pub(super) fn guide(
    overlay: &Overlay,
    messages: &[Message],
    errors: &[ErrorCode],
    problems: &mut Diagnostics,
    notes: &mut Diagnostics,
) -> Option<Guide> {
    let (guide, place) = overlay.guide.as_ref()?;
    let mut check = Check { place, problems };
    let names: Vec<&str> = messages.iter().map(|message| message.name.as_str()).collect();
    let codes: Vec<String> = errors.iter().map(ErrorCode::text).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let steps = guide.topics.iter().flat_map(|topic| &topic.steps).filter_map(|step| step.message.as_ref());
    let framed = guide.topics.iter().filter_map(|topic| topic.framed.as_ref()).map(|framed| &framed.message);
    for name in steps.chain(framed) {
        check.is_one("topics", "message", name, &names);
    }
    let topics: Vec<&str> = guide.topics.iter().map(|topic| topic.id.as_str()).chain(SECTIONS).collect();
    for see in guide.questions.iter().filter_map(|question| question.see.as_ref()) {
        check.is_one("questions", "topic", see, &topics);
    }
    for note in &guide.notes {
        let about = note.answered_by.iter().chain(&note.causes).chain([&note.message]);
        about.for_each(|name| check.is_one("messages", "message", name, &names));
    }
    let uses = guide.notes.iter().flat_map(|note| &note.errors).chain(&guide.always);
    uses.for_each(|used| check.is_one("messages", "error code", &used.code, &codes));
    if let Some(file) = &guide.examples_file {
        for example in &guide.examples {
            let hint = hint(&example.of, &names);
            if !names.contains(&example.of.as_str()) {
                let text = format!("{} is no message{hint}", quoted(&example.of));
                check.problems.push(example.place.clone(), text);
            }
        }
        let lacks = names.iter().filter(|name| !guide.examples.iter().any(|example| example.of == **name));
        let lacks: Vec<&str> = lacks.copied().collect();
        if let Some(first) = lacks.first() {
            let form = format!("{{ \"of\": {}, \"message\": {{ … }} }}", quoted(first));
            let text = format!("there is no example of {}; an entry is {form}", lacks.join(", "));
            notes.push(Place { file: file.clone(), ..Place::default() }, text);
        }
    }
    problems.add_lines(&overlay.display, &overlay.text);
    Some(guide.clone())
}

/// What each index has beside topics.
const SECTIONS: [&str; 6] = ["enums", "errors", "limits", "messages", "names", "transports"];

struct Check<'a> {
    place: &'a Place,
    problems: &'a mut Diagnostics,
}

impl Check<'_> {
    fn is_one(&mut self, member: &str, what: &str, name: &str, known: &[&str]) {
        if !known.contains(&name) {
            self.problem(member, format!("{} is no {what}{}", quoted(name), hint(name, known)));
        }
    }

    fn problem(&mut self, member: &str, message: String) {
        let place = Place { pointer: format!("{}/{member}", self.place.pointer), ..self.place.clone() };
        self.problems.push(place, message);
    }
}

fn hint(name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    near.map_or(String::new(), |near| format!("; did you mean {}?", quoted(near)))
}

#[cfg(test)]
mod tests {
    use super::guide;
    use crate::diagnostics::{Diagnostics, Place};
    use crate::ir::{ErrorCode, Message, MessageKind, TypeId};
    use crate::json::{Json, Node, Span};
    use crate::overlay::{self, Overlay};

    /// What is wrong with a guide to the messages `ask` and `tell` and the code 7.
    fn problems(text: &str, examples: &str) -> Vec<String> {
        let message = |name: &str| Message {
            rust: name.to_owned(),
            name: name.to_owned(),
            kind: MessageKind::Message,
            method: None,
            direction: String::new(),
            ty: TypeId(0),
            reading: None,
            discriminators: Vec::new(),
            standalone: true,
        };
        let error = ErrorCode {
            rust: "SEVEN".to_owned(),
            id: None,
            code: Node { value: Json::Number("7".to_owned()), span: Span::default() },
            name: "Seven".to_owned(),
            description: String::new(),
            last: None,
            retry: None,
            sources: Vec::new(),
        };
        let place = Place { file: "o.json".to_owned(), pointer: "#/guide".to_owned(), ..Place::default() };
        let overlay =
            Overlay { guide: Some((overlay::parsed_guide(text, examples), place)), ..Overlay::default() };
        let (mut problems, mut notes) = (Diagnostics::default(), Diagnostics::default());
        guide(&overlay, &[message("ask"), message("tell")], &[error], &mut problems, &mut notes);
        let lacks = notes.0.iter().map(|note| format!("{}: {}", note.place.file, note.message));
        let found =
            problems.0.iter().map(|problem| format!("{}: {}", problem.place.pointer, problem.message));
        found.chain(lacks).collect()
    }

    #[test]
    fn what_is_said_is_about_what_there_is() {
        let right = r#"{"for": "f", "questions": [{"ask": "a", "answer": "b", "see": "errors"}], "always": [7],
            "messages": {"ask": {"when": "w", "answered_by": ["tell"]}}, "examples": "e.json"}"#;
        let both = r#"[{"of": "ask", "message": {}}, {"of": "tell", "message": {}}]"#;
        assert_eq!(problems(right, both), [""; 0]);
        let wrong = r#"{"for": "f", "questions": [{"ask": "a", "answer": "b", "see": "nowhere"}], "always": [8],
            "topics": [{"id": "t", "title": "T", "steps": [{"message": "aks", "text": "x"}]}],
            "messages": {"tale": {"when": "w", "causes": ["shout"]}}, "examples": "e.json"}"#;
        assert_eq!(
            problems(wrong, r#"[{"of": "tel", "message": {}}]"#),
            [
                "#/guide/topics: \"aks\" is no message",
                "#/guide/questions: \"nowhere\" is no topic",
                "#/guide/messages: \"shout\" is no message",
                "#/guide/messages: \"tale\" is no message",
                "#/guide/messages: \"8\" is no error code",
                "#/0: \"tel\" is no message; did you mean \"tell\"?",
                "e.json: there is no example of ask, tell; an entry is { \"of\": \"ask\", \"message\": { … } }",
            ]
        );
    }
}
