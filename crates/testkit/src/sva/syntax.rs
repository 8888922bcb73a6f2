//! Sequences and properties.

/// A Boolean: a constant, or a condition that holds or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bool {
    /// The same at all ticks.
    Const(bool),
    /// A condition by its number, and whether it holds.
    Is(usize, bool),
}

/// The least, and the most unless it is `$`.
pub type Range = (u32, Option<u32>);

/// A sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Seq {
    /// `b`
    Is(Bool),
    /// `s ##[r] t`
    Delay(Box<Seq>, Range, Box<Seq>),
    /// `##[r] s`
    Wait(Range, Box<Seq>),
    /// `s[*r]`
    Repeat(Box<Seq>, Range),
    /// `b[->r]`
    Goto(Bool, Range),
    /// `b[=r]`
    Nonconsecutive(Bool, Range),
    /// `s or t`
    Or(Box<Seq>, Box<Seq>),
    /// `s and t`
    And(Box<Seq>, Box<Seq>),
    /// `s intersect t`
    Intersect(Box<Seq>, Box<Seq>),
    /// `s within t`
    Within(Box<Seq>, Box<Seq>),
    /// `b throughout s`
    Throughout(Bool, Box<Seq>),
    /// `first_match(s)`
    FirstMatch(Box<Seq>),
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Prop {
    /// A sequence, weak or strong as the statement around says.
    Seq(Seq),
    /// `weak(s)`
    Weak(Seq),
    /// `strong(s)`
    Strong(Seq),
    /// `not p`
    Not(Box<Prop>),
    /// `p and q`
    And(Box<Prop>, Box<Prop>),
    /// `p or q`
    Or(Box<Prop>, Box<Prop>),
    /// `p implies q`
    Implies(Box<Prop>, Box<Prop>),
    /// `p iff q`
    Iff(Box<Prop>, Box<Prop>),
    /// `if (b) p else q`
    If(Bool, Box<Prop>, Option<Box<Prop>>),
    /// `s |-> p`
    Overlapped(Seq, Box<Prop>),
    /// `s |=> p`
    Nonoverlapped(Seq, Box<Prop>),
    /// `s #-# p`
    FollowedOverlapped(Seq, Box<Prop>),
    /// `s #=# p`
    FollowedNonoverlapped(Seq, Box<Prop>),
    /// `nexttime [n] p`
    Next(u32, Box<Prop>),
    /// `always [r] p`; without limit, `always p`
    Always(Range, Box<Prop>),
    /// `eventually [r] p`; without limit, `s_eventually`
    Eventually(Range, Box<Prop>),
    /// `p until q`
    Until(Box<Prop>, Box<Prop>),
    /// `p s_until q`
    StrongUntil(Box<Prop>, Box<Prop>),
    /// `p until_with q`
    UntilWith(Box<Prop>, Box<Prop>),
    /// `p s_until_with q`
    StrongUntilWith(Box<Prop>, Box<Prop>),
    /// `accept_on (b) p`
    AcceptOn(Bool, Box<Prop>),
    /// `reject_on (b) p`
    RejectOn(Bool, Box<Prop>),
}
