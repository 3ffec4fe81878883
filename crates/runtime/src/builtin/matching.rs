//! `match` and `regsubst`.
//!
//! See Puppet's `functions/{match,regsubst}.rb`.

use std::sync::Arc;

use super::legacy::refused;
use super::pattern::compile;
use super::replacement::{ReplacedPattern, Replacement};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_types::function::{Call, Declaration, Deviation, SensitiveArgument, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, Regex, Value};

pub(super) fn match_() -> Declaration {
    native("match").scope_method(refused(2, false))
        .pure()
        .doc(
            "What a pattern matches in a string, and what each of its groups matches; undef if it does not \
             match. The pattern is a string, a regular expression, a `Regexp` or `Pattern` type, or an array of \
             these, of which the first counts that matches. Of several strings comes an array of results.",
        )
        .example("match('abc', /b(.)/)", "['bc', 'c']")
        .example("match('abc', ['x', 'c'])", "['c']")
        .example("match(['abc', 'x'], /b/)", "[['b'], undef]")
        .dispatch::<(&str, &Value)>("(String string, Variant[Any, Type] pattern)", |call, (text, pattern)| {
            found(text, pattern, Depth::nesting(call.limits()))
        })
        .dispatch::<(&Array, &Value)>(
            "(Array[String] string, Variant[Any, Type] pattern)",
            |call, (texts, pattern)| {
                let depth = Depth::nesting(call.limits());
                let results = texts.iter().map(|text| found(call.value_as::<&str>(text)?, pattern, depth));
                Ok(results.collect::<Result<Vec<_>, _>>()?.into())
            },
        )
        .returns(|_| Type::Any)
}

fn found(text: &str, pattern: &Value, depth: Depth) -> Result<Value, Error> {
    match pattern {
        Value::String(source) => groups(text, &compile(source)?),
        Value::Regexp(regex) => groups(text, regex),
        Value::Type(t) => found_by_type(text, t, depth),
        Value::Array(patterns) => {
            let depth = depth.deeper()?;
            first_found(patterns.iter(), |pattern| found(text, pattern, depth))
        }
        other => Err(no_pattern(other)),
    }
}

fn found_by_type(text: &str, t: &Type, depth: Depth) -> Result<Value, Error> {
    match t {
        Type::Regexp(Some(regex)) => groups(text, regex),
        Type::Regexp(None) => {
            Err(Error::new(ErrorKind::ArgumentMismatch, "Given Regexp Type has no regular expression"))
        }
        Type::Pattern(pattern) => first_found(pattern.patterns.iter(), |regex| groups(text, regex)),
        Type::Variant(types) => {
            let depth = depth.deeper()?;
            first_found(types.iter(), |t| found_by_type(text, t, depth))
        }
        Type::Alias(alias) => match alias.resolved() {
            Some(t) => found_by_type(text, &t, depth.deeper()?),
            None => Err(no_pattern(&t.clone().into())),
        },
        other => Err(no_pattern(&other.clone().into())),
    }
}

fn first_found<P>(
    patterns: impl Iterator<Item = P>,
    find: impl Fn(P) -> Result<Value, Error>,
) -> Result<Value, Error> {
    for pattern in patterns {
        match find(pattern)? {
            Value::Undef => {}
            found => return Ok(found),
        }
    }
    Ok(Value::Undef)
}

fn groups(text: &str, regex: &Regex) -> Result<Value, Error> {
    let groups = regex.captures(text)?;
    let value = |group: Option<&str>| group.map_or(Value::Undef, Value::from);
    Ok(groups.map_or(Value::Undef, |groups| groups.into_iter().map(value).collect::<Vec<_>>().into()))
}

#[cold]
fn no_pattern(value: &Value) -> Error {
    let message = format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {}",
        value.ruby_class()
    );
    Error::new(ErrorKind::ArgumentMismatch, message)
}

/// The type of the target of `regsubst`.
macro_rules! target {
    () => {
        "Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], \
         String, Sensitive[String]]"
    };
}

