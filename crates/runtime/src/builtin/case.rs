//! Upper and lower case: `upcase`, `downcase`, `capitalize` and `camelcase`.
//!
//! See Puppet's `functions/{upcase,downcase,capitalize,camelcase}.rb`.

use std::sync::Arc;

use super::text::{over_numbers_and_texts, same_kind};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Depth;
use puppetfn_types::function::{Call, Declaration, HostMethod, native};
use puppetfn_types::value::{self, Hash, Value};

pub(super) fn upcase() -> Declaration {
    deep("upcase", |text| text.to_uppercase())
        .pure()
        .doc("A string in upper case; an array or hash with all strings in it in upper case.")
        .example("upcase('straße')", "'STRASSE'")
        .example("upcase({'a' => ['b', 1]})", "{'A' => ['B', 1]}")
}

pub(super) fn downcase() -> Declaration {
    deep("downcase", value::downcase)
        .pure()
        .doc("A string in lower case; an array or hash with all strings in it in lower case.")
        .example("downcase('ÀB')", "'àb'")
        .example("downcase(['A', ['B', 1]])", "['a', ['b', 1]]")
}

/// Declares a function that also changes the texts nested in arrays and hashes.
fn deep(name: &'static str, change: fn(&str) -> String) -> Declaration {
    let run = move |call: &mut Call<'_>, argument: &Value| {
        change_deep(argument, change, Depth::nesting(call.limits()))
    };
    native(name)
        .local_type("StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]")
        .dispatch::<&Value>("(Numeric arg)", run)
        .dispatch::<&Value>("(String arg)", run)
        .dispatch::<&Value>("(Array[StringData] arg)", run)
        .dispatch::<&Value>("(Hash[StringData, StringData] arg)", run)
        .returns(same_kind)
}

fn change_deep(value: &Value, change: fn(&str) -> String, depth: Depth) -> Result<Value, Error> {
    if let Value::String(text) = value {
        return Ok(change(text).into());
    }
    let depth = depth.deeper()?;
    if let Value::Array(items) = value {
        let items: Result<Vec<_>, _> = items.iter().map(|item| change_deep(item, change, depth)).collect();
        return Ok(items?.into());
    }
    if let Value::Hash(hash) = value {
        let entry = |(key, value)| Ok((change_deep(key, change, depth)?, change_deep(value, change, depth)?));
        let entries: Result<Hash, Error> = hash.iter().map(entry).collect();
        return Ok(Value::Hash(Arc::new(entries?)));
    }
    value.check_encoding()?;
    Ok(value.clone())
}

pub(super) fn capitalize() -> Declaration {
    over_numbers_and_texts("capitalize", value::capitalize)
        .host_method(HostMethod::Capitalize)
        .pure()
        .doc(
            "A string, or each of several, with its first letter in upper case and the others in lower case.",
        )
        .example("capitalize('hELLO world')", "'Hello world'")
        .example("capitalize(['ab', 'CD'])", "['Ab', 'Cd']")
}

pub(super) fn camelcase() -> Declaration {
    over_numbers_and_texts("camelcase", |text| text.split('_').map(value::capitalize).collect())
        .pure()
        .doc("A string, or each of several, with its parts between `_` capitalized and joined.")
        .example("camelcase('hello_world')", "'HelloWorld'")
}
