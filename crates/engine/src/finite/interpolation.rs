//! Interpolation-based model checking: over-approximate images out of refutations of bounded checks.
//!
//! For a bound k, "a step from R, then a violation within k steps" is refuted; the interpolant between the first step and
//! the rest over-approximates the image of R and still cannot reach a violation in k - 1 steps. Images are taken until the
//! last is contained in the union of those before, which then is an inductive invariant, or until a violation is found
//! from an over-approximation, which only says that k is too small.
//!
//! Departure from McMillan: only the last image is expanded, not the union, and the initial states are themselves
//! over-approximated by an interpolant when they cannot be written over the latches alone.
//!
//! # References
//! - K. L. McMillan: Interpolation and SAT-based model checking. CAV 2003.

use super::{Answer, Lemmas, Problem};
use crate::limits::{Limits, Observer, Stats};
use propcov_ir::UnknownReason;
use propcov_sat::{Cadical, CadicalConfig, Derivation, Label, Lit, Outcome, Solver, Var};
use propcov_solve::{Aig, Bit, BitTrace, ClauseSink, Init, Template, Unroller};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

const FIRST: Label = Label(0);
const REST: Label = Label(1);

/// Decides the problem by interpolation.
pub fn run(
    problem: &Problem<'_>,
    seed: u64,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Answer {
    if problem.initial_depends_on_inputs() {
        let why = "interpolation needs initial states that do not depend on inputs";
        return Answer::Unknown(UnknownReason::Incomplete(why.to_owned()));
    }
    let mut checker = Interpolation::new(problem, seed, limits);
    let answer = checker.search(observer, stats);
    stats.ticks += checker.ticks;
    answer.unwrap_or_else(|| Answer::Unknown(limits.reason()))
}

struct Interpolation<'p> {
    problem: &'p Problem<'p>,
    seed: u64,
    limits: &'p Limits,
    /// State predicates; leaf i + 1 is latch i.
    predicates: Aig,
    ticks: u64,
    conflicts: u64,
}

/// Where the refuted path starts.
#[derive(Clone, Copy)]
enum Start {
    /// In an initial state, which is the first state of the second part.
    Initial,
    /// One step before the second part, in a state that satisfies the predicate.
    StepFrom(Bit),
}

/// The outcome of one bounded check.
enum Check {
    /// A violation within the bound, at this depth, is possible.
    Violation(BitTrace),
    /// None is, and this says why.
    Interpolant(Bit),
}

