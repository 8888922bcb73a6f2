//! Reads both encodings. Hand-written for its messages, and because every count in the header may be a lie: nothing is
//! allocated that the bytes which follow cannot fill.

use super::{
    And, Encoding, Latch, Layout, Literal, Model, Reset, Section, Symbol, SymbolKind, order::gates_in_order,
    scan::Scanner, variables::Variables,
};
use crate::{InputError, text::Input};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Binary files have no bytes for inputs: a header of 20 bytes may declare 2^31 of them. Those that anything refers to
/// cannot be more than the bytes that follow; and this many more we take for inputs which nothing refers to.
const UNUSED_INPUTS: usize = 1 << 16;

/// The numbers of the header.
struct Header {
    max_variable: u32,
    inputs: usize,
    latches: usize,
    outputs: usize,
    ands: usize,
    bads: usize,
    constraints: usize,
    justice: usize,
    fairness: usize,
}

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
    let mut scan = Scanner { input: Input::new(path, bytes), at: 0, past_binary: false };
    let (encoding, header) = header(&mut scan)?;
    let mut parser =
        Parser { scan, encoding, header, model: Model::default(), layout: Layout::new(encoding) };
    parser.inputs()?;
    parser.latches()?;
    parser.properties()?;
    match encoding {
        Encoding::Ascii => {
            parser.ascii_gates()?;
            parser.check_definitions()?;
        }
        Encoding::Binary => parser.binary_gates()?,
    }
    parser.symbols()?;
    Ok(Parsed { model: parser.model, layout: parser.layout })
}

