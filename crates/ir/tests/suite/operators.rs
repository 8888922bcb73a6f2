//! Every operator: hand-computed edge cases on the exact evaluator, then circuits against the evaluator, exhaustively.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use propcov_ir::{
    ArrayValue, BinaryOp, BitAlgebra, Bits, EnumSort, Sort, TernaryOp, UnaryOp, Value, Word, evaluate_binary,
    evaluate_ternary, evaluate_unary, words,
};
use std::sync::Arc;

use BinaryOp as B;

fn bits(width: u32, value: u64) -> Value {
    Value::Bits(Bits::from_u64(width, value))
}

fn binary(op: BinaryOp, width: u32, a: u64, b: u64) -> u64 {
    let value = evaluate_binary(op, &bits(width, a), &bits(width, b)).expect("operands fit");
    u64::try_from(value.as_bits().expect("bit-vector").unsigned()).expect("small")
}

#[test]
fn division_by_zero_is_what_smt_lib_says() {
    assert_eq!(binary(B::Udiv, 4, 9, 0), 15);
    assert_eq!(binary(B::Urem, 4, 9, 0), 9);
    // 9 is −7 as a signed number of 4 bits.
    assert_eq!(binary(B::Sdiv, 4, 9, 0), 1);
    assert_eq!(binary(B::Sdiv, 4, 5, 0), 15);
    assert_eq!(binary(B::Sdiv, 4, 0, 0), 15);
    assert_eq!(binary(B::Srem, 4, 9, 0), 9);
    assert_eq!(binary(B::Smod, 4, 9, 0), 9);
    assert_eq!(binary(B::Smod, 4, 5, 0), 5);
}

#[test]
fn the_smallest_number_divided_by_minus_one_overflows_to_itself() {
    assert_eq!(binary(B::Sdiv, 4, 8, 15), 8);
    assert_eq!(binary(B::Srem, 4, 8, 15), 0);
    assert_eq!(binary(B::Smod, 4, 8, 15), 0);
    assert_eq!(binary(B::Sdiv, 1, 1, 1), 1);
}

#[test]
fn signed_division_rounds_towards_zero() {
    let minus = |value: u64| 16 - value;
    assert_eq!(binary(B::Sdiv, 4, 7, 2), 3);
    assert_eq!(binary(B::Sdiv, 4, minus(7), 2), minus(3));
    assert_eq!(binary(B::Sdiv, 4, 7, minus(2)), minus(3));
    assert_eq!(binary(B::Sdiv, 4, minus(7), minus(2)), 3);
}

#[test]
fn srem_has_the_sign_of_the_dividend_and_smod_that_of_the_divisor() {
    let minus = |value: u64| 16 - value;
    assert_eq!(binary(B::Srem, 4, 7, 3), 1);
    assert_eq!(binary(B::Srem, 4, minus(7), 3), minus(1));
    assert_eq!(binary(B::Srem, 4, 7, minus(3)), 1);
    assert_eq!(binary(B::Srem, 4, minus(7), minus(3)), minus(1));
    assert_eq!(binary(B::Smod, 4, 7, 3), 1);
    assert_eq!(binary(B::Smod, 4, minus(7), 3), 2);
    assert_eq!(binary(B::Smod, 4, 7, minus(3)), minus(2));
    assert_eq!(binary(B::Smod, 4, minus(7), minus(3)), minus(1));
    assert_eq!(binary(B::Smod, 4, minus(6), 3), 0);
    assert_eq!(binary(B::Smod, 4, 6, minus(3)), 0);
}

