//! Witnesses say what the traces say.

use crate::common::Random;
use propcov_frontend::{WitnessError, aiger, btor2};
use propcov_ir::{ArrayValue, Bits, Sort, Step, Trace, Value};

fn bit(value: bool) -> Value {
    Value::bool(value)
}

#[test]
fn an_aiger_counterexample_is_read_back_as_it_was() {
    let design = aiger::parse("t.aag", b"aag 3 2 1 1 0\n2\n4\n6 2 6\n6\n").unwrap();
    for seed in 0..100 {
        let mut random = Random(seed);
        let steps: Vec<Step> = (0..=random.below(4))
            .map(|_| Step {
                inputs: vec![bit(random.flip()), bit(random.flip())],
                states: vec![bit(random.flip())],
                ..Step::default()
            })
            .collect();
        let trace = Trace { steps };
        let text = aiger::witness::counterexample(&design.model, 0, &trace).unwrap();
        let witness = aiger::witness::parse("w", text.as_bytes(), &design.model)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let bits = |values: &[Value]| values.iter().map(Value::as_bool).collect::<Vec<_>>();
        assert_eq!(witness.bad, 0);
        assert_eq!(witness.latches, bits(&trace.steps[0].states));
        let inputs: Vec<_> = trace.steps.iter().map(|step| bits(&step.inputs)).collect();
        assert_eq!(witness.inputs, inputs, "seed {seed}");
    }
}

#[test]
fn an_aiger_counterexample_has_the_competitions_form() {
    let model = aiger::parse("t.aag", b"aag 3 2 1 1 0\n2\n4\n6 2 6\n6\n").unwrap().model;
    let step = |a, b, l| Step { inputs: vec![bit(a), bit(b)], states: vec![bit(l)], ..Step::default() };
    let trace = Trace { steps: vec![step(true, false, false), step(false, false, true)] };
    let text = aiger::witness::counterexample(&model, 0, &trace).unwrap();
    assert_eq!(text, "1\nb0\n0\n10\n00\n.\n");
    assert_eq!(aiger::witness::counterexample(&model, 0, &Trace::default()), Err(WitnessError::Empty));
    let short =
        Trace { steps: vec![Step { inputs: vec![bit(true)], states: vec![bit(true)], ..Step::default() }] };
    assert_eq!(
        aiger::witness::counterexample(&model, 0, &short),
        Err(WitnessError::Arity { step: 0, what: "inputs", expected: 2, found: 1 })
    );
    for wrong in [
        "",
        "0\nb0\n0\n.\n",
        "1\nb1\n0\n.\n",
        "1\nb0\n00\n.\n",
        "1\nb0\n0\n1\n.\n",
        "1\nb0\n0\n12\n.\n",
        "1\nb0\n0\n10\n",
    ] {
        assert!(aiger::witness::parse("w", wrong.as_bytes(), &model).is_err(), "{wrong:?}");
    }
}

const MODEL: &str = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 2\n4 input 2 a\n5 input 3 ram\n6 zero 2\n7 state 2 fixed\n\
    8 init 2 7 6\n9 next 2 7 4\n10 state 2 open\n11 next 2 10 7\n12 state 3 memory\n13 state 2 loose\n14 init 2 13 6\n15 redor 1 10\n\
    16 bad 15\n";

#[test]
fn a_btor2_counterexample_lists_what_the_model_leaves_open() {
    let system = btor2::FRONTEND.read("m.btor2", MODEL.as_bytes()).unwrap().system;
    let word = |value| Value::Bits(Bits::from_u64(4, value));
    let Sort::Array(sort) = &system.signal(system.states()[2]).sort else { panic!() };
    let mut memory = ArrayValue::constant(sort.clone(), word(9));
    memory.write(Bits::from_u64(4, 2), word(5));
    let mut ram = ArrayValue::constant(sort.clone(), word(0));
    ram.write(Bits::from_u64(4, 1), word(15));
    let step = |n| Step {
        inputs: vec![word(n), Value::Array(ram.clone())],
        states: vec![word(0), word(n), Value::Array(memory.clone()), word(3)],
        ..Step::default()
    };
    let trace = Trace { steps: vec![step(6), step(7)] };
    let text = btor2::witness::counterexample(&system, 0, &trace).unwrap();
    insta::assert_snapshot!(text, @r"
    sat
    b0
    #0
    1 0110 open#0
    2 [*] 1001 memory#0
    2 [0010] 0101 memory#0
    @0
    0 0110 a@0
    1 [0001] 1111 ram@0
    #1
    2 [*] 1001 memory#1
    2 [0010] 0101 memory#1
    3 0011 loose#1
    @1
    0 0111 a@1
    1 [0001] 1111 ram@1
    .
    ");
    let witness = btor2::witness::parse("w", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(witness.bads, [0]);
    assert_eq!(witness.frames.len(), 2);
    let positions = |assignments: &[btor2::witness::Assignment]| -> Vec<usize> {
        assignments.iter().map(|assignment| assignment.position).collect()
    };
    assert_eq!(positions(&witness.frames[0].states), [1, 2, 2]);
    assert_eq!(positions(&witness.frames[1].states), [2, 2, 3]);
    assert_eq!(positions(&witness.frames[0].inputs), [0, 1]);
    assert_eq!(witness.frames[0].states[0].value, Bits::from_u64(4, 6));
    assert_eq!(witness.frames[1].inputs[0].value, Bits::from_u64(4, 7));
    assert_eq!(witness.frames[0].states[1].index, Some(btor2::witness::Index::Others));
    for wrong in [
        "",
        "unsat\n",
        "sat\nx0\n",
        "sat\nb0\n0 1\n.\n",
        "sat\nb0\n#1\n.\n",
        "sat\nb0\n#0\n0 2\n.\n",
        "sat\nb0\n#0\n",
    ] {
        assert!(btor2::witness::parse("w", wrong.as_bytes()).is_err(), "{wrong:?}");
    }
}

#[test]
fn an_array_input_that_is_not_zero_lists_every_index() {
    let system = btor2::FRONTEND.read("m.btor2", MODEL.as_bytes()).unwrap().system;
    let word = |value| Value::Bits(Bits::from_u64(4, value));
    let Sort::Array(sort) = &system.signal(system.inputs()[1]).sort else { panic!() };
    let ones = Value::Array(ArrayValue::constant(sort.clone(), word(15)));
    let step = Step {
        inputs: vec![word(0), ones.clone()],
        states: vec![word(0), word(0), ones, word(0)],
        ..Step::default()
    };
    let text = btor2::witness::counterexample(&system, 0, &Trace { steps: vec![step] }).unwrap();
    let witness = btor2::witness::parse("w", text.as_bytes()).unwrap();
    let listed = witness.frames[0].inputs.iter().filter(|a| a.position == 1 && a.value == Bits::ones(4));
    assert_eq!(listed.count(), 16);
}
