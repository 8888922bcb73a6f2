//! Equations taken apart: each operator, constant and use of a variable is a wire of its own, with an element.
//!
//! An expression's value is a list of scalars that remember which expression they come from. As soon as an operator reads them, they become wires. What is
//! left in the end is the value of the whole equation, and defines its variables: the outermost operator gets no wire of its own. What only moves
//! scalars around, such as the fields of a record, leaves them what they are.
//!
//! `pre` is distributed over operators here, too, because that is what it means in the first step. An operator under `pre` is then the operator of the step before, and to free
//! it means the same: any value in any step.
//!
//! What the user has to know is at [`parse_operators`](super::super::parse_operators).

use super::super::syntax::{At, BinaryOp, ExprKind, Id, UnaryOp};
use super::{
    expression::Flat,
    inline::Equation,
    lowering::{Lowering, UNKNOWN},
    names::{each_operand, operands},
};
use crate::InputError;
use propcov_ir::{ElementKind, ExprId, Node, Parent, SignalId, SignalKind, Site, System, Whole};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many pieces there may be: each call of a node makes new ones.
const MAX_PIECES: usize = 1 << 20;

/// How much of a constant expression is in a name.
const SHOWN: usize = 40;

/// How many of the variables that an equation defines are in a name.
const SHOWN_VARIABLES: usize = 3;

/// The pieces of all equations.
#[derive(Default)]
pub(super) struct Pieces {
    /// The wires that there are, by equation and origin: an equation may be looked at several times.
    wires: FxHashMap<(usize, Origin), ExprId>,
    list: Vec<Piece>,
    /// The words for the scalars of an expression.
    labels: FxHashMap<(Id, Extent), Vec<String>>,
}

/// What becomes an element.
pub(super) struct Piece {
    /// The equation that the user wrote.
    equation: usize,
    at: At,
    signal: SignalId,
    name: String,
    /// Whether this is the outermost operator, which defines a variable.
    is_outermost: bool,
}

/// A scalar and where it comes from: nothing, if the user did not write that.
pub(super) struct Part {
    pub(super) value: ExprId,
    origin: Option<Origin>,
}

/// One scalar of the value of an expression, in the step before or in this one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Origin {
    expr: Id,
    before: bool,
    position: u32,
    extent: Extent,
}

/// How much of an expression is one piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extent {
    /// Its operator, or all of it if it is a name or number.
    Word,
    /// All of it: a constant expression, or the path to a field.
    Whole,
}

/// What is left to do about an expression: it is in the step before if it is under `pre`.
enum Task {
    Visit(Id, bool),
    Build(Id, bool),
}

impl Part {
    /// A scalar of an equation that is left whole.
    pub(super) fn whole(value: ExprId) -> Part {
        Part { value, origin: None }
    }
}

impl Pieces {
    /// The pieces that the value of an equation depends on, by equation, in the order of the text. Others are parts of records that nobody reads.
    fn by_equation(&mut self, system: &System) -> FxHashMap<usize, Vec<Piece>> {
        let inner = self.list.iter().filter(|piece| !piece.is_outermost).map(|piece| piece.signal).collect();
        let used = used_wires(system, &inner);
        let mut groups: FxHashMap<usize, Vec<Piece>> = FxHashMap::default();
        for piece in std::mem::take(&mut self.list) {
            if used.contains(&piece.signal) {
                groups.entry(piece.equation).or_default().push(piece);
            }
        }
        groups.values_mut().for_each(|pieces| pieces.sort_by_key(|piece| (piece.at.start, piece.at.end)));
        groups
    }
}

/// The wires of variables, and what they read of the inner pieces.
fn used_wires(system: &System, inner: &FxHashSet<SignalId>) -> FxHashSet<SignalId> {
    let definition = |wire: SignalId| match system.signal(wire).kind {
        SignalKind::Wire { definition } => Some(definition),
        _ => None,
    };
    let variables = system.wires().iter().copied().filter(|wire| !inner.contains(wire));
    let mut used: FxHashSet<SignalId> = variables.collect();
    let mut stack: Vec<ExprId> = used.iter().filter_map(|wire| definition(*wire)).collect();
    let mut seen = vec![false; system.exprs.len()];
    while let Some(expr) = stack.pop() {
        if std::mem::replace(&mut seen[expr.0 as usize], true) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Signal(signal) if inner.contains(signal) && used.insert(*signal) => {
                stack.extend(definition(*signal));
            }
            _ => stack.extend(system.exprs.operands(expr)),
        }
    }
    used
}

