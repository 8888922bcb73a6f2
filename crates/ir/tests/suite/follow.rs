//! A run that follows dropped definitions where nobody has chosen otherwise breaks what it says it breaks, and nothing else: random Boolean systems, random choices.
//!
//! `PROPCOV_CASES=n` for longer runs, `PROPCOV_SEED=n` for a single case.

use propcov_ir::{
    ConstraintKind, Edit, Edits, ElementId, ElementKind, ElementSet, ExprId, Followed, Interpreter,
    PropertyId, PropertyKind, ReplayProblem, SignalId, SignalKind, Site, Sort, System, Value, choices_of,
    follow,
};
use std::cell::Cell;

/// The last step of every run.
const LAST: usize = 3;

/// Pseudo-random numbers that a seed replays (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

fn expression(random: &mut Random, system: &mut System, reads: &[ExprId]) -> ExprId {
    if reads.is_empty() || random.percent(10) {
        return system.exprs.bool(random.percent(50));
    }
    let (a, b) = (reads[random.below(reads.len())], reads[random.below(reads.len())]);
    match random.below(5) {
        0 => a,
        1 => system.exprs.not(a),
        2 => system.exprs.and(a, b),
        3 => system.exprs.or(a, b),
        _ => {
            let equal = system.exprs.eq(a, b);
            system.exprs.not(equal)
        }
    }
}

/// Inputs, states and wires that read what is before them. Everything is an element; the property is false, so that every run violates it.
fn random_system(random: &mut Random) -> System {
    let mut system = System::new();
    let inputs: Vec<SignalId> =
        (0..random.below(3)).map(|index| system.add_input(format!("i{index}"), Sort::BOOL)).collect();
    let states: Vec<SignalId> =
        (0..1 + random.below(3)).map(|index| system.add_state(format!("s{index}"), Sort::BOOL)).collect();
    let mut reads: Vec<ExprId> = inputs.iter().map(|input| system.read(*input)).collect();
    let mut early = reads.clone();
    reads.extend(states.iter().map(|state| system.read(*state)));
    let mut wires = Vec::new();
    for index in 0..random.below(4) {
        let definition = expression(random, &mut system, &reads);
        let wire = system.add_wire(format!("w{index}"), definition);
        let read = system.read(wire);
        reads.push(read);
        early.push(read);
        wires.push(wire);
    }
    for state in &states {
        // Of inputs, of wires, and of states before this one: now and then in a circle, and then the system is not valid.
        if random.percent(80) {
            let init = expression(random, &mut system, &early);
            system.set_init(*state, init);
            system.add_element(format!("init {state:?}"), ElementKind::Init, Site::Init(*state), None);
        }
        if random.percent(85) {
            let next = expression(random, &mut system, &reads);
            system.set_next(*state, next);
            system.add_element(format!("next {state:?}"), ElementKind::Register, Site::Next(*state), None);
        }
        early.push(system.read(*state));
    }
    for wire in wires {
        system.add_element(format!("{wire:?}"), ElementKind::Equation, Site::Wire(wire), None);
    }
    for index in 0..random.below(3) {
        let kinds = [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition];
        let kind = kinds[random.below(3)];
        let mut expr = expression(random, &mut system, &reads);
        if kind == ConstraintKind::Transition {
            let next = system.exprs.next(states[0], Sort::BOOL);
            expr = system.exprs.or(expr, next);
        }
        let constraint = system.add_constraint(format!("c{index}"), kind, expr);
        let site = Site::Constraint(constraint);
        system.add_element(format!("c{index}"), ElementKind::Assumption, site, None);
    }
    let no = system.exprs.bool(false);
    system.add_property("never", PropertyKind::Invariant(no), None);
    system
}

/// What is said about signals: a function of step and signal, which says nothing about some.
struct Choices {
    seed: u64,
    /// So many of 100 signals have a value.
    chance: usize,
}

impl Choices {
    fn of(&self, at: usize, signal: SignalId) -> Option<Value> {
        let mut random = Random(self.seed ^ ((at as u64) << 32) ^ u64::from(signal.0));
        random.percent(self.chance).then(|| Value::bool(random.percent(50)))
    }
}

