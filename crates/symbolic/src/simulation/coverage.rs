//! Which mutants of a proposition are covered, and what is known of the others.

use super::source::Prepared;
use super::transfer::Transfer;
use super::{Phase, RefinementError, Side, SymbolicRefinement};
use crate::ctl::Failure;
use crate::cubes::{Cover, Vocabulary};
use dashu_int::UBig;
use propcov_bdd::{Bdd, Stop};
use propcov_budget::Budget;
use propcov_ir::{ExprId, SignalId, Trace, Value};
use std::time::Instant;

/// The states of the implementation whose mutants are in question.
#[derive(Clone, Copy, Debug)]
pub enum Mutants<'m> {
    /// All of them.
    All,
    /// Those of a system where an expression holds, which was announced.
    Where(ExprId),
    /// These of a graph.
    States(&'m [u32]),
}

/// One state of a model.
#[derive(Clone, Copy, Debug)]
pub enum StateOf<'s> {
    /// That of a graph which has this number there.
    Graph(u32),
    /// That of a system in which its states have these values, in the order of [`System::states`](propcov_ir::System::states).
    System(&'s [Value]),
}

/// The mutants of one proposition. All numbers are about reachable states: others cannot be covered.
#[derive(Clone, Debug)]
pub struct SymbolicCoverage {
    /// How many states the implementation has.
    pub reachable: UBig,
    /// In how many of them the label is changed. Not where it is open.
    pub mutants: UBig,
    /// How many of these the specification does not simulate.
    pub covered: UBig,
    /// How many it does.
    pub uncovered: UBig,
    /// The states of both, over current variables of the shared manager.
    covered_states: Bdd,
    uncovered_states: Bdd,
}

