//! `propcov impact`, for people at a terminal.

use crate::terminal::{Page, Span, Style, Tone};
use crate::text::TextOptions;
use crate::words::plural;
use propcov_result::{Effect, Impact, PropertyImpact, RunResult};

/// More names than this are not listed.
const NAMES: usize = 40;

/// The text.
pub fn impact(result: &RunResult, _: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    if let Some(impact) = &result.impact {
        write(impact, &mut page);
    }
    page.finish()
}

fn write(impact: &Impact, page: &mut Page) {
    let of = impact.changed_design.as_ref().map(|design| format!(" in {design}")).unwrap_or_default();
    page.say(
        0,
        format!(
            "{}{of}: {}",
            plural(impact.changed.len(), "changed element", "changed elements"),
            list(&impact.changed)
        ),
    );
    if !impact.added.is_empty() {
        page.say(
            0,
            format!("{}: {}", plural(impact.added.len(), "new element", "new elements"), list(&impact.added)),
        );
    }
    let groups = [
        (Effect::Keeps, "Keep a proof"),
        (Effect::NewProof, "Need a new proof"),
        (Effect::Unknown, "Not known: all cores that were found are changed, but there may be others"),
        (Effect::NoProof, "Had no proof with a core"),
        (Effect::Gone, "Not in the changed design"),
    ];
    for (effect, title) in groups {
        let those: Vec<&PropertyImpact> =
            impact.properties.iter().filter(|property| property.effect == effect).collect();
        if those.is_empty() {
            continue;
        }
        page.gap();
        page.say(0, Span::toned(Tone::Strong, format!("{title}: {}", those.len())));
        for property in those {
            let name = &property.property;
            page.say(
                2,
                match (property.core, property.reasons.is_empty()) {
                    (Some(core), _) => format!("{name}: from core {core} of {}", property.cores),
                    (None, false) => format!("{name}: {}", list(&property.reasons)),
                    (None, true) => name.clone(),
                },
            );
        }
    }
    page.gap();
    let new = impact.properties.iter().filter(|property| property.effect != Effect::Keeps).count();
    let kept = impact.properties.len() - new;
    page.say(
        0,
        format!(
            "{}: {kept} keep a proof, {new} do not",
            plural(impact.properties.len(), "property", "properties")
        ),
    );
}

fn list(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown}, and {more} more (--format json lists all)"),
    }
}
