//! The sanity gate: what is said before any verdict, because a verdict about it would mislead.
//!
//! A proof under assumptions that exclude every run proves nothing, a property that is the constant true checks nothing, and
//! no property at all is no verification. Assumptions are tried for the first steps of a run: when no run gets that far,
//! they conflict, and a minimal set of them that does is found by leaving out one after the other. Runs that all end later
//! than that are not noticed: consistency is a bounded claim, and reports say how far it goes.

use crate::infinite;
use crate::limits::{Limits, Stats};
use propcov_ir::{
    ConstraintId, Edits, ElementId, ElementKind, ElementSet, Mutant, Mutation, PropertyId, Site, System,
    UnknownReason,
};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Contents, Netlist, Template, Unroller, Unsupported};

/// How many steps a run must be able to take for the assumptions to count as consistent.
pub const STEPS: u32 = 8;

/// What the gate found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Whether there are runs at all.
    pub assumptions: Assumptions,
    /// Properties that nothing in the design has an influence on, and their value.
    pub constant: Vec<(PropertyId, bool)>,
    /// How many properties there are to prove.
    pub obligations: usize,
}

/// Whether the assumptions leave any run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumptions {
    /// There is a run of [`STEPS`] steps (or there are no assumptions).
    Consistent,
    /// No run gets beyond `step`, because of these: a minimal set. It is empty when there is no initial state.
    Conflicting {
        /// The first step that no run reaches, counting from 0.
        step: u32,
        /// Which assumptions are to blame.
        conflict: Vec<ConstraintId>,
    },
    /// Not decided.
    Unknown(UnknownReason),
}

/// Looks for reasons not to trust a verdict on these properties.
pub fn inspect(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    limits: &Limits,
    stats: &mut Stats,
) -> Gate {
    let assumptions = match Search::prepare(system, edits) {
        Ok((netlist, template)) => Search::new(system, &netlist, &template).run(limits, stats),
        Err(_) if infinite::concerns(system) => infinite::gate::assumptions(system, edits, limits, stats),
        Err(error) => Assumptions::Unknown(UnknownReason::Unsupported(error.to_string())),
    };
    let constant = constant_properties(system, properties);
    Gate { assumptions, constant, obligations: properties.len() }
}

/// Properties that no element of the design has any influence on: they keep their value when every definition is freed.
/// That a property *can be shown* constant by folding is another matter: then the design makes it so, and is checked by it.
fn constant_properties(system: &System, properties: &[PropertyId]) -> Vec<(PropertyId, bool)> {
    let everything_freed = Edits::keep_only(system, &ElementSet::new());
    let is_invariant = |id: &PropertyId| system.invariant(*id).is_some();
    let invariants: Vec<PropertyId> = properties.iter().copied().filter(is_invariant).collect();
    let Ok(netlist) = Netlist::new(system, &everything_freed, &invariants) else {
        return infinite::gate::constant_properties(system, &invariants);
    };
    let values = netlist.bads.iter().map(|bad| bad.as_constant().map(|bad| !bad));
    invariants.into_iter().zip(values).filter_map(|(property, value)| Some((property, value?))).collect()
}

struct Search<'n> {
    system: &'n System,
    netlist: &'n Netlist,
    solver: Cadical,
    path: Unroller<'n>,
}

impl<'n> Search<'n> {
    /// The constraints' cone, in which each assumption can be switched off.
    fn prepare(system: &System, edits: &Edits) -> Result<(Netlist, Template), Unsupported> {
        let is_assumption = |element: &ElementId| system.element(*element).kind == ElementKind::Assumption;
        let free = |element| Mutant { element, mutation: Mutation::Free };
        let selectable: Vec<Mutant> = system.element_ids().filter(is_assumption).map(free).collect();
        let contents = Contents { selectable: &selectable, ..Contents::default() };
        let netlist = Netlist::with_contents(system, edits, contents)?;
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        Ok((netlist, template))
    }

    fn new(system: &'n System, netlist: &'n Netlist, template: &'n Template) -> Search<'n> {
        let solver = Cadical::new(CadicalConfig::default());
        Search { system, netlist, solver, path: Unroller::new(netlist, template) }
    }

    fn run(&mut self, limits: &Limits, stats: &mut Stats) -> Assumptions {
        if self.netlist.constraints.is_empty()
            && self.netlist.initial.is_empty()
            && self.netlist.transitions.is_empty()
        {
            return Assumptions::Consistent;
        }
        for step in 0..STEPS {
            self.path.extend(&mut self.solver);
            if step == 0 {
                self.path.assert_initial(&mut self.solver);
            }
            match self.solve(&self.kept(), limits, stats) {
                Outcome::Sat => {}
                Outcome::Unknown => return Assumptions::Unknown(limits.reason()),
                Outcome::Unsat => {
                    let conflict = self.minimal_conflict(limits, stats);
                    return Assumptions::Conflicting { step, conflict };
                }
            }
        }
        Assumptions::Consistent
    }

    fn solve(&mut self, kept: &[(ElementId, Lit)], limits: &Limits, stats: &mut Stats) -> Outcome {
        let assumptions: Vec<Lit> = kept.iter().map(|(_, literal)| *literal).collect();
        stats.call("gate");
        self.solver.solve(&assumptions, &limits.budget(self.solver.conflicts()))
    }

    /// Each assumption with the literal that keeps it.
    fn kept(&self) -> Vec<(ElementId, Lit)> {
        let selectors = self.netlist.selectors.iter();
        selectors.map(|selector| (selector.mutant.element, !self.path.literal(0, selector.bit))).collect()
    }

    fn minimal_conflict(&mut self, limits: &Limits, stats: &mut Stats) -> Vec<ConstraintId> {
        let mut conflict = self.kept();
        conflict.retain(|(_, literal)| self.solver.failed(*literal));
        minimal_conflict(self.system, conflict, |rest| {
            let conflicting = self.solve(rest, limits, stats) == Outcome::Unsat;
            conflicting.then(|| rest.iter().copied().filter(|(_, lit)| self.solver.failed(*lit)).collect())
        })
    }
}

/// Leaves out one assumption after the other for as long as the rest conflicts: `conflict_in` then says which of it do.
pub(crate) fn minimal_conflict(
    system: &System,
    mut conflict: Vec<(ElementId, Lit)>,
    mut conflict_in: impl FnMut(&[(ElementId, Lit)]) -> Option<Vec<(ElementId, Lit)>>,
) -> Vec<ConstraintId> {
    let mut index = 0;
    while index < conflict.len() {
        let mut rest = conflict.clone();
        rest.remove(index);
        match conflict_in(&rest) {
            Some(smaller) => conflict = smaller,
            None => index += 1,
        }
    }
    let mut sites: Vec<ConstraintId> = conflict
        .into_iter()
        .filter_map(|(element, _)| match system.element(element).site {
            Site::Constraint(id) => Some(id),
            _ => None,
        })
        .collect();
    sites.sort_unstable();
    sites
}
