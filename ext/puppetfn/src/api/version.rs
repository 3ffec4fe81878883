//! `Puppetfn::SemVer` and `Puppetfn::SemVerRange`: semantic versions and ranges of them.

use std::cmp::Ordering;
use std::sync::Arc;

use magnus::scan_args::scan_args;
use magnus::{Error, Module, Object, RClass, Ruby, Value, function, method};
use puppetfn::error::Error as CoreError;
use puppetfn::value::{SemVer, SemVerRange, Value as CoreValue};

use super::rich::{RichClasses, define_common, wrap};
use crate::api::limits;
use crate::ruby::raw::TypedRef;
use crate::ruby::wrapped::RubyRich;

fn argument_error(ruby: &Ruby, error: &CoreError) -> Error {
    Error::new(ruby.exception_arg_error(), error.to_string())
}

fn version(ruby: &Ruby, version: Result<SemVer, CoreError>) -> Result<Value, Error> {
    let version = version.map_err(|error| argument_error(ruby, &error))?;
    wrap(ruby, CoreValue::SemVer(Arc::new(version)))
}

fn range(ruby: &Ruby, range: Result<SemVerRange, CoreError>) -> Result<Value, Error> {
    let range = range.map_err(|error| argument_error(ruby, &error))?;
    wrap(ruby, CoreValue::SemVerRange(Arc::new(range)))
}

/// Returns the version that a Ruby object is.
fn as_version(object: &Value) -> Option<&SemVer> {
    if let CoreValue::SemVer(version) = &RubyRich::of(object)?.0 { Some(version) } else { None }
}

fn as_range(object: &Value) -> Option<&SemVerRange> {
    if let CoreValue::SemVerRange(range) = &RubyRich::of(object)?.0 { Some(range) } else { None }
}

fn expected(ruby: &Ruby, what: &str) -> Error {
    Error::new(ruby.exception_arg_error(), format!("expected a {what}"))
}

/// @yard
/// @def parse(text)
/// @example
///   version = SemanticPuppet::Version.parse("1.2.3-rc.1")
///   version < SemanticPuppet::Version.parse("1.2.3")  # => true
/// @param text [String] for example `1.2.3-rc.1+build.5`
/// @return [Puppetfn::SemVer]
/// @raise [ArgumentError] when it is not a version
fn version_parse(ruby: &Ruby, text: String) -> Result<Value, Error> {
    version(ruby, SemVer::parse(&text))
}

/// @yard
/// @def new(major, minor, patch, prerelease = nil, build = nil)
/// @return [Puppetfn::SemVer]
/// @raise [ArgumentError] when that is not a version
fn version_new(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    type Qualifiers = (Option<Option<String>>, Option<Option<String>>);
    let args = scan_args::<(u64, u64, u64), Qualifiers, (), (), (), ()>(args)?;
    let (major, minor, patch) = args.required;
    let (prerelease, build) = args.optional;
    let (prerelease, build) = (prerelease.flatten(), build.flatten());
    version(ruby, SemVer::new([major, minor, patch], prerelease.as_deref(), build.as_deref()))
}

/// @yard
/// @def <=>(other)
/// @return [Integer, nil] which of the two comes first; nil when the other is not a version
fn version_compare(this: Value, other: Value) -> Option<i64> {
    Some(match as_version(&this)?.cmp_precedence(as_version(&other)?) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

/// @yard
/// @def parse(text)
/// @param text [String] for example `>=1.2.0 <2.0.0 || 3.x`
/// @return [Puppetfn::SemVerRange]
/// @raise [ArgumentError] when it is not a range
fn range_parse(ruby: &Ruby, text: String) -> Result<Value, Error> {
    range(ruby, SemVerRange::parse(&text, &limits::current()))
}

/// @yard
/// @def new(min, max, exclude_max = false)
/// @param min [Puppetfn::SemVer]
/// @param max [Puppetfn::SemVer]
/// @return [Puppetfn::SemVerRange]
fn range_new(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    let args = scan_args::<(Value, Value), (Option<bool>,), (), (), (), ()>(args)?;
    let (Some(min), Some(max)) = (as_version(&args.required.0), as_version(&args.required.1)) else {
        return Err(expected(ruby, "Puppetfn::SemVer at each end"));
    };
    range(ruby, Ok(SemVerRange::between(min, max, args.optional.0.unwrap_or(false))))
}

/// @yard
/// @def include?(version)
/// @return [Boolean] whether the version is in the range
fn range_includes(this: Value, other: Value) -> bool {
    as_range(&this).zip(as_version(&other)).is_some_and(|(range, version)| range.includes(version))
}

/// @yard
/// @def intersection(other)
/// @return [Puppetfn::SemVerRange] the versions that are in both
fn range_intersection(ruby: &Ruby, this: Value, other: Value) -> Result<Value, Error> {
    match (as_range(&this), as_range(&other)) {
        (Some(this), Some(other)) => range(ruby, this.intersection(other, &limits::current())),
        _ => Err(expected(ruby, "Puppetfn::SemVerRange")),
    }
}

/// @yard
/// @return [String] the range in canonical form: `>=1.0.0 <2.0.0` for `1.x`
fn range_inspect(this: Value) -> String {
    as_range(&this).map(SemVerRange::canonical).unwrap_or_default()
}

/// Defines the classes.
pub fn init(ruby: &Ruby, classes: &mut RichClasses, rich: RClass) -> Result<(), Error> {
    let version = classes.define("SemVer", ruby.class_numeric())?;
    define_common(version)?;
    version.define_singleton_method("parse", function!(version_parse, 1))?;
    version.define_singleton_method("new", function!(version_new, -1))?;
    version.define_method("<=>", method!(version_compare, 1))?;

    let range = classes.define("SemVerRange", rich)?;
    range.define_singleton_method("parse", function!(range_parse, 1))?;
    range.define_singleton_method("new", function!(range_new, -1))?;
    range.define_method("include?", method!(range_includes, 1))?;
    range.define_method("intersection", method!(range_intersection, 1))?;
    range.define_method("inspect", method!(range_inspect, 0))
}
