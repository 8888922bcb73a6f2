//! Expressions that are given outside of the file: what they are, and what users are told about those that are not right.

use crate::{common::Random, malformed::show};
use propcov_frontend::{Design, Extra, InputError, read_with};
use propcov_ir::{Ctl, ExprId, Node, PropertyId, PropertyKind, SignalKind, Sort, System};

const MODEL: &str = "MODULE main
IVAR req : boolean;
VAR state : {idle, busy, done}; count : 0..5; w : word[3]; flags : array 0..2 of boolean; c : cell(busy_now); k : 0..2;
  twin : boolean;
DEFINE busy_now := state = busy; late := next(twin); asked := req; any := {idle, busy};
ASSIGN twin := !flags[0];
SPEC AG (state = busy -> AX state = done)
SPEC AG (count + 1 > 2 & busy_now -> AX c.seen)
MODULE cell(p)
VAR seen : boolean; level : 0..3;
DEFINE high := level > 2 & p;
";

const AIGER: &str = "aag 3 1 1 1 1\n2\n4 6\n7\n6 2 4\ni0 req\nl0 state\no0 out\n";

const BTOR2: &str = "1 sort bitvec 1\n2 sort bitvec 4\n3 input 1 req\n4 state 2 count\n5 one 2\n\
    6 add 2 4 5 sum\n7 next 2 4 6\n8 redor 1 4\n9 output 8 some\n10 bad 8\n";

fn extra(origin: &str, text: &str) -> Extra {
    Extra { origin: origin.to_owned(), text: text.to_owned() }
}

fn ask(path: &str, file: &str, texts: &[&str]) -> Result<(Design, Vec<ExprId>), InputError> {
    let extras: Vec<Extra> = texts.iter().map(|text| extra("--observe", text)).collect();
    read_with(path, file.as_bytes(), &extras)
}

fn values(path: &str, file: &str, texts: &[&str]) -> (System, Vec<ExprId>) {
    let (design, values) = ask(path, file, texts).unwrap_or_else(|error| panic!("{}", show(&error)));
    design.system.validate().unwrap();
    assert_eq!(values.len(), texts.len());
    (design.system, values)
}

/// What a name is read as.
fn kind(system: &System, expr: ExprId) -> (&'static str, &str) {
    let Node::Signal(signal) = system.exprs.node(expr) else { panic!("{} is no signal", system.show(expr)) };
    let signal = system.signal(*signal);
    let kind = match signal.kind {
        SignalKind::Input => "input",
        SignalKind::State { .. } => "state",
        SignalKind::Wire { .. } => "wire",
    };
    (kind, &signal.name)
}

