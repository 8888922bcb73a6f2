//! The arguments of `propcov cover`, and those it shares with `propcov explain`.

use crate::args::{MemoryArguments, effort_parser, format_parser, invariant_engine_parser, parse_time};
use crate::config::ConfigArguments;
use crate::cover::core_arguments::CoreArguments;
use crate::cover::state_arguments::StateArguments;
pub(crate) use crate::cover::state_arguments::split_lists;
use crate::lustre_arguments::LustreArguments;
use crate::progress::ProgressArguments;
use crate::verilog_arguments::VerilogArguments;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use propcov::report::Format;
use propcov::result::{TOP, Threshold, ThresholdScope};
use propcov::{CoverOptions, Effort, EngineChoice, Keep, METRICS, MutationOptions, Share, Usage};
use propcov_coverage::mutation::Method;
use propcov_engine::Engine;
use propcov_ir::Mutation;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where findings are kept when nothing else is said.
pub(crate) const DEFAULT_OUT: &str = "propcov.out";

/// How elements are mutated when nothing else is said.
pub(crate) const DEFAULT_EDITS: &str = "free,zero,one,off-by-one,stale";

/// The heading of options of mutation.
const MUTATION: &str = "Options of --metric mutation";

/// The heading of options for many machines.
pub(crate) const SHARES: &str = "Options for several machines";

/// The arguments of `propcov cover`.
#[derive(Args, Debug)]
pub(crate) struct CoverArguments {
    /// The design: one file, or in SystemVerilog several; `-` reads standard input; a project of SymbiYosys, perhaps with names of its tasks
    /// [default: the designs of propcov.toml]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What to measure: one metric, or several in one run (mutation,must,state) [default: what fits the design]
    #[arg(long = "metric", short = 'm', value_name = "LIST", value_delimiter = ',', value_parser = metric_parser())]
    pub(crate) metrics: Vec<String>,

    /// Measure only what this property covers; may be given several times
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    /// Which elements: `registers` (of Lustre, equations), `gates` (also equations), `statements` of SystemVerilog, which are `assignments`, `branches` and `connections`,
    /// `all`, `annotated` (what --%IVC names), or names with `*` and `?` [default: registers, of SystemVerilog statements; of core metrics, if they are named by --metric, all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) elements: Vec<String>,

    /// Leave these out: the same words as for --elements
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,

    /// List each element, also where several are copies of one line of source (SystemVerilog: instances, rounds of a loop)
    #[arg(long)]
    pub(crate) unfold: bool,

    /// How to mutate
    #[arg(
        long,
        value_name = "LIST",
        default_value = DEFAULT_EDITS,
        value_delimiter = ',',
        value_parser = edit_parser(),
        help_heading = MUTATION
    )]
    pub(crate) edits: Vec<String>,

    /// Mutate words bit by bit, not as a whole
    #[arg(long, help_heading = MUTATION)]
    pub(crate) bits: bool,

    #[command(flatten)]
    pub(crate) effort: EffortArguments,

    /// Stop once this share of the findings is decided (96%)
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, help_heading = MUTATION)]
    pub(crate) accuracy: Option<f64>,

    /// Stop coverage after so many times the seconds that the proofs took (5x)
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor, help_heading = MUTATION)]
    pub(crate) budget: Option<f64>,

    /// With --bound, write why mutants survive into DIR: a formula and a refutation (LRAT) for each property
    #[arg(long, value_name = "DIR", requires = "bound")]
    pub(crate) certificate: Option<PathBuf>,

    /// Fail (exit code 3) when less than this is covered by all properties together: 80, mutation=80, file:PATTERN=80,
    /// instance:PATTERN=80, mutation:file:PATTERN=80; may be given several times. Of states and transitions, of each signal that --observe
    /// names, and without it of all together. Where it depends on what is not decided, the exit code is 4
    #[arg(long, value_name = "[WHAT=]PERCENT", value_parser = parse_threshold)]
    pub(crate) threshold: Vec<Threshold>,

    /// Look for a run that shows what each uncovered mutant could do unnoticed
    #[arg(long, help_heading = MUTATION)]
    pub(crate) witness: bool,

    /// What somebody looks at. States and transitions: signals, definitions or expressions, each by itself [default: all that the
    /// properties mention]. Mutation: where a difference may show, `outputs`, `registers`, or names of outputs and signals
    #[arg(long, value_name = "LIST")]
    observe: Vec<String>,

    #[command(flatten)]
    pub(crate) states: StateArguments,

    #[command(flatten)]
    pub(crate) cores: CoreArguments,

    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// Start over: ignore the findings of earlier runs
    #[arg(long, conflicts_with = "no_out", help_heading = MUTATION)]
    pub(crate) fresh: bool,

    #[command(flatten)]
    pub(crate) share: ShareArguments,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    /// With --format json: also the steps of all runs, which can be many
    #[arg(long, help_heading = MUTATION)]
    pub(crate) traces: bool,

    /// Also print what it took: seconds, solver calls, which technique decided how many
    #[arg(long)]
    pub(crate) stats: bool,

    #[command(flatten)]
    pub(crate) lustre: LustreArguments,

    #[command(flatten)]
    pub(crate) verilog: VerilogArguments,

    #[command(flatten)]
    pub(crate) progress: ProgressArguments,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

