//! What must not happen while an expression is evaluated: a `case` without a branch, an index out of range, a division by
//! zero.
//!
//! It is an error where it can happen, given the conditions under which the expression is read. In a definition or an
//! argument nothing is evaluated yet, so what can happen there is kept, and asked again wherever it is read.

use super::{check::Search, lowering::Lowering, syntax::Place, tree::Tree};
use crate::InputError;
use propcov_ir::ExprId;
use std::rc::Rc;

/// How many hazards a definition may keep; others are errors at once. Otherwise each definition of a long chain would
/// collect those of all before.
const MAX_KEPT: usize = 16;

/// Something that must not happen.
#[derive(Clone, Debug)]
pub(super) struct Hazard {
    /// Where it happens, if it does.
    pub(super) when: ExprId,
    pub(super) place: Place,
    /// What happens.
    pub(super) what: &'static str,
    /// What the value is nevertheless, where nobody knows.
    pub(super) instead: &'static str,
}

/// A value, and what must not happen where it is read.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) tree: Tree,
    pub(super) hazards: Rc<[Hazard]>,
}

impl Lowering<'_> {
    /// Nothing may get past the conditions in `path`.
    pub(super) fn must_be_exhaustive(&mut self, place: &Place, what: &'static str) -> Result<(), InputError> {
        let when = self.truth(true);
        let instead = "the last alternative is taken";
        self.must_not_happen(Hazard { when, place: place.clone(), what, instead }).map(|_| ())
    }

    /// Where it can happen under the conditions in `path`, it is an error, or kept for those who read the definition; a
    /// warning where nobody knows. Whether it certainly does not happen.
    pub(super) fn must_not_happen(&mut self, mut hazard: Hazard) -> Result<bool, InputError> {
        for (condition, holds) in self.path.clone() {
            let condition = if holds { condition } else { self.not(condition) };
            hazard.when = self.and(hazard.when, condition);
        }
        let found = self.search(hazard.when, None);
        if matches!(found, Search::Impossible) {
            return Ok(true);
        }
        if self.keep(&hazard) {
            return Ok(false);
        }
        let Hazard { place, what, instead, .. } = hazard;
        if let Search::Possible(example, _) = found {
            return Err(self.error(&place, format!("{what}{example}")));
        }
        if self.warned.insert(place.start) {
            let message = format!("it is not known whether {what} in some state; then {instead}");
            self.report.warn(&place, message);
        }
        Ok(false)
    }

    /// Keeps a hazard in a definition; false where there is none, or no room.
    fn keep(&mut self, hazard: &Hazard) -> bool {
        let Some(mut kept) = self.kept.take() else { return false };
        let same = kept.iter().position(|known| known.place == hazard.place);
        let room = kept.len() < MAX_KEPT;
        match same {
            Some(at) => kept[at].when = self.or(kept[at].when, hazard.when),
            None if room => kept.push(hazard.clone()),
            None => {}
        }
        self.kept = Some(kept);
        same.is_some() || room
    }

    /// Lowers a definition or an argument, and keeps what must not happen in it.
    pub(super) fn keeping(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<Tree, InputError>,
    ) -> Result<Kept, InputError> {
        let path = std::mem::take(&mut self.path);
        let outer = self.kept.replace(Vec::new());
        let tree = lower(self)?;
        self.path = path;
        let hazards = std::mem::replace(&mut self.kept, outer).unwrap_or_default();
        Ok(Kept { tree, hazards: hazards.into() })
    }

    /// The value of a definition or an argument where it is read.
    pub(super) fn read(&mut self, kept: &Kept) -> Result<Tree, InputError> {
        for hazard in kept.hazards.iter() {
            self.must_not_happen(hazard.clone())?;
        }
        Ok(kept.tree.clone())
    }
}
