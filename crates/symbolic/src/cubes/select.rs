//! Which products to make, and which of them to show.

use super::expand::{Point, Product};
use super::{Codes, Cover, Points, StateCube};
use dashu_int::UBig;
use propcov_bdd::{Bdd, Stop};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Products are grown from so many points for each one that is asked for.
const ROUNDS: usize = 10;
/// Lookups in the cache of the diagrams, after which no more is tried than what the list needs.
const EFFORT: u64 = 5_000_000;

/// So many lookups products that speak of definitions may take, however few the others took.
const EXTRA: u64 = 500_000;
/// So many characters a definition has to save, where variables can say the same: a reader has to look it up.
const SURCHARGE: usize = 5;

/// Larger diagrams are not projected to the preferred fields.
const PROJECTED: usize = 100_000;

/// A product that may be shown.
struct Candidate {
    product: Product,
    shown: StateCube,
    /// How long the text is, and something for each definition in it.
    cost: usize,
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

/// Primes from points that no prime has so far, until there is no such point or enough has been tried. Those that speak of definitions come on top:
/// they do not save others from being tried, and have an effort of their own.
fn candidates(points: &Points<'_>, most: usize) -> Result<Vec<Candidate>, Stop> {
    let manager = points.bad.manager();
    let lookups = || manager.stats().cache_lookups;
    let before = lookups();
    let plain = plain(points)?;
    let (mut open, mut found, mut extras) = (points.set.clone(), Found::default(), Extras::new(points));
    let rounds = most.saturating_mul(ROUNDS).saturating_add(4);
    for round in 0..rounds {
        if round >= most && lookups() - before - extras.lookups > EFFORT {
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
            found.add(points, product)?;
        }
        let others = lookups() - before - extras.lookups;
        extras.add(points, &point, &with_definitions(points, orders, round), others, &mut found)?;
    }
    Ok(found.candidates)
}

/// Products so far, each once.
#[derive(Default)]
struct Found {
    candidates: Vec<Candidate>,
    seen: FxHashSet<Vec<(usize, Codes)>>,
}

impl Found {
    fn add(&mut self, points: &Points<'_>, product: Product) -> Result<(), Stop> {
        let literals = product.literals.iter().map(|literal| (literal.field, literal.codes.clone()));
        if self.seen.insert(literals.collect()) {
            self.candidates.push(Candidate::new(points, product)?);
        }
        Ok(())
    }
}

/// Products that speak of definitions.
struct Extras {
    is_open: bool,
    /// What they took.
    lookups: u64,
}

impl Extras {
    fn new(points: &Points<'_>) -> Extras {
        Extras { is_open: !points.defined.is_empty(), lookups: 0 }
    }

    /// Products with a point that speak of definitions: one that keeps them as long as possible, and, since variables may say the same more plainly,
    /// one without each that it has. The others have taken so many lookups.
    fn add(
        &mut self,
        points: &Points<'_>,
        point: &Point,
        order: &[usize],
        others: u64,
        found: &mut Found,
    ) -> Result<(), Stop> {
        let Some(product) = self.expand(points, point, order, others)? else { return Ok(()) };
        let used: Vec<usize> = product.literals.iter().map(|literal| literal.field).collect();
        let used: Vec<usize> = used.into_iter().filter(|at| points.definition(*at).is_some()).collect();
        found.add(points, product)?;
        for left_out in &used {
            let is_kept =
                |at: &usize| at != left_out && (points.definition(*at).is_none() || used.contains(at));
            let order: Vec<usize> = order.iter().copied().filter(is_kept).collect();
            if let Some(product) = self.expand(points, point, &order, others)? {
                found.add(points, product)?;
            }
        }
        Ok(())
    }

    /// A product, unless that is too hard, or such products took more than all others.
    fn expand(
        &mut self,
        points: &Points<'_>,
        point: &Point,
        order: &[usize],
        others: u64,
    ) -> Result<Option<Product>, Stop> {
        if !self.is_open || self.lookups > others.max(EXTRA) {
            return Ok(None);
        }
        let manager = points.bad.manager();
        let before = manager.stats().cache_lookups;
        let product = match points.expand(point, order) {
            Err(Stop::Nodes(_)) => None,
            product => Some(product?),
        };
        self.lookups += manager.stats().cache_lookups - before;
        self.is_open = product.is_some() && self.lookups <= EFFORT;
        Ok(product)
    }
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

/// One of the orders, and definitions after all fields: these stay as long as possible.
fn with_definitions(points: &Points<'_>, orders: [Vec<usize>; 2], round: usize) -> Vec<usize> {
    let (fields, count) = (points.fields.len(), points.defined.len());
    let mut definitions: Vec<usize> = (fields..fields + count).collect();
    definitions.rotate_left(round % count.max(1));
    let [backwards, forwards] = orders;
    let mut order = if round.is_multiple_of(2) {
        definitions.reverse();
        backwards
    } else {
        forwards
    };
    order.extend(definitions);
    order
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
        (Reverse(&candidate.gain), candidate.cost, by_text.collect::<Vec<_>>())
    })
}

impl Candidate {
    fn new(points: &Points<'_>, product: Product) -> Result<Candidate, Stop> {
        let mut order: Vec<usize> = (0..product.literals.len()).collect();
        order.sort_by_key(|at| match points.fields.get(product.literals[*at].field) {
            None => 0,
            Some(field) if field.preferred => 1,
            Some(_) => 2,
        });
        let literals = order.into_iter().map(|at| points.shown(&product.literals[at])).collect();
        let shown = StateCube { literals, count: UBig::ZERO, points: product.function.clone() };
        let definitions =
            product.literals.iter().filter(|literal| points.definition(literal.field).is_some());
        let cost = shown.to_string().chars().count() + SURCHARGE * definitions.count();
        let mut candidate = Candidate { product, shown, cost, gain: UBig::ZERO };
        candidate.count(points, points.set)?;
        Ok(candidate)
    }

    fn count(&mut self, points: &Points<'_>, open: &Bdd) -> Result<(), Stop> {
        self.gain = points.count(&self.product.function.and(open)?);
        Ok(())
    }
}
