//! All that a run directory claims, checked again by the independent checker alone.
//!
//! A claim is about what a property meant when it was made, so it is checked on a design in which the property means the same.

use super::Asked;
use crate::cover::holes;
use propcov_budget::Budget;
use propcov_certify::{CoreChecker, Rejection};
use propcov_coverage::difference::{self, observation};
use propcov_coverage::mutation::{Recheck, Standing, recheck_proof, recheck_proofs, recheck_violation};
use propcov_ir::{ElementSet, Finding, Meanings, Mutant, Proof, PropertyId, Status, System};
use propcov_result::{Claim, Verification};
use propcov_store::{
    Archive, ClaimId, Claimed, Effect, Proved, Recalled, RecalledSlices, SliceClaim, SliceWitness, Wanted,
    Witness,
};
use propcov_verify::PanicLog;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// As long as it takes.
const ENDLESS: Duration = Duration::MAX;

/// What kinds of claims are called.
const PROVED: &str = "proved properties";
const VIOLATED: &str = "violated properties";
const DEAD: &str = "statements that no run executes";
const REACHED: &str = "statements that a run executes";
const COVERED: &str = "covered mutants";
const UNCOVERED: &str = "uncovered mutants";
const EFFECTS: &str = "mutants compared with the design";
const CORES: &str = "cores";
const INADEQUATE: &str = "sets that do not suffice";

/// One claim, or what it says about one mutant.
type Part = (ClaimId, Option<String>);

/// Checks everything that is claimed about what these designs mean.
pub(super) fn audit(
    archive: &Archive,
    designs: &[Asked],
    limits: &Budget,
    panics: &PanicLog,
) -> Verification {
    let mut audit = Audit {
        limits,
        panics,
        parts: BTreeMap::new(),
        without_evidence: BTreeSet::new(),
        repeated: BTreeSet::new(),
    };
    for design in designs {
        audit.design(archive, design);
    }
    audit.verified(archive)
}

struct Audit<'a> {
    limits: &'a Budget,
    panics: &'a PanicLog,
    /// What became of each part of each claim, and its kind.
    parts: BTreeMap<Part, (&'static str, Standing)>,
    without_evidence: BTreeSet<ClaimId>,
    /// Claims that others make as well, with the same evidence: it is checked once.
    repeated: BTreeSet<ClaimId>,
}

