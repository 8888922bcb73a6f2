//! Graphs as other tools write them. The files are ours; their form is that of the tools.

use crate::graph_formats::show;
use propcov_frontend::graph::{GraphOptions, StateLabels, read};

/// The graph of a file, and what the user is told about it.
#[track_caller]
fn told(path: &str, text: &str, lab: Option<&str>, options: &GraphOptions) -> (String, Vec<String>) {
    let lab = lab.map(|lab| ("t.lab", lab.as_bytes()));
    match read(path, text.as_bytes(), lab, options) {
        Ok(file) => (show(&file.graph), file.warnings.iter().map(ToString::to_string).collect()),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The graph of a file about which there is nothing to tell.
#[track_caller]
fn graph(path: &str, text: &str, lab: Option<&str>) -> String {
    let (graph, warnings) = told(path, text, lab, &GraphOptions::default());
    assert_eq!(warnings, [""; 0]);
    graph
}

/// Nodes are fingerprints, which may be negative. Initial states are filled, edges have labels even if these are empty, and states are sorted by their depth at the end.
pub(crate) const TLC: &str = r#"strict digraph DiskGraph {
node [shape=box,style=rounded]
nodesep=0.35;
subgraph cluster_graph {
color="white";
11 [label="/\\ hour = 1\n/\\ bell = FALSE",style = filled]
11 -> -22 [label="",color="black",fontcolor="black"];
-22 [label="/\\ hour = 2\n/\\ bell = TRUE",tooltip="/\\ hour = 2\n/\\ bell = TRUE"];
-22 -> 11 [label="",color="black",fontcolor="black"];
{rank = same; 11;}
{rank = same; -22;}
}
}"#;

#[test]
fn what_tlc_dumps_is_read() {
    let expected =
        "hour=1,bell=FALSE,hour=2,bell=TRUE; >11{hour=1,bell=FALSE} -22{hour=2,bell=TRUE}; 11-22 -2211";
    assert_eq!(graph("t.dot", TLC, None), expected);
    // A single variable has no conjunction in front of it, and a long value has several lines.
    let single =
        r#"strict digraph DiskGraph { 1 [label="q = <<1,\n  2>>",style = filled]; 1 -> 1 [label=""]; }"#;
    assert_eq!(graph("t.dot", single, None), "q=<<1,2>>; >1{q=<<1,2>>}; 11");
    // With another name it is somebody else's drawing, in which a filled node means nothing.
    let other = TLC.replace("DiskGraph", "g");
    let error = read("t.dot", other.as_bytes(), None, &GraphOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("t.dot:1:8: no initial state"), "{error}");
    // What is marked otherwise is not guessed.
    let marked = TLC
        .replace("style = filled", "style = filled, initial=false")
        .replace("tooltip=", "initial=true,tooltip=");
    assert!(graph("t.dot", &marked, None).contains(" >-22{"));
}

#[test]
fn colours_of_tlc_and_their_legend_are_no_states() {
    let legend = "subgraph cluster_legend {graph[style=bold];label = \"Next State Actions\" style=\"solid\"\n\
        node [ labeljust=\"l\",colorscheme=\"paired12\",style=filled,shape=record ]\nTick [label=\"Tick\",fillcolor=2]\nRing [label=\"Ring\",fillcolor=3]\n}}";
    let text = TLC.strip_suffix('}').unwrap().replace("label=\"\"", "label=\"Tick\"") + legend;
    let text = text.replace("nodesep", "edge [colorscheme=\"paired12\"]\nnodesep");
    let (graph, warnings) = told("t.dot", &text, None, &GraphOptions::default());
    assert_eq!(
        graph,
        "hour=1,bell=FALSE,hour=2,bell=TRUE; >11{hour=1,bell=FALSE} -22{hour=2,bell=TRUE}; 11-22 -2211"
    );
    assert_eq!(warnings, ["labels of edges are ignored"]);
    // A state that a constraint excludes is filled, too, but in yellow.
    let text = TLC.replace("TRUE\"];", "TRUE\",style = filled, fillcolor=lightyellow];");
    assert_eq!(self::graph("t.dot", &text, None).matches('>').count(), 1);
}

#[test]
fn values_of_tlc_may_have_commas_and_braces() {
    let text = r#"strict digraph DiskGraph {
        1 [label="/\\ queue = <<\"a\", \"b\">>\n/\\ sent = {1, 2}\n/\\ at = [x |-> 1,\n  y |-> 2]",style = filled]
        1 -> 1;
        }"#;
    assert_eq!(
        graph("t.dot", text, None),
        r#"queue=<<"a","b">>,sent={1,2},at=[x|->1,y|->2]; >1{queue=<<"a","b">>,sent={1,2},at=[x|->1,y|->2]}; 11"#
    );
    // With one variable there is no conjunction.
    let text = r#"strict digraph DiskGraph { 1 [label="x = <<1, 2>>",style = filled] 1 -> 1 }"#;
    assert_eq!(graph("t.dot", text, None), "x=<<1,2>>; >1{x=<<1,2>>}; 11");
}