impl SymbolicRefinement<'_> {
    /// Decides all these mutants of a proposition. Means something only if the specification [simulates](SymbolicRefinement::simulates) the implementation.
    ///
    /// # Errors
    /// When the budget does not suffice, or the proposition or the set of mutants does not exist.
    pub fn cover(
        &mut self,
        proposition: usize,
        mutants: Mutants<'_>,
    ) -> Result<SymbolicCoverage, RefinementError> {
        let mutants = self.labels_in_question(proposition, mutants)?;
        let pairs = self.reached_together(Some(proposition))?;
        let similar = self.incomplete_similarity(&pairs)?;
        let uncovered = self.simulated_mutants(proposition, &mutants, &similar)?;
        let covered = mutants.minus(&uncovered)?;
        let joint = &self.joint;
        let count = |set: &Bdd| set.count(&joint.implementation.variables.current);
        Ok(SymbolicCoverage {
            reachable: count(&joint.implementation.reached),
            mutants: count(&mutants),
            covered: count(&covered),
            uncovered: count(&uncovered),
            covered_states: covered,
            uncovered_states: uncovered,
        })
    }

    /// How many mutants of a proposition there are to decide, which is known long before they are.
    ///
    /// # Errors
    /// As [`SymbolicRefinement::cover`].
    pub fn mutant_count(
        &mut self,
        proposition: usize,
        mutants: Mutants<'_>,
    ) -> Result<UBig, RefinementError> {
        let mutants = self.labels_in_question(proposition, mutants)?;
        Ok(mutants.count(&self.joint.implementation.variables.current))
    }

    /// The reachable states among these where the proposition is not open.
    fn labels_in_question(
        &mut self,
        proposition: usize,
        mutants: Mutants<'_>,
    ) -> Result<Bdd, RefinementError> {
        let Some(truth) = self.joint.implementation.labels.get(proposition) else {
            return Err(RefinementError::Malformed(format!("no proposition {proposition}")));
        };
        let labelled = truth.yes.or(&truth.no)?.and(&self.joint.implementation.reached)?;
        Ok(self.mutants(mutants)?.and(&labelled)?)
    }

    /// The states in question, reachable or not.
    fn mutants(&mut self, mutants: Mutants<'_>) -> Result<Bdd, RefinementError> {
        let half = &self.joint.implementation;
        match (mutants, &mut self.implementation) {
            (Mutants::All, _) => Ok(half.reached.clone()),
            (Mutants::States(states), Prepared::Graph(listed)) => {
                let states = states.iter().copied();
                Ok(listed.set(&self.joint.manager, &half.variables.current, states)?)
            }
            (Mutants::Where(expr), Prepared::System(built)) => {
                let states = built.states_where(expr)?.ok_or_else(|| {
                    RefinementError::Malformed(
                        "the set of mutants reads inputs, or was not announced".to_owned(),
                    )
                })?;
                let current = built.evaluator.model.current.iter().copied();
                let pairs = current.zip(half.variables.current.iter().copied());
                Ok(Transfer::new(&self.joint.manager, pairs).copy(&states)?)
            }
            (Mutants::States(_), Prepared::System(_)) => {
                Err(RefinementError::Malformed("mutants of a system are given by an expression".to_owned()))
            }
            (Mutants::Where(_), Prepared::Graph(_)) => {
                Err(RefinementError::Malformed("mutants of a graph are given by their states".to_owned()))
            }
        }
    }

    /// Pairs that both models reach together while labels fit, of which one may be left out.
    pub(super) fn reached_together(&mut self, without: Option<usize>) -> Result<Bdd, Stop> {
        let start = Instant::now();
        let (progress, mut rounds) = (self.progress, 0);
        let fitting = self.joint.fitting(without)?;
        let pairs = self.joint.reached_together(&fitting, self.largest_product, &mut |count| {
            rounds += 1;
            progress.rounds(Phase::Product, count);
        });
        self.stats.product_rounds += rounds;
        self.stats.product_seconds += start.elapsed().as_secs_f64();
        pairs
    }

    /// The greatest relation that has what a simulation needs but for one label. Whatever is changed in that label, no simulation has more.
    fn incomplete_similarity(&mut self, pairs: &Bdd) -> Result<Bdd, Stop> {
        let start = Instant::now();
        let (progress, mut rounds) = (self.progress, 0);
        let all = self.joint.manager.constant(true);
        let found = self.joint.greatest(pairs, &all, &mut |count| {
            rounds += 1;
            progress.rounds(Phase::Incomplete, count);
        });
        self.stats.binary_rounds += rounds;
        self.stats.binary_seconds += start.elapsed().as_secs_f64();
        Ok(found?.related)
    }

    /// Those of the mutants that the specification simulates.
    fn simulated_mutants(&mut self, proposition: usize, mutants: &Bdd, similar: &Bdd) -> Result<Bdd, Stop> {
        let start = Instant::now();
        let (progress, mut rounds) = (self.progress, 0);
        let joint = &self.joint;
        let same = joint.accepting(proposition, false)?.and(similar)?;
        let flipped = joint.accepting(proposition, true)?.and(similar)?;
        // Where nothing accepts the changed label, no relation of three states is needed to see that.
        let accepted = mutants.and(&flipped.exists(&joint.specification.states)?)?;
        let first = joint.is_mutant.ite(&flipped, &same)?;
        let candidates = accepted.swap(&joint.mirror)?;
        let found = joint.greatest(&first, &candidates, &mut |count| {
            rounds += 1;
            progress.rounds(Phase::Mutants, count);
        });
        self.stats.ternary_rounds += rounds;
        self.stats.ternary_seconds += start.elapsed().as_secs_f64();
        found?.simulated.swap(&joint.mirror)
    }

    /// The first states of a model in a set by name, at most so many.
    pub(super) fn names(&self, side: Side, set: &Bdd, most: usize) -> Result<Vec<String>, RefinementError> {
        let (prepared, half) = match side {
            Side::Implementation => (&self.implementation, &self.joint.implementation),
            Side::Specification => (&self.specification, &self.joint.specification),
        };
        if set.is_false() {
            return Ok(Vec::new());
        }
        match prepared {
            Prepared::Graph(listed) => {
                let has = |state: &u32| listed.code(*state).is_some_and(|bits| half.contains(set, &bits));
                let members = listed.graph.states().filter(has);
                Ok(members.take(most).map(|state| listed.graph.name(state).to_owned()).collect())
            }
            Prepared::System(built) => {
                let model = &built.evaluator.model;
                let pairs = half.variables.current.iter().copied().zip(model.current.iter().copied());
                let own = Transfer::new(&model.manager, pairs).copy(set)?;
                Ok(built.names(&own, most)?)
            }
        }
    }

    /// The names of the first uncovered states, at most so many: those of a graph, or the values of a system's variables.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn uncovered_names(
        &self,
        coverage: &SymbolicCoverage,
        most: usize,
    ) -> Result<Vec<String>, RefinementError> {
        self.names(Side::Implementation, &coverage.uncovered_states, most)
    }

    /// Whether the mutant at one state of the implementation is covered: so that what was found can be compared, state by state, with what others found. `None` if there is no such mutant: where the
    /// state cannot be reached, its label is open, or it was not [asked about](Mutants). The coverage is one of this refinement.
    ///
    /// It takes about as long as a state has bits, and no new nodes.
    ///
    /// # Errors
    /// [`RefinementError::Malformed`] if the implementation cannot have such a state: it is one of the other kind of model, the graph has no such number, or the values are not those of the system's states.
    pub fn is_covered(
        &self,
        coverage: &SymbolicCoverage,
        state: StateOf<'_>,
    ) -> Result<Option<bool>, RefinementError> {
        let Some(bits) = self.bits_of(state)? else { return Ok(None) };
        let half = &self.joint.implementation;
        if half.contains(&coverage.covered_states, &bits) {
            return Ok(Some(true));
        }
        Ok(half.contains(&coverage.uncovered_states, &bits).then_some(false))
    }

    /// The bits of a state of the implementation; `None` if it is one of a graph that is not reachable.
    fn bits_of(&self, state: StateOf<'_>) -> Result<Option<Vec<bool>>, RefinementError> {
        let malformed = |what: &str| Err(RefinementError::Malformed(what.to_owned()));
        match (state, &self.implementation) {
            (StateOf::Graph(number), Prepared::Graph(listed)) => {
                match listed.graph.states().contains(&number) {
                    true => Ok(listed.code(number)),
                    false => malformed("the graph has no state with this number"),
                }
            }
            (StateOf::System(values), Prepared::System(built)) => {
                let states = built.system.states();
                let fits =
                    |(signal, value): (&SignalId, &Value)| value.has_sort(&built.system.signal(*signal).sort);
                let all_fit = states.len() == values.len() && states.iter().zip(values).all(fits);
                match built.evaluator.bits(&built.system, values).filter(|_| all_fit) {
                    Some(bits) => Ok(Some(bits)),
                    None => malformed("these are no values of the states of the system"),
                }
            }
            (StateOf::Graph(_), Prepared::System(_)) => {
                malformed("a state of a system is given by its values")
            }
            (StateOf::System(_), Prepared::Graph(_)) => {
                malformed("a state of a graph is given by its number")
            }
        }
    }

    /// The uncovered states as at most so many products over the variables of the system, which have no other mutants; `None` for a graph.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn uncovered_cubes(
        &mut self,
        coverage: &SymbolicCoverage,
        words: Vocabulary<'_>,
        most: usize,
    ) -> Result<Option<Cover>, RefinementError> {
        let mutants = coverage.covered_states.or(&coverage.uncovered_states)?;
        let (set, space) =
            match (self.in_own_manager(&coverage.uncovered_states)?, self.in_own_manager(&mutants)?) {
                (Some(set), Some(space)) => (set, space),
                _ => return Ok(None),
            };
        let Prepared::System(built) = &mut self.implementation else { return Ok(None) };
        let cover = built.evaluator.state_cubes(&built.system, &set, &space, words, most);
        cover.map(Some).map_err(refused)
    }

    /// A shortest run of the implementation into these states, which are those of a cube; `None` for a graph.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn run_into(&self, states: &Bdd, budget: &Budget) -> Result<Option<Trace>, RefinementError> {
        let Prepared::System(built) = &self.implementation else { return Ok(None) };
        built.evaluator.run_into(states, &built.system, budget).map_err(refused)
    }

    /// A set of the implementation's states over the variables of the system; `None` for a graph.
    pub(super) fn in_own_manager(&self, set: &Bdd) -> Result<Option<Bdd>, RefinementError> {
        let Prepared::System(built) = &self.implementation else { return Ok(None) };
        let model = &built.evaluator.model;
        let current = self.joint.implementation.variables.current.iter().copied();
        Ok(Some(Transfer::new(&model.manager, current.zip(model.current.iter().copied())).copy(set)?))
    }
}

fn refused(failure: Failure) -> RefinementError {
    match failure {
        Failure::Stop(stop) => RefinementError::Stop(stop),
        Failure::Inputs(what) | Failure::Broken(what) => RefinementError::Malformed(what),
    }
}
