//! Operands and the operators between them.

use std::borrow::Cow;
use std::mem;

use super::Parser;
use crate::ast::{BinaryExpr, BinaryOp, Expr, ExprKind, OperatorFamily, UnaryOp};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;

impl<'s> Parser<'s> {
    /// Parses an expression whose operators bind at least as tightly as `level`.
    pub(super) fn expression(&mut self, level: Precedence) -> Result<Expr<'s>, Error> {
        self.deeper(|parser| {
            let operand = parser.operand(level)?;
            parser.operations(operand, level)
        })
    }

    /// Parses the operators after an operand that bind at least as tightly as `level`.
    pub(super) fn operations(&mut self, operand: Expr<'s>, level: Precedence) -> Result<Expr<'s>, Error> {
        let depth = self.depth;
        let mut left = operand;
        loop {
            left = match self.token.kind {
                TokenKind::LeftBracket if is_operand(&left) => self.access(left, true)?,
                TokenKind::LeftParen if is_operand(&left) => self.call(left)?,
                TokenKind::Dot if is_operand(&left) => self.method(left)?,
                TokenKind::CollectStart { exported } if is_operand(&left) => {
                    self.collector(left, exported)?
                }
                TokenKind::Question if level <= Precedence::Selector && is_operand(&left) => {
                    self.selector(left)?
                }
                TokenKind::LeftBrace if level <= Precedence::Resource => self.resource(left)?,
                TokenKind::Operator(op) => {
                    let own = Precedence::of(op);
                    if own < level || own > Precedence::Resource && !is_operand(&left) {
                        break;
                    }
                    self.binary(left, op, own)?
                }
                _ => break,
            };
            // A chain makes a deep tree as nesting does.
            self.depth = self.level_down()?;
        }
        self.depth = depth;
        Ok(left)
    }

    fn binary(&mut self, left: Expr<'s>, op: BinaryOp, level: Precedence) -> Result<Expr<'s>, Error> {
        let at = self.advance()?.start;
        // Assignments associate to the right, all others to the left.
        let right = self.expression(if level == Precedence::Assignment { level } else { level.tighter() })?;
        let span = left.span.to(right.span);
        Ok(Expr { kind: ExprKind::Binary(Box::new(BinaryExpr { op, at, left, right })), span })
    }

    /// Parses an operand with its prefix operators.
    pub(super) fn operand(&mut self, level: Precedence) -> Result<Expr<'s>, Error> {
        let span = self.token.span;
        let kind = match mem::replace(&mut self.token.kind, TokenKind::End) {
            TokenKind::Name(name) => ExprKind::Name(name),
            TokenKind::Reference(name) => ExprKind::Reference(name),
            TokenKind::Variable(name) => ExprKind::Variable(name),
            TokenKind::String(text) => ExprKind::String(text),
            TokenKind::Word(word) => ExprKind::String(Cow::Borrowed(word)),
            TokenKind::Integer(number) => ExprKind::Integer(number),
            TokenKind::Float(number) => ExprKind::Float(number),
            TokenKind::Regexp(source) => ExprKind::Regexp(source),
            TokenKind::RenderText(text) => ExprKind::RenderText(text),
            TokenKind::StringStart(text) => return self.interpolation(text),
            TokenKind::Heredoc(tag) => return self.heredoc(*tag),
            TokenKind::LeftBracket | TokenKind::ListStart => return self.array(),
            TokenKind::LeftBrace => return self.hash(),
            TokenKind::LeftParen | TokenKind::GroupStart => {
                self.advance()?;
                let inner = self.expression(Precedence::Assignment)?;
                return self.close(span, &TokenKind::RightParen, ExprKind::Paren(Box::new(inner)));
            }
            TokenKind::Operator(BinaryOp::Subtract) => return self.unary(UnaryOp::Minus, Precedence::Minus),
            TokenKind::Operator(BinaryOp::Multiply) => return self.unary(UnaryOp::Splat, Precedence::Splat),
            TokenKind::Not => return self.unary(UnaryOp::Not, Precedence::Not),
            TokenKind::At if level <= Precedence::Resource => return self.virtual_resource(),
            TokenKind::AtAt if level <= Precedence::Resource => return self.exported_resource(),
            TokenKind::RenderStart => return self.render(),
            TokenKind::Keyword(keyword) => return self.keyword(keyword, level),
            kind => {
                self.token.kind = kind;
                return self.missing();
            }
        };
        self.advance()?;
        Ok(Expr { kind, span })
    }

    /// Parses an expression that starts with a keyword.
    fn keyword(&mut self, keyword: Keyword, level: Precedence) -> Result<Expr<'s>, Error> {
        self.token.kind = TokenKind::Keyword(keyword);
        let kind = match keyword {
            Keyword::Undef => ExprKind::Undef,
            Keyword::Default => ExprKind::Default,
            Keyword::True => ExprKind::Boolean(true),
            Keyword::False => ExprKind::Boolean(false),
            Keyword::Attr | Keyword::Private => ExprKind::Reserved(self.token.span.text(self.lexer.source())),
            Keyword::If => return self.if_expression(),
            Keyword::Unless => return self.unless_expression(),
            Keyword::Case => return self.case_expression(),
            Keyword::Class => return self.class(level),
            Keyword::Define => return self.resource_type(),
            Keyword::Node => return self.node(),
            Keyword::Plan => return self.plan(),
            Keyword::Apply => return self.apply(),
            Keyword::Function => {
                let start = self.advance()?;
                return self.function(start);
            }
            Keyword::Type => {
                let start = self.advance()?;
                return self.type_expression(start);
            }
            Keyword::Elsif | Keyword::Else | Keyword::Inherits => return Err(self.unexpected()),
        };
        let span = self.advance()?;
        Ok(Expr { kind, span })
    }

    fn unary(&mut self, op: UnaryOp, level: Precedence) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let operand = self.expression(level)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }
}

