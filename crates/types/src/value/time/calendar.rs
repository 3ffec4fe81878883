//! The Gregorian calendar, for any number of seconds. (Calendar crates end at some year; Puppet's
//! times do not.)

const SECONDS_PER_DAY: i64 = 86_400;
const DAYS_PER_ERA: i64 = 146_097;
const DAYS_TO_EPOCH: i64 = 719_468;

/// The English names of the days of the week, Sunday first.
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The English names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A point in time on a calendar, without a fraction of a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DateTime {
    /// The year of the proleptic Gregorian calendar.
    pub year: i64,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 to 31.
    pub day: u8,
    /// From 0 to 23.
    pub hour: u8,
    /// From 0 to 59.
    pub minute: u8,
    /// From 0 to 59.
    pub second: u8,
}

impl DateTime {
    /// Returns the date and time at this many seconds since 1970, in UTC.
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

    /// Returns the seconds since 1970, in UTC. A day, hour or second that is too large carries over, as a leap second does.
    /// `None` for years out of the range of times.
    pub fn to_seconds(self) -> Option<i64> {
        if self.year.unsigned_abs() > 300_000_000_000 {
            return None;
        }
        let days = i128::from(days_to_month(self.year, self.month)) + i128::from(self.day) - 1;
        let time = i128::from(self.hour) * 3600 + i128::from(self.minute) * 60 + i128::from(self.second);
        i64::try_from(days * i128::from(SECONDS_PER_DAY) + time).ok()
    }

    /// Returns the days since Sunday.
    pub fn day_of_week(self) -> u8 {
        // The first day of 1970 was a Thursday.
        (self.days() + 4).rem_euclid(7) as u8
    }

    /// Returns the days since the last day of the year before.
    pub fn day_of_year(self) -> u16 {
        (self.days() - days_to_month(self.year, 1) + 1) as u16
    }

    fn days(self) -> i64 {
        days_to_month(self.year, self.month) + i64::from(self.day) - 1
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

/// Returns the number of days since 1970 of the first day of a month.
fn days_to_month(year: i64, month: u8) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_one_date() {
        let first = days_to_month(-401, 1);
        let mut expected = (-401, 1, 1);
        let mut day_of_year = 1;
        for days in first..days_to_month(801, 1) {
            let date @ DateTime { year, month, day, .. } = DateTime::at(days * SECONDS_PER_DAY);
            assert_eq!((year, month, day), expected);
            assert_eq!(date.to_seconds(), Some(days * SECONDS_PER_DAY));
            assert_eq!(date.day_of_year(), day_of_year);
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + u8::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (expected, day_of_year) = match (month, day == last) {
                (12, true) => ((year + 1, 1, 1), 1),
                (month, true) => ((year, month + 1, 1), day_of_year + 1),
                (month, false) => ((year, month, day + 1), day_of_year + 1),
            };
        }
    }

    #[test]
    fn all_seconds_have_a_date() {
        let first = DateTime { year: -292_277_022_657, month: 1, day: 27, hour: 8, minute: 29, second: 52 };
        let last = DateTime { year: 292_277_026_596, month: 12, day: 4, hour: 15, minute: 30, second: 7 };
        assert_eq!((DateTime::at(i64::MIN), DateTime::at(i64::MAX)), (first, last));
        assert_eq!((first.to_seconds(), last.to_seconds()), (Some(i64::MIN), Some(i64::MAX)));
        assert_eq!(DateTime { second: 8, ..last }.to_seconds(), None);
        assert_eq!(DateTime { year: i64::MAX, ..last }.to_seconds(), None);
    }

    #[test]
    fn what_is_too_large_carries_over() {
        let date = DateTime { year: 2021, month: 2, day: 31, hour: 24, minute: 59, second: 60 };
        assert_eq!(
            date.to_seconds().map(DateTime::at),
            Some(DateTime { month: 3, day: 4, hour: 1, minute: 0, second: 0, ..date })
        );
    }

    #[test]
    fn weeks_count_from_sunday() {
        assert_eq!(DateTime::at(0).day_of_week(), 4);
        assert_eq!(DateTime::at(-5 * SECONDS_PER_DAY).day_of_week(), 6);
        assert_eq!(DateTime::at(3 * SECONDS_PER_DAY).day_of_week(), 0);
    }
}
