//! Two runs side by side: what differs comes first, design above mutant.

use crate::table::Palette;
use crate::trace_table::{Row, rows, values, wire_label};
use propcov_ir::{
    Difference, Edits, ExprId, Interpreter, Mutant, SignalId, Site, StepError, System, Trace, Value,
};

/// The table of a witness, each line with the given start.
pub(crate) fn render(
    system: &System,
    mutant: Mutant,
    difference: &Difference,
    start: &str,
    palette: Palette,
) -> String {
    let (none, edits) = (Edits::none(), mutant.edits(system));
    let design = Run { system, edits: &none, trace: &difference.original };
    let mutated = Run { system, edits: &edits, trace: &difference.mutated };
    let mut pairs: Vec<(Row, Row)> = Vec::new();
    // What somebody could see, then what was mutated, then everything else.
    for name in &difference.observed {
        pairs.extend(pair(&design, &mutated, name));
    }
    if let Site::Wire(_) = system.element(mutant.element).site {
        let named = pair(&design, &mutated, &system.element(mutant.element).name);
        let label = wire_label(system, mutant.element);
        pairs.extend(named.map(|((_, left), (_, right))| ((label.clone(), left), (label, right))));
    }
    // Wires that are open in the mutant have no counterpart here; they were shown before.
    let signals = system.inputs().len() + system.states().len();
    let left = values(system, &difference.original).into_iter().take(signals);
    let right = values(system, &difference.mutated).into_iter().take(signals);
    pairs.extend(left.zip(right));
    let (mut important, mut others): (Vec<Row>, Vec<Row>) = (Vec::new(), Vec::new());
    let mut seen: Vec<String> = Vec::new();
    for ((name, left), (_, right)) in pairs {
        if seen.contains(&name) {
            continue;
        }
        if left == right {
            others.push((name.clone(), left));
        } else {
            important.push((format!("{name}, design"), left));
            important.push((format!("{name}, mutant"), right));
        }
        seen.push(name);
    }
    rows(important, others, difference.original.steps.len(), start, palette)
}

struct Run<'a> {
    system: &'a System,
    edits: &'a Edits,
    trace: &'a Trace,
}

/// The values of an output or signal in both runs.
fn pair(design: &Run<'_>, mutant: &Run<'_>, name: &str) -> Option<(Row, Row)> {
    let row = |run: &Run<'_>| run.named(name).map(|values| (name.to_owned(), values));
    Some((row(design)?, row(mutant)?))
}

impl Run<'_> {
    /// The values of an output or signal by step.
    fn named(&self, name: &str) -> Option<Vec<Value>> {
        match (self.system.output_named(name), self.system.signal_named(name)) {
            (Some(output), _) => self.output(output.expr).ok(),
            (None, Some(signal)) => self.signal(signal).ok(),
            (None, None) => None,
        }
    }

    fn output(&self, expr: ExprId) -> Result<Vec<Value>, StepError> {
        self.each(|interpreter, step| interpreter.frame(step)?.value(expr).map(Some))
    }

    fn signal(&self, signal: SignalId) -> Result<Vec<Value>, StepError> {
        self.each(|interpreter, step| Ok(interpreter.frame(step)?.signal(signal).cloned()))
    }

    fn each(
        &self,
        value: impl Fn(&Interpreter<'_>, &propcov_ir::Step) -> Result<Option<Value>, StepError>,
    ) -> Result<Vec<Value>, StepError> {
        let Ok(interpreter) = Interpreter::new(self.system, self.edits) else { return Ok(Vec::new()) };
        let values = self.trace.steps.iter().map(|step| value(&interpreter, step));
        values.filter_map(Result::transpose).collect()
    }
}
