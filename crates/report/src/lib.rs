//! Renders what was found, for people and for other tools. Plain data in, text or bytes out: nothing here proves, prints or reads files.
//!
//! The data is a [`RunResult`](propcov_result::RunResult), which needs neither the design nor a solver. Its renderings are rows of [`FORMATS`], and so is the [`exit_code`]. How text fits a terminal, whatever it says, is in
//! [`terminal`].
//!
//! What `propcov cores` found out about pairs of property and element is also a matrix: which elements of the design each property rests on, in every way it can be proved.
//!
//! | function | for |
//! |---|---|
//! | [`text::matrix`] | people at a terminal |
//! | [`csv::matrix`] | spreadsheets and scripts |
//! | [`xlsx::workbook`] | reviews: matrix, cores, elements, unused elements |
//! | [`jkind::document`] | tools that read JKind's XML |
//! | [`matrix_json`] | programs |
//! | [`remarks::remarks`] | what to look at, in words |
//!
//! [`MATRIX_FORMATS`] has those that are written to files.
//!
//! What pages show besides the result, such as the source, is handed in as [`Material`].
//!
//! Another kind of data is a [`picture::Picture`]: a small labelled graph with marks on its states, drawn as SVG or written for GraphViz.

mod argument;
pub mod audit;
pub mod cobertura;
pub mod csv;
mod date;
pub mod diff;
pub mod exit;
mod facts;
pub mod formats;
mod grades;
pub mod html;
pub mod jkind;
mod json;
pub mod junit;
pub mod lcov;
mod lines;
pub mod markdown;
pub mod marks;
pub mod material;
mod matrix;
mod model;
mod mutants;
mod natural;
pub mod overview;
pub mod picture;
mod place;
pub mod remarks;
pub mod reqif;
pub mod requirements;
pub mod sarif;
mod shorten;
pub mod statistics;
pub mod terminal;
pub mod text;
mod words;
pub mod xlsx;
mod xml;

pub use diff::{DIFF_FORMATS, DiffFormat};
pub use exit::{ExitCode, diff_exit_code, exit_code, threshold_exit_code};
pub use formats::{FORMATS, Format, Rendering, Several, format};
pub use json::{json, write_json};
pub use material::{Material, Text};
pub use matrix::{MATRIX_FORMATS, MatrixFormat, matrix_json};
pub use model::Mark;
