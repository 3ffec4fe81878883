//! Any manifest is laid out without a change of the program, a second time without any change, and in parts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::error::ErrorKind;
use puppetfn::fmt::{edits, edits_within, format, on_type};

fuzz_target!(|input: (u16, &str)| {
    let (offset, text) = input;
    let offset =
        (0..=usize::from(offset).min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    for typed in ['\n', '}'] {
        let typed = on_type(text, offset, typed).expect("the text is short");
        assert!(typed.iter().all(|edit| text.get(edit.range.clone()).is_some()));
    }
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(error) => {
            assert_ne!(*error.kind(), ErrorKind::Internal);
            return;
        }
    };
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
    let mut edited = text.to_owned();
    for edit in edits(text).expect("it can be formatted").iter().rev() {
        edited.replace_range(edit.range.clone(), &edit.text);
    }
    assert_eq!(edited, formatted);
    edits_within(text, offset..offset).expect("each change is none of the program");
});
