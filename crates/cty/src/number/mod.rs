//! cty's numbers: binary floats of any precision, which each number carries with it.
//!
//! The results of operations are rounded to the nearest number of their precision, ties to even. Integers of any size
//! are `num-bigint`'s.
//!
//! go-cty's numbers are Go's `big.Float`: 0.1 is rounded to 512 bits, so decimal floats would differ. The binary floats of
//! `dashu-float` 0.6 could do the arithmetic alone, since they are not written with the fewest digits of a precision. They
//! refuse infinities, which 8 of go-cty's recorded cases of arithmetic have (`stdlib/add/8d09b827a8`,
//! `stdlib/divide/3a1e5ab274`), and of 48050 sums and differences of the numbers in all these cases, 98 had 513 bits where
//! they should have been rounded to 512, as -9.2 + 1e-10.

mod arithmetic;
mod decimal;
mod parse;
mod text;

pub use text::DigitCount;

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use puppetfn_base::error::{Error, ErrorKind};

/// A number: an integer times a power of two, of a limited precision, or an infinity.
///
/// There is a negative zero, which is equal to zero.
#[derive(Clone, Debug)]
pub struct CtyNumber {
    negative: bool,
    magnitude: Magnitude,
    /// Precision of operations' results: bits of the mantissa.
    precision: u32,
}

#[derive(Clone, Debug)]
enum Magnitude {
    Zero,
    /// The mantissa is odd.
    Finite {
        mantissa: BigUint,
        exponent: i64,
    },
    Infinite,
}

/// Maximum number of digits in the text of a number. Exponents could ask for any number of them.
const MOST_DIGITS: u64 = 1_000_000;

/// The precision of numbers that are read from a text.
const PARSED_PRECISION: u32 = 512;
/// The precision that integers have at least.
const INTEGER_PRECISION: u32 = 64;

impl CtyNumber {
    /// Positive infinity.
    pub const INFINITY: Self = Self { negative: false, magnitude: Magnitude::Infinite, precision: 0 };
    /// Negative infinity.
    pub const NEG_INFINITY: Self = Self { negative: true, magnitude: Magnitude::Infinite, precision: 0 };

    /// Creates a float of 53 bits of precision. `None` for NaN.
    pub fn from_f64(number: f64) -> Option<Self> {
        const FRACTION_BITS: u32 = 52;
        let negative = number.is_sign_negative();
        let precision = f64::MANTISSA_DIGITS;
        if number.is_nan() {
            return None;
        }
        if number.is_infinite() {
            return Some(Self { negative, magnitude: Magnitude::Infinite, precision });
        }
        let bits = number.to_bits();
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        let (mantissa, exponent) = match (bits >> FRACTION_BITS) & 0x7ff {
            0 => (fraction, -1074),
            biased => (fraction | 1 << FRACTION_BITS, biased as i64 - 1075),
        };
        Some(Self::rounded(negative, BigUint::from(mantissa), exponent, false, precision))
    }

    /// Returns the number, rounded to another precision, which it has from then on.
    #[must_use]
    pub fn with_precision(&self, precision: u32) -> Self {
        match &self.magnitude {
            Magnitude::Finite { mantissa, exponent } => {
                Self::rounded(self.negative, mantissa.clone(), *exponent, false, precision)
            }
            magnitude @ (Magnitude::Zero | Magnitude::Infinite) => {
                Self { negative: self.negative, magnitude: magnitude.clone(), precision }
            }
        }
    }

    /// Returns how many bits of the mantissa an operation keeps.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// Returns the least precision that it has the same value in.
    pub(super) fn least_precision(&self) -> u32 {
        match &self.magnitude {
            Magnitude::Finite { mantissa, .. } => saturated(mantissa.bits()),
            Magnitude::Zero | Magnitude::Infinite => 0,
        }
    }

    /// Returns true if the number is infinite.
    pub fn is_infinite(&self) -> bool {
        matches!(self.magnitude, Magnitude::Infinite)
    }

    /// Returns true if the number is zero, regardless of its sign.
    pub fn is_zero(&self) -> bool {
        matches!(self.magnitude, Magnitude::Zero)
    }

    /// Returns true if the number is less than zero, or negative zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns true if it has no fraction.
    pub fn is_integer(&self) -> bool {
        match &self.magnitude {
            Magnitude::Zero => true,
            Magnitude::Finite { exponent, .. } => *exponent >= 0,
            Magnitude::Infinite => false,
        }
    }

    /// Returns the integer without the fraction. `None` for an infinity.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the integer has too many digits.
    pub fn truncated(&self) -> Result<Option<BigInt>, Error> {
        let magnitude = match &self.magnitude {
            Magnitude::Zero => BigUint::ZERO,
            Magnitude::Infinite => return Ok(None),
            Magnitude::Finite { mantissa, exponent } => {
                let shift = exponent.unsigned_abs();
                if *exponent < 0 {
                    mantissa >> shift.min(mantissa.bits())
                } else {
                    check_digits(shift.saturating_add(mantissa.bits()) / 3)?;
                    mantissa << shift
                }
            }
        };
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        Ok(Some(BigInt::from_biguint(sign, magnitude)))
    }

