//! From a property to obligations: what has to be remembered of all attempts that are under way.
//!
//! An *obligation* is a set of properties of which one has to hold. All obligations that are open have to be met, and it does not matter from
//! which attempt they come; so one bit for each says all there is to remember. One tick makes of an obligation a formula (`Pool::step`), and of a formula in
//! conjunctive normal form, for each way that the Booleans at this tick may be, other obligations, or a failure: the one with no properties. Antecedents
//! only ever give obligations with one property. Only a choice within what has to hold (a range, an `or`) gives larger sets, which is what
//! determinisation costs.
//!
//! The number of obligations may be exponential in the property. Then there is a limit, and whoever passes it is told.
//!
//! # References
//! A. Chandra, D. Kozen, L. Stockmeyer, *Alternation*, JACM 28, 1981. M. Boulé, Z. Zilic, *Generating hardware assertion checkers*, Springer 2008.

use super::core::{Pool, Prop, PropId};
use super::formula::Formula;
use super::linear::Guard;
use super::syntax::{Atom, Boolean};
use super::{Problem, limits};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Properties of which one has to hold, in order.
type Clause = Vec<PropId>;

/// Where an obligation leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// The ticks so far show that the assertion fails.
    Fail,
    /// Something was reached that was marked: the end of an antecedent, by number.
    Mark(u32),
    /// Another obligation, from the next tick on.
    Open(usize),
}

/// Booleans at a tick, in disjunctive normal form.
pub type Cases = Vec<Guard>;

/// Obligations and where each leads. The first is what every attempt begins with: it is always open if one begins at every tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obligations {
    /// By obligation: where it leads, and when.
    pub moves: Vec<BTreeMap<Target, Cases>>,
}

impl Obligations {
    /// The obligations of a property.
    pub(super) fn of(pool: &mut Pool, property: PropId) -> Result<Obligations, Problem> {
        let mut builder = Builder { pool, clauses: vec![vec![property]], ids: FxHashMap::default(), work: 0 };
        let mut all = Obligations::default();
        while all.moves.len() < builder.clauses.len() {
            let clause = builder.clauses[all.moves.len()].clone();
            let moves = builder.moves(&clause)?;
            if builder.clauses.len() > limits::OBLIGATIONS {
                return Err(Problem::States);
            }
            all.moves.push(moves);
        }
        Ok(all)
    }

    /// Which tick of a word shows a failure first, and at which ticks the first mark is reached before. A letter says whether an atom holds.
    pub fn run(&self, word: &[impl Fn(Atom) -> bool]) -> (Option<usize>, Vec<usize>) {
        let mut open = BTreeSet::from([0]);
        let mut marks = Vec::new();
        for (tick, letter) in word.iter().enumerate() {
            let reached = self.targets(&open, letter);
            if reached.contains(&Target::Mark(0)) {
                marks.push(tick);
            }
            if reached.contains(&Target::Fail) {
                return (Some(tick), marks);
            }
            open = opened(&reached);
            open.insert(0);
        }
        (None, marks)
    }

    /// The tick at which the attempt of one tick fails.
    pub fn attempt(&self, word: &[impl Fn(Atom) -> bool], start: usize) -> Option<usize> {
        let mut open = BTreeSet::from([0]);
        for (tick, letter) in word.iter().enumerate().skip(start) {
            let reached = self.targets(&open, letter);
            if reached.contains(&Target::Fail) {
                return Some(tick);
            }
            open = opened(&reached);
        }
        None
    }

    fn targets(&self, open: &BTreeSet<usize>, letter: &impl Fn(Atom) -> bool) -> BTreeSet<Target> {
        let holds = |guard: &Guard| guard.iter().all(|boolean| boolean.value(letter));
        let moves = open.iter().flat_map(|from| &self.moves[*from]);
        moves.filter(|(_, cases)| cases.iter().any(holds)).map(|(target, _)| *target).collect()
    }

    /// Whether anything can fail at all.
    pub fn can_fail(&self) -> bool {
        self.moves.iter().any(|moves| moves.contains_key(&Target::Fail))
    }
}

/// The obligations among targets.
fn opened(targets: &BTreeSet<Target>) -> BTreeSet<usize> {
    let open = |target: &Target| match target {
        Target::Open(to) => Some(*to),
        Target::Fail | Target::Mark(_) => None,
    };
    targets.iter().filter_map(open).collect()
}