#[test]
fn shifts_by_the_width_or_more_leave_only_the_fill() {
    assert_eq!(binary(B::Shl, 4, 0b1011, 1), 0b0110);
    assert_eq!(binary(B::Shl, 4, 0b1011, 3), 0b1000);
    assert_eq!(binary(B::Shl, 4, 0b1011, 4), 0);
    assert_eq!(binary(B::Shl, 4, 0b1011, 15), 0);
    assert_eq!(binary(B::Lshr, 4, 0b1011, 2), 0b0010);
    assert_eq!(binary(B::Lshr, 4, 0b1011, 9), 0);
    assert_eq!(binary(B::Ashr, 4, 0b1011, 1), 0b1101);
    assert_eq!(binary(B::Ashr, 4, 0b1011, 4), 0b1111);
    assert_eq!(binary(B::Ashr, 4, 0b0110, 1), 0b0011);
    assert_eq!(binary(B::Ashr, 4, 0b0110, 7), 0);
    // The amount does not fit a machine word.
    let huge = Value::Bits(Bits::ones(200));
    let one = bits(200, 1);
    assert_eq!(evaluate_binary(B::Shl, &one, &huge), Ok(bits(200, 0)));
    assert_eq!(evaluate_binary(B::Ashr, &huge, &huge), Ok(huge.clone()));
}

#[test]
fn rotations_take_the_amount_modulo_the_width() {
    assert_eq!(binary(B::Rol, 4, 0b1011, 1), 0b0111);
    assert_eq!(binary(B::Rol, 4, 0b1011, 5), 0b0111);
    assert_eq!(binary(B::Ror, 4, 0b1011, 1), 0b1101);
    assert_eq!(binary(B::Rol, 3, 0b110, 1), 0b101);
    assert_eq!(binary(B::Rol, 3, 0b110, 4), 0b101);
    assert_eq!(binary(B::Rol, 3, 0b110, 3), 0b110);
    assert_eq!(binary(B::Ror, 3, 0b110, 7), 0b011);
    assert_eq!(binary(B::Rol, 1, 1, 1), 1);
}

#[test]
fn comparisons_read_the_sign_only_when_asked_to() {
    assert_eq!(binary(B::Ult, 4, 7, 8), 1);
    assert_eq!(binary(B::Slt, 4, 7, 8), 0);
    assert_eq!(binary(B::Slt, 4, 8, 7), 1);
    assert_eq!(binary(B::Ule, 4, 8, 8), 1);
    assert_eq!(binary(B::Sle, 4, 8, 8), 1);
    assert_eq!(binary(B::Sle, 4, 0, 15), 0);
    // Of width 1, the set bit is −1.
    assert_eq!(binary(B::Slt, 1, 1, 0), 1);
}

#[test]
fn wide_arithmetic_wraps_at_the_width() {
    let ones = Value::Bits(Bits::ones(100));
    let one = bits(100, 1);
    assert_eq!(evaluate_binary(B::Add, &ones, &one), Ok(bits(100, 0)));
    assert_eq!(evaluate_binary(B::Sub, &bits(100, 0), &one), Ok(ones.clone()));
    assert_eq!(evaluate_binary(B::Mul, &ones, &ones), Ok(one.clone()));
    assert_eq!(evaluate_unary(&UnaryOp::Neg, &one), Ok(ones));
}

#[test]
fn structural_operators_place_bits_where_they_say() {
    let a = bits(4, 0b1010);
    assert_eq!(evaluate_binary(B::Concat, &a, &bits(2, 0b01)), Ok(bits(6, 0b101001)));
    assert_eq!(evaluate_unary(&UnaryOp::Extract { high: 3, low: 1 }, &a), Ok(bits(3, 0b101)));
    assert_eq!(evaluate_unary(&UnaryOp::ZeroExtend(2), &a), Ok(bits(6, 0b001010)));
    assert_eq!(evaluate_unary(&UnaryOp::SignExtend(2), &a), Ok(bits(6, 0b111010)));
    assert_eq!(evaluate_unary(&UnaryOp::Not, &a), Ok(bits(4, 0b0101)));
    assert_eq!(evaluate_unary(&UnaryOp::ReduceXor, &bits(4, 0b1110)), Ok(bits(1, 1)));
    assert_eq!(evaluate_unary(&UnaryOp::ReduceAnd, &bits(4, 15)), Ok(bits(1, 1)));
    assert_eq!(evaluate_unary(&UnaryOp::ReduceAnd, &bits(4, 14)), Ok(bits(1, 0)));
    assert_eq!(evaluate_unary(&UnaryOp::ReduceOr, &bits(4, 0)), Ok(bits(1, 0)));
}

