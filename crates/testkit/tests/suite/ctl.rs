//! The explicit CTL oracle on graphs that can be checked by hand and against plain enumeration, and the mix of random CTL
//! systems.

use propcov_ir::{
    ConstraintKind, Ctl, Edits, EnumSort, ExprId, Fairness, Interpreter, PropertyId, PropertyKind,
    Quantifier::{self, All, Exists},
    Sort, Step, System, Value,
};
use propcov_testkit::{Edge, ExplicitCtl, Random, ctl_system, for_random_ctl_systems, random_edits, shrink};
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Arc;

/// A graph of numbered places as a system with a transition constraint; the first place is initial.
struct Places {
    system: System,
    place: ExprId,
    literals: Vec<ExprId>,
}

fn places(count: u32, edges: &[(u32, u32)]) -> Places {
    let variants = (0..count).map(|index| format!("p{index}")).collect();
    let variants = Arc::new(EnumSort { name: "place".to_owned(), variants });
    let mut system = System::new();
    let state = system.add_state("at", Sort::Enum(variants.clone()));
    let place = system.read(state);
    let next = system.exprs.next(state, Sort::Enum(variants.clone()));
    let literals: Vec<ExprId> =
        (0..count).map(|at| system.exprs.constant(Value::Enum(variants.clone(), at))).collect();
    system.set_init(state, literals[0]);
    let mut pairs = Vec::new();
    for (from, to) in edges {
        let from = system.exprs.eq(place, literals[*from as usize]);
        let to = system.exprs.eq(next, literals[*to as usize]);
        pairs.push(system.exprs.and(from, to));
    }
    let relation = system.exprs.disjunction(pairs);
    system.add_constraint("edges", ConstraintKind::Transition, relation);
    Places { system, place, literals }
}

impl Places {
    fn is(&mut self, places: &[usize]) -> ExprId {
        let equal: Vec<ExprId> =
            places.iter().map(|place| self.system.exprs.eq(self.place, self.literals[*place])).collect();
        self.system.exprs.disjunction(equal)
    }

    fn at(&mut self, places: &[usize]) -> Box<Ctl> {
        Box::new(Ctl::Atom(self.is(places)))
    }

    fn eventually(&mut self, quantifier: Quantifier, places: &[usize]) -> Ctl {
        let yes = Box::new(Ctl::constant(&mut self.system, true));
        Ctl::Until(quantifier, yes, self.at(places))
    }

    fn always(&mut self, quantifier: Quantifier, places: &[usize]) -> Ctl {
        let no = Box::new(Ctl::constant(&mut self.system, false));
        Ctl::Release(quantifier, no, self.at(places))
    }

    fn satisfying(&self, formula: &Ctl) -> Vec<usize> {
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(&self.system, &edits).expect("small");
        numbers(&explicit.satisfies(formula))
    }
}

fn numbers(set: &[bool]) -> Vec<usize> {
    (0..set.len()).filter(|state| set[*state]).collect()
}

#[test]
fn a_loop_that_is_unfair_is_left_eventually() {
    // 0 -> 1 -> 1, 1 -> 2 -> 2, 0 -> 3 -> 3, with 2 infinitely often: 3 is not fair.
    let mut places = places(4, &[(0, 1), (1, 1), (1, 2), (2, 2), (0, 3), (3, 3)]);
    let inevitable = places.eventually(All, &[2]);
    assert_eq!(places.satisfying(&inevitable), [2]);
    let goal = places.is(&[2]);
    places.system.fairness.push(Fairness::Justice(goal));
    assert_eq!(places.satisfying(&inevitable), [0, 1, 2, 3], "3 has no fair path at all");
    let possible = places.eventually(Exists, &[2]);
    assert_eq!(places.satisfying(&possible), [0, 1, 2]);
    let one_next = Ctl::Next(All, places.at(&[1]));
    assert_eq!(places.satisfying(&one_next), [0, 3]);
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&places.system, &edits).expect("small");
    assert_eq!(numbers(explicit.fair()), [0, 1, 2]);
    assert_eq!((explicit.reachable(), explicit.fair_reachable(), explicit.diameter()), (4, 3, 2));
}

