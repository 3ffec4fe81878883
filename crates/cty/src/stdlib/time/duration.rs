//! Durations like `1h30m`.
//!
//! See go-cty's `cty/function/stdlib/datetime.go`.

use crate::text::quoted;
use nom::Parser;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, digit0};
use nom::combinator::{map, opt, verify};
use nom::sequence::preceded;
use puppetfn_base::recognize::Recognized;

/// Returns the nanoseconds of a duration: numbers with units, and a sign before all of them.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quoted(text));
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (after, ((integer, fraction), name)) = part(rest).map_err(|_| invalid())?;
        if name.is_empty() {
            return Err(format!("time: missing unit in duration {}", quoted(text)));
        }
        let unit = unit(name)
            .ok_or_else(|| format!("time: unknown unit {} in duration {}", quoted(name), quoted(text)))?;
        let whole: u64 = if integer.is_empty() { 0 } else { integer.parse().map_err(|_| invalid())? };
        let part = whole.checked_mul(unit).and_then(|whole| whole.checked_add(part_of(fraction, unit)));
        total = part.and_then(|part| total.checked_add(part)).ok_or_else(invalid)?;
        rest = after;
    }
    let total = i128::from(total) * if negative { -1 } else { 1 };
    i64::try_from(total).map_err(|_| invalid())
}

/// Returns the digits before and after the point of a number, and the name of its unit, which may be empty.
fn part(text: &str) -> Recognized<'_, ((&str, &str), &str)> {
    let fraction = map(opt(preceded(char('.'), digit0)), Option::unwrap_or_default);
    let number = verify((digit0, fraction), |(integer, fraction): &(&str, &str)| {
        !integer.is_empty() || !fraction.is_empty()
    });
    (number, take_till(|next: char| next == '.' || next.is_ascii_digit())).parse(text)
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Returns the fraction of a unit after a decimal point, given its digits. Digits that do not fit into 63 bits are ignored.
fn part_of(digits: &str, unit: u64) -> u64 {
    let (mut fraction, mut scale) = (0_u64, 1.0_f64);
    for digit in digits.bytes() {
        let next = fraction.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit - b'0')));
        let Some(next) = next.filter(|next| *next <= 1 << 63) else { break };
        fraction = next;
        scale *= 10.0;
    }
    (fraction as f64 * (unit as f64 / scale)) as u64
}
