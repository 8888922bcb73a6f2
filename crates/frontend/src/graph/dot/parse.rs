//! From words to nodes and edges, with the attributes that count. Defaults, subgraphs and concatenated texts are resolved here.

use super::lexer::{Token, lex};
use crate::{
    InputError,
    graph::spelled::Spelled,
    text::{Input, quote},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{ops::Range, rc::Rc};

/// How deep subgraphs may be nested.
const DEEPEST: usize = 100;

/// Edges between subgraphs are many for few letters, and so are the nodes of subgraphs that are named again and again.
const MOST_EDGES: usize = 1 << 26;
const MOST_MENTIONS: usize = 1 << 26;

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Without quotes, but with the escapes that labels have.
    pub(super) text: Spelled,
    /// Whether it is HTML.
    pub(super) is_html: bool,
    /// Where it is, quotes included.
    pub(super) place: Range<usize>,
}

/// The attributes that count, of a node, of an edge, or as defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) label: Option<Rc<Value>>,
    pub(super) props: Option<Rc<Value>>,
    pub(super) initial: Option<Rc<Value>>,
    pub(super) shape: Option<Rc<Value>>,
    pub(super) style: Option<Rc<Value>>,
    pub(super) fillcolor: Option<Rc<Value>>,
    /// Of the graph.
    pub(super) propositions: Option<Rc<Value>>,
    pub(super) unlabelled: Option<Rc<Value>>,
}

impl Attributes {
    fn named(&mut self, name: &str) -> Option<&mut Option<Rc<Value>>> {
        match name {
            "label" => Some(&mut self.label),
            "props" => Some(&mut self.props),
            "initial" => Some(&mut self.initial),
            "shape" => Some(&mut self.shape),
            "style" => Some(&mut self.style),
            "fillcolor" => Some(&mut self.fillcolor),
            "propositions" => Some(&mut self.propositions),
            "unlabelled" | "unlabeled" => Some(&mut self.unlabelled),
            _ => None,
        }
    }
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: String,
    /// Where it is named first.
    pub(super) place: Range<usize>,
    pub(super) attributes: Attributes,
    /// Whether there is a statement about it, and not only edges.
    pub(super) is_declared: bool,
    /// Whether such a statement gives it a label, and the attribute `props`.
    has_label: bool,
    has_props: bool,
}

