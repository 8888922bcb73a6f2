//! Proofs and runs about `AG p`: what they say about runs is not always what CTL says.

use propcov_budget::Budget;
use propcov_certify::{Claim, Family, Rejection, check_consequences, check_proof, check_trace};
use propcov_ir::{
    Bits, ConstraintKind, Ctl, Edits, ElementKind, ExprId, Invariant, Mutant, Mutation, Proof, PropertyId,
    PropertyKind, Quantifier, Site, Sort, Step, System, Trace, Value,
};
use propcov_testkit::{ExplicitCtl, Random, ctl_system};

use crate::systems::{in_own_pool, one_of};

fn always(system: &mut System, expr: ExprId) -> PropertyId {
    let no = system.exprs.bool(false);
    let formula = Ctl::Release(Quantifier::All, Box::new(Ctl::Atom(no)), Box::new(Ctl::Atom(expr)));
    system.add_property("always", PropertyKind::Ctl(formula), None)
}

fn proof(system: &System, k: u32, lemmas: &[ExprId]) -> Proof {
    let (exprs, lemmas) = in_own_pool(system, lemmas);
    let core = system.element_ids().collect();
    Proof { invariant: (Invariant { exprs, lemmas }).into(), k, simple_path: false, core }
}

/// Two bits: `t` is 0 only at first, and `s` is set by the input while `t` is 0. The input is 0 at first.
fn once() -> (System, ExprId) {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let (s, t) = (system.add_state("s", Sort::BOOL), system.add_state("t", Sort::BOOL));
    let (i, set, later) = (system.read(input), system.read(s), system.read(t));
    let (no, yes) = (system.exprs.bool(false), system.exprs.bool(true));
    let now = system.exprs.not(later);
    let next = system.exprs.and(i, now);
    for (state, next) in [(s, next), (t, yes)] {
        system.set_init(state, no);
        system.set_next(state, next);
        let name = system.signal(state).name.clone();
        system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }
    let idle = system.exprs.not(i);
    system.add_constraint("idle", ConstraintKind::Initial, idle);
    let never = system.exprs.not(set);
    (system, never)
}

#[test]
fn an_initial_state_may_be_left_with_other_inputs_than_those_of_a_first_step() {
    let (mut system, never) = once();
    let invariant = system.add_property("never", PropertyKind::Invariant(never), None);
    let always = always(&mut system, never);
    let edits = Edits::none();
    let two_steps = proof(&system, 2, &[]);
    let check = |property| check_proof(&system, &edits, property, &two_steps, &Budget::default());
    assert_eq!(check(invariant), Ok(()), "no run sets s");
    assert!(!ExplicitCtl::new(&system, &edits).expect("small").holds(always), "but a path does");
    assert!(matches!(check(always), Err(Rejection::Unsupported(_))));
    let mutant = Mutant { element: system.element_ids().next().expect("one"), mutation: Mutation::Zero };
    let family = |property| {
        let mut family = Family::new(&system, property, &[mutant]).expect("meaningful");
        family.check(&two_steps, &[mutant], &Budget::default())
    };
    assert_eq!(family(invariant), Ok(()));
    assert!(matches!(family(always), Err(Rejection::Unsupported(_))));
}

#[test]
fn a_run_refutes_always_only_where_every_run_goes_on() {
    let mut system = System::new();
    let state = system.add_state("s", Sort::BOOL);
    let read = system.read(state);
    let (no, yes) = (system.exprs.bool(false), system.exprs.bool(true));
    system.set_init(state, no);
    system.set_next(state, yes);
    let never = system.exprs.not(read);
    let always = always(&mut system, never);
    let step = |value| Step { states: vec![Value::Bits(Bits::bool(value))], ..Step::default() };
    let trace = Trace { steps: vec![step(false), step(true)] };
    let edits = Edits::none();
    assert_eq!(check_trace(&system, &edits, always, &trace), Ok(()));
    // From 1 nothing leads on: no path at all, so that everything holds on all paths.
    system.add_constraint("stop", ConstraintKind::Transition, never);
    assert!(ExplicitCtl::new(&system, &edits).expect("small").holds(always));
    assert!(matches!(check_trace(&system, &edits, always, &trace), Err(Rejection::Unsupported(_))));
}

