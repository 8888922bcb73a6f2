//! The assumptions to blame for what is dead: a minimal set without which some run gets there.
//!
//! The more assumptions are left out, the more runs there are. So first all of them are left out: what no run reaches even then is dead by itself. Otherwise the
//! run that is found violates some of them, and those suffice: without them, it is a run of the design. Then one after the other is put back. If a run still
//! gets there, what it violates is a smaller set; if none does, and that is proved, the assumption belongs to every smaller set, too. Targets with
//! the same set are asked about together. What cannot be decided leaves a set that suffices, but need not be minimal.

use super::{Answer, Effort, Fate, Survey};
use propcov_certify::check_run;
use propcov_ir::{
    ConstraintId, ConstraintKind, Edits, Interpreter, PropertyId, StepError, System, Trace, UnknownReason,
    Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who is to blame for what is dead.
#[derive(Clone, Debug)]
pub enum Blame {
    /// Nobody: it is dead without any assumption.
    Nobody,
    /// Without these, some run gets there.
    Assumptions {
        /// They, in their order.
        set: Vec<ConstraintId>,
        /// Whether it is proved that none of them can be left out.
        is_minimal: bool,
        /// The run that gets there: one of the design without them.
        run: Arc<Trace>,
    },
    /// Not known.
    Unknown(UnknownReason),
}

/// Dead targets with the same set of assumptions to blame, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Suspects {
    set: BTreeSet<ConstraintId>,
    /// Those that cannot be left out.
    needed: BTreeSet<ConstraintId>,
    /// Those of which that is not known.
    undecided: BTreeSet<ConstraintId>,
}

impl Suspects {
    fn next(&self) -> Option<ConstraintId> {
        self.set.iter().copied().find(|id| !self.needed.contains(id) && !self.undecided.contains(id))
    }
}

impl Survey {
    /// Finds who is to blame for these targets, which are dead.
    pub(super) fn blame(&mut self, dead: &[usize], effort: &Effort<'_>) {
        let system = self.question.system.clone();
        let assumptions = system.assumptions();
        if dead.is_empty() || assumptions.is_empty() {
            return;
        }
        effort.progress.stage("assumptions to blame:".to_owned());
        dead.iter().for_each(|target| self.set_blame(*target, Blame::Unknown(UnknownReason::Cancelled)));
        let mut runs: BTreeMap<usize, Arc<Trace>> = BTreeMap::new();
        let mut groups: BTreeMap<Suspects, Vec<usize>> = BTreeMap::new();
        for (target, fate) in self.without(&system, &assumptions, dead, effort) {
            let blame = match fate {
                Fate::Dead { .. } => Blame::Nobody,
                Fate::Unknown(reason) => Blame::Unknown(reason),
                Fate::Reached { run, .. } => match violated(&system, &run) {
                    Ok(set) => {
                        runs.insert(target, run);
                        let (needed, undecided) = (BTreeSet::new(), BTreeSet::new());
                        groups.entry(Suspects { set, needed, undecided }).or_default().push(target);
                        continue;
                    }
                    Err(error) => Blame::Unknown(UnknownReason::Incomplete(error.to_string())),
                },
            };
            self.set_blame(target, blame);
        }
        while let Some((suspects, targets)) = groups.pop_first() {
            match suspects.next() {
                Some(id) => self.put_back(&system, id, &suspects, &targets, &mut runs, &mut groups, effort),
                None => {
                    for target in targets {
                        let Some(run) = runs.remove(&target) else { continue };
                        let set: Vec<ConstraintId> = suspects.set.iter().copied().collect();
                        let blame = self.confirmed(&system, set, suspects.undecided.is_empty(), target, run);
                        self.set_blame(target, blame);
                    }
                }
            }
        }
    }

