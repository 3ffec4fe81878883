//! Functions of queries.

use std::cmp::Ordering;

use puppetfn_base::error::{Error, ErrorKind};
use serde_json::{Number, Value as Json};

use super::decimal::plain_text;
use super::entity::{ColumnType, Entity};
use super::evaluate::{type_of, value_of};
use super::instant::Instant;
use super::jsonb::{compare, text};
use super::plan::{AggregateCall, QueryFunction};
use super::run::Row;

/// Significant digits of averages: see `select_div_scale` in PostgreSQL's `numeric.c`.
const SIGNIFICANT: i32 = 16;
/// The digits of each part of PostgreSQL's numbers.
const PART: i32 = 4;

/// A function over the rows of a group.
#[derive(Debug)]
pub(crate) struct Accumulator {
    call: AggregateCall,
    count: u64,
    sum: FixedPoint,
    /// The least or greatest value.
    extreme: Option<Json>,
}

/// A number with decimal places.
#[derive(Clone, Copy, Debug, Default)]
struct FixedPoint {
    digits: i128,
    places: u32,
}

impl Accumulator {
    pub fn new(call: &AggregateCall) -> Self {
        Self { call: call.clone(), count: 0, sum: FixedPoint::default(), extreme: None }
    }

    pub fn name(&self) -> &'static str {
        self.call.function.name()
    }

    pub fn add(&mut self, row: &Row, entity: Entity) -> Result<(), Error> {
        let Some(column) = self.call.argument else {
            self.count = self.count.saturating_add(1);
            return Ok(());
        };
        let value = value_of(row, column, entity)?;
        let value = match column.column_type {
            // PuppetDB casts the values of facts to numbers, for all functions.
            ColumnType::FactValue => number(value, self.call.function)?,
            _ => (!value.is_null()).then(|| value.clone()),
        };
        let Some(value) = value else { return Ok(()) };
        self.count = self.count.saturating_add(1);
        match self.call.function {
            QueryFunction::Sum | QueryFunction::Avg => {
                let added =
                    value.as_number().and_then(FixedPoint::of).and_then(|number| self.sum.plus(number));
                self.sum = added.ok_or_else(|| too_large(self.call.function))?;
            }
            QueryFunction::Min => self.keep(value, column.column_type, Ordering::Less),
            QueryFunction::Max => self.keep(value, column.column_type, Ordering::Greater),
            QueryFunction::Count | QueryFunction::ToString | QueryFunction::JsonbTypeof => {}
        }
        Ok(())
    }

    fn keep(&mut self, value: Json, column_type: ColumnType, wanted: Ordering) {
        let time = |value: &Json| value.as_str().and_then(Instant::parse);
        let is_better = self.extreme.as_ref().is_none_or(|known| {
            let order = match column_type {
                ColumnType::Timestamp => time(&value).cmp(&time(known)),
                _ => compare(&value, known),
            };
            order == wanted
        });
        if is_better {
            self.extreme = Some(value);
        }
    }

    pub fn finish(self) -> Result<Json, Error> {
        let function = self.call.function;
        let value = match function {
            QueryFunction::Count => Some(Json::from(self.count)),
            QueryFunction::Min | QueryFunction::Max => Some(self.extreme.unwrap_or_default()),
            QueryFunction::Sum | QueryFunction::Avg if self.count == 0 => Some(Json::Null),
            QueryFunction::Sum => self.sum.to_json(),
            QueryFunction::Avg => self.sum.over(self.count).and_then(FixedPoint::to_json),
            QueryFunction::ToString | QueryFunction::JsonbTypeof => Some(Json::Null),
        };
        value.ok_or_else(|| too_large(function))
    }
}

#[cold]
fn too_large(function: QueryFunction) -> Error {
    Error::new(ErrorKind::Limit, format!("the numbers are too large for the function {}", function.name()))
}

/// Returns the value of a fact as a number; `None` for null. The message does not have the value.
fn number(value: &Json, function: QueryFunction) -> Result<Option<Json>, Error> {
    let Some(text) = text(value) else { return Ok(None) };
    let trimmed = text.trim();
    let is_number = trimmed.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = trimmed.parse::<f64>().ok().filter(|number| is_number && number.is_finite());
    let number = number.and_then(|_| trimmed.trim_start_matches('+').parse::<Number>().ok());
    match number {
        Some(number) => Ok(Some(Json::Number(number))),
        None => {
            let message =
                format!("the function {} needs numbers, and the value of a fact is none", function.name());
            Err(Error::new(ErrorKind::Evaluation, message))
        }
    }
}

impl FixedPoint {
    fn of(number: &Number) -> Option<Self> {
        let text = plain_text(number);
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { digits, places: u32::try_from(fraction.len()).ok()? })
    }

    fn with_places(self, places: u32) -> Option<i128> {
        self.digits.checked_mul(10_i128.checked_pow(places.checked_sub(self.places)?)?)
    }

    fn plus(self, other: Self) -> Option<Self> {
        let places = self.places.max(other.places);
        Some(Self { digits: self.with_places(places)?.checked_add(other.with_places(places)?)?, places })
    }

    /// Divides by a count, with as many places as PostgreSQL's division has.
    fn over(self, count: u64) -> Option<Self> {
        let (own, own_first) = leading(&self.digits.unsigned_abs().to_string(), self.places);
        let (others, others_first) = leading(&count.to_string(), 0);
        let mut weight = own.saturating_sub(others);
        if own_first <= others_first {
            weight = weight.saturating_sub(1);
        }
        let places = SIGNIFICANT.saturating_sub(weight.saturating_mul(PART));
        let places = u32::try_from(places).unwrap_or(0).max(self.places).min(1_000);
        let scaled = self.with_places(places)?;
        let count = i128::from(count);
        let (quotient, rest) = (scaled.checked_div(count)?, scaled.checked_rem(count)?);
        let rounds = rest.unsigned_abs().checked_mul(2)? >= count.unsigned_abs();
        let digits = if rounds { quotient.checked_add(scaled.signum())? } else { quotient };
        Some(Self { digits, places })
    }

    fn to_json(self) -> Option<Json> {
        let sign = if self.digits < 0 { "-" } else { "" };
        let places = usize::try_from(self.places).ok()?;
        let digits =
            format!("{:0>width$}", self.digits.unsigned_abs().to_string(), width = places.saturating_add(1));
        let (whole, fraction) = digits.split_at_checked(digits.len().checked_sub(places)?)?;
        let text =
            if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
        text.parse().ok().map(Json::Number)
    }
}

