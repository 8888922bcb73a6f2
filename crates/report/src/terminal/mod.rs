//! How text gets onto a terminal, whatever it says: widths, colours, tables, lists, and names that cannot do harm.
//!
//! Nothing here asks the terminal: the caller says in a [`Style`] how wide it is and whether it has colours. All text goes onto a [`Page`] as [`Span`]s, and a span
//! is [`printable`] from the moment it is made: control characters of a name in a file are shown, never sent. Lines are as wide as the style says; longer are only single words and names.

mod page;
mod printable;
mod span;
mod style;
mod table;
mod wrap;

pub use page::Page;
pub use printable::{columns, printable};
pub use span::Span;
pub use style::{Style, Tone};
pub use table::{Align, Table};
pub(crate) use wrap::pieces;
