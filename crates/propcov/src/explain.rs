//! `propcov explain`: why one element is covered or not, with runs to look at. [`Design::explain_with`] is the list of steps.

use crate::cover::effects::{self, Mutation};
use crate::cover::run::{self, Measure};
use crate::cover::scene::{self, Scene, until};
use crate::cover::{CoverOptions, elements, holes, metric};
use crate::files::{WriteError, write_atomically};
use crate::read::unknown_name;
use crate::{Control, Design, Error, waveform};
use propcov_coverage::difference::Answer;
use propcov_coverage::mutation::record::{Hole, Runs};
use propcov_coverage::mutation::{Killing, killing};
use propcov_engine::Limits;
use propcov_ir::{ElementId, Finding, Mutant, PropertyId, System, printable};
use propcov_result::{Note, NoteKind, RunResult};
use propcov_verify::{Outcome, record};
use std::io;
use std::path::{Path, PathBuf};

/// What is asked of `explain`.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// The name of the element, or of an output that it drives.
    pub element: String,
    /// How it is measured. Which metrics and elements are asked for does not matter.
    pub cover: CoverOptions,
    /// Where the runs that are shown are written as a waveform, VCD or by its ending FST; for several edits, to one file each.
    pub vcd: Option<PathBuf>,
}

impl Design {
    /// Finds out which edits of an element the properties notice, with a run for each.
    pub fn explain(&self, options: &ExplainOptions) -> Result<RunResult, Error> {
        self.explain_with(options, &Control::default())
    }

    /// The same, for those who want to stop or watch it.
    pub fn explain_with(&self, options: &ExplainOptions, control: &Control<'_>) -> Result<RunResult, Error> {
        let mut result = self.result("explain", options.cover.seed, control);
        result.notes.extend(self.warnings_of_measuring());
        result.run.metrics = vec![propcov_coverage::mutation::record::METRIC.to_owned()];
        let selected = self.select_assertions(&options.cover.properties)?;
        let metrics: Vec<_> = metric(propcov_coverage::mutation::record::METRIC).into_iter().collect();
        let properties = scene::invariants(self.system(), &selected, "mutation", &mut result.notes)?;
        scene::set(self, &options.cover, &metrics, &properties, control, |scene, measurable, earlier| {
            let system = scene.system;
            let element = find(system, &options.element)?;
            if !system.names_of(element).any(|name| name == options.element) {
                let (output, name) = (printable(&options.element), printable(&system.element(element).name));
                note(&mut result, format!("the output {output} is driven by {name}"));
            }
            let mutants = elements::mutants(system, &[element], &options.cover.mutation.edits);
            let mutation = Mutation::new(scene, mutants)?;
            let explaining = Explaining { scene, mutation, vcd: options.vcd.as_deref() };
            run::prove(scene, measurable, earlier, vec![Box::new(explaining)], &mut result);
            result.climb();
            result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
            result.run.directory = scene.keeper.path().map(|path| path.display().to_string());
            result.notes.extend(scene.keeper.take_notes());
            Ok(())
        })?;
        Ok(result)
    }
}

/// The mutants of one element, on their way to runs that are shown.
struct Explaining<'a, 's> {
    scene: &'a Scene<'a, 's>,
    mutation: Mutation<'a, 's>,
    vcd: Option<&'a Path>,
}

impl Measure for Explaining<'_, '_> {
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        self.mutation.work(outcomes, limits);
    }

    fn finish(self: Box<Self>, result: &mut RunResult) {
        let Explaining { scene, mutation, vcd } = *self;
        let (mutated, mut holes) = mutation.classified(true, 0, &result.dead_elements());
        let findings: Vec<&Finding> = mutated.findings.iter().collect();
        let limits = until(scene.limits(), mutated.deadline);
        let shown =
            |mutant: &Mutant| killing(scene.system, *mutant, &findings, &limits, &scene.control.panics);
        let killings: Vec<Killing> = mutated.mutants.iter().filter_map(shown).collect();
        if let Some(path) = vcd {
            let several = mutated.mutants.len() > 1;
            let waveforms =
                waveforms(scene.system, &mutated.properties, &mut holes, &killings, path, several);
            if waveforms.is_empty() {
                note(result, "there is no run to show, so no waveform was written".to_owned());
            }
            for (path, bytes) in waveforms {
                if let Err(error) = bytes.and_then(|bytes| write_atomically(&path, &bytes)) {
                    result.notes.push(WriteError { path, error }.note());
                } else {
                    result.run.files.push(path.display().to_string());
                }
            }
        }
        effects::record(scene, &mutated, &holes, &killings, Runs::Holes, result);
        result.run.stop = result.run.stop.or_else(|| effects::cut_short(&holes));
    }
}

fn note(result: &mut RunResult, text: String) {
    result.notes.push(Note { kind: NoteKind::Note, text, place: None });
}

/// The element with a name, or that drives the output of this name.
fn find(system: &System, name: &str) -> Result<ElementId, Error> {
    let found = system.element_named(name).or_else(|| system.element_driving(name));
    let is_mutable = |element: &ElementId| !system.mutants_of(*element).is_empty();
    match found {
        Some(element) if is_mutable(&element) => Ok(element),
        Some(element) => Err(elements::not_mutable(system.element(element))),
        None => {
            let mutable = system.element_ids().filter(is_mutable);
            let names: Vec<&str> = mutable.map(|element| system.element(element).name.as_str()).collect();
            let word = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(word, _)| word);
            Err(match word {
                Some(word) if names.contains(&word) => Error::Usage(format!(
                    "no element is called `{name}`; the bits of {word} are there with --bits"
                )),
                _ => unknown_name("element", "elements", name, &names),
            })
        }
    }
}

/// One file for each mutant that has something to show.
fn waveforms(
    system: &System,
    properties: &[PropertyId],
    holes: &mut [Hole],
    killings: &[Killing],
    path: &Path,
    several: bool,
) -> Vec<(PathBuf, io::Result<Vec<u8>>)> {
    let mut waveforms = Vec::new();
    for killing in killings {
        let kind = waveform::Kind::of(path);
        waveforms.push((named(path, killing.mutant, several), killing_waveform(system, killing, kind)));
    }
    for hole in holes {
        if let Answer::Differs { difference, .. } = &hole.answer {
            let path = named(path, hole.mutant, several);
            let bytes =
                holes::waveform(system, properties, hole.mutant, difference, waveform::Kind::of(&path));
            hole.waveform = Some(path.display().to_string());
            waveforms.push((path, bytes));
        }
    }
    waveforms
}

fn killing_waveform(system: &System, killing: &Killing, kind: waveform::Kind) -> io::Result<Vec<u8>> {
    let comment = format!(
        "{} of {}: {} fails in the last step",
        killing.mutant.mutation.name(),
        system.element(killing.mutant.element).name,
        system.property(killing.property).name,
    );
    let edits = killing.mutant.edits(system);
    let run = waveform::Run { scope: "mutant", edits: &edits, trace: &killing.trace };
    waveform::runs(system, &[killing.property], &[killing.mutant.element], &comment, &[run], kind)
}

/// `FILE`, or with several edits `FILE-zero.vcd` and so on.
fn named(path: &Path, mutant: Mutant, several: bool) -> PathBuf {
    if !several {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{}{ending}", mutant.mutation.name()))
}