/// Returns the weight and the value of the first part of a number in PostgreSQL's parts of four digits.
fn leading(digits: &str, places: u32) -> (i32, i32) {
    let digits = digits.trim_start_matches('0');
    let places = i32::try_from(places).unwrap_or(i32::MAX);
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    if length == 0 {
        return (0, 0);
    }
    // The position of the first digit: 0 for units.
    let position = length.saturating_sub(places).saturating_sub(1);
    let weight = position.div_euclid(PART);
    let count = usize::try_from(position.rem_euclid(PART).saturating_add(1)).unwrap_or(1);
    let first = format!("{digits:0<4}");
    (weight, first.get(..count).and_then(|part| part.parse().ok()).unwrap_or(0))
}

/// Evaluates a function of one row.
pub(crate) fn scalar(call: &AggregateCall, row: &Row, entity: Entity) -> Result<Json, Error> {
    let Some(column) = call.argument else { return Ok(Json::Null) };
    let value = value_of(row, column, entity)?;
    match call.function {
        QueryFunction::JsonbTypeof => Ok(Json::from(type_of(value))),
        QueryFunction::ToString => formatted(call, value, column.column_type),
        QueryFunction::Count
        | QueryFunction::Avg
        | QueryFunction::Sum
        | QueryFunction::Min
        | QueryFunction::Max => Ok(Json::Null),
    }
}

fn formatted(call: &AggregateCall, value: &Json, column_type: ColumnType) -> Result<Json, Error> {
    let format = call.format.as_deref().unwrap_or_default();
    let unsupported = |pattern: &str| {
        let message = format!("the pattern '{pattern}' is not supported in a format of to_string");
        Error::new(ErrorKind::Evaluation, message)
    };
    if column_type == ColumnType::Timestamp {
        let Some(time) = value.as_str().and_then(Instant::parse) else { return Ok(Json::Null) };
        return time.format(format).map(Json::from).map_err(|pattern| unsupported(&pattern));
    }
    let number = match column_type {
        ColumnType::FactValue => number(value, call.function)?,
        _ => (!value.is_null()).then(|| value.clone()),
    };
    let Some(Json::Number(number)) = number else { return Ok(Json::Null) };
    masked(&number, format).map(Json::from).ok_or_else(|| unsupported(format))
}

/// Formats a number with a mask of nines and zeros, as PostgreSQL's function `to_char` does.
fn masked(number: &Number, mask: &str) -> Option<String> {
    let (fills, mask) = mask.strip_prefix("FM").map_or((true, mask), |mask| (false, mask));
    if mask.is_empty() || !mask.bytes().all(|byte| byte == b'9' || byte == b'0') {
        return None;
    }
    let FixedPoint { digits, places } = FixedPoint::of(number)?;
    let unit = 10_i128.checked_pow(places)?;
    let half = unit.checked_div(2)?.checked_mul(digits.signum())?;
    let rounded = if unit == 1 { digits } else { digits.checked_add(half)?.checked_div(unit)? };
    let negative = rounded < 0;
    let shown = rounded.unsigned_abs().to_string();
    let width = mask.len();
    if shown.len() > width {
        return Some(format!("{}{}", if fills { " " } else { "" }, "#".repeat(width)));
    }
    let zeros = mask.find('0').map_or(0, |first| width.saturating_sub(first));
    let shown = format!("{shown:0>zeros$}");
    let signed = if negative { format!("-{shown}") } else { shown };
    Some(if fills { format!("{signed:>width$}", width = width.saturating_add(1)) } else { signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn average(numbers: &[&str]) -> String {
        let sum = numbers.iter().fold(FixedPoint::default(), |sum, number| {
            sum.plus(FixedPoint::of(&number.parse().unwrap()).unwrap()).unwrap()
        });
        sum.over(numbers.len() as u64).and_then(FixedPoint::to_json).unwrap().to_string()
    }

    #[test]
    fn averages_have_postgresqls_digits() {
        // SELECT avg(x) FROM (VALUES (1), (2)) AS t(x), and so on.
        assert_eq!(average(&["1", "2"]), "1.5000000000000000");
        assert_eq!(average(&["20", "0", "0"]), "6.6666666666666667");
        assert_eq!(average(&["2", "0", "0"]), "0.66666666666666666667");
        assert_eq!(average(&["-1.5", "-2"]), "-1.7500000000000000");
        assert_eq!(average(&["3", "3"]), "3.0000000000000000");
    }

    #[test]
    fn masks_pad_numbers() {
        for (number, mask, text) in [
            ("4000", "999999", "   4000"),
            ("12.6", "999", "  13"),
            ("-5", "999", "  -5"),
            ("5", "000", " 005"),
            ("5", "FM999", "5"),
            ("12345", "999", " ###"),
        ] {
            assert_eq!(masked(&number.parse().unwrap(), mask).as_deref(), Some(text), "{number} {mask}");
        }
        assert_eq!(masked(&1.into(), "L9"), None);
    }
}
