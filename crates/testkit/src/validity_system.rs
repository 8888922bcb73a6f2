//! Random systems for validity cores: one property, which holds, and often for more than one reason.
//!
//! The systems are those of the other generators. Their properties are replaced: of many simple claims about a system those that are true are found by exploration, and the property is a disjunction or
//! conjunction of some of them. Two different reasons make two cores, a conjunction makes a large one.
//!
//! Which elements are in question is no part of a system; it is found by rule, such that a smaller system has it too when a failure is shrunk.

use crate::arith_explicit::values_of;
use crate::explicit::bits_of;
use crate::expressions::random_value;
use crate::random::Random;
use crate::validity::{LARGEST_UNIVERSE, Scope, Validity, has_numbers};
use crate::{ArithExplicit, Explicit, Outcome, arith_system, random_system};
use propcov_ir::{
    BinaryOp, ConstraintKind, Edit, Edits, ElementId, ElementKind, ElementSet, ExprId, Node, PropertyId,
    PropertyKind, SignalId, SignalKind, Site, Sort, System, Value,
};

/// How many systems are tried before one is taken that is not as wanted.
const ATTEMPTS: u64 = 25;
/// How many claims are tried about a system.
const CLAIMS: usize = 40;
/// How many properties are made of the true ones, in search of one that is as wanted.
const PROPERTIES: usize = 6;
/// Bits of states and of choices within a step that are enumerated at most for one slice.
const BITS: usize = 13;
/// Steps of a system with numbers that are evaluated at most for one slice.
const WORK: usize = 1_000;

/// What the property should be like. Left to chance, most have one core, of one element.
#[derive(Clone, Copy, Debug)]
enum Wish {
    /// True, nothing else.
    Any,
    /// Not true by itself.
    NotEmpty,
    /// At least two minimal cores.
    SeveralCores,
    /// A minimal core of at least three elements.
    LargeCore,
}

impl Wish {
    fn is_granted(self, system: &System, universe: &ElementSet) -> bool {
        let cores = || {
            let truth = Validity::decide(system, PropertyId(0), universe).ok();
            truth.map(|truth| truth.cores(Scope::Always)).unwrap_or_default()
        };
        match self {
            Wish::Any | Wish::NotEmpty => true,
            Wish::SeveralCores => cores().len() > 1,
            Wish::LargeCore => cores().iter().any(|core| core.len() > 2),
        }
    }
}

/// The random finite system with this seed: a [`random_system`] with another property.
pub(crate) fn validity_system(seed: u64) -> System {
    attempts(seed, random_system, |_, _| true)
}

/// The random system with ints with this seed: an [`arith_system`] with another property, and a range for most ints.
pub(crate) fn arith_validity_system(seed: u64) -> System {
    attempts(seed, arith_system, add_ranges)
}

fn attempts(seed: u64, generate: fn(u64) -> System, prepare: fn(&mut Random, &mut System) -> bool) -> System {
    let mut random = Random::new(seed ^ 0x7661_6c69_6469_7479);
    let wish = match random.below(100) {
        0..4 => Wish::Any,
        4..40 => Wish::NotEmpty,
        40..75 => Wish::SeveralCores,
        _ => Wish::LargeCore,
    };
    let mut other = None;
    for _ in 0..ATTEMPTS {
        let mut system = generate(random.next() >> 1);
        if prepare(&mut random, &mut system)
            && let Some(system) = with_reasons(&mut random, seed, &system, wish, &mut other)
        {
            return system;
        }
    }
    other.unwrap_or_else(|| generate(seed))
}

