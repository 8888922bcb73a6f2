//! What `propcov help ltl` says.

/// The page about linear time and liveness.
pub(super) fn page() -> String {
    "\
Linear time: what happens, sooner or later, on every infinite run.

Properties. LTLSPEC and PSLSPEC of SMV; justice of AIGER and BTOR2 (no fair run makes all of these true infinitely often).
Fairness of the design (FAIRNESS, JUSTICE, COMPASSION of SMV; fair of BTOR2; fairness of AIGER) says which
runs count. A run that gets stuck counts for nothing.

Operators of LTLSPEC, tightest first:
  X F G   next, finally, globally       Y Z O H  previous (strict, weak), once, historically
  U V     until, releases               S T      since, triggered; these four lean to the left
  then & | xor xnor <-> ->; unary operators take a comparison: G a = b & c is (G (a = b)) & c
  F [a, b] p, and so for G, O and H: within a to b steps; b is at most 400

A counterexample is a lasso: after its last step it goes back to an earlier one, for ever. The line below the
table says to which. It is replayed, and the formula is evaluated on the infinite run, before it is shown.

A proof is an invariant of a system that does what the design does and watches besides: it counts how often
all that a violation takes has been done (k-liveness, with the least number that could be proved), or looks for
a way back to a state that it keeps a copy of (liveness-to-safety). Decision diagrams take turns with these
(bdd): they look for fair runs of the design together with the tableau of the formula, and where there is none,
the layers of their fixpoint are such an invariant. The independent checker builds that system by
itself and checks the invariant on it. Where it is too large, the verdict is not certified, and says why.
Where every run goes on (no fairness, no constraints on steps), G p is decided like an invariant. --certificate DIR writes lassos as waveforms (the loop once more) and
proofs in words.

PSLSPEC is read where it is linear time or CTL in other words (no sequences, clocks, abort, forall).

Vacuity. G (p -> q) that holds on a design where no fair run has p is vacuous, and so are p -> q and
conjunctions of them; p may be a formula of time. That is part of the sanity check.

Coverage. Mutation and cores as for invariants; --metric state,transition changes a signal in one state or
when entered by one transition. Formulas that CTL can say as well (X, G, conjunction, p -> f, U and V of
propositions) are measured as that formula; all others by definition, whatever --semantics says.

COMPUTE MIN [f, g] and MAX [f, g] of SMV: the steps of a shortest path from f to g, and the most that it may
take; among reachable fair states. Checked by formulas of CTL, up to 100 steps.

Not supported: ints and reals other than by counting, and as G p."
        .to_owned()
}