impl CoverArguments {
    /// Where findings are kept, and what else is read.
    pub(crate) fn keep(&self) -> Keep {
        self.share.keep(&self.keep, self.fresh)
    }

    /// What is observed, one by one.
    pub(crate) fn observed(&self) -> Vec<String> {
        split_lists(&self.observe)
    }
}

/// How findings are computed.
#[derive(Args, Debug)]
pub(crate) struct EffortArguments {
    /// Decide with these techniques only, or with `algorithm1`: see `propcov help tests`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) tests: Vec<String>,

    /// Model check every mutant by itself, for comparison
    #[arg(long, conflicts_with = "tests")]
    pub(crate) naive: bool,

    /// Who proves the properties; with it, proofs of earlier runs are not used
    #[arg(long, short = 'e', value_name = "ENGINE", default_value = EngineChoice::PORTFOLIO, value_parser = invariant_engine_parser())]
    pub(crate) engine: EngineChoice,

    /// Look at runs of at most K transitions: what is not proved by then is measured nevertheless, up to K
    #[arg(long, short = 'k', value_name = "K")]
    pub(crate) bound: Option<u32>,

    /// How much work a mutant is worth that no technique decides
    #[arg(long, value_name = "EFFORT", default_value = Effort::Default.name(), value_parser = effort_parser())]
    pub(crate) effort: Effort,

    /// Stop the whole run after this time (30, 30s, 5m, 1h)
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    #[command(flatten)]
    pub(crate) memory: MemoryArguments,

    /// How many threads may work; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,

    /// Seed of all random choices; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// A share of the work.
#[derive(Args, Clone, Debug)]
pub(crate) struct ShareArguments {
    /// Do one share of the work of N: see `propcov help farm`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536), help_heading = SHARES)]
    pub(crate) shards: Option<u32>,

    /// Which one, from 1 to N. It keeps findings in a directory of its own [default: propcov.out/shards/I-of-N]
    #[arg(long, value_name = "I", requires = "shards", conflicts_with_all = ["no_out", "fresh"], help_heading = SHARES)]
    pub(crate) shard: Option<u32>,

    /// Also read what other runs have kept in DIR; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["no_out", "fresh"], help_heading = SHARES)]
    pub(crate) base: Vec<PathBuf>,
}

impl ShareArguments {
    /// The share that was asked for.
    pub(crate) fn share(&self) -> Result<Option<Share>, propcov::Error> {
        match (self.shard, self.shards) {
            (None, None) => Ok(None),
            (Some(index), Some(count)) => {
                let wrong = || propcov::Error::Usage(format!("--shard is from 1 to {count}, not {index}"));
                Share::new(index, count).map(Some).ok_or_else(wrong)
            }
            _ => Err(propcov::Error::Usage("--shards goes with --shard, which says which one".to_owned())),
        }
    }

