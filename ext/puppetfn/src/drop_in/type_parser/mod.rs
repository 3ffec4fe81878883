//! Parses types to Puppet's own type objects.
//!
//! Handles the usual syntax of types as Puppet's `TypeParser` does. Errors and unusual syntax are left to Puppet.

mod parameters;

use std::collections::HashMap;
use std::sync::OnceLock;

use magnus::r_hash::ForEach;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Error, IntoValue, Module, Object, RArray, RHash, RModule, Ruby, TryConvert, Value, function, method,
};
use puppetfn::subject::{Shape, Subject};
use puppetfn::syntax::ast::{Access, Expr, ExprKind, KeyedEntry, UnaryOp};
use puppetfn::syntax::parse;

use self::parameters::ObjectParam;
use super::counts;
use super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::limits;
use crate::ruby::raw::{is_type, puppet_subject, with_elements};

type TypeParserResult = Result<Value, Reason>;

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

/// Maximum number of cached texts.
const REMEMBERED: usize = 4_096;

/// Types by texts whose meaning is the same everywhere: no loader resolves a name in them.
static KNOWN: OnceLock<Opaque<RHash>> = OnceLock::new();

fn known(ruby: &Ruby) -> RHash {
    let known = KNOWN.get_or_init(|| {
        let known = ruby.hash_new();
        ruby.gc_register_mark_object(known);
        known.into()
    });
    ruby.get_inner(*known)
}

/// Result of parsing a text.
enum ParsedType {
    Type(Value),
    /// An exception from a loader. Puppet would not get it again: a type is resolved once.
    Raised(Error),
    Declined,
}

fn parse_type(
    ruby: &Ruby,
    parser: Value,
    string: Value,
    context: Value,
    raised: &mut Option<Error>,
) -> TypeParserResult {
    let known = known(ruby);
    if let Some(found) = known.get(string) {
        return Ok(found);
    }
    let text = match puppet_subject(&string).shape() {
        // Ruby code that is called below might change the string.
        Ok(Shape::String(text)) => text.to_owned(),
        Ok(_) | Err(_) => return Err(Reason::Arguments),
    };
    let program = parse(&text, &limits::current()).map_err(|_| Reason::Syntax)?;
    let ([expr], []) = (program.statements.as_slice(), program.warnings.as_slice()) else {
        return Err(Reason::Syntax);
    };
    let mut interpreter =
        ObjectInterpreter { ruby, parser, string, context, uses_loader: false, raised: None };
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
    let mut names = HashMap::new();
    map.foreach(|name: String, t: Value| {
        // The types are registered, not the map, whose values could be moved.
        ruby.gc_register_mark_object(t);
        names.insert(name, t.into());
        Ok(ForEach::Continue)
    })
    .map_err(|_| Reason::Other)?;
    Ok(NAMES.get_or_init(|| names))
}

struct ObjectInterpreter<'r> {
    ruby: &'r Ruby,
    /// Puppet's parser.
    parser: Value,
    string: Value,
    context: Value,
    /// Whether the meaning depends on the loader.
    uses_loader: bool,
    /// An exception from a loader.
    raised: Option<Error>,
}

