//! Labels of expressions in messages.
//!
//! See Puppet's `pops/model/model_label_provider.rb`.

use std::borrow::Cow;

use super::ast::{BinaryOp, ExprKind, UnaryOp};

impl ExprKind<'_> {
    /// Returns the name of the kind of expression, for messages.
    pub fn label(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Undef => "'undef' expression",
            Self::Default => "'default' expression",
            Self::Boolean(_) => "Boolean",
            Self::Integer(_) => "Literal Integer",
            Self::Float(_) => "Literal Float",
            Self::String(_) => "String",
            Self::Interpolation(_) => "Double Quoted String",
            Self::Heredoc(heredoc) => {
                return Cow::Owned(format!("'@({})' expression", heredoc.syntax.unwrap_or_default()));
            }
            Self::Regexp(_) => "Regular Expression",
            Self::Name(_) => "Name",
            Self::Reference(_) => "Type-Name",
            Self::Variable(_) => "Variable",
            Self::Reserved(word) => return Cow::Owned(format!("Reserved Word '{word}'")),
            Self::Error(_) => "text that is not Puppet",
            Self::Array(_) => "Array Expression",
            Self::Hash(_) => "Hash Expression",
            Self::Access(_) => "'[]' expression",
            Self::Call(_) => "Function Call",
            Self::Method(_) => "Method call",
            Self::Paren(_) => "Parenthesized Expression",
            Self::Unary(UnaryOp::Minus, _) => "Unary Minus",
            Self::Unary(UnaryOp::Not, _) => "'not' expression",
            Self::Unary(UnaryOp::Splat, _) => "Unfold",
            Self::Binary(binary) => return Cow::Owned(format!("'{}' expression", binary.op.symbol())),
            Self::Selector(_) => "Selector Expression",
            Self::If(_) => "'if' statement",
            Self::Unless(_) => "'unless' Statement",
            Self::Case(_) => "'case' statement",
            Self::Block(_) => "Block Expression",
            Self::Function(_) => "Function Definition",
            Self::Plan(_) => "Plan Definition",
            Self::TypeAlias(_) => "Type Alias",
            Self::TypeMapping(_) => "Type Mapping",
            Self::TypeDefinition(_) => "Type Definition",
            Self::Class(_) => "Host Class Definition",
            Self::ResourceType(_) => "'define' expression",
            Self::Node(_) => "Node Definition",
            Self::Resource(_) => "Resource Statement",
            Self::ResourceDefaults(_) => "Resource Defaults Expression",
            Self::ResourceOverride(_) => "Resource Override",
            Self::Collector(collector) if collector.query.exported => "Exported Query",
            Self::Collector(_) => "Virtual Query",
            Self::Apply(_) => "'apply' expression",
            // A template is a lambda, with its parameters.
            Self::Template(_) => "Lambda",
            Self::RenderText(_) => "Epp Text",
            Self::Render(_) => "Epp Interpolated Expression",
        })
    }

    /// Returns the name of Puppet's model class for an expression that cannot be a value in a collector's query; `None` if it can.
    pub fn untransformable(&self) -> Option<&'static str> {
        Some(match self {
            Self::Undef
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::Interpolation(_)
            | Self::Name(_)
            | Self::Variable(_)
            | Self::Access(_)
            | Self::Paren(_) => return None,
            Self::Default => "LiteralDefault",
            Self::Heredoc(_) => "HeredocExpression",
            Self::Regexp(_) => "LiteralRegularExpression",
            Self::Reference(_) => "QualifiedReference",
            Self::Reserved(_) => "ReservedWord",
            Self::Error(_) => return None,
            Self::Array(_) => "LiteralList",
            Self::Hash(_) => "LiteralHash",
            Self::Call(_) => "CallNamedFunctionExpression",
            Self::Method(_) => "CallMethodExpression",
            Self::Unary(UnaryOp::Minus, _) => "UnaryMinusExpression",
            Self::Unary(UnaryOp::Not, _) => "NotExpression",
            Self::Unary(UnaryOp::Splat, _) => "UnfoldExpression",
            Self::Binary(binary) => return binary.op.untransformable(),
            Self::Selector(_) => "SelectorExpression",
            Self::If(_) => "IfExpression",
            Self::Unless(_) => "UnlessExpression",
            Self::Case(_) => "CaseExpression",
            Self::Block(_) => "BlockExpression",
            Self::Function(_) => "FunctionDefinition",
            Self::Plan(_) => "PlanDefinition",
            Self::TypeAlias(_) => "TypeAlias",
            Self::TypeMapping(_) => "TypeMapping",
            Self::TypeDefinition(_) => "TypeDefinition",
            Self::Class(_) => "HostClassDefinition",
            Self::ResourceType(_) => "ResourceTypeDefinition",
            Self::Node(_) => "NodeDefinition",
            Self::Resource(_) => "ResourceExpression",
            Self::ResourceDefaults(_) => "ResourceDefaultsExpression",
            Self::ResourceOverride(_) => "ResourceOverrideExpression",
            Self::Collector(_) => "CollectExpression",
            Self::Apply(_) => "ApplyExpression",
            Self::Template(_) => "LambdaExpression",
            Self::RenderText(_) => "RenderStringExpression",
            Self::Render(_) => "RenderExpression",
        })
    }
}

impl BinaryOp {
    /// Implements [`ExprKind::untransformable`] for binary operators.
    fn untransformable(self) -> Option<&'static str> {
        match self {
            Self::Assign | Self::Append | Self::Delete => Some("AssignmentExpression"),
            Self::Before | Self::Notify | Self::After | Self::Subscribe => Some("RelationshipExpression"),
            Self::Or | Self::And => None,
            Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual
            | Self::Equal
            | Self::NotEqual => None,
            Self::ShiftLeft
            | Self::ShiftRight
            | Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Modulo => Some("ArithmeticExpression"),
            Self::Match | Self::NotMatch => Some("MatchExpression"),
            Self::In => Some("InExpression"),
        }
    }

    /// Returns the operator's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Assign => "=",
            Self::Append => "+=",
            Self::Delete => "-=",
            Self::Before => "->",
            Self::Notify => "~>",
            Self::After => "<-",
            Self::Subscribe => "<~",
            Self::Or => "or",
            Self::And => "and",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Match => "=~",
            Self::NotMatch => "!~",
            Self::In => "in",
        }
    }
}

/// Returns a label with its indefinite article.
pub(super) fn a(label: &str) -> String {
    format!("{} {label}", article(label, "a", "an"))
}

/// Returns a label with its indefinite article, at the start of a sentence.
pub(super) fn a_uc(label: &str) -> String {
    format!("{} {label}", article(label, "A", "An"))
}

fn article<'a>(label: &str, a: &'a str, an: &'a str) -> &'a str {
    let word = label.strip_prefix(['\'', '"']).unwrap_or(label);
    let vowel = |c: char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    if word.starts_with(vowel) { an } else { a }
}