#[test]
fn integer_division_is_euclidean_and_defined_for_zero() {
    let int = |value: i32| Value::Int(IBig::from(value));
    let div = |a, b| evaluate_binary(B::IntDiv, &int(a), &int(b)).expect("ints");
    let modulo = |a, b| evaluate_binary(B::IntMod, &int(a), &int(b)).expect("ints");
    for (a, b, quotient, remainder) in
        [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (5, 0, 0, 5), (-5, 0, 0, -5)]
    {
        assert_eq!((div(a, b), modulo(a, b)), (int(quotient), int(remainder)), "{a} by {b}");
    }
}

#[test]
fn reals_are_exact_and_floor_goes_down() {
    let real = |n: i64, d: u64| Value::Real(RBig::from_parts(IBig::from(n), d.into()));
    let third = evaluate_binary(B::RealDiv, &real(1, 1), &real(3, 1)).expect("reals");
    assert_eq!(third, real(1, 3));
    assert_eq!(evaluate_binary(B::Mul, &third, &real(3, 1)), Ok(real(1, 1)));
    assert_eq!(evaluate_binary(B::RealDiv, &real(1, 1), &real(0, 1)), Ok(real(0, 1)));
    assert_eq!(evaluate_unary(&UnaryOp::Floor, &real(-1, 3)), Ok(Value::Int(IBig::from(-1))));
    assert_eq!(evaluate_unary(&UnaryOp::Floor, &real(7, 2)), Ok(Value::Int(IBig::from(3))));
    assert_eq!(evaluate_unary(&UnaryOp::ToReal, &Value::Int(IBig::from(-2))), Ok(real(-2, 1)));
    assert_eq!(evaluate_binary(B::Lt, &third, &real(34, 100)), Ok(Value::bool(true)));
    assert_eq!(evaluate_binary(B::Le, &third, &real(33, 100)), Ok(Value::bool(false)));
    assert_eq!(evaluate_binary(B::Sub, &real(1, 2), &third), Ok(real(1, 6)));
}

#[test]
fn operands_that_do_not_fit_are_an_error_and_no_panic() {
    assert!(evaluate_binary(B::Add, &bits(3, 1), &bits(4, 1)).is_err());
    assert!(evaluate_binary(B::IntDiv, &bits(3, 1), &bits(3, 1)).is_err());
    assert!(evaluate_unary(&UnaryOp::Not, &Value::Int(IBig::ONE)).is_err());
    assert!(evaluate_ternary(TernaryOp::Ite, &bits(2, 1), &bits(3, 1), &bits(3, 1)).is_err());
    assert!(evaluate_unary(&UnaryOp::Extract { high: 3, low: 0 }, &bits(3, 1)).is_err());
}

fn array(index_width: u32, element_width: u32, contents: u64) -> Value {
    let sort = array_sort(index_width, element_width);
    let Sort::Array(arc) = &sort else { unreachable!("an array sort") };
    let mut array = ArrayValue::constant(arc.clone(), bits(element_width, 0));
    for index in 0..1u64 << index_width {
        let element = contents >> (index * u64::from(element_width));
        array.write(Bits::from_u64(index_width, index), bits(element_width, element));
    }
    Value::Array(array)
}

fn array_sort(index_width: u32, element_width: u32) -> Sort {
    Sort::array(Sort::BitVec(index_width), Sort::BitVec(element_width))
}

