//! Arrays that are not written out: what is read of them is encoded, and nothing else.
//!
//! A small array is a table, one word per index. Any other is a term: nothing is known of it ([`Term::Any`]), it holds one word everywhere, it lists
//! what it holds, or it is made of others by writing or by a choice. A read is pushed down to the leaves (*read over write*: what was written
//! if the indices are equal, otherwise what is read of the array below). Reading what nothing is known of yields a new word, and for each earlier
//! read of the same: where the indices are equal, the words are (Ackermann 1954). Memories were first abstracted like that by Ganai, Gupta and Ashar
//! (*Efficient modeling of embedded memory systems for bounded model checking*, CAV 2004).
//!
//! **Why this is exact.** Given values of all arrays of which nothing is known, let each word be what is read there: then all clauses hold,
//! so no value is excluded. Given a model of the clauses, let such an array hold at an index the word of some read whose index has that value, and
//! anything elsewhere: it does not matter which read, because of the clauses. Then each word is what is read of its term, from the leaves up. Whatever needs all
//! elements, such as equality, reads the array at each constant index, like any other read. So it is exact as well, or refused if there are too many.
//!
//! An array of arrays of which nothing is known is read at all its indices at once: they are put together to one.
//!
//! Terms live in [`Arrays`] and are numbered. Nothing is recursive but in the depth of sorts, so that chains of writes may be long.

