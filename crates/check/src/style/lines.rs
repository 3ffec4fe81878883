//! The length of lines.

use super::super::rule::Rule;
use super::Style;
use puppetfn_base::source::Span;

pub(super) fn check(style: &mut Style<'_, '_>) {
    for (rule, width) in [(Rule::LineLength, 140), (Rule::LineLength80, 80)] {
        if !style.selection().has(rule) {
            continue;
        }
        let mut start = 0;
        for line in style.text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            let end = content.char_indices().nth(width).map(|(end, _)| end);
            // These cannot be broken.
            let is_whole = content.contains("://") || content.contains("template(");
            if let Some(end) = end.filter(|_| !is_whole) {
                let span = Span::new(start + end as u32, start + content.len() as u32);
                style.report(rule, span, format!("The line has more than {width} characters"));
            }
            start += line.len() as u32;
        }
    }
}
