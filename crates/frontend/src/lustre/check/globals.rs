//! What all nodes see: types, constants, values of enumerations, functions and nodes. Each name is defined once.

use super::{
    super::{
        parse::unsupported_call,
        report::Report,
        syntax::{Name, Program, Type, TypeKind, Variable},
    },
    order::order,
    types::{Kind, MAX_SCALARS, Ty, Types},
};
use crate::{InputError, extra::did_you_mean};
use rustc_hash::FxHashMap;

/// Types of Kind 2 that have a fixed width.
const MACHINE_INTEGERS: [&str; 8] =
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

/// What a call may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callable {
    Node(usize),
    Function(usize),
}

/// The types of inputs and outputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    pub(super) inputs: Vec<Ty>,
    pub(super) outputs: Vec<Ty>,
}

/// Names that are known everywhere.
pub(super) struct Globals<'a> {
    pub(super) program: &'a Program,
    pub(super) types: Types,
    /// Types by their names.
    pub(super) named: FxHashMap<&'a str, Ty>,
    /// Values of enumerations: their type, and which one they are.
    pub(super) values: FxHashMap<&'a str, (Ty, usize)>,
    pub(super) constants: FxHashMap<&'a str, usize>,
    pub(super) callables: FxHashMap<&'a str, Callable>,
    pub(super) nodes: Vec<Signature>,
    pub(super) functions: Vec<Signature>,
}

/// Notes a name; the error says where it was defined before.
fn define<'a, T>(
    report: &Report<'_>,
    seen: &mut FxHashMap<&'a str, (T, usize)>,
    name: &'a Name,
    what: &str,
    value: T,
) -> Result<(), InputError> {
    if let Some((_, first)) = seen.get(name.text.as_str()) {
        let line = report.line(*first);
        let message = format!("{what} `{}` is defined twice; first defined in line {line}", name.text);
        return Err(report.error(&name.at, message));
    }
    seen.insert(&name.text, (value, name.at.start));
    Ok(())
}

fn without_places<T>(seen: FxHashMap<&str, (T, usize)>) -> FxHashMap<&str, T> {
    seen.into_iter().map(|(name, (value, _))| (name, value)).collect()
}

