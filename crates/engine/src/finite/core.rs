//! Which elements a proof needs: the elements whose definitions the refutations of initiation and consecution used.
//!
//! The same claim is checked once more on a netlist in which every element can be freed by a selector. All selectors are
//! assumed to be off; those among the failed assumptions make up the core. It suffices, but need not be minimal.

use super::Arrays;
use crate::limits::{Limits, Stats};
use propcov_ir::{
    Edits, ElementId, ElementSet, Mutant, Mutation, Node, Proof, PropertyId, SignalKind, Site, System,
};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Contents, Netlist, Template, Unroller, Unsupported};

/// Replaces the proof's core by one that its argument really uses. Says whether that was possible within the budget.
pub(crate) fn reduce_core(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &mut Proof,
    limits: &Limits,
    stats: &mut Stats,
) -> Result<bool, Unsupported> {
    // What is quick may not be enough for a proof that looks at a whole memory.
    if Arrays::WATCHED.matter_for(system)
        && reduced(system, edits, property, proof, Arrays::WATCHED, limits, stats)?
    {
        return Ok(true);
    }
    reduced(system, edits, property, proof, Arrays::TABLES, limits, stats)
}

fn reduced(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &mut Proof,
    arrays: Arrays,
    limits: &Limits,
    stats: &mut Stats,
) -> Result<bool, Unsupported> {
    let free = |element| Mutant { element, mutation: Mutation::Free };
    // An address that need not stay the same is none at which an array can be watched: those that do count as used.
    let is_watched = arrays.watch(system);
    let stays = |element: &ElementId| is_watched && keeps_a_value(system, *element);
    let (kept, asked): (Vec<ElementId>, Vec<ElementId>) = proof.core.iter().partition(stays);
    let selectable: Vec<Mutant> = asked.into_iter().map(free).collect();
    let budget = limits.budget(0);
    let contents = Contents {
        properties: &[property],
        invariant: Some(&proof.invariant),
        selectable: &selectable,
        tables: Some(arrays.tables()),
        budget: Some(&budget),
        ..Contents::default()
    };
    let netlist = Netlist::with_contents(system, edits, contents)?;
    let template = netlist.template()?;
    let mut core: ElementSet = kept.into_iter().collect();
    for initial in [true, false] {
        let mut query = Query::new(&netlist, &template);
        if !query.run(proof.k as usize, initial, &mut core, limits, stats) {
            return Ok(false);
        }
    }
    proof.core = core;
    Ok(true)
}

/// Whether an element says that a state stays what it is.
fn keeps_a_value(system: &System, element: ElementId) -> bool {
    let Site::Next(state) = system.element(element).site else { return false };
    let SignalKind::State { next: Some(next), .. } = system.signal(state).kind else { return false };
    *system.exprs.node(next) == Node::Signal(state)
}

struct Query<'n> {
    netlist: &'n Netlist,
    solver: Cadical,
    path: Unroller<'n>,
}

impl<'n> Query<'n> {
    fn new(netlist: &'n Netlist, template: &'n Template) -> Query<'n> {
        let solver = Cadical::new(CadicalConfig::default()).within(netlist.budget().clone());
        Query { netlist, solver, path: Unroller::new(netlist, template) }
    }

    /// Initiation (no violation in the first k steps) or consecution (none after k steps without); collects what it used.
    fn run(
        &mut self,
        k: usize,
        initial: bool,
        core: &mut ElementSet,
        limits: &Limits,
        stats: &mut Stats,
    ) -> bool {
        let steps = if initial { k } else { k + 1 };
        for frame in 0..steps {
            self.path.extend(&mut self.solver);
            if initial && frame == 0 {
                self.path.assert_initial(&mut self.solver);
            }
            let violations = self.violations(frame);
            if (initial || frame == k) && !self.refute(&violations, core, limits, stats) {
                return false;
            }
            violations.iter().for_each(|violation| self.solver.add_clause(&[!*violation]));
        }
        true
    }

    /// The ways in which the property or a lemma can fail in a frame.
    fn violations(&self, frame: usize) -> Vec<Lit> {
        let bads = self.netlist.bads.iter().map(|bad| self.path.literal(frame, *bad));
        let lemmas = self.netlist.predicates.iter().map(|lemma| !self.path.literal(frame, *lemma));
        bads.chain(lemmas).collect()
    }

    /// Shows that none of these happens.
    fn refute(
        &mut self,
        violations: &[Lit],
        core: &mut ElementSet,
        limits: &Limits,
        stats: &mut Stats,
    ) -> bool {
        let asked = Solver::new_var(&mut self.solver).positive();
        let mut some_violation = violations.to_vec();
        some_violation.push(!asked);
        self.solver.add_clause(&some_violation);
        let selectors: Vec<(ElementId, Lit)> = self
            .netlist
            .selectors
            .iter()
            .map(|selector| (selector.mutant.element, !self.path.literal(0, selector.bit)))
            .collect();
        let mut assumptions: Vec<Lit> = selectors.iter().map(|(_, kept)| *kept).collect();
        assumptions.push(asked);
        stats.call("core");
        if self.solver.solve(&assumptions, &limits.budget(self.solver.conflicts())) != Outcome::Unsat {
            return false;
        }
        for (element, kept) in selectors {
            if self.solver.failed(kept) {
                core.insert(element);
            }
        }
        true
    }
}
