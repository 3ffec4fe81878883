//! The output of a node classifier.
#![allow(clippy::disallowed_methods, reason = "the user names these files and programs")]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use crate::CompileFailure;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_runtime::eval::NodeClass;
use puppetfn_types::convert::yaml;
use puppetfn_types::value::{Hash, Value, label};

/// The classes, parameters and environment of a node.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Classified {
    pub classes: Vec<NodeClass>,
    pub parameters: Hash,
    pub environment: Option<String>,
}

impl Classified {
    /// Asks the configured classifier: a program is run with the name of the node, a file that is not executable has
    /// the output of a program.
    pub fn of(enc: &Path, node: &str, limits: &Limits) -> Result<Self, CompileFailure> {
        let (path, shown) = (enc, enc.display());
        let said = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(CompileFailure::setting("enc", format!("{shown} is a directory")));
            }
            Ok(found) if is_executable(&found) => run(Command::new(path), node),
            Ok(_) => StdFileSystem::new(limits).read_named_text(path).map_err(|error| error.to_string()),
            Err(error) => match command(enc) {
                Some(command) => run(command, node),
                None => return Err(CompileFailure::setting("enc", format!("{shown}: {error}"))),
            },
        };
        let failed = |problem| CompileFailure::Classifier(format!("{shown}: {problem}"));
        let said = said.map_err(failed)?;
        if said.trim().is_empty() {
            return Err(failed(format!("it does not know the node {node}: its output is empty")));
        }
        Self::parse(&said, limits).map_err(failed)
    }

    fn parse(text: &str, limits: &Limits) -> Result<Self, String> {
        let parsed = yaml::parse(text, limits).map_err(|error| error.to_string())?;
        let Value::Hash(said) = parsed.map_err(|error| format!("not YAML: {error}"))? else {
            return Err("expected a hash with classes, parameters and environment".to_owned());
        };
        Self::of_hash(&said)
    }

    /// Parses the classes, the parameters and the environment of a hash. The error names the member.
    pub fn of_hash(said: &Hash) -> Result<Self, String> {
        let get = |key| said.get_str(key).filter(|value| !matches!(value, Value::Undef));
        Ok(Self {
            classes: get("classes").map_or(Ok(Vec::new()), classes)?,
            parameters: match get("parameters") {
                None => Hash::default(),
                Some(Value::Hash(parameters)) => parameters_of("parameters", parameters)?,
                Some(other) => return Err(format!("parameters: expected a hash, got {}", label(other))),
            },
            environment: match get("environment") {
                None => None,
                Some(Value::String(name)) => Some(name.to_string()),
                Some(other) => return Err(format!("environment: expected a name, got {}", label(other))),
            },
        })
    }
}

fn classes(value: &Value) -> Result<Vec<NodeClass>, String> {
    let name = |name: &Value| match name {
        Value::String(name) => Ok(Arc::clone(name)),
        other => Err(format!("classes: expected names, got {}", label(other))),
    };
    match value {
        Value::String(name) => Ok(vec![NodeClass { name: Arc::clone(name), parameters: Vec::new() }]),
        Value::Array(names) => {
            let class = |class| Ok(NodeClass { name: name(class)?, parameters: Vec::new() });
            names.iter().map(class).collect()
        }
        Value::Hash(classes) => {
            let class = |(class, given): (&Value, &Value)| {
                let name = name(class)?;
                let parameters = match given {
                    Value::Undef => Hash::default(),
                    Value::Hash(parameters) => parameters_of(&name, parameters)?,
                    other => {
                        return Err(format!(
                            "classes: {name}: expected a hash of parameters, got {}",
                            label(other)
                        ));
                    }
                };
                let parameters = parameters.iter().filter_map(|(name, value)| match name {
                    Value::String(name) => Some((Arc::clone(name), value.clone())),
                    _ => None,
                });
                Ok(NodeClass { parameters: parameters.collect(), name })
            };
            classes.iter().map(class).collect()
        }
        other => Err(format!("classes: expected an array or a hash, got {}", label(other))),
    }
}

/// Parameters by their names.
fn parameters_of(subject: &str, parameters: &Hash) -> Result<Hash, String> {
    match parameters.iter().find(|(name, _)| !matches!(name, Value::String(_))) {
        None => Ok(parameters.clone()),
        Some((name, _)) => Err(format!("{subject}: expected names of parameters, got {}", label(name))),
    }
}

/// Returns a program with arguments, if the option names one.
fn command(enc: &Path) -> Option<Command> {
    let mut words = enc.to_str()?.split_whitespace();
    let program = Path::new(words.next()?);
    let mut command = Command::new(program);
    command.args(words);
    let is_program = fs::metadata(program).is_ok_and(|found| found.is_file() && is_executable(&found));
    is_program.then_some(command)
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// Returns the output of a program for the node.
fn run(mut command: Command, node: &str) -> Result<String, String> {
    output(command.arg(node))
}

/// Returns the output of a program, or its failure.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().map_err(|error| format!("it cannot be run: {error}"))?;
    if status.success() {
        return String::from_utf8(stdout).map_err(|_| "its output is not UTF-8".to_owned());
    }
    let said = String::from_utf8_lossy(&stderr);
    let said = said.trim();
    let colon = if said.is_empty() { "" } else { ": " };
    match status.code() {
        Some(code) => Err(format!("it ended with the exit status {code}{colon}{said}")),
        None => Err(format!("it was ended by a signal{colon}{said}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<(String, usize)>, String> {
        let found = Classified::parse(text, &Limits::DEFAULT)?.classes;
        Ok(found.iter().map(|class| (class.name.to_string(), class.parameters.len())).collect())
    }

    #[test]
    fn classes_are_a_list_or_have_parameters() {
        let ntp = || ("ntp".to_owned(), 0);
        assert_eq!(names("classes: [ntp, ssh]"), Ok(vec![ntp(), ("ssh".to_owned(), 0)]));
        assert_eq!(names("classes:\n  ntp:\n  ssh: {port: 22}\n"), Ok(vec![ntp(), ("ssh".to_owned(), 1)]));
        assert_eq!(names("classes: ntp"), Ok(vec![ntp()]));
        assert_eq!(names(":classes: [ntp]\nclasses_of: 1"), Ok(vec![ntp()]));
        assert_eq!(names("parameters: {a: 1}\nclasses:\n"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_classification_is_said() {
        for (text, problem) in [
            ("[1]", "expected a hash with classes, parameters and environment"),
            ("classes: 1", "classes: expected an array or a hash, got Integer"),
            ("classes: [[a]]", "classes: expected names, got Array"),
            ("classes: {a: 1}", "classes: a: expected a hash of parameters, got Integer"),
            ("classes: {a: {1: 2}}", "a: expected names of parameters, got Integer"),
            ("parameters: [1]", "parameters: expected a hash, got Array"),
            ("environment: 1", "environment: expected a name, got Integer"),
        ] {
            assert_eq!(Classified::parse(text, &Limits::DEFAULT).unwrap_err(), problem);
        }
        assert!(Classified::parse("a: [", &Limits::DEFAULT).unwrap_err().starts_with("not YAML: "));
    }
}
