//! What `propcov help assertions` says.

/// The page about concurrent assertions.
pub(super) fn page() -> String {
    "\
Concurrent assertions of SystemVerilog (assert, assume, restrict, cover property, cover sequence):

Read. All operators of sequences and properties of IEEE 1800-2023 with one clock; named sequences and properties
with arguments; default clocking, default disable iff, clocking blocks, bind, checkers, `sequence.triggered`;
$past with all its arguments, $rose, $fell, $stable, $changed, $sampled. Action blocks are ignored.

Local variables, where they are assigned once, in the antecedent of an assertion or in a cover.

Refused, with the place: several clocks in one property, other local variables, recursive properties, `.matched`,
and properties whose monitor would be too large.

Failing. An attempt begins at every tick. It fails at the first tick at which the ticks since then show it,
whatever comes; nothing is looked ahead. The text below a counterexample says when the attempt began, which part
matched when, and where it failed. An assumption excludes runs from that tick on, and from no earlier one.

Vacuity. Of an implication that is proved, it is decided as well whether its antecedent is ever at its end. If not,
it is vacuous; otherwise `tested` in --format json is a run to it.

Covers. A sequence has to match (strong); an implication has to be put to the test.

Liveness. What has to come without a limit (s_eventually, s_until, strong sequences without bound) is a property of
kind justice, which is not decided yet. What finite runs show of it is the property NAME.safety. Of an assumption
only that is assumed, with a warning.

Start. Before the first tick $past and its relatives are 0 for bits, and any value for logic.

Size. One bit for each set of things of which one has to come; a number for long ranges and repetitions where the
oldest or youngest attempt decides. The states are checker logic: they are never counted.
"
    .to_owned()
}
