//! Error recovery, for texts that are being edited.
//!
//! Errors are collected where the parse would end otherwise, so the first one is the error of a parse without recovery. A missing
//! operand or bracket is assumed; after other errors, the rest of the statement is skipped. Brackets, or else indentation, show
//! where a statement ends.

use std::mem::{self, Discriminant};

use super::Parser;
use super::expression::can_start_operand;
use crate::ast::{Expr, ExprKind};
use crate::token::{Token, TokenKind};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_base::source::Span;

/// The maximum number of errors. The text after the last one is not parsed.
const MOST: u32 = 200;

/// The errors that the parser went on after.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    pub first: Option<Diagnostic>,
    count: u32,
    /// The start of the previous statement, and the number of open braces there.
    before: (u32, u32),
}

/// The state of the parser at the start of a statement.
pub(super) struct Checkpoint<'s> {
    start: Span,
    /// The kind of the first token. The tags of templates start where the text before them does.
    kind: Discriminant<TokenKind<'s>>,
    depth: Depth,
    namespaces: usize,
    braces: u32,
    is_in_string: bool,
}

impl<'s> Parser<'s> {
    /// Records an error, so that the parser can continue.
    ///
    /// # Errors
    /// Fails with the error if it ends the parse: it is about a limit, or recovery is off.
    #[cold]
    pub(super) fn note(&mut self, error: Error) -> Result<(), Error> {
        let Some(recovery) = self.recovery.as_mut().filter(|_| *error.kind() == ErrorKind::Syntax) else {
            return Err(error);
        };
        let source = self.lexer.source();
        recovery.first.get_or_insert_with(|| Diagnostic::of_error(&error, source));
        recovery.count += 1;
        if recovery.count == MOST {
            self.lexer.resume_after(source.len(), 0);
            self.token = Token { kind: TokenKind::End, span: Span::at(source.len() as u32) };
        }
        Ok(())
    }

    /// Returns true if an error was recorded, so that no other will be reported.
    pub(super) fn has_noted(&self) -> bool {
        self.recovery.as_ref().is_some_and(|recovery| recovery.first.is_some())
    }

