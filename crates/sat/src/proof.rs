//! Resolution refutations, cut down to what the conclusion needs.
//!
//! CaDiCaL reports each derived clause with the antecedents by which unit propagation refutes its negation. That is
//! less than a resolution proof: antecedents may be superfluous, and pivots are not named. So each clause that the conclusion
//! rests on is replayed: assume its negation, propagate over the antecedents in their order, and walk the propagations
//! backwards from the conflict, resolving on each propagated literal that the clause at hand still contains. The result
//! is a chain of resolutions. It may end in fewer literals than CaDiCaL noted, never in more.

use rustc_hash::FxHashMap;

use crate::tracer::{Origin, Tracer};
use crate::{Lit, Var};

/// A caller's tag of an input clause, such as the partition of an interpolation query that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Why there is no refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// The solver was not made by [`crate::Cadical::with_tracing`].
    NotTraced,
    /// The last query was not unsatisfiable, or clauses were added since.
    NotUnsat,
    /// Two assumptions contradict each other: no clause was needed.
    ContradictoryAssumptions,
    /// The solver's trace does not justify this step: a fault in the solver or its options.
    Unjustified,
}

/// One clause of a [`Refutation`].
#[derive(Clone, Debug)]
pub struct Step {
    /// The clause, without repetitions.
    pub literals: Box<[Lit]>,
    /// Where it comes from.
    pub derivation: Derivation,
}

/// How a clause of a [`Refutation`] is justified.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// The caller added it with this label.
    Input(Label),
    /// A chain of resolutions, which starts with an earlier step (by its position).
    Chain {
        /// The clause to start from.
        first: u32,
        /// Resolve with these steps, one after the other, on these pivots. The pivot is as it occurs in the step named here;
        /// its negation occurs in the clause resolved so far.
        resolutions: Box<[(Lit, u32)]>,
    },
}

/// Derives a clause from input clauses: the empty one, or one that negates assumptions. Steps only refer to earlier steps;
/// each is needed by the last, which is the conclusion.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Refutation {
    /// The derived clause: a disjunction of negated assumptions.
    pub fn conclusion(&self) -> &[Lit] {
        self.steps.last().map_or(&[], |step| &step.literals)
    }

    /// Turns the assumptions in the conclusion into input clauses with these labels, so that the empty clause is derived.
    pub fn discharge(mut self, label: impl Fn(Lit) -> Label) -> Refutation {
        let conclusion: Box<[Lit]> = self.conclusion().into();
        if conclusion.is_empty() || self.steps.is_empty() {
            return self;
        }
        let first = self.steps.len() as u32 - 1;
        let mut resolutions = Vec::with_capacity(conclusion.len());
        for &negated in &conclusion {
            resolutions.push((!negated, self.steps.len() as u32));
            let derivation = Derivation::Input(label(!negated));
            self.steps.push(Step { literals: Box::new([!negated]), derivation });
        }
        let derivation = Derivation::Chain { first, resolutions: resolutions.into() };
        self.steps.push(Step { literals: Box::new([]), derivation });
        self
    }

    /// Computes a value bottom-up: `leaf` for each input clause, `resolve` for each resolution; returns the conclusion's.
    /// Of the two values given to `resolve`, the first belongs to the clause with the positive pivot. Returns `None` for a
    /// refutation without steps.
    pub fn fold<T: Clone>(
        &self,
        mut leaf: impl FnMut(&[Lit], Label) -> T,
        mut resolve: impl FnMut(Var, T, T) -> T,
    ) -> Option<T> {
        let mut values: Vec<T> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match &step.derivation {
                Derivation::Input(label) => leaf(&step.literals, *label),
                Derivation::Chain { first, resolutions } => {
                    let mut value = values[*first as usize].clone();
                    for &(pivot, side) in resolutions {
                        let side = values[side as usize].clone();
                        value = if pivot.is_negated() {
                            resolve(pivot.var(), value, side)
                        } else {
                            resolve(pivot.var(), side, value)
                        };
                    }
                    value
                }
            };
            values.push(value);
        }
        values.pop()
    }

    /// The part of a trace that its conclusion rests on, as resolutions.
    pub(crate) fn extract(tracer: &Tracer) -> Result<Refutation, ProofError> {
        let conclusion = tracer.conclusion().ok_or(ProofError::NotUnsat)?;
        let negates_itself = |lit: &Lit| tracer.literals(conclusion).contains(&!*lit);
        if tracer.origin(conclusion) == Origin::Derived
            && tracer.literals(conclusion).iter().any(negates_itself)
        {
            return Err(ProofError::ContradictoryAssumptions);
        }
        let mut replay = Replay::default();
        let mut steps = Vec::new();
        let mut position: FxHashMap<u32, u32> = FxHashMap::default();
        for clause in cone(tracer, conclusion) {
            let step = match tracer.origin(clause) {
                Origin::Input(label) => {
                    let mut literals = tracer.literals(clause).to_vec();
                    literals.sort_unstable();
                    literals.dedup();
                    Step { literals: literals.into(), derivation: Derivation::Input(label) }
                }
                Origin::Derived => {
                    let antecedents: Option<Vec<u32>> =
                        tracer.antecedents(clause).iter().map(|id| position.get(id).copied()).collect();
                    let antecedents = antecedents.ok_or(ProofError::Unjustified)?;
                    replay.chain(&steps, tracer.literals(clause), &antecedents)?
                }
                Origin::Absent | Origin::Unsound => return Err(ProofError::Unjustified),
            };
            position.insert(clause, steps.len() as u32);
            steps.push(step);
        }
        Ok(Refutation { steps: needed(steps) })
    }
}

