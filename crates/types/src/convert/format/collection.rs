//! Arrays and hashes.
//!
//! See Puppet's `pops/types/string_converter.rb`.

use super::StringConversion;
use super::directive::{ValueFormat, illegal};
use super::indentation::Indentation;
use super::map::FormatMap;
use super::scalar::is_space;
use crate::value::{Hash, Iteration, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::VisitState;

/// The position of a value in the text, and the formats that apply there.
#[derive(Clone, Copy)]
pub(super) struct FormatContext<'f, 'w> {
    /// The formats of this value, and of containers at any depth.
    pub(super) formats: &'f FormatMap,
    pub(super) indentation: Indentation,
    pub(super) visit: VisitState<'w>,
}

impl StringConversion<'_> {
    /// An iteration is shown as the array of its elements.
    pub(super) fn iteration(
        &self,
        iteration: &Iteration,
        place: FormatContext<'_, '_>,
    ) -> Result<String, Error> {
        let mut items = Vec::new();
        for item in iteration.elements().into_iter().flatten() {
            self.limits.check_size(items.len() as u64 + 1)?;
            items.push(item);
        }
        self.convert(&items.into(), place)
    }

    pub(super) fn array(
        &self,
        format: &ValueFormat,
        items: &[Value],
        place: FormatContext<'_, '_>,
    ) -> Result<String, Error> {
        if !matches!(format.letter, 'a' | 's' | 'p') {
            return Err(illegal("Array", format.letter, "asp"));
        }
        let separator = format.separator.as_deref().unwrap_or(", ");
        let (open, close) = format.delimiters.unwrap_or(("[", "]"));
        let here = place.indentation.or_indenting(format.alternate);
        let within = here.deeper(format.alternate).subsequent();
        let elements = ElementsFormatter { format, place: FormatContext { indentation: within, ..place } };
        let mut shown = Vec::with_capacity(items.len());
        for item in items {
            shown.push(self.element(item, &elements)?);
        }
        let breaks = format.alternate && format.width.is_some_and(|width| widest_run(items, &shown) > width);

        let mut out = start(here);
        out.push_str(open);
        let mut before = None;
        for (item, text) in items.iter().zip(shown) {
            let breaks = breaks && !is_collection(item);
            if let Some(before) = before {
                out.push_str(separator);
                if breaks || (format.alternate && is_collection(before) && !is_collection(item)) {
                    if !out.ends_with('\n') {
                        trim_end(&mut out);
                    }
                    out.push('\n');
                    out.push_str(&within.padding());
                }
            } else if breaks {
                out.push(' ');
            }
            before = Some(item);
            // A space of the separator is not left at the end of a line.
            if out.ends_with(' ') && text.starts_with('\n') {
                trim_end(&mut out);
            }
            out.push_str(&text);
        }
        out.push_str(close);
        Ok(out)
    }

    pub(super) fn hash(
        &self,
        format: &ValueFormat,
        hash: &Hash,
        place: FormatContext<'_, '_>,
    ) -> Result<String, Error> {
        match format.letter {
            'a' => {
                let pair = |(key, value): (&Value, &Value)| Value::from(vec![key.clone(), value.clone()]);
                return self.convert(&hash.iter().map(pair).collect::<Vec<_>>().into(), place);
            }
            'h' | 's' | 'p' => {}
            letter => return Err(illegal("Hash", letter, "hasp")),
        }
        let separator = format.separator.as_deref().unwrap_or(", ");
        let arrow = format.separator2.as_deref().unwrap_or(" => ");
        let (open, close) = format.delimiters.unwrap_or(("{", "}"));
        let here = place.indentation.or_indenting(format.alternate);
        let within = here.deeper(false);
        let elements = ElementsFormatter { format, place: FormatContext { indentation: within, ..place } };

        let mut out = start(here);
        out.push_str(open);
        if format.alternate {
            out.push('\n');
        }
        for (index, (key, value)) in hash.iter().enumerate() {
            if index > 0 && !format.alternate {
                out.push_str(separator);
            } else if index > 0 {
                let separator =
                    if separator.ends_with('\n') { separator } else { separator.trim_end_matches(is_space) };
                out.push_str(separator);
                out.push('\n');
            }
            if format.alternate {
                out.push_str(&within.padding());
            }
            out.push_str(&self.element(key, &elements)?);
            out.push_str(arrow);
            out.push_str(&self.element(value, &elements)?);
        }
        if format.alternate {
            out.push('\n');
            out.push_str(&here.padding());
        }
        out.push_str(close);
        Ok(out)
    }

    /// Formats an element: a container by the formats of the whole, any other value by the formats for elements.
    fn element(&self, item: &Value, elements: &ElementsFormatter<'_, '_, '_>) -> Result<String, Error> {
        if is_container(item) {
            return self.convert(item, elements.place);
        }
        let formats = elements.format.elements.as_deref().unwrap_or_else(|| FormatMap::elements());
        self.convert(item, FormatContext { formats, ..elements.place })
    }
}

/// The container of elements, and their place in it.
struct ElementsFormatter<'c, 'f, 'w> {
    format: &'c ValueFormat,
    place: FormatContext<'f, 'w>,
}

/// Returns the start of a container: a line break and padding if it begins a line.
fn start(here: Indentation) -> String {
    if here.breaks() { format!("\n{}", here.padding()) } else { String::new() }
}

/// Returns the number of characters in the longest run of elements that are not collections.
fn widest_run(items: &[Value], shown: &[String]) -> usize {
    let mut widest = 0;
    let mut run = 0;
    for (item, text) in items.iter().zip(shown) {
        run = if is_collection(item) { 0 } else { run + text.chars().count() };
        widest = widest.max(run);
    }
    widest
}

fn is_collection(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// Returns true if a value is formatted by the formats of the whole at any depth.
fn is_container(value: &Value) -> bool {
    is_collection(value) || matches!(value, Value::Object(object) if !object.definition().is_parameterized())
}

fn trim_end(text: &mut String) {
    text.truncate(text.trim_end_matches(is_space).len());
}
