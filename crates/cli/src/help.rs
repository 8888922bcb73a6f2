//! The long help texts, and the topics of `propcov help`. Whatever a table knows is taken from the table.

mod assertions;
mod config;
mod cores;
mod farm;
mod fit;
mod impact;
mod jkind;
mod json;
mod linear;
mod lustre;
mod refine;
mod states;
mod verilog;

use crate::args::Arguments;
use crate::cover::arguments::describe;
use crate::exit::ExitCode;
use clap::CommandFactory;
use propcov::METRICS;
use propcov::cover::{ALGORITHM_1, PIPELINE};
use propcov::report::FORMATS;
use propcov_coverage::mutation::Technique;
use propcov_engine::ENGINES;
use propcov_frontend::FRONTENDS;
use propcov_ir::Mutation;
use propcov_verify::EngineChoice;
use std::fmt::Write;

pub(crate) use cores::{CORES, CORES_EXAMPLES};
pub(crate) use farm::{FARM, FARM_EXAMPLES};
pub(crate) use impact::{IMPACT, IMPACT_EXAMPLES};
pub(crate) use jkind::JKIND;
pub(crate) use refine::{REFINE, REFINE_EXAMPLES};

/// What `propcov check` does, at length.
pub(crate) const CHECK: &str = "\
Prove or refute the properties of a design, and certify every answer.

First comes the sanity check: do the assumptions contradict each other (and which minimal set of them does), is a \
property constant, is there any property at all? A proof under contradictory assumptions means nothing, so this is \
said before all else.

Then each property is decided. A proof is an invariant, checked against the design as written by separate \
code with its own encoding; a counterexample is replayed by an interpreter. An answer that does not pass is never \
reported as one. A bound that was searched without finding a violation is not a proof: the property is `bounded`, which is certified as well.

Invariants of finite designs are decided together, then each of the rest by itself, in rounds of doubling effort: properties are lemmas of each other, and a proof \
names those that it uses. Without --timeout, what is still open after some minutes of effort each is given up, unless --effort max is asked for.

CTL properties (SPEC of SMV) are decided by decision diagrams, under the fairness constraints of the design, and one that is an \
invariant, `AG p`, also by the other engines if the diagrams get too large, or too little of --timeout would be left. See \
`propcov help ctl` for what is certified and how runs are to be read.

Linear time (LTLSPEC of SMV, justice of AIGER and BTOR2) is decided by searching for lassos, by invariants of a system that watches, and by decision diagrams, in turn. See `propcov help ltl`.

Systems with ints and reals (Lustre) have engines of their own, which decide all properties together: lemmas that one of them needs are there for \
all. With --advice FILE, lemmas of proofs are stored for the next run, where each is checked again before it is used. See `propcov help lustre`.

With --smooth, counterexamples are replaced by runs of the same length whose inputs change as seldom as possible from step to step. Such a run is replayed \
as any other.

With --intervals, counterexamples to invariants show which values do not matter: in place of a value stands an interval, or `*`, and the property fails whatever the values of inputs are within theirs. With --inductive, \
what is not decided has a run that starts anywhere, in which the property holds in all steps but the last.

Results go to standard output, progress and warnings to standard error. Ctrl-C stops the search; what was found by \
then is reported.";

/// Examples for `propcov help check`.
pub(crate) const CHECK_EXAMPLES: &str = "\
Examples:
  propcov check examples/counter.btor2
      Prove the properties of a design.

  propcov check examples/broken_counter.btor2 --certificate evidence
      Find a counterexample. It is shown as a table; evidence/below_ten.vcd has all of it for a
      waveform viewer, and evidence/below_ten.wit for other tools (btorsim).

  propcov check design.aig --timeout 5m --format json > result.json
      One JSON document for scripts, complete even when the time is up or Ctrl-C was pressed.

  propcov check design.btor2 --property no_overflow --engine bmc --bound 50
      Search for a violation of one property within 50 transitions.

  propcov check examples/mutex.smv --stats
      CTL properties under fairness, with runs that show the answers, and how many states there are.

  propcov check design.aag --core
      Which latches, gates and assumptions does each proof use?

  propcov check model.lus --advice model.advice
      Prove the properties of a Lustre model. The next run starts from the lemmas that still
      hold, even if the model has changed.

  propcov check model.lus --smooth
      Counterexamples in which inputs change only where they have to.

  gzip -dc design.aig.gz | propcov check -
      Read the design from standard input.

