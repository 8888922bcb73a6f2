//! The arguments of `propcov cores`, and those it shares with the metrics of cores.

use crate::args::{MemoryArguments, format_parser, parse_time};
use crate::config::ConfigArguments;
use crate::cover::arguments::{KeepArguments, ShareArguments};
use crate::input::Complaint;
use crate::lustre_arguments::LustreArguments;
use crate::progress::ProgressArguments;
use crate::verilog_arguments::VerilogArguments;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use propcov::report::Format;
use propcov::{Algorithm, Elements, Goal, Granularity};
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `propcov cores`.
#[derive(Args, Debug)]
pub(crate) struct CoresArguments {
    /// The design: one file, or in SystemVerilog several; `-` reads standard input; a project of SymbiYosys, perhaps with names of its tasks
    /// [default: the designs of propcov.toml]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Look for cores of this property only; may be given several times
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    #[command(flatten)]
    pub(crate) goal: GoalArguments,

    /// How to find them [default: the fastest way that is sure]
    #[arg(long, short = 'a', value_name = "ALGORITHM", value_parser = algorithm_parser())]
    pub(crate) algorithm: Option<Algorithm>,

    /// Bounded: cores for the first K transitions only
    #[arg(long, value_name = "K")]
    pub(crate) depth: Option<u32>,

    /// Which elements are in question: `all`, `annotated` (what --%IVC of a Lustre model names), kinds and names as for `propcov cover`
    /// [default: annotated, if there are any, else all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) elements: Vec<String>,

    /// Leave these out: the same words as for --elements
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) scope: ScopeArguments,

    /// Stop the whole run after this time (30, 30s, 5m, 1h)
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    #[command(flatten)]
    pub(crate) memory: MemoryArguments,

    /// How many threads may work; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,

    /// Seed of the solvers' decisions; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    /// Write the matrix of properties and elements to FILE: .csv, .xlsx, .json or .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// Start over: ignore what earlier runs have kept
    #[arg(long, conflicts_with = "no_out")]
    pub(crate) fresh: bool,

    #[command(flatten)]
    pub(crate) share: ShareArguments,

    /// Also print what it took: seconds, solver calls, which technique decided how many checks
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

/// What is wanted; at most one of these.
#[derive(Args, Debug, Default)]
#[group(multiple = false)]
pub(crate) struct GoalArguments {
    /// One core, small but not always minimal, as fast as possible
    #[arg(long)]
    one: bool,

    /// One minimal core
    #[arg(long)]
    minimal: bool,

    /// A smallest core
    #[arg(long)]
    minimum: bool,

    /// All minimal cores (default)
    #[arg(long)]
    all: bool,

    /// The elements of every core
    #[arg(long)]
    must: bool,

    /// The elements of some minimal core
    #[arg(long)]
    may: bool,
}

/// Which definitions are in question, and how finely they are taken apart.
#[derive(Args, Debug, Default)]
pub(crate) struct ScopeArguments {
    /// Ask about assumptions as well; otherwise they are always there
    #[arg(long)]
    pub(crate) assumptions: bool,

    /// What an element is: a definition, or each operator in it [default: equation]
    #[arg(long, value_enum, value_name = "SIZE")]
    pub(crate) granularity: Option<GranularityChoice>,

    /// Give up on a single set of elements after this time (default: an effort that follows from that of the proof)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) check_timeout: Option<Duration>,
}

/// How finely definitions are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityChoice {
    /// Definitions as they were written
    Equation,
    /// Each operator, constant and use of a variable by itself (Lustre)
    Operator,
}

impl CoresArguments {
    /// Which definitions are in question, and of these, those that are named.
    pub(crate) fn chosen(&self) -> (Elements, Vec<String>) {
        match self.elements.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => (Elements::Default, Vec::new()),
            ["all"] => (Elements::All, Vec::new()),
            ["annotated"] => (Elements::Annotated, Vec::new()),
            _ => (Elements::All, self.elements.clone()),
        }
    }
}

impl GoalArguments {
    /// One core, or one minimal core.
    pub(crate) fn one(is_minimal: bool) -> GoalArguments {
        GoalArguments { one: !is_minimal, minimal: is_minimal, ..GoalArguments::default() }
    }

    fn given(&self) -> Option<Goal> {
        let flags = [
            (self.one, Goal::One),
            (self.minimal, Goal::Minimal),
            (self.minimum, Goal::Minimum),
            (self.all, Goal::All),
            (self.must, Goal::Must),
            (self.may, Goal::May),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, goal)| goal)
    }
}

impl CoresArguments {
    /// What is wanted: what was said, else what the algorithm is for, else all minimal cores.
    pub(crate) fn wanted(&self) -> Result<Goal, Complaint> {
        let Some(algorithm) = self.algorithm else { return Ok(self.goal.given().unwrap_or(Goal::All)) };
        let goals = algorithm.goals();
        let goal = self.goal.given().or(goals.first().copied()).unwrap_or(Goal::All);
        if !goals.contains(&goal) {
            return Err(Complaint::new(misfit(algorithm, goal)));
        }
        if algorithm == Algorithm::Bvc && self.depth.is_none() {
            return Err(Complaint::new(
                "error: bvc finds cores of bounded proofs: say up to which depth, for example --depth 10\n"
                    .to_owned(),
            ));
        }
        Ok(goal)
    }
}

