//! What proofs of slices were made of, and proofs that are made of the same without a solver.
//!
//! A step of a proof says: after k steps in which the premises hold, the claim holds, and of the slice that takes some elements. That is so in every slice with these elements. So the steps of all proofs, those that
//! led to nothing included, are kept; and whether a slice has a proof that is made of known steps is a matter of looking: strike each step of which the slice lacks an element, then each step with a premise for
//! which no step is left, until nothing changes. What is left supports itself, and if a step for the property is among it, that is a proof by induction.
//!
//! Where a property can be proved in many ways, they are mostly combinations of a few choices. Each choice takes a solver once, and the combinations take none. And to shrink a core as far as known steps go is to look once for each
//! element.

use super::path::Claim;
use propcov_ir::ElementSet;
use std::collections::BTreeMap;

/// More steps for one claim than this are not remembered.
const MOST_STEPS: usize = 24;
/// Premises and sets to look at while a core is shrunk: some milliseconds.
const MOST_WORK: usize = 2_000_000;

/// Steps of proofs, by the length of their induction.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    lengths: BTreeMap<usize, Known>,
}

/// A claim holds after k steps in which the premises hold, in slices with these elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) premises: Vec<Claim>,
    pub(super) elements: ElementSet,
}

/// Claims that make up a proof, without the property, and what it takes of the slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Composed {
    pub(super) lemmas: Vec<usize>,
    pub(super) core: ElementSet,
}

/// What is known of inductions of one length; claims by their numbers.
#[derive(Debug, Default)]
struct Known {
    claims: Vec<About>,
}

#[derive(Clone, Debug, Default)]
struct About {
    /// Slices with all elements of one of these satisfy the claim in the first k steps.
    bases: Vec<ElementSet>,
    steps: Vec<Step>,
}

/// The property is first.
fn number(claim: Claim) -> usize {
    match claim {
        Claim::Property => 0,
        Claim::Lemma(lemma) => lemma + 1,
    }
}

impl Arguments {
    fn about(&mut self, k: usize, claim: Claim) -> &mut About {
        let claims = &mut self.lengths.entry(k).or_default().claims;
        if claims.len() <= number(claim) {
            claims.resize_with(number(claim) + 1, About::default);
        }
        &mut claims[number(claim)]
    }

    /// A claim holds in the first k steps of slices with these elements.
    pub(super) fn add_base(&mut self, k: usize, claim: Claim, elements: &ElementSet) {
        let bases = &mut self.about(k, claim).bases;
        if bases.iter().any(|known| known.is_subset(elements)) {
            return;
        }
        bases.retain(|known| !elements.is_subset(known));
        if bases.len() >= MOST_STEPS {
            bases.remove(0);
        }
        bases.push(elements.clone());
    }

    /// A step of an induction of length k.
    pub(super) fn add_step(&mut self, k: usize, claim: Claim, step: Step) {
        let implies = |one: &Step, other: &Step| {
            one.elements.is_subset(&other.elements)
                && one.premises.iter().all(|premise| other.premises.contains(premise))
        };
        let steps = &mut self.about(k, claim).steps;
        if steps.iter().any(|known| implies(known, &step)) {
            return;
        }
        steps.retain(|known| !implies(&step, known));
        if steps.len() >= MOST_STEPS {
            steps.remove(0);
        }
        steps.push(step);
    }

    /// A known step that a slice has and whose premises are all left; of several the one that takes the fewest elements beyond these.
    pub(super) fn step(
        &self,
        k: usize,
        claim: Claim,
        kept: &ElementSet,
        beyond: &ElementSet,
        is_left: impl Fn(Claim) -> bool,
    ) -> Option<&Step> {
        let about = self.lengths.get(&k)?.claims.get(number(claim))?;
        let usable = about.steps.iter().filter(|step| {
            step.elements.is_subset(kept) && step.premises.iter().all(|premise| is_left(*premise))
        });
        usable.min_by_key(|step| step.elements.difference(beyond).len())
    }

