//! The rules for sets of states, one question to the solver after the other.

use super::exists::{Case, Exists, Target};
use super::{CtlProof, Label, Recurrent, Removed, Why};
use crate::Rejection;
use crate::encode::{Gates, Selectors, Start, Steps, Unrolling};
use propcov_budget::Budget;
use propcov_ir::{
    ConstraintKind, Ctl, Edits, ExprId, Fairness,
    Quantifier::{All, Exists as Some_},
    System,
};
use propcov_sat::{CadicalConfig, Lit, Outcome};

/// Accepts that each initial state is in the set of the claim or unfair; or that some initial state is in it and fair.
pub(super) fn check(
    system: &System,
    claim: &Ctl,
    holds: bool,
    proof: &CtlProof,
    budget: &Budget,
) -> Result<(), Rejection> {
    let edits = Edits::none();
    let config = CadicalConfig { inprocessing: false, ..CadicalConfig::default() };
    let steps =
        |start| -> Steps<'_, Gates> { Steps::new(config, system, &edits, Selectors::default(), start) };
    let (mut first, mut single, mut double) =
        (steps(Start::Initial), steps(Start::Anywhere), steps(Start::Anywhere));
    let mut initial = Unrolling::new(&mut first, &proof.exprs, budget);
    initial.assume(0, ConstraintKind::Initial)?;
    initial.extend(0)?;
    let mut here = Unrolling::new(&mut single, &proof.exprs, budget);
    here.extend(0)?;
    let mut step = Unrolling::new(&mut double, &proof.exprs, budget);
    step.extend(0)?;
    step.extend(1)?;
    let justice = (system.fairness.iter())
        .filter_map(|condition| match condition {
            Fairness::Justice(expr) => Some(*expr),
            Fairness::Compassion(..) => None,
        })
        .collect();
    let free = system.is_unconstrained();
    let mut rules = Rules { system, edits: &edits, proof, budget, here, step, justice, free };
    let outside = !initial.lemma(0, proof.reachable)?;
    refute(&mut initial, &[outside], budget, "some initial state is not among the reachable ones")?;
    rules.closed()?;
    rules.removal(None, &proof.unfair)?;
    if !free && let Some(fair) = &proof.fair {
        rules.recurrence(fair)?;
    }
    rules.label(claim, &proof.label)?;
    let set = initial.lemma(0, proof.label.set)?;
    if holds {
        let mut violation = vec![!set];
        for removed in &proof.unfair {
            violation.push(!initial.lemma(0, removed.set)?);
        }
        return refute(
            &mut initial,
            &violation,
            budget,
            "some initial state is not in the set of the formula",
        );
    }
    let mut witness = vec![set];
    if !free {
        witness.push(match &proof.fair {
            Some(fair) => initial.lemma(0, fair.set)?,
            None => return Err(rejected("no state is shown to be fair")),
        });
    }
    match initial.gates().solve(&witness, budget) {
        Outcome::Sat => Ok(()),
        Outcome::Unsat => Err(rejected("no fair initial state is in the set of the negation")),
        Outcome::Unknown => Err(Rejection::Undecided),
    }
}

fn rejected(why: &str) -> Rejection {
    Rejection::Labels(why.to_owned())
}

/// Rejects unless nothing satisfies all literals.
fn refute(
    unrolling: &mut Unrolling<'_, '_>,
    literals: &[Lit],
    budget: &Budget,
    otherwise: &str,
) -> Result<(), Rejection> {
    match unrolling.gates().solve(literals, budget) {
        Outcome::Unsat => Ok(()),
        Outcome::Sat => Err(rejected(otherwise)),
        Outcome::Unknown => Err(Rejection::Undecided),
    }
}

struct Rules<'a, 'c> {
    system: &'a System,
    edits: &'a Edits,
    proof: &'c CtlProof,
    budget: &'c Budget,
    /// Any reachable state.
    here: Unrolling<'a, 'c>,
    /// A step from one.
    step: Unrolling<'a, 'c>,
    justice: Vec<ExprId>,
    /// Whether every state is fair.
    free: bool,
}

impl<'a, 'c> Rules<'a, 'c> {
    /// No step leaves the reachable states; from now on only these count.
    fn closed(&mut self) -> Result<(), Rejection> {
        let here = self.here.lemma(0, self.proof.reachable)?;
        self.here.gates().clause(&[here]);
        let (from, to) = (self.set(0, self.proof.reachable)?, self.set(1, self.proof.reachable)?);
        self.step.gates().clause(&[from]);
        refute(&mut self.step, &[!to], self.budget, "some step leaves the reachable states")?;
        self.step.gates().clause(&[to]);
        Ok(())
    }

    /// A set before (0) or after (1) a step.
    fn set(&mut self, step: u32, set: ExprId) -> Result<Lit, Rejection> {
        self.step.lemma(step, set)
    }