Exit codes: see `propcov help exit-codes`.";

/// What `propcov cover` does, at length.
pub(crate) const COVER: &str = "\
Measure which parts of a design its proven properties check.

Without --metric, what fits the design: cone, core and mutation coverage of netlists, and reach where there are statements (SystemVerilog); must, may and mutation coverage of models with ints and reals; state coverage \
of CTL properties. With --metric, one or several of them (`propcov help metrics`), in one run with one set of proofs.

Order of work: sanity check, proofs (as in `propcov check`), then the metrics. Only proved properties are measured, and with --bound K those that hold in runs of K transitions: what they do not notice by then is counted as `bounded`. Every finding is checked by separate \
code before it counts. What is undecided counts neither way: coverage is a range. A mutant is given up on after some seconds of work; --effort max goes on.

Counted are elements of the design: covered / (covered + uncovered + unknown). Counted apart: checker logic (it reaches only properties and assumptions), and \
mutants without effect (no run tells them from the design).

Reach: a run that executes an assignment or takes a branch, or a proof that none does under the assumptions: it is dead, and a minimal set of assumptions to \
blame is named. Dead elements are no holes: their mutants are counted apart.

Mutation: a register, gate or equation is left open, or stuck at zero or one; an int or real is left open, zero, greater by one (off-by-one), or what it was to be one step before (stale). Covered: some property fails, and a run shows it. Uncovered: all properties still hold, \
proved by an invariant. Initial values and assumptions are not mutated; an equation (Lustre) is mutated in all steps, the first one included, but a stale number is in the first step what it was to be there. A CTL property is measured if it is an invariant, `AG p`.

--witness: for each uncovered mutant a shortest pair of runs, design and mutant, that differ while every property holds, as a waveform; or a proof that it has no \
effect. Without it, a small share of the effort finds mutants without effect.

Findings are kept in DIR as soon as they are made. After Ctrl-C, a timeout, a crash or an edit, the same command goes on from there: `propcov help out`.";

/// Examples for `propcov help cover`.
pub(crate) const COVER_EXAMPLES: &str = "\
Examples:
  propcov cover examples/fifo.btor2
      Which registers could be wrong without any property noticing?

  propcov cover design.aig --elements all --accuracy 96% --budget 5x
      Registers and gates, until 96 % is decided or five times the time of the proofs is used up.

  propcov cover design.btor2 --elements 'top.fifo.*' --bits --witness
      One module, bit by bit, with a waveform of what would go unnoticed for each hole.

  propcov cover design.btor2 --metric mutation --engine bmc --bound 30
      Without any proof: what would be noticed within 30 transitions?

  propcov cover design.aig --threshold 80% --format json > coverage.json
      For scripts: exit code 3 when less than 80 % is certainly covered.

  propcov cover design.aig --tests algorithm1 --stats
      The algorithm of Chockler, Kroening and Purandare (2010), and which of its tests decides how many.

  propcov cover design.aig --engine interpolation --tests algorithm1 --stats
      The same from a proof by interpolation, as in the paper.

  propcov cover examples/circular_queue.smv --metric state --observe wrap --trace 1
      In which reachable states is `wrap` checked, and how does one get to a state where it is not?

  propcov cover examples/pipeline.smv --metric transition --observe out --dont-care 'left = 0'
      After which transitions is `out` checked, apart from those into states that nobody cares for?

  propcov cover examples/asw.lus --metric may --granularity operator
      Which operators of a Lustre model does no property need?

Exit codes: see `propcov help exit-codes`.";

/// What `propcov explain` does, at length.
pub(crate) const EXPLAIN: &str = "\
Show why a register or gate is covered, or what it could do unnoticed.

For each edit of the element: if a property fails, a short run of the mutant into the violation. If all properties \
still hold, two runs under the same inputs, one of the design and one of the mutant, on which everything that is proved holds and \
something that is observed differs: a bug that nobody would catch. If there are no such runs, that is proved, and the edit has \
no effect.