/// The clauses that this one rests on, in the order of their derivation, itself last.
pub(crate) fn cone(tracer: &Tracer, conclusion: u32) -> Vec<u32> {
    let mut seen = vec![false; conclusion as usize + 1];
    seen[conclusion as usize] = true;
    let mut clauses = Vec::new();
    for clause in (0..=conclusion).rev() {
        if seen[clause as usize] {
            clauses.push(clause);
            for &antecedent in tracer.antecedents(clause) {
                // An antecedent that comes later is no justification; extraction then misses it and says so.
                if let Some(seen) = seen.get_mut(antecedent as usize) {
                    *seen = true;
                }
            }
        }
    }
    clauses.reverse();
    clauses
}

/// Drops the steps that the last one does not use: replaying shows some antecedents to be superfluous.
fn needed(steps: Vec<Step>) -> Vec<Step> {
    let mut used = vec![false; steps.len()];
    if let Some(last) = used.last_mut() {
        *last = true;
    }
    for (index, step) in steps.iter().enumerate().rev() {
        if let (true, Derivation::Chain { first, resolutions }) = (used[index], &step.derivation) {
            used[*first as usize] = true;
            for &(_, side) in resolutions {
                used[side as usize] = true;
            }
        }
    }
    let mut kept = Vec::new();
    let mut position = vec![0; steps.len()];
    for (index, mut step) in steps.into_iter().enumerate().filter(|(index, _)| used[*index]) {
        position[index] = kept.len() as u32;
        if let Derivation::Chain { first, resolutions } = &mut step.derivation {
            *first = position[*first as usize];
            for (_, side) in resolutions {
                *side = position[*side as usize];
            }
        }
        kept.push(step);
    }
    kept
}

/// Replays one derivation after the other; tables by variable are reused.
#[derive(Default)]
struct Replay {
    /// The literal of a variable that is true now.
    assigned: Vec<Option<Lit>>,
    /// Propagated literals and the steps that forced them, in order.
    trail: Vec<(Lit, u32)>,
    /// Variables to be unassigned afterwards.
    touched: Vec<Var>,
    /// Whether the clause being resolved contains the literal, by literal.
    contained: Vec<bool>,
}

impl Replay {
    /// The derivation of a clause from steps that refute its negation by unit propagation.
    fn chain(&mut self, steps: &[Step], clause: &[Lit], antecedents: &[u32]) -> Result<Step, ProofError> {
        for &lit in clause {
            self.assign(!lit);
        }
        let conflict = self.propagate(steps, antecedents);
        let step = conflict.map(|conflict| self.resolve(steps, conflict));
        for var in self.touched.drain(..) {
            self.assigned[var.index()] = None;
        }
        self.trail.clear();
        step.ok_or(ProofError::Unjustified)
    }

    /// Propagates over the antecedents until one is falsified. CaDiCaL lists them so that one pass suffices; passes are
    /// repeated as long as they help, to depend on less.
    fn propagate(&mut self, steps: &[Step], antecedents: &[u32]) -> Option<u32> {
        loop {
            let before = self.trail.len();
            for &antecedent in antecedents {
                let mut open = steps[antecedent as usize].literals.iter().filter(|lit| !self.is_false(**lit));
                match (open.next().copied(), open.next()) {
                    (None, _) => return Some(antecedent),
                    (Some(lit), None) if !self.is_false(!lit) => {
                        self.assign(lit);
                        self.trail.push((lit, antecedent));
                    }
                    _ => {}
                }
            }
            if self.trail.len() == before {
                return None;
            }
        }
    }

    /// Walks the trail backwards from the falsified step.
    fn resolve(&mut self, steps: &[Step], first: u32) -> Step {
        let mut literals: Vec<Lit> = steps[first as usize].literals.to_vec();
        for &lit in &literals {
            self.contained[lit.index()] = true;
        }
        let mut resolutions = Vec::new();
        for &(lit, reason) in self.trail.iter().rev() {
            if !self.contained[(!lit).index()] {
                continue;
            }
            self.contained[(!lit).index()] = false;
            resolutions.push((lit, reason));
            for &other in &steps[reason as usize].literals {
                if other != lit && !self.contained[other.index()] {
                    self.contained[other.index()] = true;
                    literals.push(other);
                }
            }
        }
        literals.retain(|lit| std::mem::take(&mut self.contained[lit.index()]));
        literals.sort_unstable();
        let derivation = Derivation::Chain { first, resolutions: resolutions.into() };
        Step { literals: literals.into(), derivation }
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.assigned.get(lit.var().index()).is_some_and(|assigned| *assigned == Some(!lit))
    }

    fn assign(&mut self, lit: Lit) {
        let variable = lit.var();
        if self.assigned.len() <= variable.index() {
            self.assigned.resize(variable.index() + 1, None);
            self.contained.resize(2 * (variable.index() + 1), false);
        }
        self.assigned[variable.index()] = Some(lit);
        self.touched.push(variable);
    }
}
