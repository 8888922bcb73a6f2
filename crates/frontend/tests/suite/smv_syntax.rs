//! The syntax of SMV: what is read and how it is grouped, compared with how NuSMV prints it.

use crate::common::benchmarks;
use propcov_frontend::smv::{
    self,
    syntax::{BinaryOp, Expr, ExprKind, File, Item, SpecificationKind},
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Parts of an expression.
pub(crate) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Boolean(_)
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Word(..) => vec![],
        ExprKind::Dot(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::Next(a)
        | ExprKind::Init(a)
        | ExprKind::Temporal(_, a)
        | ExprKind::Bounded(_, _, _, a)
        | ExprKind::Linear(_, _, a) => vec![a],
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Until(_, a, b)
        | ExprKind::Release(_, a, b)
        | ExprKind::BoundedUntil(_, a, _, _, b)
        | ExprKind::LinearPair(_, a, b) => vec![a, b],
        ExprKind::Bits(a, b, c) | ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Case(branches) => branches.iter().flat_map(|(a, b)| [a, b]).collect(),
        ExprKind::Set(all) | ExprKind::ArrayLiteral(all) | ExprKind::Call(_, all) => all.iter().collect(),
    }
}

fn depth(expr: &Expr) -> u32 {
    1 + parts(expr).into_iter().map(depth).max().unwrap_or(0)
}

/// The tree without places. A set is a union, as NuSMV prints it.
fn shape(expr: &Expr) -> String {
    let inside: Vec<String> = parts(expr).into_iter().map(shape).collect();
    let head = match &expr.kind {
        ExprKind::Name(name) => return name.clone(),
        ExprKind::Boolean(value) => return value.to_string(),
        ExprKind::Integer(value) => return value.to_string(),
        ExprKind::Real(value) => return value.to_string(),
        ExprKind::Word(width, signed, value) => return format!("word({width} {signed} {value})"),
        ExprKind::Dot(_, name) => return format!("{}.{}", inside[0], name.text),
        ExprKind::Set(_) => {
            return inside.into_iter().reduce(|a, b| format!("({a} Union {b})")).unwrap_or_default();
        }
        ExprKind::Binary(op, ..) => return format!("({} {op:?} {})", inside[0], inside[1]),
        ExprKind::Unary(op, _) => format!("{op:?}"),
        ExprKind::Temporal(op, _) => format!("{op:?}"),
        ExprKind::Bounded(op, low, high, _) => format!("{op:?} {low} {high}"),
        ExprKind::Until(quantifier, ..) => format!("Until{quantifier:?}"),
        ExprKind::Release(quantifier, ..) => format!("Release{quantifier:?}"),
        ExprKind::BoundedUntil(quantifier, _, low, high, _) => format!("Until{quantifier:?} {low} {high}"),
        ExprKind::Linear(op, bounds, _) => format!("{op:?} {bounds:?}"),
        ExprKind::LinearPair(op, ..) => format!("{op:?}"),
        ExprKind::Call(name, _) => name.text.clone(),
        ExprKind::Index(..) => "index".to_owned(),
        ExprKind::Bits(..) => "bits".to_owned(),
        ExprKind::Conditional(..) => "if".to_owned(),
        ExprKind::Case(_) => "case".to_owned(),
        ExprKind::Range(..) => "range".to_owned(),
        ExprKind::ArrayLiteral(_) => "array".to_owned(),
        ExprKind::Next(_) => "next".to_owned(),
        ExprKind::Init(_) => "init".to_owned(),
    };
    format!("{head}({})", inside.join(", "))
}

fn read(text: &str) -> File {
    smv::parse("test.smv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{:.300}", text))
}

/// The expressions of CTL specifications.
fn formulas(file: &File) -> Vec<&Expr> {
    let items = file.modules.iter().flat_map(|module| &module.items);
    items
        .filter_map(|item| match item {
            Item::Specification { kind: SpecificationKind::Ctl, formula, .. } => formula.as_ref(),
            _ => None,
        })
        .collect()
}