    /// Records that the next token is unexpected. Returns an empty node for the missing expression.
    #[cold]
    pub(super) fn missing(&mut self) -> Result<Expr<'s>, Error> {
        self.not_understood(Vec::new(), Span::at(self.token.span.start))
    }

    /// Records that the next token is unexpected. Returns a node with the expressions before it.
    #[cold]
    pub(super) fn not_understood(&mut self, parts: Vec<Expr<'s>>, span: Span) -> Result<Expr<'s>, Error> {
        let error = self.unexpected();
        self.note(error)?;
        Ok(Expr { kind: ExprKind::Error(parts), span })
    }

    /// Returns the token after an error of the lexer: one that fits nowhere, and after it the next line.
    #[cold]
    pub(super) fn token_after(&mut self, error: Error) -> Result<Token<'s>, Error> {
        let span = error.span();
        self.note(error)?;
        let at = self.lexer.position().at;
        let span = span.unwrap_or(Span::at(at as u32));
        if !matches!(&self.recovery, Some(recovery) if recovery.count == MOST) {
            self.lexer.resume_after(span.start as usize, self.lexer.braces_outside());
        }
        Ok(Token { kind: TokenKind::Other, span })
    }

    pub(super) fn checkpoint(&self) -> Checkpoint<'s> {
        Checkpoint {
            start: self.token.span,
            kind: mem::discriminant(&self.token.kind),
            depth: self.depth,
            namespaces: self.namespace.len(),
            braces: self.open_braces(),
            is_in_string: self.lexer.is_in_string(),
        }
    }

    /// Goes on after a statement that was parsed from a checkpoint, or after the error that ended it.
    pub(super) fn statement_from(
        &mut self,
        checkpoint: &Checkpoint<'s>,
        parsed: Result<Expr<'s>, Error>,
    ) -> Result<Expr<'s>, Error> {
        let from = (checkpoint.start.start, checkpoint.braces);
        let before = self.recovery.as_mut().map_or(from, |recovery| mem::replace(&mut recovery.before, from));
        match parsed {
            Ok(statement) if self.has_advanced(checkpoint) || self.at_end() => Ok(statement),
            Ok(statement) => {
                self.reread_quote(checkpoint, before)?;
                self.skip_statement(checkpoint)?;
                Ok(statement)
            }
            Err(error) => {
                self.note(error)?;
                self.depth = checkpoint.depth;
                self.namespace.truncate(checkpoint.namespaces);
                self.reread_quote(checkpoint, from)?;
                self.skip_statement(checkpoint)?;
                let span = checkpoint.start.to(self.end_of_last());
                Ok(Expr { kind: ExprKind::Error(Vec::new()), span })
            }
        }
    }

    fn has_advanced(&self, checkpoint: &Checkpoint<'s>) -> bool {
        self.token.span != checkpoint.start || mem::discriminant(&self.token.kind) != checkpoint.kind
    }

    /// Takes a string of several lines shortly before the error for an unclosed quote: the lines after the first are read as code.
    fn reread_quote(&mut self, checkpoint: &Checkpoint<'s>, (from, braces): (u32, u32)) -> Result<(), Error> {
        if checkpoint.is_in_string {
            return Ok(());
        }
        if let Some((quote, braces)) = self.lexer.long_string(from, self.token.span.start, braces) {
            self.lexer.resume_after(quote, braces);
            self.advance()?;
        }
        Ok(())
    }

    /// Consumes the closing bracket of the node that starts at `start`, which may be missing. After an error, a less indented brace closes
    /// the enclosing block.
    pub(super) fn closing(&mut self, start: Span, end: &TokenKind<'s>) -> Result<Span, Error> {
        if self.is_at(end) && !self.closes_more(start) {
            return self.advance();
        }
        let error = self.unexpected();
        self.note(error)?;
        if *end == TokenKind::RightBrace {
            let braces = self.open_braces().wrapping_sub(1);
            let checkpoint = Checkpoint { start, braces, ..self.checkpoint() };
            self.reread_quote(&checkpoint, (start.start, braces))?;
            self.skip(&checkpoint, true)?;
        }
        Ok(self.end_of_last())
    }

    fn closes_more(&self, start: Span) -> bool {
        self.has_noted()
            && self.is_at(&TokenKind::RightBrace)
            && self.starts_line()
            && self.indentation(self.token.span) < self.indentation(start)
    }

    /// Returns the empty span at the end of the previous token.
    fn end_of_last(&self) -> Span {
        let before = self.lexer.source().get(..self.token.span.start as usize).unwrap_or_default();
        Span::at(before.trim_end().len() as u32)
    }

    fn skip_statement(&mut self, checkpoint: &Checkpoint<'s>) -> Result<(), Error> {
        if !self.has_advanced(checkpoint) && !self.at_end() {
            self.advance()?;
        }
        self.skip(checkpoint, false)
    }

    /// Skips tokens up to the next statement outside of the checkpoint's statement, or to the closing bracket of the enclosing block. If
    /// `is_within` braces, their closing brace is consumed and ends the skipping too.
    fn skip(&mut self, checkpoint: &Checkpoint<'s>, is_within: bool) -> Result<(), Error> {
        let indentation = self.indentation(checkpoint.start);
        loop {
            let open = self.open_braces();
            let outdent = self.starts_line().then(|| self.indentation(self.token.span));
            match &self.token.kind {
                TokenKind::End => return Ok(()),
                TokenKind::RightBrace => {
                    let is_around = open == checkpoint.braces || outdent.is_some_and(|own| own < indentation);
                    if is_around {
                        self.set_open_braces(checkpoint.braces);
                        return Ok(());
                    }
                    if outdent == Some(indentation) {
                        self.set_open_braces(checkpoint.braces.wrapping_add(1));
                    }
                    let is_own = self.open_braces() == checkpoint.braces.wrapping_add(1);
                    if is_own && is_within {
                        return self.advance().map(|_| ());
                    }
                }
                TokenKind::Semicolon if open == checkpoint.braces => return Ok(()),
                kind if can_start_operand(kind) && outdent.is_some_and(|own| own <= indentation) => {
                    self.set_open_braces(checkpoint.braces);
                    return Ok(());
                }
                _ => {}
            }
            self.advance()?;
        }
    }

    /// Returns how many braces are open before the token that comes next.
    fn open_braces(&self) -> u32 {
        match self.token.kind {
            TokenKind::LeftBrace | TokenKind::SelectorBrace => self.lexer.braces().wrapping_sub(1),
            TokenKind::RightBrace => self.lexer.braces().wrapping_add(1),
            _ => self.lexer.braces(),
        }
    }

    fn set_open_braces(&mut self, braces: u32) {
        self.lexer.set_braces(match self.token.kind {
            TokenKind::LeftBrace | TokenKind::SelectorBrace => braces.wrapping_add(1),
            TokenKind::RightBrace => braces.wrapping_sub(1),
            _ => braces,
        });
    }

    /// Returns the text of the line before a part of it.
    fn line_before(&self, span: Span) -> &'s str {
        let before = self.lexer.source().get(..span.start as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    fn starts_line(&self) -> bool {
        self.line_before(self.token.span).trim().is_empty()
    }

    fn indentation(&self, span: Span) -> usize {
        let line = self.line_before(span);
        line.len() - line.trim_start().len()
    }
}

