//! Which states of the specification accept the labels of a state, when some labels of the implementation are flipped or left free.
//!
//! States with the same labels share a row, so that this takes as much memory as there are different labels.

use super::rows::Rows;
use propcov_ir::{Graph, Label, LabelFlip};
use rustc_hash::FxHashMap;

/// For each proposition and label, the states of the specification that accept it.
#[derive(Clone, Debug)]
pub(super) struct Acceptance {
    rows: Rows,
    /// All states.
    every: Vec<u64>,
}

impl Acceptance {
    pub(super) fn new(specification: &Graph) -> Acceptance {
        let states = specification.state_count();
        let mut rows = Rows::new(specification.propositions().len() * 3, states);
        let mut every = Rows::new(1, states);
        for state in specification.states() {
            every.insert(0, state);
            for (proposition, says) in specification.labels(state).iter().enumerate() {
                for promised in [Label::False, Label::True, Label::Open] {
                    if says.accepts(promised) {
                        rows.insert(index(proposition as u32, promised), state);
                    }
                }
            }
        }
        Acceptance { rows, every: every.row(0).to_vec() }
    }

    /// Those that accept this label of this proposition.
    pub(super) fn of(&self, proposition: u32, label: Label) -> &[u64] {
        self.rows.row(index(proposition, label))
    }

    /// Those that accept these labels, whatever `free` is.
    fn of_labels(&self, labels: &[Label], free: Option<u32>) -> Vec<u64> {
        let mut row = self.every.clone();
        for (proposition, label) in labels.iter().enumerate() {
            if free != Some(proposition as u32) {
                row.iter_mut().zip(self.of(proposition as u32, *label)).for_each(|(row, of)| *row &= of);
            }
        }
        row
    }
}

fn index(proposition: u32, label: Label) -> u32 {
    proposition * 3 + label as u32
}

/// For each state of the implementation, the states of the specification that accept its labels.
#[derive(Clone, Debug)]
pub(super) struct Fits {
    class: Vec<u32>,
    rows: Rows,
    classes: u32,
}

impl Fits {
    /// With the labels as they are.
    pub(super) fn new(implementation: &Graph, acceptance: &Acceptance) -> Fits {
        let mut known: FxHashMap<&[Label], u32> = FxHashMap::default();
        let rows = Rows::new(0, acceptance.every.len() * 64);
        let mut fits = Fits { class: Vec::new(), rows, classes: 0 };
        for state in implementation.states() {
            let labels = implementation.labels(state);
            let class = *known.entry(labels).or_insert_with(|| fits.add(&acceptance.of_labels(labels, None)));
            fits.class.push(class);
        }
        fits
    }

    fn add(&mut self, row: &[u64]) -> u32 {
        self.rows.push(row);
        self.classes += 1;
        self.classes - 1
    }

    /// Leaves these labels free.
    pub(super) fn set_free<'a>(
        &mut self,
        implementation: &Graph,
        acceptance: &Acceptance,
        flips: impl Iterator<Item = &'a LabelFlip>,
    ) {
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for flip in flips {
            let old = self.class[flip.state as usize];
            self.class[flip.state as usize] = *known.entry((old, flip.proposition)).or_insert_with(|| {
                let labels = implementation.labels(flip.state);
                self.rows.push(&acceptance.of_labels(labels, Some(flip.proposition)));
                self.classes += 1;
                self.classes - 1
            });
        }
    }

    /// Flips a label.
    pub(super) fn flip(&mut self, implementation: &Graph, acceptance: &Acceptance, flip: LabelFlip) {
        let mut labels = implementation.labels(flip.state).to_vec();
        labels[flip.proposition as usize] = labels[flip.proposition as usize].flipped();
        let class = self.add(&acceptance.of_labels(&labels, None));
        self.class[flip.state as usize] = class;
    }

    /// Those that accept the labels of a state.
    pub(super) fn row(&self, state: u32) -> &[u64] {
        self.rows.row(self.class[state as usize])
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + size_of_val(&*self.class)
    }
}
