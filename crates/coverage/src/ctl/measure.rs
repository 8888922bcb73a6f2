//! Which mutants the properties of a prepared system notice.
//!
//! Coverage goes on from the check: one checker for both, so that sets of subformulas are computed once. All expressions that coverage will
//! ask about are therefore added before diagrams are built.

use super::covered::{Covered, Values};
use super::labels::Labelling;
use super::obligation::Obligation;
use super::observability::transformed;
use super::table1::{Found, Walk};
use super::{Flip, Formula, Place, Prepared, Semantics, linear};
use dashu_int::UBig;
use propcov_bdd::Bdd;
use propcov_budget::Budget;
use propcov_ir::{Ctl, CtlVerdict, Ltl, PropertyKind, UnknownReason};
use propcov_symbolic::{Checker, Failure, Observer, Options};
use rustc_hash::FxHashMap;

/// Checks properties, and measures what those that hold cover.
pub struct Measurement<'p> {
    prepared: &'p Prepared,
    checker: Checker<'p>,
    /// Sets that were counted. Many are the same.
    counts: FxHashMap<Bdd, UBig>,
}

/// What a property has to say about an observed signal.
pub enum Measured {
    /// The formula does not mention the signal.
    Unrelated,
    /// The formula is none that the semantics is defined for.
    NotAcceptable,
    /// This is covered. If some of it is in doubt, there is a reason.
    Covered(Covered, Option<UnknownReason>),
    /// Nothing was found out.
    Unknown(UnknownReason),
}

/// What could be covered.
#[derive(Clone)]
pub struct Space {
    /// States, or transitions.
    pub set: Bdd,
    /// All reachable ones, fair or not, cared for or not.
    pub reachable: UBig,
    /// Those among them that are fair, but which nobody cares for.
    pub excluded: UBig,
    /// Those that count.
    pub total: UBig,
}

impl<'p> Measurement<'p> {
    /// Finds the reachable states.
    ///
    /// # Errors
    /// When the budget does not suffice, or something has no representation.
    pub fn new(
        prepared: &'p Prepared,
        options: Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Measurement<'p>, UnknownReason> {
        let checker = Checker::about(&prepared.system, prepared.subject(), options, budget, observer)?;
        Ok(Measurement::over(prepared, checker))
    }

