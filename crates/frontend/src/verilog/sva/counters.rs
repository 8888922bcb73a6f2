//! Numbers instead of bits.
//!
//! `##[1:1000] b` leads through a thousand obligations, one after the other, and a bit for each says how old the attempts are that wait. Often only the
//! youngest or the oldest of them matters. Such chains of obligations, each of which leads to the next under the same condition, are
//! found here, and a number says all there is to know of one:
//!
//! - *youngest*: all lead to the same elsewhere. They wait and vanish together, until the youngest leaves. (The range in an antecedent; `b[*1000]` in what has to hold.)
//! - *oldest*: all fail under the same condition, and lead nowhere else; the last one fails under the condition of the chain as well. If the oldest does not fail, it is because all vanish. (A range in what has to hold.)
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
        // It is no part of a chain.
        finder.taken[0] = true;
        let mut counters = Vec::new();
        // Whether a chain through an obligation was looked at.
        let mut is_known = vec![false; count];
        for first in 1..count {
            if finder.taken[first] || is_known[first] {
                continue;
            }
            let Some((chain, cases)) = finder.chain(first) else { continue };
            // The last one may begin another chain.
            chain[..chain.len() - 1].iter().for_each(|one| is_known[*one] = true);
            if let Some(counter) = finder.counter(chain, cases, at_least, always) {
                counter.chain.iter().for_each(|one| finder.taken[*one] = true);
                counters.push(counter);
            }
        }
        // What every attempt begins with is open at every tick, unless attempts begin at some ticks only: then it is remembered as others are, where something leads back to it.
        finder.taken[0] = always || finder.sources[0].is_empty();
        let bits = (0..count).filter(|one| !finder.taken[*one]).collect();
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

    /// The chain that begins with an obligation, and when each leads to the next.
    fn chain(&self, first: usize) -> Option<(Vec<usize>, Cases)> {
        let (second, cases) = self.next(first)?;
        let (mut chain, mut at) = (vec![first, second], second);
        while let Some((next, same)) = self.next(at)
            && same == cases
            && next != first
        {
            chain.push(next);
            at = next;
        }
        Some((chain, cases.clone()))
    }

    /// The longest end of a chain of which a number says all.
    fn counter(&self, mut chain: Vec<usize>, cases: Cases, at_least: usize, always: bool) -> Option<Counter> {
        let last = *chain.last()?;
        let at_end = self.exits(last, None);
        let inner = |position: usize| self.exits(chain[position], Some(chain[position + 1]));
        let count = chain.len() - 1;
        // How many at the beginning are different.
        let others = |fits: &dyn Fn(BTreeMap<Target, &Cases>) -> bool| {
            (0..count).rev().find(|position| !fits(inner(*position))).map_or(0, |position| position + 1)
        };
        let youngest = others(&|exits| exits == at_end);
        let failures = inner(count - 1);
        let only_fails = failures.keys().all(|target| *target == Target::Fail);
        let fails_in_the_end = match (at_end.len(), at_end.get(&Target::Fail)) {
            (1, Some(when)) => {
                let early = failures.get(&Target::Fail).into_iter().flat_map(|cases| cases.iter());
                let mut either: Vec<_> = early.chain(&cases).collect();
                let mut when: Vec<_> = when.iter().collect();
                either.sort_unstable();
                when.sort_unstable();
                either == when
            }
            _ => false,
        };
        let (kind, begin) = match () {
            () if chain.len() - youngest >= at_least.max(2) => (CounterKind::Youngest, youngest),
            () if only_fails && fails_in_the_end => (CounterKind::Oldest, others(&|exits| exits == failures)),
            () if always
                && self.sources[chain[0]] == [0]
                && self.obligations.moves[0].get(&Target::Open(chain[0])) == Some(&cases)
                && others(&|exits| exits.is_empty()) == 0 =>
            {
                (CounterKind::Run, 0)
            }
            () => return None,
        };
        chain.drain(..begin);
        (chain.len() >= at_least.max(2)).then_some(Counter { chain, kind, cases })
    }
}
