//! What the sets of a measurement contain, and what the definition says they should.
//!
//! Both places of a mutant are pairs of explicit states here: a state is the pair of it with itself.

use propcov_bdd::Bdd;
use propcov_budget::{Budget, Interrupt};
use propcov_coverage::ctl::{
    Covered, Flip, Implication, Measured, Measurement, Place, Prepared, Request, Semantics, Space, Wording,
};
use propcov_ir::{Ctl, CtlVerdict, Edits, ExprId, PropertyId, PropertyKind, System, UnknownReason};
use propcov_symbolic::{Options, Silent};
use propcov_testkit::{
    self as testkit, CoverageError, CoverageQuestion, ExplicitCtl, Random, fair_transitions,
};
use std::collections::BTreeSet;

pub(crate) type Pairs = BTreeSet<(usize, usize)>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) place: Place,
    pub(crate) semantics: Semantics,
    pub(crate) flip: Flip,
    pub(crate) implication: Implication,
}

/// Each place with each semantics.
pub(crate) fn settings(flip: Flip, implication: Implication) -> [Setting; 4] {
    [
        (Place::State, Semantics::Mutation),
        (Place::Transition, Semantics::Mutation),
        (Place::State, Semantics::Observability),
        (Place::Transition, Semantics::Observability),
    ]
    .map(|(place, semantics)| Setting { place, semantics, flip, implication })
}

/// In some cases, variables are reordered all the time.
pub(crate) fn options(random: &mut Random) -> Options {
    let reorder_at = if random.percent(20) { Some(1) } else { None };
    Options { reorder_at, demonstrate: false, ..Options::default() }
}

/// What is asked about a system.
pub(crate) struct Question<'a> {
    pub(crate) system: &'a System,
    pub(crate) setting: Setting,
    pub(crate) observed: &'a [ExprId],
    pub(crate) dont_care: &'a [ExprId],
    /// That nothing is covered where one of these holds was waived.
    pub(crate) waived: &'a [ExprId],
    pub(crate) options: Options,
    /// Measuring stops after so many ticks, counted from the start; 0 is a raised interrupt.
    pub(crate) ticks: Option<u64>,
}

/// What was found out about a property and an observed expression.
pub(crate) enum Found {
    Fails,
    Unrelated,
    NotAcceptable,
    Covered { sure: Pairs, possible: Pairs, is_exact: bool },
    Unknown(UnknownReason),
}

/// For each observed expression, what each property covers.
pub(crate) type Answer = Vec<Vec<Found>>;

