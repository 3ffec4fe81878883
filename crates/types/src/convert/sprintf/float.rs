//! Floats: in full, with an exponent, and hexadecimal.

use super::directive::{FormatDirective, push_repeated};
use super::rounding::{DigitLimit, RoundedDigits, ties_to_even};

/// The ways that floats are shown in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// `%f`
    Fixed,
    /// `%e`
    Exponent,
    /// `%g`
    General,
    /// `%a`
    Hexadecimal,
}

/// A float has no more decimal digits than this; all that follow are zeros.
const DIGITS: usize = 1100;

/// Appends a float, with letters in upper case if requested.
pub(super) fn push_float(
    out: &mut String,
    directive: &FormatDirective<'_>,
    number: f64,
    notation: Notation,
    upper: bool,
) {
    let sign = directive.sign(number.is_sign_negative() && !number.is_nan());
    if !number.is_finite() {
        let name = if number.is_nan() { "NaN" } else { "Inf" };
        return directive.push_padded(out, &format!("{sign}{name}"));
    }
    let magnitude = number.abs();
    let alternate = directive.alternate;
    let (prefix, mut body) = match notation {
        Notation::Fixed => ("", fixed(magnitude, directive.precision.unwrap_or(6), alternate)),
        Notation::Exponent => ("", exponent(magnitude, directive.precision.unwrap_or(6), alternate)),
        Notation::General => ("", general(magnitude, directive.precision.unwrap_or(6), alternate)),
        Notation::Hexadecimal => ("0x", hexadecimal(magnitude, directive.precision, alternate)),
    };
    let mut prefix = prefix.to_owned();
    if upper {
        prefix.make_ascii_uppercase();
        body.make_ascii_uppercase();
    }
    push_number(out, directive, sign, &prefix, &body);
}

/// Appends a number with the given digits, padded to the width of the directive.
pub(super) fn push_number(
    out: &mut String,
    directive: &FormatDirective<'_>,
    sign: &str,
    prefix: &str,
    body: &str,
) {
    let missing = directive.missing(sign.len() + prefix.len() + body.len());
    let zeros = directive.zero && !directive.minus;
    if !directive.minus && !zeros {
        push_repeated(out, ' ', missing);
    }
    out.push_str(sign);
    out.push_str(prefix);
    if zeros {
        push_repeated(out, '0', missing);
    }
    out.push_str(body);
    if directive.minus {
        push_repeated(out, ' ', missing);
    }
}

fn fixed(magnitude: f64, precision: usize, alternate: bool) -> String {
    let mut text = match ties_to_even(magnitude, DigitLimit::Fraction(precision)) {
        Some(RoundedDigits { number, .. }) => {
            let mut buffer = itoa::Buffer::new();
            let digits = buffer.format(number);
            let mut text = String::with_capacity(digits.len().max(precision + 1) + 1);
            push_repeated(&mut text, '0', (precision + 1).saturating_sub(digits.len()));
            text.push_str(digits);
            if precision > 0 {
                text.insert(text.len() - precision, '.');
            }
            text
        }
        None => {
            let exact = precision.min(DIGITS);
            let mut text = format!("{magnitude:.exact$}");
            push_repeated(&mut text, '0', precision - exact);
            text
        }
    };
    if precision == 0 && alternate {
        text.push('.');
    }
    text
}

fn exponent(magnitude: f64, precision: usize, alternate: bool) -> String {
    let (mut mantissa, exponent) = scientific(magnitude, precision);
    if precision == 0 && alternate {
        mantissa.push('.');
    }
    with_exponent(&mantissa, exponent)
}