#[cfg(test)]
mod tests {
    use puppetfn_base::diagnostic::Diagnostic;
    use puppetfn_base::limits::Limits;

    use crate::ast::{Expr, ExprKind};
    use crate::{Mode, Tree, to_pn};

    const MANIFEST: &str = r#"# A module.
class app(Array[String[1], 1] $names = ['a'], Boolean $on = true) inherits app::base {
  $x = $on ? { true => 1 + 2, default => { 'a' => [1, "b ${x[1]} $y"] } }
  file { "/t/${x}": ensure => file, mode => '0644'; '/u': * => $all }
  if $x =~ /a+/ { include a, b } elsif !$y { notice('x') } else { fail("no ${ $z.map |$i| { $i } }") }
  case $facts['os'] { 'a', /b/: { $names.each |Integer $i, $n| { debug $n } } default: { } }
  File <| title == 'a' |> { owner => root }
  @@user { 'u': } -> Package['p'] ~> Class[app]
  unless $on { $text = @("END"/L)
    text ${x}
    | END
  }
}
define app::d($p) { } function app::f(Integer $x) >> Integer { $x } type App::T = Integer[1]
node 'n', default { app::d { 'a': p => -1 } }
"#;
    const TEMPLATE: &str =
        "<%- | String $a, $b = 1 | -%>\nx <%= $a %>\n<% if $b { -%>\ny <%= { 1; 2 } %>\n<% } %>\n";

    fn same_error(text: &str, mode: Mode) {
        let tree = Tree::recover(text, None, mode, &Limits::DEFAULT);
        match Tree::parse(text, None, mode, &Limits::DEFAULT) {
            Ok(parsed) => {
                assert_eq!(tree.error(), None, "{text}");
                assert_eq!(tree.program(), parsed.program(), "{text}");
            }
            Err(error) => assert_eq!(tree.error(), Some(&Diagnostic::of_error(&error, text)), "{text}"),
        }
    }

    #[test]
    fn the_first_error_is_that_of_parsing() {
        let template = Mode { template: true, ..Mode::default() };
        for (text, mode) in [(MANIFEST, Mode::default()), (TEMPLATE, template)] {
            for at in 0..=text.len() {
                same_error(&text[..at], mode);
                same_error(&text[at..], mode);
                for written in
                    ["'", "\"", "{", "}", "(", ")", "[", "=> ", ",", "$", "class ", "%>", "${", "@(X)", "\n"]
                {
                    same_error(&format!("{}{written}{}", &text[..at], &text[at..]), mode);
                    same_error(
                        &format!("{}{written}{}", &text[..at], text.get(at + 1..).unwrap_or_default()),
                        mode,
                    );
                }
            }
        }
    }

