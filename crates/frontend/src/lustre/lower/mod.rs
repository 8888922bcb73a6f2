//! From a checked program to a system: the passes of JKind's translation, as far as they show in names and meaning.
//!
//! `condact` replaces conditional activation by plain calls of clocked nodes; `names` finds the types of expressions; `inline` makes one list of
//! variables and equations of all calls; and `lowering` turns those into signals, definitions first, with `expression` for the values. Values of
//! records, arrays and tuples are lists of scalars throughout. `decompose` takes equations apart, if that is asked for.
//!
//! What JKind leaves to its solver's unrolling is a state here: `pre x` is a state that starts anywhere, and the `first` of `->` is a state `%first`. `pre` is
//! distributed over operators. Where its operand has temporal operators itself, the operand is an equation of its own with JKind's name `~flatten0`.
//!
//! What is said about `pre x` at the beginning of a run says nothing. So lemmas speak of the wire x instead: a lemma may read any signal of a step.

mod clocks;
mod condact;
mod decompose;
mod expression;
mod inline;
mod keys;
mod lowering;
mod machine;
mod names;
mod operators;
mod restart;
mod types;

use super::{LustreFacts, report::Report, syntax::Program};
use crate::{Diagnostic, Granularity, InputError, text::Input};
use decompose::Pieces;
use inline::Inlined;
use lowering::Lowering;
use names::Names;
use propcov_ir::{SourceFile, System};

/// What has become of a program.
pub(super) struct Lowered {
    pub(super) system: System,
    pub(super) facts: LustreFacts,
}

/// The system that a checked program describes. What the user should know is added to the warnings.
pub(super) fn lower(
    file: &SourceFile,
    input: Input<'_>,
    program: &Program,
    granularity: Granularity,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Lowered, InputError> {
    let input = &input;
    let main = program.nodes.iter().position(|node| node.main.is_some());
    let Some(main) = main.or(program.nodes.len().checked_sub(1)) else {
        return Err(input.error(0..0, "the file has no node"));
    };
    let clocked = clocks::remove(input, program)?;
    let program = clocked.as_ref().unwrap_or(program);
    let names = Names::new(input, program)?;
    let inlined = Inlined::new(input, names, main)?;
    let mut lowering = Lowering::new(file, Report::new(*input), inlined);
    lowering.pieces = (granularity == Granularity::Operator).then(Pieces::default);
    lowering.equations()?;
    lowering.elements();
    lowering.ranges();
    lowering.assertions()?;
    lowering.properties()?;
    lowering.finish_states();
    let Lowering { system, report, .. } = &lowering;
    system.validate().map_err(|error| input.error(0..0, error.to_string()))?;
    warnings.extend(report.warnings.iter().cloned());
    let facts = LustreFacts {
        main: program.nodes[main].name.text.clone(),
        ivc: lowering.ivc(),
        dialect: program.dialect,
    };
    Ok(Lowered { system: lowering.system, facts })
}
