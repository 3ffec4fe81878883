//! The members of types that are defined as in Puppet's ARM-7. Their words are keywords only there.

use super::Parser;
use super::expression::Precedence;
use crate::ast::{Expr, ExprKind, Feature, FeatureSetting, Invariant, SettingValue, TypeBody, TypeMember};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

impl<'s> Parser<'s> {
    /// Parses the body of a type definition and returns it with its span. A body that starts with a keyword of members
    /// has members; Puppet knows no others.
    pub(super) fn type_body(&mut self) -> Result<(TypeBody<'s>, Span), Error> {
        let start = self.expect(&TokenKind::LeftBrace)?;
        if !self.at_member() {
            let statements = self.statements()?;
            let span = start.to(self.closing(start, &TokenKind::RightBrace)?);
            return Ok((TypeBody::Statements(crate::ast::Block { statements, span }), span));
        }
        let mut members = Vec::new();
        while self.at_member() {
            members.push(self.member()?);
        }
        let end = self.closing(start, &TokenKind::RightBrace)?;
        Ok((TypeBody::Members(members), end))
    }

    fn at_member(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Keyword(Keyword::Attr) | TokenKind::Name("has" | "invariant" | "abstract")
        )
    }

    fn member(&mut self) -> Result<TypeMember<'s>, Error> {
        let word = self.token.span.text(self.lexer.source());
        let start = self.advance()?;
        Ok(match word {
            "attr" => TypeMember::Attribute(self.feature(start)?),
            "has" => TypeMember::Reference(self.feature(start)?),
            "invariant" => TypeMember::Invariant(self.invariant(start)?),
            _ => TypeMember::Abstract(start),
        })
    }

    fn feature(&mut self, start: Span) -> Result<Feature<'s>, Error> {
        let (name, name_span) = self.member_name()?;
        let mut span = start.to(name_span);
        let mut type_expr = None;
        if self.accept(&TokenKind::Comma)? {
            let t = self.feature_type()?;
            span = span.to(t.span);
            type_expr = Some(t);
        }
        let mut settings = Vec::new();
        if self.accept(&TokenKind::LeftBrace)? {
            while self.token.kind != TokenKind::RightBrace {
                settings.push(self.setting()?);
                if !self.accept(&TokenKind::Comma)? {
                    break;
                }
            }
            span = span.to(self.expect(&TokenKind::RightBrace)?);
        }
        Ok(Feature { name, name_span, type_expr, settings, span })
    }

    /// Parses a type, or `enum[a, b]`.
    fn feature_type(&mut self) -> Result<Expr<'s>, Error> {
        let TokenKind::Name("enum") = self.token.kind else { return self.simple_type() };
        let span = self.advance()?;
        self.expect_here(&TokenKind::LeftBracket)?;
        self.access(Expr { kind: ExprKind::Name("enum"), span }, true)
    }

    fn setting(&mut self) -> Result<FeatureSetting<'s>, Error> {
        let (name, name_span) = self.member_name()?;
        self.expect(&TokenKind::FatArrow)?;
        let value = match self.condition()? {
            Some(condition) => condition,
            None => SettingValue::Expr(self.expression(Precedence::EXPRESSION)?),
        };
        Ok(FeatureSetting { name, name_span, value })
    }

    fn invariant(&mut self, start: Span) -> Result<Invariant<'s>, Error> {
        let message = match self.token.kind {
            TokenKind::LeftBrace | TokenKind::Pipe => None,
            _ => Some(self.expression(Precedence::EXPRESSION)?),
        };
        let Some(condition) = self.condition()? else { return Err(self.unexpected()) };
        let end = match &condition {
            SettingValue::Expr(expr) => expr.span,
            SettingValue::Block(block) => block.span,
            SettingValue::Lambda(lambda) => lambda.span,
        };
        Ok(Invariant { message, condition, span: start.to(end) })
    }

    /// Parses a block or a lambda, if it comes next.
    fn condition(&mut self) -> Result<Option<SettingValue<'s>>, Error> {
        if let Some(lambda) = self.optional_lambda()? {
            return Ok(Some(SettingValue::Lambda(lambda)));
        }
        if self.token.kind == TokenKind::LeftBrace {
            return self.block().map(|block| Some(SettingValue::Block(block)));
        }
        Ok(None)
    }

    /// Parses the name of a feature or a setting, which may be a keyword elsewhere.
    fn member_name(&mut self) -> Result<(&'s str, Span), Error> {
        if !matches!(self.token.kind, TokenKind::Name(_) | TokenKind::Word(_) | TokenKind::Keyword(_)) {
            return Err(self.unexpected());
        }
        let name = self.token.span.text(self.lexer.source());
        Ok((name, self.advance()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use puppetfn_base::limits::Limits;

    fn members(text: &str) -> Vec<TypeMember<'_>> {
        let mut program = parse(text, &Limits::DEFAULT).unwrap();
        match program.statements.pop().unwrap().kind {
            ExprKind::TypeDefinition(definition) => match definition.body {
                TypeBody::Members(members) => members,
                TypeBody::Statements(block) => panic!("{block:?}"),
            },
            kind => panic!("{kind:?}"),
        }
    }

    #[test]
    fn types_have_members() {
        let members = members(
            "type A::B inherits C {\n  abstract\n  attr x, enum[a, b] { default => a, min => 1, }\n  \
             has default, D\n  attr foo { check => $it != '', set => |$v| { $v }, get => { 1 } }\n  \
             invariant \"no ${x}\" { $x == a }\n  invariant |$o| { true }\n}",
        );
        let shown: Vec<String> = members
            .iter()
            .map(|member| match member {
                TypeMember::Attribute(f) => {
                    format!("attr {} {} {}", f.name, f.type_expr.is_some(), f.settings.len())
                }
                TypeMember::Reference(f) => format!("has {} {}", f.name, f.type_expr.is_some()),
                TypeMember::Invariant(i) => format!("invariant {}", i.message.is_some()),
                TypeMember::Abstract(_) => "abstract".to_owned(),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "abstract",
                "attr x true 2",
                "has default true",
                "attr foo false 3",
                "invariant true",
                "invariant false"
            ]
        );
    }

    #[test]
    fn what_is_no_member_is_an_error() {
        let error = |text| parse(text, &Limits::DEFAULT).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error("type A { attr 1 }"), "Syntax error at '1' (line: 1, column: 15)");
        assert_eq!(error("type A { abstract x }"), "Syntax error at 'x' (line: 1, column: 19)");
        assert_eq!(error("type A { invariant 'x' }"), "Syntax error at '}' (line: 1, column: 24)");
        assert_eq!(error("type A { attr a, b }"), "Syntax error at 'b' (line: 1, column: 18)");
    }
}