    /// Goes on from what a checker of the prepared system, [about](Checker::about) its [subject](Prepared::subject), has found out.
    pub fn over(prepared: &'p Prepared, checker: Checker<'p>) -> Measurement<'p> {
        Measurement { prepared, checker, counts: FxHashMap::default() }
    }

    pub(super) fn place(&self) -> Place {
        self.prepared.place
    }

    /// The size of a set of states or transitions.
    pub(super) fn count(&mut self, set: &Bdd) -> UBig {
        if let Some(known) = self.counts.get(set) {
            return known.clone();
        }
        let evaluator = self.checker.evaluator();
        let count = match self.prepared.place {
            Place::State => evaluator.count_states(set),
            Place::Transition => evaluator.count_transitions(set),
        };
        self.counts.insert(set.clone(), count.clone());
        count
    }

    pub(super) fn prepared(&self) -> &'p Prepared {
        self.prepared
    }

    /// The checker, whose system is the prepared one.
    pub fn checker(&mut self) -> &mut Checker<'p> {
        &mut self.checker
    }

    /// Decides a property, given by its position among those that can be measured. An invariant has to hold in all reachable states, fair or not.
    pub fn check(&mut self, position: usize) -> CtlVerdict {
        let subject = &self.prepared.subjects[position];
        match self.prepared.system.property(subject.property).kind {
            PropertyKind::Invariant(expr) => {
                let evaluator = self.checker.evaluator();
                let good = evaluator.states_where(expr);
                match good.map(|good| good == *evaluator.reachable_states()) {
                    Ok(true) => CtlVerdict::Holds(None),
                    Ok(false) => CtlVerdict::Fails(None),
                    Err(failure) => CtlVerdict::Unknown(failure.into()),
                }
            }
            _ => self.checker.check(subject.property),
        }
    }

    /// What there is to be covered. `None` for transitions if there is no diagram of all of them.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn space(&mut self) -> Result<Option<Space>, UnknownReason> {
        Ok(self.find_space()?)
    }

    fn find_space(&mut self) -> Result<Option<Space>, Failure> {
        let evaluator = self.checker.evaluator();
        let fair = evaluator.fair()?;
        let mut ignored = evaluator.nothing();
        for expr in &self.prepared.dont_care {
            ignored = ignored.or(&evaluator.states_where(*expr)?)?;
        }
        let (all, fair, set) = match self.prepared.place {
            Place::State => {
                let set = fair.minus(&ignored)?;
                (evaluator.reachable_states().clone(), fair, set)
            }
            Place::Transition => {
                let Some(all) = evaluator.transitions()? else { return Ok(None) };
                let fair = all.and(&evaluator.as_successors(&fair)?)?;
                let set = fair.minus(&evaluator.as_successors(&ignored)?)?;
                (all, fair, set)
            }
        };
        let total = self.count(&set);
        let (reachable, excluded) = (self.count(&all), self.count(&fair) - &total);
        Ok(Some(Space { set, reachable, excluded, total }))
    }

    /// What a property that holds covers of a space, for one of the observed signals. Both are given by their positions.
    pub fn measure(&mut self, space: &Space, observed: usize, property: usize) -> Measured {
        let (subject, observed) = (&self.prepared.subjects[property], &self.prepared.observed[observed]);
        if !observed.is_among(&subject.formula.atoms()) {
            return Measured::Unrelated;
        }
        let mut judge = Judge { prepared: self.prepared, observed, space, checker: &mut self.checker };
        let found = match (self.prepared.semantics, &subject.obligation, &subject.formula) {
            (_, _, Formula::Linear(formula)) => {
                judge.differing().map(|found| Draft { found, exact: Exact::Linear(formula) })
            }
            (Semantics::Observability, None, _) => return Measured::NotAcceptable,
            (Semantics::Observability, Some(obligation), _) => judge.by_structure(obligation),
            // Without conditions that mention the signal, the transformed formula is the changed one.
            (Semantics::Mutation, Some(obligation), _)
                if !obligation.conditions().iter().any(|condition| observed.is_in(condition)) =>
            {
                judge.by_structure(obligation)
            }
            (Semantics::Mutation, _, Formula::Branching(formula)) => {
                judge.differing().map(|found| Draft { found, exact: Exact::Changed(formula) })
            }
        };
        match found.and_then(|found| judge.settled(found)) {
            Ok((covered, reason)) => Measured::Covered(covered, reason),
            Err(failure) => Measured::Unknown(failure.into()),
        }
    }
}

/// Mutants of one observed signal.
struct Judge<'j, 'p> {
    prepared: &'j Prepared,
    observed: &'j Labelling,
    space: &'j Space,
    checker: &'j mut Checker<'p>,
}

/// What was found, and how to decide what is in doubt.
struct Draft<'p> {
    found: Found,
    exact: Exact<'p>,
}

