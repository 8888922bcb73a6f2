//! Mutant vectors: which labels to flip.

use propcov_frontend::graph::{GraphOptions, read, read_flips};
use propcov_ir::Graph;

/// p and q in two states; q is open in `b c`.
fn graph() -> Graph {
    let text = "digraph { a [initial=true props=\"p\"]; \"b c\" [props=\"p ?q\"]; a -> \"b c\" -> a }";
    read("t.dot", text.as_bytes(), None, &GraphOptions::default()).unwrap().graph
}

fn flips(text: &str) -> String {
    let graph = graph();
    match read_flips("m.csv", text.as_bytes(), &graph) {
        Ok(flips) => {
            let shown = flips.iter().map(|flip| {
                format!("{}.{}", graph.name(flip.state), graph.propositions()[flip.proposition as usize])
            });
            shown.collect::<Vec<_>>().join(" ")
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn lines_have_a_state_and_a_proposition() {
    assert_eq!(flips("# all\n\na p\n  \"b c\"\tp # last\r\na q\na p\n"), "a.p b c.p a.q");
    assert_eq!(flips("State,Proposition\n\"b c\",p\na , \"q\""), "b c.p a.q");
    assert_eq!(flips("state proposition\na p"), "a.p");
    assert_eq!(flips("\u{feff}state,proposition\r\na,p\r\n"), "a.p");
}

#[test]
fn stars_are_all_that_has_a_value() {
    assert_eq!(flips("* *"), "a.p a.q b c.p");
    assert_eq!(flips("*,q\n* p\n* p"), "a.q a.p b c.p");
    assert_eq!(flips("\"b c\" *"), "b c.p");
}

#[test]
fn a_vector_without_mutants_is_refused() {
    for text in ["", "\n \n", "# a p\n", "State,Proposition\n", "state proposition"] {
        assert_eq!(
            flips(text),
            "m.csv:1:1: there are no mutants in it: expected lines with a state and a proposition, or with * for all of them",
            "{text}"
        );
    }
    // Nothing has a value here, but somebody asked.
    let text = "digraph { propositions=p; unlabelled=open; a [initial=true]; a -> a }";
    let open = read("t.dot", text.as_bytes(), None, &GraphOptions::default()).unwrap().graph;
    assert_eq!(read_flips("m.csv", b"* *", &open).unwrap(), []);
}

#[test]
fn what_is_not_in_the_graph_is_refused() {
    for (text, expected) in [
        ("a p\nA p", "m.csv:2:1: expected the name of a state or *, found `A`; did you mean a?"),
        (
            "a,\"pp\"",
            "m.csv:1:3: expected the name of a proposition that is compared or *, found `pp`; did you mean p, q?",
        ),
        ("\"*\" p", "m.csv:1:1: expected the name of a state or *, found `*`; did you mean a?"),
        ("\"b c\" q", "m.csv:1:7: expected a label with a value to flip, but `q` is open in state `b c`"),
        ("a", "m.csv:1:2: expected a state and a proposition, found the end of the line after the state"),
        (
            "a, # p",
            "m.csv:1:3: expected a state and a proposition, found the end of the line after the state",
        ),
        (
            "b c p",
            "m.csv:1:5: expected the end of the line after a state and a proposition, found `p`; names with blanks or commas are written in double quotes",
        ),
        ("\"b c p", "m.csv:1:1: expected a closing quote, found the end of the line"),
        (", p", "m.csv:1:1: expected the name of a state or a proposition, found `,`"),
        (
            "a p\nstate proposition",
            "m.csv:2:1: expected the name of a state or *, found `state`; did you mean a?",
        ),
    ] {
        assert_eq!(flips(text), expected, "{text}");
    }
}
