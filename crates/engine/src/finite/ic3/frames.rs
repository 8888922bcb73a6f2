//! The frames: lemmas in delta encoding, and one solver for each.
//!
//! A lemma is kept in the last frame for which it is known; the solver of frame i knows the lemmas of all frames from i on.

use super::cube::Cube;
use super::model::Model;
use propcov_budget::Budget;
use propcov_sat::{ConeSolver, Domain, Lit, Outcome, Var};

/// A solver is rebuilt when it holds this many times the lemmas that are still current, and some more.
const REBUILD_FACTOR: usize = 2;
const REBUILD_SLACK: usize = 200;

pub(crate) struct Frames {
    /// Gates and constraints; solvers of frames are copies of it.
    base: ConeSolver,
    frames: Vec<Frame>,
    /// Variables of all lemmas: part of every query's domain, as lemmas are no definitions.
    lemma_variables: Domain,
    /// What every query has to decide: constraints and what they are computed from.
    constraint_cone: Domain,
    /// The same for the first frame, initial constraints included.
    initial_cone: Domain,
    /// Assumed by queries that take a step; `None` without transition constraints.
    step: Option<Lit>,
    /// Work of solvers that were replaced.
    retired_ticks: u64,
    retired_conflicts: u64,
    /// Everything that was learnt, in order, with the highest frame that it is for.
    learnt: Vec<(usize, Cube)>,
}

/// What is asked of a frame: a state, and perhaps a step from it, in which all targets hold.
#[derive(Clone, Copy)]
pub(crate) struct Query<'q> {
    pub(crate) targets: &'q [Lit],
    /// Not in this cube.
    pub(crate) except: Option<&'q Cube>,
    /// Whether a step is taken, so that the constraints on transitions hold.
    pub(crate) takes_step: bool,
    /// Variables that are off, as far as they matter.
    pub(crate) off: &'q [Var],
}

struct Frame {
    solver: ConeSolver,
    /// The lemmas that are known for this frame and not for the next.
    delta: Vec<Lemma>,
    /// How many lemmas the solver was given.
    added: usize,
}

/// No state of the cube can be reached within as many steps as the number of the frame it is in.
struct Lemma {
    cube: Cube,
    obstacle: Option<Obstacle>,
}

/// A state of the lemma's frame with a step into its cube: for as long as the frame does not exclude it, the lemma cannot move on.
struct Obstacle {
    state: Cube,
    /// How much of what was learnt does not exclude it.
    seen: usize,
}

impl Frames {
    pub(crate) fn new(model: &Model<'_>, seed: u64) -> Frames {
        let mut base = model.gates(seed);
        for constraint in model.constraints.iter().chain(&model.assumed) {
            base.add_clause(&[*constraint]);
        }
        let step = (!model.transitions.is_empty()).then(|| base.new_var().positive());
        for transition in &model.transitions {
            base.add_clause(&[!step.unwrap_or(*transition), *transition]);
        }
        let mut constraint_cone = Domain::new();
        model.add_cone(&mut constraint_cone, &model.constraints);
        model.add_cone(&mut constraint_cone, &model.assumed);
        model.add_cone(&mut constraint_cone, &model.transitions);
        constraint_cone.extend(step.map(Lit::var));
        model.add_selectors(&mut constraint_cone);
        let mut initial_cone = constraint_cone.clone();
        model.add_cone(&mut initial_cone, &model.initial);
        let mut first = base.clone();
        for latch in &model.latches {
            if let Some(value) = model.init(*latch) {
                first.add_clause(&[latch.lit(value)]);
            }
        }
        for constraint in &model.initial {
            first.add_clause(&[*constraint]);
        }
        Frames {
            base,
            frames: vec![Frame { solver: first, delta: Vec::new(), added: 0 }],
            lemma_variables: Domain::new(),
            constraint_cone,
            initial_cone,
            step,
            retired_ticks: 0,
            retired_conflicts: 0,
            learnt: Vec::new(),
        }
    }

    /// The highest frame.
    pub(crate) fn level(&self) -> usize {
        self.frames.len() - 1
    }

    /// Adds a frame that allows everything.
    pub(crate) fn extend(&mut self) {
        self.frames.push(Frame { solver: self.base.clone(), delta: Vec::new(), added: 0 });
    }

    /// The cubes of the lemmas that are known for a frame and not for the next.
    pub(crate) fn delta(&self, frame: usize) -> impl ExactSizeIterator<Item = &Cube> {
        self.frames[frame].delta.iter().map(|lemma| &lemma.cube)
    }

    /// The cubes of all lemmas that hold in a frame.
    fn cubes(&self, from: usize) -> impl Iterator<Item = &Cube> {
        self.frames[from..].iter().flat_map(|frame| &frame.delta).map(|lemma| &lemma.cube)
    }

    fn lemma(&mut self, frame: usize, cube: &Cube) -> Option<&mut Lemma> {
        self.frames[frame].delta.iter_mut().find(|lemma| lemma.cube == *cube)
    }

    /// Notes why a lemma of a frame does not hold in the next: a state, as far as it matters, with a step into the cube.
    pub(crate) fn note_obstacle(&mut self, frame: usize, cube: &Cube, state: Cube) {
        let seen = self.learnt.len();
        if let Some(lemma) = self.lemma(frame, cube) {
            lemma.obstacle = Some(Obstacle { state, seen });
        }
    }

    /// Whether what held a lemma back the last time still does.
    pub(crate) fn is_held_back(&mut self, frame: usize, cube: &Cube) -> bool {
        let Some(Obstacle { state, seen }) = self.lemma(frame, cube).and_then(|lemma| lemma.obstacle.take())
        else {
            return false;
        };
        let mut since = self.learnt[seen..].iter().filter(|(highest, _)| *highest >= frame);
        let is_there = since.all(|(_, learnt)| learnt.is_disjoint(&state));
        if is_there {
            self.note_obstacle(frame, cube, state);
        }
        is_there
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.retired_ticks + self.frames.iter().map(|frame| frame.solver.ticks()).sum::<u64>()
    }

