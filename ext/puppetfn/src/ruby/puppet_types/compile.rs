//! Compiles a type object to a type of the core.

use std::sync::Arc;

use magnus::rb_sys::AsRawValue;
use magnus::value::{ReprValue, Value};
use magnus::{Float, Integer, RArray, RString};
use puppetfn::error::{Error, ErrorKind};
use puppetfn::types::{
    Alias, CallableType, EnumType, FloatRange, IntegerRange, PatternType, ResourceType, Size, StringType,
    StructMember, TupleType, Type, TypeKind, builtin,
};
use puppetfn::value::Regex;

use super::{COMPILED, CompiledTypeObject};
use crate::ruby::decline::Reason;
use crate::ruby::limits;
use crate::ruby::raw::{InstanceVariable, TypedRef, type_kind_of};

/// Reason why a type object cannot be compiled to a type of the core's.
#[derive(Clone, Copy)]
pub struct DeclinedType {
    pub reason: Reason,
    /// Whether it will never have one.
    pub for_good: bool,
}

fn never<T>(reason: Reason) -> Result<T, DeclinedType> {
    Err(DeclinedType { reason, for_good: true })
}

fn not_yet<T>() -> Result<T, DeclinedType> {
    Err(DeclinedType { reason: Reason::Unresolved, for_good: false })
}

macro_rules! variables {
    ($($name:ident = $text:literal;)*) => {
        $(static $name: InstanceVariable = InstanceVariable::new($text);)*
    };
}

variables! {
    BASE_SIZE = c"@size_type";
    BLOCK = c"@block_type";
    CASE_INSENSITIVE = c"@case_insensitive";
    CLASS_NAME = c"@class_name";
    ELEMENT = c"@element_type";
    ELEMENTS = c"@elements";
    FROM = c"@from";
    KEY = c"@key_type";
    NAME = c"@name";
    PARAMETERS = c"@parameters";
    PARAMS = c"@param_types";
    PATTERN = c"@pattern";
    PATTERNS = c"@patterns";
    RANGES = c"@ranges";
    RECURSIVE = c"@self_recursion";
    RESOLVED = c"@resolved_type";
    RETURNS = c"@return_type";
    SIZE_OR_VALUE = c"@size_type_or_value";
    TITLE = c"@title";
    TO = c"@to";
    TYPE = c"@type";
    TYPE_NAME = c"@type_name";
    TYPE_STRING = c"@type_string";
    TYPES = c"@types";
    VALUE = c"@value";
    VALUE_TYPE = c"@value_type";
    VALUES = c"@values";
}

/// Compiles a type object. Runs no Ruby code, and keeps nothing.
pub fn compile(object: Value) -> Result<Type, DeclinedType> {
    TypeCompiler { within: Vec::new(), depth: 0 }.compile(object)
}

struct TypeCompiler {
    /// The aliases that are being compiled, the innermost last.
    within: Vec<OpenAlias>,
    depth: u32,
}

struct OpenAlias {
    object: Value,
    alias: Alias,
    recursive: bool,
}

type TypeCompileResult = Result<Type, DeclinedType>;

impl TypeCompiler {
    fn compile(&mut self, object: Value) -> TypeCompileResult {
        let Some(kind) = type_kind_of(object) else { return never(Reason::KindOfType) };
        // Within an alias that contains itself, nothing that refers to it may be taken from elsewhere.
        if self.within.iter().all(|within| !within.recursive)
            && let Some(CompiledTypeObject(known)) = CompiledTypeObject::of(&COMPILED.get(object))
        {
            return known.clone().or_else(never);
        }
        if self.depth >= limits::current().nesting {
            return never(Reason::Limit);
        }
        self.depth += 1;
        let compiled = self.of_kind(kind, object);
        self.depth -= 1;
        compiled
    }

