//! The syntactic context at a cursor.
//!
//! It is derived from tokens and brackets alone, not from a syntax tree: code at a cursor is rarely complete.
#![allow(clippy::wildcard_enum_match_arm, reason = "few keywords determine the context")]

#[cfg(test)]
mod tests;

use puppetfn_base::source::Span;
use puppetfn_syntax::{Lexeme, LexemeKind, Mode, lexemes};

/// The context at a cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CursorContext {
    /// The span of the partial word.
    pub word: Span,
    /// The role of the word.
    pub place: CursorPlace,
    /// The enclosing calls, the innermost last.
    pub calls: Vec<CallAround>,
}

/// The role of a word at a cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CursorPlace {
    /// The name of a variable.
    Variable,
    /// A function that is called as a method of this receiver.
    Method { receiver: Span },
    /// A parameter of a resource.
    Attribute { type_name: String, title: Option<String>, given: Vec<String> },
    /// The value of a parameter of a resource.
    Value { type_name: String, title: Option<String>, attribute: String, in_quotes: bool },
    /// The title of a resource: in its declaration or in a reference.
    Title { type_name: String, is_reference: bool },
    /// The name of a class.
    Class,
    /// A key of facts, below a path.
    Fact { path: Vec<String> },
    /// The key of a hash in a variable.
    Key { variable: Span },
    /// The first argument of a function, as a text.
    Argument { function: String },
    /// The name of a parameter of a template in EPP: a key of the hash after the template's name.
    TemplateParameter { template: String, given: Vec<String>, in_quotes: bool },
    /// A name that is being defined, or a text without known completions.
    Unknown,
    /// Any expression.
    Expression,
}

/// A call whose arguments contain the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallAround {
    pub name: String,
    /// The span of the name.
    pub name_span: Span,
    /// The number of arguments before the current one, including the receiver of a method.
    pub arguments: usize,
}

/// The type whose first argument is the name of a function.
pub(crate) const DEFERRED: &str = "Deferred";

/// The content of brackets.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BracketContent {
    Body,
    Resource(OpenResource),
    Call(CallAround),
    Access {
        operand: Option<usize>,
        keys: Vec<String>,
    },
    /// A hash, with its keys so far.
    Hash {
        keys: Vec<String>,
    },
    Other,
}

/// A resource declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct OpenResource {
    type_name: String,
    title: Option<String>,
    /// Whether the title is complete, so that attributes follow. Overrides and defaults do not need one.
    is_titled: bool,
    given: Vec<String>,
    /// The attribute of the current value.
    attribute: Option<String>,
}

/// A scanner of a text's lexemes up to the cursor.
struct ContextReader<'t> {
    text: &'t str,
    lexemes: Vec<Lexeme>,
    inside: Vec<BracketContent>,
}

/// Returns the context at an offset.
pub(crate) fn context(text: &str, mode: Mode, offset: u32) -> CursorContext {
    let before = text.get(..offset as usize).unwrap_or(text);
    let (start, before) = code_before(before, mode);
    // `$a::` is no variable yet, but the part before the colons is one.
    let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
    let (before, colons) =
        match before.strip_suffix("::").filter(|rest| name.ends_with('$') && rest.len() > name.len()) {
            Some(rest) => (rest, 2),
            None => (before, 0),
        };
    let mut reader = ContextReader { text: before, lexemes: Vec::new(), inside: Vec::new() };
    let (mut end, mut is_comment) = (0, false);
    for found in lexemes(before, Mode { template: false, ..mode }).map_while(Result::ok) {
        end = found.span.end;
        is_comment = found.kind == LexemeKind::Comment
            || found.kind == LexemeKind::BlockComment && !found.span.text(before).ends_with("*/");
        if !found.kind.is_comment() {
            reader.lexemes.push(found);
        }
    }
    is_comment &= end as usize == before.len();
    let shift = |span: Span| Span::new(span.start + start, span.end + start);
    let mut context = reader.read(end);
    if is_comment {
        context.place = CursorPlace::Unknown;
    }
    context.word = shift(context.word);
    context.word.end += colons;
    match &mut context.place {
        CursorPlace::Method { receiver: span } | CursorPlace::Key { variable: span } => *span = shift(*span),
        _ => {}
    }
    context.calls.iter_mut().for_each(|call| call.name_span = shift(call.name_span));
    context
}

