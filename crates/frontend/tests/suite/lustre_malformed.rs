//! What users are told about Lustre files that are not right.

use crate::malformed::show;
use propcov_frontend::{Diagnostic, lustre};
use propcov_ir::Region;

fn report<'c>(cases: impl IntoIterator<Item = (&'c str, Vec<u8>)>) -> String {
    let mut report = String::new();
    for (title, bytes) in cases {
        let error = match lustre::check_as("test.lus", &bytes, lustre::Dialect::JKind) {
            Err(error) => error,
            Ok(_) => panic!("{title}: no error"),
        };
        report += &format!("{title}\n{}\n", show(&error));
    }
    report
}

/// Whole files.
fn files(cases: &[(&'static str, &str)]) -> String {
    report(cases.iter().map(|(title, text)| (*title, text.as_bytes().to_vec())))
}

/// Equations of a node that has a bit of everything.
fn equations(cases: &[(&'static str, &str)]) -> String {
    let file = |text: &str| {
        format!(
            "const N = 3; const HALF = 0.5; const TABLE = [1, 2, 3];\n\
             type colour = enum {{red, green}}; type pair = struct {{x: int; y: bool}}; type small = subrange [0, 9] of int;\n\
             function f(a: int) returns (b: int);\n\
             node two(a: int) returns (b: int; c: bool); let b = a; c = a > 0; tel\n\
             node late(a: int; go: bool) returns (b: int); let b = 0 -> pre a; tel\n\
             node take(a: small) returns (b: int); let b = a; tel\n\
             node main(i, j: int; r: real; p: bool; c: colour; s: pair; a: int[3]; d: small) returns (o: int; q: bool);\n\
             var k: int; let\n{text}\ntel\n"
        )
    };
    report(cases.iter().map(|(title, text)| (*title, file(text).into_bytes())))
}

#[test]
fn malformed_declarations_are_explained() {
    let shown = files(&[
        ("an empty file", ""),
        ("only a comment", "-- nothing\n(* here *)"),
        ("another language", "module main(input a);\nendmodule\n"),
        ("only a type", "type t = int;\n"),
        ("a node without name", "node (a: int) returns (b: int); let b = a; tel"),
        ("a node whose name is a word", "node let(a: int) returns (b: int); let b = a; tel"),
        ("inputs that do not end", "node n(a: int returns (b: int); let b = a; tel"),
        ("an input without type", "node n(a) returns (b: int); let b = a; tel"),
        ("no outputs", "node n(a: int); let tel"),
        ("locals without semicolon", "node n(a: int) returns (b: int);\nvar c: int\nlet b = a; c = a; tel"),
        ("no body", "node n(a: int) returns (b: int);\nnode m() returns (); let tel"),
        ("a body that does not end", "node n(a: int) returns (b: int);\nlet\n  b = a;\n"),
        ("a constant without equation", "const c 3;\n"),
        ("a constant without semicolon", "const c = 3\nconst d = 4;\n"),
        ("a type that is missing", "type t = ;\n"),
        ("a record inside a declaration", "node n(a: struct {x: int}) returns (); let tel"),
        ("a record without fields", "type t = struct {};\n"),
        ("an enumeration without values", "type t = enum {};\n"),
        ("a subrange of reals", "type t = subrange [0, 1] of real;\n"),
        ("a subrange without bound", "type t = subrange [0, n] of int;\n"),
        ("an array without size", "type t = int[n];\n"),
        ("an array of nothing", "type t = int[0];\n"),
        ("an array larger than memory", "type t = int[99999999999999999999];\n"),
        ("a misspelt annotation", "node n(a: bool) returns ();\nlet\n  --%PROPERY a;\ntel"),
        ("a comment that does not end", "node n(a: bool) returns (); let tel (* and so on\n"),
        ("a character of another alphabet", "node n(größe: int) returns (); let tel"),
        ("a property without semicolon", "node n(a: bool) returns ();\nlet\n  --%PROPERTY a\ntel"),
        ("a property without name", "node n(a: bool) returns ();\nlet\n  --%PROPERTY \"\" a;\ntel"),
        ("a core of a number", "node n(a: bool) returns ();\nlet\n  --%IVC 3;\ntel"),
        ("text after the last node", "node n(a: bool) returns (); let tel }\n"),
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn malformed_expressions_are_explained() {
    let shown = equations(&[
        ("an operand that is missing", "k = i +;"),
        ("an operator that is missing", "k = i j;"),
        ("an equation as in C", "q = i == j;"),
        ("a conjunction as in C", "q = p && p;"),
        ("a parenthesis that is not closed", "k = (i + j;"),
        ("a parenthesis that is not opened", "k = i + j);"),
        ("if without then", "k = if p i else j;"),
        ("if without else", "k = if p then i;"),
        ("an index that is missing", "k = a[];"),
        ("an index that is not closed", "k = a[1;"),
        ("a field that is a word", "k = s.real;"),
        ("an update without value", "k = s{x = 1};"),
        ("a record that is not closed", "k = pair {x = 1; y = true;"),
        ("a number with a dot and no digits", "k = 1. + i;"),
        ("a number that is far too long", "k = floor(1e99999);"),
        ("real without parentheses", "k = floor r;"),
        ("condact without a call", "k = condact(p, i, 0);"),
        ("an empty tuple", "k = ();"),
        ("an equation that is cut off", "k = i + j"),
        ("an equation for an expression", "k + 1 = i;"),
        ("a semicolon alone", ";"),
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn what_other_dialects_have_is_named() {
    let shown = files(&[
        (
            "a contract",
            "node n(a: int) returns (b: int);\n(*@contract\n  guarantee b > 0;\n*)\nlet b = a; tel",
        ),
        ("a contract by itself", "contract c(a: int) returns (b: int); let guarantee b > 0; tel"),
        ("an imported node", "node imported n(a: int) returns (b: int);"),
        ("an abstract type", "type t;\n"),
        ("a constant without value", "const c: int;\n"),
        ("a static parameter", "node n<<const k: int>>(a: int) returns (b: int); let b = a; tel"),
        ("a function with a body", "function f(a: int) returns (b: int);\nlet b = a; tel"),
        ("a machine integer", "node n(a: int8) returns (); let tel"),
        ("an include", "include \"other.lus\"\n"),
        ("an array with a hat", "node n(a: int^3) returns (); let tel"),
    ]);
    insta::assert_snapshot!(shown);
    let shown = equations(&[
        ("when", "k = i when p;"),
        ("current", "k = current i;"),
        ("merge with a clock", "k = merge p (true -> i) (false -> j);"),
        ("merge like a call", "k = merge(p, i, j);"),
        ("fby", "k = 0 fby i;"),
        ("activate", "k = activate two every p (i);"),
        ("restart", "k = (restart two every p)(i);"),
        ("a quantifier", "q = forall (n: int) n > 0;"),
        ("nor", "q = p nor p;"),
        ("at most one of", "q = #(p, p);"),
        ("an automaton", "automaton state s: let k = i; tel returns k;"),
        ("assume", "assume i > 0;"),
        ("guarantee with a name", "guarantee \"positive\" i > 0;"),
        ("an if block", "if p then k = 1; else k = 2; fi"),
        ("an array by its elements", "a[n] = 3;"),
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn wrong_names_are_explained() {
    let shown = files(&[
        ("a type twice", "type t = int;\ntype t = bool;\nnode n() returns (); let tel"),
        ("an unknown type", "type speed = int;\nnode n(a: sped) returns (); let tel"),
        ("an unknown type in a type", "type t = flag[2];\nnode n() returns (); let tel"),
        (
            "types in a circle",
            "type a = struct {x: b};\ntype b = c[2];\ntype c = a;\nnode n() returns (); let tel",
        ),
        (
            "a value twice",
            "type t = enum {red, green};\ntype u = enum {blue, red};\nnode n() returns (); let tel",
        ),
        ("a constant like a value", "type t = enum {red};\nconst red = 1;\nnode n() returns (); let tel"),
        ("a field twice", "type t = struct {x: int; y: int; x: bool};\nnode n() returns (); let tel"),
        ("a variable like a constant", "const c = 1;\nnode n(c: int) returns (); let tel"),
        ("constants in a circle", "const a = b + 1;\nconst b = a;\nnode n() returns (); let tel"),
        ("a constant of an unknown one", "const speed = 3;\nconst b = sped;\nnode n() returns (); let tel"),
        ("a constant that changes", "const a = 1 -> 2;\nnode n() returns (); let tel"),
        ("a constant from a node", "const c = n(1);\nnode n(a: int) returns (b: int); let b = a; tel"),
        ("a constant of another type", "const a: int = 1.5;\nnode n() returns (); let tel"),
        (
            "a constant out of its subrange",
            "const a: subrange [0, 3] of int = 4;\nnode n() returns (); let tel",
        ),
        ("a constant beyond all bounds", &squares()),
        ("a node twice", "node n() returns (); let tel\nnode n() returns (); let tel"),
        ("a function like a node", "node n() returns (); let tel\nfunction n() returns (x: int);"),
        (
            "a function into a subrange",
            "function f() returns (x: subrange [0, 1] of int);\nnode n() returns (); let tel",
        ),
        ("a variable twice", "node n(a: int; b: bool) returns (a: int); let tel"),
        ("two main nodes", "node n() returns (); let --%MAIN;\ntel\nnode m() returns (); let\n--%MAIN\ntel"),
        ("an empty subrange", "node n(a: subrange [3, 2] of int) returns (); let tel"),
        (
            "a type of too many scalars",
            "type t = int[1000];\ntype u = t[1000];\nnode n() returns (); let tel",
        ),
        ("a name for inlined variables", "const c = 1;\nnode n(a~0: int) returns (); let tel"),
        ("part of a record", "const c = 1;\nnode n(a: int) returns (b: int); let b.x = a; tel"),
    ]);
    insta::assert_snapshot!(shown);
}

/// Constants that are the squares of each other.
fn squares() -> String {
    let squares: String = (1..40).map(|at| format!("const c{at} = c{} * c{}; ", at - 1, at - 1)).collect();
    format!("const c0 = 10; {squares}node n() returns (); let tel")
}

#[test]
fn wrong_types_are_explained() {
    let shown = equations(&[
        ("an unknown variable", "k = jj + i;"),
        ("an unknown node", "k = tow(i);"),
        ("int and real", "k = i + r;"),
        ("division of ints", "k = i / j;"),
        ("division of reals", "q = r div r > 0.0;"),
        ("a sum of bools", "k = p + p;"),
        ("not of an int", "q = not i;"),
        ("minus of a bool", "k = -p;"),
        ("and of ints", "q = i and j;"),
        ("equality of different types", "q = c = i;"),
        ("an order of values", "q = c < red;"),
        ("another type than the variable's", "k = p;"),
        ("a real for an int", "k = r;"),
        ("branches that differ", "k = if p then i else r;"),
        ("a condition that is no bool", "k = if i then i else j;"),
        ("first and later values that differ", "k = 0 -> pre r;"),
        ("real of a real", "q = real(r) > 0.0;"),
        ("floor of an int", "k = floor(i);"),
        ("an assertion that is no bool", "assert i;"),
        ("a property that is no bool", "--%PROPERTY i + 1;"),
        ("too few arguments", "k = f();"),
        ("an argument of another type", "k = f(p);"),
        ("a literal out of a subrange", "k = take(10);"),
        ("an int for a subrange", "k = take(i);"),
        ("a sum for a subrange", "k = take(1 + 1);"),
        ("two values for one variable", "k = two(i);"),
        ("one value for two variables", "o, q = i;"),
        ("two values of which one is wrong", "o, q = (i, j);"),
        ("a call of which one value is wrong", "q, o = two(i);"),
        ("a clock that is no bool", "o, q = condact(i, two(i), 0, true);"),
        ("too few defaults", "o, q = condact(p, two(i), 0);"),
        ("a default of another type", "o, q = condact(p, two(i), 0, 1);"),
        ("condact of a function", "k = condact(p, f(i), 0);"),
        ("a field that is not there", "k = s.z;"),
        ("a field of an int", "k = i.x;"),
        ("an update of another type", "q = s{x := true} = s;"),
        ("a record that is not there", "k = pear {x = 1; y = true};"),
        ("a record without a field", "q = pair {x = 1} = s;"),
        ("a record with a field too many", "q = pair {x = 1; y = true; z = 2} = s;"),
        ("a record with a field twice", "q = pair {x = 1; x = 1; y = true} = s;"),
        ("an element of an int", "k = i[0];"),
        ("an index that is a bool", "k = a[p];"),
        ("an index out of range", "k = a[N];"),
        ("a negative index", "k = TABLE[-1];"),
        ("an update out of range", "q = a[1 + 2 := 0] = a;"),
        ("elements that differ", "q = [1, true] = a;"),
        ("arrays of different sizes", "q = [1, 2] = a;"),
        ("division by zero", "k = i div (N - 3);"),
        ("a real division by zero", "q = r / (HALF - 0.5) > r;"),
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn wrong_equations_are_explained() {
    let shown = equations(&[
        ("a variable without equation", "o = i; q = p;"),
        ("an output without equation", "k = i; q = p;"),
        ("a variable with two equations", "o = i; q = p;\nk = i;\nk = j;"),
        ("a variable twice in one equation", "k, k = (i, j);"),
        ("an equation for an input", "i = 3;"),
        ("an equation for a constant", "N = 3;"),
        ("an equation for nothing", "oo = 3;"),
        ("a property twice", "o = i; q = p; k = i;\n--%PROPERTY q;\n--%PROPERTY q;"),
        ("a property that is unknown", "o = i; q = p; k = i;\n--%PROPERTY qq;"),
        ("a core of an input", "o = i; q = p; k = i;\n--%IVC k, i;"),
        ("a core twice", "o = i; q = p; k = i;\n--%IVC k, o, k;"),
        ("a core that is unknown", "o = i; q = p; k = i;\n--%IVC kk;"),
        ("a variable of itself", "o = o + 1; q = p; k = i;"),
        ("a loop of three", "o = k + 1; q = o > 3; k = if q then 1 else 0;"),
        ("a loop through an arrow", "o = 0 -> k; k = pre i -> o; q = p;"),
        ("a loop through a call", "o, q = two(k); k = o + 1;"),
        ("a loop through a function", "k = f(o); o = k; q = p;"),
        ("a loop through a clock", "o = condact(q, late(i, p), 0); q = o > 0; k = 0;"),
        ("a loop through a default", "o = condact(p, late(i, p), k); q = p; k = o;"),
        ("a loop through an index", "o = a[k]; k = o; q = p;"),
    ]);
    insta::assert_snapshot!(shown);
    let shown = files(&[
        ("a node of itself", "node n(a: int) returns (b: int); let b = n(a); tel"),
        (
            "nodes of each other",
            "node m(a: int) returns (b: int); let b = n(a); tel\nnode n(a: int) returns (b: int); let b = m(a); tel",
        ),
        ("calls without end", &doubling()),
        (
            "a loop in a record",
            "type t = struct {x: int; y: int};\nnode n() returns (r: t); let r = t {x = r.y; y = r.x + 1}; tel",
        ),
        ("a loop in an array", "node n(i: int) returns (a: int[2]); let a = [a[1], a[0]]; tel\n"),
    ]);
    insta::assert_snapshot!(shown);
}

/// Nodes that call the one before twice.
fn doubling() -> String {
    let nodes: String = (1..40)
        .map(|at| {
            format!("node n{at}(a: int) returns (b: int); let b = n{0}(a) + n{0}(a + 1); tel\n", at - 1)
        })
        .collect();
    format!("node n0(a: int) returns (b: int); let b = a; tel\n{nodes}")
}

#[test]
fn what_looks_like_a_loop_and_is_none_is_accepted() {
    for text in [
        // A call whose output does not depend on the input.
        "node split(a, b: int) returns (x, y: int); let x = a; y = b; tel
         node n(i: int) returns (o, u: int); let o, u = split(i, o); tel",
        "node late(a: int) returns (b: int); let b = 0 -> pre a; tel
         node n() returns (o: int); let o = late(o + 1); tel",
        "node late(a: int) returns (b: int); let b = 0 -> pre a; tel
         node n(p: bool) returns (o: int); let o = condact(p, late(o + 1), 0); tel",
        // Fields and elements of one variable.
        "type t = struct {x: int; y: int[2]};
         node n(i: int) returns (r: t); let r = t {x = r.y[1]; y = [i, r.y[0]]}; tel",
        "node n(i: int) returns (a: int[2]); let a = [a[1], i][0 := 3]; tel\nconst c = 1;",
        "node n(i: int) returns (x: int); let x = 0 -> pre (x + i); tel",
    ] {
        lustre::check("test.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn warnings(text: &str) -> String {
    let (_, warnings) = lustre::check("test.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let show = |warning: &Diagnostic| {
        let region = warning.span.map_or(Region::Bytes { start: 0, end: 0 }, |span| span.region);
        format!("{region}: {warning}")
    };
    warnings.iter().map(show).collect::<Vec<String>>().join("\n")
}

#[test]
fn unguarded_pre_and_what_is_ignored_are_mentioned() {
    insta::assert_snapshot!(warnings(
        "node m(a: int) returns (b: int); let b = 0 -> a; tel
node n(a: int) returns (b, c, d, e, f: int);
--@ assume a > 0;
let
  --%REALIZABLE a;
  b = pre a;
  c = 0 -> pre (pre a);
  d = pre a -> pre b;
  e = 0 -> m(pre a);
  f = 0 -> if pre a > 0 then pre (0 -> pre a) else 0;
  assert true -> pre b = 0;
  --%PROPERTY pre a > 0;
tel"
    ));
}

#[test]
fn many_warnings_of_a_kind_are_counted() {
    let equations: String = (0..30).map(|at| format!("x{at} = pre a;\n")).collect();
    let names: Vec<String> = (0..30).map(|at| format!("x{at}")).collect();
    let text = format!("node n(a: int) returns ({}: int);\nlet\n{equations}tel", names.join(", "));
    let shown = warnings(&text);
    assert_eq!(shown.lines().count(), 21);
    assert!(shown.ends_with("23:7: 10 more unguarded `pre`, from here on"), "{shown}");
}
