//! Runs for waveform viewers: a value change dump ([`Kind::Vcd`]; IEEE 1364-2001, clause 18), or the same in the binary format of GTKWave ([`Kind::Fst`]).
//!
//! Time n is step n. Each run has a scope of its own, in which names are split at dots into further scopes. Inputs, states, wires that
//! the user named, outputs and properties are shown; an array has one variable per index that the trace mentions. Ints and reals are dumped as such where they
//! fit into 64 bits exactly, and else as text.

mod fst;
mod vcd;

use ::vcd::VarType;
use dashu_ratio::RBig;
use propcov_ir::{
    Edits, ElementId, ElementKind, Interpreter, Origin, PropertyId, Runs, SignalId, SignalKind, Site, Sort,
    System, Trace, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::Path;

/// The most indices of one array that are shown.
const INDICES: usize = 4096;
/// Bits of an integer.
const INTEGER: u32 = 64;

/// What a dump is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value change dump: text, which every viewer reads.
    Vcd,
    /// GTKWave's binary format, which is smaller. It has no text: numbers that are neither 64-bit integers nor floats cannot be written.
    Fst,
}

impl Kind {
    /// By the ending of the name of a file.
    pub fn of(path: &Path) -> Kind {
        if path.extension().is_some_and(|ending| ending == "fst") { Kind::Fst } else { Kind::Vcd }
    }
}

/// One run in a dump.
pub struct Run<'a> {
    /// The outermost scope of its signals.
    pub scope: &'a str,
    /// The system that it is a run of.
    pub edits: &'a Edits,
    /// The run.
    pub trace: &'a Trace,
}

/// The dump of a run that says something about a property.
pub fn dump(system: &System, property: PropertyId, trace: &Trace, comment: &str) -> io::Result<Vec<u8>> {
    let run = Run { scope: "design", edits: &Edits::none(), trace };
    runs(system, &[property], &[], comment, &[run], Kind::Vcd)
}

