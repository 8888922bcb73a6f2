//! The definition.
//!
//! A word is infinite: letters, the last of which repeats for ever. So it can say "these ticks, and then nothing but ⊤". The ends of all matches are looked for up to a horizon
//! that is far beyond what properties of the generator need: their bounds are small, and a match of a sequence on a constant rest is found within a few of them.

use super::syntax::{Bool, Prop, Range, Seq};
use super::{ATOMS, Letter};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A letter of Annex F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Real(Letter),
    /// Satisfies every Boolean.
    Top,
    /// Satisfies none.
    Bottom,
}

impl Symbol {
    fn satisfies(self, boolean: Bool) -> bool {
        match self {
            Symbol::Top => true,
            Symbol::Bottom => false,
            Symbol::Real(letter) => match boolean {
                Bool::Const(value) => value,
                Bool::Is(atom, value) => letter[atom % ATOMS] == value,
            },
        }
    }

    fn bar(self) -> Symbol {
        match self {
            Symbol::Top => Symbol::Bottom,
            Symbol::Bottom => Symbol::Top,
            real => real,
        }
    }
}

/// An infinite word whose last letter repeats.
#[derive(Clone, Debug)]
struct Word {
    symbols: Vec<Symbol>,
    horizon: usize,
    /// The ends that are known.
    ends: RefCell<FxHashMap<(Seq, usize), BTreeSet<usize>>>,
}

impl Word {
    fn new(letters: &[Letter], rest: Symbol, horizon: usize) -> Word {
        let mut symbols: Vec<Symbol> = letters.iter().copied().map(Symbol::Real).collect();
        symbols.push(rest);
        Word::of(symbols, letters.len() + horizon)
    }

    fn of(symbols: Vec<Symbol>, horizon: usize) -> Word {
        Word { symbols, horizon, ends: RefCell::default() }
    }

    fn at(&self, tick: usize) -> Symbol {
        self.symbols[tick.min(self.symbols.len() - 1)]
    }

    fn bar(&self) -> Word {
        Word::of(self.symbols.iter().map(|symbol| symbol.bar()).collect(), self.horizon)
    }

    /// The letters before a tick, and then ⊤ for ever.
    fn cut(&self, tick: usize) -> Word {
        let mut symbols: Vec<Symbol> = (0..tick).map(|tick| self.at(tick)).collect();
        symbols.push(Symbol::Top);
        Word::of(symbols, self.horizon)
    }
}

/// The ends of the matches that begin at a tick: the tick after the last one.
fn ends(seq: &Seq, word: &Word, from: usize) -> BTreeSet<usize> {
    if let Seq::Is(boolean) = seq {
        let fits = from < word.horizon && word.at(from).satisfies(*boolean);
        return if fits { BTreeSet::from([from + 1]) } else { BTreeSet::new() };
    }
    let key = (seq.clone(), from);
    if let Some(known) = word.ends.borrow().get(&key) {
        return known.clone();
    }
    let all = new_ends(seq, word, from);
    word.ends.borrow_mut().insert(key, all.clone());
    all
}