    /// The unfair states before or after a step.
    fn unfair(&mut self, step: u32) -> Result<Lit, Rejection> {
        let mut literals = Vec::with_capacity(self.proof.unfair.len());
        for removed in &self.proof.unfair {
            literals.push(self.step.lemma(step, removed.set)?);
        }
        Ok(self.step.gates().or_all(&literals))
    }

    fn unfair_here(&mut self) -> Result<Lit, Rejection> {
        let mut literals = Vec::with_capacity(self.proof.unfair.len());
        for removed in &self.proof.unfair {
            literals.push(self.here.lemma(0, removed.set)?);
        }
        Ok(self.here.gates().or_all(&literals))
    }

    /// The sets in which a state has to be in order to be fair.
    fn fair(&self) -> Result<Vec<Vec<ExprId>>, Rejection> {
        match &self.proof.fair {
            _ if self.free => Ok(Vec::new()),
            Some(fair) => Ok(vec![vec![fair.set]]),
            None => Err(rejected("no state is shown to be fair")),
        }
    }

    fn no_state(&mut self, literals: &[Lit], otherwise: &str) -> Result<(), Rejection> {
        refute(&mut self.here, literals, self.budget, otherwise)
    }

    fn no_step(&mut self, literals: &[Lit], otherwise: &str) -> Result<(), Rejection> {
        refute(&mut self.step, literals, self.budget, otherwise)
    }

    /// Whether a literal of a state implies that it is in one of the sets.
    fn covered(&mut self, literals: &[Lit], sets: &[ExprId], otherwise: &str) -> Result<(), Rejection> {
        let mut violation = literals.to_vec();
        for set in sets {
            violation.push(!self.here.lemma(0, *set)?);
        }
        self.no_state(&violation, otherwise)
    }

