//! Our way: cheap techniques that decide many mutants at once come first, and every run or lemma that one of them finds is tried on
//! everybody who is still undecided.
//!
//! 1. *cone*, *core*: what the property does not depend on, or its proof does not use, survives. Certified together, by one check of
//!    the proof on the slice. Where the core is hard to find, it is looked for again after simulation: what is killed needs no multiplexer, and each makes it harder.
//! 2. *simulation*: 256 mutants at a time under random stimuli (or under such that assumptions allow, where random ones are not), under those of runs that killed somebody, and under variations of these.
//! 3. *family induction*: the proof's invariant, tried on all mutants by one query more than there are failures.
//! 4. *family BMC*: at each depth, one query for "some mutant fails".
//! 5. *repair*: the greatest inductive part of known lemmas.
//! 6. Rounds of [search](super::search), each with more effort than the one before: *joint* proofs of all that is left of a mutant ([`together`]); *IC3* on each mutant that is left, warm-started with known lemmas; *family IC3*, one search for
//!    all of them; repair with what these have learnt; family BMC ever deeper; in the end the other engines.
//!
//! **Breadth before depth.** Each technique goes over the mutants of all properties before the next, dearer one, and so does each round. Nobody waits for the slowest: what can
//! be had for little is there soon, whatever happens then.

use super::Technique;
use super::family::Family;
use super::pursuit::{Pursuit, State};
use super::search::{self, CORE, Round, SECOND_CORE, Share};
use super::session::Session;
use super::together;
use propcov_engine::finite::Arrays;
use propcov_ir::Invariant;
use rustc_hash::FxHashMap;

/// Nodes and variables of the families that are kept from one technique to the next. Those of further properties are made anew each time.
const KEPT: usize = 20_000_000;

/// Applies the techniques to these properties. Where there are memories, first with what is stored at the addresses that assertions are about, and then, to what that leaves open,
/// with the whole memory, if that is not too large.
pub(crate) fn run(session: &mut Session<'_>, targets: &[usize], techniques: &[Technique]) {
    if session.options.arrays.matter_for(session.system) {
        session.look_again(session.options.arrays);
        apply_all(session, targets, techniques);
        session.look_again(Arrays::TABLES);
    }
    apply_all(session, targets, techniques);
    if session.arrays.watch(session.system) {
        session.leave_to_memories();
    }
}

fn apply_all(session: &mut Session<'_>, targets: &[usize], techniques: &[Technique]) {
    let by_proof = |technique: &&Technique| matches!(technique, Technique::Cone | Technique::Core);
    let (by_proof, rest) = techniques.split_at(techniques.iter().take_while(by_proof).count());
    // On families of their own: multiplexers of those who are decided now would only be in the way of what comes then.
    let mut again: Vec<usize> = Vec::new();
    for &target in targets {
        if once(session, target, |pursuit| !by_the_proof(pursuit, by_proof, CORE)) {
            again.push(target);
        }
    }
    let (simulation, rest) = rest.split_at(rest.iter().take_while(|t| **t == Technique::Simulation).count());
    for &target in targets {
        if !simulation.is_empty() || again.contains(&target) {
            once(session, target, |pursuit| {
                if !simulation.is_empty() {
                    apply(pursuit, Technique::Simulation, rest);
                }
                if again.contains(&target) {
                    by_the_proof(pursuit, by_proof, SECOND_CORE);
                }
                false
            });
        }
    }
    let mut families: Vec<(usize, Family<'_>)> = Vec::new();
    let mut late: Vec<usize> = Vec::new();
    let mut size = 0;
    for &target in targets {
        if session.is_over() || rest.is_empty() || session.undecided(target).is_empty() {
            continue;
        }
        if size >= KEPT {
            late.push(target);
        } else if let Some(family) = family(session, target) {
            size += family.size();
            families.push((target, family));
        }
    }
    let seed = session.options.seed;
    let mut kept: Vec<(usize, &Family<'_>, State<'_>)> =
        families.iter().map(|(target, family)| (*target, family, State::new(family, seed))).collect();
    let mut each = |session: &mut Session<'_>, step: &dyn Fn(&mut Pursuit<'_, '_, '_>) -> bool| {
        let mut is_open = false;
        for (target, family, state) in &mut kept {
            let mut pursuit = Pursuit { session, target: *target, family, state };
            if !pursuit.session.is_over() && !pursuit.undecided().is_empty() {
                is_open |= step(&mut pursuit);
            }
            state.shrink();
        }
        for target in &late {
            is_open |= once(session, *target, step);
        }
        is_open
    };
    for (at, technique) in rest.iter().enumerate() {
        each(session, &|pursuit| {
            apply(pursuit, *technique, &rest[at + 1..]);
            true
        });
    }
    let mut pool = together::Pool::default();
    let sizes: FxHashMap<usize, usize> =
        families.iter().map(|(target, family)| (*target, family.size())).collect();
    let mut round = Round::first(rest);
    loop {
        if round.has(Technique::Joint) {
            let size = |target| sizes.get(&target).copied().unwrap_or_default();
            together::round(session, targets, &mut pool, &|session, target| {
                round.ticks_together(session, target, size(target))
            });
        }
        if session.is_over() || !each(session, &|pursuit| search::round(pursuit, &round)) {
            break;
        }
        round.grow();
    }
}

