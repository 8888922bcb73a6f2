//! Sequences and properties as people write them, without the language around: conditions are numbers, and ticks are all there is of time.

/// A condition at one tick, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub u32);

/// A Boolean at one tick: a constant, a condition, or the negation of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Boolean {
    /// The same at all ticks.
    Const(bool),
    /// A condition, and whether it has to hold.
    Is(Atom, bool),
}

impl Boolean {
    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Boolean {
        match self {
            Boolean::Const(value) => Boolean::Const(!value),
            Boolean::Is(atom, value) => Boolean::Is(atom, !value),
        }
    }

    /// Its value at a tick at which the condition of an atom is known.
    pub fn value(self, letter: impl Fn(Atom) -> bool) -> bool {
        match self {
            Boolean::Const(value) => value,
            Boolean::Is(atom, value) => letter(atom) == value,
        }
    }
}

/// So many ticks, or times: the least, and the most if there is a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Times {
    /// The least.
    pub min: u32,
    /// The most; `$` if absent.
    pub max: Option<u32>,
}

impl Times {
    /// From so many to so many.
    pub fn new(min: u32, max: Option<u32>) -> Times {
        Times { min, max }
    }

    /// Exactly so many.
    pub fn exactly(count: u32) -> Times {
        Times { min: count, max: Some(count) }
    }
}

/// A name for a piece of the user's text: whoever has written the property knows what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(pub u32);

/// A sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// One tick.
    Is(Boolean),
    /// `l ##[a:b] r`; without the left side, `##[a:b] r`.
    Delay(Option<Box<Sequence>>, Times, Box<Sequence>),
    /// `s[*a:b]`.
    Repeat(Box<Sequence>, Times),
    /// `b[->a:b]`.
    Goto(Boolean, Times),
    /// `b[=a:b]`.
    Nonconsecutive(Boolean, Times),
    /// `s or t`.
    Or(Box<Sequence>, Box<Sequence>),
    /// `s and t`.
    And(Box<Sequence>, Box<Sequence>),
    /// `s intersect t`.
    Intersect(Box<Sequence>, Box<Sequence>),
    /// `s within t`.
    Within(Box<Sequence>, Box<Sequence>),
    /// `b throughout s`.
    Throughout(Boolean, Box<Sequence>),
    /// `first_match(s)`.
    FirstMatch(Box<Sequence>),
    /// The sequence that stands at a place.
    At(PieceId, Box<Sequence>),
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// A sequence: weak in `assert` and `assume`, strong in `cover`.
    Sequence(Sequence),
    /// `strong(s)` or `weak(s)`.
    Strength(bool, Sequence),
    /// `not p`.
    Not(Box<Property>),
    /// `p and q`.
    And(Box<Property>, Box<Property>),
    /// `p or q`.
    Or(Box<Property>, Box<Property>),
    /// `p implies q`.
    Implies(Box<Property>, Box<Property>),
    /// `p iff q`.
    Iff(Box<Property>, Box<Property>),
    /// `if (b) p else q`. What holds under a condition begins with the text of the condition, if that is known; so it does in a `case`.
    If(Boolean, Box<Property>, Option<Box<Property>>),
    /// `case`: under the first condition that holds, its property; otherwise the default.
    Case(Vec<(Boolean, Property)>, Option<Box<Property>>),
    /// `s |-> p`, or `s |=> p` if the property begins one tick later.
    Suffix(Sequence, bool, Box<Property>),
    /// `s #-# p`, or `s #=# p` if the property begins one tick later.
    FollowedBy(Sequence, bool, Box<Property>),
    /// `nexttime [n] p`; the strong form means the same, because the clock never stops.
    Next(u32, Box<Property>),
    /// `always p`, `always [a:b] p`, `s_always [a:b] p`.
    Always(Times, Box<Property>),
    /// `s_eventually p`, `s_eventually [a:b] p`, `eventually [a:b] p`.
    Eventually(Times, Box<Property>),
    /// `p until q` and its relatives.
    Until(Until, Box<Property>, Box<Property>),
    /// `accept_on (b) p`, or `reject_on (b) p`. `disable iff (b) p` of what must not fail is the former.
    Abort(Abort, Boolean, Box<Property>),
    /// The property that stands at a place.
    At(PieceId, Box<Property>),
}

/// Which of the four kinds of `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Until {
    /// Whether the second property has to come (`s_until`).
    pub strong: bool,
    /// Whether the first one still has to hold when it comes (`until_with`).
    pub with: bool,
}

/// What a condition that ends an attempt makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Abort {
    /// A success.
    Accept,
    /// A failure.
    Reject,
}