#[test]
fn arrays_with_different_defaults_are_equal_when_they_agree_at_every_index() {
    let Sort::Array(sort) = array_sort(1, 4) else { unreachable!("an array sort") };
    let at = |index| Bits::from_u64(1, index);
    let mut a = ArrayValue::constant(sort.clone(), bits(4, 0));
    a.write(at(1), bits(4, 5));
    let mut b = ArrayValue::constant(sort.clone(), bits(4, 5));
    b.write(at(0), bits(4, 0));
    let mut c = ArrayValue::constant(sort, bits(4, 9));
    assert_ne!(a, c);
    c.write(at(0), bits(4, 0));
    assert_ne!(a, c);
    c.write(at(1), bits(4, 5));
    assert_eq!(a, b);
    assert_eq!(a, c);
    let hash = |array: &ArrayValue| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        array.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(&a), hash(&b));
    assert_eq!(hash(&a), hash(&c));
}

/// All arrays with at most one write after another at the indices given, from each default.
fn small_arrays(sort: &Sort, indices: &[Value], elements: &[Value]) -> Vec<Value> {
    let Sort::Array(sort) = sort else { unreachable!("an array sort") };
    let mut arrays: Vec<ArrayValue> =
        elements.iter().map(|default| ArrayValue::constant(sort.clone(), default.clone())).collect();
    for index in indices {
        for array in arrays.clone() {
            for element in elements {
                let mut array = array.clone();
                array.write(index.clone(), element.clone());
                arrays.push(array);
            }
        }
    }
    arrays.into_iter().map(Value::Array).collect()
}

#[test]
fn the_order_of_arrays_is_total_and_agrees_with_their_equality_whatever_the_index_sort() {
    use std::cmp::Ordering;
    let letters = Arc::new(EnumSort { name: "t".to_owned(), variants: vec!["a".to_owned(), "b".to_owned()] });
    let int = |value: i32| Value::Int(value.into());
    let cases = [
        (Sort::BitVec(1), vec![bits(1, 0), bits(1, 1)]),
        (Sort::BitVec(2), vec![bits(2, 0), bits(2, 3)]),
        (Sort::Enum(letters.clone()), vec![Value::Enum(letters.clone(), 1), Value::Enum(letters, 0)]),
        (Sort::Int, vec![int(-4), int(7)]),
    ];
    for (index, indices) in cases {
        let all = small_arrays(&Sort::array(index.clone(), Sort::Int), &indices, &[int(0), int(1), int(2)]);
        for a in &all {
            assert!(a.has_sort(&a.sort()));
            for b in &all {
                let agree = indices.iter().all(|index| {
                    evaluate_binary(BinaryOp::Read, a, index) == evaluate_binary(BinaryOp::Read, b, index)
                });
                let (Value::Array(x), Value::Array(y)) = (a, b) else { unreachable!("arrays") };
                let covered = matches!(index, Sort::BitVec(1) | Sort::Enum(_));
                let equal = agree && (covered || x.default_value() == y.default_value());
                assert_eq!(a == b, equal, "{a} {b}");
                assert_eq!(a.cmp(b) == Ordering::Equal, equal, "{a} {b}");
                assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a} {b}");
                for c in &all {
                    assert!(!(a <= b && b <= c) || a <= c, "{a} {b} {c}");
                }
            }
        }
    }
}

#[test]
fn arrays_are_read_and_written_at_indices_of_any_sort() {
    let inner = Sort::array(Sort::BOOL, Sort::Real);
    let sort = Sort::array(Sort::Int, inner.clone());
    let index = |value: i32| Value::Int(value.into());
    let half = Value::Real("1/2".parse().expect("a number"));
    let row =
        evaluate_ternary(TernaryOp::Write, &Value::zero(&inner), &Value::bool(true), &half).expect("fits");
    let table = evaluate_ternary(TernaryOp::Write, &Value::zero(&sort), &index(-3), &row).expect("fits");
    assert!(table.has_sort(&sort));
    let at = |i: &Value, b: bool| {
        let row = evaluate_binary(BinaryOp::Read, &table, i).expect("fits");
        evaluate_binary(BinaryOp::Read, &row, &Value::bool(b)).expect("fits").to_string()
    };
    assert_eq!([at(&index(-3), true), at(&index(-3), false), at(&index(3), true)], ["1/2", "0", "0"]);
    assert_eq!(table.to_string(), "[-3: [1: 1/2, else: 0], else: [else: 0]]");
    assert!(evaluate_binary(BinaryOp::Read, &table, &half).is_err());
    assert!(evaluate_ternary(TernaryOp::Write, &table, &half, &row).is_err());
}

