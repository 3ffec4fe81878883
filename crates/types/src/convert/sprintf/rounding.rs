//! Cases in which Ruby does not round a float by its exact value.
//!
//! Ruby generates up to 14 digits in floating-point arithmetic, and estimates its error. A rest that cannot be
//! distinguished from one half counts as one half: 0.35, which is a little less than it seems, becomes 0.4. The steps here
//! are Ruby's, since their errors decide.

/// Number of digits to show.
#[derive(Clone, Copy, Debug)]
pub(super) enum DigitLimit {
    /// This many in all.
    Significant(usize),
    /// This many after the point.
    Fraction(usize),
}

/// Up to how many digits Ruby generates in this way.
const MOST: i32 = 14;

/// Rounded digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundedDigits {
    /// The digits as a whole number. One more than there should be when rounding carried that far.
    pub(super) number: u64,
    /// The power of ten of the first digit, before rounding.
    pub(super) power: i32,
    /// Whether `%g` shows zeros at the end.
    pub(super) with_zeros: bool,
}

/// Returns the digits where Ruby takes the rest for one half; `None` if the exact value decides.
pub(super) fn ties_to_even(magnitude: f64, digits: DigitLimit) -> Option<RoundedDigits> {
    if magnitude == 0.0 {
        return None;
    }
    let mut power = estimated_power(magnitude);
    let mut scaled = scaled(magnitude, power);
    if !(0..=22).contains(&power) && scaled.value < 1.0 {
        power -= 1;
        scaled = ScaledFloat { value: scaled.value * 10.0, error: scaled.error + 1.0 };
    }
    let count = match digits {
        DigitLimit::Significant(count) => i32::try_from(count).ok()?,
        DigitLimit::Fraction(count) => i32::try_from(count).ok()?.checked_add(power + 1)?,
    };
    if !(1..=MOST).contains(&count) {
        return None;
    }
    let error = (scaled.error * scaled.value + 7.0) * f64::EPSILON * 10f64.powi(count - 1);
    let mut rest = scaled.value;
    let mut number = 0;
    for place in 1..=count {
        let digit = rest.trunc();
        rest -= digit;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a digit")]
        let digit = digit as u64;
        number = number * 10 + digit;
        if rest == 0.0 {
            return None;
        }
        if place < count {
            rest *= 10.0;
        }
    }
    if rest > 0.5 + error || rest < 0.5 - error {
        return None;
    }
    if number % 2 == 1 {
        return Some(RoundedDigits { number: number + 1, power, with_zeros: false });
    }
    if magnitude.fract() == 0.0 && power <= MOST {
        let number = exactly(magnitude, power, count)?;
        return Some(RoundedDigits { number, power, with_zeros: number % 2 == 0 });
    }
    // Exact digits are slow to compute, so they are computed only if trailing zeros may be dropped.
    let with_zeros = match digits {
        DigitLimit::Significant(_) => exactly(magnitude, power, count)? != number,
        DigitLimit::Fraction(_) => false,
    };
    Some(RoundedDigits { number, power, with_zeros })
}

/// Returns the digits of the exact value.
fn exactly(magnitude: f64, power: i32, count: i32) -> Option<u64> {
    let fraction = usize::try_from(count - 1).ok()?;
    let text = format!("{magnitude:.fraction$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let number: u64 = mantissa.replace('.', "").parse().ok()?;
    // Rounding up to the next power of ten leaves one zero less.
    Some(if exponent.parse() == Ok(power) { number } else { number * 10 })
}

/// Returns the power of ten of the first digit, or one more.
#[allow(clippy::approx_constant, reason = "as many digits as Ruby has of it")]
fn estimated_power(magnitude: f64) -> i32 {
    let (mantissa, exponent) = super::float::normalized(magnitude);
    let mantissa = f64::from_bits((1023 << 52) | (mantissa & ((1 << 52) - 1)));
    let estimate = (mantissa - 1.5) * 0.289_529_654_602_168
        + 0.176_091_259_055_8
        + f64::from(exponent) * 0.301_029_995_663_981;
    #[allow(clippy::cast_possible_truncation, reason = "an exponent")]
    let power = estimate.floor() as i32;
    if (0..=22).contains(&power) && magnitude < 10f64.powi(power) { power - 1 } else { power }
}

/// A float divided by a power of ten, and how much error is in that.
struct ScaledFloat {
    value: f64,
    error: f64,
}

fn scaled(magnitude: f64, power: i32) -> ScaledFloat {
    const LARGE: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];
    let small = 10f64.powi(power.abs() & 15);
    let large = LARGE.iter().enumerate().filter(|(bit, _)| (power.abs() >> 4) & (1 << bit) != 0);
    let mut error = 2.0;
    if power <= 0 {
        let mut value = magnitude * small;
        for (_, factor) in large {
            error += 1.0;
            value *= factor;
        }
        return ScaledFloat { value, error };
    }
    let (mut value, mut divisor) = (magnitude, small);
    for (bit, factor) in large {
        error += 1.0;
        // The largest one at once, as the product could be too large.
        if bit == LARGE.len() - 1 { value /= factor } else { divisor *= factor }
    }
    value /= divisor;
    ScaledFloat { value, error }
}
