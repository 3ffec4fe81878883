//! Advice about errors, where the command knows more than they do: its arguments, options and subcommands.

use std::sync::LazyLock;

use regex::Regex;

use super::args::{CallArgs, EvalArgs};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;

/// Returns the advice for an error of any subcommand.
pub(super) fn of_error(error: &Error) -> Option<&'static str> {
    of_message(error.message())
}

/// Returns a remedy for the error with this message.
pub(super) fn of_message(message: &str) -> Option<&'static str> {
    let says = |part| message.contains(part);
    if lacks_key(message) {
        return Some("without keys, `--no-secrets` replaces encrypted data with placeholders");
    }
    if says("is only available when compiling a catalog") {
        return Some("`puppetfn compile NODE --manifest FILE` compiles a catalog");
    }
    if says("Execution of config_version command") {
        return Some("`--no-config-version` compiles without the command");
    }
    if says("which this program does not run") {
        return Some("the command `puppetfn` of the gem puppetfn runs Ruby code, too");
    }
    None
}

/// Returns true if data could not be decrypted or encrypted: by hiera-eyaml, or by the functions of the module node_encrypt,
/// which read keys and certificates of Puppet's.
fn lacks_key(message: &str) -> bool {
    let says = |part: &&str| message.contains(part);
    let is_unread_key = says(&"@ rb_sysopen - ")
        && says(&".pem")
        && ["/private_keys/", "/certs/", "/signed/"].iter().any(says);
    is_unread_key
        || [
            "hiera-eyaml backend error decrypting",
            "cannot load such file -- hiera/backend/eyaml/encryptors/",
            "Lookup using eyaml lookup_key function is only supported",
            "Client certificate does not exist",
            "The function 'node_encrypt' is written in Ruby",
            "The function 'node_decrypt' is written in Ruby",
        ]
        .iter()
        .any(says)
}

/// Returns which arguments of a call were probably meant to be JSON, and why they are not.
pub(super) fn of_call(call: &CallArgs, limits: &Limits) -> Vec<String> {
    let about = |(index, text): (usize, &String)| {
        let looks_like_json = text.trim_start().starts_with(['{', '[', '"']);
        let problem = json::parse(text, limits).ok()?.err().filter(|_| looks_like_json)?;
        let number = index.saturating_add(1);
        Some(format!(
            "argument {number} looks like JSON but is invalid, so it was passed as a string: {problem}"
        ))
    };
    call.args.iter().enumerate().filter_map(about).collect()
}

/// Returns the options that evaluated code lacks.
pub(super) fn of_eval(eval: &EvalArgs) -> Vec<String> {
    static FACTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$(?:\{\s*)?(?:::)?facts\b").ok());
    let uses_facts = FACTS.as_ref().is_some_and(|facts| facts.is_match(&eval.code));
    if uses_facts && eval.settings.facts.is_none() {
        return vec!["no facts were given: `--facts FILE` reads the facts of a node".to_owned()];
    }
    Vec::new()
}
