//! Findings about elements, mutant by mutant: what all properties together make of each edit of each element.

pub(crate) use propcov_result::Standing;
use propcov_result::{Element, Finding, FindingVerdict, Role, RunResult, Subject, Waiver, Witness};
use std::collections::HashMap;

/// One edit of one element.
pub(crate) struct Mutant<'r> {
    pub(crate) id: u32,
    /// What is known of the element.
    pub(crate) element: Option<&'r Element>,
    pub(crate) edit: &'r str,
    /// What is known about it, property by property or for all of them.
    pub(crate) findings: Vec<&'r Finding>,
    pub(crate) standing: Standing,
}

impl<'r> Mutant<'r> {
    /// Whether it is logic of the design, and so counted.
    pub(crate) fn counts(&self) -> bool {
        self.element.is_none_or(|element| element.role != Role::Checker)
    }

    /// The waiver, if it is waived.
    pub(crate) fn waiver(&self, result: &'r RunResult) -> Option<&'r Waiver> {
        self.findings.iter().find_map(|finding| result.waiver(finding))
    }

    /// The name of its element.
    pub(crate) fn name(&self) -> String {
        named(self.element, self.id)
    }

    /// What shows its standing to people, with the finding that has it.
    pub(crate) fn witness(&self) -> Option<(&'r Finding, &'r Witness)> {
        // A run that kills it shows nothing of what is not covered, and the other way round.
        let is_kill = self.standing == Standing::Covered;
        let fits = |finding: &&&Finding| (finding.verdict == FindingVerdict::Covered) == is_kill;
        let mut witnesses = self.findings.iter().filter(fits);
        witnesses.find_map(|finding| Some((*finding, finding.witness.as_deref()?)))
    }
}

/// The mutants that a metric has findings about, in their order.
pub(crate) fn mutants<'r>(result: &'r RunResult, metric: &str) -> Vec<Mutant<'r>> {
    let mut positions: HashMap<(u32, &str), usize> = HashMap::new();
    let mut mutants: Vec<Mutant<'r>> = Vec::new();
    for finding in result.findings.iter().filter(|finding| &*finding.metric == metric) {
        let Subject::Element(id) = finding.subject else { continue };
        let at = *positions.entry((id, &finding.edit)).or_insert_with(|| {
            let (element, findings) = (result.element(id), Vec::new());
            mutants.push(Mutant { id, element, edit: &finding.edit, findings, standing: Standing::Unknown });
            mutants.len() - 1
        });
        mutants[at].findings.push(finding);
    }
    mutants.iter_mut().for_each(|mutant| mutant.standing = Standing::of(&mutant.findings));
    mutants
}

/// The name of an element, or its number if it is not in the result.
pub(crate) fn element_name(result: &RunResult, id: u32) -> String {
    named(result.element(id), id)
}

fn named(element: Option<&Element>, id: u32) -> String {
    element.map_or_else(|| format!("element {id}"), |element| element.name.clone())
}
