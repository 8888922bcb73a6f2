//! Every operator on every pair of small operands, against plain integer arithmetic.

use propcov_frontend::{btor2::Operator, read};
use propcov_ir::{Bits, Edits, Interpreter, Step, Value};

/// What an operator on operands of this width gives: the width of the result and the result; `None` for operators
/// that are not on bit-vectors alone.
fn reference(operator: &str, width: u32, a: i64, b: i64) -> Option<(u32, i64)> {
    let modulus = 1i64 << width;
    let signed = |x: i64| if x >= modulus / 2 { x - modulus } else { x };
    let fits = |x: i64| x >= -(modulus / 2) && x < modulus / 2;
    let (sa, sb) = (signed(a), signed(b));
    let bit = |condition: bool| (1, i64::from(condition));
    let word = |x: i64| (width, x.rem_euclid(modulus));
    // Division by zero as in SMT-LIB.
    let sdiv = if sb == 0 { if sa < 0 { 1 } else { -1 } } else { sa / sb };
    let rotate = |by: i64| {
        let by = by % i64::from(width);
        a << by | a >> (i64::from(width) - by)
    };
    Some(match operator {
        "add" => word(a + b),
        "and" => word(a & b),
        "concat" => (2 * width, a * modulus + b),
        "dec" => word(a - 1),
        "eq" => bit(a == b),
        "iff" if width == 1 => bit(a == b),
        "implies" if width == 1 => bit(a == 0 || b == 1),
        "inc" => word(a + 1),
        "mul" => word(a * b),
        "nand" => word(!(a & b)),
        "neg" => word(-a),
        "neq" => bit(a != b),
        "nor" => word(!(a | b)),
        "not" => word(!a),
        "or" => word(a | b),
        "redand" => bit(a == modulus - 1),
        "redor" => bit(a != 0),
        "redxor" => bit(a.count_ones() % 2 == 1),
        "rol" => word(rotate(b)),
        "ror" => word(rotate(i64::from(width) - b % i64::from(width))),
        "saddo" => bit(!fits(sa + sb)),
        "sdiv" => word(sdiv),
        "sdivo" => bit(sb != 0 && !fits(sa / sb)),
        "sgt" => bit(sa > sb),
        "sgte" => bit(sa >= sb),
        "sll" => word(if b >= i64::from(width) { 0 } else { a << b }),
        "slt" => bit(sa < sb),
        "slte" => bit(sa <= sb),
        "smod" => word(if sb == 0 { sa } else { (sa % sb + sb) % sb }),
        "smulo" => bit(!fits(sa * sb)),
        "sra" => word(sa >> b),
        "srem" => word(if sb == 0 { sa } else { sa % sb }),
        "srl" => word(a >> b),
        "ssubo" => bit(!fits(sa - sb)),
        "sub" => word(a - b),
        "uaddo" => bit(a + b >= modulus),
        "udiv" => word(if b == 0 { -1 } else { a / b }),
        "ugt" => bit(a > b),
        "ugte" => bit(a >= b),
        "ult" => bit(a < b),
        "ulte" => bit(a <= b),
        "umulo" => bit(a * b >= modulus),
        "urem" => word(if b == 0 { a } else { a % b }),
        "usubo" => bit(a < b),
        "xnor" => word(!(a ^ b)),
        "xor" => word(a ^ b),
        "sext" => (width + 2, sa.rem_euclid(4 * modulus)),
        "uext" => (width + 2, a),
        "slice" => (width - width / 2, a >> (width / 2)),
        "iff" | "implies" | "ite" | "read" | "write" => return None,
        other => panic!("no reference for {other}"),
    })
}

#[test]
fn operators_agree_with_integer_arithmetic_on_all_small_operands() {
    const UNARY: [&str; 7] = ["dec", "inc", "neg", "not", "redand", "redor", "redxor"];
    for width in 1..=4 {
        let mut text = String::new();
        // Sort k has width k.
        for sort in 1..=8 {
            text += &format!("{sort} sort bitvec {sort}\n");
        }
        text += &format!("9 input {width} a\n10 input {width} b\n");
        let mut id = 10;
        let mut operators = Vec::new();
        for operator in Operator::all().map(Operator::keyword) {
            let Some((result, _)) = reference(operator, width, 0, 0) else { continue };
            // Once as written, once with both operands negated.
            for sign in ["", "-"] {
                id += 1;
                let operands = match operator {
                    "sext" | "uext" => format!("{sign}9 2"),
                    "slice" => format!("{sign}9 {} {}", width - 1, width / 2),
                    _ if UNARY.contains(&operator) => format!("{sign}9"),
                    _ => format!("{sign}9 {sign}10"),
                };
                text += &format!("{id} {operator} {result} {operands}\n");
                operators.push((operator, sign == "-"));
            }
        }
        let design = read("operators.btor2", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let system = &design.system;
        assert_eq!(system.wires().len(), operators.len());
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits).unwrap();
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            let value = |x: i64| Value::Bits(Bits::from_u64(width, x as u64));
            let step = Step { inputs: vec![value(a), value(b)], ..Step::default() };
            let frame = interpreter.frame(&step).unwrap();
            for (wire, (operator, negated)) in system.wires().iter().zip(&operators) {
                let mask = (1 << width) - 1;
                let (x, y) = if *negated { (a ^ mask, b ^ mask) } else { (a, b) };
                let (result, expected) = reference(operator, width, x, y).unwrap();
                let expected = Value::Bits(Bits::from_u64(result, expected as u64));
                assert_eq!(frame.signal(*wire), Some(&expected), "{operator} {x} {y} at width {width}");
            }
        }
    }
}