/// A formula that fails in mutants that are noticed.
enum Exact<'p> {
    /// The observability transformation of this.
    Transformed(&'p Obligation),
    /// This, changed throughout.
    Changed(&'p Ctl),
    /// The same.
    Linear(&'p Ltl),
}

impl Judge<'_, '_> {
    fn walk(&mut self) -> Walk<'_> {
        Walk { evaluator: self.checker.evaluator(), observed: self.observed, space: &self.space.set }
    }

    /// By walking through the formula.
    fn by_structure<'o>(&mut self, obligation: &'o Obligation) -> Result<Draft<'o>, Failure> {
        let start = self.checker.evaluator().fair_initial_states()?;
        let place = self.prepared.place;
        let mut walk = self.walk();
        let found = match place {
            Place::State => walk.covered(&start, obligation)?,
            Place::Transition => walk.covered_steps(&start, obligation)?,
        };
        let found = found.map(|set| Ok(set.and(&self.space.set)?))?;
        let found = Found { doubtful: found.doubtful.minus(&found.sure)?, sure: found.sure };
        Ok(Draft { found, exact: Exact::Transformed(obligation) })
    }

    /// All mutants whose labels differ, for those who evaluate the formula in them.
    fn differing(&mut self) -> Result<Found, Failure> {
        let others = self.walk().others()?;
        let evaluator = self.checker.evaluator();
        let mut differs = evaluator.nothing();
        for label in self.observed.labels.values() {
            let (original, changed) =
                (evaluator.states_where(label.original)?, evaluator.states_where(label.changed)?);
            differs = differs.or(&original.xor(&changed)?.and(&others)?)?;
        }
        if self.prepared.place == Place::Transition {
            differs = evaluator.as_successors(&differs)?;
        }
        Ok(Found { sure: evaluator.nothing(), doubtful: differs.and(&self.space.set)? })
    }

    /// Decides what is in doubt, and forgets about other values.
    fn settled(&mut self, draft: Draft<'_>) -> Result<(Covered, Option<UnknownReason>), Failure> {
        let Draft { found: Found { sure, doubtful }, exact } = draft;
        let values = self.values()?;
        if doubtful.is_false() {
            return Ok((Covered::new(sure.clone(), sure, values.as_ref())?, None));
        }
        // Known before the hard part, in which time may run out.
        let known = Covered::new(sure.clone(), sure.or(&doubtful)?, values.as_ref())?;
        let decided = match exact {
            Exact::Transformed(obligation) => {
                let formula = transformed(obligation, self.observed, &self.prepared.never);
                self.noticed(&formula, &doubtful)
            }
            Exact::Changed(formula) => self.noticed(&self.observed.marked(formula), &doubtful),
            Exact::Linear(formula) => self.noticed_in_time(formula, &doubtful),
        };
        let decided = decided.and_then(|noticed| {
            let noticed = sure.or(&noticed)?;
            Ok(Covered::new(noticed.clone(), noticed, values.as_ref())?)
        });
        match decided {
            Ok(covered) => Ok((covered, None)),
            Err(Failure::Stop(stop)) => Ok((known, Some(Failure::Stop(stop).into()))),
            Err(failure) => Err(failure),
        }
    }

    /// Those of the mutants in which the formula fails.
    fn noticed(&mut self, formula: &Ctl, mutants: &Bdd) -> Result<Bdd, Failure> {
        let labels = &self.observed.labels;
        let evaluator = self.checker.evaluator();
        match self.prepared.place {
            Place::State => evaluator.noticed_states(formula, labels, mutants),
            Place::Transition => evaluator.noticed_transitions(formula, labels, mutants),
        }
    }

    /// Those of the mutants in which some run violates the formula.
    fn noticed_in_time(&mut self, formula: &Ltl, mutants: &Bdd) -> Result<Bdd, Failure> {
        if mutants.is_false() {
            return Ok(mutants.clone());
        }
        let budget = self.checker.budget().clone();
        let evaluator = self.checker.evaluator();
        let noticed = linear::noticed(self.prepared, self.observed, formula, evaluator, &budget)?;
        Ok(noticed.and(mutants)?)
    }

    /// The other values of the observed signal, if there may be several.
    fn values(&mut self) -> Result<Option<Values>, Failure> {
        let Some(parameter) = self.observed.parameter else { return Ok(None) };
        let mut others = self.walk().others()?;
        let evaluator = self.checker.evaluator();
        if self.prepared.place == Place::Transition {
            others = evaluator.as_successors(&others)?;
        }
        let all = match self.prepared.flip {
            Flip::Any => None,
            Flip::All => Some(self.space.set.and(&others)?),
        };
        Ok(Some(Values { parameter, variables: evaluator.parameter_cube(&[parameter]), all }))
    }
}
