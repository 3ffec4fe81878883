//! The commands of docs/get-started-rust.md, whose program is an example.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests may take the short way")]
#![allow(dead_code, reason = "tests call the function of the example, not its `main`")]

#[path = "../examples/welcome.rs"]
mod welcome;

const DOCUMENT: &str = include_str!("../docs/get-started-rust.md");

/// Returns the text of the document's first block in a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn its_program_is_the_example() {
    assert!(include_str!("../examples/welcome.rs").ends_with(block("rust")));
}

#[test]
fn its_commands_have_the_output_that_it_shows() {
    let commands: Vec<_> =
        block("console").split("$ ").skip(1).map(|one| one.split_once('\n').unwrap()).collect();
    assert_eq!(commands.len(), 2);
    for (command, expected) in commands {
        let arguments: Vec<_> = command.split(' ').skip(4).collect();
        let output = match welcome::catalog(arguments[0], arguments[1].parse().unwrap()) {
            Ok(catalog) => catalog,
            Err(error) => format!("Error: {error:?}"),
        };
        assert!(output.lines().any(|line| line == expected.trim_end()), "{command}\n{output}");
    }
}
