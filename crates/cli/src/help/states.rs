//! What `propcov help state` and `propcov help transition` say.

/// The page about state coverage.
pub(super) fn state() -> String {
    "\
State coverage (propcov cover FILE --metric state --observe SIGNAL):

In which reachable states is the value of a signal really checked? In one state after the other the signal
gets another value, in the properties and nowhere else. If a property that holds would then fail, the state is
covered. What is not covered is listed as a few products, largest first: in all those states the signal could
be wrong, and none of the properties that mention it would notice. They speak of state variables, and of
Boolean definitions that the properties mention. Products may overlap: each one counts the states that it has
more than those before it. With --dont-care or fairness, a product may also speak of states that are left out;
they are not counted.

What to observe. --observe takes state variables, definitions and expressions, several with commas or by
repeating the option; each is measured by itself, and all together. Without it that is every state variable
and definition that the properties mention. A signal is changed where a property mentions it by name:
definitions that read it keep their value, so observe these as well. Booleans have one other value. Of others,
`--flip any` asks that some other value is noticed, `--flip all` that every other value is.

Hardware (AIGER, BTOR2). Gates that nobody named are written out in the properties, so that these mention what
the gates read. Inputs that properties read are part of the state, and a note says which.

What is counted. All reachable states from which a fair path starts, except for those where a --dont-care
holds. States are counted exactly. What is not known is counted neither way: coverage is a range then.

When a change is noticed:
  observability  where a property checks the signal, by Hoskote, Kam, Ho and Zhao, Coverage estimation for
                 symbolic model checking, DAC 1999. In b -> f, and in what A [f U g] waits for, the conditions
                 keep the value. Defined for b, b -> f, b | f, AX f, AG f, A [f U g], A [f R g], f & g, AF f,
                 with b about single states; f after pushing negations inwards
  mutation       if the property itself fails, by Chockler, Kupferman and Vardi, Coverage metrics for temporal
                 logic model checking, TACAS 2001. For any CTL formula; conditions are changed as well, and
                 what fails in one place may hold again for that reason
`--implication split` reads `a -> b` without temporal operators as b -> f above: `a` says where `b` is
checked. That goes for implications that are the formula itself, an operand of a temporal operator or of `&`, or
what another implication claims. Within other propositions, as in !(a -> b), !EF !(a -> b) and c | (a -> b), it
is a part of these, and `a` is checked, too. With `whole` that goes for all. Invariants (INVARSPEC p) count as AG p.

Linear time (LTLSPEC). What CTL can say as well is measured as that: X f as AX f, G f as AG f, f & g, b | f,
b -> f, and U and V of propositions. All else by mutation; these counts are not certified.

In b | f with a temporal f, b is checked where f fails, and f where b fails. So it is in !b | f: only what is
written as b -> f or !(b & f) has a condition. Bounded operators (ABF, ABG, A [f BU m..n g]) are written out with
AX, `&` and such disjunctions.

How to go on. `--trace 1` shows a shortest run into the first hole, as a table and as a waveform: a situation
in which no property that mentions the signal checks it. Write one that does. Of each property you see how much
it covers, how much no other one does (unique), whether it adds nothing to the others, as far as this signal is
concerned, and whether it mentions the signal but checks it nowhere, say in a condition only. All signals
together may be covered though one is not: the last line names the worst.

Certified. Where there are few states, separate code makes each mutant and checks it by itself. If it counts
the same, the coverage is certified; if not, that is an internal error, and the coverage is unknown. What it
cannot count is `not certified`, with the reason. Runs are always replayed.

Exit codes: 2 if a property fails (the others are measured), 3 below --threshold, 4 if something is unknown.
"
    .to_owned()
}

/// The page about transition coverage.
pub(super) fn transition() -> String {
    "\
Transition coverage (propcov cover FILE --metric transition --observe SIGNAL):

After which transitions is the value of a signal really checked? As in state coverage, but the signal has
another value in a state only if that state is entered by one certain transition. So a state that is
checked when it is entered one way, and not when it is entered another way, is found out. After a transition
that is not covered the signal could be wrong, and none of the properties that mention it would notice. By Xu,
Kimura, Horikawa and Tsuchiya, Transition-based coverage estimation for symbolic model checking, ASP-DAC 2006.

What is counted. All pairs of a reachable state and a successor, both fair, whatever the inputs. With
--dont-care, those whose target is none of these states.

Holes are products as well: `push & wr = 2 -> next(wr) = 2` are transitions from states with push and
wr = 2 to states with wr = 2. `--trace 1` shows a shortest run whose last step is one of them.

All other options are those of `propcov help state`, and so is what becomes of gates and inputs of hardware.
"
    .to_owned()
}
