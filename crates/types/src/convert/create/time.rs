//! `new` of `Timestamp` and `Timespan`.
//!
//! See Puppet's `pops/types/p_timestamp_type.rb` and `pops/types/p_timespan_type.rb`.

use crate::function::{Declaration, native, one_of};
use crate::value::time::{Fields, Formats, SecondsNumber};
use crate::value::{Hash, Timespan, Timestamp, Value};

one_of! {
    enum SecondsValue<'v> {
        Integer(i64),
        Float(f64),
    }
}

impl From<SecondsValue<'_>> for SecondsNumber {
    fn from(seconds: SecondsValue<'_>) -> Self {
        match seconds {
            SecondsValue::Integer(seconds) => Self::Integer(seconds),
            SecondsValue::Float(seconds) => Self::Float(seconds),
        }
    }
}

const FORMATS: &str = "Formats = Variant[String[2], Array[String[2], 1]]";

pub(super) fn timestamp() -> Declaration {
    native("new_timestamp")
        .local_type(FORMATS)
        .dispatch::<()>("()", |call, ()| call.now().map(Value::Timestamp))
        .dispatch::<SecondsValue>("(Variant[Integer, Float] seconds)", |_, seconds| {
            Timestamp::from_number(seconds).map(Value::Timestamp)
        })
        .dispatch::<(&str, Option<&Value>, Option<&str>)>(
            "(String[1] string, Formats format?, String[1] timezone?)",
            |_, (text, formats, timezone)| {
                Timestamp::parse(text, &Formats::of(formats)?, timezone).map(Value::Timestamp)
            },
        )
        .dispatch::<&Hash>(
            "(Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}] hash_arg)",
            |_, hash| Timestamp::from_hash(hash).map(Value::Timestamp),
        )
}

pub(super) fn timespan() -> Declaration {
    native("new_timespan")
        .local_type(FORMATS)
        .dispatch::<SecondsValue>("(Variant[Integer, Float] seconds)", |_, seconds| {
            Timespan::from_number(seconds).map(Value::Timespan)
        })
        .dispatch::<(&str, Option<&Value>)>("(String[1] string, Formats format?)", |_, (text, formats)| {
            Timespan::parse(text, &Formats::of(formats)?).map(Value::Timespan)
        })
        .dispatch::<(i64, i64, i64, i64, Option<i64>, Option<i64>, Option<i64>)>(
            "(Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, \
             Integer microseconds?, Integer nanoseconds?)",
            |_, (days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds)| {
                let [milliseconds, microseconds, nanoseconds] =
                    [milliseconds, microseconds, nanoseconds].map(Option::unwrap_or_default);
                let fields =
                    Fields { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds };
                Timespan::from_fields(&fields).map(Value::Timespan)
            },
        )
        .dispatch::<&Hash>(
            "(Struct[{string => String[1], Optional[format] => Formats}] hash_arg)",
            |_, hash| Timespan::from_hash(hash).map(Value::Timespan),
        )
        .dispatch::<&Hash>(
            "(Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, \
             Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, \
             Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] hash_arg)",
            |_, hash| Timespan::from_hash(hash).map(Value::Timespan),
        )
}
