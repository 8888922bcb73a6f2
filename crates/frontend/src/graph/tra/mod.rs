//! The explicit files of probabilistic model checkers: transitions in a `.tra` file, labels in a `.lab` file next to it.
//!
//! Three dialects are read:
//! - PRISM: a header with the numbers of states and transitions (`n m`, for chains), with choices (`n c m`, for decision processes and its LTSs) or with choices and
//!   observations (`n c m o`), maybe after comments such as `# Transitions (MDP)`. Lines have source, choice (not in chains), target, probability (not in LTSs), observation (only with them),
//!   and maybe an action. A line that begins with `-` names an initial state.
//! - Storm: the first line is `dtmc`, `ctmc` or `mdp`, or `@type: dtmc` and so on, and there are as many states as the lines name.
//! - MRMC, as LTSmin writes it: `STATES n` and `TRANSITIONS m`, and states are counted from 1.
//!
//! Only the graph counts: a transition is there if its probability or rate is not 0, and actions and choices are left out.
//!
//! Of the labels, `init` marks initial states and is no proposition, and neither is `deadlock`, whether a file has it or not: it tells which states had no transition before the
//! tool gave them a loop, so it is about how the file was made.

mod lab;
mod transitions;

use super::{
    GraphOptions,
    draft::Draft,
    numbered::{Loops, Mentions},
};
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::Graph;

pub(super) use transitions::sniff;

pub(super) fn read(
    input: Input<'_>,
    companion: Option<Input<'_>>,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let table = transitions::parse(input)?;
    if table.states == 0 {
        return Err(input.error(table.states_at, "expected at least one state, found none"));
    }
    let Some(label_input) = companion else {
        let name = super::companion(input.path).unwrap_or_else(|| "a .lab file".to_owned());
        return Err(
            input.error(0..0, format!("expected labels and initial states in {name}, found no such file"))
        );
    };
    let mut draft = Draft::new(input, label_input);
    let mut mentions = Mentions::new(input, table.base);
    for line in &table.lines {
        mentions.note(line.from, &line.from_at);
        mentions.note(line.to, &line.to_at);
    }
    mentions.add_states(&mut draft, table.states, None, &table.states_at, Loops::new(options))?;
    let number = |state: u64| (state - table.base) as u32;
    for line in table.lines.iter().filter(|line| line.is_possible) {
        draft.add_transition(number(line.from), number(line.to));
    }
    table.initial.iter().for_each(|state| draft.set_initial(number(*state)));
    let init_at = lab::parse(label_input, &table, &mut draft)?;
    let graph = draft.finish(options, || {
        let message = "no initial state: expected the label \"init\" in a state, found none with it";
        label_input.error(init_at, message)
    })?;
    Ok((graph, Vec::new()))
}
