//! The comments that document definitions.

use super::{Expr, Program};
use puppetfn_base::source::Span;

/// The comment lines right above a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocComment {
    /// The lines without the marks and without one space after them.
    pub text: String,
    /// From the first mark to the end of the last line.
    pub span: Span,
}

impl Program<'_> {
    /// Returns the comment that documents a definition: a function, a class, a type and the like.
    ///
    /// Like Puppet Strings, this takes the consecutive lines that start with `#` directly above the line on which the
    /// definition comes first.
    ///
    /// ```
    /// use puppetfn::limits::Limits;
    /// use puppetfn::syntax::parse;
    ///
    /// let program = parse("# Doubles.\n#  @param x what\nfunction f($x) { $x * 2 }", &Limits::DEFAULT)?;
    /// let comment = program.statements.first().and_then(|function| program.doc_comment(function));
    /// assert_eq!(comment.map(|comment| comment.text).as_deref(), Some("Doubles.\n @param x what"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn doc_comment(&self, definition: &Expr<'_>) -> Option<DocComment> {
        let before = self.text.get(..definition.span.start as usize)?;
        let mut above = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        let mut lines = Vec::new();
        let mut span: Option<Span> = None;
        loop {
            let start = above.rfind('\n').map_or(0, |newline| newline + 1);
            let line = above.get(start..)?.trim();
            let Some(text) = comment_text(line) else { break };
            lines.push(text);
            let mark = start + above.get(start..)?.find('#')?;
            let own = Span::new(mark as u32, (mark + line.len()) as u32);
            span = Some(span.map_or(own, |below| own.to(below)));
            let Some(further) = start.checked_sub(1) else { break };
            above = above.get(..further)?;
        }
        lines.reverse();
        span.map(|span| DocComment { text: lines.join("\n"), span })
    }
}

/// Returns the text of a line that is a comment.
fn comment_text(line: &str) -> Option<&str> {
    let text = line.strip_prefix('#')?.trim_start_matches('#');
    Some(text.strip_prefix(char::is_whitespace).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::super::ExprKind;
    use crate::parse;
    use puppetfn_base::limits::Limits;

    fn comments(text: &str) -> Vec<Option<String>> {
        let program = parse(text, &Limits::DEFAULT).unwrap();
        let comment = |statement| program.doc_comment(statement).map(|comment| comment.text);
        program.statements.iter().map(comment).collect()
    }

    fn comment(text: &str) -> Option<String> {
        comments(text).pop().unwrap()
    }

    #[test]
    fn lines_right_above_document() {
        assert_eq!(comment("# a\n#  b\n#\n##c\r\nclass x { }").as_deref(), Some("a\n b\n\nc"));
        assert_eq!(comment("notice 1 # a\n# b\nclass x { }").as_deref(), Some("b"));
        assert_eq!(
            comments("  # one\n  type A = B\n # two\n\tdefine c { }"),
            [Some("one".to_owned()), Some("two".to_owned())]
        );
    }

    #[test]
    fn other_lines_do_not() {
        assert_eq!(comment("# a\n\nclass x { }"), None);
        assert_eq!(comment("class x { } # a"), None);
        assert_eq!(comment("# a\nnotice(1) class x { }"), None);
        assert_eq!(comment("/* a */\nclass x { }"), None);
        assert_eq!(comment("class x { }"), None);
    }

    #[test]
    fn definitions_within_others_are_documented_too() {
        let text = "class a {\n  # é b\n  # c\n  class d { }\n}";
        let program = parse(text, &Limits::DEFAULT).unwrap();
        let Some(ExprKind::Class(class)) = program.statements.first().map(|first| &first.kind) else {
            panic!("no class")
        };
        let inner = class.body.statements.first().unwrap();
        let comment = program.doc_comment(inner).unwrap();
        assert_eq!(comment.text, "é b\nc");
        assert_eq!(comment.span.text(text), "# é b\n  # c");
    }
}
