//! What `propcov help cores` and the pages about its metrics say.

/// What `propcov cores` does, at length.
pub(crate) const CORES: &str = "\
Find what the proofs of properties rest on: validity cores.

A set of elements is adequate for a property if the property still holds when all other elements are left open, free to have any value in any step. \
A minimal core is an adequate set that can do without none of its elements. A property may have several: ways in which it can be proved. An element of every core is a MUST \
element, and the property fails without it; an element of some minimal core is a MAY element; what is in none is not needed at all.

First come the sanity check and the proofs, as in `propcov check`. Then cores are looked for, all minimal ones unless something else is asked for, and each is announced on a terminal as soon as it was \
found and checked. With several properties, the same is told about all of them together: a set is adequate for them if it is for each. \
After Ctrl-C, or when --timeout is over, everything found is reported, and so is that the list is incomplete.

Elements in question are the equations that `--%IVC` of a Lustre model names, or else all definitions; assumptions only with --assumptions. All others are always kept. With \
--granularity operator, each operator, constant and use of a variable in an equation is an element by itself (Lustre).

Nothing is taken on trust: that a core is adequate is proved by an invariant, that it needs an element is shown by a run of the design without it, and that the list is complete by a refutation of any \
other core. All of these are checked by separate code. What is not known is said to be UNDECIDED, and is never counted either way.

Effort comes in rounds: each check gets a little, then twice as much if it had no answer, so that cores come out while hard checks are open. In the end, the effort that one check is worth follows from the work of the proof, so that results do not depend on the machine; --check-timeout gives each check a time instead.

Evidence is kept in DIR as soon as it was checked. The same question is then answered by checking it again, and a search that was stopped, or an edited design, starts from what still holds: `propcov help out`. What holds up to a --depth only is not kept.

The matrix shows which property rests on which element: X for MUST, o for MAY but not MUST, x for elements of a core that was found where more is not known, a dot for what is in no minimal core, ? for what is not known (as outside the cores that were found, if these need not be all), and - where \
there is no proof. It can be written to a file with --matrix; as .json also with the alternatives for each property, and what is in all of them. `propcov report --requirements` says it for each requirement. `propcov cover --metric core|must|may|model` has the same as percentages.";

/// Examples for `propcov help cores`.
pub(crate) const CORES_EXAMPLES: &str = "\
Examples:
  propcov cores examples/asw.lus
      All minimal cores of each property, MUST and MAY elements, and the matrix.

  propcov cores model.lus --property p --one
      One core of a property, quickly; it may not be minimal.

  propcov cores model.lus --minimum --timeout 5m
      A smallest core, or the best bounds found in five minutes.

  propcov cores model.lus --algorithm bvc --depth 10
      Cores of bounded proofs, one for each depth up to 10; also for properties without proof.

  propcov cores model.lus --granularity operator --must
      Which operators and constants does every proof need?

  propcov cores model.lus --matrix trace.xlsx
      A traceability matrix for a review.

  propcov cores model.lus --format jkind-xml > model.lus_ivcs.xml
      For tools that read what JKind writes.

  propcov cores examples/counter.btor2 --format json > cores.json
      Registers and nodes of a hardware design, for scripts.

Exit codes: see `propcov help exit-codes`.";

/// The paragraph about metrics of cores in `propcov help metrics`.
pub(super) const METRICS: &str = "
core, must, may and model ask what the proofs of properties rest on; see `propcov help cores`, and E. Ghassabani,
Inductive Validity Cores, 2018. Of each property:
  core   an element is covered if it is in a minimal core. There may be others, with other shares
  must   if it is in every core: the property fails when it is left open. This is the same as mutation `free`
  may    if it is in some minimal core
All three are also measured of the conjunction of all properties, and of the set: what some property covers. That is
the headline. model is may of the set. Checker logic, which reaches nothing but properties, is counted apart. Elements
are equations, or with --granularity operator the operators, constants and uses of variables in them. Models with ints
and reals can be measured as well.
";
