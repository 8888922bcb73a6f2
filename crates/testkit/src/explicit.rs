//! The explicit-state oracle: all runs of a small system, by enumeration.
//!
//! Breadth-first search over states; each state is expanded under all inputs, values of freed wires and values of
//! successors that the system leaves open. It is independent of solvers, engines and unrolling; to be fast it evaluates
//! 64 choices at a time with [`Lanes`], and a test compares it with plain enumeration by the exact interpreter.
//!
//! Two points are easy to get wrong. A state counts as reached only when some choice satisfies the constraints in its
//! step, so a run may get stuck, which violates nothing. And the first step is special: its inputs have to satisfy
//! initial values and initial constraints, so a state may have fewer successors in the first step than when it is
//! reached again later.

use propcov_ir::{
    ArrayValue, Bits, ConstraintKind, Definition, Edits, ExprPool, Lanes, LanesError, Node, PropertyId,
    PropertyKind, SignalId, Site, Sort, System, Value, words,
};
use std::fmt;

/// More bits than this are not enumerated: states, or choices within a step.
const LIMIT: usize = 20;

/// What exploration found out about one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every reachable step satisfies it.
    Holds {
        /// How many states occur in runs.
        reachable: usize,
        /// The greatest distance of a state from the first step; 0 when there is no run.
        diameter: usize,
    },
    /// Some reachable step violates it.
    Violated {
        /// The least number of transitions before that step.
        depth: usize,
    },
}

impl Outcome {
    /// Whether a run of so many transitions violates it.
    pub fn is_violated_by(self, bound: usize) -> bool {
        matches!(self, Outcome::Violated { depth } if depth <= bound)
    }
}

/// Why a system cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// It has that many bits to enumerate.
    TooLarge(usize),
    /// It cannot be evaluated.
    Lanes(LanesError),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::TooLarge(bits) => write!(f, "{bits} bits are too many to enumerate"),
            ExploreError::Lanes(error) => write!(f, "{error}"),
        }
    }
}

impl From<LanesError> for ExploreError {
    fn from(error: LanesError) -> ExploreError {
        ExploreError::Lanes(error)
    }
}

/// All reachable states of a system under edits, and how soon each property fails.
#[derive(Clone, Debug)]
pub struct Explicit {
    layout: Layout,
    /// For each code of a state, the distance from the first step.
    distance: Vec<Option<u32>>,
    reachable: usize,
    diameter: usize,
    /// For each property the least depth of a violation; `None` outside for what is no invariant.
    violations: Vec<Option<Option<usize>>>,
}

/// Where each signal's bits are in the code of a state or a choice.
#[derive(Clone, Debug)]
struct Layout {
    states: Vec<(SignalId, Sort)>,
    state_bits: usize,
}

impl Explicit {
    /// Explores the system under edits.
    pub fn explore(system: &System, edits: &Edits) -> Result<Explicit, ExploreError> {
        Explorer::new(system, edits)?.run()
    }

    /// For each step up to `last`, whether each property fails in that very step of some run. What is no invariant never fails.
    pub fn violations_by_step(
        system: &System,
        edits: &Edits,
        last: usize,
    ) -> Result<Vec<Vec<bool>>, ExploreError> {
        let mut explorer = Explorer::new(system, edits)?;
        let mut layer = explorer.first();
        let mut steps = Vec::with_capacity(last + 1);
        for depth in 0..=last {
            // Nothing is remembered from step to step: a state counts again when it is reached again.
            let mut search = Search::new(&explorer);
            explorer.expand(&layer, depth, &mut search);
            steps.push(search.violations.iter().map(Option::is_some).collect());
            layer = search.next_layer;
        }
        Ok(steps)
    }

    /// What holds about a property.
    ///
    /// # Panics
    /// When the property is no invariant.
    pub fn outcome(&self, property: PropertyId) -> Outcome {
        let Some(violation) = self.violations[property.0 as usize] else {
            panic!("{property:?} is no invariant");
        };
        match violation {
            Some(depth) => Outcome::Violated { depth },
            None => Outcome::Holds { reachable: self.reachable, diameter: self.diameter },
        }
    }

    /// Whether there is any run at all: some first step satisfies the constraints.
    pub fn assumptions_consistent(&self) -> bool {
        self.reachable > 0
    }

