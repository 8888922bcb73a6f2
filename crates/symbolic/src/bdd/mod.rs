//! Reduced ordered binary decision diagrams with complement edges, garbage collection and group sifting.
