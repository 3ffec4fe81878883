//! Placeholders for encrypted data, where no keys are there to read it or nothing is to show it.
//!
//! A placeholder is made of a digest, so that equal secrets have equal ones: catalogs can be compared. It consists of letters
//! and digits and is as long as a text in Base64 may be, so that most types and templates take it for a secret.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use regex::{Captures, Regex};
use sha2::Sha256;
use sha2::digest::Digest;

use super::digest::hexadecimal;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Declaration, SensitiveArgument, native};
use puppetfn_types::value::Value;

/// The beginning of all placeholders.
const MARK: &str = "nosecret";

/// Digits of the digest of an encrypted text, which is no secret itself.
const CIPHERTEXT_DIGITS: usize = 12;

/// Digits of the digest of a plain text. Whoever guesses the text can check the guess by them, as far as 24 bits go.
const PLAINTEXT_DIGITS: usize = 6;

/// Number of rounds of the digest of a plain text, so that many guesses take long.
const PLAINTEXT_ROUNDS: usize = 4096;

/// Returns a text of hiera-eyaml with placeholders for its encrypted parts, which are found as its
/// `parser/encrypted_tokens.rb` finds them.
pub(super) fn hidden(text: &str) -> String {
    static ENCRYPTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"ENC\[(?:[A-Za-z0-9_]+,)?[a-zA-Z0-9+/ =\n]+?\]").ok());
    let placeholder = |found: &Captures<'_>| {
        // Folded lines of YAML are the same ciphertext.
        let part = found.get(0).map_or("", |part| part.as_str());
        of_ciphertext(&part.split_whitespace().collect::<String>())
    };
    let hidden =
        ENCRYPTED.as_ref().map_or(Cow::Borrowed(text), |pattern| pattern.replace_all(text, placeholder));
    // As the text that is decrypted: Ruby's `chomp`.
    let end = hidden.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    end.or_else(|| hidden.strip_suffix('\r')).unwrap_or(&hidden).to_owned()
}

/// `node_encrypt`, whose text begins as one that is encrypted: the type `node_encrypted_file` asks for that.
pub(super) fn node_encrypt() -> Declaration {
    let encrypted = |text: &str| -> Value {
        format!("-----BEGIN PKCS7-----\n{}\n-----END PKCS7-----\n", of_plaintext(text)).into()
    };
    native("node_encrypt")
        .doc("Returns a placeholder for the text that would be encrypted for the node.")
        .dispatch::<&str>("(String content)", move |_, text| Ok(encrypted(text)))
        .dispatch::<SensitiveArgument<&Value>>("(Sensitive content)", move |_, SensitiveArgument(secret)| {
            match secret {
                Value::String(text) => Ok(encrypted(text)),
                _ => Err(Error::new(ErrorKind::Evaluation, "Can only encrypt strings")),
            }
        })
}

pub(super) fn node_decrypt() -> Declaration {
    native("node_decrypt")
        .doc("Returns a placeholder for the text that would be decrypted on the node.")
        .dispatch::<&str>("(String content)", |_, text| {
            Ok(Value::Sensitive(Arc::new(of_ciphertext(text).into())))
        })
}

fn of_ciphertext(text: &str) -> String {
    placeholder(&hexadecimal::<Sha256>(text.as_bytes()), CIPHERTEXT_DIGITS)
}

fn of_plaintext(text: &str) -> String {
    let first = Sha256::digest(text.as_bytes());
    let last = (1..PLAINTEXT_ROUNDS).fold(first, |digest, _| {
        // With the text in each round, no table of chains helps.
        Sha256::new().chain_update(digest).chain_update(text.as_bytes()).finalize()
    });
    placeholder(&hexadecimal::<Sha256>(&last), PLAINTEXT_DIGITS)
}

fn placeholder(digest: &str, digits: usize) -> String {
    format!("{MARK}{}", digest.get(..digits).unwrap_or(digest))
}
