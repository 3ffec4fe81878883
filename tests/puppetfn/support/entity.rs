//! Code with types that are defined by their features.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use puppetfn::eval::Runtime;

/// Returns the value of the last statement, as Puppet writes it.
pub fn value(code: &str) -> String {
    Runtime::new().evaluate(code, None).unwrap().to_literal()
}

/// Returns the message of the error, without the place.
pub fn error(code: &str) -> String {
    Runtime::new().evaluate(code, Some("/m/types/user.pp")).unwrap_err().to_string()
}

/// Checks that a message has a part.
pub fn has(message: &str, part: &str) {
    assert!(message.contains(part), "{message}");
}

/// Returns the error of an object.
pub fn problem(code: &str) -> String {
    let error = error(code);
    let (_, problem) = error.split_once(" cannot be created:").unwrap();
    let (problem, _) = problem.rsplit_once(" (file:").unwrap();
    problem.trim_start_matches(' ').to_owned()
}

const USER: &str = "
type UserRole {
  attr gid, String {
    check => { if $gid =~ /\\d/ { \"gid must be non numeric. '${gid}' not acceptable.\" } }
  }
}
type User {
  attr password, String {
    check => { if $password =~ /:/ { \"A ':' is not allowed in a password\" } }
  }
  attr password_min_age, Integer
  attr groups, String {
    min        => 0,
    max        => unbound,
    unsettable => true,
    check      => { if $it =~ /:/ { \"Use group names not GID. '${it}' not acceptable as group name.\" } }
  }
  has roles, UserRole {
    max => unbound,
  }
}
";

/// Code that uses the types of the document that describes types by features.
pub fn user(code: &str) -> String {
    format!("{USER}\n{code}")
}