fn with_freed(edits: &Edits, freed: &ElementSet) -> Edits {
    let mut edits = edits.clone();
    freed.iter().for_each(|element| edits.insert(element, Edit::Free));
    edits
}

#[derive(Debug, Default)]
struct Counts {
    runs: Cell<usize>,
    /// Elements that were dropped and not broken.
    kept: Cell<usize>,
    broken: Cell<usize>,
}

/// One system with some of its elements dropped and others edited.
struct Case<'a> {
    system: &'a System,
    edits: &'a Edits,
    dropped: &'a ElementSet,
}

impl Case<'_> {
    fn check(&self, followed: &Followed, counts: &Counts) -> Result<(), String> {
        if followed.trace.steps.len() != LAST + 1 || !followed.broken.is_subset(self.dropped) {
            return Err("not a run of this length, or something else is broken".to_owned());
        }
        // Whether constraints hold that are not dropped is the only thing that is left to chance.
        match self.replay(followed, &followed.broken) {
            Ok(()) => {}
            Err(ReplayProblem::Constraint(name)) => {
                let constraint = self.system.element_ids().zip(self.system.elements());
                let mut constraint = constraint.filter(|(_, element)| element.name == name);
                return match constraint.next() {
                    Some((id, _)) if !self.dropped.contains(id) => Ok(()),
                    _ => Err(format!("{name} is dropped, violated, and not said to be broken")),
                };
            }
            Err(problem) => return Err(format!("not a run: {problem}")),
        }
        counts.runs.set(counts.runs.get() + 1);
        counts.kept.set(counts.kept.get() + self.dropped.difference(&followed.broken).len());
        counts.broken.set(counts.broken.get() + followed.broken.len());
        for element in followed.broken.iter() {
            if !self.is_broken(followed, element)? {
                return Err(format!("{} is not broken", self.system.element(element).name));
            }
        }
        Ok(())
    }

    /// Whether it is a run when these elements are freed.
    fn replay(&self, followed: &Followed, freed: &ElementSet) -> Result<(), ReplayProblem> {
        let edits = with_freed(self.edits, freed);
        let interpreter = Interpreter::new(self.system, &edits).expect("a valid system");
        interpreter.replay(&followed.trace, PropertyId(0)).map_err(|error| error.problem)
    }

    /// Whether the definition of an element does not hold in some step.
    fn is_broken(&self, followed: &Followed, element: ElementId) -> Result<bool, String> {
        let Site::Wire(wire) = self.system.element(element).site else {
            return Ok(self.replay(followed, &followed.broken.without(element)).is_err());
        };
        let SignalKind::Wire { definition } = self.system.signal(wire).kind else {
            return Err("no wire".to_owned());
        };
        let edits = with_freed(self.edits, &followed.broken);
        let interpreter = Interpreter::new(self.system, &edits).map_err(|error| error.to_string())?;
        for step in &followed.trace.steps {
            let mut frame = interpreter.frame(step).map_err(|error| error.to_string())?;
            let defined = frame.value(definition).map_err(|error| error.to_string())?;
            if frame.signal(wire) != Some(&defined) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Runs a check on each valid system of this many.
fn for_systems(count: u64, first: u64, check: impl Fn(&mut Random, &System) -> Result<(), String>) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.trim().parse::<u64>().ok());
    let seeds = match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => first..first + number("PROPCOV_CASES").unwrap_or(count),
    };
    for seed in seeds {
        let mut random = Random(seed);
        let system = random_system(&mut random);
        if system.validate().is_ok()
            && let Err(problem) = check(&mut random, &system)
        {
            panic!("seed {seed}: {problem}\nto replay only this: PROPCOV_SEED={seed}\n{system}");
        }
    }
}

fn is_single() -> bool {
    std::env::var("PROPCOV_SEED").is_ok()
}

