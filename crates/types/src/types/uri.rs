//! Makes and checks the parts of `URI` types.
//!
//! See Puppet's `pops/types/p_uri_type.rb`.

use std::sync::{Arc, LazyLock};

use super::ops::describe::assertion_error;
use super::ops::{infer_set, instance};
use super::{IntegerRange, PatternType, Size, StringType, StructMember, Type, UriType};
use crate::subject::Verdict;
use crate::value::{Hash, Regex, Uri, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

impl UriType {
    /// Returns the type of the URIs with matching parts. Each part is matched by a string, a number, a regular expression,
    /// or a type.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if URIs have no such part, or it cannot be matched
    /// like this.
    pub fn new(parameters: Hash, limits: &Limits) -> Result<Self, Error> {
        let parameters = Arc::new(parameters);
        assert_parameter(&PARAMETER, &Value::Hash(Arc::clone(&parameters)), limits)?;
        Ok(Self { parameters })
    }

    /// Returns the type of the URIs with the parts of this one.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] or [`puppetfn_base::error::ErrorKind::Conversion`] if
    /// it is not a URI with a scheme.
    pub fn parse(uri: &str, limits: &Limits) -> Result<Self, Error> {
        assert_parameter(&ABSOLUTE, &uri.into(), limits)?;
        Uri::parse(uri).map(|uri| Self::of(&uri))
    }

    /// Returns true if a value is valid as the parameter of a `URI` type.
    pub fn is_parameter(value: &Value, limits: &Limits) -> Result<bool, Error> {
        Ok(instance(&PARAMETER, value, limits)? == Verdict::Yes)
    }
}

fn assert_parameter(expected: &Type, given: &Value, limits: &Limits) -> Result<(), Error> {
    if instance(expected, given, limits)? == Verdict::Yes {
        return Ok(());
    }
    let actual = infer_set(given, limits)?;
    Err(assertion_error("URI-Type parameter", expected, actual))
}

/// Returns a text of at least one character.
fn text() -> Type {
    Type::String(StringType::Sized(Some(Size::new(1, None))))
}

/// Returns a struct with an optional member for each part of a URI: of type `port` for the port, otherwise of type `text`.
fn parts(text: Type, port: Type) -> Type {
    Type::struct_of(Uri::PARTS.map(|name| StructMember {
        name: name.into(),
        optional: true,
        value: if name == "port" { port.clone() } else { text.clone() },
    }))
}

/// The type of the parameter of a `URI` type.
static PARAMETER: LazyLock<Type> = LazyLock::new(|| {
    let pattern = Type::Pattern(Arc::new(PatternType { patterns: [].into() }));
    let types = [Type::NotUndef(None), Type::Undef].map(Type::type_of);
    let texts = [text(), Type::Regexp(None)]
        .into_iter()
        .chain([pattern, Type::enumeration([], false)].map(Type::type_of))
        .chain(types.clone());
    let ports = [Type::Integer(IntegerRange { min: Some(0), max: None })].into_iter().chain(types);
    let optional = |types: Vec<Type>| Type::optional(Type::variant(types));
    Type::variant([text(), parts(optional(texts.collect()), optional(ports.collect()))])
});

/// A text that has a URI with a scheme in it.
pub(super) static ABSOLUTE: LazyLock<Type> = LazyLock::new(|| {
    let patterns = Regex::new(&absolute_uri()).into_iter().collect();
    Type::Pattern(Arc::new(PatternType { patterns }))
});

/// Returns the grammar of RFC 2396 for a URI with a scheme. Its text is a part of messages.
fn absolute_uri() -> String {
    const UNRESERVED: &str = r"\-_.!~*'()a-zA-Z\d";
    const ESCAPED: &str = r"%[a-fA-F\d]{2}";
    const HEX: &str = r"[a-fA-F\d]{1,4}";
    const IPV4: &str = r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}";

    let any_of = |more: &str| format!("(?:[{UNRESERVED}{more}]|{ESCAPED})");
    let uric = any_of(r";/?:@&=+$,\[\]");
    let opaque = format!("{}{uric}*", any_of(";?:@&=+$,"));
    let userinfo = format!("{}*", any_of(";:&=+$,"));
    let hexes = format!("(?:{HEX}:)*(?:{HEX}|{IPV4})");
    let ipv6 = format!("(?:{hexes}|(?:(?:{HEX}:)*{HEX})?::(?:{hexes})?)");
    let host = format!(r"(?:(?:[a-zA-Z0-9\-.]|%\h\h)+|{IPV4}|\[{ipv6}\])");
    let registry = format!("(?:[{UNRESERVED}$,;:@&=+]|{ESCAPED})+");
    let segment = format!("{0}*(?:;{0}*)*", any_of(":@&=+$,"));
    let path = format!("/{segment}(?:/{segment})*");
    format!(
        r"(?x-mi:
        ([a-zA-Z][\-+.a-zA-Z\d]*):                           (?# 1: scheme)
        (?:
           ({opaque})                    (?# 2: opaque)
        |
           (?:(?:
             //(?:
                 (?:(?:({userinfo})@)?        (?# 3: userinfo)
                   (?:({host})(?::(\d*))?))? (?# 4: host, 5: port)
               |
                 ({registry})                 (?# 6: registry)
               )
             |
             (?!//))                           (?# XXX: '//' is the mark for hostport)
             ({path})?                    (?# 7: path)
           )(?:\?({uric}*))?                 (?# 8: query)
        )
        (?:\#({uric}*))?                  (?# 9: fragment)
      )"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::{NoAliases, parse};

    fn t(text: &str) -> Type {
        parse(text, &NoAliases, &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn a_uri_is_compared_part_by_part() {
        for (expected, uri, is_instance) in [
            ("URI", "x:y", true),
            ("URI['http://A.b']", "HTTP://a.B:80/x?y", true),
            ("URI['http://a/x']", "http://a/X", true),
            ("URI['http://a/x']", "http://a", false),
            // A port is a text in the type, and a number in the URI.
            ("URI['http://a:8080']", "http://a:8080", false),
            ("URI[{port => 8080}]", "http://a:8080", true),
            ("URI[{port => Integer[1, 80]}]", "http://a", true),
            ("URI[{host => /^a/}]", "http://ab", true),
            ("URI[{query => /a/}]", "http://ab", false),
            ("URI[{query => undef}]", "http://ab", true),
            ("URI[{query => NotUndef, path => Enum['/a']}]", "http://b/a?q", true),
        ] {
            let uri = Value::Uri(Arc::new(Uri::parse(uri).unwrap()));
            let verdict = instance(&t(expected), &uri, &Limits::DEFAULT).unwrap();
            assert_eq!(verdict == Verdict::Yes, is_instance, "{expected} {uri:?}");
        }
    }

    #[test]
    fn a_type_is_compared_part_by_part() {
        for (to, from, is_assignable) in [
            ("URI['http://a:8080']", "URI['http://A:8080/x']", true),
            ("URI[{host => NotUndef}]", "URI[{host => Enum[a]}]", true),
            ("URI[{host => NotUndef}]", "URI", false),
            ("URI[{host => Enum[a]}]", "URI[{host => NotUndef}]", false),
            // A regular expression matches texts only.
            ("URI[{host => /a/}]", "URI[{host => /a/}]", false),
        ] {
            assert_eq!(t(to).assignable(&t(from)), is_assignable, "{to} {from}");
        }
    }

    #[test]
    fn the_order_of_parts_does_not_count() {
        let [this, that] = ["URI[{host => a, path => '/'}]", "URI[{path => '/', host => a}]"].map(t);
        assert_eq!(this, that);
        assert_eq!(Type::one_of([this.clone(), that]), this);
    }
}
