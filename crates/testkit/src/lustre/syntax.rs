//! Small Lustre programs as a tree: what the generator makes, the printer writes, and the evaluator gives a meaning to.
//!
//! Trees are shallow by construction, so recursion over them is bounded.

/// A whole file. The last node is the main node.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The enumerations, with the names of their values.
    pub enums: Vec<EnumType>,
    /// The records, with their fields.
    pub records: Vec<RecordType>,
    /// The constants.
    pub constants: Vec<Constant>,
    /// The nodes; each calls only those before it.
    pub nodes: Vec<Node>,
    /// Whether the main node is written first, with `--%MAIN`.
    pub main_first: bool,
    /// Whether only those parentheses are written that the grammar asks for.
    pub few_parentheses: bool,
}

/// `type name = enum { values };`
#[derive(Clone, Debug, PartialEq)]
pub struct EnumType {
    /// The type's name.
    pub name: String,
    /// The values' names, unique in the program.
    pub values: Vec<String>,
}

/// `type name = struct { fields };`
#[derive(Clone, Debug, PartialEq)]
pub struct RecordType {
    /// The type's name.
    pub name: String,
    /// Names and types of the fields.
    pub fields: Vec<(String, Type)>,
}

/// `const name: type = value;`
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// Whether the type is written.
    pub typed: bool,
    /// Its value, which reads no variables.
    pub value: Expr,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `subrange [low, high] of int`
    Subrange(i64, i64),
    /// Position in [`Program::enums`].
    Enum(usize),
    /// Position in [`Program::records`].
    Record(usize),
    /// `type[size]`
    Array(Box<Type>, usize),
    /// Of tuples; only of expressions.
    Tuple(Vec<Type>),
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, unique in its node.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// Only for inputs of type int of the main node: an assertion keeps it in this range.
    pub range: Option<(i64, i64)>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it is given.
    pub inputs: Vec<Variable>,
    /// What it gives back.
    pub outputs: Vec<Variable>,
    /// Other variables.
    pub locals: Vec<Variable>,
    /// One for each output and local, or for several of them at once.
    pub equations: Vec<Equation>,
    /// What is assumed; has a meaning only in the main node. The ranges of inputs come first.
    pub assertions: Vec<Expr>,
    /// Boolean outputs and locals that should always hold.
    pub properties: Vec<String>,
}

/// `targets = value;`
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The names of what is defined; several take the parts of a tuple.
    pub targets: Vec<String>,
    /// What they are.
    pub value: Expr,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A variable of the node.
    Variable(String),
    /// Position in [`Program::constants`].
    Constant(usize),
    /// `true` or `false`
    Bool(bool),
    /// A literal that is not negative.
    Int(i64),
    /// A literal in hundredths, not negative.
    Real(i64),
    /// The value at a position of an enumeration.
    Enum(usize, usize),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if a then b else c`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A call of the node at a position of [`Program::nodes`].
    Call(usize, Vec<Expr>),
    /// `condact(clock, node(arguments), defaults…)`
    Condact(Box<Expr>, usize, Vec<Expr>, Vec<Expr>),
    /// The field at a position of a record type.
    Field(Box<Expr>, usize, usize),
    /// `record{field := value}`
    FieldUpdate(Box<Expr>, usize, usize, Box<Expr>),
    /// `array[index]`
    Element(Box<Expr>, Box<Expr>),
    /// `array[index := value]`
    ElementUpdate(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `type {field = value; …}`
    Record(usize, Vec<Expr>),
    /// `[a, b, …]`
    Array(Vec<Expr>),
    /// `(a, b, …)`
    Tuple(Vec<Expr>),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `pre`
    Pre,
    /// `not`
    Not,
    /// `-`
    Negate,
    /// `real(…)`
    ToReal,
    /// `floor(…)`
    Floor,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/` of reals
    Divide,
    /// `div` of ints
    Div,
    /// `mod` of ints
    Mod,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `=>`
    Implies,
    /// `->`
    Arrow,
}