/// The dump of several runs side by side, with the properties and with the gates of these elements.
pub fn runs(
    system: &System,
    properties: &[PropertyId],
    elements: &[ElementId],
    comment: &str,
    runs: &[Run<'_>],
    kind: Kind,
) -> io::Result<Vec<u8>> {
    let mut shown = shown_signals(system);
    for element in elements {
        if let Site::Wire(wire) = system.element(*element).site
            && !shown.contains(&wire)
        {
            shown.push(wire);
        }
    }
    let values = runs
        .iter()
        .map(|run| Values::new(system, run, &shown, properties))
        .collect::<io::Result<Vec<Values>>>()?;
    let scopes: Vec<(&str, Scope, Vec<Column>)> = runs
        .iter()
        .zip(values)
        .map(|(run, values)| {
            let mut root = Scope::default();
            for (column, values) in values.columns.iter().enumerate() {
                root.insert(&values.path, column);
            }
            (run.scope, root, values.columns)
        })
        .collect();
    let dump = Dump { scopes, steps: runs.iter().map(|run| run.trace.steps.len()).max().unwrap_or(0) };
    match kind {
        Kind::Vcd => vcd::write(&dump, comment),
        Kind::Fst => fst::write(&dump),
    }
}

/// What is dumped: each run with its scopes and its variables.
struct Dump<'a> {
    scopes: Vec<(&'a str, Scope, Vec<Column>)>,
    steps: usize,
}

/// The float that is this number, if one is.
fn exact(number: &RBig) -> Option<f64> {
    let float = number.to_f64().value();
    (float.is_finite() && RBig::try_from(float).ok().as_ref() == Some(number)).then_some(float)
}

/// One variable of the dump.
struct Column {
    /// The name, split into scopes.
    path: Vec<String>,
    kind: VarType,
    width: u32,
    values: Vec<Value>,
}

impl Column {
    /// The value in a step, if it is not that of the step before.
    fn changed(&self, step: usize) -> Option<&Value> {
        let value = self.values.get(step)?;
        (step == 0 || self.values[step - 1] != *value).then_some(value)
    }
}

/// All variables.
struct Values {
    columns: Vec<Column>,
}

impl Values {
    fn new(
        system: &System,
        run: &Run<'_>,
        shown: &[SignalId],
        properties: &[PropertyId],
    ) -> io::Result<Values> {
        let interpreter = Interpreter::new(system, run.edits).map_err(io::Error::other)?;
        let mut by_signal: Vec<Vec<Value>> = vec![Vec::new(); shown.len()];
        let mut by_output: Vec<Vec<Value>> = vec![Vec::new(); system.outputs.len()];
        let mut holds: Vec<Vec<Value>> = vec![Vec::new(); properties.len()];
        for step in &run.trace.steps {
            let mut frame = interpreter.frame(step).map_err(io::Error::other)?;
            for (signal, values) in shown.iter().zip(&mut by_signal) {
                values.extend(frame.signal(*signal).cloned());
            }
            for (output, values) in system.outputs.iter().zip(&mut by_output) {
                values.push(frame.value(output.expr).map_err(io::Error::other)?);
            }
            for (property, values) in properties.iter().zip(&mut holds) {
                if let Some(expr) = system.invariant(*property) {
                    values.push(frame.value(expr).map_err(io::Error::other)?);
                }
            }
        }
        let mut values = Values { columns: Vec::new() };
        for (signal, steps) in shown.iter().zip(by_signal) {
            let declared = system.signal(*signal);
            let is_state = matches!(declared.kind, SignalKind::State { .. });
            let path = scopes(&declared.name);
            values.add(path, if is_state { VarType::Reg } else { VarType::Wire }, &declared.sort, steps);
        }
        for (output, steps) in system.outputs.iter().zip(by_output) {
            let path = vec!["outputs".to_owned(), clean(&output.name)];
            values.add(path, VarType::Wire, system.exprs.sort(output.expr), steps);
        }
        let invariants = properties.iter().zip(holds).filter(|(_, steps)| !steps.is_empty());
        for (property, steps) in invariants {
            let path = vec!["properties".to_owned(), clean(&system.property(*property).name)];
            values.add(path, VarType::Wire, &Sort::BOOL, steps);
        }
        Ok(values)
    }

    fn add(&mut self, path: Vec<String>, kind: VarType, sort: &Sort, values: Vec<Value>) {
        match sort {
            Sort::BitVec(width) => self.columns.push(Column { path, kind, width: *width, values }),
            Sort::Array(_) => self.array(&path, kind, &values),
            _ => {
                let (kind, width) = number_kind(&values);
                self.columns.push(Column { path, kind, width, values });
            }
        }
    }

    fn array(&mut self, path: &[String], kind: VarType, values: &[Value]) {
        let arrays = || {
            values.iter().filter_map(|value| if let Value::Array(array) = value { Some(array) } else { None })
        };
        let indices: BTreeSet<&Value> =
            arrays().flat_map(|array| array.elements().map(|(index, _)| index)).collect();
        for index in indices.into_iter().take(INDICES) {
            let mut path = path.to_vec();
            if let Some(last) = path.last_mut() {
                let index =
                    index.as_bits().map_or_else(|| index.to_string(), |bits| bits.unsigned().to_string());
                last.push_str(&format!("[{index}]"));
            }
            let values: Vec<Value> = arrays().map(|array| array.read(index).clone()).collect();
            let (kind, width) = match values.first() {
                Some(Value::Bits(bits)) => (kind, bits.width()),
                _ => number_kind(&values),
            };
            self.columns.push(Column { path, kind, width, values });
        }
    }
}

/// How values that are no bits are dumped: as integers or reals if all of them fit, and else as text, which is exact.
fn number_kind(values: &[Value]) -> (VarType, u32) {
    let is_integer = |value: &Value| matches!(value, Value::Int(number) if i64::try_from(number).is_ok());
    let is_float = |value: &Value| matches!(value, Value::Real(number) if exact(number).is_some());
    match values {
        [] => (VarType::String, 1),
        all if all.iter().all(is_integer) => (VarType::Integer, INTEGER),
        all if all.iter().all(is_float) => (VarType::Real, 64),
        _ => (VarType::String, 1),
    }
}

/// Inputs, states, and the wires that have a name of the user's. What `pre` of Lustre keeps is the value of a variable in the step before; what a
/// monitor keeps is told as an attempt.
fn shown_signals(system: &System) -> Vec<SignalId> {
    let named = |wire: &&SignalId| {
        let element = system.element_at(Site::Wire(**wire)).map(|element| system.element(element).kind);
        let is_own = system.runs == Runs::Variables || system.signal(**wire).origin == Origin::User;
        is_own && element != Some(ElementKind::Gate)
    };
    let wires = system.wires().iter().filter(named);
    // What an assignment chooses is the value that the state has next.
    let inputs = system.inputs().iter().filter(|input| system.signal(**input).origin != Origin::Choice);
    let states = system.states().iter().filter(|state| system.signal(**state).origin != Origin::Helper);
    inputs.chain(states).chain(wires).copied().collect()
}

/// Variables and scopes inside a scope.
#[derive(Default)]
struct Scope {
    variables: Vec<(String, usize)>,
    scopes: BTreeMap<String, Scope>,
}

impl Scope {
    fn insert(&mut self, path: &[String], column: usize) {
        match path {
            [] => {}
            [name] => self.variables.push((name.clone(), column)),
            [scope, rest @ ..] => self.scopes.entry(scope.clone()).or_default().insert(rest, column),
        }
    }

    /// Goes through all of it: variables with names of their own, and scopes, each entered and left.
    fn walk(&self, visit: &mut dyn FnMut(Visit<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut taken = HashSet::new();
        for (name, column) in &self.variables {
            let mut unique = name.clone();
            let mut suffix = 2;
            while !taken.insert(unique.clone()) {
                unique = format!("{name}_{suffix}");
                suffix += 1;
            }
            visit(Visit::Variable(&unique, *column))?;
        }
        for (name, scope) in &self.scopes {
            visit(Visit::Enter(name))?;
            scope.walk(visit)?;
            visit(Visit::Leave)?;
        }
        Ok(())
    }
}

/// A step on the way through scopes.
enum Visit<'v> {
    Enter(&'v str),
    Leave,
    /// A name, and the position of a column.
    Variable(&'v str, usize),
}

/// A name split at its dots, except for those inside brackets.
fn scopes(name: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let is_end = |c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '.' && depth == 0
    };
    name.split(is_end).map(clean).collect()
}

/// A name that the format can carry: it ends at white space, and a dollar sign could begin a command.
fn clean(name: &str) -> String {
    let fits = |c: char| if c.is_ascii_graphic() && c != '$' { c } else { '_' };
    if name.is_empty() { "_".to_owned() } else { name.chars().map(fits).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_dots_but_not_inside_brackets() {
        assert_eq!(scopes("top.fifo.full"), ["top", "fifo", "full"]);
        assert_eq!(scopes("top.next(p1.st)?"), ["top", "next(p1.st)?"]);
        assert_eq!(scopes("a[x.y].b)."), ["a[x.y]", "b)", "_"]);
    }

    #[test]
    fn what_would_be_text_is_refused_in_fst() {
        let column =
            Column { path: vec!["x".to_owned()], kind: VarType::String, width: 1, values: Vec::new() };
        let mut root = Scope::default();
        root.insert(&column.path, 0);
        let dump = Dump { scopes: vec![("design", root, vec![column])], steps: 1 };
        let error = fst::write(&dump).expect_err("no text").to_string();
        assert_eq!(error, "FST has no text for the values of x; VCD has (.vcd)");
    }
}
