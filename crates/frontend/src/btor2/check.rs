//! What lines refer to: defined above, of the right kind and sort.

use super::{Line, Operation, Operator, Reference, operator::Shape, parse::ordinal};
use crate::{InputError, text::Input};
use propcov_ir::Sort;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a node is to those that refer to it.
struct Known {
    keyword: &'static str,
    line: u32,
    /// The sort of its value, or the sort that it declares.
    sort: Option<Sort>,
    /// Whether an input's value is in it.
    reads_input: bool,
    /// The lines of a state's `init` and `next`.
    init: Option<u32>,
    next: Option<u32>,
}

/// The lines so far.
pub(super) struct Checker<'a> {
    input: Input<'a>,
    known: FxHashMap<u64, Known>,
    last: u64,
}

/// A sort in the words of the format.
fn show(sort: &Sort) -> String {
    match sort {
        Sort::BitVec(width) => format!("bitvec {width}"),
        Sort::Array(array) => format!("array from {} to {}", show(&array.index), show(&array.element)),
        other => other.to_string(),
    }
}

impl<'a> Checker<'a> {
    pub(super) fn new(input: Input<'a>) -> Checker<'a> {
        Checker { input, known: FxHashMap::default(), last: 0 }
    }

    /// Ids increase from line to line.
    pub(super) fn check_id(&self, id: u64, place: Range<usize>) -> Result<(), InputError> {
        if id > self.last {
            return Ok(());
        }
        let message = match self.known.get(&id) {
            Some(known) => format!("id {id} is already used on line {}", known.line),
            None => format!("expected an id greater than {}, the one before, found {id}", self.last),
        };
        Err(self.input.error(place, message))
    }

    /// The sort that a line declares.
    pub(super) fn sort(&self, id: u64, place: Range<usize>) -> Result<&Sort, InputError> {
        match self.known.get(&id) {
            Some(Known { keyword: "sort", sort: Some(sort), .. }) => Ok(sort),
            Some(known) => {
                let (keyword, line) = (known.keyword, known.line);
                let message =
                    format!("expected the id of a sort, found {id}, which is `{keyword}` on line {line}");
                Err(self.input.error(place, message))
            }
            None => {
                let message = format!("expected the id of a sort, found {id}, which is not defined above");
                Err(self.input.error(place, message))
            }
        }
    }

    /// Checks a line, which then is one that others may refer to.
    pub(super) fn check(&mut self, line: &Line) -> Result<(), InputError> {
        let (mut sort, mut reads_input) = (None, false);
        match &line.operation {
            Operation::Sort(declared) => sort = Some(declared.clone()),
            Operation::Input { sort: id } => {
                sort = Some(self.sort(*id, self.word(line, 2))?.clone());
                reads_input = true;
            }
            Operation::State { sort: id } | Operation::Constant { sort: id, .. } => {
                sort = Some(self.sort(*id, self.word(line, 2))?.clone());
            }
            Operation::Apply { operator, sort: id, operands, indices } => {
                let declared = self.sort(*id, self.word(line, 2))?.clone();
                let application = Application { checker: self, line, operator: *operator, operands };
                application.check(*id, &declared, indices)?;
                reads_input = operands.iter().any(|operand| self.known[&operand.id].reads_input);
                sort = Some(declared);
            }
            Operation::Init { sort: id, state, value } => {
                self.definition(line, *id, *state, *value)?;
                if let Some(known) = self.known.get_mut(&state.id) {
                    known.init = Some(line.place.line);
                }
            }
            Operation::Next { sort: id, state, value } => {
                self.definition(line, *id, *state, *value)?;
                if let Some(known) = self.known.get_mut(&state.id) {
                    known.next = Some(line.place.line);
                }
            }
            Operation::Bad(condition) | Operation::Constraint(condition) | Operation::Fair(condition) => {
                self.condition(line, *condition, 2)?;
            }
            Operation::Output(value) => {
                self.value(line, *value, 2)?;
            }
            Operation::Justice(conditions) => {
                for (position, condition) in conditions.iter().enumerate() {
                    self.condition(line, *condition, 3 + position)?;
                }
            }
        }
        let keyword = line.operation.keyword();
        let known = Known { keyword, line: line.place.line, sort, reads_input, init: None, next: None };
        self.known.insert(line.id, known);
        self.last = line.id;
        Ok(())
    }

    /// A word of a line.
    fn word(&self, line: &Line, position: usize) -> Range<usize> {
        let place = line.place.start..line.place.end;
        self.input.words(place.clone()).nth(position).unwrap_or(place)
    }

    fn error<T>(&self, line: &Line, word: usize, message: String) -> Result<T, InputError> {
        Err(self.input.error(self.word(line, word), message))
    }

    /// The sort of a node's value.
    fn value(&self, line: &Line, node: Reference, word: usize) -> Result<&Sort, InputError> {
        let id = node.id;
        let Some(known) = self.known.get(&id) else {
            return self.error(line, word, format!("node {id} is not defined above"));
        };
        let Some(sort) = known.sort.as_ref().filter(|_| known.keyword != "sort") else {
            let (keyword, at) = (known.keyword, known.line);
            let message =
                format!("expected a node with a value, found {id}, which is `{keyword}` on line {at}");
            return self.error(line, word, message);
        };
        if node.negated && sort.width().is_none() {
            let message =
                format!("expected a bit-vector to negate, found node {id}, which is {}", show(sort));
            return self.error(line, word, message);
        }
        Ok(sort)
    }

    fn condition(&self, line: &Line, node: Reference, word: usize) -> Result<(), InputError> {
        let sort = self.value(line, node, word)?;
        if sort.is_bool() {
            return Ok(());
        }
        let (keyword, id) = (line.operation.keyword(), node.id);
        let message = format!("`{keyword}` expects bitvec 1, found node {id}, which is {}", show(sort));
        self.error(line, word, message)
    }

    /// An `init` or `next` line.
    fn definition(
        &self,
        line: &Line,
        sort: u64,
        state: Reference,
        value: Reference,
    ) -> Result<(), InputError> {
        const STATE: usize = 3;
        const VALUE: usize = 4;
        let keyword = line.operation.keyword();
        let declared = self.sort(sort, self.word(line, 2))?;
        let state_sort = self.value(line, state, STATE)?;
        let known = &self.known[&state.id];
        if known.keyword != "state" || state.negated {
            let found = if state.negated { "negated here" } else { &format!("`{}`", known.keyword) };
            let message = format!("`{keyword}` expects a state, found node {}, which is {found}", state.id);
            return self.error(line, STATE, message);
        }
        let earlier = if keyword == "init" { known.init } else { known.next };
        if let Some(earlier) = earlier {
            let message = format!("state {} already has its `{keyword}` on line {earlier}", state.id);
            return self.error(line, STATE, message);
        }
        if declared != state_sort {
            let (declared, state_sort) = (show(declared), show(state_sort));
            let message = format!("expected the sort of state {}, {state_sort}, found {declared}", state.id);
            return self.error(line, 2, message);
        }
        let value_sort = self.value(line, value, VALUE)?;
        let fills = match state_sort {
            Sort::Array(array) => keyword == "init" && array.element == *value_sort,
            _ => false,
        };
        if value_sort != state_sort && !fills {
            let message = format!(
                "`{keyword}` of state {} expects {}, found node {}, which is {}",
                state.id,
                show(state_sort),
                value.id,
                show(value_sort)
            );
            return self.error(line, VALUE, message);
        }
        if keyword == "init" {
            if value.id >= state.id {
                let (state, value) = (state.id, value.id);
                let message =
                    format!("expected an initial value defined before state {state}, found node {value}");
                return self.error(line, VALUE, message);
            }
            if self.known[&value.id].reads_input {
                let message = format!("expected an initial value without inputs, found node {}", value.id);
                return self.error(line, VALUE, message);
            }
        }
        Ok(())
    }
}

/// An operator's line while it is checked.
struct Application<'c, 'a> {
    checker: &'c Checker<'a>,
    line: &'c Line,
    operator: Operator,
    operands: &'c [Reference],
}

/// Where a line has its first operand.
const FIRST_OPERAND: usize = 3;

impl Application<'_, '_> {
    fn check(&self, declared_id: u64, declared: &Sort, indices: &[u32]) -> Result<(), InputError> {
        const BIT: Sort = Sort::BOOL;
        let result = match self.operator.shape() {
            Shape::Unary => Sort::BitVec(self.width(0)?),
            Shape::Reduction => {
                self.width(0)?;
                BIT
            }
            Shape::Binary => {
                let sort = Sort::BitVec(self.width(0)?);
                self.expect(1, &sort)?;
                sort
            }
            Shape::Predicate => {
                let sort = Sort::BitVec(self.width(0)?);
                self.expect(1, &sort)?;
                BIT
            }
            Shape::Equality => {
                self.expect(1, self.sort(0)?)?;
                BIT
            }
            Shape::Connective => {
                self.expect(0, &BIT)?;
                self.expect(1, &BIT)?;
                BIT
            }
            Shape::Concat => Sort::BitVec(self.width(0)? + self.width(1)?),
            Shape::Slice => self.slice(indices)?,
            Shape::Extend => Sort::BitVec(self.width(0)? + indices[0]),
            Shape::Ite => {
                self.expect(0, &BIT)?;
                let sort = self.sort(1)?.clone();
                self.expect(2, &sort)?;
                sort
            }
            Shape::Read | Shape::Write => {
                let Sort::Array(array) = self.sort(0)? else { return self.mismatch(0, "an array") };
                self.expect(1, &array.index)?;
                if self.operator.shape() == Shape::Read {
                    array.element.clone()
                } else {
                    self.expect(2, &array.element)?;
                    Sort::Array(array.clone())
                }
            }
        };
        if result == *declared {
            return Ok(());
        }
        let (keyword, result, declared) = (self.operator.keyword(), show(&result), show(declared));
        let message = format!("`{keyword}` gives {result} here, but sort {declared_id} is {declared}");
        self.checker.error(self.line, 2, message)
    }

