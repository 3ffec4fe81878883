//! Fields of queries: a column, or a member of a document by its path.
//!
//! See `query_eng/parse.clj` of PuppetDB.

/// A part of a dotted field after the column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldPart {
    /// `name`, or `"quoted.name"`.
    Name(String),
    /// `name[3]`.
    Indexed(String, usize),
    /// `match("regexp")`.
    Match(String),
}

/// A field as queries name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name of the column.
    pub column: String,
    /// The path of the member.
    pub path: Vec<FieldPart>,
}

impl Field {
    /// Parses a field.
    ///
    /// # Errors
    /// Fails if the text is not a field, with PuppetDB's message.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Empty AST field".to_owned());
        }
        let mut end = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if text.get(end..).is_some_and(|rest| rest.starts_with('?')) {
            end = end.saturating_add(1);
        }
        let (column, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        if !column.starts_with(|first: char| first.is_ascii_alphabetic())
            || !(rest.is_empty() || rest.starts_with('.'))
        {
            return Err(format!("First component of AST field is invalid: {text:?}"));
        }
        let mut path = Vec::new();
        let mut rest = rest;
        while let Some(after) = rest.strip_prefix('.') {
            let at = text.len().saturating_sub(after.len());
            if after.starts_with("\"\"") {
                return Err(format!("Empty AST field component at character {at}: {text:?}"));
            }
            let (part, left) = part(after)
                .ok_or_else(|| format!("Don't recognize AST field component at character {at}: {text:?}"))?;
            path.push(part);
            rest = left;
        }
        Ok(Self { column: column.to_owned(), path })
    }

    /// Returns the names of a path without indexes and regular expressions, which some operators read as names.
    pub fn plain_names(text: &str) -> Vec<String> {
        let mut names = Vec::new();
        let mut rest = text.find('.').and_then(|dot| text.get(dot..)).unwrap_or("");
        while let Some(after) = rest.strip_prefix('.') {
            let Some((name, left)) = quoted(after).or_else(|| plain(after)) else { break };
            names.push(name.to_owned());
            rest = left;
        }
        names
    }
}

fn part(text: &str) -> Option<(FieldPart, &str)> {
    if let Some((pattern, rest)) = matching(text) {
        return Some((FieldPart::Match(pattern.to_owned()), rest));
    }
    let (name, rest) = quoted(text).or_else(|| plain(text))?;
    Some((index_or_name(name), rest))
}

/// Splits off `match("...")`. As in PuppetDB, the pattern is as long as possible.
fn matching(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("match(\"")?;
    let ends = inner.match_indices("\")").filter(|(at, _)| {
        let rest = inner.get(at.saturating_add(2)..).unwrap_or("");
        *at > 0
            && !inner.get(..*at).unwrap_or("").ends_with('\\')
            && (rest.is_empty() || rest.starts_with('.'))
    });
    let (end, _) = ends.last()?;
    Some((inner.get(..end)?, inner.get(end.saturating_add(2)..)?))
}

/// Splits off a quoted name, which ends with the first quote before a dot or the end that has no backslash before it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut ends = inner.match_indices('"').filter(|(at, _)| {
        let rest = inner.get(at.saturating_add(1)..).unwrap_or("");
        *at > 0
            && !inner.get(..*at).unwrap_or("").ends_with('\\')
            && (rest.is_empty() || rest.starts_with('.'))
    });
    let (end, _) = ends.next()?;
    Some((inner.get(..end)?, inner.get(end.saturating_add(1)..)?))
}

fn plain(text: &str) -> Option<(&str, &str)> {
    let end = text.find('.').unwrap_or(text.len());
    (end > 0).then(|| text.split_at_checked(end)).flatten()
}

fn index_or_name(name: &str) -> FieldPart {
    let indexed = || {
        let (before, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        (is_index && !before.is_empty()).then_some(())?;
        Some(FieldPart::Indexed(before.to_owned(), index.parse().ok()?))
    };
    indexed().unwrap_or_else(|| FieldPart::Name(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Result<(String, Vec<FieldPart>), String> {
        Field::parse(text).map(|field| (field.column, field.path))
    }

    fn name(text: &str) -> FieldPart {
        FieldPart::Name(text.into())
    }

    #[test]
    fn fields_have_names_indexes_and_patterns() {
        for (text, expected) in [
            ("certname", vec![]),
            ("latest_report?", vec![]),
            ("facts.os.family", vec![name("os"), name("family")]),
            ("facts.\"a.b\".c", vec![name("a.b"), name("c")]),
            ("facts.\"a\"b\".c", vec![name("a\"b"), name("c")]),
            ("facts.a[3].b", vec![FieldPart::Indexed("a".into(), 3), name("b")]),
            ("facts.\"a.b[0]\"", vec![FieldPart::Indexed("a.b".into(), 0)]),
            ("facts.match(\"a.*\").b", vec![FieldPart::Match("a.*".into()), name("b")]),
            ("facts.a[x]", vec![name("a[x]")]),
            ("facts.κόσμε", vec![name("κόσμε")]),
        ] {
            assert_eq!(parts(text).unwrap().1, expected, "{text}");
        }
    }

    #[test]
    fn malformed_fields_are_refused_in_puppetdbs_words() {
        for (text, message) in [
            ("", "Empty AST field"),
            ("field-hyphen", "First component of AST field is invalid: \"field-hyphen\""),
            ("1", "First component of AST field is invalid: \"1\""),
            ("facts.\"\".b", "Empty AST field component at character 6: \"facts.\\\"\\\".b\""),
            ("facts.", "Don't recognize AST field component at character 6: \"facts.\""),
        ] {
            assert_eq!(parts(text).unwrap_err(), message, "{text}");
        }
    }
}
