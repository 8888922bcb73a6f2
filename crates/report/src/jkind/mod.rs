//! What JKind writes, so that tools that read JKind's output can read ours: XML ([`document`]), what it prints ([`console`]), and its workbook ([`workbook`]).
//!
//! Two sources. The thesis shows what its tools wrote: Figures 4.12 (`UcRuntime`, `Timeout`, `ProofTime`, `IVC`, `TRIVC`), 4.13 (`Property` with `NumberOfIVCs`,
//! `MustElem`, `IvcSet`), 4.14 (`MustElements`), 4.15 (`MinimalIvc`), 4.16 and 5.17 (`Runs` with a `Results` for each depth). And JKind 4.6.1, whose
//! `-xml` output is `Property` elements: `Runtime`, `Answer` (`valid` with a source, `falsifiable` with a source, or `unknown`), `K` or `TrueFor`, then `Invariant` and `Ivc` for one
//! core, or `NumberOfIVCs`, `TimedoutLoop`, `MustElem` and `IvcSet` for all of them, or `Counterexample`.
//!
//! Each document here has the elements of its figure *and* the `Property` elements of JKind 4.6.1. Readers look for elements by name, so both kinds
//! of readers find theirs: JKind's own reader wants lines with `<Property `, the scripts of the thesis want `IVC` below the root. It reads by lines: each element is on its own.
//!
//! Departures:
//! - Everything is escaped. JKind escapes `<` and `>` in invariants, and nothing else.
//! - `TRIVC` is `IVC` without the numbers of inlined calls (`~0`), each name once. So it was in the thesis's version.
//! - Figure 4.12 has no name of a property. Where there are several, each gets an element `UcIvc` as in Figure 4.15, and `Results` of bounded cores get the
//!   attribute `property`.
//! - An element of which it is not known whether it is necessary is in `Undecided`, next to the core that has it; JKind counts it as necessary. A core of
//!   Figure 4.12 need not be minimal, and has none. A property that says nothing, because assumptions conflict or it is constant, has `Vacuous`. `TimedoutLoop` is `yes` whenever
//!   the list is not known to be complete.
//! - Names of cores are in the order of the design; `IVC` and `Must` are sorted, numbers by value, as JKind does it.
//! - `Invariant` is the property, then the lemmas of a proof from the core, in the notation of propcov's certificates (`!`, `&`, `|`), not in Lustre.
//! - `Progress` is written once for each property, with what is known at the end.
//! - `BVC` is a core for all steps up to the depth, as Definition 5 has it; the thesis's tool wrote one for the last step.
//! - `K` of a proof by frames is how many there are.
//! - A property that was only checked up to a depth is `unknown`, as in JKind, but has its cores.
//! - The conjunction of all properties is left out: JKind has no such property.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. JKind 4.6.1, <https://github.com/loonwerks/jkind>.

mod console;
mod sheets;

pub use console::{Console, console};
pub use sheets::workbook;

use crate::model::{Mark, Row, Traceability};
use crate::natural;
use crate::xml::Xml;
use propcov_result::{
    CoreGoal, CoreRow, CoreSet, Minimality, Property, RunResult, Trace, TraceSignal, TraceSignalKind, Verdict,
};
use std::collections::BTreeSet;

/// Which of the thesis's documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One core (Figure 4.12).
    Uc,
    /// All minimal cores (Figure 4.13).
    All,
    /// The elements of every core (Figure 4.14).
    Must,
    /// One minimal core (Figure 4.15).
    Minimal,
    /// A core for each depth (Figures 4.16 and 5.17).
    Bounded,
}

const NAMESPACE: (&str, &str) = ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
const SECONDS: (&str, &str) = ("unit", "sec");
/// The algorithm that finds a core for each depth.
const BY_DEPTH: &str = "bvc";

