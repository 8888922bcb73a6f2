//! The instances of nodes that a program has, and what JKind calls them.
//!
//! Each call is an instance with a prefix such as `node~0.`; calls of one node with the same arguments, as written after prefixes, share one. Prefixes are numbered in the
//! order in which a queue of equations comes to the calls, assertions first. A node under `condact` is another node with more variables: `~clock`, `~init`, for each
//! output `o` a default `o~default` and the held `o~clocked`, for each property `p` a `p~clocked_property`; what it calls is `~clocked`.

use super::machine::{Cell, Machine, Rule, Slot, Term};
use super::syntax::{Binary, Expr, Node, Program, Type, Unary};
use super::value::Datum;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How an instance is called.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// It is the main node or a part of it.
    Plain,
    /// By `condact`.
    Condact,
    /// From within such a node.
    Clocked,
}

struct Instance<'p> {
    node: &'p Node,
    prefix: String,
    way: Way,
    activity: usize,
    clock: Option<usize>,
    slots: FxHashMap<&'p str, usize>,
    /// What a call gives.
    outputs: Vec<usize>,
}

/// What is still to be given a rule.
#[derive(Clone, Copy)]
enum Work<'p> {
    /// A slot takes the value of an argument in another instance.
    Argument { slot: usize, caller: usize, expr: &'p Expr },
    /// The clock of a condact within an instance.
    Clock { slot: usize, caller: usize, expr: &'p Expr },
    /// An equation of an instance.
    Equation { instance: usize, targets: &'p [String], expr: &'p Expr },
}

struct Builder<'p> {
    program: &'p Program,
    machine: Machine,
    instances: Vec<Instance<'p>>,
    used_prefixes: FxHashMap<String, usize>,
    calls: FxHashMap<String, usize>,
    queue: VecDeque<Work<'p>>,
}

impl Machine {
    /// The machine of a program.
    pub fn new(program: &Program) -> Machine {
        let mut builder = Builder {
            program,
            machine: Machine { clocks: vec![None], ..Machine::default() },
            instances: Vec::new(),
            used_prefixes: FxHashMap::default(),
            calls: FxHashMap::default(),
            queue: VecDeque::new(),
        };
        builder.main(program.main());
        builder.machine
    }
}

impl<'p> Builder<'p> {
    fn main(&mut self, main: &'p Node) {
        let mut slots = FxHashMap::default();
        for variable in main.variables() {
            let slot = self.add_slot(Some(variable.name.clone()), &variable.of);
            slots.insert(variable.name.as_str(), slot);
        }
        for (position, input) in main.inputs.iter().enumerate() {
            self.machine.slots[slots[input.name.as_str()]].rule = Rule::Input(position);
        }
        self.instances.push(Instance {
            node: main,
            prefix: String::new(),
            way: Way::Plain,
            activity: 0,
            clock: None,
            slots,
            outputs: Vec::new(),
        });
        for property in &main.properties {
            let slot = self.instances[0].slots[property.as_str()];
            self.machine.properties.push((property.clone(), slot));
        }
        for input in &main.inputs {
            let term = input.range.map(|range| self.range(&input.name, range));
            self.machine.assertions.extend(term);
        }
        for assertion in &main.assertions {
            let term = self.term(0, assertion);
            self.machine.assertions.push(term);
        }
        for equation in &main.equations {
            self.queue.push_back(Work::Equation {
                instance: 0,
                targets: &equation.targets,
                expr: &equation.value,
            });
        }
        while let Some(work) = self.queue.pop_front() {
            self.work(work);
        }
    }

    /// That an input of the main node is in its range.
    fn range(&self, input: &str, (low, high): (i64, i64)) -> Term {
        let bound = |value: i64| Box::new(Term::Value(Datum::Int(IBig::from(value))));
        let value = || Box::new(Term::Slot(self.instances[0].slots[input]));
        let from = Term::Binary(Binary::LessEqual, bound(low), value());
        let to = Term::Binary(Binary::LessEqual, value(), bound(high));
        Term::Binary(Binary::And, Box::new(from), Box::new(to))
    }

    fn add_slot(&mut self, name: Option<String>, of: &Type) -> usize {
        let rule = Rule::Term(Term::Value(Datum::Bool(false)));
        self.machine.slots.push(Slot { name, of: of.clone(), rule });
        self.machine.slots.len() - 1
    }

    fn set(&mut self, slot: usize, rule: Rule) {
        self.machine.slots[slot].rule = rule;
    }

