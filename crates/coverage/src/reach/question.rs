//! What is asked: conditions of executions as properties of a system.

use propcov_ir::{BinaryOp, ElementId, Execution, ExprId, Origin, PropertyId, Sort, System};
use rustc_hash::FxHashMap;

/// A system with a property for each different condition: that it never holds.
#[derive(Clone, Debug)]
pub struct Question {
    /// The system. What it was made of has the same numbers in it.
    pub system: System,
    /// The conditions, in the order in which they are first asked about.
    pub targets: Vec<Target>,
}

/// A condition that is to be reached.
#[derive(Clone, Debug)]
pub struct Target {
    /// The property that says that it never holds.
    pub property: PropertyId,
    /// What is executed then.
    pub executions: Vec<Execution>,
}

impl Question {
    /// Asks about all executions of the elements that are wanted.
    pub fn new(system: &System, is_wanted: impl Fn(ElementId) -> bool) -> Question {
        let mut question = Question { system: system.clone(), targets: Vec::new() };
        let mut known: FxHashMap<(ExprId, Option<ExprId>), usize> = FxHashMap::default();
        for execution in system.executions().iter().filter(|execution| is_wanted(execution.element)) {
            let at = *known.entry((execution.condition, execution.edge)).or_insert_with(|| {
                let property = question.add(execution);
                question.targets.push(Target { property, executions: Vec::new() });
                question.targets.len() - 1
            });
            question.targets[at].executions.push(*execution);
        }
        question
    }

    fn add(&mut self, execution: &Execution) -> PropertyId {
        let Execution { element, way, condition, edge } = *execution;
        let system = &mut self.system;
        let name = format!("{} {}", system.element(element).name, way.name());
        let condition = match edge {
            None => condition,
            // What counts is what was there in the step before; before the first step, there was nothing.
            Some(edge) => {
                let before = system.add_state(format!("{name}.before"), Sort::BOOL);
                system.set_origin(before, Origin::Helper);
                let never = system.exprs.bool(false);
                system.set_init(before, never);
                system.set_next(before, condition);
                let before = system.read(before);
                system.exprs.apply(BinaryOp::And, before, edge)
            }
        };
        system.add_cover(name, condition, None)
    }
}
