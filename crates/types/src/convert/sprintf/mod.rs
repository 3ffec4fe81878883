//! Formats values, as Ruby's `Kernel#format` does.
//!
//! The parser is written by hand and not with nom: flags, widths and references to arguments occur in any order, an
//! argument is consumed as soon as it is referred to, and the first problem in that order is the error.
//!
//! See Ruby's `sprintf.c`.

mod arguments;
mod directive;
mod float;
mod integer;
mod operand;
mod rounding;

use arguments::FormatArguments;
use directive::FormatDirective;
use float::{Notation, push_float, push_number};
use integer::{Base, Integer, push_integer};

use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_base::limits::{Limits, Work};

/// Returns the format text with each directive replaced by its argument.
///
/// # Errors
/// Fails with [`ErrorKind::Evaluation`] if the format is malformed or does not suit the arguments, and with
/// [`ErrorKind::Limit`] if the text would be too long.
pub fn sprintf(format: &str, arguments: &[Value], limits: &Limits) -> Result<String, Error> {
    let mut formatter = Formatter {
        out: String::new(),
        rest: format,
        arguments: FormatArguments::new(arguments),
        work: Work::new(limits),
    };
    while let Some((literal, rest)) = formatter.rest.split_once('%') {
        formatter.out.push_str(literal);
        if rest.is_empty() {
            return Err(invalid("incomplete format specifier; use %% (double %) instead"));
        }
        formatter.rest = rest;
        formatter.directive()?;
    }
    formatter.out.push_str(formatter.rest);
    Ok(formatter.out)
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR)
}

/// No width and no precision is larger.
const LARGEST: usize = i32::MAX as usize;

struct Formatter<'a> {
    out: String,
    /// The rest of the format.
    rest: &'a str,
    arguments: FormatArguments<'a>,
    work: Work,
}