/// Bits are Booleans. With `FOLDS` every bit is a known constant, which takes the shortcuts of the circuits.
struct Booleans<const FOLDS: bool>;

impl<const FOLDS: bool> BitAlgebra for Booleans<FOLDS> {
    type Bit = bool;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    fn known(&self, bit: &bool) -> Option<bool> {
        FOLDS.then_some(*bit)
    }
}

/// What the circuit computes, with and without shortcuts.
fn circuits(
    operands: &[&Value],
    result: &Sort,
    plain: impl Fn(&mut Booleans<false>, &[Word<bool>]) -> Result<Word<bool>, words::Unsupported>,
    folding: impl Fn(&mut Booleans<true>, &[Word<bool>]) -> Result<Word<bool>, words::Unsupported>,
) -> [Value; 2] {
    let encode =
        |value: &&Value| words::constant(&mut Booleans::<false>, value).expect("operands are finite");
    let words: Vec<_> = operands.iter().map(encode).collect();
    let decode = |word: Word<bool>| word.value(result, &mut |bit| *bit).expect("result is finite");
    let plain = plain(&mut Booleans, &words).expect("supported");
    let folding = folding(&mut Booleans, &words).expect("supported");
    [decode(plain), decode(folding)]
}

fn check_unary(op: &UnaryOp, a: &Value) {
    let expected = evaluate_unary(op, a).expect("operands fit");
    let found = circuits(
        &[a],
        &expected.sort(),
        |algebra, words| words::unary(algebra, op, &words[0]),
        |algebra, words| words::unary(algebra, op, &words[0]),
    );
    assert_eq!(found, [expected.clone(), expected], "{op:?} {a}");
}

fn check_binary(op: BinaryOp, a: &Value, b: &Value) {
    let expected = evaluate_binary(op, a, b).expect("operands fit");
    let found = circuits(
        &[a, b],
        &expected.sort(),
        |algebra, words| words::binary(algebra, op, &words[0], &words[1]),
        |algebra, words| words::binary(algebra, op, &words[0], &words[1]),
    );
    assert_eq!(found, [expected.clone(), expected], "{a} {op:?} {b}");
}

const BIT_VECTOR_OPERATORS: [BinaryOp; 22] = [
    B::And,
    B::Or,
    B::Xor,
    B::Eq,
    B::Ult,
    B::Ule,
    B::Slt,
    B::Sle,
    B::Add,
    B::Sub,
    B::Mul,
    B::Udiv,
    B::Urem,
    B::Sdiv,
    B::Srem,
    B::Smod,
    B::Shl,
    B::Lshr,
    B::Ashr,
    B::Rol,
    B::Ror,
    B::Concat,
];

#[test]
fn binary_circuits_equal_the_evaluator_on_all_operands_of_up_to_five_bits() {
    for width in 1..=5 {
        for op in BIT_VECTOR_OPERATORS {
            for a in 0..1 << width {
                for b in 0..1 << width {
                    check_binary(op, &bits(width, a), &bits(width, b));
                }
            }
        }
    }
}

#[test]
fn binary_circuits_equal_the_evaluator_on_wide_operands() {
    // Numbers around every power of two, at widths around one: where carries, signs and shift amounts turn over.
    for width in [6u32, 7, 8, 9, 31, 33] {
        let interesting: Vec<u64> = (0..width)
            .flat_map(|bit| [(1u64 << bit).wrapping_sub(1), 1 << bit, (1u64 << bit) + 1])
            .map(|value| value & ((1 << width) - 1))
            .collect();
        for op in BIT_VECTOR_OPERATORS {
            for (position, a) in interesting.iter().enumerate() {
                for b in interesting.iter().skip(position % 4).step_by(4) {
                    check_binary(op, &bits(width, *a), &bits(width, *b));
                }
            }
        }
    }
}

