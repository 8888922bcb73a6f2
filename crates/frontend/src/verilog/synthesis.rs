//! The steps from an elaborated design to a system, one after the other.

use super::Facts;
use super::assertion::{Assertion, AssertionKind, Judgement};
use super::clock::{self, Clocking};
use super::define::{Starts, without};
use super::export::{Export, Item};
use super::fold::Fold;
use super::machine::{Context, Machine, Slot, Values, words};
use super::place::Places;
use super::process::{self, Outcome};
use super::record::{
    At, Direction, EventKind, ProcessKind, ScopeRef, Setting, Stmt, StmtKind, StmtRef, SymbolRef,
};
use super::references::{self, Reference};
use super::scan::{Drive, DriveKind, Scan, Trigger, trigger};
use super::sva::{self, Watched};
use super::tangle::Apart;
use super::unread::{LeftOut, first_error, only_left_out};
use super::variable::{Variable, variables};
use super::wording::in_words;
use crate::{Diagnostic, Granularity, InputError, extra::did_you_mean, text::Input};
use propcov_ir::{
    BinaryOp, Bits, ConstraintKind, ElementKind, Execution, ExprId, Origin, Output, PropertyId, PropertyKind,
    Region, Site, Sort, System, SystemError, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a design means.
pub(super) struct Meaning {
    pub(super) system: System,
    pub(super) facts: Facts,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Gives a design its meaning.
pub(super) fn synthesise(
    export: &Export,
    input: Input<'_>,
    granularity: Granularity,
) -> Result<Meaning, InputError> {
    let (mut apart, mut left_out) = (Apart::default(), LeftOut::default());
    loop {
        match attempt(export, input, granularity, &apart, &left_out)? {
            Attempt::Done(meaning) => return Ok(*meaning),
            Attempt::Unread(more) => left_out.extend(more),
            Attempt::Tangled(tangled, error) => {
                if !apart.extend(tangled) {
                    return Err(error);
                }
            }
        }
    }
}

/// What came of an attempt to give a design its meaning.
enum Attempt {
    Done(Box<Meaning>),
    /// Words depend on each other in circles, and what to say if they still do when they are taken apart.
    Tangled(Apart, InputError),
    /// There are assertions that cannot be read.
    Unread(LeftOut),
}

/// Gives a design its meaning, with some words taken apart.
fn attempt(
    export: &Export,
    input: Input<'_>,
    granularity: Granularity,
    apart: &Apart,
    left_out: &LeftOut,
) -> Result<Attempt, InputError> {
    let scan = Scan::new(export);
    let clocking = Clocking::new(clocks(export, &scan, left_out), export, &scan);
    let mut machine = machine(export, input, granularity, scan, clocking, (apart, left_out));
    let facts = meaning(&mut machine);
    // What was read behind an assertion that cannot be read need not be right.
    let is_stopped = facts.as_ref().is_err_and(|error| error.stop.is_some());
    if !machine.newly_left_out.is_empty() && !is_stopped {
        return Ok(Attempt::Unread(machine.newly_left_out));
    }
    let facts = facts?;
    if let Err(error) = machine.check_loops() {
        return Ok(Attempt::Tangled(machine.tangled(), error));
    }
    Ok(Attempt::Done(Box::new(Meaning { system: machine.system, facts, warnings: machine.warnings })))
}

/// The steps from a design to its system.
fn meaning(machine: &mut Machine<'_>) -> Result<Facts, InputError> {
    machine.refuse()?;
    machine.note_delays();
    machine.choose_clock()?;
    machine.variables = variables(machine.export, &machine.scan, machine.apart, machine.clocking.is_kept());
    machine.declare_ports()?;
    let starts = machine.starts()?;
    let outcomes = machine.outcomes_by_symbol()?;
    machine.define_all(&outcomes, &starts)?;
    machine.top_outputs()?;
    machine.say_executions()?;
    let ready = machine.reset()?;
    let facts = machine.properties(ready)?;
    machine.set_first_values();
    machine.cut_unread();
    Ok(facts)
}

fn machine<'a>(
    export: &'a Export,
    input: Input<'a>,
    granularity: Granularity,
    scan: Scan,
    clocking: Clocking,
    (apart, left_out): (&'a Apart, &'a LeftOut),
) -> Machine<'a> {
    let mut system = System::new();
    for file in &export.files {
        system.add_file(file.clone());
    }
    let path = system.exprs.bool(true);
    Machine {
        export,
        input,
        places: Places::new(export),
        granularity,
        routine_locals: routine_locals(export),
        scan,
        system,
        fold: Fold::new(!apart.is_empty()),
        variables: Vec::new(),
        apart,
        element_wires: Vec::new(),
        values: Values::default(),
        path,
        scope: ScopeRef(0),
        context: Context::Each,
        gate: None,
        target: None,
        incoming: None,
        result: None,
        open_blocks: Vec::new(),
        assigned: FxHashMap::default(),
        parts: FxHashMap::default(),
        is_counting: false,
        depth: 0,
        work: 0,
        assertions: Vec::new(),
        executions: Vec::new(),
        here: None,
        drivers: FxHashMap::default(),
        sensed: None,
        warned: FxHashSet::default(),
        executed: FxHashSet::default(),
        undefined: FxHashMap::default(),
        delays: FxHashMap::default(),
        first_values: Vec::new(),
        declared: FxHashMap::default(),
        memories: FxHashMap::default(),
        first_step: None,
        clocking,
        scopes: FxHashMap::default(),
        warnings: Vec::new(),
        left_out,
        newly_left_out: LeftOut::default(),
        unread: Vec::new(),
    }
}

