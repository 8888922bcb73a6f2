//! What `propcov help assertions` says.

/// The page about concurrent assertions.
pub(super) fn page() -> String {
    "\
Concurrent assertions of SystemVerilog (assert, assume, restrict, cover property, cover sequence):

Read. All operators of sequences and properties of IEEE 1800-2023 with one clock; named sequences and properties
with arguments; default clocking, default disable iff, clocking blocks, bind, checkers, `sequence.triggered`;
$past with all its arguments, $rose, $fell, $stable, $changed, $sampled; $inferred_clock, $inferred_disable,
$global_clock and $past_gclk where there is one clock. Action blocks that only report are ignored, and with a warning
those that assign what nothing else reads. $assertoff and its relatives, and covergroups, are ignored with a warning.

Local variables, where they are assigned once, before they are read, in the antecedent of an assertion or in a cover.

In processes. An attempt begins where the statement is executed; in an initial block once, at the first tick that
counts. Assertions of final blocks are not checked, which is said.

Not supported: several clocks in one property, no clock at all, other local variables, recursive properties,
`.matched`, and properties whose monitor would be too large. Such an assertion or cover is left out: `check` says
unknown and why, with the place; `cover` and `cores` warn, and measure the others. Where an assumption is not
supported, or nothing else is asserted, the design is refused. The book (Assertions) has all operators, each with a
test.

Disabling. `disable iff` is not sampled: in designs with several clocks it also counts between ticks.

Failing. An attempt begins at every tick. It fails at the first tick at which the ticks since then show it,
whatever comes; nothing is looked ahead. The text below a counterexample says when the attempt began, which part
matched when, and where it failed. An assumption excludes runs from that tick on, and from no earlier one.

Vacuity. Of a property that is proved, every command decides as well whether its antecedents (of implications one
after the other or side by side, conditions of `if` and `case`) are ever at their ends, and whether it is executed and
not always disabled. If not, it is vacuous, or vacuous in part, which is said first; `unmet` in --format json says
why. Otherwise `tested` is a run to an antecedent.

Covers. A sequence has to match (strong); an implication has to be put to the test. What only a run without an end
shows (`always a`) is reached by a run with a loop.

Liveness. What has to come without a limit (s_eventually, s_until, strong sequences without bound) is a property of
kind justice, decided as `propcov help ltl` says: a proof is certified, a counterexample is a run with a loop, and
the attempt below it says what never comes. What finite runs show of it is also a property of its own,
NAME.safety. Of an assumption the rest is fairness: only infinite runs on which it holds count for liveness;
invariants are decided without it.

Start. Before the first tick $past and its relatives see what a declaration says (`logic a = 1`), or else 0 for bits and
any value for logic; `initial` blocks do not count.

Size. One bit for each set of things of which one has to come; a number for long ranges and repetitions where the
oldest or youngest attempt decides. The states are no elements and are not shown: metrics and runs see the assertion.
"
    .to_owned()
}