    fn sort(&self, position: usize) -> Result<&Sort, InputError> {
        self.checker.value(self.line, self.operands[position], FIRST_OPERAND + position)
    }

    fn width(&self, position: usize) -> Result<u32, InputError> {
        match self.sort(position)? {
            Sort::BitVec(width) => Ok(*width),
            _ => self.mismatch(position, "a bit-vector"),
        }
    }

    fn expect(&self, position: usize, expected: &Sort) -> Result<(), InputError> {
        if self.sort(position)? == expected { Ok(()) } else { self.mismatch(position, &show(expected)) }
    }

    fn slice(&self, indices: &[u32]) -> Result<Sort, InputError> {
        let width = self.width(0)?;
        let (upper, lower) = (indices[0], indices[1]);
        if upper >= width {
            let (id, greatest) = (self.operands[0].id, width - 1);
            let message = format!(
                "expected an upper index of at most {greatest}, as node {id} is bitvec {width}, found {upper}"
            );
            return self.checker.error(self.line, FIRST_OPERAND + 1, message);
        }
        if lower > upper {
            let message = format!("expected a lower index of at most {upper}, the upper one, found {lower}");
            return self.checker.error(self.line, FIRST_OPERAND + 2, message);
        }
        Ok(Sort::BitVec(upper - lower + 1))
    }

    fn mismatch<T>(&self, position: usize, expected: &str) -> Result<T, InputError> {
        let (keyword, which) = (self.operator.keyword(), ordinal(position));
        let found = show(self.sort(position)?);
        let id = self.operands[position].id;
        let message = format!(
            "`{keyword}` expects {expected} as its {which} operand, found node {id}, which is {found}"
        );
        self.checker.error(self.line, FIRST_OPERAND + position, message)
    }
}
