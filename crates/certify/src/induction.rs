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

use crate::arith::{self, Terms};
use crate::claims::{Claims, Conjunct, render};
use crate::cone::compared_states;
use crate::encode::{Encoding, Gates, Selectors, Start, Steps, Unrolling};
use crate::meaning::Provable;
use crate::{Claim, Rejection, meaning};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edit, Edits, ElementSet, ExprId, Proof, PropertyId, System};
use propcov_sat::{Lit, Outcome};

/// Accepts a proof that the property holds in every run of the system under edits.
///
/// With Q the conjunction of property and lemmas: Q must hold in the first k steps of every run (in the first k + 1 with
/// `simple_path`), and after any k steps in which it held (with `simple_path`: if the k + 1 steps pairwise differ in the
/// states that matter). Constraints hold in all steps. The top of this function's source file says why that is sound.
///
/// The property is an invariant or the CTL formula `AG p`, of which p is proved in every step. Where initial values or constraints read inputs,
/// `AG p` takes an induction of length 1: paths of CTL may leave an initial state with other inputs than those that make it initial.
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
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    check_meaningful(system, edits, property, proof, arith::is_needed_for(system), limits)
}

/// As [`check_proof`], where the system is valid, the edits fit it, and it is known whether there are `numbers` in the system.
pub(crate) fn check_meaningful(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &Proof,
    numbers: bool,
    limits: &Budget,
) -> Result<(), Rejection> {
    let checker = Checker::new(system, edits, property, proof, limits)?;
    if numbers || arith::is_needed_in(&proof.invariant.exprs) {
        checker.induction::<Terms>()
    } else {
        checker.induction::<Gates>()
    }
}

/// Accepts that no run of so many transitions violates the property in the system under edits: *initiation* for that many steps, and no more.
///
/// # Errors
/// As [`check_proof`].
pub fn check_bound(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    depth: u32,
    limits: &Budget,
) -> Result<(), Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    check_steps(system, edits, property, (0, depth), arith::is_needed_for(system), limits)
}

/// Which of several properties no run of so many transitions violates: as [`check_bound`] says of each, but all of them are encoded once.
///
/// # Errors
/// When nothing is meaningful. A property that is not accepted is a [`Rejection`] of its own.
pub fn check_bounds(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    depth: u32,
    limits: &Budget,
) -> Result<Vec<Result<(), Rejection>>, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    let numbers = arith::is_needed_for(system);
    if numbers || properties.len() < 2 {
        let check =
            |property: &PropertyId| check_steps(system, edits, *property, (0, depth), numbers, limits);
        return Ok(properties.iter().map(check).collect());
    }
    let steps = first_steps(depth);
    meaning::check_length(&steps)?;
    let checker = Checker::of_lemmas(system, edits, properties, &steps, limits);
    let mut answers = checker.provable(properties);
    checker.each_initially(&mut answers)?;
    Ok(answers.into_iter().map(|answer| answer.map(|_| ())).collect())
}

/// The first steps of a proof: no lemmas, and as long as the longest run in question.
pub(crate) fn first_steps(depth: u32) -> Proof {
    let k = depth.saturating_add(1);
    Proof { invariant: Default::default(), k, simple_path: false, core: ElementSet::default() }
}

/// Accepts that no run of a valid system, under edits that fit it, violates the property in one of these steps. Whether there are `numbers` in the system is known.
pub(crate) fn check_steps(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    (first, last): (u32, u32),
    numbers: bool,
    limits: &Budget,
) -> Result<(), Rejection> {
    let proof = first_steps(last);
    let checker = Checker::new(system, edits, property, &proof, limits)?;
    if numbers {
        checker.initial_steps::<Terms>(first, last)
    } else {
        checker.initial_steps::<Gates>(first, last)
    }
}

/// Which of several properties follow from lemmas that are inductive by themselves. The lemmas are checked once, by an induction of length 1; then each property is
/// accepted if it holds in every step that satisfies lemmas and constraints.
///
/// # Errors
/// When the lemmas are not accepted. A property that is not is a [`Rejection`] of its own.
pub fn check_consequences(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    proof: &Proof,
    limits: &Budget,
) -> Result<Vec<Result<(), Rejection>>, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    if proof.k != 1 || proof.simple_path {
        return Err(Rejection::Unsupported("consequences of lemmas that take more than one step".to_owned()));
    }
    let checker = Checker::of_lemmas(system, edits, properties, proof, limits);
    if arith::is_needed_for(system) || arith::is_needed_in(&proof.invariant.exprs) {
        checker.consequences::<Terms>(properties)
    } else {
        checker.consequences::<Gates>(properties)
    }
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
    claim: Claims<'a>,
    lemmas_read_all: bool,
    limits: &'a Budget,
}