impl Lowering<'_> {
    /// Whether an equation is to be taken apart: not if only the translation wrote it.
    pub(super) fn is_decomposed(&self, equation: usize) -> bool {
        let value = self.inlined.equations[equation].value;
        self.pieces.is_some() && self.inlined.names.program.expr(value).token.is_some()
    }

    /// The value of an equation, after wires have been made for all its operators but the outermost. Iterative: depth is no limit.
    pub(super) fn parts(&mut self, equation: usize) -> Result<Vec<Part>, InputError> {
        let program = self.inlined.names.program;
        let Equation { scope, value: root, .. } = self.inlined.equations[equation];
        let mut values: Vec<Vec<Part>> = Vec::new();
        let mut tasks = vec![Task::Visit(root, false)];
        while let Some(task) = tasks.pop() {
            let (id, before) = match task {
                Task::Visit(id, before) => (id, before),
                Task::Build(id, before) => {
                    let count = operands(&program.expr(id).kind).len();
                    let parts = values.split_off(values.len().saturating_sub(count));
                    values.push(self.piece(equation, (id, before), parts)?);
                    continue;
                }
            };
            let kind = &program.expr(id).kind;
            let is_pre = matches!(kind, ExprKind::Unary(UnaryOp::Pre, _));
            let leaf = match self.inlined.flattened(scope, id) {
                Some(variable) if is_pre => Some(self.before(variable)),
                _ => self.leaf(scope, id, before)?,
            };
            if let Some(value) = leaf {
                values.push(self.originating((id, before), Extent::Word, &value));
                continue;
            }
            tasks.push(Task::Build(id, before));
            let start = tasks.len();
            each_operand(kind, |operand| tasks.push(Task::Visit(operand, before || is_pre)));
            tasks[start..].reverse();
        }
        values.pop().ok_or_else(|| self.error(&program.expr(root).at, "an expression without value"))
    }

    /// The scalars of an expression's value, with where they come from.
    fn originating(&self, (expr, before): (Id, bool), extent: Extent, value: &Flat) -> Vec<Part> {
        let is_written = self.inlined.names.program.expr(expr).token.is_some();
        let origin = |position| is_written.then_some(Origin { expr, before, position, extent });
        let scalars = value.scalars().iter().zip(0..);
        scalars.map(|(value, position)| Part { value: *value, origin: origin(position) }).collect()
    }

    /// The value of an expression from those of its operands, which become wires if it computes something of them.
    fn piece(
        &mut self,
        equation: usize,
        (id, before): (Id, bool),
        operands: Vec<Vec<Part>>,
    ) -> Result<Vec<Part>, InputError> {
        if let Some(value) = self.folded(id, &operands)? {
            return Ok(self.originating((id, before), Extent::Whole, &value));
        }
        let operands = match self.moved((id, before), operands) {
            Ok(parts) => return Ok(parts),
            Err(operands) => operands,
        };
        let kind = &self.inlined.names.program.expr(id).kind;
        // Solvers multiply and divide by literals only.
        let keeps_literals = matches!(
            kind,
            ExprKind::Binary(BinaryOp::Times | BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod, ..)
        );
        let mut values = Vec::with_capacity(operands.len());
        for parts in operands {
            let mut reads = Vec::with_capacity(parts.len());
            for part in parts {
                let stays = keeps_literals && self.literal(part.value).is_some();
                reads.push(if stays { part.value } else { self.wire_of(equation, &part)? });
            }
            values.push(Flat::from(reads));
        }
        let value = match (kind, values.as_slice()) {
            (ExprKind::Unary(UnaryOp::Pre, _), [operand]) => operand.clone(),
            _ => self.build(id, &values)?,
        };
        Ok(self.originating((id, before), Extent::Word, &value))
    }

    /// The value of an operator of literals, if that is a literal again.
    fn folded(&mut self, id: Id, operands: &[Vec<Part>]) -> Result<Option<Flat>, InputError> {
        let is_operator = match &self.inlined.names.program.expr(id).kind {
            ExprKind::Unary(op, _) => *op != UnaryOp::Pre,
            ExprKind::Binary(op, ..) => *op != BinaryOp::Arrow,
            ExprKind::ToReal(_) | ExprKind::Floor(_) => true,
            _ => false,
        };
        if !is_operator || operands.iter().flatten().any(|part| self.literal(part.value).is_none()) {
            return Ok(None);
        }
        let values: Vec<Flat> = operands
            .iter()
            .map(|parts| Flat::from(parts.iter().map(|part| part.value).collect::<Vec<_>>()))
            .collect();
        let value = self.build(id, &values)?;
        Ok(value.scalars().iter().all(|scalar| self.literal(*scalar).is_some()).then_some(value))
    }

    /// The value of an expression that only chooses among the scalars of its operands; else its operands.
    fn moved(
        &self,
        (id, before): (Id, bool),
        mut operands: Vec<Vec<Part>>,
    ) -> Result<Vec<Part>, Vec<Vec<Part>>> {
        let names = &self.inlined.names;
        let expr = names.program.expr(id);
        let index = operands.get(1).and_then(|parts| parts.first()).map(|part| part.value);
        let range = match &expr.kind {
            ExprKind::Record(..) | ExprKind::Array(_) | ExprKind::Tuple(_) => {
                return Ok(operands.into_iter().flatten().collect());
            }
            ExprKind::Field(record, field) | ExprKind::FieldUpdate(record, field, _) => names
                .types
                .field(names.of(*record), &field.text)
                .map(|(offset, of)| offset..offset + names.types.size(of)),
            ExprKind::Element(array, _) | ExprKind::ElementUpdate(array, ..) => {
                self.shape(*array, &expr.at).ok().zip(index).and_then(|((count, size), index)| {
                    self.position(index, count).map(|at| at * size..(at + 1) * size)
                })
            }
            _ => None,
        };
        let fits = |range: &std::ops::Range<usize>| {
            operands.first().is_some_and(|compound| range.end <= compound.len())
        };
        let Some(range) = range.filter(fits) else { return Err(operands) };
        let mut compound = operands.swap_remove(0);
        match (&expr.kind, operands) {
            (ExprKind::Field(inner, _) | ExprKind::Element(inner, _), _) => {
                let mut parts: Vec<Part> = compound.drain(range).collect();
                self.prolong(&mut parts, *inner, (id, before));
                Ok(parts)
            }
            // The new value is the last operand, which is the first one now.
            (_, mut others) if !others.is_empty() => {
                compound.splice(range, others.swap_remove(0));
                Ok(compound)
            }
            (_, others) => Err(others),
        }
    }

    /// Uses of a variable of which only a part is taken are uses of that part.
    fn prolong(&self, parts: &mut [Part], inner: Id, (expr, before): (Id, bool)) {
        let is_name = matches!(self.inlined.names.program.expr(inner).kind, ExprKind::Name(_));
        for (part, position) in parts.iter_mut().zip(0..) {
            let is_path =
                |origin: &Origin| origin.expr == inner && (is_name || origin.extent == Extent::Whole);
            if part.origin.as_ref().is_some_and(is_path) {
                part.origin = Some(Origin { expr, before, position, extent: Extent::Whole });
            }
        }
    }

    /// A scalar that an operator reads: the wire of what it comes from.
    fn wire_of(&mut self, equation: usize, part: &Part) -> Result<ExprId, InputError> {
        let Some(origin) = part.origin.filter(|_| part.value != UNKNOWN) else { return Ok(part.value) };
        let known = self.pieces.as_ref().and_then(|pieces| pieces.wires.get(&(equation, origin)));
        if let Some(read) = known {
            return Ok(*read);
        }
        let written = self.written_equation(equation);
        let word = self.label(origin);
        let name = self.piece_name(&self.equation_name(written), origin, &word);
        let signal = self.system.add_wire(name, part.value);
        self.system.set_origin(signal, propcov_ir::Origin::Helper);
        let read = self.system.read(signal);
        let name = self.system.signal(signal).name.clone();
        self.add_piece(Piece {
            equation: written,
            at: self.place(origin),
            signal,
            name,
            is_outermost: false,
        })?;
        if let Some(pieces) = &mut self.pieces {
            pieces.wires.insert((equation, origin), read);
        }
        Ok(read)
    }

    /// Notes that the outermost operator of an equation defines a variable.
    pub(super) fn outermost(
        &mut self,
        equation: usize,
        part: &Part,
        signal: SignalId,
    ) -> Result<(), InputError> {
        let Some(origin) = part.origin else { return Ok(()) };
        let written = self.written_equation(equation);
        let kind = &self.inlined.names.program.expr(origin.expr).kind;
        let is_use = matches!(kind, ExprKind::Name(_) | ExprKind::Call(..));
        let (variable, word) = match written == equation {
            // Which scalar of an operator's value it is, the name of the variable says already.
            true if !is_use => (self.system.signal(signal).name.clone(), self.word(origin)),
            true => (self.system.signal(signal).name.clone(), self.label(origin)),
            false => (self.equation_name(written), self.label(origin)),
        };
        let name = self.piece_name(&variable, origin, &word);
        self.add_piece(Piece { equation: written, at: self.place(origin), signal, name, is_outermost: true })
    }

    fn add_piece(&mut self, piece: Piece) -> Result<(), InputError> {
        let at = piece.at.clone();
        let Some(pieces) = &mut self.pieces else { return Ok(()) };
        pieces.list.push(piece);
        if pieces.list.len() > MAX_PIECES {
            let message =
                format!("with all calls inlined there are more than {MAX_PIECES} operators to take apart");
            return Err(self.error(&at, message));
        }
        Ok(())
    }

    /// The equation that the user wrote: that of the `pre` whose operand this is, or itself.
    fn written_equation(&self, equation: usize) -> usize {
        self.inlined.equations[equation].flattened_in.unwrap_or(equation)
    }

    /// The first variables that an equation defines.
    fn equation_name(&self, equation: usize) -> String {
        let targets = &self.inlined.equations[equation].targets;
        let more = (targets.len() > SHOWN_VARIABLES).then(|| "…".to_owned());
        let targets = targets.iter().take(SHOWN_VARIABLES);
        let names = targets.map(|target| self.inlined.name_of(*target));
        names.chain(more).collect::<Vec<_>>().join(",")
    }

    /// What is to be shown of an expression.
    fn place(&self, origin: Origin) -> At {
        let expr = self.inlined.names.program.expr(origin.expr);
        match (origin.extent, &expr.token) {
            (Extent::Word, Some(token)) => token.clone(),
            _ => expr.at.clone(),
        }
    }

    /// `variable@line:column word`
    fn piece_name(&self, variable: &str, origin: Origin, word: &str) -> String {
        let region = self.report.span(&self.place(origin)).region;
        format!("{variable}@{region} {word}")
    }

    /// What is written there, shortened.
    fn word(&self, origin: Origin) -> String {
        let text = self.report.text(&self.place(origin));
        let mut word: String = text.chars().take(SHOWN).collect();
        if text.chars().nth(SHOWN).is_some() {
            word.push('…');
        }
        word
    }

    /// What is written there, and which scalar of it is meant.
    fn label(&mut self, origin: Origin) -> String {
        let key = (origin.expr, origin.extent);
        if !self.pieces.as_ref().is_some_and(|pieces| pieces.labels.contains_key(&key)) {
            let names = &self.inlined.names;
            let scalars = names.types.scalars(names.of(origin.expr), &self.word(origin));
            let labels = scalars.into_iter().map(|scalar| scalar.name).collect();
            if let Some(pieces) = &mut self.pieces {
                pieces.labels.insert(key, labels);
            }
        }
        let labels = self.pieces.as_ref().and_then(|pieces| pieces.labels.get(&key));
        labels.and_then(|labels| labels.get(origin.position as usize)).cloned().unwrap_or_default()
    }

    /// The pieces of all equations, by equation.
    pub(super) fn pieces_by_equation(&mut self) -> FxHashMap<usize, Vec<Piece>> {
        let Lowering { pieces, system, .. } = self;
        pieces.as_mut().map(|pieces| pieces.by_equation(system)).unwrap_or_default()
    }

    /// Makes elements of the pieces of an equation, and a whole of the equation.
    pub(super) fn elements_of_pieces(&mut self, equation: usize, pieces: Vec<Piece>) {
        let Equation { targets, at, .. } = &self.inlined.equations[equation];
        let scalars = targets.iter().flat_map(|target| self.scalars_of(*target));
        let scope = targets.first().map(|target| self.path_of(*target)).unwrap_or_default();
        let whole = Whole {
            name: self.equation_name(equation),
            kind: ElementKind::Equation,
            defines: scalars.map(|scalar| scalar.name).collect(),
            scope: scope.clone(),
            spans: vec![self.report.span(at)],
            parent: None,
        };
        let whole = Parent::Whole(self.system.add_whole(whole));
        for Piece { at, signal, name, .. } in pieces {
            let span = Some(self.report.span(&at));
            let element = self.system.add_element(name, ElementKind::Operator, Site::Wire(signal), span);
            self.system.set_scope(element, scope.clone());
            self.system.set_parent(element, whole);
        }
    }
}
