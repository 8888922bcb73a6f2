//! A model as a system: each gate a wire, each latch a state, one definition one element.

use super::{
    Literal, Model, Parsed, Reset, Section, SymbolKind,
    names::names,
    variables::{Definition, Variables},
};
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::{
    ConstraintKind, ElementKind, ExprId, Fairness, FileId, Output, PropertyKind, SignalId, Site, Sort,
    SourceFile, Span, System,
};

/// The system that a parsed file describes, and what its user should know.
///
/// Its inputs, states and wires are the inputs, latches and gates of the model, in the same order; its first
/// properties are the bad states ([`Model::bad_states`]) in order, then come the justice properties.
pub fn to_system(file: &SourceFile, parsed: &Parsed) -> (System, Vec<Diagnostic>) {
    // Without a budget nothing can go wrong.
    system_within(Input::of(file), file, parsed).unwrap_or_default()
}

/// The same within the budget of the input.
pub(super) fn system_within(
    input: Input<'_>,
    file: &SourceFile,
    parsed: &Parsed,
) -> Result<(System, Vec<Diagnostic>), InputError> {
    let mut system = System::new();
    let file = system.add_file(file.clone());
    let mut builder = Builder::new(system, file, parsed);
    builder.latches(input)?;
    builder.gates(input)?;
    builder.constraints();
    builder.properties();
    Ok((builder.system, builder.warnings))
}

struct Builder<'p> {
    system: System,
    file: FileId,
    parsed: &'p Parsed,
    variables: Variables,
    /// The expressions of signals and of their negations once they are made: two of three look-ups are saved.
    literals: Vec<[Option<ExprId>; 2]>,
    warnings: Vec<Diagnostic>,
}

impl<'p> Builder<'p> {
    /// Adds all signals but the gates. As those follow, each signal's id is known from the start.
    fn new(mut system: System, file: FileId, parsed: &'p Parsed) -> Builder<'p> {
        let Model { inputs, latches, ands, constraints, .. } = &parsed.model;
        system.reserve(
            inputs.len() + latches.len() + ands.len(),
            2 * latches.len() + ands.len() + constraints.len(),
        );
        for (position, names) in names(&parsed.model, SymbolKind::Input).iter().enumerate() {
            let input = system.add_input(named(names.first().copied(), "i", position), Sort::BOOL);
            names.iter().skip(1).for_each(|alias| system.add_alias(input, *alias));
        }
        for (position, names) in names(&parsed.model, SymbolKind::Latch).iter().enumerate() {
            let latch = system.add_state(named(names.first().copied(), "l", position), Sort::BOOL);
            names.iter().skip(1).for_each(|alias| system.add_alias(latch, *alias));
        }
        let variables = Variables::new(&parsed.model);
        let literals = vec![[None; 2]; system.signals().len() + parsed.model.ands.len()];
        Builder { system, file, parsed, variables, literals, warnings: Vec::new() }
    }

    fn model(&self) -> &'p Model {
        &self.parsed.model
    }

    fn span(&self, section: Section, position: usize) -> Option<Span> {
        Some(Span { file: self.file, region: self.parsed.layout.region(section, position) })
    }

    fn literal(&mut self, literal: Literal) -> ExprId {
        let (inputs, latches) = (self.model().inputs.len() as u32, self.model().latches.len() as u32);
        let signal = match self.variables.get(literal.variable()) {
            // A parsed model defines all that it uses.
            None | Some(Definition::Constant) => return self.system.exprs.bool(literal.is_negated()),
            Some(Definition::Input(position)) => SignalId(position),
            Some(Definition::Latch(position)) => SignalId(inputs + position),
            Some(Definition::And(position)) => SignalId(inputs + latches + position),
        };
        let known = &mut self.literals[signal.0 as usize][usize::from(literal.is_negated())];
        *known.get_or_insert_with(|| {
            let expr = self.system.exprs.signal(signal, Sort::BOOL);
            if literal.is_negated() { self.system.exprs.not(expr) } else { expr }
        })
    }

    fn latches(&mut self, input: Input<'_>) -> Result<(), InputError> {
        for (position, latch) in self.model().latches.iter().enumerate() {
            input.go_on(position)?;
            let signal = self.system.states()[position];
            let name = self.system.signal(signal).name.clone();
            let span = self.span(Section::Latches, position);
            let next = self.literal(latch.next);
            self.system.set_next(signal, next);
            let init = match latch.reset {
                Reset::Zero => Some(false),
                Reset::One => Some(true),
                Reset::Open => None,
            };
            if let Some(init) = init {
                let init = self.system.exprs.bool(init);
                self.system.set_init(signal, init);
                self.system.add_element(format!("{name}.init"), ElementKind::Init, Site::Init(signal), span);
            }
            self.system.add_element(name, ElementKind::Register, Site::Next(signal), span);
        }
        Ok(())
    }

    fn gates(&mut self, input: Input<'_>) -> Result<(), InputError> {
        for (position, and) in self.model().ands.iter().enumerate() {
            input.go_on(position)?;
            let (left, right) = (self.literal(and.left), self.literal(and.right));
            let definition = self.system.exprs.and(left, right);
            let signal = self.system.add_wire(format!("and{}", and.output.variable()), definition);
            let name = self.system.signal(signal).name.clone();
            let span = self.span(Section::Gates, position);
            self.system.add_element(name, ElementKind::Gate, Site::Wire(signal), span);
        }
        Ok(())
    }

    fn constraints(&mut self) {
        let names = self.model().names(SymbolKind::Constraint);
        for (position, literal) in self.model().constraints.iter().enumerate() {
            let name = named(names[position], "c", position);
            let expr = self.literal(*literal);
            let constraint = self.system.add_constraint(name.clone(), ConstraintKind::Always, expr);
            let span = self.span(Section::Constraints, position);
            self.system.add_element(name, ElementKind::Assumption, Site::Constraint(constraint), span);
        }
        for literal in &self.model().fairness {
            let expr = self.literal(*literal);
            self.system.fairness.push(Fairness::Justice(expr));
        }
    }

    fn properties(&mut self) {
        let model = self.model();
        let names = model.names(SymbolKind::Output);
        for (position, literal) in model.outputs.iter().enumerate() {
            let expr = self.literal(*literal);
            self.system.outputs.push(Output { name: named(names[position], "o", position), expr });
        }
        let (kind, letter, section) = if model.outputs_are_bad() {
            (SymbolKind::Output, "o", Section::Outputs)
        } else {
            (SymbolKind::Bad, "b", Section::Bads)
        };
        let names = model.names(kind);
        for (position, literal) in model.bad_states().iter().enumerate() {
            let good = self.literal(!*literal);
            let span = self.span(section, position);
            let name = named(names[position], letter, position);
            self.system.add_property(name, PropertyKind::Invariant(good), span);
        }
        let names = model.names(SymbolKind::Justice);
        for (position, literals) in model.justice.iter().enumerate() {
            let exprs = literals.iter().map(|literal| self.literal(*literal)).collect();
            let span = self.span(Section::Justice, position);
            let name = named(names[position], "j", position);
            self.system.add_property(name, PropertyKind::Justice(exprs), span);
        }
    }
}

/// The user's name; without one, a letter and the position.
fn named(name: Option<&str>, letter: &str, position: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("{letter}{position}"),
    }
}
