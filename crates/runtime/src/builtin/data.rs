//! Functions that return data to `lookup`: `yaml_data`, `json_data`, `hocon_data` and `eyaml_lookup_key`.
//!
//! See Puppet's `functions/{yaml_data,json_data,hocon_data,eyaml_lookup_key}.rb`.

mod parsed;

use std::path::Path;

use self::parsed::parsed;
use super::secrets;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_hiera::LOOKUP;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::function::{Call, Declaration, Deviation, Library, LogLevel, call_member, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Object, Value};

const MISSING_PATH: &str =
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this";

pub(super) fn yaml_data() -> Declaration {
    data_hash("yaml_data", |call, path| {
        let text = yaml_text(call, path)?;
        yaml_hash(call, text, path)
    })
    .doc("Gives `lookup` the data of a YAML file. It is named in a `hiera.yaml`.")
}

pub(super) fn json_data() -> Declaration {
    data_hash("json_data", |call, path| {
        let text = call.caller().files().read_text(Path::new(path))?;
        // Ruby's library has words of its own for a text without a value.
        if text.trim().is_empty() {
            return Err(failure(format!("Unable to parse ({path}): unexpected token at ''")));
        }
        json::parse(&text, call.limits())
            .map_err(|error| in_file(path, error))?
            .map_err(|problem| failure(format!("Unable to parse ({path}): {problem}")))
    })
    .doc("Gives `lookup` the data of a JSON file. It is named in a `hiera.yaml`.")
}

pub(super) fn hocon_data() -> Declaration {
    data_hash("hocon_data", |call, path| {
        let text = call.caller().files().read_text(Path::new(path))?;
        call.caller().run_library(Library::Hocon { text: &text, path })?.ok_or_else(|| {
            failure("Lookup using Hocon data_hash function is not supported without hocon library")
        })
    })
    .doc("Gives `lookup` the data of a HOCON file, by Ruby's library. It is named in a `hiera.yaml`.")
}

/// Declares a function that returns the data of a file.
fn data_hash(
    name: &'static str,
    read: impl Fn(&mut Call<'_>, &str) -> Result<Value, Error> + Send + Sync + 'static,
) -> Declaration {
    native(name)
        .dispatch::<(&Hash, &Object)>(
            "(Struct[{'path' => String[1]}] options, Puppet::LookupContext context)",
            move |call, (options, _)| {
                let path = call.entry_as::<&str>(options, "path")?;
                read(call, path)
            },
        )
        .argument_mismatch::<(&Hash, &Object)>("(Hash options, Puppet::LookupContext context)", |_, _| {
            Ok(format!("{MISSING_PATH} data_hash function"))
        })
        .returns(|_| Type::Any)
}

/// Adds the file to an error about a limit.
fn in_file(path: &str, error: Error) -> Error {
    error.reworded(|message| format!("Unable to parse ({path}): {message}"))
}

/// Returns the data of a text in YAML.
fn yaml_text(call: &Call<'_>, path: &str) -> Result<String, Error> {
    yaml::decode(call.caller().files().read(Path::new(path))?)
        .map_err(|problem| failure(format!("Unable to parse {}", problem.in_file(path))))
}

fn yaml_hash(call: &mut Call<'_>, text: String, path: &str) -> Result<Value, Error> {
    let data = parsed(path, text, call.limits())
        .map_err(|error| in_file(path, error))?
        .map_err(|problem| failure(format!("Unable to parse {}", problem.in_file(path))))?;
    if let Value::Hash(_) = data {
        return Ok(data);
    }
    let message = format!("{path}: file does not contain a valid yaml hash");
    let is_empty = matches!(data, Value::Undef | Value::Boolean(false));
    if call.caller().strict() == Strict::Error && !is_empty {
        return Err(failure(message));
    }
    // Puppet caches the file, and warns once for as long as it keeps the environment.
    call.deviate(Deviation::from_all("data in YAML that is not a hash"))?;
    call.log(LogLevel::Warning, &message);
    Ok(Hash::default().into())
}

pub(super) fn eyaml_lookup_key() -> Declaration {
    native("eyaml_lookup_key")
        .doc(
            "Gives `lookup` the value of a key of a YAML file in which values are encrypted, by Ruby's library. It \
             is named in a `hiera.yaml`.",
        )
        .dispatch::<(&Value, &Hash, &Object)>(
            "(String[1] key, Hash[String[1], Any] options, Puppet::LookupContext context)",
            |call, (key, options, context)| decrypted(call, key, options, context),
        )
        .returns(|_| Type::Any)
}

fn decrypted(call: &mut Call<'_>, key: &Value, options: &Hash, context: &Object) -> Result<Value, Error> {
    if ask(call, context, "cache_has_key", std::slice::from_ref(key))? == Value::Boolean(true) {
        return ask(call, context, "cached_value", std::slice::from_ref(key));
    }
    let Some(Value::String(path)) = options.get_str("path") else {
        let message = format!("'eyaml_lookup_key': {MISSING_PATH} lookup_key function");
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    };
    let mut data = ask(call, context, "cached_value", &[Value::Undef])?;
    if let Value::Undef = data {
        call.deviate(Deviation::without("hiera_eyaml", "eyaml_lookup_key without hiera-eyaml"))?;
        let text = yaml_text(call, path)?;
        data = yaml_hash(call, text, path)?;
        ask(call, context, "cache", &[Value::Undef, data.clone()])?;
    }
    let value = match &data {
        Value::Hash(data) => data.get(key),
        _ => None,
    };
    let Some(value) = value else { return ask(call, context, "not_found", &[]) };
    let decryption = Decryption { options, key, path, context };
    let value = decryption.decrypted(call, value, Depth::nesting(call.limits()))?;
    ask(call, context, "cache", &[key.clone(), value])
}

/// The origin of values that may be encrypted.
struct Decryption<'a> {
    options: &'a Hash,
    key: &'a Value,
    path: &'a str,
    context: &'a Object,
}

