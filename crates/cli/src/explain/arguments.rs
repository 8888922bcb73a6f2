//! The arguments of `propcov explain`.

use crate::args::format_parser;
use crate::config::ConfigArguments;
use crate::cover::arguments::{EffortArguments, KeepArguments, edit_parser};
use crate::lustre_arguments::LustreArguments;
use crate::progress::ProgressArguments;
use crate::verilog_arguments::VerilogArguments;
use clap::Args;
use propcov::report::Format;
use std::path::PathBuf;

/// The arguments of `propcov explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The design (one file, or in SystemVerilog several; `-` reads standard input), and the name of an element, such as a register or gate
    #[arg(required = true, num_args = 1.., value_names = ["FILE", "ELEMENT"])]
    files_and_element: Vec<PathBuf>,

    /// Explain only these edits
    #[arg(
        long = "edit",
        value_name = "LIST",
        default_value = crate::cover::arguments::DEFAULT_EDITS,
        value_delimiter = ',',
        value_parser = edit_parser()
    )]
    pub(crate) edits: Vec<String>,

    /// Only what this property covers; may be given several times
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    /// Words were mutated bit by bit: the element is a bit, such as `count[3]`
    #[arg(long)]
    pub(crate) bits: bool,

    /// Where a difference may show: `outputs`, `registers`, or names of outputs and signals
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) observe: Vec<String>,

    /// Also write the runs that are shown as a waveform, VCD, or FST if FILE ends in .fst; for several edits, to one file each
    #[arg(long, value_name = "FILE")]
    pub(crate) vcd: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) effort: EffortArguments,

    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    #[command(flatten)]
    pub(crate) lustre: LustreArguments,

    #[command(flatten)]
    pub(crate) verilog: VerilogArguments,

    #[command(flatten)]
    pub(crate) progress: ProgressArguments,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

impl ExplainArguments {
    /// The files of the design.
    pub(crate) fn files(&self) -> &[PathBuf] {
        self.files_and_element.split_last().map_or(&[], |(_, files)| files)
    }

    /// The name of the element: names are text, whatever the bytes of paths are.
    pub(crate) fn element(&self) -> String {
        self.files_and_element.last().map_or_else(String::new, |element| element.display().to_string())
    }
}
