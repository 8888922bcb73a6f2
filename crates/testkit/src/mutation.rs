//! What mutation coverage is, by enumeration: the definitions that every faster algorithm is compared with.
//!
//! [`mutation_coverage`] explores each mutant by itself. [`shortest_difference`] searches breadth-first over pairs of
//! states, one of the system and one of the mutant; it knows nothing of products of systems. As the explicit oracle does, it
//! evaluates 64 choices at a time with [`Lanes`].

use crate::explicit::{bits_of, constant, encode, subsets};
use crate::{Explicit, ExploreError};
use propcov_ir::{
    ConstraintKind, Definition, Edits, ExprId, Lanes, Mutant, PropertyId, PropertyKind, SignalId, Site,
    System, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// More bits than this are not enumerated within one step, nor for the first state.
const LIMIT: usize = 12;

/// More pairs of states than this are not looked at.
const PAIRS: usize = 1 << 14;

/// All mutants of all elements, by element.
pub fn all_mutants(system: &System) -> Vec<Mutant> {
    system.element_ids().flat_map(|element| system.mutants_of(element)).collect()
}

/// The invariants that hold on the system as written: those whose coverage means something. About three of four random
/// systems have some.
pub fn holding_properties(system: &System) -> Result<Vec<PropertyId>, ExploreError> {
    holding_up_to(system, usize::MAX)
}

/// The invariants that no run of so many transitions violates.
pub fn holding_up_to(system: &System, bound: usize) -> Result<Vec<PropertyId>, ExploreError> {
    let explicit = Explicit::explore(system, &Edits::none())?;
    let invariants = (0u32..).map(PropertyId).zip(system.properties());
    let invariants = invariants.filter(|(_, property)| matches!(property.kind, PropertyKind::Invariant(_)));
    let holding = invariants.filter(|(id, _)| !explicit.outcome(*id).is_violated_by(bound));
    Ok(holding.map(|(id, _)| id).collect())
}

/// For each mutant, whether the property, an invariant, fails on it: whether it is covered.
///
/// Random systems are small enough for this, whatever the mutant; others may be [`ExploreError::TooLarge`].
pub fn mutation_coverage(
    system: &System,
    property: PropertyId,
    mutants: &[Mutant],
) -> Result<Vec<bool>, ExploreError> {
    let rows = coverage_by_property(system, &[property], mutants)?;
    Ok(rows.into_iter().flatten().collect())
}

/// For each of the properties, all invariants, what [`mutation_coverage`] says: each mutant is explored only once.
pub fn coverage_by_property(
    system: &System,
    properties: &[PropertyId],
    mutants: &[Mutant],
) -> Result<Vec<Vec<bool>>, ExploreError> {
    coverage_up_to(system, properties, mutants, usize::MAX)
}

/// The same, where only runs of so many transitions count.
pub fn coverage_up_to(
    system: &System,
    properties: &[PropertyId],
    mutants: &[Mutant],
    bound: usize,
) -> Result<Vec<Vec<bool>>, ExploreError> {
    let mut rows = vec![Vec::with_capacity(mutants.len()); properties.len()];
    for mutant in mutants {
        let explicit = Explicit::explore(system, &mutant.edits(system))?;
        for (row, property) in rows.iter_mut().zip(properties) {
            row.push(explicit.outcome(*property).is_violated_by(bound));
        }
    }
    Ok(rows)
}

/// The least number of transitions after which somebody who looks at `observed` can tell the mutant from the system, though
/// no property does: `None` when that never happens.
///
/// It is the length of a pair of runs, one of the system and one of the mutant, which agree on all inputs, on the
/// first values of states that have no initial value, and on the next values of states that have no next. The freed
/// element of the mutant takes any value. On both runs all constraints hold, and the properties, invariants, hold in
/// every step. In the last step some observed expression differs.
///
/// # Errors
/// [`ExploreError::TooLarge`] where a random system should rather be skipped.
///
/// # Panics
/// When a property is no invariant.
pub fn shortest_difference(
    system: &System,
    mutant: Mutant,
    observed: &[ExprId],
    properties: &[PropertyId],
) -> Result<Option<usize>, ExploreError> {
    // Lanes know the values of signals only, so what is observed becomes some.
    let mut system = system.clone();
    let observed: Vec<SignalId> = observed.iter().map(|expr| system.add_wire("observed", *expr)).collect();
    let (none, edits) = (Edits::none(), mutant.edits(&system));
    let mut original = World::new(&system, &none, &observed, properties)?;
    let mut mutated = World::new(&system, &edits, &observed, properties)?;
    // Pairs that a transition leads to. First pairs do not count: there, only some inputs are allowed.
    let mut queued: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut layer = first_pairs(&mut original, &mut mutated);
    let mut depth = 0;
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        for (left, right) in layer {
            let (left, right) = (original.steps(left), mutated.steps(right));
            for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
                if a.inputs != b.inputs || depth == 0 && !(a.initial && b.initial) {
                    continue;
                }
                if a.observed != b.observed {
                    return Ok(Some(depth));
                }
                for (to_left, to_right) in a.moves.iter().flat_map(|a| b.moves.iter().map(move |b| (*a, *b)))
                {
                    // Where the system as written has no next, both runs make the same choice.
                    let agree = (to_left ^ to_right) & original.open_next == 0;
                    if agree && queued.insert((to_left, to_right)) {
                        next_layer.push((to_left, to_right));
                    }
                }
            }
        }
        if queued.len() > PAIRS {
            return Err(ExploreError::TooLarge(2 * original.state_bits));
        }
        layer = next_layer;
        depth += 1;
    }
    Ok(None)
}

