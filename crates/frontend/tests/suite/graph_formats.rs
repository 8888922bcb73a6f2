//! What the files of labelled graphs mean.

use propcov_frontend::graph::{
    GRAPH_FORMATS, GraphFile, GraphOptions, StateLabels, companion, is_graph, read,
};
use propcov_ir::{Graph, Label};

/// A graph on one line: propositions; states with labels, `>` before initial ones; transitions.
pub(crate) fn show(graph: &Graph) -> String {
    let sign = |label: Label| match label {
        Label::True => "",
        Label::False => "!",
        Label::Open => "?",
    };
    let state = |state: u32| {
        let labels = graph.propositions().iter().zip(graph.labels(state));
        let said: Vec<String> = labels
            .filter(|(_, label)| **label != Label::False)
            .map(|(name, label)| format!("{}{name}", sign(*label)))
            .collect();
        let mark = if graph.initial().contains(&state) { ">" } else { "" };
        format!("{mark}{}{{{}}}", graph.name(state), said.join(","))
    };
    let states: Vec<String> = graph.states().map(state).collect();
    let transitions: Vec<String> =
        graph.transitions().map(|(from, to)| format!("{}{}", graph.name(from), graph.name(to))).collect();
    format!("{}; {}; {}", graph.propositions().join(","), states.join(" "), transitions.join(" "))
}

