//! Models in SMV: examples, and some that inputs make difficult.

use super::*;

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
