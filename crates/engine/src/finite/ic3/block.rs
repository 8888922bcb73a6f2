//! Blocking: driving proof obligations backwards until a lemma excludes them or an initial state satisfies them.

use super::cube::Cube;
use super::frames::Query;
use super::obligation::{Obligation, ObligationId};
use super::{Ic3, Search, Stop};
use propcov_sat::{Lit, Outcome};
use propcov_solve::BitTrace;

/// A query for a predecessor.
pub(crate) enum Predecessor {
    /// There is none; these literals of the cube suffice to say so, and no initial state satisfies them.
    None(Cube),
    /// The frame's solver holds a state with a step into the cube.
    Found,
}

impl Ic3<'_> {
    /// Excludes every bad state from the highest frame.
    pub(super) fn block_all_bad(&mut self) -> Search<()> {
        self.next_suspect(0);
        while let Some(bad) = self.find_bad()? {
            let level = self.frames.level();
            self.obligations.enqueue(level, bad);
            while let Some((frame, id)) = self.obligations.next() {
                if frame > level {
                    break; // only re-enqueued ones are left, for frames yet to come
                }
                self.block(frame, id)?;
            }
            self.obligations.clear();
        }
        Ok(())
    }

    /// Looks for a bad state in the highest frame, property by property from the one of the last such state on. What has no bad state there will have
    /// none when frames are stronger.
    fn find_bad(&mut self) -> Search<Option<ObligationId>> {
        let level = self.frames.level();
        while self.suspect < self.open.len() {
            self.check_budget()?;
            let targets = [self.model.bads[self.open[self.suspect]]];
            self.stats.call("ic3 bad");
            let budget = self.budget();
            let query = Query { targets: &targets, except: None, takes_step: false, off: &[] };
            match self.frames.query(&self.model, level, &query, &budget) {
                Outcome::Unsat => self.next_suspect(self.suspect + 1),
                Outcome::Unknown => return Err(Stop::Exhausted),
                Outcome::Sat => return self.lifted(level, &targets, false, None, 0).map(Some),
            }
        }
        Ok(None)
    }

    /// Excludes an obligation's cube from a frame, or makes progress towards that.
    fn block(&mut self, frame: usize, id: ObligationId) -> Search<()> {
        self.check_budget()?;
        let cube = self.obligations.get(id).cube.clone();
        let budget = self.budget();
        if self.initial.intersects(&cube, &budget)? {
            let inputs = &self.obligations.get(id).inputs;
            let Some(start) = self.initial.state_in(&self.model, &cube, inputs, &budget)? else {
                return Err(Stop::InitialInputs);
            };
            return Err(self.counterexample(start, id));
        }
        if frame == 0 {
            return Ok(()); // disjoint from the initial states
        }
        let level = self.frames.level();
        if self.frames.excludes(frame, &cube) {
            if frame < level {
                self.obligations.enqueue(frame + 1, id);
            }
            return Ok(());
        }
        self.stats.call("ic3 block");
        self.blocked += 1;
        match self.predecessor(frame, &cube, true)? {
            Predecessor::None(core) => {
                let (frame, lemma) = self.generalise(frame, core)?;
                self.learn(frame, lemma);
                if frame < level {
                    self.obligations.enqueue(frame + 1, id);
                }
            }
            Predecessor::Found => {
                let targets = self.successors(&cube);
                let distance = self.obligations.get(id).distance + 1;
                let predecessor = self.lifted(frame - 1, &targets, true, Some(id), distance)?;
                self.obligations.enqueue(frame, id);
                self.obligations.enqueue(frame - 1, predecessor);
            }
        }
        Ok(())
    }

    /// The cube's literals, one step later.
    pub(super) fn successors(&self, cube: &Cube) -> Vec<Lit> {
        cube.literals().iter().map(|literal| self.model.next(*literal)).collect()
    }

    /// Is there a step into the cube from the frame before `frame`? With `strengthen`, from outside the cube.
    pub(super) fn predecessor(&mut self, frame: usize, cube: &Cube, strengthen: bool) -> Search<Predecessor> {
        let targets = self.successors(cube);
        let budget = self.budget();
        let except = strengthen.then_some(cube);
        let query = Query { targets: &targets, except, takes_step: true, off: &[] };
        match self.frames.query(&self.model, frame - 1, &query, &budget) {
            Outcome::Unknown => Err(Stop::Exhausted),
            Outcome::Sat => Ok(Predecessor::Found),
            Outcome::Unsat => {
                let needed = cube.literals().iter().zip(&targets);
                let core = needed.filter(|(_, target)| self.frames.failed(frame - 1, **target));
                let core = Cube::new(core.map(|(literal, _)| *literal).collect());
                Ok(Predecessor::None(self.initial.separate(core, cube, &budget)?))
            }
        }
    }

    /// The state that the last query of a frame found, as an obligation that holds for as many states as possible.
    fn lifted(
        &mut self,
        frame: usize,
        targets: &[Lit],
        takes_step: bool,
        successor: Option<ObligationId>,
        distance: u32,
    ) -> Search<ObligationId> {
        let value = |var| self.frames.value(frame, var);
        let inputs: Vec<bool> = self.model.inputs.iter().map(|var| value(*var).unwrap_or(false)).collect();
        let input_literals: Vec<Lit> =
            self.model.inputs.iter().zip(&inputs).map(|(var, value)| var.lit(*value)).collect();
        let mut state: Vec<Lit> =
            self.model.latches.iter().filter_map(|var| value(*var).map(|value| var.lit(value))).collect();
        // Assumptions come first in the solver's trail and are preferred in cores: keep what lemmas speak of.
        let activity = |literal: &Lit| self.activity[literal.var().index()];
        state.sort_by(|a, b| activity(b).total_cmp(&activity(a)).then(a.cmp(b)));
        let selected = self.model.selected(value);
        if let Some(selected) = selected {
            state.insert(0, selected);
        }
        let mut preserved = targets.to_vec();
        preserved.extend_from_slice(&self.model.constraints);
        if takes_step {
            preserved.extend_from_slice(&self.model.transitions);
        }
        if frame == 0 {
            preserved.extend_from_slice(&self.model.initial);
        }
        let budget = self.budget();
        self.stats.call("ic3 lift");
        let mut cube = self.lifter.lift(&self.model, &preserved, &input_literals, &state, &budget)?;
        if let Some(selected) = selected {
            // An obligation is about one member of the family; a lemma may be about many.
            cube = cube.with(selected);
        }
        Ok(self.obligations.create(Obligation { cube, inputs, successor, distance }))
    }

    /// The run from an initial state through the obligations.
    fn counterexample(&self, start: Vec<bool>, first: ObligationId) -> Stop {
        let mut inputs = Vec::new();
        let mut id = Some(first);
        while let Some(current) = id {
            let obligation = self.obligations.get(current);
            inputs.push(obligation.inputs.clone());
            id = obligation.successor;
        }
        let selected = self.obligations.get(first).cube.literals().iter().copied();
        let selected = selected
            .filter(|literal| !literal.is_negated())
            .find_map(|literal| self.model.selectors.iter().position(|selector| *selector == literal.var()));
        let bit = selected.and_then(|at| self.selector_bits.get(at).copied());
        Stop::Counterexample(BitTrace::simulate(&self.problem.netlist, bit, start, inputs), selected)
    }
}