impl<'p> Interpolation<'p> {
    fn new(problem: &'p Problem<'p>, seed: u64, limits: &'p Limits) -> Interpolation<'p> {
        let mut predicates = Aig::new();
        for _ in &problem.netlist.latches {
            predicates.leaf();
        }
        Interpolation { problem, seed, limits, predicates, ticks: 0, conflicts: 0 }
    }

    /// `None` when the budget is used up.
    fn search(&mut self, observer: &dyn Observer, stats: &mut Stats) -> Option<Answer> {
        let largest = self.limits.depth.unwrap_or(u32::MAX);
        let mut bound = largest.min(1);
        loop {
            observer.progress("interpolation", bound);
            let first = match self.check(Start::Initial, bound, stats)? {
                Check::Violation(trace) => return Some(Answer::Falsified(trace)),
                Check::Interpolant(interpolant) => self.initial_predicate().unwrap_or(interpolant),
            };
            stats.clear(bound);
            let (mut last, mut union) = (first, first);
            stats.count("interpolation bound", u64::from(bound));
            let mut images = 0;
            loop {
                match self.check(Start::StepFrom(last), bound, stats)? {
                    Check::Violation(_) => break,
                    Check::Interpolant(image) => {
                        images += 1;
                        stats.count("interpolation images", images);
                        // k + m of Chockler, Kroening and Purandare: no violation is that close.
                        stats.frames =
                            u32::try_from(images).ok().and_then(|images| bound.checked_add(images));
                        if self.implies(image, union, stats)? {
                            let lemmas = Lemmas::Circuits(self.predicates.clone(), vec![union]);
                            return Some(Answer::Proved { lemmas, k: 1, simple_path: false });
                        }
                        union = !self.predicates.and(!union, !image);
                        last = image;
                    }
                }
            }
            if bound >= largest {
                return Some(Answer::Unknown(UnknownReason::Bounded(bound)));
            }
            bound = largest.min(bound + 1 + bound / 4);
        }
    }

    /// The initial states as a predicate over latches, if constants say it all.
    fn initial_predicate(&mut self) -> Option<Bit> {
        if !self.problem.netlist.initial.is_empty() {
            return None;
        }
        let mut predicate = Bit::TRUE;
        for (index, latch) in self.problem.netlist.latches.iter().enumerate() {
            if let Init::Const(value) = latch.init {
                let latch = Bit::of_node(index + 1, !value);
                predicate = self.predicates.and(predicate, latch);
            }
        }
        Some(predicate)
    }

    /// Can a path of at most `bound` steps, from the start, reach a violation?
    fn check(&mut self, start: Start, bound: u32, stats: &mut Stats) -> Option<Check> {
        if self.limits.exhausted(self.ticks) {
            return None;
        }
        let (netlist, template) = (&self.problem.netlist, &self.problem.template);
        let config = CadicalConfig { seed: self.seed, inprocessing: false };
        let solver = RefCell::new(Cadical::with_tracing(config).within(netlist.budget().clone()));
        let first = &mut Labelled { solver: &solver, label: FIRST };
        let rest = &mut Labelled { solver: &solver, label: REST };

        let mut path = Unroller::new(netlist, template);
        let mut bads: Vec<Lit> = Vec::new();
        let mut over = None;
        for _ in 0..=bound {
            bads.push(path.extend_until(self.problem.bad(), &mut over, rest));
        }
        rest.add_clause(&bads);

        let boundary = path.state(0);
        match start {
            Start::Initial => assert_initial(self.problem, &boundary, first),
            Start::StepFrom(predicate) => {
                let mut before = Unroller::new(netlist, template);
                before.extend(first);
                for transition in &netlist.transitions {
                    first.add_clause(&[before.literal(0, *transition)]);
                }
                let holds = self.encode(predicate, &before.state(0), first);
                first.add_clause(&[holds]);
                for (latch, after) in netlist.latches.iter().zip(&boundary) {
                    let next = before.literal(0, latch.next);
                    first.add_clause(&[!next, *after]);
                    first.add_clause(&[next, !*after]);
                }
            }
        }
        stats.call("interpolation");
        let mut solver = solver.into_inner();
        let outcome = solver.solve(&[], &self.limits.budget(self.conflicts));
        self.ticks += solver.ticks();
        self.conflicts += solver.conflicts();
        match outcome {
            Outcome::Unknown => None,
            Outcome::Sat => {
                let mut trace = path.path(&solver);
                let violated = bads.iter().position(|bad| solver.holds(*bad));
                trace.steps.truncate(violated.map_or(1, |depth| depth + 1));
                Some(Check::Violation(trace))
            }
            Outcome::Unsat => self.interpolant(&mut solver, &boundary).map(Check::Interpolant),
        }
    }

    /// McMillan's interpolation system: a clause of the first part stands for its literals on the boundary, one of the
    /// rest for true; resolving on what only the first part knows is a disjunction, any other resolution a conjunction.
    fn interpolant(&mut self, solver: &mut Cadical, boundary: &[Lit]) -> Option<Bit> {
        let latches: FxHashMap<Var, Bit> = boundary
            .iter()
            .enumerate()
            .map(|(index, literal)| (literal.var(), Bit::of_node(index + 1, literal.is_negated())))
            .collect();
        let refutation = solver.refutation().ok()?;
        let mut of_rest: FxHashSet<Var> = FxHashSet::default();
        for step in &refutation.steps {
            if matches!(step.derivation, Derivation::Input(REST)) {
                of_rest.extend(step.literals.iter().map(|literal| literal.var()));
            }
        }
        let predicates = RefCell::new(&mut self.predicates);
        refutation.fold(
            |literals, label| {
                if label == REST {
                    return Bit::TRUE;
                }
                let shared = literals.iter().filter_map(|literal| {
                    latches.get(&literal.var()).map(|bit| bit.negated_if(literal.is_negated()))
                });
                let mut predicates = predicates.borrow_mut();
                !shared.fold(Bit::TRUE, |none, bit| predicates.and(none, !bit))
            },
            |pivot, a, b| {
                let mut predicates = predicates.borrow_mut();
                if of_rest.contains(&pivot) { predicates.and(a, b) } else { !predicates.and(!a, !b) }
            },
        )
    }

    /// Whether every state of one predicate satisfies the other.
    fn implies(&mut self, one: Bit, other: Bit, stats: &mut Stats) -> Option<bool> {
        let outside = self.predicates.and(one, !other);
        let config = CadicalConfig { seed: self.seed, ..CadicalConfig::default() };
        let mut solver = self.problem.solver(config);
        let state: Vec<Lit> =
            self.problem.netlist.latches.iter().map(|_| Solver::new_var(&mut solver).positive()).collect();
        let holds = self.encode(outside, &state, &mut solver);
        stats.call("interpolation fixpoint");
        let outcome = solver.solve(&[holds], &self.limits.budget(self.conflicts));
        self.ticks += solver.ticks();
        self.conflicts += solver.conflicts();
        match outcome {
            Outcome::Unsat => Some(true),
            Outcome::Sat => Some(false),
            Outcome::Unknown => None,
        }
    }

    /// Writes a predicate on a state into a solver; returns the literal that says it.
    fn encode(&self, predicate: Bit, state: &[Lit], sink: &mut impl ClauseSink) -> Lit {
        let leaves: Vec<Bit> = (0..state.len()).map(|index| Bit::of_node(index + 1, false)).collect();
        let template = Template::new(&self.predicates, &[predicate], &leaves);
        let mut literals: Vec<Option<Lit>> = vec![None; template.variables];
        for (leaf, literal) in leaves.iter().zip(state) {
            literals[template.literal(*leaf).var().index()] = Some(*literal);
        }
        let literals: Vec<Lit> = literals
            .into_iter()
            .map(|literal| literal.unwrap_or_else(|| sink.new_var().positive()))
            .collect();
        let instance = |literal: Lit| literals[literal.var().index()].negated_if(literal.is_negated());
        for clause in template.clauses() {
            let clause: Vec<Lit> = clause.iter().map(|literal| instance(*literal)).collect();
            sink.add_clause(&clause);
        }
        instance(template.literal(predicate))
    }
}

/// The initial states, written over the boundary and variables of the first part alone.
fn assert_initial(problem: &Problem<'_>, boundary: &[Lit], sink: &mut impl ClauseSink) {
    let netlist = &problem.netlist;
    for (latch, literal) in netlist.latches.iter().zip(boundary) {
        if let Init::Const(value) = latch.init {
            sink.add_clause(&[literal.negated_if(!value)]);
        }
    }
    if netlist.initial.is_empty() {
        return;
    }
    let mut initial = Unroller::new(netlist, &problem.template);
    initial.extend(sink);
    initial.assert_initial(sink);
    for (literal, own) in boundary.iter().zip(initial.state(0)) {
        sink.add_clause(&[!*literal, own]);
        sink.add_clause(&[*literal, !own]);
    }
}

/// A traced solver to which clauses are added with a label.
struct Labelled<'s> {
    solver: &'s RefCell<Cadical>,
    label: Label,
}

impl ClauseSink for Labelled<'_> {
    fn new_var(&mut self) -> Var {
        Solver::new_var(&mut *self.solver.borrow_mut())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.borrow_mut().add_clause_labelled(clause, self.label);
    }
}
