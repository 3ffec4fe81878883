//! Puppet's own model of its code, built from the syntax tree.
//!
//! Each object has the attributes, the hash and the place that Puppet's factory sets; most expressions have the place
//! of one token. An object to which the factory sets no place is at the start of its container, without length.

macro_rules! variables {
    ($($name:ident = $text:literal;)*) => {
        $(static $name: InstanceVariable = InstanceVariable::new($text);)*
    };
}

mod classes;
mod definition_model;
mod expression;
mod heredoc;
mod resource;
mod template;
mod text;
mod type_alias;

use magnus::{IntoValue, RArray, RHash, Ruby, Value, prelude::*};
use puppetfn::source::Span;
use puppetfn::syntax::ast::{Block, Expr};
use puppetfn::syntax::{Mode, parse_with};

use crate::ruby::decline::Reason;
use crate::ruby::limits;
use crate::ruby::raw::{InstanceVariable, allocate, hash_of};
use classes::{ModelClass, class};
use heredoc::Sublocator;

/// A part of the model, or the reason why it is not built.
type ModelResult<T> = Result<T, Reason>;

/// An object of the model, with the place and the hash that its container needs.
#[derive(Clone, Copy)]
struct ModelNode {
    value: Value,
    place: ModelPlace,
    hash: i64,
}

/// A place that Puppet reports, in bytes.
#[derive(Clone, Copy)]
struct ModelPlace {
    offset: u32,
    end: u32,
}

impl ModelPlace {
    fn new(offset: u32, end: u32) -> Self {
        Self { offset, end }
    }

    /// This many bytes from here.
    fn at(offset: u32, length: usize) -> Self {
        Self::new(offset, offset.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)))
    }

    /// Returns the place that Puppet assumes for children without a place, in a container at this place.
    fn inside(self) -> Self {
        Self::new(self.offset, self.offset)
    }
}

impl From<Span> for ModelPlace {
    fn from(span: Span) -> Self {
        Self::new(span.start, span.end)
    }
}

/// The value of an attribute, and its hash.
#[derive(Clone, Copy)]
struct ModelAttribute {
    value: Value,
    hash: i64,
}

impl From<ModelNode> for ModelAttribute {
    fn from(node: ModelNode) -> Self {
        Self { value: node.value, hash: node.hash }
    }
}

variables! {
    HASH = c"@hash";
    LOCATOR = c"@locator";
    OFFSET = c"@offset";
    LENGTH = c"@length";
    BODY = c"@body";
    PARAMETERS = c"@parameters";
    RETURN_TYPE = c"@return_type";
    DEFINITIONS = c"@definitions";
    STATEMENTS = c"@statements";
    CURRENT = c"@current";
    INIT_HASH = c"@init_hash";
    MODEL_CLASS = c"@model_class";
    VALUE = c"@value";
    KEY = c"@key";
}

/// Initial hash of a model object, before the hashes of its attributes are mixed in.
const BASE_HASH: i64 = 2_270_595_461_303_489_901;

/// Builds the objects for one text.
struct Builder<'r, 's> {
    ruby: &'r Ruby,
    text: &'s str,
    locator: Value,
    definitions: RArray,
    nil_hash: i64,
    /// The heredoc whose text is built.
    heredoc: Option<Sublocator>,
}

