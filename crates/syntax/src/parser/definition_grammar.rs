//! Definitions, and their parameters.
//!
//! See Puppet's `pops/parser/egrammar.ra`.

use std::borrow::Cow;

use super::Parser;
use super::expression::Precedence;
use super::list::ListKind;
use crate::ast::{
    Access, Apply, BinaryOp, ClassDefinition, DefinedType, Expr, ExprKind, FunctionDefinition,
    NodeDefinition, Parameter, TypeAlias, TypeDefinition, TypeMapping,
};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::source::Span;

/// Whether the last parameter may be the block of the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockParameter {
    Allowed,
    Refused,
}

impl<'s> Parser<'s> {
    /// Parses a function whose keyword has been read.
    pub(super) fn function(&mut self, start: Span) -> Result<Expr<'s>, Error> {
        let name = Cow::Borrowed(self.name()?);
        let parameters = self.optional_parameters(BlockParameter::Allowed)?;
        let return_type = self.return_type()?;
        let body = self.block()?;
        let span = start.to(body.span);
        let function = FunctionDefinition { name, parameters, return_type, body };
        Ok(Expr { kind: ExprKind::Function(Box::new(function)), span })
    }

    pub(super) fn plan(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let name = self.name()?;
        self.namespace.push(name);
        let parameters = self.optional_parameters(BlockParameter::Refused)?;
        let body = self.block()?;
        self.namespace.pop();
        let span = start.to(body.span);
        let plan = FunctionDefinition { name: self.qualified(name)?, parameters, return_type: None, body };
        Ok(Expr { kind: ExprKind::Plan(Box::new(plan)), span })
    }

    pub(super) fn apply(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        self.expect(&TokenKind::LeftParen)?;
        if self.token.kind == TokenKind::RightParen {
            return Err(self.unexpected());
        }
        let arguments = self.list(ListKind::Arguments, &TokenKind::RightParen, true)?;
        self.expect(&TokenKind::RightParen)?;
        let body = self.block()?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Apply(Box::new(Apply { arguments, body })), span })
    }

    /// Parses `class name { }`, or resources of classes: `class { 'name': }`.
    pub(super) fn class(&mut self, level: Precedence) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        if self.is_at(&TokenKind::LeftBrace) && level <= Precedence::Resource {
            return self.class_resource(start);
        }
        let name = self.name()?;
        self.namespace.push(name);
        let parameters = self.optional_parameters(BlockParameter::Refused)?;
        let mut parent = None;
        if self.accept(&TokenKind::Keyword(Keyword::Inherits))? {
            parent = Some(if self.token.kind == TokenKind::Keyword(Keyword::Default) {
                self.advance()?;
                "default"
            } else {
                self.name()?
            });
        }
        let body = self.block()?;
        self.namespace.pop();
        let span = start.to(body.span);
        let class = ClassDefinition { name: self.qualified(name)?, parameters, parent, body };
        Ok(Expr { kind: ExprKind::Class(Box::new(class)), span })
    }

    /// Parses `define name(parameters) { }`.
    pub(super) fn resource_type(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let name = self.name()?;
        let parameters = self.optional_parameters(BlockParameter::Refused)?;
        let body = self.block()?;
        let span = start.to(body.span);
        let resource_type = DefinedType { name: self.qualified(name)?, parameters, body };
        Ok(Expr { kind: ExprKind::ResourceType(Box::new(resource_type)), span })
    }

    pub(super) fn node(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let mut matches = vec![self.host_name()?];
        while self.accept(&TokenKind::Comma)?
            && !matches!(self.token.kind, TokenKind::LeftBrace | TokenKind::Keyword(Keyword::Inherits))
        {
            matches.push(self.host_name()?);
        }
        let mut parent = None;
        if self.accept(&TokenKind::Keyword(Keyword::Inherits))? {
            parent = Some(self.host_name()?);
        }
        let body = self.block()?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Node(Box::new(NodeDefinition { matches, parent, body })), span })
    }

    /// Parses a string, a regular expression, `default` or `name.of.a.host`.
    fn host_name(&mut self) -> Result<Expr<'s>, Error> {
        match self.token.kind {
            TokenKind::Name(_) | TokenKind::Integer(_) | TokenKind::Float(_) => {}
            TokenKind::Word(_)
            | TokenKind::String(_)
            | TokenKind::StringStart(_)
            | TokenKind::Heredoc(_)
            | TokenKind::Regexp(_)
            | TokenKind::Keyword(Keyword::Default) => return self.operand(Precedence::Not),
            _ => return Err(self.unexpected()),
        }
        let mut span = self.advance()?;
        let mut name = Cow::Borrowed(span.text(self.lexer.source()));
        while self.accept(&TokenKind::Dot)? {
            if !matches!(self.token.kind, TokenKind::Name(_) | TokenKind::Integer(_) | TokenKind::Float(_)) {
                return Err(self.unexpected());
            }
            let segment = self.advance()?;
            span = span.to(segment);
            let name = name.to_mut();
            name.push('.');
            name.push_str(segment.text(self.lexer.source()));
        }
        Ok(Expr { kind: ExprKind::String(name), span })
    }

    /// Parses the rest of an expression that starts with the keyword `type`.
    pub(super) fn type_expression(&mut self, start: Span) -> Result<Expr<'s>, Error> {
        let name = match self.token.kind {
            TokenKind::Reference(name) => name,
            TokenKind::LeftParen => return self.call(Expr { kind: ExprKind::Name("type"), span: start }),
            _ => return Err(self.unexpected()),
        };
        let reference = self.reference()?;
        match self.token.kind {
            TokenKind::LeftBrace | TokenKind::Keyword(Keyword::Inherits) => {
                return self.type_definition(name, start);
            }
            TokenKind::LeftBracket => {
                let type_expr = self.access(reference, false)?;
                self.expect(&TokenKind::Operator(BinaryOp::Assign))?;
                let value = self.type_value()?;
                let span = start.to(value.span);
                let mapping = TypeMapping { type_expr, value };
                return Ok(Expr { kind: ExprKind::TypeMapping(Box::new(mapping)), span });
            }
            _ => {}
        }
        let name_span = reference.span;
        self.expect(&TokenKind::Operator(BinaryOp::Assign))?;
        let value = self.type_value()?;
        let span = start.to(value.span);
        Ok(Expr { kind: ExprKind::TypeAlias(Box::new(TypeAlias { name, name_span, value })), span })
    }

    /// Parses the type that an alias stands for.
    fn type_value(&mut self) -> Result<Expr<'s>, Error> {
        // `Object[...]` around a hash is a level that nobody writes.
        self.deeper(Self::type_or_hash)
    }

    fn type_or_hash(&mut self) -> Result<Expr<'s>, Error> {
        match self.token.kind {
            TokenKind::LeftBrace => self.hash().map(object),
            TokenKind::LeftBracket | TokenKind::ListStart => self.array(),
            _ => {
                let reference = self.reference()?;
                match self.token.kind {
                    TokenKind::LeftBracket => self.access(reference, true),
                    TokenKind::LeftBrace => self.hash().map(|hash| derived(reference, hash)),
                    _ => Ok(reference),
                }
            }
        }
    }

    fn type_definition(&mut self, name: &'s str, start: Span) -> Result<Expr<'s>, Error> {
        let mut parent = None;
        if self.accept(&TokenKind::Keyword(Keyword::Inherits))? {
            let TokenKind::Reference(name) = self.token.kind else { return Err(self.unexpected()) };
            self.advance()?;
            parent = Some(name);
        }
        let (body, end) = self.type_body()?;
        let span = start.to(end);
        let definition = TypeDefinition { name, parent, body };
        Ok(Expr { kind: ExprKind::TypeDefinition(Box::new(definition)), span })
    }

    fn reference(&mut self) -> Result<Expr<'s>, Error> {
        let TokenKind::Reference(name) = self.token.kind else { return Err(self.unexpected()) };
        let span = self.advance()?;
        Ok(Expr { kind: ExprKind::Reference(name), span })
    }

    /// Parses `Name` or `Name[keys]`.
    pub(super) fn simple_type(&mut self) -> Result<Expr<'s>, Error> {
        let reference = self.reference()?;
        if self.token.kind == TokenKind::LeftBracket { self.access(reference, false) } else { Ok(reference) }
    }

    /// Parses `>> Type`, if it comes next.
    pub(super) fn return_type(&mut self) -> Result<Option<Expr<'s>>, Error> {
        if self.accept(&TokenKind::Operator(BinaryOp::ShiftRight))? {
            self.simple_type().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Parameters in parentheses, if they come next.
    fn optional_parameters(&mut self, block: BlockParameter) -> Result<Vec<Parameter<'s>>, Error> {
        if matches!(self.token.kind, TokenKind::LeftParen | TokenKind::GroupStart) {
            self.advance()?;
            self.parameters(&TokenKind::RightParen, block)
        } else {
            Ok(Vec::new())
        }
    }

    /// Parameters up to and with `end`.
    pub(super) fn parameters(
        &mut self,
        end: &TokenKind<'s>,
        block: BlockParameter,
    ) -> Result<Vec<Parameter<'s>>, Error> {
        let start = self.token.span;
        let mut parameters = Vec::new();
        while self.token.kind != *end {
            let depth = self.depth;
            let mut is_last = false;
            match self.parameter(block) {
                Ok(parameter) => {
                    is_last = parameter.is_block;
                    parameters.push(parameter);
                }
                Err(error) => {
                    self.note(error)?;
                    self.depth = depth;
                    self.skip_parameter(end)?;
                }
            }
            if is_last || !self.accept(&TokenKind::Comma)? {
                break;
            }
        }
        self.closing(start, end)?;
        parameters.shrink_to_fit();
        Ok(parameters)
    }

    fn parameter(&mut self, block: BlockParameter) -> Result<Parameter<'s>, Error> {
        let type_expr = match self.token.kind {
            TokenKind::Reference(_) => Some(self.simple_type()?),
            _ => None,
        };
        let captures_rest = self.accept(&TokenKind::Operator(BinaryOp::Multiply))?;
        let is_block = block == BlockParameter::Allowed && !captures_rest && self.is_at_ampersand();
        if is_block {
            self.advance()?;
        }
        let TokenKind::Variable(name) = self.token.kind else { return Err(self.unexpected()) };
        let span = self.advance()?;
        let default = if !is_block && self.accept(&TokenKind::Operator(BinaryOp::Assign))? {
            Some(self.expression(Precedence::EXPRESSION)?)
        } else {
            None
        };
        Ok(Parameter { name, type_expr, captures_rest, is_block, default, span })
    }

    /// Skips the rest of a parameter that is not understood.
    #[cold]
    fn skip_parameter(&mut self, end: &TokenKind<'s>) -> Result<(), Error> {
        while self.token.kind != *end
            && !matches!(
                self.token.kind,
                TokenKind::Comma | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::End
            )
        {
            self.advance()?;
        }
        Ok(())
    }

    fn is_at_ampersand(&self) -> bool {
        self.token.kind == TokenKind::Other && self.token.span.text(self.lexer.source()) == "&"
    }

    /// Parses the name of a definition.
    fn name(&mut self) -> Result<&'s str, Error> {
        let name = match self.token.kind {
            TokenKind::Name(name) | TokenKind::Word(name) | TokenKind::Reference(name) => name,
            TokenKind::Keyword(Keyword::Class) => {
                return Err(self.error(self.token.span, "'class' keyword not allowed at this location"));
            }
            TokenKind::String(_) => {
                return Err(self.error(self.token.span, "A quoted string is not valid as a name here"));
            }
            _ => return Err(self.unexpected()),
        };
        self.advance()?;
        Ok(name)
    }

    /// Returns a name qualified with the names of the enclosing classes and plans.
    fn qualified(&self, name: &'s str) -> Result<Cow<'s, str>, Error> {
        if self.namespace.is_empty() {
            return Ok(Cow::Borrowed(name));
        }
        let length: usize = self.namespace.iter().map(|outer| outer.len() + 2).sum();
        if length + name.len() > LONGEST_NAME {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the name of a class in classes is longer than {LONGEST_NAME} characters"),
            ));
        }
        let namespace = self.namespace.join("::");
        Ok(Cow::Owned(format!("{}::{name}", namespace.strip_prefix("::").unwrap_or(&namespace))))
    }
}

