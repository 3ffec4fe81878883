//! Pieces as a text.

use super::piece::{Piece, line_end};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_syntax::{Lexeme, LexemeKind, Mode};

/// A text in its layout.
pub(super) struct FormattedText {
    pub text: String,
    /// How it is read.
    pub mode: Mode,
    /// Offsets of lines that begin with the same token in both texts: in the old text, and in this one.
    pub anchors: Vec<(usize, usize)>,
    /// Its tokens and comments.
    pub lexemes: Vec<Lexeme>,
}

/// Writes pieces as a text.
pub(super) fn write(
    source: &str,
    mode: Mode,
    pieces: &[Piece<'_>],
    limits: &Limits,
) -> Result<FormattedText, Error> {
    let text = String::with_capacity(source.len() + source.len() / 8);
    let mut writer = PieceWriter {
        out: FormattedText { text, mode, anchors: Vec::new(), lexemes: Vec::with_capacity(pieces.len()) },
        line_end: line_end(source),
        below: Vec::new(),
    };
    for (index, piece) in pieces.iter().enumerate() {
        let is_first = index == 0;
        if piece.breaks > 0 {
            writer.end_line();
            (1..piece.breaks).for_each(|_| writer.out.text.push_str(writer.line_end));
        }
        if (is_first || piece.breaks > 0) && piece.began_line {
            let line = source.get(..piece.span.start as usize).and_then(|before| before.rfind('\n'));
            writer.out.anchors.push((line.map_or(0, |end| end + 1), writer.out.text.len()));
        }
        let spaces = piece.spaces as usize;
        limits.check_text(writer.out.text.len().saturating_add(spaces).saturating_add(piece.text.len()))?;
        writer.out.text.extend(std::iter::repeat_n(' ', spaces));
        writer.push(piece.kind, &piece.text, piece.breaks);
        if piece.has_comma {
            writer.push(LexemeKind::Sign, ",", 0);
        }
        writer.below.extend(piece.below);
    }
    if !pieces.is_empty() {
        writer.end_line();
    }
    Ok(writer.out)
}

struct PieceWriter<'s> {
    out: FormattedText,
    line_end: &'static str,
    /// The texts of heredocs that follow the line.
    below: Vec<&'s str>,
}

impl PieceWriter<'_> {
    fn push(&mut self, kind: LexemeKind, text: &str, breaks: u32) {
        let start = self.out.text.len() as u32;
        self.out.text.push_str(text);
        let span = Span::new(start, self.out.text.len() as u32);
        self.out.lexemes.push(Lexeme { kind, span, breaks, below: None });
    }

    fn end_line(&mut self) {
        self.out.text.push_str(self.line_end);
        for below in self.below.drain(..) {
            self.out.text.push_str(below);
            // That at the end of a file may have no line break.
            if !below.ends_with('\n') {
                self.out.text.push_str(self.line_end);
            }
        }
    }
}
