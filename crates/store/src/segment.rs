//! A segment: the lines that one run has written, the first of which says what they are.

use crate::line::{self, FORMAT, SEGMENT};
use propcov_ir::Digester;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The first line of a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The format of the other lines.
    pub(crate) format: String,
    /// The version of propcov that wrote it.
    pub(crate) version: String,
    /// When the run began (UTC), and what tells it from others.
    pub(crate) run: String,
    /// The files of the design.
    pub(crate) files: Vec<HeaderFile>,
    /// How they were read.
    pub(crate) options: Json,
}

/// A file of a design.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct HeaderFile {
    /// What the user called it.
    pub(crate) path: String,
    /// Its content.
    pub(crate) sha256: String,
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    segment: Header,
}

impl Header {
    /// The first line.
    pub(crate) fn line(&self) -> Vec<u8> {
        line::seal(SEGMENT, &FirstLine { segment: self.clone() })
    }
}

/// What is in a file.
pub(crate) struct Segment {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    /// Unless it is damaged. The other lines are good without.
    pub(crate) header: Option<Header>,
    /// The contents of intact lines.
    pub(crate) lines: Vec<Range<usize>>,
    pub(crate) damaged: usize,
}

impl Segment {
    /// # Errors
    /// When it is in another format: which one.
    pub(crate) fn read(path: &Path, bytes: Vec<u8>) -> Result<Segment, String> {
        let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| length + 1);
        let first = line::lines(SEGMENT, &bytes[..end]).intact.into_iter().next();
        let header = first.clone().and_then(|content| line::parse::<FirstLine>(&bytes[content]));
        let header = header.map(|line| line.segment);
        if let Some(header) = header.as_ref().filter(|header| header.format != FORMAT) {
            return Err(header.format.clone());
        }
        // Not the end of the line: where that was damaged, the next one follows.
        let start = first.filter(|_| header.is_some()).map_or(0, |content| content.end);
        let found = line::lines(FORMAT, &bytes[start..]);
        let lines = found.intact.into_iter().map(|range| range.start + start..range.end + start).collect();
        Ok(Segment { path: path.to_owned(), bytes, header, lines, damaged: found.damaged })
    }
}

/// A name for a run that no other run has: the time in front, so that names are in the order of time.
pub(crate) fn run_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut digester = Digester::new("run");
    digester.number(now.as_secs());
    digester.number(u64::from(now.subsec_nanos()));
    digester.number(u64::from(std::process::id()));
    // Seeded by the system at random.
    digester.number(RandomState::new().hash_one("run"));
    let digits = digester.finish().to_string();
    format!("{}-{}", timestamp(now.as_secs(), now.subsec_millis()), &digits[..12])
}

/// `20260802T101112.123Z`: days since 1970 as a date (Hinnant, *chrono-compatible low-level date algorithms*).
fn timestamp(seconds: u64, milliseconds: u32) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        for (seconds, expected) in [
            (0, "19700101T000000.007Z"),
            (951_782_399, "20000228T235959.007Z"),
            (951_782_400, "20000229T000000.007Z"),
            (1_709_251_199, "20240229T235959.007Z"),
            (4_107_542_400, "21000301T000000.007Z"),
        ] {
            assert_eq!(timestamp(seconds, 7), expected);
        }
    }

    #[test]
    fn no_two_runs_have_the_same_name() {
        let names: std::collections::BTreeSet<String> = (0..1000).map(|_| run_name()).collect();
        assert_eq!(names.len(), 1000);
    }

    #[test]
    fn a_segment_of_another_format_says_which_and_a_damaged_first_line_costs_nothing_else() {
        let mut header = Header {
            format: FORMAT.to_owned(),
            version: "1".to_owned(),
            run: "r".to_owned(),
            files: Vec::new(),
            options: Json::Null,
        };
        let record = line::seal(FORMAT, &serde_json::json!({ "a": 1 }));
        let good: Vec<u8> = header.line().into_iter().chain(record.clone()).collect();
        let read = Segment::read(Path::new("x"), good.clone()).unwrap_or_else(|format| panic!("{format}"));
        assert_eq!((read.header.as_ref(), read.lines.len(), read.damaged), (Some(&header), 1, 0));
        for at in 0..header.line().len() {
            let mut changed = good.clone();
            changed[at] ^= 4;
            let read = Segment::read(Path::new("x"), changed).unwrap_or_else(|format| panic!("{format}"));
            assert_eq!(read.lines.len(), 1, "byte {at}");
            assert!(read.header.is_none() || at + 1 == header.line().len(), "byte {at}");
        }
        header.format = "propcov-run/99".to_owned();
        let foreign: Vec<u8> = header.line().into_iter().chain(record).collect();
        assert_eq!(Segment::read(Path::new("x"), foreign).err().as_deref(), Some("propcov-run/99"));
    }
}