    fn work(&mut self, work: Work<'p>) {
        match work {
            Work::Argument { slot, caller, expr } => {
                let term = self.term(caller, expr);
                self.set(slot, Rule::Term(term));
            }
            Work::Clock { slot, caller, expr } => {
                let mut term = self.term(caller, expr);
                if let Some(clock) = self.instances[caller].clock {
                    term = Term::Binary(Binary::And, Box::new(term), Box::new(Term::Slot(clock)));
                }
                self.set(slot, Rule::Term(term));
            }
            Work::Equation { instance, targets, expr } => {
                let term = self.term(instance, expr);
                if let [target] = targets {
                    let slot = self.instances[instance].slots[target.as_str()];
                    self.set(slot, Rule::Term(term));
                    return;
                }
                let tuple = self.add_slot(None, &Type::Tuple(Vec::new()));
                self.set(tuple, Rule::Term(term));
                for (place, target) in targets.iter().enumerate() {
                    let slot = self.instances[instance].slots[target.as_str()];
                    self.set(slot, Rule::Term(Term::Part(Box::new(Term::Slot(tuple)), place)));
                }
            }
        }
    }

    /// The expression in an instance.
    fn term(&mut self, instance: usize, expr: &'p Expr) -> Term {
        match expr {
            Expr::Variable(name) => Term::Slot(self.instances[instance].slots[name.as_str()]),
            Expr::Constant(index) => {
                let program = self.program;
                self.term(instance, &program.constants[*index].value)
            }
            Expr::Bool(value) => Term::Value(Datum::Bool(*value)),
            Expr::Int(value) => Term::Value(Datum::Int(IBig::from(*value))),
            Expr::Real(hundredths) => {
                Term::Value(Datum::Real(RBig::from(IBig::from(*hundredths)) / RBig::from(IBig::from(100))))
            }
            Expr::Enum(_, position) => Term::Value(Datum::Enum(*position)),
            Expr::Unary(Unary::Pre, a) => {
                let operand = self.term(instance, a);
                let cell = Cell { activity: self.instances[instance].activity, operand };
                let known = self.machine.cells.iter().position(|other| *other == cell);
                Term::Pre(known.unwrap_or_else(|| {
                    self.machine.cells.push(cell);
                    self.machine.cells.len() - 1
                }))
            }
            Expr::Unary(op, a) => Term::Unary(*op, self.boxed(instance, a)),
            Expr::Binary(Binary::Arrow, a, b) => {
                let activity = self.instances[instance].activity;
                Term::Arrow(activity, self.boxed(instance, a), self.boxed(instance, b))
            }
            Expr::Binary(op, a, b) => Term::Binary(*op, self.boxed(instance, a), self.boxed(instance, b)),
            Expr::If(a, b, c) => {
                Term::If(self.boxed(instance, a), self.boxed(instance, b), self.boxed(instance, c))
            }
            Expr::Call(node, arguments) => self.call(instance, None, *node, arguments, &[]),
            Expr::Condact(clock, node, arguments, defaults) => {
                self.call(instance, Some(clock), *node, arguments, defaults)
            }
            Expr::Field(record, _, place) => Term::Part(self.boxed(instance, record), *place),
            Expr::FieldUpdate(record, _, place, value) => {
                Term::PartUpdate(self.boxed(instance, record), *place, self.boxed(instance, value))
            }
            Expr::Element(array, index) => {
                Term::Element(self.boxed(instance, array), self.boxed(instance, index))
            }
            Expr::ElementUpdate(array, index, value) => {
                let (array, index) = (self.boxed(instance, array), self.boxed(instance, index));
                Term::ElementUpdate(array, index, self.boxed(instance, value))
            }
            Expr::Record(_, parts) | Expr::Array(parts) | Expr::Tuple(parts) => {
                Term::Parts(parts.iter().map(|part| self.term(instance, part)).collect())
            }
        }
    }

    fn boxed(&mut self, instance: usize, expr: &'p Expr) -> Box<Term> {
        Box::new(self.term(instance, expr))
    }

    /// The outputs of the instance that a call stands for.
    fn call(
        &mut self,
        caller: usize,
        clock: Option<&'p Expr>,
        node: usize,
        arguments: &'p [Expr],
        defaults: &'p [Expr],
    ) -> Term {
        let way = match (clock, self.instances[caller].way) {
            (Some(_), _) => Way::Condact,
            (None, Way::Plain) => Way::Plain,
            (None, _) => Way::Clocked,
        };
        let suffix = match way {
            Way::Plain => "",
            Way::Condact => "~condact",
            Way::Clocked => "~clocked",
        };
        let name = format!("{}{suffix}", self.program.nodes[node].name);
        let prefix = self.instances[caller].prefix.clone();
        let clock_text = match way {
            Way::Plain => None,
            // Whose clock it is depends on the caller.
            Way::Clocked => Some(format!("{prefix}~clock")),
            Way::Condact => {
                let clock = clock.map(|clock| self.program.show_prefixed(clock, &prefix));
                let outer = self.instances[caller].clock.map(|_| format!(" and {prefix}~clock"));
                Some(clock.unwrap_or_default() + &outer.unwrap_or_default())
            }
        };
        let texts = arguments.iter().chain(defaults).map(|expr| self.program.show_prefixed(expr, &prefix));
        let texts: Vec<String> = clock_text.into_iter().chain(texts).collect();
        let key = format!("{name}({})", texts.join(", "));
        let callee = match self.calls.get(&key) {
            Some(known) => *known,
            None => {
                let callee = self.instantiate(caller, way, &format!("{prefix}{name}"), node);
                self.calls.insert(key, callee);
                self.bind(caller, callee, clock, arguments, defaults);
                callee
            }
        };
        let outputs = &self.instances[callee].outputs;
        match outputs.as_slice() {
            [output] => Term::Slot(*output),
            outputs => Term::Parts(outputs.iter().map(|output| Term::Slot(*output)).collect()),
        }
    }

