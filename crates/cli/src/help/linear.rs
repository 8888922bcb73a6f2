//! What `propcov help ltl` says.

/// The page about linear time and liveness.
pub(super) fn page() -> String {
    "\
Linear time: what happens, sooner or later, on every infinite run.

Properties. LTLSPEC of SMV; justice of AIGER and BTOR2 (no fair run makes all of these true infinitely often).
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
a way back to a state that it keeps a copy of (liveness-to-safety). The independent checker builds that system by
itself and checks the invariant on it. --certificate DIR writes lassos as waveforms (the loop once more) and
proofs in words.

PSLSPEC is read where it is linear time or CTL in other words (no sequences, clocks, abort, forall).

Not supported: ints and reals other than by counting."
        .to_owned()
}
