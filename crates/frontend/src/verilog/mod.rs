//! SystemVerilog, as slang has elaborated it.
//!
//! slang parses and elaborates, through a small Python program that is a part of propcov ([`EXPORTER`]): it walks the elaborated design and writes it
//! down, one record a line, with the source files. This is what is read here and given a meaning. So the front end opens no file and runs no program;
//! whoever has the bytes has all of the design.
//!
//! From records to a system:
//!
//! - [`export`](self) reads the records and checks every reference; `types` lays out bits.
//! - `scan` looks at who drives and reads what; `clock` decides what a step is; `variable` decides which signals a variable becomes.
//! - `machine` executes every process symbolically: `expression`, `select`, `assign`, `statement`, `call`, `assertion`, with `fold` to build expressions;
//!   [`sva`] makes monitors of concurrent assertions.
//! - `process` collects what was assigned, and `define` makes definitions of it; `tangle` takes words apart that only seem to depend on themselves. `synthesis` is
//!   the list of all steps.
//!
//! # Meaning
//!
//! - *Step*: one tick of the one clock; see `clock` for designs with several.
//! - *Asynchronous resets* show at once, while they are active.
//! - *Start*: `initial` blocks and values in declarations; else variables of 2-state types (`bit`, `int`, most `enum`s) start with zero, and anything else anywhere.
//! - *`x` and `z`*: values are never unknown. What is undefined (an `x` that is read, a net without driver, an element that does not exist, a
//!   quotient by zero) is any value in each step. Wildcards of `casez`, `casex`, `inside` and `==?` are wildcards; `===` is `==`.
//! - *Refused* with their place: latches, combinational loops, `inout`, waiting for a time, classes, `fork`, real numbers, and what a message names.
//!
//! # Elements
//!
//! A register (its next value), an assignment (what is assigned), a branch (its condition), a port connection (what is connected), and an operator if
//! asked for. Each is one definition site; the same text in several instances or rounds of a loop is several elements with one span.
//!
//! # References
//! IEEE 1800-2023. slang: <https://sv-lang.com>.

mod assertion;
mod assign;
mod before;
mod call;
mod clock;
mod define;
mod export;
mod expression;
mod fold;
mod load;
mod machine;
mod place;
mod process;
mod record;
mod references;
mod scan;
mod select;
mod statement;
pub mod sva;
mod synthesis;
mod tangle;
mod types;
mod unread;
mod variable;
mod wording;

use crate::{
    Design, Extra, Frontend, Granularity, InputError, Operators, Sources, design::Source, extra, text::Input,
};
use propcov_budget::Budget;
use propcov_ir::ExprId;
use serde_json::json;
pub use unread::Unread;

/// The program that elaborates a design with slang and writes it down: Python, with the package `pyslang`. Its arguments are those of slang.
pub const EXPORTER: &str = include_str!("export.py");

/// The stack on which expressions are walked, which may be nested deeply.
const STACK: usize = 1 << 30;

/// The format's row.
pub static FRONTEND: Frontend = Frontend {
    name: "verilog",
    title: "SystemVerilog",
    extensions: &["sv", "v", "svh", "vh"],
    sniff,
    several_files: false,
    parse: parse_statements,
    operators: Operators::By(parse_operators),
    exporter: Some(EXPORTER),
    witness: None,
    certificate: None,
    annotated: None,
    runs: propcov_ir::Runs::States,
    comment: Some("//"),
};

/// What a design says beyond the system.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Assertions over time.
    pub watched: Vec<sva::Watched>,
    /// Assertions that could not be read.
    pub unread: Vec<Unread>,
}

/// How a design is to be looked at, beyond what slang is told. It is a part of what the reader gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The one clock.
    pub clock: Option<String>,
    /// Resets: a name, and the value with which it is active.
    pub resets: Vec<(String, bool)>,
    /// For how many steps they are active in the beginning.
    pub reset_cycles: u32,
    /// Which properties count.
    pub asked: Asked,
    /// Files whose assertions are assumed.
    pub assumed: Vec<String>,
    /// Files whose restrictions do not count.
    pub unrestricted: Vec<String>,
    /// That there need not be any assertion: something else is asked.
    pub is_unasserted: bool,
}

/// Which properties of a design count. Assumptions always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// All of them.
    #[default]
    All,
    /// Assertions, as far as finite runs show that they fail.
    Safety,
    /// Assertions that only infinite runs violate; the others are assumed.
    Liveness,
    /// Covers.
    Covers,
}

impl Settings {
    /// Puts the settings behind what the exporter has written.
    pub fn append_to(&self, export: &mut Vec<u8>) {
        let clocks = self.clock.iter().map(|name| json!({ "Setting": [{ "Clock": name }] }));
        let resets = self
            .resets
            .iter()
            .map(|(name, active)| json!({ "Setting": [{ "Reset": [name, active, self.reset_cycles] }] }));
        let assumed = self.assumed.iter().map(|file| json!({ "Setting": [{ "Assumed": file }] }));
        let unrestricted = self.unrestricted.iter();
        let unrestricted = unrestricted.map(|file| json!({ "Setting": [{ "Unrestricted": file }] }));
        let unasked: &[serde_json::Value] = &match self.asked {
            Asked::All => vec![],
            Asked::Safety => vec![json!({ "Without": "Covers" }), json!({ "Without": "Liveness" })],
            Asked::Liveness => vec![json!({ "Without": "Covers" }), json!("SafetyAssumed")],
            Asked::Covers => vec![json!({ "Without": "Assertions" })],
        };
        let unasserted = self.is_unasserted.then(|| json!("Unasserted"));
        let unasked = unasked.iter().chain(&unasserted).map(|setting| json!({ "Setting": [setting] }));
        for record in clocks.chain(resets).chain(assumed).chain(unrestricted).chain(unasked) {
            export.extend(record.to_string().bytes());
            export.push(b'\n');
        }
    }
}

/// Whether the bytes are what the exporter writes.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(export::HEADER.as_bytes())
}

fn parse_statements(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
) -> Result<(Design, Vec<ExprId>), InputError> {
    read(sources, extras, budget, Granularity::Equation)
}

fn parse_operators(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
) -> Result<(Design, Vec<ExprId>), InputError> {
    read(sources, extras, budget, Granularity::Operator)
}

fn read(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
    granularity: Granularity,
) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::of(&sources.main).within(budget);
    if !sniff(input.bytes) {
        return Err(input.error(0..0, "SystemVerilog has to be elaborated by slang before it is read"));
    }
    let read = || {
        let export = export::read(input)?;
        synthesis::synthesise(&export, input, granularity)
    };
    let synthesis::Meaning { mut system, facts, warnings } = with_stack(read)?;
    let values = extra::named(&mut system, extras)?;
    Ok((Design { system, frontend: &FRONTEND, source: Source::Verilog(facts), warnings }, values))
}

/// Does something on a stack of its own, or else on the one that there is.
fn with_stack<T: Send>(work: impl Fn() -> T + Sync + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => work(),
        }
    })
}
