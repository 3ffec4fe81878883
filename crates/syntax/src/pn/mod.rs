//! Puppet Notation: syntax trees as text, in lists and maps.
//!
//! See Puppet's `pops/model/pn_transformer.rb`.

mod definition_pn;
mod expression;
mod write;

use std::borrow::Cow;

use self::write::PnWriter;
use super::ast::{Expr, Program};

/// Returns a syntax tree in Puppet Notation, on one line or indented.
pub fn to_pn(program: &Program<'_>, pretty: bool) -> String {
    let mut out = PnWriter::new(pretty);
    notation(program).write(&mut out);
    out.into_text()
}

/// Returns a syntax tree in Puppet Notation, to be compared: it has no positions.
pub fn notation<'a>(program: &'a Program<'_>) -> NotationNode<'a> {
    Transformer { text: program.text }.program(program)
}

/// A piece of Puppet Notation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NotationNode<'a> {
    /// `nil`
    Nil,
    /// `true`, `false` or a number.
    Atom(String),
    /// A string.
    Text(Cow<'a, str>),
    /// `(name a b)`
    Call(&'static str, Vec<NotationNode<'a>>),
    /// `[a b]`
    List(Vec<NotationNode<'a>>),
    /// `{:key a :other b}`
    Map(Vec<(&'a str, NotationNode<'a>)>),
}

impl<'a> NotationNode<'a> {
    /// Returns a string.
    pub fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

/// Converts syntax trees to Puppet Notation.
struct Transformer<'a> {
    /// The source text of the tree.
    text: &'a str,
}

impl<'a> Transformer<'a> {
    fn program(&self, program: &'a Program<'_>) -> NotationNode<'a> {
        match program.statements.as_slice() {
            [] => nop(),
            [statement] => self.expr(statement),
            statements => NotationNode::Call("block", self.exprs(statements)),
        }
    }

    fn exprs(&self, exprs: &'a [Expr<'_>]) -> Vec<NotationNode<'a>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
}

fn nop<'a>() -> NotationNode<'a> {
    NotationNode::Call("nop", Vec::new())
}
