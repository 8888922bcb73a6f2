//! The sets behind a verdict, written down so that somebody else can check them: for each part of a formula the states that satisfy it,
//! and the layers of the fixpoints by which they were found.
//!
//! `until` from below gives ranks, fair `EG` from above what was removed in which order, and at the end, for each condition, how far it is
//! to a step that meets it. States that are not reachable do not matter: with them left open, the sets are smaller.

use crate::check::Checker;
use crate::ctl::{Evaluator, Failure, Interpretation};
use crate::write::Sets;
use propcov_bdd::Bdd;
use propcov_ir::{Ctl, CtlVerdict, ExprId, ExprPool, PropertyId, PropertyKind, Quantifier};

/// More ranks than this are not written down.
const MOST_RANKS: usize = 400;

/// Sets of states that show a verdict.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// Owns the sets.
    pub exprs: ExprPool,
    /// The reachable states.
    pub reachable: ExprId,
    /// Those without a fair path, in the order in which they were found.
    pub unfair: Vec<(ExprId, Option<usize>)>,
    /// Those with one, and for each justice condition how far it is.
    pub fair: Option<(ExprId, Vec<Vec<ExprId>>)>,
    /// The formula, or its negation.
    pub label: Labelled,
}

/// States that satisfy a formula.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Which.
    pub set: ExprId,
    /// By rank, for `EU` and `ER`.
    pub ranks: Vec<ExprId>,
    /// What is removed, with the position of the condition that is not met there, for `AU`.
    pub removed: Option<Vec<(ExprId, Option<usize>)>>,
    /// Where a fair path can stay, and how far it is to each condition, for `ER`.
    pub recurrent: Option<(ExprId, Vec<Vec<ExprId>>)>,
    /// The operands.
    pub parts: Vec<Labelled>,
}

/// What is removed, with the position of the condition that is not met there.
type Removed = Vec<(ExprId, Option<usize>)>;

/// Why there are no sets.
enum Trouble {
    Failure(Failure),
    /// They are too large, or there is compassion.
    Missing(&'static str),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Failure(failure)
    }
}

impl From<propcov_bdd::Stop> for Trouble {
    fn from(stop: propcov_bdd::Stop) -> Trouble {
        Trouble::Failure(Failure::Stop(stop))
    }
}

impl Checker<'_> {
    /// The sets that show a verdict of this checker.
    ///
    /// # Errors
    /// Why there are none, in words.
    pub fn labelling(&mut self, property: PropertyId, verdict: &CtlVerdict) -> Result<Labelling, String> {
        let system = self.system();
        let PropertyKind::Ctl(formula) = &system.property(property).kind else {
            return Err("no CTL property".to_owned());
        };
        let holds = match verdict {
            CtlVerdict::Holds(_) => true,
            CtlVerdict::Fails(_) => false,
            CtlVerdict::Unknown(_) => return Err("no verdict".to_owned()),
        };
        let claim = formula.normal_form(!holds);
        let free = system.is_unconstrained();
        let mut writer = Writer { evaluator: self.evaluator(), sets: Sets::new(system) };
        writer.labelling(&claim, holds, free).map_err(|trouble| match trouble {
            Trouble::Failure(failure) => propcov_ir::UnknownReason::from(failure).to_string(),
            Trouble::Missing(why) => why.to_owned(),
        })
    }
}

struct Writer<'w, 's> {
    evaluator: &'w mut Evaluator,
    sets: Sets<'s>,
}

impl Writer<'_, '_> {
    fn labelling(&mut self, claim: &Ctl, holds: bool, free: bool) -> Result<Labelling, Trouble> {
        if !self.evaluator.model.fairness.compassion.is_empty() {
            return Err(Trouble::Missing("compassion"));
        }
        let all = self.evaluator.reachable_states().clone();
        let reachable = self.write_exactly(&all)?;
        let (mut unfair, mut fair) = (Vec::new(), None);
        if !free {
            unfair = self.removal(&all)?.0;
            if !holds || !claim.is_universal() {
                let states = self.evaluator.fair()?;
                fair = Some(self.recurrence(&states)?);
            }
        }
        let label = self.label(claim)?;
        Ok(Labelling { exprs: std::mem::take(&mut self.sets.exprs), reachable, unfair, fair, label })
    }

