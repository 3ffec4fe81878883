//! Translates a template to Ruby code with the same lines, for the errors of Ruby's parser.

use crate::scan::{TagKind, next_tag, tag_content};

/// Returns Ruby code in which each line has the code of the same line of a template; `None` for a template that declares its
/// encoding, or has a tag without an end.
///
/// ```
/// assert_eq!(puppetfn_erb::ruby_lines("a\n<% if @b -%>\nc<% end %>"), Some("_;\n if @b ;\n_; end ;".to_owned()));
/// ```
#[must_use]
pub fn ruby_lines(template: &str) -> Option<String> {
    let mut code = String::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, tag, after)) = next_tag(rest) {
        text.push_str(before);
        let Some(tag) = tag else {
            text.push_str("<%");
            rest = after;
            continue;
        };
        add_text(&mut code, &mut text);
        let (content, behind) = tag_content(after)?;
        match tag {
            TagKind::Comment if content.contains("coding") => return None,
            TagKind::Comment => {}
            TagKind::Code => code.push_str(&format!("{content};")),
            TagKind::Output => code.push_str(&format!("_(({content}));")),
        }
        // Lines of comments, and ends of lines that a tag strips, are lines of the code, too.
        let read = template.get(..template.len().checked_sub(behind.len())?)?;
        let missing = newlines(read).saturating_sub(newlines(&code));
        code.push_str(&"\n".repeat(missing));
        rest = behind;
    }
    text.push_str(rest);
    add_text(&mut code, &mut text);
    Some(code)
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn add_text(code: &mut String, text: &mut String) {
    if !text.is_empty() {
        code.push_str("_;");
        code.push_str(&"\n".repeat(newlines(text)));
        text.clear();
    }
}
