//! The certifier's circuits mean what the interpreter says, for every operator and every operand of small width.
//!
//! For each operator the property `op(a, b) = table(a, b)` is checked, where a and b are inputs and the table is what the
//! interpreter says. Accepted, it means that the circuit yields no other value for any operands; and since the property
//! with one wrong entry is rejected, whichever the entry, the circuit does yield a value for those operands.

use crate::systems::values;
use propcov_budget::Budget;
use propcov_certify::{Rejection, check_proof};
use propcov_ir::{
    BinaryOp, Bits, Edits, EnumSort, ExprId, Interpreter, Proof, PropertyId, PropertyKind, SignalId, Sort,
    Step, System, TernaryOp, UnaryOp, Value, evaluate_binary,
};
use std::sync::Arc;

/// A system whose only property compares an operator with a table.
struct Table {
    system: System,
    inputs: Vec<SignalId>,
    result: ExprId,
    entries: Vec<(Vec<Value>, Value)>,
}

impl Table {
    fn new(sorts: &[Sort], operator: impl Fn(&mut System, &[ExprId]) -> ExprId) -> Table {
        let mut system = System::new();
        let inputs: Vec<SignalId> = sorts
            .iter()
            .enumerate()
            .map(|(i, sort)| system.add_input(format!("i{i}"), sort.clone()))
            .collect();
        let operands: Vec<ExprId> = inputs.iter().map(|input| system.read(*input)).collect();
        let result = operator(&mut system, &operands);
        let mut tuples = vec![Vec::new()];
        for sort in sorts {
            let extend = |tuple: &Vec<Value>| {
                values(sort)
                    .into_iter()
                    .map(|value| [tuple.clone(), vec![value]].concat())
                    .collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(extend).collect();
        }
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).expect("the system has no loop");
        let entries = tuples
            .into_iter()
            .map(|inputs| {
                let step = Step { inputs: inputs.clone(), ..Step::default() };
                let value =
                    interpreter.frame(&step).and_then(|mut frame| frame.value(result)).expect("operands fit");
                (inputs, value)
            })
            .collect();
        Table { system, inputs, result, entries }
    }

    /// Whether the property with these entries is accepted.
    fn accepted(&self, entries: &[(Vec<Value>, Value)]) -> bool {
        let mut system = self.system.clone();
        let mut rows = Vec::new();
        for (operands, value) in entries {
            let mut matches = Vec::new();
            for (input, operand) in self.inputs.iter().zip(operands) {
                let (input, operand) = (system.read(*input), system.exprs.constant(operand.clone()));
                matches.push(system.exprs.eq(input, operand));
            }
            let row = system.exprs.conjunction(matches);
            let value = system.exprs.constant(value.clone());
            let agrees = system.exprs.eq(self.result, value);
            let elsewhere = system.exprs.not(row);
            rows.push(system.exprs.or(elsewhere, agrees));
        }
        let property = system.exprs.conjunction(rows);
        let property = system.add_property("table", PropertyKind::Invariant(property), None);
        let proof = Proof {
            invariant: Default::default(),
            k: 1,
            simple_path: false,
            core: system.element_ids().collect(),
        };
        match check_proof(&system, &Edits::none(), property, &proof, &Budget::default()) {
            Ok(()) => true,
            Err(Rejection::Initiation { .. }) => false,
            Err(other) => panic!("{other}"),
        }
    }

    /// Accepts the true table, and no table with a wrong entry at any of every `stride` entries.
    fn check(&self, what: &str, stride: usize) {
        assert!(self.accepted(&self.entries), "{what}: the interpreter's table is not accepted");
        let results = values(self.system.exprs.sort(self.result));
        for at in (0..self.entries.len()).step_by(stride) {
            let Some(wrong) = results.iter().find(|value| **value != self.entries[at].1) else { continue };
            let mut entries = self.entries.clone();
            entries[at].1 = wrong.clone();
            assert!(!self.accepted(&entries), "{what}: no circuit value for {:?}", entries[at].0);
        }
    }
}

fn stride(width: u32) -> usize {
    if width == 4 { 13 } else { 1 }
}

#[test]
fn unary_operators_agree_with_the_interpreter_on_all_small_operands() {
    for width in 1..=4 {
        let mut operators = vec![
            UnaryOp::Not,
            UnaryOp::Neg,
            UnaryOp::ReduceAnd,
            UnaryOp::ReduceOr,
            UnaryOp::ReduceXor,
            UnaryOp::ZeroExtend(0),
            UnaryOp::ZeroExtend(3),
            UnaryOp::SignExtend(0),
            UnaryOp::SignExtend(3),
            UnaryOp::ConstArray(Sort::array(Sort::BitVec(1), Sort::BitVec(width))),
        ];
        for low in 0..width {
            operators.extend((low..width).map(|high| UnaryOp::Extract { high, low }));
        }
        for op in operators {
            let table =
                Table::new(&[Sort::BitVec(width)], |system, a| system.exprs.unary(op.clone(), a[0]).unwrap());
            table.check(&format!("{op:?} at width {width}"), 1);
        }
    }
}

