//! Sessions of random edits: after any edit, the server knows the texts, publishes the findings of a fresh check, and
//! answers requests.
//!
//! `PUPPETFN_EDITS=5000 cargo test -p puppetfn-lsp --test server` runs more edits, `PUPPETFN_SEED=2` different ones.

use std::env;

use serde_json::{Value as Json, json};

use crate::editor::{TestEditor, said, uri};
use crate::requests::{ADD, ALIAS, EPP, INIT, SITE, about, is_answered, module};

const FILES: [(&str, &str); 5] = [
    ("manifests/init.pp", INIT),
    ("manifests/site.pp", SITE),
    ("functions/add.pp", ADD),
    ("templates/a.epp", EPP),
    ("types/port.pp", ALIAS),
];

/// The inserted texts.
const WORDS: [&str; 34] = [
    "\n",
    "\r\n",
    " ",
    "\t",
    "$x",
    "$port",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=>",
    "=",
    "'",
    "\"",
    "${",
    ",",
    "|",
    "#",
    "<%",
    "%>",
    "é",
    "😀",
    "1 + 'a'",
    "include web\n",
    "web::add('a')",
    "class web::b { }\n",
    "@(E)\n",
    "Web::Port",
    "String ",
    "Integer ",
    "web::site { 'b': root => 1 }\n",
    "$facts['osfamily']",
];

/// The number of edits before the texts are reset.
const ROUND: usize = 60;

/// A reproducible random number generator.
struct SessionRandom(u64);

impl SessionRandom {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Returns an offset of a text at a character boundary.
    fn offset(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap()
    }
}

fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Returns the position of an offset, by counting.
fn position(text: &str, offset: usize) -> Json {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    json!({"line": line, "character": before.rsplit('\n').next().unwrap().encode_utf16().count()})
}

/// Applies a random edit to a text and returns the change.
fn edit(text: &mut String, random: &mut SessionRandom) -> Json {
    let start = random.offset(text);
    let end = if random.below(3) == 0 { random.offset(text) } else { start };
    let (start, end) = (start.min(end), end.max(start));
    // Long deletions are rare, so that there is code left.
    let end = if end - start > 20 && random.below(4) > 0 { start } else { end };
    // Editors do not edit within a CRLF.
    let is_within = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    let (start, end) = (start - usize::from(is_within(start)), end + usize::from(is_within(end)));
    let word = random.one_of(&WORDS);
    let change = json!({"range": {"start": position(text, start), "end": position(text, end)}, "text": word});
    text.replace_range(start..end, word);
    change
}

#[test]
fn what_is_said_is_what_a_fresh_check_says() {
    let (edits, seed) = (number("PUPPETFN_EDITS", 180), number("PUPPETFN_SEED", 1));
    let files = module("sessions");
    let root = files.path("web");
    let mut editor = TestEditor::start(&[&root]);
    let paths = FILES.map(|(file, _)| root.join(file));
    let mut texts = FILES.map(|(_, text)| text.to_owned());
    paths.iter().zip(&texts).for_each(|(path, text)| editor.open(path, text));
    let mut random = SessionRandom(seed as u64);
    for version in 2..edits + 2 {
        let at = random.below(FILES.len());
        let mut changes = Vec::new();
        if version % ROUND == 0 {
            for (at, path) in paths.iter().enumerate() {
                texts[at] = FILES[at].1.to_owned();
                editor.change(path, version, json!([{"text": texts[at]}]));
            }
        }
        for _ in 0..=random.below(3) {
            changes.push(edit(&mut texts[at], &mut random));
        }
        editor.change(&paths[at], version, Json::Array(changes));
        let (asked, line, column) = (random.below(FILES.len()), random.below(14), random.below(40));
        let mut requests = about(&uri(&paths[asked]), line, column);
        let (method, params) = requests.swap_remove(random.below(requests.len()));
        is_answered(&mut editor, method, params);
        if version % 6 == 0 {
            compare(&mut editor, &files, &texts, seed, version);
        }
    }
    compare(&mut editor, &files, &texts, seed, edits);
    assert_eq!(editor.end(), 0);
}

/// Compares with `puppetfn check` of the same texts on disk; the server gets no notification of these files.
fn compare(
    editor: &mut TestEditor,
    files: &crate::editor::EditorFiles,
    texts: &[String; 5],
    seed: usize,
    edit: usize,
) {
    for ((file, _), text) in FILES.iter().zip(texts) {
        files.write(&format!("web/{file}"), text);
    }
    editor.settle();
    for ((file, _), text) in FILES.iter().zip(texts) {
        let path = format!("web/{file}");
        let said = said(editor, &files.path(&path), text);
        assert_eq!(said, files.checked("web", &path), "seed {seed}, edit {edit}, {file}:\n{text}");
    }
}