/// The document.
pub fn document(result: &RunResult) -> String {
    let form = result.cores.first().map_or(Form::All, form);
    let traceability = Traceability::new(result);
    let root = if form == Form::Bounded { "Runs" } else { "Results" };
    let mut writer = Writer { xml: Xml::new(root, &[NAMESPACE]), traceability: &traceability };
    for row in traceability.properties.iter().filter(|row| row.known.holds) {
        match form {
            Form::Uc => writer.uc(row),
            Form::All => {}
            Form::Must => writer.must(row),
            Form::Minimal => writer.minimal(row),
            Form::Bounded => writer.bounded(row),
        }
    }
    if form == Form::All {
        traceability.properties.iter().for_each(|row| writer.progress(row));
    }
    for row in &traceability.properties {
        writer.property(row, form);
    }
    // Where nobody asked for cores, there are verdicts.
    let is_listed = |name: &str| traceability.properties.iter().any(|row| row.name == name);
    for property in result.properties.iter().filter(|property| !property.is_cover()) {
        if !is_listed(&property.name) {
            writer.verdict(property);
        }
    }
    writer.xml.finish()
}

/// Which of JKind's engines would have been asked.
fn form(row: &CoreRow) -> Form {
    match row.goal {
        _ if !row.by_depth.is_empty() || row.algorithm == BY_DEPTH => Form::Bounded,
        CoreGoal::One => Form::Uc,
        CoreGoal::Minimal | CoreGoal::Minimum => Form::Minimal,
        CoreGoal::Must => Form::Must,
        CoreGoal::All | CoreGoal::May => Form::All,
    }
}

struct Writer<'a> {
    xml: Xml,
    traceability: &'a Traceability<'a>,
}

