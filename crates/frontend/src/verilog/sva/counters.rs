//! Numbers instead of bits.
//!
//! `##[1:1000] b` leads through a thousand obligations, one after the other, and a bit for each says how old the attempts are that wait. Often only the
//! youngest or the oldest of them matters. Such chains of obligations, each of which leads to the next under the same condition, are
//! found here, and a number says all there is to know of one:
//!
//! - *youngest*: all lead to the same elsewhere. They wait and vanish together, until the youngest leaves. (The range in an antecedent; `b[*1000]` in what has to hold.)
//! - *oldest*: none leads elsewhere, and the last one fails under the condition of the chain. If the oldest does not fail, it is because all vanish. (A range in what has to hold.)
//! - *run*: the chain begins anew at each tick, under its own condition. As many are open as there were ticks in a row. (`b[*1000]` that begins an antecedent.)
//!
//! What is no such chain has its bits: `a ##1000 b` has to remember each of the last thousand ticks.

use super::obligations::{Cases, Obligations, Target};
use std::collections::BTreeMap;

/// What is kept of obligations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Obligations with a bit each.
    pub bits: Vec<usize>,
    /// Chains with a number each.
    pub counters: Vec<Counter>,
}

/// A chain of obligations of which a number is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The obligations from the first to the last.
    pub chain: Vec<usize>,
    /// Which number.
    pub kind: CounterKind,
    /// When each leads to the next.
    pub cases: Cases,
}

/// Which number is kept of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterKind {
    /// How far the youngest is from the end.
    Youngest,
    /// How far the oldest is from the beginning.
    Oldest,
    /// How many ticks in a row.
    Run,
}

impl Plan {
    /// A plan with numbers for chains of at least so many obligations. `always` says that every tick begins an attempt.
    pub fn new(obligations: &Obligations, at_least: usize, always: bool) -> Plan {
        let count = obligations.moves.len();
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (from, moves) in obligations.moves.iter().enumerate() {
            for target in moves.keys() {
                if let Target::Open(to) = target {
                    sources[*to].push(from);
                }
            }
        }
        let mut finder = Finder { obligations, sources, taken: vec![false; count] };
        finder.taken[0] = true;
        let mut counters = Vec::new();
        for first in 1..count {
            if !finder.taken[first]
                && let Some(counter) = finder.counter(first, at_least, always)
            {
                counter.chain.iter().for_each(|one| finder.taken[*one] = true);
                counters.push(counter);
            }
        }
        let bits = (1..count).filter(|one| !finder.taken[*one]).collect();
        Plan { bits, counters }
    }
}

struct Finder<'o> {
    obligations: &'o Obligations,
    sources: Vec<Vec<usize>>,
    taken: Vec<bool>,
}

impl Finder<'_> {
    /// Where an obligation leads by itself, and when.
    fn next(&self, from: usize) -> Option<(usize, &Cases)> {
        self.obligations.moves[from].iter().find_map(|(target, cases)| match target {
            Target::Open(to) if self.sources[*to] == [from] && !self.taken[*to] && *to != from => {
                Some((*to, cases))
            }
            _ => None,
        })
    }

    /// The moves of an obligation but for that to another one.
    fn exits(&self, from: usize, to: Option<usize>) -> BTreeMap<Target, &Cases> {
        let moves = self.obligations.moves[from].iter();
        moves
            .filter(|(target, _)| Some(**target) != to.map(Target::Open))
            .map(|(target, cases)| (*target, cases))
            .collect()
    }

    /// The chain that begins with an obligation, if a number says all of it.
    fn counter(&self, first: usize, at_least: usize, always: bool) -> Option<Counter> {
        let (second, cases) = self.next(first)?;
        let mut chain = vec![first, second];
        while let Some((next, same)) = self.next(*chain.last()?)
            && same == cases
            && !chain.contains(&next)
        {
            chain.push(next);
        }
        if chain.len() < at_least {
            return None;
        }
        let (last, inner) = chain.split_last()?;
        let after = |position: usize| self.exits(chain[position], Some(chain[position + 1]));
        let at_end = self.exits(*last, None);
        let is_quiet = (0..inner.len()).all(|position| after(position).is_empty());
        let kind = match () {
            () if (0..inner.len()).all(|position| after(position) == at_end) => CounterKind::Youngest,
            () if is_quiet && at_end == BTreeMap::from([(Target::Fail, cases)]) => CounterKind::Oldest,
            () if is_quiet
                && always
                && self.sources[first] == [0]
                && self.obligations.moves[0].get(&Target::Open(first)) == Some(cases) =>
            {
                CounterKind::Run
            }
            () => return None,
        };
        let cases = cases.clone();
        Some(Counter { chain, kind, cases })
    }
}