/// A system under edits, and what was found out about it. A state is the number that its bits make up.
struct World<'s> {
    system: &'s System,
    lanes: Lanes,
    observed: &'s [SignalId],
    properties: &'s [PropertyId],
    /// How many bits the inputs have; the bits of freed wires come after theirs in the number of a choice.
    input_bits: usize,
    /// Inputs, then freed wires.
    choices: Vec<SignalId>,
    choice_bits: usize,
    state_bits: usize,
    /// Bits of states without initial value.
    open_init: usize,
    /// Bits of states without next, under the edits.
    open_next: usize,
    /// Bits of states whose initial value is constant, and those constants.
    pinned: usize,
    pinned_value: usize,
    has_transition_constraints: bool,
    steps: FxHashMap<usize, Rc<Vec<Seen>>>,
}

/// A step in which all constraints on single steps and all properties hold.
struct Seen {
    inputs: usize,
    /// Whether it can be the first one.
    initial: bool,
    observed: Vec<Value>,
    /// The states that it leads to.
    moves: Vec<usize>,
}

impl<'s> World<'s> {
    fn new(
        system: &'s System,
        edits: &Edits,
        observed: &'s [SignalId],
        properties: &'s [PropertyId],
    ) -> Result<World<'s>, ExploreError> {
        let freed = |wire: &&SignalId| system.definition(edits, Site::Wire(**wire)) == Definition::Open;
        let freed: Vec<SignalId> = system.wires().iter().filter(freed).copied().collect();
        let (input_bits, state_bits) = (bits(system, system.inputs()), bits(system, system.states()));
        let choice_bits = input_bits + bits(system, &freed);
        let mut world = World {
            system,
            lanes: Lanes::new(system, edits)?,
            observed,
            properties,
            input_bits,
            choices: [system.inputs(), &freed].concat(),
            choice_bits,
            state_bits,
            open_init: 0,
            open_next: 0,
            pinned: 0,
            pinned_value: 0,
            has_transition_constraints: system
                .constraints()
                .iter()
                .any(|c| c.kind == ConstraintKind::Transition),
            steps: FxHashMap::default(),
        };
        if choice_bits.max(state_bits) > LIMIT {
            return Err(ExploreError::TooLarge(choice_bits.max(state_bits)));
        }
        let mut place = 0;
        for &state in system.states() {
            let mask = ((1 << bits(system, &[state])) - 1) << place;
            match system.definition(edits, Site::Init(state)) {
                Definition::Open => world.open_init |= mask,
                definition => {
                    if let Some(value) = constant(&system.exprs, definition) {
                        world.pinned |= mask;
                        world.pinned_value |= encode(value) << place;
                    }
                }
            }
            if system.definition(edits, Site::Next(state)) == Definition::Open {
                world.open_next |= mask;
            }
            place += bits(system, &[state]);
        }
        Ok(world)
    }

    /// Every step from a state that violates nothing.
    fn steps(&mut self, state: usize) -> Rc<Vec<Seen>> {
        if let Some(steps) = self.steps.get(&state) {
            return Rc::clone(steps);
        }
        let mut steps = Vec::new();
        for first in (0..1usize << self.choice_bits).step_by(64) {
            self.fill(state, first);
            self.lanes.evaluate();
            let mut holding = self.lanes.always() & self.lanes.meaningful();
            for property in self.properties {
                let Some(holds) = self.lanes.property(*property) else {
                    panic!("{property:?} is no invariant")
                };
                holding &= holds;
            }
            let used = (1usize << self.choice_bits).min(64);
            for lane in (0..used).filter(|lane| holding >> lane & 1 == 1) {
                let step = self.seen(first + lane, lane);
                steps.push(step);
            }
        }
        let steps = Rc::new(steps);
        self.steps.insert(state, Rc::clone(&steps));
        steps
    }

    /// The same state in all lanes, and the choices from `first` on.
    fn fill(&mut self, state: usize, first: usize) {
        let mut place = 0;
        for signal in self.system.states() {
            for slot in self.lanes.leaf_mut(*signal) {
                *slot = if state >> place & 1 == 1 { u64::MAX } else { 0 };
                place += 1;
            }
        }
        let mut place = 0;
        for signal in &self.choices {
            for slot in self.lanes.leaf_mut(*signal) {
                *slot = (0..64).fold(0, |word, lane| word | ((first + lane) as u64 >> place & 1) << lane);
                place += 1;
            }
        }
    }

    /// What there is to know about the step in a lane.
    fn seen(&mut self, choice: usize, lane: usize) -> Seen {
        let observed = self.observed.iter().filter_map(|signal| self.lanes.value(*signal, lane as u32).ok());
        let (inputs, observed) = (choice & ((1 << self.input_bits) - 1), observed.collect());
        let initial = self.lanes.initial() >> lane & 1 == 1;
        let moves = subsets(self.open_next).filter_map(|open| self.successor(lane, open)).collect();
        Seen { inputs, initial, observed, moves }
    }

    /// The successor in a lane with this choice for what is open, if constraints allow it.
    fn successor(&mut self, lane: usize, open: usize) -> Option<usize> {
        let (mut place, mut code) = (0, 0);
        for state in self.system.states() {
            for slot in self.lanes.successor_mut(*state) {
                if self.open_next >> place & 1 == 1 {
                    *slot = if open >> place & 1 == 1 { u64::MAX } else { 0 };
                }
                code |= ((*slot >> lane & 1) as usize) << place;
                place += 1;
            }
        }
        let allowed = !self.has_transition_constraints || self.lanes.transition() >> lane & 1 == 1;
        allowed.then_some(code)
    }
}