impl<'a> Formatter<'a> {
    /// Formats the value of one directive. The format continues after its `%`.
    fn directive(&mut self) -> Result<(), Error> {
        let mut directive = FormatDirective::default();
        loop {
            let Some(c) = self.rest.chars().next() else { return self.percent(&directive) };
            let behind = self.rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                ' ' | '#' | '+' | '-' | '0' => {
                    flag(&mut directive, c)?;
                    self.rest = behind;
                }
                '1'..='9' => self.width_or_number(&mut directive)?,
                '*' => {
                    self.rest = behind;
                    self.width_of_argument(&mut directive)?;
                }
                '.' => {
                    self.rest = behind;
                    self.precision(&mut directive)?;
                }
                '<' => self.named(&mut directive, '>')?,
                '{' => {
                    self.named(&mut directive, '}')?;
                    return self.show(&directive, 's');
                }
                // The rest of the line is literal.
                '\n' | '\0' => return self.percent(&directive),
                '%' => {
                    self.rest = behind;
                    return self.percent(&directive);
                }
                c => {
                    self.rest = behind;
                    return self.show(&directive, c);
                }
            }
        }
    }

    /// Appends a literal percent sign.
    fn percent(&mut self, directive: &FormatDirective<'a>) -> Result<(), Error> {
        if !directive.is_bare() || directive.precision.is_some() {
            return Err(invalid("invalid format character - %"));
        }
        self.out.push('%');
        Ok(())
    }

    /// Reads digits: a width, or with a `$` after them the number of an argument.
    fn width_or_number(&mut self, directive: &mut FormatDirective<'a>) -> Result<(), Error> {
        let number = self.number("width")?;
        if let Some(rest) = self.rest.strip_prefix('$') {
            if directive.argument.is_some() {
                return Err(invalid(format!("value given twice - {number}$")));
            }
            self.rest = rest;
            directive.argument = Some(self.arguments.numbered(number)?);
            return Ok(());
        }
        no_width(directive)?;
        directive.width = Some(number);
        Ok(())
    }

    /// Reads `*`: the width is an argument. A negative one is for padding at the right.
    fn width_of_argument(&mut self, directive: &mut FormatDirective<'a>) -> Result<(), Error> {
        no_width(directive)?;
        let width = self.number_of_argument("width")?;
        directive.minus |= width < 0;
        directive.width = Some(size(width.unsigned_abs(), "width")?);
        Ok(())
    }

    fn precision(&mut self, directive: &mut FormatDirective<'a>) -> Result<(), Error> {
        if directive.precision.is_some() {
            return Err(invalid("precision given twice"));
        }
        if let Some(rest) = self.rest.strip_prefix('*') {
            self.rest = rest;
            let precision = self.number_of_argument("precision")?;
            // A negative precision is as good as none.
            if let Ok(precision) = u64::try_from(precision) {
                directive.precision = Some(size(precision, "precision")?);
            }
            return Ok(());
        }
        directive.precision = Some(self.number("precision")?);
        Ok(())
    }

    /// Returns digits, maybe none.
    fn number(&mut self, what: &str) -> Result<usize, Error> {
        let len = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(len).unwrap_or_default();
        self.rest = rest;
        let number = if digits.is_empty() { Ok(0) } else { digits.parse() };
        let number = number.ok().filter(|number| *number <= LARGEST);
        let number = number.ok_or_else(|| invalid(format!("{what} too big")))?;
        self.not_ended()?;
        Ok(number)
    }

    /// Fails because a number must be followed by a letter.
    fn not_ended(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Err(invalid("malformed format string - %*[0-9]")) } else { Ok(()) }
    }

    /// Returns the number of a `*`: the next argument, or one by its number.
    fn number_of_argument(&mut self, what: &str) -> Result<i64, Error> {
        let len = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(len).unwrap_or_default();
        if rest.is_empty() {
            self.rest = rest;
            self.not_ended()?;
        }
        let argument = match rest.strip_prefix('$') {
            Some(rest) if len > 0 => {
                self.rest = rest;
                self.arguments.numbered(digits.parse().map_err(|_| invalid(format!("{what} too big")))?)?
            }
            _ => self.arguments.next()?,
        };
        match operand::implicit_integer(argument)? {
            Integer::Small(number) => Ok(number),
            Integer::Large(_) => Err(invalid(format!("{what} too big"))),
        }
    }

    /// Reads a name in brackets.
    fn named(&mut self, directive: &mut FormatDirective<'a>, end: char) -> Result<(), Error> {
        let Some(len) = self.rest.find(end) else {
            return Err(invalid("malformed name - unmatched parenthesis"));
        };
        let (bracketed, rest) = self.rest.split_at_checked(len + 1).unwrap_or_default();
        self.rest = rest;
        if let Some(before) = directive.name {
            return Err(invalid(format!("named{bracketed} after {before}")));
        }
        let name = bracketed.get(1..len).unwrap_or_default();
        directive.name = Some(bracketed);
        directive.argument = Some(self.arguments.named(bracketed, name)?);
        Ok(())
    }

    /// Shows the argument of a directive by its letter.
    fn show(&mut self, directive: &FormatDirective<'a>, letter: char) -> Result<(), Error> {
        let padding = directive.width.unwrap_or(0).max(directive.precision.unwrap_or(0));
        self.work.spend_many(u64::try_from(padding).unwrap_or(u64::MAX))?;
        let upper = letter.is_ascii_uppercase();
        match letter {
            's' => directive
                .push_text(&mut self.out, &self.arguments.of(directive)?.ruby_to_s(self.work.limits())?),
            'p' => directive
                .push_text(&mut self.out, &self.arguments.of(directive)?.ruby_inspect(self.work.limits())?),
            'c' => directive.push_padded(&mut self.out, &operand::character(self.arguments.of(directive)?)?),
            'd' | 'i' | 'u' => self.integer(directive, Base::Decimal, upper)?,
            'x' | 'X' => self.integer(directive, Base::Hexadecimal, upper)?,
            'o' => self.integer(directive, Base::Octal, upper)?,
            'b' | 'B' => self.integer(directive, Base::Binary, upper)?,
            'f' => self.fixed(directive)?,
            'e' | 'E' => self.float(directive, Notation::Exponent, upper)?,
            'g' | 'G' => self.float(directive, Notation::General, upper)?,
            'a' | 'A' => self.float(directive, Notation::Hexadecimal, upper)?,
            c if c.is_ascii_graphic() => return Err(invalid(format!("malformed format string - %{c}"))),
            _ => return Err(invalid("malformed format string")),
        }
        Ok(())
    }

    fn integer(&mut self, directive: &FormatDirective<'a>, base: Base, upper: bool) -> Result<(), Error> {
        let number = operand::integer(self.arguments.of(directive)?)?;
        push_integer(&mut self.out, directive, number, base, upper);
        Ok(())
    }

    fn float(
        &mut self,
        directive: &FormatDirective<'a>,
        notation: Notation,
        upper: bool,
    ) -> Result<(), Error> {
        let number = operand::float(self.arguments.of(directive)?)?;
        push_float(&mut self.out, directive, number, notation, upper);
        Ok(())
    }

    /// Shows `%f`. An integer keeps all its digits, which a float could not.
    fn fixed(&mut self, directive: &FormatDirective<'a>) -> Result<(), Error> {
        let value = self.arguments.of(directive)?;
        let Value::Integer(number) = value else {
            push_float(&mut self.out, directive, operand::float(value)?, Notation::Fixed, false);
            return Ok(());
        };
        let mut body = number.unsigned_abs().to_string();
        let zeros = directive.precision.unwrap_or(6);
        if zeros > 0 {
            body.push('.');
        }
        directive::push_repeated(&mut body, '0', zeros);
        push_number(&mut self.out, directive, directive.sign(*number < 0), "", &body);
        Ok(())
    }
}

fn flag(directive: &mut FormatDirective<'_>, flag: char) -> Result<(), Error> {
    if directive.width.is_some() {
        return Err(invalid("flag after width"));
    }
    if directive.precision.is_some() {
        return Err(invalid("flag after precision"));
    }
    match flag {
        ' ' => directive.space = true,
        '#' => directive.alternate = true,
        '+' => directive.plus = true,
        '-' => directive.minus = true,
        _ => directive.zero = true,
    }
    Ok(())
}

/// Describes why a width cannot come here.
fn no_width(directive: &FormatDirective<'_>) -> Result<(), Error> {
    if directive.width.is_some() {
        return Err(invalid("width given twice"));
    }
    if directive.precision.is_some() {
        return Err(invalid("width after precision"));
    }
    Ok(())
}

fn size(number: u64, what: &str) -> Result<usize, Error> {
    let size = usize::try_from(number).ok().filter(|size| *size <= LARGEST);
    size.ok_or_else(|| invalid(format!("{what} too big")))
}

#[cfg(test)]
mod tests;
