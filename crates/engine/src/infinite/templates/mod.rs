//! Invariants from templates.
use super::Problem;
use crate::limits::{Limits, Stats};
use propcov_ir::ExprId;
/// Stub: to be replaced by its author.
pub struct Templates<'s>(std::marker::PhantomData<&'s ()>);
/// Stub.
pub enum Round {
    /// Lemmas.
    Found(Vec<ExprId>),
    /// None this time.
    Nothing,
    /// Out of budget.
    Exhausted,
    /// No more families.
    Done,
}
impl<'s> Templates<'s> {
    /// Stub.
    pub fn new(_: &mut Problem<'s>) -> Templates<'s> {
        Templates(std::marker::PhantomData)
    }
    /// Stub.
    pub fn round(&mut self, _: &mut Problem<'s>, _: &[ExprId], _: &Limits, _: &mut Stats) -> Round {
        Round::Done
    }
    /// Stub.
    pub fn ticks(&self) -> u64 {
        0
    }
}