fn new_ends(seq: &Seq, word: &Word, from: usize) -> BTreeSet<usize> {
    let concat = |left: BTreeSet<usize>, right: &dyn Fn(usize) -> BTreeSet<usize>| -> BTreeSet<usize> {
        left.into_iter().flat_map(right).collect()
    };
    match seq {
        Seq::Is(_) => ends(seq, word, from),
        Seq::Wait(range, inner) => {
            // (1[*r]) ##1 s
            concat(times(&any(), *range, word, from), &|at| ends(inner, word, at))
        }
        Seq::Delay(left, range, right) => {
            // s ##0 t: the last tick of s is the first of t. s ##n t: s ##1 1[*n-1] ##1 t.
            let mut all = BTreeSet::new();
            for middle in ends(left, word, from) {
                if range.0 == 0 && middle > from {
                    all.extend(ends(right, word, middle - 1).into_iter().filter(|end| *end >= middle));
                }
                if range.1 != Some(0) {
                    let waits = (range.0.saturating_sub(1), range.1.map(|max| max - 1));
                    let waited = times(&any(), waits, word, middle);
                    all.extend(concat(waited, &|at| ends(right, word, at)));
                }
            }
            all
        }
        Seq::Repeat(inner, range) => times(inner, *range, word, from),
        Seq::Goto(boolean, range) => times(&goto(*boolean), *range, word, from),
        Seq::Nonconsecutive(boolean, range) => {
            let rest = Seq::Is(negated(*boolean));
            let first = times(&goto(*boolean), *range, word, from);
            concat(first, &|at| times(&rest, (0, None), word, at))
        }
        Seq::Or(left, right) => &ends(left, word, from) | &ends(right, word, from),
        Seq::Intersect(left, right) => &ends(left, word, from) & &ends(right, word, from),
        Seq::And(left, right) => {
            // ((s ##1 1[*]) intersect t) or (s intersect (t ##1 1[*]))
            let (left, right) = (ends(left, word, from), ends(right, word, from));
            let longer =
                |ends: &BTreeSet<usize>| concat(ends.clone(), &|at| times(&any(), (0, None), word, at));
            &(&longer(&left) & &right) | &(&left & &longer(&right))
        }
        Seq::Within(inner, outer) => {
            // (1[*] ##1 s ##1 1[*]) intersect t
            let before = times(&any(), (0, None), word, from);
            let during = concat(before, &|at| ends(inner, word, at));
            let after = concat(during, &|at| times(&any(), (0, None), word, at));
            &after & &ends(outer, word, from)
        }
        Seq::Throughout(boolean, inner) => {
            &times(&Seq::Is(*boolean), (0, None), word, from) & &ends(inner, word, from)
        }
        Seq::FirstMatch(inner) => {
            let earlier = ends(inner, &word.bar(), from);
            let first = earlier.first().copied().unwrap_or(usize::MAX);
            ends(inner, word, from).into_iter().filter(|end| *end <= first).collect()
        }
    }
}

fn any() -> Seq {
    Seq::Is(Bool::Const(true))
}

fn negated(boolean: Bool) -> Bool {
    match boolean {
        Bool::Const(value) => Bool::Const(!value),
        Bool::Is(atom, value) => Bool::Is(atom, !value),
    }
}

/// `(!b)[*] ##1 b`
fn goto(boolean: Bool) -> Seq {
    let wait = Seq::Repeat(Box::new(Seq::Is(negated(boolean))), (0, None));
    Seq::Delay(Box::new(wait), (1, Some(1)), Box::new(Seq::Is(boolean)))
}

/// Repetition: once more is `##1`.
fn times(inner: &Seq, (min, max): Range, word: &Word, from: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    let mut here = BTreeSet::from([from]);
    let most = max.unwrap_or(min + word.horizon as u32 + 1);
    for count in 0..=most {
        if count >= min {
            let before = all.len();
            all.extend(here.iter().copied());
            if all.len() == before && count > min {
                break;
            }
        }
        here = here.into_iter().flat_map(|at| ends(inner, word, at)).collect();
        if max.is_none() && count >= min {
            // Without a limit, to be somewhere once is enough.
            here.retain(|at| !all.contains(at));
        }
    }
    all
}

