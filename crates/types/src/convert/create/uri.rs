//! `new` of `URI`.
//!
//! See Puppet's `pops/types/p_uri_type.rb`.

use std::sync::Arc;

use crate::function::{Declaration, native};
use crate::value::{Hash, Uri, UriParts, Value};
use puppetfn_base::error::Error;

pub(super) fn uri() -> Declaration {
    // Puppet calls it so.
    native("new_error")
        .dispatch::<&str>("(String[1] uri)", |_, text| Ok(Value::Uri(Arc::new(Uri::parse(text)?))))
        .dispatch::<&Hash>(
            "(Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], Optional[host] => String[1], \
             Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => String[1], \
             Optional[fragment] => String[1], Optional[opaque] => String[1]}] hash)",
            |_, parts| uri_of(parts),
        )
}

fn uri_of(parts: &Hash) -> Result<Value, Error> {
    let text = |name| match parts.get_str(name) {
        Some(Value::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let port = match parts.get_str("port") {
        Some(Value::Integer(port)) => Some(*port),
        _ => None,
    };
    let uri = Uri::build(UriParts {
        scheme: text("scheme"),
        userinfo: text("userinfo"),
        host: text("host"),
        port,
        path: text("path"),
        query: text("query"),
        fragment: text("fragment"),
        opaque: text("opaque"),
    })?;
    Ok(Value::Uri(Arc::new(uri)))
}