/// Operands of a wide word: around zero, around the width as an amount, around each machine word, and random ones.
fn wide_operands(width: u32, random: &mut u64) -> Vec<Value> {
    let number = |value: UBig| Value::Bits(Bits::new(width, value));
    let mut operands: Vec<Value> = [0, 1, 2, 3, 7, 63, 64, 65, u64::from(width) - 1, u64::from(width)]
        .into_iter()
        .chain([u64::from(width) + 1, 3 * u64::from(width) + 5, u64::MAX])
        .map(|value| number(value.into()))
        .collect();
    for bit in [62, 63, 64, 65, width - 2, width - 1].into_iter().filter(|bit| *bit < width) {
        let power = UBig::ONE << bit as usize;
        operands.extend([
            number(power.clone() - UBig::ONE),
            number(power.clone()),
            number(power + UBig::ONE),
        ]);
    }
    let ones = Value::Bits(Bits::ones(width));
    operands.extend([evaluate_binary(B::Sub, &ones, &bits(width, 1)).expect("operands fit"), ones]);
    for _ in 0..4 {
        // Xorshift (Marsaglia 2003): repeatable, and good enough to hit every bit.
        operands.push(Value::Bits(Bits::from_bits((0..width).map(|_| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            *random >> 40 & 1 == 1
        }))));
    }
    operands
}

/// Rotations by 64 and more were wrong at widths beyond 64 that are no powers of two: the width was shifted by 64.
#[test]
fn circuits_equal_the_evaluator_on_words_wider_than_a_machine_word() {
    let mut random = 0x9e37_79b9_7f4a_7c15;
    for width in [63u32, 64, 65, 96, 100, 127, 128, 129, 192] {
        let operands = wide_operands(width, &mut random);
        for op in BIT_VECTOR_OPERATORS {
            let quadratic =
                matches!(op, B::Mul | B::Udiv | B::Urem | B::Sdiv | B::Srem | B::Smod | B::Rol | B::Ror);
            // Every operand on either side, in every pair for what is cheap.
            let step = if quadratic { 7 } else { 1 };
            for (position, a) in operands.iter().enumerate() {
                for b in operands.iter().skip(position % step).step_by(step) {
                    check_binary(op, a, b);
                }
            }
        }
        for a in &operands {
            for op in [
                UnaryOp::Not,
                UnaryOp::Neg,
                UnaryOp::ReduceAnd,
                UnaryOp::ReduceOr,
                UnaryOp::ReduceXor,
                UnaryOp::ZeroExtend(65),
                UnaryOp::SignExtend(65),
                UnaryOp::Extract { high: width - 1, low: 0 },
                UnaryOp::Extract { high: width - 1, low: width - 2 },
                UnaryOp::Extract { high: 62, low: 62 },
                UnaryOp::ConstArray(array_sort(2, width)),
            ] {
                check_unary(&op, a);
            }
            for b in operands.iter().step_by(5) {
                check_ternary(TernaryOp::Ite, [&bits(1, 1), a, b]);
                check_ternary(TernaryOp::Ite, [&bits(1, 0), a, b]);
            }
            let table = Value::zero(&array_sort(2, width));
            check_ternary(TernaryOp::Write, [&table, &bits(2, 3), a]);
        }
        for extra in [1, 64, 65] {
            check_binary(B::Concat, &operands[operands.len() - 1], &Value::Bits(Bits::ones(extra)));
            check_binary(B::Concat, &bits(extra, 1), &operands[operands.len() - 1]);
        }
    }
}