impl Program {
    /// The main node.
    ///
    /// # Panics
    /// When there is no node.
    pub fn main(&self) -> &Node {
        match self.nodes.last() {
            Some(node) => node,
            None => panic!("a program without a node"),
        }
    }

    /// The type of an expression of a node.
    ///
    /// # Panics
    /// When the expression reads something that is not declared.
    pub fn type_of(&self, node: &Node, expr: &Expr) -> Type {
        match expr {
            Expr::Variable(name) => match node.variables().find(|variable| variable.name == *name) {
                Some(variable) => variable.of.clone(),
                None => panic!("{name} is not declared in {}", node.name),
            },
            Expr::Constant(index) => self.constants[*index].of.clone(),
            Expr::Bool(_) => Type::Bool,
            Expr::Int(_) => Type::Int,
            Expr::Real(_) => Type::Real,
            Expr::Enum(index, _) => Type::Enum(*index),
            Expr::Unary(Unary::ToReal, _) => Type::Real,
            Expr::Unary(Unary::Floor, _) => Type::Int,
            Expr::Unary(Unary::Negate, a) => self.type_of(node, a).without_range(),
            Expr::Unary(_, a) => self.type_of(node, a),
            Expr::Binary(op, a, b) => self.binary_type(node, *op, a, b),
            Expr::If(_, a, b) => joined(self.type_of(node, a), &self.type_of(node, b)),
            Expr::Call(callee, _) | Expr::Condact(_, callee, _, _) => {
                let mut types: Vec<Type> =
                    self.nodes[*callee].outputs.iter().map(|output| output.of.clone()).collect();
                if types.len() == 1 { types.remove(0) } else { Type::Tuple(types) }
            }
            Expr::Field(_, record, field) => self.records[*record].fields[*field].1.clone(),
            Expr::FieldUpdate(_, record, _, _) | Expr::Record(record, _) => Type::Record(*record),
            Expr::Element(array, _) => match self.type_of(node, array) {
                Type::Array(element, _) => *element,
                other => panic!("an element of {other:?}"),
            },
            Expr::ElementUpdate(array, _, _) => self.type_of(node, array),
            Expr::Array(elements) => {
                let element = elements.first().map_or(Type::Bool, |first| self.type_of(node, first));
                Type::Array(Box::new(element), elements.len())
            }
            Expr::Tuple(parts) => Type::Tuple(parts.iter().map(|part| self.type_of(node, part)).collect()),
        }
    }

    fn binary_type(&self, node: &Node, op: Binary, a: &Expr, b: &Expr) -> Type {
        match op {
            Binary::Plus | Binary::Minus | Binary::Times | Binary::Divide | Binary::Div | Binary::Mod => {
                self.type_of(node, a).without_range()
            }
            Binary::Arrow => joined(self.type_of(node, a), &self.type_of(node, b)),
            _ => Type::Bool,
        }
    }

    /// The scalars that a variable consists of, with the names that JKind gives them.
    pub fn scalars(&self, name: &str, of: &Type) -> Vec<(String, Type)> {
        match of {
            Type::Record(record) => {
                let fields = &self.records[*record].fields;
                fields.iter().flat_map(|(field, of)| self.scalars(&format!("{name}.{field}"), of)).collect()
            }
            Type::Array(element, size) => {
                (0..*size).flat_map(|index| self.scalars(&format!("{name}[{index}]"), element)).collect()
            }
            scalar => vec![(name.to_owned(), scalar.clone())],
        }
    }
}

/// What both branches have; a subrange only where both have the same.
fn joined(a: Type, b: &Type) -> Type {
    if a == *b { a } else { a.without_range() }
}

impl Type {
    /// Whether values of the type are numbers without bounds, or contain some.
    pub fn has_numbers(&self, program: &Program) -> bool {
        match self {
            Type::Int | Type::Real => true,
            Type::Bool | Type::Subrange(..) | Type::Enum(_) => false,
            Type::Record(record) => {
                program.records[*record].fields.iter().any(|(_, of)| of.has_numbers(program))
            }
            Type::Array(element, _) => element.has_numbers(program),
            Type::Tuple(parts) => parts.iter().any(|of| of.has_numbers(program)),
        }
    }