one_of! {
    enum SearchedText<'v> {
        Open(&'v str),
        Hidden(SensitiveArgument<&'v str>),
    }
}

one_of! {
    enum MatchSubject<'v> {
        One(SearchedText<'v>),
        Several(&'v Array),
        HiddenSeveral(SensitiveArgument<&'v Array>),
    }
}

one_of! {
    enum MatchPattern<'v> {
        Regexp(&'v Regex),
        Type(&'v Type),
    }
}

pub(super) fn regsubst() -> Declaration {
    described_regsubst()
        .dispatch::<(MatchSubject, &str, Replacement, Option<&str>, Option<&Value>)>(
            concat!(
                "(",
                target!(),
                " target, String pattern, Variant[String, Hash[String, String]] replacement, \
                 Optional[Pattern[/^[GEIM]*$/]] flags?, Enum['E', 'N', 'S', 'U'] encoding?)"
            ),
            |call, (subject, source, replacement, flags, encoding)| {
                if encoding.is_some() {
                    call.deviate(Deviation::before(8, "an encoding of regsubst"))?;
                    call.warn_once(
                        "regsubst_function_encoding",
                        "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will \
                         be removed in a future release",
                        None,
                    );
                }
                substitute_source(call, &subject, source, &replacement, flags)
            },
        )
        .dispatch::<(MatchSubject, MatchPattern, Replacement, Option<&str>)>(BY_REGEXP, substitute_regexp)
}

/// `regsubst` of OpenVox 9.
pub(super) fn regsubst_without_encoding() -> Declaration {
    described_regsubst()
        .dispatch::<(MatchSubject, &str, Replacement, Option<&str>)>(
            concat!(
                "(",
                target!(),
                " target, String pattern, Variant[String, Hash[String, String]] replacement, \
                 Optional[Pattern[/^[GEIM]*$/]] flags?)"
            ),
            |call, (subject, source, replacement, flags)| {
                substitute_source(call, &subject, source, &replacement, flags)
            },
        )
        .dispatch::<(MatchSubject, MatchPattern, Replacement, Option<&str>)>(BY_REGEXP, substitute_regexp)
}

/// Begins to declare `regsubst`, which has a signature for each kind of pattern.
fn described_regsubst() -> Declaration {
    native("regsubst").scope_method(refused(-4, true))
        .pure()
        .doc(
            "A string, or each of several, with the first match of a pattern replaced, or with the flag `G` all \
             of them. The replacement may have `\\\\0` for what matches, `\\\\1` for the first group and so on, or be a \
             hash from what matches to what replaces it. Further flags, for a pattern that is a string, are `E` \
             (extended), `I` (ignores case) and `M` (a dot matches line breaks, too).",
        )
        .example("regsubst('abcb', 'b', 'x')", "'axcb'")
        .example("regsubst('abcb', /(b)/, '<\\\\1>', 'G')", "'a<b>c<b>'")
        .example("regsubst(['ab', 'B'], 'b', {'b' => '1', 'B' => '2'}, 'I')", "['a1', '2']")
        .returns(|arguments| match arguments {
            [t, ..] if Type::STRING.assignable(t) => Type::STRING,
            _ => Type::Any,
        })
}

/// The signature of `regsubst` for patterns that are regular expressions.
const BY_REGEXP: &str = concat!(
    "(",
    target!(),
    " target, Variant[Regexp, Type[Regexp]] pattern, Variant[String, Hash[String, String]] \
     replacement, Pattern[/^G?$/] flags?)"
);

fn substitute_source(
    call: &mut Call<'_>,
    subject: &MatchSubject<'_>,
    source: &str,
    replacement: &Replacement<'_>,
    flags: Option<&str>,
) -> Result<Value, Error> {
    let flags = flags.unwrap_or_default();
    let regex = compile_with_flags(source, flags)?;
    substitute(call, subject, ReplacedPattern::Regex(&regex), replacement, flags.contains('G'))
}

fn substitute_regexp(
    call: &mut Call<'_>,
    (subject, pattern, replacement, flags): (
        MatchSubject<'_>,
        MatchPattern<'_>,
        Replacement<'_>,
        Option<&str>,
    ),
) -> Result<Value, Error> {
    let pattern = match pattern {
        MatchPattern::Regexp(regex) => ReplacedPattern::Regex(regex),
        MatchPattern::Type(Type::Regexp(Some(regex))) => ReplacedPattern::Text(regex.source()),
        MatchPattern::Type(_) => ReplacedPattern::Text(""),
    };
    substitute(call, &subject, pattern, &replacement, flags == Some("G"))
}

/// Compiles a regular expression with the options of some flags.
fn compile_with_flags(source: &str, flags: &str) -> Result<Regex, Error> {
    let option = |flag, option| if flags.contains(flag) { option } else { "" };
    let options = [option('M', "m"), option('I', "i"), option('E', "x")].concat();
    if options.is_empty() {
        return compile(source);
    }
    // A comment may be at the end of an extended expression.
    let end = if flags.contains('E') { "\n" } else { "" };
    let whole = format!("(?{options}:{source}{end})");
    compile(&whole).map_err(|error| {
        let reason = error.message().strip_suffix(&format!("/{whole}/")).unwrap_or_default();
        error.restated(format!("{reason}/{source}/{options}"))
    })
}

/// Puppet 7 refuses Sensitive.
const SENSITIVE: Deviation = Deviation::before(8, "regsubst of Sensitive");

/// Replaces in a string, or in each of an array. Sensitive strings stay sensitive; the array of a
/// sensitive array does not.
fn substitute(
    call: &mut Call<'_>,
    subject: &MatchSubject<'_>,
    pattern: ReplacedPattern<'_>,
    replacement: &Replacement<'_>,
    all: bool,
) -> Result<Value, Error> {
    let replace_in = |call: &mut Call<'_>, text: &SearchedText<'_>| match text {
        SearchedText::Open(text) => pattern.replace(call, text, replacement, all).map(Value::from),
        SearchedText::Hidden(SensitiveArgument(text)) => {
            call.deviate(SENSITIVE)?;
            Ok(Value::Sensitive(Arc::new(pattern.replace(call, text, replacement, all)?.into())))
        }
    };
    let texts = match subject {
        MatchSubject::One(text) => return replace_in(call, text),
        MatchSubject::Several(texts) => texts,
        MatchSubject::HiddenSeveral(SensitiveArgument(texts)) => {
            call.deviate(SENSITIVE)?;
            texts
        }
    };
    let replaced = texts.iter().map(|text| {
        let text = call.value_as::<SearchedText>(text)?;
        replace_in(call, &text)
    });
    Ok(replaced.collect::<Result<Vec<_>, _>>()?.into())
}
