//! Names, and what cannot be answered.

use super::*;

#[test]
fn states_have_the_names_that_lists_of_states_give_them() {
    let mut system = System::new();
    // What the front end of Lustre keeps for `pre x` is in no name.
    let kept = system.add_state("pre x", Sort::BOOL);
    system.set_origin(kept, propcov_ir::Origin::Helper);
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
