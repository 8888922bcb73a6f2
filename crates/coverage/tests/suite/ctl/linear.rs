//! Formulas of linear time: those that say what one of CTL says, and the coverage of all others, mutant by mutant, on all infinite runs.

use propcov_budget::Budget;
use propcov_coverage::ctl::{Flip, Implication, Measured, Measurement, Place, Prepared, Request, Semantics};
use propcov_ir::{Edits, ExprId, Ltl, Node, PropertyId, PropertyKind, Sort, System, UnknownReason, Value};
use propcov_symbolic::{Options, Silent};
use propcov_testkit::{
    ExplicitCtl, ExplicitRuns, Random, ctl_system, fair_transitions, is_whole_run, random_ltl, random_value,
};
use propcov_verify::FirstStep;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeSet;

type Pairs = BTreeSet<(usize, usize)>;

/// Cases in the suite; more with `PROPCOV_CASES`.
fn cases(default: u64) -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default)
}

fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    match std::env::var("PROPCOV_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => first..first + cases(count),
    }
}

/// A system whose first step no input decides, without properties of its own that matter, and propositions on its states.
fn subject(seed: u64) -> Option<(Random, System, ExprId, Vec<ExprId>)> {
    let mut random = Random::new(seed ^ 0x11_7eaf);
    let mut system = ctl_system(seed);
    if FirstStep::of(&system).is_some() {
        return None;
    }
    let states: Vec<ExprId> = system.states().to_vec().into_iter().map(|state| system.read(state)).collect();
    if states.is_empty() {
        return None;
    }
    let observed = *random.pick(&states);
    let mut atoms = Vec::new();
    for at in 0..3 {
        let read = if at < 2 { observed } else { *random.pick(&states) };
        let sort = system.exprs.sort(read).clone();
        let value = random_value(&mut random, &sort);
        let value = system.exprs.constant(value);
        let is = system.exprs.eq(read, value);
        atoms.push(if random.percent(30) { system.exprs.not(is) } else { is });
    }
    Some((random, system, observed, atoms))
}

#[test]
fn what_can_be_said_in_ctl_says_the_same() {
    let (compared, holding) = (Cell::new(0), Cell::new(0));
    for seed in seeds(810_000, 3000) {
        let Some((mut random, mut system, _, atoms)) = subject(seed) else { continue };
        let mut ids = Vec::new();
        for _ in 0..6 {
            let depth = random.between(1, 4);
            let formula = random_ltl(&mut random, &mut system.exprs, &atoms, depth);
            if let Some(branching) = system.branching(&formula) {
                let id = system.add_property(format!("l{}", ids.len()), PropertyKind::Ltl(formula), None);
                ids.push((id, branching));
            }
        }
        let edits = Edits::none();
        let (Ok(runs), Ok(explicit)) =
            (ExplicitRuns::new(&system, &edits), ExplicitCtl::new(&system, &edits))
        else {
            continue;
        };
        for (id, branching) in &ids {
            let (linear, other) = (runs.holds(*id), explicit.holds_initially(branching));
            let PropertyKind::Ltl(formula) = &system.property(*id).kind else { continue };
            let (one, two) = (system.show_ltl(formula), system.show_ctl(branching));
            assert_eq!(linear, other, "seed {seed}: {one} and {two}");
            compared.set(compared.get() + 1);
            holding.set(holding.get() + usize::from(linear));
        }
    }
    let (all, holding) = (compared.get(), holding.get());
    assert!(
        !is_whole_run() || holding * 10 > all && (all - holding) * 10 > all && all > 1000,
        "{holding} of {all}"
    );
}

/// The formula where some expression says that labels are changed.
fn mutated(system: &mut System, formula: &Ltl, observed: ExprId, value: ExprId, is_changed: ExprId) -> Ltl {
    let mut table = FxHashMap::from_iter([(observed, value)]);
    formula.with_atoms(&mut |atom| {
        let changed = system.exprs.replaced(atom, &mut table);
        system.exprs.ite(is_changed, changed, atom)
    })
}

/// That the system is in a state.
fn is_in(system: &mut System, state: &[Value]) -> ExprId {
    let mut all = system.exprs.bool(true);
    for (signal, value) in system.states().to_vec().into_iter().zip(state) {
        let (read, value) = (system.read(signal), system.exprs.constant(value.clone()));
        let same = system.exprs.eq(read, value);
        all = system.exprs.and(all, same);
    }
    all
}

/// Whether some run of a mutant violates the formula; `None` if there are too many runs.
fn is_noticed(
    system: &System,
    formula: &Ltl,
    observed: ExprId,
    value: Value,
    (from, to): (Option<&[Value]>, &[Value]),
) -> Option<bool> {
    let mut mutant = system.clone();
    let mut is_changed = is_in(&mut mutant, to);
    if let Some(from) = from {
        let was = is_in(&mut mutant, from);
        let came = mutant.add_state("came from there", Sort::BOOL);
        let first = mutant.exprs.bool(false);
        mutant.set_init(came, first);
        mutant.set_next(came, was);
        let came = mutant.read(came);
        is_changed = mutant.exprs.and(came, is_changed);
    }
    let value = mutant.exprs.constant(value);
    let formula = mutated(&mut mutant, formula, observed, value, is_changed);
    let property = mutant.add_property("mutant", PropertyKind::Ltl(formula), None);
    let edits = Edits::none();
    let runs = ExplicitRuns::new(&mutant, &edits).ok()?;
    Some(!runs.holds(property))
}