#[test]
fn a_layout_of_graphviz_is_read_as_what_was_laid_out() {
    let text = "digraph g {\n\tgraph [bb=\"0,0,54,108\",\n\t\trankdir=LR\n\t];\n\tnode [label=\"\\N\",\n\t\tshape=circle\n\t];\n\
        \tstart\t[height=0.05,\n\t\tpos=\"2,90\",\n\t\tshape=point,\n\t\twidth=0.05];\n\
        \ta\t[height=0.5,\n\t\tlabel=\"a\\n{p, q}\",\n\t\tpos=\"27,90\",\n\t\twidth=0.75];\n\
        \tstart -> a\t[pos=\"e,27,72 27,108 27,104 27,99 27,95 27,95 27,95 \\\n27,90\"];\n\
        \tb\t[height=0.5,\n\t\tpos=\"27,18\",\n\t\twidth=0.75];\n\ta -> b\t[pos=\"e,27,36 27,72\"];\n\tb:e -> b:w\t[pos=\"e,54,18\"];\n}\n";
    assert_eq!(graph("t.dot", text, None), "p,q; >a{p,q} b{}; ab bb");
}

/// With a node that is not seen before the initial state, and labels of states on their second line.
#[test]
fn a_kripke_structure_of_spot_is_read() {
    let text = "digraph \"\" {\n  rankdir=LR\n  label=\"\\n[all]\"\n  labelloc=\"t\"\n  node [shape=\"box\",style=\"rounded\",width=\"0.5\"]\n\
        \x20 I [label=\"\", style=invis, width=0]\n  I -> 0\n  0 [label=\"0\\np & !q\"]\n  0 -> 1 [label=\"\"]\n  1 [label=\"1\\n!p & q\"]\n  1 -> 0 [label=\"\"]\n  1 -> 1 [label=\"\"]\n}\n";
    assert_eq!(graph("t.dot", text, None), "p,q; >0{p} 1{q}; 01 10 11");
}

#[test]
fn labelled_transition_systems_of_mcrl2_and_cadp_are_read() {
    // Quotes and no blanks; data in actions may have commas.
    let text = "des (0,6,3)\n(0,\"idle\",0)\n(0,\"send(1, true)\",1)\n(1,\"tau\",2)\n(2,\"idle\",2)\n(2,\"busy|late(2)\",2)\n(2,\"recv([1,2])\",0)\n";
    let (graph, warnings) = told("t.aut", text, None, &GraphOptions::default());
    assert_eq!(graph, "idle,busy,late(2); >0{idle} 1{} 2{idle,busy,late(2)}; 01 12 20");
    assert_eq!(warnings.len(), 1);
    // Blanks around everything and quotes only where there is need, as some tools of CADP have it; `i` is what mCRL2 calls tau.
    let text = "des (0, 6, 3)\r\n( 0 , IDLE , 0 )\r\n(0, \"SEND !1 !\"a, b\"\", 1)\r\n(1, i, 2)\r\n(2, \"BUSY !2\", 2)\r\n(2, IDLE, 2)\r\n(2, RECV !1 !2, 0)\r\n";
    let (graph, _) = told("t.aut", text, None, &GraphOptions::default());
    assert_eq!(graph, "IDLE,BUSY !2; >0{IDLE} 1{} 2{IDLE,BUSY !2}; 01 12 20");
    // A blank in the header or none, and quotes that LTSmin escapes.
    for header in ["des (0,3,2)", "des(0,3,2)", "des ( 0, 3 ,2 )  ", "\n  des\t(0, 3, 2)"] {
        let text = format!("{header}\n(0,\"say \\\"p\\\"\",0)\n(0,\"a\",1)\n(1,\"a\",0)\n");
        let options = GraphOptions { state_labels: StateLabels::Loops, ..GraphOptions::default() };
        assert_eq!(told("t.aut", &text, None, &options).0, "say \"p\"; >0{say \"p\"} 1{}; 01 10");
    }
}

#[test]
fn decision_processes_and_chains_of_prism_are_read() {
    let lab = "0=\"init\" 1=\"deadlock\" 2=\"heads\" 3=\"done\"\n0: 0\n1: 2\n2: 1 2 3\n";
    let mdp = "3 4 5\n0 0 1 0.5 flip\n0 0 2 0.5 flip\n0 1 0 1 wait\n1 0 2 1\n2 0 2 1\n";
    assert_eq!(graph("t.tra", mdp, Some(lab)), "heads,done; >0{} 1{heads} 2{heads,done}; 00 01 02 12 22");
    let dtmc = "3 4\n0 1 0.3333333333333333\n0 2 0.6666666666666667\n1 2 1\n2 2 1\n";
    assert_eq!(graph("t.tra", dtmc, Some(lab)), "heads,done; >0{} 1{heads} 2{heads,done}; 01 02 12 22");
    let ctmc = "3 4\n0 1 2.5E-4 go\n0 2 120\n1 2 1\n2 2 1e3\n";
    assert_eq!(graph("t.tra", ctmc, Some(lab)), "heads,done; >0{} 1{heads} 2{heads,done}; 01 02 12 22");
}

#[test]
fn other_files_of_storm_are_named() {
    let text = "@type: DTMC\n@parameters\n\n@nr_states\n1\n@model\nstate 0 init\n\t0 : 1\n";
    let error = read("t.tra", text.as_bytes(), Some(("t.lab", b"")), &GraphOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.tra:2:1: expected the number of a state, found `@parameters`; Storm's DRN files are not read"
    );
}
