//! Simulation and its coverage by decision diagrams, against the definitions: random pairs of graphs, the same as systems, and models in SMV.

use propcov_certify::{ExplicitLimits, Rejection, StateList, list_graph, list_states};
use propcov_frontend::{Extra, read_with};
use propcov_ir::{
    ArraySort, Bits, ConstraintKind, Edit, Edits, EnumSort, ExprId, Graph, GraphBuilder, Label, LabelFlip,
    PropertyKind, Site, Sort, System, Value,
};
use propcov_sat::Budget;
use propcov_symbolic::Silent;
use propcov_symbolic::bdd::Stop;
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    Mutants, RefinementError, Side, Source, StateOf, SymbolicCoverage, SymbolicOptions, SymbolicRefinement,
};
use propcov_testkit::{
    GraphPair, Kripke, KripkeSystem, PairSizes, Random, covered_flips, ctl_system, for_pairs,
    for_random_ctl_systems, for_random_pairs, graph_of_numbers, greatest_simulation, is_whole_run,
    kripke_system, random_pair, reachable_simulation, simulates,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reorders often, and does without what large models do without, so that this is tried as well.
fn options(seed: u64) -> SymbolicOptions {
    let seed = seed as usize;
    SymbolicOptions {
        reorder_at: [None, Some(64), Some(300)][seed % 3],
        cluster: [1, 1000][seed / 3 % 2],
        largest_relation: [0, 1000][seed / 6 % 2],
        largest_product: [0, 20, 1000][seed / 12 % 3],
        ..SymbolicOptions::default()
    }
}

fn text(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

fn refinement<'a>(
    implementation: Source<'a>,
    specification: Source<'a>,
    options: &SymbolicOptions,
) -> Result<SymbolicRefinement<'a>, String> {
    SymbolicRefinement::new(implementation, specification, options, &Budget::default(), &Silent).map_err(text)
}

/// The truth about one proposition: for each state that can be reached and is asked about, whether it is covered.
fn expected(
    pair: &GraphPair,
    covered: &BTreeSet<LabelFlip>,
    proposition: u32,
    asked: &dyn Fn(u32) -> bool,
) -> Vec<Option<bool>> {
    let graph = &pair.implementation;
    let reachable = graph.reachable();
    let truth = |state: u32| {
        let counts =
            reachable[state as usize] && asked(state) && graph.label(state, proposition).value().is_some();
        counts.then(|| covered.contains(&LabelFlip { state, proposition }))
    };
    graph.states().map(truth).collect()
}

/// What is said of each state of a graph.
fn answers(
    symbolic: &SymbolicRefinement<'_>,
    found: &SymbolicCoverage,
    graph: &Graph,
) -> Result<Vec<Option<bool>>, String> {
    let answer = |state| symbolic.is_covered(found, StateOf::Graph(state)).map_err(text);
    graph.states().map(answer).collect()
}

fn compare(
    found: &SymbolicCoverage,
    answers: &[Option<bool>],
    expected: &[Option<bool>],
    pair: &GraphPair,
) -> Result<(), String> {
    if answers != expected {
        return Err(format!("{answers:?}, but {expected:?}"));
    }
    let count = |answer: Option<bool>| expected.iter().filter(|other| **other == answer).count();
    let (covered, uncovered) = (count(Some(true)), count(Some(false)));
    let reachable = pair.implementation.reachable().iter().filter(|reached| **reached).count();
    let counts = [reachable, covered + uncovered, covered, uncovered].map(|count| count.to_string());
    let own = [&found.reachable, &found.mutants, &found.covered, &found.uncovered].map(ToString::to_string);
    if own == counts { Ok(()) } else { Err(format!("{own:?} states, but {counts:?}")) }
}