/// The system with a property that holds and is as wanted; what only holds is kept for want of anything else.
fn with_reasons(
    random: &mut Random,
    seed: u64,
    system: &System,
    wish: Wish,
    other: &mut Option<System>,
) -> Option<System> {
    let (system, claims) = true_claims(random, system)?;
    for _ in 0..PROPERTIES {
        let mut system = system.clone();
        let property = combination(random, &mut system, &claims);
        system.add_property("p", PropertyKind::Invariant(property), None);
        let universe = universe_of(seed, &system);
        let holds_empty = holds(&system, &freeing(&universe))?;
        if universe.len() < 2 || holds_empty[0] && !matches!(wish, Wish::Any) {
            continue;
        }
        if wish.is_granted(&system, &universe) {
            return Some(system);
        }
        *other = Some(system);
    }
    None
}

/// All elements of a set freed.
fn freeing(elements: &ElementSet) -> Edits {
    let mut edits = Edits::none();
    elements.iter().for_each(|element| edits.insert(element, Edit::Free));
    edits
}

/// For each property, whether it holds; `None` when the system is too large.
fn holds(system: &System, edits: &Edits) -> Option<Vec<bool>> {
    let holds = |outcome: Outcome| matches!(outcome, Outcome::Holds { .. });
    let properties = (0..system.properties().len() as u32).map(PropertyId);
    if has_numbers(system) {
        let explicit = ArithExplicit::explore_edited(system, edits, WORK).ok()?;
        return Some(properties.map(|property| holds(explicit.outcome(property))).collect());
    }
    if bits_to_enumerate(system, edits) > BITS {
        return None;
    }
    let explicit = Explicit::explore(system, edits).ok()?;
    Some(properties.map(|property| holds(explicit.outcome(property))).collect())
}

fn bits_to_enumerate(system: &System, edits: &Edits) -> usize {
    let bits = |signal: &SignalId| bits_of(&system.signal(*signal).sort);
    let freed = |site: Site| system.edit_at(edits, site) == Some(&Edit::Free);
    let states: usize = system.states().iter().map(bits).sum();
    let inputs: usize = system.inputs().iter().map(bits).sum();
    let wires: usize = system.wires().iter().filter(|wire| freed(Site::Wire(**wire))).map(bits).sum();
    let has_transitions =
        system.constraints().iter().any(|constraint| constraint.kind == ConstraintKind::Transition);
    let successors = system.states().iter().filter(|state| has_transitions && freed(Site::Next(**state)));
    states + inputs + wires + successors.map(bits).sum::<usize>()
}

/// The system without properties, and claims about it that are true in every step. `None` when it is too large, has no run, or nothing is true of it.
fn true_claims(random: &mut Random, system: &System) -> Option<(System, Vec<ExprId>)> {
    let mut system = without_properties(system);
    let bare = system.clone();
    let signals: Vec<SignalId> = (0..system.signals().len() as u32).map(SignalId).collect();
    for index in 0..CLAIMS {
        let mut claim = atom(random, &mut system, &signals);
        if random.percent(40) {
            let other = atom(random, &mut system, &signals);
            claim = system.exprs.or(claim, other);
        }
        system.add_property(format!("c{index}"), PropertyKind::Invariant(claim), None);
    }
    let no = system.exprs.bool(false);
    system.add_property("has no run", PropertyKind::Invariant(no), None);
    let mut holds = holds(&system, &Edits::none())?;
    let has_run = holds.pop() == Some(false);
    let claims = system.properties().iter().zip(holds).filter(|(_, holds)| *holds);
    let claims: Vec<ExprId> = claims
        .filter_map(|(property, _)| match property.kind {
            PropertyKind::Invariant(expr) if !matches!(system.exprs.node(expr), Node::Const(_)) => Some(expr),
            _ => None,
        })
        .collect();
    let mut with_claims = bare;
    // Expressions keep their numbers: only properties are left out.
    with_claims.exprs = system.exprs;
    (has_run && !claims.is_empty()).then_some((with_claims, claims))
}

