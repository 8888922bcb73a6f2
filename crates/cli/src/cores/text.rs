//! What `propcov cores` prints for people, after the cores themselves: what is known of each property, the matrix, and what to look at.

use crate::cores::listen::TOGETHER;
use crate::cores::study::{Study, is_good, is_stray};
use crate::cores::words::{goal_words, names, titled};
use crate::cover::text::{WIDTH, plural};
use crate::table::{Align, Palette, Table, Tone};
use propcov_coverage::cores::{
    Algorithm, Core, DepthCore, Found, Goal, Holds, Minimality, Options, Parts, PropertyCores,
};
use propcov_ir::{ElementSet, PropertyId};
use propcov_report::terminal::Style;
use propcov_report::text::MatrixOptions;
use propcov_report::{Traceability, remarks, text};

/// The most unused elements that are named.
const UNUSED: usize = 100;

/// The most elements that a matrix on the terminal has as rows.
const ROWS: usize = 200;

/// What is said of large designs.
const WHOLE: &str = "\nThe whole matrix: --matrix FILE writes it as .csv, .xlsx, .json or .txt.\n";

impl Study<'_> {
    /// What is said before the first core.
    pub(crate) fn opening(subject: &crate::cores::prepare::Subject, options: &Options) -> String {
        let total = subject.system().elements().len();
        let asked = subject.universe.len();
        let of = if asked == total { String::new() } else { format!(" of {total}") };
        let bound = options.depth.map(|depth| format!(", up to depth {depth}")).unwrap_or_default();
        let elements = match (of.is_empty(), asked) {
            (true, 1) => "1 element is in question".to_owned(),
            (false, 1) => format!("1{of} elements is in question"),
            _ => format!("{asked}{of} elements are in question"),
        };
        if subject.properties.is_empty() {
            return String::new();
        }
        let has_assumptions = subject.input.design.system.elements().len() > asked;
        let hint = match (asked, has_assumptions) {
            (0, true) => {
                "Nothing can be left out, so cores are empty. --assumptions asks about assumptions as well.\n"
            }
            (0, false) => "Nothing can be left out, so cores are empty.\n",
            _ => "",
        };
        format!("Looking for {}{bound}: {elements}.\n{hint}", goal_words(options.goal))
    }

    /// The text after the cores.
    pub(crate) fn text(&mut self, matrix: &Traceability, with_stats: bool, palette: Palette) -> String {
        let mut text = self.unheard();
        if !self.verdicts.outcomes.is_empty() {
            let gap = if self.heard.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{}", self.verdicts.verdict_table(palette)));
        }
        text.push_str(&self.verdicts.traces(palette, None));
        for cores in &self.analysis.properties {
            text.push_str(&self.property(cores, palette));
        }
        if let Some(found) = &self.analysis.together {
            let status = self.status(TOGETHER, found, self.is_answered(found), palette);
            text.push_str(&format!("\n{status}{}", self.facts(found)));
        }
        text.push_str(&self.matrix(matrix, palette));
        text.push_str(&remark_text(matrix, palette));
        if with_stats {
            text.push_str(&self.statistics(palette));
        }
        text.push_str(&self.last_line(palette));
        text
    }

    /// Cores that nobody has heard of yet.
    fn unheard(&mut self) -> String {
        let system = self.subject.system();
        let heard = &mut self.heard;
        let of_properties = self.analysis.properties.iter().map(|cores| (Some(cores.property), &cores.found));
        let together = self.analysis.together.iter().map(|found| (None, found));
        let all: Vec<(Option<PropertyId>, &Core)> = of_properties
            .chain(together)
            .flat_map(|(property, found)| found.cores.iter().map(move |core| (property, core)))
            .collect();
        all.into_iter().map(|(property, core)| heard.note(system, property, core)).collect()
    }

    fn property(&self, cores: &PropertyCores, palette: Palette) -> String {
        let name = &self.subject.system().property(cores.property).name;
        match cores.holds() {
            Holds::No(_) if is_stray(self.subject, cores.property) => {
                let violated = palette.paint(Tone::Doubtful, "a run violates it");
                return format!(
                    "\n{name}: {violated}, so there is no proof of an invariant to have a core.\n"
                );
            }
            Holds::No(_) => {
                let failed = palette.paint(Tone::Bad, "it FAILS");
                return format!("\n{name}: {failed}, so there is no proof to have a core.\n");
            }
            Holds::Unknown(_) => {
                let unknown = palette.paint(Tone::Doubtful, "unknown");
                return format!("\n{name}: {unknown} whether it holds, so no cores were looked for.\n");
            }
            Holds::Yes { .. } | Holds::UpTo(_) => {}
        }
        let is_answered = self.is_property_answered(cores);
        let status = self.status(name, &cores.found, is_answered, palette);
        format!("\n{status}{}{}", self.facts(&cores.found), self.by_depth(&cores.by_depth))
    }

    /// How many cores there are, and whether that is all.
    fn status(&self, name: &str, found: &Found, is_answered: bool, palette: Palette) -> String {
        let minimal = found.cores.iter().filter(|core| core.minimal == Minimality::Minimal).count();
        let others = found.cores.len() - minimal;
        let mut count = plural(minimal, "minimal core", "minimal cores");
        match (minimal, others) {
            (_, 0) => {}
            (0, others) => count = plural(others, "core", "cores"),
            (_, others) => {
                count.push_str(&format!(
                    " and {}",
                    plural(others, "that may be larger", "that may be larger")
                ));
            }
        }
        let is_by_depth = self.options.algorithm == Some(Algorithm::Bvc);
        let completeness = match (is_answered, found.complete) {
            (true, _) if is_by_depth => "for each depth; there may be others".to_owned(),
            (_, true) => palette.paint(Tone::Good, "complete: there is no other"),
            (false, _) => palette.paint(Tone::Bad, &format!("INCOMPLETE: {}", self.shortfall(found))),
            (true, false) => "there may be others".to_owned(),
        };
        let name = palette.paint(Tone::Strong, name);
        let bound = self.options.depth.map(|depth| format!(" up to depth {depth}")).unwrap_or_default();
        // Nobody looked for cores.
        if found.cores.is_empty() && self.options.goal == Goal::Must {
            let known = if is_answered { "MUST elements are known" } else { &completeness };
            return format!("{name}{bound}: {known}\n");
        }
        format!("{name}{bound}: {count}, {completeness}\n")
    }

    /// The sets that follow.
    fn facts(&self, found: &Found) -> String {
        if found.complete && found.cores.len() == 1 {
            return "  MUST and MAY elements are those of this core, and it is the smallest.\n".to_owned();
        }
        let mut text = String::new();
        text.push_str(&self.parts("MUST, in every core", found.must.as_ref()));
        text.push_str(&self.parts("MAY, in some minimal core", found.may.as_ref()));
        match &found.minimum {
            Some(minimum) => text.push_str(&self.listed("minimum, none is smaller", minimum)),
            None if self.options.goal == Goal::Minimum => {
                let least = plural(found.at_least, "element", "elements");
                text.push_str(&format!("  minimum: not known; every core has at least {least}\n"));
            }
            None => {}
        }
        text
    }

    fn parts(&self, title: &str, parts: Option<&Parts>) -> String {
        let Some(parts) = parts else { return String::new() };
        let sure = self.listed(title, &parts.sure);
        match parts.unknown.is_empty() {
            true => sure,
            false => format!("{sure}{}", self.listed_below("UNKNOWN whether also", &parts.unknown)),
        }
    }

    fn listed(&self, title: &str, elements: &ElementSet) -> String {
        let names = names(self.subject.system(), elements);
        titled(&format!("{title} ({}):", names.len()), &names, "  ")
    }

    /// What belongs to the list before it.
    fn listed_below(&self, title: &str, elements: &ElementSet) -> String {
        let names = names(self.subject.system(), elements);
        titled(&format!("{title} ({}):", names.len()), &names, "    ")
    }

    /// The core of each depth; depths with the same cores are one line.
    fn by_depth(&self, all: &[DepthCore]) -> String {
        let is_same = |one: &DepthCore, other: &DepthCore| {
            one.up_to.elements == other.up_to.elements && one.at.elements == other.at.elements
        };
        let line = |group: &[DepthCore]| match group {
            [] => String::new(),
            [only] => self.at_depth(&format!("depth {}", only.depth), only),
            [first, .., last] => {
                self.at_depth(&format!("each depth from {} to {}", first.depth, last.depth), first)
            }
        };
        all.chunk_by(is_same).map(line).collect()
    }

    fn at_depth(&self, depth: &str, at: &DepthCore) -> String {
        let up_to = self.listed(&format!("{depth}, all steps up to it"), &at.up_to.elements);
        match at.up_to.elements == at.at.elements {
            true => up_to,
            false => format!("{up_to}{}", self.listed_below("that step alone", &at.at.elements)),
        }
    }

    /// The matrix, where there is something to see in it.
    fn matrix(&self, matrix: &Traceability, palette: Palette) -> String {
        if !self.analysis.properties.iter().any(|cores| is_good(&cores.holds())) || matrix.elements.is_empty()
        {
            return String::new();
        }
        let title = palette.paint(Tone::Strong, "Which property rests on which element:");
        let options = MatrixOptions { unused: UNUSED, rows: ROWS, ..MatrixOptions::default() };
        let style = Style { width: WIDTH, colour: false };
        let hint = if matrix.elements.len() > UNUSED.min(ROWS) { WHOLE } else { "" };
        format!("\n{title}\n{}{hint}", text::matrix(matrix, &options, &style))
    }

    /// What it took.
    pub(crate) fn statistics(&self, palette: Palette) -> String {
        let stats = self.stats_document();
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        let mut row = |what: String, value: String| table.row(vec![what.into(), value.into()]);
        row("seconds of proofs".to_owned(), format!("{:.3}", stats.proof_seconds));
        row("seconds of cores".to_owned(), format!("{:.3}", stats.cores_seconds.unwrap_or(0.0)));
        row("seconds of certification".to_owned(), format!("{:.3}", stats.certify_seconds.unwrap_or(0.0)));
        for (what, count) in stats.decided_by {
            row(what, count.to_string());
        }
        for (cause, calls) in stats.solver_calls {
            row(format!("solver calls, {cause}"), calls.to_string());
        }
        row("solver ticks".to_owned(), self.verdicts.total_stats().ticks.to_string());
        format!("\nStatistics:\n{}", table.render("  ", palette))
    }

    /// How many properties have no cores, and why; so many hold.
    fn others(&self, good: usize) -> String {
        let is_refuted = |cores: &&PropertyCores| {
            matches!(cores.holds(), Holds::No(_)) && !is_stray(self.subject, cores.property)
        };
        let failed = self.analysis.properties.iter().filter(is_refuted).count();
        let unknown = self.verdicts.outcomes.len().saturating_sub(good + failed);
        match (failed, unknown) {
            (0, 0) => String::new(),
            (failed, 0) => format!("; {failed} failed"),
            (0, unknown) => format!("; {unknown} unknown"),
            (failed, unknown) => format!("; {failed} failed, {unknown} unknown"),
        }
    }

    fn last_line(&self, palette: Palette) -> String {
        let good = self.analysis.properties.iter().filter(|cores| is_good(&cores.holds()));
        let (good, answered) = good.fold((0, 0), |(good, answered), cores| {
            (good + 1, answered + usize::from(self.is_property_answered(cores)))
        });
        let all = plural(self.verdicts.outcomes.len(), "property", "properties");
        let bounded = match (self.options.depth, good) {
            (None, _) => "proved",
            (Some(_), 1) => "holds up to the depth",
            (Some(_), _) => "hold up to the depth",
        };
        let vacuous = self.analysis.properties.iter().filter(|cores| self.is_vacuous(cores)).count();
        let vacuous = if vacuous == 0 { String::new() } else { format!(" ({vacuous} vacuous)") };
        let line = match good - answered {
            0 if good == 0 => format!("{all}: 0 {bounded}, no cores"),
            0 => format!("{all}: {good} {bounded}{vacuous}, cores as asked for"),
            open => format!("{all}: {good} {bounded}{vacuous}, cores INCOMPLETE for {open}"),
        };
        let line = format!("{line}{}", self.others(good));
        format!("\n{} ({:.2} seconds)\n", palette.paint(Tone::Strong, &line), self.verdicts.seconds)
    }
}

/// What to look at.
fn remark_text(matrix: &Traceability, palette: Palette) -> String {
    // What is unused is listed below the matrix.
    let said = usize::from(!matrix.unused().is_empty());
    let remarks: Vec<String> = remarks::remarks(matrix).into_iter().skip(said).collect();
    if remarks.is_empty() {
        return String::new();
    }
    let title = palette.paint(Tone::Strong, "Worth a look:");
    let words = |remark: &String| {
        let words = remark.split_whitespace().map(str::to_owned);
        crate::table::wrapped(words, "  ", WIDTH)
    };
    format!("\n{title}\n{}", remarks.iter().map(words).collect::<String>())
}