    /// `int` in place of a subrange.
    pub fn without_range(self) -> Type {
        match self {
            Type::Subrange(..) => Type::Int,
            Type::Array(element, size) => Type::Array(Box::new(element.without_range()), size),
            Type::Tuple(parts) => Type::Tuple(parts.into_iter().map(Type::without_range).collect()),
            other => other,
        }
    }

    /// Whether the type has no parts.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Record(_) | Type::Array(..) | Type::Tuple(_))
    }
}

impl Node {
    /// Inputs, outputs and locals.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.inputs.iter().chain(&self.outputs).chain(&self.locals)
    }

    /// The assertions, those for the ranges of inputs included.
    pub fn all_assertions(&self) -> Vec<Expr> {
        let ranges = self.inputs.iter().filter_map(|input| {
            let (low, high) = input.range?;
            let value = || Box::new(Expr::Variable(input.name.clone()));
            let from = Expr::Binary(Binary::LessEqual, Box::new(Expr::int(low)), value());
            let to = Expr::Binary(Binary::LessEqual, value(), Box::new(Expr::int(high)));
            Some(Expr::Binary(Binary::And, Box::new(from), Box::new(to)))
        });
        ranges.chain(self.assertions.iter().cloned()).collect()
    }
}

impl Expr {
    /// A variable.
    pub fn variable(name: &str) -> Expr {
        Expr::Variable(name.to_owned())
    }

    /// A number, as literal or negated literal.
    pub fn int(value: i64) -> Expr {
        if value < 0 { Expr::Int(-value).negated() } else { Expr::Int(value) }
    }

    /// `-self`
    pub fn negated(self) -> Expr {
        Expr::Unary(Unary::Negate, Box::new(self))
    }

    /// `pre self`
    pub fn pre(self) -> Expr {
        Expr::Unary(Unary::Pre, Box::new(self))
    }

    /// `self op other`
    pub fn binary(self, op: Binary, other: Expr) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(other))
    }

    /// `if condition then self else other`
    pub fn when(self, condition: Expr, other: Expr) -> Expr {
        Expr::If(Box::new(condition), Box::new(self), Box::new(other))
    }

    /// The operands, in the order in which they are written.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Variable(_)
            | Expr::Constant(_)
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Real(_)
            | Expr::Enum(..) => Vec::new(),
            Expr::Unary(_, a) | Expr::Field(a, _, _) => vec![a],
            Expr::Binary(_, a, b) | Expr::FieldUpdate(a, _, _, b) | Expr::Element(a, b) => vec![a, b],
            Expr::If(a, b, c) | Expr::ElementUpdate(a, b, c) => vec![a, b, c],
            Expr::Call(_, parts) | Expr::Record(_, parts) | Expr::Array(parts) | Expr::Tuple(parts) => {
                parts.iter().collect()
            }
            Expr::Condact(clock, _, arguments, defaults) => {
                std::iter::once(&**clock).chain(arguments).chain(defaults).collect()
            }
        }
    }

    /// The operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Variable(_)
            | Expr::Constant(_)
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Real(_)
            | Expr::Enum(..) => Vec::new(),
            Expr::Unary(_, a) | Expr::Field(a, _, _) => vec![a],
            Expr::Binary(_, a, b) | Expr::FieldUpdate(a, _, _, b) | Expr::Element(a, b) => vec![a, b],
            Expr::If(a, b, c) | Expr::ElementUpdate(a, b, c) => vec![a, b, c],
            Expr::Call(_, parts) | Expr::Record(_, parts) | Expr::Array(parts) | Expr::Tuple(parts) => {
                parts.iter_mut().collect()
            }
            Expr::Condact(clock, _, arguments, defaults) => {
                std::iter::once(&mut **clock).chain(arguments).chain(defaults).collect()
            }
        }
    }

    /// Whether the expression or a part of it satisfies the predicate.
    pub fn any(&self, predicate: &dyn Fn(&Expr) -> bool) -> bool {
        predicate(self) || self.operands().into_iter().any(|operand| operand.any(predicate))
    }
}