/// The family of those who are undecided for a target. `None` if there is none.
fn family<'s>(session: &mut Session<'s>, target: usize) -> Option<Family<'s>> {
    let property = session.targets[target].property;
    let undecided = session.undecided(target);
    let nothing = Invariant::default();
    let invariant = session.targets[target].ground.proof().map_or(&nothing, |proof| &*proof.invariant);
    let advice = &session.options.advice.proofs;
    let (mutants, arrays) = (session.mutants, session.arrays);
    match Family::new(session.system, property, invariant, advice, mutants, &undecided, arrays) {
        Ok(family) => Some(family),
        Err(error) => {
            session.give_up(target, &error.to_string());
            None
        }
    }
}

/// Does something with a family that is not kept, unless nobody is undecided. Whether there is more to do.
fn once(session: &mut Session<'_>, target: usize, step: impl Fn(&mut Pursuit<'_, '_, '_>) -> bool) -> bool {
    if session.is_over() || session.undecided(target).is_empty() {
        return false;
    }
    let Some(family) = family(session, target) else { return false };
    let mut state = State::new(&family, session.options.seed);
    step(&mut Pursuit { session, target, family: &family, state: &mut state })
}

/// Cone and core, of which either may have been left out. Whether the core was found, or nobody asked for it.
fn by_the_proof(pursuit: &mut Pursuit<'_, '_, '_>, techniques: &[Technique], effort: Share) -> bool {
    let (cone, core) = (techniques.contains(&Technique::Cone), techniques.contains(&Technique::Core));
    if !cone && !core {
        return true;
    }
    let first = if cone { Technique::Cone } else { Technique::Core };
    pursuit.session.progress(pursuit.target, first.name());
    // The core finds out both, and both are certified together.
    pursuit.cone_and_core(first, core.then(|| pursuit.effort(effort)))
}

/// One technique, before those that follow.
fn apply(pursuit: &mut Pursuit<'_, '_, '_>, technique: Technique, next: &[Technique]) {
    // What is not proved is searched in rounds; there is nothing else for it.
    let is_proved = pursuit.bound().is_none();
    if !is_proved && !matches!(technique, Technique::Cone | Technique::Core | Technique::Simulation) {
        return;
    }
    pursuit.session.progress(pursuit.target, technique.name());
    match technique {
        Technique::Cone | Technique::Core => {
            by_the_proof(pursuit, &[technique], SECOND_CORE);
        }
        Technique::Simulation => pursuit.simulate(),
        Technique::FamilyInduction => pursuit.family_induction(),
        // A few are sooner found by a search that follows.
        Technique::FamilyBmc => {
            let may_skip = next.contains(&Technique::FamilyIc3) || next.contains(&Technique::Ic3);
            pursuit.family_bmc(pursuit.effort(search::BMC), may_skip);
        }
        Technique::Repair => pursuit.repair(pursuit.effort(search::REPAIR)),
        Technique::FamilyIc3 => search::search_family_first(pursuit, !next.contains(&Technique::Ic3)),
        // In rounds, or not one of ours.
        _ => {}
    }
}
