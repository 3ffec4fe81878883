//! Syntax trees as JSON, with the places of everything. `docs/reference/syntax-tree.md` describes it.

mod definition_json;
mod expression;

use serde_json::{Map, Value as Json, json};

use super::ast::{Expr, Program};
use puppetfn_base::source::{LineIndex, Span};

/// The version of the JSON's format, which increases when programs that read it have to change.
const VERSION: u32 = 1;

/// Returns a syntax tree as JSON. `file` is the file that the text is from, if any.
///
/// ```
/// use puppetfn::limits::Limits;
/// use puppetfn::syntax::{parse, to_json};
///
/// let tree = to_json(&parse("$x = 1", &Limits::DEFAULT)?, Some("x.pp"));
/// let assignment = &tree["statements"][0];
/// assert_eq!((&assignment["type"], &assignment["op"]), (&"binary".into(), &"=".into()));
/// assert_eq!(assignment["right"]["span"], serde_json::json!([5, 6]));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
pub fn to_json(program: &Program<'_>, file: Option<&str>) -> Json {
    let tree = TreeConverter { program };
    json!({
        "version": VERSION,
        "file": file,
        "lines": LineIndex::new(program.text).starts(),
        "statements": tree.exprs(&program.statements),
    })
}

/// Makes JSON of the parts of a program.
struct TreeConverter<'a> {
    program: &'a Program<'a>,
}

impl TreeConverter<'_> {
    fn exprs(&self, exprs: &[Expr<'_>]) -> Json {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Returns an expression that may be missing, which is then null.
    fn option(&self, expr: Option<&Expr<'_>>) -> Json {
        expr.map_or(Json::Null, |expr| self.expr(expr))
    }
}

fn span(span: Span) -> Json {
    json!([span.start, span.end])
}

/// Returns a node of the tree.
fn node<const N: usize>(kind: &str, place: Span, parts: [(&str, Json); N]) -> Json {
    let head = [("type", Json::from(kind)), ("span", span(place))];
    let parts = head.into_iter().chain(parts).map(|(key, value)| (key.to_owned(), value));
    Json::Object(parts.collect::<Map<_, _>>())
}
