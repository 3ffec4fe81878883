//! An accumulator for the common type of a collection's elements.
//!
//! Folding the elements' types one by one would build and compare an ever larger type for each element. A summary grows in
//! place and becomes a type at the end. The result is the same: where that is uncertain, both summaries are converted to
//! types and passed to [`Type::common`].

use std::ops::ControlFlow;
use std::sync::Arc;

use super::infer::single;
use crate::subject::{Shape, Subject};
use crate::types::{EnumType, IntegerRange, Size, Type};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::VisitState;

/// The type of one value, or the common type of several.
pub(super) enum TypeSummary<'a> {
    /// No value at all.
    Nothing,
    /// One text.
    Text(&'a str),
    /// Several texts, in no order, maybe with repetitions.
    Texts(Vec<&'a str>),
    /// Arrays; no size when several sizes met.
    Array(Box<TypeSummary<'a>>, Option<Size>),
    /// Hashes by keys and values; no size when several sizes met.
    Hash(Box<(TypeSummary<'a>, TypeSummary<'a>)>, Option<Size>),
    /// Anything else.
    Type(Type),
}

impl<'a> TypeSummary<'a> {
    /// Returns the summary of one value.
    pub(super) fn of<S: Subject<'a>>(subject: S, visit: VisitState<'_>) -> Result<Self, Error> {
        Self::of_shape(subject, &subject.shape()?, visit)
    }

    fn of_shape<S: Subject<'a>>(
        subject: S,
        shape: &Shape<'a, S>,
        visit: VisitState<'_>,
    ) -> Result<Self, Error> {
        if let Shape::String(text) = shape {
            Ok(Self::Text(text))
        } else if let Shape::Array(len) = shape {
            let visit = visit.deeper()?;
            let mut element = Self::Nothing;
            for item in subject.elements() {
                element.add(item, visit)?;
            }
            Ok(Self::Array(Box::new(element), Some(Size::exactly(*len))))
        } else if let Shape::Hash(len) = shape {
            let visit = visit.deeper()?;
            let mut entries = Box::new((Self::Nothing, Self::Nothing));
            let end = subject.each_entry(|key, value| {
                let (keys, values) = &mut *entries;
                match keys.add(key, visit).and_then(|()| values.add(value, visit)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            });
            match end {
                ControlFlow::Continue(()) => Ok(Self::Hash(entries, Some(Size::exactly(*len)))),
                ControlFlow::Break(error) => Err(error),
            }
        } else if let Shape::Rich(Value::SemVer(_)) = shape {
            // Only the detailed type of a version identifies it.
            Ok(Self::Type(Type::SemVer(Arc::default())))
        } else {
            single(subject, shape, visit).map(Self::Type)
        }
    }

    /// Adds a value.
    fn add<S: Subject<'a>>(&mut self, subject: S, visit: VisitState<'_>) -> Result<(), Error> {
        let shape = subject.shape()?;
        match (&mut *self, &shape) {
            (Self::Texts(texts), Shape::String(text)) => texts.push(text),
            (Self::Type(Type::Integer(range)), Shape::Integer(number)) => {
                *range = range.union(IntegerRange { min: Some(*number), max: Some(*number) });
            }
            (Self::Type(t), shape) if absorbs(t, subject, shape, visit)? => {}
            _ => {
                let next = Self::of_shape(subject, &shape, visit)?;
                *self = std::mem::replace(self, Self::Nothing).merge(next);
            }
        }
        Ok(())
    }

    /// Returns the common summary of both.
    fn merge(self, next: Self) -> Self {
        match (self, next) {
            (Self::Nothing | Self::Type(Type::Undef), next) => next,
            (this, Self::Nothing | Self::Type(Type::Undef)) => this,
            (Self::Type(Type::Unit), next) => next,
            (this, Self::Type(Type::Unit)) => this,
            (Self::Text(a), Self::Text(b)) if a == b => Self::Text(a),
            (Self::Text(a), Self::Text(b)) => Self::Texts(vec![a, b]),
            (Self::Text(text), Self::Texts(mut texts)) | (Self::Texts(mut texts), Self::Text(text)) => {
                texts.push(text);
                Self::Texts(texts)
            }
            (Self::Texts(mut texts), Self::Texts(more)) => {
                texts.extend(more);
                Self::Texts(texts)
            }
            (this @ Self::Array(..), next @ Self::Array(..)) => this.merge_collections(next),
            (this @ Self::Hash(..), next @ Self::Hash(..)) => this.merge_collections(next),
            (this, next) => Self::Type(this.to_type().common(&next.to_type())),
        }
    }

    /// Merges two arrays or two hashes. The wider one stays as it is, with its size; otherwise their contents are merged,
    /// without a size.
    fn merge_collections(self, next: Self) -> Self {
        // With these sizes, neither can be wider without being equal to the merged one.
        let by_contents = self.size().is_none() || self.size() != next.size() && next.size().is_some();
        if !by_contents {
            let (this_type, next_type) = (self.to_type(), next.to_type());
            if this_type.assignable(&next_type) {
                return self;
            } else if next_type.assignable(&this_type) {
                return next;
            }
        }
        match (self, next) {
            (Self::Array(these, _), Self::Array(those, _)) => {
                Self::Array(Box::new(these.merge(*those)), None)
            }
            (Self::Hash(these, _), Self::Hash(those, _)) => {
                let ((these_keys, these_values), (those_keys, those_values)) = (*these, *those);
                let entries = (these_keys.merge(those_keys), these_values.merge(those_values));
                Self::Hash(Box::new(entries), None)
            }
            (this, next) => Self::Type(this.to_type().common(&next.to_type())),
        }
    }

    fn size(&self) -> Option<Size> {
        match self {
            Self::Array(_, size) | Self::Hash(_, size) => *size,
            Self::Nothing | Self::Text(_) | Self::Texts(_) | Self::Type(_) => None,
        }
    }

    /// Returns the type that this is a summary of.
    pub(super) fn to_type(&self) -> Type {
        match self {
            Self::Nothing => Type::Unit,
            Self::Text(text) => Type::string_value(*text),
            Self::Texts(texts) => texts_type(texts),
            Self::Array(element, size) => Type::array(element.to_type(), *size),
            Self::Hash(entries, size) => Type::hash(entries.0.to_type(), entries.1.to_type(), *size),
            Self::Type(t) => t.clone(),
        }
    }
}

