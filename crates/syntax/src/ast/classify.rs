//! Predicates and families of expressions and operators.

use super::{BinaryOp, Block, Expr, ExprKind, Lambda, Parameter};

/// Family of operators that are evaluated alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorFamily {
    /// `=`, `+=` and `-=`.
    Assignment,
    /// `->`, `~>`, `<-` and `<~`.
    Relationship,
    /// `and` and `or`.
    Logical,
    /// `<`, `<=`, `>` and `>=`.
    Comparison,
    /// `==` and `!=`.
    Equality,
    /// `<<` and `>>`.
    Shift,
    /// `+` and `-`.
    Sum,
    /// `*`, `/` and `%`.
    Product,
    /// `=~` and `!~`.
    Match,
    /// `in`.
    In,
}

impl BinaryOp {
    /// Returns the family of the operator.
    pub const fn family(self) -> OperatorFamily {
        match self {
            Self::Assign | Self::Append | Self::Delete => OperatorFamily::Assignment,
            Self::Before | Self::Notify | Self::After | Self::Subscribe => OperatorFamily::Relationship,
            Self::Or | Self::And => OperatorFamily::Logical,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => {
                OperatorFamily::Comparison
            }
            Self::Equal | Self::NotEqual => OperatorFamily::Equality,
            Self::ShiftLeft | Self::ShiftRight => OperatorFamily::Shift,
            Self::Add | Self::Subtract => OperatorFamily::Sum,
            Self::Multiply | Self::Divide | Self::Modulo => OperatorFamily::Product,
            Self::Match | Self::NotMatch => OperatorFamily::Match,
            Self::In => OperatorFamily::In,
        }
    }

    /// Returns true for `=`, `+=` and `-=`.
    pub const fn is_assignment(self) -> bool {
        matches!(self.family(), OperatorFamily::Assignment)
    }
}

impl<'s> ExprKind<'s> {
    /// Returns true for a function, plan, type, class, defined type or node.
    pub fn is_definition(&self) -> bool {
        matches!(self, Self::TypeAlias(_) | Self::TypeMapping(_) | Self::TypeDefinition(_))
            || self.body().is_some()
    }

    /// Returns true unless the expression is one whose value Puppet refuses to use.
    pub fn produces_value(&self) -> bool {
        !self.is_definition() && !matches!(self, Self::Collector(_))
    }

    /// Returns true for a constant with a notation of its own: undef, a boolean, a number, a string without
    /// interpolation or a regular expression.
    pub fn is_literal(&self) -> bool {
        matches!(
            self,
            Self::Undef
                | Self::Boolean(_)
                | Self::Integer(_)
                | Self::Float(_)
                | Self::String(_)
                | Self::Regexp(_)
        )
    }

    /// Returns the string that the expression always is: a bare word, or a string without interpolation.
    pub fn as_constant_string(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else if let Self::Name(name) = self {
            Some(name)
        } else {
            None
        }
    }

    /// Returns the code of a definition that has a scope of its own: of a function, plan, class, defined type or node.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other expression has a scope of its own")]
    pub fn body(&self) -> Option<&Block<'s>> {
        match self {
            Self::Function(function) | Self::Plan(function) => Some(&function.body),
            Self::Class(class) => Some(&class.body),
            Self::ResourceType(resource_type) => Some(&resource_type.body),
            Self::Node(node) => Some(&node.body),
            _ => None,
        }
    }

    /// Returns the parameters of a function, plan, class or defined type.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other definition has parameters")]
    pub fn parameters(&self) -> Option<&[Parameter<'s>]> {
        match self {
            Self::Function(function) | Self::Plan(function) => Some(&function.parameters),
            Self::Class(class) => Some(&class.parameters),
            Self::ResourceType(resource_type) => Some(&resource_type.parameters),
            _ => None,
        }
    }

    /// Returns the block that a call passes.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a call")]
    pub fn lambda(&self) -> Option<&Lambda<'s>> {
        match self {
            Self::Call(call) => call.lambda.as_ref(),
            Self::Method(method) => method.lambda.as_ref(),
            _ => None,
        }
    }
}

impl Expr<'_> {
    /// Returns the expression within all parentheses around it.
    #[must_use]
    pub fn without_parentheses(&self) -> &Self {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}
