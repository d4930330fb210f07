//! How the game found itself started, for a supervisor that asks.

use ludwire_protocols::gabp::ObservedStart;

/// The variable that no peer is told.
const TOKEN: &str = "GABP_TOKEN";

/// What there is to say. `names` are environment variables, with anything between them that is in no
/// name; the token is never among what is told.
pub(super) fn start(names: &str, token: &str) -> ObservedStart {
    let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let mut observed = ObservedStart {
        argv: std::env::args_os().map(lossy).map(|argument| argument.replace(token, "…")).collect(),
        cwd: std::env::current_dir().map(|path| lossy(path.into_os_string())).unwrap_or_default(),
        env_values: Default::default(),
        env_absent: Vec::new(),
    };
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || "_()".contains(c);
    for name in names.split(|c: char| !is_in_name(c)).filter(|name| !name.is_empty() && *name != TOKEN) {
        match std::env::var_os(name) {
            Some(value) => {
                observed.env_values.insert(name.to_owned(), lossy(value).replace(token, "…"));
            }
            None if observed.env_absent.iter().any(|absent| absent == name) => {}
            None => observed.env_absent.push(name.to_owned()),
        }
    }
    observed
}