/// Each element is dropped, or edited, or neither.
fn overlay(random: &mut Random, system: &System) -> (Edits, ElementSet) {
    let (mut edits, mut dropped) = (Edits::none(), ElementSet::new());
    let share = [20, 50, 100][random.below(3)];
    for element in system.element_ids() {
        if random.percent(share) {
            dropped.insert(element);
        } else if random.percent(20) {
            let edit = [Edit::Free, Edit::Invert, Edit::Const(Value::bool(true))][random.below(3)].clone();
            edits.insert(element, edit);
        }
    }
    (edits, dropped)
}

#[test]
fn a_run_breaks_exactly_the_definitions_that_it_says_it_breaks() {
    let counts = Counts::default();
    for_systems(4000, 0, |random, system| {
        let (edits, dropped) = overlay(random, system);
        let choices = Choices { seed: random.next(), chance: [10, 40, 80, 100][random.below(4)] };
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let followed = follow(&interpreter, &dropped, LAST, &|at, signal| choices.of(at, signal))
            .map_err(|error| error.to_string())?;
        Case { system, edits: &edits, dropped: &dropped }
            .check(&followed, &counts)
            .map_err(|problem| format!("{problem}\n{dropped:?} of {edits:?}: {followed:?}"))
    });
    let enough = counts.runs.get() > 1000 && counts.kept.get() > 500 && counts.broken.get() > 500;
    assert!(enough || is_single(), "a lopsided test: {counts:?}");
}

#[test]
fn what_is_chosen_for_a_dropped_signal_is_its_value() {
    let chosen_wires = Cell::new(0);
    for_systems(1000, 10_000, |random, system| {
        let (edits, dropped) = overlay(random, system);
        let choices = Choices { seed: random.next(), chance: 60 };
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let followed = follow(&interpreter, &dropped, LAST, &|at, signal| choices.of(at, signal))
            .map_err(|error| error.to_string())?;
        let slice = with_freed(&edits, &followed.broken);
        let replayer = Interpreter::new(system, &slice).map_err(|error| error.to_string())?;
        for (at, step) in followed.trace.steps.iter().enumerate() {
            let frame = replayer.frame(step).map_err(|error| error.to_string())?;
            for element in dropped.iter() {
                let signal = match system.element(element).site {
                    Site::Wire(wire) => wire,
                    Site::Init(state) if at == 0 => state,
                    Site::Next(state) if at > 0 => state,
                    _ => continue,
                };
                if let Some(value) = choices.of(at, signal) {
                    chosen_wires.set(chosen_wires.get() + 1);
                    if frame.signal(signal) != Some(&value) {
                        return Err(format!("{signal:?} in step {at} is not {value:?}: {followed:?}"));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(chosen_wires.get() > 500 || is_single());
}

#[test]
fn where_nothing_is_chosen_nothing_but_assumptions_is_broken() {
    for_systems(1000, 20_000, |random, system| {
        let dropped: ElementSet = system.element_ids().collect();
        let choices = Choices { seed: random.next(), chance: 100 };
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let inputs = |at: usize, signal: SignalId| {
            let is_input = matches!(system.signal(signal).kind, SignalKind::Input);
            if is_input { choices.of(at, signal) } else { None }
        };
        let followed = follow(&interpreter, &dropped, LAST, &inputs).map_err(|error| error.to_string())?;
        let is_assumption = |element: ElementId| matches!(system.element(element).site, Site::Constraint(_));
        if followed.broken.iter().all(is_assumption) {
            Ok(())
        } else {
            Err(format!("broken for no reason: {followed:?}"))
        }
    });
}

#[test]
fn the_choices_of_a_run_lead_to_the_same_run() {
    for_systems(1500, 30_000, |random, system| {
        let (edits, dropped) = overlay(random, system);
        let choices = Choices { seed: random.next(), chance: 70 };
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let first = follow(&interpreter, &dropped, LAST, &|at, signal| choices.of(at, signal))
            .map_err(|error| error.to_string())?;
        let slice = with_freed(&edits, &first.broken);
        let chosen = choices_of(system, &slice, &first.trace);
        let again = follow(&interpreter, &dropped, LAST, &chosen).map_err(|error| error.to_string())?;
        if again.broken == first.broken && again.trace == first.trace {
            Ok(())
        } else {
            Err(format!("{again:?}\nfirst it was {first:?}"))
        }
    });
}
