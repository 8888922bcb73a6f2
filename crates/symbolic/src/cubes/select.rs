//! Which products to make, and which of them to show.

use super::expand::Product;
use super::{Cover, Points, StateCube};
use crate::bdd::{Bdd, Stop};
use dashu_int::UBig;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Products are grown from so many points for each one that is asked for.
const ROUNDS: usize = 10;
/// Lookups in the cache of the diagrams, after which no more is tried than what the list needs.
const EFFORT: u64 = 5_000_000;

/// Larger diagrams are not projected to the preferred fields.
const PROJECTED: usize = 100_000;

/// A product that may be shown.
struct Candidate {
    product: Product,
    shown: StateCube,
    length: usize,
    /// How many open points it had when that was last counted; never less than now.
    gain: UBig,
}

pub(super) fn cover(points: &Points<'_>, most: usize) -> Result<Cover, Stop> {
    if most == 0 {
        return Ok(Cover { cubes: Vec::new(), rest: points.count(points.set) });
    }
    let candidates = candidates(points, most)?;
    greedy(points, candidates, most)
}

/// Primes from points that no prime has so far, until there is no such point or enough has been tried.
fn candidates(points: &Points<'_>, most: usize) -> Result<Vec<Candidate>, Stop> {
    let manager = points.bad.manager();
    let before = manager.stats().cache_lookups;
    let plain = plain(points)?;
    let (mut open, mut seen, mut candidates) = (points.set.clone(), FxHashSet::default(), Vec::new());
    let rounds = most.saturating_mul(ROUNDS).saturating_add(4);
    for round in 0..rounds {
        if round >= most && manager.stats().cache_lookups - before > EFFORT {
            break;
        }
        // Every other time a point that the preferred fields suffice for, if there is one.
        let nearest = match &plain {
            Some(plain) if round % 2 == 0 => Some(open.and(plain)?).filter(|points| !points.is_false()),
            _ => None,
        };
        let orders = orders(points, round);
        let Some(point) = points.pick(nearest.as_ref().unwrap_or(&open), &orders[round / 2 % 2]) else {
            break;
        };
        for order in &orders {
            let product = points.expand(&point, order)?;
            open = open.minus(&product.function)?;
            if seen.insert(product.function.clone()) {
                candidates.push(Candidate::new(points, product)?);
            }
        }
    }
    Ok(candidates)
}

/// Two orders to leave fields out: those that are not preferred first, otherwise one is the reverse of the other. Each round starts elsewhere.
fn orders(points: &Points<'_>, round: usize) -> [Vec<usize>; 2] {
    let count = points.fields.len().max(1);
    // The golden section: starts are spread over all fields, however many there are of either.
    let start = round.wrapping_mul(count * 382 / 1000 + 1) % count;
    let mut forwards: Vec<usize> = (0..points.fields.len()).collect();
    forwards.rotate_left(start);
    let mut backwards: Vec<usize> = forwards.iter().rev().copied().collect();
    for order in [&mut backwards, &mut forwards] {
        order.sort_by_key(|field| points.fields[*field].preferred);
    }
    [backwards, forwards]
}

/// The points of the set that differ from all bad ones in preferred fields, unless that is hard to say.
fn plain(points: &Points<'_>) -> Result<Option<Bdd>, Stop> {
    let others = points.fields.iter().filter(|field| !field.preferred);
    let others: Vec<_> = others.flat_map(|field| field.bits.iter().copied()).collect();
    let is_hard = points.bad.node_count() > PROJECTED;
    if is_hard || others.is_empty() || others.len() == points.vars.len() {
        return Ok(None);
    }
    let bad = points.bad.exists(&points.bad.manager().cube(&others));
    match bad.and_then(|bad| points.set.minus(&bad)) {
        Err(Stop::Nodes(_)) => Ok(None),
        plain => plain.map(Some),
    }
}

/// The candidate with the most points that no earlier one has, again and again.
fn greedy(points: &Points<'_>, mut candidates: Vec<Candidate>, most: usize) -> Result<Cover, Stop> {
    let (mut cover, mut open) = (Cover::default(), points.set.clone());
    while cover.cubes.len() < most && !open.is_false() {
        let Some(mut best) = best(&candidates) else { break };
        // A gain is out of date, but not too small: only those that come first need be counted again.
        loop {
            candidates[best].count(points, &open)?;
            let next = self::best(&candidates).unwrap_or(best);
            if next == best {
                break;
            }
            best = next;
        }
        let candidate = candidates.swap_remove(best);
        if candidate.gain == UBig::ZERO {
            break;
        }
        let Candidate { product, shown, gain, .. } = candidate;
        let points = open.and(&product.function)?;
        open = open.minus(&product.function)?;
        cover.cubes.push(StateCube { count: gain, points, ..shown });
    }
    cover.rest = points.count(&open);
    Ok(cover)
}

/// The position of the one with the greatest gain; of several, that which is shorter.
fn best(candidates: &[Candidate]) -> Option<usize> {
    (0..candidates.len()).min_by_key(|at| {
        let candidate = &candidates[*at];
        let by_text = candidate.product.literals.iter().map(|literal| (literal.field, &literal.codes));
        (Reverse(&candidate.gain), candidate.length, by_text.collect::<Vec<_>>())
    })
}

impl Candidate {
    fn new(points: &Points<'_>, product: Product) -> Result<Candidate, Stop> {
        let mut order: Vec<usize> = (0..product.literals.len()).collect();
        order.sort_by_key(|at| !points.fields[product.literals[*at].field].preferred);
        let literals = order.into_iter().map(|at| points.shown(&product.literals[at])).collect();
        let shown = StateCube { literals, count: UBig::ZERO, points: product.function.clone() };
        let length = shown.to_string().chars().count();
        let mut candidate = Candidate { product, shown, length, gain: UBig::ZERO };
        candidate.count(points, points.set)?;
        Ok(candidate)
    }

    fn count(&mut self, points: &Points<'_>, open: &Bdd) -> Result<(), Stop> {
        self.gain = points.count(&self.product.function.and(open)?);
        Ok(())
    }
}