use super::gates::Gates;
use super::word::{LARGEST_WORD, Word, count, literal_count};
use crate::Rejection;
use propcov_ir::{ArraySort, ArrayValue, Sort, Value};
use propcov_sat::{Lit, Solver};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// What an array holds. Which of both it is depends on its sort alone.
#[derive(Clone, Debug)]
pub(crate) enum Array {
    /// What is stored, by index.
    Table(Rc<[Word]>),
    /// By its number in [`Arrays`].
    Term(TermId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TermId(u32);

/// A list of literals that something was read or written at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct IndexId(u32);

#[derive(Clone, Debug)]
enum Term {
    /// Nothing is known of it. The prefix are the indices that it was already read at, if it is an element of an array of arrays.
    Any { source: usize, prefix: Rc<[Lit]> },
    /// One word everywhere.
    All(Word),
    /// What is listed, and the default elsewhere.
    Listed(Rc<Listed>),
    /// Another one, but at one index.
    Write { array: TermId, index: IndexId, value: Word },
    /// One or the other.
    Ite { condition: Lit, then: TermId, otherwise: TermId },
}

/// A constant.
#[derive(Debug)]
struct Listed {
    default: Word,
    /// Indices, least significant bit first, in the order of numbers.
    elements: Vec<(Box<[bool]>, Word)>,
}

/// The reads of something of which nothing is known.
#[derive(Default)]
struct Source {
    words: FxHashMap<IndexId, Word>,
    /// Those at constants need not be compared with each other.
    constant: Vec<IndexId>,
    variable: Vec<IndexId>,
}

/// All terms in a solver, and what was read of them.
pub(crate) struct Arrays {
    /// Arrays of more literals are terms.
    largest_table: u64,
    terms: Vec<Term>,
    sources: Vec<Source>,
    indices: Vec<Rc<[Lit]>>,
    index_ids: FxHashMap<Rc<[Lit]>, IndexId>,
    /// Whether two indices are equal.
    comparisons: FxHashMap<(IndexId, IndexId), Lit>,
    reads: FxHashMap<(TermId, IndexId), Word>,
    /// Terms that were read at each index.
    tables: FxHashMap<TermId, Rc<[Word]>>,
}

thread_local! {
    static LARGEST_TABLE: Cell<u64> = const { Cell::new(512) };
}

/// For tests: encodes arrays of at most so many bits as tables, while something runs in this thread. Answers do not depend on it.
#[doc(hidden)]
pub fn with_tables_up_to<T>(bits: u64, run: impl FnOnce() -> T) -> T {
    let before = LARGEST_TABLE.replace(bits);
    let answer = run();
    LARGEST_TABLE.set(before);
    answer
}

impl Default for Arrays {
    fn default() -> Arrays {
        Arrays {
            largest_table: LARGEST_TABLE.get(),
            terms: Vec::new(),
            sources: Vec::new(),
            indices: Vec::new(),
            index_ids: FxHashMap::default(),
            comparisons: FxHashMap::default(),
            reads: FxHashMap::default(),
            tables: FxHashMap::default(),
        }
    }
}

impl Arrays {
    /// Whether arrays of this sort are tables. An error if there are no such arrays.
    pub(crate) fn are_tables(&self, sort: &Arc<ArraySort>) -> Result<bool, Rejection> {
        Ok(literal_count(&Sort::Array(Arc::clone(sort)))? <= self.largest_table)
    }

    fn add(&mut self, term: Term) -> Array {
        self.terms.push(term);
        Array::Term(TermId((self.terms.len() - 1) as u32))
    }

    fn index(&mut self, literals: &[Lit]) -> IndexId {
        if let Some(known) = self.index_ids.get(literals) {
            return *known;
        }
        let id = IndexId(self.indices.len() as u32);
        let literals: Rc<[Lit]> = literals.into();
        self.indices.push(Rc::clone(&literals));
        self.index_ids.insert(literals, id);
        id
    }

    fn read(&self, term: TermId, index: IndexId) -> Option<Word> {
        self.reads.get(&(term, index)).cloned()
    }
}

fn ill_sorted(sort: &Arc<ArraySort>) -> Rejection {
    Rejection::Malformed(format!("a constant of sort {} is ill-sorted", Sort::Array(Arc::clone(sort))))
}

/// Terms. Sorts were checked by whoever calls.
impl<S: Solver> Gates<S> {
    /// An array of which nothing is known.
    pub(super) fn any_array(&mut self) -> Array {
        self.arrays.sources.push(Source::default());
        let source = self.arrays.sources.len() - 1;
        self.arrays.add(Term::Any { source, prefix: Rc::from([]) })
    }

    /// An array that holds one word everywhere.
    pub(super) fn uniform_array(&mut self, word: Word) -> Array {
        self.arrays.add(Term::All(word))
    }

    /// A constant.
    pub(super) fn constant_array(&mut self, array: &ArrayValue) -> Result<Array, Rejection> {
        let sort = array.sort();
        let default = self.constant_element(sort, array.default_value())?;
        let width = literal_count(&sort.index)? as u32;
        let mut elements = Vec::new();
        for (index, value) in array.elements() {
            self.spend(1)?;
            let index: Box<[bool]> = match index {
                _ if index.sort() != sort.index => return Err(ill_sorted(sort)),
                Value::Bits(bits) => (0..width).map(|bit| bits.bit(bit)).collect(),
                Value::Enum(_, position) if u64::from(*position) < count(&sort.index)? => {
                    (0..width).map(|bit| position >> bit & 1 == 1).collect()
                }
                _ => return Err(ill_sorted(sort)),
            };
            elements.push((index, self.constant_element(sort, value)?));
        }
        if elements.is_empty() {
            return Ok(self.uniform_array(default));
        }
        elements.sort_by(|(a, _), (b, _)| a.iter().rev().cmp(b.iter().rev()));
        Ok(self.arrays.add(Term::Listed(Rc::new(Listed { default, elements }))))
    }

    /// What a constant array of this sort stores.
    pub(super) fn constant_element(
        &mut self,
        sort: &Arc<ArraySort>,
        element: &Value,
    ) -> Result<Word, Rejection> {
        if element.sort() != sort.element {
            return Err(ill_sorted(sort));
        }
        self.constant_word(element)
    }

    /// The array after a write.
    pub(super) fn written(&mut self, array: TermId, index: &[Lit], value: &Word) -> Array {
        let index = self.arrays.index(index);
        self.arrays.add(Term::Write { array, index, value: value.clone() })
    }

    /// One array or the other.
    pub(super) fn choice(&mut self, condition: Lit, then: TermId, otherwise: TermId) -> Array {
        if then == otherwise || condition == self.constant(true) {
            return Array::Term(then);
        }
        if condition == self.constant(false) {
            return Array::Term(otherwise);
        }
        self.arrays.add(Term::Ite { condition, then, otherwise })
    }

    /// Everything that is stored in an array, by index.
    pub(super) fn table(&mut self, sort: &Arc<ArraySort>, array: &Array) -> Result<Rc<[Word]>, Rejection> {
        let term = match array {
            Array::Table(elements) => return Ok(Rc::clone(elements)),
            Array::Term(term) => *term,
        };
        if let Some(known) = self.arrays.tables.get(&term) {
            return Ok(Rc::clone(known));
        }
        let whole = Sort::Array(Arc::clone(sort));
        let literals = literal_count(&whole)?;
        if literals > LARGEST_WORD {
            return Err(Rejection::Unsupported(format!("all {literals} bits of a value of sort {whole}")));
        }
        let width = literal_count(&sort.index)? as usize;
        let read = |index| self.read_term(sort, term, &self.number(width, index as u32));
        let table: Result<Rc<[Word]>, Rejection> = (0..count(&sort.index)?).map(read).collect();
        let table = table?;
        self.arrays.tables.insert(term, Rc::clone(&table));
        Ok(table)
    }
}

/// Reads.
impl<S: Solver> Gates<S> {
    /// What an array stores at an index. Each term below is read once.
    pub(super) fn read_term(
        &mut self,
        sort: &ArraySort,
        term: TermId,
        index: &[Lit],
    ) -> Result<Word, Rejection> {
        let at = self.arrays.index(index);
        let mut stack = vec![term];
        while let Some(&here) = stack.last() {
            self.spend(1)?;
            if self.arrays.reads.contains_key(&(here, at)) {
                stack.pop();
                continue;
            }
            let word = match self.arrays.terms[here.0 as usize].clone() {
                Term::Any { source, prefix } => self.read_any(sort, source, &prefix, index)?,
                Term::All(word) => word,
                Term::Listed(listed) => self.read_listed(&listed, index)?,
                Term::Write { array, index: written, value } => {
                    let hit = self.same_index(at, written);
                    if hit == self.constant(true) {
                        value
                    } else if let Some(below) = self.arrays.read(array, at) {
                        self.mux_words(hit, &value, &below)?
                    } else {
                        stack.push(array);
                        continue;
                    }
                }
                Term::Ite { condition, then, otherwise } => {
                    match (self.arrays.read(then, at), self.arrays.read(otherwise, at)) {
                        (Some(then), Some(otherwise)) => self.mux_words(condition, &then, &otherwise)?,
                        (Some(_), None) => {
                            stack.push(otherwise);
                            continue;
                        }
                        (None, _) => {
                            stack.push(then);
                            continue;
                        }
                    }
                }
            };
            self.arrays.reads.insert((here, at), word);
            stack.pop();
        }
        self.arrays.read(term, at).ok_or(Rejection::Undecided)
    }

    /// Of something of which nothing is known, read at some indices, what is read at one more.
    fn read_any(
        &mut self,
        sort: &ArraySort,
        source: usize,
        prefix: &[Lit],
        index: &[Lit],
    ) -> Result<Word, Rejection> {
        let place: Rc<[Lit]> = prefix.iter().chain(index).copied().collect();
        let Sort::Array(inner) = &sort.element else {
            return self.read_source(&sort.element, source, &place);
        };
        if !self.arrays.are_tables(inner)? {
            return Ok(Word::Array(inner.clone(), self.arrays.add(Term::Any { source, prefix: place })));
        }
        let width = literal_count(&inner.index)? as usize;
        let read = |index| self.read_any(inner, source, &place, &self.number(width, index as u32));
        let elements: Result<Rc<[Word]>, Rejection> = (0..count(&inner.index)?).map(read).collect();
        Ok(Word::Array(inner.clone(), Array::Table(elements?)))
    }

    /// The word at a place: a new one, which agrees with all others where the places are equal.
    fn read_source(&mut self, element: &Sort, source: usize, place: &[Lit]) -> Result<Word, Rejection> {
        let at = self.arrays.index(place);
        let reads = &self.arrays.sources[source];
        if let Some(known) = reads.words.get(&at) {
            return Ok(known.clone());
        }
        let is_constant = self.is_constant(place);
        let mut others = reads.variable.clone();
        if !is_constant {
            others.extend_from_slice(&reads.constant);
        }
        let word = self.fresh_word(element)?;
        let (literals, never) = (self.literals(&word)?, self.constant(false));
        for other in others {
            self.spend(1)?;
            let equal = self.same_index(at, other);
            if equal == never {
                continue;
            }
            let known = self.arrays.sources[source].words[&other].clone();
            for (&a, b) in literals.iter().zip(self.literals(&known)?) {
                self.clause(&[!equal, !a, b]);
                self.clause(&[!equal, a, !b]);
            }
        }
        let reads = &mut self.arrays.sources[source];
        if is_constant {
            reads.constant.push(at);
        } else {
            reads.variable.push(at);
        }
        reads.words.insert(at, word.clone());
        Ok(word)
    }

    /// What a constant stores at an index: a tree of choices, which asks for each bit where listed indices part, and whether the bits that they
    /// have in common are the index's.
    fn read_listed(&mut self, listed: &Listed, index: &[Lit]) -> Result<Word, Rejection> {
        /// What is left to do, on a stack; what is done yields words on another.
        enum Task {
            /// Some listed elements, that agree with the index on all but so many bits.
            Among(Range<usize>, usize),
            /// The word if the condition holds, else the default.
            If(Lit),
            /// Of two words the first if the condition holds.
            Choose(Lit),
        }
        let Listed { default, elements } = listed;
        let (always, never) = (self.constant(true), self.constant(false));
        let mut words: Vec<Word> = Vec::new();
        let mut tasks = vec![Task::Among(0..elements.len(), index.len())];
        while let Some(task) = tasks.pop() {
            self.spend(1)?;
            let word = match task {
                Task::If(condition) => {
                    let word = words.pop().ok_or(Rejection::Undecided)?;
                    self.mux_words(condition, &word, default)?
                }
                Task::Choose(condition) => {
                    let (low, high) = (words.pop(), words.pop());
                    let (low, high) = low.zip(high).ok_or(Rejection::Undecided)?;
                    self.mux_words(condition, &high, &low)?
                }
                Task::Among(range, _) if range.is_empty() => default.clone(),
                Task::Among(range, width) => {
                    let (first, last) = (&elements[range.start].0, &elements[range.end - 1].0);
                    // The highest bit where they part. Those above are the same for all between them, too.
                    let parting = (0..width).rev().find(|bit| first[*bit] != last[*bit]);
                    let common = parting.map_or(0, |bit| bit + 1)..width;
                    let agree = self.all(common.map(|bit| index[bit].negated_if(!first[bit])));
                    if agree == never {
                        words.push(default.clone());
                        continue;
                    }
                    tasks.push(Task::If(agree));
                    let Some(bit) = parting else {
                        words.push(elements[range.start].1.clone());
                        continue;
                    };
                    let middle =
                        range.start + elements[range.clone()].partition_point(|(index, _)| !index[bit]);
                    let (low, high) = (range.start..middle, middle..range.end);
                    if index[bit] == always {
                        tasks.push(Task::Among(high, bit));
                    } else if index[bit] == never {
                        tasks.push(Task::Among(low, bit));
                    } else {
                        tasks.extend([
                            Task::Choose(index[bit]),
                            Task::Among(low, bit),
                            Task::Among(high, bit),
                        ]);
                    }
                    continue;
                }
            };
            words.push(word);
        }
        words.pop().ok_or(Rejection::Undecided)
    }

    fn is_constant(&self, index: &[Lit]) -> bool {
        index.iter().all(|bit| *bit == self.constant(true) || *bit == self.constant(false))
    }

    /// Whether two indices are equal.
    fn same_index(&mut self, a: IndexId, b: IndexId) -> Lit {
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.arrays.comparisons.get(&key) {
            return *known;
        }
        let (x, y) = (Rc::clone(&self.arrays.indices[a.0 as usize]), &self.arrays.indices[b.0 as usize]);
        let differing: Vec<(Lit, Lit)> =
            x.iter().zip(y.iter()).filter(|(x, y)| x != y).map(|(x, y)| (*x, *y)).collect();
        if differing.iter().any(|(x, y)| *x == !*y) {
            return self.constant(false);
        }
        let same: Vec<Lit> = differing.into_iter().map(|(x, y)| !self.xor(x, y)).collect();
        let equal = self.all(same);
        self.arrays.comparisons.insert(key, equal);
        equal
    }

    /// The conjunction, where constants are left out.
    fn all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let (always, never) = (self.constant(true), self.constant(false));
        let open: Vec<Lit> = literals.into_iter().filter(|literal| *literal != always).collect();
        if open.contains(&never) { never } else { self.and_all(&open) }
    }
}
