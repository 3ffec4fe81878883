//! The parts of a text that is a URI: RFC 3986, but for the query, which may have any character.

use fluent_uri::UriRef;
use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Fragment;

use super::{UriParts, invalid};
use crate::value::{DumpedString, InspectedString};
use puppetfn_base::error::Error;

pub(super) fn split(text: &str) -> Result<UriParts, Error> {
    if !text.is_ascii() {
        return Err(invalid(format!("URI must be ascii only {}", DumpedString(text))));
    }
    let not_a_uri = || invalid(format!("bad URI(is not URI?): {}", InspectedString(text)));
    let (rest, fragment) = split_at(text, '#');
    if fragment.is_some_and(|fragment| EStr::<Fragment>::new(fragment).is_none()) {
        return Err(not_a_uri());
    }
    let (rest, query) = split_at(rest, '?');
    let uri = UriRef::parse(rest).map_err(|_| not_a_uri())?;
    let (scheme, path, authority) = (uri.scheme(), uri.path(), uri.authority());
    if scheme.is_none() && rest.contains('[') {
        // Ruby reads addresses in brackets after a scheme only.
        return Err(not_a_uri());
    }
    let mut parts = UriParts {
        scheme: scheme.map(|scheme| scheme.as_str().to_owned()),
        fragment: fragment.map(str::to_owned),
        ..UriParts::default()
    };
    if let Some(authority) = authority {
        parts.userinfo = authority.userinfo().map(|userinfo| userinfo.as_str().to_owned());
        parts.host = Some(authority.host().to_owned()).filter(|host| !host.is_empty());
        if let Some(port) = authority.port().filter(|port| !port.is_empty()) {
            let port = port.as_str().parse();
            parts.port = Some(
                port.map_err(|_| invalid(format!("the port of {} is too large", InspectedString(text))))?,
            );
        }
    }
    let path = path.as_str();
    if scheme.is_some() && authority.is_none() && !path.is_empty() && !path.starts_with('/') {
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        parts.opaque = Some(format!("{path}{query}"));
    } else {
        parts.path = Some(path.to_owned());
        parts.query = query.map(str::to_owned);
    }
    Ok(parts)
}

fn split_at(text: &str, sign: char) -> (&str, Option<&str>) {
    text.split_once(sign).map_or((text, None), |(head, tail)| (head, Some(tail)))
}
