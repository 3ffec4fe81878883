//! The decimal digits of a number.

use num_bigint::BigUint;

use super::{CtyNumber, Magnitude, check_digits};
use puppetfn_base::error::Error;

/// Digits, of which the first and the last are not zero, and where the decimal point is among
/// them; no digits for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DecimalDigits {
    pub digits: Vec<u8>,
    /// Number of digits before the decimal point; negative if zeros follow the point.
    pub point: i64,
}

impl DecimalDigits {
    /// Returns the digits of `mantissa` times two to the power of `exponent`.
    fn new(mantissa: &BigUint, exponent: i64) -> Result<Self, Error> {
        let power = exponent.unsigned_abs();
        check_digits(mantissa.bits().saturating_add(power) / 3)?;
        let (integer, shift) = match u32::try_from(power) {
            Ok(power) if exponent < 0 => (mantissa * BigUint::from(5u32).pow(power), exponent),
            Ok(_) | Err(_) => (mantissa << power, 0),
        };
        let mut digits = integer.to_string().into_bytes();
        for digit in &mut digits {
            *digit -= b'0';
        }
        let point = digits.len() as i64 + shift;
        let mut decimal = Self { digits, point };
        decimal.trim();
        Ok(decimal)
    }

    /// Returns the digit at a place, counted from the first, zero beyond the last.
    pub fn at(&self, place: i64) -> u8 {
        usize::try_from(place).ok().and_then(|place| self.digits.get(place)).copied().unwrap_or(0)
    }

    /// Rounds to this many digits, ties to even.
    pub fn round(&mut self, count: i64) {
        let Ok(kept) = usize::try_from(count) else {
            self.digits.clear();
            self.trim();
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let half_way = self.at(count) == 5 && kept + 1 == self.digits.len();
        let up = if half_way { kept > 0 && self.at(count - 1) % 2 == 1 } else { self.at(count) >= 5 };
        if up { self.round_up(kept) } else { self.round_down(kept) }
    }

    fn round_down(&mut self, kept: usize) {
        self.digits.truncate(kept);
        self.trim();
    }

    fn round_up(&mut self, kept: usize) {
        self.digits.truncate(kept);
        while let Some(last) = self.digits.last_mut() {
            if *last < 9 {
                *last += 1;
                return;
            }
            self.digits.pop();
        }
        self.digits.push(1);
        self.point += 1;
    }

    fn trim(&mut self) {
        let kept = self.digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        self.digits.truncate(kept);
        if kept == 0 {
            self.point = 0;
        }
    }
}

impl CtyNumber {
    /// Returns all the digits of its magnitude. `None` for an infinity.
    pub(super) fn decimal(&self) -> Result<Option<DecimalDigits>, Error> {
        match &self.magnitude {
            Magnitude::Zero => Ok(Some(DecimalDigits { digits: Vec::new(), point: 0 })),
            Magnitude::Finite { mantissa, exponent } => DecimalDigits::new(mantissa, *exponent).map(Some),
            Magnitude::Infinite => Ok(None),
        }
    }

    /// Returns the fewest digits of its magnitude that distinguish it from all others of its precision.
    pub(super) fn shortest(&self) -> Result<Option<DecimalDigits>, Error> {
        let (Some(mut decimal), Magnitude::Finite { mantissa, exponent }) =
            (self.decimal()?, &self.magnitude)
        else {
            return self.decimal();
        };
        // The mantissa in twice as fine steps as the precision has: the neighbours' midpoints.
        let shift = u64::from(self.precision).saturating_add(1).saturating_sub(mantissa.bits());
        let middle = mantissa << shift;
        let exponent = exponent - shift as i64;
        let lower = DecimalDigits::new(&(&middle - 1u32), exponent)?;
        let upper = DecimalDigits::new(&(&middle + 1u32), exponent)?;
        // A midpoint is rounded to the number only when its mantissa is even.
        let inclusive = !middle.bit(1);
        for (index, digit) in decimal.digits.clone().into_iter().enumerate() {
            let (place, kept) = (index as i64, index + 1);
            let (low, high) = (lower.at(place), upper.at(place));
            let down = low != digit || inclusive && kept == lower.digits.len();
            let up = digit != high && (inclusive || digit + 1 < high || kept < upper.digits.len());
            match (down, up) {
                (true, true) => decimal.round(place + 1),
                (true, false) => decimal.round_down(kept),
                (false, true) => decimal.round_up(kept),
                (false, false) => continue,
            }
            break;
        }
        Ok(Some(decimal))
    }
}