impl ScopeArguments {
    /// How finely definitions are taken apart.
    pub(crate) fn granularity(&self) -> Granularity {
        self.granularity.map_or(Granularity::Equation, Into::into)
    }
}

impl From<GranularityChoice> for Granularity {
    fn from(choice: GranularityChoice) -> Granularity {
        match choice {
            GranularityChoice::Equation => Granularity::Equation,
            GranularityChoice::Operator => Granularity::Operator,
        }
    }
}

/// What to say of an algorithm that is not for that.
fn misfit(algorithm: Algorithm, goal: Goal) -> String {
    let name = algorithm.name();
    let own: Vec<String> = algorithm.goals().iter().map(|goal| option(*goal)).collect();
    let fits = |other: &&Algorithm| other.goals().contains(&goal);
    let others: Vec<&str> = Algorithm::ALL.iter().filter(fits).map(|other| other.name()).collect();
    let others = match others.as_slice() {
        [] => format!("{} has no algorithm to choose: leave --algorithm out", option(goal)),
        names => format!("for {} choose {}, or leave --algorithm out", option(goal), list(names)),
    };
    format!("error: {name} is for {}, not for {}\n  {others}\n", list(&own), option(goal))
}

/// `a`, `a or b`, `a, b or c`.
fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// The option that asks for this.
fn option(goal: Goal) -> String {
    format!("--{}", goal_name(goal))
}

/// The word for a goal, as users type it.
pub(crate) fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::One => "one",
        Goal::Minimal => "minimal",
        Goal::Minimum => "minimum",
        Goal::All => "all",
        Goal::Must => "must",
        Goal::May => "may",
    }
}

/// What an algorithm does, in a line.
pub(crate) fn describe(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Uc => "what the proof uses, by unsatisfiable cores; not always minimal",
        Algorithm::Bf => "one check for each element",
        Algorithm::Ucbf => "first uc, then one check for each element that is left",
        Algorithm::Must => "one check for each element of a core: is it in every core?",
        Algorithm::Bvc => "cores of bounded proofs, one for each depth up to --depth",
        Algorithm::Marco => "all cores from maximal unexplored sets; they are minimal only at the end",
        Algorithm::OnlineMarco => "the same, with each core made minimal when it is found",
        Algorithm::GrowShrink => "the same, with queues of sets to shrink and to grow",
    }
}

/// Accepts the names of algorithms.
fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    let values =
        Algorithm::ALL.map(|algorithm| PossibleValue::new(algorithm.name()).help(describe(algorithm)));
    PossibleValuesParser::new(values).try_map(|name| {
        let named = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        named.ok_or("there is no such algorithm")
    })
}

#[cfg(test)]
mod tests {
    use crate::args::{Arguments, Command};
    use crate::cores::arguments::*;
    use clap::Parser;

    fn wanted(options: &[&str]) -> Result<Goal, String> {
        let words = ["propcov", "cores", "x.lus"].iter().chain(options);
        let parsed = Arguments::try_parse_from(words).map_err(|error| error.to_string())?;
        let Command::Cores(arguments) = parsed.command else { panic!("another command") };
        arguments.wanted().map_err(|complaint| complaint.text)
    }

    #[test]
    fn all_minimal_cores_are_wanted_unless_something_else_is_said() {
        assert_eq!(wanted(&[]), Ok(Goal::All));
        for goal in [Goal::One, Goal::Minimal, Goal::Minimum, Goal::All, Goal::Must, Goal::May] {
            assert_eq!(wanted(&[&option(goal)]), Ok(goal));
        }
        assert!(wanted(&["--one", "--all"]).is_err_and(|error| error.contains("cannot be used with")));
    }

    #[test]
    fn an_algorithm_says_what_is_wanted_and_refuses_what_it_is_not_for() {
        assert_eq!(wanted(&["--algorithm", "uc"]), Ok(Goal::One));
        assert_eq!(wanted(&["--algorithm", "must"]), Ok(Goal::Must));
        assert_eq!(wanted(&["--algorithm", "marco", "--minimum"]), Ok(Goal::Minimum));
        assert_eq!(
            wanted(&["--algorithm", "uc", "--all"]),
            Err("error: uc is for --one, not for --all\n  \
                 for --all choose marco, online-marco or grow-shrink, or leave --algorithm out\n"
                .to_owned())
        );
        for algorithm in Algorithm::ALL {
            let depth: &[&str] = if algorithm == Algorithm::Bvc { &["--depth", "3"] } else { &[] };
            let options = [&["--algorithm", algorithm.name()], depth].concat();
            assert_eq!(wanted(&options), Ok(algorithm.goals()[0]), "{options:?}");
        }
    }

    #[test]
    fn bounded_cores_need_a_depth() {
        assert!(wanted(&["--algorithm", "bvc"]).is_err_and(|error| error.contains("--depth 10")));
        assert_eq!(wanted(&["--depth", "3", "--minimum"]), Ok(Goal::Minimum));
    }
}