#[test]
fn graphs_are_simulated_and_covered_as_the_definition_says() {
    let (simulated, covered_in_all, uncovered_in_all) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_random_pairs(3000, 0, |seed, pair| {
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let mut symbolic =
            refinement(Source::Graph(implementation), Source::Graph(specification), &options(seed))?;
        let simulates = simulates(implementation, specification);
        if symbolic.simulates().map_err(text)? != simulates {
            return Err(format!("it should be {simulates} that this is a simulation"));
        }
        simulated.set(simulated.get() + usize::from(simulates));
        let why = symbolic.unsimulated(&Budget::default()).map_err(text)?;
        if why.is_none() != simulates {
            return Err(format!("{why:?}, although it is {simulates} that this is a simulation"));
        }
        if let Some(why) = why {
            let state = implementation.states().find(|state| implementation.name(*state) == why.state);
            let state = state.ok_or("no such state")?;
            let related = greatest_simulation(implementation, specification);
            let starts = |partner: &u32| specification.initial().contains(partner);
            let partners: Vec<u32> =
                specification.states().filter(|partner| related.contains(&(state, *partner))).collect();
            let together = reachable_simulation(implementation, specification);
            let is_lonely = partners.iter().all(|partner| !together.contains(&(state, *partner)));
            let starts_alone = implementation.initial().contains(&state) && !partners.iter().any(starts);
            if !is_lonely && !starts_alone {
                return Err(format!("{} is simulated by {partners:?}", why.state));
            }
        }
        let covered = covered_flips(implementation, specification);
        let mut random = Random::new(seed);
        for proposition in 0..implementation.propositions().len() {
            let some: Vec<u32> = implementation.states().filter(|_| random.percent(50)).collect();
            for mutants in [Mutants::All, Mutants::States(&some)] {
                let found = symbolic.cover(proposition, mutants).map_err(text)?;
                let asked = |state: u32| matches!(mutants, Mutants::All) || some.contains(&state);
                let expected = expected(pair, &covered, proposition as u32, &asked);
                let answers = answers(&symbolic, &found, implementation)?;
                compare(&found, &answers, &expected, pair)?;
                let uncovered =
                    implementation.states().filter(|state| expected[*state as usize] == Some(false));
                let names: Vec<&str> = uncovered.map(|state| implementation.name(state)).collect();
                let listed = symbolic.uncovered_names(&found, 100).map_err(text)?;
                if listed != names {
                    return Err(format!("{listed:?}, but {names:?}"));
                }
                if simulates {
                    let count = |value| expected.iter().filter(|answer| **answer == Some(value)).count();
                    covered_in_all.set(covered_in_all.get() + count(true));
                    uncovered_in_all.set(uncovered_in_all.get() + count(false));
                }
            }
        }
        Ok(())
    });
    if is_whole_run() {
        let counts = [simulated.get(), covered_in_all.get(), uncovered_in_all.get()];
        assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
    }
}

#[test]
fn larger_graphs_are_covered_as_the_definition_says() {
    let sizes = PairSizes { least_states: 8, most_states: 20, propositions: 3, open: 10 };
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        120,
        50_000,
        |seed, pair| {
            let (implementation, specification) = (&pair.implementation, &pair.specification);
            let (own, other) = (Source::Graph(implementation), Source::Graph(specification));
            let mut symbolic = refinement(own, other, &options(seed))?;
            let covered = covered_flips(implementation, specification);
            for proposition in 0..implementation.propositions().len() {
                let found = symbolic.cover(proposition, Mutants::All).map_err(text)?;
                let expected = expected(pair, &covered, proposition as u32, &|_| true);
                let answers = answers(&symbolic, &found, implementation)?;
                compare(&found, &answers, &expected, pair)?;
            }
            Ok(())
        },
    );
}

/// A graph without open labels as a system, and its labels in order.
fn as_system(graph: &Graph) -> (KripkeSystem, Vec<ExprId>) {
    let numbers = |states: &mut dyn Iterator<Item = u32>| states.map(|state| state as usize).collect();
    let holds = |proposition: u32| -> Vec<usize> {
        numbers(&mut graph.states().filter(|state| graph.label(*state, proposition).value() == Some(true)))
    };
    let labels = (0..).zip(graph.propositions()).map(|(at, name)| (name.clone(), holds(at)));
    let kripke = Kripke {
        states: graph.state_count(),
        initial: numbers(&mut graph.initial().iter().copied()),
        edges: graph.transitions().map(|(from, to)| (from as usize, to as usize)).collect(),
        labels: labels.collect(),
        fairness: vec![vec![0]],
    };
    let system = kripke_system(&kripke);
    let propositions = graph.propositions().iter().map(|name| system.labels[name]).collect();
    (system, propositions)
}

