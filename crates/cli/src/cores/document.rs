//! Cores as a part of the JSON document.

use crate::cores::arguments::goal_name;
use crate::cores::study::{Study, is_good, undecided};
use crate::cores::words::names;
use crate::cover::document::element;
use crate::document::{self, Document, finely_rounded};
use propcov_coverage::cores::{Core, DepthCore, Found, Minimality, Parts, PropertyCores};
use propcov_ir::ElementSet;

/// What the algorithm is called when none was chosen.
const DEFAULT_ALGORITHM: &str = "default";

impl Study<'_> {
    /// The document.
    pub(crate) fn document(&self, command: &'static str) -> Document {
        let mut document = self.verdicts.document(command, self.seed);
        let system = self.subject.system();
        document.elements = Some(self.subject.universe.iter().map(|id| element(system, id)).collect());
        let properties = self.analysis.properties.iter().map(|cores| self.cores_document(cores));
        let together = self.analysis.together.iter().map(|found| self.found_document(None, found));
        document.cores = Some(properties.chain(together).collect());
        document.stats = Some(self.stats_document());
        document
    }

    fn cores_document(&self, cores: &PropertyCores) -> document::Cores {
        let name = self.subject.system().property(cores.property).name.clone();
        let mut document = self.found_document(Some(name), &cores.found);
        if let Some(facts) = &mut document.facts {
            facts.answered = is_good(&cores.holds()) && self.is_property_answered(cores);
            facts.stopped = is_good(&cores.holds()) && cores.found.stopped;
            facts.by_depth = cores.by_depth.iter().map(|at| self.depth_document(at)).collect();
            facts.seconds = Some(document::CoreSeconds {
                proof: finely_rounded(cores.seconds.proof),
                cores: finely_rounded(cores.seconds.cores),
                certify: finely_rounded(cores.seconds.certify),
            });
        }
        document
    }

    fn found_document(&self, property: Option<String>, found: &Found) -> document::Cores {
        let is_minimal = |core: &Core| core.minimal == Minimality::Minimal;
        let sure = |parts: &Option<Parts>| parts.as_ref().map(|parts| self.names(&parts.sure));
        let open = |parts: &Option<Parts>| parts.as_ref().map(|parts| self.names(&parts.unknown));
        document::Cores {
            property,
            algorithm: self.options.algorithm.map_or(DEFAULT_ALGORITHM, |algorithm| algorithm.name()),
            minimal: !found.cores.is_empty() && found.cores.iter().all(is_minimal),
            complete: found.complete,
            cores: found.cores.iter().map(|core| self.names(&core.elements)).collect(),
            facts: Some(document::CoreFacts {
                goal: goal_name(self.options.goal),
                depth: self.options.depth,
                answered: self.is_answered(found),
                stopped: found.stopped,
                must: sure(&found.must),
                may: sure(&found.may),
                minimum: found.minimum.as_ref().map(|minimum| self.names(minimum)),
                must_unknown: open(&found.must),
                may_unknown: open(&found.may),
                at_least: found.at_least,
                details: found.cores.iter().map(|core| self.detail(core)).collect(),
                undecided: undecided(found),
                by_depth: Vec::new(),
                seconds: None,
            }),
        }
    }

    fn depth_document(&self, at: &DepthCore) -> document::CoreAtDepth {
        document::CoreAtDepth {
            depth: at.depth,
            up_to: self.names(&at.up_to.elements),
            at: self.names(&at.at.elements),
        }
    }

    fn detail(&self, core: &Core) -> document::CoreDetail {
        let (minimal, undecided) = match &core.minimal {
            Minimality::Minimal => (Some(true), Vec::new()),
            Minimality::Unchecked => (None, Vec::new()),
            Minimality::Undecided(open) => (None, self.names(open)),
        };
        document::CoreDetail { size: core.elements.len(), minimal, undecided }
    }

    fn names(&self, elements: &ElementSet) -> Vec<String> {
        names(self.subject.system(), elements)
    }
}
