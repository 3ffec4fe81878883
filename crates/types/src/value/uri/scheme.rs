//! The schemes that have rules of their own.

/// The scheme that determines the additional rules for a URI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scheme {
    File,
    Ftp,
    Http,
    Https,
    Ldap,
    Ldaps,
    MailTo,
    Ws,
    Wss,
    Other,
}

impl Scheme {
    /// Returns the rules for the scheme of this name, whether in upper or lower case.
    pub(super) fn of(name: Option<&str>) -> Self {
        match name.map(str::to_ascii_lowercase).as_deref() {
            Some("file") => Self::File,
            Some("ftp") => Self::Ftp,
            Some("http") => Self::Http,
            Some("https") => Self::Https,
            Some("ldap") => Self::Ldap,
            Some("ldaps") => Self::Ldaps,
            Some("mailto") => Self::MailTo,
            Some("ws") => Self::Ws,
            Some("wss") => Self::Wss,
            Some(_) | None => Self::Other,
        }
    }

    /// Returns the name of Ruby's class for it.
    pub(super) fn ruby_class(self) -> &'static str {
        match self {
            Self::File => "URI::File",
            Self::Ftp => "URI::FTP",
            Self::Http => "URI::HTTP",
            Self::Https => "URI::HTTPS",
            Self::Ldap => "URI::LDAP",
            Self::Ldaps => "URI::LDAPS",
            Self::MailTo => "URI::MailTo",
            Self::Ws => "URI::WS",
            Self::Wss => "URI::WSS",
            Self::Other => "URI::Generic",
        }
    }

    /// Returns the port that need not be stated.
    pub(super) fn default_port(self) -> Option<i64> {
        match self {
            Self::Ftp => Some(21),
            Self::Http | Self::Ws => Some(80),
            Self::Https | Self::Wss => Some(443),
            Self::Ldap => Some(389),
            Self::Ldaps => Some(636),
            Self::File | Self::MailTo | Self::Other => None,
        }
    }
}
