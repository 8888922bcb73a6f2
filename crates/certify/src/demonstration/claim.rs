//! Whether a path shows a claim about its first state.
//!
//! Each part of the claim is decided in every step of the path. Atoms are evaluated. An existential operator may be shown by the rest of the path
//! itself, which is a fair path from there, or by a path that branches off and claims exactly that. A universal
//! operator cannot be shown by runs: it is believed. Each answer thus says what has to be believed for it; where there
//! are several ways to show something, one that takes least belief is chosen.

use super::path::Checked;
use propcov_ir::{
    Ctl, ExprId,
    Quantifier::{All, Exists},
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What has to be believed for a claim, by number; `None` if it is not shown.
pub(super) type Shown = Option<BTreeSet<usize>>;

/// The universal claims that had to be believed so far.
#[derive(Default)]
pub(super) struct Beliefs(pub(super) Vec<Ctl>);

impl Beliefs {
    fn number(&mut self, formula: &Ctl) -> usize {
        self.0.iter().position(|other| other == formula).unwrap_or_else(|| {
            self.0.push(formula.clone());
            self.0.len() - 1
        })
    }
}

/// Claims that branches have shown and what that takes, by the step that they start from.
pub(super) type Branches<'d> = FxHashMap<usize, Vec<(&'d Ctl, BTreeSet<usize>)>>;

/// A path, and the paths that branch off it: what they claim, and what that takes.
pub(super) struct Tree<'d> {
    pub(super) path: &'d Checked,
    /// The numbers of the atoms.
    pub(super) atoms: &'d FxHashMap<ExprId, usize>,
    pub(super) branches: Branches<'d>,
}

impl Tree<'_> {
    /// What it takes to believe the formula, in each step.
    pub(super) fn show(&self, formula: &Ctl, beliefs: &mut Beliefs) -> Vec<Shown> {
        let mut shown = self.own(formula, beliefs);
        for (step, claims) in &self.branches {
            for (_, cost) in claims.iter().filter(|(claim, _)| *claim == formula) {
                shown[*step] = either(shown[*step].take(), Some(cost.clone()));
            }
        }
        shown
    }

    /// The same, by the path alone as far as the outermost operator goes.
    fn own(&self, formula: &Ctl, beliefs: &mut Beliefs) -> Vec<Shown> {
        let count = self.path.holds.len();
        match formula {
            Ctl::Atom(expr) => self.atom(*expr, true),
            Ctl::Not(a) => match &**a {
                Ctl::Atom(expr) => self.atom(*expr, false),
                // Claims are in normal form.
                _ => vec![None; count],
            },
            Ctl::And(a, b) => pairwise(self.show(a, beliefs), self.show(b, beliefs), both),
            Ctl::Or(a, b) => pairwise(self.show(a, beliefs), self.show(b, beliefs), either),
            Ctl::Next(Exists, a) => {
                let a = self.show(a, beliefs);
                (0..count).map(|step| self.after(step).and_then(|next| a[next].clone())).collect()
            }
            Ctl::Until(Exists, a, b) => {
                let (a, b) = (self.show(a, beliefs), self.show(b, beliefs));
                self.backwards(vec![None; count], |step, next| {
                    either(b[step].clone(), both(a[step].clone(), next))
                })
            }
            Ctl::Release(Exists, a, b) => {
                let (a, b) = (self.show(a, beliefs), self.show(b, beliefs));
                // Round the loop it holds for ever unless something is against it.
                let start = self.path.loop_to.map(|_| BTreeSet::new());
                self.backwards(vec![start; count], |step, next| {
                    both(b[step].clone(), either(a[step].clone(), next))
                })
            }
            Ctl::Next(All, _) | Ctl::Until(All, ..) | Ctl::Release(All, ..) => {
                vec![Some(BTreeSet::from([beliefs.number(formula)])); count]
            }
        }
    }

    fn atom(&self, expr: ExprId, wanted: bool) -> Vec<Shown> {
        let holds = |step: &Vec<bool>| {
            let value = self.atoms.get(&expr).and_then(|atom| step.get(*atom));
            (value == Some(&wanted)).then(BTreeSet::new)
        };
        self.path.holds.iter().map(holds).collect()
    }

    fn after(&self, step: usize) -> Option<usize> {
        if step + 1 < self.path.holds.len() { Some(step + 1) } else { self.path.loop_to }
    }

    /// What follows step by step from what is shown of the next step, from the last step to the first. Three times: once to reach the
    /// first step of the loop, once to carry what was found there round the loop, once for the steps before that.
    fn backwards(&self, mut shown: Vec<Shown>, rule: impl Fn(usize, Shown) -> Shown) -> Vec<Shown> {
        for _ in 0..3 {
            for step in (0..shown.len()).rev() {
                let next = self.after(step).and_then(|next| shown[next].clone());
                shown[step] = rule(step, next);
            }
        }
        shown
    }
}

fn pairwise(a: Vec<Shown>, b: Vec<Shown>, combine: impl Fn(Shown, Shown) -> Shown) -> Vec<Shown> {
    a.into_iter().zip(b).map(|(a, b)| combine(a, b)).collect()
}

fn both(a: Shown, b: Shown) -> Shown {
    let (mut a, b) = (a?, b?);
    a.extend(b);
    Some(a)
}

/// The one that takes less belief.
fn either(a: Shown, b: Shown) -> Shown {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.len() < a.len() { b } else { a }),
        (a, b) => a.or(b),
    }
}
