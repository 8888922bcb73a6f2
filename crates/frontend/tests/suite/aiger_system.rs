//! What an AIGER file means.

use crate::{aiger_round_trip::random_model, common::Random};
use propcov_frontend::aiger::{Literal, Model, Parsed, Reset, parse, print_ascii, to_system};
use propcov_frontend::read;
use propcov_ir::{
    Edits, ElementKind, Fairness, Interpreter, PropertyKind, Region, Site, SourceFile, Step, Value,
};
use std::collections::HashMap;

#[test]
fn every_definition_is_an_element_with_name_and_place() {
    let text = b"aag 6 1 3 1 2 1 1 1 1\n2\n4 10\n6 12 1\n8 2 8\n10\n13\n3\n2\n4\n6\n7\n10 2 4\n12 11 7\n\
                 i0 request\nl0 busy\nb0 never\nc0 quiet\nj0 live\n";
    let design = read("arbiter.aag", text).unwrap();
    let system = &design.system;
    system.validate().unwrap();
    let elements: Vec<String> = (system.elements().iter())
        .map(|element| {
            let Some(Region::Text { line, column: 1, end_column, .. }) =
                element.span().map(|span| span.region)
            else {
                panic!("{element:?}")
            };
            format!("{} {} {line}:{end_column}", element.name, element.kind.name())
        })
        .collect();
    insta::assert_snapshot!(elements.join("\n"), @r"
    busy.init init 3:4
    busy register 3:4
    l1.init init 4:6
    l1 register 4:6
    l2 register 5:5
    and5 gate 13:6
    and6 gate 14:7
    quiet assumption 8:1
    ");
    let names = |signals: &[propcov_ir::SignalId]| -> Vec<String> {
        signals.iter().map(|signal| system.signal(*signal).name.clone()).collect()
    };
    assert_eq!(names(system.inputs()), ["request"]);
    assert_eq!(names(system.states()), ["busy", "l1", "l2"]);
    assert_eq!(names(system.wires()), ["and5", "and6"]);
    assert_eq!(system.outputs[0].name, "o0");
    assert_eq!(system.constraints()[0].name, "quiet");
    assert!(matches!(system.fairness[..], [Fairness::Justice(_)]));
    let properties: Vec<(&str, bool)> = (system.properties().iter())
        .map(|property| (property.name.as_str(), matches!(property.kind, PropertyKind::Invariant(_))))
        .collect();
    assert_eq!(properties, [("never", true), ("live", false)]);
    assert!(design.warnings.is_empty());
}

#[test]
fn outputs_of_a_1_0_file_are_bad_states_and_outputs() {
    let design = read("old.aag", b"aag 1 1 0 2 0\n2\n2\n3\no1 alarm\n").unwrap();
    let names: Vec<&str> = design.system.properties().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["o0", "alarm"]);
    assert_eq!(design.system.outputs.len(), 2);
    assert!(design.warnings.is_empty());
}

#[test]
fn binary_gates_have_byte_ranges() {
    let bytes = b"aig 131 130 0 1 1\n262\n\x01\x81\x02";
    let design = read("wide.aig", bytes).unwrap();
    let [gate] = design.system.elements() else { panic!("{:?}", design.system.elements()) };
    assert_eq!(gate.kind, ElementKind::Gate);
    assert_eq!(gate.span().unwrap().region, Region::Bytes { start: 22, end: 25 });
}

#[test]
fn names_that_occur_twice_stay_apart() {
    let design = read("twins.aag", b"aag 3 3 0 0 0\n2\n4\n6\ni0 x\ni1 x\ni2 x\n").unwrap();
    let names: Vec<&str> = design.system.signals().iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(names, ["x", "x#2", "x#3"]);
}

/// The obvious evaluator of and-inverter graphs.
struct Reference<'m> {
    model: &'m Model,
    leaves: HashMap<u32, bool>,
}

impl Reference<'_> {
    fn value(&self, literal: Literal) -> bool {
        let variable = literal.variable();
        let gate = || self.model.ands.iter().find(|and| and.output.variable() == variable);
        let value = match self.leaves.get(&variable) {
            Some(value) => *value,
            None => gate().is_some_and(|and| self.value(and.left) && self.value(and.right)),
        };
        value != literal.is_negated()
    }
}

#[test]
fn random_models_and_their_systems_compute_the_same() {
    let edits = Edits::none();
    for seed in 0..1000 {
        let mut random = Random(seed);
        let model = random_model(&mut random);
        let parsed: Parsed = parse("random.aag", &print_ascii(&model)).unwrap();
        let (system, _) = to_system(&SourceFile::new("random.aag", []), &parsed);
        system.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut bits = |count: usize| (0..count).map(|_| random.flip()).collect::<Vec<bool>>();
        let (inputs, latches) = (bits(model.inputs.len()), bits(model.latches.len()));
        let leaves = (model.inputs.iter().copied().zip(inputs.iter().copied()))
            .chain(model.latches.iter().map(|latch| latch.current).zip(latches.iter().copied()))
            .map(|(literal, value)| (literal.variable(), value));
        let reference = Reference { model: &model, leaves: leaves.collect() };
        let values = |bits: &[bool]| bits.iter().map(|bit| Value::bool(*bit)).collect();
        let step = Step { inputs: values(&inputs), states: values(&latches), ..Step::default() };
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        let mut frame = interpreter.frame(&step).unwrap();
        let check = |found: Value, expected: Literal, what: &str| {
            assert_eq!(found, Value::bool(reference.value(expected)), "seed {seed}: {what}");
        };
        for (next, latch) in frame.successor_values().unwrap().into_iter().zip(&model.latches) {
            check(next.unwrap(), latch.next, "next");
        }
        for (init, latch) in frame.initial_values().unwrap().into_iter().zip(&model.latches) {
            let expected = match latch.reset {
                Reset::Zero => Some(Value::bool(false)),
                Reset::One => Some(Value::bool(true)),
                Reset::Open => None,
            };
            assert_eq!(init, expected, "seed {seed}");
        }
        for (output, literal) in system.outputs.iter().zip(&model.outputs) {
            check(frame.value(output.expr).unwrap(), *literal, "output");
        }
        for (constraint, literal) in system.constraints().iter().zip(&model.constraints) {
            check(frame.value(constraint.expr).unwrap(), *literal, "constraint");
        }
        for (property, literal) in system.properties().iter().zip(model.bad_states()) {
            let PropertyKind::Invariant(good) = property.kind else { panic!("{property:?}") };
            check(frame.value(good).unwrap(), !*literal, "property");
        }
        let justice = &system.properties()[model.bad_states().len()..];
        for (property, literals) in justice.iter().zip(&model.justice) {
            let PropertyKind::Justice(exprs) = &property.kind else { panic!("{property:?}") };
            for (expr, literal) in exprs.iter().zip(literals) {
                check(frame.value(*expr).unwrap(), *literal, "justice");
            }
        }
        let sites = model.latches.iter().filter(|latch| latch.reset != Reset::Open).count();
        let elements = model.latches.len() + sites + model.ands.len() + model.constraints.len();
        assert_eq!(system.elements().len(), elements, "seed {seed}");
        assert!(system.wires().iter().all(|wire| system.element_at(Site::Wire(*wire)).is_some()));
    }
}
