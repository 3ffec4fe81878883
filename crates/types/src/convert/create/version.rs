//! `new` of `SemVer` and `SemVerRange`.
//!
//! See Puppet's `pops/types/p_sem_ver_type.rb` and `pops/types/p_sem_ver_range_type.rb`.

use std::sync::Arc;

use crate::function::{Call, Declaration, native};
use crate::value::{SemVer, SemVerRange, Value};
use puppetfn_base::error::Error;

pub(super) fn sem_ver() -> Declaration {
    native("new_Version")
        .local_type("PositiveInteger = Integer[0, default]")
        .local_type(r"SemVerQualifier = Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]")
        .local_type(
            r"SemVerPattern = Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/]",
        )
        .local_type(
            "SemVerHash = Struct[{major => PositiveInteger, minor => PositiveInteger, patch => PositiveInteger, \
             Optional[prerelease] => SemVerQualifier, Optional[build] => SemVerQualifier}]",
        )
        .dispatch("(SemVerPattern str)", |call, arguments| match arguments {
            [Value::String(text)] => Ok(Value::SemVer(Arc::new(SemVer::parse(text)?))),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch(
            "(PositiveInteger major, PositiveInteger minor, PositiveInteger patch, \
             SemVerQualifier prerelease?, SemVerQualifier build?)",
            |call, arguments| version_of(call, [0, 1, 2, 3, 4].map(|index| arguments.get(index))),
        )
        .dispatch("(SemVerHash hash_args)", |call, arguments| match arguments {
            [Value::Hash(parts)] => {
                let names = ["major", "minor", "patch", "prerelease", "build"];
                version_of(call, names.map(|name| parts.get_str(name)))
            }
            _ => Err(call.unexpected_arguments()),
        })
        .argument_mismatch("(String str)", |call, arguments| match arguments {
            [Value::String(text)] => Ok(format!("The string '{text}' cannot be converted to a SemVer")),
            _ => Err(call.unexpected_arguments()),
        })
}

fn version_of<'a>(
    call: &Call<'_>,
    [major, minor, patch, prerelease, build]: [Option<&'a Value>; 5],
) -> Result<Value, Error> {
    let number = |value: Option<&Value>| match value {
        Some(Value::Integer(number)) => u64::try_from(*number).map_err(|_| call.unexpected_arguments()),
        _ => Err(call.unexpected_arguments()),
    };
    let text = |value: Option<&'a Value>| match value {
        Some(Value::String(text)) => Ok(Some(&**text)),
        None => Ok(None),
        Some(_) => Err(call.unexpected_arguments()),
    };
    let numbers = [number(major)?, number(minor)?, number(patch)?];
    let version = SemVer::new(numbers, text(prerelease)?, text(build)?)?;
    Ok(Value::SemVer(Arc::new(version)))
}

pub(super) fn sem_ver_range() -> Declaration {
    native("new_VersionRange")
        .local_type("SemVerRangeString = String[1]")
        .local_type(
            "SemVerRangeHash = Struct[{min => Variant[Default, SemVer], Optional[max] => Variant[Default, SemVer], \
             Optional[exclude_max] => Boolean}]",
        )
        .dispatch("(SemVerRangeString str)", |call, arguments| match arguments {
            [Value::String(text)] => Ok(Value::SemVerRange(Arc::new(SemVerRange::parse(text, call.limits())?))),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch(
            "(Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)",
            |call, arguments| range_of(call, [0, 1, 2].map(|index| arguments.get(index))),
        )
        .dispatch("(SemVerRangeHash hash_args)", |call, arguments| match arguments {
            [Value::Hash(parts)] => {
                range_of(call, ["min", "max", "exclude_max"].map(|name| parts.get_str(name)))
            }
            _ => Err(call.unexpected_arguments()),
        })
}

fn range_of<'a>(call: &Call<'_>, [min, max, exclude_max]: [Option<&'a Value>; 3]) -> Result<Value, Error> {
    let bound = |value: Option<&'a Value>, default| match value {
        Some(Value::SemVer(version)) => Ok(&**version),
        Some(Value::Default) | None => Ok(default),
        Some(_) => Err(call.unexpected_arguments()),
    };
    let (min, max) = (bound(min, SemVer::MIN)?, bound(max, SemVer::MAX)?);
    let exclude_max = matches!(exclude_max, Some(Value::Boolean(true)));
    Ok(Value::SemVerRange(Arc::new(SemVerRange::between(min, max, exclude_max))))
}
