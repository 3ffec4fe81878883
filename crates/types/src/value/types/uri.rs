//! The parts of a `URI` type.
//!
//! See Puppet's `pops/types/p_uri_type.rb`.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use crate::value::{Hash, Uri, Value};

/// `URI[{part => type, ...}]`: URIs by the types of their parts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UriType {
    pub(crate) parameters: Arc<Hash>,
}

impl UriType {
    /// Returns the type of the URIs that have the parts of this one. A part that is empty is ignored,
    /// nor does the port that the web has.
    pub fn of(uri: &Uri) -> Self {
        let text = |name| match uri.attribute(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let port = match uri.attribute("port") {
            Some(Value::Integer(port)) => Some(port),
            _ => None,
        };
        let scheme = text("scheme");
        let usual_port = match scheme.as_deref() {
            Some("http") => Some(80),
            Some("https") => Some(443),
            _ => None,
        };
        let parts = [
            ("scheme", scheme),
            ("userinfo", text("userinfo")),
            ("host", text("host").filter(|host| !host.is_empty()).map(|host| host.to_lowercase().into())),
            ("port", port.filter(|port| Some(*port) != usual_port).map(|port| port.to_string().into())),
            ("path", text("path").filter(|path| !path.is_empty())),
            ("query", text("query")),
            ("fragment", text("fragment")),
            ("opaque", text("opaque")),
        ];
        let parts = parts.into_iter().filter_map(|(name, text)| Some((name.into(), Value::String(text?))));
        Self { parameters: Arc::new(parts.collect()) }
    }

    /// Returns the types of the parts by their names; empty for plain `URI`.
    pub fn parameters(&self) -> &Arc<Hash> {
        &self.parameters
    }
}

impl StdHash for UriType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The order of the parts does not count for equality, so only their number is hashed.
        self.parameters.len().hash(state);
    }
}