#[test]
fn systems_are_simulated_and_covered_like_their_graphs() {
    let sizes = PairSizes { open: 0, ..PairSizes::default() };
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        1200,
        100_000,
        |seed, pair| {
            let (implementation, specification) = (&pair.implementation, &pair.specification);
            let (mut own, own_labels) = as_system(implementation);
            let (other, other_labels) = as_system(specification);
            let mut random = Random::new(seed);
            let some: Vec<usize> = (0..implementation.state_count()).filter(|_| random.percent(50)).collect();
            let announced = [own.is_one_of(&some)];
            let Sort::Enum(places) = own.system.signal(own.place).sort.clone() else {
                return Err("no places".to_owned());
            };
            let own_source = match seed / 36 % 3 {
                2 => Source::Graph(implementation),
                _ => Source::System { system: &own.system, propositions: &own_labels, announced: &announced },
            };
            let other_source = match seed / 36 % 3 {
                1 => Source::Graph(specification),
                _ => Source::System { system: &other.system, propositions: &other_labels, announced: &[] },
            };
            let mut symbolic = refinement(own_source, other_source, &options(seed))?;
            let simulates = simulates(implementation, specification);
            if symbolic.simulates().map_err(text)? != simulates {
                return Err(format!("it should be {simulates} that this is a simulation"));
            }
            let covered = covered_flips(implementation, specification);
            let is_system = matches!(own_source, Source::System { .. });
            for proposition in 0..implementation.propositions().len() {
                let sets = if is_system {
                    vec![Mutants::All, Mutants::Where(announced[0])]
                } else {
                    vec![Mutants::All]
                };
                for mutants in sets {
                    let found = symbolic.cover(proposition, mutants).map_err(text)?;
                    let asked =
                        |state: u32| matches!(mutants, Mutants::All) || some.contains(&(state as usize));
                    let expected = expected(pair, &covered, proposition as u32, &asked);
                    let answer = |state: u32| -> Result<Option<bool>, RefinementError> {
                        match is_system {
                            true => {
                                let values = [Value::Enum(places.clone(), state)];
                                symbolic.is_covered(&found, StateOf::System(&values))
                            }
                            false => symbolic.is_covered(&found, StateOf::Graph(state)),
                        }
                    };
                    let answers = implementation.states().map(answer).collect::<Result<Vec<_>, _>>();
                    compare(&found, &answers.map_err(text)?, &expected, pair)?;
                    if is_system {
                        let uncovered =
                            implementation.states().filter(|state| expected[*state as usize] == Some(false));
                        let names: Vec<String> = uncovered.map(|state| format!("place=s{state}")).collect();
                        let listed = symbolic.uncovered_names(&found, 100).map_err(text)?;
                        if listed != names {
                            return Err(format!("{listed:?}, but {names:?}"));
                        }
                        let cover = symbolic.uncovered_cubes(&found, Vocabulary::default(), 100);
                        let cover = cover.map_err(text)?.ok_or("no products")?;
                        let total = cover.cubes.iter().fold(cover.rest, |sum, cube| sum + &cube.count);
                        if total != found.uncovered {
                            return Err(format!("products have {total} states"));
                        }
                    }
                }
            }
            Ok(())
        },
    );
}

#[test]
fn dead_ends_are_named_or_get_loops() {
    for_random_pairs(600, 200_000, |seed, pair| {
        let mut random = Random::new(seed);
        let mut damaged = |graph: &Graph| {
            let kept: Vec<(u32, u32)> = graph.transitions().filter(|_| random.percent(70)).collect();
            graph.with_transitions(kept)
        };
        let (implementation, specification) = (damaged(&pair.implementation), damaged(&pair.specification));
        let (own, other) = (Source::Graph(&implementation), Source::Graph(&specification));
        let first = |graph: &Graph| {
            let reachable = graph.reachable();
            let mut ends = graph.states().filter(|state| graph.successors(*state).is_empty());
            ends.find(|state| reachable[*state as usize]).map(|state| graph.name(state).to_owned())
        };
        let expected = first(&implementation).map(|name| (Side::Implementation, name));
        let expected = expected.or_else(|| first(&specification).map(|name| (Side::Specification, name)));
        let symbolic = refinement(own, other, &options(seed))?;
        if symbolic.dead_end() != expected.as_ref() {
            return Err(format!("{:?}, but {expected:?}", symbolic.dead_end()));
        }
        let options = SymbolicOptions { complete: true, ..options(seed) };
        let mut symbolic = refinement(own, other, &options)?;
        let completed = GraphPair {
            implementation: implementation.completed(),
            specification: specification.completed(),
        };
        let covered = covered_flips(&completed.implementation, &completed.specification);
        let found = symbolic.cover(0, Mutants::All).map_err(text)?;
        let answers = answers(&symbolic, &found, &implementation)?;
        compare(&found, &answers, &self::expected(&completed, &covered, 0, &|_| true), &completed)?;
        if symbolic.dead_end().is_some() {
            return Err("a dead end with a loop".to_owned());
        }
        Ok(())
    });
}

/// A model in SMV, with expressions in its scope.
fn smv(text: &str, expressions: &[&str]) -> (System, Vec<ExprId>) {
    let extra = |text: &&str| Extra { origin: "the test".to_owned(), text: (*text).to_owned() };
    let extras: Vec<Extra> = expressions.iter().map(extra).collect();
    let read = read_with("model.smv", text.as_bytes(), &extras);
    let (design, exprs) = read.unwrap_or_else(|error| panic!("{error}"));
    (design.system, exprs)
}

