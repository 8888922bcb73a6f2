//! `propcov cover --metric core|must|may|model`: which elements do the proofs of the properties rest on? The library does all of it; here are the options.

pub(crate) mod arguments;

use crate::cores::arguments::ScopeArguments;
use crate::cover::arguments::CoverArguments;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use propcov::{CoreMetric, CoresOptions, ReadOptions};
use std::time::Instant;

/// Measures by cores.
pub(crate) fn cover(
    metric: CoreMetric,
    arguments: &CoverArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let scope = arguments.cores.scope();
    let options = options(arguments, &scope)?;
    let read = ReadOptions { granularity: scope.granularity(), ..ReadOptions::default() };
    let design = input::design(&arguments.file, &read, session)?;
    session.remark(arguments.quiet, &arguments::idle_for_cores(arguments));
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let control = session.control(&progress, start);
    let result = design.cover_by_cores(&[metric], &options, arguments.threshold, &control);
    progress.finish();
    let mut result = result?;
    result.run.arguments = std::env::args().skip(1).collect();
    Ok(output::result(&result, arguments.format, arguments.stats, arguments.quiet, session))
}

fn options(arguments: &CoverArguments, scope: &ScopeArguments) -> Result<CoresOptions, Complaint> {
    Ok(CoresOptions {
        properties: arguments.properties.clone(),
        elements: arguments::elements(&arguments.elements)?.map(Into::into).unwrap_or_default(),
        assumptions: scope.assumptions,
        check_timeout: scope.check_timeout,
        timeout: arguments.effort.timeout,
        threads: arguments.effort.threads.map(usize::from),
        seed: arguments.effort.seed,
        ..CoresOptions::default()
    })
}
