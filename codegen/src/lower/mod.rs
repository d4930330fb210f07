//! From schemas to the intermediate representation: every schema becomes a type that holds exactly
//! the values the schema accepts.

mod absence;
mod aliases;
mod branches;
mod check;
mod constants;
mod cuts;
mod endless;
mod enforcement;
mod evaluated;
mod flat;
mod guide;
mod kinds;
mod lists;
mod messages;
mod objects;
mod passes;
mod reading;
mod sealed;
mod shape;
mod unions;
mod wide;
mod words;

use crate::config::ProtocolConfig;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::graph::{Graph, Schema, SchemaId};
use crate::ir::{Protocol, Shape, SharedCheck, TypeDef, TypeId, TypeRef};
use crate::load::Source;
use crate::names::{self, Scope};
use crate::overlay::Overlay;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Makes the protocol's types, messages, codes and lists.
///
/// # Errors
///
/// What cannot be typed exactly, with the place of the schema.
pub fn protocol(
    config: &ProtocolConfig,
    source: Source,
    overlay: &Overlay,
    graph: &Graph,
) -> Result<Protocol> {
    let mut lowering = Lowering::new(graph.clone(), Formats::Assert);
    lowering.types(None);
    lowering.name_wider();
    let messages = messages::messages(&mut lowering, overlay);
    if messages.is_empty() && lowering.problems.0.is_empty() {
        let file = config.overlay.clone().unwrap_or_else(|| config.schemas.clone());
        let text = "no schema is a message: say in the protocol's overlay, under `messages`, which are";
        lowering.problems.push(Place { file, ..Place::default() }, text);
    }
    lowering.note_readings(overlay, source.reading.as_deref().unwrap_or_default());
    lowering.shorten_aliases();
    lowering.cut_ways();
    lowering.name_checks();
    lowering.refuse_wide_numbers();
    lowering.keep_absence();
    lowering.end_defaults();
    let Lowering { graph, types, checks, mut problems, .. } = lowering;
    let enforcement = enforcement::enforcement(overlay, &source.lists, &mut problems);
    let mut errors = source.errors;
    errors.extend(overlay.errors.iter().cloned());
    let mut notes = graph.notes;
    let guide = guide::guide(overlay, &messages, &errors, &mut problems, &mut notes);
    let mut constants = source.constants;
    constants.extend(overlay.constants.iter().cloned());
    let title = overlay.title.clone().unwrap_or_else(|| config.name.clone());
    let description = overlay.description.clone().unwrap_or(source.description);
    problems.finish(Protocol {
        name: config.name.clone(),
        title,
        description,
        sources: source.sources,
        types: types.into_iter().map(|ty| ty.expect("a type that was announced is defined")).collect(),
        checks,
        messages,
        constants,
        errors,
        lists: source.lists,
        contract: source.contract,
        enforcement,
        guide,
        amendments: source.amendments,
        notes,
    })
}

/// Makes the types of schemas that belong to no protocol. `root` names the type of the first file's
/// root, whatever its title.
///
/// # Errors
///
/// What cannot be typed exactly, with the place of the schema.
pub fn schemas(source: Source, graph: &Graph, root: Option<&str>, formats: Formats) -> Result<Protocol> {
    let mut lowering = Lowering::new(graph.clone(), formats);
    lowering.types(root);
    lowering.shorten_aliases();
    lowering.cut_ways();
    lowering.name_checks();
    lowering.refuse_wide_numbers();
    lowering.keep_absence();
    lowering.end_defaults();
    let Lowering { graph, types, checks, mut problems, .. } = lowering;
    let mut notes = graph.notes;
    notes.sort();
    for document in &source.documents {
        document.add_lines(&mut problems);
        document.add_lines(&mut notes);
    }
    if !problems.0.is_empty() {
        return Err(problems.after(&notes));
    }
    Ok(Protocol {
        name: "schema".to_owned(),
        sources: source.sources,
        types: types.into_iter().map(|ty| ty.expect("a type that was announced is defined")).collect(),
        checks,
        notes,
        ..Protocol::default()
    })
}