fn without_properties(system: &System) -> System {
    let mut bare = System::new();
    bare.exprs = system.exprs.clone();
    for signal in system.signals() {
        match signal.kind {
            SignalKind::Input => bare.add_input(signal.name.clone(), signal.sort.clone()),
            SignalKind::State { .. } => bare.add_state(signal.name.clone(), signal.sort.clone()),
            SignalKind::Wire { definition } => bare.add_wire(signal.name.clone(), definition),
        };
    }
    for state in system.states() {
        if let SignalKind::State { init, next } = system.signal(*state).kind {
            init.into_iter().for_each(|init| bare.set_init(*state, init));
            next.into_iter().for_each(|next| bare.set_next(*state, next));
        }
    }
    for constraint in system.constraints() {
        bare.add_constraint(constraint.name.clone(), constraint.kind, constraint.expr);
    }
    for element in system.elements() {
        bare.add_element(element.name.clone(), element.kind, element.site, element.spans.clone());
    }
    bare
}

/// Something simple about one signal, or two of the same sort.
fn atom(random: &mut Random, system: &mut System, signals: &[SignalId]) -> ExprId {
    let signal = *random.pick(signals);
    let sort = system.signal(signal).sort.clone();
    let read = system.read(signal);
    if sort.is_bool() {
        return if random.percent(50) { system.exprs.not(read) } else { read };
    }
    let peers = signals.iter().filter(|other| **other != signal && system.signal(**other).sort == sort);
    let peers: Vec<SignalId> = peers.copied().collect();
    let other = if !peers.is_empty() && random.percent(25) {
        system.read(*random.pick(&peers))
    } else {
        let value = match &sort {
            Sort::Int => Value::Int((random.below(10) as i64 - 3).into()),
            Sort::Real => Value::zero(&sort),
            _ => random_value(random, &sort),
        };
        system.exprs.constant(value)
    };
    let (a, b) = if random.percent(50) { (read, other) } else { (other, read) };
    match (&sort, random.below(6)) {
        (Sort::Int | Sort::Real, 0..4) => system.exprs.apply(BinaryOp::Le, a, b),
        (Sort::BitVec(_), 0..4) => system.exprs.apply(BinaryOp::Ule, a, b),
        (_, 4) => system.exprs.eq(a, b),
        _ => {
            let equal = system.exprs.eq(a, b);
            system.exprs.not(equal)
        }
    }
}

/// A property that is true because some claims are.
fn combination(random: &mut Random, system: &mut System, claims: &[ExprId]) -> ExprId {
    let (a, b, c) = (*random.pick(claims), *random.pick(claims), *random.pick(claims));
    let exprs = &mut system.exprs;
    match random.below(10) {
        0..3 => exprs.or(a, b),
        3 => {
            let some = exprs.or(a, b);
            exprs.or(some, c)
        }
        4 => {
            let both = exprs.and(a, b);
            exprs.or(both, c)
        }
        5..8 => {
            let some = exprs.or(a, b);
            exprs.and(some, c)
        }
        8 => exprs.and(a, b),
        _ => a,
    }
}

/// Gives every int a range that it does not leave, by a constraint that belongs to no element. Whoever then frees it can enumerate its values. Those that have no small range stay as they are.
fn add_ranges(random: &mut Random, system: &mut System) -> bool {
    const LOWEST: i64 = -4;
    const HIGHEST: i64 = 8;
    let mut asked = without_properties(system);
    let is_open_int = |signal: &SignalId| {
        let signal = asked.signal(*signal);
        signal.sort == Sort::Int && signal.kind != SignalKind::Input
    };
    let ints: Vec<SignalId> = (0..asked.signals().len() as u32).map(SignalId).filter(is_open_int).collect();
    for int in &ints {
        for bound in LOWEST..=HIGHEST {
            let (below, above) = bounds(&mut asked, *int, bound, bound);
            asked.add_property("low", PropertyKind::Invariant(below), None);
            asked.add_property("high", PropertyKind::Invariant(above), None);
        }
    }
    let Some(holds) = holds(&asked, &Edits::none()) else { return false };
    let range = (HIGHEST - LOWEST + 1) as usize;
    for (index, int) in ints.iter().enumerate() {
        let holds = &holds[2 * range * index..2 * range * (index + 1)];
        let lowest = (0..range).rev().find(|at| holds[2 * at]);
        let highest = (0..range).find(|at| holds[2 * at + 1]);
        let (Some(lowest), Some(highest)) = (lowest, highest) else { continue };
        let (lowest, highest) = (LOWEST + lowest as i64, LOWEST + highest as i64);
        if highest < lowest {
            return false;
        }
        // Some room, so that a slice can go wrong.
        let (down, up) = (random.below(2) as i64, random.between(1, 2) as i64);
        let (below, above) = bounds(system, *int, lowest - down, highest + up);
        let both = system.exprs.and(below, above);
        let name = format!("range.{}", system.signal(*int).name);
        system.add_constraint(name, ConstraintKind::Always, both);
    }
    true
}