/// Returns the result of Puppet's parser for a text: a factory that has built its model.
pub fn program(ruby: &Ruby, text: &str, mode: Mode, string: Value, file: Value) -> ModelResult<Value> {
    let tree = parse_with(text, mode, &limits::current()).map_err(|_| Reason::Syntax)?;
    // Warnings come from Puppet's lexer.
    if !tree.warnings.is_empty() {
        return Err(Reason::Warnings);
    }
    let locator = locator(ruby, text, string, file)?;
    let nil_hash = hash_of(ruby.qnil().as_value()).ok_or(Reason::Other)?;
    let mut builder = Builder { ruby, text, locator, definitions: ruby.ary_new(), nil_hash, heredoc: None };
    let body = match tree.statements.as_slice() {
        [] => {
            let end = u32::try_from(text.len()).map_err(|_| Reason::Limit)?;
            builder.node(ModelClass::Nop, ModelPlace::new(end, end), &[])?
        }
        [only] => builder.statement(only)?,
        several => {
            let (list, first, last) = builder.placed_statements(several)?;
            let place = ModelPlace::new(first.offset, last.end);
            let statements = builder.list(list)?;
            builder.node(ModelClass::BlockExpression, place, &[(&STATEMENTS, statements)])?
        }
    };
    let definitions = builder.list(builder.definitions)?;
    let hash = hash_of(locator).ok_or(Reason::Other)?;
    let hash = BASE_HASH ^ body.hash ^ definitions.hash ^ hash;
    let program = allocate(
        class(ruby, ModelClass::Program)?,
        &[
            (&HASH, hash.into_value_with(ruby)),
            (&BODY, body.value),
            (&DEFINITIONS, definitions.value),
            (&LOCATOR, locator),
        ],
    );
    factory(ruby, program, body.value, definitions.value, locator)
}

/// Returns the factory of a program, in its state after it has built the model.
fn factory(
    ruby: &Ruby,
    program: Value,
    body: Value,
    definitions: Value,
    locator: Value,
) -> ModelResult<Value> {
    let init: RHash = ruby.hash_new();
    for (name, value) in [("body", body), ("definitions", definitions), ("locator", locator)] {
        init.aset(ruby.str_new(name), value).map_err(|_| Reason::Other)?;
    }
    let model_class = class(ruby, ModelClass::Program)?.as_value();
    Ok(allocate(
        class(ruby, ModelClass::Factory)?,
        &[(&INIT_HASH, init.as_value()), (&MODEL_CLASS, model_class), (&CURRENT, program)],
    ))
}

/// Puppet's locator for a text, given where the lines start.
fn locator(ruby: &Ruby, text: &str, string: Value, file: Value) -> ModelResult<Value> {
    let lines: RArray = ruby.ary_new();
    let starts =
        std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1));
    for start in starts {
        lines.push(start).map_err(|_| Reason::Other)?;
    }
    lines.freeze();
    let locator = classes::locator(ruby)?;
    locator.funcall("locator", (string, file, lines)).map_err(|_| Reason::Other)
}