/// What the formats of strings are to a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formats {
    /// Those that are known must be kept.
    #[default]
    Assert,
    /// They say nothing of the value.
    Annotate,
}

/// Whether a root type can have this name.
///
/// # Errors
///
/// Why it can't.
pub fn check_root(name: &str) -> std::result::Result<(), String> {
    if names::pascal(name) != name {
        return Err(format!("{name:?} is no name of a type; try {}", names::pascal(name)));
    }
    if RESERVED.contains(&name) {
        return Err(format!("{name} is a name that the generated module uses itself"));
    }
    Ok(())
}

/// The state of lowering one protocol.
pub(crate) struct Lowering {
    graph: Graph,
    formats: bool,
    /// `None` while a type is being made.
    types: Vec<Option<TypeDef>>,
    scope: Scope,
    /// The names of the roots and definitions.
    reserved: HashMap<SchemaId, String>,
    /// What each set of schemas became.
    made: HashMap<Vec<SchemaId>, TypeRef>,
    /// What is being made, or waits to be; a type id where something refers to it already.
    making: HashMap<Vec<SchemaId>, Option<TypeId>>,
    /// What waits to be made, and the order.
    waiting: HashMap<Vec<SchemaId>, Naming>,
    queue: VecDeque<Vec<SchemaId>>,
    put_off: HashSet<TypeId>,
    /// How many types are being made inside each other.
    depth: usize,
    /// Unnamed scalars by the name they got, to share equal ones.
    scalars: HashMap<String, Vec<TypeId>>,
    checks: Vec<SharedCheck>,
    shared: HashMap<SchemaId, usize>,
    /// The types that are only read, and what each was made of.
    readings: Vec<(TypeId, SchemaId)>,
    /// Shared checks that wait to be made.
    unchecked: VecDeque<(usize, SchemaId)>,
    /// How many checks are being made inside each other.
    checking: usize,
    /// How many schemas were looked at for the `unevaluatedProperties` in hand.
    evaluations: usize,
    always_evaluated: HashMap<SchemaId, Option<Rc<evaluated::Always>>>,
    /// How many types may be made.
    most_types: usize,
    problems: Diagnostics,
}

/// Names that the generated modules use themselves.
const RESERVED: &[&str] = &[
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "DecodeError",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "From",
    "Hash",
    "Into",
    "IntoIterator",
    "Iterator",
    "Message",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "RuleError",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Vec",
];

impl Lowering {
    fn new(graph: Graph, formats: Formats) -> Self {
        // Unions inside each other make a type of each way through them.
        let most_types = 2_000 + 4 * graph.schemas.len();
        Self {
            graph,
            formats: formats == Formats::Assert,
            types: Vec::new(),
            scope: Scope::reserving(RESERVED),
            reserved: HashMap::new(),
            made: HashMap::new(),
            making: HashMap::new(),
            waiting: HashMap::new(),
            queue: VecDeque::new(),
            put_off: HashSet::new(),
            depth: 0,
            scalars: HashMap::new(),
            checks: Vec::new(),
            shared: HashMap::new(),
            readings: Vec::new(),
            unchecked: VecDeque::new(),
            checking: 0,
            evaluations: 0,
            always_evaluated: HashMap::new(),
            most_types,
            problems: Diagnostics::default(),
        }
    }