/// Returns the code at the end of a text, with its start offset: the whole text, or in a template the code of the last
/// tag.
fn code_before(text: &str, mode: Mode) -> (u32, &str) {
    if mode.template {
        let start = text.rfind("<%").map_or(text.len(), |tag| tag + 2);
        let code = text.get(start..).unwrap_or_default();
        if code.contains("%>") {
            return (text.len() as u32, "");
        }
        let code_start = start + (code.len() - code.trim_start_matches(['=', '-']).len());
        return (code_start as u32, text.get(code_start..).unwrap_or_default());
    }
    (0, text)
}

impl ContextReader<'_> {
    fn word(&self, at: usize) -> &str {
        self.lexemes.get(at).map(|lexeme| lexeme.span.text(self.text)).unwrap_or_default()
    }

    fn read(mut self, end: u32) -> CursorContext {
        let rest = self.text.get(end as usize..).unwrap_or_default();
        let last = self.lexemes.last().copied();
        // The word at the cursor may be incomplete.
        let is_word = |lexeme: &Lexeme| {
            let kinds = [LexemeKind::Name, LexemeKind::Keyword, LexemeKind::Variable, LexemeKind::Number];
            rest.is_empty() && kinds.contains(&lexeme.kind)
        };
        let partial = last.filter(is_word);
        if partial.is_some() {
            self.lexemes.pop();
        }
        for at in 0..self.lexemes.len() {
            self.step(at);
        }
        let calls = self.calls();
        if let Some(partial) = partial {
            let is_variable = partial.kind == LexemeKind::Variable;
            let word = Span::new(partial.span.start + u32::from(is_variable), partial.span.end);
            let place = if is_variable { CursorPlace::Variable } else { self.place() };
            return CursorContext { word, place, calls };
        }
        self.unfinished(rest, calls)
    }

    /// Returns the context after an incomplete token: nothing, `$`, or an unterminated string.
    fn unfinished(&self, rest: &str, calls: Vec<CallAround>) -> CursorContext {
        let here = self.text.len() as u32;
        let code = rest.trim_start();
        let start = here - code.len() as u32;
        if rest.is_empty() && self.ends_in_string() {
            return CursorContext { word: Span::new(here, here), place: CursorPlace::Unknown, calls };
        }
        if code == "$" || code == "$::" {
            return CursorContext { word: Span::new(start + 1, here), place: CursorPlace::Variable, calls };
        }
        let Some(quote) = code.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
            let word =
                code.chars().rev().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).count();
            return CursorContext { word: Span::new(here - word as u32, here), place: self.place(), calls };
        };
        if let Some(at) = code
            .rfind("${")
            .filter(|at| quote == '"' && !code.get(*at..).is_some_and(|rest| rest.contains('}')))
        {
            let inner = code.get(at + 2..).unwrap_or_default();
            if inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                return CursorContext {
                    word: Span::new(here - inner.len() as u32, here),
                    place: CursorPlace::Variable,
                    calls,
                };
            }
            let context = context(inner, Mode::default(), inner.len() as u32);
            let shift = here - inner.len() as u32;
            let word = Span::new(context.word.start + shift, context.word.end + shift);
            return CursorContext { word, place: CursorPlace::Expression, calls };
        }
        if let Some(at) = code.rfind('$').filter(|_| quote == '"') {
            let name = code.get(at + 1..).unwrap_or_default();
            if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                return CursorContext {
                    word: Span::new(here - name.len() as u32, here),
                    place: CursorPlace::Variable,
                    calls,
                };
            }
        }
        let place = match self.place() {
            CursorPlace::Value { type_name, title, attribute, .. } => {
                CursorPlace::Value { type_name, title, attribute, in_quotes: true }
            }
            CursorPlace::TemplateParameter { template, given, .. } => {
                CursorPlace::TemplateParameter { template, given, in_quotes: true }
            }
            CursorPlace::Expression | CursorPlace::Unknown => match calls.last() {
                Some(call) if call.arguments == 0 => CursorPlace::Argument { function: call.name.clone() },
                _ => CursorPlace::Unknown,
            },
            place => place,
        };
        CursorContext { word: Span::new(start + 1, here), place, calls }
    }

    /// Returns true directly after a closing quote, where nothing but an operator can follow.
    fn ends_in_string(&self) -> bool {
        let last = self.lexemes.last().map(|lexeme| lexeme.kind);
        matches!(last, Some(LexemeKind::Text | LexemeKind::Interpolation))
    }

    /// Returns the role of the next word.
    fn place(&self) -> CursorPlace {
        let last = self.lexemes.len().wrapping_sub(1);
        match self.word(last) {
            "." => {
                let receiver = self.operand(last.wrapping_sub(1));
                return CursorPlace::Method { receiver };
            }
            "include" | "contain" | "require" | "inherits" => return CursorPlace::Class,
            "class" | "define" | "function" | "type" | "plan" => return CursorPlace::Unknown,
            "," if self.is_including() => return CursorPlace::Class,
            _ => {}
        }
        match self.inside.last() {
            Some(BracketContent::Resource(resource)) => resource_place(resource),
            Some(BracketContent::Access { operand: Some(operand), keys }) => self.key_place(*operand, keys),
            Some(BracketContent::Call(call)) if call.arguments == 0 && is_including(&call.name) => {
                CursorPlace::Class
            }
            Some(BracketContent::Hash { keys }) if matches!(self.word(last), "{" | ",") => {
                self.template_parameter(keys).unwrap_or(CursorPlace::Expression)
            }
            _ => CursorPlace::Expression,
        }
    }

    /// Returns the place of a key in the hash of the parameters of `epp`.
    fn template_parameter(&self, keys: &[String]) -> Option<CursorPlace> {
        let around = self.inside.len().checked_sub(2)?;
        let Some(BracketContent::Call(call)) = self.inside.get(around) else { return None };
        let name = self.lexemes.iter().position(|lexeme| lexeme.span == call.name_span)?;
        let template = self.word(name + 2);
        let is_parameters = call.name == "epp" && call.arguments == 1 && template.starts_with(['\'', '"']);
        is_parameters.then(|| CursorPlace::TemplateParameter {
            template: unquoted(template),
            given: keys.to_vec(),
            in_quotes: false,
        })
    }

    /// Returns true after `include a, `.
    fn is_including(&self) -> bool {
        let mut before =
            self.lexemes.iter().rev().map(|lexeme| lexeme.span.text(self.text)).skip_while(|word| {
                *word == ","
                    || word.starts_with(|c: char| c.is_lowercase() || c == '\'') && !is_including(word)
            });
        before.next().is_some_and(is_including)
    }

    fn key_place(&self, operand: usize, keys: &[String]) -> CursorPlace {
        let word = self.word(operand);
        if word == "Class" {
            return CursorPlace::Class;
        }
        if word.starts_with(char::is_uppercase) {
            return CursorPlace::Title { type_name: lower(word), is_reference: true };
        }
        match word {
            "$facts" | "$::facts" => CursorPlace::Fact { path: keys.to_vec() },
            _ => CursorPlace::Key { variable: self.operand(operand) },
        }
    }

    /// Returns the operand that ends with a lexeme: brackets with the expression before them.
    fn operand(&self, last: usize) -> Span {
        let Some(end) = self.lexemes.get(last).map(|lexeme| lexeme.span) else { return Span::default() };
        let (mut at, mut depth) = (last, 0usize);
        loop {
            match self.word(at) {
                "]" | ")" | "}" => depth += 1,
                "[" | "(" | "{" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let goes_on = depth > 0
                || matches!(self.word(at), "[" | "(") && at > 0 && self.is_operand(at - 1)
                || self.word(at) == ".";
            let next = at.checked_sub(1).filter(|_| goes_on);
            // `a.b`: the dot and its receiver.
            let next = next.or_else(|| at.checked_sub(1).filter(|before| self.word(*before) == "."));
            match next {
                Some(before) => at = before,
                None => break,
            }
        }
        self.lexemes.get(at).map_or(end, |first| first.span.to(end))
    }

    fn is_operand(&self, at: usize) -> bool {
        self.lexemes.get(at).is_some_and(|lexeme| match lexeme.kind {
            LexemeKind::Name | LexemeKind::Variable | LexemeKind::Text | LexemeKind::Interpolation => true,
            LexemeKind::Sign => matches!(lexeme.span.text(self.text), "]" | ")" | "}"),
            _ => false,
        })
    }

    fn calls(&self) -> Vec<CallAround> {
        let calls = self.inside.iter().filter_map(|inside| match inside {
            BracketContent::Call(call) if !call.name.is_empty() => Some(call.clone()),
            _ => None,
        });
        calls.collect()
    }

    /// Processes a lexeme.
    fn step(&mut self, at: usize) {
        let word = self.word(at).to_owned();
        match word.as_str() {
            "{" => {
                let inside = self.opened(at);
                self.inside.push(inside);
            }
            "[" => {
                let operand = at.checked_sub(1).filter(|before| self.is_operand(*before) && self.touches(at));
                let keys = operand.map(|operand| self.keys_before(operand)).unwrap_or_default();
                let operand = operand.map(|operand| self.first_of(operand));
                self.inside.push(BracketContent::Access { operand, keys });
            }
            "(" => {
                let inside = BracketContent::Call(self.called(at));
                self.inside.push(inside);
            }
            "}" | "]" | ")" => _ = self.inside.pop(),
            _ => self.within(at, &word),
        }
    }

    /// Applies a word to the innermost brackets.
    fn within(&mut self, at: usize, word: &str) {
        let before = at.checked_sub(1).map(|before| self.word(before).to_owned()).unwrap_or_default();
        match self.inside.last_mut() {
            Some(BracketContent::Call(call)) if word == "," => call.arguments += 1,
            Some(BracketContent::Resource(resource)) => match word {
                ":" => {
                    resource.title = Some(unquoted(&before)).filter(|_| !before.starts_with(['[', ']', '$']));
                    resource.is_titled = true;
                    resource.given.clear();
                }
                ";" => {
                    let type_name = std::mem::take(&mut resource.type_name);
                    *resource = OpenResource { type_name, ..OpenResource::default() };
                }
                "=>" | "+>" if resource.is_titled => {
                    resource.given.push(before.clone());
                    resource.attribute = Some(before);
                }
                "," => resource.attribute = None,
                _ => {}
            },
            Some(BracketContent::Hash { keys }) if word == "=>" => keys.push(unquoted(&before)),
            _ => {}
        }
    }

    /// Returns the kind of brackets that a brace opens.
    fn opened(&self, at: usize) -> BracketContent {
        let Some(before) = at.checked_sub(1) else { return BracketContent::Other };
        let word = self.word(before);
        let further = before.checked_sub(1).map(|at| self.word(at)).unwrap_or_default();
        let is_definition = matches!(
            further,
            "class" | "define" | "function" | "plan" | "inherits" | "node" | "type" | "attr" | ">>"
        );
        if word == "class" && !is_definition {
            return BracketContent::Resource(OpenResource {
                type_name: "class".to_owned(),
                ..OpenResource::default()
            });
        }
        if matches!(word, "(" | "[" | "," | "=" | "=>") {
            return BracketContent::Hash { keys: Vec::new() };
        }
        let kind = self.lexemes.get(before).map(|lexeme| lexeme.kind);
        match kind {
            Some(LexemeKind::Name) if is_definition => BracketContent::Body,
            Some(LexemeKind::Name) if word.starts_with(char::is_uppercase) => {
                BracketContent::Resource(OpenResource {
                    type_name: lower(word),
                    is_titled: true,
                    ..OpenResource::default()
                })
            }
            Some(LexemeKind::Name)
                if !matches!(further, "case" | "if" | "unless" | "elsif" | "?" | "==" | "!=") =>
            {
                BracketContent::Resource(OpenResource { type_name: lower(word), ..OpenResource::default() })
            }
            Some(LexemeKind::Sign) if word == "]" => {
                let first = self.first_of(before);
                let name = self.word(first);
                match name.starts_with(char::is_uppercase) && self.word(first.wrapping_sub(1)) != ">>" {
                    true => BracketContent::Resource(OpenResource {
                        type_name: lower(name),
                        is_titled: true,
                        ..OpenResource::default()
                    }),
                    false => BracketContent::Other,
                }
            }
            _ => BracketContent::Other,
        }
    }

    /// Returns the call whose argument list a parenthesis opens, without a name if there is none.
    fn called(&self, at: usize) -> CallAround {
        let before = at
            .checked_sub(1)
            .filter(|before| self.lexemes.get(*before).is_some_and(|one| one.kind == LexemeKind::Name));
        let Some(before) = before.filter(|before| {
            !matches!(self.word(before.wrapping_sub(1)), "class" | "define" | "function" | "plan")
        }) else {
            return CallAround { name: String::new(), name_span: Span::default(), arguments: 0 };
        };
        let is_method = before.checked_sub(1).is_some_and(|dot| self.word(dot) == ".");
        if is_method && self.word(before) == "new" && self.word(before.wrapping_sub(2)) == DEFERRED {
            return CallAround { name: DEFERRED.to_owned(), name_span: Span::default(), arguments: 0 };
        }
        let name_span = self.lexemes.get(before).map(|lexeme| lexeme.span).unwrap_or_default();
        CallAround { name: self.word(before).to_owned(), name_span, arguments: usize::from(is_method) }
    }

    /// Returns true if a lexeme directly follows the one before it.
    fn touches(&self, at: usize) -> bool {
        let end = at.checked_sub(1).and_then(|before| self.lexemes.get(before)).map(|lexeme| lexeme.span.end);
        end == self.lexemes.get(at).map(|lexeme| lexeme.span.start)
    }

    /// Returns the first lexeme of a chain of accesses: of `$a[b][c]`, `$a`.
    fn first_of(&self, mut at: usize) -> usize {
        while self.word(at) == "]" {
            let mut depth = 0usize;
            loop {
                match self.word(at) {
                    "]" => depth += 1,
                    "[" => depth -= 1,
                    _ => {}
                }
                let Some(before) = at.checked_sub(1) else { return at };
                at = before;
                if depth == 0 {
                    break;
                }
            }
        }
        at
    }

    /// Returns the keys of a chain of accesses: of `$a[b][c]`, `b` and `c`.
    fn keys_before(&self, last: usize) -> Vec<String> {
        let first = self.first_of(last);
        let within = self.lexemes.get(first + 1..=last).unwrap_or_default().iter();
        let words = within.map(|lexeme| lexeme.span.text(self.text));
        words.filter(|word| !matches!(*word, "[" | "]")).map(unquoted).collect()
    }
}

fn resource_place(resource: &OpenResource) -> CursorPlace {
    let OpenResource { type_name, title, is_titled, given, attribute } = resource.clone();
    match (is_titled, attribute) {
        (true, Some(attribute)) => CursorPlace::Value { type_name, title, attribute, in_quotes: false },
        (true, None) => CursorPlace::Attribute { type_name, title, given },
        (false, _) if type_name == "class" => CursorPlace::Class,
        (false, _) => CursorPlace::Title { type_name, is_reference: false },
    }
}

fn is_including(word: &str) -> bool {
    matches!(word, "include" | "contain" | "require")
}

fn lower(name: &str) -> String {
    name.trim_start_matches("::").to_lowercase()
}

fn unquoted(word: &str) -> String {
    word.trim_matches(['\'', '"']).to_owned()
}
