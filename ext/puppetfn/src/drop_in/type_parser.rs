//! Types from their texts, as Puppet's own type objects.
//!
//! What a text means to Puppet's `TypeParser` is done here for what types are usually written as. All errors,
//! and all that is unusual, are left to Puppet.

use std::collections::HashMap;
use std::sync::OnceLock;

use magnus::r_hash::ForEach;
use magnus::rb_sys::AsRawValue;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Error, IntoValue, Module, Object, RArray, RHash, RModule, RString, Ruby, TryConvert, Value, function,
    method,
};
use puppetfn::limits::Limits;
use puppetfn::subject::{Shape, Subject};
use puppetfn::syntax::ast::{Access, Entry, Expr, ExprKind, UnaryOp};
use puppetfn::syntax::parse;

use super::build::{
    array_of, hash_of, integer, new, optional as optional_type, sized_string, struct_element, struct_of,
    tuple_of, variant,
};
use super::counts;
use super::decline::Reason;
use super::piece::Piece;
use crate::ruby::error::guarded;
use crate::ruby::raw::{InstanceVariable, Kind, is_type, kind_of, puppet_subject};

type Answer = Result<Value, Reason>;

/// The types that are made here with parameters.
const PARAMETERIZED: [&str; 22] = [
    "array",
    "boolean",
    "callable",
    "collection",
    "enum",
    "float",
    "hash",
    "integer",
    "iterable",
    "iterator",
    "notundef",
    "optional",
    "pattern",
    "regexp",
    "sensitive",
    "string",
    "struct",
    "timespan",
    "timestamp",
    "tuple",
    "type",
    "variant",
];

/// How many texts are remembered.
const REMEMBERED: usize = 4_096;

/// What texts mean that have the same meaning everywhere: those without names that a loader finds.
static KNOWN: OnceLock<Opaque<RHash>> = OnceLock::new();

fn known(ruby: &Ruby) -> RHash {
    let known = KNOWN.get_or_init(|| {
        let known = ruby.hash_new();
        ruby.gc_register_mark_object(known);
        known.into()
    });
    ruby.get_inner(*known)
}

/// What becomes of a text.
enum Parsed {
    Type(Value),
    /// What a loader raised. Puppet would not come upon it again: a type is resolved once.
    Raised(Error),
    Declined,
}

fn parse_type(
    ruby: &Ruby,
    parser: Value,
    string: Value,
    context: Value,
    raised: &mut Option<Error>,
) -> Answer {
    let known = known(ruby);
    if let Some(found) = known.get(string) {
        return Ok(found);
    }
    let text = match puppet_subject(string).shape() {
        // Ruby code that is called below might change the string.
        Ok(Shape::String(text)) => text.to_owned(),
        Ok(_) | Err(_) => return Err(Reason::Arguments),
    };
    let program = parse(&text, &Limits::DEFAULT).map_err(|_| Reason::Syntax)?;
    let ([expr], []) = (program.statements.as_slice(), program.warnings.as_slice()) else {
        return Err(Reason::Syntax);
    };
    let mut interpreter = Interpreter { ruby, parser, string, context, uses_loader: false, raised: None };
    let t = interpreter.interpret(expr);
    *raised = interpreter.raised.take();
    let t = t?;
    if !is_type(t) {
        return Err(Reason::Arguments);
    }
    if !interpreter.uses_loader {
        if known.len() >= REMEMBERED {
            known.clear().map_err(|_| Reason::Other)?;
        }
        known.aset(ruby.str_new(&text), t).map_err(|_| Reason::Other)?;
    }
    Ok(t)
}

/// Puppet's types by their names, the same everywhere.
fn names(ruby: &Ruby, parser: Value) -> Result<&'static HashMap<String, Opaque<Value>>, Reason> {
    static NAMES: OnceLock<HashMap<String, Opaque<Value>>> = OnceLock::new();
    if let Some(names) = NAMES.get() {
        return Ok(names);
    }
    let map: RHash = parser.class().funcall("type_map", ()).map_err(|_| Reason::Other)?;
    ruby.gc_register_mark_object(map);
    let mut names = HashMap::new();
    map.foreach(|name: String, t: Value| {
        names.insert(name, t.into());
        Ok(ForEach::Continue)
    })
    .map_err(|_| Reason::Other)?;
    Ok(NAMES.get_or_init(|| names))
}

