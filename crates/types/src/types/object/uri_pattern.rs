//! The pattern of `Pcore::URI`: Ruby's regular expression for absolute URIs, whose text messages show.
//!
//! See the grammar in RFC 2396, appendix A, with literal IPv6 addresses as in RFC 2732, and Ruby's `URI.regexp`.

/// Returns the source of the regular expression, as written between slashes.
pub(super) fn uri_pattern() -> String {
    /// The characters that RFC 2396 calls unreserved.
    const UNRESERVED: &str = r"\-_.!~*'()a-zA-Z\d";
    const ESCAPED: &str = r"%[a-fA-F\d]{2}";
    const IPV4: &str = r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}";
    const HEX: &str = r"[a-fA-F\d]{1,4}";

    let one_of = |others: &str| format!("(?:[{UNRESERVED}{others}]|{ESCAPED})");
    let uric = one_of(r";\/?:@&=+$,\[\]");
    let uric_no_slash = one_of(";?:@&=+$,");
    let userinfo = one_of(";:&=+$,");
    let registry = one_of("$,;:@&=+");
    let pchar = one_of(":@&=+$,");
    let ipv6 = format!(
        r"\[(?:(?:{HEX}:)*(?:{HEX}|{IPV4})|(?:(?:{HEX}:)*{HEX})?::(?:(?:{HEX}:)*(?:{HEX}|{IPV4}))?)\]"
    );
    let host = format!(r"(?:(?:[a-zA-Z0-9\-.]|%\h\h)+|{IPV4}|{ipv6})");
    let segment = format!("{pchar}*(?:;{pchar}*)*");
    let path = format!(r"\/{segment}(?:\/{segment})*");
    // The comments and the layout are Ruby's.
    [
        "(?x-mi:".to_owned(),
        r"        ([a-zA-Z][\-+.a-zA-Z\d]*):                           (?# 1: scheme)".to_owned(),
        "        (?:".to_owned(),
        format!("           ({uric_no_slash}{uric}*)                    (?# 2: opaque)"),
        "        |".to_owned(),
        "           (?:(?:".to_owned(),
        r"             \/\/(?:".to_owned(),
        format!("                 (?:(?:({userinfo}*)@)?        (?# 3: userinfo)"),
        format!(r"                   (?:({host})(?::(\d*))?))? (?# 4: host, 5: port)"),
        "               |".to_owned(),
        format!("                 ({registry}+)                 (?# 6: registry)"),
        "               )".to_owned(),
        "             |".to_owned(),
        r"             (?!\/\/))                           (?# XXX: '\/\/' is the mark for hostport)"
            .to_owned(),
        format!("             ({path})?                    (?# 7: path)"),
        format!(r"           )(?:\?({uric}*))?                 (?# 8: query)"),
        "        )".to_owned(),
        format!(r"        (?:\#({uric}*))?                  (?# 9: fragment)"),
        "      )".to_owned(),
    ]
    .join("\n")
}
