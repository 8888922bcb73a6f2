//! Algorithm 1, COVERAGECHECKS, of Chockler, Kroening and Purandare: *Coverage in interpolation-based model checking*, DAC 2010.
//!
//! Given the inductive invariant R of the original's proof, five tests decide mutants one by one, cheapest first:
//! CORE (line 5, Lemma 2), COUNTEREXAMPLE (line 8, §4.4), INDUCTION (line 15, Lemma 3), INDUCTIONRESTART (line 21, Lemma 4) and
//! INTERPOLATION (line 26). SEL_v is a set of assumptions: the selector of v on, all others off.
//!
//! Departures: registers are cut at their next-state function, so that "we do not consider mutations that affect the initial
//! state" holds by construction. Where gates are mutated too, R must also be seen to hold in the mutant's first step, which the
//! paper need not ask. R may come from any engine, and as in the paper from one by interpolation (`--engine interpolation`); with the induction length k of its proof, formulas 4 and 5
//! have k + 1 frames. The selectors of a mutant are the same in all frames, and P of Lemma 2 is the refutation of "R, a step, not R", which shows that R is inductive, so that
//! L of Theorem 1 has one literal for each selector in it: `--stats` has their number.
//! Nothing is shared between mutants except clauses: what our own [pipeline](super::pipeline) adds is left out here.

use super::evidence::traced_kill;
use super::family::{Clause, Family, Lemmas};
use super::induction::Induction;
use super::session::Session;
use super::{Ground, Technique};
use propcov_engine::finite::{Answer, interpolation};
use propcov_engine::{Silent, Stats};
use propcov_ir::{Proof, UnknownReason};
use propcov_sat::{Cadical, CadicalConfig, Derivation, Label, Lit, Outcome, Solver};
use propcov_solve::{ClauseSink, Unroller};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Clauses of X, the selectors that are off, in the refutation of formula 4.
const OFF: Label = Label(u32::MAX);

/// Applies the tests to each property in turn.
pub(crate) fn run(session: &mut Session<'_>, tests: &[Technique]) {
    for target in 0..session.targets.len() {
        let undecided = session.undecided(target);
        if undecided.is_empty() {
            continue;
        }
        let property = session.targets[target].property;
        let Some(proof) = session.targets[target].ground.proof().map(Arc::clone) else {
            session.give_up(
                target,
                "Algorithm 1 starts from proofs, and the property is only known up to a bound",
            );
            continue;
        };
        let family = match Family::new(
            session.system,
            property,
            &proof.invariant,
            &[],
            session.mutants,
            &undecided,
            session.arrays,
        ) {
            Ok(family) => family,
            Err(error) => {
                session.give_up(target, &error.to_string());
                continue;
            }
        };
        let mut checks = CoverageChecks { session, target, family: &family, lemmas: family.lemmas(), proof };
        for test in tests {
            if checks.session.is_over() {
                return;
            }
            checks.session.progress(target, test.name());
            match test {
                Technique::Core => checks.core(),
                Technique::Counterexample => checks.counterexample(),
                Technique::Induction => checks.induction(),
                Technique::InductionRestart => checks.induction_restart(),
                Technique::Interpolation => checks.interpolation(),
                _ => {}
            }
        }
    }
}

struct CoverageChecks<'c, 's> {
    session: &'c mut Session<'s>,
    target: usize,
    family: &'c Family<'c>,
    /// R, without the property itself.
    lemmas: Lemmas,
    proof: Arc<Proof>,
}