struct Builder<'p> {
    pool: &'p mut Pool,
    clauses: Vec<Clause>,
    ids: FxHashMap<Clause, usize>,
    /// How many parts of formulas were looked at.
    work: usize,
}

impl Builder<'_> {
    fn moves(&mut self, clause: &Clause) -> Result<BTreeMap<Target, Cases>, Problem> {
        let mut parts = Vec::new();
        for prop in clause {
            parts.push(self.pool.step(*prop)?);
        }
        let mut moves = BTreeMap::new();
        self.split(&Formula::or(parts), &mut Guard::new(), &mut moves)?;
        Ok(moves)
    }

    /// Decides Booleans one after the other, each part of a conjunction for itself.
    fn split(
        &mut self,
        formula: &Formula,
        path: &mut Guard,
        moves: &mut BTreeMap<Target, Cases>,
    ) -> Result<(), Problem> {
        self.work += formula.size();
        if self.work > limits::WORK {
            return Err(Problem::States);
        }
        match (formula, formula.atom()) {
            (Formula::Const(true), _) => {}
            (Formula::Const(false), _) => moves.entry(Target::Fail).or_default().push(path.clone()),
            (Formula::And(parts), _) => {
                for part in parts.iter() {
                    self.split(part, path, moves)?;
                }
            }
            (_, Some(atom)) => {
                if path.len() > limits::DECISIONS {
                    return Err(Problem::Branches);
                }
                for value in [true, false] {
                    path.push(Boolean::Is(atom, value));
                    self.split(&formula.with(atom, value), path, moves)?;
                    path.pop();
                }
            }
            (_, None) => {
                for clause in self.normal_form(formula)? {
                    let target = self.target(clause);
                    moves.entry(target).or_default().push(path.clone());
                }
            }
        }
        if moves.values().map(Vec::len).sum::<usize>() > limits::BRANCHES {
            return Err(Problem::Branches);
        }
        Ok(())
    }

    fn target(&mut self, clause: Clause) -> Target {
        if let [only] = clause.as_slice()
            && let Prop::Mark(number) = *self.pool.prop(*only)
        {
            return Target::Mark(number);
        }
        if clause == self.clauses[0] {
            return Target::Open(0);
        }
        let next = self.clauses.len();
        let id = *self.ids.entry(clause.clone()).or_insert(next);
        if id == next {
            self.clauses.push(clause);
        }
        Target::Open(id)
    }

    /// Conjunctive normal form of a formula without Booleans at this tick.
    fn normal_form(&mut self, formula: &Formula) -> Result<Vec<Clause>, Problem> {
        let mut clauses = match formula {
            Formula::Then(prop) => vec![vec![*prop]],
            Formula::And(parts) => {
                let mut all = Vec::new();
                for part in parts.iter() {
                    all.extend(self.normal_form(part)?);
                }
                all
            }
            Formula::Or(parts) => {
                let mut all: Vec<Clause> = vec![Vec::new()];
                for part in parts.iter() {
                    let part = self.normal_form(part)?;
                    self.work += all.len() * part.len() * (1 + all.first().map_or(0, Vec::len));
                    if self.work > limits::WORK {
                        return Err(Problem::States);
                    }
                    let both =
                        |left: &Clause| part.iter().map(|right| self.join(left, right)).collect::<Vec<_>>();
                    all = all.iter().flat_map(both).collect();
                    self.absorb(&mut all);
                }
                all
            }
            Formula::Const(_) | Formula::Now(_) => Vec::new(),
        };
        self.absorb(&mut clauses);
        Ok(clauses)
    }

    /// One of all these, without those from which another one follows.
    fn join(&self, left: &Clause, right: &Clause) -> Clause {
        let mut all: Clause = left.iter().chain(right).copied().collect();
        all.sort_unstable();
        all.dedup();
        let is_needless =
            |prop: PropId| all.iter().any(|other| *other != prop && self.pool.follows(*other, prop));
        all.iter().copied().filter(|prop| !is_needless(*prop)).collect()
    }

    /// Leaves out what follows from others.
    fn absorb(&self, clauses: &mut Vec<Clause>) {
        clauses.sort_by_key(Vec::len);
        let mut kept: Vec<Clause> = Vec::new();
        for clause in clauses.drain(..) {
            if !kept.iter().any(|other| other.iter().all(|prop| clause.contains(prop))) {
                kept.push(clause);
            }
        }
        *clauses = kept;
    }
}
