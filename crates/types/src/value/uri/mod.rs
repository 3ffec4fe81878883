//! URIs, as Ruby has them.
//!
//! See Ruby's `uri/generic.rb`.

mod check;
mod join;
mod parse;
mod scheme;

use std::fmt;

use self::scheme::Scheme;
use super::Value;
use puppetfn_base::error::{Error, ErrorKind};

/// A URI, or a reference relative to one.
///
/// The valid forms of a URI and its parts depend on the scheme, as in Ruby: the path of `ftp://a/b` is relative, `http://a`
/// has the port 80, and `mailto:` takes addresses only.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Uri {
    rules: Scheme,
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<i64>,
    /// `None` if the URI is opaque. The path of `ftp` is stored as written, with a leading slash.
    path: Option<String>,
    query: Option<String>,
    /// The text after the scheme if it does not begin with a slash.
    opaque: Option<String>,
    fragment: Option<String>,
    /// The `a` of `ftp://host/path;type=a`.
    typecode: Option<String>,
}

/// The parts from which a URI is built.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UriParts {
    /// The text before the first colon.
    pub scheme: Option<String>,
    /// The text before the `@`: a user, maybe with a password after a colon.
    pub userinfo: Option<String>,
    /// A name or an address.
    pub host: Option<String>,
    /// The number of a port.
    pub port: Option<i64>,
    /// The path, with the slash that it begins with.
    pub path: Option<String>,
    /// The text after the question mark.
    pub query: Option<String>,
    /// The text after the scheme, for a URI without host and path.
    pub opaque: Option<String>,
    /// The text after the number sign.
    pub fragment: Option<String>,
}

impl Uri {
    /// The names of the parts, in Puppet's order. Each is an attribute.
    pub const PARTS: [&'static str; 8] =
        ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

    /// Parses a URI.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if the text is not a URI.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::assemble(parse::split(text)?)
    }

    /// Builds a URI from parts, which are checked.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if a part is invalid, or parts exclude each other.
    pub fn build(parts: UriParts) -> Result<Self, Error> {
        let parts = check::prepare(parts)?;
        check::check(&parts)?;
        Self::assemble(parts)
    }

    /// Builds a URI from parts whose characters are valid, as in Ruby's URIs.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if parts exclude each other, or one is missing.
    pub fn assemble(parts: UriParts) -> Result<Self, Error> {
        let rules = Scheme::of(parts.scheme.as_deref());
        let mut uri = Self {
            rules,
            scheme: parts.scheme.map(|scheme| scheme.to_ascii_lowercase()),
            userinfo: parts.userinfo.filter(|userinfo| !userinfo.is_empty()),
            host: parts.host,
            port: parts.port.or(rules.default_port()),
            path: parts.path,
            query: parts.query.map(|query| escape_query(&query)).transpose()?,
            opaque: parts.opaque,
            fragment: parts.fragment.map(|fragment| escape(&fragment, |byte| byte.is_ascii_graphic())),
            typecode: None,
        };
        uri.apply_rules()?;
        if uri.opaque.is_none() {
            uri.path.get_or_insert_default();
        }
        Ok(uri)
    }

    fn apply_rules(&mut self) -> Result<(), Error> {
        match self.rules {
            Scheme::File => {
                self.userinfo = None;
                self.port = None;
                let host = self.host.take().filter(|host| host != "localhost");
                self.host = Some(host.unwrap_or_default());
            }
            Scheme::Ftp => {
                let Some(path) = &self.path else { return Err(invalid("URI::InvalidURIError")) };
                let path = ftp_written(&ftp_path(path));
                let (path, typecode) = match path.split_once(";type=") {
                    Some((path, typecode)) => (path.to_owned(), Some(typecode.to_owned())),
                    None => (path, None),
                };
                (self.path, self.typecode) = (Some(path), typecode);
            }
            Scheme::Ldap | Scheme::Ldaps => {
                if self.opaque.is_some() || self.fragment.is_some() {
                    return Err(invalid("bad LDAP URL"));
                }
            }
            Scheme::MailTo => self.apply_mail_rules()?,
            Scheme::Http | Scheme::Https | Scheme::Ws | Scheme::Wss | Scheme::Other => {}
        }
        Ok(())
    }

    fn apply_mail_rules(&mut self) -> Result<(), Error> {
        if let (None, Some(query)) = (&self.opaque, &self.query) {
            self.opaque = Some(format!("?{query}"));
        }
        let Some(opaque) = &self.opaque else { return Err(invalid("missing opaque part for mailto URL")) };
        let (addresses, _) = split_mail(opaque);
        let is_address = |text: &str| {
            text.split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
        };
        let separated = addresses.strip_suffix([',', ';']).unwrap_or(addresses);
        let are_addresses = addresses.is_empty() || separated.split([',', ';']).all(is_address);
        if opaque.is_empty() || !are_addresses {
            return Err(invalid(format!("unrecognised opaque part for mailtoURL: {opaque}")));
        }
        Ok(())
    }

