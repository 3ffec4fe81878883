//! Translation of regular expressions from Ruby's (Onigmo's) syntax to the syntax of the regex library.
//!
//! The text is read in one pass. Syntax common to both is copied; a character with another meaning in the library is
//! escaped. Free-spacing mode is resolved here, so that the library never sees it.
//!
//! The parser is written by hand and not with nom: the meaning of a character depends on the options that groups switch and
//! on the open groups, and the output is written while the text is read.

use super::class;
use super::escape::{self, RegexEscape};
use super::grapheme;

/// The translation, or the reason why the text cannot be translated.
pub(super) type TranslationResult<T> = std::result::Result<T, String>;

/// Ruby's message for a numbered reference in an expression with named groups.
const NUMBERED: &str = "numbered backref/call is not allowed. (use name)";

/// Returns the expression in the library's syntax, in which `^` and `$` always anchor lines.
pub(super) fn translate(source: &str) -> TranslationResult<String> {
    let mut translator = Translator {
        rest: source,
        out: String::with_capacity(source.len() + 16),
        options: RegexOptions::default(),
        groups: Vec::new(),
        numbered_groups: count_groups(source),
        plain_groups: 0,
        names: Vec::new(),
        conditions: Vec::new(),
        has_numbered_references: false,
        references: Vec::new(),
        called_in: Vec::new(),
        before: PrecedingItem::Nothing,
    };
    translator.run()?;
    translator.check_conditions()?;
    if translator.has_numbered_references && !translator.names.is_empty() {
        return Err(NUMBERED.to_owned());
    }
    if translator.references.iter().any(|target| translator.called_in.contains(target)) {
        return Err(OWN_GROUP.to_owned());
    }
    Ok(translator.out)
}

/// The end of the text, or of its last line.
const END: &str = r"(?=\n?\z)";

/// The options that change the syntax, or the meaning of classes.
#[derive(Clone, Copy, Default)]
pub(super) struct RegexOptions {
    extended: bool,
    /// The character set of `\w` and similar classes, and of POSIX brackets.
    pub charset: Charset,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Charset {
    /// `\w` ASCII, POSIX brackets Unicode.
    #[default]
    Mixed,
    /// Both ASCII: `(?a)`.
    Ascii,
    /// Both Unicode: `(?u)`.
    Unicode,
}

struct Translator<'s> {
    rest: &'s str,
    out: String,
    options: RegexOptions,
    groups: Vec<OpenGroup<'s>>,
    numbered_groups: usize,
    /// Number of unnamed groups opened so far. They have numbers unless other groups have names.
    plain_groups: usize,
    /// The names of groups.
    names: Vec<&'s str>,
    /// The groups in conditions. They may be defined later.
    conditions: Vec<GroupCondition<'s>>,
    has_numbered_references: bool,
    /// The groups that are referred to.
    references: Vec<GroupTarget<'s>>,
    /// The groups that contain a call of another one, which may refer to them.
    called_in: Vec<GroupTarget<'s>>,
    /// The target of a quantifier.
    before: PrecedingItem,
}

/// The item before a position, in the same alternative.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrecedingItem {
    Nothing,
    /// An assertion, with its start in the output. The library does not repeat bare assertions.
    Assertion(usize),
    Other,
}

/// A group that can be referred to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupTarget<'s> {
    Number(usize),
    Name(&'s str),
}

/// A group that is open.
struct OpenGroup<'s> {
    /// The number or name of the group.
    target: Option<GroupTarget<'s>>,
    /// The options outside of the group.
    outer: RegexOptions,
    /// Number of the library's groups to close: one more for each `(?i)` within.
    closing: usize,
    /// How many more alternatives a conditional group may have.
    alternatives: Option<u8>,
    /// The start of the group in the output, and the start of its content.
    start: usize,
    inner: usize,
    /// Whether the group is an assertion.
    is_assertion: bool,
}

/// In Ruby, a reference to a group that has begun anew depends on the end of the group's previous match, which the library
/// no longer has.
const OWN_GROUP: &str = "references to groups that they are in are not supported";

/// The group in the condition of `(?(condition)yes|no)`.
enum GroupCondition<'s> {
    /// One by its number alone.
    Plain(usize),
    /// One by its number in brackets.
    Number(usize),
    Name(&'s str),
}

