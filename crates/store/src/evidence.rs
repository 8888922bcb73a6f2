//! Findings and their evidence as records, and back. What several findings share is one record.

use crate::error::Malformed;
use crate::hole::{self, Hole};
use crate::lemmas::Lemmas;
use crate::reader::Proved;
use crate::record::{self, Record};
use crate::rows::{self, Columns};
use propcov_ir::{
    ElementId, Finding, Kill, Mutant, Mutation, Proof, PropertyId, SignalKind, Status, Stimulus, System,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// All evidence of a file, by number.
pub(crate) struct Evidence<'s> {
    system: &'s System,
    lemmas: Lemmas<'s>,
    properties: FxHashMap<&'s str, PropertyId>,
    elements: FxHashMap<&'s str, ElementId>,
    /// Holding them keeps their addresses from being used for others.
    stimuli: Vec<Arc<Stimulus>>,
    proofs: Vec<Arc<Proof>>,
    numbers: FxHashMap<usize, usize>,
}

/// What a record says, besides evidence for later ones.
pub(crate) enum Statement {
    Proved(Proved),
    Finding(Finding),
    Hole(Hole),
}

impl<'s> Evidence<'s> {
    pub(crate) fn new(system: &'s System) -> Evidence<'s> {
        let properties = system.properties().iter().zip(0u32..);
        let elements = system.elements().iter().zip(0u32..);
        Evidence {
            system,
            lemmas: Lemmas::new(system),
            properties: properties.map(|(property, id)| (property.name.as_str(), PropertyId(id))).collect(),
            elements: elements.map(|(element, id)| (element.name.as_str(), ElementId(id))).collect(),
            stimuli: Vec::new(),
            proofs: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    pub(crate) fn system(&self) -> &'s System {
        self.system
    }

    /// The records that tell of a finding: new evidence first. None when it is undecided.
    pub(crate) fn write_finding(&mut self, finding: &Finding) -> Vec<Record> {
        let mut records = Vec::new();
        let mut record = record::Finding {
            property: self.system.property(finding.property).name.clone(),
            element: self.system.element(finding.mutant.element).name.clone(),
            edit: finding.mutant.mutation.name().to_owned(),
            verdict: finding.status.name().to_owned(),
            by: finding.by.to_string(),
            stimulus: None,
            steps: None,
            free: None,
            proof: None,
        };
        match &finding.status {
            Status::Unknown(_) => return records,
            Status::Covered(kill) => {
                record.stimulus = Some(self.write_stimulus(&kill.stimulus, &mut records));
                record.steps = Some(kill.steps);
                if let Some(sort) = self.system.mutable_sort(finding.mutant.element)
                    && finding.mutant.mutation == Mutation::Free
                {
                    record.free = Some(rows::sequence(sort, &kill.free));
                }
            }
            Status::Uncovered(proof) | Status::NoEffect(proof) => {
                record.proof = Some(self.write_proof(proof, &mut records));
            }
        }
        records.push(Record::Finding(record));
        records
    }

    /// The records that tell of a property that holds.
    pub(crate) fn write_proved(&mut self, proved: &Proved) -> Vec<Record> {
        let mut records = Vec::new();
        let proof = self.write_proof(&proved.proof, &mut records);
        records.push(Record::Proved(record::Proved {
            property: self.system.property(proved.property).name.clone(),
            proof,
            engine: proved.engine.clone(),
            depth: proved.depth,
            seconds: proved.seconds,
        }));
        records
    }

    fn write_stimulus(&mut self, stimulus: &Arc<Stimulus>, records: &mut Vec<Record>) -> usize {
        let address = Arc::as_ptr(stimulus).addr();
        if let Some(number) = self.numbers.get(&address) {
            return *number;
        }
        let id = self.stimuli.len();
        self.numbers.insert(address, id);
        self.stimuli.push(Arc::clone(stimulus));
        let (inputs, start, open) = (self.inputs(), self.without_init(), self.without_next());
        let choices = if open.is_empty() { &[] } else { stimulus.choices.as_slice() };
        records.push(Record::Stimulus(record::Stimulus {
            id,
            start: start.write(&stimulus.start),
            inputs: stimulus.inputs.iter().map(|values| inputs.write(values)).collect(),
            choices: choices.iter().map(|values| open.write(values)).collect(),
        }));
        id
    }

    fn write_proof(&mut self, proof: &Arc<Proof>, records: &mut Vec<Record>) -> usize {
        let address = Arc::as_ptr(proof).addr();
        if let Some(number) = self.numbers.get(&address) {
            return *number;
        }
        let id = self.proofs.len();
        self.numbers.insert(address, id);
        self.proofs.push(Arc::clone(proof));
        records.push(Record::Proof(self.lemmas.write(id, proof)));
        id
    }

    /// What a record says.
    pub(crate) fn read(&mut self, record: &Record) -> Result<Option<Statement>, Malformed> {
        match record {
            Record::Stimulus(record) => self.read_stimulus(record).map(|()| None),
            Record::Proof(record) => {
                expect_number("proof", record.id, self.proofs.len())?;
                let proof = Arc::new(self.lemmas.read(record)?);
                self.numbers.insert(Arc::as_ptr(&proof).addr(), record.id);
                self.proofs.push(proof);
                Ok(None)
            }
            Record::Proved(record) => Ok(Some(Statement::Proved(Proved {
                property: self.property(&record.property)?,
                proof: self.proof(Some(record.proof))?,
                engine: record.engine.clone(),
                depth: record.depth,
                seconds: record.seconds,
            }))),
            Record::Hole(record) => {
                let mutant = self.mutant(&record.element, &record.edit)?;
                hole::read(self.system, mutant, record).map(|hole| Some(Statement::Hole(hole)))
            }
            Record::Finding(record) => {
                self.read_finding(record).map(|finding| Some(Statement::Finding(finding)))
            }
        }
    }

    fn read_stimulus(&mut self, record: &record::Stimulus) -> Result<(), Malformed> {
        expect_number("stimulus", record.id, self.stimuli.len())?;
        let (inputs, start, open) = (self.inputs(), self.without_init(), self.without_next());
        let stimulus = Arc::new(Stimulus {
            start: start.read(&record.start)?,
            inputs: record.inputs.iter().map(|row| inputs.read(row)).collect::<Result<_, _>>()?,
            choices: record.choices.iter().map(|row| open.read(row)).collect::<Result<_, _>>()?,
        });
        self.numbers.insert(Arc::as_ptr(&stimulus).addr(), record.id);
        self.stimuli.push(stimulus);
        Ok(())
    }

    fn read_finding(&self, record: &record::Finding) -> Result<Finding, Malformed> {
        let mutant = self.mutant(&record.element, &record.edit)?;
        let status = match record.verdict.as_str() {
            "covered" => Status::Covered(Arc::new(self.read_kill(mutant, record)?)),
            "uncovered" => Status::Uncovered(self.proof(record.proof)?),
            "no-effect" => Status::NoEffect(self.proof(record.proof)?),
            other => return Err(Malformed::new(format!("`{other}` is no verdict"))),
        };
        let by = Cow::Owned(record.by.clone());
        Ok(Finding { property: self.property(&record.property)?, mutant, status, by })
    }

    fn read_kill(&self, mutant: Mutant, record: &record::Finding) -> Result<Kill, Malformed> {
        let stimulus = record.stimulus.and_then(|number| self.stimuli.get(number));
        let stimulus = stimulus.ok_or_else(|| Malformed::new("no stimulus has that number"))?;
        let steps = record.steps.filter(|steps| *steps <= stimulus.inputs.len());
        let steps = steps.ok_or_else(|| Malformed::new("the stimulus has fewer steps"))?;
        let free = match (&record.free, self.system.mutable_sort(mutant.element)) {
            (Some(row), Some(sort)) => rows::sequence_values(sort, row)?,
            _ => Vec::new(),
        };
        Ok(Kill { stimulus: Arc::clone(stimulus), steps, free })
    }

    /// The mutant with these names.
    pub(crate) fn mutant(&self, element: &str, edit: &str) -> Result<Mutant, Malformed> {
        let id = self.elements.get(element).copied();
        let id = id.ok_or_else(|| Malformed::new(format!("the design has no element `{element}`")))?;
        let mutants = self.system.mutants_of(id);
        let mutant = mutants.into_iter().find(|mutant| mutant.mutation.name() == edit);
        mutant.ok_or_else(|| Malformed::new(format!("`{edit}` of {element} has no meaning")))
    }

    fn property(&self, name: &str) -> Result<PropertyId, Malformed> {
        let property = self.properties.get(name).copied();
        property.ok_or_else(|| Malformed::new(format!("the design has no property `{name}`")))
    }

    fn proof(&self, number: Option<usize>) -> Result<Arc<Proof>, Malformed> {
        let proof = number.and_then(|number| self.proofs.get(number)).cloned();
        proof.ok_or_else(|| Malformed::new("no proof has that number"))
    }

    /// Where the evidence of a finding is.
    pub(crate) fn reference(&self, finding: &Finding) -> Option<String> {
        let (what, address) = match &finding.status {
            Status::Unknown(_) => return None,
            Status::Covered(kill) => ("stimulus", Arc::as_ptr(&kill.stimulus).addr()),
            Status::Uncovered(proof) | Status::NoEffect(proof) => ("proof", Arc::as_ptr(proof).addr()),
        };
        self.numbers.get(&address).map(|number| format!("{what} {number}"))
    }

    fn inputs(&self) -> Columns {
        Columns::new(self.system, self.system.inputs(), |_| true)
    }

    fn without_init(&self) -> Columns {
        Columns::new(self.system, self.system.states(), |kind| {
            matches!(kind, SignalKind::State { init: None, .. })
        })
    }

    fn without_next(&self) -> Columns {
        Columns::new(self.system, self.system.states(), |kind| {
            matches!(kind, SignalKind::State { next: None, .. })
        })
    }
}

fn expect_number(what: &str, found: usize, expected: usize) -> Result<(), Malformed> {
    if found == expected {
        return Ok(());
    }
    Err(Malformed::new(format!("{what} {found} where {what} {expected} is expected")))
}