impl Writer<'_> {
    fn uc(&mut self, row: &Row<'_>) {
        let several = self.traceability.properties.len() > 1;
        if several {
            self.xml.open("UcIvc", &[("property", &listed(row))]);
        }
        self.seconds("UcRuntime", seconds(row, "cores"));
        if let Some(limit) = row.known.check_limit {
            self.seconds("Timeout", limit);
        }
        self.seconds("ProofTime", seconds(row, "proof"));
        self.seconds("Runtime", seconds(row, "proof") + seconds(row, "cores"));
        if let Some(core) = best(row) {
            let names = self.sorted(&core.elements);
            self.leaves("IVC", &names);
            let mut seen = BTreeSet::new();
            for name in names.iter().map(|name| without_call_numbers(name)) {
                if seen.insert(name.clone()) {
                    self.xml.leaf("TRIVC", &[], &name);
                }
            }
        }
        if several {
            self.xml.close();
        }
    }

    fn must(&mut self, row: &Row<'_>) {
        self.xml.open("MustElements", &[("property", &listed(row))]);
        self.seconds("Runtime", total(row));
        let must = self.sorted(&row.with(Mark::Must));
        self.leaves("Must", &must);
        let undecided = self.sorted(&row.known.must_unknown);
        self.leaves("Undecided", &undecided);
        self.xml.close();
    }

    fn minimal(&mut self, row: &Row<'_>) {
        self.xml.open("MinimalIvc", &[("property", &listed(row))]);
        self.seconds("Runtime", total(row));
        if let Some(core) = best(row) {
            let names = self.sorted(&core.elements);
            self.leaves("IVC", &names);
            let undecided = self.sorted(undecided(core));
            self.leaves("Undecided", &undecided);
        }
        self.xml.close();
    }

    fn bounded(&mut self, row: &Row<'_>) {
        let property = listed(row);
        let attributes = [("property", property.as_str())];
        let several = self.traceability.properties.len() > 1;
        for core in &row.known.by_depth {
            self.xml.open("Results", if several { &attributes } else { &[] });
            self.xml.leaf("Depth", &[], &core.depth.to_string());
            let names = self.named(&core.up_to);
            self.leaves("BVC", &names);
            self.xml.close();
        }
    }

    fn progress(&mut self, row: &Row<'_>) {
        let steps = match row.verdict {
            Verdict::Falsified => violation_length(row).saturating_sub(1),
            Verdict::Proved => depth(row),
            // Covers have no cores.
            Verdict::Bounded | Verdict::Unknown | Verdict::Reached | Verdict::Unreachable => true_for(row),
        };
        if steps > 0 {
            self.xml.open("Progress", &[("source", "bmc"), ("trueFor", &steps.to_string())]);
            self.xml.empty("PropertyProgress", &[("name", row.name)]);
            self.xml.close();
        }
    }

    fn property(&mut self, row: &Row<'_>, form: Form) {
        self.xml.open("Property", &[("name", row.name)]);
        self.seconds("Runtime", total(row));
        match row.property {
            Some(property) => self.answer(property),
            None => self.xml.leaf("Answer", &[], "unknown"),
        }
        if row.known.holds {
            self.vacuity(row);
            self.cores(row, form);
        }
        self.xml.close();
    }

    /// A property about whose cores nothing is known.
    fn verdict(&mut self, property: &Property) {
        self.xml.open("Property", &[("name", &property.name)]);
        self.seconds("Runtime", property.seconds);
        self.answer(property);
        if property.vacuous {
            self.xml.leaf("Vacuous", &[], "yes");
        }
        self.xml.close();
    }

    fn answer(&mut self, property: &Property) {
        let engine = source(property.engine.as_deref().unwrap_or_default());
        match property.verdict {
            Verdict::Proved => {
                self.xml.leaf("Answer", &[("source", engine)], "valid");
                self.xml.leaf("K", &[], &depth_of(property).to_string());
            }
            Verdict::Falsified => {
                self.xml.leaf("Answer", &[("source", engine)], "falsifiable");
                self.xml.leaf("K", &[], &length_of(property).to_string());
                self.counterexample(property.trace.as_ref());
            }
            Verdict::Bounded | Verdict::Unknown | Verdict::Reached | Verdict::Unreachable => {
                self.xml.leaf("Answer", &[], "unknown");
                self.xml.leaf("TrueFor", &[], &true_for_of(property).to_string());
                if let Some(run) = &property.inductive {
                    self.xml.leaf("K", &[], &run.steps.to_string());
                    self.counterexample(Some(run));
                }
            }
        }
    }

    fn vacuity(&mut self, row: &Row<'_>) {
        if row.property.is_some_and(|property| property.vacuous) {
            self.xml.leaf("Vacuous", &[], "yes");
        }
    }

    fn cores(&mut self, row: &Row<'_>, form: Form) {
        if form == Form::All {
            self.all_cores(row);
        } else if let Some(core) = best(row) {
            self.core(core);
        }
    }

    fn all_cores(&mut self, row: &Row<'_>) {
        self.xml.leaf("NumberOfIVCs", &[], &row.known.cores.len().to_string());
        self.xml.leaf("TimedoutLoop", &[], if row.known.complete { "no" } else { "yes" });
        let must = self.named(&row.with(Mark::Must));
        self.leaves("MustElem", &must);
        for (number, core) in row.known.cores.iter().enumerate() {
            self.xml.open("IvcSet", &[("number", &(number + 1).to_string())]);
            self.core(core);
            let mut undecided = undecided(core).to_vec();
            undecided.retain(|&element| row.mark(element) != Mark::Must);
            let undecided = self.named(&undecided);
            self.leaves("Undecided", &undecided);
            self.xml.close();
        }
    }

    fn core(&mut self, core: &CoreSet) {
        for invariant in &core.invariants {
            self.xml.leaf("Invariant", &[], invariant);
        }
        let names = self.named(&core.elements);
        self.leaves("Ivc", &names);
    }

    fn counterexample(&mut self, trace: Option<&Trace>) {
        let Some(trace) = trace.filter(|trace| !trace.signals.is_empty()) else { return };
        self.xml.open("Counterexample", &[]);
        // Inputs come first, as JKind has it.
        let mut signals: Vec<&TraceSignal> = trace.signals.iter().collect();
        signals.sort_by_key(|signal| {
            let kinds = [TraceSignalKind::Input, TraceSignalKind::Function, TraceSignalKind::Output];
            kinds.iter().position(|kind| *kind == signal.kind).unwrap_or(kinds.len())
        });
        for signal in signals {
            self.xml.open("Signal", &[("name", &signal.name), ("type", &signal.sort)]);
            for (time, value) in signal.values.iter().enumerate() {
                let at = time.to_string();
                let attributes = [("time", at.as_str())];
                match signal.ranges.get(time).map(|range| (range.as_str(), interval(range))) {
                    // Any value: JKind has none then.
                    Some(("*", _)) => {}
                    Some((_, Some((low, high)))) => {
                        self.xml.open("Value", &attributes);
                        self.xml.empty("Interval", &[("low", low), ("high", high)]);
                        self.xml.close();
                    }
                    _ => self.xml.leaf("Value", &attributes, truth(&signal.sort, value)),
                }
            }
            self.xml.close();
        }
        self.xml.close();
    }

    fn seconds(&mut self, name: &'static str, seconds: f64) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        self.xml.leaf(name, &[SECONDS], &format!("{seconds:.3}"));
    }

    fn leaves(&mut self, name: &'static str, contents: &[String]) {
        contents.iter().for_each(|content| self.xml.leaf(name, &[], content));
    }

    fn named(&self, elements: &[u32]) -> Vec<String> {
        self.traceability.names(elements)
    }

    fn sorted(&self, elements: &[u32]) -> Vec<String> {
        let mut names = self.named(elements);
        names.sort_by(|one, other| natural::compare(one, other));
        names
    }
}

