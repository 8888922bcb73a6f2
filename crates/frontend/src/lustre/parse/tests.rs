//! How expressions are grouped. Expected groups are those of JKind's grammar.

use super::{
    super::syntax::{Dialect, ExprKind, Id, Program},
    parse,
};
use crate::text::Input;

fn program(text: &str) -> Program {
    parse(Input::new("test.lus", text.as_bytes()), Dialect::JKind)
        .unwrap_or_else(|error| panic!("{error}\n{text:.300}"))
}

/// The tree of an expression, with parentheses around everything.
fn shape(program: &Program, id: Id) -> String {
    let of = |id: &Id| shape(program, *id);
    let list = |items: &[Id]| items.iter().map(of).collect::<Vec<String>>().join(", ");
    match &program.expr(id).kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Real(value) => format!("real {value}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::ToReal(a) => format!("ToReal({})", of(a)),
        ExprKind::Floor(a) => format!("Floor({})", of(a)),
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
        ExprKind::Condact { clock, node, arguments, defaults } => {
            format!("condact({}: {}({}): {})", of(clock), node.text, list(arguments), list(defaults))
        }
        ExprKind::Field(a, name) => format!("{}.{}", of(a), name.text),
        ExprKind::FieldUpdate(a, name, b) => format!("{}{{{} := {}}}", of(a), name.text, of(b)),
        ExprKind::Element(a, b) => format!("{}[{}]", of(a), of(b)),
        ExprKind::ElementUpdate(a, b, c) => format!("{}[{} := {}]", of(a), of(b), of(c)),
        ExprKind::Unary(op, a) => format!("{op:?}({})", of(a)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", of(a), of(b)),
        ExprKind::If(a, b, c) => format!("if({}, {}, {})", of(a), of(b), of(c)),
        ExprKind::Record(name, fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, a)| format!("{} = {}", name.text, of(a))).collect();
            format!("{} {{{}}}", name.text, fields.join("; "))
        }
        ExprKind::Array(items) => format!("[{}]", list(items)),
        ExprKind::Tuple(items) => format!("tuple({})", list(items)),
        kind => format!("{kind:?}"),
    }
}

/// The shape of an expression in a file that is not taken for a flattened one.
fn grouped(text: &str) -> String {
    let program = program(&format!("const c = {text};\nnode n() returns (); let tel"));
    shape(&program, program.constants[0].value)
}

