//! Reads what the exporter wrote: line by line, once, with every reference checked.

use super::place::Places;
use super::record::{
    At, Connection, Event, EventRef, Expr, ExprRef, Gate, Process, Property, PropertyRef, Record, Routine,
    RoutineRef, ScopeRef, Setting, Shape, Start, Stmt, StmtRef, Symbol, SymbolRef, TypeRef,
};
use super::references::{self as refs, Reference, References};
use super::types::{self, Type};
use crate::{InputError, text::Input};
use propcov_ir::SourceFile;

/// What the first line begins with, before the version of slang.
pub(super) const HEADER: &str = "propcov-slang 4 ";

/// Expressions and statements may be nested so deeply: far more than people write, and less than the stack that they are walked on has room for.
const MAX_DEPTH: u32 = 40_000;

/// A design as slang has elaborated it.
#[derive(Debug, Default)]
pub(super) struct Export {
    pub(super) files: Vec<SourceFile>,
    pub(super) types: Vec<Type>,
    pub(super) scopes: Vec<String>,
    pub(super) symbols: Vec<Symbol>,
    /// What variables start with, and what drives nets that are declared so.
    pub(super) initials: Vec<(SymbolRef, ExprRef)>,
    pub(super) exprs: Vec<Expr>,
    pub(super) events: Vec<Event>,
    pub(super) properties: Vec<Property>,
    pub(super) stmts: Vec<Stmt>,
    pub(super) routines: Vec<Routine>,
    pub(super) tops: Vec<(String, ScopeRef)>,
    pub(super) ports: Vec<(SymbolRef, super::record::Direction)>,
    pub(super) items: Vec<Item>,
    /// Delays, which have no meaning here.
    pub(super) delays: Vec<At>,
    pub(super) refused: Vec<(Option<At>, String)>,
    /// What the user should know.
    pub(super) notes: Vec<(Option<At>, String)>,
    pub(super) settings: Vec<Setting>,
}

/// Something that drives signals.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A continuous assignment.
    Assign(ScopeRef, ExprRef),
    Process(Process),
    Connect(Connection),
    Gate(Gate),
}

macro_rules! lookups {
    ($($name:ident($position:ident) -> $target:ty, $field:ident;)*) => {
        impl Export {$(
            pub(super) fn $name(&self, position: $position) -> &$target {
                &self.$field[position.index()]
            }
        )*}
    };
}

lookups! {
    ty(TypeRef) -> Type, types;
    symbol(SymbolRef) -> Symbol, symbols;
    expr(ExprRef) -> Expr, exprs;
    event(EventRef) -> Event, events;
    property(PropertyRef) -> Property, properties;
    stmt(StmtRef) -> Stmt, stmts;
    routine(RoutineRef) -> Routine, routines;
}

impl Export {
    /// The type of an expression.
    pub(super) fn type_of(&self, expr: ExprRef) -> &Type {
        self.ty(self.expr(expr).kind_of)
    }

    /// The type of a symbol.
    pub(super) fn symbol_type(&self, symbol: SymbolRef) -> &Type {
        self.ty(self.symbol(symbol).kind_of)
    }
}

/// Reads an export.
pub(super) fn read(input: Input<'_>) -> Result<Export, InputError> {
    let mut reader = Reader {
        input,
        export: Export::default(),
        at: 0,
        expr_depths: Vec::new(),
        stmt_depths: Vec::new(),
        property_depths: Vec::new(),
        called: 0,
        ended: false,
    };
    reader.header()?;
    let mut done = 0;
    while let Some(line) = reader.line() {
        input.go_on(done)?;
        done += 1;
        reader.record(line)?;
    }
    reader.finish()
}

struct Reader<'a> {
    input: Input<'a>,
    export: Export,
    /// Where the next line begins.
    at: usize,
    expr_depths: Vec<u32>,
    stmt_depths: Vec<u32>,
    property_depths: Vec<u32>,
    /// One more than the last routine that was called.
    called: u32,
    ended: bool,
}

type Line = std::ops::Range<usize>;