#[test]
fn unary_circuits_equal_the_evaluator_on_all_operands_of_up_to_five_bits() {
    for width in 1..=5 {
        let mut operators = vec![
            UnaryOp::Not,
            UnaryOp::Neg,
            UnaryOp::ReduceAnd,
            UnaryOp::ReduceOr,
            UnaryOp::ReduceXor,
            UnaryOp::ConstArray(array_sort(2, width)),
        ];
        operators.extend((0..3).flat_map(|by| [UnaryOp::ZeroExtend(by), UnaryOp::SignExtend(by)]));
        operators
            .extend((0..width).flat_map(|low| (low..width).map(move |high| UnaryOp::Extract { high, low })));
        for op in &operators {
            for a in 0..1 << width {
                check_unary(op, &bits(width, a));
            }
        }
    }
}

#[test]
fn concatenation_of_different_widths_keeps_the_order() {
    for (m, n) in [(1, 3), (3, 1), (2, 4)] {
        for a in 0..1 << m {
            for b in 0..1 << n {
                check_binary(B::Concat, &bits(m, a), &bits(n, b));
            }
        }
    }
}

#[test]
fn array_circuits_equal_the_evaluator_exhaustively() {
    for (index_width, element_width) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let contents = 1 << ((1 << index_width) * element_width);
        for a in 0..contents {
            let array_a = array(index_width, element_width, a);
            for index in 0..1 << index_width {
                check_binary(B::Read, &array_a, &bits(index_width, index));
                for element in 0..1 << element_width {
                    let operands = [&array_a, &bits(index_width, index), &bits(element_width, element)];
                    check_ternary(TernaryOp::Write, operands);
                }
            }
            for b in (0..contents).step_by(if contents > 16 { 17 } else { 1 }).chain([a]) {
                let array_b = array(index_width, element_width, b);
                check_binary(B::Eq, &array_a, &array_b);
                for condition in 0..2 {
                    check_ternary(TernaryOp::Ite, [&bits(1, condition), &array_a, &array_b]);
                }
            }
        }
    }
}

/// Ternary operators are reached through [`words::apply`], as the encoders do.
fn check_ternary(op: TernaryOp, operands: [&Value; 3]) {
    let mut exprs = propcov_ir::ExprPool::new();
    let [a, b, c] = operands.map(|value| exprs.constant(value.clone()));
    let expr = exprs.ternary(op, a, b, c).expect("operands fit");
    let expected = evaluate_ternary(op, operands[0], operands[1], operands[2]).expect("operands fit");
    let found = circuits(
        &operands,
        &expected.sort(),
        |algebra, words| words::apply(algebra, &exprs, expr, &words.iter().collect::<Vec<_>>()),
        |algebra, words| words::apply(algebra, &exprs, expr, &words.iter().collect::<Vec<_>>()),
    );
    assert_eq!(found, [expected.clone(), expected], "{op:?} {operands:?}");
}

fn enumeration(count: usize) -> Arc<EnumSort> {
    let variants = (0..count).map(|index| format!("v{index}")).collect();
    Arc::new(EnumSort { name: "e".to_owned(), variants })
}

#[test]
fn enumerations_take_just_enough_bits_and_exclude_the_rest() {
    for (count, width) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)] {
        let sort = enumeration(count);
        assert_eq!(words::bit_count(&Sort::Enum(sort.clone())), Ok(width), "{count} values");
        for code in 0..1u32 << width {
            let word = Word::Bits((0..width).map(|bit| code >> bit & 1 == 1).collect());
            let meaningful = words::is_meaningful(&mut Booleans::<false>, &Sort::Enum(sort.clone()), &word)
                .expect("finite");
            assert_eq!(meaningful, (code as usize) < count, "code {code} of {count}");
        }
        for a in 0..count as u32 {
            for b in 0..count as u32 {
                check_binary(B::Eq, &Value::Enum(sort.clone(), a), &Value::Enum(sort.clone(), b));
            }
        }
    }
}