impl<'a> Globals<'a> {
    /// Collects and checks all that is defined outside of nodes, but for the values of constants.
    pub(super) fn new(report: &Report<'_>, program: &'a Program) -> Result<Globals<'a>, InputError> {
        let mut globals = Globals {
            program,
            types: Types::new(),
            named: FxHashMap::default(),
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
            callables: FxHashMap::default(),
            nodes: Vec::new(),
            functions: Vec::new(),
        };
        globals.define_types(report)?;
        globals.define_values(report)?;
        globals.define_callables(report)?;
        for function in &program.functions {
            distinct(report, function.inputs.iter().chain(&function.outputs), "variable")?;
            let signature = globals.signature(report, &function.inputs, &function.outputs)?;
            globals.refuse_constrained(report, &function.outputs, &signature)?;
            globals.functions.push(signature);
        }
        for node in &program.nodes {
            distinct(report, node.inputs.iter().chain(&node.outputs).chain(&node.locals), "variable")?;
            globals.refuse_shadowing(report, node.inputs.iter().chain(&node.outputs).chain(&node.locals))?;
            let signature = globals.signature(report, &node.inputs, &node.outputs)?;
            globals.nodes.push(signature);
        }
        Ok(globals)
    }

    fn define_types(&mut self, report: &Report<'_>) -> Result<(), InputError> {
        let program = self.program;
        let mut seen = FxHashMap::default();
        for (at, definition) in program.types.iter().enumerate() {
            define(report, &mut seen, &definition.name, "the type", at)?;
        }
        let positions = without_places(seen);
        for definition in &program.types {
            for (name, at) in mentioned(&definition.definition) {
                if !positions.contains_key(name) {
                    return Err(unknown_type(report, name, at, positions.keys().copied()));
                }
            }
        }
        let depends_on = |at: usize| -> Vec<usize> {
            let names = mentioned(&program.types[at].definition);
            names.iter().filter_map(|(name, _)| positions.get(name).copied()).collect()
        };
        let sorted = order(program.types.len(), depends_on).map_err(|circle| {
            let names: Vec<&Name> = circle.iter().map(|at| &program.types[*at].name).collect();
            circular(report, "type", &names)
        })?;
        for at in sorted {
            let definition = &program.types[at];
            let ty = self.defined(report, &definition.name.text, &definition.definition)?;
            self.named.insert(&definition.name.text, ty);
        }
        Ok(())
    }

    /// The type that a definition gives a name to.
    fn defined(&mut self, report: &Report<'_>, name: &str, of: &Type) -> Result<Ty, InputError> {
        match &of.kind {
            TypeKind::Enum(_) => Ok(self.types.scalar(Kind::Enum(name.to_owned()))),
            TypeKind::Record(fields) => {
                distinct(report, fields.iter(), "field")?;
                let mut resolved = Vec::with_capacity(fields.len());
                for field in fields {
                    resolved.push((field.name.text.clone(), self.resolve(report, &field.of)?));
                }
                let kind = Kind::Record(name.to_owned(), resolved);
                self.types.intern(kind).map_err(|_| too_large(report, of))
            }
            _ => self.resolve(report, of),
        }
    }

    /// The type that is written somewhere.
    pub(super) fn resolve(&mut self, report: &Report<'_>, of: &Type) -> Result<Ty, InputError> {
        match &of.kind {
            TypeKind::Bool => Ok(Types::BOOL),
            TypeKind::Int => Ok(Types::INT),
            TypeKind::Real => Ok(Types::REAL),
            TypeKind::Subrange(low, high) if low > high => {
                Err(report.error(&of.at, format!("this subrange is empty: {low} is above {high}")))
            }
            TypeKind::Subrange(low, high) => Ok(self.types.scalar(Kind::Subrange(low.clone(), high.clone()))),
            TypeKind::Array(element, size) => {
                // The parser bounds how many arrays are in each other.
                let element = self.resolve(report, element)?;
                self.types.intern(Kind::Array(element, *size)).map_err(|_| too_large(report, of))
            }
            TypeKind::Named(name) => match self.named.get(name.as_str()) {
                Some(ty) => Ok(*ty),
                None => Err(unknown_type(report, name, &of.at, self.named.keys().copied())),
            },
            TypeKind::Machine(machine) => Ok(self.types.scalar(Kind::Machine(*machine))),
            TypeKind::Power(..) | TypeKind::Bounds(..) => {
                Err(report.error(&of.at, "expected a type whose sizes and bounds are numbers"))
            }
            TypeKind::Record(_) | TypeKind::Enum(_) => {
                Err(report.error(&of.at, "expected the name of a type, found a type that has none"))
            }
        }
    }

    /// Values of enumerations and constants share one space of names.
    fn define_values(&mut self, report: &Report<'_>) -> Result<(), InputError> {
        let program = self.program;
        let mut seen = FxHashMap::default();
        for definition in &program.types {
            let TypeKind::Enum(values) = &definition.definition.kind else { continue };
            let Some(ty) = self.named.get(definition.name.text.as_str()) else { continue };
            for (position, value) in values.iter().enumerate() {
                define(report, &mut seen, value, "the value", Some((*ty, position)))?;
            }
        }
        for constant in &program.constants {
            define(report, &mut seen, &constant.name, "the constant", None)?;
        }
        let values = without_places(seen).into_iter();
        self.values = values.filter_map(|(name, value)| Some((name, value?))).collect();
        let constants = program.constants.iter().enumerate();
        self.constants = constants.map(|(at, constant)| (constant.name.text.as_str(), at)).collect();
        Ok(())
    }

    fn define_callables(&mut self, report: &Report<'_>) -> Result<(), InputError> {
        let program = self.program;
        let mut all: Vec<(&Name, &str, Callable)> = Vec::new();
        let nodes = program.nodes.iter().enumerate();
        all.extend(nodes.map(|(at, node)| (&node.name, "the node", Callable::Node(at))));
        let functions = program.functions.iter().enumerate();
        all.extend(functions.map(|(at, function)| (&function.name, "the function", Callable::Function(at))));
        all.sort_by_key(|(name, _, _)| name.at.start);
        let mut seen = FxHashMap::default();
        for (name, what, callable) in all {
            define(report, &mut seen, name, what, callable)?;
        }
        self.callables = without_places(seen);
        Ok(())
    }

    fn signature(
        &mut self,
        report: &Report<'_>,
        inputs: &[Variable],
        outputs: &[Variable],
    ) -> Result<Signature, InputError> {
        let mut types = |variables: &[Variable]| -> Result<Vec<Ty>, InputError> {
            variables.iter().map(|variable| self.resolve(report, &variable.of)).collect()
        };
        Ok(Signature { inputs: types(inputs)?, outputs: types(outputs)? })
    }

    /// Nothing would keep the values of an uninterpreted function in a subrange.
    fn refuse_constrained(
        &self,
        report: &Report<'_>,
        outputs: &[Variable],
        signature: &Signature,
    ) -> Result<(), InputError> {
        let mut both = outputs.iter().zip(&signature.outputs);
        match both.find(|(_, ty)| self.types.is_constrained(**ty)) {
            None => Ok(()),
            Some((output, ty)) => {
                let shown = self.types.exact(*ty);
                let message =
                    format!("expected bool, int or real as the result of a function, found {shown}");
                Err(report.error(&output.of.at, message))
            }
        }
    }

    fn refuse_shadowing(
        &self,
        report: &Report<'_>,
        mut variables: impl Iterator<Item = &'a Variable>,
    ) -> Result<(), InputError> {
        let is_global = |name: &str| self.constants.contains_key(name) || self.values.contains_key(name);
        match variables.find(|variable| is_global(&variable.name.text)) {
            None => Ok(()),
            Some(Variable { name, .. }) => {
                let what = match self.constants.contains_key(name.text.as_str()) {
                    true => "a constant",
                    false => "a value of an enumeration",
                };
                Err(report
                    .error(&name.at, format!("expected a new name, found `{}`, which is {what}", name.text)))
            }
        }
    }

    /// What is called.
    pub(super) fn callable(&self, report: &Report<'_>, name: &Name) -> Result<Callable, InputError> {
        if let Some(callable) = self.callables.get(name.text.as_str()) {
            return Ok(*callable);
        }
        let message = unsupported_call(&name.text).unwrap_or_else(|| {
            let near = did_you_mean(&name.text, self.callables.keys().copied());
            format!("there is no node or function `{}`{near}", name.text)
        });
        Err(report.error(&name.at, message))
    }

    pub(super) fn signature_of(&self, callable: Callable) -> &Signature {
        match callable {
            Callable::Node(at) => &self.nodes[at],
            Callable::Function(at) => &self.functions[at],
        }
    }
}