impl Question<'_> {
    /// Measures all properties. What there is to be covered is compared with the definition, too.
    pub(crate) fn ask(&self, explicit: &ExplicitCtl<'_>) -> Result<Answer, Failed> {
        let Setting { place, semantics, flip, implication } = self.setting;
        let properties: Vec<PropertyId> =
            (0..self.system.properties().len() as u32).map(PropertyId).collect();
        let (observed, dont_care, waived) = (self.observed, self.dont_care, self.waived);
        let properties = &properties;
        let request =
            Request { place, semantics, flip, implication, properties, observed, dont_care, waived };
        let prepared = Prepared::new(self.system, &request).map_err(|(_, error)| error.to_string())?;
        let mut measurement = Measurement::new(&prepared, self.options.clone(), &Budget::default(), &Silent)?;
        let space = measurement.space()?.ok_or("no transitions".to_owned())?;
        self.compare_space(&mut measurement, &space, explicit)?;
        let verdicts: Vec<CtlVerdict> = (0..properties.len()).map(|at| measurement.check(at)).collect();
        let mut answer = Vec::new();
        let (mut parts, mut union) = (Vec::new(), Pairs::new());
        for signal in 0..observed.len() {
            let mut found = Vec::new();
            for (at, verdict) in verdicts.iter().enumerate() {
                found.push(match verdict {
                    CtlVerdict::Fails(_) => Found::Fails,
                    CtlVerdict::Unknown(reason) => return Err(reason.clone().into()),
                    CtlVerdict::Holds(_) => {
                        measurement.checker().set_budget(&budget(self.ticks));
                        let measured = measurement.measure(&space, signal, at);
                        measurement.checker().set_budget(&Budget::default());
                        if let Measured::Covered(covered, _) = &measured {
                            self.compare_waived(&mut measurement, &space, covered, explicit)?;
                            parts.push(covered.clone());
                        }
                        self.found(&mut measurement, measured, explicit)?
                    }
                });
            }
            for found in &found {
                if let Found::Covered { sure, .. } = found {
                    union.extend(sure);
                }
            }
            answer.push(found);
        }
        let together = measurement.union(&parts)?;
        self.compare_waived(&mut measurement, &space, &together, explicit)?;
        let together = self.members(&mut measurement, together.sure(), explicit)?;
        let is_right = match self.joint(explicit, &answer) {
            Some(joint) => {
                union.extend(joint);
                together == union
            }
            None => together.is_superset(&union),
        };
        if !is_right {
            return Err(format!("the union of all is {together:?}, expected {union:?}").into());
        }
        Ok(answer)
    }

    /// By definition, what properties cover only together: each other value is noticed by one of them, which is to say by their conjunction. `None` if that is
    /// not known.
    fn joint(&self, explicit: &ExplicitCtl<'_>, answer: &Answer) -> Option<Pairs> {
        let mut joint = Pairs::new();
        if self.setting.flip == Flip::Any {
            return Some(joint);
        }
        let is_exact =
            |found: &Found| !matches!(found, Found::Unknown(_) | Found::Covered { is_exact: false, .. });
        if !answer.iter().flatten().all(is_exact) {
            return None;
        }
        for (observed, found) in self.observed.iter().zip(answer) {
            let covering = (0..found.len()).filter(|at| matches!(found[*at], Found::Covered { .. }));
            let formulas: Vec<Ctl> = covering.map(|at| self.formula(at)).collect::<Option<_>>()?;
            let all = formulas.into_iter().reduce(|all, one| Ctl::And(Box::new(all), Box::new(one)));
            if let Some(all) = all {
                joint.extend(self.definition(explicit, &all, *observed).ok()??);
            }
        }
        Some(joint)
    }

    fn found(
        &self,
        measurement: &mut Measurement<'_>,
        measured: Measured,
        explicit: &ExplicitCtl<'_>,
    ) -> Result<Found, String> {
        Ok(match measured {
            Measured::Unrelated => Found::Unrelated,
            Measured::NotAcceptable => Found::NotAcceptable,
            Measured::Unknown(reason) => Found::Unknown(reason),
            Measured::Covered(covered, reason) => Found::Covered {
                sure: self.members(measurement, covered.sure(), explicit)?,
                possible: self.members(measurement, covered.possible(), explicit)?,
                is_exact: reason.is_none(),
            },
        })
    }

    /// All members of a set, and nothing else is in it.
    fn members(
        &self,
        measurement: &mut Measurement<'_>,
        set: &Bdd,
        explicit: &ExplicitCtl<'_>,
    ) -> Result<Pairs, String> {
        let (states, evaluator) = (explicit.states(), measurement.checker().evaluator());
        let mut members = Pairs::new();
        for (from, to) in places(explicit, self.setting.place) {
            let is_in = match self.setting.place {
                Place::State => evaluator.contains_state(set, self.system, &states[from]),
                Place::Transition => {
                    evaluator.contains_transition(set, self.system, &states[from], &states[to])
                }
            };
            if is_in.ok_or("no bits")? {
                members.insert((from, to));
            }
        }
        let count = match self.setting.place {
            Place::State => evaluator.count_states(set),
            Place::Transition => evaluator.count_transitions(set),
        };
        if count != members.len().into() {
            return Err(format!("{count} members, of which {members:?} are known: {:?}", self.setting));
        }
        Ok(members)
    }

    fn compare_space(
        &self,
        measurement: &mut Measurement<'_>,
        space: &Space,
        explicit: &ExplicitCtl<'_>,
    ) -> Result<(), String> {
        let expected = self.space(explicit);
        let set = self.members(measurement, &space.set, explicit)?;
        let fair = fair_places(explicit, self.setting.place).len();
        let reachable = places(explicit, self.setting.place);
        let reachable = reachable.iter().filter(|(from, _)| explicit.distances()[*from].is_some()).count();
        let is_right = set == expected
            && space.total == expected.len().into()
            && space.excluded == (fair - expected.len()).into()
            && space.reachable == reachable.into();
        if is_right {
            return Ok(());
        }
        let (total, excluded) = (&space.total, &space.excluded);
        let found = format!("{set:?}, {total} of {}, {excluded} excluded", space.reachable);
        Err(format!("{:?}: {found}; expected {expected:?} of {reachable}, {fair} fair", self.setting))
    }

    /// Compares what conditions waive of what is not covered, and the holes that are left, with what is counted one by one.
    fn compare_waived(
        &self,
        measurement: &mut Measurement<'_>,
        space: &Space,
        covered: &Covered,
        explicit: &ExplicitCtl<'_>,
    ) -> Result<(), Failed> {
        if self.waived.is_empty() {
            return Ok(());
        }
        let found = measurement.waived(space, covered)?;
        let wording = Wording { preferred: &[], observed: None };
        let left = measurement.holes(space, covered, wording, 4)?.total;
        let sure = self.members(measurement, covered.sure(), explicit)?;
        let possible = self.members(measurement, covered.possible(), explicit)?;
        let all = self.space(explicit);
        let holds: Vec<Vec<bool>> =
            self.waived.iter().map(|expr| explicit.satisfies(&Ctl::Atom(*expr))).collect();
        let is_waived = |(_, to): &&(usize, usize)| holds.iter().any(|holds| holds[*to]);
        let count = |of: &dyn Fn(&&(usize, usize)) -> bool| all.iter().filter(of).count();
        let each: Vec<(usize, usize)> = holds
            .iter()
            .map(|holds| {
                let fitting = count(&|(_, to)| holds[*to]);
                (count(&|pair| holds[pair.1] && !sure.contains(*pair)), fitting)
            })
            .collect();
        let expected = (
            count(&|pair| is_waived(pair) && !possible.contains(*pair)),
            count(&|pair| is_waived(pair) && !sure.contains(*pair)),
            each,
            count(&|pair| !is_waived(pair) && !sure.contains(*pair)),
        );
        let is_right = found.uncovered == expected.0.into()
            && found.all == expected.1.into()
            && found.each.len() == expected.2.len()
            && found.each.iter().zip(&expected.2).all(|((waived, fitting), (of_waived, of_fitting))| {
                *waived == (*of_waived).into() && *fitting == (*of_fitting).into()
            })
            && left == expected.3.into();
        if is_right {
            return Ok(());
        }
        Err(format!("{:?}: waived are {found:?}, {left} holes left; expected {expected:?}", self.setting)
            .into())
    }

    /// By definition, what could be covered.
    pub(crate) fn space(&self, explicit: &ExplicitCtl<'_>) -> Pairs {
        let mut space = fair_places(explicit, self.setting.place);
        for expr in self.dont_care {
            let ignored = explicit.satisfies(&Ctl::Atom(*expr));
            space.retain(|(_, to)| !ignored[*to]);
        }
        space
    }

    /// By definition, what a formula covers of the space. `None` if it is not acceptable.
    pub(crate) fn definition(
        &self,
        explicit: &ExplicitCtl<'_>,
        formula: &Ctl,
        observed: ExprId,
    ) -> Result<Option<Pairs>, CoverageError> {
        let semantics = match self.setting.semantics {
            Semantics::Observability => testkit::Semantics::Observability,
            Semantics::Mutation => testkit::Semantics::Mutation,
        };
        let flip = match self.setting.flip {
            Flip::Any => testkit::Flip::Any,
            Flip::All => testkit::Flip::All,
        };
        let question = CoverageQuestion { formula, observed, semantics, flip };
        let covered: Option<Pairs> = match self.setting.place {
            Place::State => testkit::covered_states(self.system, explicit, &question)?
                .map(|covered| (0..covered.len()).filter(|at| covered[*at]).map(|at| (at, at)).collect()),
            Place::Transition => testkit::covered_transitions(self.system, explicit, &question)?,
        };
        let space = self.space(explicit);
        Ok(covered.map(|covered| &covered & &space))
    }

    /// The formula that a property is measured by; `None` where the definition reads it in another way.
    pub(crate) fn formula(&self, at: usize) -> Option<Ctl> {
        let property = &self.system.properties()[at];
        match (&property.kind, &property.as_written, self.setting.implication) {
            (PropertyKind::Ctl(_), Some(written), Implication::Split) => Some(written.clone()),
            (PropertyKind::Ctl(whole), None, Implication::Split) => Some(whole.clone()),
            // The definition takes apart what has parts, and here every proposition has to be an atom.
            (PropertyKind::Ctl(whole), written, Implication::Whole) => {
                written.as_ref().map(|_| whole.clone())
            }
            _ => None,
        }
    }

    /// Compares what all properties cover with the definition. How many were compared, and how many of those cover something.
    pub(crate) fn compare(&self) -> Result<Compared, String> {
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(self.system, &edits).map_err(|error| format!("{error:?}"))?;
        let mut compared = Compared::default();
        let answer = match self.ask(&explicit) {
            // There is no fixpoint for compassion whose premise reads inputs.
            Err(Failed::Reason(UnknownReason::Unsupported(_))) => return Ok(compared),
            answer => answer.map_err(|failed| failed.to_string())?,
        };
        for (observed, found) in self.observed.iter().zip(&answer) {
            for (at, found) in found.iter().enumerate() {
                let Some(formula) = self.formula(at) else { continue };
                if explicit.holds_initially(&formula) == matches!(found, Found::Fails) {
                    return Err(format!("a wrong verdict on {}", self.system.show_ctl(&formula)));
                }
                if matches!(found, Found::Fails) {
                    continue;
                }
                let expected = match self.definition(&explicit, &formula, *observed) {
                    Err(CoverageError::Step(_)) => continue,
                    expected => expected.map_err(|error| error.to_string())?,
                };
                compared.all += 1;
                compared.covering += usize::from(expected.as_ref().is_some_and(|set| !set.is_empty()));
                agree(found, expected.as_ref()).map_err(|problem| {
                    let (observed, formula) = (self.system.show(*observed), self.system.show_ctl(&formula));
                    format!("{observed} in {formula}, {:?}: {problem}", self.setting)
                })?;
            }
        }
        Ok(compared)
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    pub(crate) all: usize,
    pub(crate) covering: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.all += other.all;
        self.covering += other.covering;
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    Reason(UnknownReason),
    Wrong(String),
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failed::Reason(reason) => write!(f, "{reason}"),
            Failed::Wrong(problem) => write!(f, "{problem}"),
        }
    }
}

