//! Streams computed by hand, and what random programs are like.

use propcov_testkit::lustre::{
    Answer, Answers, Binary, Datum, Equation, Expr, Kind, Limits, Machine, Node, Program, Type, Unary,
    Variable, explore, lustre_program,
};

fn variable(name: &str, of: Type) -> Variable {
    Variable { name: name.to_owned(), of, range: None }
}

fn equation(target: &str, value: Expr) -> Equation {
    Equation { targets: vec![target.to_owned()], value }
}

fn program(nodes: Vec<Node>) -> Program {
    Program {
        enums: Vec::new(),
        records: Vec::new(),
        constants: Vec::new(),
        nodes,
        main_first: false,
        few_parentheses: true,
    }
}

fn node(name: &str, inputs: Vec<Variable>, outputs: Vec<Variable>, equations: Vec<Equation>) -> Node {
    Node {
        name: name.to_owned(),
        inputs,
        outputs,
        locals: Vec::new(),
        equations,
        assertions: Vec::new(),
        properties: Vec::new(),
    }
}

fn read(name: &str) -> Expr {
    Expr::variable(name)
}

/// `0 -> pre name + 1`
fn counter(name: &str) -> Expr {
    Expr::Int(0).binary(Binary::Arrow, read(name).pre().binary(Binary::Plus, Expr::Int(1)))
}

/// The streams of the variables with these names, all with the same inputs and with 70, 71, … for what is free.
fn streams(program: &Program, names: &[&str], inputs: &[Vec<Datum>]) -> Vec<Vec<String>> {
    let machine = Machine::new(program);
    let mut memory = machine.start();
    let mut streams = vec![Vec::new(); names.len()];
    let mut free = 70;
    for inputs in inputs {
        let mut choose = |_: &str, _: &Type| {
            free += 1;
            Datum::Int((free - 1).into())
        };
        let mut instant = machine.step(program, &memory, inputs, &mut choose);
        let scalars = instant.scalars();
        for (stream, name) in streams.iter_mut().zip(names) {
            let (_, value) =
                scalars.iter().find(|(other, _)| other == name).expect("a variable of that name");
            stream.push(match value {
                Datum::Int(value) => value.to_string(),
                Datum::Real(value) => value.to_string(),
                Datum::Bool(value) => String::from(if *value { "t" } else { "f" }),
                other => format!("{other:?}"),
            });
        }
        let next = instant.memory();
        memory = next;
    }
    streams
}

fn bools(values: &str) -> Vec<Vec<Datum>> {
    values.chars().map(|value| vec![Datum::Bool(value == 't')]).collect()
}

#[test]
fn a_counter_counts() {
    let main = node("top", vec![], vec![variable("x", Type::Int)], vec![equation("x", counter("x"))]);
    let streams = streams(&program(vec![main]), &["x"], &vec![vec![]; 4]);
    assert_eq!(streams, [["0", "1", "2", "3"]]);
}

#[test]
fn pre_of_an_operator_is_the_operator_of_pres_and_a_constant_stays_constant() {
    // pre (i + 5): the first i is free (70), not the sum.
    let value = read("i").binary(Binary::Plus, Expr::Int(5)).pre();
    let equations = vec![equation("x", value), equation("y", Expr::Int(3).pre())];
    let outputs = vec![variable("x", Type::Int), variable("y", Type::Int)];
    let main = node("top", vec![variable("i", Type::Int)], outputs, equations);
    let inputs: Vec<Vec<Datum>> = [1, 2, 3].iter().map(|i| vec![Datum::Int((*i).into())]).collect();
    let streams = streams(&program(vec![main]), &["x", "y"], &inputs);
    assert_eq!(streams, [["75", "6", "7"], ["3", "3", "3"]]);
}