/// What is declared in routines.
fn routine_locals(export: &Export) -> FxHashSet<SymbolRef> {
    let mut locals = FxHashSet::default();
    for routine in &export.routines {
        locals.extend(routine.arguments.iter().map(|(symbol, _)| *symbol).chain(routine.result));
        let mut open = vec![routine.body];
        while let Some(stmt) = open.pop() {
            let stmt = export.stmt(stmt);
            match &stmt.what {
                StmtKind::Declare(symbol, _) => {
                    locals.insert(*symbol);
                }
                StmtKind::For(all) => locals.extend(all.declared.iter().map(|(symbol, _)| *symbol)),
                _ => {}
            }
            open.extend(inner_statements(stmt));
        }
    }
    locals
}

/// The statements that a statement has in it.
fn inner_statements(stmt: &Stmt) -> impl Iterator<Item = StmtRef> {
    references::of_stmt(stmt).0.into_iter().filter_map(|reference| match reference {
        Reference::Stmt(stmt) => Some(stmt),
        _ => None,
    })
}

/// All clocks, each once.
fn clocks(export: &Export, scan: &Scan, left_out: &LeftOut) -> Vec<(SymbolRef, super::record::Edge)> {
    let mut clocks = Vec::new();
    let mut add = |clock: Option<_>| {
        if let Some(clock) = clock.filter(|clock| !clocks.contains(clock)) {
            clocks.push(clock);
        }
    };
    for item in &export.items {
        let Item::Process(process) = item else { continue };
        let Some((Trigger::Edges(event), body)) = trigger(export, process.kind, process.body) else {
            continue;
        };
        if let Ok(edges) = process::edges(export, scan, event, body) {
            add(clock::root(export, scan, edges.clock.0, edges.clock.1));
        }
    }
    for event in sva::clocks(export, &only_left_out(export, left_out)) {
        if let EventKind::Signal(edge, signal, _) = export.event(event).what {
            add(clock::root(export, scan, edge, signal));
        }
    }
    clocks
}

