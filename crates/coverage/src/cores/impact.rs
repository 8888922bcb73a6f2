//! Impact: a design was changed; which properties keep a proof that they had?
//!
//! A core is a set of definitions from which a property follows, whatever the other definitions say. So a proof from a core stands as long as the property, the definitions of the core, those that
//! are in no question (helpers that a front end adds, constraints), all as far as the property depends on them, say what they said. Nothing is proved here again: what was certified, was certified for every design that has these definitions.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Sections 1.1 and 7: regression verification.

use propcov_ir::{ElementId, ExprId, Node, PropertyId, Site, System, Wordings};
use std::collections::BTreeSet;

/// What stands in the way of an old proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// There is no such property any more, or it is not of the same kind.
    Gone,
    /// The property says something else.
    Property,
    /// This element, which the proof rests on, says something else or is gone.
    Element(ElementId),
    /// So does a definition that is no element: this name.
    Helper(String),
    /// An assumption is gone, or says something else: this name.
    Assumption(String),
}

/// Whether a proof of an invariant from the elements that are `kept` is one of the new design, too.
///
/// # Errors
/// What stands in its way.
pub fn stands(
    (old, old_words): (&System, &Wordings<'_>),
    (new, new_words): (&System, &Wordings<'_>),
    property: PropertyId,
    kept: &dyn Fn(ElementId) -> bool,
) -> Result<(), Obstacle> {
    let name = &old.property(property).name;
    let position = new.properties().iter().position(|other| other.name == *name).ok_or(Obstacle::Gone)?;
    let invariant = old.invariant(property).ok_or(Obstacle::Gone)?;
    let now = new.invariant(PropertyId(position as u32)).ok_or(Obstacle::Gone)?;
    if old_words.expr(invariant) != new_words.expr(now) {
        return Err(Obstacle::Property);
    }
    let mut walk = Walk { old, seen: vec![false; old.exprs.len()], done: BTreeSet::new(), open: Vec::new() };
    walk.visit(invariant);
    for (at, constraint) in (0..).zip(old.constraints()) {
        let site = Site::Constraint(propcov_ir::ConstraintId(at));
        let element = old.element_at(site);
        if element.is_some_and(|element| !kept(element)) {
            continue;
        }
        if !new_words.has_constraint(old_words, propcov_ir::ConstraintId(at)) {
            return Err(Obstacle::Assumption(constraint.name.clone()));
        }
        walk.visit(constraint.expr);
    }
    while let Some(site) = walk.open.pop() {
        let element = old.element_at(site);
        let Some(definition) = old_words.definition(site) else { continue };
        if element.is_some_and(|element| !kept(element)) {
            continue;
        }
        let (Site::Wire(signal) | Site::Next(signal) | Site::Init(signal)) = site else { continue };
        let name = &old.signal(signal).name;
        let same = new_words.signal(name).and_then(|signal| {
            new_words.site(match site {
                Site::Wire(_) => Site::Wire(signal),
                Site::Next(_) => Site::Next(signal),
                Site::Init(_) => Site::Init(signal),
                Site::Constraint(_) => return None,
            })
        });
        if same != Some(old_words.expr(definition)) {
            return Err(element.map_or_else(|| Obstacle::Helper(name.clone()), Obstacle::Element));
        }
        walk.visit(definition);
    }
    Ok(())
}

/// What a property depends on.
struct Walk<'s> {
    old: &'s System,
    seen: Vec<bool>,
    done: BTreeSet<propcov_ir::SignalId>,
    open: Vec<Site>,
}

impl Walk<'_> {
    fn visit(&mut self, root: ExprId) {
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            if std::mem::replace(&mut self.seen[expr.0 as usize], true) {
                continue;
            }
            if let Node::Signal(signal) | Node::Next(signal) = self.old.exprs.node(expr)
                && self.done.insert(*signal)
            {
                self.open.extend([Site::Wire(*signal), Site::Init(*signal), Site::Next(*signal)]);
            }
            stack.extend(self.old.exprs.operands(expr));
        }
    }
}
