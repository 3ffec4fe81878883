//! Translates a template to Ruby code. See `ERB::Compiler` with the trim mode `-` in Ruby's `erb/compiler.rb`.

/// The method that adds a text of the template, by its index, to the output.
pub(crate) const TEXT: &str = "__text__";
/// The method that adds the value of an expression to the output.
pub(crate) const OUTPUT: &str = "__output__";

/// The Ruby code of a template.
#[derive(Debug, Default)]
pub(crate) struct RubySource {
    pub code: String,
    /// The texts that [`TEXT`] adds.
    pub texts: Vec<String>,
}

/// The kinds of tags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagKind {
    Code,
    Output,
    Comment,
}

/// Returns the code of a template; `None` if it declares its encoding, or uses names of this translation.
pub(crate) fn ruby_source(template: &str) -> Option<RubySource> {
    if [TEXT, OUTPUT].iter().any(|name| template.contains(name)) {
        return None;
    }
    let mut source = RubySource::default();
    let mut rest = template;
    loop {
        let part = next_part(rest)?;
        source.add_text(part.text);
        let Some((tag, content)) = part.tag else { return Some(source) };
        match tag {
            TagKind::Comment => {}
            TagKind::Code | TagKind::Output if has_comment(&content) => return None,
            TagKind::Code => source.add_statement(&content),
            TagKind::Output => source.add_statement(&format!("{OUTPUT}(({content}))")),
        }
        rest = part.rest;
    }
}

/// A text of a template with the tag that ends it.
pub(crate) struct TemplatePart<'t> {
    pub text: String,
    /// The tag and its content; `None` at the end of the template.
    pub tag: Option<(TagKind, String)>,
    /// The template after the tag.
    pub rest: &'t str,
}

/// Returns the next part of a template; `None` if its tag is not closed, or is a comment that may declare the encoding.
pub(crate) fn next_part(template: &str) -> Option<TemplatePart<'_>> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, tag, after)) = next_tag(rest) {
        text.push_str(before);
        let Some(tag) = tag else {
            // `<%%` is a text.
            text.push_str("<%");
            rest = after;
            continue;
        };
        let (content, rest) = tag_content(after)?;
        let declares_encoding = tag == TagKind::Comment && content.contains("coding");
        return (!declares_encoding).then_some(TemplatePart { text, tag: Some((tag, content)), rest });
    }
    text.push_str(rest);
    Some(TemplatePart { text, tag: None, rest: "" })
}

/// Returns the text in front of the next tag, the tag (`None` for an escaped one), and the rest.
fn next_tag(rest: &str) -> Option<(&str, Option<TagKind>, &str)> {
    let open = rest.find("<%")?;
    let (before, tag) = rest.split_at(open);
    let after = tag.get(2..)?;
    Some(match after.as_bytes().first() {
        Some(b'-') => {
            let blank = before.trim_end_matches([' ', '\t']);
            // A tag strips the blanks of its line, which begins where the last tag ended.
            let is_line = blank.is_empty() || blank.ends_with('\n');
            (if is_line { blank } else { before }, Some(TagKind::Code), after.get(1..)?)
        }
        Some(b'%') => (before, None, after.get(1..)?),
        Some(b'=') => (before, Some(TagKind::Output), after.get(1..)?),
        Some(b'#') => (before, Some(TagKind::Comment), after.get(1..)?),
        _ => (before, Some(TagKind::Code), after),
    })
}

/// Returns true if the last line of a tag can end with a comment, which hides code of the tags that follow.
fn has_comment(content: &str) -> bool {
    let line = content.rsplit('\n').next().unwrap_or_default();
    line.match_indices('#').any(|(at, _)| !line.get(at..).is_some_and(|rest| rest.starts_with("#{")))
}

/// Returns the content of a tag and the rest of the template; `None` if the tag is not closed.
fn tag_content(rest: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut rest = rest;
    while let Some(close) = rest.find("%>") {
        let (before, after) = rest.split_at(close);
        let after = after.get(2..).unwrap_or_default();
        if let Some(escaped) = before.strip_suffix('%') {
            content.push_str(escaped);
            content.push_str("%>");
            rest = after;
        } else if let Some(trimmed) = before.strip_suffix('-') {
            content.push_str(trimmed);
            let line = after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n'));
            return Some((content, line.unwrap_or(after)));
        } else {
            content.push_str(before);
            return Some((content, after));
        }
    }
    None
}

impl RubySource {
    fn add_text(&mut self, text: String) {
        if !text.is_empty() {
            self.add_statement(&format!("{TEXT}({})", self.texts.len()));
            self.texts.push(text);
        }
    }

    fn add_statement(&mut self, code: &str) {
        self.code.push_str(code);
        self.code.push_str(";\n");
    }
}
