//! Operators on numbers and truth values. With an operand that is not known, neither is the result.
//!
//! See go-cty's `cty/value_ops.go`.

use std::cmp::Ordering;

use super::{CtyValue, misuse};
use crate::number::CtyNumber;
use crate::types::CtyType;
use puppetfn_base::error::Error;

impl CtyValue {
    /// Returns the sum of two numbers.
    ///
    /// # Errors
    /// Fails if they are not numbers, or opposing infinities.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        self.calculate(other, CtyNumber::add)
    }

    /// Returns the difference of two numbers.
    ///
    /// # Errors
    /// Fails if they are not numbers, or the same infinity.
    pub fn subtract(&self, other: &Self) -> Result<Self, Error> {
        self.calculate(other, CtyNumber::subtract)
    }

    /// Returns the product of two numbers.
    ///
    /// # Errors
    /// Fails if they are not numbers, or zero and an infinity.
    pub fn multiply(&self, other: &Self) -> Result<Self, Error> {
        self.calculate(other, CtyNumber::multiply)
    }

    /// Returns the quotient of two numbers.
    ///
    /// # Errors
    /// Fails if they are not numbers, two zeros or two infinities.
    pub fn divide(&self, other: &Self) -> Result<Self, Error> {
        self.calculate(other, CtyNumber::divide)
    }

    /// Returns the remainder of the division of two numbers.
    ///
    /// # Errors
    /// Fails if they are not numbers, or zero and an infinity.
    pub fn modulo(&self, other: &Self) -> Result<Self, Error> {
        self.calculate(other, CtyNumber::modulo)
    }

    /// Returns the number with the other sign.
    ///
    /// # Errors
    /// Fails if it is not a number.
    pub fn negate(&self) -> Result<Self, Error> {
        Self::operate([self], &CtyType::Number, CtyType::Number, |[number]| {
            Ok(Self::number(number.as_number()?.negate()))
        })
    }

    /// Returns the number without its sign.
    ///
    /// # Errors
    /// Fails if it is not a number.
    pub fn absolute(&self) -> Result<Self, Error> {
        Self::operate([self], &CtyType::Number, CtyType::Number, |[number]| {
            Ok(Self::number(number.as_number()?.absolute()))
        })
    }

    /// Returns true if the number is less than another.
    ///
    /// # Errors
    /// Fails if they are not numbers.
    pub fn less_than(&self, other: &Self) -> Result<Self, Error> {
        self.compare(other, Ordering::is_lt)
    }

    /// Returns true if the number is greater than another.
    ///
    /// # Errors
    /// Fails if they are not numbers.
    pub fn greater_than(&self, other: &Self) -> Result<Self, Error> {
        self.compare(other, Ordering::is_gt)
    }

    /// Returns true if the number is less than another, or equal.
    ///
    /// # Errors
    /// Fails if they are not numbers.
    pub fn less_than_or_equal_to(&self, other: &Self) -> Result<Self, Error> {
        self.less_than(other)?.or(&self.equals(other)?)
    }

    /// Returns true if the number is greater than another, or equal.
    ///
    /// # Errors
    /// Fails if they are not numbers.
    pub fn greater_than_or_equal_to(&self, other: &Self) -> Result<Self, Error> {
        self.greater_than(other)?.or(&self.equals(other)?)
    }

    /// Returns the opposite truth value.
    ///
    /// # Errors
    /// Fails if it is neither true nor false.
    pub fn not(&self) -> Result<Self, Error> {
        Self::operate([self], &CtyType::Bool, CtyType::Bool, |[truth]| Ok(Self::bool(!truth.as_bool()?)))
    }

    /// Returns true if both are true.
    ///
    /// # Errors
    /// Fails if one is neither true nor false.
    pub fn and(&self, other: &Self) -> Result<Self, Error> {
        Self::operate([self, other], &CtyType::Bool, CtyType::Bool, |[a, b]| {
            Ok(Self::bool(a.as_bool()? & b.as_bool()?))
        })
    }

    /// Returns true if one is true at least.
    ///
    /// # Errors
    /// Fails if one is neither true nor false.
    pub fn or(&self, other: &Self) -> Result<Self, Error> {
        Self::operate([self, other], &CtyType::Bool, CtyType::Bool, |[a, b]| {
            Ok(Self::bool(a.as_bool()? | b.as_bool()?))
        })
    }

    fn calculate(
        &self,
        other: &Self,
        operator: impl Fn(&CtyNumber, &CtyNumber) -> Result<CtyNumber, Error>,
    ) -> Result<Self, Error> {
        Self::operate([self, other], &CtyType::Number, CtyType::Number, |[a, b]| {
            operator(a.as_number()?, b.as_number()?).map(Self::number)
        })
    }

    fn compare(&self, other: &Self, accepts: impl Fn(Ordering) -> bool) -> Result<Self, Error> {
        Self::operate([self, other], &CtyType::Number, CtyType::Bool, |[a, b]| {
            Ok(Self::bool(accepts(a.as_number()?.compare(b.as_number()?))))
        })
    }

    /// Applies an operator to operands of one type, and puts their marks on the result.
    fn operate<const N: usize>(
        operands: [&Self; N],
        wanted: &CtyType,
        result: CtyType,
        operator: impl Fn([&Self; N]) -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        let unmarked = operands.map(Self::unmark);
        let mut known = true;
        for (value, _) in &unmarked {
            if value.t != CtyType::Dynamic && value.t != *wanted {
                let (wanted, given) = (wanted.friendly_name(), value.t.friendly_name());
                return Err(misuse(format!("{wanted} required, but received {given}")));
            }
            known &= value.is_known() && value.t != CtyType::Dynamic;
        }
        let values = unmarked.each_ref().map(|(value, _)| value);
        let mut result = if known { operator(values)? } else { Self::unknown(result) };
        for (_, marks) in &unmarked {
            result = result.with_marks(marks);
        }
        Ok(result)
    }
}