    /// How many states occur in runs.
    pub fn reachable(&self) -> usize {
        self.reachable
    }

    /// The greatest distance of a state from the first step.
    pub fn diameter(&self) -> usize {
        self.diameter
    }

    /// The states that occur in runs: a value for each state signal, and the distance from the first step.
    pub fn reachable_states(&self) -> impl Iterator<Item = (Vec<Value>, u32)> + '_ {
        self.distance
            .iter()
            .enumerate()
            .filter_map(|(code, distance)| distance.map(|distance| (self.layout.decode(code), distance)))
    }
}

impl Layout {
    /// The values of the state signals.
    fn decode(&self, code: usize) -> Vec<Value> {
        let mut rest = code;
        self.states.iter().map(|(_, sort)| decode(sort, &mut rest)).collect()
    }
}

/// Takes a value's bits off a code.
pub(crate) fn decode(sort: &Sort, code: &mut usize) -> Value {
    match sort {
        Sort::BitVec(width) => {
            let bits = Bits::from_u64(*width, *code as u64);
            *code >>= width;
            Value::Bits(bits)
        }
        Sort::Enum(variants) => {
            let width = bits_of(sort);
            let position = *code & ((1 << width) - 1);
            *code >>= width;
            Value::Enum(variants.clone(), position as u32)
        }
        Sort::Array(array) => {
            let mut value = ArrayValue::constant(array.clone(), Value::zero(&array.element));
            let Sort::BitVec(width) = array.index else { return Value::zero(sort) };
            for index in 0..1 << width {
                value.write(Bits::from_u64(width, index), decode(&array.element, code));
            }
            Value::Array(value)
        }
        Sort::Int | Sort::Real => Value::zero(sort),
    }
}

/// How many bits a sort has; more than can be enumerated where it has no bits.
pub(crate) fn bits_of(sort: &Sort) -> usize {
    words::bit_count(sort).map_or(usize::MAX / 1024, |bits| bits as usize)
}

struct Explorer<'s> {
    system: &'s System,
    lanes: Lanes,
    layout: Layout,
    /// Bits of the state's code that a `next` decides.
    closed: usize,
    /// The others, as places in the code.
    open: Vec<usize>,
    /// Inputs and freed wires.
    choices: Vec<SignalId>,
    choice_bits: usize,
    /// Bits of the first state that a constant `init` fixes, and to what.
    pinned: usize,
    pinned_value: usize,
    has_transition_constraints: bool,
}

