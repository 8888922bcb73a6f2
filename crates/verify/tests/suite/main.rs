//! Verdicts without a command line: all kinds of properties, proofs of earlier runs, fair shares of time, and clients.

mod clients;
mod distances;
mod generalise;
mod kinds;
mod recall;
mod systems;
mod time;
