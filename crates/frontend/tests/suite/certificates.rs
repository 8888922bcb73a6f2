//! Witness circuits pass the competition's conditions exactly when the proof that they were made from is accepted.

use crate::certifaiger::failing_conditions;
use propcov_budget::Budget;
use propcov_certify::check_proof;
use propcov_frontend::aiger::{
    And, CertificateError, Latch, Literal, Model, Reset, parse, print_ascii, print_binary, single_property,
    to_system, witness_circuit,
};
use propcov_ir::{Edits, ExprId, ExprPool, Invariant, Proof, PropertyId, SignalId, Sort, SourceFile, System};
use propcov_testkit::Random;
use std::collections::BTreeSet;

/// At most 2 inputs, 4 latches and 12 gates.
fn random_model(random: &mut Random) -> Model {
    let (inputs, latches, ands) =
        (random.below(3) as u32, 1 + random.below(4) as u32, random.below(13) as u32);
    let mut any = |below: u32| Literal(random.below(2 * (below as usize + 1)) as u32);
    let first_gate = 1 + inputs + latches;
    let last = inputs + latches + ands;
    let ands = (first_gate..=last)
        .map(|variable| And {
            output: Literal::positive(variable),
            left: any(variable - 1),
            right: any(variable - 1),
        })
        .collect();
    let latch = |variable: u32, next: Literal, reset: Literal| Latch {
        current: Literal::positive(variable),
        next,
        reset: [Reset::Zero, Reset::Zero, Reset::One, Reset::Open][reset.0 as usize % 4],
    };
    Model {
        max_variable: last,
        inputs: (1..=inputs).map(Literal::positive).collect(),
        latches: (1 + inputs..first_gate).map(|variable| latch(variable, any(last), any(9))).collect(),
        bads: (0..1 + any(1).0 % 2).map(|_| any(last)).collect(),
        constraints: (0..any(1).0 % 2).map(|_| any(last)).collect(),
        ands,
        ..Model::default()
    }
}

/// The states that are reachable, as bits by latch.
fn reachable_states(model: &Model) -> BTreeSet<u32> {
    let (inputs, latches) = (model.inputs.len(), model.latches.len());
    let evaluate = |state: u32, input: u32| {
        let mut values = vec![false; model.max_variable as usize + 1];
        model
            .inputs
            .iter()
            .enumerate()
            .for_each(|(i, l)| values[l.variable() as usize] = input >> i & 1 == 1);
        let currents = model.latches.iter().enumerate();
        currents.for_each(|(i, l)| values[l.current.variable() as usize] = state >> i & 1 == 1);
        let get = |values: &[bool], l: Literal| values[l.variable() as usize] ^ l.is_negated();
        for and in &model.ands {
            values[and.output.variable() as usize] = get(&values, and.left) && get(&values, and.right);
        }
        let allowed = model.constraints.iter().all(|constraint| get(&values, *constraint));
        let next = model.latches.iter().enumerate();
        let next = next.fold(0, |bits, (i, latch)| bits | u32::from(get(&values, latch.next)) << i);
        allowed.then_some(next)
    };
    let starts = (0..1u32 << latches).filter(|state| {
        model.latches.iter().enumerate().all(|(i, latch)| match latch.reset {
            Reset::Zero => state >> i & 1 == 0,
            Reset::One => state >> i & 1 == 1,
            Reset::Open => true,
        })
    });
    let (mut open, mut reached) = (starts.collect::<Vec<_>>(), BTreeSet::new());
    while let Some(state) = open.pop() {
        let successors: Vec<u32> = (0..1 << inputs).filter_map(|input| evaluate(state, input)).collect();
        // A state is in no run if every input violates a constraint.
        if !successors.is_empty() && reached.insert(state) {
            open.extend(successors);
        }
    }
    reached
}

