//! From two files to two models over the same propositions.
//!
//! The specification says which propositions there are; the implementation must have them, and may have more, which are
//! left out (Chockler and Kupferman, footnote 5). A graph has its propositions in the file. Of a design any Boolean expression about the
//! state is one; unless somebody says which, they are the Boolean variables and definitions of the specification.

use crate::cover::finite;
use crate::diagnostics;
use crate::input::{Complaint, display_name, hint, read_bytes};
use crate::reads::is_gate;
use crate::refine::arguments::RefineArguments;
use crate::refine::mutants::{self, Region, Vector};
use crate::refine::text::quoted;
use propcov_coverage::ctl::reads_inputs;
use propcov_frontend::graph::{self, GRAPH_FORMATS, GraphFile, GraphOptions};
use propcov_frontend::{Design, Diagnostic, Extra, InputError};
use propcov_ir::{ExprId, Graph, SignalId, SignalKind, System};
use std::path::Path;

/// One of the two models.
pub(crate) struct Model {
    /// What the file is called in messages.
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) body: Body,
    /// What there is to know although it could be read.
    pub(crate) warnings: String,
}

/// A model over the propositions that are compared, in their order.
pub(crate) enum Body {
    Graph(Graph),
    System {
        system: Box<System>,
        /// The value of each proposition.
        propositions: Vec<ExprId>,
    },
}

/// What is compared.
pub(crate) struct Models {
    pub(crate) implementation: Model,
    pub(crate) specification: Model,
    pub(crate) propositions: Vec<String>,
    /// Propositions that only the implementation has.
    pub(crate) extra: Vec<String>,
    /// Propositions of the specification that are not compared.
    pub(crate) left_out: Vec<String>,
    /// Which labels are in question, if a file says so.
    pub(crate) vector: Option<Vector>,
}

/// A file in memory.
struct Source {
    path: String,
    bytes: Vec<u8>,
    /// The other half, of formats that have two files.
    companion: Option<(String, Vec<u8>)>,
}

/// Reads both models, and what the command line says about them.
pub(crate) fn read(arguments: &RefineArguments) -> Result<Models, Complaint> {
    let (implementation, specification) = (&arguments.implementation, &arguments.specification);
    if implementation == Path::new("-") && specification == Path::new("-") {
        return Err(Complaint("error: only one of the two models can come from standard input\n".to_owned()));
    }
    let specification = Source::open(specification)?;
    let implementation = Source::open(implementation)?;
    let options = GraphOptions { complete: arguments.complete, state_labels: arguments.state_labels.into() };
    let Specification { model: specification, propositions, own } =
        read_specification(&specification, &options, arguments)?;
    let mut regions = match &arguments.mutants {
        Some(file) if !implementation.is_graph() => mutants::regions(file, &propositions)?,
        _ => Vec::new(),
    };
    let (implementation, extra) =
        read_implementation(&implementation, &propositions, &mut regions, &options, arguments)?;
    let vector = match (&arguments.mutants, &implementation.body) {
        (None, _) => None,
        (Some(file), Body::Graph(graph)) => Some(Vector::Listed(mutants::listed(file, graph)?)),
        (Some(_), Body::System { .. }) => Some(Vector::Regions(regions)),
    };
    let extra = extra.into_iter().filter(|name| !own.contains(name)).collect();
    let left_out = own.into_iter().filter(|name| !propositions.contains(name)).collect();
    Ok(Models { implementation, specification, propositions, extra, left_out, vector })
}

impl Models {
    /// What there is to know although both could be read. The same file may be on both sides.
    pub(crate) fn warnings(&self) -> String {
        let (own, other) = (&self.implementation.warnings, &self.specification.warnings);
        if own == other { own.clone() } else { format!("{own}{other}") }
    }
}

impl Source {
    fn open(file: &Path) -> Result<Source, Complaint> {
        let path = display_name(file);
        let bytes = read_bytes(file, &path)?;
        let companion = match graph::companion(&path) {
            Some(other) => {
                let bytes = read_bytes(Path::new(&other), &other).map_err(|Complaint(message)| {
                    Complaint(format!("{message}  It has the labels of the states of {path}.\n"))
                })?;
                Some((other, bytes))
            }
            None => None,
        };
        Ok(Source { path, bytes, companion })
    }

    fn is_graph(&self) -> bool {
        graph::is_graph(&self.path, &self.bytes)
    }

    fn graph(&self, options: &GraphOptions) -> Result<GraphFile, Complaint> {
        let companion = self.companion.as_ref().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        graph::read(&self.path, &self.bytes, companion, options).map_err(|error| complaint(&error))
    }