fn file(path: &str, text: &str, lab: Option<&str>, options: &GraphOptions) -> GraphFile {
    let lab = lab.map(|lab| ("t.lab", lab.as_bytes()));
    read(path, text.as_bytes(), lab, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn dot(text: &str) -> String {
    let file = file("t.dot", text, None, &GraphOptions::default());
    assert_eq!((file.format, file.warnings), ("dot", Vec::new()));
    show(&file.graph)
}

fn aut(state_labels: StateLabels, text: &str) -> String {
    let options = GraphOptions { state_labels, ..GraphOptions::default() };
    show(&file("t.aut", text, None, &options).graph)
}

fn tra(text: &str, lab: &str) -> String {
    show(&file("t.tra", text, Some(lab), &GraphOptions::default()).graph)
}

fn json(text: &str) -> String {
    show(&file("t.json", text, None, &GraphOptions::default()).graph)
}

#[test]
fn labels_of_dot_are_in_braces_in_later_lines_or_all_of_it() {
    let text = r#"digraph g { a [initial=true, label="a {x} {p, q}"]; b [label="b\np & !q"]; c [label="q /\ p"]; d [label="\N"];
        e [label="e"]; f [label="f" props="?p"]; g [label="g\l"]; h [label="state = on"]; a -> {b c d e f g h} -> a }"#;
    assert_eq!(
        dot(text),
        "p,q,state=on; >a{p,q} b{p} c{p,q} d{} e{} f{?p} g{} h{state=on}; ab ac ad ae af ag ah ba ca da ea fa ga ha"
    );
}

#[test]
fn the_language_of_dot_is_read_as_a_whole() {
    let text = "/* a comment */ # another\n// and another\nSTRICT DiGraph \"the \\\"name\\\"\" {\n rankdir=LR; graph [fontsize=9 bgcolor=\"#ffffff\"]\n\
        Node [shape=point] start; node [shape=circle, style=\"filled,rounded\"];\n\
        subgraph cluster_0 { label=\"inner\"; node [label=\"p\"]; a:n -> b:port:sw [color=red, weight=2]; { rank=same; a; b } }\n\
        start -> a; b -> \"c\" + \" d\" -> -1.5; edge [penwidth=2]; -1.5 -> ä; ä -> a; <html> [style=invis]\n }\n";
    let error = read("t.dot", text.as_bytes(), None, &GraphOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "t.dot:7:76: expected the name of a node, found HTML");
    let text = text.replace(" <html> [style=invis]", "");
    assert_eq!(dot(&text), "p; >a{p} b{p} c d{} -1.5{} ä{}; ab bc d c d-1.5 -1.5ä äa");
}

#[test]
fn subgraphs_of_dot_are_ends_of_edges_by_name_too() {
    let text = "digraph { subgraph s { a b } subgraph s -> c; c -> subgraph s; a [initial] }";
    assert_eq!(dot(text), "; >a{} b{} c{}; ac bc ca cb");
    let text = "digraph { a [initial=1 label=p] b [label=q] {a b} -> {a; b} }";
    assert_eq!(dot(text), "p,q; >a{p} b{q}; aa ab ba bb");
}

#[test]
fn arrows_from_nowhere_in_dot_mark_initial_states() {
    for start in ["shape=point", "style=invis", "shape=none label=\"\"", "shape=plaintext, label=\" \""] {
        let text = format!("digraph {{ x [{start}]; a [label=p] b [label=q]; x -> a -> b -> b; x -> b }}");
        assert_eq!(dot(&text), "p,q; >a{p} >b{q}; ab bb", "{start}");
    }
    // With an edge to it, a point is a state.
    assert_eq!(dot("digraph { x [shape=point initial=true]; x -> x }"), "; >x{}; xx");
    assert_eq!(dot("digraph { x [shape=point]; a [initial=true]; a -> x -> a }"), "; x{} >a{}; xa ax");
}

#[test]
fn propositions_of_dot_are_declared_and_left_open_by_attributes_of_the_graph() {
    let text =
        "digraph { propositions=\"r, p q\"; unlabelled=open; a [initial=true props=\"p !q\"]; a -> a }";
    assert_eq!(dot(text), "r,p,q; >a{?r,p}; aa");
    let text = "digraph { graph [unlabeled=false, propositions=p] a [initial=true]; a -> a }";
    assert_eq!(dot(text), "p; >a{}; aa");
}

#[test]
fn labels_and_invisible_edges_of_dot_are_told_once() {
    let text = "digraph {\n a [initial=true];\n a -> a [label=go];\n a -> a [label=stop];\n a -> b [style=invis];\n b -> a }";
    let file = file("t.dot", text, None, &GraphOptions::default());
    let warnings: Vec<String> = file
        .warnings
        .iter()
        .map(|warning| format!("{}: {warning}", warning.span.as_ref().unwrap().region))
        .collect();
    assert_eq!(warnings, ["3:16: labels of edges are ignored", "5:2: invisible edges are no transitions"]);
    assert_eq!(show(&file.graph), "; >a{} b{}; aa ba");
}

#[test]
fn escapes_and_line_ends_in_labels_of_dot_are_those_of_graphviz() {
    let text = "digraph { a [initial=true label=\"a\\rp\\lq\\n!r\"]; b [label=\"b {x\\\\y, p\\\nq}\"]; \
        c [label=\"c\np /\\\\ q\"]; a -> b -> c -> a }";
    assert_eq!(dot(text), "p,q,r,x\\y,pq; >a{p,q} b{x\\y,pq} c{p,q}; ab bc ca");
}

#[test]
fn self_loops_of_aut_are_labels_or_transitions() {
    let text = "des (0, 8, 3)\n(0,\"p\",0)\n(0,\"a\",1)\n(1,\"tau\",1)\n(1,\"!p\",1)\n(1, b ,2)\n(2,\"p|q(1|2)\",2)\n(2,\"a\",2)\n(2,\"a\",0)\n";
    let expected = "p,q(1|2); >0{p} 1{} 2{p,q(1|2)}; 01 11 12 20 22";
    assert_eq!(aut(StateLabels::Loops, text), expected);
    assert_eq!(aut(StateLabels::Auto, text), expected);
}

#[test]
fn actions_of_aut_are_labels_of_the_states_that_transitions_leave() {
    // As `to_aut` of the oracle writes it.
    let text = "des (0,5,3)\n(0,\"init\",1)\n(0,\"init\",2)\n(1,\"l_p_q\",2)\n(2,\"l_\",2)\n(2,\"l_\",1)\n";
    let expected = "p,q; >1{p,q} >2{}; 12 21 22";
    assert_eq!(aut(StateLabels::Sources, text), expected);
    assert_eq!(aut(StateLabels::Auto, text), expected);
    let text = "des(1,4,3)\n(0,\"{p, q}\",1)\n(1,p|!q,2)\n(1,\"!q & p\",0)\n(2,tau,0)\n";
    assert_eq!(aut(StateLabels::Sources, text), "p,q; 0{p,q} >1{p} 2{}; 01 10 12 20");
}

#[test]
fn what_ltsmin_encodes_is_read() {
    let text = "des(0,8,3)\n(0,\"init\",2)\n(1,\"prop|true|3|0\",1)\n(2,\"prop|maybe|4|1\",2)\n(1,\"state|7\",1)\n(2,\"state|8\",2)\n\
        (1,\"edge|\\\"a\\\"\",2)\n(2,\"edge\",1)\n(2,\"edge\",2)\n";
    let expected =
        "label0,label2,label1=3,label1=4; 1{label0,label1=3} >2{?label0,label2,label1=4}; 12 21 22";
    assert_eq!(aut(StateLabels::Encoded, text), expected);
    assert_eq!(aut(StateLabels::Auto, text), expected);
}

#[test]
fn chains_and_decisions_of_prism_are_graphs() {
    let lab = "0=\"init\" 1=\"deadlock\" 2=\"p\" 3=\"a b\"\n0: 0 2\n2: 1 3 2\n";
    let expected = "p,a b; >0{p} 1{} 2{p,a b}; 01 12 22";
    assert_eq!(tra("3 4\n0 1 1\n1 2 0.5 act\n1 0 0\n2 2 1e-3\n", lab), expected);
    assert_eq!(tra("# Transitions (DTMC)\n3 4\n0 1 1/2\n1 2 1\n1 0 0/7\n2 2 [0,0.5]\n", lab), expected);
    assert_eq!(tra("3 4 5\n0 0 1 0.5\n0 1 1 0.5 b\n1 0 2 1 a\n1 1 0 0\n2 0 2 1\n", lab), expected);
    assert_eq!(tra("# Transitions (LTS)\n3 3 3\n0 0 1\n1 0 2 go\n2 0 2 0\n", lab), expected);
    assert_eq!(tra("3 3 3\n0 0 1\n1 0 2 go\n2 0 2\n", lab), expected);
    let partial = "# Transitions (POMDP)\n3 3 3 2\n- - 0 - 0\n0 0 1 1 0\n1 0 2 1 1 go\n2 0 2 1 0\n";
    assert_eq!(tra(partial, &format!("# Labels\n{}", lab.replace("0: 0 2", "0: 2"))), expected);
}

#[test]
fn files_of_storm_and_mrmc_are_read() {
    let lab = "#DECLARATION\ninit p\nq deadlock\n#END\n0 init p\n2 q deadlock p\n";
    let expected = "p,q; >0{p} 1{} 2{p,q}; 01 12 22";
    assert_eq!(tra("dtmc\n0 1 1\n1 2 1\n2 2 1\n", lab), expected);
    assert_eq!(tra("mDp\r\n0 0 1 1\r\n1 0 2 1 a\r\n1 1 0 0\r\n2 0 2 1", lab), expected);
    assert_eq!(tra("@type: CTMC\n\n0 1 10\n1 2 2.5\n2 2 1\n", lab), expected);
    let lab = "#DECLARATION\ninit p #END\n1 init\n2 p\n";
    assert_eq!(tra("STATES 2\nTRANSITIONS 2\n1 2 0.5\n2 1 1\n", lab), "p; >1{} 2{p}; 12 21");
}

#[test]
fn json_is_read_in_any_order() {
    let text = r#"{"transitions": [["s0", "a\u00e4"], ["aä", 7], ["7", "s0"]], "initial": [7],
        "states": [{"name": "s0", "labels": ["p", "?r", "~q"], "initial": true}, {"initial": false, "name": "aä"}, 7],
        "unlabelled": "open", "propositions": ["r", "q", "p"]}"#;
    assert_eq!(json(text), "r,q,p; >s0{?r,p} aä{?r,?q,?p} >7{?r,?q,?p}; s0aä aä7 7s0");
    let text = r#"{"comment": {"by": [1, null]}, "states": [{"name": "a", "labels": ["x y", "b"], "initial": true}], "transitions": [["a", "a"]]}"#;
    assert_eq!(json(text), "x y,b; >a{x y,b}; aa");
}

