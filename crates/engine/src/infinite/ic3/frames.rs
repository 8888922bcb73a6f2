//! The frames: for each level a set of clauses over predicates, each kept at the highest level where it is known to hold.

use super::predicates::Predicate;
use propcov_sat::Lit;
use propcov_solve::arith::Unrolling;

/// A conjunction of predicates or their negations, sorted by predicate.
pub(super) type Cube = Vec<(usize, bool)>;

/// Clauses by level, as the cubes that they exclude.
#[derive(Default)]
pub(super) struct Frames {
    levels: Vec<Level>,
}

struct Level {
    /// Assumed where the clauses of this level hold.
    on: Lit,
    cubes: Vec<Cube>,
}

impl Frames {
    /// How many levels there are above the initial one.
    pub(super) fn top(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// Opens one more level.
    pub(super) fn open(&mut self, step: &mut Unrolling<'_>) {
        self.levels.push(Level { on: step.fresh(), cubes: Vec::new() });
    }

    /// What is assumed in states that are reached within so many steps. Level 0 is for the caller: the initial states.
    pub(super) fn assumptions(&self, level: usize) -> Vec<Lit> {
        self.levels[level.max(1)..].iter().map(|level| level.on).collect()
    }

    /// Excludes a cube at all levels up to this one.
    pub(super) fn exclude(
        &mut self,
        step: &mut Unrolling<'_>,
        predicates: &[Predicate],
        cube: Cube,
        level: usize,
    ) {
        for lower in &mut self.levels[1..=level] {
            lower.cubes.retain(|known| !subsumes(&cube, known));
        }
        self.write(step, predicates, &cube, level);
        self.levels[level].cubes.push(cube);
    }

    fn write(&self, step: &mut Unrolling<'_>, predicates: &[Predicate], cube: &Cube, level: usize) {
        let mut clause: Vec<Lit> =
            cube.iter().map(|(predicate, holds)| predicates[*predicate].now.negated_if(*holds)).collect();
        clause.push(!self.levels[level].on);
        step.clause(&clause);
    }

    /// Whether a cube is excluded at this level already, as part of another one.
    pub(super) fn is_excluded(&self, cube: &Cube, level: usize) -> bool {
        self.levels[level.max(1)..].iter().any(|at| at.cubes.iter().any(|known| subsumes(known, cube)))
    }

    /// The cubes whose highest level is this one.
    pub(super) fn cubes(&self, level: usize) -> &[Cube] {
        &self.levels[level].cubes
    }

    /// All cubes from this level upwards.
    pub(super) fn cubes_from(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.levels[level..].iter().flat_map(|level| &level.cubes)
    }

    /// Takes away a cube that has gone to a higher level.
    pub(super) fn remove(&mut self, level: usize, cube: &Cube) {
        self.levels[level].cubes.retain(|known| known != cube);
    }
}

/// Whether the first cube contains every state of the second: all its literals are among the other's.
fn subsumes(larger: &Cube, smaller: &Cube) -> bool {
    let mut rest = smaller.iter();
    larger.iter().all(|literal| rest.any(|other| other == literal))
}
