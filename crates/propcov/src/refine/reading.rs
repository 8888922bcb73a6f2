//! From two files to two models over the same propositions.

use super::mutants::{self, Region, Vector};
use super::propositions::{self, boolean_names, expression, lacking};
use super::source::Source;
use super::{RefineOptions, picture, usage};
use crate::read::sha256;
use crate::{Design, Error};
use propcov_frontend::graph::{GraphFile, GraphOptions};
use propcov_frontend::{Diagnostic, Extra};
use propcov_ir::{ExprId, Graph, System};
use propcov_result::{Note, NoteKind};
use std::path::Path;

/// Two models over the same propositions, and which labels are in question.
pub struct ModelPair {
    pub(super) implementation: Model,
    pub(super) specification: Model,
    /// Those that are compared.
    pub(super) propositions: Vec<String>,
    /// Propositions that only the implementation has.
    pub(super) extra: Vec<String>,
    /// Propositions of the specification that are not compared.
    pub(super) left_out: Vec<String>,
    /// Which labels are in question, if a file says so.
    pub(super) vector: Option<Vector>,
}

/// One of the two models.
pub(super) struct Model {
    /// What the file is called in messages.
    pub(super) path: String,
    sha256: String,
    format: &'static str,
    pub(super) body: Body,
    /// What there is to know although it could be read.
    pub(super) warnings: Vec<Note>,
}

/// A model over the propositions that are compared, in their order.
pub(super) enum Body {
    Graph(Graph),
    System {
        system: Box<System>,
        /// The value of each proposition.
        propositions: Vec<ExprId>,
    },
}

impl ModelPair {
    /// Reads both models, and what the options say about them. `-` is standard input.
    pub fn read(
        implementation: impl AsRef<Path>,
        specification: impl AsRef<Path>,
        options: &RefineOptions,
    ) -> Result<ModelPair, Error> {
        let (implementation, specification) = (implementation.as_ref(), specification.as_ref());
        if implementation == Path::new("-") && specification == Path::new("-") {
            return Err(usage("only one of the two models can come from standard input"));
        }
        if let Some(path) = &options.picture {
            picture::try_writing(path)?;
        }
        let specification = Source::open(specification, &options.budget)?;
        let implementation = Source::open(implementation, &options.budget)?;
        let graphs = GraphOptions { complete: options.complete, state_labels: options.state_labels };
        let reader = Reader { options, graphs, specification: &specification.path };
        let (specification, propositions, own) = reader.specification(&specification)?;
        let mut regions = match &options.mutants {
            Some(file) if !implementation.is_graph() => mutants::regions(file, &propositions)?,
            _ => Vec::new(),
        };
        let (implementation, extra) = reader.implementation(&implementation, &propositions, &mut regions)?;
        let vector = match (&options.mutants, &implementation.body) {
            (None, _) => None,
            (Some(file), Body::Graph(graph)) => Some(Vector::Listed(mutants::listed(file, graph)?)),
            (Some(_), Body::System { .. }) => Some(Vector::Regions(regions)),
        };
        let extra = extra.into_iter().filter(|name| !own.contains(name)).collect();
        let left_out = own.into_iter().filter(|name| !propositions.contains(name)).collect();
        Ok(ModelPair { implementation, specification, propositions, extra, left_out, vector })
    }
}

impl Model {
    fn of_graph(source: &Source, format: &'static str, graph: Graph, warnings: &[Diagnostic]) -> Model {
        let warning = |warning: &Diagnostic| self::warning(format!("{}: {warning}", source.path));
        Model {
            path: source.path.clone(),
            sha256: sha256(&source.bytes),
            format,
            body: Body::Graph(graph),
            warnings: warnings.iter().map(warning).collect(),
        }
    }

    fn of_design(source: &Source, design: Design, propositions: Vec<ExprId>) -> Model {
        let mut warnings = design.warnings();
        if !design.system().fairness.is_empty() {
            warnings.push(warning(format!(
                "{}: fairness is left out: simulation compares all transitions, fair or not",
                source.path
            )));
        }
        let format = design.design.format();
        let system = Box::new(design.design.system);
        Model {
            path: source.path.clone(),
            sha256: sha256(&source.bytes),
            format,
            body: Body::System { system, propositions },
            warnings,
        }
    }

    /// What is known of it so far.
    pub(super) fn record(&self) -> propcov_result::Model {
        propcov_result::Model {
            path: self.path.clone(),
            sha256: self.sha256.clone(),
            format: self.format.to_owned(),
            ..propcov_result::Model::default()
        }
    }
}

