//! What `propcov help verilog` says.

/// The page about SystemVerilog.
pub(super) fn page() -> String {
    "\
SystemVerilog designs (.sv, .v), as slang elaborates them:

Setting up. slang is used through Python: scripts/setup installs the package pyslang into an environment of
propcov's own (propcov/python in the cache directory), which is looked for first, then python3. PROPCOV_PYTHON
names another one. All files of a design are given at once; everything behind `--` goes to slang as it is.

  propcov cover fifo.sv ram.sv --top fifo -I include -D WIDTH=8 -G DEPTH=4 -- --compat vcs

Projects of SymbiYosys. `propcov check project.sby` runs all tasks that SymbiYosys would run, one after the other,
`propcov check project.sby TASK...` those that are named. Files, macros, parameters, the top, mode (bmc, prove,
cover, live) and depth come from the project; solvers do not. A task with `expect fail` (or
pass, unknown, error, timeout, or a list: pass,fail) is good for `check` if that is what comes of it, and only then. As in SymbiYosys, bmc and prove leave
liveness assertions out, and live asks about them alone, with the others assumed. `cutpoint MODULE/SIGNAL` makes
a signal free. With mode bmc depth steps are looked at,
unless --bound says something else; a task that asks for no more is good (exit code 0) if nothing fails up to
there, and its properties are called bounded, not proved. The exit code is that of the worst task; JSON has one
document for each; each task has a run directory of its own, propcov.out/TASK. Refused by name, with the line:
other Yosys commands that change the design, and Python code (--pycode-begin--), which is executed only with
--pycode: it can do whatever its author likes. The other tasks go on.

Macros. FORMAL is defined, as in SymbiYosys; -U FORMAL takes it away. SYNTHESIS and YOSYS are not defined.

Steps. If all registers move at the same edge of one input that is read nowhere, a step is one tick of this
clock. Otherwise clocks are inputs, and a register moves when its edge is seen between two steps: it takes the
value from before the edge. An asynchronous reset shows at once, as long as it is active.

Start. `initial` blocks and values in declarations; other variables of 2-state types (bit, int, byte, most enums)
start with zero, and anything else anywhere. With --reset rst_n=0 and
--reset-cycles 2 the first two steps have the reset active, no step after them has, and assertions and
assumptions count from then on.

Unknown values. There are none. What is undefined is any value in each step: an x that is read, a net without
driver, an element that does not exist, a quotient by zero. `casez`, `casex`, `inside` and `==?` have their
wildcards, `===` is `==`, and $isunknown is 0. (* anyseq *) and (* anyconst *) variables are free.

Assertions. assert, assume, restrict and cover, immediate or concurrent (`propcov help assertions`). The name is the
label, with its scope, or else file and line. `propcov check` finds a run that reaches a cover, or proves that none
does.

Elements. Registers; assignments, each copy in an instance or round of a loop by itself; conditions of branches;
port connections; operators with --granularity operator. --elements all, or names such as 'u_fifo.*'; --exclude
leaves some out. Copies of one line of source share a line of the text; --unfold lists each. A top module without
outputs is a test bench: what feeds the outputs of its instances is the design, the rest checks it.

Reach. `propcov cover --metric reach` asks for a run that executes each assignment, and takes each way of each
branch. What no run executes is dead, with a proof and the assumptions to blame; its mutants do not count. Runs and
proofs are kept in the run directory: the next run checks and reuses them, and so does `propcov verify`. Asked alone,
it needs no assertion.

Files. $readmemh and $readmemb in `initial`: files are looked for here and beside the source, and are a part of
the design then.

Lists of signals. `always @(a or b)` is read as `always @*`; signals that the list lacks are warned of. Delays of
assignments (`q <= #1 d`) are ignored with a warning. `@(posedge clk iff en)` is a branch.

Words of Yosys. `rand reg`, `rand const reg` in a module and `restrict (a)` are read as Yosys means them.

Refused, with the place: latches, combinational loops, inout, waiting for a time, real numbers, strings, queues, classes, fork,
disable of a block that is not around it, waiting inside of a process, both edges of a clock in one process, user-defined primitives, nets with
several drivers, DPI, tagged unions and patterns of `matches`, assertions whose action assigns what is read,
(* allconst *), `**` with an exponent that may be negative, loops whose number of rounds depends on signals. Bits
of one word may be made of others; only a bit that depends on itself is a loop. A latch that nobody reads is none.
"
    .to_owned()
}
