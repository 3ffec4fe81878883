//! Types and values of plain data, made of arbitrary bytes.
//!
//! Left out is what takes other values than its instances, in Puppet, too: plain `Optional` and
//! `Variant`, `Iterable`, and hashes with an empty key.

use std::fmt;
use std::sync::OnceLock;

use arbitrary::Arbitrary;
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, NoAliases, TypeLookup};
use puppetfn::value::Value;

/// The text of a type.
#[derive(Arbitrary, Debug)]
pub enum PlainType {
    Simple(Simple),
    Integer(Bound, Bound),
    Float(Bound, Bound),
    Boolean(bool),
    String(Size),
    Collection(Size),
    Enum(Word, Vec<Word>, bool),
    Pattern(Regex, Option<Regex>),
    Array(Box<PlainType>, Option<Size>),
    Hash(Box<(PlainType, PlainType)>, Option<Size>),
    Tuple(Box<PlainType>, Vec<PlainType>, Option<Size>),
    Struct(Vec<(Word, Key, PlainType)>),
    Variant(Box<PlainType>, Vec<PlainType>),
    Optional(Box<PlainType>),
    NotUndef(Box<PlainType>),
}

/// A type without parameters.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Simple {
    Any,
    Undef,
    Default,
    Scalar,
    ScalarData,
    Data,
    RichData,
    Numeric,
    Integer,
    Float,
    Boolean,
    String,
    Regexp,
    Collection,
    Array,
    Hash,
    Tuple,
    Struct,
    NotUndef,
    Tree,
    Json,
}

/// A bound of a range; none for `default`.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Bound(Option<i8>);

/// A size: at least so many, and at most some more.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Size(u8, Option<u8>);

/// One of few strings, so that two are often equal.
#[derive(Arbitrary, Clone, Copy, PartialEq, Debug)]
pub enum Word {
    A,
    UpperA,
    B,
    Ab,
    Number,
    Quote,
}

/// How the key of a struct is written.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Key {
    Plain,
    Optional,
    NotUndef,
}

/// One of few regular expressions.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Regex {
    Any,
    A,
    Lower,
}

/// A value that JSON has.
#[derive(Arbitrary, Debug)]
pub enum PlainValue {
    Undef,
    Boolean(bool),
    Integer(i8),
    Float(i8),
    EmptyString,
    String(Word),
    Array(Vec<PlainValue>),
    Hash(Vec<(Word, PlainValue)>),
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::UpperA => "A",
            Self::B => "b",
            Self::Ab => "ab",
            Self::Number => "1",
            Self::Quote => "'",
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text())
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bound) => write!(f, "{bound}"),
            None => f.write_str("default"),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let min = u32::from(self.0 % 4);
        match self.1 {
            Some(more) => write!(f, "{min}, {}", min + u32::from(more % 4)),
            None => write!(f, "{min}, default"),
        }
    }
}

impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "//",
            Self::A => "/a/",
            Self::Lower => r"/\A[a-z]+\z/",
        })
    }
}

/// Writes each item behind a comma.
fn more<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    items.into_iter().try_for_each(|item| write!(f, ", {item}"))
}

impl fmt::Display for PlainType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simple(name) => return write!(f, "{name:?}"),
            Self::Integer(min, max) => write!(f, "Integer[{min}, {max}")?,
            Self::Float(min, max) => write!(f, "Float[{min}, {max}")?,
            Self::Boolean(truth) => write!(f, "Boolean[{truth}")?,
            Self::String(size) => write!(f, "String[{size}")?,
            Self::Collection(size) => write!(f, "Collection[{size}")?,
            Self::Enum(first, others, fold) => {
                write!(f, "Enum[{first}")?;
                more(f, others)?;
                more(f, fold.then_some(true))?;
            }
            Self::Pattern(first, second) => {
                write!(f, "Pattern[{first}")?;
                more(f, second)?;
            }
            Self::Array(element, size) => {
                write!(f, "Array[{element}")?;
                more(f, size)?;
            }
            Self::Hash(entry, size) => {
                write!(f, "Hash[{}, {}", entry.0, entry.1)?;
                more(f, size)?;
            }
            Self::Tuple(first, others, size) => {
                write!(f, "Tuple[{first}")?;
                more(f, others)?;
                more(f, size)?;
            }
            Self::Struct(members) => {
                f.write_str("Struct[{")?;
                let mut known = Vec::new();
                for (name, key, t) in members {
                    if known.contains(name) {
                        continue;
                    }
                    known.push(*name);
                    match key {
                        Key::Plain => write!(f, "{name} => {t}, ")?,
                        Key::Optional => write!(f, "Optional[{name}] => {t}, ")?,
                        Key::NotUndef => write!(f, "NotUndef[{name}] => {t}, ")?,
                    }
                }
                f.write_str("}")?;
            }
            Self::Variant(first, others) => {
                write!(f, "Variant[{first}")?;
                more(f, others)?;
            }
            Self::Optional(inner) => write!(f, "Optional[{inner}")?,
            Self::NotUndef(inner) => write!(f, "NotUndef[{inner}")?,
        }
        f.write_str("]")
    }
}

impl From<PlainValue> for Value {
    fn from(value: PlainValue) -> Self {
        match value {
            PlainValue::Undef => Self::Undef,
            PlainValue::Boolean(truth) => truth.into(),
            PlainValue::Integer(number) => i64::from(number).into(),
            PlainValue::Float(number) => f64::from(number).into(),
            PlainValue::EmptyString => "".into(),
            PlainValue::String(word) => word.text().into(),
            PlainValue::Array(items) => items.into_iter().map(Self::from).collect::<Vec<_>>().into(),
            PlainValue::Hash(entries) => {
                entries.into_iter().map(|(key, value)| (key.text().into(), value.into())).collect()
            }
        }
    }
}

/// Types that contain themselves.
pub struct Aliases;

impl TypeLookup for Aliases {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        static TREE: OnceLock<Type> = OnceLock::new();
        static JSON: OnceLock<Type> = OnceLock::new();
        let define = |definition: &str| {
            AliasDefinition::parse(definition, &Limits::DEFAULT)
                .and_then(|definition| definition.define(&NoAliases, &Limits::DEFAULT))
                .expect("the definition is right")
        };
        Ok(match name {
            "Tree" => {
                Some(TREE.get_or_init(|| define("type Tree = Variant[Integer, Array[Tree]]")).clone())
            }
            "Json" => Some(
                JSON.get_or_init(|| {
                    define("type Json = Variant[Undef, Boolean, Numeric, String, Array[Json], Hash[String, Json]]")
                })
                .clone(),
            ),
            _ => None,
        })
    }
}
