//! The command line, as clap reads it. Lists of engines and formats come from the tables of their crates.

use crate::config::ConfigArguments;
use crate::config::init::InitArguments;
use crate::cores::arguments::CoresArguments;
use crate::cover::arguments::{CoverArguments, SHARES, ShareArguments};
use crate::explain::arguments::ExplainArguments;
use crate::farm::arguments::FarmArguments;
use crate::help;
use crate::impact::ImpactArguments;
use crate::jkind::JkindArguments;
use crate::lustre_arguments::LustreArguments;
use crate::progress::ProgressArguments;
use crate::refine::arguments::RefineArguments;
use crate::report::ReportArguments;
use crate::verify::VerifyArguments;
use crate::verilog_arguments::VerilogArguments;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use propcov::report::{FORMATS, Format};
use propcov_engine::ENGINES;
use propcov_verify::{Effort, EngineChoice};
use std::path::PathBuf;
use std::time::Duration;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "propcov",
    version,
    about = "Measures how much of a design its proven properties check",
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "Try `propcov help check`, `propcov help cover`, `propcov help cores` or `propcov help refine`, or `propcov help` for all topics."
)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove or refute the properties of a design, and certify every answer
    #[command(long_about = help::CHECK, after_long_help = help::CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Measure which parts of a design its proven properties check
    #[command(long_about = help::COVER, after_long_help = help::COVER_EXAMPLES)]
    Cover(Box<CoverArguments>),
    /// Find what the proofs of properties rest on: validity cores
    #[command(long_about = help::CORES, after_long_help = help::CORES_EXAMPLES)]
    Cores(CoresArguments),
    /// Show why a register or gate is covered, or what it could do unnoticed
    #[command(
        long_about = help::EXPLAIN,
        after_long_help = help::EXPLAIN_EXAMPLES,
        override_usage = "propcov explain [OPTIONS] [FILE]... <ELEMENT> [-- <SLANG OPTIONS>...]"
    )]
    Explain(ExplainArguments),
    /// Say which properties keep a proof when a design changes, from their validity cores
    #[command(long_about = help::IMPACT, after_long_help = help::IMPACT_EXAMPLES)]
    Impact(ImpactArguments),
    /// Compare an implementation with a specification that simulates it
    #[command(long_about = help::REFINE, after_long_help = help::REFINE_EXAMPLES)]
    Refine(RefineArguments),
    /// Print what an earlier run has found, in any format
    #[command(long_about = help::REPORT, after_long_help = help::REPORT_EXAMPLES)]
    Report(ReportArguments),
    /// Check all evidence that earlier runs have kept, without any engine
    #[command(long_about = help::VERIFY, after_long_help = help::VERIFY_EXAMPLES)]
    Verify(VerifyArguments),
    /// Measure coverage, look for cores or check properties on many machines
    #[command(long_about = help::FARM, after_long_help = help::FARM_EXAMPLES)]
    Farm(FarmArguments),
    /// Stand in for JKind: its options, its output
    #[command(long_about = help::JKIND)]
    Jkind(JkindArguments),
    /// Explain a command or a topic
    Help(HelpArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write propcov.toml, with what is seen in a directory
    #[command(long_about = help::INIT)]
    Init(InitArguments),
    /// Print the manual page, or write all of them into a directory
    #[command(hide = true)]
    Man {
        /// Write propcov.1 and a page for each command into DIR
        directory: Option<PathBuf>,
    },
}

impl Command {
    /// Whether the user wants to hear results only.
    pub(crate) fn is_quiet(&self) -> bool {
        match self {
            Command::Check(arguments) => arguments.progress.quiet,
            Command::Cover(arguments) => arguments.progress.quiet,
            Command::Cores(arguments) => arguments.progress.quiet,
            Command::Explain(arguments) => arguments.progress.quiet,
            Command::Refine(arguments) => arguments.progress.quiet,
            Command::Verify(arguments) => arguments.progress.quiet,
            _ => false,
        }
    }
}

/// The arguments of `propcov help`.
#[derive(Args, Debug)]
pub(crate) struct HelpArguments {
    /// A command, or one of the topics that `propcov help` lists
    pub(crate) topic: Option<String>,
}

