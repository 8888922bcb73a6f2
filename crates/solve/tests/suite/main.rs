//! Tests of encodings through their public interface.

mod circuits;
