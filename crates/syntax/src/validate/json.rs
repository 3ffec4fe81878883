//! JSON as the json gem reads it, up to the place where it fails.
//!
//! The gem of Ruby 3.1 to 3.3 (json 2.6 and 2.7) has comments and any escape in strings, and has neither control characters in
//! strings nor more than 100 levels. Its machines for values end where a value does, wrong or not, and the machine
//! around finds the mistake. So the message has the rest of the text from the outermost object that is wrong, from
//! the element of the innermost array, or else from the character that cannot stand there.

/// Maximum depth of arrays and objects.
const DEPTH: usize = 100;

/// Checks that a text is JSON.
///
/// # Errors
/// Fails with the message of the gem if the text is malformed.
pub(super) fn check(text: &str) -> Result<(), String> {
    let reader = JsonScanner { text: text.as_bytes() };
    match reader.document() {
        Ok(()) => Ok(()),
        Err(problem) => Err(match problem {
            JsonProblem::Token(at) => format!("unexpected token at '{}'", reader.rest(at)),
            JsonProblem::Surrogate(at) => format!("incomplete surrogate pair at '{}'", reader.rest(at)),
            JsonProblem::Depth => format!("nesting of {} is too deep", DEPTH + 1),
        }),
    }
}

/// Why a text is not JSON.
enum JsonProblem {
    /// A token that cannot begin or continue JSON, at this offset.
    Token(usize),
    /// The text from this offset on has the first half of a surrogate pair without the second.
    Surrogate(usize),
    Depth,
}

/// The end of a value, or the place from which a machine around it reads on and fails.
type JsonStep = Result<usize, JsonProblem>;

struct JsonScanner<'t> {
    text: &'t [u8],
}

