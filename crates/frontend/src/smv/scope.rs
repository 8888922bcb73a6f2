//! Instances of modules, and what the names in each of them stand for.
//!
//! Instantiation is a walk from `main`. Each instance has its own table of symbols; a formal parameter is another name for
//! the actual expression, which keeps its meaning where it was written. Definitions that one module makes for another
//! (`left.ack := ...`) are entered afterwards, when all instances exist, and types are evaluated last, because their bounds
//! may be definitions.

use super::{
    report::Report,
    syntax::{Expr, ExprKind, File, Item, Module, Name, Place, Type as TypeSyntax, TypeKind, VariableKind},
    types::Type,
};
use crate::InputError;
use propcov_ir::Scope;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep instances may be nested.
const MAX_DEPTH: usize = 200;

/// How many entries all instances together may have: a few lines can ask for 2^100.
const MAX_ENTRIES: usize = 1 << 20;

/// Index of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InstanceId(pub(super) u32);

/// Index of a declaration, which is of one variable or of an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DeclarationId(pub(super) u32);

/// Index of a variable: an array has one for each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct VariableId(pub(super) u32);

/// Index of an entry of `DEFINE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DefineId(pub(super) u32);

/// A module at one place of the hierarchy.
pub(super) struct Instance<'a> {
    /// The path from `main`, which is itself empty.
    pub(super) name: String,
    /// The same, step by step.
    pub(super) path: Scope,
    /// Those of its module, and of the modules it includes with `ISA`.
    pub(super) items: Rc<[&'a Item]>,
    /// Each formal parameter's actual expression, and where that has its meaning.
    pub(super) parameters: FxHashMap<&'a str, (&'a Expr, InstanceId)>,
    /// What is declared in it or defined for it, and where.
    pub(super) symbols: FxHashMap<&'a str, (Entry, Place)>,
    /// Which of [`Scopes::processes`] runs its assignments.
    pub(super) process: usize,
    pub(super) children: Vec<InstanceId>,
}

impl Instance<'_> {
    /// The full name of something in this instance.
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }
}

/// What a name in an instance is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Declared(DeclarationId),
    Define(DefineId),
    Instance(InstanceId),
}

/// An entry of `VAR`, `IVAR` or `FROZENVAR` that is no submodule.
pub(super) struct Declaration<'a> {
    pub(super) name: String,
    pub(super) kind: VariableKind,
    pub(super) written: &'a TypeSyntax,
    pub(super) scope: InstanceId,
    /// Known once types are evaluated.
    pub(super) shape: Option<Shape>,
}

/// A variable, or an array of variables from an index on.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Variable(VariableId),
    Array(i64, Rc<[Shape]>),
}

/// A variable of the flat model.
pub(super) struct Variable {
    pub(super) name: String,
    /// The instance that it is declared in.
    pub(super) home: InstanceId,
    pub(super) kind: VariableKind,
    pub(super) of: Type,
}

/// An entry of `DEFINE`.
pub(super) struct Define<'a> {
    pub(super) name: String,
    /// The instance that it is entered in.
    pub(super) home: InstanceId,
    pub(super) value: &'a Expr,
    /// Where the value has its meaning.
    pub(super) scope: InstanceId,
    /// The whole of it.
    pub(super) place: Place,
}

/// The flat model's names.
pub(super) struct Scopes<'a> {
    pub(super) instances: Vec<Instance<'a>>,
    pub(super) declarations: Vec<Declaration<'a>>,
    pub(super) variables: Vec<Variable>,
    pub(super) defines: Vec<Define<'a>>,
    /// The symbols of all enumerations, and where each is first listed.
    pub(super) constants: FxHashMap<&'a str, Place>,
    /// The names of processes; the first is `main`, and there are others only where `process` is written.
    pub(super) processes: Vec<String>,
    /// Whether something was declared with dots or indices in its name.
    pub(super) has_flat_names: bool,
}

/// The instance of `main`.
pub(super) const MAIN: InstanceId = InstanceId(0);

