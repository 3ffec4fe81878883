//! Numbers from their texts.

use nom::Parser;
use nom::character::complete::{char, digit0, digit1, one_of};
use nom::combinator::{map, opt, recognize};
use nom::sequence::preceded;
use num_bigint::{BigInt, BigUint};
use puppetfn_base::recognize::{Recognized, whole};

use super::{CtyNumber, Magnitude, PARSED_PRECISION, check_digits};

/// An exponent: to the power of ten or two.
struct Exponent {
    decimal: i64,
    binary: i64,
}

impl CtyNumber {
    /// Reads digits with an optional sign, decimal point and exponent (`e` of ten, `p` of two), or
    /// `Inf`. The number has a precision of 512 bits. `None` if the text is not a number, or has
    /// an exponent beyond all numbers.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        if matches!(unsigned, "Inf" | "inf") {
            return Some(Self { negative, magnitude: Magnitude::Infinite, precision: PARSED_PRECISION });
        }
        let digits = (digit0, map(opt(preceded(char('.'), digit0)), Option::unwrap_or_default));
        let ((integer, fraction), exponent) = whole((digits, exponent), unsigned)?;
        let mut exponent = exponent?;
        let digits = [integer, fraction].concat();
        if digits.is_empty() || check_digits(digits.len() as u64).is_err() {
            return None;
        }
        let shift = fraction.len() as i64;
        exponent.decimal = exponent.decimal.checked_sub(shift)?;
        exponent.binary = exponent.binary.checked_sub(shift)?;
        let mantissa = BigUint::parse_bytes(digits.as_bytes(), 10)?;
        let number = Self::scaled(mantissa, &exponent)?;
        Some(Self { negative, ..number })
    }

    /// Returns the integer of hexadecimal digits with an optional sign, in as many bits as it takes.
    pub fn from_hexadecimal(digits: &str) -> Option<Self> {
        BigInt::parse_bytes(digits.as_bytes(), 16).map(Self::from)
    }

    fn scaled(mantissa: BigUint, exponent: &Exponent) -> Option<Self> {
        let precision = PARSED_PRECISION;
        if mantissa.bits() == 0 {
            return Some(Self { negative: false, magnitude: Magnitude::Zero, precision });
        }
        let top = exponent.binary.checked_add(mantissa.bits() as i64)?;
        i32::try_from(top).ok()?;
        let exact = super::saturated(mantissa.bits());
        let number = Self::rounded(false, mantissa, exponent.binary, false, exact);
        let power = power_of_five(exponent.decimal.unsigned_abs(), precision + 64);
        match exponent.decimal {
            0 => Some(number.with_precision(precision)),
            ..0 => number.divide_at(&power, precision).ok(),
            1.. => number.multiply_at(&power, precision).ok(),
        }
    }
}

/// `e` or `p`, an optional sign and digits, or nothing; `None` if that is beyond all numbers.
fn exponent(text: &str) -> Recognized<'_, Option<Exponent>> {
    let power = recognize((opt(one_of("+-")), digit1));
    map(opt((one_of("eEpP"), power)), |exponent: Option<(char, &str)>| {
        let Some((kind, power)) = exponent else { return Some(Exponent { decimal: 0, binary: 0 }) };
        let binary = power.parse().ok()?;
        Some(Exponent { decimal: if matches!(kind, 'e' | 'E') { binary } else { 0 }, binary })
    })
    .parse(text)
}

/// Five to this power, with a few bits to spare on the way.
fn power_of_five(power: u64, precision: u32) -> CtyNumber {
    /// The greatest power of five that has 64 bits.
    const EXACT: u64 = 27;
    let exact = power.min(EXACT);
    let start = BigUint::from(5u32).pow(exact as u32);
    let mut result = CtyNumber::rounded(false, start, 0, false, precision);
    let mut square = CtyNumber::from(5i64).with_precision(precision + 64);
    let mut left = power - exact;
    while left > 0 {
        // The factors are finite, so the multiplication does not fail.
        let times = |a: &CtyNumber, b: &CtyNumber, precision| {
            a.multiply_at(b, precision).unwrap_or(CtyNumber::INFINITY)
        };
        if left & 1 == 1 {
            result = times(&result, &square, precision);
        }
        square = times(&square, &square, precision + 64);
        left >>= 1;
    }
    result
}