    fn of_kind(&mut self, kind: TypeKind, object: Value) -> TypeCompileResult {
        Ok(match kind {
            TypeKind::Any => Type::Any,
            TypeKind::Unit => Type::Unit,
            TypeKind::Undef => Type::Undef,
            TypeKind::Default => Type::Default,
            TypeKind::Scalar => Type::Scalar,
            TypeKind::ScalarData => Type::ScalarData,
            TypeKind::Numeric => match float_range(object)? {
                FloatRange { min: None, max: None } => Type::Numeric,
                _ => return never(Reason::Bounds),
            },
            TypeKind::Integer => Type::Integer(integer_range(object)?),
            TypeKind::Float => Type::Float(float_range(object)?),
            TypeKind::Boolean => Type::Boolean(boolean(VALUE.get(object))?),
            TypeKind::String => string(SIZE_OR_VALUE.get(object))?,
            TypeKind::Enum => enumeration(object)?,
            TypeKind::Pattern => pattern(object)?,
            TypeKind::Regexp => regexp(object)?,
            TypeKind::SemVer if !is_empty(RANGES.get(object)) => return never(Reason::Bounds),
            TypeKind::SemVer => Type::SemVer(Arc::default()),
            TypeKind::SemVerRange => Type::SemVerRange,
            TypeKind::Binary => Type::Binary,
            TypeKind::Uri if PARAMETERS.is_set(object) => return never(Reason::Bounds),
            TypeKind::Uri => Type::Uri(Arc::default()),
            TypeKind::Timestamp | TypeKind::Timespan if !is_unbounded(object) => {
                return never(Reason::Bounds);
            }
            TypeKind::Timestamp => Type::Timestamp(Arc::default()),
            TypeKind::Timespan => Type::Timespan(Arc::default()),
            TypeKind::Collection => Type::Collection(size(BASE_SIZE.get(object))?),
            TypeKind::Array => {
                let element = self.compile(ELEMENT.get(object))?;
                Type::array(element, size(BASE_SIZE.get(object))?)
            }
            TypeKind::Hash => {
                let (key, value) = (self.compile(KEY.get(object))?, self.compile(VALUE_TYPE.get(object))?);
                Type::hash(key, value, size(BASE_SIZE.get(object))?)
            }
            TypeKind::Tuple => Type::Tuple(Arc::new(self.tuple(object)?)),
            TypeKind::Struct => self.structure(object)?,
            TypeKind::Variant => Type::variant(self.list(TYPES.get(object))?),
            TypeKind::Optional => Type::Optional(self.inner(object)?),
            TypeKind::NotUndef => Type::NotUndef(self.inner(object)?),
            TypeKind::Type => Type::Type(self.inner(object)?),
            TypeKind::Iterable => Type::Iterable(self.inner(object)?),
            TypeKind::Iterator => Type::Iterator(self.inner(object)?),
            TypeKind::Sensitive => {
                let inner = self.compile(TYPE.get(object))?;
                Type::Sensitive((inner != Type::Any).then(|| Arc::new(inner)))
            }
            TypeKind::Callable => self.callable(object)?,
            TypeKind::Object if !has_name(object, "Object") => return never(Reason::KindOfType),
            TypeKind::Object => builtin::object(),
            TypeKind::TypeSet if !has_name(object, "DefaultTypeSet") => return never(Reason::KindOfType),
            TypeKind::TypeSet => builtin::type_set(),
            TypeKind::CatalogEntry => Type::CatalogEntry,
            TypeKind::Class => Type::Class(optional_text(CLASS_NAME.get(object))?),
            TypeKind::Resource => Type::Resource(Arc::new(ResourceType::new(
                optional_text(TYPE_NAME.get(object))?,
                optional_text(TITLE.get(object))?,
            ))),
            TypeKind::Alias => self.alias(object)?,
            TypeKind::Reference => Type::Reference(text(TYPE_STRING.get(object))?),
            TypeKind::Init | TypeKind::Runtime | TypeKind::ObjectExtension => {
                return never(Reason::KindOfType);
            }
        })
    }

    fn inner(&mut self, object: Value) -> Result<Option<Arc<Type>>, DeclinedType> {
        let inner = TYPE.get(object);
        if inner.is_nil() { Ok(None) } else { self.compile(inner).map(|t| Some(Arc::new(t))) }
    }

