//! Evidence as files that other tools can check: `--certificate DIR`.

use crate::files::{Stems, WriteError, write_atomically};
use crate::waveform;
use propcov_certify::refute_bound;
use propcov_engine::Limits;
use propcov_frontend::{Design, EvidenceFile};
use propcov_ir::{
    Demonstration, Edits, Finding, Invariant, Lasso, LivenessProof, Mutant, Proof, PropertyId, Reduction,
    Status, System, Trace,
};
use propcov_result::{Note, NoteKind, RunResult};
use propcov_verify::Outcome;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A directory for evidence.
pub(crate) struct Directory {
    path: PathBuf,
}

impl Directory {
    /// The directory, made if need be.
    pub(crate) fn create(path: &Path) -> Result<Directory, WriteError> {
        match std::fs::create_dir_all(path) {
            Ok(()) => Ok(Directory { path: path.to_owned() }),
            Err(error) => Err(WriteError { path: path.to_owned(), error }),
        }
    }

    /// Writes the evidence for all verdicts, as far as it is still to be made within limits.
    pub(crate) fn write_all(
        &self,
        design: &Design,
        outcomes: &[Outcome],
        limits: &Limits,
        result: &mut RunResult,
    ) {
        let mut stems = Stems::default();
        for outcome in outcomes {
            let stem = stems.stem(&design.system.property(outcome.property).name);
            let mut evidence =
                Evidence { design, property: outcome.property, files: Vec::new(), notes: Vec::new() };
            if let Some(proof) = outcome.answer.proof() {
                evidence.proof(proof);
            }
            if let Some(trace) = outcome.answer.trace() {
                evidence.counterexample(trace);
            }
            if let Some(shown) = outcome.answer.demonstration() {
                evidence.demonstration(shown, outcome.answer.is_falsified());
            }
            if let Some(proof) = outcome.answer.liveness_proof() {
                evidence.liveness(proof);
            }
            if let Some(lasso) = outcome.answer.lasso() {
                evidence.lasso(lasso);
            }
            if let Some(bound) = outcome.answer.bound().filter(|_| outcome.certified) {
                evidence.bounded(&design.system, &[], bound, limits);
            }
            self.write(&stem, evidence, result);
        }
    }

    /// Writes why properties hold up to a bound on mutants, one formula and refutation for each property.
    pub(crate) fn write_bounded(
        &self,
        design: &Design,
        system: &System,
        findings: &[Finding],
        limits: &Limits,
        result: &mut RunResult,
    ) {
        let mut bounded: BTreeMap<PropertyId, (u32, Vec<Mutant>)> = BTreeMap::new();
        for finding in findings {
            if let Status::Bounded(bound) = finding.status {
                bounded.entry(finding.property).or_insert((bound, Vec::new())).1.push(finding.mutant);
            }
        }
        let mut stems = Stems::default();
        for (property, (bound, mutants)) in bounded {
            let stem = stems.stem(&system.property(property).name);
            let mut evidence = Evidence { design, property, files: Vec::new(), notes: Vec::new() };
            evidence.bounded(system, &mutants, bound, limits);
            self.write(&stem, evidence, result);
        }
    }

    fn write(&self, stem: &str, evidence: Evidence<'_>, result: &mut RunResult) {
        for (ending, bytes) in evidence.files {
            let path = self.path.join(format!("{stem}{ending}"));
            match write_atomically(&path, &bytes) {
                Ok(()) => result.run.files.push(path.display().to_string()),
                Err(error) => result.notes.push(WriteError { path, error }.note()),
            }
        }
        let note = |text: String| Note { kind: NoteKind::Note, text, place: None };
        result.notes.extend(evidence.notes.into_iter().map(note));
    }
}

/// The files for one property, each as ending and contents.
struct Evidence<'d> {
    design: &'d Design,
    property: PropertyId,
    files: Vec<(&'static str, Vec<u8>)>,
    notes: Vec<String>,
}