    /// Asks whether one of the suspects can be put back.
    #[expect(clippy::too_many_arguments, reason = "one step of a loop with its state")]
    fn put_back(
        &mut self,
        system: &System,
        id: ConstraintId,
        suspects: &Suspects,
        targets: &[usize],
        runs: &mut BTreeMap<usize, Arc<Trace>>,
        groups: &mut BTreeMap<Suspects, Vec<usize>>,
        effort: &Effort<'_>,
    ) {
        let others: Vec<ConstraintId> = suspects.set.iter().copied().filter(|other| *other != id).collect();
        for (target, fate) in self.without(system, &others, targets, effort) {
            let mut now = suspects.clone();
            match fate {
                Fate::Dead { .. } => {
                    now.needed.insert(id);
                }
                Fate::Unknown(_) => {
                    now.undecided.insert(id);
                }
                Fate::Reached { run, .. } => match violated(system, &run) {
                    Ok(set) => {
                        now.needed.retain(|id| set.contains(id));
                        now.undecided.retain(|id| set.contains(id));
                        now.set = set;
                        runs.insert(target, run);
                    }
                    Err(_) => {
                        now.undecided.insert(id);
                    }
                },
            }
            groups.entry(now).or_default().push(target);
        }
    }

    /// What becomes of targets where these assumptions are left out.
    fn without(
        &mut self,
        system: &System,
        left_out: &[ConstraintId],
        targets: &[usize],
        effort: &Effort<'_>,
    ) -> Vec<(usize, Fate)> {
        let relaxed = system.without(left_out);
        let properties: Vec<PropertyId> =
            targets.iter().map(|target| self.question.targets[*target].property).collect();
        let fates = self.fates(&relaxed, &properties, &[], effort);
        // A run may be longer than it takes to get to one target.
        let up_to = |fate: Fate| match fate {
            Fate::Reached { run, step, by } if step < run.depth() => {
                let steps = run.steps[..=step].to_vec();
                Fate::Reached { run: Arc::new(Trace { steps }), step, by }
            }
            fate => fate,
        };
        targets.iter().copied().zip(fates.into_iter().map(up_to)).collect()
    }

    /// The set, if the checker agrees that the run gets there without it.
    fn confirmed(
        &mut self,
        system: &System,
        set: Vec<ConstraintId>,
        is_minimal: bool,
        target: usize,
        run: Arc<Trace>,
    ) -> Blame {
        let property = self.question.targets[target].property;
        match check_run(&system.without(&set), &[property], &run) {
            Ok(violations) if violations[0].is_some() => Blame::Assumptions { set, is_minimal, run },
            _ => {
                let error = "the checker does not accept that assumptions are to blame";
                self.internal_errors.push(error.to_owned());
                Blame::Unknown(UnknownReason::NotCertified(error.to_owned()))
            }
        }
    }

    fn set_blame(&mut self, target: usize, new: Blame) {
        if let Answer::Dead { blame, .. } = &mut self.answers[target] {
            *blame = new;
        }
    }
}

/// The assumptions that a run violates.
fn violated(system: &System, run: &Trace) -> Result<BTreeSet<ConstraintId>, StepError> {
    let edits = Edits::none();
    let Ok(interpreter) = Interpreter::new(system, &edits) else { return Ok(BTreeSet::new()) };
    let mut violated = BTreeSet::new();
    for (at, step) in run.steps.iter().enumerate() {
        let mut frame = interpreter.frame(step)?;
        let next = run.steps.get(at + 1);
        if let Some(next) = next {
            frame.set_next(&next.states)?;
        }
        for id in system.assumptions() {
            let constraint = &system.constraints()[id.0 as usize];
            let is_asked = match constraint.kind {
                ConstraintKind::Always => true,
                ConstraintKind::Initial => at == 0,
                ConstraintKind::Transition => next.is_some(),
            };
            if is_asked && !violated.contains(&id) && frame.value(constraint.expr)? == Value::bool(false) {
                violated.insert(id);
            }
        }
    }
    Ok(violated)
}