impl Node {
    /// Whether a statement says what holds in it.
    pub(super) fn is_labelled(&self) -> bool {
        self.has_label || self.has_props
    }
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The nodes of a subgraph, each once.
#[derive(Default)]
pub(super) struct Members {
    pub(super) nodes: Vec<u32>,
    known: FxHashSet<u32>,
}

impl Members {
    fn extend(&mut self, nodes: Vec<u32>) {
        self.nodes.extend(nodes.into_iter().filter(|node| self.known.insert(*node)));
    }
}

/// What the file has.
#[derive(Default)]
pub(super) struct Drawing {
    /// The name of the graph, if it has one.
    pub(super) name: String,
    /// The nodes of subgraphs with names.
    pub(super) subgraphs: FxHashMap<String, Members>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// Of the graph as a whole.
    pub(super) attributes: Attributes,
    /// The first label of an edge, and the first invisible edge.
    pub(super) edge_label: Option<Range<usize>>,
    pub(super) invisible_edge: Option<Range<usize>>,
    /// Where the graph begins.
    pub(super) start: Range<usize>,
}

pub(super) fn parse(input: Input<'_>) -> Result<Drawing, InputError> {
    let mut parser = Parser {
        input,
        words: lex(input.bytes),
        at: 0,
        numbers: FxHashMap::default(),
        scopes: vec![Scope::default()],
        mentions: 0,
        drawing: Drawing::default(),
    };
    parser.file()?;
    Ok(parser.drawing)
}

/// The defaults of a subgraph.
#[derive(Clone, Default)]
struct Scope {
    node: Attributes,
    edge: Attributes,
}

/// One end of an edge.
struct Operand {
    nodes: Vec<u32>,
    /// Those that are named only, inside of a subgraph: statements, unless the subgraph is an end of an edge.
    bare: Vec<u32>,
    place: Range<usize>,
    is_subgraph: bool,
}

struct Parser<'a> {
    input: Input<'a>,
    words: Vec<(Token, Range<usize>)>,
    at: usize,
    numbers: FxHashMap<String, u32>,
    scopes: Vec<Scope>,
    /// How many nodes were mentioned by the names of subgraphs.
    mentions: usize,
    drawing: Drawing,
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.words[self.at].0
    }

    fn place(&self) -> Range<usize> {
        self.words[self.at].1.clone()
    }

    /// The word and the next one; the end stays where it is.
    fn advance(&mut self) -> Range<usize> {
        let place = self.place();
        self.at = (self.at + 1).min(self.words.len() - 1);
        place
    }

    fn accept(&mut self, token: Token) -> bool {
        let found = self.token() == token;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Result<Range<usize>, InputError> {
        match self.token() == token {
            true => Ok(self.advance()),
            false => Err(self.expected(what)),
        }
    }

    fn expected(&self, what: &str) -> InputError {
        let place = self.place();
        let start = place.start;
        let message = match self.token() {
            Token::End => format!("expected {what}, found the end of the file"),
            Token::OpenQuote => {
                "expected a closing quote, found the end of the file after this one".to_owned()
            }
            Token::Html(false) => {
                "expected a closing `>`, found the end of the file after this `<`".to_owned()
            }
            Token::OpenComment => "expected `*/`, found the end of the file after this `/*`".to_owned(),
            Token::Line => {
                format!("expected {what}, found `--`: edges of a directed graph are written with `->`")
            }
            _ => format!("expected {what}, found {}", quote(&self.input.bytes[place.clone()])),
        };
        let is_open = matches!(self.token(), Token::OpenQuote | Token::Html(false) | Token::OpenComment);
        self.input.error(if is_open { start..start + 1 } else { place }, message)
    }

    fn file(&mut self) -> Result<(), InputError> {
        self.accept(Token::Strict);
        self.drawing.start = self.place();
        match self.token() {
            Token::Digraph => self.advance(),
            Token::Graph => {
                let message = "expected `digraph`, found `graph`: transitions have a direction";
                return Err(self.input.error(self.place(), message));
            }
            _ => return Err(self.expected("`digraph`")),
        };
        if self.token() != Token::BraceOpen {
            self.drawing.name = self.id("`{` or the name of the graph")?.text.text;
        }
        self.expect(Token::BraceOpen, "`{`")?;
        let bare = self.statements(None)?;
        self.declare(&bare);
        match self.token() {
            Token::End => Ok(()),
            Token::Digraph | Token::Graph | Token::Strict => {
                Err(self.expected("the end of the file after one graph"))
            }
            _ => Err(self.expected("the end of the file")),
        }
    }

    fn declare(&mut self, nodes: &[u32]) {
        nodes.iter().for_each(|node| self.drawing.nodes[*node as usize].is_declared = true);
    }

    /// Statements up to the closing brace; `members` collects the nodes of a subgraph. Returned are nodes that are only named in subgraphs.
    fn statements(&mut self, mut members: Option<&mut Vec<u32>>) -> Result<Vec<u32>, InputError> {
        let mut bare = Vec::new();
        let is_root = members.is_none();
        while !self.accept(Token::BraceClose) {
            match self.token() {
                Token::Semicolon | Token::Comma => _ = self.advance(),
                Token::Graph | Token::Node | Token::Edge => self.defaults(is_root)?,
                _ => self.statement(is_root, &mut members, &mut bare)?,
            }
        }
        Ok(bare)
    }

    /// `node [shape=circle]`
    fn defaults(&mut self, is_root: bool) -> Result<(), InputError> {
        let kind = self.token();
        self.advance();
        if self.token() != Token::BracketOpen {
            return Err(self.expected("`[` and attributes"));
        }
        let given = self.attributes()?;
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        let defaults = match kind {
            Token::Node => &mut scope.node,
            Token::Edge => &mut scope.edge,
            _ if is_root => &mut self.drawing.attributes,
            _ => return Ok(()),
        };
        for (name, value) in given {
            if let Some(attribute) = defaults.named(&name) {
                *attribute = Some(value);
            }
        }
        Ok(())
    }

    /// A node, an edge, a subgraph, or an attribute of the graph.
    fn statement(
        &mut self,
        is_root: bool,
        members: &mut Option<&mut Vec<u32>>,
        bare: &mut Vec<u32>,
    ) -> Result<(), InputError> {
        let is_name = matches!(self.token(), Token::Name | Token::Number | Token::Quoted);
        if is_name && self.words.get(self.at + 1).is_some_and(|(token, _)| *token == Token::Equals) {
            let name = self.id("an attribute")?;
            self.advance();
            let value = Rc::new(self.id("the value of the attribute")?);
            if is_root && let Some(attribute) = self.drawing.attributes.named(&name.text.text) {
                *attribute = Some(value);
            }
            return Ok(());
        }
        let mut operands = vec![self.operand()?];
        while self.accept(Token::Arrow) {
            operands.push(self.operand()?);
        }
        if let Some(members) = members {
            operands.iter().for_each(|operand| members.extend(&operand.nodes));
        }
        if operands.len() > 1 {
            return self.edges(&operands);
        }
        let given = self.attributes()?;
        for operand in operands {
            match (operand.is_subgraph, operand.nodes.first()) {
                (false, Some(node)) if given.is_empty() => bare.push(*node),
                (false, Some(node)) => self.node_attributes(*node, &given)?,
                _ => bare.extend(operand.bare),
            }
        }
        Ok(())
    }

    /// A node with its port, or a subgraph.
    fn operand(&mut self) -> Result<Operand, InputError> {
        if matches!(self.token(), Token::Subgraph | Token::BraceOpen) {
            return self.subgraph();
        }
        let name = self.id("a node, an edge, a subgraph, an attribute or `}`")?;
        if name.is_html {
            return Err(self.input.error(name.place, "expected the name of a node, found HTML"));
        }
        let node = self.node(&name);
        for _ in 0..2 {
            if self.accept(Token::Colon) {
                self.id("a port")?;
            }
        }
        Ok(Operand { nodes: vec![node], bare: Vec::new(), place: name.place, is_subgraph: false })
    }

    fn node(&mut self, name: &Value) -> u32 {
        if let Some(number) = self.numbers.get(&name.text.text) {
            return *number;
        }
        let number = self.drawing.nodes.len() as u32;
        self.numbers.insert(name.text.text.clone(), number);
        self.drawing.nodes.push(Node {
            name: name.text.text.clone(),
            place: name.place.clone(),
            attributes: self.scopes.last().map(|scope| scope.node.clone()).unwrap_or_default(),
            is_declared: false,
            has_label: false,
            has_props: false,
        });
        number
    }

    fn subgraph(&mut self) -> Result<Operand, InputError> {
        let start = self.place().start;
        let mut end = self.place().end;
        let mut name = None;
        if self.accept(Token::Subgraph) && self.token() != Token::BraceOpen {
            let id = self.id("`{` or the name of the subgraph")?;
            end = id.place.end;
            name = Some(id.text.text);
        }
        let (mut nodes, mut bare) = (Vec::new(), Vec::new());
        if self.token() == Token::BraceOpen {
            if self.scopes.len() > DEEPEST {
                return Err(self
                    .input
                    .error(self.place(), "expected subgraphs that are not nested this deep"));
            }
            end = self.advance().end;
            self.scopes.push(self.scopes.last().cloned().unwrap_or_default());
            bare = self.statements(Some(&mut nodes))?;
            self.scopes.pop();
        }
        let mut members = Members::default();
        let members = match name {
            Some(name) => self.drawing.subgraphs.entry(name).or_default(),
            None => &mut members,
        };
        members.extend(nodes);
        let nodes = members.nodes.clone();
        self.mentions += nodes.len();
        if self.mentions > MOST_MENTIONS {
            let message =
                format!("expected at most {MOST_MENTIONS} nodes in all subgraphs, found more with this one");
            return Err(self.input.error(start..end, message));
        }
        Ok(Operand { nodes, bare, place: start..end, is_subgraph: true })
    }

    fn edges(&mut self, operands: &[Operand]) -> Result<(), InputError> {
        let mut attributes = self.scopes.last().map(|scope| scope.edge.clone()).unwrap_or_default();
        for (name, value) in self.attributes()? {
            if let Some(attribute) = attributes.named(&name) {
                *attribute = Some(value);
            }
        }
        if let Some(label) = attributes.label.as_ref().filter(|label| !label.text.text.trim().is_empty()) {
            self.drawing.edge_label.get_or_insert(label.place.clone());
        }
        if attributes.style.as_ref().is_some_and(|style| is_invisible(style)) {
            self.drawing.invisible_edge.get_or_insert(operands[0].place.clone());
            return Ok(());
        }
        for (from, to) in operands.iter().zip(&operands[1..]) {
            let count = from.nodes.len().saturating_mul(to.nodes.len());
            if count.saturating_add(self.drawing.edges.len()) > MOST_EDGES {
                let message = format!("expected at most {MOST_EDGES} edges, found more with this one");
                return Err(self.input.error(to.place.clone(), message));
            }
            for source in &from.nodes {
                let targets = to.nodes.iter();
                self.drawing.edges.extend(targets.map(|target| Edge { from: *source, to: *target }));
            }
        }
        Ok(())
    }

    /// A statement about a node.
    fn node_attributes(&mut self, node: u32, given: &[(String, Rc<Value>)]) -> Result<(), InputError> {
        let node = &mut self.drawing.nodes[node as usize];
        for (name, value) in given {
            let Some(attribute) = node.attributes.named(name) else { continue };
            let has_one = match name.as_str() {
                "label" => std::mem::replace(&mut node.has_label, true),
                "props" => std::mem::replace(&mut node.has_props, true),
                _ => false,
            };
            let is_other = |known: &Rc<Value>| known.text.text != value.text.text;
            if has_one && attribute.as_ref().is_some_and(is_other) {
                let message = format!(
                    "duplicate state: expected the same {name} as before for node {}, found {}",
                    quote(node.name.as_bytes()),
                    quote(value.text.text.as_bytes())
                );
                return Err(self.input.error(value.place.clone(), message));
            }
            *attribute = Some(Rc::clone(value));
        }
        node.is_declared = true;
        Ok(())
    }

    /// Lists of attributes in brackets.
    fn attributes(&mut self) -> Result<Vec<(String, Rc<Value>)>, InputError> {
        let mut all = Vec::new();
        while self.accept(Token::BracketOpen) {
            while !self.accept(Token::BracketClose) {
                if matches!(self.token(), Token::Semicolon | Token::Comma) {
                    self.advance();
                    continue;
                }
                let name = self.id("an attribute or `]`")?;
                // An attribute without value is true.
                let value = match self.accept(Token::Equals) {
                    true => self.id("the value of the attribute")?,
                    false => {
                        let mut text = Spelled::default();
                        text.push("true", name.place.start);
                        Value { text, is_html: false, place: name.place }
                    }
                };
                all.push((name.text.text, Rc::new(value)));
            }
        }
        Ok(all)
    }

    /// A name, a number, a text with its continuations, or HTML.
    fn id(&mut self, what: &str) -> Result<Value, InputError> {
        let (token, place) = (self.token(), self.place());
        let mut text = Spelled::default();
        match token {
            Token::Name | Token::Number => text.push(self.utf8(place.clone())?, place.start),
            Token::Html(true) => text.push(self.utf8(place.start + 1..place.end - 1)?, place.start + 1),
            Token::Quoted => self.quoted(&mut text, &place)?,
            _ => return Err(self.expected(what)),
        }
        self.advance();
        let mut value = Value { text, is_html: token == Token::Html(true), place };
        while token == Token::Quoted && self.accept(Token::Plus) {
            let place = self.place();
            if self.token() != Token::Quoted {
                return Err(self.expected("a text in quotes after `+`"));
            }
            self.quoted(&mut value.text, &place)?;
            value.place.end = place.end;
            self.advance();
        }
        Ok(value)
    }

    /// Quotes are escaped with a backslash, and one at the end of a line continues it. Other escapes are those of labels, and stay.
    fn quoted(&self, text: &mut Spelled, place: &Range<usize>) -> Result<(), InputError> {
        let inner = place.start + 1..place.end - 1;
        let content = self.utf8(inner.clone())?;
        let bytes = content.as_bytes();
        let (mut piece, mut at) = (0, 0);
        while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
            at += found;
            let skipped = match &bytes[at + 1..] {
                [b'"', ..] => 1,
                [b'\n', ..] => 2,
                [b'\r', b'\n', ..] => 3,
                _ => 0,
            };
            if skipped > 0 {
                text.push(&content[piece..at], inner.start + piece);
                piece = at + skipped;
            }
            at = (at + skipped.max(2)).min(bytes.len());
        }
        text.push(&content[piece..], inner.start + piece);
        Ok(())
    }

    fn utf8(&self, place: Range<usize>) -> Result<&str, InputError> {
        std::str::from_utf8(&self.input.bytes[place.clone()]).map_err(|error| {
            let start = place.start + error.valid_up_to();
            self.input.error(start..start + 1, "expected UTF-8, found other bytes")
        })
    }
}

/// Whether a style is, or has, `invis`.
pub(super) fn is_invisible(style: &Value) -> bool {
    style.text.text.split(',').any(|part| matches!(part.trim(), "invis" | "invisible"))
}