/// Whether a word satisfies a property from a tick on. `strong` says how a sequence is read that does not say.
fn satisfies(prop: &Prop, word: &Word, from: usize, strong: bool) -> bool {
    let holds = |prop: &Prop, at: usize| satisfies(prop, word, at, strong);
    // All that comes after this is the same.
    let last = from.max(word.symbols.len() - 1);
    match prop {
        Prop::Seq(seq) if strong => is_matched(seq, word, from),
        Prop::Strong(seq) => is_matched(seq, word, from),
        Prop::Seq(seq) | Prop::Weak(seq) => {
            // To cut later changes nothing: ⊤ is what comes anyway, and after one ⊥ nothing more can match.
            (from..=last + 1).all(|tick| is_matched(seq, &word.cut(tick + 1), from))
        }
        Prop::Not(inner) => !satisfies(inner, &word.bar(), from, strong),
        Prop::And(left, right) => holds(left, from) && holds(right, from),
        Prop::Or(left, right) => holds(left, from) || holds(right, from),
        Prop::Implies(left, right) => !satisfies(left, &word.bar(), from, strong) || holds(right, from),
        Prop::Iff(left, right) => {
            let not = |prop: &Prop| !satisfies(prop, &word.bar(), from, strong);
            (not(left) || holds(right, from)) && (not(right) || holds(left, from))
        }
        Prop::If(condition, then, otherwise) => {
            let is = word.at(from).bar();
            (!is.satisfies(*condition) || holds(then, from))
                && (!is.satisfies(negated(*condition))
                    || otherwise.as_ref().is_none_or(|otherwise| holds(otherwise, from)))
        }
        Prop::Overlapped(seq, after) => {
            let ends = ends(seq, &word.bar(), from);
            ends.into_iter().filter(|end| *end > from).all(|end| holds(after, end - 1))
        }
        Prop::Nonoverlapped(seq, after) => {
            let longer = Seq::Delay(Box::new(seq.clone()), (1, Some(1)), Box::new(any()));
            holds(&Prop::Overlapped(longer, after.clone()), from)
        }
        Prop::FollowedOverlapped(seq, after) => {
            let not = Prop::Overlapped(seq.clone(), Box::new(Prop::Not(after.clone())));
            holds(&Prop::Not(Box::new(not)), from)
        }
        Prop::FollowedNonoverlapped(seq, after) => {
            let not = Prop::Nonoverlapped(seq.clone(), Box::new(Prop::Not(after.clone())));
            holds(&Prop::Not(Box::new(not)), from)
        }
        Prop::Next(ticks, inner) => holds(inner, from + *ticks as usize),
        Prop::Always((min, max), inner) => {
            let first = from + *min as usize;
            let end = max.map_or(last.max(first) + 1, |max| from + max as usize);
            (first..=end).all(|tick| holds(inner, tick))
        }
        Prop::Eventually((min, max), inner) => {
            let first = from + *min as usize;
            let end = max.map_or(last.max(first) + 1, |max| from + max as usize);
            (first..=end).any(|tick| holds(inner, tick))
        }
        Prop::Until(left, right) => {
            until(&|at| holds(left, at), &|at| holds(right, at), from..last + 2, true)
        }
        Prop::StrongUntil(left, right) => {
            until(&|at| holds(left, at), &|at| holds(right, at), from..last + 2, false)
        }
        Prop::UntilWith(left, right) => {
            until(&|at| holds(left, at), &|at| holds(left, at) && holds(right, at), from..last + 2, true)
        }
        Prop::StrongUntilWith(left, right) => {
            until(&|at| holds(left, at), &|at| holds(left, at) && holds(right, at), from..last + 2, false)
        }
        Prop::AcceptOn(condition, inner) => {
            let first = (from..=last + 1).find(|tick| word.at(*tick).satisfies(*condition));
            match first {
                Some(tick) => satisfies(inner, &word.cut(tick), from, strong),
                None => holds(inner, from),
            }
        }
        Prop::RejectOn(condition, inner) => {
            let accept = Prop::AcceptOn(*condition, Box::new(Prop::Not(inner.clone())));
            holds(&Prop::Not(Box::new(accept)), from)
        }
    }
}

fn until(
    left: &dyn Fn(usize) -> bool,
    right: &dyn Fn(usize) -> bool,
    ticks: std::ops::Range<usize>,
    otherwise: bool,
) -> bool {
    for tick in ticks {
        if right(tick) {
            return true;
        }
        if !left(tick) {
            return false;
        }
    }
    otherwise
}

