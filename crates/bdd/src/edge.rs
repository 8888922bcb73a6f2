//! An edge: which node it points to, and whether it negates the function found there.
//!
//! The single terminal, node 0, stands for true. Of a function and its negation only one has a node: the one whose "then" edge carries no
//! negation (Brace, Rudell, Bryant 1990). A regular edge therefore always leads to a function that is true where all variables are.

/// Node index times two, plus one for a negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Edge(pub(super) u32);

impl Edge {
    /// The constant true.
    pub(super) const ONE: Edge = Edge(0);
    /// The constant false.
    pub(super) const ZERO: Edge = Edge(1);

    /// The regular edge to a node.
    #[inline]
    pub(super) fn to(index: u32) -> Edge {
        Edge(index << 1)
    }

    /// The node it points to.
    #[inline]
    pub(super) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(super) fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The same node without the negation.
    #[inline]
    pub(super) fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }

    /// Negated if the other edge is.
    #[inline]
    pub(super) fn negate_like(self, other: Edge) -> Edge {
        Edge(self.0 ^ (other.0 & 1))
    }

    /// Negated if asked for.
    #[inline]
    pub(super) fn negate_if(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}
