//! Signals with several other values, Boolean expressions and states as observed signals, and invariants.

use super::binate::{binate_formula, proposition};
use super::measured::{Compared, Found, Question, Setting, options, settings};
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_ir::{
    BinaryOp, Bits, Ctl, Edits, EnumSort, ExprId, PropertyKind, Quantifier, Sort, System, Value,
};
use propcov_symbolic::Options;
use propcov_testkit::{
    ExplicitCtl, Implications, Kripke, KripkeSystem, Random, is_whole_run, kripke_system,
    random_acceptable_formula, random_kripke, seeds,
};
use std::sync::Arc;

/// An enumeration of 3 to 10 values, or a word.
fn random_sort(random: &mut Random) -> Sort {
    if random.percent(40) {
        return Sort::BitVec(random.between(2, 3) as u32);
    }
    let variants = (0..random.between(3, 10)).map(|variant| format!("v{variant}")).collect();
    Sort::Enum(Arc::new(EnumSort { name: "kind".to_owned(), variants }))
}

fn value(sort: &Sort, number: usize) -> Value {
    match sort {
        Sort::Enum(variants) => Value::Enum(variants.clone(), (number % variants.variants.len()) as u32),
        Sort::BitVec(width) => Value::Bits(Bits::from_u64(*width, number as u64 % (1 << width))),
        _ => Value::bool(false),
    }
}

/// A wire that has some value in each place.
fn add_wire(random: &mut Random, model: &mut KripkeSystem, states: usize) -> ExprId {
    let sort = random_sort(random);
    let first = value(&sort, random.below(8));
    let mut definition = model.system.exprs.constant(first);
    for state in 0..states {
        let here = model.is_one_of(&[state]);
        let value = value(&sort, random.below(10));
        let value = model.system.exprs.constant(value);
        definition = model.system.exprs.ite(here, value, definition);
    }
    let wire = model.system.add_wire("m", definition);
    model.system.read(wire)
}

/// That a signal has one of some values; for words also that it is small.
fn atom(random: &mut Random, system: &mut System, signal: ExprId) -> ExprId {
    let sort = system.exprs.sort(signal).clone();
    let bound = system.exprs.constant(value(&sort, random.below(10)));
    if matches!(sort, Sort::BitVec(_)) && random.percent(40) {
        return system.exprs.apply(BinaryOp::Ule, signal, bound);
    }
    let mut found = system.exprs.eq(signal, bound);
    for _ in 0..random.below(4) {
        let other = system.exprs.constant(value(&sort, random.below(10)));
        let other = system.exprs.eq(signal, other);
        found = system.exprs.or(found, other);
    }
    if random.percent(40) { system.exprs.not(found) } else { found }
}

/// Properties that hold, whose p, q and r are the atoms; and what can be observed in them.
fn add_properties(random: &mut Random, model: &mut KripkeSystem, atoms: [ExprId; 3]) {
    let names = |name: &str| Some(atoms[["p", "q", "r"].iter().position(|other| *other == name)?]);
    let mut candidates = Vec::new();
    for _ in 0..40 {
        let formula = match random.below(4) {
            0 => random_acceptable_formula(random, &["p", "q", "r"], 2),
            1 => proposition(random),
            _ => binate_formula(random),
        };
        let exprs = &mut model.system.exprs;
        let whole = formula.lower(exprs, &names, Implications::Whole).expect("names");
        let written = formula.lower(exprs, &names, Implications::Apart).expect("names");
        candidates.push((whole, written));
    }
    let explored = model.system.clone();
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&explored, &edits).expect("small");
    candidates.retain(|(whole, _)| explicit.holds_initially(whole));
    for (whole, written) in candidates.into_iter().take(4) {
        let id = model.system.add_property("", PropertyKind::Ctl(whole), None);
        model.system.set_as_written(id, written);
    }
}

#[test]
fn some_or_all_other_values_are_noticed_as_the_definition_says() {
    let mut compared = [Compared::default(); 2];
    for seed in seeds(80, 740_000) {
        let mut random = Random::new(seed);
        let kripke = random_kripke(&mut random);
        let mut model = kripke_system(&kripke);
        let wire = add_wire(&mut random, &mut model, kripke.states);
        let place = model.system.read(model.place);
        let sources = [wire, wire, *random.pick(&[wire, place])];
        let atoms = sources.map(|source| atom(&mut random, &mut model.system, source));
        add_properties(&mut random, &mut model, atoms);
        // A wire, a state, and a Boolean expression that contains them.
        let observed = [wire, place, atoms[0]];
        let dont_care = match random.below(3) {
            0 => vec![atoms[1], model.is_one_of(&[0])],
            _ => Vec::new(),
        };
        let implication = *random.pick(&[Implication::Split, Implication::Whole]);
        for (at, flip) in [Flip::Any, Flip::All].into_iter().enumerate() {
            for setting in settings(flip, implication) {
                let (system, options) = (&model.system, options(&mut random));
                let (observed, dont_care) = (&observed, &dont_care);
                let question =
                    Question { system, setting, observed, dont_care, waived: &[], options, ticks: None };
                match question.compare() {
                    Ok(counts) => compared[at] += counts,
                    Err(problem) => panic!("seed {seed}: {problem}\n{kripke:?}\n{system}"),
                }
            }
        }
    }
    // All other values are noticed less often than some are.
    let [any, all] = compared;
    if is_whole_run() {
        assert!(any.all > 1000 && all.covering * 20 > all.all, "{any:?}, {all:?}");
        assert!(all.covering < any.covering, "{any:?}, {all:?}");
    }
}