#[test]
fn two_calls_have_two_memories_and_equal_calls_share_one() {
    let count = node(
        "count",
        vec![variable("step", Type::Int)],
        vec![variable("x", Type::Int)],
        vec![equation(
            "x",
            Expr::Int(0).binary(Binary::Arrow, read("x").pre().binary(Binary::Plus, read("step"))),
        )],
    );
    let call = |step: i64| Expr::Call(0, vec![Expr::Int(step)]);
    let equations = vec![equation("a", call(1)), equation("b", call(2).binary(Binary::Minus, call(1)))];
    let main = node("top", vec![], vec![variable("a", Type::Int), variable("b", Type::Int)], equations);
    let program = program(vec![count, main]);
    let names = ["a", "b", "count~0.x", "count~1.x", "count~1.step"];
    let streams = streams(&program, &names, &vec![vec![]; 3]);
    assert_eq!(
        streams,
        [["0", "1", "2"], ["0", "1", "2"], ["0", "1", "2"], ["0", "2", "4"], ["2", "2", "2"]]
    );
    let machine = Machine::new(&program);
    let memory = machine.start();
    let mut choose = |_: &str, _: &Type| Datum::Bool(false);
    let mut instant = machine.step(&program, &memory, &[], &mut choose);
    assert!(instant.scalars().iter().all(|(name, _)| !name.starts_with("count~2")));
}

#[test]
fn under_condact_time_stands_still_but_variables_are_seen() {
    let count = node("count", vec![], vec![variable("x", Type::Int)], vec![equation("x", counter("x"))]);
    let condact = Expr::Condact(Box::new(read("c")), 0, vec![], vec![Expr::Int(9).negated()]);
    let main = node(
        "top",
        vec![variable("c", Type::Bool)],
        vec![variable("y", Type::Int)],
        vec![equation("y", condact)],
    );
    let names = ["y", "count~condact~0.x", "count~condact~0.~init", "count~condact~0.x~clocked"];
    let streams = streams(&program(vec![count, main]), &names, &bools("fttft"));
    assert_eq!(
        streams,
        [
            ["-9", "0", "1", "1", "2"],
            ["0", "0", "1", "2", "2"],
            ["t", "t", "f", "f", "f"],
            ["-9", "0", "1", "1", "2"]
        ]
    );
}

#[test]
fn quotients_and_remainders_are_euclidean() {
    let operations = [(7, 2), (-7, 2), (7, -2), (-7, -2), (-6, 3)];
    for ((a, b), expected) in operations.into_iter().zip([(3, 1), (-4, 1), (-3, 1), (4, 1), (-2, 0)]) {
        let equations = vec![
            equation("q", Expr::int(a).binary(Binary::Div, Expr::int(b))),
            equation("r", Expr::int(a).binary(Binary::Mod, Expr::int(b))),
        ];
        let main = node("top", vec![], vec![variable("q", Type::Int), variable("r", Type::Int)], equations);
        let streams = streams(&program(vec![main]), &["q", "r"], &[vec![]]);
        assert_eq!(streams, [[expected.0.to_string()], [expected.1.to_string()]], "{a} and {b}");
    }
}

#[test]
fn an_element_outside_of_an_array_is_its_last_one_and_is_not_written() {
    let array = || Expr::Array(vec![Expr::Int(10), Expr::Int(20)]);
    let of = Type::Array(Box::new(Type::Int), 2);
    let element = |index: Expr| Expr::Element(Box::new(read("a")), Box::new(index));
    let update = Expr::ElementUpdate(Box::new(read("a")), Box::new(read("i")), Box::new(Expr::Int(5)));
    let equations = vec![equation("a", array()), equation("x", element(read("i"))), equation("b", update)];
    let outputs = vec![variable("a", of.clone()), variable("x", Type::Int), variable("b", of)];
    let main = node("top", vec![variable("i", Type::Int)], outputs, equations);
    let inputs: Vec<Vec<Datum>> = [-1, 0, 1, 2].iter().map(|i| vec![Datum::Int((*i).into())]).collect();
    let streams = streams(&program(vec![main]), &["x", "b[0]", "b[1]"], &inputs);
    assert_eq!(streams, [["20", "10", "20", "20"], ["10", "5", "10", "10"], ["20", "20", "5", "20"]]);
}

