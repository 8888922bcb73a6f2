//! The checker accepts a claim exactly when it holds by enumeration, on thousands of random claims.

use crate::enumeration::{Explicit, compared_states};
use crate::systems::{
    add_invariant, in_own_pool, one_in, one_of, random_edits, random_expr, random_system, values,
};
use propcov_budget::Budget;
use propcov_certify::{Rejection, check_core, check_proof, check_trace};
use propcov_ir::{
    Edit, Edits, ElementId, ExprId, Invariant, Proof, PropertyId, Sort, Step, System, Trace, Value,
};
use propcov_testkit::Random;
use std::ops::Range;

/// How systems are made.
pub(crate) type Make = fn(&mut Random) -> System;

/// A random claim, the steps of its system, and which of them runs reach.
struct Subject {
    system: System,
    edits: Edits,
    property: PropertyId,
    conditions: Vec<ExprId>,
    explicit: Explicit,
    proof: Proof,
}

/// Lemmas that are likely to be inductive, or nearly so.
pub(crate) fn random_lemma(
    system: &mut System,
    random: &mut Random,
    graph: &Explicit,
    reachable: &[bool],
) -> ExprId {
    let mut steps: Vec<&Step> =
        (0..graph.steps.len()).filter(|step| reachable[*step]).map(|step| &graph.steps[step]).collect();
    match random.below(4) {
        0 => one_of(system, &steps),
        1 => {
            for _ in 0..1 + random.below(3) {
                steps.push(random.pick(&graph.steps));
            }
            one_of(system, &steps)
        }
        2 => {
            let excluded = [random.pick(&graph.steps)];
            let cube = one_of(system, &excluded);
            system.exprs.not(cube)
        }
        _ => random_expr(system, random, &Sort::BOOL, 2, false),
    }
}

fn random_subject(random: &mut Random, make: Make) -> Option<Subject> {
    let mut system = make(random);
    let edits = random_edits(&mut system, random);
    let graph = Explicit::new(&system, &edits, &[], 128).filter(|graph| !graph.steps.is_empty())?;
    let reachable = graph.reachable();
    let mut property = random_expr(&mut system, random, &Sort::BOOL, 3, false);
    if one_in(random, 2) {
        let reached: Vec<_> =
            (0..graph.steps.len()).filter(|s| reachable[*s]).map(|s| &graph.steps[s]).collect();
        let inside = one_of(&mut system, &reached);
        property = if one_in(random, 2) { inside } else { system.exprs.or(property, inside) };
    }
    let mut lemmas = Vec::new();
    for _ in 0..random.below(4) {
        lemmas.push(random_lemma(&mut system, random, &graph, &reachable));
    }
    let (exprs, own) = in_own_pool(&system, &lemmas);
    let proof = Proof {
        invariant: (Invariant { exprs, lemmas: own }).into(),
        k: 1 + random.below(3) as u32,
        simple_path: one_in(random, 2),
        core: system.element_ids().collect(),
    };
    let conditions: Vec<ExprId> = std::iter::once(property).chain(lemmas).collect();
    let property = add_invariant(&mut system, property);
    let explicit = Explicit::new(&system, &edits, &conditions, 128)?;
    Some(Subject { system, edits, property, conditions, explicit, proof })
}

impl Subject {
    /// What the rule asks for, by enumeration.
    fn holds(&self) -> bool {
        let (k, explicit) = (self.proof.k, &self.explicit);
        if self.proof.simple_path {
            let compared = compared_states(&self.system, &self.edits, &self.conditions);
            explicit.initiation(k + 1) && explicit.consecution(k, Some(&compared))
        } else {
            explicit.initiation(k) && explicit.consecution(k, None)
        }
    }

    /// The same subject after something about it was changed; `None` if it has become too large to enumerate.
    fn with(mut self, edits: Edits, conditions: Vec<ExprId>) -> Option<Subject> {
        let (exprs, lemmas) = in_own_pool(&self.system, &conditions[1..]);
        self.proof.invariant = Invariant { exprs, lemmas }.into();
        self.property = add_invariant(&mut self.system, conditions[0]);
        self.explicit = Explicit::new(&self.system, &edits, &conditions, 512)?;
        (self.edits, self.conditions) = (edits, conditions);
        Some(self)
    }

