//! What one tick leaves of a sequence.
//!
//! The *linear form* of a sequence lists what may come after its first tick: a guard, which is a conjunction of Booleans at that tick, and what is left
//! to match (Antimirov's partial derivatives). The number of different sequences that are left in the end is about that of the operators, times the
//! bounds of repetitions.
//!
//! A sequence is *alive* if something could still match it, whatever the Booleans are: a weak sequence has failed when nothing of it is alive. This is
//! the standard's reading by structure, in which a Boolean that is never true may still come true.

use super::core::{Pool, Seq, SeqId};
use super::syntax::{Atom, Boolean, Times};
use super::{Problem, limits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Booleans that all hold at one tick, in order and each once.
pub(super) type Guard = Vec<Boolean>;

/// Guards, and what is left after the tick.
pub(super) type Linear = Rc<[(Guard, SeqId)]>;

/// What is known of sequences.
#[derive(Debug, Default)]
pub(super) struct Facts {
    linear: FxHashMap<SeqId, Linear>,
    alive: FxHashMap<SeqId, bool>,
    plain: FxHashMap<SeqId, SeqId>,
}

/// Both guards.
fn both(a: &Guard, b: &Guard) -> Guard {
    let mut all: Guard = a.iter().chain(b).copied().filter(|one| *one != Boolean::Const(true)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Pool {
    /// Whether a sequence matches without any tick.
    pub(super) fn is_nullable(&self, seq: SeqId) -> bool {
        match self.seq(seq) {
            Seq::Empty => true,
            Seq::Is(_) | Seq::Fuse(..) => false,
            Seq::Concat(left, right) | Seq::And(left, right) | Seq::Intersect(left, right) => {
                self.is_nullable(*left) && self.is_nullable(*right)
            }
            Seq::Or(left, right) => self.is_nullable(*left) || self.is_nullable(*right),
            Seq::Throughout(_, inner) => self.is_nullable(*inner),
            Seq::Repeat(inner, times) => times.min == 0 || self.is_nullable(*inner),
            Seq::FirstMatch(all) => all.iter().any(|seq| self.is_nullable(*seq)),
        }
    }

    /// What the first tick may leave.
    pub(super) fn linear(&mut self, seq: SeqId) -> Result<Linear, Problem> {
        if let Some(known) = self.facts.linear.get(&seq) {
            return Ok(Rc::clone(known));
        }
        let mut all = self.new_linear(seq)?;
        self.spend(1 + all.len())?;
        let mut seen = FxHashSet::default();
        all.retain(|one| seen.insert(one.clone()));
        if all.len() > limits::BRANCHES {
            return Err(Problem::Branches);
        }
        let all: Linear = all.into();
        self.facts.linear.insert(seq, Rc::clone(&all));
        Ok(all)
    }

    fn new_linear(&mut self, seq: SeqId) -> Result<Vec<(Guard, SeqId)>, Problem> {
        Ok(match self.seq(seq).clone() {
            Seq::Empty => Vec::new(),
            Seq::Is(Boolean::Const(true)) => vec![(Guard::new(), self.empty())],
            Seq::Is(boolean) => vec![(vec![boolean], self.empty())],
            Seq::Concat(left, right) => {
                let mut all = Vec::new();
                for (guard, rest) in self.linear(left)?.iter() {
                    all.push((guard.clone(), self.concat(*rest, right)));
                }
                if self.is_nullable(left) {
                    all.extend(self.linear(right)?.iter().cloned());
                }
                all
            }
            Seq::Fuse(left, right) => {
                let (first, second) = (self.linear(left)?, self.linear(right)?);
                let mut all = Vec::new();
                for (guard, rest) in first.iter() {
                    if *self.seq(*rest) != Seq::Empty {
                        all.push((guard.clone(), self.fuse(*rest, right)));
                    }
                    if self.is_nullable(*rest) {
                        all.extend(second.iter().map(|(other, after)| (both(guard, other), *after)));
                    }
                }
                all
            }
            Seq::Or(left, right) => {
                let mut all = self.linear(left)?.to_vec();
                all.extend(self.linear(right)?.iter().cloned());
                all
            }
            Seq::And(left, right) => self.linear_and(left, right)?,
            Seq::Intersect(left, right) => {
                let (first, second) = (self.linear(left)?, self.linear(right)?);
                let mut all = Vec::new();
                for (guard, rest) in first.iter() {
                    for (other, after) in second.iter() {
                        if let Some(rest) = self.common(*rest, *after) {
                            all.push((both(guard, other), rest));
                        }
                    }
                }
                all
            }
            Seq::Throughout(during, inner) => {
                let mut all = Vec::new();
                for (guard, rest) in self.linear(inner)?.iter() {
                    all.push((both(guard, &vec![during]), self.throughout(during, *rest)));
                }
                all
            }
            Seq::Repeat(inner, times) => {
                // Times that match without any tick can be left out.
                let min = if self.is_nullable(inner) { 0 } else { times.min.saturating_sub(1) };
                let rest = self.repeat(inner, Times::new(min, times.max.map(|max| max - 1)));
                let mut all = Vec::new();
                for (guard, left) in self.linear(inner)?.iter() {
                    all.push((guard.clone(), self.concat(*left, rest)));
                }
                all
            }
            Seq::FirstMatch(seqs) => self.linear_first_match(&seqs)?,
        })
    }

    /// What is left of an intersection: nothing if one side is at its end and the other is not.
    fn common(&mut self, left: SeqId, right: SeqId) -> Option<SeqId> {
        match (self.seq(left), self.seq(right)) {
            (Seq::Empty, _) => self.is_nullable(right).then_some(left),
            (_, Seq::Empty) => self.is_nullable(left).then_some(right),
            _ => Some(self.intersect(left, right)),
        }
    }

    /// Who matches first waits for the other.
    fn linear_and(&mut self, left: SeqId, right: SeqId) -> Result<Vec<(Guard, SeqId)>, Problem> {
        let (first, second) = (self.linear(left)?, self.linear(right)?);
        let mut all = Vec::new();
        if self.is_nullable(left) {
            all.extend(second.iter().cloned());
        }
        if self.is_nullable(right) {
            all.extend(first.iter().cloned());
        }
        for (guard, rest) in first.iter() {
            for (other, after) in second.iter() {
                let guard = both(guard, other);
                if self.is_nullable(*rest) {
                    all.push((guard.clone(), *after));
                }
                if self.is_nullable(*after) {
                    all.push((guard.clone(), *rest));
                }
                if *self.seq(*rest) != Seq::Empty && *self.seq(*after) != Seq::Empty {
                    all.push((guard, self.seq_and(*rest, *after)));
                }
            }
        }
        Ok(all)
    }

    /// Whether there is a match at this tick has to be known, so all that may be left is kept together: one case for each way the Booleans may be.
    fn linear_first_match(&mut self, seqs: &[SeqId]) -> Result<Vec<(Guard, SeqId)>, Problem> {
        if seqs.iter().any(|seq| self.is_nullable(*seq)) {
            return Ok(Vec::new());
        }
        let mut open = Vec::new();
        for seq in seqs {
            for (guard, rest) in self.linear(*seq)?.iter() {
                if self.is_alive(*rest)? && !guard.contains(&Boolean::Const(false)) {
                    open.push((guard.clone(), *rest));
                }
            }
        }
        let mut all = Vec::new();
        self.cases(open, Guard::new(), &mut all)?;
        Ok(all)
    }

    fn cases(
        &mut self,
        open: Vec<(Guard, SeqId)>,
        path: Guard,
        all: &mut Vec<(Guard, SeqId)>,
    ) -> Result<(), Problem> {
        if all.len() > limits::BRANCHES {
            return Err(Problem::Branches);
        }
        let atom = open.iter().flat_map(|(guard, _)| guard).find_map(|boolean| match boolean {
            Boolean::Is(atom, _) => Some(*atom),
            Boolean::Const(_) => None,
        });
        let Some(atom) = atom else {
            let rests: Vec<SeqId> = open.into_iter().map(|(_, rest)| rest).collect();
            if rests.iter().any(|rest| self.is_nullable(*rest)) {
                let end = self.empty();
                all.push((path, end));
            } else if !rests.is_empty() {
                let rests = self.widest(&rests);
                let rest = self.first_match(rests);
                all.push((path, rest));
            }
            return Ok(());
        };
        for value in [true, false] {
            let here = Boolean::Is(atom, value);
            let fits = |(guard, rest): &(Guard, SeqId)| {
                let guard = assigned(guard, atom, value)?;
                Some((guard, *rest))
            };
            let open = open.iter().filter_map(fits).collect();
            self.cases(open, both(&path, &vec![here]), all)?;
        }
        Ok(())
    }

    /// Those that are not a part of others.
    fn widest(&self, seqs: &[SeqId]) -> Vec<SeqId> {
        let is_part = |seq: SeqId| seqs.iter().any(|other| *other != seq && self.is_part(seq, *other));
        seqs.iter().copied().filter(|seq| !is_part(*seq)).collect()
    }

    /// Whether it is easy to see that all that one matches is matched by another: fewer repetitions of the same.
    pub(super) fn is_part(&self, seq: SeqId, of: SeqId) -> bool {
        if seq == of {
            return true;
        }
        let Some((outer, after)) = self.repeated(of) else { return false };
        let Seq::Repeat(repeated, times) = *self.seq(outer) else { return false };
        if times.min == 0 && after == Some(seq) {
            return true;
        }
        let Some((inner, rest)) = self.repeated(seq) else { return false };
        match *self.seq(inner) {
            Seq::Repeat(same, fewer) => {
                same == repeated
                    && rest == after
                    && times.min <= fewer.min
                    && times.max.is_none_or(|max| fewer.max.is_some_and(|fewer| fewer <= max))
            }
            _ => false,
        }
    }

    /// The repetition that a sequence begins with, and what comes after it.
    fn repeated(&self, seq: SeqId) -> Option<(SeqId, Option<SeqId>)> {
        match *self.seq(seq) {
            Seq::Repeat(..) => Some((seq, None)),
            Seq::Concat(first, rest) if matches!(self.seq(first), Seq::Repeat(..)) => {
                Some((first, Some(rest)))
            }
            _ => None,
        }
    }

    /// Whether something could still match, if Booleans were as they should.
    pub(super) fn is_alive(&mut self, seq: SeqId) -> Result<bool, Problem> {
        let start = self.plain(seq);
        if let Some(known) = self.facts.alive.get(&start) {
            return Ok(*known);
        }
        // What was reached, from where.
        let mut from: FxHashMap<SeqId, SeqId> = FxHashMap::default();
        from.insert(start, start);
        let mut open = vec![start];
        let mut end = None;
        while let Some(at) = open.pop() {
            if self.is_nullable(at) || self.facts.alive.get(&at) == Some(&true) {
                end = Some(at);
                break;
            }
            if from.len() > limits::SEQUENCES {
                return Err(Problem::States);
            }
            for (_, rest) in self.linear(at)?.iter() {
                let rest = self.plain(*rest);
                if self.facts.alive.get(&rest) != Some(&false) && !from.contains_key(&rest) {
                    from.insert(rest, at);
                    open.push(rest);
                }
            }
        }
        match end {
            None => self.facts.alive.extend(from.keys().map(|seq| (*seq, false))),
            Some(mut at) => loop {
                self.facts.alive.insert(at, true);
                match from[&at] {
                    before if before == at => break,
                    before => at = before,
                }
            },
        }
        Ok(end.is_some())
    }

    /// The sequence without `first_match`: what may match if Booleans are as they should, because then no earlier match counts.
    pub(super) fn plain(&mut self, seq: SeqId) -> SeqId {
        if let Some(known) = self.facts.plain.get(&seq) {
            return *known;
        }
        let plain = self.new_plain(seq);
        self.facts.plain.insert(seq, plain);
        plain
    }

    fn new_plain(&mut self, seq: SeqId) -> SeqId {
        match self.seq(seq).clone() {
            Seq::Empty | Seq::Is(_) => seq,
            Seq::Concat(left, right) => {
                let (left, right) = (self.plain(left), self.plain(right));
                self.concat(left, right)
            }
            Seq::Fuse(left, right) => {
                let (left, right) = (self.plain(left), self.plain(right));
                self.fuse(left, right)
            }
            Seq::Or(left, right) => {
                let (left, right) = (self.plain(left), self.plain(right));
                self.seq_or(left, right)
            }
            Seq::And(left, right) => {
                let (left, right) = (self.plain(left), self.plain(right));
                self.seq_and(left, right)
            }
            Seq::Intersect(left, right) => {
                let (left, right) = (self.plain(left), self.plain(right));
                self.intersect(left, right)
            }
            Seq::Throughout(during, inner) => {
                let inner = self.plain(inner);
                self.throughout(during, inner)
            }
            Seq::Repeat(inner, times) => {
                let inner = self.plain(inner);
                self.repeat(inner, times)
            }
            Seq::FirstMatch(all) if all.iter().any(|seq| self.is_nullable(*seq)) => self.empty(),
            Seq::FirstMatch(all) => {
                let mut any: Option<SeqId> = None;
                for seq in all {
                    let seq = self.plain(seq);
                    any = Some(any.map_or(seq, |any| self.seq_or(any, seq)));
                }
                match any {
                    Some(any) => any,
                    None => seq,
                }
            }
        }
    }
}

/// A guard where an atom has a value; nothing if it then fails.
pub(super) fn assigned(guard: &Guard, atom: Atom, value: bool) -> Option<Guard> {
    if guard.contains(&Boolean::Is(atom, !value)) {
        return None;
    }
    Some(guard.iter().copied().filter(|boolean| *boolean != Boolean::Is(atom, value)).collect())
}
