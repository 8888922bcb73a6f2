//! What `propcov cover --metric state` and `--metric transition` print for people: how much is checked, by which property, what is not, and how
//! to get there.

use crate::cover::states::StateCoverage;
use crate::cover::states::evidence::Judgement;
use crate::cover::states::measure::{Counts, Part, Row, Standing};
use crate::cover::states::observed::{Unmentioned, readers};
use crate::cover::states::runs::HoleRun;
use crate::cover::states::share::Share;
use crate::cover::text::{WIDTH, plural};
use crate::report::readable;
use crate::table::{Align, Cell, Palette, Table, Tone, wrapped};
use dashu_int::UBig;
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_ir::{PropertyId, UnknownReason};

/// What all signals are called together.
const TOGETHER: &str = "all together";
const UNKNOWN: &str = "unknown";

impl StateCoverage<'_> {
    /// The text for people.
    pub(crate) fn text(&self, with_stats: bool, palette: Palette) -> String {
        let mut text = self.verdicts.heading();
        text.push_str(&self.verdicts.gate_text(palette));
        text.push_str(&self.proofs(palette));
        let proved = self.verdicts.outcomes.iter().filter(|outcome| outcome.answer.is_proved()).count();
        if proved > 0 {
            text.push_str(&self.title(proved, palette));
        }
        match &self.counts {
            _ if proved == 0 => {}
            Err(reason) => {
                text.push_str(&format!("  Nothing is known about coverage: {}.\n", one_line(reason)));
            }
            Ok(counts) if counts.total == UBig::ZERO => text.push_str(&self.nothing_to_cover(counts)),
            Ok(counts) => {
                text.push_str(&self.space(counts));
                if self.rows.len() > 1 {
                    text.push_str(&self.overview(palette));
                }
                text.push_str(&self.silent());
                text.push_str(&self.unchecked());
                for (at, (row, runs)) in self.rows.iter().enumerate() {
                    if !self.is_brief(row) || !runs.is_empty() {
                        text.push_str(&self.section(at, row, runs, palette));
                    }
                }
                text.push_str(&self.advice());
            }
        }
        if with_stats {
            text.push_str(&self.statistics(palette));
        }
        text.push_str(&self.last_line(proved, palette));
        text
    }

    /// The verdicts, and what they mean for coverage.
    fn proofs(&self, palette: Palette) -> String {
        let verdicts = &self.verdicts;
        if verdicts.outcomes.is_empty() {
            return String::new();
        }
        let warning = palette.paint(Tone::Bad, "WARNING:");
        let mut text = format!("\n{}", verdicts.verdict_table(palette));
        let proved = verdicts.outcomes.iter().filter(|outcome| outcome.answer.is_proved()).count();
        if proved < verdicts.outcomes.len() {
            let what = match proved {
                0 => "no property is proved: there is no coverage to measure".to_owned(),
                _ => format!(
                    "only what is proved is measured: {proved} of {} properties",
                    verdicts.outcomes.len()
                ),
            };
            text.push_str(&format!("\n{warning} {what}.\n"));
        }
        if verdicts.outcomes.iter().any(|outcome| outcome.answer.is_falsified()) {
            text.push_str(&format!("  `propcov check {}` shows why something fails.\n", verdicts.path));
        }
        for outcome in verdicts.outcomes.iter().filter(|outcome| verdicts.is_vacuous(outcome)) {
            let name = verdicts.name(outcome);
            text.push_str(&format!("{warning} {name} is vacuous: what it covers means nothing.\n"));
        }
        text
    }

    fn title(&self, proved: usize, palette: Palette) -> String {
        let manner = &self.manner;
        let mut words = vec![match manner.semantics {
            Semantics::Observability => "by observability",
            Semantics::Mutation => "by mutation",
        }];
        if manner.flip == Flip::All {
            words.push("every other value noticed");
        }
        if manner.implication == Implication::Whole {
            words.push("implications as one proposition");
        }
        let metric = match manner.place {
            Place::State => "State coverage",
            Place::Transition => "Transition coverage",
        };
        let by = plural(proved, "property", "properties");
        let title = format!("{metric} of {by}, {}:", words.join(", "));
        format!("\n{}\n", palette.paint(Tone::Strong, &title))
    }

    /// `state` or `transition`, in the number that fits.
    pub(crate) fn unit(&self, count: &UBig) -> &'static str {
        match (self.manner.place, *count == UBig::ONE) {
            (Place::State, true) => "state",
            (Place::State, false) => "states",
            (Place::Transition, true) => "transition",
            (Place::Transition, false) => "transitions",
        }
    }

    /// So many states or transitions.
    pub(crate) fn counted(&self, count: &UBig) -> String {
        format!("{} {}", readable(&count.to_string()), self.unit(count))
    }

    fn nothing_to_cover(&self, counts: &Counts) -> String {
        let unit = self.unit(&UBig::ZERO);
        let why = if counts.reachable == UBig::ZERO {
            format!("there are no reachable {unit}")
        } else if counts.excluded == UBig::ZERO {
            format!("none of the {} is fair", self.counted(&counts.reachable))
        } else {
            format!("nobody cares for any of the {} that are fair", self.counted(&counts.excluded))
        };
        format!("  There is nothing to cover: {why}.\n")
    }

    /// What was left out of the reachable states.
    fn space(&self, counts: &Counts) -> String {
        let mut left_out = Vec::new();
        if counts.unfair > UBig::ZERO {
            left_out.push(format!("{} that no fair path goes on from", readable(&counts.unfair.to_string())));
        }
        if counts.excluded > UBig::ZERO {
            left_out.push(format!("{} that nobody cares for", readable(&counts.excluded.to_string())));
        }
        let left_out = match left_out.is_empty() {
            true => String::new(),
            false => format!("; left out are {}", left_out.join(" and ")),
        };
        format!("  {} are reachable{left_out}.\n", self.counted(&counts.reachable))
    }

    fn overview(&self, palette: Palette) -> String {
        use Align::{Left, Right};
        let mut table = Table::new(vec![Left, Right, Right, Right]);
        let heading = ["observed", "covered", "uncovered", "coverage"];
        table.row(heading.into_iter().map(|title| Cell::toned(title, Tone::Strong)).collect());
        for (row, _) in &self.rows {
            let name = name(row).to_owned();
            table.row(match &row.share {
                Err(_) => vec![name.into(), "-".into(), "-".into(), "unknown".into()],
                Ok(share) => {
                    let missed = &share.total - &share.high;
                    let tone = if missed > UBig::ZERO { Tone::Bad } else { Tone::Plain };
                    vec![
                        name.into(),
                        readable(&share.low.to_string()).into(),
                        Cell::toned(readable(&missed.to_string()), tone),
                        share.text().unwrap_or_default().into(),
                    ]
                }
            });
        }
        format!("\n{}", table.render("  ", palette))
    }

    /// States that no property mentions.
    fn silent(&self) -> String {
        let Unmentioned { silent, indirect } = &self.unmentioned;
        let mut text = String::new();
        for (title, names) in
            [("No property mentions:", silent), ("Mentioned through definitions only:", indirect)]
        {
            if !names.is_empty() {
                text.push_str(&list(title, names));
            }
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    /// Whether a row among others says no more than that nothing is covered.
    pub(crate) fn is_brief(&self, row: &Row) -> bool {
        let is_plain = |part: &Part| match &part.standing {
            Standing::Covers(contribution) => contribution.covered == UBig::ZERO,
            Standing::Unrelated => true,
            _ => false,
        };
        let is_nothing = row.share.as_ref().is_ok_and(|share| share.high == UBig::ZERO);
        self.rows.len() > 1 && is_nothing && row.parts.iter().all(is_plain)
    }

    /// Signals that no property checks anywhere.
    fn unchecked(&self) -> String {
        let brief = self.rows.iter().map(|(row, _)| row).filter(|row| self.is_brief(row));
        let names: Vec<String> = brief.map(|row| name(row).to_owned()).collect();
        let title = match self.manner.flip {
            Flip::Any => "Nowhere checked, only used as a condition or not at all:",
            Flip::All => "Nowhere is every other value noticed:",
        };
        if names.is_empty() { String::new() } else { format!("\n{}", list(title, &names)) }
    }

    fn section(&self, at: usize, row: &Row, runs: &[HoleRun], palette: Palette) -> String {
        let share = match &row.share {
            Err(reason) => return format!("\n{}: unknown: {}\n", name(row), one_line(reason)),
            Ok(share) => share,
        };
        let percent = share.text().unwrap_or_default();
        let covered = match share.low == share.high {
            true => readable(&share.low.to_string()),
            false => format!("{} to {}", readable(&share.low.to_string()), readable(&share.high.to_string())),
        };
        let title = format!("{}: {percent}", name(row));
        let certified = match self.certified.rows.get(at) {
            Some(Judgement::Confirmed) => "; certified".to_owned(),
            Some(Judgement::Open(why)) => format!("; not certified: {why}"),
            Some(Judgement::Nothing | Judgement::Refuted(_)) | None => String::new(),
        };
        let unmeasured = unmeasured(row);
        let mut text = format!(
            "\n{}  {covered} of {}{certified}{unmeasured}\n",
            palette.paint(Tone::Strong, &title),
            self.counted(&share.total)
        );
        text.push_str(&self.contributions(row, palette));
        text.push_str(&self.hole_list(row, palette));
        for run in runs {
            text.push_str(&self.run_text(row, run, palette));
        }
        text
    }

    /// Which property covers what.
    fn contributions(&self, row: &Row, palette: Palette) -> String {
        use Align::{Left, Right};
        let property = |part: &Part| self.verdicts.system().property(part.property).name.clone();
        let mut table = Table::new(vec![Left, Right, Right]);
        table.row(["property", "covered", "only it"].map(|title| Cell::toned(title, Tone::Strong)).into());
        let (mut listed, mut unrelated, mut notes) = (0, 0, String::new());
        for part in &row.parts {
            let name = property(part);
            let why = match &part.standing {
                Standing::Covers(contribution) => {
                    listed += 1;
                    let [covered, only] = [&contribution.covered, &contribution.only]
                        .map(|count| Cell::from(readable(&count.to_string())));
                    table.row(vec![name.into(), covered, only]);
                    continue;
                }
                Standing::Unrelated => {
                    unrelated += 1;
                    continue;
                }
                Standing::NotAcceptable => {
                    "observability is not defined for it; --semantics mutation is".to_owned()
                }
                Standing::Failed => "it fails".to_owned(),
                Standing::Unproved(reason) => format!("whether it holds is unknown: {}", one_line(reason)),
                Standing::Unknown(reason) => format!("unknown: {}", one_line(reason)),
            };
            notes.push_str(&format!("  {name} is not measured: {why}\n"));
        }
        let mut text = if listed > 0 { table.render("  ", palette) } else { String::new() };
        text.push_str(&notes);
        if unrelated > 0 {
            let who = if unrelated == row.parts.len() { "No property mentions" } else { "" };
            let what = if row.observed.is_some() { "it" } else { "any of them" };
            text.push_str(&match who.is_empty() {
                true => {
                    format!("  {} not mention {what}.\n", plural(unrelated, "property does", "properties do"))
                }
                false => format!("  {who} {what}.\n"),
            });
        }
        if unrelated == row.parts.len()
            && let Some(observed) = &row.observed
        {
            let properties: Vec<PropertyId> = row.parts.iter().map(|part| part.property).collect();
            let readers = readers(self.verdicts.system(), &properties, observed.expr);
            if !readers.is_empty() {
                text.push_str(&list("Definitions that read it are mentioned; observe these:", &readers));
            }
        }
        text.push_str(&self.redundancy(row));
        text
    }

    /// Which properties are not needed for what is covered.
    fn redundancy(&self, row: &Row) -> String {
        let (mut covering, mut redundant, mut idle) = (0, Vec::new(), Vec::new());
        for part in &row.parts {
            let Standing::Covers(contribution) = &part.standing else { continue };
            let name = || self.verdicts.system().property(part.property).name.clone();
            // It might cover something if not all is known. If every other value counts, it may add something to the others.
            let adds_nothing = self.manner.flip == Flip::Any || contribution.is_redundant;
            if contribution.covered == UBig::ZERO && row.doubts.is_empty() && adds_nothing {
                idle.push(name());
                continue;
            }
            covering += 1;
            if contribution.is_redundant {
                redundant.push(name());
            }
        }
        let mut text = match idle.is_empty() {
            true => String::new(),
            false => list(self.idle_title(row, idle.len() == 1), &idle),
        };
        if covering > 1 {
            text.push_str(&self.superfluous(row, covering, &redundant));
        }
        text
    }

    /// What to call properties that cover nothing.
    fn idle_title(&self, row: &Row, is_one: bool) -> &'static str {
        if self.manner.flip == Flip::All {
            // A property that notices some of the other values checks something.
            return match is_one {
                true => "Covers nothing, and adds nothing to the others:",
                false => "Cover nothing, and add nothing to the others:",
            };
        }
        match (self.manner.place, row.observed.is_some(), is_one) {
            (Place::State, true, true) => "Mentions it, but checks it nowhere:",
            (Place::State, true, false) => "Mention it, but check it nowhere:",
            (Place::State, false, true) => "Mentions some of them, but checks none anywhere:",
            (Place::State, false, false) => "Mention some of them, but check none anywhere:",
            // An initial state may be checked all the same.
            (Place::Transition, true, true) => "Mentions it, but checks it after no transition:",
            (Place::Transition, true, false) => "Mention it, but check it after no transition:",
            (Place::Transition, false, true) => {
                "Mentions some of them, but checks none after any transition:"
            }
            (Place::Transition, false, false) => "Mention some of them, but check none after any transition:",
        }
    }

    fn superfluous(&self, row: &Row, covering: usize, redundant: &[String]) -> String {
        let mut text = String::new();
        let what = if row.observed.is_some() { "cover" } else { "cover, of any signal" };
        match redundant {
            [] => return text,
            [_] => text.push_str(&list(&format!("Adds nothing to what the others {what}:"), redundant)),
            _ => text.push_str(&list(
                &format!("Each of these adds nothing to what the others {what}:"),
                redundant,
            )),
        }
        if let Some((properties, is_smallest)) = &row.smallest
            && !properties.is_empty()
            && properties.len() < covering
        {
            let names: Vec<String> =
                properties.iter().map(|id| self.verdicts.system().property(*id).name.clone()).collect();
            let kind = if *is_smallest { "A smallest set" } else { "A small set" };
            text.push_str(&list(&format!("{kind} that covers as much:"), &names));
        }
        text
    }

    fn statistics(&self, palette: Palette) -> String {
        let stats = self.stats_document();
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        let proof = stats.proof_seconds;
        table.row(vec!["proof seconds".into(), format!("{proof:.2}").into()]);
        for (what, seconds) in [
            ("coverage seconds", self.times.coverage),
            ("seconds for holes and runs", self.times.holes),
            ("seconds for checking state by state", self.times.evidence),
        ] {
            table.row(vec![what.into(), format!("{seconds:.2}").into()]);
        }
        if proof > 0.0 {
            table.row(vec!["coverage / proof".into(), format!("{:.2}x", self.times.coverage / proof).into()]);
        }
        if let Some(took) = &self.stats {
            for (what, count) in [
                ("bdd, variables", took.variables.to_string()),
                ("bdd, nodes", took.nodes.to_string()),
                ("bdd, most nodes", took.peak_nodes.to_string()),
                ("bdd, reorderings", took.reorderings.to_string()),
            ] {
                table.row(vec![what.into(), count.into()]);
            }
        }
        format!("\nStatistics:\n{}", table.render("  ", palette))
    }

    fn last_line(&self, proved: usize, palette: Palette) -> String {
        let last = self.rows.last().map(|(row, _)| row);
        let line = match (&self.counts, last) {
            (Ok(counts), Some(row)) if proved > 0 && counts.total > UBig::ZERO => self.verdict_on(row),
            _ => "coverage: not measured".to_owned(),
        };
        format!("\n{} ({:.2} seconds)\n", palette.paint(Tone::Strong, &line), self.verdicts.seconds)
    }

    fn verdict_on(&self, last: &Row) -> String {
        if let Some((row, threshold)) = self.below_threshold() {
            let share = row.share.as_ref().ok().and_then(|share| share.text_beside(threshold));
            let share = share.unwrap_or_else(|| UNKNOWN.to_owned());
            return format!("coverage of {}: {share}, below {threshold} %", name(row));
        }
        let together = share_text(last);
        let reached = self.threshold.map(|threshold| format!(", at least {threshold} %")).unwrap_or_default();
        if self.rows.len() == 1 {
            return format!("coverage of {}: {together}{reached}", name(last));
        }
        let of_signals = self.extremes();
        let (of_each, of_all) = if self.is_named { (reached.as_str(), "") } else { ("", reached.as_str()) };
        match of_signals == together {
            true => format!("coverage: {together}{reached}"),
            false => format!("coverage: {of_signals}{of_each}; {TOGETHER} {together}{of_all}"),
        }
    }

    /// From the signal of which least is certainly covered to the one of which most may be.
    fn extremes(&self) -> String {
        let signals = || self.rows.iter().map(|(row, _)| row).filter(|row| row.observed.is_some());
        if let Some(unknown) = signals().find(|row| row.share.is_err()) {
            return format!("{UNKNOWN} ({})", name(unknown));
        }
        let known = || signals().filter_map(|row| row.share.as_ref().ok().map(|share| (row, share)));
        let worst = known().min_by(|(_, one), (_, other)| one.low.cmp(&other.low));
        let best = known().max_by(|(_, one), (_, other)| one.high.cmp(&other.high));
        let (Some((row, worst)), Some((_, best))) = (worst, best) else { return UNKNOWN.to_owned() };
        let [from, to] = [&worst.low, &best.high].map(|count| {
            let share = Share { low: count.clone(), high: count.clone(), total: worst.total.clone() };
            share.text().unwrap_or_default()
        });
        if from == to { to } else { format!("{from} ({}) to {to}", name(row)) }
    }
}