impl<'c> CoverageChecks<'c, '_> {
    /// The nodes still UNKNOWN.
    fn unknown(&self) -> Vec<usize> {
        self.session.undecided(self.target)
    }

    fn call(&mut self, test: Technique) {
        self.session.stats.call(test.name());
    }

    fn not_covered(&mut self, mutants: &[usize], by: Technique) {
        let proof = Arc::clone(&self.proof);
        self.session.survive(self.target, mutants, &Ground::Proved(proof), by.name());
    }

    /// Line 4: a node whose selector is not mentioned in the proof is not covered.
    fn core(&mut self) {
        let unknown = self.unknown();
        let (inside, mut unused): (Vec<usize>, Vec<usize>) =
            unknown.into_iter().partition(|mutant| self.family.contains(*mutant));
        if !self.proof.simple_path {
            let mut induction = Induction::new(self.family, self.proof.k as usize);
            let budget = self.session.budget();
            if let Some(used) = induction.core(&self.lemmas, &inside, &budget, &mut self.session.stats) {
                // L of Theorem 1: the selectors in the refutation, each of which has to be off. SEL_v implies L for whoever is not among them.
                self.session.stats.add("selectors in all (SEL)", inside.len() as u64);
                self.session.stats.add("selectors in the proof (L of Theorem 1)", used.len() as u64);
                unused.extend(inside.into_iter().filter(|mutant| !used.contains(mutant)));
            }
        }
        self.not_covered(&unused, Technique::Core);
    }

    /// Line 7: is there a violation within e = k + m steps?
    fn counterexample(&mut self) {
        let e = self.session.targets[self.target].depth as usize;
        let mut solver =
            Cadical::new(CadicalConfig { seed: self.session.options.seed, ..CadicalConfig::default() });
        let mut path = Unroller::new(&self.family.problem.netlist, &self.family.problem.template);
        let mut violations: Vec<Lit> = Vec::new();
        let mut over: Option<Lit> = None;
        for _ in 0..=e {
            violations.push(path.extend_until(self.family.bad(), &mut over, &mut solver));
        }
        path.assert_initial(&mut solver);
        Solver::add_clause(&mut solver, &violations);
        for mutant in self.unknown() {
            if self.session.is_over() {
                return;
            }
            let Some(selected) = self.family.selection(mutant, |bit| path.literal(0, bit)) else { continue };
            self.call(Technique::Counterexample);
            if solver.solve(&selected, &self.session.budget()) != Outcome::Sat {
                continue;
            }
            let mut trace = path.path(&solver);
            let last = violations.iter().position(|bad| solver.holds(*bad)).unwrap_or(0);
            trace.steps.truncate(last + 1);
            if let Ok(kill) =
                traced_kill(self.session.system, self.family, self.session.mutants[mutant], &trace)
            {
                self.session.kill(self.target, vec![(mutant, kill)], Technique::Counterexample.name());
            }
        }
    }

    /// Line 13: the clauses that refute formula 4 for the original, apart from the selectors, together with SEL_v.
    fn induction(&mut self) {
        let Some(formula) = Formula::new(self.family, &self.proof, &self.lemmas) else { return };
        let mut traced =
            Cadical::with_tracing(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
        for _ in 0..formula.variables {
            Solver::new_var(&mut traced);
        }
        for (label, clause) in formula.clauses.iter().enumerate() {
            traced.add_clause_labelled(clause, Label(label as u32));
        }
        for selector in &formula.selectors {
            traced.add_clause_labelled(&[!*selector], OFF);
        }
        self.call(Technique::Induction);
        if traced.solve(&[], &self.session.budget()) != Outcome::Unsat {
            return;
        }
        let Ok(refutation) = traced.refutation() else { return };
        let mut used: FxHashSet<u32> = FxHashSet::default();
        for step in &refutation.steps {
            if let Derivation::Input(Label(label)) = step.derivation
                && Label(label) != OFF
            {
                used.insert(label);
            }
        }
        let mut solver = plain(formula.variables);
        for (label, clause) in formula.clauses.iter().enumerate() {
            if used.contains(&(label as u32)) {
                Solver::add_clause(&mut solver, clause);
            }
        }
        self.inductive(&formula, solver, Technique::Induction);
    }

    /// Line 20: formula 5, with all clauses.
    fn induction_restart(&mut self) {
        let Some(formula) = Formula::new(self.family, &self.proof, &self.lemmas) else { return };
        let mut solver = plain(formula.variables);
        for clause in &formula.clauses {
            Solver::add_clause(&mut solver, clause);
        }
        self.inductive(&formula, solver, Technique::InductionRestart);
    }

    /// Assumes SEL_v for each v: unsatisfiable means not covered.
    fn inductive(&mut self, formula: &Formula, mut solver: Cadical, by: Technique) {
        let mut start = Induction::new(self.family, self.proof.k as usize);
        let mut survivors = Vec::new();
        for mutant in self.unknown() {
            if self.session.is_over() {
                break;
            }
            let Some(own) = self.family.selector(mutant) else { continue };
            let selectors = formula.selectors.iter().enumerate();
            let selected: Vec<Lit> = selectors.map(|(at, on)| on.negated_if(at != own)).collect();
            self.call(by);
            if solver.solve(&selected, &self.session.budget()) == Outcome::Unsat {
                survivors.push(mutant);
            }
        }
        let budget = self.session.budget();
        start.keep_initial(&self.lemmas, &mut survivors, &budget, &mut self.session.stats);
        self.not_covered(&survivors, by);
    }

    /// Line 26: model checking of what is left.
    fn interpolation(&mut self) {
        let (system, family) = (self.session.system, self.family);
        for mutant in self.unknown() {
            if self.session.is_over() {
                return;
            }
            let problem = family.problem_of(&[mutant]);
            // Its own, as counts such as the bound are set, not added.
            let mut stats = Stats::default();
            let (seed, limits) = (self.session.options.seed, self.session.limits_of_one(self.target));
            let answer = interpolation::run(&problem, seed, &limits, &Silent, &mut stats);
            self.session.stats.merge(&stats);
            let by = Technique::Interpolation.name();
            match answer {
                Answer::Unknown(UnknownReason::Incomplete(_)) => {}
                Answer::Unknown(_) => self.session.note_effort(),
                Answer::Falsified(trace) => {
                    if let Ok(kill) = traced_kill(system, family, self.session.mutants[mutant], &trace) {
                        self.session.kill(self.target, vec![(mutant, kill)], by);
                    }
                }
                Answer::Proved { lemmas, k, simple_path } => {
                    let proof = Arc::new(family.problem.proof(&lemmas, k, simple_path));
                    self.session.survive(self.target, &[mutant], &Ground::Proved(proof), by);
                }
            }
        }
    }
}

