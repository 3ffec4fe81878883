//! The structure of a text: foldable ranges, and nested selections.

use puppetfn_base::source::{LineIndex, Span};
use puppetfn_syntax::ast::{Expr, Program};
use puppetfn_syntax::{Lexeme, LexemeKind, Mode, lexemes};

/// A foldable range of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folding {
    /// The range from within the first line to the end of the last hidden one.
    pub span: Span,
    /// The kind.
    pub kind: FoldingKind,
}

/// The kinds of foldable ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldingKind {
    /// The text between brackets, or of a heredoc.
    Code,
    /// Comments.
    Comment,
}

/// Returns the foldable ranges of a text, up to the first lexical error.
pub fn foldings(text: &str, mode: Mode) -> Vec<Folding> {
    let lines = LineIndex::new(text);
    let line = |offset: u32| lines.starts().partition_point(|&start| start <= offset);
    let mut found = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut comments: Option<Span> = None;
    let mut add = |span: Span, kind| {
        if line(span.start) < line(span.end) {
            found.push(Folding { span, kind });
        }
    };
    for Lexeme { kind, span, breaks, below } in lexemes(text, mode).map_while(Result::ok) {
        if kind == LexemeKind::Comment && (breaks > 0 || span.start == 0) {
            let goes_on = comments.is_some() && breaks == 1;
            match (comments, goes_on) {
                (Some(before), true) => comments = Some(before.to(span)),
                (before, _) => {
                    before.into_iter().for_each(|before| add(before, FoldingKind::Comment));
                    comments = Some(span);
                }
            }
            continue;
        }
        comments.take().into_iter().for_each(|before| add(before, FoldingKind::Comment));
        match span.text(text) {
            "{" | "[" | "(" => open.push(span.end),
            // The line of the closing bracket stays visible.
            "}" | "]" | ")" => {
                if let Some(start) = open.pop() {
                    let before = text.get(..span.start as usize).unwrap_or_default().trim_end().len() as u32;
                    add(Span::new(start, before.max(start)), FoldingKind::Code);
                }
            }
            _ if kind == LexemeKind::BlockComment => add(span, FoldingKind::Comment),
            _ => below.into_iter().for_each(|below| add(Span::new(span.end, below.end), FoldingKind::Code)),
        }
    }
    comments.into_iter().for_each(|before| add(before, FoldingKind::Comment));
    found.sort_by_key(|folding| (folding.span.start, folding.span.end));
    found
}

/// Returns the spans around an offset, the innermost first: expressions, bodies, and the whole text.
pub fn spans_around(program: &Program<'_>, offset: u32) -> Vec<Span> {
    let mut found = vec![Span::new(0, program.text.len() as u32)];
    let is_around = |span: Span| span.touches(offset);
    fn add(expr: &Expr<'_>, is_around: &dyn Fn(Span) -> bool, found: &mut Vec<Span>) {
        if !is_around(expr.span) {
            return;
        }
        found.push(expr.span);
        expr.kind.lambda().into_iter().filter(|lambda| is_around(lambda.span)).for_each(|lambda| {
            found.push(lambda.span);
            found.extend(Some(lambda.body.span).filter(|body| is_around(*body)));
            lambda.body.statements.iter().for_each(|statement| add(statement, is_around, found));
        });
        expr.for_each_child(&mut |child| add(child, is_around, found));
    }
    program.statements.iter().for_each(|statement| add(statement, &is_around, &mut found));
    found.sort_by_key(|span| (span.length(), span.start));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;
    use puppetfn_syntax::parse;

    #[test]
    fn brackets_and_comments_fold() {
        let text = "# a\n# b\n\n# c\nclass m {\n  $x = [\n    1,\n  ]\n  $y = @(E)\n    text\n    | E\n}\n";
        let shown: Vec<_> = foldings(text, Mode::default())
            .into_iter()
            .map(|folding| (folding.kind, folding.span.text(text).lines().count()))
            .collect();
        let (code, comment) = (FoldingKind::Code, FoldingKind::Comment);
        assert_eq!(shown, [(comment, 2), (code, 7), (code, 2), (code, 3)]);
    }

    #[test]
    fn selections_grow() {
        let text = "class m { $x = [1].map |$y| { $y + 10 } }";
        let program = parse(text, &Limits::DEFAULT).unwrap();
        let shown: Vec<_> = spans_around(&program, 35).into_iter().map(|span| span.text(text)).collect();
        let call = "[1].map |$y| { $y + 10 }";
        assert_eq!(
            shown,
            ["10", "$y + 10", "{ $y + 10 }", "|$y| { $y + 10 }", call, "$x = [1].map |$y| { $y + 10 }", text]
        );
    }
}
