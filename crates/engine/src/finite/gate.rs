//! The sanity gate ([`crate::gate`]) for finite systems.

use crate::gate::{Assumptions, STEPS, minimal_conflict};
use crate::limits::{Limits, Stats};
use propcov_ir::{
    ConstraintId, Edits, ElementId, ElementKind, ElementSet, Mutant, Mutation, PropertyId, System,
};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Contents, Netlist, Template, Unroller, Unsupported};

/// Whether the assumptions leave any run.
pub(crate) fn assumptions(
    system: &System,
    edits: &Edits,
    limits: &Limits,
    stats: &mut Stats,
) -> Result<Assumptions, Unsupported> {
    let (netlist, template) = Search::prepare(system, edits, limits)?;
    Ok(Search::new(system, &netlist, &template).run(limits, stats))
}

/// Invariants that keep their value when every definition is freed.
pub(crate) fn constant_properties(
    system: &System,
    invariants: &[PropertyId],
    limits: &Limits,
) -> Result<Vec<(PropertyId, bool)>, Unsupported> {
    let freed = Edits::keep_only(system, &ElementSet::new());
    let budget = limits.budget(0);
    let contents = Contents { properties: invariants, budget: Some(&budget), ..Contents::default() };
    let netlist = Netlist::with_contents(system, &freed, contents)?;
    let values = netlist.bads.iter().map(|bad| bad.as_constant().map(|bad| !bad));
    Ok(invariants.iter().zip(values).filter_map(|(property, value)| Some((*property, value?))).collect())
}

struct Search<'n> {
    system: &'n System,
    netlist: &'n Netlist,
    solver: Cadical,
    path: Unroller<'n>,
}

impl<'n> Search<'n> {
    /// The constraints' cone, in which each assumption can be switched off.
    fn prepare(system: &System, edits: &Edits, limits: &Limits) -> Result<(Netlist, Template), Unsupported> {
        let is_assumption = |element: &ElementId| system.element(*element).kind == ElementKind::Assumption;
        let free = |element| Mutant { element, mutation: Mutation::Free };
        let selectable: Vec<Mutant> = system.element_ids().filter(is_assumption).map(free).collect();
        let budget = limits.budget(0);
        let contents = Contents { selectable: &selectable, budget: Some(&budget), ..Contents::default() };
        let netlist = Netlist::with_contents(system, edits, contents)?;
        let template = netlist.template()?;
        Ok((netlist, template))
    }

    fn new(system: &'n System, netlist: &'n Netlist, template: &'n Template) -> Search<'n> {
        let solver = Cadical::new(CadicalConfig::default()).within(netlist.budget().clone());
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