/// Returns true if an expression can be an operand: one that is assigned, related or declares resources
/// cannot, without parentheses.
pub(super) fn is_operand(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Binary(binary) => Precedence::of(binary.op) > Precedence::Resource,
        // The call that `name { a => 1 }` is parsed as.
        ExprKind::Call(call) => !call.is_statement,
        ExprKind::Block(_)
        | ExprKind::Resource(_)
        | ExprKind::ResourceDefaults(_)
        | ExprKind::ResourceOverride(_) => false,
        _ => true,
    }
}

/// Returns true if a statement can start with a token.
pub(super) fn can_start_operand(token: &TokenKind<'_>) -> bool {
    match token {
        TokenKind::Name(_)
        | TokenKind::Reference(_)
        | TokenKind::Variable(_)
        | TokenKind::String(_)
        | TokenKind::Word(_)
        | TokenKind::Integer(_)
        | TokenKind::Float(_)
        | TokenKind::Regexp(_)
        | TokenKind::RenderText(_)
        | TokenKind::StringStart(_)
        | TokenKind::Heredoc(_)
        | TokenKind::LeftBracket
        | TokenKind::ListStart
        | TokenKind::LeftBrace
        | TokenKind::LeftParen
        | TokenKind::GroupStart
        | TokenKind::Operator(BinaryOp::Subtract | BinaryOp::Multiply)
        | TokenKind::Not
        | TokenKind::At
        | TokenKind::AtAt
        | TokenKind::RenderStart => true,
        TokenKind::Keyword(keyword) => !matches!(keyword, Keyword::Elsif | Keyword::Else | Keyword::Inherits),
        _ => false,
    }
}

/// Precedence of operators, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    Assignment,
    Relationship,
    Resource,
    Or,
    And,
    Selector,
    Comparison,
    Equality,
    Shift,
    Sum,
    Product,
    Match,
    In,
    Minus,
    Splat,
    Not,
}

impl Precedence {
    /// The level of expressions that cannot be assignments, relationships or resources without parentheses.
    pub const EXPRESSION: Self = Self::Or;

    fn tighter(self) -> Self {
        match self {
            Self::Assignment => Self::Relationship,
            Self::Relationship => Self::Resource,
            Self::Resource => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Selector,
            Self::Selector => Self::Comparison,
            Self::Comparison => Self::Equality,
            Self::Equality => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Match,
            Self::Match => Self::In,
            Self::In => Self::Minus,
            Self::Minus => Self::Splat,
            Self::Splat | Self::Not => Self::Not,
        }
    }

    fn of(op: BinaryOp) -> Self {
        match op.family() {
            OperatorFamily::Assignment => Self::Assignment,
            OperatorFamily::Relationship => Self::Relationship,
            OperatorFamily::Logical if op == BinaryOp::Or => Self::Or,
            OperatorFamily::Logical => Self::And,
            OperatorFamily::Comparison => Self::Comparison,
            OperatorFamily::Equality => Self::Equality,
            OperatorFamily::Shift => Self::Shift,
            OperatorFamily::Sum => Self::Sum,
            OperatorFamily::Product => Self::Product,
            OperatorFamily::Match => Self::Match,
            OperatorFamily::In => Self::In,
        }
    }
}
