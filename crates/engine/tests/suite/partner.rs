//! What engines for ints are told and what they hand on: lemmas of a partner, advice, and cores of proofs of several steps.

use propcov_budget::Budget;
use propcov_certify::{check_core, check_proof};
use propcov_engine::infinite::{self, Partner, Problem};
use propcov_engine::{Limits, Silent, Stats, reduce_core};
use propcov_ir::{
    BinaryOp, Edits, ElementKind, ElementSet, Invariant, Proof, PropertyId, PropertyKind, Site, Sort, System,
    Value, Verdict,
};

/// x and y count from 0, and x is never 5 where y is 0. The lemma x = y is part of the result.
fn counters() -> (System, PropertyId, Invariant) {
    let mut system = System::new();
    let [zero, one, five] = [0, 1, 5].map(|value: i32| system.exprs.constant(Value::Int(value.into())));
    let [x, y] = ["x", "y"].map(|name| {
        let state = system.add_state(name, Sort::Int);
        let read = system.read(state);
        let more = system.exprs.apply(BinaryOp::Add, read, one);
        system.set_init(state, zero);
        system.set_next(state, more);
        read
    });
    let (is_five, is_zero) = (system.exprs.eq(x, five), system.exprs.eq(y, zero));
    let both = system.exprs.and(is_five, is_zero);
    let claim = system.exprs.not(both);
    let property = system.add_property("p", PropertyKind::Invariant(claim), None);
    let same = system.exprs.eq(x, y);
    let lemma = Problem::new(&system, &Edits::none(), &[property]).export([same]);
    (system, property, lemma)
}

/// Tells a lemma once.
struct Told(Option<Invariant>);

impl Partner for Told {
    fn news(&mut self, _: u64) -> Vec<Invariant> {
        self.0.take().into_iter().collect()
    }
}

#[test]
fn what_ic3_was_told_is_part_of_its_proof() {
    let (system, property, lemma) = counters();
    let edits = Edits::none();
    let mut problem = Problem::new(&system, &edits, &[property]);
    let asked = problem.properties[0];
    let limits = Limits::default();
    let mut told = Told(Some(lemma));
    let verdict = infinite::ic3::run(&mut problem, asked, &mut told, &limits, &Silent, &mut Stats::default());
    let Verdict::Proved(proof) = verdict else { panic!("{verdict:?}") };
    check_proof(&system, &edits, property, &proof, &Budget::default()).expect("a proof");
}

#[test]
fn good_advice_is_kept_and_bad_advice_is_not() {
    let (system, property, mut advice) = counters();
    let good = advice.lemmas[0];
    let bad = advice.exprs.not(good);
    advice.lemmas.insert(0, bad);
    let (edits, limits) = (Edits::none(), Limits::default());
    let together = infinite::portfolio::check_with(&system, &edits, &[property], &advice, &limits, &Silent);
    assert_eq!(together.advice, Some(vec![1]));
}

#[test]
fn a_core_has_what_initiation_needs_in_later_steps() {
    // a takes over b, which stays 0: that a is 0 holds by induction of length 2, whose second step is the first to look at b's beginning.
    let mut system = System::new();
    let zero = system.exprs.constant(Value::Int(0.into()));
    let (a, b) = (system.add_state("a", Sort::Int), system.add_state("b", Sort::Int));
    let (read_a, read_b) = (system.read(a), system.read(b));
    for state in [a, b] {
        system.set_init(state, zero);
        system.set_next(state, read_b);
        let name = &system.signal(state).name.clone();
        system.add_element(format!("init.{name}"), ElementKind::Init, Site::Init(state), None);
        system.add_element(name.as_str(), ElementKind::Register, Site::Next(state), None);
    }
    let claim = system.exprs.eq(read_a, zero);
    let property = system.add_property("p", PropertyKind::Invariant(claim), None);
    let (edits, budget) = (Edits::none(), Budget::default());
    let core: ElementSet = system.element_ids().collect();
    let mut proof = Proof { invariant: Default::default(), k: 2, simple_path: false, core };
    check_proof(&system, &edits, property, &proof, &budget).expect("a proof");
    let limits = Limits::default();
    assert!(reduce_core(&system, &edits, property, &mut proof, &limits, &mut Stats::default()));
    check_core(&system, &edits, property, &proof, &budget).expect("a core");
}
