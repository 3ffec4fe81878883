//! The release whose behaviour a program wants: Puppet 8, or OpenVox, the community's fork of it.
//!
//! [`DIFFERENCES`] is the one table of differences between them. Code that behaves differently asks the target for a difference of the
//! table, never for a release.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A release of Puppet or OpenVox. Later ones have all the differences of earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Target {
    /// Puppet 8.11.
    #[default]
    Puppet8,
    /// OpenVox 8.28.
    OpenVox8,
    /// OpenVox 9.
    OpenVox9,
}

/// The part of Puppet that a difference belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferenceArea {
    /// Functions of the language.
    Functions,
    /// Resource types and their providers.
    Types,
    /// Puppet's settings.
    Settings,
    /// Facts of nodes and servers.
    Facts,
    /// The API in Ruby.
    Ruby,
    /// Texts of errors and warnings.
    Messages,
}

/// A row of [`DIFFERENCES`].
#[derive(Debug)]
pub struct DifferenceRow {
    /// The difference.
    pub difference: Difference,
    /// The first release that has it.
    pub since: Target,
    /// The part of Puppet that it belongs to.
    pub area: DifferenceArea,
    /// The difference in one sentence, in Markdown.
    pub summary: &'static str,
    /// The place in the sources of the release where it can be read.
    pub source: &'static str,
}