/// The arguments of `propcov check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// The design: one file, or in SystemVerilog several; `-` reads standard input; a project of SymbiYosys, perhaps with names of its tasks
    /// [default: the designs of propcov.toml]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check only this property; may be given several times
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    /// How to decide properties
    #[arg(long, short = 'e', value_name = "ENGINE", default_value = EngineChoice::PORTFOLIO, value_parser = engine_parser())]
    pub(crate) engine: EngineChoice,

    /// Unroll at most K transitions, or open at most K frames
    #[arg(long, short = 'k', value_name = "K")]
    pub(crate) bound: Option<u32>,

    /// Try inductions of length K before other lengths, if properties are known to need that
    #[arg(long, value_name = "K")]
    pub(crate) depth: Option<u32>,

    /// Stop the whole run after this time (30, 30s, 5m, 1h); invariants share it fairly, CTL properties take it in turn
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    /// How much work to do on properties that are hard, without --timeout
    #[arg(long, value_name = "EFFORT", default_value = Effort::Default.name(), value_parser = effort_parser())]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) memory: MemoryArguments,

    /// Give up on a property after N solver conflicts of an engine
    #[arg(long, value_name = "N")]
    pub(crate) conflicts: Option<u64>,

    /// Let k-induction require pairwise different states, which makes it complete
    #[arg(long)]
    pub(crate) simple_path: bool,

    /// Seed of the solvers' decisions; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    /// Also print what it took: seconds, solver calls, which engine decided what
    #[arg(long)]
    pub(crate) stats: bool,

    /// Also print which elements of the design each proof uses
    #[arg(long)]
    pub(crate) core: bool,

    /// Write evidence into DIR: witness circuits or invariants of proofs; witnesses and waveforms of counterexamples; formulas and refutations (LRAT)
    /// of what holds up to --bound
    #[arg(long, value_name = "DIR")]
    pub(crate) certificate: Option<PathBuf>,

    /// Read lemmas of earlier runs from FILE, check them again, use those that hold, and store what is proved in it
    #[arg(long, value_name = "FILE")]
    pub(crate) advice: Option<PathBuf>,

    /// Show counterexamples whose inputs change as seldom as possible from step to step
    #[arg(long)]
    pub(crate) smooth: bool,

    /// Show in counterexamples to invariants which values do not matter, as intervals
    #[arg(long)]
    pub(crate) intervals: bool,

    /// Show why induction fails for invariants that are not decided: a run that starts anywhere (ints, reals and Booleans)
    #[arg(long)]
    pub(crate) inductive: bool,

    #[command(flatten)]
    pub(crate) share: CheckShareArguments,

    #[command(flatten)]
    pub(crate) lustre: LustreArguments,

    #[command(flatten)]
    pub(crate) verilog: VerilogArguments,

    #[command(flatten)]
    pub(crate) progress: ProgressArguments,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// A share of the invariants. Without one, `check` keeps nothing.
#[derive(Args, Clone, Debug)]
pub(crate) struct CheckShareArguments {
    /// Decide one share of N of the invariants: see `propcov help farm`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536), help_heading = SHARES)]
    pub(crate) shards: Option<u32>,

    /// Which one, from 1 to N. Verdicts are kept in a directory of its own [default: propcov.out/shards/I-of-N]
    #[arg(long, value_name = "I", requires = "shards", help_heading = SHARES)]
    pub(crate) shard: Option<u32>,

    /// Also read what other runs have kept in DIR; may be given several times
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, help_heading = SHARES)]
    pub(crate) base: Vec<PathBuf>,

    /// Keep verdicts on invariants in DIR with their evidence, and start from those that are there [default: nothing is kept]
    #[arg(long, value_name = "DIR", help_heading = SHARES)]
    pub(crate) out: Option<PathBuf>,

    /// Keep nothing, as without --out and --shard
    #[arg(long, conflicts_with_all = ["out", "shards", "base"], help_heading = SHARES)]
    pub(crate) no_out: bool,
}

impl CheckShareArguments {
    fn asked(&self) -> ShareArguments {
        ShareArguments { shards: self.shards, shard: self.shard, base: self.base.clone() }
    }

    /// The share that was asked for.
    pub(crate) fn share(&self) -> Result<Option<propcov::Share>, propcov::Error> {
        self.asked().share()
    }

    /// Where verdicts are kept, if they are, and what else is read.
    pub(crate) fn keep(&self) -> Result<propcov::Keep, propcov::Error> {
        let directory = self.out.clone().or_else(|| self.asked().directory());
        if directory.is_none() && !self.base.is_empty() {
            return Err(propcov::Error::Usage("--base goes with --shard or --out".to_owned()));
        }
        Ok(propcov::Keep {
            is_required: directory.is_some(),
            directory,
            others: self.base.clone(),
            ..propcov::Keep::default()
        })
    }
}