#[test]
fn a_state_without_successor_satisfies_all_universal_and_no_existential_formulas() {
    let mut places = places(3, &[(0, 1), (0, 2), (2, 2)]);
    let (never, ever) = (places.at(&[]), places.at(&[0, 1, 2]));
    assert_eq!(places.satisfying(&Ctl::Next(All, never.clone())), [1]);
    assert_eq!(places.satisfying(&Ctl::Next(Exists, ever.clone())), [0, 2]);
    assert_eq!(places.satisfying(&Ctl::Until(Exists, ever.clone(), ever)), [0, 2]);
    assert_eq!(places.satisfying(&Ctl::Release(All, never.clone(), never)), [1]);
    let straight_to_two = Ctl::Next(All, places.at(&[2]));
    assert_eq!(places.satisfying(&straight_to_two), [0, 1, 2], "the path to 1 does not count");
}

#[test]
fn compassion_looks_for_cycles_that_avoid_the_premise() {
    // The cycle 0 1 meets the premise at 1 and has no conclusion; the loop at 0 is fair.
    let mut places = places(3, &[(0, 1), (1, 0), (0, 0), (1, 2), (2, 2)]);
    let (premise, conclusion) = (places.is(&[1, 2]), places.is(&[]));
    let there = places.always(Exists, &[1]);
    let around = places.always(Exists, &[0, 1]);
    places.system.fairness.push(Fairness::Compassion(premise, conclusion));
    assert!(places.satisfying(&there).is_empty());
    assert_eq!(places.satisfying(&around), [0, 1]);
    let away = places.always(Exists, &[1, 2]);
    assert!(places.satisfying(&away).is_empty(), "2 meets the premise for ever");
    let conclusion = places.is(&[2]);
    places.system.fairness[0] = Fairness::Compassion(premise, conclusion);
    assert_eq!(places.satisfying(&away), [1, 2]);
}

#[test]
fn what_inputs_meet_counts_only_with_the_step_that_they_allow() {
    // The latch is set when the input is. Fair paths have the input set infinitely often.
    let mut system = System::new();
    let (input, latch) = (system.add_input("i", Sort::BOOL), system.add_state("s", Sort::BOOL));
    let (input, state, no) = (system.read(input), system.read(latch), system.exprs.bool(false));
    system.set_init(latch, no);
    let next = system.exprs.or(input, state);
    system.set_next(latch, next);
    let yes = system.exprs.bool(true);
    let inevitable = Ctl::Until(All, Box::new(Ctl::Atom(yes)), Box::new(Ctl::Atom(state)));
    let property = system.add_property("set", PropertyKind::Ctl(inevitable), None);
    let holds = |system: &System| ExplicitCtl::new(system, &Edits::none()).expect("small").holds(property);
    assert!(!holds(&system));
    system.fairness.push(Fairness::Justice(input));
    assert!(holds(&system));
}

#[test]
fn the_inputs_that_make_a_state_initial_need_not_lead_out_of_it() {
    let mut system = System::new();
    let (input, latch) = (system.add_input("i", Sort::BOOL), system.add_state("s", Sort::BOOL));
    let (input, state) = (system.read(input), system.read(latch));
    let idle = system.exprs.not(input);
    let no = system.exprs.bool(false);
    system.set_init(latch, no);
    system.set_next(latch, input);
    system.add_constraint("idle", ConstraintKind::Initial, idle);
    let formula = Ctl::Next(Exists, Box::new(Ctl::Atom(state)));
    let property = system.add_property("set", PropertyKind::Ctl(formula), None);
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&system, &edits).expect("small");
    assert!(explicit.holds(property));
    assert_eq!((explicit.reachable(), explicit.diameter()), (2, 1));
}