    /// Elements of a slice that suffice for a claim to hold in the first k steps, if some are known.
    pub(super) fn base(
        &self,
        k: usize,
        claim: Claim,
        kept: &ElementSet,
        beyond: &ElementSet,
    ) -> Option<&ElementSet> {
        let about = self.lengths.get(&k)?.claims.get(number(claim))?;
        let usable = about.bases.iter().filter(|base| base.is_subset(kept));
        usable.min_by_key(|base| base.difference(beyond).len())
    }

    /// A proof of the property in a slice that is made of known steps, and the length of its induction. It takes as few elements as can be seen without a solver.
    pub(super) fn compose(&self, kept: &ElementSet) -> Option<(usize, Composed)> {
        self.lengths.iter().find_map(|(k, known)| {
            let mut work = 0;
            let composed = known.compose(kept, &mut work)?;
            Some((*k, known.shrunk(composed, work)))
        })
    }
}

impl Known {
    /// Leaves out element after element, as long as a proof is left.
    fn shrunk(&self, mut composed: Composed, mut work: usize) -> Composed {
        for element in composed.core.clone().iter() {
            if work > MOST_WORK {
                break;
            }
            if composed.core.contains(element)
                && let Some(smaller) = self.compose(&composed.core.without(element), &mut work)
            {
                composed = smaller;
            }
        }
        composed
    }

    fn compose(&self, kept: &ElementSet, work: &mut usize) -> Option<Composed> {
        let usable = self.usable(kept, work);
        if usable.first()?.is_empty() {
            return None;
        }
        let (mut core, mut needed, mut is_needed) = (ElementSet::new(), vec![0], vec![false; usable.len()]);
        is_needed[0] = true;
        let mut next = 0;
        while let Some(claim) = needed.get(next).copied() {
            next += 1;
            let about = &self.claims[claim];
            let news = |elements: &ElementSet| elements.difference(&core).len();
            let step = usable[claim].iter().map(|step| &about.steps[*step]).min_by_key(|step| {
                let unneeded = step.premises.iter().filter(|premise| !is_needed[number(**premise)]);
                (news(&step.elements), unneeded.count())
            })?;
            let base =
                about.bases.iter().filter(|base| base.is_subset(kept)).min_by_key(|base| news(base))?;
            core = core.union(&step.elements).union(base);
            for premise in &step.premises {
                if !is_needed[number(*premise)] {
                    is_needed[number(*premise)] = true;
                    needed.push(number(*premise));
                }
            }
        }
        let lemmas = needed.iter().filter_map(|claim| claim.checked_sub(1)).collect();
        Some(Composed { lemmas, core })
    }

    /// For each claim its steps that are left in a slice; none if it does not hold in the first steps, or nothing for the property rests on it.
    fn usable(&self, kept: &ElementSet, work: &mut usize) -> Vec<Vec<usize>> {
        let mut usable: Vec<Vec<usize>> = vec![Vec::new(); self.claims.len()];
        let mut is_seen = vec![false; self.claims.len()];
        let mut seen = Vec::new();
        let mut open = vec![0];
        while let Some(claim) = open.pop() {
            let Some(about) = self.claims.get(claim) else { continue };
            if std::mem::replace(&mut is_seen[claim], true) {
                continue;
            }
            seen.push(claim);
            *work += about.bases.len() + about.steps.len();
            if !about.bases.iter().any(|base| base.is_subset(kept)) {
                continue;
            }
            let has = |step: &usize| about.steps[*step].elements.is_subset(kept);
            usable[claim] = (0..about.steps.len()).filter(has).collect();
            let premises = usable[claim].iter().flat_map(|step| &about.steps[*step].premises);
            open.extend(premises.map(|premise| number(*premise)));
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &claim in &seen {
                let before = usable[claim].len();
                let is_left = |step: &usize| {
                    let premises = &self.claims[claim].steps[*step].premises;
                    *work += premises.len();
                    premises
                        .iter()
                        .all(|premise| usable.get(number(*premise)).is_some_and(|steps| !steps.is_empty()))
                };
                let left: Vec<usize> = usable[claim].iter().copied().filter(is_left).collect();
                is_changed |= left.len() < before;
                usable[claim] = left;
            }
        }
        usable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::ElementId;

    /// A generator of its own: numbers that look random are enough.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }

        fn set(&mut self, size: u64, percent: u64) -> ElementSet {
            (0..size as u32).filter(|_| self.below(100) < percent).map(ElementId).collect()
        }
    }