#[test]
fn names_in_smv_are_their_signals() {
    let names =
        ["state", "busy_now", "c.level", "c.high", "flags[2]", "flags[1 + 1]", "twin", "self.c.seen", " w "];
    let (system, found) = values("model.smv", MODEL, &names);
    let found: Vec<(&str, &str)> = found.iter().map(|expr| kind(&system, *expr)).collect();
    let expected = [
        ("state", "state"),
        ("wire", "busy_now"),
        ("state", "c.level"),
        ("wire", "c.high"),
        ("state", "flags[2]"),
        ("state", "flags[2]"),
        ("wire", "twin"),
        ("state", "c.seen"),
        ("state", "w"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_expression_that_a_property_has_is_the_same_one() {
    let texts = ["state = busy", "(state  = busy)", "count + 1 > 2", "count + 1 > 2 & busy_now", "busy_now"];
    let (system, found) = values("model.smv", MODEL, &texts);
    let antecedent = |position: u32| {
        let PropertyKind::Ctl(formula) = &system.property(PropertyId(position)).kind else { panic!("CTL") };
        match system.always(formula) {
            Some(Ctl::Or(a, _)) => match &**a {
                Ctl::Not(a) => a.atoms()[0],
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(found[0], antecedent(0));
    assert_eq!(found[1], antecedent(0));
    assert_eq!(found[3], antecedent(1));
    let operands: Vec<ExprId> = system.exprs.operands(antecedent(1)).collect();
    assert_eq!(operands, [found[2], found[4]]);
    // The wire is not what it is defined by.
    assert_ne!(found[0], found[4]);
}

#[test]
fn what_is_asked_changes_nothing_else() {
    let (without, _) = values("model.smv", MODEL, &[]);
    let (with, _) = values("model.smv", MODEL, &["state", "count * 2 = 4 & !c.high"]);
    assert_eq!(without.to_string(), with.to_string());
    assert_eq!(without.properties(), with.properties());
    assert_eq!(without.elements().len(), with.elements().len());
}

#[test]
fn values_are_of_any_scalar_sort() {
    let texts = ["state", "count", "w", "w[1:0]", "count + 1", "state in {idle, done}", "flags[k]", "TRUE"];
    let (system, found) = values("model.smv", MODEL, &texts);
    let sorts: Vec<String> = found.iter().map(|expr| system.exprs.sort(*expr).to_string()).collect();
    let two_bits = Sort::BitVec(2).to_string();
    let bool = Sort::BOOL.to_string();
    assert_eq!(sorts[0], "{idle, busy, done}");
    assert_eq!(sorts[1], "0..5");
    assert_eq!(sorts[2], Sort::BitVec(3).to_string());
    assert_eq!(sorts[3], two_bits);
    assert_eq!(sorts[4], Sort::BitVec(4).to_string());
    assert_eq!(sorts[5..], [bool.clone(), bool.clone(), bool]);
}

#[test]
fn names_in_netlists_are_their_signals_and_outputs() {
    let (system, found) = values("model.aag", AIGER, &["req", "state", "and3", "out"]);
    assert_eq!(kind(&system, found[0]), ("input", "req"));
    assert_eq!(kind(&system, found[1]), ("state", "state"));
    assert_eq!(kind(&system, found[2]), ("wire", "and3"));
    assert_eq!(found[3], system.outputs[0].expr);
    let (system, found) = values("model.btor2", BTOR2, &["req", "count", "sum", "n8", " some"]);
    assert_eq!(kind(&system, found[0]), ("input", "req"));
    assert_eq!(kind(&system, found[1]), ("state", "count"));
    assert_eq!(kind(&system, found[2]), ("wire", "sum"));
    assert_eq!(kind(&system, found[3]), ("wire", "n8"));
    assert_eq!(found[4], system.outputs[0].expr);
}

#[test]
fn what_is_wrong_with_the_file_comes_first() {
    for (path, file) in [
        ("model.smv", "MODULE main VAR x : boolean;\nSPEC AG y\n"),
        ("model.aag", "aag 1 1 0 1 0\n2\n40\n"),
        ("model.btor2", "1 sort bitvec 0\n"),
    ] {
        let error = ask(path, file, &["(("]).expect_err("two errors");
        assert_eq!(error.path, path);
    }
}

#[test]
fn each_error_is_about_its_own_text() {
    let extras = [extra("--observe", "state"), extra("--dont-care", ""), extra("--observe", "wrong")];
    let find = |extras: &[Extra]| read_with("model.smv", MODEL.as_bytes(), extras).err();
    assert_eq!(find(&extras).map(|error| error.path).as_deref(), Some("--dont-care"));
    let extras = [extra("--observe", "state"), extra("--dont-care", "busy_now"), extra("--x", "c.wrong")];
    let error = find(&extras).expect("not defined");
    assert_eq!(error.to_string(), "--x:1:3: `wrong` is not defined in `c`");
    assert_eq!(error.source_line.as_deref(), Some("c.wrong"));
    // Those who ask may expect more of the value.
    let error = extras[1].error("expected a number");
    assert_eq!(show(&error), "--dont-care:1:1: expected a number\n  | busy_now\n  | ^^^^^^^^\n");
}

#[test]
fn a_warning_names_the_option() {
    let many = (0..30).map(|at| format!("b{at} : boolean;")).collect::<String>();
    let all = (0..30).map(|at| format!("b{at}")).collect::<Vec<_>>();
    let file = format!("MODULE main VAR x : 0..7; {many}\nSPEC AG x > 0\n");
    let text = format!("TRUE & 7 / count({}) = x", all.join(", "));
    let (design, _) = ask("model.smv", &file, &[&text]).unwrap_or_else(|error| panic!("{}", show(&error)));
    let [warning] = design.warnings.as_slice() else { panic!("{:?}", design.warnings) };
    assert!(warning.message.starts_with("--observe:1:"), "{warning}");
    assert_eq!(warning.span, None);
}

#[test]
fn expressions_that_are_not_right_are_explained() {
    let cases = [
        ("nothing", ""),
        ("only space", "  "),
        ("an operand that is missing", "state ="),
        ("a parenthesis that is missing", "(state = busy"),
        ("two expressions", "state count"),
        ("a list", "state, count"),
        ("a semicolon", "state = busy;"),
        ("a word of the language", "next"),
        ("a section", "state = busy SPEC TRUE"),
        ("a letter of another alphabet", "state = büsy"),
        ("a comment that does not end", "state /-- busy"),
        ("a name that is not defined", "count > 2 & stat = busy"),
        ("a symbol that is not defined", "state = bussy"),
        ("a name that nothing resembles", "elephant"),
        ("a name of a submodule", "level"),
        ("a name that is not defined in a submodule", "c.sen"),
        ("a part of what has no parts", "count.level"),
        ("an index out of range", "flags[3]"),
        ("an index that may be out of range", "flags[count]"),
        ("an array", "flags"),
        ("an instance", "c"),
        ("a number as a condition", "count & busy_now"),
        ("a word and a number", "w = 3"),
        ("arithmetic on symbols", "state + 1"),
        ("a divisor that may be zero", "3 mod count"),
        ("next", "count > 1 & next(state) = busy"),
        ("next in a definition", "busy_now & late"),
        ("a set", "{idle, busy}"),
        ("a range", "0..3"),
        ("a set in a definition", "any"),
        ("a temporal operator", "state = busy -> AX busy_now"),
        ("an until", "E [busy_now U twin]"),
        ("an input", "busy_now & req"),
        ("an input in a definition", "busy_now | !asked"),
        ("an initial value", "init(state)"),
        ("a second line", "busy_now &\n  missing"),
    ];
    let mut report = String::new();
    for (title, text) in cases {
        match ask("model.smv", MODEL, &["state", text]) {
            Err(error) => {
                assert_eq!(error.path, "--observe", "{title}");
                report += &format!("{title}\n{}\n", show(&error));
            }
            Ok(_) => panic!("{title}: no error"),
        }
    }
    for (path, file) in [("model.aag", AIGER), ("model.btor2", BTOR2)] {
        for text in ["", "reqq", "req = 1", "elephant"] {
            let error = ask(path, file, &[text]).expect_err("no name");
            report += &format!("{path}\n{}\n", show(&error));
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn which_process_runs_is_no_part_of_the_state() {
    let file = "MODULE main VAR x : boolean; a : process m(x); b : process m(x);\nMODULE m(p)\n";
    let error = ask("model.smv", file, &["x | a.running"]).expect_err("an input");
    let expected = "--observe:1:5: expected an expression about the state, found `a.running`, which depends on an input (IVAR, running)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn no_text_is_too_strange() {
    const WORDS: &[&str] = &[
        "state", "busy", "count", "w", "flags", "[", "]", "k", "c", ".", "level", "req", "(", ")", "{", "}",
        ",", "=", "&", "->", "|", "!", "+", "mod", "-", "in", "union", "..", "?", ":", "case", "esac", ";",
        "next", "AX", "A", "U", "0", "1", "0ub3_101", "TRUE", "toint", "self", "ü", "\n", "/--", "late",
        "any",
    ];
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random(seed);
        let length = 1 + random.below(6);
        let words: Vec<&str> = (0..length).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let text = words.join(" ");
        for (path, file) in [("model.smv", MODEL), ("model.aag", AIGER), ("model.btor2", BTOR2)] {
            match ask(path, file, &[&text]) {
                Ok((design, values)) => {
                    design.system.validate().unwrap();
                    assert!(values.iter().all(|value| (value.0 as usize) < design.system.exprs.len()));
                    right += 1;
                }
                Err(error) => {
                    assert_eq!(error.path, "--observe", "{text}: {error}");
                    wrong += 1;
                }
            }
        }
    }
    assert!(right > 100 && wrong > 100, "{right} right, {wrong} wrong");
}
