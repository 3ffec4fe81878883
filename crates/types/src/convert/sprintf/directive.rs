//! One directive: how an argument is shown.

use crate::value::Value;

/// The flags, width and precision between the `%` and the letter of a conversion.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct FormatDirective<'a> {
    /// `-`: padded at the right.
    pub(super) minus: bool,
    /// `+`: with a sign, also of positive numbers.
    pub(super) plus: bool,
    /// A space: positive numbers get a space in place of a sign.
    pub(super) space: bool,
    /// `0`: padded with zeros.
    pub(super) zero: bool,
    /// `#`: the alternate form.
    pub(super) alternate: bool,
    /// The least number of characters.
    pub(super) width: Option<usize>,
    /// The number of digits, or the largest number of characters.
    pub(super) precision: Option<usize>,
    /// The argument, where it is named or numbered.
    pub(super) argument: Option<&'a Value>,
    /// The name of the argument, with its brackets.
    pub(super) name: Option<&'a str>,
}

impl FormatDirective<'_> {
    /// Returns true if the directive has neither flags nor a width: only perhaps a precision or a name.
    pub(super) fn is_bare(&self) -> bool {
        !(self.minus || self.plus || self.space || self.zero || self.alternate || self.width.is_some())
    }

    /// Returns the sign of a number; empty where a positive one is shown without.
    pub(super) fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// Returns how many characters of padding `len` characters need.
    pub(super) fn missing(&self, len: usize) -> usize {
        self.width.unwrap_or(0).saturating_sub(len)
    }

    /// Appends a text, padded to the width on the side that the flags choose.
    pub(super) fn push_padded(&self, out: &mut String, text: &str) {
        let missing = self.missing(text.chars().count());
        if !self.minus {
            push_repeated(out, ' ', missing);
        }
        out.push_str(text);
        if self.minus {
            push_repeated(out, ' ', missing);
        }
    }

    /// Appends a text, cut to the precision.
    pub(super) fn push_text(&self, out: &mut String, text: &str) {
        let end = self.precision.and_then(|len| text.char_indices().nth(len));
        let cut = end.and_then(|(end, _)| text.get(..end)).unwrap_or(text);
        self.push_padded(out, cut);
    }
}

/// Appends a character `count` times.
pub(super) fn push_repeated(out: &mut String, c: char, count: usize) {
    out.extend(std::iter::repeat_n(c, count));
}