    /// Where findings are kept, and what else is read.
    pub(crate) fn keep(&self, keep: &KeepArguments, fresh: bool) -> Keep {
        let own = self.directory().filter(|_| keep.out.is_none());
        let keep = keep.keep(fresh);
        Keep { directory: own.or(keep.directory), others: self.base.clone(), ..keep }
    }

    /// Where it keeps what it finds, if nothing is said about that.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        let (index, count) = (self.shard?, self.shards?);
        Some(Path::new(DEFAULT_OUT).join("shards").join(format!("{index}-of-{count}")))
    }
}

/// Where findings are kept.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeepArguments {
    /// Keep findings in DIR, and go on from those that are there [default: propcov.out]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Keep nothing, and start from nothing
    #[arg(long, conflicts_with = "out")]
    pub(crate) no_out: bool,
}

impl KeepArguments {
    /// Where findings are kept, if they are.
    pub(crate) fn directory(&self) -> Option<&Path> {
        (!self.no_out).then(|| self.out.as_deref().unwrap_or(Path::new(DEFAULT_OUT)))
    }

    /// The same for the library. That the default directory cannot be written is no error.
    pub(crate) fn keep(&self, fresh: bool) -> Keep {
        Keep {
            directory: self.directory().map(Path::to_owned),
            others: Vec::new(),
            usage: if fresh { Usage::Fresh } else { Usage::GoOn },
            is_required: self.out.is_some(),
            ..Keep::default()
        }
    }
}

impl EffortArguments {
    /// Who decides mutants.
    pub(crate) fn method(&self) -> Result<Method, propcov::Error> {
        if self.naive { Ok(Method::Naive) } else { propcov::cover::method(&self.tests) }
    }

    /// What is asked of the library with these arguments.
    pub(crate) fn options(&self) -> Result<CoverOptions, propcov::Error> {
        let EffortArguments { bound, engine, .. } = *self;
        if let (None, EngineChoice::One(Engine { name, proves: false, .. })) = (bound, engine) {
            let why = format!("{name} never proves: say up to which depth it looks, for example --bound 20");
            return Err(propcov::Error::Usage(why));
        }
        Ok(CoverOptions {
            timeout: self.timeout,
            bound,
            effort: self.effort,
            engine,
            threads: self.threads.map(usize::from),
            seed: self.seed,
            mutation: MutationOptions { method: self.method()?, ..MutationOptions::default() },
            ..CoverOptions::default()
        })
    }
}

/// Accepts the names of the table of metrics.
fn metric_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(
        METRICS.iter().map(|metric| PossibleValue::new(metric.name).help(metric.summary)),
    )
}

/// Accepts the names of mutations.
pub(crate) fn edit_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(
        Mutation::ALL.map(|mutation| PossibleValue::new(mutation.name()).help(describe(mutation))),
    )
}

/// What a mutation does, in a line.
pub(crate) fn describe(mutation: Mutation) -> &'static str {
    match mutation {
        Mutation::Free => "left open: any value in any step",
        Mutation::Zero => "stuck at zero",
        Mutation::One => "stuck at one",
        Mutation::OffByOne => "a number is greater by one",
        Mutation::Stale => "a number is what it was to be one step before",
    }
}

/// The mutations that were asked for, in their usual order.
pub(crate) fn mutations(names: &[String]) -> Vec<Mutation> {
    let wanted = |mutation: &Mutation| names.iter().any(|name| name == mutation.name());
    Mutation::ALL.into_iter().filter(wanted).collect()
}

/// Reads `96%` or `96` as 96.
pub(crate) fn parse_percent(text: &str) -> Result<f64, String> {
    let digits = text.strip_suffix('%').unwrap_or(text).trim_end();
    let number = plain_number(digits).filter(|number| (0.0..=100.0).contains(number));
    let Some(number) = number else { return Err("expected a percentage such as 96%".to_owned()) };
    if !text.ends_with('%') && number > 0.0 && number <= 1.0 {
        return Err(format!("write {}% or {text}% to say which one is meant", number * 100.0));
    }
    Ok(number)
}