/// Word j alternates every 2^j lanes, so that lane i has the bits of the number i.
pub(crate) const COUNTING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl<'s> Explorer<'s> {
    fn new(system: &'s System, edits: &'s Edits) -> Result<Explorer<'s>, ExploreError> {
        let mut explorer = Explorer {
            system,
            lanes: Lanes::new(system, edits)?,
            layout: Layout { states: Vec::new(), state_bits: 0 },
            closed: 0,
            open: Vec::new(),
            choices: system.inputs().to_vec(),
            choice_bits: 0,
            pinned: 0,
            pinned_value: 0,
            has_transition_constraints: system
                .constraints()
                .iter()
                .any(|constraint| constraint.kind == ConstraintKind::Transition),
        };
        for &state in system.states() {
            let sort = &system.signal(state).sort;
            let start = explorer.layout.state_bits;
            let end = start.saturating_add(bits_of(sort));
            if end > LIMIT {
                return Err(ExploreError::TooLarge(end));
            }
            let mask = (1 << end) - (1 << start);
            match system.definition(edits, Site::Next(state)) {
                Definition::Open => explorer.open.extend(start..end),
                _ => explorer.closed |= mask,
            }
            if let Some(value) = constant(&system.exprs, system.definition(edits, Site::Init(state))) {
                explorer.pinned |= mask;
                explorer.pinned_value |= encode(value) << start;
            }
            explorer.layout.states.push((state, sort.clone()));
            explorer.layout.state_bits = end;
        }
        let freed = system
            .wires()
            .iter()
            .filter(|wire| system.definition(edits, Site::Wire(**wire)) == Definition::Open);
        explorer.choices.extend(freed);
        let choice_bits = explorer.choices.iter().map(|signal| bits_of(&system.signal(*signal).sort)).sum();
        let branching = if explorer.has_transition_constraints { explorer.open.len() } else { 0 };
        let initial_bits = explorer.layout.state_bits - explorer.pinned.count_ones() as usize;
        if choice_bits + branching.max(initial_bits) > LIMIT {
            return Err(ExploreError::TooLarge(choice_bits + branching.max(initial_bits)));
        }
        explorer.choice_bits = choice_bits;
        Ok(explorer)
    }

    /// Candidates for the first state.
    fn first(&self) -> Vec<usize> {
        let open = subsets(!self.pinned & ((1 << self.layout.state_bits) - 1));
        open.map(|open| open | self.pinned_value).collect()
    }

    fn run(mut self) -> Result<Explicit, ExploreError> {
        let mut search = Search::new(&self);
        self.expand(&self.first(), 0, &mut search);
        let mut depth = 1;
        while !search.next_layer.is_empty() {
            let layer = std::mem::take(&mut search.next_layer);
            self.expand(&layer, depth, &mut search);
            depth += 1;
        }
        let reached = search.reached.iter().flatten();
        let properties = self.system.properties().iter().zip(&search.violations);
        let violations = properties
            .map(|(property, violation)| {
                matches!(property.kind, PropertyKind::Invariant(_)).then_some(*violation)
            })
            .collect();
        Ok(Explicit {
            reachable: reached.clone().count(),
            diameter: reached.copied().max().unwrap_or(0) as usize,
            distance: search.reached,
            layout: self.layout,
            violations,
        })
    }

    /// Evaluates each state under all choices and queues what follows. At depth 0 only initial steps count.
    fn expand(&mut self, states: &[usize], depth: usize, search: &mut Search) {
        let lane_bits = self.choice_bits.min(6);
        for group in states.chunks(64 >> lane_bits) {
            self.set_states(group, lane_bits);
            let used = match group.len() << lane_bits {
                64 => u64::MAX,
                lanes => (1 << lanes) - 1,
            };
            for block in 0..1 << (self.choice_bits - lane_bits) {
                self.set_choices(block, lane_bits);
                self.lanes.evaluate();
                let mut lanes = used & self.lanes.always() & self.lanes.meaningful();
                if depth == 0 {
                    lanes &= self.lanes.initial();
                }
                if lanes == 0 {
                    continue;
                }
                for (index, violation) in search.violations.iter_mut().enumerate() {
                    let holds = self.lanes.property(PropertyId(index as u32)).unwrap_or(u64::MAX);
                    if violation.is_none() && lanes & !holds != 0 {
                        *violation = Some(depth);
                    }
                }
                for (index, state) in group.iter().enumerate() {
                    let own = (u64::MAX >> (64 - (1u32 << lane_bits))) << (index << lane_bits);
                    if lanes & own != 0 && search.reached[*state].is_none() {
                        search.reached[*state] = Some(depth as u32);
                    }
                }
                self.queue_successors(lanes, search);
            }
        }
    }

    fn set_states(&mut self, group: &[usize], lane_bits: usize) {
        let own = u64::MAX >> (64 - (1u32 << lane_bits));
        let mut place = 0;
        for (state, _) in &self.layout.states {
            for slot in self.lanes.leaf_mut(*state) {
                *slot = group.iter().enumerate().fold(0, |word, (index, code)| {
                    if code >> place & 1 == 1 { word | own << (index << lane_bits) } else { word }
                });
                place += 1;
            }
        }
    }

    /// The low bits of the choice count through the lanes, the others are those of the block.
    fn set_choices(&mut self, block: usize, lane_bits: usize) {
        let mut place = 0;
        for signal in &self.choices {
            for slot in self.lanes.leaf_mut(*signal) {
                *slot = match place {
                    low if low < lane_bits => COUNTING[low],
                    high => (block >> (high - lane_bits) & 1) as u64 * u64::MAX,
                };
                place += 1;
            }
        }
    }

    fn queue_successors(&mut self, lanes: u64, search: &mut Search) {
        if self.has_transition_constraints && !self.open.is_empty() {
            for choice in 0..1usize << self.open.len() {
                self.set_open_successors(choice);
                let allowed = lanes & self.lanes.transition();
                self.collect(allowed, |code| search.queue(code));
            }
        } else if self.has_transition_constraints {
            let allowed = lanes & self.lanes.transition();
            self.collect(allowed, |code| search.queue(code));
        } else {
            let (closed, open) = (self.closed, self.open.iter().map(|bit| 1 << bit).sum());
            self.collect(lanes, |code| {
                if !std::mem::replace(&mut search.expanded_closed[code & closed], true) {
                    subsets(open).for_each(|open| search.queue(code & closed | open));
                }
            });
        }
    }

    fn set_open_successors(&mut self, choice: usize) {
        let (mut place, mut open) = (0, 0);
        for (state, _) in &self.layout.states {
            for slot in self.lanes.successor_mut(*state) {
                if self.closed >> place & 1 == 0 {
                    *slot = (choice >> open & 1) as u64 * u64::MAX;
                    open += 1;
                }
                place += 1;
            }
        }
    }

    /// Calls back with the code of the successor in each of the lanes.
    fn collect(&mut self, mut lanes: u64, mut found: impl FnMut(usize)) {
        if lanes == 0 {
            return;
        }
        let mut words = [0u64; LIMIT];
        let mut place = 0;
        for (state, _) in &self.layout.states {
            for slot in self.lanes.successor_mut(*state) {
                words[place] = *slot;
                place += 1;
            }
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            found((0..place).fold(0, |code, bit| code | ((words[bit] >> lane & 1) as usize) << bit));
        }
    }
}