/// Instantiates `main`, with all definitions entered, but types not yet evaluated.
pub(super) fn instantiate<'a>(file: &'a File, report: &Report<'a>) -> Result<Scopes<'a>, InputError> {
    let mut modules = FxHashMap::default();
    for (index, module) in file.modules.iter().enumerate() {
        if let Some(first) = modules.insert(module.name.text.as_str(), index) {
            let line = report.line(file.modules[first].name.place.start);
            let message = format!("module `{}` is already defined in line {line}", module.name.text);
            return Err(report.error(&module.name.place, message));
        }
    }
    let Some(main) = modules.get("main").copied() else {
        return Err(report.error(&(0..0), "there is no module `main`"));
    };
    let module = &file.modules[main];
    if let Some(parameter) = module.parameters.first() {
        return Err(report.error(&parameter.place, "module `main` cannot have parameters"));
    }
    let scopes = Scopes {
        instances: Vec::new(),
        declarations: Vec::new(),
        variables: Vec::new(),
        defines: Vec::new(),
        constants: FxHashMap::default(),
        processes: vec!["main".to_owned()],
        has_flat_names: false,
    };
    let items = vec![None; file.modules.len()];
    let has_processes = file.modules.iter().flat_map(|module| &module.items).any(|item| {
        matches!(item, Item::Variable { kind_of, .. } if matches!(kind_of.kind, TypeKind::Module { process: true, .. }))
    });
    let (outside, open) = (Vec::new(), Vec::new());
    let mut walk = Walk { file, report, modules, items, scopes, outside, entries: 0, has_processes, open };
    walk.instance(main, String::new(), Scope::TOP, FxHashMap::default(), 0)?;
    walk.definitions_from_outside()?;
    walk.no_symbol_is_declared()?;
    Ok(walk.scopes)
}

