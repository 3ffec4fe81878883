use super::*;

fn one(format: &str, value: impl Into<Value>) -> String {
    match sprintf(format, &[value.into()], &Limits::DEFAULT) {
        Ok(text) => text,
        Err(error) => format!("error: {}", error.message()),
    }
}

#[test]
fn integers() {
    for (format, number, text) in [
        ("%d", -255, "-255"),
        ("%5d|", 5, "    5|"),
        ("%-05d|", 5, "5    |"),
        ("%+08.6d", -255, " -000255"),
        ("% d", 255, " 255"),
        ("%+.0d", 0, "+"),
        ("%#x", 255, "0xff"),
        ("%#X", 0, "0"),
        ("%x", -255, "..f01"),
        ("%#010x", -255, "0x..ffff01"),
        ("%.8X", -256, "..FFFF00"),
        ("%+b", -255, "-11111111"),
        ("%#o", -8, "..70"),
        ("%#.10o", 8, "0000000010"),
        ("%#.0o", 0, "0"),
        ("%x", i64::MIN, "..f8000000000000000"),
        ("%.2f", 9_007_199_254_740_993, "9007199254740993.00"),
        ("%c", 128_512, "😀"),
    ] {
        assert_eq!(one(format, number), text, "{format}");
    }
}

#[test]
fn floats() {
    for (format, number, text) in [
        ("%f", -2.5, "-2.500000"),
        ("%.0f %%", 2.5, "2 %"),
        ("%#.0f", -2.5, "-2."),
        ("%010.2f", 1.0, "0000001.00"),
        ("%e", 0.0, "0.000000e+00"),
        ("%.3E", 1.5e-100, "1.500E-100"),
        ("%g", 1e6, "1e+06"),
        ("%g", 1e5, "100000"),
        ("%#g", 1.0, "1.00000"),
        ("%.10g", 1_234_567.891, "1234567.891"),
        ("%a", 0.1, "0x1.999999999999ap-4"),
        ("%.1a", 1.97, "0x1.0p+1"),
        ("%.0a", 2.5, "0x1p+1"),
        ("%a", 5e-324, "0x1p-1074"),
        ("%+020A", 1.5, "+0X000000000001.8P+0"),
        ("%.1f", 0.35, "0.4"),
        ("%.1f", 0.45, "0.4"),
        ("%.1f", 5411.15, "5411.2"),
        ("%.2f", 9.995, "10.00"),
        ("%.6e", 4940.1225, "4.940122e+03"),
        ("%.0e", 9.5, "1e+01"),
        ("%.3g", 0.000_099_95, "0.0001"),
        ("%010f", f64::NEG_INFINITY, "      -Inf"),
        ("%+f", f64::NAN, "+NaN"),
        ("%d", 1e20, "100000000000000000000"),
        ("%x", -2.5, "..fe"),
        ("%d", f64::NAN, "error: NaN"),
    ] {
        assert_eq!(one(format, number), text, "{format}");
    }
    assert_eq!(one("%.2000f", 0.5).len(), 2002);
    assert_eq!(one("%.70000e", 0.5).len(), 70006);
}

#[test]
fn texts() {
    assert_eq!(one("%5s|%%", "é"), "    é|%");
    assert_eq!(one("%-5.2s|", "äöü"), "äö   |");
    assert_eq!(one("%p", "a\n"), "\"a\\n\"");
    assert_eq!(one("%s", vec![Value::Undef]), "[nil]");
}

#[test]
fn arguments_are_taken_in_one_way() {
    let two = [Value::from(1), Value::from("x")];
    let show = |format: &str| sprintf(format, &two, &Limits::DEFAULT).map_err(|error| error.to_string());
    assert_eq!(show("%d %s").unwrap(), "1 x");
    assert_eq!(show("%2$s %1$d %1$d").unwrap(), "x 1 1");
    assert_eq!(show("%d %1$d").unwrap_err(), "numbered(1) after unnumbered(1)");
    assert_eq!(show("%1$d %s").unwrap_err(), "unnumbered(1) mixed with numbered");
    assert_eq!(show("%s %s %s").unwrap_err(), "too few arguments");
    assert_eq!(show("%<a>s").unwrap_err(), "one hash required");
    let named: Value = [("a".into(), 1.into())].into_iter().collect();
    assert_eq!(one("%<a>03d %{a}d", named.clone()), "001 1d");
    assert_eq!(one("%<b>d", named), "error: key<b> not found");
}

#[test]
fn malformed_formats_say_why() {
    for (format, message) in [
        ("%|d", "malformed format string - %|"),
        ("%éd", "malformed format string"),
        ("100%", "incomplete format specifier; use %% (double %) instead"),
        ("%-", "invalid format character - %"),
        ("%5", "malformed format string - %*[0-9]"),
        ("%5 d", "flag after width"),
        ("%5.5.5d", "precision given twice"),
        ("%55555555555d", "width too big"),
        ("%<d", "malformed name - unmatched parenthesis"),
    ] {
        assert_eq!(one(format, 5), format!("error: {message}"), "{format}");
    }
    assert_eq!(one("%\nd", 5), "%\nd");
}

#[test]
fn endless_padding_meets_the_limit() {
    for format in ["%2000000000d", "%.2000000000f", "%-2000000000s"] {
        assert!(one(format, 1.0).contains("limit 'work'"), "{format}");
    }
}
