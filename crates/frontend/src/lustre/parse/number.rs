//! Numbers, exactly.

use super::{
    super::syntax::{At, ExprKind},
    Parser,
};
use crate::InputError;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The longest number, and the largest exponent: `1e999999999` would not fit anywhere.
const MAX_DIGITS: usize = 10_000;

impl Parser<'_> {
    /// The value of an integer.
    pub(super) fn integer(&self, at: &At) -> Result<IBig, InputError> {
        self.digits(at, &self.text(at))
    }

    fn digits(&self, at: &At, digits: &str) -> Result<IBig, InputError> {
        if digits.len() > MAX_DIGITS {
            return Err(self.too_long(at));
        }
        digits.parse().map_err(|_| self.input.error(at.clone(), "this is no number"))
    }

    fn too_long(&self, at: &At) -> InputError {
        self.input.error(at.clone(), format!("this number has more than {MAX_DIGITS} digits"))
    }

    /// `12.5` or `12.5e-3`
    pub(super) fn decimal(&self, at: &At) -> Result<ExprKind, InputError> {
        let text = self.text(at);
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let value = self.digits(at, &format!("{whole}{fraction}"))?;
        let exponent: i64 = exponent.parse().map_err(|_| self.too_long(at))?;
        let exponent = exponent.saturating_sub(fraction.len() as i64);
        if exponent.unsigned_abs() > MAX_DIGITS as u64 {
            return Err(self.too_long(at));
        }
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        Ok(ExprKind::Real(match exponent {
            0.. => RBig::from(value * IBig::from(power)),
            _ => RBig::from_parts(value, power),
        }))
    }
}
