//! A design with random inputs for it, and what it does here.

use super::tools;
use crate::common::Random;
use propcov_ir::{Bits, Edits, Interpreter, Sort, Step, System, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// How many sequences of inputs, and how many steps each.
pub(super) const SEQUENCES: usize = 200;
pub(super) const STEPS: usize = 12;

/// One value for each input of the design, by name.
pub(super) type Inputs = BTreeMap<String, Bits>;

/// Values of all outputs, by sequence and step.
pub(super) type Shown = Vec<Vec<Vec<String>>>;

/// Ports of the design, as widths by name.
pub(super) struct Ports {
    pub(super) inputs: BTreeMap<String, u32>,
    pub(super) outputs: Vec<(String, u32)>,
    /// Whether there is a clock that is no signal here.
    pub(super) has_clock: bool,
}

pub(super) fn ports(system: &System, text: &str) -> Ports {
    let width = |sort: &Sort| sort.width().unwrap();
    // Bits of signals that nobody drives are inputs of the system, and no ports.
    let inputs = system.user_inputs().map(|id| system.signal(id));
    let inputs = inputs.filter(|signal| !signal.name.contains(['[', '.', '$', '@']));
    let inputs: BTreeMap<String, u32> =
        inputs.map(|signal| (signal.name.clone(), width(&signal.sort))).collect();
    let outputs = system.outputs.iter();
    let outputs =
        outputs.map(|output| (output.name.clone(), width(system.exprs.sort(output.expr)))).collect();
    let top = text.find("module dut").map_or(text, |at| &text[at..]);
    let has_clock = !inputs.contains_key("clk") && top.contains("input logic clk");
    Ports { inputs, outputs, has_clock }
}

fn random_inputs(ports: &Ports, random: &mut Random) -> Inputs {
    let value = |width: u32, random: &mut Random| {
        // Small numbers and extremes are more interesting than others.
        let style = random.below(4);
        Bits::from_bits((0..width).map(|bit| match style {
            0 => bit < 2 && random.flip(),
            1 => true,
            _ => random.flip(),
        }))
    };
    ports.inputs.iter().map(|(name, width)| (name.clone(), value(*width, random))).collect()
}

/// The outputs in each step, in the order of the names. What is not given is zero.
pub(super) fn simulate(system: &System, outputs: &[(String, u32)], sequence: &[Inputs]) -> Vec<Vec<String>> {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).unwrap();
    let zero = |sort: &Sort| match sort {
        Sort::BitVec(width) => Value::Bits(Bits::zero(*width)),
        Sort::Array(array) => Value::Array(propcov_ir::ArrayValue::constant(
            array.clone(),
            Value::Bits(Bits::zero(array.element.width().unwrap())),
        )),
        _ => panic!("a sort that no circuit has"),
    };
    let states: Vec<Value> = system.states().iter().map(|id| zero(&system.signal(*id).sort)).collect();
    let mut step = Step { inputs: Vec::new(), states, free: BTreeMap::default() };
    let mut shown = Vec::new();
    for (position, inputs) in sequence.iter().enumerate() {
        let value = |id: &propcov_ir::SignalId| {
            let signal = system.signal(*id);
            inputs.get(&signal.name).map_or_else(|| zero(&signal.sort), |bits| Value::Bits(bits.clone()))
        };
        step.inputs = system.inputs().iter().map(value).collect();
        if position == 0 {
            interpreter.start(&mut step, |_| true).unwrap();
        }
        let mut frame = interpreter.frame(&step).unwrap();
        let output = |name: &String| {
            let output = system.outputs.iter().find(|output| output.name == *name);
            output.unwrap_or_else(|| panic!("no output {name}")).expr
        };
        shown.push(outputs.iter().map(|(name, _)| frame.value(output(name)).unwrap().to_string()).collect());
        let next = frame.successor_values().unwrap();
        step.states =
            next.into_iter().zip(&step.states).map(|(next, now)| next.unwrap_or(now.clone())).collect();
    }
    shown
}

/// Whether a clock is an input like others, by its name.
pub(super) fn is_clock_signal(name: &str) -> bool {
    name.starts_with("clock")
}