impl Audit<'_> {
    fn design(&mut self, archive: &Archive, Asked { system, own }: &Asked) {
        let meanings = Meanings::new(system);
        let properties: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
        let mutants: Vec<Mutant> =
            system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
        let wanted = Wanted { properties: &properties, mutants: &mutants, candidates: false };
        let recalled = archive.recall(system, &meanings, &wanted);
        self.without_evidence.extend(&recalled.without_evidence);
        self.repeated.extend(&recalled.repeated);
        self.properties(system, *own, &recalled);
        for property in properties.iter().copied() {
            self.findings(system, property, &recalled);
        }
        for effect in &recalled.effects {
            self.effect(system, &meanings, effect);
        }
        let slices = archive.recall_slices(system, &meanings, &properties, false);
        self.without_evidence.extend(&slices.without_evidence);
        self.repeated.extend(&slices.repeated);
        for property in &properties {
            self.slices(system, *property, &slices);
        }
    }

    /// Notes what became of a part. A design in which it holds is enough.
    fn note(&mut self, part: Part, kind: &'static str, standing: Standing) {
        let known = self.parts.entry(part).or_insert((kind, standing));
        if known.1 != Standing::Accepted && standing != Standing::Rejected {
            known.1 = standing;
        }
    }

    fn holds(&self, part: &Part) -> bool {
        self.parts.get(part).is_some_and(|(_, standing)| *standing == Standing::Accepted)
    }

    /// Evidence that makes the checker crash shows nothing.
    fn guarded(&self, check: impl FnOnce() -> Standing) -> Standing {
        if self.limits.is_exhausted() {
            return Standing::Postponed;
        }
        let standing = self.panics.guard(check).unwrap_or(Standing::Rejected);
        self.panics.take();
        standing
    }

    fn properties(&mut self, system: &System, own: usize, recalled: &Recalled) {
        let is_own = |property: PropertyId| (property.0 as usize) < own;
        let open = recalled.proved.iter().filter(|proved| !self.holds(&(proved.claim, None)));
        let open: Vec<&Proved> = open.collect();
        let proofs: Vec<(PropertyId, &Proof)> =
            open.iter().map(|proved| (proved.property, &*proved.proof)).collect();
        let together = self.panics.guard(|| recheck_proofs(system, &proofs, self.limits));
        self.panics.take();
        for (at, proved) in open.into_iter().enumerate() {
            // One that makes the checker crash must not be in the way of others.
            let standing = together.as_ref().map_or_else(
                || {
                    let (property, proof) = proofs[at];
                    self.guarded(|| recheck_proof(system, property, proof, self.limits, ENDLESS))
                },
                |standings| standings[at],
            );
            let kind = if is_own(proved.property) { PROVED } else { DEAD };
            self.note((proved.claim, None), kind, standing);
        }
        for violated in &recalled.violated {
            let part = (violated.claim, None);
            if !self.holds(&part) {
                let check = || recheck_violation(system, violated.property, &violated.run, violated.steps);
                let standing = self.guarded(check);
                let kind = if is_own(violated.property) { VIOLATED } else { REACHED };
                self.note(part, kind, standing);
            }
        }
    }

    fn findings(&mut self, system: &System, property: PropertyId, recalled: &Recalled) {
        let part = |claimed: &Claimed| -> Part {
            let (finding, property) = (&claimed.finding, &system.property(property).name);
            let (edit, element) =
                (finding.mutant.mutation.name(), &system.element(finding.mutant.element).name);
            let verb = if is_kill(finding) { "notices" } else { "does not notice" };
            (claimed.claim, Some(format!("{property} {verb} {edit} of {element}")))
        };
        let claims = recalled.findings.iter().filter(|claimed| claimed.finding.property == property);
        let claims: Vec<&Claimed> = claims.filter(|claimed| !self.holds(&part(claimed))).collect();
        let findings: Vec<_> = claims.iter().map(|claimed| &claimed.finding).collect();
        let recheck = Recheck { system, property, limits: self.limits, allowance: ENDLESS };
        let standings = self.panics.guard(|| recheck.each(&findings));
        self.panics.take();
        let standings = standings.unwrap_or_else(|| vec![Standing::Rejected; claims.len()]);
        for (claimed, standing) in claims.iter().zip(standings) {
            let kind = if is_kill(&claimed.finding) { COVERED } else { UNCOVERED };
            self.note(part(claimed), kind, standing);
        }
    }

    /// What a mutant is said to do, if the question means the same here.
    fn effect(&mut self, system: &System, meanings: &Meanings, effect: &Effect) {
        let part = (effect.claim, None);
        let named = |name: &String| {
            let position = system.properties().iter().position(|property| property.name == *name);
            position.map(|position| PropertyId(position as u32))
        };
        let properties: Option<Vec<PropertyId>> = effect.properties.iter().map(named).collect();
        let (Some(properties), Ok(notion)) = (properties, holes::notion(system, &effect.observe)) else {
            return;
        };
        let observed = observation(system, &properties, effect.mutant, &notion);
        let meaning = difference::meaning(system, meanings, &properties, effect.mutant, &observed);
        if self.holds(&part) || meaning != effect.meaning {
            return;
        }
        let check = || {
            let answer = match &effect.witness {
                Witness::Differs(kill) => {
                    difference::replay(system, &properties, effect.mutant, &observed, kill).map(|_| ())
                }
                Witness::NoEffect(kept) => difference::recheck_no_effect(
                    system,
                    &properties,
                    effect.mutant,
                    &observed,
                    |product| kept.on(product),
                    self.limits,
                )
                .map(|_| ()),
            };
            match answer {
                Ok(()) => Standing::Accepted,
                Err(Rejection::Undecided) => Standing::Postponed,
                Err(_) => Standing::Rejected,
            }
        };
        let standing = self.guarded(check);
        self.note(part, EFFECTS, standing);
    }

    /// What is said to suffice for a property, or not to: everything but what is freed is kept.
    fn slices(&mut self, system: &System, property: PropertyId, recalled: &RecalledSlices) {
        let claims = recalled.claims.iter().filter(|claim| claim.property == property);
        let claims: Vec<&SliceClaim> = claims.filter(|claim| !self.holds(&(claim.claim, None))).collect();
        let all: ElementSet = system.element_ids().collect();
        let mut checker = match claims.is_empty() {
            true => return,
            false => CoreChecker::new(system, &all, property).ok(),
        };
        for claim in claims {
            let kept = all.difference(&claim.freed);
            let kind = match claim.witness {
                SliceWitness::Proof(_) => CORES,
                SliceWitness::Run(_) => INADEQUATE,
            };
            let standing = self.guarded(|| {
                let Some(checker) = &mut checker else { return Standing::Rejected };
                let answer = match &claim.witness {
                    SliceWitness::Proof(proof) => checker.adequate(&kept, proof, self.limits),
                    SliceWitness::Run(run) => match run.on(system, &claim.freed) {
                        Some(run) => checker.inadequate(&kept, &run),
                        None => return Standing::Rejected,
                    },
                };
                match answer {
                    Ok(()) => Standing::Accepted,
                    Err(Rejection::Undecided) => Standing::Postponed,
                    Err(_) => Standing::Rejected,
                }
            });
            self.note((claim.claim, None), kind, standing);
        }
    }

    fn verified(self, archive: &Archive) -> Verification {
        let mut verified = Verification::default();
        let state = |claim: ClaimId, reason: Option<&str>| {
            let described = archive.describe(claim);
            let (claim, file) = described
                .map_or((String::new(), String::new()), |(words, path)| (words, path.display().to_string()));
            Claim { claim, file, reason: reason.map(str::to_owned) }
        };
        let mut seen: BTreeSet<ClaimId> = BTreeSet::new();
        for ((claim, words), (kind, standing)) in &self.parts {
            seen.insert(*claim);
            let statement = |reason: Option<&str>| {
                let whole = state(*claim, reason);
                Claim { claim: words.clone().unwrap_or(whole.claim), ..whole }
            };
            match standing {
                Standing::Accepted => *verified.holding.entry((*kind).to_owned()).or_default() += 1,
                Standing::Rejected => verified.failing.push(statement(None)),
                Standing::Postponed => verified.unchecked.push(statement(Some("out of time"))),
            }
        }
        for claim in archive.claim_ids().filter(|claim| !seen.contains(claim)) {
            if self.without_evidence.contains(&claim) {
                verified.unchecked.push(state(claim, Some("its evidence is missing or damaged")));
            } else if !self.repeated.contains(&claim) {
                verified.elsewhere += 1;
            }
        }
        verified
    }
}

fn is_kill(finding: &Finding) -> bool {
    matches!(finding.status, Status::Covered(_))
}
