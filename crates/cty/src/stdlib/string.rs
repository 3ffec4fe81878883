//! Strings.
//!
//! See go-cty's `cty/function/stdlib/string.go` and `cty/function/stdlib/string_replace.go`.

use std::iter;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::{FunctionFamily, failure, number, string};
use crate::function::{CtyFunction, CtyParameter, argument_error};
use crate::text::{to_lower, to_title, to_upper};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

pub(super) fn functions() -> FunctionFamily {
    let mut functions = characters();
    functions.extend(lists());
    functions.extend(layout());
    functions.extend(trimming());
    functions
}

/// Returns the text's characters as people count them, by the rules that go-cty uses: they precede Unicode 15.1, whose GB9c
/// joins Indic consonants.
pub(super) fn graphemes(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.graphemes(true).flat_map(|cluster| {
        let (mut first, mut others) = (cluster, Vec::new());
        while let Some((before, joined)) = joint(first).and_then(|at| first.split_at_checked(at)) {
            others.push(joined);
            first = before;
        }
        iter::once(first).chain(others.into_iter().rev())
    })
}

/// Returns the offset where rule GB9c joined the last consonant to the characters before it.
fn joint(cluster: &str) -> Option<usize> {
    let mut following = None;
    for (at, character) in cluster.char_indices().rev() {
        if let Some((at, consonant)) = following.replace((at, character))
            && !stay_joined(character, consonant)
        {
            return Some(at);
        }
    }
    None
}

/// Returns whether a rule other than GB9c joins a character to the one before it. GB9c requires a consonant before the two;
/// all other rules require at most a pictograph there.
fn stay_joined(before: char, character: char) -> bool {
    if before.is_ascii() {
        return true;
    }
    let base = '\u{1F469}';
    let text: String = [base, before, character].into_iter().collect();
    let at = base.len_utf8().saturating_add(before.len_utf8());
    !GraphemeCursor::new(at, text.len(), true).is_boundary(&text, 0).unwrap_or(false)
}

fn mapped(text: &CtyValue, map: impl Fn(&str) -> String) -> Result<CtyValue, Error> {
    Ok(CtyValue::string(map(text.as_string()?)))
}

fn characters() -> FunctionFamily {
    let text = || string("str").allow_dynamic_type();
    let on_text = |words| CtyFunction::new(words).parameter(text()).returns(CtyType::String);
    vec![
        (
            "upper",
            on_text("Returns the string with all letters in upper case.")
                .implement(|[text], _| mapped(text, |text| text.chars().map(to_upper).collect())),
        ),
        (
            "lower",
            on_text("Returns the string with all letters in lower case.")
                .implement(|[text], _| mapped(text, |text| text.chars().map(to_lower).collect())),
        ),
        (
            "reverse",
            on_text("Returns the string with its characters in the opposite order.")
                .implement(|[text], _| mapped(text, |text| graphemes(text).rev().collect())),
        ),
        (
            "strlen",
            CtyFunction::new("Returns how many characters the string has; combined ones count as one.")
                .parameter(text())
                .returns(CtyType::Number)
                .implement(|[text], _| Ok(CtyValue::number(graphemes(text.as_string()?).count()))),
        ),
        (
            "substr",
            CtyFunction::new("Returns a part of the string.")
                .parameter(text().description("The string."))
                .parameter(
                    number("offset")
                        .allow_dynamic_type()
                        .description("The character to begin with; less than zero counts from the end."),
                )
                .parameter(
                    number("length")
                        .allow_dynamic_type()
                        .description("How many characters at most; less than zero is all the rest."),
                )
                .returns(CtyType::String)
                .implement(|[text, offset, length], _| substr(text, offset, length)),
        ),
    ]
}

fn substr(text: &CtyValue, offset: &CtyValue, length: &CtyValue) -> Result<CtyValue, Error> {
    let (text, offset, length) = (text.as_string()?, offset.as_i64()?, length.as_i64()?);
    let start = if offset < 0 {
        offset.saturating_add(i64::try_from(graphemes(text).count()).unwrap_or(i64::MAX))
    } else {
        offset
    };
    if offset >= 0 && length == 0 {
        return Ok(CtyValue::string(""));
    }
    let rest = graphemes(text).skip(usize::try_from(start.max(0)).unwrap_or(usize::MAX));
    // From the end, a length of zero takes all, as a negative one does.
    let count = usize::try_from(length).ok().filter(|count| *count > 0).unwrap_or(usize::MAX);
    Ok(CtyValue::string(rest.take(count).collect::<String>()))
}