#[test]
fn operators_bind_as_in_jkind() {
    for (text, expected) in [
        ("pre x + y", "(Pre(x) Plus y)"),
        ("not a = b", "(Not(a) Equal b)"),
        ("- a * b", "(Negate(a) Times b)"),
        ("a * - b + c", "((a Times Negate(b)) Plus c)"),
        ("pre not - x.f", "Pre(Not(Negate(x.f)))"),
        ("pre x[1].f", "Pre(x[1].f)"),
        ("a - b - c", "((a Minus b) Minus c)"),
        ("a + b * c div d", "(a Plus ((b Times c) Div d))"),
        ("a * b mod c / d", "(((a Times b) Mod c) Divide d)"),
        ("a < b = c", "((a Less b) Equal c)"),
        ("a <> b >= c", "((a NotEqual b) GreaterEqual c)"),
        ("a + 1 > b and c or d", "((((a Plus 1) Greater b) And c) Or d)"),
        ("a or b and c xor d", "((a Or (b And c)) Xor d)"),
        ("a => b => c", "(a Implies (b Implies c))"),
        ("a -> b -> c", "(a Arrow (b Arrow c))"),
        ("a => b -> c => d", "((a Implies b) Arrow (c Implies d))"),
        ("a -> b => c -> d", "(a Arrow ((b Implies c) Arrow d))"),
        ("a or b => c or d", "((a Or b) Implies (c Or d))"),
        ("0 -> pre x + 1", "(0 Arrow (Pre(x) Plus 1))"),
        ("a = b -> c", "((a Equal b) Arrow c)"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn if_takes_all_that_follows_else() {
    for (text, expected) in [
        ("if a then b else c + d", "if(a, b, (c Plus d))"),
        ("if a then b else c -> d", "if(a, b, (c Arrow d))"),
        ("x + if a then b else c + d", "(x Plus if(a, b, (c Plus d)))"),
        ("pre if a then b else c and d", "Pre(if(a, b, (c And d)))"),
        ("if a then if b then c else d else e", "if(a, if(b, c, d), e)"),
        ("if a then b else if c then d else e", "if(a, b, if(c, d, e))"),
        ("(if a then b else c) + d", "(if(a, b, c) Plus d)"),
        ("a -> if b then c else d -> e", "(a Arrow if(b, c, (d Arrow e)))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn brackets_of_all_kinds_are_read() {
    for (text, expected) in [
        ("((a))", "a"),
        ("(a, b + 1, (c, d))", "tuple(a, (b Plus 1), tuple(c, d))"),
        ("[a, [b], c]", "[a, [b], c]"),
        ("a[i][j := b[0]].f{g := 1}", "a[i][j := b[0]].f{g := 1}"),
        ("t {f = 1; g = t {h = x}}", "t {f = 1; g = t {h = x}}"),
        ("f()", "f()"),
        ("f(a, g(b))[0]", "f(a, g(b))[0]"),
        ("condact(c and d, f(x, y), 1, 2 + 3)", "condact((c And d): f(x, y): 1, (2 Plus 3))"),
        ("condact(c, f())", "condact(c: f(): )"),
        ("real(x) + real(floor(y))", "(ToReal(x) Plus ToReal(Floor(y)))"),
        ("int(y)", "Floor(y)"),
        ("a {f := a.f = b}", "a{f := (a.f Equal b)}"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn numbers_are_exact() {
    for (text, expected) in [
        ("007", "7"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.5", "real 1/2"),
        ("10.250", "real 41/4"),
        ("1.5e3", "real 1500"),
        ("25E-1", "real 5/2"),
        ("1.0", "real 1"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn operands_come_first_and_places_include_parentheses() {
    let text = "node n(a, b: int) returns (x: int); let x = (a + (b)) * condact(true, m(a), 0); tel";
    let program = program(text);
    for (at, expr) in program.exprs.iter().enumerate() {
        let mut operands = Vec::new();
        super::super::check::operands(&expr.kind, |operand| operands.push(operand));
        assert!(operands.iter().all(|operand| (operand.0 as usize) < at), "{expr:?}");
    }
    let places: Vec<&str> = program.exprs.iter().map(|expr| &text[expr.at.clone()]).collect();
    let expected = ["a", "(b)", "(a + (b))", "true", "a", "0", "condact(true, m(a), 0)"];
    assert_eq!(places[..7], expected);
    assert_eq!(places[7], "(a + (b)) * condact(true, m(a), 0)");
}

#[test]
fn small_steps_towards_kind_2_are_read() {
    let program = program(
        "const c = 1; const d: real = 1.5;
         type r = {a, b: int; c: bool;};
         function f(x: int) returns (y: int);
         node m(a: int;) returns (x: int) /* no semicolon */ let x = a; tel.
         node n(check: int) returns (x: bool; y: int);
         var z: int; var w, v: int;
         let
           --%MAIN
           y = check; (x) = true; z = 0; w, v = (1, 2); -- all of them
           (* -- *) check \"zero\" z = 0;
           check x;
           --%PROPERTY \"w v\" w < v;
           --%PROPERTY v > 0;
           --%PROPERTY x;
           --%IVC z, w;
           --%IVC v;
           --%REALIZABLE check;
           assert check > 0;
         tel;",
    );
    let [m, n] = program.nodes.as_slice() else { panic!("two nodes") };
    assert!(m.main.is_none() && n.main.is_some() && n.realizable.is_some());
    let properties: Vec<(Option<&str>, String)> = (n.properties.iter())
        .map(|property| (property.name.as_ref().map(|n| n.text.as_str()), shape(&program, property.expr)))
        .collect();
    let expected = [
        (Some("zero"), "(z Equal 0)"),
        (None, "x"),
        (Some("w v"), "(w Less v)"),
        (None, "(v Greater 0)"),
        (None, "x"),
    ];
    assert_eq!(properties, expected.map(|(name, shape)| (name, shape.to_owned())));
    let ivc: Vec<&str> = n.ivc.iter().flatten().map(|name| name.text.as_str()).collect();
    assert_eq!(ivc, ["z", "w", "v"]);
    assert_eq!((n.equations.len(), n.assertions.len(), n.locals.len()), (4, 1, 3));
}

#[test]
fn words_of_other_dialects_are_names_in_jkind() {
    let program = program(
        "node n(current, when, last: int) returns (check, merge: int; assume: bool);
         let check = current + when; merge, assume = (last, check = when); tel",
    );
    assert_eq!(program.nodes[0].equations.len(), 2);
}

#[test]
fn a_flattened_file_has_names_with_dots_and_indices() {
    let program =
        program("node n(a[0].x: int) returns (b~1.y: int); let b~1.y = a[0].x + 1; --%IVC b~1.y; tel");
    assert_eq!(program.nodes[0].equations[0].targets[0].text, "b~1.y");
    assert_eq!(shape(&program, program.nodes[0].equations[0].value), "(a[0].x Plus 1)");
}

#[test]
fn depth_is_no_danger() {
    let chain = vec!["x"; 300_000].join(" and ");
    program(&format!("node n(x: bool) returns (y: bool); let y = {chain}; tel"));
    let chain = vec!["x"; 100_000].join(" -> ");
    program(&format!("node n(x: bool) returns (y: bool); let y = {chain}; tel"));
    let chain = "if x then x else ".repeat(100_000);
    program(&format!("node n(x: bool) returns (y: bool); let y = {chain}x; tel"));
    let chain = "not ".repeat(100_000);
    program(&format!("node n(x: bool) returns (y: bool); let y = {chain}x; tel"));
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let text = format!("node n(x: bool) returns (y: bool); let y = {open}x{close}; tel");
    let error = parse(Input::new("test.lus", text.as_bytes()), Dialect::JKind).expect_err("too deep");
    assert!(error.message.contains("nested too deeply"), "{error}");
}
