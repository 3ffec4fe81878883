//! The Gregorian calendar, for any number of seconds. (Calendar crates end at some year; Puppet's
//! times do not.)

const SECONDS_PER_DAY: i64 = 86_400;
const DAYS_PER_ERA: i64 = 146_097;
const DAYS_TO_EPOCH: i64 = 719_468;

/// A point in time on a calendar, without a fraction of a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DateTime {
    pub year: i64,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
}

impl DateTime {
    /// The date and time at this many seconds since 1970, in UTC.
    pub fn at(seconds: i64) -> Self {
        let (year, month, day) = date(seconds.div_euclid(SECONDS_PER_DAY));
        let second = seconds.rem_euclid(SECONDS_PER_DAY);
        Self {
            year,
            month,
            day,
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
            second: (second % 60) as u8,
        }
    }
}

/// Year, month and day at a number of days since 1970. It counts in eras of 400 years and years
/// that begin in March, so that the leap day comes last.
fn date(days: i64) -> (i64, u8, u8) {
    let days = days + DAYS_TO_EPOCH;
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / (DAYS_PER_ERA - 1)) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of days since 1970 of the first day of a month. The month may be of any number.
    fn days_to_month(year: i64, month: u8) -> i64 {
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_from_march = (i64::from(month) + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH
    }

    #[test]
    fn every_day_has_one_date() {
        let mut expected = date(days_to_month(-401, 1));
        for day in days_to_month(-401, 1)..days_to_month(801, 1) {
            let (year, month, day_of_month) = date(day);
            assert_eq!((year, month, day_of_month), expected);
            assert_eq!(days_to_month(year, month) + i64::from(day_of_month) - 1, day);
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + u8::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, day_of_month == last) {
                (12, true) => (year + 1, 1, 1),
                (month, true) => (year, month + 1, 1),
                (month, false) => (year, month, day_of_month + 1),
            };
        }
    }

    #[test]
    fn all_seconds_have_a_date() {
        let first = DateTime { year: -292_277_022_657, month: 1, day: 27, hour: 8, minute: 29, second: 52 };
        let last = DateTime { year: 292_277_026_596, month: 12, day: 4, hour: 15, minute: 30, second: 7 };
        assert_eq!((DateTime::at(i64::MIN), DateTime::at(i64::MAX)), (first, last));
    }
}
