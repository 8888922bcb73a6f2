//! What `propcov explain` prints: for each edit of an element, whether it is noticed, by whom, and a run that shows it.

use crate::mutants::{Mutant, Standing, mutants};
use crate::place::position;
use crate::terminal::{Page, Span, Style, Tone};
use crate::text::run_table::{self, Legend};
use crate::text::{TextOptions, cover, edits, holes, pair, sanity, stats};
use crate::words::plural;
use propcov_result::{FindingVerdict, RunResult};
use std::collections::BTreeMap;

/// How findings call the technique that looks at cones of influence alone.
const CONE: &str = "cone";

/// The text.
pub fn explain(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    sanity::write(result, &mut page);
    cover::proofs(result, &mut page);
    if cover::is_measured(result) {
        let metric = result.run.metrics.first().map_or("mutation", String::as_str);
        let mutants = mutants(result, metric);
        let mut legends = Vec::new();
        for of_element in mutants.chunk_by(|one, other| one.id == other.id) {
            title(&of_element[0], &mut page);
            for mutant in of_element {
                page.gap();
                legends.extend(explained(mutant, &mut page));
            }
        }
        if let Some(legend) = legends.into_iter().reduce(Legend::and) {
            page.gap();
            page.say(0, legend.text());
            if legend.cut {
                page.say(0, "--vcd FILE writes all of it, as a waveform.");
            }
        }
    }
    if options.stats {
        stats::write(result, &mut page);
    }
    page.finish()
}

/// Writes what the element is.
fn title(mutant: &Mutant<'_>, page: &mut Page) {
    let kind = mutant.element.map_or("element", |element| &element.kind);
    let places = mutant.element.map_or(&[][..], |element| &element.places);
    let places: String = places.iter().map(|place| format!(", {}", position(place))).collect();
    page.title(format!("{}: {kind}{places}", mutant.name()));
}

/// Writes what became of an edit; what to say below the run, if one is shown.
fn explained(mutant: &Mutant<'_>, page: &mut Page) -> Option<Legend> {
    let edit = format!("{}: ", edits::described(mutant.edit));
    let mut heading = |tone: Tone, word: &str, rest: &str| {
        page.spans(0, &[edit.as_str().into(), Span::toned(tone, word), rest.into()]);
    };
    match mutant.standing {
        Standing::Covered => {
            heading(Tone::Good, "covered", &format!(" by {}", killers(mutant).join(", ")));
            killed(mutant, page)
        }
        Standing::Uncovered => {
            heading(Tone::Bad, "NOT covered", "");
            survived(mutant, page)
        }
        Standing::Bounded => {
            heading(Tone::Doubtful, "NOT covered as far as the bound", "");
            survived(mutant, page)
        }
        Standing::NoEffect => {
            heading(Tone::Strong, "no effect", "");
            let observation = mutant.witness().and_then(|(_, witness)| witness.observation.as_deref());
            let at = observation.map(|observation| format!(" at {observation}")).unwrap_or_default();
            page.say(
                2,
                format!("Every property still holds, and no run shows a difference{at}. That is proved."),
            );
            None
        }
        Standing::Dead => {
            heading(Tone::Strong, "dead", "");
            page.say(2, "No reachable state executes it.");
            None
        }
        Standing::Waived => {
            heading(Tone::Strong, "waived", "");
            None
        }
        Standing::Unknown => {
            let reason = mutant.findings.iter().find_map(|finding| finding.reason.as_deref());
            heading(
                Tone::Doubtful,
                "unknown",
                &reason.map(|reason| format!(": {reason}")).unwrap_or_default(),
            );
            None
        }
    }
}

/// The properties that fail.
fn killers(mutant: &Mutant<'_>) -> Vec<String> {
    let kills = mutant.findings.iter().filter(|finding| finding.verdict == FindingVerdict::Covered);
    kills.map(|finding| finding.property.as_deref().unwrap_or("some property").to_owned()).collect()
}

fn killed(mutant: &Mutant<'_>, page: &mut Page) -> Option<Legend> {
    let (finding, witness) = mutant.witness()?;
    let trace = witness.mutant.as_ref()?;
    let property = finding.property.as_deref().unwrap_or("A property");
    let step = witness.depth.unwrap_or(trace.steps.saturating_sub(1));
    let shortest = if witness.shortest == Some(true) { " (shortest run)" } else { "" };
    page.say(2, format!("{property} fails in step {step} of this run of the mutant{shortest}:"));
    Some(run_table::write(trace, trace.steps, 4, page))
}

fn survived(mutant: &Mutant<'_>, page: &mut Page) -> Option<Legend> {
    page.say(2, why_they_hold(mutant));
    let (_, witness) = mutant.witness()?;
    if let Some(sentence) = holes::sentence(witness) {
        page.say(2, format!("Unnoticed bug: {sentence}"));
    } else if let Some(reason) = &witness.reason {
        let at = witness.observation.as_ref().map(|observation| format!(" at {observation}"));
        let at = at.unwrap_or_default();
        page.say(
            2,
            format!("Not classified (hole or no effect): a difference{at} was looked for; {reason}."),
        );
    }
    let (design, mutated) = (witness.design.as_ref()?, witness.mutant.as_ref()?);
    Some(pair::write(design, mutated, &witness.observed, 4, page))
}

/// `2 properties still hold: proved by ic3, outside the cone of influence`, or `2 properties still hold up to depth 4: searched by family-bmc`.
fn why_they_hold(mutant: &Mutant<'_>) -> String {
    let of_properties = mutant.findings.iter().filter(|finding| finding.property.is_some());
    let count = of_properties.clone().count();
    let mut techniques: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in of_properties {
        *techniques.entry(finding.by.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let bound = mutant.findings.iter().filter_map(|finding| finding.bound).min();
    let (verb, up_to) = match bound {
        Some(bound) => ("searched", format!(" up to depth {bound}")),
        None => ("proved", String::new()),
    };
    let several = techniques.len() > 1;
    let mut reasons = Vec::new();
    for (technique, count) in techniques {
        let count = if several { format!(" ({count})") } else { String::new() };
        match technique {
            "" => {}
            CONE => reasons.push(format!("outside the cone of influence{count}")),
            other => reasons.push(format!("{verb} by {other}{count}")),
        }
    }
    let holds = match count {
        0 => "Every property still holds".to_owned(),
        count => plural(count, "property still holds", "properties still hold"),
    };
    match reasons.as_slice() {
        [] => format!("{holds}{up_to}."),
        reasons => format!("{holds}{up_to}: {}.", reasons.join(", ")),
    }
}
