use super::super::Formats;
use super::*;

fn message<T: fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().message().to_owned()
}

fn parse(text: &str) -> Result<String, Error> {
    Timestamp::parse(text, &Formats::Default, None).map(|stamp| stamp.to_string())
}

fn parse_in(text: &str, format: &str, timezone: Option<&str>) -> Result<String, Error> {
    Timestamp::parse(text, &Formats::One(format), timezone).map(|stamp| stamp.to_string())
}

#[test]
fn years_have_at_least_four_digits_and_a_sign_besides() {
    for (seconds, shown) in [
        (0, "1970-01-01T00:00:00.000000000 UTC"),
        (-62_198_755_200, "-0001-01-01T00:00:00.000000000 UTC"),
        (-62_009_366_400, "0005-01-01T00:00:00.000000000 UTC"),
        (i64::MAX, "292277026596-12-04T15:30:07.000000000 UTC"),
        (i64::MIN, "-292277022657-01-27T08:29:52.000000000 UTC"),
    ] {
        assert_eq!(Timestamp::from_seconds(seconds).to_string(), shown);
    }
    let before = Timestamp::from_number(-0.25).unwrap();
    assert_eq!(before.to_string(), "1969-12-31T23:59:59.750000000 UTC");
    assert_eq!(before.to_f64(), -0.25);
}

#[test]
fn the_default_formats_are_lax() {
    for (text, shown) in [
        ("2020-01-01", "2020-01-01T00:00:00.000000000 UTC"),
        ("2020-1-1Z", "2020-01-01T00:00:00.000000000 UTC"),
        ("2020-01-01T10:20:30.1234567899", "2020-01-01T10:20:30.123456789 UTC"),
        ("2020-01-01T10:20:30+02:00", "2020-01-01T08:20:30.000000000 UTC"),
        ("2020-01-01 10:20:30.5 est dst", "2020-01-01T14:20:30.500000000 UTC"),
        ("2021-02-31 24:00:00", "2021-03-04T00:00:00.000000000 UTC"),
        ("2020-01-01 23:59:60", "2020-01-02T00:00:00.000000000 UTC"),
    ] {
        assert_eq!(parse(text).unwrap(), shown, "{text}");
    }
    assert_eq!(
        message(parse("x")),
        "Unable to parse 'x' using any of the formats %FT%T.%N %Z, %FT%T %Z, %F %T.%N %Z, %F %T %Z, %F %Z, \
         %FT%T.%N, %FT%T, %F %T.%N, %F %T, %F"
    );
    assert_eq!(message(parse("2020-01-01 trailing")), "Illegal timezone 'trailing'");
    assert_eq!(message(parse("2020-01-01 24:01:00")), "min out of range");
}

#[test]
fn formats_are_those_of_ruby() {
    for (text, format, shown) in [
        ("Jan 5 2020", "%b %d %Y", "2020-01-05T00:00:00.000000000 UTC"),
        ("january  5, 2020 3:04 p.m.", "%B %e, %Y %I:%M %p", "2020-01-05T15:04:00.000000000 UTC"),
        ("20200105", "%Y%m%d", "2020-01-05T00:00:00.000000000 UTC"),
        ("69-12-31", "%y-%m-%d", "1969-12-31T00:00:00.000000000 UTC"),
        ("1 68", "%C %y", "0168-01-01T00:00:00.000000000 UTC"),
        ("2020-045", "%Y-%j", "2020-01-01T00:00:00.000000000 UTC"),
        ("Mon Jan  2 10:20:30 EST 2020", "%+", "2020-01-02T15:20:30.000000000 UTC"),
        ("-0005%q", "%EY%q", "-0005-01-01T00:00:00.000000000 UTC"),
        ("2020%", "%Y%", "2020-01-01T00:00:00.000000000 UTC"),
    ] {
        assert_eq!(parse_in(text, format, None).unwrap(), shown, "{text}");
    }
    assert_eq!(message(parse_in("2020 ", "%Y", None)), "Unable to parse '2020 ' using format '%Y'");
    assert!(message(parse_in("10:20", "%H:%M", None)).contains("the format has no year"));
    assert!(message(parse_in(&"9".repeat(30), "%Y", None)).contains("out of range"));
}

#[test]
fn a_time_zone_is_given_once() {
    let given = parse_in("2020-01-01 10:00", "%F %H:%M", Some("+05:30"));
    assert_eq!(given.unwrap(), "2020-01-01T04:30:00.000000000 UTC");
    assert_eq!(
        message(parse_in("2020-01-01 UTC", "%F %Z", Some("EST"))),
        "Using a Timezone designator in format specification is mutually exclusive to providing an explicit \
         timezone argument"
    );
    let many = Formats::Many(vec!["%F %Z", "%F"]);
    assert!(Timestamp::parse("2020-01-01", &many, Some("EST")).is_ok());
    assert_eq!(
        message(Timestamp::parse("2020-01-01 UTC", &many, Some("EST"))),
        "Unable to parse '2020-01-01 UTC' using any of the formats %F %Z, %F"
    );
}

#[test]
fn a_hash_has_a_string() {
    let hash = [("string".into(), "2020".into()), ("format".into(), "%Y".into())].into_iter().collect();
    assert_eq!(Timestamp::from_hash(&hash), Ok(Timestamp::from_seconds(1_577_836_800)));
    let error = message(Timestamp::from_hash(&Default::default()));
    assert_eq!(error, "A Timestamp is made of a hash with a 'string'");
}

#[test]
fn times_are_formatted_as_ruby_does() {
    let stamp = Timestamp::from_nanos(1_471_943_106_789_012_345).unwrap();
    for (format, timezone, text) in [
        ("%F %T.%L %z %Z", None, "2016-08-23 09:05:06.789 +0000 UTC"),
        ("%F %T %:z [%Z]", Some("UTC"), "2016-08-23 09:05:06 +00:00 []"),
        ("%c", Some("-0530"), "Tue Aug 23 03:35:06 2016"),
        ("%j %U %G-W%V-%u %^a %#p", None, "236 34 2016-W34-2 TUE am"),
        ("%F %T %z %:z %_10z %%z %Q", Some("HST"), "2016-08-22 23:05:06 -1000 -10:00      -1000 %z %Q"),
        ("%10Y|%-H|%_H|%s|%Q|é", Some("+02:00"), "0000002016|11|11|1471943106|%Q|é"),
    ] {
        assert_eq!(stamp.format(format, timezone).unwrap(), text);
    }
    assert_eq!(message(stamp.format("%", None)), "invalid format: %");
    assert_eq!(message(stamp.format("%F", Some("Mars"))), "Illegal timezone 'Mars'");
    assert!(stamp.format("%999999999Y", None).is_err());
    assert!(message(Timestamp::from_seconds(i64::MAX).format("%Y", None)).contains("292277026596"));
}
