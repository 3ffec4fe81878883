//! Functions and types of Bolt, which plans can use.

use std::ops::Range;

/// The signatures of the functions of Bolt 3 and 4, each with a tab and its description.
const FUNCTIONS: &str = include_str!("bolt_functions.txt");

/// The data types of Bolt.
pub(crate) const TYPES: [(&str, &str); 9] = [
    ("ApplyResult", "The result of a block of `apply` on a target."),
    ("ContainerResult", "The result of a container."),
    ("Future", "A block that runs beside the plan."),
    ("PlanResult", "A value that a plan can return."),
    ("ResourceInstance", "A resource of a target, with its state and the desired state."),
    ("Result", "The result of an action on a target."),
    ("ResultSet", "The results of an action on several targets."),
    ("Target", "A target: a device that Bolt connects to."),
    ("TargetSpec", "Names, URIs and groups of targets, targets, or arrays of these."),
];

/// Returns the signatures of all functions, with their descriptions.
pub(crate) fn functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    FUNCTIONS.lines().filter_map(|line| line.split_once('\t'))
}

/// Returns the signatures of a function, with their descriptions.
pub(crate) fn described(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    functions().filter(move |(signature, _)| name_of(signature) == name)
}

/// Returns the name in a signature.
pub(crate) fn name_of(signature: &str) -> &str {
    signature.split('(').next().unwrap_or_default()
}

/// Returns the signatures and the description of a function.
pub(crate) fn function(name: &str) -> Option<(Vec<String>, String)> {
    let (_, doc) = described(name).next()?;
    Some((described(name).map(|(signature, _)| signature.to_owned()).collect(), doc.to_owned()))
}

/// Returns the name and the description of a data type by its name, which is matched without regard to case.
pub(crate) fn data_type(name: &str) -> Option<(String, String)> {
    let short = name.strip_prefix("boltlib::").unwrap_or(name);
    let (name, doc) = TYPES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(short))?;
    Some((format!("type {name}"), doc.to_owned()))
}

/// Returns the ranges of the parameters of a signature.
pub(crate) fn parameters(signature: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in signature.char_indices() {
        match c {
            '(' if depth == 0 => (depth, start) = (1, at + 1),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' | ')' if depth == 1 => {
                found.push(start..at);
                start = at + 2;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_have_their_parameters() {
        let shown = |name: &str| {
            let of = |(signature, _): (&str, &str)| {
                parameters(signature).into_iter().map(|range| signature[range].to_owned()).collect()
            };
            described(name).map(of).collect::<Vec<Vec<String>>>()
        };
        assert_eq!(shown("add_to_group"), [["TargetSpec targets".to_owned(), "String[1] group".to_owned()]]);
        assert_eq!(shown("fail_plan")[1], ["Error error"]);
        assert_eq!(shown("wait")[0].len(), 3);
        assert_eq!(data_type("boltlib::targetspec").unwrap().0, "type TargetSpec");
        assert_eq!(function("nosuch"), None);
    }

    #[test]
    fn every_line_has_a_signature_and_a_description() {
        for line in FUNCTIONS.lines() {
            let (signature, doc) = line.split_once('\t').unwrap();
            assert!(doc.ends_with('.'), "{line}");
            assert_eq!(signature.matches('[').count(), signature.matches(']').count(), "{line}");
            assert!(
                parameters(signature).iter().all(|range| signature[range.clone()].contains(' ')),
                "{line}"
            );
        }
    }
}
