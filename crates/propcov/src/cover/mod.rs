//! Coverage by the metrics of [`propcov_coverage::METRICS`]. So far those of cores are here.

mod cores;