fn with_property(claim: Expr, assertions: Vec<Expr>) -> Program {
    // x counts while the input is true and wraps at 3.
    let last = || read("x").pre();
    let wrapped = Expr::Int(0)
        .when(last().binary(Binary::GreaterEqual, Expr::Int(3)), last().binary(Binary::Plus, Expr::Int(1)));
    let value = Expr::Int(0).binary(Binary::Arrow, wrapped.when(read("i"), last()));
    let mut main = node(
        "top",
        vec![variable("i", Type::Bool)],
        vec![variable("x", Type::Int), variable("p", Type::Bool)],
        vec![equation("x", value), equation("p", claim)],
    );
    main.assertions = assertions;
    main.properties = vec!["p".to_owned()];
    program(vec![main])
}

fn answers(program: &Program) -> Answers {
    explore(program, Limits::default()).expect("few states")
}

#[test]
fn the_oracle_finds_shortest_violations() {
    let at_most = |bound| read("x").binary(Binary::LessEqual, Expr::Int(bound));
    assert_eq!(answers(&with_property(at_most(3), vec![])).of("p"), Some(Answer::Holds));
    assert_eq!(answers(&with_property(at_most(2), vec![])).of("p"), Some(Answer::Violated { depth: 3 }));
    // Never true twice in a row, so it takes longer.
    let twice = Expr::Unary(Unary::Not, Box::new(read("i").binary(Binary::And, read("i").pre())));
    let rarely = Expr::Bool(true).binary(Binary::Arrow, twice);
    let slow = with_property(at_most(2), vec![rarely]);
    assert_eq!(answers(&slow).of("p"), Some(Answer::Violated { depth: 5 }));
    // The violating step itself has to satisfy the assertion.
    let never = read("x").binary(Binary::NotEqual, Expr::Int(3));
    assert_eq!(answers(&with_property(at_most(2), vec![never])).of("p"), Some(Answer::Holds));
}

#[test]
fn the_oracle_tries_all_values_before_the_first_step() {
    let free = with_property(read("i").pre(), vec![]);
    assert_eq!(answers(&free).of("p"), Some(Answer::Violated { depth: 0 }));
    let same = read("i").pre().binary(Binary::Equal, read("i").pre());
    assert_eq!(answers(&with_property(same, vec![])).of("p"), Some(Answer::Holds));
}

#[test]
fn the_oracle_gives_up_on_what_has_no_bounds() {
    let mut main = node("top", vec![], vec![variable("x", Type::Int)], vec![equation("x", counter("x"))]);
    main.locals = vec![variable("p", Type::Bool)];
    main.equations.push(equation("p", read("x").binary(Binary::GreaterEqual, Expr::Int(0))));
    main.properties = vec!["p".to_owned()];
    assert_eq!(explore(&program(vec![main]), Limits::default()), None);
}

#[test]
fn random_programs_hold_and_fail_at_various_depths() {
    let (mut decided, mut holds, mut depths) = (0, 0, [0; 5]);
    let (mut condacts, mut calls, mut records, mut arrays, mut unguarded) = (0, 0, 0, 0, 0);
    let count = 600;
    for seed in 0..count {
        let program = lustre_program(Kind::Bounded, seed);
        let text = program.text();
        condacts += usize::from(text.contains("condact("));
        calls += usize::from(text.contains("= n0("));
        records += usize::from(text.contains(": Pair"));
        arrays += usize::from(text.contains("[2];") || text.contains("[3];"));
        unguarded += usize::from(text.contains("= pre "));
        let Some(answers) = explore(&program, Limits::default()) else { continue };
        decided += 1;
        for (_, answer) in answers.properties {
            match answer {
                Answer::Holds => holds += 1,
                Answer::Violated { depth } => depths[depth.min(4)] += 1,
            }
        }
    }
    let all: usize = holds + depths.iter().sum::<usize>();
    assert!(decided * 100 > count * 95, "{decided} of {count} decided");
    assert!((30..80).contains(&(holds * 100 / all)), "{holds} of {all} hold");
    assert!(depths.iter().all(|found| found * 100 >= all), "{depths:?} of {all}");
    let kinds = [condacts, calls, records, arrays, unguarded];
    assert!(kinds.iter().all(|found| found * 100 >= 2 * count as usize), "{kinds:?} of {count}");
}
