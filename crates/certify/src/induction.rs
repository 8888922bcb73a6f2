//! The rule by which a proof is accepted, and why it is sound.
//!
//! Write Q for the conjunction of the property and all lemmas. A *step* σ is a value for every input, state and freed
//! wire such that every `Always` constraint holds; s(σ) is its state part. Transitions relate a step to the state part
//! of the next one, T(σ, s′): `next` functions and `Transition` constraints read inputs and wires of the former step
//! only. Initial steps satisfy I(σ), which may read inputs. Q, too, may read inputs, through the property.
//!
//! **k-induction** (Sheeran, Singh, Stålmarck, FMCAD 2000). *Initiation*: no run prefix σ₀ … σᵢ with i < k has ¬Q(σᵢ).
//! *Consecution*: no path σ₀ … σₖ that starts anywhere has Q(σ₀), …, Q(σₖ₋₁), ¬Q(σₖ). Take the first violation of Q in any run: it is not in
//! the first k steps by initiation, and the k steps before it satisfy Q, which consecution excludes. So Q holds in every
//! step of every run. Inputs do no harm here: nothing was said about them.
//!
//! **Simple paths.** Consecution is claimed only for paths whose k + 1 steps pairwise differ in their *compared states*. The
//! textbook rule compares states and keeps initiation for i < k. Here it would be unsound: with the one state x′ = x, an
//! input a, the `Initial` constraint ¬a and the property ¬a, initiation holds for k = 1, and no simple path has two
//! steps, yet a may be 1 in step 1. So with `simple_path`, **initiation covers i ≤ k**. The argument then is:
//! take a run prefix σ₀ … σₙ of minimal length with ¬Q(σₙ). Q holds in all earlier steps, and n > k. Were the
//! last k + 1 steps pairwise different, consecution would exclude them. So s(σᵢ) and s(σⱼ) agree on the compared states for
//! some n − k ≤ i < j ≤ n, and i ≥ 1. Then σ₀ … σᵢ₋₁ σⱼ … σₙ is a run as well: T(σᵢ₋₁, s(σⱼ)) holds because T(σᵢ₋₁, s(σᵢ))
//! does, each step still satisfies the `Always` constraints, and the first step is still σ₀, so that nothing need be known about I. It ends in
//! the same ¬Q(σₙ) and is shorter: a contradiction.
//!
//! The compared states need only make T(σᵢ₋₁, s(σⱼ)) true. A state whose next value is open (no `next`, or freed) and that no
//! `Transition` constraint reads in the next step may take any value, so it need not agree. Neither need a state on
//! which neither Q nor any constraint depends, through any number of steps: it can be given whatever value follows. All
//! others are compared. Comparing fewer states excludes more paths, and so accepts more proofs.

use crate::cone::{compared_states, constraints};
use crate::encode::{Gates, Start, Unrolling};
use crate::{Claim, Counterexample, Rejection, meaning};
use propcov_ir::{
    BinaryOp, ConstraintKind, Edit, Edits, ExprId, ExprPool, Node, Proof, PropertyId, System, UnaryOp,
};
use propcov_sat::{Budget, Cadical, CadicalConfig, Lit, Outcome, Solver};
use rustc_hash::FxHashSet;

/// Longer inductions are refused: their encoding alone would take all memory.
const LONGEST: u32 = 1 << 16;

/// Accepts a proof that the property holds in every run of the system under edits.
///
/// With Q the conjunction of property and lemmas: Q must hold in the first k steps of every run (in the first k + 1 with
/// `simple_path`), and after any k steps in which it held (with `simple_path`: if the k + 1 steps pairwise differ in the
/// states that matter). Constraints hold in all steps. The top of this function's source file says why that is sound.
///
/// # Errors
/// Whatever is not established beyond doubt is a [`Rejection`].
pub fn check_proof(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &Proof,
    limits: &Budget,
) -> Result<(), Rejection> {
    system.validate().map_err(|error| Rejection::Malformed(error.to_string()))?;
    meaning::check_edits(system, edits)?;
    let property = meaning::invariant(system, property)?;
    if proof.k == 0 {
        return Err(Rejection::Malformed("induction of length 0".to_owned()));
    }
    if proof.k > LONGEST {
        return Err(Rejection::Unsupported(format!("induction of length {}", proof.k)));
    }
    let checker = Checker { system, edits, property, proof, limits };
    // Lemmas mean many easy queries; without them there are few, and they may be hard.
    let config =
        CadicalConfig { inprocessing: proof.invariant.lemmas.is_empty(), ..CadicalConfig::default() };
    checker.initiation(&mut Cadical::new(config))?;
    checker.consecution(&mut Cadical::new(config))
}