/// The limits of an interval.
fn interval(range: &str) -> Option<(&str, &str)> {
    let inner = range.strip_prefix(['[', '('])?.strip_suffix([']', ')'])?;
    inner.split_once(", ")
}

/// Truth values are digits.
fn truth<'v>(sort: &str, value: &'v str) -> &'v str {
    match (sort, value) {
        ("bool" | "bitvec 1", "true") => "1",
        ("bool" | "bitvec 1", "false") => "0",
        (_, value) => value,
    }
}

/// How long a phase took.
fn seconds(row: &Row<'_>, phase: &str) -> f64 {
    row.known.seconds.get(phase).copied().unwrap_or_default()
}

/// How long everything took, checks included.
fn total(row: &Row<'_>) -> f64 {
    row.known.seconds.values().fold(0.0, |sum, seconds| sum + seconds)
}

/// Induction length or frames of a proof.
fn depth(row: &Row<'_>) -> u32 {
    row.property.map_or(0, depth_of)
}

fn depth_of(property: &Property) -> u32 {
    property.depth.unwrap_or(0)
}

/// Steps of a violation.
fn violation_length(row: &Row<'_>) -> u32 {
    row.property.map_or(0, length_of)
}

fn length_of(property: &Property) -> u32 {
    property.trace.as_ref().map_or(0, |trace| u32::try_from(trace.steps).unwrap_or(u32::MAX))
}

/// In how many steps there is certainly no violation, where more is not known.
fn true_for(row: &Row<'_>) -> u32 {
    row.property.map_or(0, true_for_of)
}

fn true_for_of(property: &Property) -> u32 {
    property.depth.map_or(0, |depth| depth.saturating_add(1))
}

/// The core to show where there is room for one: a smallest, else the first.
fn best<'r>(row: &Row<'r>) -> Option<&'r CoreSet> {
    let cores = &row.known.cores;
    let minimum = row.known.minimum.as_ref();
    let smallest = minimum.and_then(|minimum| cores.iter().find(|core| core.elements.len() == minimum.len()));
    smallest.or(cores.first())
}

/// The elements of a core of which it is not known whether it needs them.
fn undecided(core: &CoreSet) -> &[u32] {
    match core.minimal {
        Minimality::Minimal => &[],
        Minimality::Unchecked => &core.elements,
        Minimality::Undecided => &core.undecided,
    }
}

/// What JKind calls an engine.
fn source(engine: &str) -> &str {
    match engine {
        "kinduction" => "k-induction",
        "ic3" => "pdr",
        other => other,
    }
}

/// JKind prints a list of properties there.
fn listed(row: &Row<'_>) -> String {
    format!("[{}]", row.name)
}

/// `node~0.x` without the number of the call.
fn without_call_numbers(name: &str) -> String {
    let mut parts = name.split('~');
    let mut trimmed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == part.len() {
            trimmed.push('~');
        }
        trimmed.push_str(rest);
    }
    trimmed
}

#[cfg(test)]
mod tests {
    use super::without_call_numbers;

    #[test]
    fn numbers_of_calls_are_cut_out_of_names() {
        assert_eq!(without_call_numbers("count~0.inner~12.x"), "count.inner.x");
        assert_eq!(without_call_numbers("plain"), "plain");
        assert_eq!(without_call_numbers("odd~name~"), "odd~name~");
    }
}