    /// An instance with slots that have no rules yet.
    fn instantiate(&mut self, caller: usize, way: Way, name: &str, node: usize) -> usize {
        let number = self.used_prefixes.entry(name.to_owned()).or_insert(0);
        let prefix = format!("{name}~{number}.");
        *number += 1;
        let node = &self.program.nodes[node];
        let mut slots = FxHashMap::default();
        for variable in node.variables() {
            let slot = self.add_slot(Some(format!("{prefix}{}", variable.name)), &variable.of);
            slots.insert(variable.name.as_str(), slot);
        }
        let mut activity = self.instances[caller].activity;
        let mut clock = None;
        if way != Way::Plain {
            let slot = self.add_slot(Some(format!("{prefix}~clock")), &Type::Bool);
            activity = self.machine.clocks.len();
            self.machine.clocks.push(Some(slot));
            clock = Some(slot);
            let fresh = self.add_slot(Some(format!("{prefix}~init")), &Type::Bool);
            self.set(fresh, Rule::Fresh(activity));
        }
        let outputs = node.outputs.iter().map(|output| slots[output.name.as_str()]).collect();
        self.instances.push(Instance { node, prefix, way, activity, clock, slots, outputs });
        self.instances.len() - 1
    }

    /// Gives rules to the slots of an instance, or queues them.
    fn bind(
        &mut self,
        caller: usize,
        callee: usize,
        clock: Option<&'p Expr>,
        arguments: &'p [Expr],
        defaults: &'p [Expr],
    ) {
        let node = self.instances[callee].node;
        let prefix = self.instances[callee].prefix.clone();
        if let Some(slot) = self.instances[callee].clock {
            match (clock, self.instances[caller].clock) {
                (Some(expr), _) => self.queue.push_back(Work::Clock { slot, caller, expr }),
                (None, Some(outer)) => self.set(slot, Rule::Term(Term::Slot(outer))),
                (None, None) => panic!("an instance with a clock is called from one without"),
            }
        }
        for (input, expr) in node.inputs.iter().zip(arguments) {
            let slot = self.instances[callee].slots[input.name.as_str()];
            self.queue.push_back(Work::Argument { slot, caller, expr });
        }
        if let (Some(clock), Way::Condact) = (self.instances[callee].clock, self.instances[callee].way) {
            let mut held = Vec::new();
            for (output, expr) in node.outputs.iter().zip(defaults) {
                let default = self.add_slot(Some(format!("{prefix}{}~default", output.name)), &output.of);
                self.queue.push_back(Work::Argument { slot: default, caller, expr });
                let slot = self.add_slot(Some(format!("{prefix}{}~clocked", output.name)), &output.of);
                let output = self.instances[callee].slots[output.name.as_str()];
                self.set(slot, Rule::Held { clock, output, default, at: self.machine.held });
                self.machine.held += 1;
                held.push(slot);
            }
            self.instances[callee].outputs = held;
        }
        for equation in &node.equations {
            self.queue.push_back(Work::Equation {
                instance: callee,
                targets: &equation.targets,
                expr: &equation.value,
            });
        }
        self.lift_properties(callee, node, &prefix);
    }

    /// Properties of a called node are properties of the program; under a clock, only of the steps in which it is true.
    fn lift_properties(&mut self, callee: usize, node: &Node, prefix: &str) {
        for property in &node.properties {
            let mut slot = self.instances[callee].slots[property.as_str()];
            let mut name = format!("{prefix}{property}");
            if let Some(clock) = self.instances[callee].clock {
                let implies =
                    Term::Binary(Binary::Implies, Box::new(Term::Slot(clock)), Box::new(Term::Slot(slot)));
                name.push_str("~clocked_property");
                slot = self.add_slot(Some(name.clone()), &Type::Bool);
                self.set(slot, Rule::Term(implies));
            }
            self.machine.properties.push((name, slot));
        }
    }
}