fn plain(variables: u32) -> Cadical {
    let mut solver = Cadical::new(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
    for _ in 0..variables {
        Solver::new_var(&mut solver);
    }
    solver
}

/// Y of formula 4: R in k steps, the transitions with multiplexers, and not R in the step after them.
struct Formula {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
    /// In the netlist's order.
    selectors: Vec<Lit>,
}

impl Formula {
    /// `None` for proofs whose induction is not of this form.
    fn new(family: &Family<'_>, proof: &Proof, lemmas: &Lemmas) -> Option<Formula> {
        if proof.simple_path {
            return None;
        }
        let mut list = ClauseList::default();
        let k = proof.k as usize;
        let path = family.unrolled(k + 1, &mut list);
        let mut r = vec![vec![!family.bad()]];
        r.extend(lemmas.clauses.iter().chain(&lemmas.others).cloned());
        let instance = |frame: usize, clause: &Clause| -> Vec<Lit> {
            clause.iter().map(|bit| path.literal(frame, *bit)).collect()
        };
        for frame in 0..k {
            r.iter().for_each(|clause| list.clauses.push(instance(frame, clause)));
        }
        let mut not_r = Vec::new();
        for clause in &r {
            let violated = list.new_var().positive();
            for literal in instance(k, clause) {
                list.clauses.push(vec![!violated, !literal]);
            }
            not_r.push(violated);
        }
        list.clauses.push(not_r);
        let selectors =
            family.problem.netlist.selectors.iter().map(|selector| path.literal(0, selector.bit)).collect();
        Some(Formula { variables: list.variables, clauses: list.clauses, selectors })
    }
}

/// Clauses that have not yet been given to a solver.
#[derive(Default)]
struct ClauseList {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl ClauseSink for ClauseList {
    fn new_var(&mut self) -> propcov_sat::Var {
        self.variables += 1;
        propcov_sat::Var(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }
}