    /// Breaks the claim, or does not.
    fn mutated(mut self, random: &mut Random) -> Option<Subject> {
        let (mut conditions, mut edits) = (self.conditions.clone(), self.edits.clone());
        match random.below(6) {
            0 if conditions.len() > 1 => {
                conditions.remove(1 + random.below(conditions.len() - 1));
            }
            1 if conditions.len() > 1 => {
                let at = 1 + random.below(conditions.len() - 1);
                conditions[at] = self.system.exprs.not(conditions[at]);
            }
            2 => self.proof.k = 1 + random.below(3) as u32,
            3 => self.proof.simple_path = !self.proof.simple_path,
            4 => conditions[0] = random_expr(&mut self.system, random, &Sort::BOOL, 2, false),
            _ => {
                let elements: Vec<ElementId> = self.system.element_ids().collect();
                if !elements.is_empty() {
                    edits.insert(*random.pick(&elements), Edit::Free);
                }
            }
        }
        self.with(edits, conditions)
    }

    fn check(&self) -> Result<(), Rejection> {
        check_proof(&self.system, &self.edits, self.property, &self.proof, &Budget::default())
    }
}

/// Checks that claims are accepted exactly when they hold by enumeration. How many are, how many are not, and how many hold for simple paths only.
pub(crate) fn compare_with_enumeration(make: Make, seeds: Range<u64>) -> [usize; 3] {
    let (mut accepted, mut rejected, mut simple_only) = (0, 0, 0);
    for seed in seeds {
        let Some(mut subject) = random_subject(&mut Random::new(seed), make) else { continue };
        let expected = subject.holds();
        match subject.check() {
            Ok(()) => {
                assert!(expected, "seed {seed}: accepted, but does not hold");
                let reachable = subject.explicit.reachable();
                let violated = |step: usize| subject.explicit.conditions[step].contains(&false);
                let sound = (0..reachable.len()).all(|step| !reachable[step] || !violated(step));
                assert!(sound, "seed {seed}: the rule itself is unsound");
                accepted += 1;
                if subject.proof.simple_path {
                    subject.proof.simple_path = false;
                    simple_only += usize::from(!subject.holds());
                }
            }
            Err(Rejection::Initiation { .. } | Rejection::Consecution { .. }) => {
                assert!(!expected, "seed {seed}: rejected, but holds: {:?}", subject.check());
                rejected += 1;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    [accepted, rejected, simple_only]
}

#[test]
fn a_claim_is_accepted_exactly_when_it_holds_by_enumeration() {
    let [accepted, rejected, simple_only] = compare_with_enumeration(random_system, 0..3_000);
    assert!(accepted > 800 && rejected > 800, "{accepted} accepted, {rejected} rejected: a lopsided test");
    assert!(simple_only > 10, "only {simple_only} claims needed simple paths");
}

/// Checks that a proof that was changed is rejected exactly when it no longer holds. How many still do, and how many do not.
pub(crate) fn compare_mutated(make: Make, seeds: Range<u64>) -> [usize; 2] {
    let (mut still, mut broken) = (0, 0);
    for seed in seeds {
        let random = &mut Random::new(seed);
        let Some(subject) = random_subject(random, make).filter(Subject::holds) else { continue };
        let Some(mutant) = subject.mutated(random) else { continue };
        let expected = mutant.holds();
        assert_eq!(mutant.check().is_ok(), expected, "seed {seed}: {:?}", mutant.check());
        *if expected { &mut still } else { &mut broken } += 1;
    }
    [still, broken]
}

#[test]
fn a_mutated_proof_is_rejected_exactly_when_it_no_longer_holds() {
    let [still, broken] = compare_mutated(random_system, 100_000..102_500);
    assert!(still > 150 && broken > 150, "{still} mutants still hold, {broken} do not: a lopsided test");
}

/// Checks that a core is accepted exactly when the claim holds of the slice. How many are, and how many are not.
pub(crate) fn compare_cores(make: Make, seeds: Range<u64>) -> [usize; 2] {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in seeds {
        let random = &mut Random::new(seed);
        let Some(mut subject) = random_subject(random, make).filter(Subject::holds) else { continue };
        subject.proof.core = subject.system.element_ids().filter(|_| !one_in(random, 3)).collect();
        let answer =
            check_core(&subject.system, &subject.edits, subject.property, &subject.proof, &Budget::default());
        let mut edits = Edits::keep_only(&subject.system, &subject.proof.core);
        for (element, edit) in
            subject.edits.iter().filter(|(element, _)| subject.proof.core.contains(*element))
        {
            edits.insert(element, edit.clone());
        }
        let conditions = subject.conditions.clone();
        let Some(slice) = subject.with(edits, conditions) else { continue };
        let expected = slice.holds();
        assert_eq!(answer.is_ok(), expected, "seed {seed}: {answer:?}");
        *if expected { &mut accepted } else { &mut rejected } += 1;
    }
    [accepted, rejected]
}

#[test]
fn a_core_is_accepted_exactly_when_the_claim_holds_of_the_slice() {
    let [accepted, rejected] = compare_cores(random_system, 200_000..202_500);
    assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected: a lopsided test");
}

/// A run to a step that violates the first condition.
fn violating_run(explicit: &Explicit, random: &mut Random) -> Option<Vec<usize>> {
    let starts: Vec<usize> = (0..explicit.steps.len()).filter(|step| explicit.initial[*step]).collect();
    let mut run = vec![*random.pick(&starts)];
    for _ in 0..12 {
        let last = run[run.len() - 1];
        if !explicit.conditions[last][0] {
            return Some(run);
        }
        let successors = &explicit.successors[last];
        if successors.is_empty() {
            return None;
        }
        run.push(*random.pick(successors));
    }
    None
}

/// Whether the steps are a run to a violation, by enumeration.
fn is_violating_run(explicit: &Explicit, trace: &Trace) -> bool {
    let positions: Option<Vec<usize>> =
        trace.steps.iter().map(|step| explicit.steps.iter().position(|known| known == step)).collect();
    positions.is_some_and(|run| {
        run.first().is_some_and(|first| explicit.initial[*first])
            && run.windows(2).all(|pair| explicit.successors[pair[0]].contains(&pair[1]))
            && run.last().is_some_and(|last| !explicit.conditions[*last][0])
    })
}

/// Changes one value, or drops, doubles or swaps steps.
fn mutate_trace(trace: &mut Trace, random: &mut Random) {
    let at = random.below(trace.steps.len());
    let other = |value: &Value, random: &mut Random| random.pick(&values(&value.sort())).clone();
    match random.below(6) {
        0 => _ = trace.steps.remove(at),
        1 => trace.steps.insert(at, trace.steps[at].clone()),
        2 => {
            let with = random.below(trace.steps.len());
            trace.steps.swap(at, with);
        }
        _ => {
            let Step { inputs, states, free } = &mut trace.steps[at];
            let values: Vec<&mut Value> = inputs.iter_mut().chain(states).chain(free.values_mut()).collect();
            let chosen = random.below(values.len());
            if let Some(value) = values.into_iter().nth(chosen) {
                *value = other(value, random);
            }
        }
    }
}

/// Checks that a trace is accepted exactly when it is a run to a violation. How many changed ones still are, and how many are not.
pub(crate) fn compare_traces(make: Make, seeds: Range<u64>) -> [usize; 2] {
    let (mut still, mut broken) = (0, 0);
    for seed in seeds {
        let random = &mut Random::new(seed);
        let Some(subject) = random_subject(random, make) else { continue };
        if !subject.explicit.initial.contains(&true) {
            continue;
        }
        let Some(run) = violating_run(&subject.explicit, random) else { continue };
        let steps = run.iter().map(|step| subject.explicit.steps[*step].clone()).collect();
        let mut trace = Trace { steps };
        let check = |trace: &Trace| check_trace(&subject.system, &subject.edits, subject.property, trace);
        assert_eq!(check(&trace), Ok(()), "seed {seed}: a run to a violation is rejected");
        mutate_trace(&mut trace, random);
        let expected = is_violating_run(&subject.explicit, &trace);
        assert_eq!(check(&trace).is_ok(), expected, "seed {seed}: {:?}", check(&trace));
        *if expected { &mut still } else { &mut broken } += 1;
    }
    [still, broken]
}

#[test]
fn a_trace_is_accepted_exactly_when_it_is_a_run_to_a_violation() {
    let [still, broken] = compare_traces(random_system, 300_000..303_000);
    assert!(still > 100 && broken > 100, "{still} mutants are runs, {broken} are not: a lopsided test");
}

#[test]
fn a_trace_of_another_system_is_accepted_only_if_it_is_a_run_there_too() {
    let (mut also, mut only) = (0, 0);
    for seed in 400_000..402_500 {
        let random = &mut Random::new(seed);
        let Some(mut subject) = random_subject(random, random_system) else { continue };
        if !subject.explicit.initial.contains(&true) {
            continue;
        }
        let Some(run) = violating_run(&subject.explicit, random) else { continue };
        let trace = Trace { steps: run.iter().map(|step| subject.explicit.steps[*step].clone()).collect() };
        let edits = random_edits(&mut subject.system, random);
        let conditions = subject.conditions.clone();
        let Some(other) = subject.with(edits, conditions) else { continue };
        let expected = is_violating_run(&other.explicit, &trace);
        let answer = check_trace(&other.system, &other.edits, other.property, &trace);
        assert_eq!(answer.is_ok(), expected, "seed {seed}: {answer:?}");
        *if expected { &mut also } else { &mut only } += 1;
    }
    assert!(also > 50 && only > 50, "{also} and {only}: a lopsided test");
}