fn is_matched(seq: &Seq, word: &Word, from: usize) -> bool {
    ends(seq, word, from).into_iter().any(|end| end > from)
}

/// The first tick of a word at which some attempt has failed: these ticks, and then nothing but ⊤, do not satisfy the property.
pub fn failing_tick(prop: &Prop, word: &[Letter], horizon: usize) -> Option<usize> {
    failing_tick_among(prop, word, &|_| true, horizon)
}

/// The same, where attempts begin at some ticks only.
pub fn failing_tick_among(
    prop: &Prop,
    word: &[Letter],
    begins: &dyn Fn(usize) -> bool,
    horizon: usize,
) -> Option<usize> {
    let fails = |start: usize, tick: usize| {
        !satisfies(prop, &Word::new(&word[start..=tick], Symbol::Top, horizon), 0, false)
    };
    (0..word.len()).find(|tick| (0..=*tick).any(|start| begins(start) && fails(start, *tick)))
}

/// Whether the attempt of the first tick is met by a word, whatever comes: by these ticks, and then nothing but ⊥. Sequences are strong.
pub fn attempt_reaches(prop: &Prop, word: &[Letter], horizon: usize) -> bool {
    satisfies(prop, &Word::new(word, Symbol::Bottom, horizon), 0, true)
}

/// The first tick of a word at which some attempt is met.
pub fn reaching_tick(prop: &Prop, word: &[Letter], horizon: usize) -> Option<usize> {
    (0..word.len()).find(|tick| (0..=*tick).any(|start| attempt_reaches(prop, &word[start..=*tick], horizon)))
}

/// The ticks at which a sequence that begins at any tick ends.
pub fn marked_ticks(seq: &Seq, word: &[Letter]) -> BTreeSet<usize> {
    let whole = Word::new(word, Symbol::Bottom, 0);
    (0..word.len())
        .flat_map(|start| {
            ends(seq, &whole, start).into_iter().filter(move |end| *end > start).map(|end| end - 1)
        })
        .collect()
}

/// Whether the standard allows a property: sequences that are properties match something, but not the empty word; antecedents match something.
pub fn is_legal(prop: &Prop, horizon: usize) -> bool {
    let word = Word::new(&[], Symbol::Top, horizon);
    let admits = |seq: &Seq| {
        let ends = ends(seq, &word, 0);
        (ends.contains(&0), ends.into_iter().any(|end| end > 0))
    };
    let is_legal = |prop: &Prop| is_legal(prop, horizon);
    match prop {
        Prop::Seq(seq) | Prop::Weak(seq) | Prop::Strong(seq) => admits(seq) == (false, true),
        Prop::Overlapped(seq, after) | Prop::FollowedOverlapped(seq, after) => {
            admits(seq).1 && is_legal(after)
        }
        Prop::Nonoverlapped(seq, after) | Prop::FollowedNonoverlapped(seq, after) => {
            admits(seq) != (false, false) && is_legal(after)
        }
        Prop::Not(inner)
        | Prop::Next(_, inner)
        | Prop::Always(_, inner)
        | Prop::Eventually(_, inner)
        | Prop::AcceptOn(_, inner)
        | Prop::RejectOn(_, inner) => is_legal(inner),
        Prop::If(_, then, otherwise) => {
            is_legal(then) && otherwise.as_ref().is_none_or(|prop| is_legal(prop))
        }
        Prop::And(left, right)
        | Prop::Or(left, right)
        | Prop::Implies(left, right)
        | Prop::Iff(left, right)
        | Prop::Until(left, right)
        | Prop::StrongUntil(left, right)
        | Prop::UntilWith(left, right)
        | Prop::StrongUntilWith(left, right) => is_legal(left) && is_legal(right),
    }
}