    fn label(&mut self, formula: &Ctl) -> Result<Labelled, Trouble> {
        let states = self.evaluator.states(formula)?;
        let set = self.write(&states)?;
        let mut labelled =
            Labelled { set, ranks: Vec::new(), removed: None, recurrent: None, parts: Vec::new() };
        match formula {
            Ctl::Atom(_) | Ctl::Not(_) => {}
            Ctl::Next(_, a) => labelled.parts.push(self.label(a)?),
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => {
                labelled.parts.extend([self.label(a)?, self.label(b)?]);
            }
        }
        match formula {
            Ctl::Until(Quantifier::Exists, a, b) => {
                let (hold, goal) = (self.evaluator.states(a)?, self.evaluator.states(b)?);
                let goal = self.evaluator.fair_among(&goal)?;
                labelled.ranks = self.ranks(&hold, &goal, &goal)?;
            }
            Ctl::Release(Quantifier::Exists, a, b) => {
                let (release, hold) = (self.evaluator.states(a)?, self.evaluator.states(b)?);
                let for_ever = self.evaluator.for_ever(&hold)?;
                labelled.recurrent = Some(self.recurrence(&for_ever)?);
                let released = self.evaluator.fair_among(&release.and(&hold)?)?;
                labelled.ranks = self.ranks(&hold, &released, &released.or(&for_ever)?)?;
            }
            Ctl::Until(Quantifier::All, _, b) => {
                let goal = self.evaluator.states(b)?;
                let open = self.evaluator.fair_among(&states.minus(&goal)?)?;
                let (removed, left) = self.removal(&open)?;
                if !left.is_false() {
                    return Err(Trouble::Missing("not all of it can be removed"));
                }
                labelled.removed = Some(removed);
            }
            _ => {}
        }
        Ok(labelled)
    }

    /// The states of the first set, then those of `hold` by their distance from the second.
    fn ranks(&mut self, hold: &Bdd, first: &Bdd, known: &Bdd) -> Result<Vec<ExprId>, Trouble> {
        let mut ranks = vec![self.write(first)?];
        let (mut all, mut frontier) = (known.clone(), known.clone());
        loop {
            frontier = self.evaluator.fixpoints().before(&frontier)?.and(hold)?.minus(&all)?;
            if frontier.is_false() {
                return Ok(ranks);
            }
            if ranks.len() >= MOST_RANKS {
                return Err(Trouble::Missing("too many ranks"));
            }
            ranks.push(self.write(&frontier)?);
            all = all.or(&frontier)?;
        }
    }

    /// What a fair path cannot stay in, as the iteration of Emerson and Lei removes it, and what it leaves.
    fn removal(&mut self, set: &Bdd) -> Result<(Removed, Bdd), Trouble> {
        let conditions = self.evaluator.model.fairness.justice.clone();
        let mut left = set.clone();
        let mut removed = Vec::new();
        loop {
            let before = left.clone();
            for position in 0..conditions.len().max(1) {
                let fixpoints = self.evaluator.fixpoints();
                let (stays, condition) = match conditions.get(position) {
                    Some(condition) => {
                        let steps = fixpoints.before_by(condition, &left)?.and(&left)?;
                        (fixpoints.until(&left, &steps)?, Some(position))
                    }
                    None => (fixpoints.before(&left)?.and(&left)?, None),
                };
                let gone = left.minus(&stays)?;
                if !gone.is_false() {
                    if removed.len() >= MOST_RANKS {
                        return Err(Trouble::Missing("too many ranks"));
                    }
                    removed.push((self.write(&gone)?, condition));
                }
                left = stays;
            }
            if left.is_false() || left == before {
                return Ok((removed, left));
            }
        }
    }

    /// For each condition, how far it is within the set to a step that meets it.
    fn recurrence(&mut self, set: &Bdd) -> Result<(ExprId, Vec<Vec<ExprId>>), Trouble> {
        let conditions = self.evaluator.model.fairness.justice.clone();
        let mut ranks = Vec::new();
        for position in 0..conditions.len().max(1) {
            let fixpoints = self.evaluator.fixpoints();
            let first = match conditions.get(position) {
                Some(condition) => fixpoints.before_by(condition, set)?,
                None => fixpoints.before(set)?,
            };
            let first = first.and(set)?;
            ranks.push(self.ranks(set, &first, &first)?);
        }
        Ok((self.write(set)?, ranks))
    }

    /// A set of reachable states; what it says of others is left open.
    fn write(&mut self, set: &Bdd) -> Result<ExprId, Trouble> {
        if set.is_false() {
            return Ok(self.sets.exprs.bool(false));
        }
        let small = set.restrict(self.evaluator.reachable_states())?;
        let small = if small.node_count() <= set.node_count() { small } else { set.clone() };
        self.write_exactly(&small)
    }

    fn write_exactly(&mut self, set: &Bdd) -> Result<ExprId, Trouble> {
        self.sets.write(&self.evaluator.model, set).map_err(Trouble::Missing)
    }
}
