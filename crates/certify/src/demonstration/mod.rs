//! Whether runs show what a CTL verdict says.
//!
//! A [`Demonstration`] is a tree of paths. Each of them has to be a fair path of the system (`path`), start where it branches off,
//! and show its own claim (`claim`). The claim of the whole is the property's formula, or its negation, and its first state is initial.

mod claim;
mod path;

use crate::{Rejection, meaning};
use claim::{Beliefs, Branches, Tree};
use path::{Checked, Paths};
use propcov_budget::Budget;
use propcov_ir::{
    Ctl, CtlVerdict, Definition, Demonstration, Edits, ExprId, Interpreter, Node, PropertyId, Site, System,
};
use rustc_hash::FxHashMap;

/// What runs have shown of a CTL verdict, and what they have not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Universal claims, in normal form, about states on the paths: runs cannot show them. The whole claim, if there was no
    /// demonstration.
    pub believed: Vec<Ctl>,
    /// Whether the verdict is that the property holds, and there may be initial states besides the one that a path starts
    /// from.
    pub other_initial_states: bool,
}

impl Evidence {
    /// Whether the verdict follows from the runs.
    pub fn is_complete(&self) -> bool {
        self.believed.is_empty() && !self.other_initial_states
    }
}

/// Replays the demonstration of a CTL verdict and says what it shows.
///
/// Paths are run by the interpreter. The solver is asked only where the first state is not initial with the first step's own inputs, since the inputs
/// that make it so may be others.
///
/// # Errors
/// Whatever is wrong with the demonstration is a [`Rejection`]; so is a verdict that is unknown.
pub fn check_demonstration(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    verdict: &CtlVerdict,
    limits: &Budget,
) -> Result<Evidence, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    let formula = meaning::ctl(system, edits, property)?;
    let (holds, shown) = match verdict {
        CtlVerdict::Holds(shown) => (true, shown),
        CtlVerdict::Fails(shown) => (false, shown),
        CtlVerdict::Unknown(reason) => return Err(Rejection::Malformed(format!("no verdict: {reason}"))),
    };
    let claim = formula.normal_form(!holds);
    let other_initial_states = holds && !has_one_initial_state(system, edits);
    let Some(shown) = shown else {
        return Ok(Evidence { believed: vec![claim], other_initial_states });
    };
    if shown.claim != claim {
        return Err(Rejection::Malformed("the demonstration is of another claim".to_owned()));
    }
    let interpreter =
        Interpreter::new(system, edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    let mut atoms = claim.atoms();
    atoms.sort_unstable();
    atoms.dedup();
    let paths = Paths { system, edits, interpreter, limits, atoms };
    let believed = check_tree(&paths, shown)?;
    paths.check_initial(&shown.steps[0])?;
    Ok(Evidence { believed, other_initial_states })
}

/// Whether the initial values leave nothing open.
fn has_one_initial_state(system: &System, edits: &Edits) -> bool {
    system.states().iter().all(|state| match system.definition(edits, Site::Init(*state)) {
        Definition::Const(_) => true,
        Definition::Expr(expr) => matches!(system.exprs.node(expr), Node::Const(_)),
        Definition::Open | Definition::Inverted(_) => false,
    })
}

/// A path of the tree, by number. Those that branch off a path come after it.
struct Entry<'d> {
    shown: &'d Demonstration,
    checked: Checked,
    /// The path that it branches off, and in which step.
    parent: Option<(usize, usize)>,
}

/// Accepts all paths, and says what has to be believed for the first one's claim.
fn check_tree(paths: &Paths<'_>, root: &Demonstration) -> Result<Vec<Ctl>, Rejection> {
    let mut entries: Vec<Entry<'_>> = vec![entry(paths, root, None)?];
    let mut position = 0;
    while position < entries.len() {
        if paths.limits.is_exhausted() {
            return Err(Rejection::Undecided);
        }
        let parent = entries[position].shown;
        for (step, branch) in &parent.branches {
            let starts_there = match (parent.steps.get(*step), branch.steps.first()) {
                (Some(from), Some(first)) => from.states == first.states,
                _ => false,
            };
            if !starts_there {
                return Err(Rejection::Trace(format!("a branch does not start in step {step} of its path")));
            }
            entries.push(entry(paths, branch, Some((position, *step)))?);
        }
        position += 1;
    }
    check_claims(paths, &entries)
}

fn entry<'d>(
    paths: &Paths<'_>,
    shown: &'d Demonstration,
    parent: Option<(usize, usize)>,
) -> Result<Entry<'d>, Rejection> {
    if shown.claim.atoms().iter().any(|atom| paths.atoms.binary_search(atom).is_err()) {
        return Err(Rejection::Malformed("a branch claims what the property does not speak of".to_owned()));
    }
    Ok(Entry { shown, checked: paths.check(shown)?, parent })
}

/// Branches before the paths that rely on them.
fn check_claims(paths: &Paths<'_>, entries: &[Entry<'_>]) -> Result<Vec<Ctl>, Rejection> {
    let atoms: FxHashMap<ExprId, usize> =
        paths.atoms.iter().enumerate().map(|(number, atom)| (*atom, number)).collect();
    let mut beliefs = Beliefs::default();
    let mut branches: Vec<Branches<'_>> = entries.iter().map(|_| Branches::default()).collect();
    for (number, entry) in entries.iter().enumerate().rev() {
        let tree =
            Tree { path: &entry.checked, atoms: &atoms, branches: std::mem::take(&mut branches[number]) };
        let shown = tree.show(&entry.shown.claim, &mut beliefs).into_iter().next().flatten();
        let Some(cost) = shown else {
            let claim = paths.system.show_ctl(&entry.shown.claim);
            return Err(Rejection::Trace(format!("a path does not show {claim}")));
        };
        match entry.parent {
            None => return Ok(cost.into_iter().map(|belief| beliefs.0[belief].clone()).collect()),
            Some((parent, step)) => {
                branches[parent].entry(step).or_default().push((&entry.shown.claim, cost));
            }
        }
    }
    Err(Rejection::Malformed("a demonstration without paths".to_owned()))
}
