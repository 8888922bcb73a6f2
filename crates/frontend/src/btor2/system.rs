//! A model as a system: each operator a wire, each state a state, one definition one element.

use super::{Line, Model, Operation, Operator, Reference, translate::apply};
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::{
    ConstraintKind, ElementKind, ExprId, Fairness, FileId, Output, PropertyKind, Region, SignalId, Site,
    Sort, SortError, SourceFile, Span, System, UnaryOp, Value,
};
use rustc_hash::FxHashMap;

/// The system that a model describes, and what its user should know.
///
/// The parser has checked all that could go wrong here: an error would be one that it has missed.
pub fn to_system(file: &SourceFile, model: &Model) -> Result<(System, Vec<Diagnostic>), InputError> {
    system_within(Input::of(file), file, model)
}

/// The same within the budget of the input.
pub(super) fn system_within(
    input: Input<'_>,
    file: &SourceFile,
    model: &Model,
) -> Result<(System, Vec<Diagnostic>), InputError> {
    let path = &file.path;
    let mut system = System::new();
    let file = system.add_file(file.clone());
    system.reserve(model.lines.len(), model.lines.len());
    let mut builder = Builder {
        system,
        file,
        sorts: FxHashMap::default(),
        values: FxHashMap::default(),
        states: FxHashMap::default(),
        constraints: 0,
        bads: 0,
        warnings: Vec::new(),
    };
    for (done, line) in model.lines.iter().enumerate() {
        input.go_on(done)?;
        builder.line(line).map_err(|error| InputError {
            path: path.clone(),
            region: builder.span(line).region,
            message: error.to_string(),
            source_line: None,
            stop: None,
        })?;
    }
    builder.justice(model);
    Ok((builder.system, builder.warnings))
}

struct Builder {
    system: System,
    file: FileId,
    sorts: FxHashMap<u64, Sort>,
    values: FxHashMap<u64, ExprId>,
    states: FxHashMap<u64, SignalId>,
    constraints: usize,
    bads: usize,
    warnings: Vec<Diagnostic>,
}

impl Builder {
    fn span(&self, line: &Line) -> Span {
        let place = &line.place;
        let region = Region::Text {
            line: place.line,
            column: place.column,
            end_line: place.line,
            end_column: place.end_column,
        };
        Span { file: self.file, region }
    }

    fn sort(&self, id: u64) -> Sort {
        self.sorts.get(&id).cloned().unwrap_or(Sort::BOOL)
    }

    fn value(&mut self, node: Reference) -> ExprId {
        let value = match self.values.get(&node.id) {
            Some(value) => *value,
            None => self.system.exprs.bool(false),
        };
        if node.negated { self.system.exprs.not(value) } else { value }
    }

    fn line(&mut self, line: &Line) -> Result<(), SortError> {
        let name = || line.symbol.clone().unwrap_or_else(|| format!("n{}", line.id));
        match &line.operation {
            Operation::Sort(sort) => {
                self.sorts.insert(line.id, sort.clone());
            }
            Operation::Input { sort } => {
                let signal = self.system.add_input(name(), self.sort(*sort));
                self.values.insert(line.id, self.system.read(signal));
            }
            Operation::State { sort } => {
                let signal = self.system.add_state(name(), self.sort(*sort));
                self.states.insert(line.id, signal);
                self.values.insert(line.id, self.system.read(signal));
            }
            Operation::Constant { value, .. } => {
                self.values.insert(line.id, self.system.exprs.constant(Value::Bits(value.clone())));
            }
            Operation::Apply { operator, operands, indices, .. } => {
                self.wire(line, *operator, operands, indices, name())?;
            }
            Operation::Init { state, value, .. } => self.init(line, *state, *value)?,
            Operation::Next { state, value, .. } => self.next(line, *state, *value),
            Operation::Bad(condition) => {
                let name = line.symbol.clone().unwrap_or_else(|| format!("bad{}", self.bads));
                self.bads += 1;
                let good = self.value(Reference { negated: !condition.negated, ..*condition });
                self.system.add_property(name, PropertyKind::Invariant(good), Some(self.span(line)));
            }
            Operation::Constraint(condition) => {
                let name = line.symbol.clone().unwrap_or_else(|| format!("constraint{}", self.constraints));
                self.constraints += 1;
                let expr = self.value(*condition);
                let constraint = self.system.add_constraint(name.clone(), ConstraintKind::Always, expr);
                let site = Site::Constraint(constraint);
                self.system.add_element(name, ElementKind::Assumption, site, Some(self.span(line)));
            }
            Operation::Fair(condition) => {
                let expr = self.value(*condition);
                self.system.fairness.push(Fairness::Justice(expr));
            }
            Operation::Output(value) => {
                let position = self.system.outputs.len();
                let name = line.symbol.clone().unwrap_or_else(|| format!("output{position}"));
                let expr = self.value(*value);
                self.system.outputs.push(Output { name, expr });
            }
            Operation::Justice(_) => {}
        }
        Ok(())
    }

    fn wire(
        &mut self,
        line: &Line,
        operator: Operator,
        operands: &[Reference],
        indices: &[u32],
        name: String,
    ) -> Result<(), SortError> {
        let operands: Vec<ExprId> = operands.iter().map(|operand| self.value(*operand)).collect();
        let definition = apply(&mut self.system.exprs, operator, &operands, indices)?;
        let signal = self.system.add_wire(name, definition);
        let name = self.system.signal(signal).name.clone();
        let kind = if line.symbol.is_some() { ElementKind::Equation } else { ElementKind::Gate };
        self.system.add_element(name, kind, Site::Wire(signal), Some(self.span(line)));
        self.values.insert(line.id, self.system.read(signal));
        Ok(())
    }

    fn init(&mut self, line: &Line, state: Reference, value: Reference) -> Result<(), SortError> {
        let Some(signal) = self.states.get(&state.id).copied() else { return Ok(()) };
        let mut value = self.value(value);
        let sort = self.system.signal(signal).sort.clone();
        if *self.system.exprs.sort(value) != sort {
            // An array that starts with one value everywhere.
            value = self.system.exprs.unary(UnaryOp::ConstArray(sort), value)?;
        }
        self.system.set_init(signal, value);
        let name = format!("{}.init", self.system.signal(signal).name);
        self.system.add_element(name, ElementKind::Init, Site::Init(signal), Some(self.span(line)));
        Ok(())
    }

    fn next(&mut self, line: &Line, state: Reference, value: Reference) {
        let Some(signal) = self.states.get(&state.id).copied() else { return };
        let value = self.value(value);
        self.system.set_next(signal, value);
        let name = self.system.signal(signal).name.clone();
        self.system.add_element(name, ElementKind::Register, Site::Next(signal), Some(self.span(line)));
    }

    /// Justice properties come after all others, so that the k-th property is the k-th `bad` line.
    fn justice(&mut self, model: &Model) {
        let mut count = 0;
        for line in &model.lines {
            let Operation::Justice(conditions) = &line.operation else { continue };
            let name = line.symbol.clone().unwrap_or_else(|| format!("justice{count}"));
            count += 1;
            let span = Some(self.span(line));
            let conditions = conditions.iter().map(|condition| self.value(*condition)).collect();
            self.system.add_property(name, PropertyKind::Justice(conditions), span);
        }
    }
}
