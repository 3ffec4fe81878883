//! Several fixes of a text at once.

use super::super::finding::Fix;
use super::same_meaning;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::Mode;

/// Returns fixes in order and apart from each other. Of two that touch, the first stays.
pub fn apart(mut fixes: Vec<Fix>) -> Vec<Fix> {
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let mut end: Option<u32> = None;
    fixes.retain(|fix| {
        // Two insertions at one place may depend on each other.
        let is_apart =
            end.is_none_or(|end| fix.span.start > end || fix.span.start == end && fix.span.length() > 0);
        if is_apart {
            end = end.max(Some(fix.span.end));
        }
        is_apart
    });
    fixes
}

/// Returns a text with fixes, which are in order and apart from each other.
pub fn fixed(text: &str, fixes: &[Fix]) -> String {
    let mut fixed = text.to_owned();
    for Fix { span, text } in fixes.iter().rev() {
        let range = span.start as usize..span.end as usize;
        if fixed.get(range.clone()).is_some() {
            fixed.replace_range(range, text);
        }
    }
    fixed
}

/// Splits fixes of style by whether they keep the meaning of a text. If all of them together do not, each is tried alone.
pub fn by_meaning(text: &str, fixes: Vec<Fix>, mode: Mode, limits: &Limits) -> (Vec<Fix>, Vec<Fix>) {
    let is_same = |fixes: &[Fix]| same_meaning(text, &fixed(text, fixes), mode, limits);
    if fixes.is_empty() || is_same(&fixes) {
        return (fixes, Vec::new());
    }
    fixes.into_iter().partition(|fix| is_same(std::slice::from_ref(fix)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::source::Span;

    fn fix(start: u32, end: u32, text: &str) -> Fix {
        Fix { span: Span::new(start, end), text: text.to_owned() }
    }

    #[test]
    fn fixes_that_touch_wait() {
        let fixes =
            apart(vec![fix(3, 4, "d"), fix(0, 2, "a"), fix(1, 3, "b"), fix(4, 4, "e"), fix(4, 4, "f")]);
        assert_eq!(fixes, [fix(0, 2, "a"), fix(3, 4, "d")]);
        assert_eq!(fixed("01234", &fixes), "a2d4");
        assert_eq!(
            apart(vec![fix(0, 0, "a"), fix(0, 0, "b"), fix(0, 1, "c")]),
            [fix(0, 0, "a"), fix(0, 1, "c")]
        );
    }

    #[test]
    fn fixes_that_change_a_program_are_split_off() {
        let (kept, others) = by_meaning(
            "notice(\"a\", 1)",
            vec![fix(7, 10, "'a'"), fix(12, 13, "2")],
            Mode::default(),
            &Limits::DEFAULT,
        );
        assert_eq!((kept, others), (vec![fix(7, 10, "'a'")], vec![fix(12, 13, "2")]));
    }
}
