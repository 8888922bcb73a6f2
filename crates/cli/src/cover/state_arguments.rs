//! The options of `propcov cover` that belong to state and transition coverage.

use crate::cover::idle::names;
use clap::{Args, ValueEnum};
use propcov::{Flip, Implication, Semantics, StateOptions};

/// The heading of these options.
pub(crate) const HEADING: &str = "Options of --metric state and --metric transition";

/// How states and transitions are measured.
#[derive(Args, Debug)]
pub(crate) struct StateArguments {
    /// Which other values of a signal have to be noticed [default: any]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = HEADING)]
    pub(crate) flip: Option<FlipChoice>,

    /// When another value counts as noticed [default: observability]
    #[arg(long, value_enum, value_name = "HOW", help_heading = HEADING)]
    pub(crate) semantics: Option<SemanticsChoice>,

    /// How `a -> b` without temporal operators is read [default: split]
    #[arg(long, value_enum, value_name = "HOW", help_heading = HEADING)]
    pub(crate) implication: Option<ImplicationChoice>,

    /// Leave out states that satisfy this, and transitions into them; may be given several times
    #[arg(long, value_name = "EXPR", help_heading = HEADING)]
    pub(crate) dont_care: Vec<String>,

    /// Show a shortest run into the hole with this number, as a table and as a waveform; several: 1,3
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_position, help_heading = HEADING)]
    pub(crate) trace: Vec<usize>,

    /// List at most so many holes of each signal [default: 10]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) holes: Option<usize>,
}

/// Which other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlipChoice {
    /// Covered if some other value is noticed
    Any,
    /// Covered if every other value is noticed
    All,
}

/// When something is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SemanticsChoice {
    /// The property fails where it checks the signal; conditions keep the value (Hoskote 1999)
    Observability,
    /// The property itself fails; any CTL formula (Chockler, Kupferman, Vardi 2001)
    Mutation,
}

/// How an implication is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImplicationChoice {
    /// `a` says where `b` is checked, and is not checked itself
    Split,
    /// As one proposition, in which `a` is checked as well
    Whole,
}

impl StateArguments {
    /// The same for the library.
    pub(crate) fn options(&self) -> StateOptions {
        let default = StateOptions::default();
        StateOptions {
            flip: match self.flip {
                None | Some(FlipChoice::Any) => Flip::Any,
                Some(FlipChoice::All) => Flip::All,
            },
            semantics: match self.semantics {
                None | Some(SemanticsChoice::Observability) => Semantics::Observability,
                Some(SemanticsChoice::Mutation) => Semantics::Mutation,
            },
            implication: match self.implication {
                None | Some(ImplicationChoice::Split) => Implication::Split,
                Some(ImplicationChoice::Whole) => Implication::Whole,
            },
            dont_care: self.dont_care.clone(),
            holes: self.holes.unwrap_or(default.holes),
            trace: self.trace.clone(),
        }
    }

    /// Options here that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let options = [
            (self.flip.is_some(), "--flip"),
            (self.semantics.is_some(), "--semantics"),
            (self.implication.is_some(), "--implication"),
            (!self.dont_care.is_empty(), "--dont-care"),
            (!self.trace.is_empty(), "--trace"),
            (self.holes.is_some(), "--holes"),
        ];
        names(&options)
    }
}

fn parse_position(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=10_000) => Ok(number),
        _ => Err("expected the number of a hole, such as 1".to_owned()),
    }
}

/// Splits lists at commas that are outside of all brackets: `f(a, b), c` are two.
pub(crate) fn split_lists(lists: &[String]) -> Vec<String> {
    let mut parts = Vec::new();
    for list in lists {
        let mut depth = 0_usize;
        let is_end = |c: char| {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        };
        parts.extend(list.split(is_end).map(|part| part.trim().to_owned()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_outside_of_brackets_only() {
        let split =
            |lists: &[&str]| split_lists(&lists.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(split(&["a, b", "c"]), ["a", "b", "c"]);
        assert_eq!(
            split(&["max(a, b) = 1, x in {1, 2}", "m[i,j]"]),
            ["max(a, b) = 1", "x in {1, 2}", "m[i,j]"]
        );
        assert_eq!(split(&["a)], b"]), ["a)]", "b"]);
        assert_eq!(split(&[]), Vec::<String>::new());
    }

    #[test]
    fn holes_are_counted_from_one() {
        assert_eq!(parse_position("3"), Ok(3));
        for wrong in ["0", "-1", "x", "", "99999999999"] {
            assert!(parse_position(wrong).is_err(), "{wrong:?} was accepted");
        }
    }
}