    /// Returns the recovered tree, in Puppet's notation.
    fn understood(text: &str) -> String {
        let tree = Tree::recover(text, None, Mode::default(), &Limits::DEFAULT);
        to_pn(tree.program(), false)
    }

    #[test]
    fn what_is_not_finished_costs_little() {
        let texts = [
            // A missing operand, name, value, bracket or comma is assumed.
            ("$a = \n$b = 2", "(= (var \"a\") (= (var \"b\") 2))"),
            ("$a = }\n$b = 2", "(block (= (var \"a\") (error)) (error) (= (var \"b\") 2))"),
            ("$y.\n$z = 3", "(block (error (var \"y\")) (= (var \"z\") 3))"),
            (
                "f { 't': a => 1 b => 2 }",
                "(resource {:type (qn \"f\") :bodies [{:title \"t\" :ops [(=> \"a\" 1) (=> \"b\" 2)]}]})",
            ),
            (
                "f { 't': a => 1, b }",
                "(resource {:type (qn \"f\") :bodies [{:title \"t\" :ops [(=> \"a\" 1) (=> \"b\" (error))]}]})",
            ),
            ("f { 't' }", "(resource {:type (qn \"f\") :bodies [{:title \"t\" :ops []}]})"),
            ("$h = { 'a' => 1, 'b' }", "(= (var \"h\") (hash (=> \"a\" 1) (=> \"b\" (error))))"),
            ("$a = [1,\n$b = 2", "(= (var \"a\") (array 1 (= (var \"b\") 2)))"),
            (
                "$a = f(1\n$b = 2",
                "(block (= (var \"a\") (call {:functor (qn \"f\") :args [1]})) (= (var \"b\") 2))",
            ),
            ("class a($x, String ) { }", "(class {:name \"a\" :params {:x {}}})"),
            ("class a($x", "(class {:name \"a\" :params {:x {}}})"),
            // The enclosing block ends according to the indentation.
            (
                "class a {\n  f { 'x': a =>\n  $y = 2\n}\n$z = 1",
                "(block (class {:name \"a\" :body [(resource {:type (qn \"f\") :bodies [{:title \"x\" :ops [(=> \"a\" (var \"y\"))]}]})]}) (= (var \"z\") 1))",
            ),
            (
                "class a {\n  if $x =~ {\n  $y = 2\n}\n$z = 1",
                "(block (class {:name \"a\" :body [(if {:test (=~ (var \"x\") (hash (=> (= (var \"y\") 2) (error))))})]}) \
                 (= (var \"z\") 1))",
            ),
            (
                "f { 't':\n  mode => '0644,\n  owner => 'root',\n}\n$z = 'd'",
                "(block (resource {:type (qn \"f\") :bodies [{:title \"t\" :ops [(=> \"mode\" \"0644,\\n  owner => \")]}]}) \
                 (= (var \"z\") \"d\"))",
            ),
            ("$a = 'x\n$b = 2", "(block (= (var \"a\") (error)) (error) (= (var \"b\") 2))"),
        ];
        let found = texts.map(|(text, _)| (text, understood(text)));
        assert_eq!(found, texts.map(|(text, expected)| (text, expected.to_owned())));
    }

    #[test]
    fn an_error_is_a_node_that_ends_where_it_ends() {
        let text = "class a {\n  foo => bar\n  $y = 2\n}\n";
        let tree = Tree::recover(text, None, Mode::default(), &Limits::DEFAULT);
        let [Expr { kind: ExprKind::Class(class), .. }] = &*tree.program().statements else { panic!() };
        let shown: Vec<&str> = class.body.statements.iter().map(|one| one.span.text(text)).collect();
        assert_eq!(shown, ["foo", "", "$y = 2"]);
    }
}
