//! What the commands run, from files to files.

use crate::config::{Config, Kind, ProtocolConfig};
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::emit::docs::Pages;
use crate::emit::docs::game::Manifest;
pub use crate::emit::rust::{Summary, Support};
pub use crate::lower::Formats;
use crate::{OutputFile, catalogue, emit, ir, load, lower, overlay, resolve};
use std::path::{Path, PathBuf};

/// The command that brings every generated file up to date.
pub const REGENERATE: &str = "cargo run -- generate";

/// What a run makes.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Every file, sorted by path.
    pub files: Vec<OutputFile>,
    /// What the types of each protocol became.
    pub summaries: Vec<Summary>,
    /// What is odd in the project's templates.
    pub warnings: Diagnostics,
}

/// Makes every generated file of every protocol that `config` names.
///
/// # Errors
///
/// Everything that is wrong in any input, with its place.
pub fn generate(config: &Config) -> Result<Generated> {
    on_large_stack(|| generate_here(config))
}

fn generate_here(config: &Config) -> Result<Generated> {
    let protocols = protocols(config)?;
    let (mut files, summaries) = emit::rust::files(config, &protocols)?;
    let (pages, warnings) = emit::docs::files(config, &protocols)?;
    files.extend(pages);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Generated { files, summaries, warnings })
}

/// Reads all protocols, and says everything that is wrong in any of them.
fn protocols(config: &Config) -> Result<Vec<ir::Protocol>> {
    let mut problems = Diagnostics::default();
    let mut protocols = Vec::new();
    for protocol in &config.protocols {
        match read(config, protocol) {
            Ok(protocol) => protocols.push(protocol),
            Err(found) => problems.append(found),
        }
    }
    if problems.0.is_empty() {
        return Ok(protocols);
    }
    // Those of which nothing comes have told theirs.
    Err(protocols.iter().fold(problems, |problems, protocol| problems.after(&protocol.notes)))
}

/// The pages of every protocol that `config` names, and the page over all of them, as data.
///
/// # Errors
///
/// Everything that is wrong in any input, with its place.
pub fn protocol_pages(config: &Config) -> Result<Vec<Pages>> {
    on_large_stack(|| {
        let protocols = protocols(config)?;
        let each = protocols.iter().zip(&config.protocols);
        let each = each.map(|(protocol, of)| emit::docs::pages(protocol, Some(of), REGENERATE));
        Ok(each.chain(emit::docs::over_all(config, &protocols)?).collect())
    })
}

/// How the pages of a catalogue are made that no `ludwire.toml` names.
#[derive(Clone, Debug)]
pub struct CatalogueOptions {
    /// A folder with the files that the entries come from, to be looked at.
    pub source_root: Option<PathBuf>,
    /// The URL that the paths of sources are links below.
    pub source_url: Option<String>,
    /// The command that makes the pages, for their headers.
    pub command: String,
}

/// The pages of one catalogue as data; their paths count from the folder of the pages.
///
/// # Errors
///
/// Everything that is wrong in the catalogue, and what its sources no longer have, with its place.
pub fn catalogue_pages(file: &Path, options: &CatalogueOptions) -> Result<Pages> {
    on_large_stack(|| {
        let source = load::one(file, &load::slashes(file))?;
        let mut problems = Diagnostics::default();
        if let Some(root) = &options.source_root {
            let checks = source.documents.iter().map(|document| catalogue::check_sources(document, root));
            checks.filter_map(Result::err).for_each(|found| problems.append(found));
        }
        let mut source = match catalogue::lists(source) {
            Ok(source) => problems.finish(source)?,
            Err(found) => {
                problems.append(found);
                problems.sort();
                return Err(problems);
            }
        };
        // Without the way to it, which is another one from each folder.
        let shown = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        source.sources.iter_mut().for_each(|source| source.path.clone_from(&shown));
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let title = stem.strip_suffix("Protocol").filter(|title| !title.is_empty()).unwrap_or(&stem);
        let config = ProtocolConfig {
            name: stem.clone().into_owned(),
            kind: Kind::Catalogue,
            schemas: shown,
            overlay: None,
            source_url: options.source_url.clone(),
        };
        let protocol = ir::Protocol {
            name: config.name.clone(),
            title: title.to_owned(),
            description: source.description,
            sources: source.sources,
            constants: source.constants,
            errors: source.errors,
            lists: source.lists,
            contract: source.contract,
            ..ir::Protocol::default()
        };
        Ok(emit::docs::pages(&protocol, Some(&config), &options.command))
    })
}

