//! URIs of resources, with variables: `gabp://game/units/{id}`, `gabp://game/units{?limit,offset}`.

/// A URI in which some parts are open.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// `gabp://game`
    pub(crate) base: String,
    pub(crate) path: Vec<Segment>,
    /// Members of the query, each of which a peer may leave out.
    pub(crate) query: Vec<String>,
}

/// What stands between two slashes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Literal(String),
    Variable(String),
}

const SCHEME: &str = "gabp://";

impl Template {
    /// Reads a URI, or tells what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some(rest) = text.strip_prefix(SCHEME) else {
            return Err(format!("begins with `{SCHEME}` and a namespace: `{SCHEME}game/world`"));
        };
        let (rest, query) = match rest.split_once("{?") {
            Some((rest, query)) => (rest, Self::query(query)?),
            None => (rest, Vec::new()),
        };
        let (namespace, path) = rest.split_once('/').unwrap_or((rest, ""));
        if !is_word(namespace) {
            return Err(format!(
                "names a namespace after `{SCHEME}`, a word of lowercase letters such as `game`, not `{namespace}`"
            ));
        }
        if path.is_empty() {
            return Err(format!("has a path after its namespace: `{SCHEME}{namespace}/world`"));
        }
        let path = path.split('/').map(Segment::parse).collect::<Result<Vec<_>, _>>()?;
        let template = Self { base: format!("{SCHEME}{namespace}"), path, query };
        let mut names = template.variables();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("has each variable once, and has `{}` twice", pair[0]));
        }
        Ok(template)
    }

    /// What stands behind `{?`.
    fn query(text: &str) -> Result<Vec<String>, String> {
        let Some(names) = text.strip_suffix('}') else {
            return Err("ends with its query: `{?limit,offset}`".to_owned());
        };
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        match names.iter().find(|name| !is_variable(name)) {
            Some(name) => Err(not_a_variable(name)),
            None => Ok(names),
        }
    }

    /// The names of all variables.
    pub(crate) fn variables(&self) -> Vec<&str> {
        let in_path = self.path.iter().filter_map(|segment| match segment {
            Segment::Variable(name) => Some(name.as_str()),
            Segment::Literal(_) => None,
        });
        in_path.chain(self.query.iter().map(String::as_str)).collect()
    }
}

impl Segment {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            return if is_variable(name) {
                Ok(Self::Variable(name.to_owned()))
            } else {
                Err(not_a_variable(name))
            };
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@".contains(c);
        match text.chars().find(|c| !is_plain(*c)) {
            None if text.is_empty() => {
                Err("has something between two slashes, and does not end with one".to_owned())
            }
            None => Ok(Self::Literal(text.to_owned())),
            Some('{' | '}') => {
                Err(format!("has a variable as a whole segment, `/{{id}}`, not as a part of `{text}`"))
            }
            Some('?') => Err("names the members of its query at its end: `{?limit,offset}`".to_owned()),
            Some(c) => Err(format!("has letters, digits, `-`, `_` and `.` in its path, and no `{c}`")),
        }
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn not_a_variable(name: &str) -> String {
    format!("has names of arguments as variables, such as `{{id}}`, not `{name}`")
}

#[cfg(test)]
mod tests {
    use super::{Segment, Template};

    #[test]
    fn what_is_a_template() {
        let template = Template::parse("gabp://game/units/{id}/log.txt{?limit,offset}").expect("it is one");
        assert_eq!(template.base, "gabp://game");
        let literal = |text: &str| Segment::Literal(text.to_owned());
        let path = [literal("units"), Segment::Variable("id".to_owned()), literal("log.txt")];
        assert_eq!(template.path, path);
        assert_eq!(template.variables(), ["id", "limit", "offset"]);
    }

    #[test]
    fn what_is_none() {
        for (text, part) in [
            ("http://game/world", "begins with"),
            ("game/world", "begins with"),
            ("gabp://Game/world", "not `Game`"),
            ("gabp:///world", "not ``"),
            ("gabp://{x}/world", "not `{x}`"),
            ("gabp://game", "has a path"),
            ("gabp://game/", "has a path"),
            ("gabp://game{?x}", "has a path"),
            ("gabp://game/a//b", "between two slashes"),
            ("gabp://game/a/", "between two slashes"),
            ("gabp://game/a b", "and no ` `"),
            ("gabp://game/größe", "and no `ö`"),
            ("gabp://game/a%20b", "and no `%`"),
            ("gabp://game/a#b", "and no `#`"),
            ("gabp://game/a?x=1", "at its end"),
            ("gabp://game/unit-{id}", "whole segment"),
            ("gabp://game/{id", "whole segment"),
            ("gabp://game/{}", "not ``"),
            ("gabp://game/{+id}", "not `+id`"),
            ("gabp://game/{id}/{id}", "`id` twice"),
            ("gabp://game/{id}{?id}", "`id` twice"),
            ("gabp://game/a{?x,}", "not ``"),
            ("gabp://game/a{?x}/b", "ends with its query"),
            ("gabp://game/a{?x", "ends with its query"),
        ] {
            let error = Template::parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
