//! Integers in any base.

use super::directive::{FormatDirective, push_repeated};

/// An integer, of any size that a float can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Integer {
    Small(i64),
    /// A finite float without a fraction.
    Large(f64),
}

/// The bases that integers are shown in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    Binary,
    Octal,
    Decimal,
    Hexadecimal,
}

impl Base {
    /// Returns the number of bits in a digit; `None` if digits do not align with bits.
    fn bits(self) -> Option<usize> {
        match self {
            Self::Binary => Some(1),
            Self::Octal => Some(3),
            Self::Decimal => None,
            Self::Hexadecimal => Some(4),
        }
    }

    /// Returns the largest digit.
    fn last_digit(self) -> u8 {
        match self {
            Self::Binary => 1,
            Self::Octal => 7,
            Self::Decimal => 9,
            Self::Hexadecimal => 15,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Binary => "0b",
            Self::Octal => "0",
            Self::Decimal => "",
            Self::Hexadecimal => "0x",
        }
    }
}

impl Integer {
    /// Returns the integer of a float, without its fraction; `None` if it is not finite.
    pub(super) fn of(number: f64) -> Option<Self> {
        number.is_finite().then(|| {
            let whole = number.trunc();
            // Above 2^53 every float is whole, so nothing is lost below 2^63 either.
            #[allow(clippy::cast_possible_truncation, reason = "within the range of an i64")]
            if whole.abs() < 9.0e18 { Self::Small(whole as i64) } else { Self::Large(whole) }
        })
    }

    fn is_negative(self) -> bool {
        match self {
            Self::Small(number) => number < 0,
            Self::Large(number) => number < 0.0,
        }
    }

    /// Returns the digits of the absolute value.
    fn digits(self, base: Base) -> String {
        match (self, base) {
            (Self::Small(number), Base::Binary) => format!("{:b}", number.unsigned_abs()),
            (Self::Small(number), Base::Octal) => format!("{:o}", number.unsigned_abs()),
            (Self::Small(number), Base::Decimal) => number.unsigned_abs().to_string(),
            (Self::Small(number), Base::Hexadecimal) => format!("{:x}", number.unsigned_abs()),
            (Self::Large(number), Base::Decimal) => format!("{:.0}", number.abs()),
            (Self::Large(number), _) => regroup(&binary(number), base.bits().unwrap_or(1)),
        }
    }
}

/// Returns the binary digits of a large float.
fn binary(number: f64) -> String {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.abs().to_bits();
    let exponent = usize::try_from((bits >> FRACTION) & 0x7ff).unwrap_or(0);
    let mantissa = (bits & ((1 << FRACTION) - 1)) | (1 << FRACTION);
    let mut digits = format!("{mantissa:b}");
    // Exponents are stored with 1023 added, and count from after the first digit.
    let zeros = (exponent + 1).saturating_sub(1023 + digits.len());
    push_repeated(&mut digits, '0', zeros);
    digits
}

/// Binary digits as digits of `bits` bits each.
fn regroup(binary: &str, bits: usize) -> String {
    let mut digits: Vec<char> = binary
        .as_bytes()
        .rchunks(bits)
        .filter_map(|group| {
            let digit = group.iter().fold(0, |digit, bit| digit * 2 + u32::from(*bit == b'1'));
            char::from_digit(digit, 16)
        })
        .collect();
    digits.reverse();
    digits.into_iter().collect()
}

/// Returns the two's complement of a negative number with the digits `digits`. Its first digit stands for an endless
/// repetition.
fn complement(digits: &str, base: Base) -> String {
    let last = base.last_digit();
    let mut complement: Vec<u8> = Vec::with_capacity(digits.len() + 1);
    let mut carry = 1;
    for digit in digits.bytes().rev().map(|digit| (digit as char).to_digit(16).unwrap_or(0)) {
        let digit = last - u8::try_from(digit).unwrap_or(0) + carry;
        carry = u8::from(digit > last);
        complement.push(if digit > last { 0 } else { digit });
    }
    complement.push(last);
    while let [.., before, first] = complement.as_slice()
        && (*before, *first) == (last, last)
    {
        complement.pop();
    }
    complement.iter().rev().filter_map(|digit| char::from_digit(u32::from(*digit), 16)).collect()
}

/// Appends an integer as `%d`, `%x`, `%o` or `%b` show it, with letters in upper case if asked.
pub(super) fn push_integer(
    out: &mut String,
    directive: &FormatDirective<'_>,
    number: Integer,
    base: Base,
    upper: bool,
) {
    let negative = number.is_negative();
    // Without a sign, a negative number in another base than ten is shown as its two's complement.
    let dots = negative && base != Base::Decimal && !directive.plus && !directive.space;
    let mut digits = number.digits(base);
    let mut sign = directive.sign(negative);
    if dots {
        digits = complement(&digits, base);
        sign = "";
    }
    let is_zero = digits == "0";
    let mut prefix = if directive.alternate { base.prefix() } else { "" };
    let mut precision = directive.precision;
    if base == Base::Octal && directive.alternate {
        // The prefix is a digit like any other.
        if is_zero {
            digits.clear();
            precision = precision.map(|precision| precision.saturating_sub(1));
        } else if dots || precision.is_some_and(|precision| precision > digits.len()) {
            prefix = "";
        }
    } else if is_zero {
        prefix = "";
    }
    if is_zero && prefix.is_empty() && precision == Some(0) {
        digits.clear();
    }

    let dots_len = if dots { 2 } else { 0 };
    let extras = sign.len() + prefix.len() + dots_len;
    let wanted = if directive.zero && !directive.minus && directive.precision.is_none() {
        directive.width.unwrap_or(0).saturating_sub(extras)
    } else {
        precision.unwrap_or(0).saturating_sub(dots_len)
    };
    let fill = wanted.saturating_sub(digits.len());
    let missing = directive.missing(extras + fill + digits.len());

    let start = out.len();
    if !directive.minus {
        push_repeated(out, ' ', missing);
    }
    out.push_str(sign);
    out.push_str(prefix);
    if dots {
        out.push_str("..");
    }
    let filler = if dots { char::from_digit(u32::from(base.last_digit()), 16) } else { None };
    push_repeated(out, filler.unwrap_or('0'), fill);
    out.push_str(&digits);
    if directive.minus {
        push_repeated(out, ' ', missing);
    }
    if upper && let Some(shown) = out.get_mut(start..) {
        shown.make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_floats_have_digits_in_every_base() {
        let number = Integer::of(1e20).unwrap();
        assert_eq!(number, Integer::Large(1e20));
        assert_eq!(number.digits(Base::Decimal), "100000000000000000000");
        assert_eq!(number.digits(Base::Octal), "12657072742654304000000");
        assert_eq!(number.digits(Base::Hexadecimal), "56bc75e2d63100000");
        assert_eq!(Integer::of(f64::MAX).unwrap().digits(Base::Binary).len(), 1024);
        assert_eq!(Integer::of(f64::NAN), None);
    }

    #[test]
    fn complements_begin_with_one_repeated_digit() {
        for (digits, base, shown) in [
            ("1", Base::Hexadecimal, "f"),
            ("ff", Base::Hexadecimal, "f01"),
            ("100", Base::Hexadecimal, "f00"),
            ("377", Base::Octal, "7401"),
            ("10", Base::Octal, "70"),
            ("1", Base::Binary, "1"),
            ("10", Base::Binary, "10"),
        ] {
            assert_eq!(complement(digits, base), shown);
        }
    }
}
