//! What users are told about files of labelled graphs that are not right: exactly where, what was found, and what was expected.

use propcov_frontend::graph::{GraphOptions, StateLabels, read};

/// The error of a file.
fn error(path: &str, text: &str, lab: Option<&str>, options: &GraphOptions) -> String {
    let lab = lab.map(|lab| ("t.lab", lab.as_bytes()));
    match read(path, text.as_bytes(), lab, options) {
        Ok(_) => panic!("no error\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// Compares all, so that a run shows all that differ.
#[track_caller]
fn compare(path: &str, cases: &[(&str, &str)], error: impl Fn(&str) -> String) {
    let mut differ = String::new();
    for (text, expected) in cases {
        let (found, expected) = (error(text), format!("{path}:{expected}"));
        if found != expected {
            differ += &format!("{text:?}\n   found {found}\nexpected {expected}\n");
        }
    }
    assert!(differ.is_empty(), "\n{differ}");
}

#[track_caller]
fn check(path: &str, cases: &[(&str, &str)]) {
    compare(path, cases, |text| error(path, text, None, &GraphOptions::default()));
}

#[track_caller]
fn check_aut(state_labels: StateLabels, cases: &[(&str, &str)]) {
    let options = GraphOptions { state_labels, ..GraphOptions::default() };
    compare("t.aut", cases, |text| error("t.aut", text, None, &options));
}

#[track_caller]
fn check_tra(cases: &[(&str, &str)]) {
    let lab = "0=\"init\" 1=\"p\"\n0: 0 1\n";
    compare("t.tra", cases, |text| error("t.tra", text, Some(lab), &GraphOptions::default()));
}

/// Labels of a graph with two states.
#[track_caller]
fn check_lab(cases: &[(&str, &str)]) {
    let tra = "2 2\n0 1 1\n1 0 1\n";
    compare("t.lab", cases, |lab| error("t.tra", tra, Some(lab), &GraphOptions::default()));
}

#[test]
fn graphs_in_dot_that_are_none_are_refused() {
    check(
        "t.dot",
        &[
            (
                "digraph {\n a [initial=true label=p];\n a -> bb -> a;\n}",
                "3:7: dangling edge: expected a node with a node statement, as other nodes have, found `bb`; did you mean a?",
            ),
            (
                "digraph {\n alpha [initial=true label=p];\n {alhpa alpha} -> alpha;\n}",
                "3:3: dangling edge: expected a node with a node statement, as other nodes have, found `alhpa`; did you mean alpha?",
            ),
            (
                "digraph {\n a [initial=true label=\"p\"];\n a -> a;\n a [label=\"q\"]\n}",
                "4:11: duplicate state: expected the same label as before for node `a`, found `q`",
            ),
            (
                "digraph {\n a [props=p] a [props=q] }",
                "2:23: duplicate state: expected the same props as before for node `a`, found `q`",
            ),
            (
                "digraph {\n propositions=\"ready busy\";\n a [initial=true label=\"a\\n!busy\\nraedy\"]\n a -> a\n}",
                "3:35: unknown label: expected one of the declared propositions, found `raedy`; did you mean ready?",
            ),
            ("digraph { propositions=\"p q p\" }", "1:29: duplicate proposition: `p` is declared already"),
            (
                "strict digraph {\n a -> a\n}",
                "1:8: no initial state: expected a node with initial=true, or an edge to it from a node with shape=point",
            ),
            (
                "digraph {\n a [initial=true];\n a -> b\n}",
                "3:7: state `b` has no successor: expected a transition from it, or --complete to give it a loop",
            ),
            ("digraph { }", "1:1: expected at least one state, found none"),
            (
                "digraph {\n a [initial=true props=\"p, q\n !p\"]; a -> a }",
                "3:2: contradiction: state `a` says something else about `p` already; expected one of p, !p, ?p",
            ),
            (
                "digraph { a [initial=true label=<<b>p</b>>] a -> a }",
                "1:33: expected a label with propositions, found HTML; the attribute props can have them",
            ),
            (
                "digraph { a [initial=maybe] a -> a }",
                "1:22: expected initial=true or initial=false, found `maybe`",
            ),
            (
                "digraph { unlabelled=closed; a [initial=true] a -> a }",
                "1:22: expected unlabelled=open or unlabelled=false, found `closed`",
            ),
            (
                "digraph { a [initial=true props=\"p &\n & ? \"] a -> a }",
                "2:4: expected a proposition such as p, !p or ?p, found `?`",
            ),
            (
                "digraph { propositions=\"p !q\" }",
                "1:27: expected the names of propositions without signs, found `!q`",
            ),
        ],
    );
}

#[test]
fn text_that_is_not_dot_is_refused() {
    check(
        "t.dot",
        &[
            ("", "1:1: expected `digraph`, found the end of the file"),
            ("graph { a -- b }", "1:1: expected `digraph`, found `graph`: transitions have a direction"),
            ("diagraph { }", "1:1: expected `digraph`, found `diagraph`"),
            (
                "digraph {\n a -- b }",
                "2:4: expected a node, an edge, a subgraph, an attribute or `}`, found `--`: edges of a directed graph are written with `->`",
            ),
            (
                "digraph {\n a -> ; }",
                "2:7: expected a node, an edge, a subgraph, an attribute or `}`, found `;`",
            ),
            ("digraph { a [label=", "1:20: expected the value of the attribute, found the end of the file"),
            ("digraph { a [label=]", "1:20: expected the value of the attribute, found `]`"),
            (
                "digraph { a [label=\"x\n y",
                "1:20: expected a closing quote, found the end of the file after this one",
            ),
            (
                "digraph { a [label=<x<y>",
                "1:20: expected a closing `>`, found the end of the file after this `<`",
            ),
            ("digraph { a /* b }", "1:13: expected `*/`, found the end of the file after this `/*`"),
            ("digraph { a } b", "1:15: expected the end of the file, found `b`"),
            ("digraph { node a }", "1:16: expected `[` and attributes, found `a`"),
            ("digraph { a [label=\"x\" + y] }", "1:26: expected a text in quotes after `+`, found `y`"),
            ("digraph { é %", "1:13: expected a node, an edge, a subgraph, an attribute or `}`, found `%`"),
        ],
    );
    let deep = format!("digraph {}", "{".repeat(100_000));
    assert_eq!(
        error("t.dot", &deep, None, &GraphOptions::default()),
        "t.dot:1:110: expected subgraphs that are not nested this deep"
    );
    let wide = format!(
        "digraph {{ {{ {0} }} -> {{ {0} }} }}",
        (0..10_000).map(|n| format!("{n} ")).collect::<String>()
    );
    let message = error("t.dot", &wide, None, &GraphOptions::default());
    assert!(message.ends_with("expected at most 67108864 edges, found more with this one"), "{message}");
    // Each mention of a subgraph stands for all of its nodes.
    let nodes: String = (0..10_000).map(|n| format!("{n} ")).collect();
    for mentions in
        ["subgraph s; ".repeat(10_000), format!("subgraph t {{ {} }}", "subgraph s ".repeat(10_000))]
    {
        let message = error(
            "t.dot",
            &format!("digraph {{ subgraph s {{ {nodes} }} {mentions} }}"),
            None,
            &GraphOptions::default(),
        );
        let expected = "expected at most 67108864 nodes in all subgraphs, found more with this one";
        assert!(message.ends_with(expected), "{message}");
    }
}

#[test]
fn graphs_in_aut_that_are_none_are_refused() {
    check_aut(
        StateLabels::Loops,
        &[
            (
                "des (0, 2, 2)\n(0,\"a\",1)\n(1,\"a\",2)\n",
                "3:8: dangling transition: expected a state below 2, the number of states in the header, found `2`",
            ),
            ("des (3, 1, 2)\n(0,a,1)", "1:6: dangling first state: expected a state below 2, found `3`"),
            (
                "des (0,3,2)\n(0,p,0)\n(0,a,1)\n(1,q,1)\n",
                "3:6: state `1` has no successor: expected a transition from it, or --complete to give it a loop",
            ),
            (
                "des (0,2,4000000000)\n(0,a,1)\n(1,a,0)\n",
                "1:10: state 2 has no successor: expected 4000000000 states with a transition from each, or --complete to give it a loop, found none to or from this one",
            ),
            ("des (0,1,5000000000)\n(0,a,1)\n", "1:10: expected at most 4294967295 states, found 5000000000"),
            ("des (0,3,1)\n(0,a,0)\n", "1:8: expected 3 transitions as the header says, found 1"),
            (
                "des (0,1,1)\n(0,a,0)\n\n (0,b,0)\n",
                "4:2: expected 1 transitions as the header says, found one more",
            ),
            (
                "des (0,4,2)\n(0,p,0)\n(0,a,1)\n(1,a,0)\n(0,!p,0)\n",
                "5:4: contradiction: state `0` says something else about `p` already; expected one of p, !p, ?p",
            ),
            (
                "des (0,2,1)\n(0,!,0)\n(0,tau,0)\n",
                "2:4: expected a proposition such as p, !p or ?p, found `!`",
            ),
            ("des (0,x,1)\n", "1:8: expected a number, found `x`"),
            ("des 0,1,1\n", "1:5: expected `(`, found `0`"),
            ("des (0,1,1\n", "1:11: expected `)` at the end of the line"),
            ("des (0,1)\n", "1:5: expected three fields with commas between them"),
            ("dse (0,1,1)\n", "1:1: expected `des (first, transitions, states)`, found `dse`"),
            ("", "1:1: expected `des (first, transitions, states)`, found an empty file"),
            ("des (0,1,2)\n(0,a,0 1/2 1)\n", "2:6: expected the number of a state, found `0 1/2 1`"),
            (
                "des (0,1,2)\n(0,\"a,1)\n",
                "2:4: expected an action that ends with a quote as it begins, found `\\\"a`",
            ),
        ],
    );
}

#[test]
fn conventions_of_aut_are_not_guessed() {
    check_aut(
        StateLabels::Auto,
        &[
            (
                "\ndes (0,2,2)\n(0,p,1)\n(1,q,0)\n",
                "2:1: cannot tell where the state labels are: expected --state-labels loops, if actions on self-loops are propositions, or --state-labels sources, if actions are the propositions of the state that a transition leaves",
            ),
            (
                "des (0,3,2)\n(0,p,1)\n(1,q,0)\n(1,p,0)",
                "1:1: no state labels: expected self-loops with propositions as actions (loops), the state's propositions on all transitions from it (sources), or prop|… (encoded), found actions of transitions only; --state-labels loops reads it as a graph without propositions",
            ),
        ],
    );
    check_aut(
        StateLabels::Sources,
        &[
            (
                "des (0,3,2)\n(0,p,1)\n(0,q,0)\n(1,p,0)",
                "3:4: expected `p` on this transition from state 0 as on the first one (--state-labels sources), found `q`",
            ),
            (
                "des (0,2,2)\n(0,p,1)\n(0,p,0)\n",
                "2:6: state `1` has no successor: expected a transition from it, whose action would say what holds in it (--state-labels sources)",
            ),
        ],
    );
    check_aut(
        StateLabels::Encoded,
        &[
            (
                "des (0,3,2)\n(0,init,1)\n(1,prop|true,1)\n(1,prop|true,1)\n",
                "4:4: duplicate state: expected one prop|… of state 1, found another",
            ),
            (
                "des (0,4,3)\n(0,init,1)\n(1,prop|true,1)\n(2,prop|true|1,2)\n(1,edge,2)\n",
                "4:4: expected 1 values as in the first prop|… (--state-labels encoded), found `prop|true|1`",
            ),
            (
                "des (0,2,2)\n(0,init,1)\n(1,other,1)\n",
                "3:4: expected edge|…, prop|… or state|… (--state-labels encoded), found `other`",
            ),
            (
                "des (0,3,3)\n(0,init,1)\n(1,prop|1,2)\n(2,edge,1)",
                "3:4: expected edge|… on a transition between different states (--state-labels encoded), found `prop|1`",
            ),
        ],
    );
}

#[test]
fn transitions_of_prism_and_storm_that_are_none_are_refused() {
    check_tra(&[
        ("2 2\n0 1 1\n1 2 1\n", "3:3: dangling transition: expected a state from 0 to 1, found `2`"),
        (
            "STATES 2\nTRANSITIONS 1\n0 1 1\n",
            "3:1: dangling transition: expected a state from 1 to 2, found `0`",
        ),
        ("2 2\n- 7\n0 1 1\n1 0 1\n", "2:3: dangling initial state: expected a state from 0 to 1, found `7`"),
        (
            "2 2\n0 1 1\n1 0 0\n",
            "2:3: state `1` has no successor: expected a transition from it, or --complete to give it a loop",
        ),
        (
            "dtmc\n0 3 1\n3 0 1\n",
            "1:1: state 1 has no successor: expected 4 states with a transition from each, or --complete to give it a loop, found none to or from this one",
        ),
        (
            "4000000000 1\n0 0 1\n",
            "1:1: state 1 has no successor: expected 4000000000 states with a transition from each, or --complete to give it a loop, found none to or from this one",
        ),
        ("5000000000 1\n0 0 1\n", "1:1: expected at most 4294967295 states, found 5000000000"),
        ("1 2\n0 0 1\n", "1:3: expected 2 transitions as the header says, found 1"),
        ("1 1\n0 0 1\n0 0 1\n", "3:1: expected 1 transitions as the header says, found one more"),
        ("1 1\n0 0 -1\n", "2:5: expected a probability or a rate such as 0.5, 1/2 or [0.1,0.2], found `-1`"),
        ("1 1\n0 0\n", "2:4: expected a probability or a rate, found the end of the line"),
        ("1 1\n0\n", "2:2: expected the state that the transition leads to, found the end of the line"),
        ("2 2\n0 1:1\n", "2:3: expected the number of a state, found `1:1`"),
        ("mdp\n0 x 0 1\n", "2:3: expected the number of a choice, found `x`"),
        ("ma\n0 !\n", "1:1: expected a chain (dtmc, ctmc), a decision process (mdp) or an LTS, found `ma`"),
        (
            "R = sparse(2,2);\n",
            "1:1: expected the numbers of states and transitions (PRISM), a type such as dtmc or mdp (Storm), or STATES and their number (MRMC), found `R`",
        ),
        (
            "",
            "1:1: expected the numbers of states and transitions (PRISM), a type such as dtmc or mdp (Storm), or STATES and their number (MRMC), found an empty file",
        ),
        ("STATES 2\n0 1 1\n", "2:1: expected TRANSITIONS and their number, found `0`"),
        ("STATES\n", "1:7: expected the number of states, found the end of the line"),
        ("dtmc\n", "1:1: expected at least one state, found none"),
    ]);
    assert_eq!(
        error("a/t.tra", "1 1\n0 0 1\n", None, &GraphOptions::default()),
        "a/t.tra:1:1: expected labels and initial states in a/t.lab, found no such file"
    );
}

#[test]
fn labels_of_prism_and_storm_that_are_none_are_refused() {
    check_lab(&[
        (
            "0=\"init\" 1=\"p\"\n0: 0\n1: 1 2\n",
            "3:6: unknown label: expected the number of a label of the first line, found `2`",
        ),
        (
            "#DECLARATION\ninit ready\n#END\n0 init raedy\n",
            "4:8: unknown label: expected one of the declared labels, found `raedy`; did you mean ready?",
        ),
        (
            "0=\"init\" 1=\"p\"\n0: 0\n1: 1\n0: 1\n",
            "4:1: duplicate state: expected another state, found `0`, which has its labels on line 2",
        ),
        (
            "#DECLARATION\ninit p\n#END\n0 init\n0 p\n",
            "5:1: duplicate state: expected another state, found `0`, which has its labels on line 4",
        ),
        ("0=\"init\" 1=\"p\"\n0: 0\n 2: 1\n", "3:2: unknown state: expected a state from 0 to 1, found `2`"),
        (
            "# Labels\n0=\"init\" 1=\"p\"\n0: 1\n",
            "2:1: no initial state: expected the label \"init\" in a state, found none with it",
        ),
        (
            "#DECLARATION\np\n#END\n0 p\n",
            "1:1: no initial state: expected the label \"init\" in a state, found none with it",
        ),
        ("0=\"init\" 1=\"p\" 2=\"p\"\n", "1:19: duplicate proposition: `p` is declared already"),
        ("0=\"init\" 0=\"p\"\n", "1:9: duplicate label: expected another number, found 0 again"),
        (
            "0=\"init\" 1=p\n",
            "1:10: expected labels such as 0=\"init\" 1=\"p\" (PRISM), or #DECLARATION (Storm), found `1=p`",
        ),
        ("0=\"init\"\n0 0\n", "2:1: expected a state and a colon, as in `3: 0 2`, found `0 0`"),
        ("0=\"init\"\nx: 0\n", "2:1: expected the number of a state, found `x`"),
        ("#DECLARATION\ninit\n", "3:1: expected #END after the declared labels, found the end of the file"),
        (
            "",
            "1:1: expected labels such as 0=\"init\" 1=\"p\" (PRISM), or #DECLARATION (Storm), found the end of the file",
        ),
    ]);
}

#[test]
fn graphs_in_json_that_are_none_are_refused() {
    check(
        "t.json",
        &[
            (
                "{\"states\": [\"alpha\"],\n \"initial\": [\"alpha\"],\n \"transitions\": [[\"alpha\", \"alhpa\"]]}",
                "3:28: dangling transition: expected the name of a state, found `alhpa`; did you mean alpha?",
            ),
            (
                "{\"states\": [\"alpha\"], \"initial\": [1], \"transitions\": []}",
                "1:35: initial state: expected the name of a state, found `1`",
            ),
            (
                "{\"states\": [\n  {\"name\": \"a\"},\n  {\"name\": \"a\"}], \"transitions\": []}",
                "3:12: duplicate state: expected another name, found `a`, which is a state already",
            ),
            (
                "{\"propositions\": [\"ready\"],\n \"states\": [{\"name\": 1, \"labels\": [\"!raedy\"]}],\n \"transitions\": []}",
                "2:36: unknown label: expected one of the declared propositions, found `raedy`; did you mean ready?",
            ),
            (
                "{\"states\": [1],\n \"transitions\": [[1, 1]]}",
                "1:12: no initial state: expected \"initial\": true in a state, or a list \"initial\" of names next to the states",
            ),
            (
                "{\"states\": [1,\n  2], \"initial\": [1],\n \"transitions\": [[1, 2]]}",
                "2:3: state `2` has no successor: expected a transition from it, or --complete to give it a loop",
            ),
            ("{\"states\": [], \"transitions\": []}", "1:1: expected at least one state, found none"),
            (
                "{\"states\": [{\"name\": 1, \"initial\": true, \"labels\": [\"p\", \"?p\"]}], \"transitions\": [[1, 1]]}",
                "1:58: contradiction: state `1` says something else about `p` already; expected one of p, !p, ?p",
            ),
            (
                "{\"states\": [], \"transition\": []}",
                "1:16: unknown key: expected one of propositions, unlabelled, states, initial, transitions, comment, found `transition`; did you mean transitions?",
            ),
            (
                "{\"states\": [{\"name\": 1, \"label\": []}], \"transitions\": []}",
                "1:25: unknown key: expected one of name, labels, initial, found `label`; did you mean labels?",
            ),
            ("{\"states\": [],\n \"states\": []}", "2:2: duplicate key: `states` is there already"),
            (
                "{\"states\": [{\"name\": 1, \"name\": 2}], \"transitions\": []}",
                "1:25: duplicate key: `name` is there already",
            ),
            (
                "{\"states\": [{}], \"transitions\": []}",
                "1:13: expected the key \"name\", found a state without it",
            ),
            ("{\"states\": []}", "1:1: expected the key \"transitions\", found an object without it"),
            (" {}", "1:2: expected the key \"states\", found an object without it"),
            ("{\"states\": 3, \"transitions\": []}", "1:12: expected a list of states, found `3`"),
            (
                "{\"states\": [1.5], \"transitions\": []}",
                "1:13: expected a state: an object, or its name, found `1.5`",
            ),
            (
                "{\"states\": [1], \"transitions\": [[1, 1, 1]]}",
                "1:33: expected a transition from a state to another one, found a list of 3",
            ),
            (
                "{\"states\": [1], \"transitions\": [1]}",
                "1:33: expected a transition: a list of two states, found `1`",
            ),
            (
                "{\"states\": [{\"name\": 1, \"initial\": \"yes\"}], \"transitions\": []}",
                "1:36: expected true or false, found a text",
            ),
            (
                "{\"states\": [{\"name\": 1, \"labels\": [\"!\"]}], \"transitions\": []}",
                "1:36: expected a proposition such as p, !p or ?p, found `!`",
            ),
            (
                "{\"unlabelled\": \"true\", \"states\": [], \"transitions\": []}",
                "1:16: expected \"false\" or \"open\", found `true`",
            ),
            (
                "{\"propositions\": [\"?p\"], \"states\": [], \"transitions\": []}",
                "1:19: expected the name of a proposition without a sign, found `?p`",
            ),
            ("[]", "1:1: expected an object, which begins with `{`, found a list"),
            ("{\"states\": [1 2]}", "1:15: expected `,` or `]` after a value of a list, found `2`"),
            ("{\"states\": [1,]}", "1:15: expected a value, found `]`"),
            ("{\"states\": [\"a]}", "1:17: expected the closing quote of a text, found the end of the file"),
            ("{\"states\": []} x", "1:16: expected the end of the file, found `x`"),
            ("{\"states\" []}", "1:11: expected `:` after a key, found a list"),
            ("{states: []}", "1:2: expected a key in double quotes, found `states`"),
        ],
    );
}

#[test]
fn other_files_are_refused() {
    assert_eq!(
        error("t.smv", "MODULE main", None, &GraphOptions::default()),
        "t.smv:1:1: expected a graph as dot (.dot, .gv) or aut (.aut) or tra (.tra) or json (.json), found neither a known extension nor known content"
    );
}
