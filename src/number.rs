//! Numbers as text.

/// A float as Ruby shows it: in full from 0.0001 up to 15 digits, else with an exponent.
pub(crate) fn float_to_s(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-4..1e15).contains(&magnitude) {
        return format!("{number:?}");
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}{point}e{sign}{digits:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_shown_as_ruby_does() {
        for (number, shown) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (9_007_199_254_740_992.0, "9.007199254740992e+15"),
            (1.5e-10, "1.5e-10"),
            (1e100, "1.0e+100"),
            (5e-324, "5.0e-324"),
        ] {
            assert_eq!(float_to_s(number), shown);
        }
    }
}
