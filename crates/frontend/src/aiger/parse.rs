//! Reads both encodings. Hand-written for its messages, and because every count in the header may be a lie: nothing is
//! allocated that the bytes which follow cannot fill.

use super::{
    And, Encoding, Latch, Layout, Literal, Model, Reset, Section, Symbol, SymbolKind,
    check::Definitions,
    header::{Header, header},
    scan::Scanner,
};
use crate::{InputError, text::Input};
use rustc_hash::FxHashSet;

/// A model, and where in its file each part of it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The model.
    pub model: Model,
    /// Where its parts are.
    pub layout: Layout,
}

/// Reads an AIGER file; the path is only used in error messages.
pub fn parse(path: &str, bytes: &[u8]) -> Result<Parsed, InputError> {
    parse_input(Input::new(path, bytes))
}

pub(super) fn parse_input(input: Input<'_>) -> Result<Parsed, InputError> {
    let mut scan = Scanner { input, at: 0, past_binary: false };
    let (encoding, header) = header(&mut scan)?;
    let mut parser =
        Parser { scan, encoding, header, model: Model::default(), layout: Layout::new(encoding) };
    parser.inputs()?;
    parser.latches()?;
    parser.properties()?;
    match encoding {
        Encoding::Ascii => {
            parser.ascii_gates()?;
            let Parser { model, layout, .. } = &parser;
            Definitions { input: parser.scan.input, model, layout }.check()?;
        }
        Encoding::Binary => parser.binary_gates()?,
    }
    parser.symbols()?;
    Ok(Parsed { model: parser.model, layout: parser.layout })
}

struct Parser<'a> {
    scan: Scanner<'a>,
    encoding: Encoding,
    header: Header,
    model: Model,
    layout: Layout,
}