/// Reads the manifest of a game, as `Host::manifest()` gives it.
///
/// # Errors
///
/// Everything that makes it none, with its place.
pub fn game_manifest(file: &Path) -> Result<Manifest> {
    let display = load::slashes(file);
    let text = load::text(file, &display)?;
    let node = load::json(&display, &text)?;
    let value = serde_json::from_str(&text).map_err(|error| {
        let place = Place { file: display.clone(), ..Place::default() };
        Diagnostics::one(place, error.to_string())
    })?;
    Manifest::of(&value, &display).map_err(|mut problems| {
        for problem in &mut problems.0 {
            let pointer = problem.place.pointer.trim_start_matches('#');
            problem.place.span = node.pointer(pointer).map_or(node.span, |node| node.span);
        }
        problems.add_lines(&display, &text);
        problems
    })
}

/// How a module for any schemas is made.
#[derive(Clone, Debug)]
pub struct ModuleOptions {
    /// The name of the type of the first file's root, whatever its title.
    pub root: Option<String>,
    /// What formats are to the types.
    pub formats: Formats,
    /// URLs that documents stand for.
    pub mappings: Vec<resolve::Mapping>,
    /// Where the module finds the support code.
    pub support: Support,
    /// The command that makes it, for the header.
    pub command: String,
}

/// Makes one Rust module of any schemas, and says what their types became.
///
/// # Errors
///
/// Everything that is wrong in the schemas and all that cannot be typed exactly, with its place.
pub fn module(source: load::Source, options: &ModuleOptions) -> Result<(String, Summary)> {
    on_large_stack(|| {
        let graph = resolve::graph_with(&source.documents, &options.mappings)?;
        lower::schemas(source, &graph, options.root.as_deref(), options.formats)
            .and_then(|protocol| emit::rust::module(&protocol, &options.support, &options.command))
            .map_err(|problems| problems.after(&graph.notes))
    })
}

/// How much stack a run has. No recursion is deeper than JSON nests, or than some hundred references;
/// but a level of tokens that are read back and printed takes some 100 kB in a debug build.
const STACK: usize = 256 << 20;

/// Runs on a thread of its own, since a caller's may have little stack left.
fn on_large_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = started.map_err(|error| {
            let place = Place { file: "the machine".to_owned(), ..Place::default() };
            Diagnostics::one(place, format!("there is no memory for a thread: {error}"))
        })?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Reads one protocol: from its files to the intermediate representation.
///
/// # Errors
///
/// Everything that is wrong in its files, with its place.
pub fn read(config: &Config, protocol: &ProtocolConfig) -> Result<ir::Protocol> {
    let overlay = overlay::read(config, protocol)?;
    let mut source = match protocol.kind {
        Kind::JsonSchema => load::folder(config, &protocol.schemas)?,
        Kind::Catalogue => catalogue::source(load::file(config, &protocol.schemas)?)?,
    };
    overlay::apply(&overlay, &mut source)?;
    let mut graph = resolve::graph(&source.documents)?;
    if let Some(reading) = &source.reading {
        graph = resolve::join(graph, resolve::graph(reading)?);
    }
    lower::protocol(protocol, source, &overlay, &graph).map_err(|problems| problems.after(&graph.notes))
}
