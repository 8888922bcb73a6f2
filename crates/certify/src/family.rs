//! Survival proofs of many mutants, checked at once.
//!
//! **Soundness.** The rule for one mutant is [`check_proof`]'s. Here the system is encoded once, with a selector for each mutant (see
//! `encode::selectors`). Fix the selectors so that exactly the one of mutant m is true: what remains of the multiplexers says
//! that each definition is what the system says, but the one of m's element, which is open or stuck. That is the encoding
//! of the system under m's edit. Selectors are the same literals in all steps, so a model of a query is one mutant and a
//! refutation for it of the condition asked about. A query assumes that exactly one of the members is selected: of the
//! whole family at most one is, and of the members at least one. So if there is no model then there is none for any
//! of the members, and the condition, initiation or consecution of a conjunct, holds for each of them by itself.
//!
//! A mutant that is stuck at a constant, or mutated in any other way, has only runs and paths that the freed one has too. So it is not asked about when the
//! freed one is. (Simple paths are another matter: a freed state is not compared, so there are fewer of them.)
//!
//! Where there are numbers, members are checked one by one.
//!
//! **What remains from call to call** is what is true whatever is claimed: definitions, multiplexers, and that selectors exclude each
//! other. Everything else is a clause under an assumption. Constraints are assumed step by step, for a call with
//! a longer induction must not exclude, in the steps of a shorter one, those that have no successor. Lemmas and members have
//! an assumption for each call.

use crate::claims::{Claims, Conjunct, render};
use crate::cone::constraints;
use crate::encode::{Gates, Mutations, Selection, Selectors, Start, Steps, Unrolling};
use crate::induction::{check_bound, check_proof, first_steps};
use crate::meaning::Provable;
use crate::{Claim, Rejection, meaning};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edit, Edits, ExprId, Mutant, Mutation, Proof, PropertyId, System};
use propcov_sat::{CadicalConfig, Lit, Outcome};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::LazyLock;

/// The system as written: mutants are a matter of selectors here.
static NO_EDITS: LazyLock<Edits> = LazyLock::new(Edits::none);

/// Checks proofs that a property survives mutations, for many mutants at once.
///
/// The system is encoded once, as far as proofs ask for it, and solvers are kept from call to call. A checker is bound to
/// the thread that made it.
pub struct Family<'a> {
    system: &'a System,
    id: PropertyId,
    property: ExprId,
    provable: Provable,
    mutations: Rc<Mutations>,
    /// For proofs with lemmas, and for those without: their queries are of another kind.
    solvers: [Option<Conditions<'a>>; 2],
}

/// What became of a claim about several members, each list in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// The proof is accepted on these.
    pub accepted: Vec<Mutant>,
    /// The limits did not allow to say.
    pub undecided: Vec<Mutant>,
}

/// The two conditions of the rule, each with a solver of its own.
struct Conditions<'a> {
    initiation: Phase<'a>,
    consecution: Phase<'a>,
}

/// Steps of the family, and the constraints on them.
struct Phase<'a> {
    steps: Steps<'a>,
    start: Start,
    /// For each step, a literal that implies all constraints up to it.
    constrained: Vec<Lit>,
}