    /// The design, and the values of expressions in its scope, which have to be about states and Boolean.
    fn design(&self, extras: &[Extra]) -> Result<(Design, Vec<ExprId>), Complaint> {
        let read = propcov_frontend::read_with(&self.path, &self.bytes, extras);
        let (design, values) = read.map_err(|error| {
            let Complaint(mut message) = complaint(&error);
            if !propcov_frontend::is_recognised(&self.path, &self.bytes) {
                let graphs: Vec<&str> =
                    GRAPH_FORMATS.iter().flat_map(|format| format.extensions).copied().collect();
                message
                    .push_str(&format!("  or a graph: .{}; see `propcov help graphs`\n", graphs.join(", .")));
            }
            Complaint(message)
        })?;
        design.system.validate().map_err(|error| Complaint(format!("error: {}: {error}\n", self.path)))?;
        finite(&design.system)?;
        for (extra, value) in extras.iter().zip(&values) {
            if !design.system.exprs.sort(*value).is_bool() {
                return Err(complaint(
                    &extra.error("expected a Boolean expression: a proposition holds or not"),
                ));
            }
            if reads_inputs(&design.system, *value) {
                return Err(complaint(
                    &extra.error("expected something that is known of a state, not of inputs"),
                ));
            }
        }
        Ok((design, values))
    }
}

fn complaint(error: &InputError) -> Complaint {
    Complaint(diagnostics::input_error(error))
}

/// The specification, the propositions that are compared, and all that it has.
struct Specification {
    model: Model,
    propositions: Vec<String>,
    own: Vec<String>,
}

fn read_specification(
    source: &Source,
    options: &GraphOptions,
    arguments: &RefineArguments,
) -> Result<Specification, Complaint> {
    let path = source.path.clone();
    if source.is_graph() {
        let GraphFile { graph, format, warnings, .. } = source.graph(options)?;
        let own = graph.propositions().to_vec();
        let names = choose(graph.propositions(), &path, arguments)?;
        let positions: Vec<u32> = names.iter().filter_map(|name| graph.proposition(name)).collect();
        let body = Body::Graph(graph.projected(&positions));
        let model = Model { path, format, body, warnings: graph_warnings(&source.path, &warnings) };
        return Ok(Specification { model, propositions: names, own });
    }
    let names = match arguments.compared() {
        // Expressions: any will do.
        given if !given.is_empty() => {
            check_known("--ignore", &arguments.ignore, "--propositions", &given)?;
            remaining(given, &path, arguments)?
        }
        _ => choose(&boolean_names(&source.design(&[])?.0.system), &path, arguments)?,
    };
    let extras: Vec<Extra> = names.iter().map(|name| proposition(name, arguments, &path, &path)).collect();
    let (design, propositions) = source.design(&extras)?;
    let own = boolean_names(&design.system);
    Ok(Specification { model: of_design(path, design, propositions), propositions: names, own })
}

/// The implementation over the same propositions, and the names of its others. Regions get their values.
fn read_implementation(
    source: &Source,
    propositions: &[String],
    regions: &mut [Region],
    options: &GraphOptions,
    arguments: &RefineArguments,
) -> Result<(Model, Vec<String>), Complaint> {
    let path = source.path.clone();
    let specification = display_name(&arguments.specification);
    for name in &arguments.never {
        if !propositions.contains(name) {
            let all: Vec<&str> = propositions.iter().map(String::as_str).collect();
            let hint = hint(name, &all, "propositions");
            return Err(Complaint(format!(
                "error: --false {name}: that is none of the propositions that are compared; {hint}\n"
            )));
        }
    }
    if source.is_graph() {
        let GraphFile { graph, format, warnings, .. } = source.graph(options)?;
        let own = graph.propositions().to_vec();
        if let Some(name) = arguments.never.iter().find(|name| own.contains(name)) {
            return Err(Complaint(format!("error: --false {name}: {path} has this proposition\n")));
        }
        let mut graph = graph;
        for name in propositions.iter().filter(|name| !own.contains(name)) {
            if !arguments.never.contains(name) {
                return Err(Complaint(missing(name, &own, &path, &specification)));
            }
            graph = graph.with_false_proposition(name);
        }
        let positions: Vec<u32> = propositions.iter().filter_map(|name| graph.proposition(name)).collect();
        let extra = own.into_iter().filter(|name| !propositions.contains(name)).collect();
        let body = Body::Graph(graph.projected(&positions));
        return Ok((Model { path, format, body, warnings: graph_warnings(&source.path, &warnings) }, extra));
    }
    let is_never = |name: &String| arguments.never.contains(name);
    // What the design can make sense of may hold somewhere.
    for name in propositions.iter().filter(|name| is_never(name)) {
        if source.design(&[proposition(name, arguments, &specification, &path)]).is_ok() {
            return Err(Complaint(format!("error: --false {name}: {path} has this proposition\n")));
        }
    }
    let named = propositions.iter().filter(|name| !is_never(name));
    let mut extras: Vec<Extra> =
        named.map(|name| proposition(name, arguments, &specification, &path)).collect();
    let own = extras.len();
    extras.extend(regions.iter().map(|region| region.extra.clone()));
    let (mut design, values) = source.design(&extras).map_err(|Complaint(message)| {
        let lacks = |extra: &&Extra| source.design(std::slice::from_ref(extra)).is_err();
        let hint = match extras[..own].iter().find(lacks) {
            Some(extra) if source.design(&[]).is_ok() => lacking(&extra.text),
            _ => String::new(),
        };
        Complaint(message + &hint)
    })?;
    for (region, value) in regions.iter_mut().zip(&values[own..]) {
        region.states = Some(*value);
    }
    let mut given = values[..own].iter().copied();
    let never = design.system.exprs.bool(false);
    let value = |name| if is_never(name) { never } else { given.next().unwrap_or(never) };
    let values: Vec<ExprId> = propositions.iter().map(value).collect();
    let extra =
        boolean_names(&design.system).into_iter().filter(|name| !propositions.contains(name)).collect();
    Ok((of_design(path, design, values), extra))
}

