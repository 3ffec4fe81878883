//! Code as Puppet's own model of it.

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RModule, RString, Ruby, Value, function, method};
use puppetfn::subject::{Shape, Subject};
use puppetfn::syntax::Mode;

use super::counts;
use super::model;
use super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::raw::{PuppetClass, is_utf8, kind_of, puppet_subject};

fn parsed(ruby: &Ruby, parser: Value, string: Value, file: Value) -> Result<Value, Reason> {
    let template = match kind_of(parser) {
        Some(PuppetClass::Parser) => false,
        Some(PuppetClass::TemplateParser) => true,
        Some(_) | None => return Err(Reason::Object),
    };
    let string = RString::from_value(string).filter(|string| is_utf8(*string)).ok_or(Reason::Text)?;
    // The locator keeps the text, and freezes it as Puppet's does.
    string.freeze();
    let string = string.as_value();
    let Ok(Shape::String(text)) = puppet_subject(&string).shape() else { return Err(Reason::Text) };
    let tasks = setting(ruby, "tasks")?;
    model::program(ruby, text, Mode { tasks, template }, string, file)
}

/// Returns whether one of Puppet's settings is on.
fn setting(ruby: &Ruby, name: &str) -> Result<bool, Reason> {
    let puppet: RModule = ruby.class_object().const_get("Puppet").map_err(|_| Reason::Other)?;
    puppet
        .funcall::<_, _, Value>("[]", (ruby.to_symbol(name),))
        .map(|on| on.to_bool())
        .map_err(|_| Reason::Other)
}

fn counted(answer: Result<Value, Reason>) -> Option<Value> {
    match answer {
        Ok(object) => {
            counts::taken(DropInPiece::Parser);
            Some(object)
        }
        Err(reason) => {
            counts::declined(DropInPiece::Parser, reason);
            None
        }
    }
}

/// @yard
/// @def parse_code(parser, code, path)
/// @return [Puppet::Pops::Model::Factory, nil] nil where Puppet has to parse
fn parse_code(ruby: &Ruby, parser: Value, code: Value, path: Value) -> Result<Option<Value>, Error> {
    guarded(ruby, || Ok(counted(parsed(ruby, parser, code, path))))
}

/// @yard
/// @def parse_string(code, path = nil)
fn parse_string(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let nil = ruby.qnil().as_value();
    let found = match *args {
        [code] => parse_code(ruby, this, code, nil),
        [code, path] => parse_code(ruby, this, code, path),
        _ => Ok(None),
    };
    match found {
        Ok(Some(object)) => Ok(object),
        Ok(None) | Err(_) => ruby.call_super(args),
    }
}

/// Defines the module.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    drop_in.define_module("Parsing")?.define_method("parse_string", method!(parse_string, -1))?;
    drop_in.define_singleton_method("parse_code", function!(parse_code, 3))
}