impl<'a> Family<'a> {
    /// A checker for claims about these mutants and this property, an invariant.
    ///
    /// # Errors
    /// When the system, the property or a mutation has no meaning.
    pub fn new(
        system: &'a System,
        property: PropertyId,
        mutants: &[Mutant],
    ) -> Result<Family<'a>, Rejection> {
        meaning::check_system(system)?;
        let expr = meaning::invariant(system, property)?;
        let mutations = mutations_of(system, mutants)?;
        // As if all of them were free at once: nothing else makes a difference here.
        let mut free = Edits::none();
        mutations.keys().for_each(|element| free.insert(*element, Edit::Free));
        let provable = Provable::of(system, &free, property, expr);
        let mutations = Rc::new(mutations);
        Ok(Family { system, id: property, property: expr, provable, mutations, solvers: [None, None] })
    }

    /// Accepts that the proof proves the property on each of the members, one by one mutated: when
    /// [`check_proof`] accepts it under the edits of each.
    ///
    /// # Errors
    /// Whatever is not established beyond doubt is a [`Rejection`]. Members are among the mutants that this checker was made
    /// for.
    pub fn check(&mut self, proof: &Proof, members: &[Mutant], limits: &Budget) -> Result<(), Rejection> {
        self.check_rule(&Rule::Induction(proof), members, limits)
    }

    /// Accepts that no run of so many transitions violates the property on any of the members, one by one mutated: when
    /// [`check_bound`](crate::check_bound) accepts it under the edits of each.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_bound(&mut self, depth: u32, members: &[Mutant], limits: &Budget) -> Result<(), Rejection> {
        self.check_rule(&Rule::FirstSteps(first_steps(depth)), members, limits)
    }

    fn check_rule(&mut self, rule: &Rule<'_>, members: &[Mutant], limits: &Budget) -> Result<(), Rejection> {
        if let Some(stranger) = members.iter().find(|member| !self.contains(**member)) {
            let message = format!("element {} mutated to {}", stranger.element.0, stranger.mutation.name());
            return Err(Rejection::Malformed(format!("{message} is not in the family")));
        }
        if members.is_empty() {
            return Ok(());
        }
        let asked = Asked::of(members).first;
        match self.survivors(rule, asked.clone(), limits, Mode::All) {
            Err(Rejection::Malformed(_) | Rejection::Unsupported(_)) => {
                let alone = if rule.proof().simple_path { members } else { &asked[..] };
                alone.iter().try_for_each(|member| self.check_alone(rule, *member, limits))
            }
            answer => answer.map(|_| ()),
        }
    }

    /// Those of the members on which the proof is accepted, in the order given. What cannot be decided is not accepted.
    pub fn accepted(&mut self, proof: &Proof, members: &[Mutant], limits: &Budget) -> Vec<Mutant> {
        self.examine(proof, members, limits).accepted
    }

    /// Those of the members on which the proof is accepted, and those about which nothing can be said within the limits. On the others it is refused.
    pub fn examine(&mut self, proof: &Proof, members: &[Mutant], limits: &Budget) -> Examined {
        self.examine_rule(&Rule::Induction(proof), members, limits)
    }

    /// The same of runs of so many transitions.
    pub fn examine_bound(&mut self, depth: u32, members: &[Mutant], limits: &Budget) -> Examined {
        self.examine_rule(&Rule::FirstSteps(first_steps(depth)), members, limits)
    }

    fn examine_rule(&mut self, rule: &Rule<'_>, members: &[Mutant], limits: &Budget) -> Examined {
        let known: Vec<Mutant> = members.iter().copied().filter(|member| self.contains(*member)).collect();
        if rule.proof().simple_path {
            return self.examine_alone(rule, known, limits);
        }
        let asked = Asked::of(&known);
        let (mut accepted, mut undecided) = (FxHashSet::default(), FxHashSet::default());
        for members in [asked.first, asked.then] {
            // What was asked first may have answered what was to be asked then.
            let open = |member: &Mutant| !accepted.contains(&freed(*member));
            let members: Vec<Mutant> = members.into_iter().filter(open).collect();
            match self.survivors(rule, members.clone(), limits, Mode::Each) {
                Ok(survivors) => accepted.extend(survivors),
                Err(Rejection::Malformed(_) | Rejection::Unsupported(_)) => {
                    let alone = self.examine_alone(rule, members, limits);
                    accepted.extend(alone.accepted);
                    undecided.extend(alone.undecided);
                }
                Err(Rejection::Undecided) => undecided.extend(members),
                Err(_) => {}
            }
        }
        let is_accepted = |member: &Mutant| accepted.contains(member) || accepted.contains(&freed(*member));
        let (accepted, others): (Vec<Mutant>, Vec<Mutant>) = known.into_iter().partition(is_accepted);
        Examined {
            accepted,
            undecided: others.into_iter().filter(|member| undecided.contains(member)).collect(),
        }
    }

    fn contains(&self, mutant: Mutant) -> bool {
        self.mutations.get(&mutant.element).is_some_and(|mutations| mutations.contains(&mutant.mutation))
    }

    /// Where members cannot be checked at once. Which states a simple path compares depends on the edit; and what the checker
    /// cannot represent may be what a mutant is cut off from.
    fn check_alone(&self, rule: &Rule<'_>, member: Mutant, limits: &Budget) -> Result<(), Rejection> {
        let edits = member.edits(self.system);
        match rule {
            Rule::Induction(proof) => check_proof(self.system, &edits, self.id, proof, limits),
            Rule::FirstSteps(steps) => check_bound(self.system, &edits, self.id, steps.k - 1, limits),
        }
    }

    fn examine_alone(&self, rule: &Rule<'_>, members: Vec<Mutant>, limits: &Budget) -> Examined {
        let mut examined = Examined::default();
        for member in members {
            match self.check_alone(rule, member, limits) {
                Ok(()) => examined.accepted.push(member),
                Err(Rejection::Undecided) => examined.undecided.push(member),
                Err(_) => {}
            }
        }
        examined
    }

    fn survivors(
        &mut self,
        rule: &Rule<'_>,
        members: Vec<Mutant>,
        limits: &Budget,
        mode: Mode,
    ) -> Result<Vec<Mutant>, Rejection> {
        if members.is_empty() {
            return Ok(members);
        }
        let proof = rule.proof();
        meaning::check_length(proof)?;
        self.provable.check(proof)?;
        if proof.simple_path {
            return Err(Rejection::Unsupported("simple paths of a family".to_owned()));
        }
        let claims = Claims { system: self.system, property: Some(self.property), proof };
        let conditions = self.solvers[usize::from(claims.solver().inprocessing)].get_or_insert_with(|| {
            let phase = |start| Phase::new(claims.solver(), self.system, &self.mutations, start);
            Conditions { initiation: phase(Start::Initial), consecution: phase(Start::Anywhere) }
        });
        let lemmas_read_all = meaning::lemmas_read_all(self.system, [self.id]);
        let mut call = Call { claims, lemmas_read_all, limits, mode, members };
        call.initiation(&mut conditions.initiation)?;
        if matches!(rule, Rule::Induction(_)) {
            call.consecution(&mut conditions.consecution)?;
        }
        Ok(call.members)
    }
}

