//! Translates a template to Ruby code with the same lines, for the errors of Ruby's parser.

use crate::scan::{TagKind, next_part};

/// Returns Ruby code in which each line has the code of the same line of a template; `None` for a template that declares its
/// encoding, or has a tag without an end.
///
/// ```
/// assert_eq!(puppetfn_erb::ruby_lines("a\n<% if @b -%>\nc<% end %>"), Some("_;\n if @b ;\n_; end ;".to_owned()));
/// ```
#[must_use]
pub fn ruby_lines(template: &str) -> Option<String> {
    let mut code = String::new();
    // The lines up to these offsets of the template and of the code are counted.
    let (mut read, mut written) = (0, 0);
    let (mut lines_read, mut lines_written) = (0_usize, 0_usize);
    let mut rest = template;
    loop {
        let part = next_part(rest)?;
        if !part.text.is_empty() {
            code.push_str("_;");
            code.push_str(&"\n".repeat(newlines(&part.text)));
        }
        match part.tag {
            None => return Some(code),
            Some((TagKind::Comment, _)) => {}
            Some((TagKind::Code, content)) => code.push_str(&format!("{content};")),
            Some((TagKind::Output, content)) => code.push_str(&format!("_(({content}));")),
        }
        rest = part.rest;
        // Lines of comments, and ends of lines that a tag strips, are lines of the code, too.
        let end = template.len().checked_sub(rest.len())?;
        lines_read = lines_read.saturating_add(newlines(template.get(read..end)?));
        lines_written = lines_written.saturating_add(newlines(code.get(written..)?));
        let missing = lines_read.saturating_sub(lines_written);
        code.push_str(&"\n".repeat(missing));
        lines_written = lines_written.saturating_add(missing);
        (read, written) = (end, code.len());
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