struct Search {
    /// Distance of each state that occurs in a run.
    reached: Vec<Option<u32>>,
    /// States that follow some step. The first step does not count: there, a state may have fewer successors.
    queued: Vec<bool>,
    /// Values of the closed bits whose completions are all queued.
    expanded_closed: Vec<bool>,
    violations: Vec<Option<usize>>,
    next_layer: Vec<usize>,
}

impl Search {
    fn new(explorer: &Explorer<'_>) -> Search {
        let states = 1 << explorer.layout.state_bits;
        Search {
            reached: vec![None; states],
            queued: vec![false; states],
            expanded_closed: vec![false; states],
            violations: vec![None; explorer.system.properties().len()],
            next_layer: Vec::new(),
        }
    }

    fn queue(&mut self, code: usize) {
        if !std::mem::replace(&mut self.queued[code], true) {
            self.next_layer.push(code);
        }
    }
}

/// All numbers whose bits are among those of the mask.
pub(crate) fn subsets(mask: usize) -> impl Iterator<Item = usize> {
    let mut next = Some(0usize);
    std::iter::from_fn(move || {
        let subset = next?;
        // Subtracting the mask carries through the bits outside it.
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

pub(crate) fn constant<'a>(exprs: &'a ExprPool, definition: Definition<'a>) -> Option<&'a Value> {
    match definition {
        Definition::Const(value) => Some(value),
        Definition::Expr(expr) => match exprs.node(expr) {
            Node::Const(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// The code of a value; the inverse of [`decode`].
pub(crate) fn encode(value: &Value) -> usize {
    match value {
        Value::Bits(bits) => usize::try_from(bits.unsigned()).unwrap_or(0),
        Value::Enum(_, position) => *position as usize,
        Value::Array(array) => {
            let Sort::BitVec(width) = array.sort().index else { return 0 };
            let element_bits = bits_of(&array.sort().element);
            (0..1usize << width).fold(0, |code, index| {
                let element = array.read(&Bits::from_u64(width, index as u64).into());
                code | encode(element) << (index * element_bits)
            })
        }
        Value::Int(_) | Value::Real(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::{EnumSort, UnaryOp};
    use std::sync::Arc;

    /// A latch that remembers whether the input was ever set, and the claim that it was not.
    fn memory() -> (System, propcov_ir::ExprId, propcov_ir::ExprId) {
        let mut system = System::new();
        let (input, latch) = (system.add_input("i", Sort::BOOL), system.add_state("s", Sort::BOOL));
        let (input, state) = (system.read(input), system.read(latch));
        let next = system.exprs.or(input, state);
        let (never, no) = (system.exprs.not(state), system.exprs.bool(false));
        system.set_init(latch, no);
        system.set_next(latch, next);
        system.add_property("never", PropertyKind::Invariant(never), None);
        (system, input, state)
    }

    fn outcome(system: &System) -> Outcome {
        Explicit::explore(system, &Edits::none()).expect("small").outcome(PropertyId(0))
    }

    #[test]
    fn a_violation_has_the_least_depth() {
        assert_eq!(outcome(&memory().0), Outcome::Violated { depth: 1 });
    }

    #[test]
    fn inputs_of_the_first_step_are_restricted_by_initial_constraints_only_there() {
        let (mut system, input, _) = memory();
        let idle = system.exprs.not(input);
        system.add_constraint("idle", ConstraintKind::Initial, idle);
        // State 0 is left in the second step, when it is reached again with the input open.
        assert_eq!(outcome(&system), Outcome::Violated { depth: 2 });
    }

    #[test]
    fn a_step_that_breaks_a_constraint_violates_nothing_and_is_not_reached() {
        let (mut system, _, state) = memory();
        let never = system.exprs.not(state);
        system.add_constraint("never", ConstraintKind::Always, never);
        assert_eq!(outcome(&system), Outcome::Holds { reachable: 1, diameter: 0 });
    }

    #[test]
    fn constraints_on_transitions_cut_them() {
        let (mut system, _, state) = memory();
        let next = system.exprs.next(system.states()[0], Sort::BOOL);
        let stays = system.exprs.eq(state, next);
        system.add_constraint("stays", ConstraintKind::Transition, stays);
        assert_eq!(outcome(&system), Outcome::Holds { reachable: 1, diameter: 0 });
    }

    #[test]
    fn without_a_first_step_everything_holds_and_assumptions_conflict() {
        let (mut system, _, state) = memory();
        system.add_constraint("impossible", ConstraintKind::Initial, state);
        assert_eq!(outcome(&system), Outcome::Holds { reachable: 0, diameter: 0 });
        let explicit = Explicit::explore(&system, &Edits::none()).expect("small");
        assert!(!explicit.assumptions_consistent());
        let (system, ..) = memory();
        assert!(Explicit::explore(&system, &Edits::none()).expect("small").assumptions_consistent());
    }

    #[test]
    fn an_open_enumeration_has_only_its_own_values() {
        let variants = ["a", "b", "c"].map(str::to_owned).to_vec();
        let sort = Sort::Enum(Arc::new(EnumSort { name: "e".to_owned(), variants }));
        let mut system = System::new();
        system.add_state("s", sort);
        let yes = system.exprs.bool(true);
        system.add_property("yes", PropertyKind::Invariant(yes), None);
        assert_eq!(outcome(&system), Outcome::Holds { reachable: 3, diameter: 0 });
        let explicit = Explicit::explore(&system, &Edits::none()).expect("small");
        let states: Vec<_> = explicit.reachable_states().map(|(states, _)| states[0].to_string()).collect();
        assert_eq!(states, ["a", "b", "c"]);
    }

    #[test]
    fn a_counter_of_twelve_bits_has_its_diameter() {
        let mut system = System::new();
        let count = system.add_state("count", Sort::BitVec(12));
        let read = system.read(count);
        let minus_one = system.exprs.bits(12, 0xfff);
        let next = system.exprs.apply(propcov_ir::BinaryOp::Sub, read, minus_one);
        let zero = system.exprs.bits(12, 0);
        system.set_init(count, zero);
        system.set_next(count, next);
        let full = system.exprs.unary(UnaryOp::ReduceAnd, read).expect("bit-vector");
        let not_full = system.exprs.not(full);
        let yes = system.exprs.bool(true);
        system.add_property("never full", PropertyKind::Invariant(not_full), None);
        system.add_property("yes", PropertyKind::Invariant(yes), None);
        let explicit = Explicit::explore(&system, &Edits::none()).expect("small");
        assert_eq!(explicit.outcome(PropertyId(0)), Outcome::Violated { depth: 4095 });
        assert_eq!(explicit.outcome(PropertyId(1)), Outcome::Holds { reachable: 4096, diameter: 4095 });
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let mut system = System::new();
        system.add_state("s", Sort::BitVec(64));
        assert!(matches!(Explicit::explore(&system, &Edits::none()), Err(ExploreError::TooLarge(64))));
        let mut system = System::new();
        system.add_input("i", Sort::Int);
        assert!(matches!(Explicit::explore(&system, &Edits::none()), Err(ExploreError::Lanes(_))));
    }
}