/// Returns the digits with a point after the first, and the power of ten to multiply with.
fn scientific(magnitude: f64, precision: usize) -> (String, i32) {
    if let Some(rounded) = ties_to_even(magnitude, DigitLimit::Significant(precision + 1)) {
        let RoundedDigits { number, power, .. } = rounded;
        let digits = number.to_string();
        let carried = digits.len() > precision + 1;
        let digits = if carried { digits.trim_end_matches('0') } else { &digits };
        let digits = format!("{digits:0<len$}", len = precision + 1);
        return (with_point(&digits, 1), power + i32::from(carried));
    }
    let exact = precision.min(DIGITS);
    let text = format!("{magnitude:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut mantissa = mantissa.to_owned();
    push_repeated(&mut mantissa, '0', precision - exact);
    (mantissa, exponent.parse().unwrap_or(0))
}

/// Returns the digits with a point after the first `whole` ones, if more follow.
fn with_point(digits: &str, whole: usize) -> String {
    match digits.split_at_checked(whole) {
        Some((whole, fraction)) if !fraction.is_empty() => format!("{whole}.{fraction}"),
        _ => digits.to_owned(),
    }
}

fn with_exponent(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// Shows a float with an exponent where that is shorter, and usually without trailing zeros.
fn general(magnitude: f64, precision: usize, alternate: bool) -> String {
    let significant = precision.max(1);
    let rounded = ties_to_even(magnitude, DigitLimit::Significant(significant));
    let with_zeros = alternate || rounded.is_some_and(|rounded| rounded.with_zeros);
    let (mantissa, power) = scientific(magnitude, significant - 1);
    let in_full = power >= -4 && usize::try_from(power).map_or(true, |power| power < significant);
    let digits = if in_full {
        // The total number of digits is fixed, regardless of the position of the point.
        let fraction = i64::try_from(significant).unwrap_or(i64::MAX) - 1 - i64::from(power);
        fixed(magnitude, usize::try_from(fraction).unwrap_or(0), alternate)
    } else if alternate && significant == 1 {
        format!("{mantissa}.")
    } else {
        mantissa
    };
    let digits = if with_zeros || !digits.contains('.') {
        digits.as_str()
    } else {
        digits.trim_end_matches('0').trim_end_matches('.')
    };
    if in_full { digits.to_owned() } else { with_exponent(digits, power) }
}

/// Bits of a float after its point.
const FRACTION_BITS: usize = 52;

fn hexadecimal(magnitude: f64, precision: Option<usize>, alternate: bool) -> String {
    let (mut mantissa, mut exponent) = normalized(magnitude);
    let all = FRACTION_BITS / 4;
    let kept = precision.unwrap_or(all).min(all);
    let dropped = (all - kept) * 4;
    if dropped > 0 {
        // To the nearest, and to the even one of two that are as near.
        let half = 1 << (dropped - 1);
        let (rest, is_odd) = (mantissa & ((1 << dropped) - 1), (mantissa >> dropped) & 1 == 1);
        mantissa >>= dropped;
        if rest > half || (rest == half && is_odd) {
            mantissa += 1;
        }
        mantissa <<= dropped;
    }
    if mantissa >> (FRACTION_BITS + 1) == 1 {
        mantissa >>= 1;
        exponent += 1;
    }
    let whole = mantissa >> FRACTION_BITS;
    let fraction = format!("{:013x}", mantissa & ((1 << FRACTION_BITS) - 1));
    let mut digits = match precision {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(_) => fraction.get(..kept).unwrap_or_default().to_owned(),
    };
    push_repeated(&mut digits, '0', precision.unwrap_or(0).saturating_sub(all));
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("{whole}{point}{digits}p{exponent:+}")
}

/// Returns the mantissa, with its first bit in front of the point, and the exponent; both zero for zero.
pub(super) fn normalized(magnitude: f64) -> (u64, i32) {
    let bits = magnitude.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let stored = i32::try_from(bits >> FRACTION_BITS).unwrap_or(0);
    if stored > 0 {
        return (fraction | 1 << FRACTION_BITS, stored - 1023);
    }
    if fraction == 0 {
        return (0, 0);
    }
    let shift = fraction.leading_zeros() - 11;
    (fraction << shift, -1022 - i32::try_from(shift).unwrap_or(0))
}