/// Names that all differ.
fn distinct<'v>(
    report: &Report<'_>,
    mut variables: impl Iterator<Item = &'v Variable>,
    what: &str,
) -> Result<(), InputError> {
    let mut seen = FxHashMap::default();
    variables.try_for_each(|variable| define(report, &mut seen, &variable.name, &format!("the {what}"), ()))
}

/// The names of types that a type mentions.
fn mentioned(of: &Type) -> Vec<(&str, &super::super::syntax::At)> {
    let (mut names, mut stack) = (Vec::new(), vec![of]);
    while let Some(of) = stack.pop() {
        match &of.kind {
            TypeKind::Named(name) => names.push((name.as_str(), &of.at)),
            TypeKind::Array(element, _) => stack.push(element),
            TypeKind::Record(fields) => stack.extend(fields.iter().rev().map(|field| &field.of)),
            _ => {}
        }
    }
    names
}

fn unknown_type<'n>(
    report: &Report<'_>,
    name: &str,
    at: &super::super::syntax::At,
    known: impl Iterator<Item = &'n str>,
) -> InputError {
    if MACHINE_INTEGERS.contains(&name) {
        return report.error(at, format!("the machine integer `{name}` is not supported"));
    }
    let near = did_you_mean(name, known.chain(["bool", "int", "real"]));
    report.error(at, format!("there is no type `{name}`{near}"))
}

fn too_large(report: &Report<'_>, of: &Type) -> InputError {
    report
        .error(&of.at, format!("this type is too large: more than {MAX_SCALARS} scalars, or too many levels"))
}

/// A definition that refers to itself. The message begins with what comes first in the file.
pub(super) fn circular(report: &Report<'_>, what: &str, circle: &[&Name]) -> InputError {
    let first = (0..circle.len()).min_by_key(|at| circle[*at].at.start).unwrap_or(0);
    let names: Vec<&str> =
        (0..=circle.len()).map(|at| circle[(first + at) % circle.len()].text.as_str()).collect();
    let at = circle.get(first).map_or(0..0, |name| name.at.clone());
    report.error(&at, format!("the {what} `{}` depends on itself: {}", names[0], names.join(" -> ")))
}