fn header(scan: &mut Scanner<'_>) -> Result<(Encoding, Header), InputError> {
    let encoding = match &scan.input.bytes[scan.input.word_at(0)] {
        b"aag" => Encoding::Ascii,
        b"aig" => Encoding::Binary,
        _ => return Err(scan.expected("`aag` or `aig`")),
    };
    scan.at = 3;
    const FIELDS: [&str; 9] = [
        "the maximum variable",
        "the number of inputs",
        "the number of latches",
        "the number of outputs",
        "the number of gates",
        "the number of bad states",
        "the number of constraints",
        "the number of justice properties",
        "the number of fairness constraints",
    ];
    let mut numbers = [0; 9];
    let mut ranges: [Range<usize>; 9] = Default::default();
    for (index, field) in FIELDS.into_iter().enumerate() {
        if index >= 5 && scan.peek() == Some(b'\n') {
            break;
        }
        scan.space(field)?;
        (numbers[index], ranges[index]) = scan.number(field)?;
    }
    scan.newline("the header")?;
    let [max_variable, inputs, latches, outputs, ands, bads, constraints, justice, fairness] = numbers;
    let error = |field: usize, message: String| Err(scan.error(ranges[field].clone(), message));
    if max_variable > u32::MAX >> 1 {
        return error(0, "the maximum variable is too large: literals must be below 2^32".to_owned());
    }
    let defined = [inputs, latches, ands].into_iter().map(u64::from).sum::<u64>();
    let fits = match encoding {
        Encoding::Ascii => defined <= u64::from(max_variable),
        Encoding::Binary => defined == u64::from(max_variable),
    };
    if !fits {
        let at_least = if encoding == Encoding::Ascii { "at least " } else { "" };
        let sum = format!("{inputs} inputs, {latches} latches and {ands} gates");
        let message =
            format!("expected a maximum variable of {at_least}{defined} for {sum}, found {max_variable}");
        return error(0, message);
    }
    // The least number of bytes that one part of each kind takes.
    let sizes = match encoding {
        Encoding::Ascii => [0, 2, 4, 2, 6, 2, 2, 2, 2],
        Encoding::Binary => [0, 0, 2, 2, 2, 2, 2, 2, 2],
    };
    let remaining = scan.remaining();
    for (field, size) in sizes.into_iter().enumerate() {
        if numbers[field] as usize * size > remaining {
            let message = format!(
                "{} is {}, but only {remaining} bytes follow the header",
                FIELDS[field], numbers[field]
            );
            return error(field, message);
        }
    }
    if encoding == Encoding::Binary && inputs as usize > remaining + UNUSED_INPUTS {
        let message = format!(
            "the number of inputs is {inputs}, but the {remaining} bytes after the header cannot refer to so many"
        );
        return error(1, message);
    }
    let header = Header {
        max_variable,
        inputs: inputs as usize,
        latches: latches as usize,
        outputs: outputs as usize,
        ands: ands as usize,
        bads: bads as usize,
        constraints: constraints as usize,
        justice: justice as usize,
        fairness: fairness as usize,
    };
    Ok((encoding, header))
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
        for _ in 0..count {
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
        for _ in 0..self.header.inputs {
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
        for _ in 0..self.header.ands {
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

    /// Text files may define variables in any order: each once, all that are used, and no gate by itself.
    fn check_definitions(&self) -> Result<(), InputError> {
        let model = &self.model;
        let mut defined = FxHashMap::default();
        defined.reserve(model.inputs.len() + model.latches.len() + model.ands.len());
        let definitions = (model.inputs.iter().enumerate().map(|(k, input)| (Section::Inputs, k, *input)))
            .chain(model.latches.iter().enumerate().map(|(k, latch)| (Section::Latches, k, latch.current)))
            .chain(model.ands.iter().enumerate().map(|(k, and)| (Section::Gates, k, and.output)));
        for (section, position, literal) in definitions {
            if let Some((other, earlier)) = defined.insert(literal, (section, position)) {
                let line = self.layout.line(other, earlier);
                let message = format!("literal {} is already defined on line {line}", literal.0);
                return Err(self.error_at(section, position, 0, message));
            }
        }
        let used = |section: Section, position: usize, word: usize, literal: Literal| {
            if literal.variable() == 0 || defined.contains_key(&Literal::positive(literal.variable())) {
                return Ok(());
            }
            let message = format!("literal {} is used, but no input, latch or gate defines it", literal.0);
            Err(self.error_at(section, position, word, message))
        };
        for (position, latch) in model.latches.iter().enumerate() {
            used(Section::Latches, position, 1, latch.next)?;
        }
        let justice: Vec<Literal> = model.justice.iter().flatten().copied().collect();
        for (section, literals) in [
            (Section::Outputs, &model.outputs),
            (Section::Bads, &model.bads),
            (Section::Constraints, &model.constraints),
            (Section::JusticeLiterals, &justice),
            (Section::Fairness, &model.fairness),
        ] {
            for (position, literal) in literals.iter().enumerate() {
                used(section, position, 0, *literal)?;
            }
        }
        for (position, and) in model.ands.iter().enumerate() {
            used(Section::Gates, position, 1, and.left)?;
            used(Section::Gates, position, 2, and.right)?;
        }
        gates_in_order(model, &Variables::new(model)).map_err(|gates| self.loop_error(&gates)).map(|_| ())
    }

    fn loop_error(&self, gates: &[usize]) -> InputError {
        const SHOWN: usize = 8;
        let name = |gate: &usize| {
            let line = self.layout.line(Section::Gates, *gate);
            format!("{} (line {line})", self.model.ands[*gate].output.0)
        };
        let mut names: Vec<String> = gates.iter().take(SHOWN).map(name).collect();
        if gates.len() > SHOWN {
            names.push(format!("{} more", gates.len() - SHOWN));
        }
        names.extend(gates.first().map(name));
        let message = format!("combinational loop: {}", names.join(" reads "));
        self.error_at(Section::Gates, gates.first().copied().unwrap_or(0), 0, message)
    }

    fn error_at(&self, section: Section, position: usize, word: usize, message: String) -> InputError {
        let line = self.layout.bytes(section, position);
        let range = self.scan.input.words(line.clone()).nth(word).unwrap_or(line);
        self.scan.error(range, message)
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