/// Accepts the core of a proof: with every element outside the core freed, the same proof is accepted. Elements inside keep
/// their edits.
///
/// # Errors
/// As [`check_proof`].
pub fn check_core(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &Proof,
    limits: &Budget,
) -> Result<(), Rejection> {
    let mut slice = edits.clone();
    for element in system.element_ids().filter(|element| !proof.core.contains(*element)) {
        slice.insert(element, Edit::Free);
    }
    check_proof(system, &slice, property, proof, limits)
}

/// A claim whose edits, property and length make sense.
struct Checker<'a> {
    system: &'a System,
    edits: &'a Edits,
    property: ExprId,
    proof: &'a Proof,
    limits: &'a Budget,
}

/// One conjunct of Q in one step, as a disjunction of literals.
type Conjunct = (Claim, Vec<Lit>);

impl<'a> Checker<'a> {
    fn unrolling<'s>(&self, solver: &'s mut dyn Solver, start: Start) -> Unrolling<'a, 's> {
        let lemmas = &self.proof.invariant.exprs;
        Unrolling::new(Gates::new(solver), self.system, self.edits, lemmas, start, self.limits)
    }

    fn initiation(&self, solver: &mut dyn Solver) -> Result<(), Rejection> {
        let mut unrolling = self.unrolling(solver, Start::Initial);
        self.assume(&mut unrolling, 0, ConstraintKind::Initial)?;
        let last = if self.proof.simple_path { self.proof.k } else { self.proof.k - 1 };
        for step in 0..=last {
            self.extend(&mut unrolling, step)?;
            let conjuncts = self.conjuncts(&mut unrolling, step)?;
            if let Some(claim) = self.violation(&mut unrolling, &conjuncts)? {
                let counterexample = self.render(&unrolling, step);
                return Err(Rejection::Initiation { claim, step, counterexample });
            }
            // Has just been shown to follow.
            require(&mut unrolling, &conjuncts);
        }
        Ok(())
    }

    fn consecution(&self, solver: &mut dyn Solver) -> Result<(), Rejection> {
        let mut unrolling = self.unrolling(solver, Start::Anywhere);
        let last = self.proof.k;
        for step in 0..last {
            self.extend(&mut unrolling, step)?;
            let conjuncts = self.conjuncts(&mut unrolling, step)?;
            require(&mut unrolling, &conjuncts);
        }
        self.extend(&mut unrolling, last)?;
        let conjuncts = self.conjuncts(&mut unrolling, last)?;
        if self.proof.simple_path {
            self.require_different_states(&mut unrolling)?;
        }
        match self.violation(&mut unrolling, &conjuncts)? {
            Some(claim) => {
                Err(Rejection::Consecution { claim, counterexample: self.render(&unrolling, last) })
            }
            None => Ok(()),
        }
    }

    /// Adds what holds in a step, and between the one before and it.
    fn extend(&self, unrolling: &mut Unrolling<'_, '_>, step: u32) -> Result<(), Rejection> {
        if self.limits.is_exhausted() {
            return Err(Rejection::Undecided);
        }
        if let Some(before) = step.checked_sub(1) {
            self.assume(unrolling, before, ConstraintKind::Transition)?;
        }
        self.assume(unrolling, step, ConstraintKind::Always)
    }

    fn assume(
        &self,
        unrolling: &mut Unrolling<'_, '_>,
        step: u32,
        kind: ConstraintKind,
    ) -> Result<(), Rejection> {
        for id in constraints(self.system, kind) {
            if let Some(literal) = unrolling.constraint(step, id)? {
                unrolling.gates.clause(&[literal]);
            }
        }
        Ok(())
    }

    /// Q in a step, conjunct by conjunct.
    fn conjuncts(&self, unrolling: &mut Unrolling<'_, '_>, step: u32) -> Result<Vec<Conjunct>, Rejection> {
        let invariant = &self.proof.invariant;
        let mut conjuncts = vec![(Claim::Property, vec![unrolling.condition(step, self.property)?])];
        for (position, lemma) in invariant.lemmas.iter().enumerate() {
            let disjuncts: Result<Vec<Lit>, Rejection> = disjuncts(&invariant.exprs, *lemma)?
                .into_iter()
                .map(|(expr, negated)| Ok(unrolling.lemma(step, expr)?.negated_if(negated)))
                .collect();
            conjuncts.push((Claim::Lemma(position), disjuncts?));
        }
        Ok(conjuncts)
    }

    /// A conjunct that can be false, if there is one. Conjunct by conjunct: with hundreds of lemmas that is several times
    /// faster than one query for the disjunction of their negations.
    fn violation(
        &self,
        unrolling: &mut Unrolling<'_, '_>,
        conjuncts: &[Conjunct],
    ) -> Result<Option<Claim>, Rejection> {
        for (claim, disjuncts) in conjuncts {
            let all_false: Vec<Lit> = disjuncts.iter().map(|disjunct| !*disjunct).collect();
            match unrolling.gates.solve(&all_false, self.limits) {
                Outcome::Unsat => {}
                Outcome::Sat => return Ok(Some(*claim)),
                Outcome::Unknown => return Err(Rejection::Undecided),
            }
        }
        Ok(None)
    }

    fn require_different_states(&self, unrolling: &mut Unrolling<'_, '_>) -> Result<(), Rejection> {
        let compared = compared_states(self.system, self.edits, self.property, &self.proof.invariant);
        for later in 1..=self.proof.k {
            for earlier in 0..later {
                let mut differences = Vec::new();
                for &state in &compared {
                    let (a, b) = (unrolling.signal(earlier, state)?, unrolling.signal(later, state)?);
                    differences.push(!unrolling.gates.equal_words(&a, &b)?);
                }
                unrolling.gates.clause(&differences);
            }
        }
        Ok(())
    }

    fn render(&self, unrolling: &Unrolling<'_, '_>, last: u32) -> Counterexample {
        let signals = || self.system.inputs().iter().chain(self.system.states());
        let value = |lit: &Lit| match unrolling.gates.value(*lit) {
            Some(true) => '1',
            Some(false) => '0',
            None => 'x',
        };
        let step = |step: u32| {
            let encoded = signals().filter_map(|signal| {
                let word = unrolling.encoded_signal(step, *signal)?;
                let bits = word.literals().iter().rev().map(value).collect();
                Some((self.system.signal(*signal).name.clone(), bits))
            });
            encoded.collect()
        };
        Counterexample { steps: (0..=last).map(step).collect() }
    }
}

fn require(unrolling: &mut Unrolling<'_, '_>, conjuncts: &[Conjunct]) {
    conjuncts.iter().for_each(|(_, disjuncts)| unrolling.gates.clause(disjuncts));
}

/// A Boolean expression as a disjunction of expressions, each possibly negated. Lemmas are mostly clauses: written as
/// one clause they need no gates.
fn disjuncts(pool: &ExprPool, root: ExprId) -> Result<Vec<(ExprId, bool)>, Rejection> {
    let mut seen = FxHashSet::default();
    let mut open = vec![(root, false)];
    let mut found = Vec::new();
    while let Some((expr, negated)) = open.pop() {
        if expr.0 as usize >= pool.len() {
            return Err(Rejection::no_such_expression(expr));
        }
        if !seen.insert((expr, negated)) {
            continue;
        }
        match (pool.node(expr), negated) {
            (Node::Unary(UnaryOp::Not, a), _) => open.push((*a, !negated)),
            (Node::Binary(BinaryOp::Or, a, b), false) | (Node::Binary(BinaryOp::And, a, b), true) => {
                open.extend([(*b, negated), (*a, negated)]);
            }
            _ => found.push((expr, negated)),
        }
    }
    Ok(found)
}