    /// Returns the path; `None` for a URI that is opaque.
    pub fn path(&self) -> Option<String> {
        let path = self.path.as_ref()?;
        Some(if self.rules == Scheme::Ftp { ftp_path(path) } else { path.clone() })
    }

    /// Returns the value of an attribute, undef if the URI lacks that part. `None` for a name not in [`Uri::PARTS`].
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let text = match name {
            "scheme" => self.scheme.clone(),
            "userinfo" => self.userinfo.clone(),
            "host" => self.host.clone(),
            "port" => return Some(self.port.map_or(Value::Undef, Value::from)),
            "path" => self.path(),
            "query" => self.query.clone(),
            "fragment" => self.fragment.clone(),
            "opaque" => self.opaque.clone(),
            _ => return None,
        };
        Some(text.map_or(Value::Undef, Value::from))
    }

    /// Returns the name of Ruby's class for it, which messages have.
    pub(crate) fn ruby_class(&self) -> &'static str {
        self.rules.ruby_class()
    }

    /// Returns true if both URIs are equal, ignoring the case of the host, and a missing path for the root, as Puppet's
    /// `==` does.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let normalize = |uri: &Self| {
            let mut uri = uri.clone();
            uri.host = uri.host.map(|host| host.to_ascii_lowercase());
            uri.path = uri.path.map(|path| if path.is_empty() { "/".into() } else { path });
            uri
        };
        normalize(self) == normalize(other)
    }
}

/// Returns the path of an `ftp` URI from the text after the host: relative, unless its first slash is escaped.
fn ftp_path(written: &str) -> String {
    let relative = written.strip_prefix('/').unwrap_or(written);
    relative.strip_prefix("%2F").map_or_else(|| relative.to_owned(), |absolute| format!("/{absolute}"))
}

fn ftp_written(path: &str) -> String {
    path.strip_prefix('/').map_or_else(|| format!("/{path}"), |absolute| format!("/%2F{absolute}"))
}

/// Returns the addresses and the headers of a `mailto` URI.
fn split_mail(opaque: &str) -> (&str, &str) {
    let (addresses, headers) = opaque.split_once('?').unwrap_or((opaque, ""));
    (addresses, headers.trim_end_matches('&'))
}

fn escape_query(query: &str) -> Result<String, Error> {
    let is_hex = |byte: &u8| byte.is_ascii_hexdigit();
    for escape in query.as_bytes().windows(3) {
        if let [b'%', high, low] = escape
            && !is_hex(high)
            && !is_hex(low)
        {
            let escape = String::from_utf8_lossy(escape);
            return Err(invalid(format!("invalid percent escape: {escape}")));
        }
    }
    Ok(escape(query, |byte| byte.is_ascii_graphic() && !b"\"#'<>`".contains(&byte)))
}