macro_rules! differences {
    ($($(#[doc = $doc:literal])+ $name:ident: $since:ident, $area:ident, $summary:literal, $source:literal;)+) => {
        /// A difference between Puppet 8 and OpenVox.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Difference {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Difference {
            const fn since(self) -> Target {
                match self {
                    $(Self::$name => Target::$since,)+
                }
            }
        }

        /// All differences, in the order of releases.
        pub static DIFFERENCES: &[DifferenceRow] = &[
            $(DifferenceRow {
                difference: Difference::$name,
                since: Target::$since,
                area: DifferenceArea::$area,
                summary: $summary,
                source: $source,
            },)+
        ];
    };
}

differences! {
    /// Ruby code can ask for the name of the implementation.
    ImplementationName: OpenVox8, Ruby,
        "`Puppet.implementation` and `Puppet::IMPLEMENTATION` are `openvox`",
        "lib/puppet/version.rb:12";
    /// Facts name the implementation.
    ImplementationFacts: OpenVox8, Facts,
        "Agents add the fact `implementation`, servers add `serverimplementation` to `$server_facts`",
        "lib/puppet/node/facts.rb:32, lib/puppet/node/server_facts.rb:8";
    /// Files can have the checksum `etag`.
    EtagChecksum: OpenVox8, Types,
        "The attribute `checksum` of `file` accepts `etag`",
        "lib/puppet/type/file/checksum.rb:16";
    /// Packages have an environment.
    PackageEnvironment: OpenVox8, Types,
        "The type `package` has the parameter `environment`: variables for the commands of its provider",
        "lib/puppet/type/package.rb:536";
    /// The service manager names the directory of running processes.
    RuntimeDirectory: OpenVox8, Settings,
        "The environment variable `RUNTIME_DIRECTORY` is the default of the setting `rundir`",
        "lib/puppet/util/run_mode.rb:84";
    /// `regsubst` has no parameter for an encoding.
    RegsubstWithoutEncoding: OpenVox9, Functions,
        "`regsubst` has no parameter `encoding`",
        "lib/puppet/functions/regsubst.rb:27, pull request 391";
    /// Settings that did nothing any more, or chose where data comes from, are gone.
    RemovedSettings: OpenVox9, Settings,
        "The settings `configprint`, `data_binding_terminus`, `environment_data_provider` and `pluginsync` are gone",
        "lib/puppet/defaults.rb, pull requests 374, 385 and 389";
    /// Reports are not stored by default.
    ReportsDefault: OpenVox9, Settings,
        "The setting `reports` is `none` by default, not `store`",
        "lib/puppet/defaults.rb:1420, pull request 583";
    /// Deferred functions are called before a catalog is applied.
    PreprocessDeferredDefault: OpenVox9, Settings,
        "The setting `preprocess_deferred` is true by default",
        "lib/puppet/defaults.rb:2033";
    /// Users other than root have no default server.
    ServerDefault: OpenVox9, Settings,
        "The setting `server` is `puppet` by default only for root; for others, it is empty",
        "lib/puppet/defaults.rb:1593, pull request 536";
    /// Texts that look like checksums are contents of files.
    ChecksumContent: OpenVox9, Types,
        "A `content` of `file` that looks like a checksum is the content, and causes no warning about file buckets",
        "lib/puppet/type/file/content.rb:50, pull request 170";
    /// The type `zone` is not packaged.
    NoZoneType: OpenVox9, Types,
        "The type `zone` is gone: packages of agents have no module `zone_core`",
        "CHANGELOG.md, 9.0.0-beta2, pull request 592";
    /// Permissions of sources are no deprecated parameter.
    SourcePermissions: OpenVox9, Types,
        "The parameter `source_permissions` of `file` causes no deprecation warning",
        "lib/puppet/type/file/source.rb:371";
    /// Methods for scripts are gone from the API for programs.
    NoScriptMethods: OpenVox9, Ruby,
        "`Puppet::Pal.evaluate_script_string` and `evaluate_script_manifest` are gone",
        "lib/puppet/pal/pal_impl.rb, pull request 393";
    /// The base class of Hiera 3's indirection is gone.
    NoHieraIndirector: OpenVox9, Ruby,
        "`Puppet::Indirector::Hiera` is gone; `Puppet::DataBinding::Hiera` has its methods",
        "lib/puppet/indirector/data_binding/hiera.rb:6, pull request 384";
    /// Messages are about OpenVox.
    OpenVoxNames: OpenVox9, Messages,
        "Messages say OpenVox, OpenFact and server, not Puppet, Facter and master, and link to docs.openvoxproject.org",
        "lib/puppet/pops/issues.rb:395, pull requests 348 and 530";
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 3] = [Self::Puppet8, Self::OpenVox8, Self::OpenVox9];

    /// Returns the name, such as `openvox9`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Puppet8 => "puppet8",
            Self::OpenVox8 => "openvox8",
            Self::OpenVox9 => "openvox9",
        }
    }

    /// Returns the name for messages: `Puppet`, `OpenVox 9`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Puppet8 => "Puppet",
            Self::OpenVox8 => "OpenVox 8",
            Self::OpenVox9 => "OpenVox 9",
        }
    }

    /// Returns the version of the release that was compared: `Puppet.version` in Ruby.
    ///
    /// ```
    /// use puppetfn_base::target::Target;
    ///
    /// assert_eq!(Target::default().version(), "8.11.0");
    /// ```
    pub const fn version(self) -> &'static str {
        match self {
            Self::Puppet8 => "8.11.0",
            Self::OpenVox8 => "8.28.1",
            Self::OpenVox9 => "9.0.0-beta2",
        }
    }

    /// Returns the version of Facter or OpenFact that belongs to it.
    pub const fn facter_version(self) -> &'static str {
        match self {
            Self::Puppet8 => "4.10.0",
            Self::OpenVox8 => "5.7.0",
            Self::OpenVox9 => "6.0.0",
        }
    }

    /// Returns the name of the implementation in Ruby and among the facts, if the release has one.
    pub const fn implementation(self) -> Option<&'static str> {
        if self.has(Difference::ImplementationName) { Some("openvox") } else { None }
    }

    /// Returns the name of the product in messages.
    pub const fn product(self) -> &'static str {
        if self.has(Difference::OpenVoxNames) { "OpenVox" } else { "Puppet" }
    }

    /// Returns the address of the product's documents in messages.
    pub const fn documents(self) -> &'static str {
        if self.has(Difference::OpenVoxNames) {
            "https://docs.openvoxproject.org/openvox/latest"
        } else {
            "https://puppet.com/docs/puppet/latest"
        }
    }

    /// Returns true if the release differs from Puppet 8 in this way.
    ///
    /// ```
    /// use puppetfn_base::target::{Difference, Target};
    ///
    /// assert!(Target::OpenVox9.has(Difference::RegsubstWithoutEncoding));
    /// assert!(!Target::OpenVox8.has(Difference::RegsubstWithoutEncoding));
    /// ```
    pub const fn has(self, difference: Difference) -> bool {
        self as u8 >= difference.since() as u8
    }
}

impl DifferenceArea {
    /// Returns the name, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Types => "types",
            Self::Settings => "settings",
            Self::Facts => "facts",
            Self::Ruby => "Ruby",
            Self::Messages => "messages",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| format!("expected {}, got '{name}'", Self::ALL.map(Self::name).join(", ")))
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}
