//! Numbers as text.

/// Returns a float as Ruby shows it: in full from 0.0001 up to 15 digits or a fraction, otherwise with an exponent.
pub fn float_to_s(number: f64) -> String {
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
    let scientific = shortest(number);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // From 10^15 on, numbers with a fraction are shown in full.
    let is_large = exponent > 15 || (exponent == 15 && fraction <= 15);
    if number == 0.0 || (exponent >= -4 && !is_large) {
        let places = i32::try_from(fraction).unwrap_or(0) - exponent;
        return format!("{number:.places$}", places = usize::try_from(places).unwrap_or(1).max(1));
    }
    let point = if fraction == 0 { ".0" } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

/// Returns the shortest digits that identify a float, with an exponent; the even one of two that are equally near.
fn shortest(number: f64) -> String {
    let shown = format!("{number:e}");
    let fraction = shown.split(['.', 'e']).nth(1).filter(|_| shown.contains('.')).map_or(0, str::len);
    let even = format!("{number:.fraction$e}");
    if even.parse() == Ok(number) { even } else { shown }
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
            (f64::from_bits(0x42d3_218c_5cd0_c6e8), "84139238966043.62"),
            (f64::from_bits(0x4311_8b54_f22a_eb01), "1234567890123456.2"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (9.5e22, "9.5e+22"),
        ] {
            assert_eq!(float_to_s(number), shown);
        }
    }
}