    fn list(&mut self, array: Value) -> Result<Vec<Type>, DeclinedType> {
        let Some(array) = RArray::from_value(array) else { return never(Reason::Bounds) };
        array.into_iter().map(|object| self.compile(object)).collect()
    }

    fn tuple(&mut self, object: Value) -> Result<TupleType, DeclinedType> {
        let types = self.list(TYPES.get(object))?;
        Ok(TupleType { types: types.into(), size: size(BASE_SIZE.get(object))? })
    }

    fn structure(&mut self, object: Value) -> TypeCompileResult {
        let Some(elements) = RArray::from_value(ELEMENTS.get(object)) else { return never(Reason::Bounds) };
        let mut members = Vec::with_capacity(elements.len());
        for element in elements {
            let key = self.compile(KEY.get(element))?;
            let (key, optional) =
                if let Type::Optional(Some(inner)) = &key { (&**inner, true) } else { (&key, false) };
            let Type::String(StringType::Value(name)) = key else { return never(Reason::Bounds) };
            members.push(StructMember {
                name: Arc::clone(name),
                optional,
                value: self.compile(VALUE_TYPE.get(element))?,
            });
        }
        Ok(Type::struct_of(members))
    }

    fn callable(&mut self, object: Value) -> TypeCompileResult {
        let mut optional = |t: Value| if t.is_nil() { Ok(None) } else { self.compile(t).map(Some) };
        let (block, returns) = (optional(BLOCK.get(object))?, optional(RETURNS.get(object))?);
        let params = match optional(PARAMS.get(object))? {
            None => None,
            Some(Type::Tuple(params)) => Some(params.as_ref().clone()),
            Some(_) => return never(Reason::Bounds),
        };
        Ok(Type::Callable(Arc::new(CallableType { params, block, returns })))
    }

    fn alias(&mut self, object: Value) -> TypeCompileResult {
        if let Some(within) = self.within.iter().find(|within| within.object.as_raw() == object.as_raw()) {
            return Ok(Type::Alias(within.alias.clone()));
        }
        let (name, target) = (text(NAME.get(object))?, RESOLVED.get(object));
        if target.is_nil() || type_kind_of(target) == Some(TypeKind::Reference) {
            return not_yet();
        }
        let recursive = RECURSIVE.get(object).to_bool();
        // Puppet loses its way among these.
        if recursive && self.within.iter().any(|within| within.recursive) {
            return never(Reason::Recursion);
        }
        let mut declined = None;
        let alias = Alias::define(name, |alias| {
            self.within.push(OpenAlias { object, alias, recursive });
            let target = self.compile(target);
            self.within.pop();
            target.map_err(|why| {
                declined = Some(why);
                Error::new(ErrorKind::Unrepresentable, why.reason.text())
            })
        });
        match (alias, declined) {
            (_, Some(declined)) => Err(declined),
            (Ok(alias), None) => Ok(Type::Alias(alias)),
            (Err(_), None) => never(Reason::Other),
        }
    }
}

fn has_name(object: Value, name: &str) -> bool {
    text(NAME.get(object)).is_ok_and(|text| *text == *name)
}

fn text(object: Value) -> Result<Arc<str>, DeclinedType> {
    let text = RString::from_value(object).and_then(|text| text.to_string().ok());
    text.map_or_else(|| never(Reason::Text), |text| Ok(text.into()))
}

fn optional_text(object: Value) -> Result<Option<Arc<str>>, DeclinedType> {
    if object.is_nil() { Ok(None) } else { text(object).map(Some) }
}

fn is_empty(object: Value) -> bool {
    RArray::from_value(object).is_some_and(RArray::is_empty)
}

fn boolean(object: Value) -> Result<Option<bool>, DeclinedType> {
    if object.is_nil() { Ok(None) } else { Ok(Some(object.to_bool())) }
}

/// A bound of a range: an integer, or a float that may be infinite.
enum RangeBound {
    Integer(i64),
    Float(f64),
}

