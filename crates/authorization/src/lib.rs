//! The authorization of puppetserver: which client may send which request.
//!
//! [`AuthorizationRules`] are read from an `auth.conf` in HOCON, or are the ones that puppetserver installs. The first rule that matches a
//! request decides; a request that no rule matches is denied.
//!
//! Puppetserver compares names from the end and stops where the shorter one does: an entry `web1.example.com` also admits the clients
//! `example.com` and `x.web1.example.com`. Here an entry of `allow` admits no more than its documentation says, and an entry of `deny`
//! refuses all that puppetserver refuses.
//!
//! See `rules.clj`, `acl.clj` and `authorization_core.clj` of trapperkeeper-authorization.
#![forbid(unsafe_code)]

mod config;
mod defaults;
mod entry;
mod error;
mod request;
mod rule;
mod rules;

pub use self::error::AuthorizationError;
pub use self::request::{AuthorizationRequest, ClientIdentity};
pub use self::rules::{AuthorizationRules, Denial};
