//! Family IC3: one search for many variants of a system, of which selectors that never change choose one.
//!
//! Obligations are about one member; lemmas are generalised to as many members as possible: without the member's selector, and with
//! the selectors of those members for which they fail as exceptions. A counterexample kills a member, which is switched off; what was
//! learnt stays valid, as there are only fewer runs than before, so the search simply goes on. In the end one invariant holds for
//! everybody who is left.

use super::block::Predecessor;
use super::cube::Cube;
use super::{Config, Ic3, Leftovers, Search, Stop};
use crate::finite::{Answer, Problem};
use crate::limits::{Limits, Observer, Stats};
use propcov_sat::Lit;
use propcov_solve::{Bit, BitTrace};

/// More exceptions than this are not made: a lemma that fails for many is one for a single member.
const EXCEPTIONS: usize = 6;

/// The members of a family, and who is told when one fails.
pub struct Family<'f> {
    /// The selector of each member: leaves of the netlist. All other selectors are fixed in the template.
    pub selectors: &'f [Bit],
    /// A member violates the property: its position and the run. Answers with everybody who is to be switched off, this one
    /// included; without this one, the search ends.
    pub killed: &'f mut dyn FnMut(usize, &BitTrace) -> Vec<usize>,
}

/// Decides the problem for all members: "proved" holds for those that were not killed, and its lemmas speak of selectors.
pub fn run_family(
    problem: &Problem<'_>,
    config: &Config,
    family: &mut Family<'_>,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> (Answer, Leftovers) {
    let mut ic3 = Ic3::new(problem, config, limits, family.selectors);
    ic3.frames.require_selector(&ic3.model);
    let mut left: Vec<bool> = vec![true; family.selectors.len()];
    let answer = loop {
        match ic3.search(observer) {
            Ok(answer) => break answer,
            Err(Stop::Counterexample(trace, Some(member))) if left[member] => {
                let off = (family.killed)(member, &trace);
                if !off.contains(&member) {
                    break Answer::Falsified(trace);
                }
                for member in off {
                    if std::mem::replace(&mut left[member], false) {
                        let selector = ic3.model.selectors[member].positive();
                        ic3.frames.switch_off(selector);
                    }
                }
                ic3.obligations.clear();
            }
            // Nobody is selected, or somebody who was switched off: that would be a bug.
            Err(Stop::Counterexample(trace, _)) => break Answer::Falsified(trace),
            Err(stop) => break stop.unknown(limits),
        }
    };
    ic3.finish(answer, stats)
}

impl Ic3<'_> {
    fn selector_of(&self, cube: &Cube) -> Option<Lit> {
        let is_selector =
            |literal: &&Lit| !literal.is_negated() && self.model.selectors.contains(&literal.var());
        cube.literals().iter().find(is_selector).copied()
    }

    /// The cube for all members, or all but some, if that has no predecessor either.
    pub(super) fn widen(&mut self, frame: usize, cube: Cube) -> Search<Cube> {
        if self.model.selectors.is_empty() {
            return Ok(cube);
        }
        let Some(own) = self.selector_of(&cube) else { return Ok(cube) };
        let wider = cube.without(own);
        let budget = self.budget();
        if self.initial.intersects(&wider, &budget)? {
            return Ok(cube);
        }
        Ok(self.except_those_who_fail(frame, &wider, Some(own))?.unwrap_or(cube))
    }

    /// The cube without the members for which it has a predecessor in the frame before `frame`; `None` when there are too many
    /// of them, or `never` is one.
    pub(super) fn except_those_who_fail(
        &mut self,
        frame: usize,
        cube: &Cube,
        never: Option<Lit>,
    ) -> Search<Option<Cube>> {
        if self.model.selectors.is_empty() {
            return Ok(None);
        }
        let mut cube = cube.clone();
        for _ in 0..=EXCEPTIONS {
            self.check_budget()?;
            self.stats.call("ic3 widen");
            match self.predecessor(frame, &cube, true)? {
                Predecessor::None(core) => return Ok(Some(core)),
                Predecessor::Found => {
                    let failing = self.model.selected(|var| self.frames.value(frame - 1, var));
                    match failing {
                        Some(failing) if Some(failing) != never => cube = cube.with(!failing),
                        _ => return Ok(None),
                    }
                }
            }
        }
        Ok(None)
    }

    /// A lemma that does not hold one frame later may do so for most members.
    pub(super) fn promote_for_others(&mut self, frame: usize, cube: &Cube) -> Search<()> {
        if let Some(weaker) = self.except_those_who_fail(frame + 1, cube, self.selector_of(cube))?
            && !self.frames.excludes(frame + 1, &weaker)
        {
            self.frames.add(frame + 1, weaker);
        }
        Ok(())
    }
}
