//! The truth about small programs, by enumeration.
//!
//! Breadth-first search over what a [`Machine`] remembers between steps, with all inputs and all free choices of each step. A step in which some assertion is false
//! is no step of any run, not even the last of one.

use super::machine::{Machine, Memory};
use super::syntax::{Program, Type};
use super::value::{Datum, all_values};
use rustc_hash::FxHashSet;

/// What is true of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every step of every run satisfies it.
    Holds,
    /// Some run violates it.
    Violated {
        /// The least number of transitions before a step that does.
        depth: usize,
    },
}

/// What is true of all properties of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Names and answers.
    pub properties: Vec<(String, Answer)>,
    /// How many different memories occur.
    pub memories: usize,
    /// How many transitions lead to the last new one.
    pub diameter: usize,
    /// Whether there is any run: some first step satisfies the assertions.
    pub consistent: bool,
}

impl Answers {
    /// The answer for the property with this name.
    pub fn of(&self, property: &str) -> Option<Answer> {
        self.properties.iter().find(|(name, _)| name == property).map(|(_, answer)| *answer)
    }
}

/// How much is enumerated at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Different memories.
    pub memories: usize,
    /// Values of all inputs in one step.
    pub inputs: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memories: 1500, inputs: 40 }
    }
}

/// What is true of the properties; `None` when there is too much to enumerate, or something without bounds.
pub fn explore(program: &Program, limits: Limits) -> Option<Answers> {
    let machine = Machine::new(program);
    let inputs = all_inputs(program, limits.inputs)?;
    let mut violated = vec![None; machine.properties().count()];
    let mut seen = FxHashSet::default();
    let mut layer = vec![machine.start()];
    seen.insert(machine.start());
    let (mut depth, mut consistent, mut diameter) = (0, false, 0);
    while !layer.is_empty() {
        let mut following = Vec::new();
        for memory in &layer {
            for values in &inputs {
                let mut choices = Choices::default();
                loop {
                    let next = step(&machine, program, memory, values, &mut choices, |property| {
                        violated[property].get_or_insert(depth);
                    });
                    if choices.unbounded {
                        return None;
                    }
                    if let Some(next) = next {
                        consistent = true;
                        if seen.insert(next.clone()) {
                            following.push(next);
                        }
                    }
                    if seen.len() > limits.memories {
                        return None;
                    }
                    if !choices.advance() {
                        break;
                    }
                }
            }
        }
        if !following.is_empty() {
            diameter = depth + 1;
        }
        layer = following;
        depth += 1;
    }
    let answer = |violated: &Option<usize>| match violated {
        Some(depth) => Answer::Violated { depth: *depth },
        None => Answer::Holds,
    };
    let properties = machine.properties().map(str::to_owned).zip(violated.iter().map(answer)).collect();
    Some(Answers { properties, memories: seen.len(), diameter, consistent })
}

/// What is remembered after the step, if the assertions allow it.
fn step(
    machine: &Machine,
    program: &Program,
    memory: &Memory,
    inputs: &[Datum],
    choices: &mut Choices,
    mut violates: impl FnMut(usize),
) -> Option<Memory> {
    choices.next = 0;
    let mut choose = |_: &str, of: &Type| choices.choose(program, of);
    let mut instant = machine.step(program, memory, inputs, &mut choose);
    if !instant.allowed() {
        return None;
    }
    for property in 0..machine.properties().count() {
        if !instant.property(property) {
            violates(property);
        }
    }
    Some(instant.memory())
}

/// All combinations of values of the main node's inputs.
fn all_inputs(program: &Program, limit: usize) -> Option<Vec<Vec<Datum>>> {
    let mut all = vec![Vec::new()];
    for input in &program.main().inputs {
        let values = all_values(program, &input.of, input.range)?;
        if values.len() * all.len() > limit {
            return None;
        }
        let extended = |start: Vec<Datum>| {
            let with = move |value: &Datum| start.iter().cloned().chain([value.clone()]).collect();
            values.iter().map(with).collect::<Vec<Vec<Datum>>>()
        };
        all = all.into_iter().flat_map(extended).collect();
    }
    Some(all)
}

/// Goes through all free choices of a step: repeats it, each time with the next combination of what it asks for.
#[derive(Default)]
struct Choices {
    /// For each question the answer given and the number of answers.
    trail: Vec<(usize, usize)>,
    next: usize,
    unbounded: bool,
}

impl Choices {
    fn choose(&mut self, program: &Program, of: &Type) -> Datum {
        let Some(mut values) = all_values(program, of, None) else {
            self.unbounded = true;
            return if *of == Type::Real {
                Datum::Real(dashu_ratio::RBig::ZERO)
            } else {
                Datum::Int(dashu_int::IBig::ZERO)
            };
        };
        if self.next == self.trail.len() {
            self.trail.push((0, values.len()));
        }
        let (answer, _) = self.trail[self.next];
        self.next += 1;
        values.swap_remove(answer)
    }

    /// Whether there is another combination.
    fn advance(&mut self) -> bool {
        // Questions that were not asked this time came from an earlier combination.
        self.trail.truncate(self.next);
        while let Some((answer, count)) = self.trail.last_mut() {
            *answer += 1;
            if answer < count {
                return true;
            }
            self.trail.pop();
        }
        false
    }
}