fn bound(object: Value) -> Result<RangeBound, DeclinedType> {
    if let Some(integer) = Integer::from_value(object) {
        return integer.to_i64().map(RangeBound::Integer).or_else(|_| never(Reason::Bignum));
    }
    Float::from_value(object)
        .map_or_else(|| never(Reason::Bounds), |float| Ok(RangeBound::Float(float.to_f64())))
}

fn integer_range(object: Value) -> Result<IntegerRange, DeclinedType> {
    let limit = |object, infinity| match bound(object)? {
        RangeBound::Integer(limit) => Ok(Some(limit)),
        RangeBound::Float(limit) if limit == infinity => Ok(None),
        RangeBound::Float(_) => never(Reason::Bounds),
    };
    Ok(IntegerRange {
        min: limit(FROM.get(object), f64::NEG_INFINITY)?,
        max: limit(TO.get(object), f64::INFINITY)?,
    })
}

fn float_range(object: Value) -> Result<FloatRange, DeclinedType> {
    let limit = |object, infinity| match bound(object)? {
        RangeBound::Float(limit) if limit == infinity => Ok(None),
        RangeBound::Float(limit) => Ok(Some(limit)),
        // Puppet compares with the integer itself.
        RangeBound::Integer(_) => never(Reason::Bounds),
    };
    Ok(FloatRange {
        min: limit(FROM.get(object), f64::NEG_INFINITY)?,
        max: limit(TO.get(object), f64::INFINITY)?,
    })
}

fn is_unbounded(object: Value) -> bool {
    let is = |object, infinity| Float::from_value(object).is_some_and(|bound| bound.to_f64() == infinity);
    is(FROM.get(object), f64::NEG_INFINITY) && is(TO.get(object), f64::INFINITY)
}

/// Returns the size for an Integer type.
fn size(object: Value) -> Result<Option<Size>, DeclinedType> {
    if object.is_nil() {
        return Ok(None);
    }
    if type_kind_of(object) != Some(TypeKind::Integer) {
        return never(Reason::Bounds);
    }
    let range = integer_range(object)?;
    let limit = |limit: i64| u64::try_from(limit).or_else(|_| never(Reason::Bounds));
    let (Some(min), max) = (range.min, range.max) else { return never(Reason::Bounds) };
    Ok(Some(Size::new(limit(min)?, max.map(limit).transpose()?)))
}

fn string(size_or_value: Value) -> TypeCompileResult {
    if RString::from_value(size_or_value).is_some() {
        return text(size_or_value).map(Type::string_value);
    }
    Ok(Type::String(StringType::Sized(size(size_or_value)?)))
}

fn enumeration(object: Value) -> TypeCompileResult {
    let Some(values) = RArray::from_value(VALUES.get(object)) else { return never(Reason::Bounds) };
    let values: Result<Vec<_>, _> = values.into_iter().map(text).collect();
    let case_insensitive = CASE_INSENSITIVE.get(object).to_bool();
    Ok(Type::Enum(Arc::new(EnumType::new(values?, case_insensitive))))
}

fn regex(object: Value) -> Result<Regex, DeclinedType> {
    Regex::new(&text(PATTERN.get(object))?).or_else(|_| never(Reason::Pattern))
}

fn pattern(object: Value) -> TypeCompileResult {
    let Some(patterns) = RArray::from_value(PATTERNS.get(object)) else { return never(Reason::Bounds) };
    let patterns: Result<Vec<_>, _> = patterns.into_iter().map(regex).collect();
    Ok(Type::Pattern(Arc::new(PatternType { patterns: patterns?.into() })))
}

fn regexp(object: Value) -> TypeCompileResult {
    if !PATTERN.is_set(object) {
        return Ok(Type::Regexp(None));
    }
    // Whether its options are a part of the text, or beside it, makes a difference to Ruby alone.
    if text(PATTERN.get(object))?.starts_with("(?") {
        return never(Reason::RegexpOptions);
    }
    regex(object).map(|regex| Type::Regexp(Some(regex)))
}
