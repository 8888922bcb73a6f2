//! What is observed: what the user names, or else whatever the properties mention.

use crate::diagnostics;
use crate::input::Complaint;
use crate::reads::is_gate;
use propcov_frontend::{Extra, InputError};
use propcov_ir::{ExprId, Node, PropertyId, PropertyKind, SignalId, SignalKind, Sort, System};
use rustc_hash::FxHashSet;

/// A signal or an expression that is observed.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// As the user wrote it.
    pub(crate) name: String,
    pub(crate) expr: ExprId,
}

/// What somebody looks at.
pub(crate) struct Subjects {
    pub(crate) observed: Vec<Observed>,
    pub(crate) dont_care: Vec<ExprId>,
    /// States that no property mentions, if nobody said what to observe.
    pub(crate) unmentioned: Unmentioned,
}

/// States that no property mentions by name.
#[derive(Debug, Default)]
pub(crate) struct Unmentioned {
    /// Not at all.
    pub(crate) silent: Vec<String>,
    /// But a definition that some property mentions reads them.
    pub(crate) indirect: Vec<String>,
}

/// What is given on the command line.
pub(crate) struct Given {
    observed: Vec<Extra>,
    dont_care: Vec<Extra>,
}

impl Given {
    pub(crate) fn new(observe: &[String], dont_care: &[String]) -> Given {
        let extras = |origin: &str, texts: &[String]| {
            texts.iter().map(|text| Extra { origin: origin.to_owned(), text: text.clone() }).collect()
        };
        Given { observed: extras("--observe", observe), dont_care: extras("--dont-care", dont_care) }
    }

    /// All of it, to be read with the design.
    pub(crate) fn extras(&self) -> Vec<Extra> {
        self.observed.iter().chain(&self.dont_care).cloned().collect()
    }

    /// What the expressions are about, if that can be measured.
    pub(crate) fn subjects(
        &self,
        system: &mut System,
        properties: &[PropertyId],
        values: &[ExprId],
    ) -> Result<Subjects, Complaint> {
        let (observed, dont_care) = values.split_at(self.observed.len().min(values.len()));
        let mut subjects = Subjects {
            observed: Vec::new(),
            dont_care: dont_care.to_vec(),
            unmentioned: Unmentioned::default(),
        };
        for (extra, expr) in self.observed.iter().zip(observed) {
            observable(system, *expr).map_err(|why| complaint(&extra.error(why)))?;
            if subjects.observed.iter().all(|other| other.expr != *expr) {
                subjects.observed.push(Observed { name: extra.text.clone(), expr: *expr });
            }
        }
        for (extra, expr) in self.dont_care.iter().zip(dont_care) {
            if !system.exprs.sort(*expr).is_bool() {
                return Err(complaint(&extra.error("expected a Boolean expression")));
            }
            if reads_inputs(system, *expr) {
                return Err(complaint(
                    &extra.error("expected something that is known of a state, not inputs"),
                ));
            }
        }
        if self.observed.is_empty() {
            let mentioned = mentioned(system, properties);
            subjects.unmentioned = unmentioned(system, &mentioned);
            subjects.observed = named(system, &mentioned);
            if subjects.observed.is_empty() && !properties.is_empty() {
                let what = "the properties mention no state variable and no definition by name";
                return Err(Complaint(format!("error: {what}; say with --observe what to look at\n")));
            }
        }
        Ok(subjects)
    }

    /// What to say about something that cannot be observed for its type.
    pub(crate) fn unobservable(&self, position: usize, why: &str) -> Complaint {
        match self.observed.get(position) {
            Some(extra) => complaint(&extra.error(why)),
            None => Complaint(format!("error: {why}\n")),
        }
    }
}

fn complaint(error: &InputError) -> Complaint {
    Complaint(diagnostics::input_error(error))
}

/// Whether there is something to observe.
fn observable(system: &System, expr: ExprId) -> Result<(), String> {
    if let Node::Signal(signal) = system.exprs.node(expr)
        && matches!(system.signal(*signal).kind, SignalKind::Input)
    {
        return Err("an input cannot be observed: properties check what the design makes of it".to_owned());
    }
    if reads_inputs(system, expr) {
        return Err("what depends on inputs cannot be observed, only what is known of a state".to_owned());
    }
    let found = behind(system, signals(system, &[expr]));
    if !found.iter().any(|signal| matches!(system.signal(*signal).kind, SignalKind::State { .. })) {
        return Err("a constant cannot be observed: it has no other value".to_owned());
    }
    Ok(())
}