fn texts_type(texts: &[&str]) -> Type {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts.dedup();
    match *texts {
        [text] => Type::string_value(text),
        _ => Type::Enum(Arc::new(EnumType::sorted(texts.into_iter().map(Arc::from).collect()))),
    }
}

/// Returns true if adding a value certainly leaves the type unchanged, by checks of little cost.
fn absorbs<'a, S: Subject<'a>>(
    t: &Type,
    subject: S,
    shape: &Shape<'a, S>,
    visit: VisitState<'_>,
) -> Result<bool, Error> {
    match (t, shape) {
        (Type::Any, _)
        | (_, Shape::Undef)
        | (Type::Numeric, Shape::Integer(_) | Shape::LargeInteger { .. }) => Ok(true),
        (Type::Scalar | Type::ScalarData, shape) => Ok(is_scalar_data(shape)),
        (Type::Alias(alias), shape) if &**alias.name() == "Data" => is_data(subject, shape, visit),
        _ => Ok(false),
    }
}

fn is_scalar_data<S>(shape: &Shape<'_, S>) -> bool {
    matches!(
        shape,
        Shape::String(_)
            | Shape::Bytes(_)
            | Shape::Integer(_)
            | Shape::LargeInteger { .. }
            | Shape::Float(_)
            | Shape::Boolean(_)
    )
}

/// Returns true if a value is `Data`. The type of such a value, and of no other, is assignable to `Data`.
fn is_data<'a, S: Subject<'a>>(
    subject: S,
    shape: &Shape<'a, S>,
    visit: VisitState<'_>,
) -> Result<bool, Error> {
    if let Shape::Array(_) = shape {
        let visit = visit.deeper()?;
        for element in subject.elements() {
            if !is_data(element, &element.shape()?, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    } else if let Shape::Hash(_) = shape {
        let visit = visit.deeper()?;
        let end = subject.each_entry(|key, value| {
            let entry = || {
                Ok(matches!(key.shape()?, Shape::String(_) | Shape::Bytes(_))
                    && is_data(value, &value.shape()?, visit)?)
            };
            match entry() {
                Ok(true) => ControlFlow::Continue(()),
                end @ (Ok(false) | Err(_)) => ControlFlow::Break(end),
            }
        });
        end.break_value().unwrap_or(Ok(true))
    } else {
        Ok(matches!(shape, Shape::Undef) || is_scalar_data(shape))
    }
}
