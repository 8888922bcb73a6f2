//! Words taken apart: what becomes of elements, and what one open bit means. That nothing else changes is tested with random
//! systems, in the testkit.

use propcov_ir::{
    Bits, Edit, Edits, ElementId, ElementKind, ElementSet, FileId, Interpreter, Mutation, Parent,
    PropertyKind, Region, Scope, SignalId, Site, Sort, SourceFile, Span, SplitOrigin, Step, System, Value,
    WholeId,
};
use std::collections::BTreeMap;

const PLACE: Region = Region::Bytes { start: 7, end: 9 };

/// A counter of 3 bits, a flag, a memory, and a wire with a name that a bit of the counter would like to have.
fn design() -> System {
    let mut system = System::new();
    let file = system.add_file(SourceFile::new("design", *b"text"));
    let span = Some(Span { file, region: PLACE });
    let count = system.add_state("count", Sort::BitVec(3));
    let flag = system.add_state("flag", Sort::BOOL);
    let memory = system.add_state("memory", Sort::array(Sort::BOOL, Sort::BitVec(2)));
    let (now, one, zero) = (system.read(count), system.exprs.bits(3, 1), system.exprs.bits(3, 0));
    let next = system.exprs.apply(propcov_ir::BinaryOp::Add, now, one);
    let masked = system.exprs.and(now, one);
    let wire = system.add_wire("count[1]", masked);
    let (flagged, stored) = (system.read(flag), system.read(memory));
    system.set_init(count, zero);
    system.set_next(count, next);
    system.set_next(flag, flagged);
    system.set_next(memory, stored);
    system.add_element("count.init", ElementKind::Init, Site::Init(count), span);
    system.add_element("count", ElementKind::Register, Site::Next(count), span);
    system.add_element("flag", ElementKind::Register, Site::Next(flag), None);
    system.add_element("memory", ElementKind::Register, Site::Next(memory), None);
    system.add_element("count[1]", ElementKind::Equation, Site::Wire(wire), None);
    let yes = system.exprs.bool(true);
    system.add_property("yes", PropertyKind::Invariant(yes), None);
    system.validate().expect("valid");
    system
}

#[test]
fn only_words_are_split_and_their_bits_take_their_place() {
    let system = design();
    let split = system.split_bits(&system.element_ids().collect());
    split.system.validate().expect("still valid");
    let names: Vec<&str> = split.system.elements().iter().map(|element| element.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "count.init",
            "count[0]",
            "count[1]",
            "count[2]",
            "flag",
            "memory",
            "count[1][0]",
            "count[1][1]",
            "count[1][2]",
        ]
    );
    let origins: Vec<(u32, Option<u32>)> =
        split.origin.iter().map(|SplitOrigin { element, bit }| (element.0, *bit)).collect();
    let bits = |element| (0..3).map(move |bit| (element, Some(bit)));
    let expected: Vec<_> =
        [(0, None)].into_iter().chain(bits(1)).chain([(2, None), (3, None)]).chain(bits(4)).collect();
    assert_eq!(origins, expected);
    let bit = split.system.element(ElementId(2));
    assert_eq!(bit.kind, ElementKind::Register);
    assert_eq!(bit.spans, [Span { file: FileId(0), region: PLACE }]);
    let Site::Wire(wire) = bit.site else { panic!("{bit:?}") };
    assert_eq!(split.system.signal(wire).sort, Sort::BOOL);
    assert_eq!(split.system.element_at(bit.site), Some(ElementId(2)));
    assert_eq!(split.system.element_at(Site::Next(SignalId(0))), None);
}

#[test]
fn a_name_that_stays_in_use_is_not_given_to_a_bit() {
    let system = design();
    let only_count: ElementSet = [ElementId(1)].into_iter().collect();
    let split = system.split_bits(&only_count);
    let names: Vec<&str> = split.system.elements().iter().map(|element| element.name.as_str()).collect();
    assert_eq!(names, ["count.init", "count[0]", "count[1]#2", "count[2]", "flag", "memory", "count[1]"]);
    let new: Vec<&str> =
        split.system.signals()[system.signals().len()..].iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(new, ["count[0]", "count[1]#2", "count[2]"]);
}

#[test]
fn an_open_bit_of_a_register_is_a_bit_of_its_next_value() {
    let system = design();
    let split = system.split_bits(&[ElementId(1)].into_iter().collect()).system;
    let bit = ElementId(2);
    let edits: Vec<Mutation> = split.mutants_of(bit).iter().map(|mutant| mutant.mutation).collect();
    assert_eq!(edits, [Mutation::Free, Mutation::Zero, Mutation::One]);
    let free = Edits::one(bit, Edit::Free);
    let interpreter = Interpreter::new(&split, &free).expect("no loops");
    let word = |value| Value::Bits(Bits::from_u64(3, value));
    let sorts = split.states().iter().map(|state| split.signal(*state).sort.clone());
    let mut states: Vec<Value> = sorts.map(|sort| Value::zero(&sort)).collect();
    states[0] = word(3);
    for (choice, expected) in [(false, 4), (true, 6)] {
        let free = BTreeMap::from([(bit, Value::bool(choice))]);
        let step = Step { inputs: Vec::new(), states: states.clone(), free };
        let mut frame = interpreter.frame(&step).expect("fits");
        assert_eq!(frame.successor_values().expect("evaluates")[0], Some(word(expected)));
    }
}

#[test]
fn bits_are_parts_of_their_word() {
    let mut system = design();
    let [init, count, flag] = ["count.init", "count", "flag"].map(|name| system.element_named(name).unwrap());
    let (scope, signal) = (Scope::TOP.child("top"), system.signal_named("count").unwrap());
    system.set_scope(count, scope.clone());
    system.add_alias(signal, "n");
    // The flag is a part of the word before it is split.
    system.set_parent(flag, Parent::Element(count));
    system.set_parent(count, Parent::Element(init));
    let split = system.split_bits(&[count].into_iter().collect()).system;
    let [whole] = split.wholes() else { panic!("{:?}", split.wholes()) };
    assert_eq!((whole.name.as_str(), whole.kind, &whole.scope), ("count", ElementKind::Register, &scope));
    assert_eq!(whole.defines, ["count"]);
    assert_eq!(whole.spans, system.element(count).spans);
    assert_eq!(whole.parent, Some(Parent::Element(split.element_named("count.init").unwrap())));
    let parts: Vec<&str> =
        split.parts(Parent::Whole(WholeId(0))).map(|id| split.element(id).name.as_str()).collect();
    assert_eq!(parts, ["count[0]", "count[1]#2", "count[2]", "flag"]);
    let bit = split.element_named("n[2]").unwrap();
    assert_eq!(split.element(bit).name, "count[2]");
    assert_eq!((split.whole_of(bit), split.whole_of(ElementId(0))), (Some(WholeId(0)), None));
    assert_eq!(split.element(bit).scope, scope);
}

#[test]
fn parents_that_move_are_followed() {
    let mut system = design();
    let [count, flag, memory] = ["count", "flag", "memory"].map(|name| system.element_named(name).unwrap());
    system.set_parent(memory, Parent::Element(flag));
    let split = system.split_bits(&[count].into_iter().collect()).system;
    let named = |name| split.element_named(name).unwrap();
    assert_ne!(named("flag"), flag);
    assert_eq!(split.element(named("memory")).parent, Some(Parent::Element(named("flag"))));
}
