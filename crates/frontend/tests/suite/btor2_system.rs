//! What a BTOR2 file means.

use propcov_frontend::{Design, InputError, btor2};
use propcov_ir::{
    ArrayValue, Bits, Edits, ElementKind, Fairness, Interpreter, PropertyKind, Region, SignalId, Step, Value,
};

fn read(path: &str, bytes: &[u8]) -> Result<Design, InputError> {
    btor2::FRONTEND.read(path, bytes)
}

const COUNTER: &str = "; a counter with a memory
1 sort bitvec 1
2 sort bitvec 4
3 sort array 2 2 ; sixteen words
4 input 1 enable
5 constd 2 -1
6 zero 2
7 state 2 count
8 init 2 7 6
9 inc 2 7
10 ite 2 4 9 7 following ; named
11 next 2 7 10
12 state 3 memory
13 init 3 12 5
14 write 3 12 7 9
  15 next 3 12 14
16 read 2 12 7
17 eq 1 16 6
18 bad 17 clash
19 bad -17
20 constraint 4
21 constraint -1
";

fn counter() -> String {
    COUNTER.replace("21 constraint -1\n", "21 fair -4\n22 justice 2 4 17\n23 output 16 data\n24 output 7\n")
}

#[test]
fn every_definition_is_an_element_with_name_and_place() {
    let design = read("counter.btor2", counter().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let system = &design.system;
    system.validate().unwrap();
    let elements: Vec<String> = (system.elements().iter())
        .map(|element| {
            let Some(Region::Text { line, column, end_column, .. }) = element.span().map(|span| span.region)
            else {
                panic!("{element:?}")
            };
            format!("{} {} {line}:{column}-{end_column}", element.name, element.kind.name())
        })
        .collect();
    insta::assert_snapshot!(elements.join("\n"), @r"
    count.init init 9:1-12
    n9 gate 10:1-9
    following equation 11:1-24
    count register 12:1-14
    memory.init init 14:1-14
    n14 gate 15:1-17
    memory register 16:3-17
    n16 gate 17:1-14
    n17 gate 18:1-12
    constraint0 assumption 21:1-15
    ");
    let names = |signals: &[SignalId]| -> Vec<String> {
        signals.iter().map(|signal| system.signal(*signal).name.clone()).collect()
    };
    assert_eq!(names(system.inputs()), ["enable"]);
    assert_eq!(names(system.states()), ["count", "memory"]);
    let outputs: Vec<&str> = system.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(outputs, ["data", "output1"]);
    let properties: Vec<(&str, bool)> = (system.properties().iter())
        .map(|property| (property.name.as_str(), matches!(property.kind, PropertyKind::Invariant(_))))
        .collect();
    assert_eq!(properties, [("clash", true), ("bad1", true), ("justice0", false)]);
    assert!(matches!(system.fairness[..], [Fairness::Justice(_)]));
    assert!(design.warnings.is_empty(), "{:?}", design.warnings);
    assert!(system.elements().iter().any(|element| element.kind == ElementKind::Equation));
}

#[test]
fn a_negated_sort_is_no_condition() {
    let error = read("counter.btor2", COUNTER.as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "counter.btor2:22:15: expected a node with a value, found 1, which is `sort` on line 2"
    );
}

#[test]
fn arrays_start_with_one_value_everywhere_and_are_written() {
    let design = read("counter.btor2", counter().as_bytes()).unwrap();
    let system = &design.system;
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).unwrap();
    let word = |value: u64| Value::Bits(Bits::from_u64(4, value));
    let propcov_ir::Sort::Array(sort) = &system.signal(system.states()[1]).sort else { panic!() };
    let full = ArrayValue::constant(sort.clone(), word(15));
    let step = Step {
        inputs: vec![Value::bool(true)],
        states: vec![word(3), Value::Array(full.clone())],
        ..Step::default()
    };
    let mut frame = interpreter.frame(&step).unwrap();
    assert_eq!(frame.initial_values().unwrap(), [Some(word(0)), Some(Value::Array(full.clone()))]);
    let mut written = full;
    written.write(Bits::from_u64(4, 3), word(4));
    assert_eq!(frame.successor_values().unwrap(), [Some(word(4)), Some(Value::Array(written))]);
}

#[test]
fn constants_are_read_in_every_notation() {
    let text = "1 sort bitvec 8\n2 const 1 10000001\n3 constd 1 200\n4 constd 1 -128\n5 consth 1 fE\n6 consth 1 000aB\n\
                7 zero 1\n8 one 1\n9 ones 1\n10 constd 1 -1\n11 constd 1 -0\n12 output 2\n13 output 3\n14 output 4\n\
                15 output 5\n16 output 6\n17 output 7\n18 output 8\n19 output 9\n20 output 10\n21 output 11\n22 output -8\n";
    let design = read("constants.btor2", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let edits = Edits::none();
    let interpreter = Interpreter::new(&design.system, &edits).unwrap();
    let mut frame = interpreter.frame(&Step::default()).unwrap();
    let expected = [0x81, 200, 128, 0xfe, 0xab, 0, 1, 255, 255, 0, 0xfe];
    assert_eq!(design.system.outputs.len(), expected.len());
    for (output, expected) in design.system.outputs.iter().zip(expected) {
        let expected = Value::Bits(Bits::from_u64(8, expected));
        assert_eq!(frame.value(output.expr).unwrap(), expected, "{}", output.name);
    }
    assert!(design.system.elements().is_empty(), "constants are no elements");
}

#[test]
fn windows_line_ends_blank_lines_and_tabs_are_no_problem() {
    let design =
        read("dos.btor2", b"\r\n1 sort bitvec 8\r\n\r\n\t2  input\t1 \r\n;\r\n3 state 1 s\r\n").unwrap();
    assert_eq!(design.system.signal(design.system.states()[0]).name, "s");
    assert_eq!(design.system.signal(design.system.inputs()[0]).name, "n2");
}
