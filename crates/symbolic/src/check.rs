//! From a system to answers about its CTL properties.

use crate::ctl::{Evaluator, Failure, Violations};
use crate::demonstrate::Demonstrator;
use crate::invariant;
use crate::model::{Model, ModelError, Subject};
use crate::reach::Reached;
use crate::vacuity;
use dashu_int::UBig;
use propcov_bdd::Stop;
use propcov_budget::Budget;
use propcov_ir::{
    Ctl, CtlVerdict, Demonstration, Edits, Invariant, PropertyId, PropertyKind, Quantifier, System,
    UnknownReason,
};

/// An invariant of more nodes than this is not worth being checked by a SAT solver.
const LARGEST_INVARIANT: usize = 20_000;

/// How to work.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether runs that show verdicts are wanted.
    pub demonstrate: bool,
    /// Variables are reordered once there are this many nodes, and then whenever there are twice as many as after the last
    /// time. `None`: never.
    pub reorder_at: Option<usize>,
    /// Parts of the transition relation are conjoined up to this many nodes.
    pub cluster: usize,
    /// More nodes than this are not made: then there is no answer.
    pub most_nodes: usize,
    /// Whether states count on which nothing depends that is asked for.
    pub all_states: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            demonstrate: true,
            reorder_at: Some(1 << 13),
            cluster: 1000,
            most_nodes: 50_000_000,
            all_states: true,
        }
    }
}

/// What the checker tells while it works.
pub trait Observer {
    /// That many layers of reachable states are complete.
    fn layers(&self, count: usize);
}

/// Nobody listens.
pub struct Silent;

impl Observer for Silent {
    fn layers(&self, _: usize) {}
}

/// Decides CTL properties of one system.
pub struct Checker<'s> {
    system: &'s System,
    budget: Budget,
    options: Options,
    evaluator: Evaluator,
}

/// How many states there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCounts {
    /// Reachable ones.
    pub reachable: UBig,
    /// Those among them from which a fair path starts.
    pub fair: UBig,
    /// Layers of reachable states, the initial ones included.
    pub diameter: usize,
}

/// What it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Variables of the diagrams.
    pub variables: usize,
    /// Nodes now.
    pub nodes: usize,
    /// The most nodes there ever were.
    pub peak_nodes: usize,
    /// How often variables were reordered.
    pub reorderings: u64,
    /// How often unused nodes were collected.
    pub collections: u64,
    /// Seconds spent on reordering.
    pub reordering_seconds: f64,
    /// Parts of the transition relation, forwards and backwards.
    pub parts: (usize, usize),
    /// Nodes of the set of reachable states.
    pub reachable_nodes: usize,
}

impl<'s> Checker<'s> {
    /// Reads the system and finds its reachable states. The tick limit of the budget's interrupt is one on lookups in the cache of the
    /// diagrams.
    ///
    /// # Errors
    /// When the budget does not suffice, or something has no representation.
    pub fn new(
        system: &'s System,
        options: Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Checker<'s>, UnknownReason> {
        Checker::about(system, Subject::default(), options, budget, observer)
    }

    /// As [`new`](Checker::new), and more than the properties can be asked about.
    ///
    /// # Errors
    /// When the budget does not suffice, or something has no representation.
    pub fn about(
        system: &'s System,
        subject: Subject<'_>,
        options: Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Checker<'s>, UnknownReason> {
        let mut atoms: Vec<_> = (system.properties().iter())
            .flat_map(|property| match &property.kind {
                PropertyKind::Ctl(formula) => {
                    let antecedent = vacuity::antecedent(system, formula);
                    formula.atoms().into_iter().chain(antecedent.iter().flat_map(Ctl::atoms)).collect()
                }
                PropertyKind::Invariant(expr) => vec![*expr],
                PropertyKind::Justice(_) | PropertyKind::Ltl(_) => Vec::new(),
            })
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        let model = Model::new(system, &Edits::none(), &atoms, subject, &options, budget.clone()).map_err(
            |error| match error {
                ModelError::Unsupported(what) => UnknownReason::Unsupported(what.to_string()),
                ModelError::Stop(stop) => stopped(stop),
            },
        )?;
        let reached = Reached::new(&model, &mut |layers| observer.layers(layers)).map_err(stopped)?;
        let evaluator = Evaluator::new(system, model, reached).map_err(stopped)?;
        Ok(Checker { system, budget: budget.clone(), options, evaluator })
    }

