//! One model in the manager that both share: its sets of states, and its steps.

use super::order::Side;
use super::source::{Built, Prepared};
use super::transfer::Transfer;
use super::{RefinementError, SymbolicOptions};
use crate::relation::Schedule;
use propcov_bdd::{Bdd, Cube, Manager, Stop, Swap, Var};
use propcov_ir::Label;
use rustc_hash::FxHashMap;

/// The variables of one model, by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// Of a state. In graphs the most significant bit is first.
    pub(super) current: Vec<Var>,
    /// Of its successor.
    pub(super) next: Vec<Var>,
    pub(super) inputs: Vec<Var>,
}

/// Where a proposition holds, and where it does not. Elsewhere it is open.
#[derive(Clone)]
pub(super) struct Truth {
    pub(super) yes: Bdd,
    pub(super) no: Bdd,
}

impl Truth {
    /// Where it is neither.
    fn open(&self) -> Result<Bdd, Stop> {
        Ok(!self.yes.or(&self.no)?)
    }

    /// Where this, which a specification says, accepts what an implementation says, or the contrary of it.
    pub(super) fn accepts(&self, promised: &Truth, flipped: bool) -> Result<Bdd, Stop> {
        let (yes, no) = match flipped {
            false => (&promised.yes, &promised.no),
            true => (&promised.no, &promised.yes),
        };
        self.yes.and(yes)?.or(&self.no.and(no)?)?.or(&self.open()?)
    }
}

/// One model in the shared manager.
pub(super) struct Half {
    pub(super) variables: Variables,
    /// Where variables of a state are among those, by variable.
    position: FxHashMap<Var, usize>,
    /// The variables of a state, to be quantified.
    pub(super) states: Cube,
    pub(super) initial: Bdd,
    pub(super) reached: Bdd,
    /// The reached ones as successors.
    pub(super) reached_next: Bdd,
    /// By proposition. Only right for reached states.
    pub(super) labels: Vec<Truth>,
    /// Reached states without successor.
    pub(super) dead: Bdd,
    /// Whether those have a loop.
    loops: bool,
    backward: Schedule,
    forward: Schedule,
    exchange: Swap,
}

/// What a half is made of.
struct Parts {
    initial: Bdd,
    reached: Bdd,
    labels: Vec<Truth>,
    relation: Vec<Bdd>,
}

impl Half {
    pub(super) fn new(
        manager: &Manager,
        prepared: &mut Prepared<'_>,
        side: Side,
        variables: Variables,
        options: &SymbolicOptions,
    ) -> Result<Half, RefinementError> {
        let Parts { initial, reached, labels, relation } = match prepared {
            Prepared::System(built) => of_system(manager, built, side, &variables, options)?,
            Prepared::Graph(listed) => {
                let current = &variables.current;
                let label = |proposition: u32| -> Result<Truth, Stop> {
                    let yes = listed.labelled(manager, current, proposition, Label::True)?;
                    Ok(Truth { yes, no: listed.labelled(manager, current, proposition, Label::False)? })
                };
                let propositions = 0..listed.graph.propositions().len() as u32;
                Parts {
                    initial: listed.set(manager, current, listed.graph.initial().iter().copied())?,
                    reached: listed.set(manager, current, listed.states().iter().copied())?,
                    labels: propositions.map(label).collect::<Result<_, _>>()?,
                    relation: vec![listed.transitions(manager, current, &variables.next)?],
                }
            }
        };
        let with_inputs =
            |states: &[Var]| -> Vec<Var> { states.iter().chain(&variables.inputs).copied().collect() };
        let backward = Schedule::new(manager, &relation, &with_inputs(&variables.next), options.cluster)?;
        let forward = Schedule::new(manager, &relation, &with_inputs(&variables.current), options.cluster)?;
        let pairs: Vec<(Var, Var)> =
            variables.current.iter().copied().zip(variables.next.iter().copied()).collect();
        let exchange = manager.swap(&pairs);
        let reached_next = reached.swap(&exchange)?;
        let dead = reached.minus(&backward.apply(&reached_next)?)?;
        Ok(Half {
            position: variables.current.iter().enumerate().map(|(at, var)| (*var, at)).collect(),
            states: manager.cube(&variables.current),
            loops: options.complete && !dead.is_false(),
            variables,
            initial,
            reached,
            reached_next,
            labels,
            dead,
            backward,
            forward,
            exchange,
        })
    }

    /// Whether a set has the state with these bits.
    pub(super) fn contains(&self, set: &Bdd, bits: &[bool]) -> bool {
        set.evaluate(&|var| self.position.get(&var).is_some_and(|at| bits[*at]))
    }

    /// Where a step leads from a reached state into the set, which is over next variables and reached states there. Other variables stay. Only right
    /// for reached states.
    pub(super) fn before(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let before = self.backward.apply(set)?;
        if self.loops { before.or(&self.dead.and(&set.swap(&self.exchange)?)?) } else { Ok(before) }
    }

    /// Where steps from the set lead, over next variables. Other variables stay.
    pub(super) fn after(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let mut after = self.forward.apply(set)?;
        if self.loops {
            after = after.or(&self.dead.and(set)?.swap(&self.exchange)?)?;
        }
        after.and(&self.reached_next)
    }
}

fn of_system(
    manager: &Manager,
    built: &mut Built,
    side: Side,
    variables: &Variables,
    options: &SymbolicOptions,
) -> Result<Parts, RefinementError> {
    let model = &built.evaluator.model;
    let current = model.current.iter().copied().zip(variables.current.iter().copied());
    let next = model.next.iter().copied().zip(variables.next.iter().copied());
    let inputs = model.inputs().iter().copied().zip(variables.inputs.iter().copied());
    let mut transfer = Transfer::new(manager, current.chain(next).chain(inputs));
    let mut labels = Vec::with_capacity(built.propositions.len());
    for (proposition, expr) in built.propositions.clone().into_iter().enumerate() {
        let states = built.states_where(expr)?.ok_or(RefinementError::Inputs { side, proposition })?;
        let yes = transfer.copy(&states)?;
        labels.push(Truth { no: !&yes, yes });
    }
    let (model, reached) = (&built.evaluator.model, &built.evaluator.reached.all);
    let relation = model
        .relation(options.largest_relation)?
        .iter()
        .map(|part| transfer.copy(part))
        .collect::<Result<_, _>>()?;
    Ok(Parts { initial: transfer.copy(&model.initial)?, reached: transfer.copy(reached)?, labels, relation })
}
