//! NuSMV's language.

pub mod syntax;