/// Pairs of states that agree where the system has no initial value, and that may be first ones under the same inputs.
fn first_pairs(original: &mut World<'_>, mutated: &mut World<'_>) -> Vec<(usize, usize)> {
    let starts = |world: &mut World<'_>| {
        let mut starts: FxHashMap<(usize, usize), Vec<usize>> = FxHashMap::default();
        for open in subsets(!world.pinned & ((1 << world.state_bits) - 1)) {
            let state = open | world.pinned_value;
            for step in world.steps(state).iter().filter(|step| step.initial) {
                starts.entry((state & world.open_init, step.inputs)).or_default().push(state);
            }
        }
        starts
    };
    let (left, right) = (starts(original), starts(mutated));
    let mut pairs = FxHashSet::default();
    for (agreed, states) in &left {
        let partners = right.get(agreed).into_iter().flatten();
        pairs.extend(partners.flat_map(|partner| states.iter().map(|state| (*state, *partner))));
    }
    pairs.into_iter().collect()
}

/// How many bits the signals have.
fn bits(system: &System, signals: &[SignalId]) -> usize {
    signals.iter().map(|signal| bits_of(&system.signal(*signal).sort)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, for_random_systems};
    use propcov_ir::{ElementId, ElementKind, Mutation, Sort};
    use std::cell::Cell;

    /// An input goes through the registers `a` and `b`; the property does not care.
    fn delay() -> (System, [ExprId; 2]) {
        let mut system = System::new();
        let input = system.add_input("i", Sort::BOOL);
        let mut read = system.read(input);
        let no = system.exprs.bool(false);
        let registers = ["a", "b"].map(|name| {
            let register = system.add_state(name, Sort::BOOL);
            system.set_init(register, no);
            system.set_next(register, read);
            system.add_element(name, ElementKind::Register, Site::Next(register), None);
            read = system.read(register);
            read
        });
        let yes = system.exprs.bool(true);
        system.add_property("yes", PropertyKind::Invariant(yes), None);
        (system, registers)
    }

    const FIRST: ElementId = ElementId(0);

    fn difference(system: &System, mutation: Mutation, observed: ExprId) -> Option<usize> {
        let mutant = Mutant { element: FIRST, mutation };
        shortest_difference(system, mutant, &[observed], &[PropertyId(0)]).expect("small")
    }

    #[test]
    fn a_difference_needs_as_many_transitions_as_it_takes_to_where_somebody_looks() {
        let (system, [a, b]) = delay();
        for mutation in [Mutation::Free, Mutation::Zero, Mutation::One] {
            assert_eq!(difference(&system, mutation, a), Some(1), "{mutation:?}");
            assert_eq!(difference(&system, mutation, b), Some(2), "{mutation:?}");
        }
    }

    #[test]
    fn constraints_and_properties_hold_on_both_runs() {
        let (mut system, [a, b]) = delay();
        system.add_constraint("never", ConstraintKind::Always, a);
        assert_eq!(difference(&system, Mutation::Free, b), None, "there is no run at all");
        let (mut system, [a, b]) = delay();
        let never = system.exprs.not(a);
        let never = system.add_property("never", PropertyKind::Invariant(never), None);
        let mutant = Mutant { element: FIRST, mutation: Mutation::One };
        assert_eq!(shortest_difference(&system, mutant, &[b], &[PropertyId(0)]), Ok(Some(2)));
        assert_eq!(shortest_difference(&system, mutant, &[b], &[PropertyId(0), never]), Ok(None));
        assert_eq!(mutation_coverage(&system, never, &[mutant]), Ok(vec![true]));
    }

    #[test]
    fn choices_that_the_system_leaves_open_are_the_same_in_both_runs() {
        let (mut system, _) = delay();
        let open = system.add_state("open", Sort::BOOL);
        let open = system.read(open);
        assert_eq!(difference(&system, Mutation::Free, open), None);
    }

    #[test]
    fn without_constraints_a_difference_of_a_property_is_a_violation_on_the_mutant() {
        let (compared, differences) = (Cell::new(0), Cell::new(0));
        for_random_systems(500, 300_000, |_, system| {
            let holding = holding_properties(system).map_err(|error| error.to_string())?;
            if !system.constraints().is_empty() {
                return Ok(());
            }
            for (mutant, property) in
                all_mutants(system).into_iter().step_by(5).zip(holding.iter().copied().cycle())
            {
                let PropertyKind::Invariant(expr) = system.property(property).kind else { continue };
                let found = match shortest_difference(system, mutant, &[expr], &[]) {
                    Err(ExploreError::TooLarge(_)) => continue,
                    found => found.map_err(|error| error.to_string())?,
                };
                let explicit = Explicit::explore(system, &mutant.edits(system)).map_err(|e| e.to_string())?;
                let expected = match explicit.outcome(property) {
                    Outcome::Violated { depth } => Some(depth),
                    Outcome::Holds { .. } => None,
                };
                compared.set(compared.get() + 1);
                differences.set(differences.get() + usize::from(found.is_some()));
                if found != expected {
                    return Err(format!("{mutant:?} of {property:?}: {found:?}, expected {expected:?}"));
                }
            }
            Ok(())
        });
        let (compared, differences) = (compared.get(), differences.get());
        assert!(compared > 2_000 && differences > 200, "{differences} of {compared}");
    }

    #[test]
    fn random_systems_have_properties_that_hold_and_mutants_of_both_kinds() {
        let (mut with_property, mut covered, mut total) = (0, 0, 0);
        for seed in 0..300 {
            let system = crate::random_system(seed);
            let holding = holding_properties(&system).expect("random systems are small");
            with_property += usize::from(!holding.is_empty());
            let mutants = all_mutants(&system);
            for row in coverage_by_property(&system, &holding, &mutants).expect("so are their mutants") {
                covered += row.iter().filter(|covered| **covered).count();
                total += row.len();
            }
        }
        assert!(with_property >= 180, "{with_property} of 300");
        let percent = 100 * covered / total;
        assert!((7..60).contains(&percent), "{covered} of {total}");
    }
}