    /// Returns the number as an integer of 64 bits, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        let small = self.exponent_of_top() <= i64::from(u64::BITS);
        if !self.is_integer() || !small {
            return None;
        }
        i64::try_from(self.truncated().ok()??).ok()
    }

    /// Returns the nearest float; infinite if the number is too large for one.
    pub fn to_f64(&self) -> f64 {
        const LEAST_EXPONENT: i64 = -1074;
        let sign = if self.negative { -1.0 } else { 1.0 };
        let top = self.exponent_of_top();
        let precision = top.saturating_sub(LEAST_EXPONENT).clamp(0, i64::from(f64::MANTISSA_DIGITS)) as u32;
        if precision == 0 && matches!(self.magnitude, Magnitude::Finite { .. }) {
            // Between nothing and the least float: half of that is rounded to the even one, zero.
            let more_than_half = top == LEAST_EXPONENT && self.least_precision() > 1;
            return sign * if more_than_half { f64::from_bits(1) } else { 0.0 };
        }
        match self.with_precision(precision).magnitude {
            Magnitude::Zero => sign * 0.0,
            Magnitude::Infinite => sign * f64::INFINITY,
            Magnitude::Finite { mantissa, exponent } => {
                let mantissa = u64::try_from(mantissa).unwrap_or(u64::MAX) as f64;
                sign * match exponent {
                    ..-1022 => mantissa * f64::from_bits(1 << (exponent - LEAST_EXPONENT)),
                    -1022..=1023 => mantissa * f64::from_bits(((exponent + 1023) as u64) << 52),
                    _ => f64::INFINITY,
                }
            }
        }
    }

    /// Compares the numeric values, regardless of precision.
    pub fn compare(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.is_zero(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let ordering = sign(self).cmp(&sign(other));
        if ordering.is_ne() || self.is_zero() {
            return ordering;
        }
        let ordering = self.compare_magnitude(other);
        if self.negative { ordering.reverse() } else { ordering }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        match (&self.magnitude, &other.magnitude) {
            (
                Magnitude::Finite { mantissa: a, exponent: a_exponent },
                Magnitude::Finite { mantissa: b, exponent: b_exponent },
            ) => self.exponent_of_top().cmp(&other.exponent_of_top()).then_with(|| {
                // They are as long, so the shift is no longer than the longer mantissa.
                let shift = a_exponent.abs_diff(*b_exponent);
                if a_exponent > b_exponent { (a << shift).cmp(b) } else { a.cmp(&(b << shift)) }
            }),
            (Magnitude::Infinite, Magnitude::Infinite) | (Magnitude::Zero, Magnitude::Zero) => {
                Ordering::Equal
            }
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => Ordering::Greater,
            (_, Magnitude::Infinite) | (Magnitude::Zero, _) => Ordering::Less,
        }
    }

    /// Returns true if both numbers are rendered with the same digits, as short as their precisions allow: 0.1 is 0.1
    /// in any precision.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if a number has too many digits.
    pub fn same_digits(&self, other: &Self) -> Result<bool, Error> {
        let ordering = self.compare(other);
        if ordering.is_eq() && (self.precision == other.precision || self.is_zero() || self.is_infinite()) {
            return Ok(true);
        }
        if self.precision == other.precision
            || self.negative != other.negative
            || self.is_zero()
            || other.is_zero()
            || self.is_infinite()
            || other.is_infinite()
            || self.exponent_of_top().abs_diff(other.exponent_of_top()) > 1
        {
            return Ok(false);
        }
        Ok(self.shortest()? == other.shortest()?)
    }

    /// Returns the power of two that the number is less than, and at least half of.
    fn exponent_of_top(&self) -> i64 {
        match &self.magnitude {
            Magnitude::Finite { mantissa, exponent } => exponent.saturating_add(mantissa.bits() as i64),
            Magnitude::Zero => i64::MIN,
            Magnitude::Infinite => i64::MAX,
        }
    }

    /// Returns `mantissa` times two to the power of `exponent`, rounded. `more` tells that bits follow the last bit of
    /// the mantissa, which then is longer than the precision.
    fn rounded(negative: bool, mantissa: BigUint, exponent: i64, more: bool, precision: u32) -> Self {
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        if let Some(dropped) = mantissa.bits().checked_sub(u64::from(precision)).filter(|bits| *bits > 0) {
            let half = mantissa.bit(dropped - 1);
            let more = more || mantissa.trailing_zeros().is_some_and(|zeros| zeros < dropped - 1);
            mantissa >>= dropped;
            exponent = exponent.saturating_add(dropped as i64);
            if half && (more || mantissa.bit(0)) {
                mantissa += 1u32;
            }
        }
        let zeros = mantissa.trailing_zeros().unwrap_or(0);
        mantissa >>= zeros;
        exponent = exponent.saturating_add(zeros as i64);
        let top = exponent.saturating_add(mantissa.bits() as i64);
        let magnitude = if mantissa.bits() == 0 || top < i64::from(i32::MIN) {
            Magnitude::Zero
        } else if top > i64::from(i32::MAX) {
            Magnitude::Infinite
        } else {
            Magnitude::Finite { mantissa, exponent }
        };
        Self { negative, magnitude, precision }
    }
}

fn saturated(bits: u64) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX)
}

impl From<i64> for CtyNumber {
    fn from(number: i64) -> Self {
        let magnitude = BigUint::from(number.unsigned_abs());
        Self::rounded(number < 0, magnitude, 0, false, INTEGER_PRECISION)
    }
}

impl From<usize> for CtyNumber {
    fn from(number: usize) -> Self {
        Self::rounded(false, BigUint::from(number), 0, false, INTEGER_PRECISION)
    }
}

impl From<BigInt> for CtyNumber {
    /// Returns the integer itself: its precision is as large as it takes.
    fn from(number: BigInt) -> Self {
        let precision = saturated(number.bits()).max(INTEGER_PRECISION);
        let (sign, magnitude) = number.into_parts();
        Self::rounded(sign == Sign::Minus, magnitude, 0, false, precision)
    }
}

/// Checks how many digits the text of a number has.
fn check_digits(count: u64) -> Result<(), Error> {
    if count <= MOST_DIGITS {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Limit, format!("a number of more than {MOST_DIGITS} digits")))
}

#[cold]
fn undefined(message: &str) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}
