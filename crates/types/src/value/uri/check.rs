//! Checks of the parts from which a URI is built: RFC 2396.

use fluent_uri::component;
use fluent_uri::pct_enc::encoder::{Path, Userinfo};
use fluent_uri::pct_enc::{EStr, Encoder, Table};

use super::scheme::Scheme;
use super::{UriParts, escape_query, ftp_path, ftp_written, invalid};
use puppetfn_base::error::Error;

/// A name, or an IPv4 address.
struct HostName;

impl Encoder for HostName {
    const TABLE: &'static Table =
        &Table::new(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.").or_pct_encoded();
}

struct OpaquePart;

impl Encoder for OpaquePart {
    const TABLE: &'static Table = &Path::TABLE.or(&Table::new(b"?[]"));
}

/// Returns the parts as their scheme understands them.
pub(super) fn prepare(mut parts: UriParts) -> Result<UriParts, Error> {
    match Scheme::of(parts.scheme.as_deref()) {
        Scheme::Ftp => {
            let Some(path) = &parts.path else { return Err(invalid("an ftp URI must have a path")) };
            parts.path = Some(ftp_written(path));
        }
        // Ruby builds these from other parts, which Puppet does not have.
        Scheme::Ldap | Scheme::Ldaps => parts.query = Some(String::new()),
        Scheme::MailTo => parts.opaque = Some(String::new()),
        Scheme::File | Scheme::Http | Scheme::Https | Scheme::Ws | Scheme::Wss | Scheme::Other => {}
    }
    if let Some(host) = &parts.host
        && host.contains(':')
        && in_brackets(host).is_none()
    {
        parts.host = Some(format!("[{host}]"));
    }
    Ok(parts)
}

/// Checks each part, in Ruby's order.
pub(super) fn check(parts: &UriParts) -> Result<(), Error> {
    let rules = Scheme::of(parts.scheme.as_deref());
    if let Some(scheme) = &parts.scheme
        && component::Scheme::new(scheme).is_none()
    {
        return Err(bad_component("scheme component", scheme));
    }
    if let Some(userinfo) = &parts.userinfo {
        check_userinfo(userinfo, rules)?;
    }
    if let Some(host) = &parts.host
        && !is_host(host)
    {
        return Err(bad_component("host component", host));
    }
    if let Some(path) = &parts.path {
        check_path(path, parts.scheme.is_some(), rules)?;
    }
    if let Some(query) = &parts.query {
        escape_query(query)?;
    }
    if let Some(opaque) = &parts.opaque {
        let has_host = parts.host.is_some() || rules == Scheme::File;
        let has_user = parts.userinfo.as_ref().is_some_and(|userinfo| !userinfo.is_empty());
        if has_host || has_user || parts.port.is_some() || parts.path.is_some() {
            return Err(invalid("can not set opaque with host, port, userinfo or path"));
        }
        if opaque.is_empty() || opaque.starts_with(['/', '[', ']']) || !consists_of::<OpaquePart>(opaque) {
            return Err(bad_component("opaque component", opaque));
        }
    }
    Ok(())
}

fn check_userinfo(userinfo: &str, rules: Scheme) -> Result<(), Error> {
    if rules == Scheme::File {
        return Err(invalid("can not set userinfo for file URI"));
    }
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    if !consists_of::<Userinfo>(user) {
        return Err(bad_component("userinfo component or user component", user));
    }
    if !consists_of::<Userinfo>(password) {
        return Err(invalid("bad password component"));
    }
    Ok(())
}

fn is_host(host: &str) -> bool {
    match in_brackets(host) {
        Some(address) => is_address(address),
        None => !host.is_empty() && consists_of::<HostName>(host),
    }
}

/// Returns true for the form of an IPv6 address. The number of its groups is not checked.
fn is_address(text: &str) -> bool {
    let is_hex =
        |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_decimal =
        |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_old_address = |text: &str| text.split('.').count() == 4 && text.split('.').all(is_decimal);
    let are_numbers = |text: &str| {
        let (numbers, last) =
            text.rsplit_once(':').map_or((None, text), |(numbers, last)| (Some(numbers), last));
        numbers.is_none_or(|numbers| numbers.split(':').all(is_hex)) && (is_hex(last) || is_old_address(last))
    };
    match text.split_once("::") {
        Some((head, tail)) => {
            (head.is_empty() || head.split(':').all(is_hex)) && (tail.is_empty() || are_numbers(tail))
        }
        None => are_numbers(text),
    }
}

fn in_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

fn check_path(path: &str, has_scheme: bool, rules: Scheme) -> Result<(), Error> {
    let path = if rules == Scheme::Ftp { &ftp_path(path) } else { path };
    let is_relative_allowed = !has_scheme || rules == Scheme::Ftp;
    let is_relative = |path: &str| !path.split('/').next().unwrap_or_default().contains(':');
    if path.is_empty()
        || consists_of::<Path>(path) && (path.starts_with('/') || is_relative_allowed && is_relative(path))
    {
        Ok(())
    } else if is_relative_allowed {
        Err(bad_component("relative path component", path))
    } else {
        Err(bad_component("absolute path component", path))
    }
}

fn consists_of<E: Encoder>(text: &str) -> bool {
    EStr::<E>::new(text).is_some()
}

#[cold]
fn bad_component(expected: &str, given: &str) -> Error {
    invalid(format!("bad component(expected {expected}): {given}"))
}