#[test]
fn positions_and_variants_are_inverse_and_positions_beyond_the_last_are_the_first() {
    for count in 1..=9 {
        let sort = enumeration(count);
        let variant = UnaryOp::Variant(Sort::Enum(sort.clone()));
        for position in 0..count as u32 {
            let value = Value::Enum(sort.clone(), position);
            check_unary(&UnaryOp::Position, &value);
            let bits = evaluate_unary(&UnaryOp::Position, &value).expect("an enumeration");
            assert_eq!(evaluate_unary(&variant, &bits), Ok(value));
        }
        for width in 1..=5 {
            for position in 0..1u64 << width {
                check_unary(&variant, &bits(width, position));
                let expected = if position < count as u64 { position as u32 } else { 0 };
                let found = evaluate_unary(&variant, &bits(width, position));
                assert_eq!(found, Ok(Value::Enum(sort.clone(), expected)));
            }
        }
    }
}

#[test]
fn what_has_no_bits_is_reported_as_unsupported() {
    use words::Unsupported;
    assert_eq!(words::bit_count(&Sort::Int), Err(Unsupported::Sort(Sort::Int)));
    assert_eq!(words::bit_count(&array_sort(12, 16)), Ok(1 << 16));
    for sort in [array_sort(12, 17), array_sort(32, 1), array_sort(u32::MAX, 1)] {
        assert_eq!(words::bit_count(&sort), Err(Unsupported::ArrayTooLarge(sort.clone())));
    }
    let index_by_int = Sort::array(Sort::Int, Sort::BOOL);
    assert_eq!(words::bit_count(&index_by_int), Err(Unsupported::Sort(index_by_int.clone())));
    let one = Value::Int(IBig::ONE);
    assert!(words::constant(&mut Booleans::<false>, &one).is_err());
}

/// Counts the gates that survive folding of constants and sharing of equal gates.
#[derive(Default)]
struct Counter {
    gates: std::collections::HashMap<(i32, i32), i32>,
}

impl BitAlgebra for Counter {
    type Bit = i32;

    fn constant(&mut self, value: bool) -> i32 {
        if value { 1 } else { -1 }
    }

    fn not(&mut self, a: &i32) -> i32 {
        -a
    }

    fn and(&mut self, a: &i32, b: &i32) -> i32 {
        let (a, b) = (*a.min(b), *a.max(b));
        match () {
            () if a == -b || a == -1 || b == -1 => -1,
            () if a == 1 || a == b => b,
            () if b == 1 => a,
            () => {
                let fresh = 10_000 + self.gates.len() as i32;
                *self.gates.entry((a, b)).or_insert(fresh)
            }
        }
    }

    fn known(&self, bit: &i32) -> Option<bool> {
        (bit.abs() == 1).then_some(*bit == 1)
    }
}

fn gates(op: BinaryOp, a: impl Fn(i32) -> i32, b: impl Fn(i32) -> i32) -> usize {
    let mut counter = Counter::default();
    let word = |bit: &dyn Fn(i32) -> i32| Word::Bits((0..32).map(bit).collect());
    words::binary(&mut counter, op, &word(&a), &word(&b)).expect("supported");
    counter.gates.len()
}

#[test]
fn circuits_stay_as_small_as_they_are() {
    let (x, y) = (|bit: i32| 100 + bit, |bit: i32| 200 + bit);
    let constant = |value: i32| move |bit: i32| if value >> bit & 1 == 1 { 1 } else { -1 };
    // 7 gates a bit; the lowest has no carry in, the highest none out.
    assert_eq!(gates(B::Add, x, y), 3 + 30 * 7 + 6);
    assert_eq!(gates(B::Ult, x, y), 2 + 31 * 4);
    assert!(gates(B::Mul, x, constant(8)) == 0, "a power of two only moves bits");
    assert_eq!(gates(B::Mul, constant(5), x), gates(B::Mul, x, constant(5)));
    assert!(gates(B::Udiv, x, y) < 10 * 32 * 33 / 2 + 200);
    assert!(gates(B::Urem, x, constant(10)) < 32 * 50, "the remainder by 10 has 4 bits");
}