fn lists() -> FunctionFamily {
    let list = |name| CtyParameter::new(name, CtyType::list(CtyType::String));
    vec![
        (
            "join",
            CtyFunction::new(
                "Returns the elements of all lists as one string, with a separator between them.",
            )
            .parameter(string("separator").description("What is between the elements."))
            .variadic(list("lists").description("Lists of strings."))
            .returns(CtyType::String)
            .implement_variadic(|arguments, call| join(arguments, call.limits)),
        ),
        (
            "sort",
            CtyFunction::new("Returns the strings of the list in alphabetical order.")
                .parameter(list("list"))
                .returns(CtyType::list(CtyType::String))
                .implement(|[list], call| sort(list, call.returns)),
        ),
        (
            "split",
            CtyFunction::new("Returns the parts of the string that are between separators.")
                .parameter(string("separator").description("What is between the parts."))
                .parameter(string("str").description("The string to split."))
                .returns(CtyType::list(CtyType::String))
                .implement(|[separator, text], _| split(separator, text)),
        ),
    ]
}

fn join(arguments: &[CtyValue], limits: &Limits) -> Result<CtyValue, Error> {
    let [separator, lists @ ..] = arguments else { return Err(failure("a separator is required")) };
    let separator = separator.as_string()?;
    if lists.is_empty() {
        return Err(failure("at least one list is required"));
    }
    if !lists.iter().all(CtyValue::is_wholly_known) {
        return Ok(CtyValue::unknown(CtyType::String));
    }
    let mut joined = String::new();
    let mut first = true;
    for (number, list) in (1..).zip(lists) {
        for (index, value) in list.values()?.iter().enumerate() {
            if value.is_null() {
                let place = if lists.len() > 1 { format!(" of list {number}") } else { String::new() };
                let message = format!("element {index}{place} is null; cannot concatenate null values");
                return Err(argument_error(number, message));
            }
            if !std::mem::take(&mut first) {
                joined.push_str(separator);
            }
            joined.push_str(value.as_string()?);
            limits.check_size(joined.len() as u64)?;
        }
    }
    Ok(CtyValue::string(joined))
}

fn sort(list: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    if !list.is_wholly_known() {
        return Ok(CtyValue::unknown(t.clone()));
    }
    let mut strings = Vec::new();
    for (index, value) in list.values()?.iter().enumerate() {
        if value.is_null() {
            return Err(failure(format!(
                "given list element {index} is null; a null string cannot be sorted"
            )));
        }
        strings.push(value.as_string()?.clone());
    }
    strings.sort();
    CtyValue::list(&CtyType::String, strings.iter().map(CtyValue::string))
}

fn split(separator: &CtyValue, text: &CtyValue) -> Result<CtyValue, Error> {
    let (separator, text) = (separator.as_string()?, text.as_string()?);
    let parts: Vec<CtyValue> = if separator.is_empty() {
        text.chars().map(|character| CtyValue::string(character.encode_utf8(&mut [0; 4]))).collect()
    } else {
        text.split(&**separator).map(CtyValue::string).collect()
    };
    CtyValue::list(&CtyType::String, parts)
}

fn layout() -> FunctionFamily {
    vec![
        (
            "indent",
            CtyFunction::new("Adds spaces after each line break of the string.")
                .parameter(number("spaces").description("How many spaces to add."))
                .parameter(string("str").description("The string to indent."))
                .returns(CtyType::String)
                .implement(|[spaces, text], call| {
                    let spaces = usize::try_from(spaces.as_i64()?);
                    let spaces = spaces.map_err(|_| failure("the number of spaces must not be negative"))?;
                    call.limits.check_size(spaces as u64)?;
                    replaced(text.as_string()?, "\n", &format!("\n{}", " ".repeat(spaces)), call.limits)
                }),
        ),
        (
            "title",
            CtyFunction::new("Returns the string with the first letter of each word in title case.")
                .parameter(string("str"))
                .returns(CtyType::String)
                .implement(|[text], _| mapped(text, title)),
        ),
        (
            "replace",
            CtyFunction::new("Replaces each place where a text is in the string by another text.")
                .parameter(string("str").description("The string to search."))
                .parameter(string("substr").description("The text to search for."))
                .parameter(string("replace").description("The text to put in its place."))
                .returns(CtyType::String)
                .implement(|[text, part, by], call| {
                    replaced(text.as_string()?, part.as_string()?, by.as_string()?, call.limits)
                }),
        ),
    ]
}