    fn claim(number: u64) -> Claim {
        number.checked_sub(1).map_or(Claim::Property, |lemma| Claim::Lemma(lemma as usize))
    }

    /// Steps and bases as they were told.
    #[derive(Default)]
    struct Told {
        bases: Vec<(Claim, ElementSet)>,
        steps: Vec<(Claim, Step)>,
    }

    impl Told {
        /// By definition: some set of claims with the property in it supports itself.
        fn proves(&self, kept: &ElementSet, claims: u64) -> bool {
            (0..1u64 << claims).any(|set| {
                let is_in = |claim: Claim| set >> number(claim) & 1 == 1;
                let is_supported = |of: Claim| {
                    let base = |(about, base): &(Claim, ElementSet)| *about == of && base.is_subset(kept);
                    let step = |(about, step): &(Claim, Step)| {
                        *about == of
                            && step.elements.is_subset(kept)
                            && step.premises.iter().all(|premise| is_in(*premise))
                    };
                    self.bases.iter().any(base) && self.steps.iter().any(step)
                };
                is_in(Claim::Property)
                    && (0..claims).map(claim).filter(|claim| is_in(*claim)).all(is_supported)
            })
        }
    }

    #[test]
    fn proofs_are_composed_exactly_where_a_set_of_claims_supports_itself() {
        let (mut composed, mut refused) = (0, 0);
        for seed in 0..2_000 {
            let mut numbers = Numbers(seed);
            let (claims, size) = (1 + numbers.below(5), 1 + numbers.below(7));
            let (mut arguments, mut told) = (Arguments::default(), Told::default());
            for _ in 0..numbers.below(14) {
                let of = claim(numbers.below(claims));
                let elements = numbers.set(size, 30);
                if numbers.below(2) == 0 {
                    arguments.add_base(1, of, &elements);
                    told.bases.push((of, elements));
                } else {
                    let premises = (0..claims).filter(|_| numbers.below(3) == 0).map(claim).collect();
                    let step = Step { premises, elements };
                    arguments.add_step(1, of, step.clone());
                    told.steps.push((of, step));
                }
            }
            for mask in 0..1u32 << size {
                let kept: ElementSet =
                    (0..size as u32).filter(|bit| mask >> bit & 1 == 1).map(ElementId).collect();
                let found = arguments.compose(&kept);
                assert_eq!(found.is_some(), told.proves(&kept, claims), "seed {seed}, {kept:?}");
                let Some((k, Composed { lemmas, core })) = found else {
                    refused += 1;
                    continue;
                };
                composed += 1;
                assert!(k == 1 && core.is_subset(&kept) && told.proves(&core, claims), "seed {seed}");
                // Nothing can be left out of the core, as far as known steps go.
                for element in core.iter() {
                    assert!(!told.proves(&core.without(element), claims), "seed {seed}, {core:?}");
                }
                // The lemmas support themselves and the property.
                let only = Told {
                    bases: told.bases.clone(),
                    steps: told.steps.iter().filter(|(of, _)| is_among(*of, &lemmas)).cloned().collect(),
                };
                assert!(only.proves(&core, claims), "seed {seed}: {lemmas:?}");
            }
        }
        assert!(composed > 1_000 && refused > 1_000, "{composed} composed, {refused} refused");
    }

    fn is_among(claim: Claim, lemmas: &[usize]) -> bool {
        match claim {
            Claim::Property => true,
            Claim::Lemma(lemma) => lemmas.contains(&lemma),
        }
    }
}
