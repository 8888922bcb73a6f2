//! Exit codes are a rendering of a result, and so in `propcov-report`.

pub(crate) use propcov_report::ExitCode;