/// Maximum length of a nested class's name. Each nested class has the names of all enclosing ones in its name, so many
/// classes within one with a long name could take unlimited memory.
const LONGEST_NAME: usize = 1_024;

/// `Object[{...}]` for `{...}`.
fn object(hash: Expr<'_>) -> Expr<'_> {
    let span = hash.span;
    let operand = Expr { kind: ExprKind::Reference("Object"), span };
    Expr { kind: ExprKind::Access(Box::new(Access { operand, keys: vec![hash] })), span }
}

/// `Object[{..., parent => Parent}]` for `Parent {...}`. `Object` and `TypeSet` are no parents.
fn derived<'s>(parent: Expr<'s>, mut hash: Expr<'s>) -> Expr<'s> {
    let span = parent.span.to(hash.span);
    if matches!(parent.kind, ExprKind::Reference("Object" | "TypeSet")) {
        return Expr { kind: ExprKind::Access(Box::new(Access { operand: parent, keys: vec![hash] })), span };
    }
    if let ExprKind::Hash(entries) = &mut hash.kind {
        let arrow = parent.span.start;
        let key = Expr { kind: ExprKind::Name("parent"), span: parent.span };
        entries.push(crate::ast::KeyedEntry { key, value: parent, arrow });
    }
    Expr { span, ..object(hash) }
}
