//! What expressions are called in messages.
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
}

impl BinaryOp {
    /// Returns the operator as it is written.
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