fn example(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

/// Compares coverage of all propositions with that of the explicit graphs, for some of the states.
fn compare_smv(implementation: (&str, &[&str]), specification: (&str, &[&str]), every: usize) -> Vec<String> {
    let (own, own_labels) = smv(implementation.0, implementation.1);
    let (other, other_labels) = smv(specification.0, specification.1);
    let listed = |system: &System, labels: &[ExprId]| {
        let named: Vec<(String, ExprId)> =
            labels.iter().enumerate().map(|(at, expr)| (format!("p{at}"), *expr)).collect();
        list_graph(system, &named, &ExplicitLimits::default(), &Budget::default())
            .expect("a graph")
            .completed()
    };
    let (graph, abstraction) = (listed(&own, &own_labels), listed(&other, &other_labels));
    let own_source = Source::System { system: &own, propositions: &own_labels, announced: &[] };
    let other_source = Source::System { system: &other, propositions: &other_labels, announced: &[] };
    let options = SymbolicOptions { complete: true, ..SymbolicOptions::default() };
    let in_parts =
        SymbolicOptions { complete: true, largest_relation: 0, cluster: 50, ..SymbolicOptions::default() };
    let mut by_parts = refinement(own_source, other_source, &in_parts).expect("models");
    assert!(by_parts.simulates().expect("an answer"));
    let mut by_systems = refinement(own_source, other_source, &options).expect("models");
    let mut by_graphs =
        refinement(Source::Graph(&graph), Source::Graph(&abstraction), &options).expect("models");
    assert!(by_systems.simulates().expect("an answer"));
    assert!(by_graphs.simulates().expect("an answer"));
    let mut counts = Vec::new();
    for proposition in 0..own_labels.len() {
        let found = by_systems.cover(proposition, Mutants::All).expect("an answer");
        let again = by_graphs.cover(proposition, Mutants::All).expect("an answer");
        let parts = by_parts.cover(proposition, Mutants::All).expect("an answer");
        assert_eq!((&found.mutants, &found.covered), (&parts.mutants, &parts.covered));
        let names = [(&by_systems, &found), (&by_parts, &parts)]
            .map(|(symbolic, found)| symbolic.uncovered_names(found, usize::MAX).expect("names"));
        assert_eq!(names[0], names[1]);
        assert_eq!(
            (&found.reachable, &found.mutants, &found.covered),
            (&again.reachable, &again.mutants, &again.covered)
        );
        let uncovered: BTreeSet<String> =
            by_systems.uncovered_names(&found, usize::MAX).expect("names").into_iter().collect();
        for state in graph.states() {
            let is_covered = by_graphs.is_covered(&again, StateOf::Graph(state));
            let is_covered = is_covered.expect("a state").expect("a mutant");
            assert_eq!(uncovered.contains(graph.name(state)), !is_covered, "{}", graph.name(state));
            if (state as usize).is_multiple_of(every) {
                let flip = LabelFlip { state, proposition: proposition as u32 };
                assert_eq!(
                    !simulates(&graph.flipped(flip), &abstraction),
                    is_covered,
                    "{}",
                    graph.name(state)
                );
            }
        }
        counts.push(format!("{} of {}", found.covered, found.mutants));
    }
    counts
}

#[test]
fn a_model_covers_itself_where_no_other_state_could_be_meant() {
    let model = example("mutex.smv");
    let labels = ["one.place = inside", "two.place = inside", "turn = left"];
    assert_eq!(compare_smv((&model, &labels), (&model, &labels), 1), ["12 of 12"; 3]);
    let labels = ["one.place = inside"];
    assert_eq!(compare_smv((&model, &labels), (&model, &labels), 1), ["10 of 12"]);
}

/// A queue of which only the number of entries is known.
const ABSTRACT_QUEUE: &str = "
MODULE main
VAR entries : 0..4;
ASSIGN
  init(entries) := 0;
  next(entries) := case
    entries = 0 : {0, 1};
    entries = 4 : {0, 3, 4};
    TRUE        : {0, entries - 1, entries, entries + 1};
  esac;
";

#[test]
fn a_queue_is_covered_by_a_counter_of_its_entries() {
    let counts = compare_smv(
        (&example("circular_queue.smv"), &["full", "empty"]),
        (ABSTRACT_QUEUE, &["entries = 4", "entries = 0"]),
        40,
    );
    assert_eq!(counts, ["1152 of 1792", "704 of 1792"]);
}

/// Here inputs are read by functions whose conjunction is large, so that they are still there when steps of both models are combined. In smaller models they are gone before.
const MULTIPLIER: &str = "
MODULE main
IVAR a : unsigned word[8];
VAR x : unsigned word[8]; y : unsigned word[8];
INIT x = 0ud8_0 & y = 0ud8_1
INVAR x <= 0ud8_7 & y <= 0ud8_7
TRANS a != x
ASSIGN
  next(x) := x + a;
  next(y) := y * a;
";

/// Whether the sum is zero and whether it is odd, and whether the product is odd. That is so if both factors are, and then the sum changes from odd to even or back.
const ODD_AND_EVEN: &str = "
MODULE main
VAR zero : boolean; odd : boolean; odd_product : boolean;
INIT zero & !odd & odd_product
INVAR zero -> !odd
TRANS next(odd_product) = (odd_product & (next(odd) != odd))
";

#[test]
fn inputs_are_chosen_anew_in_each_step() {
    let counts = compare_smv(
        (MULTIPLIER, &["x = 0ud8_0", "y[0:0] = 0ud1_1"]),
        (ODD_AND_EVEN, &["zero", "odd_product"]),
        1,
    );
    assert_eq!(counts, ["16 of 32", "27 of 32"]);
}

#[test]
fn a_state_that_is_not_simulated_is_shown_with_a_run() {
    let (queue, labels) = smv(&example("circular_queue.smv"), &["full", "empty"]);
    // Once full, this one stays so.
    let stuck = ABSTRACT_QUEUE.replace("{0, 3, 4}", "4");
    let (other, other_labels) = smv(&stuck, &["entries = 4", "entries = 0"]);
    let own_source = Source::System { system: &queue, propositions: &labels, announced: &[] };
    let other_source = Source::System { system: &other, propositions: &other_labels, announced: &[] };
    let mut symbolic =
        refinement(own_source, other_source, &SymbolicOptions::default()).expect("models without dead ends");
    assert_eq!(symbolic.dead_end(), None);
    assert!(!symbolic.simulates().expect("an answer"));
    let shown = symbolic.unsimulated(&Budget::default()).expect("an answer").expect("a state");
    let run = shown.run.expect("a run");
    // Four entries, and then one of them is read.
    assert!(shown.state.contains("entries="), "{}", shown.state);
    assert!((5..=6).contains(&run.steps.len()), "{} steps", run.steps.len());
    let stats = symbolic.stats();
    assert!(stats.product_rounds > 4 && stats.binary_rounds > 0 && stats.peak_nodes > 100, "{stats:?}");
    let mut simulated = refinement(own_source, own_source, &SymbolicOptions::default()).expect("models");
    assert!(simulated.unsimulated(&Budget::default()).expect("an answer").is_none());
}

/// What CTL properties of a system are about, which are expressions over states.
fn atoms(system: &System) -> Vec<ExprId> {
    let formulas = system.properties().iter().filter_map(|property| match &property.kind {
        PropertyKind::Ctl(formula) => Some(formula),
        _ => None,
    });
    let atoms: BTreeSet<ExprId> = formulas.flat_map(|formula| formula.atoms()).collect();
    atoms.into_iter().collect()
}

/// The system with less said about first and next states, so that it has more runs.
fn relaxed(random: &mut Random, system: &System) -> System {
    let mut edits = Edits::none();
    for element in system.element_ids() {
        // What propositions read stays.
        if !matches!(system.element(element).site, Site::Wire(_)) && random.percent(30) {
            edits.insert(element, Edit::Free);
        }
    }
    system.edited(&edits)
}

/// A system and its propositions.
type Labelled = (System, Vec<ExprId>);

/// Of a random system an implementation and a specification; `None` if there is nothing to label states with.
fn two_systems(random: &mut Random, system: &System) -> Option<[Labelled; 2]> {
    let mut atoms = atoms(system);
    while atoms.len() > random.between(1, 2) {
        atoms.swap_remove(random.below(atoms.len()));
    }
    let own = (system.clone(), atoms.clone());
    let mut pair = match random.below(10) {
        0 => [own.clone(), own],
        1..7 => [own, (relaxed(random, system), atoms)],
        7 | 8 => [(relaxed(random, system), atoms), own],
        _ => {
            let other = ctl_system(random.next());
            let mut labels = self::atoms(&other);
            labels.truncate(atoms.len());
            [own, (other, labels)]
        }
    };
    if random.percent(4) {
        let (system, _) = &mut pair[random.below(2)];
        let never = system.exprs.bool(false);
        system.add_constraint("never", ConstraintKind::Initial, never);
    }
    let [(_, own), (_, other)] = &pair;
    (!own.is_empty() && own.len() == other.len()).then_some(pair)
}

/// The states of a system, if they are few.
fn listed((system, labels): &Labelled) -> Result<Option<StateList>, String> {
    let named: Vec<(String, ExprId)> =
        labels.iter().enumerate().map(|(at, expr)| (format!("p{at}"), *expr)).collect();
    match list_states(system, &named, &ExplicitLimits { states: 64, edges: 500 }, &Budget::default()) {
        Ok(list) => Ok(Some(list)),
        Err(Rejection::TooLarge(_)) => Ok(None),
        Err(other) => Err(other.to_string()),
    }
}

/// How often something was compared.
#[derive(Debug, Default)]
struct Tally {
    simulated: Cell<usize>,
    not_simulated: Cell<usize>,
    covered: Cell<usize>,
    uncovered: Cell<usize>,
    dead_ends: Cell<usize>,
    completed: Cell<usize>,
    without_initial: [Cell<usize>; 2],
    with_inputs: Cell<usize>,
    several_initial: Cell<usize>,
}

fn count(cell: &Cell<usize>) {
    cell.set(cell.get() + 1);
}

/// That the name is that of a state without successor, in the first of the two graphs that has one; or that neither has.
fn check_dead_end(named: Option<&(Side, String)>, implementation: &Graph, specification: &Graph) -> bool {
    let is_dead_end = |graph: &Graph, name: &str| {
        graph.states().any(|state| graph.name(state) == name && graph.successors(state).is_empty())
    };
    match (named, implementation.dead_end(), specification.dead_end()) {
        (Some((Side::Implementation, name)), Some(_), _) => is_dead_end(implementation, name),
        (Some((Side::Specification, name)), None, Some(_)) => is_dead_end(specification, name),
        (None, None, None) => true,
        _ => false,
    }
}

/// Everything about two systems in decision diagrams against the definitions for their graphs. Of large ones only some mutants.
fn check_listed(
    mut symbolic: SymbolicRefinement<'_>,
    states: &StateList,
    implementation: &Graph,
    specification: &Graph,
    random: &mut Random,
    tally: &Tally,
) -> Result<(), String> {
    let sizes = [implementation, specification].map(|graph| graph.state_count().to_string());
    let own = [Side::Implementation, Side::Specification].map(|side| symbolic.state_count(side).to_string());
    if own != sizes {
        return Err(format!("{own:?} states, but {sizes:?}"));
    }
    let simulates = simulates(implementation, specification);
    if symbolic.simulates().map_err(text)? != simulates {
        return Err(format!("it should be {simulates} that this is a simulation"));
    }
    count(if simulates { &tally.simulated } else { &tally.not_simulated });
    let chance = 40_000 / (implementation.transition_count() * specification.transition_count() + 1);
    for proposition in 0..implementation.propositions().len() as u32 {
        let found = symbolic.cover(proposition as usize, Mutants::All).map_err(text)?;
        let mut uncovered = BTreeSet::new();
        for state in implementation.states() {
            let name = implementation.name(state);
            let values = states.values(state).ok_or("a state without values")?;
            let answer = symbolic.is_covered(&found, StateOf::System(&values)).map_err(text)?;
            let is_covered = answer.ok_or_else(|| format!("{name} is no mutant"))?;
            if !is_covered {
                uncovered.insert(name.to_owned());
            }
            if random.percent(chance.max(3)) {
                let flip = LabelFlip { state, proposition };
                if is_covered == self::simulates(&implementation.flipped(flip), specification) {
                    return Err(format!("p{proposition} of {name} should not be {answer:?}"));
                }
                if simulates {
                    count(if is_covered { &tally.covered } else { &tally.uncovered });
                }
            }
        }
        let counts = [implementation.state_count() - uncovered.len(), uncovered.len()];
        let own = [&found.covered, &found.uncovered].map(ToString::to_string);
        if own != counts.map(|count| count.to_string()) {
            return Err(format!("{own:?} states, but {counts:?}"));
        }
        let names = symbolic.uncovered_names(&found, usize::MAX).map_err(text)?;
        if names.iter().cloned().collect::<BTreeSet<_>>() != uncovered || names.len() != uncovered.len() {
            return Err(format!("{names:?}, but {uncovered:?}"));
        }
    }
    Ok(())
}

#[test]
fn systems_with_inputs_and_constraints_are_simulated_and_covered_like_their_graphs() {
    let tally = Tally::default();
    for_random_ctl_systems(2500, 300_000, |seed, system| {
        let mut random = Random::new(seed);
        let Some([own, other]) = two_systems(&mut random, system) else { return Ok(()) };
        let (Some(own_list), Some(other_list)) = (listed(&own)?, listed(&other)?) else { return Ok(()) };
        let (implementation, specification) = (&own_list.graph, &other_list.graph);
        let own_source = Source::System { system: &own.0, propositions: &own.1, announced: &[] };
        let other_source = match random.percent(20) {
            true => Source::Graph(specification),
            false => Source::System { system: &other.0, propositions: &other.1, announced: &[] },
        };
        let started = |complete| {
            let options = SymbolicOptions { complete, ..options(seed) };
            SymbolicRefinement::new(own_source, other_source, &options, &Budget::default(), &Silent)
        };
        let sides = [(Side::Implementation, implementation), (Side::Specification, specification)];
        if let Some(at) = sides.iter().position(|(_, graph)| graph.initial().is_empty()) {
            count(&tally.without_initial[at]);
            let error = started(random.percent(50)).err();
            let is_right = error == Some(RefinementError::NoInitialState(sides[at].0));
            return if is_right { Ok(()) } else { Err(format!("{error:?} without initial states")) };
        }
        let has_dead_end = sides.iter().any(|(_, graph)| graph.dead_end().is_some());
        let symbolic = started(false).map_err(text)?;
        if !check_dead_end(symbolic.dead_end(), implementation, specification) {
            return Err(format!("a dead end is {:?}", symbolic.dead_end()));
        }
        check_listed(symbolic, &own_list, implementation, specification, &mut random, &tally)?;
        if has_dead_end || random.percent(10) {
            let symbolic = started(true).map_err(text)?;
            if symbolic.dead_end().is_some() {
                return Err("a dead end with a loop".to_owned());
            }
            let (complete, other) = (implementation.completed(), specification.completed());
            check_listed(symbolic, &own_list, &complete, &other, &mut random, &tally)?;
            count(&tally.completed);
        }
        let conditions = [
            (has_dead_end, &tally.dead_ends),
            (!own.0.inputs().is_empty(), &tally.with_inputs),
            (implementation.initial().len() > 1, &tally.several_initial),
        ];
        conditions.into_iter().filter(|(holds, _)| *holds).for_each(|(_, cell)| count(cell));
        Ok(())
    });
    if is_whole_run() {
        let pairs = [&tally.simulated, &tally.not_simulated, &tally.with_inputs, &tally.several_initial];
        assert!(pairs.iter().all(|cell| cell.get() > 300), "{tally:?}");
        assert!(tally.simulated.get() + tally.not_simulated.get() > 1500, "{tally:?}");
        assert!(tally.covered.get().min(tally.uncovered.get()) > 2000, "{tally:?}");
        assert!(tally.dead_ends.get().min(tally.completed.get()) > 100, "{tally:?}");
        assert!(tally.without_initial.iter().all(|cell| cell.get() > 20), "{tally:?}");
    }
}

#[test]
fn states_have_the_names_that_lists_of_states_give_them() {
    let mut system = System::new();
    // What the front end of Lustre keeps for `pre x` is in no name.
    system.add_state("pre x", Sort::BOOL);
    let array = ArraySort { index: Sort::BitVec(1), element: Sort::BitVec(2) };
    system.add_state("memory", Sort::Array(Arc::new(array)));
    system.add_state("small", Sort::BitVec(2));
    let wide = system.add_state("wide", Sort::BitVec(17));
    let variants = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let lonely = EnumSort { name: "one".to_owned(), variants: variants(&["only"]) };
    system.add_state("single", Sort::Enum(Arc::new(lonely)));
    let place = EnumSort { name: "place".to_owned(), variants: variants(&["idle", "busy", "done"]) };
    system.add_state("place", Sort::Enum(Arc::new(place)));
    let (read, start) = (system.read(wide), system.exprs.bits(17, 70_000));
    system.set_init(wide, start);
    system.set_next(wide, read);
    let labels = [system.exprs.bool(true)];
    let limits = ExplicitLimits { states: 1000, edges: 200_000 };
    let list = list_states(&system, &[("p".to_owned(), labels[0])], &limits, &Budget::default());
    let graph = list.expect("states").graph;
    assert_eq!(graph.state_count(), 2 * 16 * 4 * 3);
    // A specification that says nothing covers nothing.
    let mut builder = GraphBuilder::new(vec!["p".to_owned()]);
    builder.add_state("anything", Label::Open);
    builder.set_initial(0);
    builder.add_transition(0, 0);
    let anything = builder.finish();
    let own = Source::System { system: &system, propositions: &labels, announced: &[] };
    let mut symbolic =
        refinement(own, Source::Graph(&anything), &SymbolicOptions::default()).expect("models");
    let found = symbolic.cover(0, Mutants::All).expect("an answer");
    let mut names = symbolic.uncovered_names(&found, usize::MAX).expect("names");
    let without_number = |name: &str| name.split(" (").next().unwrap_or_default().to_owned();
    let mut listed: Vec<String> = graph.states().map(|state| without_number(graph.name(state))).collect();
    names.sort_unstable();
    listed.sort_unstable();
    assert_eq!(names, listed);
    let one = "memory=[TRUE: 3, else: 0], small=2, wide=0x11170, single=only, place=done";
    assert_eq!(names.iter().filter(|name| *name == one).count(), 2, "{}", names[0]);
}

#[test]
fn a_model_without_initial_states_is_refused_by_its_side() {
    let good = graph_of_numbers(1, &[0], &[(0, 0)], &[("p", &[0])]);
    let nowhere = graph_of_numbers(1, &[], &[(0, 0)], &[("p", &[0])]);
    let (system, labels) = smv("MODULE main\nVAR x : boolean;\nINIT x\nINVAR !x\n", &["x"]);
    let contradiction = Source::System { system: &system, propositions: &labels, announced: &[] };
    for (empty, complete) in [(Source::Graph(&nowhere), false), (contradiction, true)] {
        let options = SymbolicOptions { complete, ..SymbolicOptions::default() };
        let message = |implementation, specification| {
            refinement(implementation, specification, &options).err().unwrap_or_default()
        };
        let good = Source::Graph(&good);
        assert_eq!(message(empty, good), "the implementation has no initial state");
        assert_eq!(message(good, empty), "the specification has no initial state");
        assert_eq!(message(empty, empty), "the implementation has no initial state");
    }
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let graph = graph_of_numbers(2, &[0], &[(0, 1), (1, 0)], &[("p", &[0])]);
    let other = graph_of_numbers(1, &[0], &[(0, 0)], &[]);
    let result = refinement(Source::Graph(&graph), Source::Graph(&other), &SymbolicOptions::default());
    assert_eq!(result.err(), Some("the models have 1 and 0 propositions".to_owned()));
    let same = Source::Graph(&graph);
    let mut symbolic = refinement(same, same, &SymbolicOptions::default()).expect("models");
    assert!(matches!(symbolic.cover(1, Mutants::All), Err(RefinementError::Malformed(_))));
    let missing = symbolic.cover(0, Mutants::Where(ExprId(0)));
    assert!(matches!(missing, Err(RefinementError::Malformed(_))));
    let found = symbolic.cover(0, Mutants::States(&[1])).expect("an answer");
    let ask = |symbolic: &SymbolicRefinement<'_>, found: &SymbolicCoverage, state: StateOf<'_>| {
        symbolic.is_covered(found, state).map_err(text)
    };
    assert_eq!(ask(&symbolic, &found, StateOf::Graph(1)), Ok(Some(true)));
    assert_eq!(ask(&symbolic, &found, StateOf::Graph(0)), Ok(None));
    let no_number = "the graph has no state with this number".to_owned();
    assert_eq!(ask(&symbolic, &found, StateOf::Graph(2)), Err(no_number));
    let by_number = "a state of a graph is given by its number".to_owned();
    assert_eq!(ask(&symbolic, &found, StateOf::System(&[])), Err(by_number));
    let (system, labels) = smv("MODULE main\nIVAR i : boolean;\nVAR x : boolean;\n", &["x"]);
    let mut with_input = system.clone();
    let input = with_input.inputs().first().copied().expect("an input");
    let reads = [with_input.read(input)];
    let source = Source::System { system: &with_input, propositions: &reads, announced: &[] };
    let result =
        SymbolicRefinement::new(source, source, &SymbolicOptions::default(), &Budget::default(), &Silent);
    assert_eq!(result.err(), Some(RefinementError::Inputs { side: Side::Implementation, proposition: 0 }));
    let source = Source::System { system: &system, propositions: &labels, announced: &[] };
    let mut symbolic = refinement(source, source, &SymbolicOptions::default()).expect("models");
    assert!(matches!(symbolic.cover(0, Mutants::States(&[0])), Err(RefinementError::Malformed(_))));
    let found = symbolic.cover(0, Mutants::All).expect("an answer");
    assert_eq!(ask(&symbolic, &found, StateOf::System(&[Value::bool(true)])), Ok(Some(false)));
    let by_values = "a state of a system is given by its values".to_owned();
    assert_eq!(ask(&symbolic, &found, StateOf::Graph(0)), Err(by_values));
    let two = Value::Bits(Bits::from_u64(2, 1));
    for values in [vec![], vec![Value::bool(true); 2], vec![two]] {
        let no_values = "these are no values of the states of the system".to_owned();
        assert_eq!(ask(&symbolic, &found, StateOf::System(&values)), Err(no_values));
    }
    let budget = Budget::default();
    budget.interrupt.raise();
    symbolic.set_budget(&budget);
    assert_eq!(symbolic.simulates(), Err(RefinementError::Stop(Stop::Cancelled)));
}
