//! The values of one field, beside given values of all others.
//!
//! All values of a small field are looked at, so that what it gets is the largest set there is. A wide word gets the better one of two: the range
//! around its value, found by bisection, and the pattern that is left when bits are dropped, the least significant first. A large enumeration, which
//! is a range of integers in practice, gets a range.

use super::text::literal_length;
use super::{Codes, Literal, Points, RANGED};
use propcov_bdd::{Bdd, Stop, Var};
use propcov_ir::Sort;

impl Points<'_> {
    /// As many values as the field can have.
    pub(super) fn widen(&self, field: usize, value: &[bool], others: &Bdd) -> Result<Literal, Stop> {
        if self.fields[field].is_small() {
            let function = !others.and_exists(&self.bad, &self.all_but(field))?;
            let mut codes = self.codes(field, &function);
            codes.retain(|code| *code <= self.fields[field].last_code());
            return Ok(Literal { field, codes: Codes::Among(codes), function });
        }
        let is_word = matches!(self.fields[field].sort, Sort::BitVec(_));
        let range = match self.fields[field].bits.len() <= RANGED {
            true => Some(self.widest_range(field, value, others)?),
            false => None,
        };
        let pattern = match is_word {
            true => Some(self.widest_pattern(field, value, others)?),
            false => None,
        };
        match (range, pattern) {
            (Some(range), Some(pattern)) => {
                let size = |literal: &Literal| Ok(self.count(&others.and(&literal.function)?.and(self.set)?));
                let (by_range, by_pattern) = (size(&range)?, size(&pattern)?);
                let shorter = self.length(&range) <= self.length(&pattern);
                Ok(if by_range > by_pattern || by_range == by_pattern && shorter { range } else { pattern })
            }
            (Some(literal), None) | (None, Some(literal)) => Ok(literal),
            // An enumeration with more values than there can be.
            (None, None) => self.exactly(field, value),
        }
    }

    /// The same points of the space, by fewer values if that is shorter.
    pub(super) fn shorten(&self, literal: &Literal, others: &Bdd) -> Result<Literal, Stop> {
        let field = literal.field;
        let choices = match &literal.codes {
            Codes::Pattern(_) => return Ok(literal.clone()),
            Codes::Range(low, high) => {
                let (first, last) = self.needed_range(field, *low, *high, others)?;
                let ends = [(first, last), (first, *high), (*low, last), (*low, *high)];
                ends.map(|(low, high)| Codes::Range(low, high)).to_vec()
            }
            Codes::Among(allowed) => {
                let within = others.and(&literal.function)?;
                let needed = self.codes(field, &within.and_exists(self.set, &self.all_but(field))?);
                // A code that is no value is not allowed, but a state may have it nevertheless.
                let mut all: Vec<u64> = allowed.iter().chain(&needed).copied().collect();
                all.sort_unstable();
                all.dedup();
                let bridged = bridged(&needed, allowed);
                [needed, bridged, all].map(Codes::Among).to_vec()
            }
        };
        let length = |codes: &Codes| self.length(&Literal { codes: codes.clone(), ..literal.clone() });
        // The first among equals: the fewest values.
        let codes = choices.into_iter().min_by_key(length).unwrap_or_else(|| literal.codes.clone());
        Ok(Literal { field, function: self.function(field, &codes)?, codes })
    }

    fn length(&self, literal: &Literal) -> usize {
        literal_length(&self.shown(literal))
    }

    fn all_but(&self, field: usize) -> propcov_bdd::Cube {
        let own = &self.fields[field].bits;
        let others: Vec<Var> = self.vars.iter().copied().filter(|var| !own.contains(var)).collect();
        self.bad.manager().cube(&others)
    }

    /// The codes of a small field for which a function of its bits is true, whether or not they are values.
    fn codes(&self, field: usize, function: &Bdd) -> Vec<u64> {
        let field = &self.fields[field];
        let bit = |code: u64, var: Var| {
            field.bits.iter().position(|bit| *bit == var).is_some_and(|at| code >> at & 1 == 1)
        };
        (0..1 << field.bits.len()).filter(|code| function.evaluate(&|var| bit(*code, var))).collect()
    }

    /// The field has one of these values.
    pub(super) fn function(&self, field: usize, codes: &Codes) -> Result<Bdd, Stop> {
        let bits = &self.fields[field].bits;
        match codes {
            Codes::Among(codes) => {
                let mut any = !self.everything();
                for code in codes {
                    any = any.or(&self.range(field, *code, *code)?)?;
                }
                Ok(any)
            }
            Codes::Range(low, high) => self.range(field, *low, *high),
            Codes::Pattern(pattern) => {
                let mut all = self.everything();
                for (var, wanted) in bits.iter().zip(pattern) {
                    if let Some(wanted) = wanted {
                        all = all.and(&self.bit(*var, *wanted))?;
                    }
                }
                Ok(all)
            }
        }
    }

    /// The codes from one to another.
    fn range(&self, field: usize, low: u64, high: u64) -> Result<Bdd, Stop> {
        let (mut from, mut to) = (self.everything(), self.everything());
        for (at, var) in self.fields[field].bits.iter().enumerate() {
            let bit = self.bit(*var, true);
            from = if low >> at & 1 == 1 { bit.and(&from)? } else { bit.or(&from)? };
            to = if high >> at & 1 == 1 { to.or(&!bit)? } else { to.and(&!bit)? };
        }
        from.and(&to)
    }

    fn widest_range(&self, field: usize, value: &[bool], others: &Bdd) -> Result<Literal, Stop> {
        let own = value.iter().rev().fold(0u64, |high, low| high << 1 | u64::from(*low));
        let is_good = |low: u64, high: u64| self.is_good(&others.and(&self.range(field, low, high)?)?);
        let high = furthest(own, self.fields[field].last_code().max(own), |high| is_good(own, high))?;
        let low = furthest(own, 0, |low| is_good(low, high))?;
        Ok(Literal { field, codes: Codes::Range(low, high), function: self.range(field, low, high)? })
    }

    fn widest_pattern(&self, field: usize, value: &[bool], others: &Bdd) -> Result<Literal, Stop> {
        let bits = &self.fields[field].bits;
        let literals: Vec<Bdd> = bits.iter().zip(value).map(|(var, bit)| self.bit(*var, *bit)).collect();
        let mut pattern = vec![None; bits.len()];
        for at in self.needed(others, &literals)? {
            pattern[at] = Some(value[at]);
        }
        let codes = Codes::Pattern(pattern);
        Ok(Literal { field, function: self.function(field, &codes)?, codes })
    }

    /// The least and the greatest value within a range that a point of the set has.
    fn needed_range(&self, field: usize, low: u64, high: u64, others: &Bdd) -> Result<(u64, u64), Stop> {
        let is_empty =
            |low: u64, high: u64| Ok(!others.and(&self.range(field, low, high)?)?.intersects(self.set)?);
        // As far as the codes before, or after, are not needed.
        let first =
            furthest(low, high, |first| if first == low { Ok(true) } else { is_empty(low, first - 1) })?;
        let last =
            furthest(high, first, |last| if last == high { Ok(true) } else { is_empty(last + 1, high) })?;
        Ok((first, last))
    }
}

/// The number nearest to the end for which something is true that is true at the start, and false beyond where it is first false.
fn furthest(start: u64, end: u64, mut holds: impl FnMut(u64) -> Result<bool, Stop>) -> Result<u64, Stop> {
    if holds(end)? {
        return Ok(end);
    }
    let (mut good, mut bad) = (start, end);
    while good.abs_diff(bad) > 1 {
        let middle = good.min(bad) + good.abs_diff(bad) / 2;
        if holds(middle)? { good = middle } else { bad = middle }
    }
    Ok(good)
}

/// What is needed, with the gaps filled that may be filled.
fn bridged(needed: &[u64], allowed: &[u64]) -> Vec<u64> {
    let is_allowed = |code: &u64| allowed.binary_search(code).is_ok();
    let mut filled = Vec::new();
    for pair in needed.windows(2) {
        filled.push(pair[0]);
        if (pair[0] + 1..pair[1]).all(|code| is_allowed(&code)) {
            filled.extend(pair[0] + 1..pair[1]);
        }
    }
    filled.extend(needed.last());
    filled
}