impl Parser<'_> {
    fn literal(&mut self, what: &str) -> Result<Literal, InputError> {
        let (number, range) = self.scan.number(what)?;
        let max = self.header.max_variable;
        if number >> 1 > max {
            let message = format!(
                "expected {what}, found literal {number}: the maximum variable is {max}, so literals end at {}",
                2 * max + 1
            );
            return Err(self.scan.error(range, message));
        }
        Ok(Literal(number))
    }

    /// A literal that gets its definition here.
    fn definition(&mut self, what: &str) -> Result<Literal, InputError> {
        let start = self.scan.at;
        let literal = self.literal(what)?;
        if literal.is_negated() || literal == Literal::FALSE {
            let why = if literal.variable() == 0 {
                "the constants are already defined"
            } else {
                "only even literals can be defined"
            };
            let message = format!("expected {what}, found {}: {why}", literal.0);
            return Err(self.scan.error(start..self.scan.at, message));
        }
        Ok(literal)
    }

    fn literals(&mut self, section: Section, count: usize, what: &str) -> Result<Vec<Literal>, InputError> {
        self.layout.begin(section);
        let mut literals = Vec::with_capacity(count.min(self.scan.remaining()));
        for done in 0..count {
            self.scan.input.go_on(done)?;
            self.layout.part(self.scan.at);
            literals.push(self.literal(what)?);
            self.scan.newline(what)?;
        }
        Ok(literals)
    }

    fn inputs(&mut self) -> Result<(), InputError> {
        self.model.max_variable = self.header.max_variable;
        if self.encoding == Encoding::Binary {
            self.model.inputs = (1..=self.header.inputs as u32).map(Literal::positive).collect();
            return Ok(());
        }
        self.layout.begin(Section::Inputs);
        self.model.inputs.reserve(self.header.inputs);
        for done in 0..self.header.inputs {
            self.scan.input.go_on(done)?;
            self.layout.part(self.scan.at);
            let input = self.definition("an input's literal")?;
            self.scan.newline("an input")?;
            self.model.inputs.push(input);
        }
        Ok(())
    }

    fn latches(&mut self) -> Result<(), InputError> {
        self.layout.begin(Section::Latches);
        self.model.latches.reserve(self.header.latches);
        for position in 0..self.header.latches {
            self.scan.input.go_on(position)?;
            self.layout.part(self.scan.at);
            let current = match self.encoding {
                Encoding::Binary => Literal::positive((self.header.inputs + position) as u32 + 1),
                Encoding::Ascii => {
                    let current = self.definition("a latch's literal")?;
                    self.scan.space("the latch's next literal")?;
                    current
                }
            };
            let next = self.literal("the latch's next literal")?;
            let mut reset = Reset::Zero;
            if self.scan.peek() == Some(b' ') {
                self.scan.at += 1;
                let (number, range) = self.scan.number("the latch's reset")?;
                reset = match number {
                    0 => Reset::Zero,
                    1 => Reset::One,
                    own if own == current.0 => Reset::Open,
                    other => {
                        let own = current.0;
                        let message =
                            format!("expected a reset of 0, 1 or {own} (the latch itself), found {other}");
                        return Err(self.scan.error(range, message));
                    }
                };
            }
            self.scan.newline("a latch")?;
            self.model.latches.push(Latch { current, next, reset });
        }
        Ok(())
    }

    fn properties(&mut self) -> Result<(), InputError> {
        let Header { outputs, bads, constraints, justice, fairness, .. } = self.header;
        self.model.outputs = self.literals(Section::Outputs, outputs, "an output's literal")?;
        self.model.bads = self.literals(Section::Bads, bads, "a bad state's literal")?;
        self.model.constraints =
            self.literals(Section::Constraints, constraints, "a constraint's literal")?;
        self.layout.begin(Section::Justice);
        let (mut sizes, mut total) = (Vec::with_capacity(justice), 0);
        for _ in 0..justice {
            self.layout.part(self.scan.at);
            let (size, range) = self.scan.number("the number of a justice property's literals")?;
            self.scan.newline("a justice property's size")?;
            total += size as usize;
            if total * 2 > self.scan.remaining() {
                let remaining = self.scan.remaining();
                let message =
                    format!("{total} literals of justice properties, but only {remaining} bytes follow");
                return Err(self.scan.error(range, message));
            }
            sizes.push(size as usize);
        }
        let mut literals =
            self.literals(Section::JusticeLiterals, total, "a justice property's literal")?.into_iter();
        self.model.justice = sizes.into_iter().map(|size| literals.by_ref().take(size).collect()).collect();
        self.model.fairness =
            self.literals(Section::Fairness, fairness, "a fairness constraint's literal")?;
        Ok(())
    }

    fn ascii_gates(&mut self) -> Result<(), InputError> {
        self.layout.begin(Section::Gates);
        self.model.ands.reserve(self.header.ands);
        for done in 0..self.header.ands {
            self.scan.input.go_on(done)?;
            self.layout.part(self.scan.at);
            let output = self.definition("a gate's literal")?;
            self.scan.space("the gate's first operand")?;
            let left = self.literal("the gate's first operand")?;
            self.scan.space("the gate's second operand")?;
            let right = self.literal("the gate's second operand")?;
            self.scan.newline("a gate")?;
            self.model.ands.push(And { output, left, right });
        }
        self.layout.part(self.scan.at);
        Ok(())
    }

    fn binary_gates(&mut self) -> Result<(), InputError> {
        // Where the last line before the gates ended is also where the first gate starts.
        self.layout.begin(Section::Gates);
        self.scan.past_binary = true;
        self.model.ands.reserve(self.header.ands);
        let first = (self.header.inputs + self.header.latches) as u32 + 1;
        for variable in first..=self.header.max_variable {
            self.scan.input.go_on(variable as usize)?;
            self.layout.part(self.scan.at);
            let output = Literal::positive(variable);
            let left = self.operand(variable, output, "first")?;
            let right = self.operand(variable, left, "second")?;
            self.model.ands.push(And { output, left, right });
        }
        self.layout.part(self.scan.at);
        Ok(())
    }

    /// An operand, written as what has to be subtracted from the literal before it.
    fn operand(&mut self, gate: u32, before: Literal, which: &str) -> Result<Literal, InputError> {
        let start = self.scan.at;
        let mut difference = 0u64;
        for shift in (0..).step_by(7) {
            let Some(byte) = self.scan.peek() else {
                let message = format!(
                    "expected the {which} operand of gate {gate} (the last is {}), found the end of the file",
                    self.header.max_variable
                );
                return Err(self.scan.error(start..self.scan.at, message));
            };
            self.scan.at += 1;
            difference |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            if shift >= 28 {
                let message = format!(
                    "expected the {which} operand of gate {gate}, found a difference of more than 5 bytes"
                );
                return Err(self.scan.error(start..self.scan.at, message));
            }
        }
        // A gate is greater than its operands; the first operand may equal the second.
        let least = u64::from(which == "first");
        if difference < least || difference > u64::from(before.0) {
            let message = format!(
                "expected a difference from {least} to {} for the {which} operand of gate {gate}, found {difference}",
                before.0
            );
            return Err(self.scan.error(start..self.scan.at, message));
        }
        Ok(Literal(before.0 - difference as u32))
    }

    fn symbols(&mut self) -> Result<(), InputError> {
        let mut named = FxHashSet::default();
        while let Some(letter) = self.scan.peek() {
            let start = self.scan.at;
            if self.scan.input.bytes[start..].starts_with(b"c\n") {
                self.model.comment = Some(self.scan.input.bytes[start + 2..].to_vec());
                break;
            }
            let kind = SymbolKind::ALL.into_iter().find(|kind| kind.letter() == char::from(letter));
            let Some(kind) = kind else {
                return Err(self.scan.expected(
                    "a symbol (one of i, l, o, b, c, j, f and a position), the comment line `c` or the end of the file",
                ));
            };
            self.scan.at += 1;
            let what = format!("the position of the {} that the symbol names", kind.noun());
            let (position, range) = self.scan.number(&what)?;
            let count = self.model.count(kind);
            if position as usize >= count {
                let message = format!("a symbol for {} {position}, but there are only {count}", kind.noun());
                return Err(self.scan.error(range, message));
            }
            if !named.insert((kind, position)) {
                let message = format!("a second symbol for {} {position}", kind.noun());
                return Err(self.scan.error(start..range.end, message));
            }
            self.scan.space("the symbol's name")?;
            let rest = &self.scan.input.bytes[self.scan.at..];
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let name = String::from_utf8_lossy(&rest[..length]).into_owned();
            self.scan.at += length;
            self.scan.newline("the symbol's name")?;
            self.model.symbols.push(Symbol { kind, position, name });
        }
        Ok(())
    }
}