    /// Makes a type of every root and every definition, and of all they hold. The first
    /// root is called `root`, if that is given.
    fn types(&mut self, root: Option<&str>) {
        let mut named: Vec<(SchemaId, String)> = Vec::new();
        let files = self.graph.files.clone();
        if let (Some(root), Some(id)) = (root, files.first().and_then(|file| file.root)) {
            let name = self.scope.take([root]);
            self.reserved.insert(id, name);
        }
        for file in files {
            let stem = file.path.rsplit('/').next().unwrap_or(&file.path);
            let stem = stem.trim_end_matches(".json").trim_end_matches(".schema");
            named.extend(file.root.map(|id| (id, stem.to_owned())));
            named.extend(file.definitions.iter().map(|(name, id)| (*id, name.clone())));
        }
        for (id, fallback) in &named {
            if !self.reserved.contains_key(id) {
                let schema = &self.graph.schemas[id.0];
                let title = schema.title.as_deref().filter(|title| is_short(title)).unwrap_or(fallback);
                let name = self.scope.take([names::pascal(title).as_str(), &names::pascal(fallback)]);
                self.reserved.insert(*id, name);
            }
        }
        for (id, _) in named {
            self.use_of(&[id], &Naming::root());
        }
    }

    /// Announces a type, so that what it holds can refer to it.
    fn announce(&mut self) -> TypeId {
        self.types.push(None);
        TypeId(self.types.len() - 1)
    }

    fn define(&mut self, id: TypeId, name: String, key: &[SchemaId], shape: Shape) {
        let schema_id = self.origin(key);
        let schema = &self.graph.schemas[schema_id.0];
        self.types[id.0] = Some(TypeDef {
            name,
            title: schema.title.clone(),
            description: schema.description.clone(),
            place: schema.place.clone(),
            shape,
            recursive: false,
            far: false,
            reading: None,
        });
        if self.graph.wider.contains(&schema_id.0) {
            self.readings.push((id, schema_id));
        }
    }

    fn schema(&self, id: SchemaId) -> &Schema {
        &self.graph.schemas[id.0]
    }

    fn place(&self, id: SchemaId) -> Place {
        self.schema(id).place.clone()
    }

    /// Adds a schema that stands in no file.
    fn add(&mut self, schema: Schema) -> SchemaId {
        self.graph.schemas.push(schema);
        SchemaId(self.graph.schemas.len() - 1)
    }

    /// Gives each shared check a function name.
    fn name_checks(&mut self) {
        let mut scope = Scope::default();
        let mut by_index: Vec<(usize, SchemaId)> =
            self.shared.iter().map(|(id, index)| (*index, *id)).collect();
        by_index.sort_unstable();
        for (index, id) in by_index {
            let schema = &self.graph.schemas[id.0];
            let base = self.reserved.get(&id).cloned().unwrap_or_else(|| schema.pointer.clone());
            let name = format!("check_{}", names::snake(&base).trim_end_matches('_'));
            self.checks[index].name = scope.take([name.as_str()]);
        }
    }
}

/// How long a name of owner and members may be to be an owner's.
const LONGEST_PATH: usize = 120;

/// How a type without a name of its own is called.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    /// The type that holds it, and the member: `["ToolsCallParams", "name"]`.
    path: String,
}

impl Naming {
    fn root() -> Self {
        Self { path: String::new() }
    }

    fn of(path: impl Into<String>) -> Self {
        // An underscore at the end sets a name apart from a keyword, which a longer name need not be.
        Self { path: path.into().replace('_', "") }
    }

    fn member(&self, owner: &str, name: &str) -> Self {
        let owner = if owner.is_empty() { &self.path } else { owner };
        Self::below(owner, names::pascal(name).trim_end_matches('_'))
    }

    /// `name` is that of a type already.
    fn variant(&self, name: &str) -> Self {
        Self::below(&self.path, name)
    }

    fn below(owner: &str, name: &str) -> Self {
        // What is longer than this says nothing to a reader, and grows with each step.
        let owner = if owner.len() > LONGEST_PATH { "" } else { owner };
        Self::of(format!("{owner}{name}"))
    }
}

/// A title that can be a name; longer ones are sentences.
fn is_short(title: &str) -> bool {
    !title.trim().is_empty() && title.len() <= 60 && title.split_whitespace().count() <= 6
}
