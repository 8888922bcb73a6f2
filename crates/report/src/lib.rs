//! Renders what was found, for people and for other tools. Plain data in, text or bytes out: nothing here proves, prints or reads files.
//!
//! The data is a [`RunResult`](propcov_result::RunResult), which needs neither the design nor a solver. Its renderings are rows of [`FORMATS`], and so is the [`exit_code`]. How text fits a terminal, whatever it says, is in
//! [`terminal`].
//!
//! What `propcov cores` found out about pairs of property and element is a [`Traceability`]: which elements of the design each property rests on, in every way it can be proved. Its renderings:
//!
//! | function | for |
//! |---|---|
//! | [`text::matrix`] | people at a terminal |
//! | [`csv::matrix`] | spreadsheets and scripts |
//! | [`xlsx::workbook`] | reviews: matrix, cores, elements, unused elements |
//! | [`jkind::document`] | tools that read JKind's XML |
//! | [`remarks::remarks`] | what to look at, in words |
//!
//! A third kind of data is a [`picture::Picture`]: a small labelled graph with marks on its states, drawn as SVG or written for GraphViz.

pub mod csv;
pub mod exit;
pub mod formats;
pub mod jkind;
mod json;
pub mod marks;
pub mod model;
mod mutants;
mod natural;
pub mod picture;
mod place;
pub mod remarks;
pub mod terminal;
pub mod text;
mod words;
pub mod xlsx;
mod xml;

pub use exit::{ExitCode, exit_code};
pub use formats::{FORMATS, Format, format};
pub use json::{json, write_json};
pub use marks::{Known, Parts};
pub use model::{
    Core, DepthCore, Element, Mark, Minimality, Place, Property, Reads, Seconds, SignalValues, Traceability,
    Verdict,
};