/// Escapes the bytes that are not allowed, and leaves out line breaks and tabs.
fn escape(text: &str, is_allowed: impl Fn(u8) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes().filter(|byte| !b"\t\r\n".contains(byte)) {
        if is_allowed(byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        match &self.opaque {
            Some(opaque) if self.rules == Scheme::MailTo => {
                let (addresses, headers) = split_mail(opaque);
                let mark = if headers.is_empty() { "" } else { "?" };
                write!(f, "{addresses}{mark}{headers}")?;
            }
            Some(opaque) => f.write_str(opaque)?,
            None => self.fmt_hierarchy(f)?,
        }
        match &self.fragment {
            Some(fragment) => write!(f, "#{fragment}"),
            None => Ok(()),
        }
    }
}

impl Uri {
    fn fmt_hierarchy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.is_some() || matches!(self.scheme.as_deref(), Some("file" | "postgres")) {
            f.write_str("//")?;
        }
        if let Some(userinfo) = &self.userinfo {
            write!(f, "{userinfo}@")?;
        }
        f.write_str(self.host.as_deref().unwrap_or_default())?;
        if let Some(port) = self.port.filter(|port| Some(*port) != self.rules.default_port()) {
            write!(f, ":{port}")?;
        }
        f.write_str(self.path.as_deref().unwrap_or_default())?;
        if let Some(typecode) = &self.typecode {
            write!(f, ";type={typecode}")?;
        }
        match &self.query {
            Some(query) => write!(f, "?{query}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;

    fn parts(text: &str) -> Vec<String> {
        let uri = Uri::parse(text).unwrap();
        let parts = Uri::PARTS.map(|name| (name, uri.attribute(name).unwrap()));
        let shown = parts.iter().filter(|(_, value)| *value != Value::Undef);
        shown.map(|(name, value)| format!("{name} {}", value.ruby_to_s(&Limits::DEFAULT).unwrap())).collect()
    }

    #[test]
    fn a_uri_has_parts() {
        for (text, expected) in [
            (
                "HTTPS://u:p@Example.com:8080/p/q?r=s#t",
                "scheme https, userinfo u:p, host Example.com, port 8080, path /p/q, query r=s, fragment t",
            ),
            ("http://a", "scheme http, host a, port 80, path "),
            ("/just/a/path?q", "path /just/a/path, query q"),
            ("", "path "),
            ("file:///etc/passwd", "scheme file, host , path /etc/passwd"),
            ("ftp://u:p@h/p;type=a", "scheme ftp, userinfo u:p, host h, port 21, path p"),
            ("ftp://h/%2Fp", "scheme ftp, host h, port 21, path /p"),
            ("mailto:x@y.z?subject=s", "scheme mailto, opaque x@y.z?subject=s"),
            ("urn:isbn:1#f", "scheme urn, fragment f, opaque isbn:1"),
            ("foo://[::1]:1/?", "scheme foo, host [::1], port 1, path /, query "),
            ("x:/?a b'", "scheme x, path /, query a%20b%27"),
        ] {
            assert_eq!(parts(text).join(", "), expected, "{text}");
        }
        assert_eq!(Uri::parse("http://a").unwrap().attribute("user"), None);
    }

    #[test]
    fn a_uri_is_shown_without_what_goes_without_saying() {
        for (text, shown) in [
            ("HTTP://a:80/x?y#z", "http://a/x?y#z"),
            ("file:/etc", "file:///etc"),
            ("ftp://h//p;type=i", "ftp://h/%2Fp;type=i"),
            ("mailto:a@b?x=1&&#f", "mailto:a@b?x=1#f"),
            ("http:///x", "http:/x"),
            ("http://@h", "http://h"),
        ] {
            assert_eq!(Uri::parse(text).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn other_texts_are_no_uris() {
        for (text, message) in [
            ("http://exa mple.com", "bad URI(is not URI?): \"http://exa mple.com\""),
            ("//[::1]", "bad URI(is not URI?): \"//[::1]\""),
            ("a#b#c", "bad URI(is not URI?): \"a#b#c\""),
            ("/é", "URI must be ascii only \"/\\u00E9\""),
            ("/?%zz", "invalid percent escape: %zz"),
            ("x://a:9223372036854775808", "the port of \"x://a:9223372036854775808\" is too large"),
            ("mailto:", "missing opaque part for mailto URL"),
            ("mailto:a", "unrecognised opaque part for mailtoURL: a"),
            ("ldap:x", "bad LDAP URL"),
            ("ldap://x#f", "bad LDAP URL"),
            ("ftp:x", "URI::InvalidURIError"),
        ] {
            assert_eq!(Uri::parse(text).unwrap_err().message(), message);
        }
    }

    fn build(parts: &[(&str, &str)]) -> String {
        let part = |name| parts.iter().find(|(given, _)| *given == name).map(|(_, text)| (*text).to_owned());
        let uri = Uri::build(UriParts {
            scheme: part("scheme"),
            userinfo: part("userinfo"),
            host: part("host"),
            port: part("port").map(|port| port.parse().unwrap()),
            path: part("path"),
            query: part("query"),
            opaque: part("opaque"),
            fragment: part("fragment"),
        });
        uri.map(|uri| uri.to_string()).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn a_uri_is_built_of_parts_that_fit() {
        for (parts, expected) in [
            (&[][..], ""),
            (&[("scheme", "http"), ("host", "::1"), ("port", "80"), ("query", "é")], "http://[::1]?%C3%A9"),
            (&[("scheme", "ftp"), ("host", "h"), ("path", "/p")], "ftp://h/%2Fp"),
            (&[("scheme", "ldap"), ("host", "h"), ("query", "q")], "ldap://h?"),
            (&[("scheme", "urn"), ("opaque", "isbn:1")], "urn:isbn:1"),
            (&[("path", "a/b:c")], "a/b:c"),
            (&[("scheme", "1a")], "bad component(expected scheme component): 1a"),
            (&[("host", "a_b")], "bad component(expected host component): a_b"),
            (&[("host", "[1::2::3]")], "bad component(expected host component): [1::2::3]"),
            (&[("userinfo", "a b")], "bad component(expected userinfo component or user component): a b"),
            (&[("userinfo", "a:b c")], "bad password component"),
            (&[("scheme", "http"), ("path", "a")], "bad component(expected absolute path component): a"),
            (&[("path", "a:b")], "bad component(expected relative path component): a:b"),
            (&[("opaque", "/a")], "bad component(expected opaque component): /a"),
            (&[("opaque", "a"), ("path", "/")], "can not set opaque with host, port, userinfo or path"),
            (&[("scheme", "file"), ("userinfo", "u")], "can not set userinfo for file URI"),
            (&[("scheme", "ftp")], "an ftp URI must have a path"),
            (&[("scheme", "mailto")], "bad component(expected opaque component): "),
        ] {
            assert_eq!(build(parts), expected);
        }
    }

    #[test]
    fn equivalent_uris_may_differ_as_keys() {
        let [plain, loud, other] =
            ["http://a/", "http://A", "http://a/b"].map(|text| Uri::parse(text).unwrap());
        assert!(plain.is_equivalent(&loud) && plain != loud);
        assert!(!plain.is_equivalent(&other));
    }
}
