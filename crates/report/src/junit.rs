//! JUnit's XML: properties as tests, and thresholds as more of them. Proved is passed, falsified a failure, undecided an error. What holds only up to a bound, or vacuously, is no proof: such tests are skipped, with the reason.
//!
//! There is no standard; this keeps to the schema of Jenkins' xUnit plugin (junit-10.xsd), which refuses what does not. It has no attribute for where a test stands: every test says it as its output, and what went wrong begins with
//! it, as messages of compilers do.

use crate::overview::names;
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
    united(&[result])
}

/// One document with a suite for each result.
pub fn united(results: &[&RunResult]) -> String {
    let suites: Vec<Suite<'_>> = results.iter().map(|result| Suite::new(result)).collect();
    let seconds = format!("{:.3}", results.iter().map(|result| result.run.seconds).sum::<f64>());
    let tests = suites.iter().map(Suite::tests).sum::<usize>().to_string();
    let failures = suites.iter().map(Suite::failures).sum::<usize>().to_string();
    let errors = suites.iter().map(Suite::errors).sum::<usize>().to_string();
    let sums = [("tests", tests.as_str()), ("failures", &failures), ("errors", &errors), ("time", &seconds)];
    let mut xml = Xml::new("testsuites", &[[("name", "propcov")].as_slice(), &sums].concat());
    for (suite, name) in suites.iter().zip(names(results)) {
        suite.write(&printable(&name), &mut xml);
    }
    xml.finish()
}

/// What becomes of the tests of one result.
struct Suite<'r> {
    result: &'r RunResult,
    outcomes: Vec<(&'r Property, Outcome)>,
}

impl<'r> Suite<'r> {
    fn new(result: &'r RunResult) -> Suite<'r> {
        let outcomes = result.properties.iter().map(|property| (property, outcome(property))).collect();
        Suite { result, outcomes }
    }

    fn judged(&self, wanted: ThresholdVerdict) -> usize {
        self.result.run.thresholds.iter().filter(|one| one.verdict == wanted).count()
    }

    fn count(&self, wanted: &str) -> usize {
        let is_such =
            |outcome: &Outcome| matches!(outcome, Outcome::Other(element, ..) if *element == wanted);
        self.outcomes.iter().filter(|(_, outcome)| is_such(outcome)).count()
    }

    fn tests(&self) -> usize {
        self.outcomes.len() + self.result.run.thresholds.len()
    }

    fn failures(&self) -> usize {
        self.count("failure") + self.judged(ThresholdVerdict::Missed)
    }

    fn errors(&self) -> usize {
        self.count("error") + self.judged(ThresholdVerdict::Undecided)
    }

    fn write(&self, name: &str, xml: &mut Xml) {
        let result = self.result;
        let [tests, failures, errors, skipped] =
            [self.tests(), self.failures(), self.errors(), self.count("skipped")]
                .map(|count| count.to_string());
        let seconds = format!("{:.3}", result.run.seconds);
        let mut suite = vec![
            ("name", name),
            ("tests", tests.as_str()),
            ("failures", &failures),
            ("errors", &errors),
            ("time", &seconds),
            ("skipped", &skipped),
        ];
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
        for (property, outcome) in &self.outcomes {
            case(xml, name, property, outcome);
        }
        for threshold in &result.run.thresholds {
            let title = printable(&format!("{} of at least {} %", threshold.subject(), threshold.percent));
            xml.open("testcase", &[("name", &title), ("classname", name), ("time", "0.000")]);
            if let Some(said) = threshold.complaint() {
                let element = if threshold.verdict == ThresholdVerdict::Missed { "failure" } else { "error" };
                let said = printable(&said);
                xml.leaf(element, &[("message", &said), ("type", "threshold")], &said);
            }
            xml.close();
        }
        xml.close();
    }
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
    let place = property.place.as_ref().map(|place| printable(&position(place)));
    if place.is_none() && matches!(outcome, Outcome::Passed) {
        return xml.empty("testcase", &attributes);
    }
    xml.open("testcase", &attributes);
    if let Outcome::Other(element, kind, why) = outcome {
        let why = printable(why);
        let text = place.as_ref().map(|place| format!("{place}: {why}")).unwrap_or(why);
        match *element {
            "skipped" => xml.leaf("skipped", &[("message", &text)], &text),
            element => xml.leaf(element, &[("message", &text), ("type", kind)], &text),
        }
    }
    if let Some(place) = place {
        xml.leaf("system-out", &[], &place);
    }
    xml.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_results_are_one_document_with_a_suite_each() {
        let of = |directory: Option<&str>, count: usize| {
            let mut result = RunResult::new("cover", 0);
            result.run.directory = directory.map(str::to_owned);
            let property = serde_json::json!({
                "name": "p", "kind": "invariant", "verdict": "proved", "certified": true, "seconds": 0.0
            });
            result.properties = vec![serde_json::from_value(property).expect("a property"); count];
            result
        };
        let (one, other, third) = (of(Some("out/one"), 1), of(Some("out/other"), 2), of(None, 0));
        let text = united(&[&one, &other, &third]);
        assert_eq!(text.matches("<?xml").count(), 1, "{text}");
        assert_eq!(text.matches("<testsuites ").count(), 1, "{text}");
        for name in ["propcov (one)", "propcov (other)", "propcov (3)"] {
            assert!(text.contains(&format!("<testsuite name=\"{name}\"")), "{name}: {text}");
        }
        assert!(text.contains("<testsuites name=\"propcov\" tests=\"3\""), "{text}");
        assert_eq!(junit(&one), united(&[&one]));
    }
}