/// 0 -> 1 -> 0 with q in both, and 0 -> 2 -> 2, which is not fair.
fn with_unfair_state() -> KripkeSystem {
    kripke_system(&Kripke {
        states: 3,
        initial: vec![0],
        edges: vec![(0, 1), (1, 0), (0, 2), (2, 2)],
        labels: [("p", vec![0]), ("q", vec![0, 1]), ("r", vec![0, 1, 2])]
            .map(|(label, states)| (label.to_owned(), states))
            .into(),
        fairness: vec![vec![0]],
    })
}

#[test]
fn an_invariant_counts_as_always() {
    let mut model = with_unfair_state();
    let [p, q, r] = ["p", "q", "r"].map(|label| model.labels[label]);
    let implied = {
        let exprs = &mut model.system.exprs;
        let (not_p, not_q) = (exprs.not(p), exprs.not(q));
        let either = exprs.or(not_q, r);
        exprs.and(r, either);
        exprs.or(not_p, q)
    };
    let never = Ctl::constant(&mut model.system, false);
    // q fails in a state that is reachable, but not fair: only the invariant minds.
    for (name, expr) in [("q", q), ("r", r), ("implied", implied)] {
        let always = (Box::new(never.clone()), Box::new(Ctl::Atom(expr)));
        let always = Ctl::Release(Quantifier::All, always.0, always.1);
        model.system.add_property(name, PropertyKind::Invariant(expr), None);
        model.system.add_property(name, PropertyKind::Ctl(always), None);
    }
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    let covers = |setting: Setting, signal: usize| {
        let (observed, options) = ([q, r], Options::default());
        let question = Question {
            system: &model.system,
            setting,
            observed: &observed,
            dont_care: &[],
            waived: &[],
            options,
            ticks: None,
        };
        let answer = question.ask(&explicit).expect("an answer");
        let show = |found: &Found| match found {
            Found::Fails => "fails".to_owned(),
            Found::Unrelated => "unrelated".to_owned(),
            Found::Covered { sure, possible, is_exact: true } if sure == possible => format!("{sure:?}"),
            _ => "no answer".to_owned(),
        };
        answer[signal].iter().map(show).collect::<Vec<_>>()
    };
    for setting in settings(Flip::Any, Implication::Whole) {
        let (both, first) = match setting.place {
            Place::State => ("{(0, 0), (1, 1)}", "{(0, 0)}"),
            Place::Transition => ("{(0, 1), (1, 0)}", "{(1, 0)}"),
        };
        let expected = ["fails", both, "unrelated", "unrelated", first, first];
        assert_eq!(covers(setting, 0), expected, "q {setting:?}");
        let expected = ["fails", "unrelated", both, both, "unrelated", "unrelated"];
        assert_eq!(covers(setting, 1), expected, "r {setting:?}");
    }
}

#[test]
fn a_signal_with_one_value_has_no_other() {
    let kripke = Kripke { states: 1, initial: vec![0], edges: vec![(0, 0)], ..Kripke::default() };
    let mut model = kripke_system(&kripke);
    let place = model.system.read(model.place);
    let here = model.is_one_of(&[0]);
    model.system.add_property("here", PropertyKind::Ctl(Ctl::Atom(here)), None);
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    for flip in [Flip::Any, Flip::All] {
        for setting in settings(flip, Implication::Split) {
            let question = Question {
                system: &model.system,
                setting,
                observed: &[place],
                dont_care: &[],
                waived: &[],
                options: Options::default(),
                ticks: None,
            };
            let answer = question.ask(&explicit).expect("an answer");
            let is_empty = match &answer[0][0] {
                Found::Covered { possible, .. } => possible.is_empty(),
                _ => false,
            };
            assert!(is_empty, "{setting:?}");
        }
    }
}

#[test]
fn what_is_not_acceptable_is_measured_by_mutation_only() {
    let mut model = with_unfair_state();
    let q = model.labels["q"];
    for text in ["EX q", "AG EF (q & p)", "AX q | AG q"] {
        let formula = model.lower(&text.parse().expect("a formula"), Implications::Whole).expect("labels");
        model.system.add_property(text, PropertyKind::Ctl(formula), None);
    }
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    for setting in settings(Flip::Any, Implication::Split) {
        let question = Question {
            system: &model.system,
            setting,
            observed: &[q],
            dont_care: &[],
            waived: &[],
            options: Options::default(),
            ticks: None,
        };
        let counts = question.compare().expect("agreement");
        assert_eq!(counts.all, 3);
        let answer = question.ask(&explicit).expect("an answer");
        let is_measured = answer[0].iter().all(|found| matches!(found, Found::Covered { .. }));
        assert_eq!(is_measured, setting.semantics == Semantics::Mutation);
    }
}