struct Walk<'a, 'r> {
    file: &'a File,
    report: &'r Report<'a>,
    modules: FxHashMap<&'a str, usize>,
    /// The items of each module with those it includes, once they are asked for.
    items: Vec<Option<Rc<[&'a Item]>>>,
    scopes: Scopes<'a>,
    /// Definitions whose target is a path.
    outside: Vec<(InstanceId, &'a Expr, &'a Expr)>,
    entries: usize,
    /// Whether `process` is written anywhere: then `running` has a meaning.
    has_processes: bool,
    /// The modules that are being instantiated.
    open: Vec<usize>,
}

impl<'a> Walk<'a, '_> {
    fn instance(
        &mut self,
        module: usize,
        name: String,
        path: Scope,
        parameters: FxHashMap<&'a str, (&'a Expr, InstanceId)>,
        process: usize,
    ) -> Result<InstanceId, InputError> {
        self.report.go_on(self.scopes.instances.len())?;
        self.open.push(module);
        let items = self.items_of(module)?;
        let id = InstanceId(self.scopes.instances.len() as u32);
        self.scopes.instances.push(Instance {
            name,
            path,
            items: items.clone(),
            parameters,
            symbols: FxHashMap::default(),
            process,
            children: Vec::new(),
        });
        for item in items.iter() {
            self.item(id, item)?;
        }
        self.open.pop();
        Ok(id)
    }

    /// The items of a module, those it includes in place of each `ISA`.
    fn items_of(&mut self, module: usize) -> Result<Rc<[&'a Item]>, InputError> {
        if let Some(items) = &self.items[module] {
            return Ok(items.clone());
        }
        let mut flat = Vec::new();
        let mut stack: Vec<(usize, std::slice::Iter<'a, Item>)> =
            vec![(module, self.file.modules[module].items.iter())];
        while let Some((_, items)) = stack.last_mut() {
            match items.next() {
                None => {
                    stack.pop();
                }
                Some(Item::Isa(name)) => {
                    let included = self.module(name)?;
                    if stack.iter().any(|(open, _)| *open == included) {
                        let message = format!("module `{}` includes itself", name.text);
                        return Err(self.report.error(&name.place, message));
                    }
                    stack.push((included, self.file.modules[included].items.iter()));
                }
                Some(item) => {
                    flat.push(item);
                    if flat.len() > MAX_ENTRIES {
                        return Err(self.too_many(&self.file.modules[module].name.place));
                    }
                }
            }
        }
        let items: Rc<[&'a Item]> = flat.into();
        self.items[module] = Some(items.clone());
        Ok(items)
    }

    fn module(&self, name: &Name) -> Result<usize, InputError> {
        self.modules
            .get(name.text.as_str())
            .copied()
            .ok_or_else(|| self.report.error(&name.place, format!("there is no module `{}`", name.text)))
    }

    fn too_many(&self, place: &Place) -> InputError {
        self.report.error(place, format!("the instances of all modules have more than {MAX_ENTRIES} entries"))
    }

    fn item(&mut self, scope: InstanceId, item: &'a Item) -> Result<(), InputError> {
        self.entries += 1;
        match item {
            Item::Variable { kind, name, kind_of } => {
                if self.entries > MAX_ENTRIES {
                    return Err(self.too_many(&name.place));
                }
                match &kind_of.kind {
                    TypeKind::Module { process, module, arguments } => {
                        if *kind != VariableKind::State {
                            let message = "an instance of a module is declared in VAR";
                            return Err(self.report.error(&kind_of.place, message));
                        }
                        self.submodule(scope, name, *process, module, arguments)
                    }
                    _ => self.variable(scope, *kind, name, kind_of),
                }
            }
            Item::Define { target, flat, value } => match &target.kind {
                ExprKind::Name(name) => self.define(scope, scope, name, target, value),
                _ if !self.leads_into_instance(target, scope) => {
                    self.define(scope, scope, flat, target, value)
                }
                _ => {
                    self.outside.push((scope, target, value));
                    Ok(())
                }
            },
            Item::Constant(name) => {
                self.scopes.has_flat_names |= name.text.contains(['.', '[']);
                self.scopes.constants.entry(&name.text).or_insert_with(|| name.place.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether a path begins with an instance or a parameter of the module. Otherwise it is a name with dots.
    fn leads_into_instance(&self, target: &Expr, scope: InstanceId) -> bool {
        let mut root = target;
        while let ExprKind::Dot(base, _) | ExprKind::Index(base, _) = &root.kind {
            root = base;
        }
        let ExprKind::Name(name) = &root.kind else { return true };
        let instance = &self.scopes.instances[scope.0 as usize];
        let is_module = |item: &&Item| {
            matches!(item, Item::Variable { name: own, kind_of, .. }
                if own.text == *name && matches!(kind_of.kind, TypeKind::Module { .. }))
        };
        name == "self"
            || instance.parameters.contains_key(name.as_str())
            || instance.items.iter().any(is_module)
    }

    fn submodule(
        &mut self,
        scope: InstanceId,
        name: &'a Name,
        process: bool,
        module: &'a Name,
        arguments: &'a [Expr],
    ) -> Result<(), InputError> {
        let index = self.module(module)?;
        let definition: &'a Module = &self.file.modules[index];
        if self.open.contains(&index) {
            let message = format!("module `{}` contains an instance of itself", module.text);
            return Err(self.report.error(&module.place, message));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self
                .report
                .error(&module.place, format!("instances are nested more than {MAX_DEPTH} deep")));
        }
        if definition.parameters.len() != arguments.len() {
            let message = format!(
                "module `{}` has {}, found {}",
                module.text,
                counted(definition.parameters.len(), "parameter"),
                counted(arguments.len(), "argument")
            );
            return Err(self.report.error(&module.place, message));
        }
        let mut parameters = FxHashMap::default();
        for (formal, actual) in definition.parameters.iter().zip(arguments) {
            if parameters.insert(formal.text.as_str(), (actual, scope)).is_some() {
                let message = format!("parameter `{}` is named twice", formal.text);
                return Err(self.report.error(&formal.place, message));
            }
        }
        let full = self.scopes.instances[scope.0 as usize].full_name(&name.text);
        let runs = if process {
            self.scopes.processes.push(full.clone());
            self.scopes.processes.len() - 1
        } else {
            self.scopes.instances[scope.0 as usize].process
        };
        // The number that the instance is going to have.
        let child = InstanceId(self.scopes.instances.len() as u32);
        self.enter(scope, &name.text, Entry::Instance(child), &name.place)?;
        self.scopes.instances[scope.0 as usize].children.push(child);
        let path = self.scopes.instances[scope.0 as usize].path.child(&name.text);
        self.instance(index, full, path, parameters, runs)?;
        Ok(())
    }

    fn variable(
        &mut self,
        scope: InstanceId,
        kind: VariableKind,
        name: &'a Name,
        written: &'a TypeSyntax,
    ) -> Result<(), InputError> {
        let id = DeclarationId(self.scopes.declarations.len() as u32);
        let full = self.scopes.instances[scope.0 as usize].full_name(&name.text);
        self.enter(scope, &name.text, Entry::Declared(id), &name.place)?;
        self.scopes.declarations.push(Declaration { name: full, kind, written, scope, shape: None });
        let mut of = written;
        while let TypeKind::Array(_, _, element) = &of.kind {
            of = element;
        }
        if let TypeKind::Enumeration(values) = &of.kind {
            for value in values {
                if let ExprKind::Name(name) = &value.kind {
                    self.scopes.has_flat_names |= name.contains(['.', '[']);
                    self.scopes.constants.entry(name).or_insert_with(|| value.place.clone());
                }
            }
        }
        Ok(())
    }

    /// Enters a definition written in `scope` for a name of `target`.
    fn define(
        &mut self,
        target: InstanceId,
        scope: InstanceId,
        name: &'a str,
        written: &'a Expr,
        value: &'a Expr,
    ) -> Result<(), InputError> {
        if self.entries > MAX_ENTRIES {
            return Err(self.too_many(&written.place));
        }
        let id = DefineId(self.scopes.defines.len() as u32);
        let full = self.scopes.instances[target.0 as usize].full_name(name);
        self.enter(target, name, Entry::Define(id), &written.place)?;
        let place = written.place.start..value.place.end.max(written.place.end);
        self.scopes.defines.push(Define { name: full, home: target, value, scope, place });
        Ok(())
    }

    fn enter(
        &mut self,
        scope: InstanceId,
        name: &'a str,
        entry: Entry,
        place: &Place,
    ) -> Result<(), InputError> {
        let instance = &mut self.scopes.instances[scope.0 as usize];
        self.scopes.has_flat_names |= name.contains(['.', '[']);
        if name == "self" || name == "running" && self.has_processes {
            return Err(self
                .report
                .error(place, format!("`{name}` cannot be declared: it has a meaning already")));
        }
        if instance.parameters.contains_key(name) {
            let message = format!("`{name}` is already a parameter of the module");
            return Err(self.report.error(place, message));
        }
        if let Some((_, first)) = instance.symbols.get(name) {
            let line = self.report.line(first.start);
            let full = instance.full_name(name);
            return Err(self.report.error(place, format!("`{full}` is already declared in line {line}")));
        }
        instance.symbols.insert(name, (entry, place.clone()));
        Ok(())
    }

    /// A variable or definition that is named like a symbol would hide it, and is an error in NuSMV wherever the two are.
    fn no_symbol_is_declared(&self) -> Result<(), InputError> {
        let mut both = None;
        for instance in &self.scopes.instances {
            for (name, (entry, place)) in &instance.symbols {
                if !matches!(entry, Entry::Instance(_))
                    && let Some(symbol) = self.scopes.constants.get(name)
                    && both.as_ref().is_none_or(|(_, first, _): &(&str, &Place, _)| place.start < first.start)
                {
                    both = Some((*name, place, symbol));
                }
            }
        }
        match both {
            None => Ok(()),
            Some((name, place, symbol)) => {
                Err(self.report.error(place, also_a_symbol(name, symbol, self.report)))
            }
        }
    }

    fn definitions_from_outside(&mut self) -> Result<(), InputError> {
        for (scope, target, value) in std::mem::take(&mut self.outside) {
            let ExprKind::Dot(base, name) = &target.kind else {
                return Err(self.report.error(&target.place, "expected the name of what is defined"));
            };
            match self.scopes.resolve(base, scope, self.report)? {
                super::path::Target::Instance(instance) => {
                    self.define(instance, scope, &name.text, target, value)?;
                }
                _ => {
                    let message = format!("`{}` is no instance of a module", self.report.text(&base.place));
                    return Err(self.report.error(&base.place, message));
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a name that has two meanings.
pub(super) fn also_a_symbol(name: &str, symbol: &Place, report: &Report<'_>) -> String {
    format!("`{name}` is also a symbol of an enumeration (line {})", report.line(symbol.start))
}

/// `1 parameter`, `2 parameters`.
pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