/// A design with inputs, and what it does here.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) text: String,
    /// Files that the design reads.
    pub(super) files: Vec<(String, String)>,
    pub(super) system: System,
    pub(super) ports: Ports,
    pub(super) sequences: Vec<Vec<Inputs>>,
    pub(super) ours: Shown,
}

impl Case {
    /// Reads a design; `None` where there is no slang.
    pub(super) fn new(
        name: &str,
        text: &str,
        files: Vec<(String, String)>,
        sequences: usize,
    ) -> Option<Result<Case, String>> {
        let mut texts = vec![("dut.sv", text)];
        texts.extend(files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let system = match tools::system_of(&texts)? {
            Ok(system) => system,
            Err(error) => return Some(Err(format!("{name}: {error}"))),
        };
        if let Err(error) = system.validate() {
            return Some(Err(format!("{name}: {error}")));
        }
        let ports = ports(&system, text);
        let mut random = Random(7);
        let mut sequences: Vec<Vec<Inputs>> = (0..sequences)
            .map(|_| (0..STEPS).map(|_| random_inputs(&ports, &mut random)).collect())
            .collect();
        // Clocks that are signals begin with zero, as there is no edge in the first step.
        for first in sequences.iter_mut().filter_map(|sequence| sequence.first_mut()) {
            let clocks = first.iter_mut().filter(|(name, _)| is_clock_signal(name));
            clocks.for_each(|(_, value)| *value = Bits::zero(value.width()));
        }
        let ours = sequences.iter().map(|sequence| simulate(&system, &ports.outputs, sequence)).collect();
        let (name, text) = (name.to_owned(), text.to_owned());
        Some(Ok(Case { name, text, files, system, ports, sequences, ours }))
    }

    /// Reads the design of a file, with the other files of its name.
    pub(super) fn of_file(path: &Path) -> Option<Case> {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let siblings = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let files = siblings.filter(|other| other.file_stem() == path.file_stem() && other != path);
        let files = files.map(|other| {
            (
                other.file_name().unwrap().to_str().unwrap().to_owned(),
                std::fs::read_to_string(&other).unwrap(),
            )
        });
        Some(Case::new(name, &text, files.collect(), SEQUENCES)?.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Whether its clocks are signals: inputs whose names begin with `clock`.
    pub(super) fn has_clock_signals(&self) -> bool {
        self.ports.inputs.keys().any(|name| is_clock_signal(name))
    }

    /// A directory with the design, the files that it reads, and its inputs.
    pub(super) fn directory(&self) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        write("dut.sv", &self.text);
        write("stim.txt", &self.stimuli());
        self.files.iter().for_each(|(name, text)| write(name, text));
        directory
    }

    /// All inputs of a step as one binary number a line: the first step of all sequences, then the second.
    pub(super) fn stimuli(&self) -> String {
        let mut stimuli = String::new();
        for step in 0..STEPS {
            for sequence in &self.sequences {
                let words: Vec<String> = sequence[step].values().rev().map(ToString::to_string).collect();
                stimuli.push_str(if words.is_empty() { "0" } else { "" });
                stimuli.push_str(&words.join(""));
                stimuli.push('\n');
            }
        }
        stimuli
    }

    /// Where this differs from what somebody else shows, who may not know some digits.
    pub(super) fn difference(&self, theirs: &Shown) -> Option<String> {
        for (sequence, (ours, theirs)) in self.ours.iter().zip(theirs).enumerate() {
            for (step, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                for (position, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    if !agrees(ours, theirs) {
                        return Some(format!(
                            "{}: {} in step {step} of sequence {sequence}: {ours} here, {theirs} there, inputs {:?}",
                            self.name,
                            self.ports.outputs[position].0,
                            &self.sequences[sequence][..=step],
                        ));
                    }
                }
            }
        }
        None
    }
}

/// Whether digits agree, where the other one knows them.
fn agrees(ours: &str, theirs: &str) -> bool {
    ours.len() == theirs.len()
        && ours.bytes().zip(theirs.bytes()).all(|(a, b)| a == b || b == b'x' || b == b'z')
}