impl Machine<'_> {
    /// An error about the design as a whole.
    fn general_error<T>(&self, message: String) -> Result<T, InputError> {
        let region = Region::Text { line: 1, column: 1, end_line: 1, end_column: 1 };
        Err(InputError { path: self.input.path.to_owned(), region, message, source_line: None, stop: None })
    }

    /// Refuses what the exporter could not express.
    fn refuse(&mut self) -> Result<(), InputError> {
        if let [_, _, ..] = self.export.tops.as_slice() {
            let names: Vec<&str> = self.export.tops.iter().map(|(name, _)| name.as_str()).collect();
            return self.general_error(format!(
                "several modules could be the top: choose one with --top ({})",
                names.join(", ")
            ));
        }
        if self.export.tops.is_empty() || self.export.scopes.is_empty() {
            return self.general_error("there is no module".to_owned());
        }
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            let known = self.export.symbol(symbol);
            if let Some(name) =
                known.attributes.iter().find(|name| matches!(name.as_str(), "allconst" | "allseq"))
            {
                let what = format!(
                    "(* {name} *) of {} is not supported: it asks about all values at once",
                    known.name
                );
                return self.symbol_error(symbol, what);
            }
            let is_supply = matches!(known.kind.as_str(), "Supply0" | "Supply1");
            if is_supply && !self.scan.facts(symbol).drives.is_empty() {
                return self.symbol_error(symbol, format!("{} is a supply, and driven besides", known.name));
            }
        }
        let export = self.export;
        for (at, what) in &export.notes {
            let span = at.map(|at| self.places.span(at));
            self.warnings.push(Diagnostic { message: what.clone(), span });
        }
        match self.export.refused.first() {
            None => Ok(()),
            Some((Some(at), what)) => self.error(*at, format!("{} is not supported", in_words(what))),
            Some((None, what)) => self.general_error(format!("{} is not supported", in_words(what))),
        }
    }

    /// Says that delays do not count, once for each file.
    fn note_delays(&mut self) {
        let mut by_file: BTreeMap<u32, (At, FxHashSet<At>)> = BTreeMap::new();
        for at in &self.export.delays {
            by_file.entry(at.0.0).or_insert_with(|| (*at, FxHashSet::default())).1.insert(*at);
        }
        for (first, all) in by_file.into_values() {
            let message = match all.len() {
                1 => "a delay is ignored: there is no time but steps".to_owned(),
                count => format!("{count} delays are ignored: there is no time but steps"),
            };
            self.warnings.push(Diagnostic { message, span: Some(self.places.span(first)) });
        }
    }

    /// An input of the top module by its name.
    fn input_named(&self, name: &str, option: &str) -> Result<SymbolRef, InputError> {
        let inputs = self.export.ports.iter().filter(|(_, direction)| *direction == Direction::In);
        let names: Vec<(&str, SymbolRef)> =
            inputs.map(|(symbol, _)| (self.export.symbol(*symbol).name.as_str(), *symbol)).collect();
        match names
            .iter()
            .find(|(known, symbol)| *known == name && self.export.symbol_type(*symbol).width == 1)
        {
            Some((_, symbol)) => Ok(*symbol),
            None => {
                let hint = did_you_mean(name, names.iter().map(|(name, _)| *name));
                self.general_error(format!("{option}: the top module has no input `{name}` of one bit{hint}"))
            }
        }
    }

    fn choose_clock(&mut self) -> Result<(), InputError> {
        for setting in &self.export.settings {
            if let Setting::Clock(name) = setting {
                let clock = self.input_named(name, "--clock")?;
                if let Some(other) = self.clocking.tick(clock) {
                    let name = self.symbol_name(other);
                    return self.symbol_error(
                        other,
                        format!("--clock: {name} is a clock, too, or this edge is another one"),
                    );
                }
            }
        }
        if self.clocking.is_kept() {
            let edges: Vec<String> = self
                .clocking
                .edges()
                .map(|(symbol, edge)| format!("{edge} {}", self.symbol_name(symbol)))
                .collect();
            let message = format!(
                "several clocks or edges, or a clock that is read ({}): clocks are inputs, and registers move when their edge is seen between two steps",
                edges.join(", ")
            );
            self.warnings.push(Diagnostic { message, span: None });
        }
        Ok(())
    }

    /// Ports of the top come first, in their order.
    fn declare_ports(&mut self) -> Result<(), InputError> {
        for (symbol, direction) in &self.export.ports {
            match direction {
                Direction::In if !self.is_gone(*symbol) => {
                    self.signal_value(*symbol)?;
                }
                Direction::In | Direction::Out => {}
                Direction::InOut | Direction::Ref => {
                    let name = self.symbol_name(*symbol);
                    return self.symbol_error(
                        *symbol,
                        format!("port {name} of the top module is inout, which is not supported"),
                    );
                }
            }
        }
        Ok(())
    }

    /// Executes what happens before the first step.
    fn starts(&mut self) -> Result<Starts, InputError> {
        self.context = Context::Start;
        self.zeros()?;
        for (symbol, expr) in &self.export.initials {
            if self.export.symbol(*symbol).kind == "Variable" && !self.scan.facts(*symbol).is_local {
                self.scope = self.export.symbol(*symbol).scope;
                let value = self.eval(*expr)?;
                let width = self.width(value);
                let at = self.export.expr(*expr).at;
                self.set_local(*symbol, Some(value), at)?;
                self.assigned.entry(Slot::Now(*symbol)).or_default().push((0, width));
            }
        }
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            if let Some(value) = self.values.get(Slot::Now(symbol)) {
                self.declared.insert(symbol, value);
            }
        }
        for item in &self.export.items {
            if let Item::Process(process) = item
                && process.kind == ProcessKind::Initial
            {
                self.scope = process.scope;
                self.exec(process.body)?;
            }
        }
        self.context = Context::Each;
        let outcomes = self.outcomes(&process::Timing::Now)?;
        Ok(outcomes.into_iter().map(|outcome| (outcome.symbol, (outcome.value, outcome.ranges))).collect())
    }

    /// Variables of 2-state types are zero before anybody gives them a value; what shows another value at once has none to start with.
    fn zeros(&mut self) -> Result<(), InputError> {
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            let facts = self.scan.facts(symbol);
            let is_start = |drive: &Drive| drive.kind == DriveKind::Initial;
            if facts.is_local
                || !facts.drives.iter().any(is_start)
                || self.export.symbol(symbol).kind != "Variable"
            {
                continue;
            }
            let ty = self.export.symbol_type(symbol);
            let shown = facts.drives.iter().filter(|drive| drive.kind == DriveKind::Combinational);
            let shown: Vec<(u32, u32)> = shown.map(|drive| (drive.low, drive.width)).collect();
            let zeros = without(&ty.zeros(&self.export.types), &shown);
            let (width, is_whole) = (ty.width, zeros == [(0, ty.width)]);
            if zeros.is_empty() {
                continue;
            }
            let (stays_zero, is_read) = (facts.stays_zero, facts.is_read);
            let value = match &self.variables[symbol.index()] {
                Variable::Memory(memory) if is_whole => {
                    let zero = Value::zero(&memory.sort());
                    self.system.exprs.constant(zero)
                }
                Variable::Memory(_) => continue,
                Variable::Word(_) if is_whole => self.bits(width, 0),
                Variable::Word(_) => {
                    let word = self.outside(symbol)?;
                    let clear =
                        |bit: u32| !zeros.iter().any(|(low, width)| (*low..low + width).contains(&bit));
                    let kept = Value::Bits(Bits::from_bits((0..width).map(clear)));
                    let kept = self.system.exprs.constant(kept);
                    self.and(word, kept)
                }
            };
            self.values.set(Slot::Now(symbol), Some(value));
            self.assigned.entry(Slot::Now(symbol)).or_default().extend(zeros);
            if stays_zero && is_read && !self.is_free(symbol) {
                let name = self.symbol_name(symbol);
                let message = format!("{name} is never assigned: by its type it stays zero");
                let span = self.export.symbol(symbol).at.map(|at| self.places.span(at));
                self.warnings.push(Diagnostic { message, span });
            }
        }
        Ok(())
    }

    /// Whether a variable has an attribute that says that it may be anything.
    fn is_free(&self, symbol: SymbolRef) -> bool {
        let attributes = &self.export.symbol(symbol).attributes;
        attributes.iter().any(|attribute| matches!(attribute.as_str(), "anyseq" | "anyconst"))
    }

    /// Executes everything else.
    fn outcomes_by_symbol(&mut self) -> Result<FxHashMap<SymbolRef, Vec<Outcome>>, InputError> {
        let mut all: FxHashMap<SymbolRef, Vec<Outcome>> = FxHashMap::default();
        let export = self.export;
        for (symbol, value) in &export.initials {
            if export.symbol(*symbol).kind != "Variable" {
                let outcomes = self.net_value(*symbol, *value)?;
                self.keep(outcomes, &mut all);
            }
        }
        for item in &export.items {
            let outcomes = self.item(item)?;
            self.keep(outcomes, &mut all);
        }
        Ok(all)
    }

    fn keep(&mut self, outcomes: Vec<Outcome>, all: &mut FxHashMap<SymbolRef, Vec<Outcome>>) {
        for outcome in outcomes {
            if matches!(self.system.exprs.sort(outcome.value), Sort::Array(_)) {
                self.memories.insert(outcome.symbol, outcome.value);
            }
            if let Some(at) = outcome.at {
                self.drivers.entry(outcome.symbol).or_insert(at);
            }
            all.entry(outcome.symbol).or_default().push(outcome);
        }
    }

    fn define_all(
        &mut self,
        outcomes: &FxHashMap<SymbolRef, Vec<Outcome>>,
        starts: &Starts,
    ) -> Result<(), InputError> {
        let none = Vec::new();
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            let outcomes = outcomes.get(&symbol).unwrap_or(&none);
            self.define(symbol, outcomes, starts)?;
        }
        Ok(())
    }

    fn top_outputs(&mut self) -> Result<(), InputError> {
        for (symbol, direction) in &self.export.ports {
            if *direction == Direction::Out {
                let expr = self.signal_value(*symbol)?;
                self.system.outputs.push(Output { name: self.symbol_name(*symbol), expr });
            }
        }
        self.system.all_outputs_count = true;
        if self.system.outputs.is_empty() {
            self.instance_outputs()?;
        }
        Ok(())
    }

    /// A top without outputs is a test bench: what comes out of its instances is what somebody observes, and the rest checks it.
    fn instance_outputs(&mut self) -> Result<(), InputError> {
        for item in &self.export.items {
            let Item::Connect(connection) = item else { continue };
            let is_inside_top = words(&self.export.scopes[connection.scope.index()]).len() == 2;
            if connection.direction != Direction::Out || !is_inside_top {
                continue;
            }
            self.scope = connection.scope;
            let expr = self.eval(connection.inner)?;
            if matches!(self.system.exprs.sort(expr), Sort::BitVec(_)) {
                let name = self.local_name(&connection.port);
                self.system.outputs.push(Output { name, expr });
            }
        }
        Ok(())
    }

    /// Begins with steps of reset, and ends it then: whether it has ended.
    fn reset(&mut self) -> Result<Option<ExprId>, InputError> {
        let resets: Vec<(String, bool, u32)> = self
            .export
            .settings
            .iter()
            .filter_map(|setting| match setting {
                Setting::Reset(name, active, steps) => Some((name.clone(), *active, *steps)),
                _ => None,
            })
            .collect();
        let Some(steps) = resets.iter().map(|(_, _, steps)| *steps).max() else { return Ok(None) };
        let width = 32 - steps.leading_zeros().min(31);
        let count = self.system.add_state("$reset", Sort::BitVec(width));
        self.system.set_origin(count, Origin::Helper);
        let (zero, one, end) = (self.bits(width, 0), self.bits(width, 1), self.bits(width, u64::from(steps)));
        let now = self.system.read(count);
        let ended = self.eq(now, end);
        let more = self.binary(BinaryOp::Add, now, one);
        let next = self.ite(ended, now, more);
        self.system.set_init(count, zero);
        self.system.set_next(count, next);
        for (name, active, _) in resets {
            let symbol = self.input_named(&name, "--reset")?;
            if self.clocking.edges().any(|(clock, _)| clock == self.scan.root(symbol)) {
                return self.general_error(format!("--reset: {name} is the clock"));
            }
            let value = self.signal_value(symbol)?;
            let level = if active { self.not(ended) } else { ended };
            let holds = self.eq(value, level);
            self.system.add_constraint(format!("reset {name}"), ConstraintKind::Always, holds);
        }
        Ok(Some(ended))
    }

    /// Says when elements are executed, whatever their clock is.
    fn say_executions(&mut self) -> Result<(), InputError> {
        for (execution, clock) in std::mem::take(&mut self.executions) {
            let clock = clock.filter(|clock| self.clocking.is_seen(*clock));
            let edge = clock.map(|clock| self.edge_seen(clock)).transpose()?;
            self.system.add_execution(Execution { edge, ..execution });
        }
        Ok(())
    }

    /// Properties, assumptions and covers.
    fn properties(&mut self, ready: Option<ExprId>) -> Result<Facts, InputError> {
        self.note_dropped();
        let mut facts = Facts::default();
        let (mut left_out, mut assumed) = (Vec::new(), Vec::new());
        for assertion in std::mem::take(&mut self.assertions) {
            let place = self.place_of_work();
            let judgement = match self.judged(&assertion, ready) {
                Ok(judgement) => judgement,
                Err(error) => {
                    self.leave_out(assertion.asked, assertion.kind, place, error)?;
                    continue;
                }
            };
            let span = self.places.span(assertion.at);
            let is_safety_assumed = self.is_set(&|one| matches!(one, Setting::SafetyAssumed));
            let kind = match assertion.kind {
                AssertionKind::Assert if is_safety_assumed && !judgement.is_liveness => {
                    assumed.push(assertion.name.clone());
                    AssertionKind::Assume
                }
                kind => kind,
            };
            match kind {
                AssertionKind::Assert
                    if judgement.is_liveness && judgement.justice.is_none() && !judgement.can_happen =>
                {
                    left_out.push(span);
                }
                AssertionKind::Assert => facts.watched.extend(self.add_claim(&assertion, judgement)),
                AssertionKind::Assume => {
                    let holds = self.not(judgement.happens);
                    let constraint =
                        self.system.add_constraint(assertion.name.clone(), ConstraintKind::Always, holds);
                    let site = Site::Constraint(constraint);
                    let element =
                        self.system.add_element(assertion.name, ElementKind::Assumption, site, Some(span));
                    let scope = self.report_scope(assertion.scope);
                    self.system.set_scope(element, scope);
                }
                AssertionKind::Cover => {
                    let cover = match judgement.justice {
                        // Only a run without an end shows it.
                        Some(conditions) => {
                            self.system.add_endless_cover(assertion.name, conditions, Some(span))
                        }
                        None => self.system.add_cover(assertion.name, judgement.happens, Some(span)),
                    };
                    self.system.set_formula(cover, self.places.span(assertion.condition_at));
                }
            }
        }
        if let Some(first) = left_out.first() {
            let (count, many) = (left_out.len(), if left_out.len() == 1 { "" } else { "s" });
            let message = format!(
                "{count} liveness assertion{many} left out: this task asks about safety (mode live asks about them)"
            );
            self.warnings.push(Diagnostic { message, span: Some(*first) });
        }
        if self.system.properties().is_empty() && !left_out.is_empty() {
            return self.general_error(
                "all assertions are about liveness, and this task asks about safety".to_owned(),
            );
        }
        if self.system.properties().is_empty() && !assumed.is_empty() {
            let more = if assumed.len() > 4 { ", ..." } else { "" };
            let names = assumed[..assumed.len().min(4)].join(", ");
            return self.general_error(format!(
                "no assertion is about liveness, and mode live asks about that alone: {names}{more} can be checked with mode prove or bmc"
            ));
        }
        facts.unread = std::mem::take(&mut self.unread);
        if self.system.properties().is_empty()
            && let Some(error) = first_error(self.left_out)
        {
            return Err(error.clone());
        }
        let is_unasserted = self.is_set(&|one| matches!(one, Setting::Unasserted));
        if self.system.properties().is_empty() && !is_unasserted {
            return self.general_error("the design has no assertions: nothing is checked".to_owned());
        }
        Ok(facts)
    }

    /// Adds an assertion. If finite runs do not show all its failures, those that they do show are a property of their own.
    fn add_claim(&mut self, assertion: &Assertion, judgement: Judgement) -> Vec<Watched> {
        let (span, formula) = (self.places.span(assertion.at), self.places.span(assertion.condition_at));
        let mut name = assertion.name.clone();
        let mut watched = Vec::new();
        let mut watch = |id: PropertyId| {
            watched.extend(judgement.watched.as_ref().map(|all| Watched { id, ..(**all).clone() }));
        };
        if let Some(conditions) = judgement.justice {
            let property = self.system.add_property(&name, PropertyKind::Justice(conditions), Some(span));
            self.system.set_formula(property, formula);
            self.system.set_tests(property, judgement.tests.clone());
            watch(property);
            if !judgement.can_happen {
                return watched;
            }
            name += ".safety";
        }
        let holds = self.not(judgement.happens);
        let property = self.system.add_property(name, PropertyKind::Invariant(holds), Some(span));
        self.system.set_formula(property, formula);
        self.system.set_tests(property, judgement.tests);
        watch(property);
        watched
    }

    /// Says which assertions do not count: those of final blocks, and those that are never executed.
    fn note_dropped(&mut self) {
        let is_assertion = |what: &StmtKind| matches!(what, StmtKind::Assert(..) | StmtKind::Concurrent(..));
        let assertions = self.export.stmts.iter().filter(|stmt| is_assertion(&stmt.what)).map(|stmt| stmt.at);
        let mut seen = self.executed.clone();
        let at_end = self.in_final_blocks();
        let (last, never): (Vec<At>, Vec<At>) =
            assertions.filter(|at| seen.insert(*at)).partition(|at| at_end.contains(at));
        for (dropped, one, many) in [
            (
                last,
                "assertion of a final block is not checked: runs have no end here",
                "assertions of final blocks are not checked: runs have no end here",
            ),
            (
                never,
                "assertion is never executed: parameters exclude it, or nobody calls the routine around it",
                "assertions are never executed: parameters exclude them, or nobody calls the routine around them",
            ),
        ] {
            if let Some(first) = dropped.first() {
                let message = format!("{} {}", dropped.len(), if dropped.len() == 1 { one } else { many });
                self.warnings.push(Diagnostic { message, span: Some(self.places.span(*first)) });
            }
        }
    }

    /// The places of all statements of final blocks.
    fn in_final_blocks(&self) -> FxHashSet<At> {
        let is_final = |item: &Item| match item {
            Item::Process(process) if process.kind == ProcessKind::Final => Some(process.body),
            _ => None,
        };
        let mut open: Vec<StmtRef> = self.export.items.iter().filter_map(is_final).collect();
        let mut places = FxHashSet::default();
        while let Some(stmt) = open.pop() {
            let stmt = self.export.stmt(stmt);
            places.insert(stmt.at);
            open.extend(inner_statements(stmt));
        }
        places
    }

    /// Refuses latches and loops.
    fn check_loops(&self) -> Result<(), InputError> {
        let names = match self.system.validate() {
            Ok(()) => return Ok(()),
            Err(SystemError::CombinationalLoop(names)) => names,
            Err(error) => return self.general_error(error.to_string()),
        };
        let mut named: FxHashMap<String, SymbolRef> = FxHashMap::default();
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            named.entry(self.symbol_name(symbol)).or_insert(symbol);
        }
        let variable = |name: &String| named.get(name.split('[').next().unwrap_or(name)).copied();
        let mut variables: Vec<SymbolRef> = names.iter().filter_map(variable).collect();
        variables.dedup();
        let mut different = variables.clone();
        different.sort_unstable();
        different.dedup();
        let Some(first) = variables.first() else {
            return self.general_error(format!("combinational loop through {}", names.join(" -> ")));
        };
        let path: Vec<String> = variables.iter().map(|symbol| self.symbol_name(*symbol)).collect();
        if let [only] = different.as_slice() {
            let name = self.symbol_name(*only);
            let message = format!(
                "{name} depends on itself: it is a latch, because it is not assigned in every case, or a combinational loop"
            );
            return match self.drivers.get(only) {
                Some(at) => self.error(*at, message),
                None => self.symbol_error(*only, message),
            };
        }
        self.symbol_error(*first, format!("combinational loop through {}", path.join(" -> ")))
    }
}
