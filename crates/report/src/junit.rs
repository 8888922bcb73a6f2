//! JUnit's XML: properties as tests, and thresholds as more of them. Proved is passed, falsified a failure, undecided an error. What holds only up to a bound, or vacuously, is no proof: such tests are skipped, with the reason.
//!
//! There is no standard; this keeps to the schema of Jenkins' xUnit plugin (junit-10.xsd), which refuses what does not.

use crate::place::position;
use crate::terminal::printable;
use crate::xml::Xml;
use propcov_result::{Property, RunResult, Scope, ThresholdVerdict, Verdict};

/// What becomes of a test.
enum Outcome {
    Passed,
    /// An element, what kind of thing it is, and why.
    Other(&'static str, &'static str, String),
}

/// The document.
pub fn junit(result: &RunResult) -> String {
    let outcomes: Vec<(&Property, Outcome)> =
        result.properties.iter().map(|property| (property, outcome(property))).collect();
    let thresholds = result.run.thresholds.as_slice();
    let judged = |wanted: ThresholdVerdict| thresholds.iter().filter(|one| one.verdict == wanted).count();
    let count = |wanted: &str| {
        let is_such =
            |outcome: &Outcome| matches!(outcome, Outcome::Other(element, ..) if *element == wanted);
        outcomes.iter().filter(|(_, outcome)| is_such(outcome)).count()
    };
    let tests = (outcomes.len() + thresholds.len()).to_string();
    let failures = (count("failure") + judged(ThresholdVerdict::Missed)).to_string();
    let errors = (count("error") + judged(ThresholdVerdict::Undecided)).to_string();
    let skipped = count("skipped").to_string();
    let seconds = format!("{:.3}", result.run.seconds);
    let sums = [("tests", tests.as_str()), ("failures", &failures), ("errors", &errors), ("time", &seconds)];
    let mut xml = Xml::new("testsuites", &[[("name", "propcov")].as_slice(), &sums].concat());
    let design = result.design.as_ref().and_then(|design| design.files.first());
    let name = printable(design.map_or("propcov", |file| file.path.as_str()));
    let mut suite = [[("name", name.as_str())].as_slice(), &sums, &[("skipped", &skipped)]].concat();
    // Without the zone: readers of this format take no other.
    let date = result.run.date.as_deref().map(|date| date.trim_end_matches('Z'));
    if let Some(date) = date {
        suite.push(("timestamp", date));
    }
    xml.open("testsuite", &suite);
    xml.open("properties", &[]);
    for share in result.shares.iter().filter(|share| share.scope == Scope::All) {
        let name = format!("coverage.{}", printable(&share.metric));
        xml.empty("property", &[("name", &name), ("value", &share.percent_text())]);
    }
    xml.close();
    for (property, outcome) in &outcomes {
        case(&mut xml, &name, property, outcome);
    }
    for threshold in thresholds {
        let title = printable(&format!("{} of at least {} %", threshold.subject(), threshold.percent));
        xml.open("testcase", &[("name", &title), ("classname", &name), ("time", "0.000")]);
        if let Some(said) = threshold.complaint() {
            let element = if threshold.verdict == ThresholdVerdict::Missed { "failure" } else { "error" };
            let said = printable(&said);
            xml.leaf(element, &[("message", &said), ("type", "threshold")], &said);
        }
        xml.close();
    }
    xml.finish()
}

fn outcome(property: &Property) -> Outcome {
    let reason = property.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    match property.verdict {
        Verdict::Proved if property.vacuous => Outcome::Other(
            "skipped",
            "",
            "proved, but vacuous: the proof says nothing about the design".to_owned(),
        ),
        Verdict::Proved => Outcome::Passed,
        Verdict::Falsified => {
            let at = property.trace.as_ref().map(|trace| {
                match trace.shows.as_ref().and_then(|shows| shows.loop_to) {
                    Some(_) => " on a run that goes on for ever".to_owned(),
                    None => format!(" in step {}", trace.steps.saturating_sub(1)),
                }
            });
            let at = at.unwrap_or_default();
            let attempt = property.attempt.as_ref();
            let attempt = attempt.map(|attempt| format!("; {}", attempt.sentence())).unwrap_or_default();
            let why = format!("there is a counterexample: it fails{at}{reason}{attempt}");
            Outcome::Other("failure", "falsified", why)
        }
        Verdict::Reached => Outcome::Passed,
        Verdict::Unreachable => Outcome::Other("failure", "unreachable", "no run reaches it".to_owned()),
        Verdict::Bounded if property.is_cover() => {
            let depth = property.depth.map(|depth| format!(" {depth}")).unwrap_or_default();
            Outcome::Other("skipped", "", format!("not reached up to depth{depth}"))
        }
        Verdict::Bounded => {
            let depth = property.depth.map(|depth| format!(" {depth}")).unwrap_or_default();
            Outcome::Other("skipped", "", format!("not proved: holds up to depth{depth}"))
        }
        Verdict::Unknown => Outcome::Other("error", "unknown", format!("not decided{reason}")),
    }
}

fn case(xml: &mut Xml, suite: &str, property: &Property, outcome: &Outcome) {
    let (name, seconds) = (printable(&property.name), format!("{:.3}", property.seconds));
    let attributes = [("name", name.as_str()), ("classname", suite), ("time", &seconds)];
    let Outcome::Other(element, kind, why) = outcome else { return xml.empty("testcase", &attributes) };
    let why = printable(why);
    // The schema has no attribute for the place of a test.
    let place = property.place.as_ref().map(|place| format!(" ({})", printable(&position(place))));
    let text = format!("{why}{}", place.unwrap_or_default());
    xml.open("testcase", &attributes);
    match *element {
        "skipped" => xml.leaf("skipped", &[("message", &why)], &text),
        element => xml.leaf(element, &[("message", &why), ("type", kind)], &text),
    }
    xml.close();
}