fn replaced(text: &str, part: &str, by: &str, limits: &Limits) -> Result<CtyValue, Error> {
    let size = (text.matches(part).count() as u64).saturating_mul(by.len() as u64);
    limits.check_size(size.saturating_add(text.len() as u64))?;
    Ok(CtyValue::string(text.replace(part, by)))
}

fn title(text: &str) -> String {
    let mut after_separator = true;
    let mut titled = String::new();
    for character in text.chars() {
        titled.push(if after_separator { to_title(character) } else { character });
        after_separator = if character.is_ascii() {
            !character.is_ascii_alphanumeric() && character != '_'
        } else {
            !character.is_alphanumeric() && character.is_whitespace()
        };
    }
    titled
}

fn trimming() -> FunctionFamily {
    let text = || string("str");
    let described = || string("str").description("The string to trim.");
    vec![
        (
            "chomp",
            CtyFunction::new("Returns the string without line breaks at its end.")
                .parameter(text())
                .returns(CtyType::String)
                .implement(|[text], _| {
                    Ok(CtyValue::string(text.as_string()?.trim_end_matches(['\r', '\n'])))
                }),
        ),
        (
            "trimspace",
            CtyFunction::new("Returns the string without space characters at its start and end.")
                .parameter(text())
                .returns(CtyType::String)
                .implement(|[text], _| Ok(CtyValue::string(text.as_string()?.trim()))),
        ),
        (
            "trim",
            CtyFunction::new("Returns the string without any of the given characters at its start and end.")
                .parameter(described())
                .parameter(string("cutset").description("The characters to remove, in any order."))
                .returns(CtyType::String)
                .implement(|[text, cutset], _| {
                    let characters: Vec<char> = cutset.as_string()?.chars().collect();
                    Ok(CtyValue::string(text.as_string()?.trim_matches(characters.as_slice())))
                }),
        ),
        (
            "trimprefix",
            CtyFunction::new("Returns the string without the given text at its start.")
                .parameter(described())
                .parameter(string("prefix").description("The text to remove."))
                .returns(CtyType::String)
                .implement(|[text, prefix], _| {
                    let text = text.as_string()?;
                    Ok(CtyValue::string(text.strip_prefix(&**prefix.as_string()?).unwrap_or(text)))
                }),
        ),
        (
            "trimsuffix",
            CtyFunction::new("Returns the string without the given text at its end.")
                .parameter(described())
                .parameter(string("suffix").description("The text to remove."))
                .returns(CtyType::String)
                .implement(|[text, suffix], _| {
                    let text = text.as_string()?;
                    Ok(CtyValue::string(text.strip_suffix(&**suffix.as_string()?).unwrap_or(text)))
                }),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::graphemes;

    #[test]
    fn counts_by_the_rules_before_unicode_15_1() {
        // Consonants that a virama joins, also with a joiner, with marks, twice, and behind a prepended character.
        for (text, expected) in [
            ("\u{915}\u{94d}\u{937}", vec!["\u{915}\u{94d}", "\u{937}"]),
            ("\u{915}\u{94d}\u{200d}\u{937}", vec!["\u{915}\u{94d}\u{200d}", "\u{937}"]),
            ("\u{915}\u{94d}\u{937}\u{93f}", vec!["\u{915}\u{94d}", "\u{937}\u{93f}"]),
            ("\u{915}\u{94d}\u{915}\u{94d}\u{915}", vec!["\u{915}\u{94d}", "\u{915}\u{94d}", "\u{915}"]),
            ("\u{d4e}\u{d15}\u{d4d}\u{d15}", vec!["\u{d4e}\u{d15}\u{d4d}", "\u{d15}"]),
        ] {
            assert_eq!(graphemes(text).collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(graphemes(text).rev().count(), expected.len(), "{text:?}");
        }
    }

    #[test]
    fn joins_what_the_other_rules_join() {
        for text in [
            "\r\n",
            "e\u{301}\u{302}",
            "\u{1F469}\u{1F3FD}\u{200D}\u{1F692}",
            "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}",
            "\u{2139}\u{200D}\u{2139}",
            "\u{1F1E9}\u{1F1EA}\u{308}",
            "\u{1100}\u{1161}\u{11A8}",
            "\u{E01}\u{E48}\u{E33}",
            "\u{600}\u{661}",
        ] {
            assert_eq!(graphemes(text).collect::<Vec<_>>(), [text], "{text:?}");
        }
    }
}
