//! The command: which designs, and what to say.

use super::{Statement, Verified, as_measured, verify_directory};
use crate::args::{Format, parse_time};
use crate::cover::text::plural;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::session::Session;
use clap::Args;
use propcov_budget::Budget;
use propcov_ir::System;
use propcov_store::{Archive, KeptDesign};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The most statements of a kind that are listed as text.
const LISTED: usize = 20;

/// The arguments of `propcov verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// The directory that `propcov cover` kept its findings in
    pub(crate) directory: PathBuf,

    /// Check only what is about this design [default: all designs that DIRECTORY has kept]
    pub(crate) file: Option<PathBuf>,

    /// Stop after this time (30, 30s, 5m, 1h); the rest is listed as not checked
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    /// How to print results on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// No warnings on standard error
    #[arg(long, short = 'q')]
    pub(crate) quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &VerifyArguments, session: &mut Session) -> ExitCode {
    input::settle(verify(arguments, session), session)
}

fn verify(arguments: &VerifyArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let place = arguments.directory.display();
    if !arguments.directory.is_dir() {
        return Err(Complaint(format!("error: {place} is no directory\n")));
    }
    let complaint = |error: propcov_store::StoreError| Complaint(format!("error: {error}\n"));
    let archive = Archive::read(&arguments.directory).map_err(complaint)?;
    let mut notes = archive.notes().to_vec();
    let (kept, missing) = archive.designs();
    let designs = match &arguments.file {
        Some(file) => {
            let design = input::read(file, session)?.design;
            let takes_apart = |kept: &KeptDesign| kept.options["bits"] == true;
            let ways = [kept.iter().any(takes_apart), true];
            let bits = [true, false].into_iter().zip(ways).filter(|(_, is_wanted)| *is_wanted);
            bits.map(|(bits, _)| as_measured(&design.system, bits)).collect()
        }
        None => {
            session.catch_interrupts();
            notes.extend(
                missing.iter().map(|path| format!("{place}: the design {path} is missing or damaged")),
            );
            kept.iter().filter_map(|kept| read(kept, &mut notes)).collect::<Vec<System>>()
        }
    };
    let damaged = archive.damaged_results().map_err(complaint)?;
    notes.extend(damaged.iter().map(|path| format!("{}: damaged", path.display())));
    notes.iter().for_each(|note| session.remark(arguments.quiet, &format!("note: {note}\n")));
    let limits = Budget {
        conflicts: None,
        deadline: arguments.timeout.and_then(|timeout| start.checked_add(timeout)),
        interrupt: session.interrupt.clone(),
    };
    let verified = verify_directory(&archive, &designs, &limits, &session.panics);
    let code = verified.exit_code(arguments.file.is_some());
    let printed = match arguments.format {
        Format::Text => session.print(&verified.text(arguments.file.is_some())),
        Format::Json => session.write(|stdout| {
            serde_json::to_writer_pretty(&mut *stdout, &verified.document(&notes))?;
            stdout.write_all(b"\n")
        }),
    };
    Ok(code.and(printed))
}

/// A design that was kept, as findings are about it.
fn read(kept: &KeptDesign, notes: &mut Vec<String>) -> Option<System> {
    let (path, bytes) = kept.files.first()?;
    let design = propcov_frontend::read(path, bytes).ok().filter(|design| design.system.validate().is_ok());
    match design {
        Some(design) if kept.files.len() == 1 => {
            Some(as_measured(&design.system, kept.options["bits"] == true))
        }
        _ => {
            notes.push(format!("{path}, as it was kept, cannot be read"));
            None
        }
    }
}

impl Verified {
    /// Claims about other designs are no reason to worry if one design was asked about.
    fn exit_code(&self, is_selected: bool) -> ExitCode {
        if !self.failing.is_empty() {
            ExitCode::BadInput
        } else if !self.unchecked.is_empty() || self.elsewhere > 0 && !is_selected {
            ExitCode::Undecided
        } else {
            ExitCode::Good
        }
    }

    fn text(&self, is_selected: bool) -> String {
        let mut text = String::new();
        let held: usize = self.holding.values().sum();
        text.push_str(&format!("{}\n", plural(held, "claim holds", "claims hold")));
        for (kind, count) in &self.holding {
            text.push_str(&format!("  {count:>8}  {kind}\n"));
        }
        if !self.failing.is_empty() {
            text.push_str(&format!(
                "\n{}:\n",
                plural(self.failing.len(), "claim does not hold", "claims do not hold")
            ));
            list(&mut text, self.failing.iter().map(|statement| (statement, "")));
        }
        if !self.unchecked.is_empty() {
            text.push_str(&format!("\n{} not checked:\n", plural(self.unchecked.len(), "claim", "claims")));
            list(&mut text, self.unchecked.iter().map(|(statement, why)| (statement, *why)));
        }
        if self.elsewhere > 0 {
            let records = plural(self.elsewhere, "record is", "records are");
            let what = if is_selected { "other designs" } else { "designs that are not there" };
            text.push_str(&format!("\n{records} about {what}: not checked\n"));
        }
        text
    }

    fn document(&self, notes: &[String]) -> serde_json::Value {
        let statement = |statement: &Statement| json!({ "claim": statement.words, "file": statement.file });
        let unchecked = |(claim, why): &(Statement, &str)| json!({ "claim": claim.words, "file": claim.file, "reason": why });
        json!({
            "schema": "propcov/1",
            "command": "verify",
            "version": env!("CARGO_PKG_VERSION"),
            "holding": self.holding,
            "failing": self.failing.iter().map(statement).collect::<Vec<_>>(),
            "unchecked": self.unchecked.iter().map(unchecked).collect::<Vec<_>>(),
            "elsewhere": self.elsewhere,
            "notes": notes,
        })
    }
}

/// The first of them, and how many more there are.
fn list<'s>(text: &mut String, statements: impl ExactSizeIterator<Item = (&'s Statement, &'s str)>) {
    let more = statements.len().saturating_sub(LISTED);
    // A limit never hides a single one.
    let shown = if more == 1 { LISTED + 1 } else { LISTED };
    for (statement, why) in statements.take(shown) {
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        text.push_str(&format!("  {}{why} ({})\n", statement.words, statement.file));
    }
    if more > 1 {
        text.push_str(&format!("  and {more} more: see --format json\n"));
    }
}