/// All values of the signals, by counting.
fn all_values(sorts: &[Sort]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for sort in sorts {
        let values: Vec<Value> = match sort {
            Sort::BitVec(width) => {
                (0..1 << width).map(|value| Value::Bits(propcov_ir::Bits::from_u64(*width, value))).collect()
            }
            Sort::Enum(variants) => {
                (0..variants.variants.len() as u32).map(|at| Value::Enum(variants.clone(), at)).collect()
            }
            _ => panic!("{sort} does not occur"),
        };
        all = all
            .iter()
            .flat_map(|before| {
                values.iter().map(|value| before.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}

/// States, initial states and edges as the interpreter has them.
type Plain = (BTreeSet<String>, BTreeSet<String>, BTreeSet<(String, String, u64)>);

fn plain(system: &System, edits: &Edits) -> Plain {
    let interpreter = Interpreter::new(system, edits).expect("valid");
    let sorts = |signals: &[propcov_ir::SignalId]| {
        signals.iter().map(|signal| system.signal(*signal).sort.clone()).collect::<Vec<_>>()
    };
    let wires: Vec<_> = interpreter.free_wires().iter().map(|(_, wire)| *wire).collect();
    let conditions: Vec<ExprId> = system
        .fairness
        .iter()
        .flat_map(|condition| match *condition {
            Fairness::Justice(expr) => vec![expr],
            Fairness::Compassion(premise, conclusion) => vec![premise, conclusion],
        })
        .collect();
    let all_states = all_values(&sorts(system.states()));
    let (mut states, mut initial, mut edges) = Plain::default();
    for values in &all_states {
        for inputs in all_values(&sorts(system.inputs())) {
            for freed in all_values(&sorts(&wires)) {
                let free = interpreter.free_wires().iter().map(|(element, _)| *element).zip(freed).collect();
                let step = Step { inputs: inputs.clone(), states: values.clone(), free };
                let mut frame = interpreter.frame(&step).expect("fits");
                let violated = frame.violated_constraint(ConstraintKind::Always).expect("fits");
                if violated.is_some() {
                    continue;
                }
                let name = format!("{values:?}");
                states.insert(name.clone());
                let agree = |asked: &[Option<Value>], values: &[Value]| {
                    asked
                        .iter()
                        .zip(values)
                        .all(|(asked, value)| asked.as_ref().is_none_or(|asked| asked == value))
                };
                let starts = frame.initial_values().expect("fits");
                let violated = frame.violated_constraint(ConstraintKind::Initial).expect("fits");
                if agree(&starts, values) && violated.is_none() {
                    initial.insert(name.clone());
                }
                let met = conditions.iter().enumerate().fold(0, |met, (bit, condition)| {
                    met | u64::from(frame.value(*condition).expect("fits") == Value::bool(true)) << bit
                });
                let follows = frame.successor_values().expect("fits");
                for next in all_states.iter().filter(|next| agree(&follows, next)) {
                    frame.set_next(next).expect("fits");
                    if frame.violated_constraint(ConstraintKind::Transition).expect("fits").is_none() {
                        edges.insert((name.clone(), format!("{next:?}"), met));
                    }
                }
            }
        }
    }
    edges.retain(|(_, to, _)| states.contains(to));
    (states, initial, edges)
}

#[test]
fn states_and_transitions_are_those_of_the_interpreter() {
    for_random_ctl_systems(150, 40_000, |seed, system| {
        let mut system = system.clone();
        let edits = match seed % 3 {
            0 => random_edits(&mut Random::new(seed), &mut system),
            _ => Edits::none(),
        };
        let Ok(explicit) = ExplicitCtl::new(&system, &edits) else { return Ok(()) };
        if explicit.states().len() > 40 {
            return Ok(());
        }
        let name = |state: usize| format!("{:?}", explicit.states()[state]);
        let states = (0..explicit.states().len()).map(name).collect();
        let initial = numbers(explicit.initial()).into_iter().map(name).collect();
        let edge = |edge: &Edge| (name(edge.from), name(edge.to), edge.met);
        let found: Plain = (states, initial, explicit.edges().iter().map(edge).collect());
        let expected = plain(&system, &edits);
        if found == expected { Ok(()) } else { Err(format!("{found:?}\n{expected:?}")) }
    });
}

#[derive(Debug, Default)]
struct Mix {
    systems: usize,
    reachable: usize,
    without_initial: usize,
    with_unfair_states: usize,
    all_unfair: usize,
    with_dead_ends: usize,
    met_by_inputs: usize,
    properties: usize,
    hold: usize,
    fail: usize,
    /// Neither true nor false in all fair reachable states.
    discriminating: usize,
    existential: usize,
    universal: usize,
}

fn mix() -> Mix {
    let mut mix = Mix::default();
    for seed in 0..1500 {
        let system = ctl_system(seed);
        system.validate().expect("random systems are valid");
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(&system, &edits).expect("random systems are small");
        mix.systems += 1;
        let reachable = |state: &usize| explicit.distances()[*state].is_some();
        let fair: Vec<usize> =
            numbers(explicit.fair()).into_iter().filter(|state| reachable(state)).collect();
        assert_eq!(fair.len(), explicit.fair_reachable());
        mix.reachable += explicit.reachable();
        if explicit.reachable() == 0 {
            mix.without_initial += 1;
            continue;
        }
        mix.with_unfair_states += usize::from(fair.len() < explicit.reachable() && !fair.is_empty());
        mix.all_unfair += usize::from(fair.is_empty());
        let has_successor: BTreeSet<usize> = explicit.edges().iter().map(|edge| edge.from).collect();
        let states = explicit.states().len();
        mix.with_dead_ends +=
            usize::from((0..states).filter(reachable).any(|state| !has_successor.contains(&state)));
        let pairs: BTreeSet<(usize, usize)> =
            explicit.edges().iter().map(|edge| (edge.from, edge.to)).collect();
        mix.met_by_inputs += usize::from(pairs.len() < explicit.edges().len());
        for property in 0..system.properties().len() as u32 {
            let PropertyKind::Ctl(formula) = &system.property(PropertyId(property)).kind else { continue };
            mix.properties += 1;
            if fair.iter().all(|state| !explicit.initial()[*state]) {
                continue;
            }
            let holds = explicit.holds(PropertyId(property));
            mix.hold += usize::from(holds);
            mix.fail += usize::from(!holds);
            let satisfies = explicit.satisfies(formula);
            let some = fair.iter().any(|state| satisfies[*state]);
            let all = fair.iter().all(|state| satisfies[*state]);
            mix.discriminating += usize::from(some && !all);
            mix.existential += usize::from(formula.is_existential());
            mix.universal += usize::from(formula.is_universal());
        }
    }
    mix
}

#[test]
fn random_ctl_systems_have_a_mix_of_outcomes() {
    let mix = mix();
    let of_systems = |count: usize| 100 * count / mix.systems;
    let of_properties = |count: usize| 100 * count / mix.properties;
    assert!((2..15).contains(&of_systems(mix.without_initial)), "{mix:?}");
    assert!((12..50).contains(&of_systems(mix.with_unfair_states)), "{mix:?}");
    assert!((5..40).contains(&of_systems(mix.all_unfair)), "{mix:?}");
    assert!((8..40).contains(&of_systems(mix.with_dead_ends)), "{mix:?}");
    assert!((5..50).contains(&of_systems(mix.met_by_inputs)), "{mix:?}");
    assert!((20..60).contains(&of_properties(mix.hold)), "{mix:?}");
    assert!((20..60).contains(&of_properties(mix.fail)), "{mix:?}");
    assert!((20..80).contains(&of_properties(mix.discriminating)), "{mix:?}");
    assert!((10..50).contains(&of_properties(mix.existential)), "{mix:?}");
    assert!((10..50).contains(&of_properties(mix.universal)), "{mix:?}");
    assert!(mix.reachable / mix.systems >= 5, "{mix:?}");
}

/// Some property is false because of a state that is two steps away.
fn fails_later(system: &System) -> bool {
    let edits = Edits::none();
    let Ok(explicit) = ExplicitCtl::new(system, &edits) else { return false };
    !system.fairness.is_empty()
        && explicit.diameter() >= 2
        && (0..system.properties().len() as u32).any(|property| !explicit.holds(PropertyId(property)))
}

#[test]
fn ctl_systems_shrink_with_their_formulas_and_fairness() {
    let mut shrunk = 0;
    for seed in 0..60 {
        let system = ctl_system(seed);
        if !fails_later(&system) {
            continue;
        }
        let small = shrink(&system, fails_later);
        assert!(fails_later(&small), "seed {seed}");
        assert_eq!((small.properties().len(), small.fairness.len()), (1, 1), "seed {seed}\n{small}");
        let PropertyKind::Ctl(formula) = &small.properties()[0].kind else { panic!("{small}") };
        assert!(formula.is_propositional(), "seed {seed}: {}", small.show_ctl(formula));
        shrunk += 1;
    }
    assert!(shrunk >= 8, "{shrunk}");
}

#[test]
fn a_failing_ctl_system_is_reported_with_formula_and_fairness() {
    let result =
        catch_unwind(|| {
            for_random_ctl_systems(1000, 5, |_, system| {
                if fails_later(system) { Err("fails".to_owned()) } else { Ok(()) }
            });
        });
    let message = *result.expect_err("some property fails").downcast::<String>().expect("a message");
    assert!(message.contains("\nfair ") || message.contains("\ncompassion "), "{message}");
    assert!(message.contains("\nctl p"), "{message}");
}
