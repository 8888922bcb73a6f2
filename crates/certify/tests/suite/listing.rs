//! Systems listed as graphs: against another program of the definition, and the names of states by hand.

use propcov_budget::Budget;
use propcov_certify::{ExplicitLimits, Rejection, list_graph, list_states};
use propcov_ir::{
    BinaryOp, Bits, ConstraintKind, Edits, ExprId, Fairness, Graph, Label, Origin, PropertyKind, Sort,
    System, Value,
};
use propcov_testkit::{
    ExplicitCtl, Random, for_random_ctl_systems, is_whole_run, kripke_system, random_kripke, seeds,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

fn list(system: &System, propositions: &[(String, ExprId)]) -> Result<Graph, Rejection> {
    list_graph(system, propositions, &ExplicitLimits::default(), &Budget::default())
}

#[test]
fn the_graph_of_a_system_that_was_one_is_its_reachable_part() {
    for seed in seeds(1500, 0) {
        let kripke = random_kripke(&mut Random::new(seed));
        let written = kripke_system(&kripke);
        let propositions: Vec<(String, ExprId)> =
            written.labels.iter().map(|(name, expr)| (name.clone(), *expr)).collect();
        let graph = list(&written.system, &propositions).expect("a graph");
        let mut reached: BTreeSet<usize> = kripke.initial.iter().copied().collect();
        while let Some((_, to)) =
            kripke.edges.iter().find(|(from, to)| reached.contains(from) && !reached.contains(to))
        {
            reached.insert(*to);
        }
        let place = |state: u32| -> usize {
            graph.name(state).strip_prefix("place=s").and_then(|n| n.parse().ok()).expect("a place")
        };
        let states: BTreeSet<usize> = graph.states().map(place).collect();
        assert_eq!(states, reached, "seed {seed}: {kripke:?}");
        assert_eq!(graph.state_count(), reached.len(), "seed {seed}");
        let edges: BTreeSet<(usize, usize)> =
            graph.transitions().map(|(from, to)| (place(from), place(to))).collect();
        let expected: BTreeSet<(usize, usize)> =
            kripke.edges.iter().copied().filter(|(from, _)| reached.contains(from)).collect();
        assert_eq!(edges, expected, "seed {seed}: {kripke:?}");
        let initial: Vec<usize> = graph.initial().iter().map(|state| place(*state)).collect();
        assert_eq!(
            initial.iter().copied().collect::<BTreeSet<_>>(),
            kripke.initial.iter().copied().collect()
        );
        assert_eq!(
            graph.initial(),
            (0..initial.len() as u32).collect::<Vec<_>>(),
            "initial states are first"
        );
        for state in graph.states() {
            for (name, members) in &kripke.labels {
                let proposition = graph.proposition(name).expect("a proposition");
                let expected = Label::of(members.contains(&place(state)));
                assert_eq!(graph.label(state, proposition), expected, "seed {seed}: {kripke:?}");
            }
        }
    }
}

/// What is compared of a state: whether it is initial, its labels, and its names in order.
type Shape = BTreeMap<Vec<bool>, usize>;

/// How often states with these labels occur, with that of whether they are initial, and pairs of them joined by a transition.
fn shape(labels: &[Vec<bool>], initial: &[bool], edges: &BTreeSet<(usize, usize)>) -> (Shape, Shape) {
    let (mut states, mut pairs) = (Shape::new(), Shape::new());
    let key = |state: usize| [&labels[state][..], &[initial[state]]].concat();
    (0..labels.len()).for_each(|state| *states.entry(key(state)).or_default() += 1);
    for (from, to) in edges {
        *pairs.entry([key(*from), key(*to)].concat()).or_default() += 1;
    }
    (states, pairs)
}

#[test]
fn the_graph_is_that_of_the_definition() {
    let dead_ends = RefCell::new(0);
    for_random_ctl_systems(2000, 300_000, |_, system| {
        let mut system = system.clone();
        // Each bit of a state is a proposition, so that states are told apart by labels.
        let mut propositions = Vec::new();
        for state in system.states().to_vec() {
            let read = system.read(state);
            let values: Vec<Value> = match system.signal(state).sort.clone() {
                Sort::BitVec(width @ ..=6) => {
                    (0..1 << width).map(|value| Value::Bits(Bits::from_u64(width, value))).collect()
                }
                Sort::Enum(sort) => {
                    (0..sort.variants.len() as u32).map(|at| Value::Enum(sort.clone(), at)).collect()
                }
                _ => Vec::new(),
            };
            for value in values {
                let constant = system.exprs.constant(value);
                let equal = system.exprs.eq(read, constant);
                propositions.push((format!("p{}", propositions.len()), equal));
            }
        }
        for property in system.properties() {
            if let PropertyKind::Ctl(formula) = &property.kind {
                for atom in formula.atoms() {
                    propositions.push((format!("p{}", propositions.len()), atom));
                }
            }
        }
        let edits = Edits::none();
        let Ok(oracle) = ExplicitCtl::new(&system, &edits) else { return Ok(()) };
        let graph = list(&system, &propositions).map_err(|rejection| rejection.to_string())?;
        if let Some(state) = graph.dead_end() {
            assert!(graph.successors(state).is_empty());
            *dead_ends.borrow_mut() += 1;
        }
        let reached: Vec<usize> =
            (0..oracle.states().len()).filter(|state| oracle.distances()[*state].is_some()).collect();
        let position: BTreeMap<usize, usize> =
            reached.iter().enumerate().map(|(at, state)| (*state, at)).collect();
        let columns: Vec<Vec<bool>> =
            propositions.iter().map(|(_, expr)| oracle.satisfies(&propcov_ir::Ctl::Atom(*expr))).collect();
        let labels: Vec<Vec<bool>> =
            reached.iter().map(|state| columns.iter().map(|column| column[*state]).collect()).collect();
        let initial: Vec<bool> = reached.iter().map(|state| oracle.initial()[*state]).collect();
        let edges = oracle.edges().iter();
        let edges: BTreeSet<(usize, usize)> =
            edges.filter_map(|edge| Some((*position.get(&edge.from)?, *position.get(&edge.to)?))).collect();
        let expected = shape(&labels, &initial, &edges);
        let labels: Vec<Vec<bool>> = graph
            .states()
            .map(|state| graph.labels(state).iter().map(|label| *label == Label::True).collect())
            .collect();
        let initial: Vec<bool> = graph.states().map(|state| graph.initial().contains(&state)).collect();
        let edges = graph.transitions().map(|(from, to)| (from as usize, to as usize)).collect();
        let found = shape(&labels, &initial, &edges);
        let names: BTreeSet<&str> = graph.states().map(|state| graph.name(state)).collect();
        if names.len() != graph.state_count() {
            return Err("names are not unique".to_owned());
        }
        if found == expected { Ok(()) } else { Err(format!("{found:?}, but {expected:?}")) }
    });
    assert!(dead_ends.into_inner() > 20 || !is_whole_run(), "dead ends should be among the systems");
}

/// A counter of a few bits with a Boolean beside it, which an input may hold.
fn counter(width: u32) -> (System, ExprId, ExprId) {
    let mut system = System::new();
    let hold = system.add_input("hold", Sort::BOOL);
    let count = system.add_state("count", Sort::BitVec(width));
    let odd = system.add_state("odd", Sort::BOOL);
    let (hold, read, odd_now) = (system.read(hold), system.read(count), system.read(odd));
    let (zero, one) = (system.exprs.bits(width, 0), system.exprs.bits(width, 1));
    let more = system.exprs.apply(BinaryOp::Add, read, one);
    let next = system.exprs.ite(hold, read, more);
    let (no, toggled) = (system.exprs.bool(false), system.exprs.not(odd_now));
    let next_odd = system.exprs.ite(hold, odd_now, toggled);
    system.set_init(count, zero);
    system.set_next(count, next);
    system.set_init(odd, no);
    system.set_next(odd, next_odd);
    (system, hold, odd_now)
}

#[test]
fn states_are_named_by_their_signals_and_inputs_are_refused() {
    let (mut system, hold, odd) = counter(2);
    system.fairness.push(Fairness::Justice(hold));
    let graph = list(&system, &[("odd".to_owned(), odd)]).expect("a graph");
    let names: Vec<&str> = graph.states().map(|state| graph.name(state)).collect();
    assert_eq!(names, ["count=0, odd=FALSE", "count=1, odd=TRUE", "count=2, odd=FALSE", "count=3, odd=TRUE"]);
    assert_eq!(graph.transition_count(), 8);
    let rejection = list(&system, &[("held".to_owned(), hold)]).expect_err("an input");
    assert_eq!(rejection.to_string(), "cannot be checked: the proposition held reads inputs");
}

#[test]
fn states_are_listed_with_the_values_of_their_signals() {
    let (system, _, _) = counter(2);
    let list = list_states(&system, &[], &ExplicitLimits::default(), &Budget::default()).expect("states");
    for (state, count) in (0..4).zip(0..) {
        let values = [Value::Bits(Bits::from_u64(2, count)), Value::bool(count % 2 == 1)];
        assert_eq!(list.states.of(state), Some(values.to_vec()));
        assert_eq!(list.graph.name(state), system.state_name(&values));
    }
    assert_eq!(list.states.of(4), None);
}

#[test]
fn names_that_occur_twice_get_numbers() {
    let mut system = System::new();
    // What the front end of Lustre keeps for `pre x` is no variable of the user.
    let kept = system.add_state("pre x", Sort::BOOL);
    system.set_origin(kept, Origin::Helper);
    let y = system.add_state("y", Sort::BOOL);
    let (read, no) = (system.read(y), system.exprs.bool(false));
    system.set_init(y, no);
    system.set_next(y, read);
    let graph = list(&system, &[]).expect("a graph");
    let names: Vec<&str> = graph.states().map(|state| graph.name(state)).collect();
    assert_eq!(names, ["y=FALSE", "y=FALSE (2)"]);
}

#[test]
fn what_no_input_allows_is_no_state_and_dead_ends_stay() {
    let (mut system, _, odd) = counter(2);
    let (count, three) = (system.states()[0], system.exprs.bits(2, 3));
    let read = system.read(count);
    let is_three = system.exprs.eq(read, three);
    let allowed = system.exprs.not(is_three);
    system.add_constraint("not three", ConstraintKind::Always, allowed);
    let next = system.exprs.next(count, Sort::BitVec(2));
    let moves = system.exprs.eq(next, read);
    let moves = system.exprs.not(moves);
    system.add_constraint("moves", ConstraintKind::Transition, moves);
    let graph = list(&system, &[("odd".to_owned(), odd)]).expect("a graph");
    assert_eq!(graph.transitions().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    assert_eq!(graph.dead_end(), Some(2));
}

#[test]
fn limits_are_kept() {
    let (system, _, _) = counter(6);
    let limits = ExplicitLimits { states: 10, edges: 1000 };
    let rejection = list_graph(&system, &[], &limits, &Budget::default()).expect_err("too many");
    assert_eq!(rejection, Rejection::TooLarge("more than 10 states".to_owned()));
}

/// Regression: valuations that an `Always` constraint forbids were counted, so that a model of eight states had too many.
#[test]
fn what_constraints_forbid_does_not_count_against_the_limit() {
    let (mut system, _, odd) = counter(3);
    for number in 0..20 {
        let copy = system.add_state(format!("copy{number}"), Sort::BOOL);
        let read = system.read(copy);
        let same = system.exprs.eq(read, odd);
        system.add_constraint(format!("same{number}"), ConstraintKind::Always, same);
    }
    let limits = ExplicitLimits { states: 8, edges: 16 };
    let graph = list_graph(&system, &[], &limits, &Budget::default()).expect("a graph");
    assert_eq!((graph.state_count(), graph.transition_count()), (8, 16));
}