/// low <= x, and x <= high.
fn bounds(system: &mut System, int: SignalId, low: i64, high: i64) -> (ExprId, ExprId) {
    let read = system.read(int);
    let (low, high) = (Value::Int(low.into()), Value::Int(high.into()));
    let (low, high) = (system.exprs.constant(low), system.exprs.constant(high));
    (system.exprs.apply(BinaryOp::Le, low, read), system.exprs.apply(BinaryOp::Le, read, high))
}

/// The elements in question: at most seven that can be enumerated when they are freed, those first on which the first property depends.
pub(crate) fn universe_of(seed: u64, system: &System) -> ElementSet {
    let cone = cone(system);
    let numbers = has_numbers(system);
    let mut ranked: Vec<(bool, u64, ElementId)> = system
        .element_ids()
        .filter(|element| !numbers || can_be_enumerated(system, *element))
        .map(|element| {
            let inside = match system.element(element).site {
                Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => cone[signal.0 as usize],
                // Counted as inside, but not preferred.
                Site::Constraint(_) => false,
            };
            (!inside, rank(seed, &system.element(element).name), element)
        })
        .collect();
    ranked.sort_unstable();
    let size = |name: &str| 2 + (rank(seed, name) % (LARGEST_UNIVERSE as u64 - 1)) as usize;
    let largest = size("one size").max(size("another"));
    let inside = ranked.iter().filter(|(outside, ..)| !outside).count();
    // One or two that do not matter are enough.
    let size = largest.min(inside + 2);
    ranked.into_iter().take(size).map(|(_, _, element)| element).collect()
}

fn rank(seed: u64, name: &str) -> u64 {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Random::new(seed ^ hash).next()
}

/// Whether what the element defines has few values by itself. Assumptions give ints their ranges, so they stay.
fn can_be_enumerated(system: &System, element: ElementId) -> bool {
    if system.element(element).kind == ElementKind::Assumption {
        return false;
    }
    let few = |signal: SignalId, initial: bool| {
        values_of(system, &Edits::none(), signal, initial).is_ok_and(|values| values.len() <= 16)
    };
    match system.element(element).site {
        Site::Wire(signal) | Site::Next(signal) => few(signal, false),
        Site::Init(signal) => few(signal, true),
        Site::Constraint(_) => false,
    }
}

/// The signals on which the first property depends, in any number of steps.
fn cone(system: &System) -> Vec<bool> {
    let mut cone = vec![false; system.signals().len()];
    let mut seen = vec![false; system.exprs.len()];
    let mut open: Vec<ExprId> = system.invariant(PropertyId(0)).into_iter().collect();
    while let Some(expr) = open.pop() {
        if std::mem::replace(&mut seen[expr.0 as usize], true) {
            continue;
        }
        open.extend(system.exprs.operands(expr));
        if let Node::Signal(signal) = *system.exprs.node(expr) {
            cone[signal.0 as usize] = true;
            match system.signal(signal).kind {
                SignalKind::Input => {}
                SignalKind::State { init, next } => open.extend(init.into_iter().chain(next)),
                SignalKind::Wire { definition } => open.push(definition),
            }
        }
    }
    cone
}
