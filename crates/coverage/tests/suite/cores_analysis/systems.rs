//! Random questions about random systems. Everything follows from the seed and the system, so that shrinking works.

use propcov_engine::{Config, ENGINES, Limits, Report, Silent, check, portfolio};
use propcov_ir::{
    BinaryOp, Edit, Edits, ElementSet, ExprId, PropertyId, PropertyKind, SignalId, Sort, System, Value,
    Verdict,
};
use propcov_testkit::{Random, Validity, ValidityCase, random_value};

/// Whether engines decide about the property on each slice, and soon. They are not complete: where freed elements make initial states depend on inputs, or there are ints, nobody may find a proof, and a search goes on for long.
/// Whoever asks about such slices gets no answer, which is no matter of cores.
pub(crate) fn is_decided(system: &System, property: PropertyId, validity: &Validity) -> bool {
    let universe = validity.universe();
    validity.subsets().all(|kept| {
        let mut slice = Edits::none();
        universe.difference(&kept).iter().for_each(|element| slice.insert(element, Edit::Free));
        let mut limits = Limits::default();
        (limits.depth, limits.conflicts) = (Some(20), Some(2_000));
        let is_known = |report: Report| !matches!(report.verdict, Verdict::Unknown(_));
        let config = Config::default();
        // The first one is enough nearly always.
        is_known(check(&ENGINES[0], system, &slice, property, &config, &limits, &Silent))
            || is_known(portfolio::check(system, &slice, property, &config, &limits, &Silent))
    })
}

/// Mostly the universe of the case; now and then only some of its elements, perhaps none.
pub(crate) fn some_of(case: &ValidityCase<'_>) -> ElementSet {
    let mut random = Random::new(case.seed ^ 0x736f_6d65);
    if random.percent(70) {
        return case.universe.clone();
    }
    let share = *random.pick(&[0, 40, 80]);
    case.universe.iter().filter(|_| random.percent(share)).collect()
}

/// A system with several properties, and what is true of them.
pub(crate) struct Several {
    pub(crate) universe: ElementSet,
    pub(crate) system: System,
    pub(crate) properties: Vec<PropertyId>,
    pub(crate) validities: Vec<Validity>,
}

/// The system of a case with so many more properties. `None` if that is too large for the oracle, or not decided soon.
pub(crate) fn several(case: &ValidityCase<'_>, random: &mut Random, count: usize) -> Option<Several> {
    let universe = some_of(case);
    let (system, properties) = with_claims(random, case.system, count);
    let decide = |property: &PropertyId| Validity::decide(&system, *property, &universe);
    let validities = properties.iter().map(decide).collect::<Result<Vec<_>, _>>().ok()?;
    let mut decided = properties.iter().zip(&validities);
    let is_decided = decided.all(|(property, validity)| is_decided(&system, *property, validity));
    is_decided.then_some(Several { universe, system, properties, validities })
}

/// The system with more properties. Some hold because the first one does, some by themselves, and some do not.
pub(crate) fn with_claims(random: &mut Random, system: &System, count: usize) -> (System, Vec<PropertyId>) {
    let mut system = system.clone();
    let first = PropertyId(0);
    let mut properties = vec![first];
    for index in 0..count {
        let (a, b) = (atom(random, &mut system), atom(random, &mut system));
        let claim = match (system.invariant(first), random.below(4)) {
            (Some(first), 0) => system.exprs.or(first, a),
            (Some(first), 1) => {
                let some = system.exprs.or(first, a);
                let others = system.exprs.or(a, b);
                system.exprs.and(some, others)
            }
            (Some(first), 2) => {
                let both = system.exprs.and(first, a);
                system.exprs.or(both, b)
            }
            _ => system.exprs.or(a, b),
        };
        properties.push(system.add_property(format!("q{index}"), PropertyKind::Invariant(claim), None));
    }
    (system, properties)
}

/// Something simple about one signal.
fn atom(random: &mut Random, system: &mut System) -> ExprId {
    if system.signals().is_empty() {
        return system.exprs.bool(true);
    }
    let signal = SignalId(random.below(system.signals().len()) as u32);
    let sort = system.signal(signal).sort.clone();
    let read = system.read(signal);
    if sort.is_bool() {
        return if random.percent(50) { system.exprs.not(read) } else { read };
    }
    let value = match &sort {
        Sort::Int => Value::Int((random.below(10) as i64 - 3).into()),
        Sort::Real => Value::zero(&sort),
        _ => random_value(random, &sort),
    };
    let value = system.exprs.constant(value);
    match (&sort, random.below(5)) {
        (Sort::Int | Sort::Real, 0..2) => system.exprs.apply(BinaryOp::Le, read, value),
        (Sort::Int | Sort::Real, 2..4) => system.exprs.apply(BinaryOp::Le, value, read),
        (Sort::BitVec(_), 0..2) => system.exprs.apply(BinaryOp::Ule, read, value),
        (Sort::BitVec(_), 2..4) => system.exprs.apply(BinaryOp::Ule, value, read),
        _ => {
            let equal = system.exprs.eq(read, value);
            system.exprs.not(equal)
        }
    }
}