impl<'s> Translator<'s> {
    fn run(&mut self) -> TranslationResult<()> {
        let mut closing = 0;
        while let Some(c) = self.next() {
            let before = std::mem::replace(&mut self.before, PrecedingItem::Other);
            match c {
                '\\' => self.escape()?,
                '[' => {
                    let (class, rest) = class::translate(self.rest, self.options)?;
                    self.out.push_str(&class);
                    self.rest = rest;
                }
                '(' => self.open(&mut closing, before)?,
                ')' => {
                    let group = self.groups.pop().ok_or("unmatched close parenthesis")?;
                    let is_assertion = group.is_assertion || self.is_assertion_from(group.inner, before);
                    self.out.extend(std::iter::repeat_n(')', group.closing));
                    self.options = group.outer;
                    if is_assertion {
                        self.before = PrecedingItem::Assertion(group.start);
                    }
                }
                '{' => self.interval(before)?,
                '}' | ']' => escape::push_literal(&mut self.out, c),
                '#' if self.options.extended => {
                    self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                    self.before = before;
                }
                ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' if self.options.extended => self.before = before,
                '|' => {
                    self.alternative()?;
                    self.out.push(c);
                    self.before = PrecedingItem::Nothing;
                }
                '*' | '+' | '?' => {
                    self.make_repeatable(before);
                    self.out.push(c);
                }
                '^' | '$' | '.' => self.out.push(c),
                c => escape::push_literal(&mut self.out, c),
            }
        }
        if !self.groups.is_empty() {
            return Err("end pattern with unmatched parenthesis".to_owned());
        }
        self.out.extend(std::iter::repeat_n(')', closing));
        Ok(())
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    fn take(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Translates a group from after its `(`. `top` counts the library's groups to close at the end.
    fn open(&mut self, top: &mut usize, before: PrecedingItem) -> TranslationResult<()> {
        if self.take("?#") {
            self.rest = self.rest.split_once(')').ok_or("end pattern in group")?.1;
            self.before = before;
            return Ok(());
        }
        const ASSERTIONS: [&str; 4] = ["?=", "?!", "?<=", "?<!"];
        const SAME: [&str; 7] = ["?:", "?=", "?!", "?<=", "?<!", "?>", "?~"];
        let start = self.out.len();
        self.before = PrecedingItem::Nothing;
        let mut alternatives = None;
        let mut target = None;
        let prefix = if self.take("?(") {
            alternatives = Some(1);
            self.condition()?
        } else if let Some(prefix) = SAME.into_iter().find(|prefix| self.take(prefix)) {
            prefix.to_owned()
        } else if self.rest.starts_with("?<") || self.rest.starts_with("?'") {
            // A name: copied up to its end.
            let close = if self.rest.starts_with("?<") { '>' } else { '\'' };
            let name = self.rest.get(2..).and_then(|rest| rest.split_once(close));
            let (name, rest) = name.ok_or("end pattern in group")?;
            let prefix = self.rest.get(..self.rest.len() - rest.len()).unwrap_or_default();
            self.rest = rest;
            self.names.push(name);
            target = Some(GroupTarget::Name(name));
            prefix.to_owned()
        } else if self.take("?") {
            let outer = self.options;
            let (flags, isolated) = self.flags()?;
            self.out.push_str("(?");
            self.out.push_str(&flags);
            self.out.push(':');
            if isolated {
                // The options hold to the end of the group that this stands in, alternatives
                // included.
                match self.groups.last_mut() {
                    Some(group) => group.closing += 1,
                    None => *top += 1,
                }
            } else {
                let is_assertion = false;
                let inner = self.out.len();
                self.groups.push(OpenGroup {
                    target,
                    outer,
                    closing: 1,
                    alternatives: None,
                    start,
                    inner,
                    is_assertion,
                });
            }
            return Ok(());
        } else {
            self.plain_groups += 1;
            target = Some(GroupTarget::Number(self.plain_groups));
            String::new()
        };
        let is_assertion = ASSERTIONS.contains(&&*prefix);
        self.out.push('(');
        self.out.push_str(&prefix);
        let (outer, inner) = (self.options, self.out.len());
        self.groups.push(OpenGroup { target, outer, closing: 1, alternatives, start, inner, is_assertion });
        Ok(())
    }

    /// Translates a condition from after its `(?(`.
    fn condition(&mut self) -> TranslationResult<String> {
        const INVALID: &str = "invalid conditional pattern";
        let (inner, rest) = self.rest.split_once(')').ok_or("end pattern in group")?;
        self.rest = rest;
        let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => digits.parse::<usize>().map_err(|_| "too big number".to_owned()).map(Some),
            false => Ok(None),
        };
        let in_brackets = |open, close| inner.strip_prefix(open)?.strip_suffix(close);
        let condition = match in_brackets('<', '>').or_else(|| in_brackets('\'', '\'')) {
            Some(name) => match (number(name)?, name.strip_prefix('-')) {
                (Some(number), _) => GroupCondition::Number(number),
                (None, Some(back)) => {
                    let back = number(back)?.ok_or(INVALID)?;
                    let open = self.plain_groups.max(self.names.len());
                    GroupCondition::Number((open + 1).saturating_sub(back))
                }
                (None, None) => GroupCondition::Name(name),
            },
            None => GroupCondition::Plain(number(inner)?.filter(|_| !inner.is_empty()).ok_or(INVALID)?),
        };
        let prefix = match &condition {
            GroupCondition::Plain(number) | GroupCondition::Number(number) => format!("?({number})"),
            GroupCondition::Name(name) => format!("?(<{name}>)"),
        };
        self.conditions.push(condition);
        Ok(prefix)
    }

    /// Counts an alternative where a condition allows one.
    fn alternative(&mut self) -> TranslationResult<()> {
        if let Some(left) = self.groups.last_mut().and_then(|group| group.alternatives.as_mut()) {
            *left = left.checked_sub(1).ok_or("invalid conditional pattern")?;
        }
        Ok(())
    }

    /// Checks that the groups in conditions exist.
    fn check_conditions(&self) -> TranslationResult<()> {
        let groups = if self.names.is_empty() { self.plain_groups } else { self.names.len() };
        for condition in &self.conditions {
            match condition {
                GroupCondition::Plain(_) if !self.names.is_empty() => return Err(NUMBERED.to_owned()),
                GroupCondition::Plain(0) | GroupCondition::Number(0) => {
                    return Err("invalid group name <0>".to_owned());
                }
                GroupCondition::Plain(number) | GroupCondition::Number(number) if *number > groups => {
                    return Err("invalid backref number/name".to_owned());
                }
                GroupCondition::Name(name) if !self.names.contains(name) && !name.contains(['+', '-']) => {
                    return Err(format!("undefined name <{name}> reference"));
                }
                GroupCondition::Plain(_) | GroupCondition::Number(_) | GroupCondition::Name(_) => {}
            }
        }
        Ok(())
    }

    /// Parses flags from after their `(?`. Returns them in the library's syntax, and whether the group consists of nothing
    /// else.
    fn flags(&mut self) -> TranslationResult<(String, bool)> {
        let (mut on, mut off) = (String::new(), String::new());
        let mut negative = false;
        loop {
            let flag = self.next().ok_or("end pattern in group")?;
            let flags = if negative { &mut off } else { &mut on };
            match flag {
                'i' => flags.push('i'),
                // In Ruby, multiline means that the dot matches newlines.
                'm' => flags.push('s'),
                'x' => self.options.extended = !negative,
                'a' if !negative => self.options.charset = Charset::Ascii,
                'u' if !negative => self.options.charset = Charset::Unicode,
                'd' if !negative => self.options.charset = Charset::Mixed,
                '-' if !negative => negative = true,
                ')' | ':' => {
                    let separator = if off.is_empty() { "" } else { "-" };
                    return Ok((format!("{on}{separator}{off}"), flag == ')'));
                }
                _ => return Err("undefined group option".to_owned()),
            }
        }
    }

    /// Returns true if the output from here on is a single assertion.
    fn is_assertion_from(&self, inner: usize, before: PrecedingItem) -> bool {
        const ONE: [&str; 9] = ["^", "$", "\\A", "\\z", "\\b", "\\B", "\\G", "\\K", END];
        before == PrecedingItem::Assertion(inner)
            || self.out.get(inner..).is_some_and(|written| ONE.contains(&written))
    }

    /// Returns true within a look-behind.
    fn is_in_look_behind(&self) -> bool {
        let prefix = |group: &OpenGroup<'_>| self.out.get(group.start..group.inner);
        self.groups.iter().any(|group| matches!(prefix(group), Some("(?<=" | "(?<!")))
    }

    /// Makes an assertion repeatable for the library by wrapping it in a group.
    fn make_repeatable(&mut self, before: PrecedingItem) {
        if let PrecedingItem::Assertion(start) = before {
            self.out.insert_str(start, "(?>");
            self.out.push(')');
        }
    }

    /// Translates an interval from after its `{`, or a literal brace.
    fn interval(&mut self, before: PrecedingItem) -> TranslationResult<()> {
        let Some((interval, rest)) = self.read_interval() else {
            self.out.push_str("\\{");
            return Ok(());
        };
        if before == PrecedingItem::Nothing {
            return Err("target of repeat operator is not specified".to_owned());
        }
        self.make_repeatable(before);
        self.out.push_str(&interval);
        self.rest = rest;
        Ok(())
    }

    /// Parses an interval from after its `{`. Returns it in the library's syntax, and the rest of the text.
    fn read_interval(&self) -> Option<(String, &'s str)> {
        let (inner, rest) = self.rest.split_once('}')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match inner.split_once(',') {
            None if is_number(inner) && !inner.is_empty() => Some(match rest.strip_prefix('?') {
                // After an exact count, a `?` does not make it lazy: it makes it optional.
                Some(rest) => (format!("{{{inner}}}{{0,1}}"), rest),
                None => (format!("{{{inner}}}"), rest),
            }),
            Some(("", max)) if is_number(max) && !max.is_empty() => Some((format!("{{0,{max}}}"), rest)),
            Some((min, max)) if is_number(min) && is_number(max) && !min.is_empty() => {
                Some((format!("{{{min},{max}}}"), rest))
            }
            _ => None,
        }
    }

    /// Translates an escape sequence from after its backslash.
    fn escape(&mut self) -> TranslationResult<()> {
        const NEWLINE: &str = r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])";
        let c = self.rest.chars().next().ok_or("too short escape sequence")?;
        let copied = match c {
            'A' | 'z' | 'b' | 'B' | 'G' | 'K' => Some(format!("\\{c}")),
            'Z' => Some(END.to_owned()),
            'R' => Some(NEWLINE.to_owned()),
            // A cluster has any length.
            'X' if self.is_in_look_behind() => return Err("invalid pattern in look-behind".to_owned()),
            'X' => Some(grapheme::CLUSTER.to_owned()),
            _ => None,
        };
        if let Some(copied) = copied {
            self.next();
            self.out.push_str(&copied);
            return Ok(());
        }
        match c {
            'k' | 'g' if matches!(self.rest.as_bytes().get(1), Some(b'<' | b'\'')) => self.reference(c),
            '1'..='9' => self.back_reference(),
            _ => {
                let (escape, rest) = escape::read(self.rest, self.options.charset)?;
                self.rest = rest;
                match escape {
                    RegexEscape::Chars(chars) => {
                        chars.chars().for_each(|c| escape::push_literal(&mut self.out, c))
                    }
                    RegexEscape::Class(class) => self.out.push_str(&class),
                }
                Ok(())
            }
        }
    }

    /// Translates `\k<name>` or `\g<name>`.
    fn reference(&mut self, kind: char) -> TranslationResult<()> {
        let (open, close) =
            if self.rest.as_bytes().get(1) == Some(&b'<') { ('<', '>') } else { ('\'', '\'') };
        let name = self.rest.get(2..).and_then(|rest| rest.split_once(close));
        let (name, rest) = name.ok_or("invalid group name <>")?;
        self.rest = rest;
        self.has_numbered_references |=
            name.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
        self.out.push_str(&format!("\\{kind}{open}{name}{close}"));
        if kind == 'g' {
            self.called_in.extend(self.groups.iter().filter_map(|group| group.target));
            return Ok(());
        }
        let target = match (name.parse::<usize>(), name.strip_prefix('-').map(str::parse::<usize>)) {
            (Ok(number), _) => GroupTarget::Number(number),
            (_, Some(Ok(back))) => GroupTarget::Number((self.plain_groups + 1).saturating_sub(back)),
            _ => GroupTarget::Name(name),
        };
        self.refer_to(target)
    }

    fn refer_to(&mut self, target: GroupTarget<'s>) -> TranslationResult<()> {
        self.references.push(target);
        match self.groups.iter().any(|group| group.target == Some(target)) {
            true => Err(OWN_GROUP.to_owned()),
            false => Ok(()),
        }
    }

    /// A number is a reference if the group exists or the number has one digit; otherwise it is octal.
    fn back_reference(&mut self) -> TranslationResult<()> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest.get(..digits).and_then(|digits| digits.parse::<usize>().ok());
        match number {
            Some(number) if number <= 9 || number <= self.numbered_groups => {
                // In a group, so that digits that follow are not taken for a part of the number.
                self.out.push_str(&format!("(?:\\{number})"));
                self.rest = self.rest.get(digits..).unwrap_or_default();
                self.refer_to(GroupTarget::Number(number))?;
            }
            _ => {
                let (c, rest) = escape::octal(self.rest);
                self.rest = rest;
                escape::push_literal(&mut self.out, c);
            }
        }
        Ok(())
    }
}

/// Returns the maximum number of numbered groups.
fn count_groups(source: &str) -> usize {
    let mut escaped = false;
    let mut groups = 0;
    let bytes = source.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if !escaped && *byte == b'(' && bytes.get(at + 1) != Some(&b'?') {
            groups += 1;
        }
        escaped = !escaped && *byte == b'\\';
    }
    groups
}