/// How much of a row is covered.
fn share_text(row: &Row) -> String {
    let text = row.share.as_ref().ok().and_then(Share::text);
    text.unwrap_or_else(|| UNKNOWN.to_owned())
}

/// That nothing is covered because nothing was measured, if that is so.
fn unmeasured(row: &Row) -> &'static str {
    let is_related = row.parts.iter().any(|part| !matches!(part.standing, Standing::Unrelated));
    match (is_related && !row.is_measured(), row.observed.is_some()) {
        (false, _) => "",
        (true, true) => "; none of the properties that mention it was measured",
        (true, false) => "; none of the properties that mention them was measured",
    }
}

/// A title and names, with commas between them.
fn list(title: &str, names: &[String]) -> String {
    let commas = names.iter().enumerate().map(|(at, name)| match at + 1 < names.len() {
        true => format!("{name},"),
        false => name.clone(),
    });
    wrapped(title.split(' ').map(str::to_owned).chain(commas), "  ", WIDTH)
}

/// What a row is called.
fn name(row: &Row) -> &str {
    row.observed.as_ref().map_or(TOGETHER, |observed| observed.name.as_str())
}

/// The first line of a reason.
pub(crate) fn one_line(reason: &UnknownReason) -> String {
    reason.to_string().lines().next().unwrap_or_default().to_owned()
}
