//! What is observed: what the user names, or else whatever the properties mention.

use super::mentions::{behind, mentioned, reads_inputs, signals};
use propcov_ir::{ExprId, Node, PropertyId, SignalId, SignalKind, Sort, System};
use propcov_result::Unmentioned;
use propcov_verify::record::is_gate;
use rustc_hash::FxHashSet;

/// A signal or an expression that is observed.
#[derive(Clone, Debug)]
pub struct Observed {
    /// As the user wrote it.
    pub name: String,
    /// What it means.
    pub expr: ExprId,
}

/// What the user names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'n> {
    /// What is to be observed; whatever the properties mention if that is nothing.
    pub observed: &'n [Observed],
    /// States that satisfy one of these do not count.
    pub dont_care: &'n [ExprId],
    /// Holes in states that satisfy one of these were waived.
    pub waived: &'n [ExprId],
}

/// What somebody looks at.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// Each is measured by itself.
    pub observed: Vec<Observed>,
    /// States that satisfy one of these do not count.
    pub dont_care: Vec<ExprId>,
    /// Holes in states that satisfy one of these were waived.
    pub waived: Vec<ExprId>,
    /// States that no property mentions, if nobody said what to observe.
    pub unmentioned: Option<Unmentioned>,
}

/// Why something cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What the user wants to observe, at this position, cannot be.
    Observed(usize, String),
    /// What the user does not care for, at this position, is no condition on states.
    DontCare(usize, String),
    /// What the user waives, at this position, is no condition on states.
    Waived(usize, String),
    /// Nobody said what to observe, and properties mention nothing that has a name.
    NothingMentioned,
}

impl Subjects {
    /// What the names are about, if that can be measured.
    pub fn new(
        system: &mut System,
        properties: &[PropertyId],
        named: Named<'_>,
    ) -> Result<Subjects, Refusal> {
        let (dont_care, waived) = (named.dont_care.to_vec(), named.waived.to_vec());
        let mut subjects = Subjects { dont_care, waived, ..Subjects::default() };
        for (position, observed) in named.observed.iter().enumerate() {
            observable(system, observed.expr).map_err(|why| Refusal::Observed(position, why.to_owned()))?;
            if subjects.observed.iter().all(|other| other.expr != observed.expr) {
                subjects.observed.push(observed.clone());
            }
        }
        type Why = fn(usize, String) -> Refusal;
        let conditions: [(&[ExprId], Why); 2] =
            [(named.dont_care, Refusal::DontCare), (named.waived, Refusal::Waived)];
        for (exprs, refusal) in conditions {
            for (position, expr) in exprs.iter().enumerate() {
                if !system.exprs.sort(*expr).is_bool() {
                    return Err(refusal(position, "expected a Boolean expression".to_owned()));
                }
                if reads_inputs(system, *expr) {
                    let why = "expected something that is known of a state, not inputs";
                    return Err(refusal(position, why.to_owned()));
                }
            }
        }
        if named.observed.is_empty() {
            let mentioned = mentioned(system, properties);
            subjects.unmentioned = Some(unmentioned(system, &mentioned));
            subjects.observed = with_names(system, &mentioned);
            if subjects.observed.is_empty() && !properties.is_empty() {
                return Err(Refusal::NothingMentioned);
            }
        }
        Ok(subjects)
    }

    /// Whether the user said what to observe.
    pub fn is_named(&self) -> bool {
        self.unmentioned.is_none()
    }
}

/// Whether there is something to observe.
fn observable(system: &System, expr: ExprId) -> Result<(), &'static str> {
    if let Node::Signal(signal) = system.exprs.node(expr)
        && matches!(system.signal(*signal).kind, SignalKind::Input)
    {
        return Err("an input cannot be observed: properties check what the design makes of it");
    }
    if reads_inputs(system, expr) {
        return Err("what depends on inputs cannot be observed, only what is known of a state");
    }
    let found = behind(system, signals(system, &[expr]));
    if !found.iter().any(|signal| matches!(system.signal(*signal).kind, SignalKind::State { .. })) {
        return Err("a constant cannot be observed: it has no other value");
    }
    Ok(())
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
fn with_names(system: &mut System, mentioned: &[SignalId]) -> Vec<Observed> {
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