#[test]
fn loops_complete_a_graph() {
    let options = GraphOptions { complete: true, ..GraphOptions::default() };
    let graph = file("t.gv", "digraph { a [initial=true]; a -> b }", None, &options).graph;
    assert_eq!(show(&graph), "; >a{} b{}; ab bb");
    let options = GraphOptions { state_labels: StateLabels::Loops, ..options };
    let graph = file("t.aut", "des (0,3,2)\n(0,a,1)\n(1,p,1)\n(1,q,1)", None, &options).graph;
    assert_eq!(show(&graph), "p,q; >0{} 1{p,q}; 01 11");
    let lab = "0=\"init\"\n0: 0\n";
    assert_eq!(show(&file("t.tra", "2 1\n0 1 1\n", Some(lab), &options).graph), "; >0{} 1{}; 01 11");
    // Also where no transition mentions them.
    let lab = "0=\"init\" 1=\"p\"\n0: 0\n2: 1 0\n";
    assert_eq!(
        show(&file("t.tra", "3 1\n0 0 1\n", Some(lab), &options).graph),
        "p; >0{} 1{} >2{p}; 00 11 22"
    );
    let graph = file("t.aut", "des (0,2,3)\n(0,a,1)\n(1,p,1)", None, &options).graph;
    assert_eq!(show(&graph), "p; >0{} 1{p} 2{}; 01 11 22");
    let claim = read("t.tra", b"4000000000 1\n0 0 1\n", Some(("t.lab", b"0=\"init\"\n0: 0\n")), &options);
    assert!(claim.is_err_and(|error| { error.to_string().contains("found more among 4000000000") }));
    let text = r#"{"states": ["a"], "initial": ["a"], "transitions": []}"#;
    assert_eq!(show(&file("t.json", text, None, &options).graph), "; >a{}; aa");
}

