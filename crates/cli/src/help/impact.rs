//! `propcov help impact`.

/// What `propcov impact` does, at length.
pub(crate) const IMPACT: &str = "\
Say which properties keep a proof when a design changes, from their validity cores.

A core is a set of definitions from which a property follows, whatever all other definitions say. So a change that leaves one core of a property alone leaves its proof alone. `propcov impact` takes the cores that \
`propcov cores` has kept in the run directory, compares the design of that run with the changed one, definition by definition, and says of each property whether a core still stands and which, or what of the change its cores have. \
Nothing is proved again, and no solver is asked.

With --elements, nothing has to be changed yet: it says what a change of these would mean.

Definitions are compared by what they say after elaboration: comments, layout and renamed constants do not matter. An element is found again by its name. Assumptions, and helpers that a front end adds, are part of every proof. Where not \
all cores are known, that is said: find all of them with `propcov cores`, which is the default there.

The exit code is 0 if every property keeps a proof, and 4 if not.";

/// Examples for `propcov help impact`.
pub(crate) const IMPACT_EXAMPLES: &str = "\
Examples:
  propcov cores model.lus; $EDITOR model.lus; propcov impact model.lus
      Which requirements have to be proved again after an edit.

  propcov impact --elements a1_below,d1
      What a change of these two would mean.";