impl Reader<'_> {
    fn line(&mut self) -> Option<Line> {
        let rest = self.input.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let line = self.at..self.at + length;
        self.at = line.end + 1;
        Some(line)
    }

    fn header(&mut self) -> Result<(), InputError> {
        let line = self.line().unwrap_or(0..0);
        let is_known =
            self.input.bytes.get(line.clone()).is_some_and(|text| text.starts_with(HEADER.as_bytes()));
        if is_known { Ok(()) } else { Err(self.input.error(line, format!("expected `{HEADER}`"))) }
    }

    fn record(&mut self, line: Line) -> Result<(), InputError> {
        if line.is_empty() {
            return Ok(());
        }
        let record: Record = serde_json::from_slice(&self.input.bytes[line.clone()]).map_err(|error| {
            self.input.error(line.clone(), format!("expected a record of the exporter: {error}"))
        })?;
        self.take(record, &line)
    }

    fn take(&mut self, record: Record, line: &Line) -> Result<(), InputError> {
        match record {
            Record::File(path, length) => self.file(path, length as usize, line)?,
            Record::Type(shape, start) => self.shape(shape, start, line)?,
            Record::Scope((path,)) => self.export.scopes.push(path),
            Record::Symbol(symbol) => {
                self.check(&refs::of_symbol(&symbol), line)?;
                self.export.symbols.push(symbol);
            }
            Record::Initial(symbol, value) => {
                self.check(&References::default().one(symbol).one(value), line)?;
                self.export.initials.push((symbol, value));
            }
            Record::Expr(expr) => self.expr(expr, line)?,
            Record::Event(event) => {
                self.check(&refs::of_event(&event), line)?;
                self.export.events.push(event);
            }
            Record::Property(property) => {
                let references = refs::of_property(&property);
                self.check(&references, line)?;
                let depth = self.depth(&references, property.at, line)?;
                self.property_depths.push(depth);
                self.export.properties.push(property);
            }
            Record::Stmt(stmt) => self.stmt(stmt, line)?,
            Record::Routine(routine) => {
                self.check(&refs::of_routine(&routine), line)?;
                self.export.routines.push(routine);
            }
            other => self.part(other, line)?,
        }
        Ok(())
    }

    /// What the hierarchy is made of.
    fn part(&mut self, record: Record, line: &Line) -> Result<(), InputError> {
        let none = References::default();
        match record {
            Record::Top(name, scope) => {
                self.check(&none.one(scope), line)?;
                self.export.tops.push((name, scope));
            }
            Record::Port(symbol, direction) => {
                self.check(&none.one(symbol), line)?;
                self.export.ports.push((symbol, direction));
            }
            Record::Assign(scope, expr) => {
                self.check(&none.one(scope).one(expr), line)?;
                self.export.items.push(Item::Assign(scope, expr));
            }
            Record::Delay((at,)) => {
                self.check(&none.one(at), line)?;
                self.export.delays.push(at);
            }
            Record::Process(process) => {
                self.check(&none.one(process.scope).one(process.body), line)?;
                self.export.items.push(Item::Process(process));
            }
            Record::Connect(connection) => {
                let references = none.one(connection.scope).one(connection.inner).all(connection.outer);
                self.check(&references.all(connection.at), line)?;
                self.export.items.push(Item::Connect(connection));
            }
            Record::Gate(gate) => {
                let terminals = gate.terminals.iter().copied();
                self.check(&none.one(gate.scope).all(terminals).all(gate.at), line)?;
                self.export.items.push(Item::Gate(gate));
            }
            Record::Refused(at, what) => {
                self.check(&none.all(at), line)?;
                self.export.refused.push((at, what));
            }
            Record::Note(at, what) => {
                self.check(&none.all(at), line)?;
                self.export.notes.push((at, what));
            }
            Record::Setting((setting,)) => self.export.settings.push(setting),
            _ => self.ended = true,
        }
        Ok(())
    }

    /// The text of a file stands after its record.
    fn file(&mut self, path: String, length: usize, line: &Line) -> Result<(), InputError> {
        let end = self.at.saturating_add(length);
        let Some(text) = self.input.bytes.get(self.at..end) else {
            return Err(self.input.error(line.clone(), format!("the text of {path} ends too early")));
        };
        self.export.files.push(SourceFile::new(path, text));
        self.at = end + 1;
        Ok(())
    }

    fn shape(&mut self, shape: Shape, start: Start, line: &Line) -> Result<(), InputError> {
        self.check(&refs::of_shape(&shape), line)?;
        let known = types::lay_out(shape, start, &self.export.types);
        self.export.types.push(known);
        Ok(())
    }

    fn expr(&mut self, expr: Expr, line: &Line) -> Result<(), InputError> {
        let references = refs::of_expr(&expr);
        self.check(&references, line)?;
        let depth = self.depth(&references, Some(expr.at), line)?;
        self.expr_depths.push(depth);
        self.export.exprs.push(expr);
        Ok(())
    }

    fn stmt(&mut self, stmt: Stmt, line: &Line) -> Result<(), InputError> {
        let references = refs::of_stmt(&stmt);
        self.check(&references, line)?;
        let depth = self.depth(&references, Some(stmt.at), line)?;
        self.stmt_depths.push(depth);
        self.export.stmts.push(stmt);
        Ok(())
    }

    fn depth(&self, references: &References, at: Option<At>, line: &Line) -> Result<u32, InputError> {
        let below = references.0.iter().map(|reference| match reference {
            Reference::Expr(expr) => self.expr_depths[expr.index()],
            Reference::Stmt(stmt) => self.stmt_depths[stmt.index()],
            Reference::Property(property) => self.property_depths[property.index()],
            _ => 0,
        });
        match below.max().unwrap_or(0) + 1 {
            depth @ ..=MAX_DEPTH => Ok(depth),
            _ => {
                let message = format!("nested deeper than {MAX_DEPTH}");
                Err(match at {
                    Some(at) => Places::new(&self.export).error(at, message),
                    None => self.input.error(line.clone(), message),
                })
            }
        }
    }

    fn check(&mut self, references: &References, line: &Line) -> Result<(), InputError> {
        for reference in &references.0 {
            if !self.exists(*reference) {
                return Err(self.input.error(line.clone(), format!("{reference:?} was not written before")));
            }
        }
        Ok(())
    }

    fn exists(&mut self, reference: Reference) -> bool {
        let export = &self.export;
        match reference {
            Reference::File(file) => file.index() < export.files.len(),
            Reference::Type(ty) => ty.index() < export.types.len(),
            Reference::Scope(scope) => scope.index() < export.scopes.len(),
            Reference::Symbol(symbol) => symbol.index() < export.symbols.len(),
            Reference::Expr(expr) => expr.index() < export.exprs.len(),
            Reference::Event(event) => event.index() < export.events.len(),
            Reference::Property(property) => property.index() < export.properties.len(),
            Reference::Stmt(stmt) => stmt.index() < export.stmts.len(),
            // Its body comes later.
            Reference::Routine(routine) => {
                self.called = self.called.max(routine.0.saturating_add(1));
                true
            }
        }
    }

    fn finish(self) -> Result<Export, InputError> {
        let end = self.input.bytes.len();
        if !self.ended {
            return Err(self.input.error(end..end, "the export ends too early: expected `End`"));
        }
        if self.called as usize > self.export.routines.len() {
            return Err(self.input.error(end..end, "a routine is called whose body was not written"));
        }
        Ok(self.export)
    }
}