    /// No fair path stays that begins in one of the sets: among all states, or in what is `within` a label, outside of another and fair.
    fn removal(&mut self, within: Option<(ExprId, ExprId)>, removed: &[Removed]) -> Result<(), Rejection> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        if let Some((set, goal)) = within {
            for (step, literals) in [(0, &mut before), (1, &mut after)] {
                let (set, goal) = (self.set(step, set)?, self.set(step, goal)?);
                let unfair = self.unfair(step)?;
                literals.extend([set, !goal, !unfair]);
            }
        }
        let mut earlier = self.step.gates().constant(false);
        for Removed { set, condition } in removed {
            let (from, to) = (self.set(0, *set)?, self.set(1, *set)?);
            let mut stays = before.clone();
            stays.extend(&after);
            stays.extend([from, !earlier]);
            let why = "a step from a removed state stays";
            match condition {
                None => self.no_step(&stays, why)?,
                Some(position) => {
                    let Some(condition) = self.justice.get(*position).copied() else {
                        return Err(Rejection::Malformed(format!("no justice condition {position}")));
                    };
                    let met = self.step.condition(0, condition)?;
                    for last in [!to, met] {
                        let violation: Vec<Lit> = stays.iter().copied().chain([last]).collect();
                        self.no_step(&violation, why)?;
                    }
                }
            }
            earlier = self.step.gates().or(earlier, to);
        }
        Ok(())
    }

    /// Each state of the set has a fair path in it.
    fn recurrence(&mut self, recurrent: &Recurrent) -> Result<(), Rejection> {
        if self.system.fairness.len() > self.justice.len() {
            return Err(Rejection::Unsupported("compassion".to_owned()));
        }
        if recurrent.ranks.len() != self.justice.len().max(1) {
            return Err(Rejection::Malformed("ranks for other justice conditions".to_owned()));
        }
        let set = self.here.lemma(0, recurrent.set)?;
        for (position, ranks) in recurrent.ranks.iter().enumerate() {
            self.covered(&[set], ranks, "a recurrent state has no rank")?;
            let mut cases = Vec::with_capacity(ranks.len());
            for (rank, states) in ranks.iter().enumerate() {
                let own = self.here.lemma(0, *states)?;
                self.no_state(&[own, !set], "a state with a rank is not recurrent")?;
                cases.push(match rank {
                    0 => Case {
                        from: *states,
                        condition: self.justice.get(position).copied(),
                        to: Target::Sets(vec![vec![recurrent.set]]),
                    },
                    _ => Case { from: *states, condition: None, to: Target::Earlier(None) },
                });
            }
            self.exists(&cases)?;
        }
        Ok(())
    }

    fn exists(&self, cases: &[Case]) -> Result<(), Rejection> {
        let Rules { system, edits, proof, budget, .. } = *self;
        Exists { system, edits, exprs: &proof.exprs, reachable: proof.reachable, budget }.check(cases)
    }

    /// The states of a label satisfy the formula.
    fn label(&mut self, formula: &Ctl, label: &Label) -> Result<(), Rejection> {
        let operands: Vec<&Ctl> = match formula {
            Ctl::Atom(_) | Ctl::Not(_) => Vec::new(),
            Ctl::Next(_, a) => vec![a],
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => vec![a, b],
        };
        if operands.len() != label.parts.len() {
            return Err(Rejection::Malformed("sets for another formula".to_owned()));
        }
        for (operand, part) in operands.into_iter().zip(&label.parts) {
            self.label(operand, part)?;
        }
        let part = |at: usize| label.parts[at].set;
        let set = self.here.lemma(0, label.set)?;
        match (formula, &label.why) {
            (Ctl::Atom(atom), Why::Plain) => {
                let atom = self.here.condition(0, *atom)?;
                self.no_state(&[set, !atom], "an atom is false")
            }
            (Ctl::Not(atom), Why::Plain) => {
                let Ctl::Atom(atom) = **atom else {
                    return Err(Rejection::Malformed("a negation in front of no atom".to_owned()));
                };
                let atom = self.here.condition(0, atom)?;
                self.no_state(&[set, atom], "a negated atom is true")
            }
            (Ctl::And(..), Why::Plain) => {
                for at in [0, 1] {
                    self.covered(&[set], &[part(at)], "a part of a conjunction is not shown")?;
                }
                Ok(())
            }
            (Ctl::Or(..), Why::Plain) => {
                self.covered(&[set], &[part(0), part(1)], "neither part of a disjunction is shown")
            }
            (Ctl::Next(All, _), Why::Plain) => {
                let (from, to) = (self.set(0, label.set)?, self.set(1, part(0))?);
                let (before, after) = (self.unfair(0)?, self.unfair(1)?);
                self.no_step(&[from, !before, !to, !after], "a step of AX leads elsewhere")
            }
            (Ctl::Next(Some_, _), Why::Plain) => {
                let mut sets = self.fair()?;
                sets.push(vec![part(0)]);
                self.exists(&[Case { from: label.set, condition: None, to: Target::Sets(sets) }])
            }
            (Ctl::Release(All, ..), Why::Plain) => {
                let unfair = self.unfair_here()?;
                self.covered(&[set, !unfair], &[part(1)], "what is released does not hold")?;
                let release = part(0);
                self.goes_on(label.set, release)
            }
            (Ctl::Until(All, ..), Why::Removal(removed)) => {
                let (unfair, goal) = (self.unfair_here()?, self.here.lemma(0, part(1))?);
                self.covered(&[set, !unfair, !goal], &[part(0)], "what holds until then does not")?;
                self.goes_on(label.set, part(1))?;
                let sets: Vec<ExprId> = removed.iter().map(|removed| removed.set).collect();
                self.covered(&[set, !unfair, !goal], &sets, "a path may stay for ever")?;
                self.removal(Some((label.set, part(1))), removed)
            }
            (Ctl::Until(Some_, ..), Why::Ranks(ranks)) => {
                self.covered(&[set], ranks, "a state has no rank")?;
                self.ranked(ranks, part(1), part(0), None)
            }
            (Ctl::Release(Some_, ..), Why::Recurrence(recurrent, ranks)) => {
                let sets: Vec<ExprId> = ranks.iter().copied().chain([recurrent.set]).collect();
                self.covered(&[set], &sets, "a state has no rank")?;
                for held in &sets {
                    let held = self.here.lemma(0, *held)?;
                    self.covered(&[held], &[part(1)], "what is released does not hold")?;
                }
                self.recurrence(recurrent)?;
                self.ranked(ranks, part(0), part(1), Some(recurrent.set))
            }
            _ => Err(Rejection::Malformed("another reason than the formula needs".to_owned())),
        }
    }

    /// Steps from the set lead back to it, or to unfair states, unless the first state is in `except`.
    fn goes_on(&mut self, set: ExprId, except: ExprId) -> Result<(), Rejection> {
        let (from, to, except) = (self.set(0, set)?, self.set(1, set)?, self.set(0, except)?);
        let (before, after) = (self.unfair(0)?, self.unfair(1)?);
        self.no_step(&[from, !except, !before, !to, !after], "a step leads out of the set")
    }

    /// Rank 0 is fair and at the goal; from others, where `hold` is true, some step leads to a lesser rank, or to the set given.
    fn ranked(
        &mut self,
        ranks: &[ExprId],
        goal: ExprId,
        hold: ExprId,
        or_to: Option<ExprId>,
    ) -> Result<(), Rejection> {
        let mut cases = Vec::with_capacity(ranks.len());
        for (rank, states) in ranks.iter().enumerate() {
            let own = self.here.lemma(0, *states)?;
            if rank > 0 {
                self.covered(&[own], &[hold], "a state on the way does not satisfy the formula")?;
                cases.push(Case { from: *states, condition: None, to: Target::Earlier(or_to) });
                continue;
            }
            self.covered(&[own], &[goal], "a state of rank 0 is not at the goal")?;
            // A formula that nobody satisfies needs no fair state.
            if self.here.gates().solve(&[own], self.budget) != Outcome::Unsat {
                for sets in self.fair()? {
                    self.covered(&[own], &sets, "a state of rank 0 is not fair")?;
                }
            }
            cases.push(Case { from: *states, condition: None, to: Target::Nothing });
        }
        self.exists(&cases)
    }
}
