//! Renderings of results: of some made by hand, of random ones, and of matrices: the example of the thesis's section 6.3, and matrices with hostile names and awkward sizes.

mod every_format;
mod exit_codes;
mod fixtures;
mod for_others;
mod jkind;
mod marks;
mod page;
mod picture;
mod refine_texts;
mod remarks;
mod results;
mod schemas;
mod states;
mod svg_reader;
mod text_and_csv;
mod texts;
mod xlsx;