impl JsonScanner<'_> {
    fn at(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// Returns the text from a place to its end. For the gem, which is written in C, it ends with a NUL, too.
    fn rest(&self, at: usize) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned()
    }

    fn document(&self) -> Result<(), JsonProblem> {
        let start = self.ignored(0)?;
        if !self.begins_value(start) {
            return Err(JsonProblem::Token(start));
        }
        let end = self.value(start, 0)?.unwrap_or(start);
        // A value that is wrong ends where it begins, and nothing else may follow a value.
        match self.ignored(end)? {
            end if end == self.text.len() && end != start => Ok(()),
            end => Err(JsonProblem::Token(end)),
        }
    }

    /// Returns the end of white space and comments.
    fn ignored(&self, mut at: usize) -> JsonStep {
        loop {
            at = match self.at(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at + 1,
                Some(b'/') => self.comment(at + 1).map_err(JsonProblem::Token)?,
                _ => return Ok(at),
            };
        }
    }

    /// Returns the end of a comment, given the offset after its first slash; fails with the offset of the mistake.
    fn comment(&self, at: usize) -> Result<usize, usize> {
        let end_of = |end: &[u8]| {
            let rest = self.text.get(at + 1..).unwrap_or_default();
            let found = rest.windows(end.len()).position(|part| part == end);
            found.map(|found| at + 1 + found + end.len()).ok_or(self.text.len())
        };
        match self.at(at) {
            Some(b'*') => end_of(b"*/"),
            Some(b'/') => end_of(b"\n"),
            _ => Err(at),
        }
    }

    fn begins_value(&self, at: usize) -> bool {
        matches!(
            self.at(at),
            Some(b'n' | b'f' | b't' | b'"' | b'-' | b'[' | b'{' | b'N' | b'I' | b'0'..=b'9')
        )
    }

    /// Returns the end of a value; `None` if it is malformed.
    fn value(&self, at: usize, depth: usize) -> Result<Option<usize>, JsonProblem> {
        let literal = |text: &str| {
            let is_there = self.text.get(at..).is_some_and(|rest| rest.starts_with(text.as_bytes()));
            is_there.then_some(at + text.len())
        };
        Ok(match self.at(at) {
            Some(b'n') => literal("null"),
            Some(b'f') => literal("false"),
            Some(b't') => literal("true"),
            Some(b'N') if literal("NaN").is_some() => return Err(JsonProblem::Token(at)),
            // The gem counts one letter too many.
            Some(b'I') if literal("Infinity").is_some() => {
                return Err(JsonProblem::Token(at.checked_sub(1).unwrap_or(self.text.len())));
            }
            Some(b'-') if literal("-Infinity").is_some() => return Err(JsonProblem::Token(at)),
            Some(b'-' | b'0'..=b'9') => self.float(at).or_else(|| self.integer(at)),
            Some(b'"') => self.string(at)?,
            Some(b'[') => Some(self.array(at, depth + 1)?),
            Some(b'{') => self.object(at, depth + 1)?,
            _ => None,
        })
    }

    fn digits(&self, at: usize) -> usize {
        let digits = self.text.iter().skip(at).take_while(|byte| byte.is_ascii_digit());
        at + digits.count()
    }

    /// Returns the end of the digits before the point, if there are the digits of a number.
    fn whole(&self, at: usize) -> Option<usize> {
        let at = if self.at(at) == Some(b'-') { at + 1 } else { at };
        match self.at(at)? {
            b'0' => Some(at + 1),
            b'1'..=b'9' => Some(self.digits(at)),
            _ => None,
        }
    }

    fn integer(&self, at: usize) -> Option<usize> {
        let end = self.whole(at)?;
        (!self.at(end).is_some_and(|byte| byte.is_ascii_digit())).then_some(end)
    }

    fn float(&self, at: usize) -> Option<usize> {
        let whole = self.whole(at)?;
        let mut end = whole;
        if self.at(end) == Some(b'.') {
            end = Some(self.digits(end + 1)).filter(|digits| *digits > end + 1)?;
        }
        if matches!(self.at(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.at(end + 1), Some(b'+' | b'-')));
            end = Some(self.digits(end + 1 + sign)).filter(|digits| *digits > end + 1 + sign)?;
        }
        let is_wrong = matches!(self.at(end), Some(b'0'..=b'9' | b'e' | b'E' | b'.' | b'-'));
        (end > whole && !is_wrong).then_some(end)
    }

    fn string(&self, start: usize) -> Result<Option<usize>, JsonProblem> {
        let mut at = start + 1;
        loop {
            at += match self.at(at) {
                None | Some(0..=0x1f) => return Ok(None),
                Some(b'"') => break,
                Some(b'\\') => match self.at(at + 1) {
                    None | Some(0..=0x1f) => return Ok(None),
                    Some(b'u') if self.hexadecimal(at + 2).is_none() => return Ok(None),
                    Some(b'u') => 6,
                    Some(_) => 2,
                },
                Some(_) => 1,
            };
        }
        self.surrogates(start + 1, at)?;
        Ok(Some(at + 1))
    }

    /// Returns the number that four digits are.
    fn hexadecimal(&self, at: usize) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(at..at + 4)?).ok()?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }

    /// Checks the surrogate pairs in a string between two offsets: after a first half, there must be room for the second.
    fn surrogates(&self, start: usize, end: usize) -> Result<(), JsonProblem> {
        let (mut at, mut copied) = (start, start);
        while at < end {
            if self.at(at) != Some(b'\\') {
                at += 1;
                continue;
            }
            match self.at(at + 1) {
                Some(b'u') => {
                    let is_first = self.hexadecimal(at + 2).is_some_and(|code| code & 0xfc00 == 0xd800);
                    at += 6;
                    if is_first && at + 6 > end {
                        return Err(JsonProblem::Surrogate(copied));
                    }
                    if is_first {
                        let has_second = self.text.get(at..at + 2) == Some(b"\\u");
                        at += if has_second { 6 } else { 1 };
                    }
                    copied = at;
                }
                Some(b'n' | b'r' | b't' | b'"' | b'\\' | b'b' | b'f') => {
                    at += 2;
                    copied = at;
                }
                // The backslash is left out, and the next character is read as any other.
                _ => {
                    at += 1;
                    copied = at;
                }
            }
        }
        Ok(())
    }

    /// Returns the end of an array.
    fn array(&self, start: usize, depth: usize) -> JsonStep {
        if depth > DEPTH {
            return Err(JsonProblem::Depth);
        }
        let mut at = self.ignored(start + 1)?;
        if self.at(at) == Some(b']') {
            return Ok(at + 1);
        }
        loop {
            if !self.begins_value(at) {
                return Err(JsonProblem::Token(at));
            }
            let Some(end) = self.value(at, depth)? else { return Err(JsonProblem::Token(at)) };
            at = self.ignored(end)?;
            match self.at(at) {
                Some(b',') => at = self.ignored(at + 1)?,
                Some(b']') => return Ok(at + 1),
                _ => return Err(JsonProblem::Token(at)),
            }
        }
    }

    /// Returns the end of an object; `None` if it is malformed.
    fn object(&self, start: usize, depth: usize) -> Result<Option<usize>, JsonProblem> {
        if depth > DEPTH {
            return Err(JsonProblem::Depth);
        }
        // The caller reports mistakes of an object and of its comments, from the object's start.
        let ignored = |at| self.ignored(at).ok();
        let Some(mut at) = ignored(start + 1) else { return Ok(None) };
        if self.at(at) == Some(b'}') {
            return Ok(Some(at + 1));
        }
        loop {
            if self.at(at) != Some(b'"') {
                return Ok(None);
            }
            let Some(name) = self.string(at)?.and_then(ignored) else { return Ok(None) };
            if self.at(name) != Some(b':') {
                return Ok(None);
            }
            let Some(value) = ignored(name + 1).filter(|at| self.begins_value(*at)) else { return Ok(None) };
            let Some(end) = self.value(value, depth)?.and_then(ignored) else { return Ok(None) };
            match self.at(end) {
                Some(b'}') => return Ok(Some(end + 1)),
                Some(b',') => match ignored(end + 1) {
                    Some(next) => at = next,
                    None => return Ok(None),
                },
                _ => return Ok(None),
            }
        }
    }
}