impl Decryption<'_> {
    fn decrypted(&self, call: &Call<'_>, value: &Value, depth: Depth) -> Result<Value, Error> {
        match value {
            Value::String(text) => {
                let text = if is_encrypted(text) { self.decrypt(call, text)? } else { value.clone() };
                ask(call, self.context, "interpolate", &[text])
            }
            Value::Array(items) => {
                let depth = depth.deeper()?;
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| self.decrypted(call, item, depth)).collect();
                Ok(items?.into())
            }
            Value::Hash(hash) => {
                let depth = depth.deeper()?;
                let entry = |(key, value): (&Value, &Value)| {
                    let key = ask(call, self.context, "interpolate", std::slice::from_ref(key))?;
                    Ok((key, self.decrypted(call, value, depth)?))
                };
                Ok(hash.iter().map(entry).collect::<Result<Hash, Error>>()?.into())
            }
            other => Ok(other.clone()),
        }
    }

    fn decrypt(&self, call: &Call<'_>, text: &str) -> Result<Value, Error> {
        if call.caller().files().hides_secrets() {
            return Ok(secrets::hidden(text).into());
        }
        let Self { options, key, path, .. } = self;
        let task = Library::Eyaml { text, options, key: &key.interpolated(call.limits())?, path };
        call.caller().run_library(task)?.ok_or_else(|| {
            failure(
                "Lookup using eyaml lookup_key function is only supported when the hiera_eyaml library is present",
            )
        })
    }
}

/// Returns true if a text has an encrypted part within a line, as Puppet's `encrypted?` does.
fn is_encrypted(text: &str) -> bool {
    text.contains("ENC[")
        && text.lines().any(|line| line.split_once("ENC[").is_some_and(|(_, behind)| behind.contains(']')))
}

/// Calls a function of the context of a lookup.
fn ask(call: &Call<'_>, context: &Object, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let member = context.definition().member(name).ok_or_else(|| call.unfit_body())?;
    call_member(context, &member, arguments, None, call.caller())
}

#[cold]
fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Layer(LOOKUP), message)
}