impl<'s> Builder<'_, 's> {
    /// Builds a new object of the model.
    fn node(
        &self,
        of: ModelClass,
        place: ModelPlace,
        attributes: &[(&InstanceVariable, ModelAttribute)],
    ) -> ModelResult<ModelNode> {
        const MOST: usize = 12;
        let ruby = self.ruby;
        let mut hash = BASE_HASH;
        let nil = ruby.qnil().as_value();
        let mut variables = [(&HASH, nil); MOST];
        for (slot, (variable, attribute)) in variables.iter_mut().skip(4).zip(attributes) {
            hash ^= attribute.hash;
            *slot = (variable, attribute.value);
        }
        let located = self.located(place);
        let length = located.end.saturating_sub(located.offset);
        let fixed = [
            (&HASH, hash.into_value_with(ruby)),
            (&LOCATOR, self.locator),
            (&OFFSET, located.offset.into_value_with(ruby)),
            (&LENGTH, length.into_value_with(ruby)),
        ];
        for (slot, variable) in variables.iter_mut().zip(fixed) {
            *slot = variable;
        }
        let variables = variables.get(..attributes.len() + 4).ok_or(Reason::Other)?;
        Ok(ModelNode { value: allocate(class(ruby, of)?, variables), place, hash })
    }

    fn nil(&self) -> ModelAttribute {
        ModelAttribute { value: self.ruby.qnil().as_value(), hash: self.nil_hash }
    }

    fn optional(&self, node: Option<ModelNode>) -> ModelAttribute {
        node.map_or_else(|| self.nil(), ModelAttribute::from)
    }

    /// Any object, with the hash that Ruby gives it.
    fn object(&self, value: Value) -> ModelResult<ModelAttribute> {
        hash_of(value).map(|hash| ModelAttribute { value, hash }).ok_or(Reason::Other)
    }

    fn boolean(&self, truth: bool) -> ModelResult<ModelAttribute> {
        self.object(truth.into_value_with(self.ruby))
    }

    /// Returns a frozen string, as Puppet's lexer creates for a token.
    fn string(&self, text: &str) -> ModelResult<ModelAttribute> {
        let string = self.ruby.str_new(text);
        string.freeze();
        self.object(string.as_value())
    }

    /// Returns a string that functions can change, as Puppet's lexer puts it together.
    fn joined(&self, text: &str) -> ModelResult<ModelAttribute> {
        self.object(self.ruby.str_new(text).as_value())
    }

    /// Returns a string in US-ASCII, the encoding of the empty string that Ruby's `join` returns.
    fn ascii(&self, text: &str) -> ModelResult<ModelAttribute> {
        self.object(self.ruby.enc_str_new(text, self.ruby.usascii_encindex()).as_value())
    }

    fn list(&self, items: RArray) -> ModelResult<ModelAttribute> {
        self.object(items.as_value())
    }

    fn push(&self, list: RArray, node: ModelNode) -> ModelResult<()> {
        list.push(node.value).map_err(|_| Reason::Other)
    }

    fn nodes(&mut self, exprs: &[Expr<'s>]) -> ModelResult<RArray> {
        let list = self.ruby.ary_new_capa(exprs.len());
        for expr in exprs {
            let node = self.expr(expr)?;
            self.push(list, node)?;
        }
        Ok(list)
    }

    /// Statements, with the places of the first and the last.
    fn placed_statements(
        &mut self,
        statements: &[Expr<'s>],
    ) -> ModelResult<(RArray, ModelPlace, ModelPlace)> {
        let list = self.ruby.ary_new_capa(statements.len());
        let mut places: Option<(ModelPlace, ModelPlace)> = None;
        for statement in statements {
            let node = self.statement(statement)?;
            self.push(list, node)?;
            places = Some((places.map_or(node.place, |(first, _)| first), node.place));
        }
        let (first, last) = places.ok_or(Reason::Other)?;
        Ok((list, first, last))
    }

    /// Returns the body of a conditional's branch: nothing, an expression, or a block with the braces' place.
    fn branch(&mut self, block: &Block<'s>) -> ModelResult<Option<ModelNode>> {
        match block.statements.as_slice() {
            [] => Ok(None),
            [only] => self.statement(only).map(Some),
            several => self.block(several, block.span.into()).map(Some),
        }
    }

    /// Several statements.
    fn block(&mut self, statements: &[Expr<'s>], place: ModelPlace) -> ModelResult<ModelNode> {
        let (list, ..) = self.placed_statements(statements)?;
        let statements = self.list(list)?;
        self.node(ModelClass::BlockExpression, place, &[(&STATEMENTS, statements)])
    }

    /// Returns the body of a definition or a lambda: always a block, at the place of its container.
    fn body(&mut self, statements: &[Expr<'s>], container: ModelPlace) -> ModelResult<Option<ModelNode>> {
        if statements.is_empty() {
            return Ok(None);
        }
        self.block(statements, container.inside()).map(Some)
    }

    /// Returns the byte before a place, without the space between.
    fn before(&self, at: u32) -> Option<u32> {
        let text = self.text.as_bytes().get(..at as usize)?;
        let found = text.iter().rposition(|byte| !byte.is_ascii_whitespace())?;
        u32::try_from(found).ok()
    }

    fn is_at(&self, at: u32, text: &str) -> bool {
        self.text.as_bytes().get(at as usize..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }
}