    pub(crate) fn conflicts(&self) -> u64 {
        self.retired_conflicts + self.frames.iter().map(|frame| frame.solver.conflicts()).sum::<u64>()
    }

    /// Whether the lemmas of a frame exclude the cube on the face of it.
    pub(crate) fn excludes(&self, frame: usize, cube: &Cube) -> bool {
        self.cubes(frame).any(|lemma| lemma.subsumes(cube))
    }

    /// Learns that no state of the cube is reachable within `frame` steps. Weaker lemmas of earlier frames are dropped.
    pub(crate) fn add(&mut self, frame: usize, cube: Cube) {
        let lemma = cube.lemma();
        for literal in &lemma {
            self.lemma_variables.insert(literal.var());
        }
        for earlier in &mut self.frames[1..=frame] {
            earlier.delta.retain(|other| !cube.subsumes(&other.cube));
            earlier.solver.add_clause(&lemma);
            earlier.added += 1;
        }
        self.put(frame, cube);
        self.rebuild_if_bloated(frame);
    }

    fn put(&mut self, frame: usize, cube: Cube) {
        self.learnt.push((frame, cube.clone()));
        self.frames[frame].delta.push(Lemma { cube, obstacle: None });
    }

    /// Requires that a selector is on. Before there are more frames than the first.
    pub(crate) fn require_selector(&mut self, model: &Model<'_>) {
        let some: Vec<Lit> = model.selectors.iter().map(|selector| selector.positive()).collect();
        if !some.is_empty() {
            self.base.add_clause(&some);
            self.frames.iter_mut().for_each(|frame| frame.solver.add_clause(&some));
        }
    }

    /// Switches a selector off for good.
    pub(crate) fn switch_off(&mut self, selector: Lit) {
        self.base.add_clause(&[!selector]);
        for frame in &mut self.frames {
            frame.solver.add_clause(&[!selector]);
        }
    }

    /// Moves a lemma to the next frame, possibly in a stronger form.
    pub(crate) fn promote(&mut self, frame: usize, cube: &Cube, stronger: Cube) {
        if stronger == *cube {
            self.frames[frame].delta.retain(|other| other.cube != *cube);
            self.frames[frame + 1].solver.add_clause(&stronger.lemma());
            self.frames[frame + 1].added += 1;
            self.put(frame + 1, stronger);
        } else {
            self.add(frame + 1, stronger);
        }
    }

    fn rebuild_if_bloated(&mut self, frame: usize) {
        let mut current = self.frames[frame + 1..].iter().map(|frame| frame.delta.len()).sum::<usize>();
        for index in (1..=frame).rev() {
            current += self.frames[index].delta.len();
            if self.frames[index].added > REBUILD_FACTOR * current + REBUILD_SLACK {
                self.rebuild(index, current);
            }
        }
    }

    fn rebuild(&mut self, index: usize, current: usize) {
        let mut solver = self.base.clone();
        for cube in self.cubes(index) {
            solver.add_clause(&cube.lemma());
        }
        let frame = &mut self.frames[index];
        self.retired_ticks += frame.solver.ticks() - self.base.ticks();
        self.retired_conflicts += frame.solver.conflicts() - self.base.conflicts();
        frame.solver = solver;
        frame.added = current;
    }

    /// The lemmas that make frame `from` an invariant, without those that follow from another one.
    pub(crate) fn invariant(&self, from: usize) -> Vec<Vec<Lit>> {
        let mut cubes: Vec<&Cube> = self.cubes(from).collect();
        cubes.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut kept: Vec<&Cube> = Vec::with_capacity(cubes.len());
        for cube in cubes {
            if !kept.iter().any(|shorter| shorter.subsumes(cube)) {
                kept.push(cube);
            }
        }
        kept.into_iter().map(Cube::lemma).collect()
    }

    pub(crate) fn lemmas_by_frame(&self) -> Vec<Vec<Vec<Lit>>> {
        (0..self.frames.len()).map(|frame| self.delta(frame).map(Cube::lemma).collect()).collect()
    }

    /// Looks for a state of the frame that answers the query.
    pub(crate) fn query(
        &mut self,
        model: &Model<'_>,
        frame: usize,
        query: &Query<'_>,
        budget: &Budget,
    ) -> Outcome {
        let Query { targets, except, takes_step, off } = *query;
        let mut domain = if frame == 0 { self.initial_cone.clone() } else { self.constraint_cone.clone() };
        domain.extend(self.lemma_variables.iter());
        model.add_cone(&mut domain, targets);
        let clause = except.map(|cube| {
            domain.extend(cube.literals().iter().map(|literal| literal.var()));
            cube.lemma()
        });
        let mut assumptions = Vec::with_capacity(targets.len() + 1);
        assumptions.extend(self.step.filter(|_| takes_step));
        assumptions.extend(off.iter().filter(|var| domain.contains(**var)).map(|var| !var.positive()));
        assumptions.extend_from_slice(targets);
        self.frames[frame].solver.solve_in(Some(&domain), &assumptions, clause.as_deref(), budget)
    }

    /// The value of a leaf after a query that found a state; `None` outside its domain.
    pub(crate) fn value(&self, frame: usize, var: Var) -> Option<bool> {
        self.frames[frame].solver.value(var.positive())
    }

    /// Whether the last query of a frame, which found nothing, needed this target.
    pub(crate) fn failed(&self, frame: usize, target: Lit) -> bool {
        self.frames[frame].solver.failed(target)
    }
}