/// All values of a sort but one.
fn others(sort: &Sort, value: &Value) -> Vec<Value> {
    let all: Vec<Value> = match sort {
        Sort::Enum(of) => (0..of.variants.len() as u32).map(|at| Value::Enum(of.clone(), at)).collect(),
        Sort::BitVec(width) => {
            (0..1_u64 << width).map(|bits| Value::Bits(propcov_ir::Bits::from_u64(*width, bits))).collect()
        }
        _ => Vec::new(),
    };
    all.into_iter().filter(|other| other != value).collect()
}

/// By definition, what a formula covers. `None` if there are too many runs.
fn definition(
    system: &System,
    explicit: &ExplicitCtl<'_>,
    formula: &Ltl,
    observed: ExprId,
    (place, flip): (Place, Flip),
) -> Option<Pairs> {
    let space: Pairs = match place {
        Place::State => (0..explicit.states().len())
            .filter(|at| explicit.distances()[*at].is_some() && explicit.fair()[*at])
            .map(|at| (at, at))
            .collect(),
        Place::Transition => fair_transitions(explicit),
    };
    let Node::Signal(signal) = *system.exprs.node(observed) else { return None };
    let position = system.states().iter().position(|state| *state == signal)?;
    let mut covered = Pairs::new();
    for (from, to) in space {
        let states = explicit.states();
        let others = others(system.exprs.sort(observed), &states[to][position]);
        let mut noticed = Vec::new();
        for other in others {
            let before = (place == Place::Transition).then_some(&states[from][..]);
            noticed.push(is_noticed(system, formula, observed, other, (before, &states[to]))?);
        }
        let is_covered = match flip {
            Flip::Any => noticed.contains(&true),
            Flip::All => !noticed.contains(&false),
        };
        if is_covered {
            covered.insert((from, to));
        }
    }
    Some(covered)
}

/// What is measured of one property, as pairs of explicit states; `None` where that is not supported.
fn measured(
    system: &System,
    explicit: &ExplicitCtl<'_>,
    property: PropertyId,
    observed: ExprId,
    (place, flip): (Place, Flip),
) -> Option<Pairs> {
    let (properties, observed) = ([property], [observed]);
    let request = Request {
        place,
        semantics: Semantics::Mutation,
        flip,
        implication: Implication::Whole,
        properties: &properties,
        observed: &observed,
        dont_care: &[],
        waived: &[],
    };
    let prepared = Prepared::new(system, &request).expect("observable");
    let mut measurement =
        Measurement::new(&prepared, Options::default(), &Budget::default(), &Silent).expect("small");
    let space = match measurement.space() {
        Ok(space) => space.expect("transitions"),
        Err(UnknownReason::Unsupported(_)) => return None,
        Err(reason) => panic!("{reason}"),
    };
    let covered = match measurement.measure(&space, 0, 0) {
        Measured::Covered(covered, None) => covered,
        Measured::Unrelated => return Some(Pairs::new()),
        Measured::Unknown(UnknownReason::Unsupported(_)) => return None,
        Measured::Covered(_, Some(reason)) | Measured::Unknown(reason) => panic!("{reason}"),
        Measured::NotAcceptable => panic!("any formula has mutants"),
    };
    let (states, evaluator) = (explicit.states(), measurement.checker().evaluator());
    let mut members = Pairs::new();
    for from in 0..states.len() {
        for to in 0..states.len() {
            let is_member = match place {
                Place::State if from != to => Some(false),
                Place::State => evaluator.contains_state(covered.sure(), system, &states[from]),
                Place::Transition => {
                    evaluator.contains_transition(covered.sure(), system, &states[from], &states[to])
                }
            };
            if is_member.expect("bits") {
                members.insert((from, to));
            }
        }
    }
    Some(members)
}

#[test]
fn states_and_transitions_of_formulas_of_linear_time_are_covered_as_the_definition_says() {
    let (compared, covering, beyond) = (Cell::new(0), Cell::new([0; 2]), Cell::new(0));
    for seed in seeds(820_000, 100) {
        let Some((mut random, mut system, observed, atoms)) = subject(seed) else { continue };
        let flip = if random.percent(70) { Flip::Any } else { Flip::All };
        let mut ids = Vec::new();
        for _ in 0..12 {
            let depth = random.between(1, 3);
            let formula = random_ltl(&mut random, &mut system.exprs, &atoms, depth);
            ids.push(system.add_property(format!("l{}", ids.len()), PropertyKind::Ltl(formula), None));
        }
        let edits = Edits::none();
        let (Ok(runs), Ok(explicit)) =
            (ExplicitRuns::new(&system, &edits), ExplicitCtl::new(&system, &edits))
        else {
            continue;
        };
        let holding: Vec<PropertyId> = ids.into_iter().filter(|id| runs.holds(*id)).take(2).collect();
        for id in holding {
            let PropertyKind::Ltl(formula) = &system.property(id).kind else { continue };
            for place in [Place::State, Place::Transition] {
                let expected = definition(&system, &explicit, formula, observed, (place, flip));
                let found = measured(&system, &explicit, id, observed, (place, flip));
                let (Some(expected), Some(found)) = (expected, found) else { continue };
                let shown = system.show_ltl(formula).to_string();
                assert_eq!(found, expected, "seed {seed}: {place:?}, {flip:?} of {shown}");
                compared.set(compared.get() + 1);
                let mut counts = covering.get();
                counts[usize::from(place == Place::Transition)] += usize::from(!expected.is_empty());
                covering.set(counts);
                beyond.set(beyond.get() + usize::from(system.branching(formula).is_none()));
            }
        }
    }
    let (all, [states, transitions], beyond) = (compared.get(), covering.get(), beyond.get());
    println!(
        "{all} compared, {states} cover states and {transitions} transitions, {beyond} cannot be said in CTL"
    );
    let is_enough = states > 10 && transitions > 10 && beyond * 4 > all;
    assert!(!is_whole_run() || is_enough, "{all}, {states}, {transitions}, {beyond}");
}
