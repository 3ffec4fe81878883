//! `new` of `SemVer` and `SemVerRange`.
//!
//! See Puppet's `pops/types/p_sem_ver_type.rb` and `pops/types/p_sem_ver_range_type.rb`.

use std::sync::Arc;

use crate::function::{Declaration, DefaultValue, Deviation, native, one_of};
use crate::value::{Hash, SemVer, SemVerRange, Value};
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
        .dispatch::<&str>("(SemVerPattern str)", |_, text| Ok(Value::SemVer(Arc::new(SemVer::parse(text)?))))
        .dispatch::<(u64, u64, u64, Option<&str>, Option<&str>)>(
            "(PositiveInteger major, PositiveInteger minor, PositiveInteger patch, \
             SemVerQualifier prerelease?, SemVerQualifier build?)",
            |_, (major, minor, patch, prerelease, build)| {
                version_of([major, minor, patch], prerelease, build)
            },
        )
        .dispatch::<&Hash>("(SemVerHash hash_args)", |call, parts| {
            let number = |name| call.entry_as::<u64>(parts, name);
            let text = |name| call.entry_as::<Option<&str>>(parts, name);
            let numbers = [number("major")?, number("minor")?, number("patch")?];
            version_of(numbers, text("prerelease")?, text("build")?)
        })
        .argument_mismatch::<&str>("(String str)", |_, text| {
            Ok(format!("The string '{text}' cannot be converted to a SemVer"))
        })
}

fn version_of(numbers: [u64; 3], prerelease: Option<&str>, build: Option<&str>) -> Result<Value, Error> {
    Ok(Value::SemVer(Arc::new(SemVer::new(numbers, prerelease, build)?)))
}

one_of! {
    enum VersionBound<'v> {
        Default(DefaultValue),
        Version(&'v SemVer),
    }
}

pub(super) fn sem_ver_range() -> Declaration {
    native("new_VersionRange")
        .local_type("SemVerRangeString = String[1]")
        .local_type(
            "SemVerRangeHash = Struct[{min => Variant[Default, SemVer], Optional[max] => Variant[Default, SemVer], \
             Optional[exclude_max] => Boolean}]",
        )
        .dispatch::<&str>("(SemVerRangeString str)", |call, text| {
            if is_unusual(text) {
                call.deviate(Deviation::from_all("a range of versions that Puppet cannot read"))?;
            }
            Ok(Value::SemVerRange(Arc::new(SemVerRange::parse(text, call.limits())?)))
        })
        .dispatch::<(VersionBound, VersionBound, Option<bool>)>(
            "(Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)",
            |_, (min, max, exclude_max)| Ok(range_of(Some(min), Some(max), exclude_max)),
        )
        .dispatch::<&Hash>("(SemVerRangeHash hash_args)", |call, parts| {
            let bound = |name| call.entry_as::<Option<VersionBound>>(parts, name);
            let exclude_max = call.entry_as::<Option<bool>>(parts, "exclude_max")?;
            Ok(range_of(bound("min")?, bound("max")?, exclude_max))
        })
}

/// Returns true if Puppet fails for some ranges of this form, with errors of Ruby's: `^x`, `<=x`, and three comparators.
fn is_unusual(range: &str) -> bool {
    let is_any = |behind: &str| behind.trim_start().starts_with(['x', 'X', '*']);
    let has_any = |comparator: &str| range.split(comparator).skip(1).any(is_any);
    has_any("^")
        || has_any("<=")
        || range.split("||").any(|alternative| alternative.split_whitespace().count() > 2)
}

fn range_of(
    min: Option<VersionBound<'_>>,
    max: Option<VersionBound<'_>>,
    exclude_max: Option<bool>,
) -> Value {
    let min = if let Some(VersionBound::Version(version)) = min { version } else { SemVer::MIN };
    let max = if let Some(VersionBound::Version(version)) = max { version } else { SemVer::MAX };
    Value::SemVerRange(Arc::new(SemVerRange::between(min, max, exclude_max == Some(true))))
}