impl Evidence<'_> {
    fn system(&self) -> &System {
        &self.design.system
    }

    fn name(&self) -> &str {
        &self.design.system.property(self.property).name
    }

    fn note(&mut self, what: &str, why: impl std::fmt::Display) {
        let name = self.name();
        self.notes.push(format!("no {what} for {name}: {why}"));
    }

    fn proof(&mut self, proof: &Proof) {
        let write = self.design.frontend.certificate;
        match write.map(|write| write(self.design, self.property, proof)) {
            Some(Ok(files)) => return files.into_iter().for_each(|file| self.push(file)),
            Some(Err(none)) => self.note(none.what, format!("{none}; its invariant is written instead")),
            None => {}
        }
        let text = invariant_text(self.system(), self.property, proof);
        self.files.push((".invariant.txt", text.into_bytes()));
    }

    /// A formula that says that some run of so many transitions violates the property, on one of the mutants if there are any, and a refutation of it.
    fn bounded(&mut self, system: &System, mutants: &[Mutant], bound: u32, limits: &Limits) {
        match refute_bound(system, self.property, mutants, bound, &propcov_verify::budget(limits)) {
            Ok(refuted) => {
                let mut formula = format!(
                    "c Is {} violated in a run of {bound} transitions? This formula says so. It is refuted beside it (LRAT).\n",
                    self.name()
                );
                for (mutant, variable) in &refuted.selectors {
                    let (name, edit) = (&system.element(mutant.element).name, mutant.mutation.name());
                    formula.push_str(&format!("c {variable} selects the mutant {edit} of {name}\n"));
                }
                formula.push_str(&refuted.formula);
                self.files.push((".cnf", formula.into_bytes()));
                self.files.push((".lrat", refuted.proof.into_bytes()));
            }
            Err(rejection) => self.note("refutation", rejection),
        }
    }

    fn push(&mut self, EvidenceFile { ending, bytes }: EvidenceFile) {
        self.files.push((ending, bytes));
    }

    fn counterexample(&mut self, trace: &Trace) {
        let write = self.design.frontend.witness;
        match write.map(|write| write(self.design, self.property, trace)) {
            Some(Ok(file)) => self.push(file),
            Some(Err(error)) => self.note("witness", error),
            None => {}
        }
        let is_cover = self.system().property(self.property).is_cover();
        let what = if is_cover { "run that reaches" } else { "counterexample to" };
        self.waveform(&format!("{what} {}; time is the step", self.name()), trace);
    }

    /// The main run only: what branches off it has no place in a waveform. A loop is gone through twice.
    fn demonstration(&mut self, shown: &Demonstration, fails: bool) {
        let what = if fails { "counterexample to" } else { "run that shows" };
        let mut comment = format!("{what} {}; time is the step", self.name());
        let mut steps = shown.steps.clone();
        if let Some(to) = shown.loop_to {
            let last = steps.len().saturating_sub(1);
            comment.push_str(&format!(
                "; after step {last} it goes on with step {to}, and so for ever: shown once more"
            ));
            steps.extend_from_slice(shown.steps.get(to..).unwrap_or_default());
        }
        self.waveform(&comment, &Trace { steps });
    }

    /// An infinite run. The loop is gone through twice.
    fn lasso(&mut self, lasso: &Lasso) {
        let (last, to) = (lasso.trace.steps.len().saturating_sub(1), lasso.loop_to);
        let comment = format!(
            "counterexample to {}; time is the step; after step {last} it goes on with step {to}, and so for ever: shown once more",
            self.name()
        );
        let mut steps = lasso.trace.steps.clone();
        steps.extend_from_slice(lasso.trace.steps.get(to..).unwrap_or_default());
        self.waveform(&comment, &Trace { steps });
    }

    /// A proof about a system that watches, in words.
    fn liveness(&mut self, proof: &LivenessProof) {
        let text = watching_text(self.system(), self.property, proof);
        self.files.push((".invariant.txt", text.into_bytes()));
    }

    fn waveform(&mut self, comment: &str, trace: &Trace) {
        match waveform::dump(self.system(), self.property, trace, comment) {
            Ok(bytes) => self.files.push((".vcd", bytes)),
            Err(error) => self.note("waveform", error),
        }
    }
}

/// A proof in words.
fn invariant_text(system: &System, property: PropertyId, proof: &Proof) -> String {
    let name = &system.property(property).name;
    let (lemmas, k) = (proof.invariant.lemmas.len(), proof.k);
    let mut text = format!("# Why {name} holds: together with these {lemmas} lemmas it is {k}-inductive");
    text.push_str(if proof.simple_path { " on paths of pairwise different states.\n" } else { ".\n" });
    for line in lemma_lines(system, &proof.invariant) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// A proof of a liveness property in words.
fn watching_text(system: &System, property: PropertyId, evidence: &LivenessProof) -> String {
    let name = &system.property(property).name;
    let why = match &evidence.reduction {
        Reduction::Rounds { bound } => {
            format!("no run meets all conditions of a violation more than {bound} times")
        }
        Reduction::Loop { .. } => {
            "no run comes back to where it was with all conditions of a violation met".to_owned()
        }
    };
    let proof = &evidence.proof;
    let mut text = format!(
        "# Why {name} holds: {why}.\n# Together with these {} lemmas, that is {}-inductive",
        proof.invariant.lemmas.len(),
        proof.k
    );
    text.push_str(if proof.simple_path { " on paths of pairwise different states.\n" } else { ".\n" });
    if let Ok(watch) = propcov_engine::liveness::Watch::new(system, property)
        && let Some(reduced) = watch.reduction(&Edits::none(), &evidence.reduction)
    {
        for line in lemma_lines(&reduced.system, &proof.invariant) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// The lemmas of a proof, each on one line.
pub fn lemma_lines(system: &System, invariant: &Invariant) -> Vec<String> {
    if invariant.lemmas.is_empty() {
        return Vec::new();
    }
    // Lemmas have expressions of their own over the signals of the system; printing asks a system for both.
    let mut view = system.clone();
    view.exprs = invariant.exprs.clone();
    invariant.lemmas.iter().map(|lemma| view.show(*lemma).to_string()).collect()
}
