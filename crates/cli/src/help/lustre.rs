//! What `propcov help lustre` says.

/// The page about Lustre.
pub(super) fn page() -> String {
    "\
Lustre models (.lus), as JKind 4 reads them, and as Kind 2 and LustreC do:

What is read of JKind. Types int, real, bool, subrange, enum, record, array and names for them; constants; nodes and
calls, functions (uninterpreted), tuples, condact, pre, ->, if, floor, real, div and mod (of ints; rounded so
that the remainder is never negative); assert; --%MAIN, --%PROPERTY (of a variable or an expression),
--%IVC; also `check \"name\" expr;` of Kind 2. The main node is the one with --%MAIN, else the last one.
Two of them are an error: choose with --main NODE. Properties and contracts of nodes that it does not call are
not checked, and a warning names these nodes.
--%REALIZABLE is ignored with a note.

Dialects. A file that JKind reads has JKind's meaning. One that it does not read, with a word in it that only Kind 2
has, is read as Kind 2 reads it, or as LustreC if it has automata or `#open`; the first warning says so, and which
word that is. --dialect jkind|kind2|lustrec
decides it, --main NODE names the node to check, and so does a comment in the file:
`-- propcov: dialect=kind2 main=top`. Both dialects add: contracts (`(*@contract … *)`, `con … noc`, `contract`
nodes, `import`, modes, `::mode`), imported nodes and functions, functions with bodies, `any`, machine integers
(int8 to int64, uint8 to uint64, sint<N>, uint<N>: modulo 2^N), `when`, `merge`, `activate`, `restart`,
`condact`, if and frame blocks, `last`, automata, arrays `int ^ n`, `e ^ n`, `a[i] = e`, constant parameters
(also `node f<<const n: int>>(x: int ^ n)`, `f<<3>>(x)`),
constants without value, subranges with `*` and constants, enumerations as `datatype`, `int / int`, `1.`, `fby`,
`--!PROPERTY`, `provided`.

  what                        JKind                   Kind 2                  LustreC
  two equal calls             one instance            two                     two
  assertions of called nodes  ignored                 assumed                 assumed
  a div b, a mod b            remainder at least 0    remainder at least 0    rounded towards 0
  - a div b                   (- a) div b             - (a div b)             - (a div b)
  subranges of outputs        checked by type         proved                  proved

Not read, and refused by name: datatypes whose values have parts, sets, maps, types with conditions (`subtype`),
nodes with types as parameters, quantifiers, `choose`, `include`, variables with clocks of their own, `when` that
is neither in a `merge` nor an argument of `activate`, conversions of ints that are not constant to machine
integers, what is lazy (`when … then … else`, `and then`, `==>`), calls in a case of `merge` without `activate`.
`reachable` is ignored with a note. A `pre` without `->` has in the first step what \
JKind gives it, the same value for equal expressions and the constant for a constant; in the other dialects each has any value of its own, and what is not `pre` of a variable is refused there.

Contracts. Of the node to check, assumptions are assumed, and guarantees and modes are proved; one of the modes
has to be active in each step. Of a called node, the assumptions are proved, and its guarantees are proved for
as long as they have held. Of an imported node only the contract is known. With --compositional a call of any node
with a contract is replaced by the contract: check that node with --main, too. A property of a contract is called
by its name in quotes, or by what it is and its place, `guarantee[l12c3]`.

Machine integers are words of bits, so mutation coverage and all engines for circuits work on them; in runs they
are shown in binary. A model that has machine integers and ints or reals is read, but not decided yet.

Names. Calls are inlined, and variables of called nodes get the names that JKind gives them: `node~0.x` is x
in the first instance of `node`. Every equation is an element, and so is what is bound to a formal parameter;
asserts are called assert~0, assert~1 and so on. `propcov check --core` lists those that a proof uses.

The first step. `pre x` has any value there, as in JKind; where it is read without `->` there is a warning.
A counterexample that surprises often begins with such a value; --format json has it, among the states.

Numbers. Ints and reals have no bounds and are exact. Products of two variables, and quotients by a variable,
are beyond linear arithmetic: a violation that depends on a product may be found, but a proof only where the
value does not matter; otherwise the answer is unknown. An array read with an index out of range gives its last
element, and an update there changes nothing, as in JKind.

Several properties are decided together, and lemmas that one needs are there for all. The column `seconds`
says how long it took from the beginning until the answer to this property was there, and then to certify it.
With --timeout, a twentieth of the time, at most 5 seconds, is kept back to certify what was found; after
Ctrl-C, answers that were there are still certified, for at most 5 seconds. Properties that depend on Booleans
and enumerations alone go to the engines for circuits, one after the other.

Certified. A proof is a set of lemmas that are inductive together with the property. Separate code writes down
the model once more, without the engines' encoder, and checks that: clauses are refuted by another solver, and
each fact about numbers that is used for it is a sum of inequalities that is added up in exact arithmetic. A
counterexample is replayed, in exact arithmetic, too. With --certificate DIR, lemmas are written to
NAME.invariant.txt, and counterexamples to NAME.vcd: ints and reals as such where they fit into 64 bits
exactly, and else as text.

Counterexamples. The table has inputs, outputs and locals of the main node that the property depends on, and
what changes in inlined nodes. Reals are decimals where that is exact, and else fractions.

--advice FILE. After the run, FILE has the properties that were proved, and all lemmas that their proofs need.
The next run reads them as candidates: the largest subset that holds in the first step and is inductive is used
by all engines and stays in the file, and the rest is dropped. Lemmas about signals that the model does not
have, or has with another type, are not used and stay in the file. So the model may change between runs. A file
that propcov did not write is an error, and is not touched. In finite models, in every format, it is the proof
of a property as a whole that is checked again. Only the portfolio takes advice.

--smooth. Of the runs that are as long as the counterexample, one is shown in which inputs change least often.
It is said how often they do, and whether that is known to be the least. For models of Booleans,
enumerations, ints and reals, in every format; not for words of several bits.

Coverage. `propcov cores`, `propcov cover` and `propcov explain` work on all models. Equations are mutated: left
open; stuck at zero or one if they are Boolean; and numbers zero, greater by one (off-by-one), or what they were
to be one step before (stale; in the first step, what they were to be there). An equation says what its variable
is in every step, so it is mutated in the first one, too. To be left open and killed is to be in every core: must.

The book has more: https://github.com/propcov/propcov, folder book.
"
    .to_owned()
}
