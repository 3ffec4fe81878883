//! Arithmetic.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};

use super::{CtyNumber, Magnitude, PARSED_PRECISION, undefined};
use puppetfn_base::error::Error;

impl CtyNumber {
    /// Returns the sum.
    ///
    /// # Errors
    /// Fails for opposing infinities.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        self.sum(other, other.negative, self.precision.max(other.precision))
    }

    /// Returns the difference.
    ///
    /// # Errors
    /// Fails for infinities of the same sign.
    pub fn subtract(&self, other: &Self) -> Result<Self, Error> {
        self.subtract_at(other, self.precision.max(other.precision))
    }

    fn subtract_at(&self, other: &Self, precision: u32) -> Result<Self, Error> {
        self.sum(other, !other.negative, precision)
    }

    /// Returns the sum with another number that has this sign instead of its own.
    fn sum(&self, other: &Self, other_negative: bool, precision: u32) -> Result<Self, Error> {
        let signed = |number: &Self, negative| Self { negative, ..number.with_precision(precision) };
        match (&self.magnitude, &other.magnitude) {
            (Magnitude::Infinite, Magnitude::Infinite) if self.negative != other_negative => {
                Err(undefined("can't add infinities of opposite signs"))
            }
            (Magnitude::Zero, Magnitude::Zero) => Ok(signed(self, self.negative && other_negative)),
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => Ok(signed(self, self.negative)),
            (_, Magnitude::Infinite) | (Magnitude::Zero, _) => Ok(signed(other, other_negative)),
            (Magnitude::Finite { .. }, Magnitude::Finite { .. }) => {
                let same_sign = self.negative == other_negative;
                Ok(match self.compare_magnitude(other) {
                    Ordering::Equal if !same_sign => {
                        Self { negative: false, magnitude: Magnitude::Zero, precision }
                    }
                    Ordering::Less => combined(other, self, other_negative, same_sign, precision),
                    Ordering::Equal | Ordering::Greater => {
                        combined(self, other, self.negative, same_sign, precision)
                    }
                })
            }
        }
    }

    /// Returns the product. It is as precise as the factors, or more where it can be exact.
    ///
    /// # Errors
    /// Fails for zero and an infinity.
    pub fn multiply(&self, other: &Self) -> Result<Self, Error> {
        let product = self.multiply_at(other, PARSED_PRECISION)?;
        let precision = self.precision.max(other.precision).max(product.least_precision());
        Ok(product.with_precision(precision))
    }

    pub(super) fn multiply_at(&self, other: &Self, precision: u32) -> Result<Self, Error> {
        let negative = self.negative != other.negative;
        let magnitude = match (&self.magnitude, &other.magnitude) {
            (
                Magnitude::Finite { mantissa: a, exponent: a_exponent },
                Magnitude::Finite { mantissa: b, exponent: b_exponent },
            ) => {
                let exponent = a_exponent.saturating_add(*b_exponent);
                return Ok(Self::rounded(negative, a * b, exponent, false, precision));
            }
            (Magnitude::Zero, Magnitude::Infinite) | (Magnitude::Infinite, Magnitude::Zero) => {
                return Err(undefined("can't multiply zero by infinity"));
            }
            (Magnitude::Infinite, _) | (_, Magnitude::Infinite) => Magnitude::Infinite,
            (Magnitude::Zero, _) | (_, Magnitude::Zero) => Magnitude::Zero,
        };
        Ok(Self { negative, magnitude, precision })
    }

    /// Returns the quotient. Division by zero is infinite.
    ///
    /// # Errors
    /// Fails for two zeros, or for two infinities.
    pub fn divide(&self, other: &Self) -> Result<Self, Error> {
        self.divide_at(other, self.precision.max(other.precision))
    }

    pub(super) fn divide_at(&self, other: &Self, precision: u32) -> Result<Self, Error> {
        let negative = self.negative != other.negative;
        let magnitude = match (&self.magnitude, &other.magnitude) {
            (
                Magnitude::Finite { mantissa: a, exponent: a_exponent },
                Magnitude::Finite { mantissa: b, exponent: b_exponent },
            ) => {
                let shift = (u64::from(precision) + 2 + b.bits()).saturating_sub(a.bits());
                let numerator = a << shift;
                let quotient = &numerator / b;
                let more = &quotient * b != numerator;
                let exponent = a_exponent.saturating_sub(*b_exponent).saturating_sub(shift as i64);
                return Ok(Self::rounded(negative, quotient, exponent, more, precision));
            }
            (Magnitude::Zero, Magnitude::Zero) | (Magnitude::Infinite, Magnitude::Infinite) => {
                return Err(undefined("can't divide zero by zero or infinity by infinity"));
            }
            (Magnitude::Zero, _) | (_, Magnitude::Infinite) => Magnitude::Zero,
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => Magnitude::Infinite,
        };
        Ok(Self { negative, magnitude, precision })
    }

    /// Returns the remainder of the division, with the sign of this number; this number itself if the other one is zero.
    ///
    /// # Errors
    /// Fails as [`Self::multiply`] does if one of the numbers is infinite, and with
    /// [`puppetfn_base::error::ErrorKind::Limit`] if the quotient has too many digits.
    pub fn modulo(&self, other: &Self) -> Result<Self, Error> {
        if self.is_infinite() || other.is_infinite() {
            return self.multiply(other);
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        let quotient = self.divide(other)?.truncated()?;
        let quotient = quotient.ok_or_else(|| undefined("the quotient is too large for a modulo"))?;
        let quotient = Self::from(quotient).with_precision(self.precision);
        self.subtract_at(&other.multiply_at(&quotient, self.precision)?, self.precision)
    }

    /// Returns the number with the other sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    /// Returns the number without its sign.
    #[must_use]
    pub fn absolute(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    /// Returns the greatest integer that is not greater than the number. An infinity is returned unchanged.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the integer has too many digits.
    pub fn floor(&self) -> Result<Self, Error> {
        self.integer_beside(self.negative, -1)
    }

    /// Returns the least integer that is not less than the number. An infinity is returned unchanged.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the integer has too many digits.
    pub fn ceil(&self) -> Result<Self, Error> {
        self.integer_beside(!self.negative, 1)
    }

    fn integer_beside(&self, away_from_zero: bool, step: i32) -> Result<Self, Error> {
        let Some(integer) = self.truncated()? else { return Ok(self.clone()) };
        let step = if away_from_zero && !self.is_integer() { step } else { 0 };
        Ok(Self::from(integer + BigInt::from(step)).with_precision(self.precision))
    }
}

/// Returns the sum of two finite numbers, or the difference, of which the first is at least as large.
fn combined(large: &CtyNumber, small: &CtyNumber, negative: bool, sum: bool, precision: u32) -> CtyNumber {
    let (
        Magnitude::Finite { mantissa: large_mantissa, exponent: large_exponent },
        Magnitude::Finite { mantissa: small_mantissa, exponent: small_exponent },
    ) = (&large.magnitude, &small.magnitude)
    else {
        return large.with_precision(precision);
    };
    let missing = (u64::from(precision) + 3).saturating_sub(large_mantissa.bits());
    let last_bit = large_exponent.saturating_sub(missing as i64);
    if small.exponent_of_top() <= last_bit {
        // The small one is less than the last bit that counts: it decides about the rounding only.
        let mantissa = large_mantissa << missing;
        let mantissa = if sum { mantissa } else { mantissa - 1u32 };
        return CtyNumber::rounded(negative, mantissa, last_bit, true, precision);
    }
    let exponent = *large_exponent.min(small_exponent);
    let aligned = |mantissa: &BigUint, own: i64| mantissa << own.abs_diff(exponent);
    let (a, b) = (aligned(large_mantissa, *large_exponent), aligned(small_mantissa, *small_exponent));
    CtyNumber::rounded(negative, if sum { a + b } else { a - b }, exponent, false, precision)
}