/// Mutants by element, each once.
pub(crate) fn mutations_of(system: &System, mutants: &[Mutant]) -> Result<Mutations, Rejection> {
    let mut mutations = Mutations::default();
    for mutant in mutants {
        meaning::check_mutant(system, *mutant)?;
        let of_element = mutations.entry(mutant.element).or_default();
        if !of_element.contains(&mutant.mutation) {
            of_element.push(mutant.mutation);
        }
    }
    Ok(mutations)
}

/// What is claimed of each member.
enum Rule<'p> {
    /// The proof proves the property.
    Induction(&'p Proof),
    /// The property holds in as many steps as this says, which is no proof: of its two conditions only initiation is asked for.
    FirstSteps(Proof),
}

impl Rule<'_> {
    fn proof(&self) -> &Proof {
        match self {
            Rule::Induction(proof) => proof,
            Rule::FirstSteps(steps) => steps,
        }
    }
}

/// The same element, cut and left open.
fn freed(mutant: Mutant) -> Mutant {
    Mutant { mutation: Mutation::Free, ..mutant }
}

/// Members in the order in which they are asked about, each once.
struct Asked {
    /// Those whose survival does not follow from that of another one.
    first: Vec<Mutant>,
    /// The others.
    then: Vec<Mutant>,
}

impl Asked {
    fn of(members: &[Mutant]) -> Asked {
        let all: FxHashSet<Mutant> = members.iter().copied().collect();
        let mut seen = FxHashSet::default();
        let each_once = members.iter().copied().filter(|member| seen.insert(*member));
        let follows = |member: &Mutant| member.mutation != Mutation::Free && all.contains(&freed(*member));
        let (then, first) = each_once.partition(follows);
        Asked { first, then }
    }
}

/// What a call is to find out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Whether all members survive.
    All,
    /// Which ones do.
    Each,
}

impl<'a> Phase<'a> {
    fn new(config: CadicalConfig, system: &'a System, mutations: &Rc<Mutations>, start: Start) -> Phase<'a> {
        let selectors = Selectors::new(Rc::clone(mutations));
        let steps = Steps::new(config, system, &NO_EDITS, selectors, start);
        Phase { steps, start, constrained: Vec::new() }
    }
}

/// One claim about some members.
struct Call<'c> {
    claims: Claims<'c>,
    lemmas_read_all: bool,
    limits: &'c Budget,
    mode: Mode,
    /// Those for which the claim has not been refuted.
    members: Vec<Mutant>,
}

/// What queries of a call assume.
struct Assumed {
    /// Implies the conjuncts in earlier steps.
    claimed: Lit,
    selection: Option<Selection>,
}

