//! Waivers that are conditions on states: what they waive is counted where the states are, and noted here.

use propcov_coverage::ctl::{Place, Row};
use propcov_result::{Cube, Finding, FindingVerdict, RunResult, Subject, WaiverState};

/// The conditions that are about one of the two metrics, each with the position of its waiver.
pub(super) fn conditions(result: &RunResult, place: Place) -> Vec<(usize, String)> {
    let waivers = result.waivers.iter().enumerate();
    let meant =
        waivers.filter(|(_, waiver)| waiver.is_about(place.metric()) && waiver.state != WaiverState::Expired);
    meant.filter_map(|(at, waiver)| Some((at, waiver.condition.clone()?))).collect()
}

/// Notes what they waive, signal by signal.
pub(super) fn record(result: &mut RunResult, rows: &[Row], conditions: &[(usize, String)], place: Place) {
    for row in rows {
        for ((at, text), (waived, fitting)) in conditions.iter().zip(&row.waived.each) {
            result.waive_states(*at, waived, fitting);
            if waived.is_zero() {
                continue;
            }
            let observed = row.observed.as_ref().map(|observed| observed.name.as_str().into());
            result.findings.push(Finding {
                metric: place.metric().into(),
                subject: Subject::Cube(Cube { observed, text: text.clone(), literals: Vec::new() }),
                edit: "flipped".into(),
                property: None,
                verdict: FindingVerdict::Uncovered,
                reason: None,
                bound: None,
                by: Some("bdd".into()),
                certified: false,
                evidence: None,
                witness: None,
                count: Some(waived.clone()),
                waiver: u32::try_from(*at).ok(),
            });
        }
    }
}