impl<'a> Checker<'a> {
    fn new(
        system: &'a System,
        edits: &'a Edits,
        property: PropertyId,
        proof: &'a Proof,
        limits: &'a Budget,
    ) -> Result<Checker<'a>, Rejection> {
        let expr = meaning::invariant(system, property)?;
        meaning::check_length(proof)?;
        Provable::of(system, edits, property, expr).check(proof)?;
        let lemmas_read_all = meaning::lemmas_read_all(system, [property]);
        let claim = Claims { system, property: Some(expr), proof };
        Ok(Checker { system, edits, claim, lemmas_read_all, limits })
    }

    /// Of the lemmas, from which properties may follow.
    fn of_lemmas(
        system: &'a System,
        edits: &'a Edits,
        properties: &[PropertyId],
        proof: &'a Proof,
        limits: &'a Budget,
    ) -> Checker<'a> {
        let lemmas_read_all = meaning::lemmas_read_all(system, properties.iter().copied());
        let claim = Claims { system, property: None, proof };
        Checker { system, edits, claim, lemmas_read_all, limits }
    }

    fn steps<E: Encoding>(&self, start: Start) -> Steps<'a, E> {
        Steps::new(self.claim.solver(), self.system, self.edits, Selectors::default(), start)
    }

    fn unrolling<'c, E: Encoding>(&'c self, steps: &'c mut Steps<'a, E>) -> Unrolling<'a, 'c, E> {
        let mut unrolling = Unrolling::new(steps, &self.claim.proof.invariant.exprs, self.limits);
        if self.lemmas_read_all {
            unrolling.let_lemmas_read_all();
        }
        unrolling
    }

    fn induction<E: Encoding>(&self) -> Result<(), Rejection> {
        self.initiation::<E>()?;
        self.consecution::<E>()
    }

    fn consequences<E: Encoding>(
        &self,
        properties: &[PropertyId],
    ) -> Result<Vec<Result<(), Rejection>>, Rejection> {
        self.induction::<E>()?;
        let mut steps = self.steps::<E>(Start::Anywhere);
        let mut unrolling = self.unrolling(&mut steps);
        unrolling.extend(0)?;
        let lemmas = self.claim.conjuncts(&mut unrolling, 0)?;
        require(&mut unrolling, &lemmas);
        Ok(properties.iter().map(|property| self.follows(&mut unrolling, *property)).collect())
    }

    fn initiation<E: Encoding>(&self) -> Result<(), Rejection> {
        let last = if self.claim.proof.simple_path { self.claim.proof.k } else { self.claim.proof.k - 1 };
        self.initial_steps::<E>(0, last)
    }

    /// No run prefix that ends in one of these steps violates Q there.
    fn initial_steps<E: Encoding>(&self, first: u32, last: u32) -> Result<(), Rejection> {
        let mut steps = self.steps::<E>(Start::Initial);
        let mut unrolling = self.unrolling(&mut steps);
        unrolling.assume(0, ConstraintKind::Initial)?;
        for step in 0..=last {
            unrolling.extend(step)?;
            if step < first {
                continue;
            }
            let conjuncts = self.claim.conjuncts(&mut unrolling, step)?;
            if let Some(claim) = self.violation(&mut unrolling, &conjuncts)? {
                let counterexample = render(self.system, unrolling.steps, step);
                return Err(Rejection::Initiation { claim, step, counterexample });
            }
            // Has just been shown to follow.
            require(&mut unrolling, &conjuncts);
        }
        Ok(())
    }

    fn consecution<E: Encoding>(&self) -> Result<(), Rejection> {
        let mut steps = self.steps::<E>(Start::Anywhere);
        let mut unrolling = self.unrolling(&mut steps);
        let last = self.claim.proof.k;
        for step in 0..last {
            unrolling.extend(step)?;
            let conjuncts = self.claim.conjuncts(&mut unrolling, step)?;
            require(&mut unrolling, &conjuncts);
        }
        unrolling.extend(last)?;
        let conjuncts = self.claim.conjuncts(&mut unrolling, last)?;
        if self.claim.proof.simple_path {
            self.require_different_states(&mut unrolling)?;
        }
        match self.violation(&mut unrolling, &conjuncts)? {
            Some(claim) => Err(Rejection::Consecution {
                claim,
                counterexample: render(self.system, unrolling.steps, last),
            }),
            None => Ok(()),
        }
    }

    /// What each property says, if proofs of this kind can be about it.
    fn provable(&self, properties: &[PropertyId]) -> Vec<Result<ExprId, Rejection>> {
        let provable = |property: &PropertyId| {
            let expr = meaning::invariant(self.system, *property)?;
            Provable::of(self.system, self.edits, *property, expr).check(self.claim.proof)?;
            Ok(expr)
        };
        properties.iter().map(provable).collect()
    }

    /// Rejects properties that can fail in the first k steps of a run.
    fn each_initially(&self, answers: &mut [Result<ExprId, Rejection>]) -> Result<(), Rejection> {
        let mut steps = self.steps::<Gates>(Start::Initial);
        let mut unrolling = self.unrolling(&mut steps);
        unrolling.assume(0, ConstraintKind::Initial)?;
        for step in 0..self.claim.proof.k {
            unrolling.extend(step)?;
            let lemmas = self.claim.conjuncts(&mut unrolling, step)?;
            if let Some(claim) = self.violation(&mut unrolling, &lemmas)? {
                let counterexample = render(self.system, unrolling.steps, step);
                return Err(Rejection::Initiation { claim, step, counterexample });
            }
            require(&mut unrolling, &lemmas);
            if self.all_hold(&mut unrolling, step, answers)? {
                continue;
            }
            for answer in answers.iter_mut() {
                let Ok(expr) = *answer else { continue };
                let property = [(Claim::Property, vec![unrolling.condition(step, expr)?])];
                match self.violation(&mut unrolling, &property)? {
                    Some(claim) => {
                        let counterexample = render(self.system, unrolling.steps, step);
                        *answer = Err(Rejection::Initiation { claim, step, counterexample });
                    }
                    // Has just been shown to follow, whatever the other properties.
                    None => require(&mut unrolling, &property),
                }
            }
        }
        Ok(())
    }

    /// Whether no property can fail in a step; then it is required of all. One question, where there would be many.
    fn all_hold(
        &self,
        unrolling: &mut Unrolling<'_, '_>,
        step: u32,
        properties: &[Result<ExprId, Rejection>],
    ) -> Result<bool, Rejection> {
        let mut holding: Vec<Lit> = Vec::with_capacity(properties.len());
        for property in properties.iter().flatten() {
            holding.push(unrolling.condition(step, *property)?);
        }
        let one_fails = unrolling.gates().fresh();
        let mut some: Vec<Lit> = holding.iter().map(|holds| !*holds).collect();
        some.push(!one_fails);
        unrolling.gates().clause(&some);
        let all_hold = unrolling.gates().solve(&[one_fails], self.limits) == Outcome::Unsat;
        unrolling.gates().clause(&[!one_fails]);
        if all_hold {
            holding.iter().for_each(|holds| unrolling.gates().clause(&[*holds]));
        }
        Ok(all_hold)
    }

    /// Whether a property holds in a step of which the lemmas are required.
    fn follows<E: Encoding>(
        &self,
        unrolling: &mut Unrolling<'_, '_, E>,
        property: PropertyId,
    ) -> Result<(), Rejection> {
        let expr = meaning::invariant(self.system, property)?;
        Provable::of(self.system, self.edits, property, expr).check(self.claim.proof)?;
        let holds = unrolling.condition(0, expr)?;
        match self.violation(unrolling, &[(Claim::Property, vec![holds])])? {
            Some(claim) => {
                let counterexample = render(self.system, unrolling.steps, 0);
                Err(Rejection::Consecution { claim, counterexample })
            }
            None => Ok(()),
        }
    }

    /// A conjunct that can be false, if there is one. Conjunct by conjunct: with hundreds of lemmas that is several times
    /// faster than one query for the disjunction of their negations.
    fn violation<E: Encoding>(
        &self,
        unrolling: &mut Unrolling<'_, '_, E>,
        conjuncts: &[Conjunct],
    ) -> Result<Option<Claim>, Rejection> {
        for (claim, disjuncts) in conjuncts {
            let all_false: Vec<Lit> = disjuncts.iter().map(|disjunct| !*disjunct).collect();
            match unrolling.gates().solve(&all_false, self.limits)? {
                Outcome::Unsat => {}
                Outcome::Sat => return Ok(Some(*claim)),
                Outcome::Unknown => return Err(Rejection::Undecided),
            }
        }
        Ok(None)
    }

    fn require_different_states<E: Encoding>(
        &self,
        unrolling: &mut Unrolling<'_, '_, E>,
    ) -> Result<(), Rejection> {
        let proof = self.claim.proof;
        let compared = compared_states(self.system, self.edits, self.claim.property, &proof.invariant);
        for later in 1..=proof.k {
            for earlier in 0..later {
                let mut differences = Vec::new();
                for &state in &compared {
                    let (a, b) = (unrolling.signal(earlier, state)?, unrolling.signal(later, state)?);
                    differences.push(!unrolling.gates().equal_words(&a, &b)?);
                }
                unrolling.gates().clause(&differences);
            }
        }
        Ok(())
    }
}

fn require<E: Encoding>(unrolling: &mut Unrolling<'_, '_, E>, conjuncts: &[Conjunct]) {
    conjuncts.iter().for_each(|(_, disjuncts)| unrolling.gates().clause(disjuncts));
}
