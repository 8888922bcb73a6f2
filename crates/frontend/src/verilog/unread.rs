//! Assertions that cannot be read.
//!
//! Of a hundred assertions one may need what is not supported. The others are read all the same: that one is left out, and whoever reads the design is told, so that it counts as
//! undecided. An assumption cannot be left out: properties would fail that hold under it. Neither can the last assertion that there is.
//!
//! Reading stops in the middle of such an assertion, and goes on behind it only to find the others: then the design is read once more, without all of them.

use super::assertion::AssertionKind;
use super::export::Export;
use super::machine::{Context, Machine};
use super::record::{At, ExprRef, PropertyRef, ScopeRef, StmtKind};
use super::references::{self, Reference};
use crate::InputError;
use propcov_ir::{ExprId, Goal, Region, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an assertion asks, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// A condition, when it is executed.
    Condition(ExprRef),
    /// A property over time.
    Property(PropertyRef),
}

/// What is left out, and why.
pub(super) type LeftOut = FxHashMap<Asked, InputError>;

/// An assertion or cover that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its name.
    pub name: String,
    /// What is wanted of it.
    pub goal: Goal,
    /// Where it is written.
    pub span: Option<Span>,
    /// What is not supported, and where.
    pub reason: String,
}

/// What a machine was doing, when something went wrong.
#[derive(Clone, Copy)]
pub(super) struct PlaceOfWork {
    values: usize,
    path: ExprId,
    scope: ScopeRef,
    context: Context,
    gate: Option<ExprId>,
    targets: [Option<ExprId>; 2],
    depth: u32,
    blocks: usize,
    is_counting: bool,
}

impl Machine<'_> {
    pub(super) fn place_of_work(&self) -> PlaceOfWork {
        PlaceOfWork {
            values: self.values.mark(),
            path: self.path,
            scope: self.scope,
            context: self.context,
            gate: self.gate,
            targets: [self.target, self.incoming],
            depth: self.depth,
            blocks: self.open_blocks.len(),
            is_counting: self.is_counting,
        }
    }

    fn return_to(&mut self, place: PlaceOfWork) {
        self.values.undo(place.values);
        (self.path, self.scope, self.context, self.gate) =
            (place.path, place.scope, place.context, place.gate);
        [self.target, self.incoming] = place.targets;
        (self.depth, self.is_counting) = (place.depth, place.is_counting);
        self.open_blocks.truncate(place.blocks);
    }

    /// Whether an assertion is known to be one that cannot be read. Then it is said to be.
    pub(super) fn leaves_out(&mut self, asked: Asked, kind: AssertionKind, name: &str, at: At) -> bool {
        let Some(error) = self.left_out.get(&asked) else { return false };
        let goal = if kind == AssertionKind::Cover { Goal::Reach } else { Goal::Hold };
        let place = match error.region {
            Region::Text { line, column, .. } => format!(" ({line}:{column})"),
            Region::Bytes { .. } => String::new(),
        };
        let reason = format!("{}{place}", error.message);
        let unread = Unread { name: name.to_owned(), goal, span: Some(self.places.span(at)), reason };
        self.executed.insert(at);
        if !self.unread.contains(&unread) {
            self.unread.push(unread);
        }
        true
    }

    /// Leaves an assertion out that cannot be read, if it may be left out.
    pub(super) fn leave_out(
        &mut self,
        asked: Asked,
        kind: AssertionKind,
        place: PlaceOfWork,
        error: InputError,
    ) -> Result<(), InputError> {
        if kind == AssertionKind::Assume || error.stop.is_some() {
            return Err(error);
        }
        self.return_to(place);
        self.newly_left_out.entry(asked).or_insert(error);
        Ok(())
    }
}

/// What is wrong with the first assertion that is left out, in the order of the text.
pub(super) fn first_error(left_out: &LeftOut) -> Option<&InputError> {
    let place = |error: &InputError| match error.region {
        Region::Text { line, column, .. } => (line, column),
        Region::Bytes { .. } => (0, 0),
    };
    left_out.values().min_by(|a, b| (&a.path, place(a)).cmp(&(&b.path, place(b))))
}

/// The properties that only belong to what is left out: their clocks are none of the design.
pub(super) fn only_left_out(export: &Export, left_out: &LeftOut) -> FxHashSet<PropertyRef> {
    let is_left_out = |property: &PropertyRef| left_out.contains_key(&Asked::Property(*property));
    let asked = export.stmts.iter().filter_map(|stmt| match stmt.what {
        StmtKind::Concurrent(_, property, ..) => Some(property),
        _ => None,
    });
    let (unread, read): (Vec<PropertyRef>, Vec<PropertyRef>) = asked.partition(is_left_out);
    let mut only = within(export, unread);
    if !only.is_empty() {
        let kept = within(export, read);
        only.retain(|property| !kept.contains(property));
    }
    only
}

/// These properties, and all that stand in them.
fn within(export: &Export, roots: Vec<PropertyRef>) -> FxHashSet<PropertyRef> {
    let (mut properties, mut exprs) = (FxHashSet::default(), FxHashSet::default());
    let mut open: Vec<Reference> = roots.into_iter().map(Reference::Property).collect();
    while let Some(reference) = open.pop() {
        match reference {
            Reference::Property(property) if properties.insert(property) => {
                open.extend(references::of_property(export.property(property)).0);
            }
            Reference::Expr(expr) if exprs.insert(expr) => {
                open.extend(references::of_expr(export.expr(expr)).0);
            }
            _ => {}
        }
    }
    properties
}