/// Reads `80`, `mutation=80`, `file:rtl/*.sv=80` or `mutation:instance:u_fifo=80`.
pub(crate) fn parse_threshold(text: &str) -> Result<Threshold, String> {
    let Some((what, percent)) = text.rsplit_once('=') else {
        return Ok(Threshold::of_each(parse_percent(text)?));
    };
    let mut threshold = Threshold::of_each(parse_percent(percent)?);
    let is_place = |text: &str| text.starts_with("file:") || text.starts_with("instance:");
    let (metric, place) = match what.split_once(':') {
        _ if is_place(what) => (None, Some(what)),
        Some((metric, place)) if is_place(place) => (Some(metric), Some(place)),
        Some(_) => return Err("expected file:PATTERN or instance:PATTERN".to_owned()),
        None => (Some(what), None),
    };
    if let Some(metric) = metric {
        if propcov::metric(metric).is_none() {
            let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
            return Err(format!(
                "no metric is called `{metric}`; {}",
                propcov::read::hint(metric, &names, "metrics")
            ));
        }
        threshold.metric = Some(metric.to_owned());
    }
    threshold.scope = match place.and_then(|place| place.split_once(':')) {
        Some(("file", "")) => return Err("expected a file after `file:`".to_owned()),
        Some(("file", pattern)) => ThresholdScope::File(pattern.to_owned()),
        Some((_, "")) => return Err(format!("an instance is missing; the top is `instance:{TOP}`")),
        Some((_, pattern)) => ThresholdScope::Instance(pattern.to_owned()),
        None => ThresholdScope::Metric,
    };
    Ok(threshold)
}

/// Reads `5x` or `5`.
fn parse_factor(text: &str) -> Result<f64, String> {
    let number = plain_number(text.strip_suffix('x').unwrap_or(text));
    let number = number.filter(|number| *number > 0.0 && *number < 1e9);
    number.ok_or_else(|| "expected a multiple of the time of the proofs such as 5x".to_owned())
}

/// Digits and a point: no signs, exponents or names of infinity.
fn plain_number(text: &str) -> Option<f64> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_with_and_without_their_sign() {
        assert_eq!(parse_percent("96%"), Ok(96.0));
        assert_eq!(parse_percent("96"), Ok(96.0));
        assert_eq!(parse_percent("0.5%"), Ok(0.5));
        assert_eq!(parse_percent("0"), Ok(0.0));
        for wrong in ["", "%", "101%", "-1%", "nan", "96x", "1e1", "0.96"] {
            assert!(parse_percent(wrong).is_err(), "{wrong:?} was accepted");
        }
        assert!(parse_percent("0.96").is_err_and(|message| message.contains("96%")));
    }

    #[test]
    fn thresholds_say_of_what_and_how_much() {
        let of = |text: &str| parse_threshold(text).map(|one| (one.metric, one.scope, one.percent));
        let file = |pattern: &str| ThresholdScope::File(pattern.to_owned());
        assert_eq!(of("80%"), Ok((None, ThresholdScope::Metric, 80.0)));
        assert_eq!(of("mutation=80"), Ok((Some("mutation".to_owned()), ThresholdScope::Metric, 80.0)));
        assert_eq!(of("file:a=b:c.sv=7.5%"), Ok((None, file("a=b:c.sv"), 7.5)));
        assert_eq!(of("must:file:*.lus=9"), Ok((Some("must".to_owned()), file("*.lus"), 9.0)));
        let top = ThresholdScope::Instance("(top)".to_owned());
        assert_eq!(of("instance:(top)=50"), Ok((None, top, 50.0)));
        for wrong in [
            "",
            "mutation",
            "mutation=",
            "mutaton=80",
            "=80",
            "mutation:80",
            "mutation:x=80",
            "0.8",
            "file:x=101",
            "file:=30",
            "instance:=30",
            "mutation:instance:=30",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        assert!(of("mutaton=80").is_err_and(|why| why.contains("mutation")));
    }

    #[test]
    fn factors_are_read_with_and_without_their_sign() {
        assert_eq!(parse_factor("5x"), Ok(5.0));
        assert_eq!(parse_factor("0.5"), Ok(0.5));
        for wrong in ["", "x", "0x", "-1x", "inf", "5%"] {
            assert!(parse_factor(wrong).is_err(), "{wrong:?} was accepted");
        }
    }
}
