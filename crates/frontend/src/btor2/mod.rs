//! TBD
use crate::{Design, InputError};
/// TBD
#[derive(Clone, Debug)]
pub struct Model;
/// TBD
pub fn sniff(_: &[u8]) -> bool { false }
/// TBD
pub fn read(_: &str, _: &[u8]) -> Result<Design, InputError> { todo!() }