#[test]
fn what_is_proved_about_always_is_so() {
    let (mut accepted, mut longer) = (0, 0);
    for seed in 330_000..332_000 {
        let mut random = Random::new(seed);
        let mut system = ctl_system(seed);
        let formula = match &system.properties()[0].kind {
            PropertyKind::Ctl(formula) => formula.clone(),
            kind => panic!("{kind:?}"),
        };
        let edits = Edits::none();
        let atom = formula.atoms()[0];
        let reachable: Vec<Step> = {
            let explicit = ExplicitCtl::new(&system, &edits).expect("small");
            let states = explicit.states().iter().zip(explicit.distances());
            let reached = states.filter(|(_, distance)| distance.is_some());
            reached.map(|(states, _)| Step { states: states.clone(), ..Step::default() }).collect()
        };
        let inside = one_of(&mut system, &reachable.iter().collect::<Vec<_>>());
        let claim = if random.percent(50) { system.exprs.or(atom, inside) } else { atom };
        let property = always(&mut system, claim);
        let lemmas = if random.percent(50) { vec![inside] } else { vec![] };
        let mut proof = proof(&system, random.between(1, 3) as u32, &lemmas);
        proof.simple_path = random.percent(30);
        match check_proof(&system, &edits, property, &proof, &Budget::default()) {
            Ok(()) => {
                let explicit = ExplicitCtl::new(&system, &edits).expect("small");
                assert!(explicit.holds(property), "seed {seed}\n{system}");
                accepted += 1;
                longer += usize::from(proof.k > 1);
            }
            Err(Rejection::Malformed(why)) => panic!("seed {seed}: {why}"),
            Err(_) => {}
        }
    }
    assert!(accepted > 300 && longer > 100, "{accepted} {longer}");
}

#[test]
fn what_follows_from_lemmas_is_accepted_and_what_does_not_is_not() {
    // A counter 0, 1, 2, 0, ...
    let mut system = System::new();
    let state = system.add_state("n", Sort::BitVec(2));
    let (n, zero, one, two, three) = (
        system.read(state),
        system.exprs.bits(2, 0),
        system.exprs.bits(2, 1),
        system.exprs.bits(2, 2),
        system.exprs.bits(2, 3),
    );
    let (at_two, plus_one) = (system.exprs.eq(n, two), system.exprs.apply(propcov_ir::BinaryOp::Add, n, one));
    let next = system.exprs.ite(at_two, zero, plus_one);
    system.set_init(state, zero);
    system.set_next(state, next);
    let (at_three, at_one) = (system.exprs.eq(n, three), system.exprs.eq(n, one));
    let (never_three, never_one) = (system.exprs.not(at_three), system.exprs.not(at_one));
    let good = always(&mut system, never_three);
    let also = system.add_property("also", PropertyKind::Invariant(never_three), None);
    let bad = always(&mut system, never_one);
    let check = |lemmas: &[ExprId], k| {
        let proof = proof(&system, k, lemmas);
        check_consequences(&system, &Edits::none(), &[good, also, bad], &proof, &Budget::default())
    };
    let answers = check(&[never_three], 1).expect("inductive");
    assert_eq!(answers[..2], [Ok(()), Ok(())]);
    assert!(matches!(answers[2], Err(Rejection::Consecution { claim: Claim::Property, .. })));
    assert!(matches!(check(&[never_one], 1), Err(Rejection::Consecution { claim: Claim::Lemma(0), .. })));
    assert!(matches!(check(&[at_one], 1), Err(Rejection::Initiation { claim: Claim::Lemma(0), .. })));
    assert!(matches!(check(&[never_three], 2), Err(Rejection::Unsupported(_))));
}
