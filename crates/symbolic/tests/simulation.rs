//! Simulation and its coverage by decision diagrams, against the definitions: random pairs of graphs, the same as systems, and models in SMV.

use propcov_certify::{ExplicitLimits, list_graph};
use propcov_frontend::{Extra, read_with};
use propcov_ir::{ExprId, Graph, LabelFlip, Sort, System, Value};
use propcov_sat::Budget;
use propcov_symbolic::Silent;
use propcov_symbolic::bdd::Stop;
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    Mutants, RefinementError, Side, Source, SymbolicCoverage, SymbolicOptions, SymbolicRefinement,
};
use propcov_testkit::{
    GraphPair, Kripke, KripkeSystem, PairSizes, Random, covered_flips, for_pairs, for_random_pairs,
    graph_of_numbers, greatest_simulation, is_whole_run, kripke_system, random_pair, reachable_simulation,
    simulates,
};
use std::cell::Cell;
use std::collections::BTreeSet;

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

fn refinement<'a>(
    implementation: Source<'a>,
    specification: Source<'a>,
    options: &SymbolicOptions,
) -> Result<SymbolicRefinement<'a>, String> {
    SymbolicRefinement::new(implementation, specification, options, &Budget::default(), &Silent)
        .map_err(|error| error.to_string())
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
        if symbolic.simulates().map_err(|error| error.to_string())? != simulates {
            return Err(format!("it should be {simulates} that this is a simulation"));
        }
        simulated.set(simulated.get() + usize::from(simulates));
        let why = symbolic.unsimulated(&Budget::default()).map_err(|error| error.to_string())?;
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
                let found = symbolic.cover(proposition, mutants).map_err(|error| error.to_string())?;
                let asked = |state: u32| matches!(mutants, Mutants::All) || some.contains(&state);
                let expected = expected(pair, &covered, proposition as u32, &asked);
                let answers: Vec<Option<bool>> =
                    implementation.states().map(|state| symbolic.is_covered(&found, state)).collect();
                compare(&found, &answers, &expected, pair)?;
                let uncovered =
                    implementation.states().filter(|state| expected[*state as usize] == Some(false));
                let names: Vec<&str> = uncovered.map(|state| implementation.name(state)).collect();
                let listed = symbolic.uncovered_names(&found, 100).map_err(|error| error.to_string())?;
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
                let found = symbolic.cover(proposition, Mutants::All).map_err(|error| error.to_string())?;
                let expected = expected(pair, &covered, proposition as u32, &|_| true);
                let answers: Vec<Option<bool>> =
                    implementation.states().map(|state| symbolic.is_covered(&found, state)).collect();
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
            if symbolic.simulates().map_err(|error| error.to_string())? != simulates {
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
                    let found = symbolic.cover(proposition, mutants).map_err(|error| error.to_string())?;
                    let asked =
                        |state: u32| matches!(mutants, Mutants::All) || some.contains(&(state as usize));
                    let expected = expected(pair, &covered, proposition as u32, &asked);
                    let answer = |state: u32| -> Result<Option<bool>, RefinementError> {
                        match is_system {
                            true => symbolic.is_covered_at(&found, &[Value::Enum(places.clone(), state)]),
                            false => Ok(symbolic.is_covered(&found, state)),
                        }
                    };
                    let answers = implementation.states().map(answer).collect::<Result<Vec<_>, _>>();
                    compare(&found, &answers.map_err(|error| error.to_string())?, &expected, pair)?;
                    if is_system {
                        let uncovered =
                            implementation.states().filter(|state| expected[*state as usize] == Some(false));
                        let names: Vec<String> = uncovered.map(|state| format!("place=s{state}")).collect();
                        let listed =
                            symbolic.uncovered_names(&found, 100).map_err(|error| error.to_string())?;
                        if listed != names {
                            return Err(format!("{listed:?}, but {names:?}"));
                        }
                        let cover = symbolic.uncovered_cubes(&found, Vocabulary::default(), 100);
                        let cover = cover.map_err(|error| error.to_string())?.ok_or("no products")?;
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
        let found = symbolic.cover(0, Mutants::All).map_err(|error| error.to_string())?;
        let answers: Vec<Option<bool>> =
            implementation.states().map(|state| symbolic.is_covered(&found, state)).collect();
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
        assert_eq!(
            (&found.reachable, &found.mutants, &found.covered),
            (&again.reachable, &again.mutants, &again.covered)
        );
        let uncovered: BTreeSet<String> =
            by_systems.uncovered_names(&found, usize::MAX).expect("names").into_iter().collect();
        for state in graph.states() {
            let is_covered = by_graphs.is_covered(&again, state).expect("a mutant");
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
    let budget = Budget::default();
    budget.interrupt.raise();
    symbolic.set_budget(&budget);
    assert_eq!(symbolic.simulates(), Err(RefinementError::Stop(Stop::Cancelled)));
}