/// Whether inputs are read, directly or by definitions.
pub(crate) fn reads_inputs(system: &System, expr: ExprId) -> bool {
    let found = behind(system, signals(system, &[expr]));
    found.iter().any(|signal| matches!(system.signal(*signal).kind, SignalKind::Input))
}

/// These signals, and those that definitions among them read.
pub(crate) fn behind(system: &System, signals_given: Vec<SignalId>) -> FxHashSet<SignalId> {
    let mut found: FxHashSet<SignalId> = signals_given.iter().copied().collect();
    let mut open = signals_given;
    while let Some(signal) = open.pop() {
        if let SignalKind::Wire { definition } = system.signal(signal).kind {
            for read in signals(system, &[definition]) {
                if found.insert(read) {
                    open.push(read);
                }
            }
        }
    }
    found
}

/// The signals in expressions, in the order of reading; definitions are not looked into.
pub(crate) fn signals(system: &System, roots: &[ExprId]) -> Vec<SignalId> {
    let mut found = Vec::new();
    visit(system, roots, |_, node| {
        if let Node::Signal(signal) = node {
            found.push(*signal);
        }
    });
    found
}

/// Whether a property mentions an expression.
pub(crate) fn mentions(system: &System, property: PropertyId, expr: ExprId) -> bool {
    let mut is_found = false;
    visit(system, &atoms(system, property), |part, _| is_found |= part == expr);
    is_found
}

/// The propositions of a property.
pub(crate) fn atoms(system: &System, property: PropertyId) -> Vec<ExprId> {
    match &system.property(property).kind {
        PropertyKind::Ctl(formula) => formula.atoms(),
        PropertyKind::Invariant(expr) => vec![*expr],
        PropertyKind::Justice(_) => Vec::new(),
    }
}

fn visit(system: &System, roots: &[ExprId], mut each: impl FnMut(ExprId, &Node)) {
    let mut seen = FxHashSet::default();
    let mut open: Vec<ExprId> = roots.iter().rev().copied().collect();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            each(expr, system.exprs.node(expr));
            let operands: Vec<ExprId> = system.exprs.operands(expr).collect();
            open.extend(operands.into_iter().rev());
        }
    }
}

/// Definitions that properties mention and that read what an expression reads: what to observe instead of something that no property mentions.
pub(crate) fn readers(system: &System, properties: &[PropertyId], expr: ExprId) -> Vec<String> {
    let wanted = signals(system, &[expr]);
    let reads = |signal: &&SignalId| {
        let found = behind(system, vec![**signal]);
        !wanted.contains(signal) && wanted.iter().any(|wanted| found.contains(wanted))
    };
    let mentioned = mentioned(system, properties);
    let names = mentioned.iter().filter(|signal| !is_gate(system, **signal)).filter(reads);
    names.map(|signal| system.signal(*signal).name.clone()).collect()
}

/// The states and definitions that properties mention by name.
fn mentioned(system: &System, properties: &[PropertyId]) -> Vec<SignalId> {
    let atoms: Vec<ExprId> = properties.iter().flat_map(|property| atoms(system, *property)).collect();
    let mut found = signals(system, &atoms);
    found.sort_unstable();
    found
}

fn unmentioned(system: &System, mentioned: &[SignalId]) -> Unmentioned {
    let direct: FxHashSet<SignalId> = mentioned.iter().copied().collect();
    let all = behind(system, mentioned.to_vec());
    let names = |wanted: &dyn Fn(&SignalId) -> bool| {
        let states = system.states().iter().filter(|state| wanted(state));
        states.map(|state| system.signal(*state).name.clone()).collect()
    };
    Unmentioned {
        silent: names(&|state| !all.contains(state)),
        indirect: names(&|state| all.contains(state) && !direct.contains(state)),
    }
}

/// Those that can be observed, by name.
fn named(system: &mut System, mentioned: &[SignalId]) -> Vec<Observed> {
    let mut observed = Vec::new();
    for signal in mentioned {
        let expr = system.read(*signal);
        let has_values = matches!(system.exprs.sort(expr), Sort::BitVec(_) | Sort::Enum(_));
        // Nobody named the gates of a netlist.
        if has_values && !is_gate(system, *signal) && observable(system, expr).is_ok() {
            observed.push(Observed { name: system.signal(*signal).name.clone(), expr });
        }
    }
    observed
}