Observed are the outputs of the design; without outputs, the registers other than the mutated one, and that one as well if no \
other register depends on it; --observe says otherwise.

What an earlier `propcov cover` found is taken from DIR, after it was checked again; the rest is computed.";

/// `propcov help report`.
pub(crate) const REPORT: &str = "\
Print what an earlier run has found, in any format.

Every run of `propcov cover` and `propcov cores` keeps its whole result in its directory, and writes report.html there: a page for any browser, without network access. \
`propcov report` renders a result as that run would have, in any format; neither the design nor a solver is needed. Requirements stand in comments of the design (`// req: ID text`, \
`--%REQ ID text`) above or beside properties, or in a table (--requirements).";

/// Examples for `propcov help report`.
pub(crate) const REPORT_EXAMPLES: &str = "\
Examples:
  propcov report propcov.out
      The newest run, as text.

  propcov report propcov.out --list
      All runs: when, of which design, with which coverage.

  propcov report propcov.out --format csv -o findings.csv
      All findings of the newest run, for a spreadsheet.

  propcov report --format lcov -o propcov.info && genhtml --branch-coverage propcov.info -o coverage
      Coverage by line, for tools that know lcov; cobertura, junit and sarif are for others.

  propcov report --format html --requirements requirements.csv -o report.html
      The page, with requirements from a table (columns id, text, properties).

  propcov report whole.out --merge propcov.out/shards/*
      What the shards of a run have found, checked again, as one result.

  propcov report --diff 20270131
      The newest run beside an earlier one of the same directory: what got better, and what worse.

  propcov report new.out --diff old.out --format markdown
      Two directories, as a comment on a merge request. The exit code says whether anything got worse.";

/// `propcov help init`.
pub(crate) const INIT: &str = "\
Write propcov.toml, with what is seen in a directory: designs and their formats; of SystemVerilog the module at the top, the clock and the reset, as guesses \
from the words of the files. Nothing is executed, and a file that is there is not overwritten. See `propcov help config`.";

/// `propcov help verify`.
pub(crate) const VERIFY: &str = "\
Check all evidence that earlier runs have kept, without any engine.

Proofs are certified and runs are replayed, by the code that also checks what engines find. Each claim is checked on a design in \
which its property means the same: one of those that DIRECTORY has kept, or FILE. \
Listed are the claims that do not hold, and those that could not be checked: for lack of time, or because evidence or design is damaged or missing.";

/// Examples for `propcov help verify`.
pub(crate) const VERIFY_EXAMPLES: &str = "\
Examples:
  propcov verify propcov.out
      Everything that is there.

  propcov verify propcov.out design.btor2 --timeout 5m
      What is there about this design, as it is now.

Exit codes: 0 all claims hold, 1 some do not, 4 some could not be checked. See `propcov help exit-codes`.";

/// Examples for `propcov help explain`.
pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  propcov explain examples/fifo.btor2 read_pointer
      Who notices when the read pointer is left open, or stuck?

  propcov explain examples/fifo.btor2 read_pointer --edit zero --vcd hole.vcd
      The same for one edit, with a waveform of design and mutant side by side.

  propcov explain design.btor2 'count[3]' --bits --observe data_out,valid
      One bit of a word, and whether it shows at these two.

Exit codes: see `propcov help exit-codes`.";

/// A page of `propcov help` that is no command.
pub(crate) struct Topic {
    /// What users type.
    pub(crate) name: &'static str,
    /// What it is about, in a line.
    pub(crate) summary: &'static str,
    text: fn() -> String,
}

/// All topics.
pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "assertions",
        summary: "concurrent assertions: what is read, when they fail, what is refused",
        text: assertions::page,
    },
    Topic {
        name: "ctl",
        summary: "CTL properties: what they mean, what is certified, how to read runs",
        text: ctl,
    },
    Topic { name: "edits", summary: "what is done to an element to see who notices", text: edits },
    Topic { name: "engines", summary: "the ways to decide a property", text: engines },
    Topic { name: "exit-codes", summary: "the meaning of exit codes", text: exit_codes },
    Topic { name: "formats", summary: "the file formats that are read", text: formats },
    Topic { name: "graphs", summary: "the formats of labelled graphs", text: refine::graphs },
    Topic { name: "config", summary: "propcov.toml: options, designs, waivers", text: config::page },
    Topic {
        name: "jkind",
        summary: "propcov in place of JKind: options, files, departures",
        text: jkind::page,
    },
    Topic { name: "json", summary: "the document that --format json prints", text: json::page },
    Topic {
        name: "ltl",
        summary: "linear time and liveness: operators, lassos, what a proof is",
        text: linear::page,
    },
    Topic {
        name: "lustre",
        summary: "Lustre models: what is read, how answers are certified, --advice and --smooth",
        text: lustre::page,
    },
    Topic { name: "metrics", summary: "what coverage can be measured", text: metrics },
    Topic { name: "out", summary: "what is kept in the output directory", text: out },
    Topic {
        name: "renderings",
        summary: "the formats that results are printed and written in",
        text: renderings,
    },
    Topic {
        name: "state",
        summary: "state coverage: where properties of CTL and LTL check a signal",
        text: states::state,
    },
    Topic { name: "tests", summary: "the techniques that decide mutants", text: tests_topic },
    Topic {
        name: "transition",
        summary: "transition coverage: the same for each transition",
        text: states::transition,
    },
    Topic {
        name: "verilog",
        summary: "SystemVerilog designs: what is read, what a step is, what is undefined",
        text: verilog::page,
    },
];

/// The page that explains a topic, a command, or what there is; `None` when nothing has that name.
pub(crate) fn page(topic: Option<&str>, width: usize) -> Option<String> {
    let Some(name) = topic else { return Some(overview(width)) };
    if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
        return Some(fit::fit(&(topic.text)(), width));
    }
    let mut command = Arguments::command().term_width(width);
    command.build();
    let page = command.find_subcommand_mut(name).filter(|command| !command.is_hide_set())?;
    Some(page.render_long_help().to_string())
}

/// The names that [`page`] knows.
pub(crate) fn names() -> Vec<String> {
    let command = Arguments::command();
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands
        .map(|command| command.get_name().to_owned())
        .chain(TOPICS.iter().map(|topic| topic.name.to_owned()))
        .collect()
}

fn overview(width: usize) -> String {
    let mut text = Arguments::command().term_width(width).render_long_help().to_string();
    text.push_str("\nTopics (propcov help TOPIC):\n");
    rows(&mut text, TOPICS.iter().map(|topic| (topic.name.to_owned(), topic.summary.to_owned())));
    text
}

fn ctl() -> String {
    "\
CTL properties (SPEC and CTLSPEC of SMV files):

A property holds if every fair initial state satisfies it. Path quantifiers range over fair paths: infinite
ones that meet every FAIRNESS (JUSTICE) condition infinitely often, and every COMPASSION. So a state without
successor satisfies every `A` and no `E`. This is what NuSMV does, except that it ignores COMPASSION in CTL.

Warnings. If no initial state is fair, every property holds, and says nothing: all proofs are shown as
vacuous, and the exit code is 4. `AG (p -> q)` is vacuous if p never holds in a fair reachable state. That some
reachable state has no successor is noted, as that is seldom meant.

Certified. The column has one of three values:
  yes   separate code agrees: runs that show the answer were replayed; or the set of reachable states was
        accepted as an inductive invariant (for AG p); or sets of states with ranks were, for all parts of the
        formula; or there are few states, and the property was decided once more by listing them
  no    the answer is that of the decision diagrams, and there are too many states to list: no single run can
        show it, or it is shown from one of several initial states and would have to be from all of them; and the
        sets of states that show it are too large to write down, or there is COMPASSION
  -     there is no answer
An answer that separate code contradicts is never shown: it is an internal error, and the property unknown.

Runs. A property that fails for some path is shown by a run, and so is one that holds for some path. What the
property reads comes first, its DEFINEs included. `loop: after step 7 back to step 3` means that it goes on
like this for ever. Where the first steps suffice, the rest is left out: `the run goes on, fairly and for
ever`. Formulas about several paths need several runs: `from step 2, a run that shows EG !q` starts in step 2
of the run above it, and its own steps count from 0. Inputs of a step lead to the next step. The choices of
`next(x) := {a, b}` are not shown, nor are they in waveforms and documents: they are what x is next. What is
about all paths no run shows. Then you see how far a run gets, and what holds from there: a counterexample to
AG EF p leads to a step where AG !p holds. If it gets nowhere, as for EF p, that is the initial state.

Engines. `--engine bdd` decides CTL properties, linear time and justice, and nothing else. Other engines decide of CTL properties only
invariants, AG p. By default bdd is asked first, and what it has no answer to goes to the others if it is
an invariant. Then a run that violates p refutes AG p only if nothing could keep it from going on for ever:
neither fairness nor constraints. Otherwise the property is unknown, and the run is shown as one that is no
counterexample yet.

Time. Diagrams decide CTL properties one after the other, in the order of the file: a hard one can use up
--timeout before the next one is tried. `--property NAME` asks for some of them. Where other engines could
go on, a part of the time is kept for them, and they share it fairly.
"
    .to_owned()
}

fn edits() -> String {
    let mut text = "Edits (propcov cover --edits LIST):\n".to_owned();
    let edit = |edit: Mutation| (edit.name().to_owned(), describe(edit).to_owned());
    rows(&mut text, Mutation::ALL.into_iter().map(edit));
    text.push_str(
        "\nA register is cut at its next value: its first value stays what it was. Whoever notices that an\n",
    );
    text.push_str("element is stuck also notices that it is left open. A word is mutated as a whole, all bits alike, or\n");
    text.push_str("with --bits one bit at a time.\n");
    text
}

fn out() -> String {
    "\
The run directory: what `propcov cover` and `propcov cores` keep (--out DIR, propcov.out unless said
otherwise).

  findings/RUN.jsonl     what was found out about properties and mutants, and which sets of elements
                         suffice for a property or do not, one record per line
  evidence/RUN.jsonl     the proofs and runs that show it, named by their content
  results/RUN....json    the result of each run, as --format json prints it
  report.html            the newest result as a page, for any browser
  designs/SHA256         the designs
  traces/NAME-....vcd    waveforms: with --witness, design and mutant side by side; with --trace, a
                         run into each hole of states or transitions

Apart from report.html, files are only ever added, and each run has its own. Any number of runs may use one directory, also at
the same time and about different designs. To merge two directories, copy one into the other.

Each finding is written as soon as it is decided. The next run takes over what still means the same,
after its evidence was checked again: a comment, another property or an unrelated register changes
nothing. Where a property has changed, old runs and invariants are tried first. --fresh ignores what is
there, and deletes nothing. A damaged line costs what it says, and no more.

`propcov report DIR` prints the newest result again, in any format. `propcov verify DIR` checks
all evidence that is there.
"
    .to_owned()
}

fn renderings() -> String {
    let mut text = "\
Results are rendered by --format FORMAT of every command, and again by `propcov report DIR --format FORMAT [-o FILE]`. Runs that
keep their findings write report.html into their directory besides.

"
    .to_owned();
    rows(&mut text, FORMATS.iter().map(|format| (format.name.to_owned(), format.summary.to_owned())));
    text.push_str(
        "
lcov and cobertura: an element is a branch of its first line. A line is hit by as many properties as notice the one of its elements
that the fewest notice: not at all if one of them is a hole or undecided. What has no effect, is dead or waived does not count.

Requirements are in html, audit-csv, xlsx and reqif: from comments `// req: ID text` and `--%REQ ID text` above or beside a property,
and from tables (`propcov report --requirements FILE`, CSV with the columns id, text, properties). With --requirements they are in
text and markdown, too, beside the properties that formalise them; a property that does not exist is warned of.
",
    );
    text
}

fn metrics() -> String {
    let mut text = "Metrics (propcov cover --metric METRIC):\n".to_owned();
    rows(&mut text, METRICS.iter().map(|metric| (metric.name.to_owned(), metric.summary.to_owned())));
    text.push_str(cores::METRICS);
    text
}

fn tests_topic() -> String {
    let mut text = "Tests (propcov cover --tests LIST), in the order in which they work:\n".to_owned();
    let row = |test: Technique| (test.name().to_owned(), test.summary().to_owned());
    text.push_str(&format!("\n{PIPELINE}, the default:\n"));
    rows(&mut text, Technique::PIPELINE.into_iter().map(row));
    text.push_str(&format!(
        "\n{ALGORITHM_1}, the tests of Chockler, Kroening and Purandare, Coverage in interpolation-based\nmodel checking, DAC 2010:\n"
    ));
    rows(&mut text, Technique::ALGORITHM_1.into_iter().map(row));
    text.push_str(
        "\nA list is from one of the two. With a part of them, what none of these can decide is unknown.\n",
    );
    text.push_str("--naive model checks every mutant by itself.\n");
    text
}

fn engines() -> String {
    let mut text = "Engines (propcov check --engine ENGINE):\n".to_owned();
    let portfolio = std::iter::once((
        EngineChoice::PORTFOLIO.to_owned(),
        format!("{} (default)", EngineChoice::PORTFOLIO_SUMMARY),
    ));
    let single = ENGINES.iter().map(|engine| (engine.name.to_owned(), engine.summary.to_owned()));
    let diagrams = std::iter::once((EngineChoice::BDD.to_owned(), EngineChoice::BDD_SUMMARY.to_owned()));
    rows(&mut text, portfolio.chain(single).chain(diagrams));
    text.push_str(
        "\nWhich engine answers first is counted in solver steps, not in seconds: the same file and seed\n",
    );
    text.push_str("give the same answer from the same engine on every machine.\n");
    text.push_str(
        "\nFor systems with ints and reals, the portfolio is bmc, kinduction and invariants from templates on\n",
    );
    text.push_str(
        "one thread and ic3 on another, for all properties together; interpolation is for finite systems.\n",
    );
    text.push_str("An answer by `templates` or `advice` is an induction that needed such lemmas.\n");
    text
}

fn exit_codes() -> String {
    let mut text = "Exit codes:\n".to_owned();
    rows(
        &mut text,
        ExitCode::MEANINGS.iter().map(|(code, meaning)| ((*code as u8).to_string(), (*meaning).to_owned())),
    );
    text.push_str(
        "\nWhen several apply, the one that comes first in this order is given: 5, 1, 2, 3, 4, 0.\n",
    );
    text.push_str("A second Ctrl-C ends propcov at once, without a report and with exit code 4.\n");
    text
}

fn formats() -> String {
    let mut text =
        "Formats, told apart by content first and by extension where the content does not say:\n".to_owned();
    rows(
        &mut text,
        FRONTENDS.iter().map(|frontend| {
            let extensions: Vec<String> = frontend.extensions.iter().map(|name| format!(".{name}")).collect();
            (frontend.name.to_owned(), extensions.join(" "))
        }),
    );
    text
}

/// Two columns, the second wrapped.
fn rows(text: &mut String, rows: impl Iterator<Item = (String, String)>) {
    const WIDTH: usize = 100;
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, meaning) in rows {
        let mut line = format!("  {name:width$} ");
        for word in meaning.split_whitespace() {
            if line.len() + 1 + word.len() > WIDTH {
                push_line(text, &line);
                line = " ".repeat(width + 3);
            }
            line.push(' ');
            line.push_str(word);
        }
        push_line(text, &line);
    }
}

fn push_line(text: &mut String, line: &str) {
    // Writing into a string cannot fail.
    let written = writeln!(text, "{line}");
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_offered_has_a_page() {
        assert!(names().contains(&"check".to_owned()) && names().contains(&"exit-codes".to_owned()));
        for name in names() {
            assert!(page(Some(&name), 80).is_some_and(|page| page.len() > 40), "no page for {name}");
        }
        assert!(page(Some("no-such-topic"), 80).is_none());
    }

    #[test]
    fn the_overview_lists_every_topic() {
        let overview = page(None, 100).unwrap_or_default();
        for topic in TOPICS {
            assert!(overview.contains(topic.name) && overview.contains(topic.summary), "{}", topic.name);
        }
    }
}