impl Call<'_> {
    fn initiation(&mut self, phase: &mut Phase<'_>) -> Result<(), Rejection> {
        let mut assumed = Assumed::new(phase);
        let outcome = (0..self.claims.proof.k).try_for_each(|step| {
            let conjuncts = self.extend(phase, step)?;
            if let Some(claim) = self.violation(phase, step, &mut assumed, &conjuncts)? {
                let counterexample = render(self.claims.system, &phase.steps, step);
                return Err(Rejection::Initiation { claim, step, counterexample });
            }
            // Has just been shown to follow, which helps later steps.
            if step + 1 < self.claims.proof.k {
                assumed.require(phase, &conjuncts);
            }
            Ok(())
        });
        assumed.forget(phase);
        outcome
    }

    fn consecution(&mut self, phase: &mut Phase<'_>) -> Result<(), Rejection> {
        let mut assumed = Assumed::new(phase);
        let outcome = (0..=self.claims.proof.k).try_for_each(|step| {
            let conjuncts = self.extend(phase, step)?;
            if step < self.claims.proof.k {
                assumed.require(phase, &conjuncts);
                return Ok(());
            }
            match self.violation(phase, step, &mut assumed, &conjuncts)? {
                Some(claim) => {
                    let counterexample = render(self.claims.system, &phase.steps, step);
                    Err(Rejection::Consecution { claim, counterexample })
                }
                None => Ok(()),
            }
        });
        assumed.forget(phase);
        outcome
    }

    /// Encodes a step, unless that was done before, and Q in it.
    fn extend(&self, phase: &mut Phase<'_>, step: u32) -> Result<Vec<Conjunct>, Rejection> {
        if self.limits.is_exhausted() {
            return Err(Rejection::Undecided);
        }
        let mut unrolling = Unrolling::new(&mut phase.steps, &self.claims.proof.invariant.exprs, self.limits);
        if self.lemmas_read_all {
            unrolling.let_lemmas_read_all();
        }
        if phase.constrained.len() == step as usize {
            let constrained = unrolling.gates().fresh();
            if let Some(before) = phase.constrained.last() {
                unrolling.gates().clause(&[!constrained, *before]);
            }
            let mut assume = |at: u32, kind: ConstraintKind| {
                constraints(self.claims.system, kind).try_for_each(|id| {
                    if let Some(literal) = unrolling.constraint(at, id)? {
                        unrolling.gates().clause(&[!constrained, literal]);
                    }
                    Ok(())
                })
            };
            match step.checked_sub(1) {
                Some(before) => assume(before, ConstraintKind::Transition)?,
                None if phase.start == Start::Initial => assume(step, ConstraintKind::Initial)?,
                None => {}
            }
            assume(step, ConstraintKind::Always)?;
            phase.constrained.push(constrained);
        }
        self.claims.conjuncts(&mut unrolling, step)
    }

    /// A conjunct that can be false for a member, if there is one, and if members are not to be told apart. Otherwise members for
    /// which a conjunct can be false are removed.
    fn violation(
        &mut self,
        phase: &mut Phase<'_>,
        step: u32,
        assumed: &mut Assumed,
        conjuncts: &[Conjunct],
    ) -> Result<Option<Claim>, Rejection> {
        let Phase { steps: Steps { gates, selectors, .. }, constrained, .. } = phase;
        if selectors.exclude_each_other(gates) {
            assumed.forget_selection(gates);
        }
        for (claim, disjuncts) in conjuncts {
            while !self.members.is_empty() {
                let selection =
                    assumed.selection.get_or_insert_with(|| selectors.select(gates, &self.members));
                let mut assumptions = vec![constrained[step as usize], assumed.claimed];
                assumptions.extend(selection.assumption);
                assumptions.extend(disjuncts.iter().map(|disjunct| !*disjunct));
                match gates.solve(&assumptions, self.limits) {
                    Outcome::Unsat => break,
                    Outcome::Unknown => return Err(Rejection::Undecided),
                    Outcome::Sat if self.mode == Mode::All => return Ok(Some(*claim)),
                    Outcome::Sat => self.remove_refuted(selectors, gates, assumed)?,
                }
            }
        }
        Ok(None)
    }

    /// Removes the members of which the last query has a model.
    fn remove_refuted(
        &mut self,
        selectors: &Selectors,
        gates: &mut Gates,
        assumed: &mut Assumed,
    ) -> Result<(), Rejection> {
        let before = self.members.len();
        match selectors.selected(gates) {
            Some(refuted) => {
                self.members.retain(|member| *member != refuted);
                let selector = selectors.selector(refuted);
                if let (Some(selection), Some(selector)) = (&assumed.selection, selector) {
                    selection.leave_out(gates, selector);
                }
            }
            None => {
                self.members.retain(|member| selectors.selector(*member).is_some());
                assumed.forget_selection(gates);
            }
        }
        // Cannot be, for a model selects one of the members; but were it so, there would be no end.
        if self.members.len() < before { Ok(()) } else { Err(Rejection::Undecided) }
    }
}

impl Assumed {
    fn new(phase: &mut Phase<'_>) -> Assumed {
        Assumed { claimed: phase.steps.gates.fresh(), selection: None }
    }

    fn require(&self, phase: &mut Phase<'_>, conjuncts: &[Conjunct]) {
        for (_, disjuncts) in conjuncts {
            let mut clause = vec![!self.claimed];
            clause.extend(disjuncts);
            phase.steps.gates.clause(&clause);
        }
    }

    fn forget_selection(&mut self, gates: &mut Gates) {
        if let Some(selection) = self.selection.take() {
            selection.forget(gates);
        }
    }

    fn forget(mut self, phase: &mut Phase<'_>) {
        self.forget_selection(&mut phase.steps.gates);
        phase.steps.gates.clause(&[!self.claimed]);
    }
}
