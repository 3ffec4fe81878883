//! Comma-separated values, as strictly as RFC 4180 has them: crates for it let stray quotes pass.
//!
//! See go-cty's `cty/function/stdlib/csv.go`.

use super::{FunctionFamily, failure, string};
use crate::function::{CtyFunction, exactly};
use crate::text::quoted;
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;

pub(super) fn functions() -> FunctionFamily {
    let function = CtyFunction::new(
        "Reads comma-separated values, and returns a list with an object for each row; the first row names the attributes.",
    )
    .parameter(string("str"))
    .type_rule(|arguments, _| {
        let [text] = exactly(arguments)?;
        if !text.is_known() {
            return Ok(CtyType::Dynamic);
        }
        let headers = CsvReader::new(text.as_string()?).record()?;
        let headers = headers.ok_or_else(|| failure("missing header line"))?;
        for (index, name) in headers.iter().enumerate() {
            if headers.iter().take(index).any(|before| before == name) {
                return Err(failure(format!("duplicate column name {}", quoted(name))));
            }
        }
        Ok(CtyType::list(CtyType::object(headers.into_iter().map(|name| (name, CtyType::String)))))
    })
    .implement(|[text], call| {
 let t = call.returns;
        let row_type = t.element_type().cloned().unwrap_or(CtyType::Dynamic);
        let mut reader = CsvReader::new(text.as_string()?);
        let headers = reader.record()?.unwrap_or_default();
        let mut rows = Vec::new();
        while let Some(record) = reader.record()? {
            if record.len() != headers.len() {
                return Err(reader.error("wrong number of fields", reader.record_line));
            }
            let cells = headers.iter().zip(record).map(|(name, cell)| (name, CtyValue::string(cell)));
            rows.push(CtyValue::object(cells));
        }
        CtyValue::list(&row_type, rows)
    });
    vec![("csvdecode", function)]
}

/// Reads one record after the other.
struct CsvReader<'t> {
    rest: &'t str,
    /// The number of the line that was read last.
    line: usize,
    /// The number of the line that the record began in.
    record_line: usize,
}

impl<'t> CsvReader<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, line: 0, record_line: 0 }
    }

    /// Returns the next line, and if it ends with a line break.
    fn next_line(&mut self) -> Option<(&'t str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, ended) = match self.rest.split_once('\n') {
            Some((line, rest)) => {
                self.rest = rest;
                (line, true)
            }
            None => (std::mem::take(&mut self.rest), false),
        };
        Some((line.strip_suffix('\r').unwrap_or(line), ended))
    }

    fn error(&self, message: &str, line: usize) -> Error {
        failure(format!("CSV parse error on line {line}: {message}"))
    }

    /// Returns the fields of the next line that is not empty.
    fn record(&mut self) -> Result<Option<Vec<String>>, Error> {
        const STRAY: &str = "extraneous or missing \" in quoted-field";
        let (mut line, mut ended) = loop {
            match self.next_line() {
                None => return Ok(None),
                Some(("", true)) => {}
                Some(line) => break line,
            }
        };
        self.record_line = self.line;
        let mut fields = Vec::new();
        loop {
            let Some(mut quoted) = line.strip_prefix('"') else {
                let (field, rest) =
                    line.split_once(',').map_or((line, None), |(field, rest)| (field, Some(rest)));
                if field.contains('"') {
                    return Err(self.error("bare \" in non-quoted-field", self.line));
                }
                fields.push(field.to_owned());
                let Some(rest) = rest else { return Ok(Some(fields)) };
                line = rest;
                continue;
            };
            let mut field = String::new();
            loop {
                let Some((part, rest)) = quoted.split_once('"') else {
                    field.push_str(quoted);
                    if !ended {
                        return Err(self.error(STRAY, self.line));
                    }
                    field.push('\n');
                    let next = self.next_line();
                    (quoted, ended) = next.ok_or_else(|| self.error(STRAY, self.line))?;
                    continue;
                };
                field.push_str(part);
                if let Some(rest) = rest.strip_prefix('"') {
                    field.push('"');
                    quoted = rest;
                } else if let Some(rest) = rest.strip_prefix(',') {
                    fields.push(field);
                    line = rest;
                    break;
                } else if rest.is_empty() {
                    fields.push(field);
                    return Ok(Some(fields));
                } else {
                    return Err(self.error(STRAY, self.line));
                }
            }
        }
    }
}