/// Accepts the names of the table of formats, as far as they are for a terminal.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter();
    let values =
        values.map(|format| PossibleValue::new(format.name).help(format.summary).hide(!format.is_text));
    PossibleValuesParser::new(values).try_map(|name| {
        let format = propcov::report::format(&name).unwrap_or(&FORMATS[0]);
        let hint = || format!("{name} is not text; after the run: propcov report --format {name} -o FILE");
        format.is_text.then_some(format).ok_or_else(hint)
    })
}

/// Accepts the names of the table of formats.
pub(crate) fn any_format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.summary));
    PossibleValuesParser::new(values).map(|name| propcov::report::format(&name).unwrap_or(&FORMATS[0]))
}

/// Accepts the names of efforts.
pub(crate) fn effort_parser() -> impl TypedValueParser<Value = Effort> {
    let values = Effort::ALL.iter().map(|effort| PossibleValue::new(effort.name()).help(effort.summary()));
    PossibleValuesParser::new(values).map(|name| Effort::named(&name).unwrap_or_default())
}

/// Accepts the names of the table of engines, and of diagrams.
fn engine_parser() -> impl TypedValueParser<Value = EngineChoice> {
    engines([PossibleValue::new(EngineChoice::BDD).help(EngineChoice::BDD_SUMMARY)])
}

/// Accepts the names of the table of engines: those that decide invariants.
pub(crate) fn invariant_engine_parser() -> impl TypedValueParser<Value = EngineChoice> {
    engines([])
}

fn engines<const N: usize>(others: [PossibleValue; N]) -> impl TypedValueParser<Value = EngineChoice> {
    let single = ENGINES.iter().map(|engine| PossibleValue::new(engine.name).help(engine.summary));
    let portfolio = PossibleValue::new(EngineChoice::PORTFOLIO).help(EngineChoice::PORTFOLIO_SUMMARY);
    let all = std::iter::once(portfolio).chain(single).chain(others);
    PossibleValuesParser::new(all).map(|name| EngineChoice::named(&name).unwrap_or_default())
}

/// How much memory a run may use.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct MemoryArguments {
    /// Stop when propcov occupies this much memory (500M, 8G) [default: 85 % of what the machine or control group has left]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
}

/// Reads `500M`, `1.5G` or `8GiB`: powers of 1024, and bytes without a unit.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let power = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(format!("unknown unit `{}`: use K, M, G or T", &text[digits.len()..])),
    };
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    match digits.parse::<f64>() {
        Ok(number) if plain && number > 0.0 => Ok((number * 1024f64.powi(power)) as u64),
        _ => Err("expected a size such as 500M or 8G".to_owned()),
    }
}

/// Reads `30`, `1.5s`, `200ms`, `5m` or `1h`.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("unknown unit `{other}`: use ms, s, m or h")),
    };
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = match digits.parse() {
        Ok(number) if plain => number,
        _ => return Err("expected a number of seconds such as 30, or 30s, 5m, 1h".to_owned()),
    };
    Duration::try_from_secs_f64(number * unit).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_are_read_with_and_without_unit() {
        let seconds = |text: &str| parse_time(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("30"), Ok(30.0));
        assert_eq!(seconds("1.5s"), Ok(1.5));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert_eq!(seconds("5m"), Ok(300.0));
        assert_eq!(seconds("1h"), Ok(3600.0));
        for wrong in ["", "s", "-1", "3 s", "3x", "1e9", "nan", "inf", "1.2.3", "99999999999999999999999999h"]
        {
            assert!(parse_time(wrong).is_err(), "{wrong:?} was accepted");
        }
    }

    #[test]
    fn every_engine_of_the_table_can_be_chosen_by_name() {
        for name in
            ENGINES.iter().map(|engine| engine.name).chain([EngineChoice::PORTFOLIO, EngineChoice::BDD])
        {
            let arguments = Arguments::try_parse_from(["propcov", "check", "x", "--engine", name]);
            let Ok(Arguments { command: Command::Check(arguments) }) = arguments else {
                panic!("{name} was not accepted");
            };
            assert_eq!(format!("{:?}", arguments.engine), name);
        }
    }
}
