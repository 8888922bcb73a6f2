//! Renderings of matrices that were computed by hand: the example of the thesis's section 6.3, and matrices with hostile names and awkward sizes.

mod fixtures;
mod jkind;
mod marks;
mod picture;
mod remarks;
mod svg_reader;
mod text_and_csv;
mod xlsx;