/// Lemmas about the latches: the reachable states, some more states than these, or a random clause.
fn random_lemmas(random: &mut Random, system: &System, reached: &BTreeSet<u32>) -> (ExprPool, Vec<ExprId>) {
    let mut pool = ExprPool::new();
    let latches: Vec<ExprId> = system.states().iter().map(|state| pool.signal(*state, Sort::BOOL)).collect();
    let lemmas = (0..random.below(3))
        .map(|_| {
            if random.below(3) == 0 {
                let chosen: Vec<ExprId> = latches.iter().copied().filter(|_| random.below(2) == 0).collect();
                let literals: Vec<ExprId> =
                    chosen.into_iter().map(|l| if random.below(2) == 0 { pool.not(l) } else { l }).collect();
                return pool.disjunction(literals);
            }
            let mut states = reached.clone();
            if random.below(2) == 0 {
                states.insert(random.below(1 << latches.len()) as u32);
            }
            let cubes: Vec<ExprId> = states
                .iter()
                .map(|state| {
                    let mut cube = Vec::new();
                    for (place, latch) in latches.iter().enumerate() {
                        cube.push(if state >> place & 1 == 1 { *latch } else { pool.not(*latch) });
                    }
                    pool.conjunction(cube)
                })
                .collect();
            pool.disjunction(cubes)
        })
        .collect();
    (pool, lemmas)
}

#[test]
fn a_witness_circuit_is_valid_exactly_when_the_proof_is() {
    let (mut valid, mut invalid, mut longer) = (0, 0, 0);
    for seed in 0..4_000 {
        let random = &mut Random::new(seed);
        let model = random_model(random);
        let parsed = parse("random.aag", &print_ascii(&model)).expect("a printed model parses");
        let (system, _) = to_system(&SourceFile::new("random.aag", []), &parsed);
        let (mut exprs, mut lemmas) = random_lemmas(random, &system, &reachable_states(&model));
        if random.below(3) == 0 {
            // Properties that are proved together are each other's lemmas: they may read inputs and gates.
            let other = PropertyId(random.below(model.bads.len()) as u32);
            let other = system.invariant(other).expect("bad states are invariants");
            lemmas.push(exprs.copy(&system.exprs, other, &mut Default::default()));
        }
        let proof = Proof {
            invariant: (Invariant { exprs, lemmas }).into(),
            k: 1 + random.below(3) as u32,
            simple_path: false,
            core: system.element_ids().collect(),
        };
        let property = PropertyId(random.below(model.bads.len()) as u32);
        let accepted = check_proof(&system, &Edits::none(), property, &proof, &Budget::default()).is_ok();
        let witness =
            witness_circuit(&parsed.model, &system, property, &proof).expect("has a witness circuit");
        let single = single_property(&parsed.model, property).expect("has this property");
        let failing = failing_conditions(&single, &witness);
        assert_eq!(failing.is_empty(), accepted, "seed {seed}: {failing:?} fail");
        assert!(failing.iter().all(|name| ["base", "step"].contains(name)), "seed {seed}: {failing:?} fail");
        *if accepted { &mut valid } else { &mut invalid } += 1;
        longer += usize::from(accepted && proof.k > 1);
    }
    assert!(valid > 500 && invalid > 500 && longer > 200, "{valid}, {invalid}, {longer}: a lopsided test");
}

/// Changes one literal somewhere in a circuit.
fn mutate(witness: &mut Model, random: &mut Random) {
    let places = 4 * witness.ands.len() + 2 * witness.latches.len() + 1;
    let place = random.below(places);
    let flip = |literal: &mut Literal| *literal = !*literal;
    if let Some(and) = witness.ands.get_mut(place / 4) {
        match place % 4 {
            0 => flip(&mut and.left),
            1 => flip(&mut and.right),
            2 => and.left = Literal::TRUE,
            _ => and.right = Literal::TRUE,
        }
        return;
    }
    let place = place - 4 * witness.ands.len();
    match witness.latches.get_mut(place / 2) {
        Some(latch) if place.is_multiple_of(2) => flip(&mut latch.next),
        Some(latch) => {
            latch.reset = match latch.reset {
                Reset::Zero => Reset::One,
                Reset::One | Reset::Open => Reset::Zero,
            };
        }
        None => witness.bads.iter_mut().chain(&mut witness.outputs).for_each(flip),
    }
}