fn warning(text: String) -> Note {
    Note { kind: NoteKind::Warning, text, place: None }
}

struct Reader<'r> {
    options: &'r RefineOptions,
    graphs: GraphOptions,
    /// The path of the specification.
    specification: &'r str,
}

impl Reader<'_> {
    /// The specification, the propositions that are compared, and all that it has.
    fn specification(&self, source: &Source) -> Result<(Model, Vec<String>, Vec<String>), Error> {
        let path = &source.path;
        if source.is_graph() {
            let GraphFile { graph, format, warnings, .. } = source.graph(&self.graphs)?;
            let own = graph.propositions().to_vec();
            let names = propositions::choose(graph.propositions(), path, self.options)?;
            let positions: Vec<u32> = names.iter().filter_map(|name| graph.proposition(name)).collect();
            let model = Model::of_graph(source, format, graph.projected(&positions), &warnings);
            return Ok((model, names, own));
        }
        let names = match self.options.propositions.is_empty() {
            false => propositions::given(path, self.options)?,
            true => {
                let design = source.design(&[])?;
                propositions::choose(&boolean_names(design.system()), path, self.options)?
            }
        };
        let extras: Vec<Extra> =
            names.iter().map(|name| expression(name, self.options, path, path)).collect();
        let design = source.design(&extras)?;
        let own = boolean_names(design.system());
        let values = design.extras().to_vec();
        Ok((Model::of_design(source, design, values), names, own))
    }

    /// The implementation over the same propositions, and the names of its others. Regions get their values.
    fn implementation(
        &self,
        source: &Source,
        propositions: &[String],
        regions: &mut [Region],
    ) -> Result<(Model, Vec<String>), Error> {
        propositions::check_never(propositions, self.options)?;
        if source.is_graph() {
            return self.implementing_graph(source, propositions);
        }
        let path = &source.path;
        let is_never = |name: &String| self.options.never.contains(name);
        let expression = |name: &String| expression(name, self.options, self.specification, path);
        // What the design can make sense of may hold somewhere.
        for name in propositions.iter().filter(|name| is_never(name)) {
            if source.design(&[expression(name)]).is_ok() {
                return Err(propositions::is_there(name, path));
            }
        }
        let mut extras: Vec<Extra> =
            propositions.iter().filter(|name| !is_never(name)).map(expression).collect();
        let own = extras.len();
        extras.extend(regions.iter().map(|region| region.extra.clone()));
        let mut design = source.design(&extras).map_err(|error| {
            let lacks = |extra: &&Extra| source.design(std::slice::from_ref(extra)).is_err();
            match extras[..own].iter().find(lacks) {
                Some(extra) if source.design(&[]).is_ok() => error.with_hint(lacking(&extra.text)),
                _ => error,
            }
        })?;
        let values = design.extras().to_vec();
        for (region, value) in regions.iter_mut().zip(&values[own..]) {
            region.states = Some(*value);
        }
        let mut given = values[..own].iter().copied();
        let never = design.design.system.exprs.bool(false);
        let value = |name| if is_never(name) { never } else { given.next().unwrap_or(never) };
        let values: Vec<ExprId> = propositions.iter().map(value).collect();
        let extra =
            boolean_names(design.system()).into_iter().filter(|name| !propositions.contains(name)).collect();
        Ok((Model::of_design(source, design, values), extra))
    }

    fn implementing_graph(
        &self,
        source: &Source,
        propositions: &[String],
    ) -> Result<(Model, Vec<String>), Error> {
        let GraphFile { mut graph, format, warnings, .. } = source.graph(&self.graphs)?;
        let own = graph.propositions().to_vec();
        if let Some(name) = self.options.never.iter().find(|name| own.contains(name)) {
            return Err(propositions::is_there(name, &source.path));
        }
        for name in propositions.iter().filter(|name| !own.contains(name)) {
            if !self.options.never.contains(name) {
                return Err(propositions::missing(name, &own, &source.path, self.specification));
            }
            graph = graph.with_false_proposition(name);
        }
        let positions: Vec<u32> = propositions.iter().filter_map(|name| graph.proposition(name)).collect();
        let extra = own.into_iter().filter(|name| !propositions.contains(name)).collect();
        Ok((Model::of_graph(source, format, graph.projected(&positions), &warnings), extra))
    }
}
