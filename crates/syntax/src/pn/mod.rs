//! Puppet Notation: syntax trees as text, in lists and maps.
//!
//! See Puppet's `pops/model/pn_transformer.rb`.

mod definition_pn;
mod expression;
mod write;

use self::write::PnWriter;
use super::ast::{Expr, Program};

/// Returns a syntax tree in Puppet Notation, on one line or indented.
pub fn to_pn(program: &Program<'_>, pretty: bool) -> String {
    let transformer = Transformer { text: program.text };
    let mut out = PnWriter::new(pretty);
    transformer.program(program).write(&mut out);
    out.into_text()
}

/// A piece of Puppet Notation.
enum Pn<'a> {
    /// `nil`
    Nil,
    /// `true`, `false` or a number.
    Atom(String),
    /// A string.
    Text(&'a str),
    /// `(name a b)`
    Call(&'static str, Vec<Pn<'a>>),
    /// `[a b]`
    List(Vec<Pn<'a>>),
    /// `{:key a :other b}`
    Map(Vec<(&'a str, Pn<'a>)>),
}

/// Converts syntax trees to Puppet Notation.
struct Transformer<'a> {
    /// The source text of the tree.
    text: &'a str,
}

impl<'a> Transformer<'a> {
    fn program(&self, program: &'a Program<'_>) -> Pn<'a> {
        match program.statements.as_slice() {
            [] => nop(),
            [statement] => self.expr(statement),
            statements => Pn::Call("block", self.exprs(statements)),
        }
    }

    fn exprs(&self, exprs: &'a [Expr<'_>]) -> Vec<Pn<'a>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
}

fn nop<'a>() -> Pn<'a> {
    Pn::Call("nop", Vec::new())
}
