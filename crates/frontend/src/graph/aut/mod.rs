//! Aldebaran (`.aut`), the format that CADP, mCRL2 and LTSmin share: `des (first, transitions, states)`, and then lines
//! `(from, "action", to)`; actions without quotes are read, too.
//!
//! There are actions on transitions, and no place for labels of states: mCRL2 has none in this format, and LTSmin refuses to write them, but encodes them on request. So there are
//! conventions about them, which [`StateLabels`](super::StateLabels) describes. The same file may well mean different graphs by different conventions. `Auto` therefore decides only
//! where one of them is sure: `encoded` if all actions are of this encoding, `sources` if there is a root and all other
//! actions begin with `l_`, `loops` if there is an action on self-loops only and the transitions from some state have different actions, which rules out `sources`.

mod convention;
mod parse;

use super::GraphOptions;
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::Graph;

/// Whether the first word is `des` before a parenthesis.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let rest = bytes.trim_ascii_start().strip_prefix(b"des");
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
}

pub(super) fn read(
    input: Input<'_>,
    _companion: Option<Input<'_>>,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let system = parse::parse(input)?;
    convention::graph(input, &system, options)
}