#[test]
fn a_witness_circuit_changed_at_random_never_certifies_a_false_property() {
    let (mut rejected, mut total) = (0, 0);
    for seed in 50_000..53_000 {
        let random = &mut Random::new(seed);
        let model = random_model(random);
        let parsed = parse("random.aag", &print_ascii(&model)).expect("a printed model parses");
        let (system, _) = to_system(&SourceFile::new("random.aag", []), &parsed);
        let (exprs, lemmas) = random_lemmas(random, &system, &reachable_states(&model));
        let invariant = Invariant { exprs, lemmas };
        let proof = Proof { invariant: invariant.into(), k: 1, simple_path: false, core: Default::default() };
        let property = PropertyId(0);
        let mut witness = witness_circuit(&parsed.model, &system, property, &proof).expect("has a witness");
        let single = single_property(&parsed.model, property).expect("has this property");
        let was_valid = failing_conditions(&single, &witness).is_empty();
        mutate(&mut witness, random);
        let is_valid = failing_conditions(&single, &witness).is_empty();
        if is_valid {
            // At most 16 states: what can be violated is violated within 17 steps.
            let bounded = Proof { k: 17, invariant: Default::default(), ..proof };
            let answer = check_proof(&system, &Edits::none(), property, &bounded, &Budget::default());
            let refuted = matches!(answer, Err(propcov_certify::Rejection::Initiation { .. }));
            assert!(!refuted, "seed {seed}: a false property is certified");
        }
        if was_valid {
            total += 1;
            rejected += usize::from(!is_valid);
        }
    }
    // Not all: many a gate is outside the cone of a property that holds anyway.
    assert!(total > 300 && 3 * rejected > total, "{rejected} of {total} broken certificates rejected");
}

/// A toggling latch whose constant negation is claimed.
fn toggle() -> (Model, System) {
    let text = b"aag 1 0 1 0 0 1\n2 3\n2\n";
    let parsed = parse("toggle.aag", text).expect("parses");
    let (system, _) = to_system(&SourceFile::new("toggle.aag", []), &parsed);
    (parsed.model, system)
}

#[test]
fn a_simple_path_proof_and_one_about_another_system_have_no_witness_circuit() {
    let (model, system) = toggle();
    let invariant = Invariant::default();
    let proof = Proof { invariant: invariant.into(), k: 2, simple_path: true, core: Default::default() };
    let circuit = |system: &System, property: u32, proof: &Proof| {
        witness_circuit(&model, system, PropertyId(property), proof).map(|_| ())
    };
    assert_eq!(circuit(&system, 0, &proof), Err(CertificateError::SimplePath));
    let plain = Proof { simple_path: false, ..proof };
    assert_eq!(circuit(&system, 1, &plain), Err(CertificateError::NotABadState(1)));
    assert_eq!(circuit(&system, 0, &Proof { k: 0, ..plain.clone() }), Err(CertificateError::Length(0)));
    assert_eq!(
        circuit(&system, 0, &Proof { k: u32::MAX, ..plain.clone() }),
        Err(CertificateError::Length(u32::MAX))
    );
    let other = CertificateError::NotThisModel { states: 0, latches: 1 };
    assert_eq!(circuit(&System::new(), 0, &plain), Err(other));
    let mut exprs = ExprPool::new();
    let lemma = exprs.signal(SignalId(7), Sort::BOOL);
    let foreign = Proof { invariant: (Invariant { exprs, lemmas: vec![lemma] }).into(), ..plain.clone() };
    assert_eq!(circuit(&system, 0, &foreign), Err(CertificateError::Lemma));
    let invariant = Invariant { exprs: ExprPool::new(), lemmas: vec![ExprId(3)] };
    assert_eq!(
        circuit(&system, 0, &Proof { invariant: invariant.into(), ..plain }),
        Err(CertificateError::Lemma)
    );
}

#[test]
fn a_witness_circuit_survives_printing_in_both_encodings() {
    let (model, system) = toggle();
    let proof = Proof { invariant: Default::default(), k: 3, simple_path: false, core: Default::default() };
    let witness = witness_circuit(&model, &system, PropertyId(0), &proof).expect("has a witness circuit");
    let text = print_ascii(&witness);
    let binary = print_binary(&witness).expect("variables are consecutive");
    for bytes in [text, binary] {
        let again = parse("witness", &bytes).expect("a printed witness parses");
        assert_eq!(again.model, witness);
    }
    assert_eq!(witness.comment.as_deref(), Some(b"WITNESS b0 toggle.aag\n".as_slice()));
}