#[test]
fn a_bar_in_quotes_is_a_part_of_an_encoded_value() {
    let options = GraphOptions { state_labels: StateLabels::Encoded, ..GraphOptions::default() };
    let text = "des (0,4,2)\n(0,\"prop|false|\\\"a|b\\\"\",0)\n(0,\"edge|x\",1)\n(1,\"prop|true|\\\"c\\\"\",1)\n(1,\"edge|x\",0)\n";
    assert_eq!(
        show(&file("t.aut", text, None, &options).graph),
        "label0,label1=a|b,label1=c; >0{label1=a|b} 1{label0,label1=c}; 01 10"
    );
}

#[test]
fn graphs_are_told_from_other_files() {
    for format in GRAPH_FORMATS {
        for extension in format.extensions {
            assert!(is_graph(&format!("x.{extension}"), b""), "{extension}");
        }
    }
    assert!(is_graph("x", b"// c\nstrict digraph \"a b\" {"));
    assert!(is_graph("x.txt", b"des (0, 1, 1)\n"));
    assert!(is_graph("x", b"dtmc\n0 0 1\n"));
    assert!(is_graph("x", br#"{"states": [], "transitions": []}"#));
    for (path, text) in [
        ("x.smv", "MODULE main\nVAR graph : boolean;\n"),
        ("x.btor2", "1 sort bitvec 1\n"),
        ("x.lus", "node n(x: bool) returns (y: bool); let y = x; tel"),
        ("x.aag", "aag 0 0 0 0 0\n"),
        ("x.json", r#"{"creator": "Yosys 0.40", "modules": {"top": {}}}"#),
        ("x", r#"{"creator": "Yosys 0.40", "modules": {}, "states": 1, "transitions": 2}"#),
        ("x", "graph of something"),
        ("x.lab", "0=\"init\"\n"),
    ] {
        assert!(!is_graph(path, text.as_bytes()), "{path}: {text}");
    }
    assert_eq!(companion("dir.x/m.tra").as_deref(), Some("dir.x/m.lab"));
    assert_eq!(companion("m.dot"), None);
    // What is written counts.
    assert_eq!(
        read("x.aut", b"digraph { a [initial=true] a -> a }", None, &GraphOptions::default()).unwrap().format,
        "dot"
    );
}