impl ObjectInterpreter<'_> {
    fn interpret(&mut self, expr: &Expr<'_>) -> TypeParserResult {
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
            | ExprKind::Error(_)
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

    fn hash(&mut self, entries: &[KeyedEntry<'_>]) -> Result<RHash, Reason> {
        let hash = self.ruby.hash_new();
        for entry in entries {
            let (key, value) = (self.interpret(&entry.key)?, self.interpret(&entry.value)?);
            hash.aset(key, value).map_err(|_| Reason::Other)?;
        }
        Ok(hash)
    }

    /// Returns a struct with these members, whose names differ.
    fn members(&mut self, entries: &[KeyedEntry<'_>]) -> TypeParserResult {
        let members = self.ruby.ary_new_capa(entries.len().saturating_mul(2));
        for part in entries.iter().flat_map(|entry| [&entry.key, &entry.value]) {
            members.push(self.interpret(part)?).map_err(|_| Reason::Other)?;
        }
        with_elements(members, |members| self.structure(members))
    }

    fn negative(&mut self, operand: &Expr<'_>) -> TypeParserResult {
        if let ExprKind::Integer(number) = operand.kind {
            let number = 0_i64.checked_sub_unsigned(number).ok_or(Reason::Bignum)?;
            Ok(number.into_value_with(self.ruby))
        } else if let ExprKind::Float(number) = operand.kind {
            Ok((-number).into_value_with(self.ruby))
        } else {
            Err(Reason::Arguments)
        }
    }

    /// Returns the type of a name alone.
    fn named(&mut self, name: &str, expr: &Expr<'_>) -> TypeParserResult {
        let ruby = self.ruby;
        if let Some(found) = names(ruby, self.parser)?.get(&*name.to_lowercase()) {
            return Ok(ruby.get_inner(*found));
        }
        // Puppet finds it, through a name in a syntax tree of its own.
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

    /// Calls a method. If it raises, Puppet has to raise the exception itself.
    fn ask<T: TryConvert>(
        &self,
        receiver: Value,
        name: &str,
        args: impl magnus::ArgList,
    ) -> Result<T, Reason> {
        receiver.funcall(name, args).map_err(|_| Reason::Arguments)
    }

    fn factory(&self, name: &str, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let args = self.ruby.ary_from_iter(params.iter().map(|param| param.value()));
        let factory = pops(self.ruby, &["Types", "TypeFactory"])?;
        with_elements(args, |args| self.ask(factory, name, args))
    }

    fn access(&mut self, access: &Access<'_>) -> TypeParserResult {
        let ExprKind::Reference(name) = access.operand.kind else { return Err(Reason::Arguments) };
        let name = name.to_lowercase();
        // Checked before a loader is asked for the types in the brackets, because Puppet asks once.
        if !PARAMETERIZED.contains(&name.as_str()) {
            return Err(Reason::Names);
        }
        if let ("struct", [Expr { kind: ExprKind::Hash(entries), .. }]) =
            (name.as_str(), access.keys.as_slice())
            && have_different_names(entries)
        {
            return self.members(entries);
        }
        let values = self.list(&access.keys)?;
        // The values are read where the collector finds them, and updates them when it moves them.
        with_elements(values, |values| {
            let params: Vec<_> = values.iter().map(|value| ObjectParam::of(self.ruby, value)).collect();
            self.with_params(&name, &params)
        })
    }
}

/// Returns true if the keys of a struct are names that differ.
fn have_different_names(entries: &[KeyedEntry<'_>]) -> bool {
    let names: Option<Vec<&str>> = entries.iter().map(|entry| name_of(&entry.key)).collect();
    names.is_some_and(|mut names| {
        names.sort_unstable();
        !names.is_empty() && names.windows(2).all(|pair| matches!(pair, [a, b] if a != b))
    })
}

/// Returns the name that the key of a struct is, or has in its brackets.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else has a name")]
fn name_of<'e>(key: &'e Expr<'_>) -> Option<&'e str> {
    match &key.kind {
        ExprKind::String(text) => Some(text),
        ExprKind::Name(name) => Some(name),
        ExprKind::Access(access) => match access.keys.as_slice() {
            [name] => name_of(name),
            _ => None,
        },
        _ => None,
    }
}

/// Returns something within `Puppet::Pops`.
fn pops(ruby: &Ruby, path: &[&str]) -> TypeParserResult {
    ["Puppet", "Pops"].iter().chain(path).try_fold(ruby.class_object().as_value(), |place, name| {
        let name = ruby.to_symbol(*name);
        match RModule::from_value(place) {
            Some(module) => module.const_get::<_, Value>(name),
            None => place.funcall("const_get", (name,)),
        }
        .map_err(|_| Reason::Other)
    })
}

fn parsed(ruby: &Ruby, parser: Value, string: Value, context: Value) -> ParsedType {
    let mut raised = None;
    match parse_type(ruby, parser, string, context, &mut raised) {
        Ok(object) => {
            counts::taken(DropInPiece::TypeParser);
            ParsedType::Type(object)
        }
        Err(reason) => {
            counts::declined(DropInPiece::TypeParser, reason);
            raised.map_or(ParsedType::Declined, ParsedType::Raised)
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
        _ => Ok(ParsedType::Declined),
    };
    match found {
        Ok(ParsedType::Type(object)) => Ok(object),
        Ok(ParsedType::Raised(error)) => Err(error),
        Ok(ParsedType::Declined) | Err(_) => ruby.call_super(args),
    }
}

/// @yard
/// @def parse_type(parser, string, context)
/// @return [Puppet::Pops::Types::PAnyType, nil] nil where Puppet has to say
fn shadow_parse(ruby: &Ruby, parser: Value, string: Value, context: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || match parsed(ruby, parser, string, context) {
        ParsedType::Type(object) => Ok(Some(object)),
        ParsedType::Raised(_) | ParsedType::Declined => Ok(None),
    })
}

/// Defines the module.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    drop_in.define_module("TypeParsing")?.define_method("parse", method!(parse_method, -1))?;
    drop_in.define_singleton_method("parse_type", function!(shadow_parse, 3))
}