fn expression(text: &str) -> Expr {
    let file = read(&format!("MODULE main SPEC {text}"));
    formulas(&file)[0].clone()
}

#[test]
fn the_benchmarks_are_parsed() {
    let Some(files) = benchmarks("smv", "smv") else { return };
    assert!(files.len() > 70);
    for (name, bytes) in files {
        // Unprocessed macros: NuSMV refuses them, too.
        if name.contains(".m4.") {
            assert!(smv::parse(&name, &bytes).is_err(), "{name}");
            continue;
        }
        assert!(smv::sniff(&bytes), "{name}");
        let file = smv::parse(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let deepest = formulas(&file).into_iter().map(depth).max().unwrap_or(0);
        assert!(deepest <= smv::MAX_DEPTH, "{name}: {deepest}");
    }
}

#[test]
fn specifications_are_grouped_as_nusmv_prints_them() {
    let Some(files) = benchmarks("smv", "smv") else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/benchmarks/smv/ctl_verdicts.json");
    let verdicts: BTreeMap<String, Vec<(String, String)>> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut compared = 0;
    for (name, bytes) in files {
        let Some(printed) = verdicts.get(&name) else { continue };
        let file = smv::parse(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let mut written: Vec<String> = formulas(&file).into_iter().map(shape).collect();
        let mut shown: Vec<String> = printed
            .iter()
            // `f IN m`: written in the module of which m is an instance.
            .map(|(text, _)| shape(&expression(text.split(" IN ").next().unwrap())))
            .collect();
        compared += shown.len();
        for list in [&mut written, &mut shown] {
            list.sort();
            list.dedup();
        }
        for formula in &shown {
            assert!(
                written.contains(formula),
                "{name}: NuSMV has\n{formula}\nbut it was read as\n{written:#?}"
            );
        }
    }
    assert_eq!(compared, 150);
}

#[test]
fn operators_bind_as_in_the_manual() {
    for (text, grouped) in [
        ("p <-> q -> p", "(p <-> q) -> p"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("a ? b : c <-> d", "(a ? b : c) <-> d"),
        ("a | b ? c : d | e", "(a | b) ? c : (d | e)"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a ? b ? c : d : e", "a ? (b ? c : d) : e"),
        ("a ? b -> c : d", "a ? (b -> c) : d"),
        ("a & b | c & d xor e", "((a & b) | (c & d)) xor e"),
        ("a xor b | c xnor d", "((a xor b) | c) xnor d"),
        ("!a = b & c", "((!a) = b) & c"),
        ("a = b != c", "(a = b) != c"),
        ("a < b = c", "(a < b) = c"),
        ("a in b union c = d", "(a in (b union c)) = d"),
        ("a in 0..3 & b", "(a in (0..3)) & b"),
        ("a in 0..n + 1", "a in (0..(n + 1))"),
        ("a union b << c", "a union (b << c)"),
        ("a << b + c >> d", "(a << (b + c)) >> d"),
        ("a - b - c + d", "((a - b) - c) + d"),
        ("a + b * c mod d / e", "a + (((b * c) mod d) / e)"),
        ("a * -b + c", "(a * (-b)) + c"),
        ("-a :: b", "-(a :: b)"),
        ("- -a :: b", "-(-(a :: b))"),
        ("a :: -b :: c", "(a :: (-b)) :: c"),
        ("-a + b", "(-a) + b"),
        ("!a :: b", "(!a) :: b"),
        ("!a[1]", "!(a[1])"),
        ("!-a + b", "(!(-a)) + b"),
        ("-!a :: b", "-((!a) :: b)"),
        ("AG a != b", "AG (a != b)"),
        ("AG a & b", "(AG a) & b"),
        ("AG !a = b -> c", "(AG ((!a) = b)) -> c"),
        ("AG AF a = b | c", "(AG (AF (a = b))) | c"),
        ("!AG a = b & c", "(!(AG (a = b))) & c"),
        ("! !EF a = b", "!(!(EF (a = b)))"),
        ("a & EX b & c", "(a & (EX b)) & c"),
        ("EBF 1..3 a = b & c", "(EBF 1..3 (a = b)) & c"),
        ("E [ a -> b U c | d ] & e", "(E [ (a -> b) U (c | d) ]) & e"),
        ("A [ a -> b R c | d ] & e", "(A [ (a -> b) R (c | d) ]) & e"),
        ("E [ R R R ] & R = R.R", "(E [ (R) R (R) ]) & (R = (R.R))"),
        ("A [ a BU 0..9 b ] -> c", "(A [ a BU 0..9 b ]) -> c"),
        ("next(a)[3:0] :: b[i + 1]", "((next(a))[3:0]) :: (b[(i + 1)])"),
        ("count(a, b) + max(a, b) = 3", "((count(a, b)) + (max(a, b))) = 3"),
        ("{a, 1, b} union c", "((a union 1) union b) union c"),
    ] {
        assert_eq!(shape(&expression(text)), shape(&expression(grouped)), "{text}");
    }
}

#[test]
fn names_and_numbers_are_what_nusmv_takes_them_for() {
    for (text, expected) in [
        ("a-b", "a-b"),
        ("a - b", "(a Minus b)"),
        ("a -b", "(a Minus b)"),
        ("e-6.u.req[2]", "index(e-6.u.req, 2)"),
        ("self.a$b#c", "self.a$b#c"),
        ("a.1", "a.1"),
        ("a->b", "(a Implies b)"),
        ("max + running", "(max Plus running)"),
        ("Agent & EXtra & Unit", "((Agent And EXtra) And Unit)"),
        ("00012", "12"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0ub8_1010", "word(8 false 10)"),
        ("0b_1010", "word(4 false 10)"),
        ("0h8_fF", "word(8 false 255)"),
        ("0uo_17", "word(6 false 15)"),
        ("0sb4_1111", "word(4 true -1)"),
        ("0sd8_12", "word(8 true 12)"),
        ("-0sd8_128", "Minus(word(8 true -128))"),
        ("0ud16_65_535", "word(16 false 65535)"),
        ("0sH_80", "word(8 true -128)"),
        ("a /-- one\n -- two\n --/ & b -- three \u{e9}", "(a And b)"),
        ("TRUE & FALSE", "(true And false)"),
    ] {
        assert_eq!(shape(&expression(text)), expected, "{text}");
    }
}

const EVERYTHING: &str = include_str!("everything.smv");

#[test]
fn every_section_is_read() {
    let file = read(EVERYTHING);
    let mut text = String::new();
    for module in &file.modules {
        let parameters: Vec<&str> = module.parameters.iter().map(|name| name.text.as_str()).collect();
        text += &format!("MODULE {}({})\n", module.name.text, parameters.join(", "));
        for item in &module.items {
            text += &describe(item);
            text += "\n";
        }
    }
    insta::assert_snapshot!(text);
}

fn describe(item: &Item) -> String {
    match item {
        Item::Variable { kind, name, kind_of } => {
            format!("{kind:?} {}: {:?} {}", name.text, &EVERYTHING[kind_of.place.clone()], type_name(kind_of))
        }
        Item::Define { target, value, .. } => format!("define {} = {}", shape(target), shape(value)),
        Item::Constant(name) => format!("constant {}", name.text),
        Item::Assign { kind, target, value, place } => {
            format!("{kind:?} {} = {} {:?}", shape(target), shape(value), &EVERYTHING[place.clone()])
        }
        Item::Constraint { kind, condition } => format!("{kind:?} {}", shape(condition)),
        Item::Compassion { often, then, place } => {
            format!("compassion {} {} {:?}", shape(often), shape(then), &EVERYTHING[place.clone()])
        }
        Item::Specification { kind, name, formula, place, .. } => {
            let name = name.as_ref().map(|name| name.text.as_str());
            format!("{kind:?} {name:?} {:?} {:?}", formula.as_ref().map(shape), &EVERYTHING[place.clone()])
        }
        Item::Distance { longest, name, from, to, place, .. } => {
            let name = name.as_ref().map(|name| name.text.as_str());
            let which = if *longest { "longest" } else { "shortest" };
            format!("{which} {name:?} {} {} {:?}", shape(from), shape(to), &EVERYTHING[place.clone()])
        }
        Item::Isa(name) => format!("isa {}", name.text),
        Item::Ignored { keyword, place } => format!("ignored {keyword} {:?}", &EVERYTHING[place.clone()]),
    }
}

fn type_name(kind_of: &smv::syntax::Type) -> String {
    use smv::syntax::TypeKind;
    match &kind_of.kind {
        TypeKind::Boolean => "boolean".to_owned(),
        TypeKind::Enumeration(values) => {
            format!("enumeration {:?}", values.iter().map(shape).collect::<Vec<_>>())
        }
        TypeKind::Range(low, high) => format!("range {} {}", shape(low), shape(high)),
        TypeKind::Word { signed, width } => format!("word {signed} {}", shape(width)),
        TypeKind::Array(low, high, inner) => {
            format!("array {} {} of {}", shape(low), shape(high), type_name(inner))
        }
        TypeKind::Module { process, module, arguments } => format!(
            "instance {process} {} {:?}",
            module.text,
            arguments.iter().map(shape).collect::<Vec<_>>()
        ),
        TypeKind::Integer => "integer".to_owned(),
        TypeKind::Real => "real".to_owned(),
        TypeKind::Unsupported(text) => format!("unsupported {text}"),
    }
}

#[test]
fn long_rows_are_shallow_trees() {
    let start = Instant::now();
    for op in ["&", "|", "xor", "xnor", "<->", "+", "*", "::", "union"] {
        let text: Vec<String> = (0..50_000).map(|k| format!("x{k}")).collect();
        let tree = expression(&text.join(&format!(" {op} ")));
        assert!(depth(&tree) < 100, "{op}: {}", depth(&tree));
        let mut names = Vec::new();
        let mut open = vec![&tree];
        while let Some(next) = open.pop() {
            match &next.kind {
                ExprKind::Name(name) => names.push(name.clone()),
                _ => open.extend(parts(next).into_iter().rev()),
            }
        }
        assert_eq!(names, text, "{op}");
        assert_eq!(tree.clone(), tree);
    }
    // Operators of one level in turn cannot be balanced as a whole, but each row can.
    let mixed = format!("{}a", "a | b | c | ".repeat(20_000)).replacen("b |", "b xor", 100);
    assert!(depth(&expression(&mixed)) < 400);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn many_branches_are_no_deep_tree() {
    let branches: String = (0..20_000).map(|k| format!("x = {k} : {};\n", k + 1)).collect();
    let tree = expression(&format!("case {branches} esac"));
    assert!(matches!(&tree.kind, ExprKind::Case(all) if all.len() == 20_000));
    let text: String = (0..20_000).map(|k| format!("x = {k} ? {} : ", k + 1)).collect();
    let tree = expression(&format!("{text} 7"));
    assert!(matches!(&tree.kind, ExprKind::Case(all) if all.len() == 20_001));
    assert!(matches!(&expression("a ? b : c").kind, ExprKind::Conditional(..)));
}

#[test]
fn what_is_too_deep_is_refused() {
    let count = 200_000;
    for (before, after) in [
        ("(", ""),
        ("!", ""),
        ("- ", ""),
        ("!-", ""),
        ("AG ", ""),
        ("!AG ", ""),
        ("EBF 1..2 ", ""),
        ("a[", ""),
        ("{", ""),
        ("[", ""),
        ("next(", ""),
        ("bool(", ""),
        ("case ", ""),
        ("case a : ", ""),
        ("E [ ", ""),
        ("E [ a U ", ""),
        ("A [ a R ", ""),
        ("a & (", ""),
        ("a -> (b <-> (c | d & e = f in g union h << i + j * k :: (", ""),
        ("a ? ", ""),
        ("a ? b : (", ""),
        ("a -> ", "a"),
        ("a - ", "a"),
        ("a = ", "a"),
        ("a.", "a"),
        ("a | b xor ", "a"),
        ("a - (b - c) - ", "a"),
        ("a union (b in (", ""),
        ("count(a, ", ""),
        ("a[3:", ""),
        ("A [ a BU 1..2 ", ""),
    ] {
        let text = format!("MODULE main SPEC {}{after}", before.repeat(count));
        let error = smv::parse("deep.smv", text.as_bytes()).unwrap_err();
        assert!(error.message.contains("nested"), "{before}: {error}");
    }
    let text = format!("MODULE main SPEC a{}", "[1]".repeat(count));
    assert!(smv::parse("deep.smv", text.as_bytes()).unwrap_err().message.contains("nested"));
    let text = format!("MODULE main VAR a : {} boolean;", "array 0..1 of ".repeat(count));
    assert!(smv::parse("deep.smv", text.as_bytes()).unwrap_err().message.contains("arrays in arrays"));
}

#[test]
fn what_is_not_too_deep_is_read() {
    let expressions = [
        format!("{}a{}", "(".repeat(400), ")".repeat(400)),
        format!("{}a{}", "a & (b | (".repeat(120), "))".repeat(120)),
        format!("{}a", "!".repeat(490)),
        format!("{}a", "AG ".repeat(490)),
        format!("{}a", "a -> ".repeat(490)),
        format!("a{}", ".b".repeat(490)),
        format!("{}a{}", "case a : ".repeat(300), "; esac".repeat(300)),
        format!("{}a", "a - ".repeat(490)),
    ];
    for text in expressions {
        let tree = expression(&text);
        assert!(depth(&tree) <= smv::MAX_DEPTH, "{text}");
        assert_eq!(tree.clone(), tree);
    }
}

#[test]
fn large_files_take_linear_time() {
    let start = Instant::now();
    let mut text = "MODULE main\nVAR\n".to_owned();
    text.extend((0..50_000).map(|k| format!("x{k} : {{a, b, c}}; -- number {k}\n")));
    text += "ASSIGN\n";
    text.extend((0..50_000).map(|k| format!("next(x{k}) := case x{k} = a : {{b, c}}; TRUE : a; esac;\n")));
    let file = read(&text);
    assert_eq!(file.modules[0].items.len(), 100_000);
    // Things that would be looked for again and again.
    for piece in ["/-- ", "{", "LTLSPEC ", "-- ", "PSLSPEC {", "\"", "MODULE m "] {
        _ = smv::parse("long.smv", format!("MODULE main {}", piece.repeat(200_000)).as_bytes());
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn smv_is_recognised_by_its_first_module() {
    for text in ["MODULE main", "-- a comment\n\n/-- another\n --/ MODULE m(a)\nVAR", "\t\r\nMODULE\nx\n"] {
        assert!(smv::sniff(text.as_bytes()), "{text}");
    }
    for text in
        ["", "module main", "MODULE", "MODULES a", "-- MODULE main\n", "/-- MODULE main", "1 sort", "\0\u{1}"]
    {
        assert!(!smv::sniff(text.as_bytes()), "{text}");
    }
}

#[test]
fn ors_of_two_kinds_are_not_mixed_up() {
    let text: Vec<String> =
        (0..300).map(|k| format!("x{k} {} ", if k < 200 { "|" } else { "xor" })).collect();
    let tree = expression(&format!("{}y", text.concat()));
    // (x0 | ... | x200) xor ... : nothing below the last `|` is an exclusive or.
    let mut open = vec![(&tree, false)];
    while let Some((next, below_or)) = open.pop() {
        let is_or = matches!(next.kind, ExprKind::Binary(BinaryOp::Or, ..));
        assert!(!(below_or && matches!(next.kind, ExprKind::Binary(BinaryOp::Xor, ..))));
        open.extend(parts(next).into_iter().map(|part| (part, below_or || is_or)));
    }
}