/// The operators of two words.
fn word_operators() -> impl Iterator<Item = BinaryOp> {
    let mut system = System::new();
    let word = system.add_input("word", Sort::BitVec(2));
    let word = system.read(word);
    BinaryOp::ALL.into_iter().filter(move |op| system.exprs.binary(*op, word, word).is_ok())
}

#[test]
fn binary_operators_agree_with_the_interpreter_on_all_small_operands() {
    for width in 1..=4 {
        for op in word_operators() {
            let sorts = [Sort::BitVec(width), Sort::BitVec(width)];
            let table = Table::new(&sorts, |system, a| system.exprs.binary(op, a[0], a[1]).unwrap());
            table.check(&format!("{op:?} at width {width}"), stride(width));
        }
    }
}

/// The answer of the checker about `op(a, b) = claimed` for one pair of operands.
fn claim(op: BinaryOp, operands: &[Value; 2], claimed: &Value, holds: bool) -> bool {
    let mut system = System::new();
    let reads: Vec<ExprId> = operands
        .iter()
        .zip(["a", "b"])
        .map(|(operand, name)| {
            let input = system.add_input(name, operand.sort());
            system.read(input)
        })
        .collect();
    let result = system.exprs.binary(op, reads[0], reads[1]).expect("operands fit");
    let mut parts = Vec::new();
    for (read, operand) in reads.iter().zip(operands) {
        let operand = system.exprs.constant(operand.clone());
        let same = system.exprs.eq(*read, operand);
        parts.push(system.exprs.not(same));
    }
    let claimed = system.exprs.constant(claimed.clone());
    let agrees = system.exprs.eq(result, claimed);
    parts.push(if holds { agrees } else { system.exprs.not(agrees) });
    let property = system.exprs.disjunction(parts);
    let property = system.add_property("claim", PropertyKind::Invariant(property), None);
    let core = system.element_ids().collect();
    let proof = Proof { invariant: Default::default(), k: 1, simple_path: false, core };
    match check_proof(&system, &Edits::none(), property, &proof, &Budget::default()) {
        Ok(()) => true,
        Err(Rejection::Initiation { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn operators_agree_with_the_interpreter_on_words_wider_than_a_machine_word() {
    use BinaryOp as B;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for width in [63u32, 64, 65, 96, 100, 127, 128, 129, 192] {
        for op in word_operators() {
            let is_division = matches!(op, B::Udiv | B::Urem | B::Sdiv | B::Srem | B::Smod);
            // Circuits that grow with the square of the width, at one width of each kind.
            if (is_division || op == B::Mul) && ![64, 65, 100, 129].contains(&width) {
                continue;
            }
            let is_amount = matches!(op, B::Shl | B::Lshr | B::Ashr | B::Rol | B::Ror);
            let edge = |value: u64| Value::Bits(Bits::from_u64(width, value));
            let mut second = vec![random.word(width), Value::Bits(Bits::ones(width))];
            if is_amount {
                let amounts = [1, 63, 64, 65, u64::from(width) - 1, u64::from(width), u64::from(width) + 1];
                second.extend(amounts.map(edge));
            }
            if matches!(op, B::Mul | B::Udiv | B::Sdiv) {
                second = vec![random.word(width)];
            }
            // Here the quotient is not given: a solver has to find it.
            if matches!(op, B::Urem | B::Srem | B::Smod) {
                second = vec![edge(1 << (random.next() % 32))];
            }
            for b in second {
                let operands = [random.word(width), b];
                let value = evaluate_binary(op, &operands[0], &operands[1]).expect("operands fit");
                // The circuit yields the value, ...
                assert!(!claim(op, &operands, &value, false), "{operands:?} {op:?} is not {value}");
                // ... and no other. That a quotient is unique is no work for a solver at this width.
                if !is_division {
                    assert!(claim(op, &operands, &value, true), "{operands:?} {op:?} may not be {value}");
                }
            }
        }
        for zero in [B::Udiv, B::Urem, B::Sdiv, B::Srem, B::Smod].into_iter().filter(|_| width == 65) {
            let operands = [random.word(width), Value::Bits(Bits::zero(width))];
            let value = evaluate_binary(zero, &operands[0], &operands[1]).expect("operands fit");
            assert!(claim(zero, &operands, &value, true), "{operands:?} {zero:?} may not be {value}");
        }
    }
}

/// Xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn word(&mut self, width: u32) -> Value {
        Value::Bits(Bits::from_bits((0..width).map(|_| self.next() >> 40 & 1 == 1)))
    }
}

#[test]
fn shifts_and_rotations_agree_with_the_interpreter_at_a_width_that_is_no_power_of_two() {
    for op in [BinaryOp::Shl, BinaryOp::Lshr, BinaryOp::Ashr, BinaryOp::Rol, BinaryOp::Ror] {
        let sorts = [Sort::BitVec(5), Sort::BitVec(5)];
        let table = Table::new(&sorts, |system, a| system.exprs.binary(op, a[0], a[1]).unwrap());
        table.check(&format!("{op:?} at width 5"), 97);
    }
}

#[test]
fn concatenation_of_different_widths_agrees_with_the_interpreter() {
    let sorts = [Sort::BitVec(1), Sort::BitVec(3)];
    Table::new(&sorts, |system, a| system.exprs.apply(BinaryOp::Concat, a[0], a[1])).check("concat", 1);
}

#[test]
fn choice_and_equality_agree_with_the_interpreter_at_every_sort() {
    let three = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let one = vec!["only".to_owned()];
    for sort in [
        Sort::BitVec(2),
        Sort::Enum(Arc::new(EnumSort { name: "three".to_owned(), variants: three })),
        Sort::Enum(Arc::new(EnumSort { name: "one".to_owned(), variants: one })),
        Sort::array(Sort::BitVec(1), Sort::BitVec(1)),
        Sort::array(Sort::BitVec(1), Sort::BitVec(2)),
    ] {
        let ite = |system: &mut System, a: &[ExprId]| system.exprs.ite(a[0], a[1], a[2]);
        Table::new(&[Sort::BOOL, sort.clone(), sort.clone()], ite).check(&format!("ite of {sort}"), 7);
        let eq = |system: &mut System, a: &[ExprId]| system.exprs.eq(a[0], a[1]);
        Table::new(&[sort.clone(), sort.clone()], eq).check(&format!("equality of {sort}"), 7);
        if matches!(sort, Sort::Enum(_)) {
            let position =
                |system: &mut System, a: &[ExprId]| system.exprs.unary(UnaryOp::Position, a[0]).unwrap();
            Table::new(std::slice::from_ref(&sort), position).check(&format!("position in {sort}"), 1);
            for width in 1..=3 {
                let op = UnaryOp::Variant(sort.clone());
                let variant =
                    |system: &mut System, a: &[ExprId]| system.exprs.unary(op.clone(), a[0]).unwrap();
                Table::new(&[Sort::BitVec(width)], variant).check(&format!("variant of {sort}"), 1);
            }
        }
    }
}

#[test]
fn arrays_agree_with_the_interpreter() {
    for (index, element) in [(1, 1), (1, 2), (2, 1)] {
        let array = Sort::array(Sort::BitVec(index), Sort::BitVec(element));
        let read = |system: &mut System, a: &[ExprId]| system.exprs.apply(BinaryOp::Read, a[0], a[1]);
        Table::new(&[array.clone(), Sort::BitVec(index)], read).check(&format!("read of {array}"), 1);
        let write = |system: &mut System, a: &[ExprId]| {
            system.exprs.ternary(TernaryOp::Write, a[0], a[1], a[2]).unwrap()
        };
        let operands = [array.clone(), Sort::BitVec(index), Sort::BitVec(element)];
        Table::new(&operands, write).check(&format!("write of {array}"), 5);
    }
}

#[test]
fn wide_operators_agree_with_the_interpreter_on_sampled_operands() {
    use BinaryOp as B;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for op in
        [B::Add, B::Sub, B::Mul, B::Udiv, B::Urem, B::Sdiv, B::Srem, B::Smod, B::Shl, B::Ashr, B::Ror, B::Slt]
    {
        for width in [7, 13, 24] {
            let mut system = System::new();
            let sort = Sort::BitVec(width);
            let inputs = [system.add_input("a", sort.clone()), system.add_input("b", sort)];
            let (a, b) = (system.read(inputs[0]), system.read(inputs[1]));
            let result = system.exprs.apply(op, a, b);
            let small = random() % 3 == 0;
            let operands: Vec<Value> =
                [random(), if small { random() % u64::from(width + 2) } else { random() }]
                    .into_iter()
                    .map(|value| Value::Bits(Bits::from_u64(width, value)))
                    .collect();
            let edits = Edits::none();
            let step = Step { inputs: operands.clone(), ..Step::default() };
            let expected =
                Interpreter::new(&system, &edits).unwrap().frame(&step).unwrap().value(result).unwrap();
            for (input, operand) in [a, b].into_iter().zip(&operands) {
                let operand = system.exprs.constant(operand.clone());
                let fixed = system.exprs.eq(input, operand);
                system.add_constraint("operand", propcov_ir::ConstraintKind::Always, fixed);
            }
            let expected_expr = system.exprs.constant(expected.clone());
            let equal = system.exprs.eq(result, expected_expr);
            let different = system.exprs.not(equal);
            system.add_property("equal", PropertyKind::Invariant(equal), None);
            system.add_property("different", PropertyKind::Invariant(different), None);
            let proof =
                Proof { invariant: Default::default(), k: 1, simple_path: false, core: Default::default() };
            let check =
                |property| check_proof(&system, &edits, PropertyId(property), &proof, &Budget::default());
            assert_eq!(check(0), Ok(()), "{op:?} of {operands:?} is {expected}");
            assert!(
                matches!(check(1), Err(Rejection::Initiation { .. })),
                "{op:?} of {operands:?} has no value"
            );
        }
    }
}