struct Interpreter<'r> {
    ruby: &'r Ruby,
    /// Puppet's parser.
    parser: Value,
    string: Value,
    context: Value,
    /// Whether the meaning depends on who asks.
    uses_loader: bool,
    /// What a loader raised.
    raised: Option<Error>,
}

impl Interpreter<'_> {
    fn interpret(&mut self, expr: &Expr<'_>) -> Answer {
        let ruby = self.ruby;
        Ok(match &expr.kind {
            ExprKind::Reference(name) => return self.named(name, expr),
            ExprKind::Access(access) => return self.access(access),
            ExprKind::Undef => ruby.qnil().as_value(),
            ExprKind::Default => ruby.to_symbol("default").as_value(),
            ExprKind::Boolean(truth) => truth.into_value_with(ruby),
            ExprKind::Integer(number) => {
                i64::try_from(*number).map_err(|_| Reason::Bignum)?.into_value_with(ruby)
            }
            ExprKind::Float(number) => number.into_value_with(ruby),
            ExprKind::String(text) => ruby.str_new(text).as_value(),
            ExprKind::Name(name) => ruby.str_new(name).as_value(),
            ExprKind::Regexp(source) => {
                ruby.reg_new(source.as_ref(), Default::default()).map_err(|_| Reason::Pattern)?.as_value()
            }
            ExprKind::Array(items) => self.list(items)?.as_value(),
            ExprKind::Hash(entries) => self.hash(entries)?.as_value(),
            ExprKind::Unary(UnaryOp::Minus, operand) => self.negative(operand)?,
            ExprKind::Interpolation(_)
            | ExprKind::Heredoc(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::Call(_)
            | ExprKind::Method(_)
            | ExprKind::Paren(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(_)
            | ExprKind::Selector(_)
            | ExprKind::If(_)
            | ExprKind::Unless(_)
            | ExprKind::Case(_)
            | ExprKind::Block(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_)
            | ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_)
            | ExprKind::Apply(_)
            | ExprKind::Template(_)
            | ExprKind::RenderText(_)
            | ExprKind::Render(_) => return Err(Reason::Arguments),
        })
    }

    fn list(&mut self, items: &[Expr<'_>]) -> Result<RArray, Reason> {
        let list = self.ruby.ary_new_capa(items.len());
        for item in items {
            list.push(self.interpret(item)?).map_err(|_| Reason::Other)?;
        }
        Ok(list)
    }

    fn hash(&mut self, entries: &[Entry<'_>]) -> Result<RHash, Reason> {
        let hash = self.ruby.hash_new();
        for entry in entries {
            let (key, value) = (self.interpret(&entry.key)?, self.interpret(&entry.value)?);
            hash.aset(key, value).map_err(|_| Reason::Other)?;
        }
        Ok(hash)
    }

    fn negative(&mut self, operand: &Expr<'_>) -> Answer {
        if let ExprKind::Integer(number) = operand.kind {
            let number = 0_i64.checked_sub_unsigned(number).ok_or(Reason::Bignum)?;
            Ok(number.into_value_with(self.ruby))
        } else if let ExprKind::Float(number) = operand.kind {
            Ok((-number).into_value_with(self.ruby))
        } else {
            Err(Reason::Arguments)
        }
    }

    /// The type of a name alone.
    fn named(&mut self, name: &str, expr: &Expr<'_>) -> Answer {
        let ruby = self.ruby;
        if let Some(found) = names(ruby, self.parser)?.get(&*name.to_lowercase()) {
            return Ok(ruby.get_inner(*found));
        }
        // Puppet finds it, by way of a name in a syntax tree of its own.
        self.uses_loader = true;
        let locator: Value = self.ask(pops(ruby, &["Parser", "Locator"])?, "locator", (self.string, ()))?;
        let (offset, length) = (expr.span.start, expr.span.end.saturating_sub(expr.span.start));
        let class = pops(ruby, &["Model", "QualifiedReference"])?;
        let name: Value = self.ask(class, "new", (locator, offset, length, name))?;
        self.parser.funcall("interpret_QualifiedReference", (name, self.context)).map_err(|error| {
            self.raised = Some(error);
            Reason::Names
        })
    }

    /// Sends a message. What it raises, Puppet shall raise.
    fn ask<T: TryConvert>(
        &self,
        receiver: Value,
        name: &str,
        args: impl magnus::ArgList,
    ) -> Result<T, Reason> {
        receiver.funcall(name, args).map_err(|_| Reason::Arguments)
    }

    fn factory(&self, name: &str, params: &[Param]) -> Answer {
        let args = self.ruby.ary_new_capa(params.len());
        for param in params {
            args.push(param.value).map_err(|_| Reason::Other)?;
        }
        let factory = pops(self.ruby, &["Types", "TypeFactory"])?;
        crate::ruby::raw::with_elements(args, |args| self.ask(factory, name, args))
    }

    fn access(&mut self, access: &Access<'_>) -> Answer {
        let ExprKind::Reference(name) = access.operand.kind else { return Err(Reason::Arguments) };
        let name = name.to_lowercase();
        // Told before a loader is asked for what stands in the brackets, as Puppet asks once.
        if !PARAMETERIZED.contains(&name.as_str()) {
            return Err(Reason::Names);
        }
        // The collector sees the values here while the others are made.
        let held = self.ruby.ary_new_capa(access.keys.len());
        let mut params = Vec::with_capacity(access.keys.len());
        for key in &access.keys {
            let value = self.interpret(key)?;
            held.push(value).map_err(|_| Reason::Other)?;
            params.push(Param::of(self.ruby, value));
        }
        let t = self.with_params(&name, &params);
        std::hint::black_box(held);
        t
    }

    fn with_params(&mut self, name: &str, params: &[Param]) -> Answer {
        let ruby = self.ruby;
        match name {
            "array" => match params {
                [element, size @ ..] if element.is(Sort::Type) => {
                    let size = self.size(size)?;
                    if self.is_empty(size) {
                        new(Kind::Array, (element.value, size))
                    } else {
                        array_of(element.value, size)
                    }
                }
                _ => Err(Reason::Arguments),
            },
            "hash" => match params {
                [key, value, size @ ..] if key.is(Sort::Type) && value.is(Sort::Type) => {
                    let size = self.size(size)?;
                    if self.is_empty(size) {
                        new(Kind::Hash, (key.value, value.value, size))
                    } else {
                        hash_of(key.value, value.value, size)
                    }
                }
                _ => Err(Reason::Arguments),
            },
            "collection" if !params.is_empty() => new(Kind::Collection, (self.size(params)?,)),
            "string" if !params.is_empty() => sized_string(self.size(params)?),
            "integer" => self.integer(params),
            "float" => self.float(params),
            "enum" => self.enumeration(params),
            "variant" if !params.is_empty() && params.iter().all(|param| param.is(Sort::Type)) => {
                self.variant(params)
            }
            "tuple" => self.tuple(params),
            "struct" => match params {
                [members] if members.is(Sort::Hash) => self.structure(*members),
                _ => Err(Reason::Arguments),
            },
            "pattern" if matches!(params, [param] if param.is(Sort::Regexp)) => {
                let regexps = params.iter().map(|param| new(Kind::Regexp, (param.value,)));
                let patterns = ruby.ary_new();
                for regexp in regexps {
                    patterns.push(regexp?).map_err(|_| Reason::Other)?;
                }
                new(Kind::Pattern, (patterns,))
            }
            "callable" | "pattern" if !params.is_empty() => self.factory(name, params),
            "regexp" if matches!(params, [param] if matches!(param.sort, Sort::String | Sort::Regexp)) => {
                self.factory(name, params)
            }
            "boolean" if matches!(params, [param] if param.is(Sort::Boolean)) => self.factory(name, params),
            "timespan" | "timestamp" if params.len() <= 2 => self.factory(name, params),
            "optional" => self.around(Kind::Optional, params),
            "notundef" => self.around(Kind::NotUndef, params),
            "sensitive" | "type" | "iterable" | "iterator" => match params {
                [inner] if inner.is(Sort::Type) => {
                    let kind = match name {
                        "sensitive" => Kind::Sensitive,
                        "type" => Kind::Type,
                        "iterable" => Kind::Iterable,
                        _ => Kind::Iterator,
                    };
                    new(kind, (inner.value,))
                }
                _ => Err(Reason::Arguments),
            },
            _ => Err(Reason::Names),
        }
    }

    /// Types of different kinds are just kept; what else there may be to do, Puppet does.
    fn variant(&self, params: &[Param]) -> Answer {
        let types = self.ruby.ary_from_iter(params.iter().map(|param| param.value));
        let kinds: Vec<_> = params.iter().map(|param| kind_of(param.value)).collect();
        let differ =
            kinds.iter().enumerate().all(|(at, kind)| !kinds.iter().skip(at + 1).any(|other| other == kind));
        if differ && kinds.len() > 1 && !kinds.contains(&Some(Kind::Variant)) {
            return variant(types);
        }
        let class = crate::ruby::raw::class_of_kind(Kind::Variant).ok_or(Reason::Other)?;
        self.ask(class.as_value(), "maybe_create", (types,))
    }

    /// The size that stands behind the other parameters; nil if there is none.
    fn size(&self, params: &[Param]) -> Answer {
        match params {
            [] => Ok(self.ruby.qnil().as_value()),
            [size] if kind_of(size.value) == Some(Kind::Integer) => self.ask(size.value, "to_size", ()),
            [min] if min.is_bound() => self.range(*min, None),
            [min, max] if min.is_bound() && max.is_bound() => self.range(*min, Some(*max)),
            _ => Err(Reason::Arguments),
        }
    }

    /// The Integer type of a size. Puppet makes those that are none at all, or raises.
    fn range(&self, min: Param, max: Option<Param>) -> Answer {
        let bound = |param: Param| match param.sort {
            Sort::Integer => i64::try_convert(param.value).map(Some).map_err(|_| Reason::Bignum),
            Sort::Type
            | Sort::Float
            | Sort::Default
            | Sort::String
            | Sort::Regexp
            | Sort::Boolean
            | Sort::Hash
            | Sort::Other => Ok(None),
        };
        let (min, max) = (bound(min)?.ok_or(Reason::Arguments)?, max.map_or(Ok(None), bound)?);
        if min < 0 || max.is_some_and(|max| max < min) {
            return Err(Reason::Arguments);
        }
        integer(self.ruby, Some(min), max)
    }

    /// Whether a size is that of what is empty, which has types of its own.
    fn is_empty(&self, size: Value) -> bool {
        static TO: InstanceVariable = InstanceVariable::new(c"@to");
        !size.is_nil() && i64::try_convert(TO.get(size)).is_ok_and(|to| to == 0)
    }

    fn integer(&self, params: &[Param]) -> Answer {
        let default = self.ruby.to_symbol("default").as_value();
        match params {
            [min] if min.is(Sort::Integer) => new(Kind::Integer, (min.value, default)),
            [min, max] if min.is_bound() && max.is_bound() => new(Kind::Integer, (min.value, max.value)),
            _ => Err(Reason::Arguments),
        }
    }

    fn float(&self, params: &[Param]) -> Answer {
        let bound = |param: &Param| match param.sort {
            Sort::Default => Ok(None),
            Sort::Integer | Sort::Float => {
                f64::try_convert(param.value).map(Some).map_err(|_| Reason::Arguments)
            }
            Sort::Type | Sort::String | Sort::Regexp | Sort::Boolean | Sort::Hash | Sort::Other => {
                Err(Reason::Arguments)
            }
        };
        match params {
            [min] if !min.is(Sort::Default) => new(Kind::Float, (bound(min)?, None::<f64>)),
            [min, max] => new(Kind::Float, (bound(min)?, bound(max)?)),
            _ => Err(Reason::Arguments),
        }
    }

    fn enumeration(&self, params: &[Param]) -> Answer {
        let (values, case_insensitive) = match params {
            [values @ .., last] if last.is(Sort::Boolean) => (values, last.value.to_bool()),
            values => (values, false),
        };
        if values.is_empty() || !values.iter().all(|value| value.is(Sort::String)) {
            return Err(Reason::Arguments);
        }
        let values = self.ruby.ary_from_iter(values.iter().map(|value| value.value));
        new(Kind::Enum, (values, case_insensitive))
    }

    fn tuple(&self, params: &[Param]) -> Answer {
        let (types, size) = match params {
            [types @ .., min, max] if min.is_bound() && max.is_bound() => (types, Some((min, Some(max)))),
            [types @ .., min] if min.is_bound() => (types, Some((min, None))),
            types => (types, None),
        };
        if params.is_empty() || !types.iter().all(|param| param.is(Sort::Type)) {
            return Err(Reason::Arguments);
        }
        let size = size.map(|(min, max)| self.range(*min, max.copied()));
        let size = size.transpose()?.unwrap_or_else(|| self.ruby.qnil().as_value());
        tuple_of(self.ruby.ary_from_iter(types.iter().map(|t| t.value)), size)
    }

    fn structure(&self, members: Param) -> Answer {
        let hash = RHash::from_value(members.value).ok_or(Reason::Arguments)?;
        let elements = self.ruby.ary_new_capa(hash.len());
        let mut plain = true;
        hash.foreach(|key: Value, value: Value| {
            match self.member(key, value) {
                Ok(Some(element)) => elements.push(element)?,
                Ok(None) | Err(_) => plain = false,
            }
            Ok(if plain { ForEach::Continue } else { ForEach::Stop })
        })
        .map_err(|_| Reason::Other)?;
        if plain { struct_of(elements) } else { self.factory("struct", &[members]) }
    }

    /// One member of a struct; none where its key or its type is of an unusual form.
    fn member(&self, key: Value, value: Value) -> Result<Option<Value>, Reason> {
        if !is_type(value) {
            return Ok(None);
        }
        let name = match kind_of(key) {
            Some(Kind::Optional) => {
                return Ok(match optional_name(key) {
                    true => Some(struct_element(key, value)?),
                    false => None,
                });
            }
            Some(_) => return Ok(None),
            None => match RString::from_value(key) {
                Some(name) if !name.is_empty() => name,
                Some(_) | None => return Ok(None),
            },
        };
        let name = new(Kind::String, (name,))?;
        let Some(optional) = accepts_undef(value) else { return Ok(None) };
        let key = if optional { optional_type(name)? } else { name };
        struct_element(key, value).map(Some)
    }

    fn around(&self, kind: Kind, params: &[Param]) -> Answer {
        match params {
            [inner] if inner.is(Sort::Type) => new(kind, (inner.value,)),
            [inner] if inner.is(Sort::String) => new(kind, (new(Kind::String, (inner.value,))?,)),
            _ => Err(Reason::Arguments),
        }
    }
}

/// Whether an Optional type contains the type of one string.
fn optional_name(key: Value) -> bool {
    static TYPE: InstanceVariable = InstanceVariable::new(c"@type");
    static NAME: InstanceVariable = InstanceVariable::new(c"@size_type_or_value");
    let inner = TYPE.get(key);
    kind_of(inner) == Some(Kind::String) && RString::from_value(NAME.get(inner)).is_some()
}

/// Whether a type accepts undef, where its kind tells.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not listed is asked of Puppet")]
fn accepts_undef(t: Value) -> Option<bool> {
    match kind_of(t)? {
        Kind::Any | Kind::Undef => Some(true),
        Kind::String
        | Kind::Integer
        | Kind::Float
        | Kind::Numeric
        | Kind::Boolean
        | Kind::Enum
        | Kind::Pattern
        | Kind::Regexp
        | Kind::Array
        | Kind::Hash
        | Kind::Tuple
        | Kind::Struct
        | Kind::Callable
        | Kind::Scalar
        | Kind::ScalarData
        | Kind::Collection => Some(false),
        Kind::Optional => Some(true),
        _ => None,
    }
}

/// A parameter of a type.
#[derive(Clone, Copy)]
struct Param {
    value: Value,
    sort: Sort,
}

/// What a parameter is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Type,
    Integer,
    Float,
    Default,
    String,
    Regexp,
    Boolean,
    Hash,
    Other,
}

impl Param {
    fn of(ruby: &Ruby, value: Value) -> Self {
        let sort = if is_type(value) {
            Sort::Type
        } else if magnus::Integer::from_value(value).is_some() {
            Sort::Integer
        } else if RString::from_value(value).is_some() {
            Sort::String
        } else if value.as_raw() == ruby.to_symbol("default").as_raw() {
            Sort::Default
        } else if magnus::Float::from_value(value).is_some() {
            Sort::Float
        } else if magnus::RRegexp::from_value(value).is_some() {
            Sort::Regexp
        } else if RHash::from_value(value).is_some() {
            Sort::Hash
        } else if value.as_raw() == ruby.qtrue().as_raw() || value.as_raw() == ruby.qfalse().as_raw() {
            Sort::Boolean
        } else {
            Sort::Other
        };
        Self { value, sort }
    }

    fn is(&self, sort: Sort) -> bool {
        self.sort == sort
    }

    /// Whether it bounds a range.
    fn is_bound(&self) -> bool {
        matches!(self.sort, Sort::Integer | Sort::Default)
    }
}

/// Something within `Puppet::Pops`.
fn pops(ruby: &Ruby, path: &[&str]) -> Answer {
    ["Puppet", "Pops"].iter().chain(path).try_fold(ruby.class_object().as_value(), |place, name| {
        let name = ruby.to_symbol(*name);
        match RModule::from_value(place) {
            Some(module) => module.const_get::<_, Value>(name),
            None => place.funcall("const_get", (name,)),
        }
        .map_err(|_| Reason::Other)
    })
}

fn parsed(ruby: &Ruby, parser: Value, string: Value, context: Value) -> Parsed {
    let mut raised = None;
    match parse_type(ruby, parser, string, context, &mut raised) {
        Ok(object) => {
            counts::taken(Piece::TypeParser);
            Parsed::Type(object)
        }
        Err(reason) => {
            counts::declined(Piece::TypeParser, reason);
            raised.map_or(Parsed::Declined, Parsed::Raised)
        }
    }
}

/// @yard
/// @def parse(string, context = nil)
fn parse_method(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let nil = ruby.qnil().as_value();
    let found = match *args {
        [string] => guarded(ruby, || Ok(parsed(ruby, this, string, nil))),
        [string, context] => guarded(ruby, || Ok(parsed(ruby, this, string, context))),
        _ => Ok(Parsed::Declined),
    };
    match found {
        Ok(Parsed::Type(object)) => Ok(object),
        Ok(Parsed::Raised(error)) => Err(error),
        Ok(Parsed::Declined) | Err(_) => ruby.call_super(args),
    }
}

/// @yard
/// @def parse_type(parser, string, context)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_parse(ruby: &Ruby, parser: Value, string: Value, context: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || match parsed(ruby, parser, string, context) {
        Parsed::Type(object) => Ok(Some(object)),
        Parsed::Raised(_) | Parsed::Declined => Ok(None),
    })
}

/// Defines the module.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    drop_in.define_module("TypeParsing")?.define_method("parse", method!(parse_method, -1))?;
    drop_in.define_singleton_method("parse_type", function!(shadow_parse, 3))
}