fn of_design(path: String, design: Design, propositions: Vec<ExprId>) -> Model {
    let mut warnings = crate::input::warnings(&design);
    if !design.system.fairness.is_empty() {
        warnings.push_str(&format!(
            "warning: {path}: fairness is left out: simulation compares all transitions, fair or not\n"
        ));
    }
    let format = design.format();
    let Design { system, .. } = design;
    Model { path, format, body: Body::System { system: Box::new(system), propositions }, warnings }
}

fn graph_warnings(path: &str, warnings: &[Diagnostic]) -> String {
    warnings.iter().map(|warning| format!("warning: {path}: {warning}\n")).collect()
}

/// What the command line leaves of the propositions of a specification.
fn choose(all: &[String], path: &str, arguments: &RefineArguments) -> Result<Vec<String>, Complaint> {
    let given = arguments.compared();
    check_known("--propositions", &given, path, all)?;
    check_known("--ignore", &arguments.ignore, path, all)?;
    remaining(if given.is_empty() { all.to_vec() } else { given }, path, arguments)
}

/// That all of these are there.
fn check_known(option: &str, names: &[String], place: &str, all: &[String]) -> Result<(), Complaint> {
    let Some(name) = names.iter().find(|name| !all.contains(name)) else { return Ok(()) };
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    let hint = hint(name, &known, "propositions");
    Err(Complaint(format!("error: {option} {name}: {place} has no such proposition; {hint}\n")))
}

/// Without those that are to be ignored, and each once.
fn remaining(names: Vec<String>, path: &str, arguments: &RefineArguments) -> Result<Vec<String>, Complaint> {
    let mut kept: Vec<String> = Vec::new();
    for name in names {
        if !arguments.ignore.contains(&name) && !kept.contains(&name) {
            kept.push(name);
        }
    }
    if kept.is_empty() {
        return Err(Complaint(format!(
            "error: {path}: there is no proposition to compare; expected labels of states in a graph, Boolean variables or definitions in a \
             design that --ignore leaves, or --propositions\n"
        )));
    }
    Ok(kept)
}

/// What to say where the implementation lacks a proposition.
fn missing(name: &str, own: &[String], path: &str, specification: &str) -> String {
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let hint = hint(name, &own, "propositions in it");
    format!("error: {path} has no proposition `{name}`, which {specification} has; {hint}\n{}", lacking(name))
}

/// What to do then.
fn lacking(name: &str) -> String {
    let name = quoted(name);
    format!(
        "  If it never holds in the implementation, say --false {name}; if it is not to be compared, --ignore {name}.\n"
    )
}

/// A proposition as an expression in the scope of a design.
fn proposition(name: &str, arguments: &RefineArguments, specification: &str, path: &str) -> Extra {
    let is_given = arguments.compared().iter().any(|given| given == name);
    let origin = if is_given {
        format!("--propositions, in {path}")
    } else {
        format!("proposition of {specification}, in {path}")
    };
    Extra { origin, text: name.to_owned() }
}

/// The Boolean variables and definitions of a design that are known of a state, and that somebody named.
fn boolean_names(system: &System) -> Vec<String> {
    let mut names = Vec::new();
    for (position, signal) in system.signals().iter().enumerate() {
        let id = SignalId(position as u32);
        let is_of_state = match signal.kind {
            SignalKind::Input => false,
            SignalKind::State { .. } => true,
            SignalKind::Wire { definition } => !is_gate(system, id) && !reads_inputs(system, definition),
        };
        if is_of_state && signal.sort.is_bool() {
            names.push(signal.name.clone());
        }
    }
    names
}