    /// What is checked.
    pub(crate) fn system(&self) -> &'s System {
        self.system
    }

    /// The sets of states behind the answers.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// When work stops.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// From now on work stops when this is exhausted, whatever was said before.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.evaluator.model.manager.set_budget(budget.clone());
    }

    /// Decides a property.
    pub fn check(&mut self, property: PropertyId) -> CtlVerdict {
        let formula = match &self.system.property(property).kind {
            PropertyKind::Ctl(formula) => formula.clone(),
            _ => {
                return CtlVerdict::Unknown(UnknownReason::Unsupported("what is no CTL property".to_owned()));
            }
        };
        self.decide(&formula).unwrap_or_else(|failure| CtlVerdict::Unknown(reason(failure)))
    }

    fn decide(&mut self, formula: &Ctl) -> Result<CtlVerdict, Failure> {
        let violations = self.evaluator.violations(formula)?;
        let holds = violations.states.is_false();
        let shown = match holds {
            true if formula.is_universal() => None,
            true => self.demonstration(|checker| checker.witness(formula))?,
            false => self.demonstration(|checker| checker.counterexample(formula, &violations))?,
        };
        Ok(if holds { CtlVerdict::Holds(shown) } else { CtlVerdict::Fails(shown) })
    }

    /// A run that shows what is known already. A verdict is not given up because there was no time for that.
    fn demonstration(
        &mut self,
        show: impl FnOnce(&mut Checker<'s>) -> Result<Option<Demonstration>, Failure>,
    ) -> Result<Option<Demonstration>, Failure> {
        if !self.options.demonstrate {
            return Ok(None);
        }
        match show(self) {
            Err(Failure::Stop(_)) => Ok(None),
            shown => shown,
        }
    }

    fn counterexample(
        &mut self,
        formula: &Ctl,
        violations: &Violations,
    ) -> Result<Option<Demonstration>, Failure> {
        let negation = formula.normal_form(true);
        let (states, system, budget) = (&violations.states, self.system, &self.budget);
        let mut demonstrator = Demonstrator::new(&mut self.evaluator);
        match (&negation, violations.initial) {
            (Ctl::Until(Quantifier::Exists, _, claim), false) => {
                demonstrator.reaching(&negation, claim, states, system, budget)
            }
            _ => demonstrator.among_initial(&negation, states, true, system, budget),
        }
    }

    /// Why a formula that holds does so in one of the fair initial states.
    fn witness(&mut self, formula: &Ctl) -> Result<Option<Demonstration>, Failure> {
        let initial = self.evaluator.model.initial.clone();
        let states = self.evaluator.fair_among(&initial)?;
        let claim = formula.normal_form(false);
        let (system, budget) = (self.system, &self.budget);
        Demonstrator::new(&mut self.evaluator).among_initial(&claim, &states, false, system, budget)
    }

    /// For a property `AG (p -> q)`, whether p holds in some reachable fair state. Otherwise the property holds whatever q is. `None`
    /// for properties that look different.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn antecedent_is_met(&mut self, property: PropertyId) -> Result<Option<bool>, UnknownReason> {
        let PropertyKind::Ctl(formula) = &self.system.property(property).kind else { return Ok(None) };
        let Some(antecedent) = vacuity::antecedent(self.system, formula) else { return Ok(None) };
        let states = self.evaluator.states(&antecedent).map_err(reason)?;
        Ok(Some(!self.evaluator.fair_among(&states).map_err(reason)?.is_false()))
    }

    /// The number of reachable states.
    pub fn reachable_count(&self) -> UBig {
        self.evaluator.reached.all.count(&self.evaluator.model.current)
    }

    /// Counts states.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn count_states(&mut self) -> Result<StateCounts, UnknownReason> {
        let fair = self.evaluator.fair().map_err(reason)?;
        let (model, reached) = (&self.evaluator.model, &self.evaluator.reached);
        Ok(StateCounts {
            reachable: reached.all.count(&model.current),
            fair: fair.count(&model.current),
            diameter: reached.rings.len(),
        })
    }

    /// How many pairs of a reachable state and a successor there are; `None` if the relation is too large to tell.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn transition_count(&self) -> Result<Option<UBig>, UnknownReason> {
        self.evaluator.model.transition_count().map_err(stopped)
    }

    /// Whether some initial state is fair. Otherwise every property holds, and says nothing.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn has_fair_start(&mut self) -> Result<bool, UnknownReason> {
        let initial = self.evaluator.model.initial.clone();
        Ok(!self.evaluator.fair_among(&initial).map_err(reason)?.is_false())
    }

    /// Whether some reachable state has no successor.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn has_deadlock(&mut self) -> Result<bool, UnknownReason> {
        if self.system.is_unconstrained() {
            return Ok(false);
        }
        let all = &self.evaluator.reached.all;
        let before = self.evaluator.fixpoints().before(all).map_err(stopped)?;
        Ok(before != *all)
    }

    /// The reachable states as an invariant, unless it would be very large.
    pub fn reachable_invariant(&self) -> Option<Invariant> {
        invariant::of_set(&self.evaluator.model, self.system, &self.evaluator.reached.all, LARGEST_INVARIANT)
    }

    /// What it took so far.
    pub fn stats(&self) -> Stats {
        let manager = &self.evaluator.model.manager;
        let stats = manager.stats();
        Stats {
            variables: manager.variable_count(),
            nodes: stats.nodes,
            peak_nodes: stats.peak_nodes,
            reorderings: stats.reorderings,
            collections: stats.collections,
            reordering_seconds: stats.reordering_seconds,
            parts: self.evaluator.model.part_counts(),
            reachable_nodes: self.evaluator.reached.all.node_count(),
        }
    }
}

pub(crate) fn stopped(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Cancelled => UnknownReason::Cancelled,
        Stop::Timeout => UnknownReason::Timeout,
        Stop::Memory => UnknownReason::Memory,
        Stop::Nodes(limit) => UnknownReason::Incomplete(format!("more than {limit} decision diagram nodes")),
    }
}

pub(crate) fn reason(failure: Failure) -> UnknownReason {
    match failure {
        Failure::Stop(stop) => stopped(stop),
        Failure::Inputs(what) => UnknownReason::Unsupported(what),
        Failure::Broken(what) => UnknownReason::NotCertified(what),
    }
}

impl From<Failure> for UnknownReason {
    fn from(failure: Failure) -> UnknownReason {
        reason(failure)
    }
}
