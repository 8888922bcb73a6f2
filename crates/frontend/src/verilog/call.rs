//! Functions and tasks, which are executed where they are called, and system functions.

use super::machine::{Context, Machine, Slot};
use super::record::{At, Direction, EventKind, ExprKind, ExprRef, Routine, RoutineRef, SymbolRef};
use crate::{Diagnostic, InputError};
use propcov_ir::{BinaryOp, ExprId, Origin, Sort};

/// What the exporter writes behind the name of a method of an enumeration and the number of members.
const MEMBERS: &str = " members";

/// Routines may call each other so deeply.
const MAX_CALLS: u32 = 256;

impl Machine<'_> {
    /// Calls a routine. What it declares is forgotten afterwards.
    pub(super) fn call(
        &mut self,
        routine: RoutineRef,
        arguments: &[ExprRef],
        at: At,
    ) -> Result<ExprId, InputError> {
        if self.depth == MAX_CALLS {
            return self.error(at, format!("more than {MAX_CALLS} calls inside of each other"));
        }
        let export = self.export;
        let called: &Routine = export.routine(routine);
        if called.arguments.len() != arguments.len() {
            return self.error(at, format!("{} has another number of arguments", called.name));
        }
        let inputs = self.inputs(called, arguments)?;
        let mark = self.values.mark();
        for ((symbol, _), value) in called.arguments.iter().zip(inputs) {
            self.set_local(*symbol, value, at)?;
        }
        if let Some(result) = called.result {
            let zero = self.zero_at_entry(result);
            self.values.set(Slot::Now(result), zero);
        }
        let outer_result = std::mem::replace(&mut self.result, called.result);
        let outer_blocks = std::mem::take(&mut self.open_blocks);
        self.depth += 1;
        let done = self.exec(called.body);
        self.depth -= 1;
        self.open_blocks = outer_blocks;
        self.result = outer_result;
        done?;
        let value = called.result.map(|result| self.read(result)).transpose()?;
        let outputs = self.output_values(called)?;
        self.forget_locals(mark);
        self.store_outputs(called, arguments, outputs, at)?;
        match value {
            Some(value) => Ok(value),
            None => Ok(self.bool(false)),
        }
    }

    /// The values that go in; those of other arguments are what variables of their types start with.
    fn inputs(&mut self, called: &Routine, arguments: &[ExprRef]) -> Result<Vec<Option<ExprId>>, InputError> {
        let mut values = Vec::with_capacity(arguments.len());
        for ((symbol, direction), argument) in called.arguments.iter().zip(arguments) {
            values.push(match direction {
                Direction::In => Some(self.eval(*argument)?),
                Direction::Out => self.zero_at_entry(*symbol),
                Direction::InOut | Direction::Ref => {
                    let target = self.output_target(*argument);
                    Some(self.eval(target)?)
                }
            });
        }
        Ok(values)
    }

    /// slang writes an argument that something comes out of as an assignment.
    fn output_target(&self, argument: ExprRef) -> ExprRef {
        match self.export.expr(argument).what {
            ExprKind::Assign(target, ..) => target,
            _ => argument,
        }
    }

    fn output_values(&mut self, called: &Routine) -> Result<Vec<Option<ExprId>>, InputError> {
        let mut values = Vec::new();
        for (symbol, direction) in &called.arguments {
            values.push(match direction {
                Direction::In => None,
                _ => Some(self.read(*symbol)?),
            });
        }
        Ok(values)
    }

    /// Takes back what was assigned to variables that live only in routines.
    fn forget_locals(&mut self, mark: usize) {
        let changed: Vec<(Slot, Option<ExprId>)> =
            self.values.changed(mark).into_iter().map(|slot| (slot, self.values.get(slot))).collect();
        let before = self.values.undo(mark);
        debug_assert_eq!(before.len(), changed.len());
        for (slot, value) in changed {
            let symbol = slot.symbol();
            let is_own = self.scan.facts(symbol).is_local && self.is_routine_local(symbol);
            if !is_own {
                self.values.set(slot, value);
            }
        }
    }

    fn is_routine_local(&self, symbol: SymbolRef) -> bool {
        self.routine_locals.contains(&symbol)
    }

    fn store_outputs(
        &mut self,
        called: &Routine,
        arguments: &[ExprRef],
        outputs: Vec<Option<ExprId>>,
        at: At,
    ) -> Result<(), InputError> {
        for (argument, (value, _)) in arguments.iter().zip(outputs.into_iter().zip(&called.arguments)) {
            let Some(value) = value else { continue };
            let outer = self.incoming.replace(value);
            let stored = match self.export.expr(*argument).what {
                ExprKind::Assign(target, value, _) => {
                    let value = self.eval(value);
                    value.and_then(|value| self.store(target, value, false, at))
                }
                _ => self.store(*argument, value, false, at),
            };
            self.incoming = outer;
            stored?;
        }
        Ok(())
    }

    /// Sets the result of the current routine.
    pub(super) fn set_result(&mut self, value: ExprId, at: At) -> Result<(), InputError> {
        match self.result {
            Some(result) => self.set_local(result, Some(value), at),
            None => self.error(at, "a value is returned where none is expected"),
        }
    }

    /// Calls a system function or task.
    pub(super) fn system_call(
        &mut self,
        name: &str,
        arguments: &[ExprRef],
        expr: ExprRef,
    ) -> Result<ExprId, InputError> {
        let (at, width) = (self.export.expr(expr).at, self.export.type_of(expr).width);
        if width == 0 && !is_silent(name) && !is_control(name) {
            return self.error(at, format!("{name} is not supported"));
        }
        match (name, arguments) {
            ("$signed" | "$unsigned", [a]) => self.eval(*a),
            ("$countones", [a]) => self.count_ones(*a, width),
            ("$countbits", [a, controls @ ..]) => self.count_bits(*a, controls, width, at),
            ("$onehot" | "$onehot0", [a]) => self.one_hot(*a, name == "$onehot"),
            ("$isunknown", [_]) => Ok(self.bool(false)),
            // Nobody gives any.
            ("$test$plusargs" | "$value$plusargs", _) => Ok(self.bits(width, 0)),
            ("$initstate", []) => Ok(self.first_step()),
            ("$sampled", [a]) => self.eval(*a),
            ("$past", [a, rest @ ..]) => self.past(*a, rest, at),
            ("$rose" | "$fell" | "$stable" | "$changed", [a, rest @ ..]) => {
                self.change(name, *a, rest.first())
            }
            ("triggered", [a]) => match self.export.expr(*a).what {
                ExprKind::Property(sequence, _) => self.sequence_ends(sequence, at),
                _ => self.error(at, "expected a sequence"),
            },
            ("$anyseq" | "$random" | "$urandom", _) => {
                let name = self.placed_name(name, at);
                Ok(self.fresh(width, name))
            }
            ("$anyconst", _) => Ok(self.any_constant(width, (name, Origin::User), at)),
            ("and" | "or" | "xor" | "sum" | "product", [array]) => self.reduced(name, *array, at),
            ("$clog2", [a]) => self.ceiling_log(*a, width),
            _ if is_silent(name) => Ok(self.bool(false)),
            _ if is_control(name) => {
                let message = format!("{name} is ignored: assertions are always on");
                let span = Some(self.places.span(at));
                self.warnings.push(Diagnostic { message, span });
                Ok(self.bool(false))
            }
            ("$future_gclk" | "$rising_gclk" | "$falling_gclk" | "$steady_gclk" | "$changing_gclk", _) => {
                self.error(at, format!("{name} is not supported: it is about the tick after this one"))
            }
            (name, arguments) if name.ends_with(MEMBERS) => self.member(name, arguments, expr),
            _ => self.error(at, format!("{name} is not supported")),
        }
    }

    /// All elements of an array, with an operator between them (IEEE 1800-2023, 7.12.3).
    fn reduced(&mut self, name: &str, array: ExprRef, at: At) -> Result<ExprId, InputError> {
        let Some((element, bounds)) = self.export.type_of(array).unpacked_element() else {
            return self.error(at, format!("{name} is only supported of arrays of fixed size"));
        };
        let (width, word) = (self.export.ty(element).width, self.eval(array)?);
        let op = match name {
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "sum" => BinaryOp::Add,
            _ => BinaryOp::Mul,
        };
        if width == 0 || self.width(word) != bounds.count() * width {
            return self.error(at, format!("{name} of such an array is not supported"));
        }
        let mut value = self.slice(word, 0, width);
        for position in 1..bounds.count() {
            let element = self.slice(word, position * width, width);
            value = self.binary(op, value, element);
        }
        Ok(value)
    }

    /// A method of an enumeration: all members, the value, and perhaps a number of steps. What follows a value that is no member is the value that a variable
    /// has by default, which is unknown for `logic`: any value.
    fn member(&mut self, name: &str, arguments: &[ExprRef], expr: ExprRef) -> Result<ExprId, InputError> {
        let at = self.export.expr(expr).at;
        let (method, count) = name.trim_end_matches(MEMBERS).split_once(" of ").unwrap_or((name, ""));
        let count = count.parse().unwrap_or(0).min(arguments.len());
        let (members, given) = arguments.split_at(count);
        let steps = match given.get(1) {
            None => Some(1),
            Some(steps) => super::scan::number(self.export, *steps),
        };
        let count = members.len() as i64;
        let (Some(value), Some(steps), 1..) = (given.first(), steps, count) else {
            return self.error(at, format!("{method} with such arguments is not supported"));
        };
        let width = self.export.type_of(expr).width;
        let steps = match method {
            "first" => return self.eval(members[0]),
            "last" => return self.eval(members[members.len() - 1]),
            "num" => return Ok(self.bits(width, count as u64)),
            "next" => steps.rem_euclid(count),
            "prev" => (-steps).rem_euclid(count),
            _ => return self.error(at, format!("{method} of an enumeration is not supported")),
        };
        let value = self.eval(*value)?;
        let mut result = self.undefined_at(width, at);
        for (position, member) in members.iter().enumerate() {
            let here = self.eval(*member)?;
            let there = self.eval(members[(position + steps as usize) % members.len()])?;
            let is_here = self.eq(value, here);
            result = self.ite(is_here, there, result);
        }
        Ok(result)
    }

    fn count_ones(&mut self, a: ExprRef, width: u32) -> Result<ExprId, InputError> {
        let value = self.eval(a)?;
        Ok(self.number_of_ones(value, width))
    }

    /// How many bits are one of some digits. No bit is ever `x` or `z`.
    fn count_bits(
        &mut self,
        a: ExprRef,
        controls: &[ExprRef],
        width: u32,
        at: At,
    ) -> Result<ExprId, InputError> {
        let value = self.eval(a)?;
        let digits: Option<Vec<String>> = controls.iter().map(|control| self.digits(*control)).collect();
        let Some(digits) = digits else { return self.error(at, "expected constant digits to count") };
        let ones = self.number_of_ones(value, width);
        let inverse = self.not(value);
        let zeros = self.number_of_ones(inverse, width);
        let mut count = self.bits(width, 0);
        for (digit, number) in [('1', ones), ('0', zeros)] {
            if digits.iter().any(|digits| digits.ends_with(digit)) {
                count = self.binary(BinaryOp::Add, count, number);
            }
        }
        Ok(count)
    }

    fn number_of_ones(&mut self, value: ExprId, width: u32) -> ExprId {
        let mut count = self.bits(width, 0);
        for position in 0..self.width(value) {
            let bit = self.slice(value, position, 1);
            let bit = self.resized(bit, width, false);
            count = self.binary(BinaryOp::Add, count, bit);
        }
        count
    }

    /// `x & (x - 1)` is zero if at most one bit is set.
    fn one_hot(&mut self, a: ExprRef, is_needed: bool) -> Result<ExprId, InputError> {
        let value = self.eval(a)?;
        let one = self.bits(self.width(value), 1);
        let less = self.binary(BinaryOp::Sub, value, one);
        let both = self.and(value, less);
        let several = self.truth(both);
        let at_most_one = self.not(several);
        if !is_needed {
            return Ok(at_most_one);
        }
        let some = self.truth(value);
        Ok(self.and(some, at_most_one))
    }

    /// The logarithm of a value that is no constant: the number of bits of one less.
    fn ceiling_log(&mut self, a: ExprRef, width: u32) -> Result<ExprId, InputError> {
        let value = self.eval(a)?;
        let one = self.bits(self.width(value), 1);
        let less = self.binary(BinaryOp::Sub, value, one);
        let mut log = self.bits(width, 0);
        for position in 0..self.width(value) {
            let bit = self.slice(less, position, 1);
            let here = self.bits(width, u64::from(position) + 1);
            log = self.ite(bit, here, log);
        }
        let defined = self.truth(value);
        let zero = self.bits(width, 0);
        Ok(self.ite(defined, log, zero))
    }

    /// Whether this is the first step.
    pub(super) fn first_step(&mut self) -> ExprId {
        if let Some(known) = self.first_step {
            return known;
        }
        let state = self.system.add_state("$initstate", Sort::BOOL);
        self.system.set_origin(state, Origin::Helper);
        let (yes, no) = (self.bool(true), self.bool(false));
        self.system.set_init(state, yes);
        self.system.set_next(state, no);
        let value = self.system.read(state);
        self.first_step = Some(value);
        value
    }

    /// A value that stays what it was.
    pub(super) fn any_constant(&mut self, width: u32, (name, origin): (&str, Origin), at: At) -> ExprId {
        let state = self.system.add_state(self.placed_name(name, at), Sort::BitVec(width));
        self.system.set_origin(state, origin);
        let value = self.system.read(state);
        self.system.set_next(state, value);
        value
    }

    /// `$past(value, ticks, condition, clock)`.
    fn past(&mut self, a: ExprRef, rest: &[ExprRef], at: At) -> Result<ExprId, InputError> {
        let given = |position: usize| {
            let expr = rest.get(position).copied();
            expr.filter(|expr| !matches!(self.export.expr(*expr).what, ExprKind::Empty))
        };
        let (count, condition, clock) = (given(0), given(1), given(2));
        let count = match count {
            None => 1,
            Some(count) => match super::scan::number(self.export, count) {
                Some(count @ 1..=1024) => count,
                _ => return self.error(at, "expected a number of steps from 1 to 1024"),
            },
        };
        self.check_clock(clock.as_ref())?;
        let mut value = self.eval(a)?;
        let outer = self.gate;
        if let Some(condition) = condition {
            let condition = self.condition(condition)?;
            self.gate = Some(outer.map_or(condition, |gate| self.and(gate, condition)));
        }
        for _ in 0..count {
            value = self.delayed("$past", value);
        }
        self.gate = outer;
        Ok(value)
    }

    /// A clock that is given has to be the one that there is.
    fn check_clock(&mut self, clock: Option<&ExprRef>) -> Result<(), InputError> {
        let Some(clock) = clock else { return Ok(()) };
        let at = self.export.expr(*clock).at;
        let ExprKind::Clock(event) = self.export.expr(*clock).what else {
            return self.error(at, "expected a clock");
        };
        let EventKind::Signal(edge, signal, None) = self.export.event(event).what else {
            return self.error(at, "expected one edge of one signal");
        };
        let clock = self.clock(edge, signal)?;
        match self.context {
            Context::Edge(here) if here == clock && self.gate.is_none() => Ok(()),
            // Every step is a tick of the one clock.
            Context::Each if !self.clocking.is_seen(clock) => Ok(()),
            _ => self.error(at, "another clock than the one around is not supported"),
        }
    }

    /// The value at the tick before.
    fn delayed(&mut self, name: &str, value: ExprId) -> ExprId {
        let seen = match self.context {
            Context::Edge(clock) => Some(clock).filter(|clock| self.clocking.is_seen(*clock)),
            Context::Start | Context::Each => None,
        };
        match (seen, self.gate) {
            (Some(clock), gate) => self.register_at(clock, name, value, gate),
            (None, None) => self.step_before(name, value),
            (None, Some(gate)) => self.held(name, value, gate),
        }
    }

    /// The value in the last step before in which a condition held.
    fn held(&mut self, name: &str, value: ExprId, condition: ExprId) -> ExprId {
        let sort = self.system.exprs.sort(value).clone();
        let state = self.system.add_state(self.local_name(name), sort);
        self.system.set_origin(state, Origin::Helper);
        let before = self.system.read(state);
        let next = self.ite(condition, value, before);
        self.system.set_next(state, next);
        self.first_values.push((state, value));
        before
    }

    /// The value in the step before. It is the same state for the same value.
    pub(super) fn step_before(&mut self, name: &str, value: ExprId) -> ExprId {
        if let Some(known) = self.delays.get(&value) {
            return *known;
        }
        let sort = self.system.exprs.sort(value).clone();
        let state = self.system.add_state(self.local_name(name), sort);
        self.system.set_origin(state, Origin::Helper);
        self.system.set_next(state, value);
        self.first_values.push((state, value));
        let before = self.system.read(state);
        self.delays.insert(value, before);
        before
    }

    /// What has changed since the edge before; `$rose` and `$fell` are about the last bit.
    fn change(&mut self, name: &str, a: ExprRef, clock: Option<&ExprRef>) -> Result<ExprId, InputError> {
        self.check_clock(clock)?;
        let mut value = self.eval(a)?;
        if matches!(name, "$rose" | "$fell") {
            value = self.slice(value, 0, 1);
        }
        let before = self.delayed("$past", value);
        let same = self.eq(value, before);
        Ok(match name {
            "$stable" => same,
            "$changed" => self.not(same),
            "$rose" => {
                let was_low = self.not(before);
                self.and(value, was_low)
            }
            _ => {
                let is_low = self.not(value);
                self.and(is_low, before)
            }
        })
    }
}

/// Tasks that switch assertions on and off.
fn is_control(name: &str) -> bool {
    matches!(
        name,
        "$asserton"
            | "$assertoff"
            | "$assertkill"
            | "$assertcontrol"
            | "$assertpasson"
            | "$assertpassoff"
            | "$assertfailon"
            | "$assertfailoff"
            | "$assertnonvacuouson"
            | "$assertvacuousoff"
    )
}

/// Tasks that only tell somebody something.
pub(super) fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "$display"
            | "$write"
            | "$strobe"
            | "$monitor"
            | "$info"
            | "$warning"
            | "$error"
            | "$fatal"
            | "$finish"
            | "$stop"
            | "$dumpfile"
            | "$dumpvars"
            | "$timeformat"
            | "$printtimescale"
    ) || name.starts_with("$display")
        || name.starts_with("$write")
}
