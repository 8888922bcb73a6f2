//! What `propcov help refine` says.

use propcov_frontend::graph::GRAPH_FORMATS;

/// What `propcov refine` does, at length.
pub(crate) const REFINE: &str = "\
Checks whether an abstract graph simulates a concrete one, and measures which labels of the concrete one it constrains

The specification SPEC simulates the implementation IMPL if each initial state of IMPL has a partner among the initial states of SPEC, partners agree on all propositions of SPEC, and \
whatever step IMPL takes, the partner has a step to a partner of the new state. Propositions that only IMPL has are left out.

If it does, each label is put to the test: a label of IMPL, the value of a proposition in a state, is covered if SPEC no longer simulates IMPL when this one label is flipped. An uncovered label could be \
wrong without SPEC noticing. (Chockler and Kupferman, Coverage of implementations by simulating specifications, 2002.) Labels in states that no run gets to do not count.

The other way round, four lists tell what of SPEC is not implemented (Katz, Grumberg and Geist, 1999): its initial states that no initial state of IMPL needs, its states without a state of IMPL, \
transitions that it could do without, and states that stand for several states of IMPL. Neither measure implies the other: a specification that IMPL implements completely may leave all of its labels uncovered.

Graphs are read from GraphViz, Aldebaran, PRISM or Storm files and from JSON (`propcov help graphs`); designs in all finite formats (`propcov help formats`), whose Boolean variables and definitions are the \
propositions, or any expressions about the state that --propositions lists. States of a design are listed up to --most-states; beyond that, sets of states are computed by decision diagrams. Fairness is left out.

Evidence. That SPEC simulates IMPL, or a mutant of it, is shown by a relation between states, and that it does not by a run and a tree of steps that it has no answer to. Each is checked by separate code before anything is \
reported; --explain STATE PROPOSITION shows it, where states are listed. Results of decision diagrams are checked where the states can be listed, and otherwise marked as not certified.

Every state needs a successor: --complete gives a loop to those without. After Ctrl-C, or when --timeout is over, what is decided is reported, and coverage is a range.";

/// Examples for `propcov help refine`.
pub(crate) const REFINE_EXAMPLES: &str = "\
Examples:
  propcov refine examples/refine/server.dot examples/refine/protocol.dot
      Does the protocol simulate the server, and which labels of the server does it check?

  propcov refine impl.dot spec.dot --observe grant --explain busy grant
      Only one proposition, and why its label in the state `busy` is covered, or how it passes.

  propcov refine impl.dot spec.dot --picture impl.svg
      The same as a picture, with uncovered states marked.

  propcov refine chain.tra abstract.json --mutants suspects.csv
      Files of PRISM or Storm (chain.lab is read, too), and only the labels that a file lists.

  propcov refine concrete.smv abstract.smv --propositions 'req, state = busy'
      Two designs, compared by two expressions.

  propcov refine impl.aut spec.aut --threshold 80% --format json > refinement.json
      For scripts: exit code 2 if it is not simulated, 3 if less than 80 % is covered.

Exit codes: see `propcov help exit-codes`.";

/// The formats of graphs.
pub(crate) fn graphs() -> String {
    let mut text = "Labelled graphs (propcov refine), told apart by extension or content:\n".to_owned();
    super::rows(
        &mut text,
        GRAPH_FORMATS.iter().map(|format| {
            let extensions: Vec<String> = format.extensions.iter().map(|name| format!(".{name}")).collect();
            (extensions.join(" "), format.summary.to_owned())
        }),
    );
    text.push_str(DETAILS);
    text
}

/// How each format has propositions and initial states.
const DETAILS: &str = "
Labels. In a state each proposition holds, does not hold, or is open. In a specification, open means that both
values are accepted; in an implementation, that neither is promised, so only an open label accepts it. Labels are
written `p`, `!p` and `?p`. What a state does not mention does not hold, unless the file says otherwise.

dot     Of a state: the attribute props=\"p, !q, ?r\"; or else what is in braces in its label, as in
        label=\"busy\\n{req, grant}\"; or else the lines after the first; or else the whole label, unless that is the
        state's name. Pieces are separated by commas, blanks, newlines, & or /\\, but not within quotes, brackets
        or << >>. `x = 1` is one proposition, x=1.
        Initial states: initial=true, or an edge from a node with shape=point or style=invis, which is no state.
        Of the graph: propositions=\"p q\" declares all propositions; unlabelled=open leaves open what a state does
        not mention. Labels of edges are ignored. In TLC's dumps (digraph DiskGraph), initial states are filled.
aut     des (first, transitions, states), then (from, \"action\", to). Actions carry the labels of states, see
        --state-labels: loops, an action that occurs on self-loops only is a proposition, and the loop no
        transition; sources, every transition out of a state has the state's labels, as l_p_q or {p, q};
        encoded, what `ltsmin-convert --encode` writes. The first state is initial; where it is a root with `init`
        on its transitions, the states that these lead to are.
tra     What PRISM and Storm export, of chains and of decision processes: probabilities do not matter, as long
        as they are not 0. x.lab is read with x.tra. Its label `init` marks initial states, and `deadlock` is no
        proposition.
json    {
          \"propositions\": [\"p\", \"q\"],            optional: declares all of them
          \"unlabelled\": \"open\",                  optional: what states do not mention is open, not false
          \"states\": [
            { \"name\": \"s0\", \"labels\": [\"p\", \"?q\"], \"initial\": true },
            { \"name\": \"s1\" }
          ],
          \"transitions\": [[\"s0\", \"s1\"], [\"s1\", \"s1\"]]
        }
        Initial states may also be listed as \"initial\": [\"s0\"]; \"comment\" may say anything.

Mutants (--mutants FILE). Of a graph: a state and a proposition in each line, with blanks or a comma between them;
names may be quoted, * stands for all, # starts a comment, a first line `state,proposition` is skipped. Of a design: PROPOSITION: EXPRESSION in each line, for
the labels of the proposition in all states where the expression holds.
";
