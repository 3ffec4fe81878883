//! Decimal numbers of any size, which are compared exactly.

use std::cmp::Ordering;

use serde_json::Number;

/// A decimal number without superfluous zeros: `0.digits × 10^exponent`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Returns the value of a number in JSON.
    pub fn of(number: &Number) -> Self {
        Self::parse(&number.to_string())
    }

    fn parse(text: &str) -> Self {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let power: i64 =
            power.parse().unwrap_or(if power.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 });
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = all.len().saturating_sub(significant.len());
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: 0 };
        }
        let shift = |count: usize| i64::try_from(count).unwrap_or(i64::MAX / 4);
        let exponent = power.saturating_add(shift(whole.len())).saturating_sub(shift(leading));
        Self { negative, digits: digits.to_owned(), exponent }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let (own, others) = (sign(self), sign(other));
        if own != others || own == 0 {
            return own.cmp(&others);
        }
        let size = self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        if self.negative { size.reverse() } else { size }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the number as PostgreSQL writes it: without an exponent.
pub(crate) fn plain_text(number: &Number) -> String {
    let text = number.to_string();
    if !text.contains(['e', 'E']) {
        return text;
    }
    let Decimal { negative, digits, exponent } = Decimal::parse(&text);
    // PostgreSQL refuses numbers with more digits than this.
    let Ok(exponent) = i32::try_from(exponent) else { return text };
    if !(-1_000..=1_000).contains(&exponent) {
        return text;
    }
    let sign = if negative { "-" } else { "" };
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if digits.is_empty() {
        "0".to_owned()
    } else if exponent <= 0 {
        format!("{sign}0.{}{digits}", zeros(exponent.saturating_neg()))
    } else if exponent >= count {
        format!("{sign}{digits}{}", zeros(exponent.saturating_sub(count)))
    } else {
        let (whole, fraction) =
            digits.split_at_checked(usize::try_from(exponent).unwrap_or(0)).unwrap_or_default();
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_their_values() {
        let mut texts =
            ["1e2", "-3", "0.5", "99", "0", "-0.0", "1.50", "12345678901234567890123", "1.5", "-2.9", "5e-1"];
        texts.sort_by_key(|text| Decimal::parse(text));
        assert_eq!(
            texts,
            ["-3", "-2.9", "0", "-0.0", "0.5", "5e-1", "1.50", "1.5", "99", "1e2", "12345678901234567890123"]
        );
        assert_eq!(Decimal::parse("42"), Decimal::parse("42.0"));
    }

    #[test]
    fn numbers_have_no_exponents_as_texts() {
        for (number, text) in
            [("1e5", "100000"), ("1.25e1", "12.5"), ("-5e-3", "-0.005"), ("1.0", "1.0"), ("0e9", "0")]
        {
            assert_eq!(plain_text(&number.parse().unwrap()), text);
        }
    }
}
