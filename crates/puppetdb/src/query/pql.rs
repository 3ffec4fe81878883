//! PQL, which is parsed to PuppetDB's AST.
//!
//! See `pql/pql-grammar.ebnf` and `pql/transform.clj` of PuppetDB.

use std::cell::{Cell, RefCell};

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::{IResult, Parser};
use puppetfn_base::limits::Limits;
use puppetfn_base::stack::StackBudget;
use serde_json::{Value as Json, json};

use super::entity::Entity;
use super::problem::QueryProblem;

/// Columns whose members have dotted fields.
const DOTTED: [&str; 3] = ["facts", "trusted", "parameters"];
/// Functions that PQL has.
const FUNCTIONS: [&str; 6] = ["count", "avg", "sum", "min", "max", "to_string"];

type PqlParse<'t, T> = Option<(T, &'t str)>;

/// Parses a query in PQL to its AST.
///
/// # Errors
/// Fails if the text is not PQL: the message has the line and the column.
pub(crate) fn parse(text: &str, limits: &Limits) -> Result<Json, QueryProblem> {
    let depth = limits.syntax;
    let _evaluation = StackBudget::begin(limits);
    let grammar = Grammar { text, depth, furthest: RefCell::default(), arrays: Cell::new(0) };
    if let Some((query, rest)) = grammar.query(text, depth) {
        if rest.is_empty() {
            return Ok(query);
        }
        grammar.expected(rest, "end-of-string");
    }
    Err(grammar.problem())
}

/// The furthest position of parsing, and the tokens expected there.
#[derive(Default)]
struct FurthestPosition {
    offset: usize,
    expected: Vec<&'static str>,
    /// A problem that ends parsing, such as a nesting that is too deep.
    fatal: Option<String>,
}

struct Grammar<'t> {
    text: &'t str,
    depth: u32,
    furthest: RefCell<FurthestPosition>,
    /// How deep arrays nest at the position.
    arrays: Cell<u32>,
}