impl From<UnknownReason> for Failed {
    fn from(reason: UnknownReason) -> Failed {
        Failed::Reason(reason)
    }
}

impl From<String> for Failed {
    fn from(problem: String) -> Failed {
        Failed::Wrong(problem)
    }
}

fn budget(ticks: Option<u64>) -> Budget {
    let interrupt = Interrupt::default();
    match ticks {
        None => {}
        Some(0) => interrupt.raise(),
        Some(ticks) => interrupt.limit_ticks(ticks),
    }
    Budget { interrupt, ..Budget::default() }
}

/// All states, or all transitions, reachable or not.
fn places(explicit: &ExplicitCtl<'_>, place: Place) -> Pairs {
    match place {
        Place::State => (0..explicit.states().len()).map(|state| (state, state)).collect(),
        Place::Transition => explicit.edges().iter().map(|edge| (edge.from, edge.to)).collect(),
    }
}

fn fair_places(explicit: &ExplicitCtl<'_>, place: Place) -> Pairs {
    match place {
        Place::State => (places(explicit, place).into_iter())
            .filter(|(state, _)| explicit.distances()[*state].is_some() && explicit.fair()[*state])
            .collect(),
        Place::Transition => fair_transitions(explicit),
    }
}

/// Whether what was found is exactly what is expected, without any doubt left.
pub(crate) fn agree(found: &Found, expected: Option<&Pairs>) -> Result<(), String> {
    match (found, expected) {
        // What does not mention the signal has nothing to say, acceptable or not.
        (Found::NotAcceptable | Found::Unrelated, None) => Ok(()),
        (Found::Unrelated, Some(expected)) if expected.is_empty() => Ok(()),
        (Found::Covered { sure, possible, is_exact: true }, Some(expected))
            if sure == expected && possible == expected =>
        {
            Ok(())
        }
        (Found::Covered { sure, possible, is_exact }, expected) => {
            Err(format!("found {sure:?} to {possible:?} (exact: {is_exact}), expected {expected:?}"))
        }
        (Found::Fails, _) => Err("it fails".to_owned()),
        (Found::Unrelated, expected) => Err(format!("unrelated, expected {expected:?}")),
        (Found::NotAcceptable, expected) => Err(format!("not acceptable, expected {expected:?}")),
        (Found::Unknown(reason), expected) => Err(format!("{reason}, expected {expected:?}")),
    }
}
