//! Tests of decision diagrams through their public interface.

mod limits;
mod tables;
