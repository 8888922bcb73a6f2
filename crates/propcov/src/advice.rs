//! `--advice FILE`: lemmas of earlier runs, which are checked again before they count, and those of this run for the next one.

use crate::Error;
use crate::files::{WriteError, write_atomically};
use propcov_ir::{Invariant, Proof, PropertyId, System};
use propcov_result::{Note, NoteKind, RunResult};
use propcov_store::Advice;
use propcov_verify::{EngineChoice, Known, Recall, Verdicts, Verifier};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The engine that is named where the lemmas of an earlier run were all that a proof needed.
const ADVICE: &str = "advice";

/// Lemmas from a file.
pub(crate) struct AdviceFile {
    path: PathBuf,
    advice: Advice,
}

impl AdviceFile {
    /// Reads a file; one that does not exist has no lemmas.
    pub(crate) fn open(path: &Path, system: &System) -> Result<AdviceFile, Error> {
        let advice = match std::fs::read(path) {
            Ok(bytes) => {
                Advice::parse(path, &bytes, system).map_err(|error| Error::Usage(error.to_string()))?
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Advice::default(),
            Err(error) => {
                return Err(Error::Read { path: path.display().to_string(), error });
            }
        };
        Ok(AdviceFile { path: path.to_owned(), advice })
    }

    /// All lemmas, for an engine that can tell which of them hold.
    pub(crate) fn lemmas(&self) -> &Invariant {
        self.advice.invariant()
    }

    /// The proofs that the lemmas make. Where properties are decided together, lemmas are checked one by one; elsewhere the
    /// proof is, as a whole.
    pub(crate) fn known(&self, verifier: &Verifier<'_>, properties: &[PropertyId]) -> Vec<Known> {
        if !matches!(verifier.options().engine, EngineChoice::Portfolio) {
            return Vec::new();
        }
        let known = |property: &PropertyId| {
            let (proof, _) = self.proof(verifier.system(), *property)?;
            let (depth, proof) = (Some(proof.k), Arc::new(proof));
            Some(Known { property: *property, proof, engine: Some(ADVICE), depth, seconds: None })
        };
        let (_, single) = verifier.split_joint(properties);
        single.iter().filter_map(known).collect()
    }

    fn proof(&self, system: &System, property: PropertyId) -> Option<(Proof, Vec<usize>)> {
        self.advice.proof(system, &system.property(property).name)
    }

    /// Stores what is known to hold in the file: lemmas of this run's proofs, and those of earlier ones that were found to hold or
    /// were not checked.
    pub(crate) fn update(
        mut self,
        design: &str,
        system: &System,
        decided: &Verdicts,
        result: &mut RunResult,
    ) {
        let (mut checked, mut holding) = (BTreeSet::new(), BTreeSet::<usize>::new());
        if let Some(positions) = &decided.holding {
            checked.extend(0..self.lemmas().lemmas.len());
            holding.extend(positions);
        }
        for outcome in &decided.outcomes {
            if outcome.recall == Some(Recall::Accepted)
                && let Some((_, positions)) = self.proof(system, outcome.property)
            {
                checked.extend(&positions);
                holding.extend(&positions);
            }
        }
        let count = self.advice.invariant().lemmas.len();
        let foreign = self.advice.foreign();
        let kept = (0..count).filter(|lemma| holding.contains(lemma) || !checked.contains(lemma)).collect();
        self.advice.keep_only(&kept);
        for outcome in &decided.outcomes {
            if let (Some(proof), Some(good)) = (outcome.answer.proof(), system.invariant(outcome.property))
                && !proof.simple_path
            {
                self.advice.learn(system, &system.property(outcome.property).name, good, proof);
            }
        }
        let text = self.advice.print(design).map_err(io::Error::other);
        let written = text.and_then(|text| write_atomically(&self.path, text.as_bytes()));
        let path = self.path.display().to_string();
        if foreign > 0 {
            let lemmas = if foreign == 1 { "1 lemma is" } else { &format!("{foreign} lemmas are") };
            let text = format!("{path}: {lemmas} about signals that the design does not have");
            result.notes.push(Note { kind: NoteKind::Note, text, place: None });
        }
        let stored = if written.is_ok() { self.advice.invariant().lemmas.len() + foreign } else { 0 };
        let (holding, dropped) = (holding.len(), count - kept.len());
        result.advice =
            Some(propcov_result::Advice { path, read: count + foreign, foreign, holding, dropped, stored });
        result.notes.extend(written.err().map(|error| WriteError { path: self.path, error }.note()));
    }
}