fn word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// Skips white space.
fn skip(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

impl<'t> Grammar<'t> {
    /// Notes an expected token at a position.
    fn expected(&self, at: &str, what: &'static str) {
        let offset = self.text.len().saturating_sub(at.len());
        let mut furthest = self.furthest.borrow_mut();
        if offset > furthest.offset {
            furthest.offset = offset;
            furthest.expected.clear();
        }
        if offset == furthest.offset && !furthest.expected.contains(&what) {
            furthest.expected.push(what);
        }
    }

    /// Parses with nom, and notes the expected token if that fails.
    fn terminal<T>(
        &self,
        text: &'t str,
        what: &'static str,
        mut parser: impl Parser<&'t str, Output = T, Error = nom::error::Error<&'t str>>,
    ) -> PqlParse<'t, T> {
        let parsed: IResult<&'t str, T> = parser.parse(text);
        match parsed {
            Ok((rest, value)) => Some((value, rest)),
            Err(_) => {
                self.expected(text, what);
                None
            }
        }
    }

    fn token(&self, text: &'t str, token: &'static str) -> PqlParse<'t, ()> {
        self.terminal(text, token, tag(token)).map(|(_, rest)| ((), rest))
    }

    fn space(&self, text: &'t str) -> PqlParse<'t, ()> {
        self.terminal(text, "whitespace", take_while1(is_space)).map(|(_, rest)| ((), rest))
    }

    fn problem(&self) -> QueryProblem {
        let mut furthest = self.furthest.borrow_mut();
        if let Some(fatal) = furthest.fatal.take() {
            return QueryProblem::new(fatal);
        }
        let before = self.text.get(..furthest.offset).unwrap_or_default();
        let line = before.matches('\n').count().saturating_add(1);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count().saturating_add(1);
        let shown = self.text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
        let mut expected = std::mem::take(&mut furthest.expected);
        expected.sort_unstable();
        let label = if expected.len() == 1 { "Expected:\n" } else { "Expected one of:\n\n" };
        let marker = " ".repeat(column.saturating_sub(1));
        let message = format!(
            "PQL parse error at line {line}, column {column}:\n\n{shown}\n{marker}^\n\n{label}{}\n",
            expected.join("\n")
        );
        QueryProblem { offset: Some(furthest.offset), ..QueryProblem::new(message) }
    }

    /// Returns the depth that is left, and notes that parsing fails if there is none.
    fn deeper(&self, depth: u32) -> Option<u32> {
        if let Err(error) = StackBudget::check() {
            self.furthest.borrow_mut().fatal = Some(error.message().to_owned());
            return None;
        }
        let deeper = depth.checked_sub(1);
        if deeper.is_none() {
            let message = format!("the query nests more than {} deep (limit 'syntax')", self.depth);
            self.furthest.borrow_mut().fatal = Some(message);
        }
        deeper
    }

    fn query(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        let (query, rest) = self.from(skip(text), depth)?;
        Some((query, skip(rest)))
    }

    fn from(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        let depth = self.deeper(depth)?;
        let (entity, rest) = self.entity(text)?;
        let (columns, rest) = match self.columns(skip(rest)) {
            Some((columns, rest)) => (Some(columns), rest),
            None => (None, rest),
        };
        let (QueryBody { condition, group_by, paging }, rest) = self.body(skip(rest), depth)?;
        let mut query = vec![json!("from"), json!(entity.name())];
        match columns {
            Some(columns) => {
                let parts = [Some(json!("extract")), Some(columns), condition, group_by];
                query.push(Json::Array(parts.into_iter().flatten().collect()));
            }
            None => query.extend(condition.into_iter().chain(group_by)),
        }
        query.extend(paging);
        Some((Json::Array(query), rest))
    }

    fn entity(&self, text: &'t str) -> PqlParse<'t, Entity> {
        let (name, rest) = self.terminal(text, "an entity", take_while1(word_character))?;
        match Entity::parse(name).filter(|entity| entity.is_in_pql()) {
            Some(entity) => Some((entity, rest)),
            None => {
                self.expected(text, "an entity");
                None
            }
        }
    }

    fn columns(&self, text: &'t str) -> PqlParse<'t, Json> {
        let (_, rest) = self.token(text, "[")?;
        let (columns, rest) = match self.fields(skip(rest)) {
            Some((columns, rest)) => (columns, rest),
            None => (Vec::new(), rest),
        };
        let (_, rest) = self.token(skip(rest), "]")?;
        Some((Json::Array(columns), rest))
    }

    /// Parses fields and calls of functions.
    fn fields(&self, text: &'t str) -> PqlParse<'t, Vec<Json>> {
        self.list(text, |text| self.function(text).or_else(|| self.field(text)))
    }

    fn list<T>(&self, text: &'t str, item: impl Fn(&'t str) -> PqlParse<'t, T>) -> PqlParse<'t, Vec<T>> {
        let (first, mut rest) = item(text)?;
        let mut items = vec![first];
        while let Some((_, after)) = self.token(skip(rest), ",") {
            let (next, after) = item(skip(after))?;
            items.push(next);
            rest = after;
        }
        Some((items, rest))
    }

    fn function(&self, text: &'t str) -> PqlParse<'t, Json> {
        let (name, rest) = self.terminal(text, "a function", take_while1(word_character))?;
        if !FUNCTIONS.contains(&name) {
            return None;
        }
        let (_, rest) = self.token(skip(rest), "(")?;
        let mut call = vec![json!("function"), json!(name)];
        let mut rest = skip(rest);
        if let Some((argument, after)) = self.field(rest).or_else(|| self.string(rest)) {
            call.push(argument);
            rest = after;
            if let Some((_, after)) = self.token(skip(rest), ",") {
                let (formats, after) = self.list(skip(after), |text| self.string(text))?;
                call.extend(formats);
                rest = after;
            }
        }
        let (_, rest) = self.token(skip(rest), ")")?;
        Some((Json::Array(call), rest))
    }

    /// Parses a field: a name, or members of some columns.
    fn field(&self, text: &'t str) -> PqlParse<'t, Json> {
        let name = recognize((take_while1(word_character), opt(tag("?"))));
        let (name, rest) = self.terminal(text, "a field", name)?;
        if !DOTTED.contains(&name) {
            return Some((json!(name), rest));
        }
        let mut end = rest;
        while let Some(part) = end.strip_prefix('.') {
            end = self.field_part(part)?;
        }
        let length = text.len().saturating_sub(end.len());
        Some((json!(text.get(..length)?), end))
    }

    /// Skips a part of a dotted field.
    fn field_part(&self, text: &'t str) -> Option<&'t str> {
        if let Some(inner) = text.strip_prefix('"') {
            let mut ends = inner.match_indices('"').filter_map(|(at, _)| inner.get(at.saturating_add(1)..));
            let end = ends.find(|rest| rest.starts_with(|next: char| next == '.' || is_space(next)));
            if end.is_none() {
                self.expected(text, "a quoted name that a dot or whitespace follows");
            }
            return end;
        }
        if text.starts_with("match(\"") {
            let end = text.find(')').and_then(|at| text.get(at.saturating_add(1)..));
            if end.is_none() {
                self.expected(text, ")");
            }
            return end;
        }
        let is_plain = |next: char| !is_space(next) && !".\",[]!<=>~".contains(next);
        let (_, rest) = self.terminal(text, "a name", take_while1(is_plain))?;
        let index: IResult<&str, &str> = recognize((tag("["), digit1, tag("]"))).parse(rest);
        Some(index.map_or(rest, |(after, _)| after))
    }

    /// Parses the part of a query in braces.
    fn body(&self, text: &'t str, depth: u32) -> PqlParse<'t, QueryBody> {
        let (_, rest) = self.token(text, "{")?;
        let mut rest = skip(rest);
        let mut body = QueryBody::default();
        if let Some((condition, after)) = self.any(rest, depth) {
            body.condition = Some(condition);
            rest = skip(after);
        }
        if let Some((_, after)) = self.token(rest, "group by") {
            let (_, after) = self.space(after)?;
            let (keys, after) = self.fields(skip(after))?;
            body.group_by = Some(Json::Array([json!("group_by")].into_iter().chain(keys).collect()));
            rest = skip(after);
        } else {
            while let Some((clause, after)) = self.paging(rest) {
                body.paging.push(clause);
                rest = skip(after);
            }
        }
        let (_, rest) = self.token(rest, "}")?;
        Some((body, rest))
    }

    fn paging(&self, text: &'t str) -> PqlParse<'t, Json> {
        for name in ["limit", "offset"] {
            if let Some((_, rest)) = self.token(text, name) {
                let (_, rest) = self.space(rest)?;
                let (count, rest) = self.integer(rest)?;
                return Some((json!([name, count]), rest));
            }
        }
        let (_, rest) = self.token(text, "order by")?;
        let (_, rest) = self.space(rest)?;
        let (keys, rest) = self.list(rest, |text| self.order_key(text))?;
        Some((json!(["order_by", keys]), rest))
    }

    fn order_key(&self, text: &'t str) -> PqlParse<'t, Json> {
        // A field cannot begin so, as PuppetDB looks for the direction first.
        if text.starts_with("asc") || text.starts_with("desc") {
            self.expected(text, "a field");
            return None;
        }
        let (field, rest) = self.field(text)?;
        for direction in ["asc", "desc"] {
            if let Some((_, after)) = self.space(rest)
                && let Some((_, after)) = self.token(after, direction)
            {
                return Some((json!([field, direction]), after));
            }
        }
        Some((field, rest))
    }

    /// Parses conditions with `or` between them.
    fn any(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        self.junction("or", text, |text| self.all(text, depth))
    }

    fn all(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        self.junction("and", text, |text| self.negation(text, depth))
    }

    fn junction(
        &self,
        operator: &'static str,
        text: &'t str,
        side: impl Fn(&'t str) -> PqlParse<'t, Json>,
    ) -> PqlParse<'t, Json> {
        let (first, mut rest) = side(text)?;
        let mut sides = vec![first];
        loop {
            let next = self.space(rest).and_then(|(_, after)| self.token(after, operator));
            let next = next.and_then(|(_, after)| self.space(after)).and_then(|(_, after)| side(after));
            let Some((next, after)) = next else { break };
            sides.push(next);
            rest = after;
        }
        if sides.len() == 1 {
            return sides.pop().map(|side| (side, rest));
        }
        // Nested operators of the same kind are one.
        let mut joined = vec![json!(operator)];
        for side in sides {
            match side {
                Json::Array(parts) if parts.first().is_some_and(|first| first == operator) => {
                    joined.extend(parts.into_iter().skip(1));
                }
                side => joined.push(side),
            }
        }
        Some((Json::Array(joined), rest))
    }

    fn negation(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        let depth = self.deeper(depth)?;
        if let Some((_, rest)) = self.token(text, "!") {
            let (negated, rest) = self.negation(skip(rest), depth)?;
            return Some((json!(["not", negated]), rest));
        }
        if let Some((_, rest)) = self.token(text, "(") {
            let (inner, rest) = self.any(skip(rest), depth)?;
            let (_, rest) = self.token(skip(rest), ")")?;
            return Some((inner, rest));
        }
        self.comparison(text, depth).or_else(|| self.subquery(text, depth))
    }

    /// Parses an implicit subquery.
    fn subquery(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        let (entity, rest) = self.entity(text)?;
        let (QueryBody { condition, group_by, paging }, rest) = self.body(skip(rest), depth)?;
        if group_by.is_some() || !paging.is_empty() {
            self.expected(text, "a subquery without grouping and paging");
            return None;
        }
        let parts = [Some(json!("subquery")), Some(json!(entity.name())), condition];
        Some((Json::Array(parts.into_iter().flatten().collect()), rest))
    }

    fn comparison(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        if let Some((fields, rest)) = self.grouped_fields(text) {
            let (values, rest) = self.membership(skip(rest), depth)?;
            return Some((json!(["in", fields, values]), rest));
        }
        let (field, after) = self.field(text)?;
        let rest = skip(after);
        for (form, is_null) in [("is null", true), ("is not null", false)] {
            if let Some((_, rest)) = self.token(rest, form) {
                return Some((json!(["null?", field, is_null]), rest));
            }
        }
        if let Some((values, rest)) = self.membership(rest, depth) {
            return Some((json!(["in", field, values]), rest));
        }
        self.operation(&field, rest)
    }

    /// Parses an operator and a value.
    fn operation(&self, field: &Json, text: &'t str) -> PqlParse<'t, Json> {
        // The expected token, if there is no operator.
        for operator in ["~>", "!=", "!~", ">=", "<=", "=", "~", "<", ">"] {
            let Some((_, rest)) = self.token(text, operator) else { continue };
            let rest = skip(rest);
            let (value, rest) = match operator {
                "~>" => self.array(rest, |text| self.string(text))?,
                "~" => self.string(rest)?,
                "<" | ">" | "<=" | ">=" => self.number(rest).or_else(|| self.string(rest))?,
                _ => self.literal(rest)?,
            };
            let comparison = match operator {
                "!=" => json!(["not", ["=", field, value]]),
                "!~" => json!(["not", ["~", field, value]]),
                operator => json!([operator, field, value]),
            };
            return Some((comparison, rest));
        }
        None
    }

    fn grouped_fields(&self, text: &'t str) -> PqlParse<'t, Json> {
        let (_, rest) = self.token(text, "[")?;
        let (fields, rest) = self.fields(skip(rest))?;
        let (_, rest) = self.token(skip(rest), "]")?;
        Some((Json::Array(fields), rest))
    }

    /// Parses `in` and a query or a list of values.
    fn membership(&self, text: &'t str, depth: u32) -> PqlParse<'t, Json> {
        let (_, rest) = self.token(text, "in")?;
        let rest = skip(rest);
        if let Some((values, rest)) = self.array(rest, |text| self.literal(text)) {
            return Some((json!(["array", values]), rest));
        }
        self.from(rest, depth)
    }

    fn array(&self, text: &'t str, item: impl Fn(&'t str) -> PqlParse<'t, Json>) -> PqlParse<'t, Json> {
        let (_, rest) = self.token(text, "[")?;
        let (items, rest) = self.list(skip(rest), item)?;
        let (_, rest) = self.token(skip(rest), "]")?;
        Some((Json::Array(items), rest))
    }

    fn literal(&self, text: &'t str) -> PqlParse<'t, Json> {
        if let Some(found) = self.string(text).or_else(|| self.number(text)) {
            return Some(found);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if let Some((_, rest)) = self.token(text, word) {
                return Some((json!(value), rest));
            }
        }
        let arrays = self.arrays.get().saturating_add(1);
        if arrays > self.depth {
            self.deeper(0);
            return None;
        }
        self.arrays.set(arrays);
        let array = self.array(text, |text| self.literal(text));
        self.arrays.set(arrays.saturating_sub(1));
        array
    }

    fn string(&self, text: &'t str) -> PqlParse<'t, Json> {
        let (quote, rest) = self.terminal(text, "a string", one_of("'\""))?;
        let mut escaped = false;
        let end = rest.char_indices().find(|(_, next)| {
            let ends = *next == quote && !escaped;
            escaped = *next == '\\' && !escaped;
            ends
        });
        let Some((end, _)) = end else {
            self.expected(text, "a string that ends");
            return None;
        };
        let (content, after) = rest.split_at_checked(end)?;
        let after = after.get(1..)?;
        if quote == '\'' {
            return Some((json!(content.replace("\\'", "'")), after));
        }
        match serde_json::from_str::<String>(&format!("\"{content}\"")) {
            Ok(string) => Some((json!(string), after)),
            Err(_) => {
                self.expected(text, "a string with escapes as in JSON");
                None
            }
        }
    }

    fn number(&self, text: &'t str) -> PqlParse<'t, Json> {
        let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
        let mut real = recognize((opt(tag("-")), digit1, tag("."), digit1, opt(exponent)));
        let parsed: IResult<&'t str, &'t str> = real.parse(text);
        if let Ok((rest, number)) = parsed {
            return Some((serde_json::from_str(&without_zeros(number)).ok()?, rest));
        }
        self.integer(text)
    }

    fn integer(&self, text: &'t str) -> PqlParse<'t, Json> {
        let (digits, rest) = self.terminal(text, "a number", recognize((opt(tag("-")), digit1)))?;
        match digits.parse::<i64>() {
            Ok(number) => Some((json!(number), rest)),
            Err(_) => {
                self.expected(text, "an integer of 64 bits");
                None
            }
        }
    }
}

/// Returns a number without the leading zeros that JSON does not have.
fn without_zeros(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let parsed: IResult<&str, &str> =
        alt((recognize(take_while(|digit| digit == '0')), tag(""))).parse(digits);
    let rest = parsed.map_or(digits, |(rest, _)| rest);
    let zero = if rest.starts_with('.') { "0" } else { "" };
    format!("{sign}{zero}{rest}")
}

/// The part of a query in braces.
#[derive(Default)]
struct QueryBody {
    condition: Option<Json>,
    group_by: Option<Json>,
    paging: Vec<Json>,
}
