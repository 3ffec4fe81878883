//! The identity of a client: the name and the extensions of its certificate.

use std::collections::BTreeMap;
use std::fmt;

use puppetfn_authorization::ClientIdentity;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_compile::trusted;
use puppetfn_types::convert::json::to_json;
use puppetfn_types::value::Hash;
use serde_json::{Map, Value as Json};
use x509_parser::der_parser::asn1_rs::{Any, FromDer, Tag};
use x509_parser::prelude::{GeneralName, X509Certificate};

/// The arcs of Puppet's extensions: registered, private and authorization extensions. See Puppet's `ssl/oids.rb`.
const ARCS: [&str; 3] = ["1.3.6.1.4.1.34380.1.1.", "1.3.6.1.4.1.34380.1.2.", "1.3.6.1.4.1.34380.1.3."];

/// The short names of the registered extensions, which are numbered from 1.
const REGISTERED: [&str; 26] = [
    "pp_uuid",
    "pp_instance_id",
    "pp_image_name",
    "pp_preshared_key",
    "pp_cost_center",
    "pp_product",
    "pp_project",
    "pp_application",
    "pp_service",
    "pp_employee",
    "pp_created_by",
    "pp_environment",
    "pp_role",
    "pp_software_version",
    "pp_department",
    "pp_cluster",
    "pp_provisioner",
    "pp_region",
    "pp_datacenter",
    "pp_zone",
    "pp_network",
    "pp_securitypolicy",
    "pp_cloudplatform",
    "pp_apptier",
    "pp_hostname",
    "pp_owner",
];

/// The numbers and short names of the authorization extensions.
const AUTHORIZATION: [(&str, &str); 4] =
    [("1", "pp_authorization"), ("2", "pp_auth_auto_renew"), ("13", "pp_auth_role"), ("39", "pp_cli_auth")];

/// The short names of object identifiers that a site has defined: Puppet's setting `trusted_oid_mapping_file`.
pub(crate) type OidNames = BTreeMap<String, String>;

/// A client whose certificate the authority has signed.
#[derive(Clone, Debug)]
pub(crate) struct AgentIdentity {
    /// The common name.
    pub name: String,
    /// The certificate in DER.
    pub certificate: Vec<u8>,
    /// The values of Puppet's extensions by their short names, or by their numbers.
    pub extensions: Map<String, Json>,
    /// The client as rules of authorization know it.
    pub subject: ClientIdentity,
}

/// Why a certificate identifies nobody.
#[derive(Debug)]
pub(crate) struct BadCertificate(String);

impl fmt::Display for BadCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the client's certificate: {}", self.0)
    }
}

impl AgentIdentity {
    /// Reads a certificate in DER.
    pub fn of_der(der: &[u8], names: &OidNames) -> Result<Self, BadCertificate> {
        let wrong = |problem: &dyn fmt::Display| BadCertificate(problem.to_string());
        let (_, certificate) = X509Certificate::from_der(der).map_err(|error| wrong(&error))?;
        let mut common = certificate.subject().iter_common_name();
        let name = common.next().ok_or_else(|| wrong(&"there is no common name"))?;
        let name = name.as_str().map_err(|error| wrong(&error))?.to_owned();
        let mut extensions = Map::new();
        for extension in certificate.extensions() {
            let oid = extension.oid.to_id_string();
            let Some(arc) = ARCS.iter().find(|arc| oid.starts_with(*arc)) else { continue };
            let value = value(extension.value).ok_or_else(|| {
                wrong(&format_args!("the value of the extension {oid} is no text, number or truth value"))
            })?;
            extensions.insert(short_name(&oid, arc, names), value);
        }
        let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let texts = extensions.iter().map(|(name, value)| (name.clone(), text(value)));
        let mut subject =
            ClientIdentity { name: name.clone(), extensions: texts.collect(), ..ClientIdentity::default() };
        let alternatives = certificate.subject_alternative_name().ok().flatten();
        for alternative in alternatives.into_iter().flat_map(|names| &names.value.general_names) {
            if let GeneralName::DNSName(name) = alternative {
                let names = subject.alternative_names.entry("dns-name".to_owned()).or_default();
                names.push((*name).to_owned());
            }
        }
        Ok(Self { name, certificate: der.to_vec(), extensions, subject })
    }

    /// Returns `$trusted` of the client. See Puppet's `context/trusted_information.rb`.
    ///
    /// # Errors
    /// Fails if a value of an extension has no counterpart in JSON.
    pub fn trusted(&self, limits: &Limits) -> Result<Json, Error> {
        // A node without a certificate has the same but for these.
        let local = to_json(&trusted(&self.name, &Hash::default()).into(), limits)?;
        let Json::Object(mut trusted) = local else { return Ok(Json::Null) };
        trusted.insert("authenticated".to_owned(), "remote".into());
        trusted.insert("extensions".to_owned(), self.extensions.clone().into());
        Ok(trusted.into())
    }
}

fn short_name(oid: &str, arc: &str, names: &OidNames) -> String {
    if let Some(name) = names.get(oid) {
        return name.clone();
    }
    let number = oid.strip_prefix(arc).unwrap_or_default();
    let known = if arc == ARCS[0] {
        number.parse::<usize>().ok().and_then(|number| REGISTERED.get(number.checked_sub(1)?)).copied()
    } else if arc == ARCS[2] {
        AUTHORIZATION.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
    } else {
        None
    };
    known.unwrap_or(oid).to_owned()
}

/// Returns the value of an extension.
fn value(der: &[u8]) -> Option<Json> {
    let (_, any) = Any::from_der(der).ok()?;
    match any.tag() {
        Tag::Boolean => any.bool().ok().map(Json::from),
        Tag::Integer => any.integer().ok()?.as_i64().ok().map(Json::from),
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String | Tag::VisibleString => {
            std::str::from_utf8(any.data).ok().map(Json::from)
        }
        _ => None,
    }
}
