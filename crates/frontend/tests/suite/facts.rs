//! What front ends know beyond the meaning of a design: where an element is, whose a signal is, and who checks whom.

use propcov_frontend::{Design, FRONTENDS, Options, Sources, read, read_as};
use propcov_ir::{Element, Origin, Region, Role, SourceFile};
use std::path::PathBuf;

fn design(path: &str, text: &str) -> Design {
    read(path, text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each element with what a function says of it.
fn each(design: &Design, say: impl Fn(&Element) -> String) -> Vec<String> {
    design.system.elements().iter().map(|element| format!("{}: {}", element.name, say(element))).collect()
}

fn roles(path: &str, text: &str) -> Vec<String> {
    each(&design(path, text), |element| element.role.name().to_owned())
}

/// A row of the table: the example, how many elements are of the design, and which are checkers.
fn row(name: &str, design: &Design) -> String {
    let elements = || design.system.elements().iter();
    let count = |role: Role| elements().filter(|element| element.role == role).count();
    let checkers: Vec<String> = elements()
        .filter(|element| element.role == Role::Checker)
        .map(|element| format!("`{}`", element.name))
        .collect();
    let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(", ") };
    let (of_design, assumed) = (count(Role::Design), count(Role::Environment));
    format!("| `{name}` | {of_design} | {assumed} | {checkers} |")
}

#[test]
fn the_documentation_says_which_elements_of_the_examples_are_checkers() {
    let entries = std::fs::read_dir(repository().join("examples")).expect("examples");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names.retain(|name| {
        FRONTENDS.iter().any(|f| f.extensions.iter().any(|e| name.ends_with(&format!(".{e}"))))
    });
    assert!(names.len() > 20, "{names:?}");
    let rows: Vec<String> = names
        .iter()
        .map(|name| {
            let bytes = std::fs::read(repository().join("examples").join(name)).expect("readable");
            row(name, &read(name, &bytes).unwrap_or_else(|error| panic!("{error}")))
        })
        .collect();
    let documentation = std::fs::read_to_string(repository().join("docs/roles.md")).expect("docs/roles.md");
    let written: Vec<&str> = documentation.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(written, rows, "docs/roles.md should have\n{}", rows.join("\n"));
}

#[test]
fn where_outputs_are_properties_registers_are_the_design() {
    // A latch, and a gate between it and the only output, which AIGER 1.0 takes for the bad state.
    let old = "aag 3 1 1 1 1\n2\n4 2\n6\n6 2 4\n";
    assert_eq!(roles("old.aag", old), ["l0.init: design", "l0: design", "and3: checker"]);
    // The same with an output that is none: what only the bad state reads is a checker, even a latch.
    let new = "aag 3 1 1 1 1 1\n2\n4 2\n2\n6\n6 2 4\n";
    assert_eq!(roles("new.aag", new), ["l0.init: design", "l0: design", "and3: checker"]);
    let both = "aag 4 1 2 1 1 1\n2\n4 2\n6 2\n4\n8\n8 2 6\n";
    assert_eq!(
        roles("both.aag", both),
        ["l0.init: design", "l0: design", "l1.init: checker", "l1: checker", "and4: checker"]
    );
}

#[test]
fn a_lustre_property_is_a_checker_even_if_it_is_an_output_or_remembers_itself() {
    let equations = "x = 0 -> pre x + 1; near = x + 1; ok = x >= 0 and near > 0 and (true -> pre ok);";
    let node = |outputs: &str, locals: &str| {
        format!("node main(i: int) returns ({outputs}); var {locals} let {equations} --%PROPERTY ok;\ntel")
    };
    let as_output = node("ok: bool", "x, near: int;");
    assert_eq!(roles("a.lus", &as_output), ["ok: checker", "x: design", "near: checker"]);
    let beside = node("near: int; ok: bool", "x: int;");
    assert_eq!(roles("b.lus", &beside), ["near: design", "ok: checker", "x: design"]);
}

#[test]
fn without_outputs_and_registers_only_the_properties_are_checkers() {
    let text = "node main(i: int) returns (ok: bool); var y: int; let y = i * 2; ok = y < 9; assert i < 4;
        --%PROPERTY ok;\ntel";
    assert_eq!(roles("a.lus", text), ["ok: checker", "y: design", "assert~0: environment"]);
    let options = Options { granularity: propcov_frontend::Granularity::Operator, ..Options::default() };
    let (apart, _) = read_as(&Sources::one("a.lus", text.as_bytes()), &[], &options).expect("a model");
    let checkers = apart.system.elements().iter().filter(|element| element.role == Role::Checker);
    let checkers: Vec<&str> = checkers.map(|element| element.name.as_str()).collect();
    assert_eq!(checkers, ["ok@1:71 y", "ok@1:73 <", "ok@1:75 9"]);
}

#[test]
fn what_transitions_are_made_of_is_the_design() {
    let text = "MODULE main\nVAR x : boolean; y : boolean;\nDEFINE d := !x; e := x & y; f := !y;\n\
                TRANS next(x) = d\nINVAR f | x\nASSIGN init(y) := {TRUE, FALSE}; next(y) := {y, TRUE};\nINVARSPEC e\n";
    assert_eq!(
        roles("a.smv", text),
        [
            "d: design",
            "e: checker",
            "f: checker",
            "init(y): design",
            "y: design",
            "TRANS1: environment",
            "INVAR1: environment"
        ]
    );
}

#[test]
fn elements_are_in_the_instance_of_their_name() {
    let text = "MODULE cell(from)\nVAR v : boolean;\nDEFINE inv := !v;\nASSIGN init(v) := FALSE;\nINVAR v | from\n\
                MODULE pair(from)\nVAR a : cell(from); b : cell(a.inv);\n\
                MODULE main\nVAR p : pair(x); x : boolean;\n\
                ASSIGN next(p.a.v) := x; next(p.b.v) := x; next(x) := p.a.inv;\n";
    let scopes = each(&design("a.smv", text), |element| element.scope.path().join("/"));
    assert_eq!(
        scopes,
        [
            "p.a.inv: p/a",
            "p.b.inv: p/b",
            "init(p.a.v): p/a",
            "p.a.v: p/a",
            "init(p.b.v): p/b",
            "p.b.v: p/b",
            "x: ",
            "p.a.INVAR1: p/a",
            "p.b.INVAR1: p/b"
        ]
    );
    let text = "node inner(x: int) returns (y: int); let y = x + 1; tel
        node outer(x: int) returns (y: int); let y = inner(x) + pre (0 -> x); tel
        node main(i: int) returns (o: int); let o = outer(i); tel";
    let lustre = design("a.lus", text);
    let scopes = each(&lustre, |element| element.scope.path().join("/"));
    assert_eq!(
        scopes,
        [
            "o: ",
            "outer~0.x: outer~0",
            "outer~0.y: outer~0",
            "outer~0.inner~0.x: outer~0/inner~0",
            "outer~0.inner~0.y: outer~0/inner~0",
            "~flatten0: outer~0"
        ]
    );
    let flat = design("a.aag", "aag 1 0 1 0 0\n2 3\nl0 top.x\n");
    assert!(flat.system.elements().iter().all(|element| element.scope.is_top()));
}

#[test]
fn what_front_ends_add_is_not_the_users() {
    let of = |design: &Design, origin: Origin| -> Vec<String> {
        let signals = design.system.signals().iter().filter(|signal| signal.origin == origin);
        signals.map(|signal| signal.name.clone()).collect()
    };
    let smv =
        design("a.smv", "MODULE main\nIVAR i : boolean;\nVAR x : 0..3;\nASSIGN next(x) := {0, 1, 2};\n");
    assert_eq!((of(&smv, Origin::Choice), of(&smv, Origin::Helper)), (vec!["next(x)?".to_owned()], vec![]));
    let users: Vec<&str> =
        smv.system.user_inputs().map(|input| smv.system.signal(input).name.as_str()).collect();
    assert_eq!((users, smv.system.inputs().len()), (vec!["i"], 2));
    let text = "node main(i: int) returns (x: int); let x = 0 -> pre x + pre (1 -> i); tel";
    let lustre = design("a.lus", text);
    assert_eq!(of(&lustre, Origin::Helper), ["pre x", "pre ~flatten0", "%first", "~flatten0"]);
    assert_eq!(of(&lustre, Origin::User), ["i", "x"]);
    // Variables that only look so.
    let names = design("a.aag", "aag 2 1 1 0 0\n2\n4 2\ni0 next(x)?\nl0 pre x\n");
    assert_eq!(of(&names, Origin::User), ["next(x)?", "pre x"]);
}

#[test]
fn bits_have_all_names_that_yosys_lists() {
    let text = "aag 2 0 2 0 0\n2 3\n4 2\nl0 beat_cnt[0] beats[0]\nl1 beat_cnt[1]\n";
    let design = design("a.aag", text);
    let latch = design.system.signal_named("beats[0]").expect("an alias");
    assert_eq!(design.system.signal(latch).name, "beat_cnt[0]");
    let element = design.system.element_named("beats[0]").expect("an alias");
    assert_eq!(design.system.element(element).name, "beat_cnt[0]");
    let extra = propcov_frontend::Extra { origin: "--observe".to_owned(), text: "beats[0]".to_owned() };
    let (_, values) = propcov_frontend::read_with("a.aag", text.as_bytes(), &[extra]).expect("a signal");
    assert_eq!(values.len(), 1);
}

#[test]
fn what_processes_assign_at_several_places_stands_at_all_of_them() {
    let text = "MODULE worker(t, v)\nASSIGN next(t) := v;\nMODULE main\nVAR t : boolean;\n\
                a : process worker(t, TRUE);\nb : process worker(t, FALSE);\nASSIGN next(t) := t;\n";
    let design = design("a.smv", text);
    let element = &design.system.elements()[0];
    let lines = element.spans.iter().map(|span| match span.region {
        Region::Text { line, .. } => line,
        Region::Bytes { .. } => 0,
    });
    assert_eq!((element.name.as_str(), lines.collect::<Vec<_>>()), ("t", vec![7, 2, 2]));
    assert_eq!(element.span(), element.spans.first().copied());
}

#[test]
fn a_system_has_the_text_of_its_file() {
    for (path, text) in [
        ("a.aag", "aag 1 0 1 0 0\n2 3\n"),
        ("a.btor2", "1 sort bitvec 1\n2 state 1 x\n3 next 1 2 -2\n"),
        ("a.smv", "MODULE main\nVAR x : boolean;\nASSIGN next(x) := !x;\n"),
        ("a.lus", "node main() returns (x: int);\nlet x = 1; tel"),
    ] {
        let marked = format!("\u{feff}{text}");
        let [plain, marked] = [text, &marked].map(|text| (design(path, text), text.as_bytes().to_vec()));
        for (design, bytes) in [&plain, &marked] {
            assert_eq!(design.system.files, [SourceFile::new(path, bytes.as_slice())]);
        }
        // The mark is no column, and a file with one is read like one without.
        assert_eq!(plain.0.system.elements(), marked.0.system.elements(), "{path}");
        assert!(!plain.0.system.elements().is_empty());
        let span = plain.0.system.elements().last().and_then(Element::span).expect("a place");
        let (here, there) = (plain.0.system.excerpt(span), marked.0.system.excerpt(span));
        assert!(here.is_some() && here == there, "{path}: {here:?} {there:?}");
    }
    let error = read("a.btor2", "\u{feff}1 sort bitvec x\n".as_bytes()).expect_err("no width");
    assert_eq!(
        (error.region.to_string().as_str(), error.source_line.as_deref()),
        ("1:15", Some("1 sort bitvec x"))
    );
}

#[test]
fn a_second_file_is_refused_where_a_design_is_one() {
    for (path, text) in [("a.smv", "MODULE main\n"), ("a.aag", "aag 0 0 0 0 0\n")] {
        let mut sources = Sources::one(path, text.as_bytes());
        sources.others.push(SourceFile::new("b.smv", *b"MODULE other\n"));
        let error = read_as(&sources, &[], &Options::default()).expect_err("two files");
        assert_eq!((error.path.as_str(), error.region.to_string().as_str()), ("b.smv", "1:1"));
        assert!(error.message.contains("one file"), "{error}");
    }
}

#[test]
fn an_error_does_not_reach_a_terminal_as_it_is() {
    let error = read("a\u{1b}.smv", "MODULE main\nVAR x : \u{1b}[31m;\n".as_bytes()).expect_err("no type");
    let shown = error.to_string();
    assert!(!shown.contains('\u{1b}') && shown.contains("\\u{1b}"), "{shown}");
}
