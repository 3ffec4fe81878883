//! The modules that a `Puppetfile` declares, read without running it.

use crate::parse::parse;
use crate::tree::{HashPair, RubyCall, RubyNode, RubyNodeKind};

/// The declarations of a `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Puppetfile {
    /// The address of the Forge.
    pub forge: Option<String>,
    /// The directory of the modules.
    pub module_directory: Option<String>,
    /// The modules.
    pub modules: Vec<PuppetfileModule>,
}

/// A module of a [`Puppetfile`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileModule {
    /// The name, with the author if there is one.
    pub name: String,
    /// The release on the Forge: a version or `latest`.
    pub version: Option<String>,
    /// The options with literal values; `true` as a text.
    pub options: Vec<(String, String)>,
}

impl PuppetfileModule {
    /// Returns the value of the first of some options that the module has.
    #[must_use]
    pub fn option(&self, names: &[&str]) -> Option<&str> {
        let value = |name: &&str| self.options.iter().find(|(option, _)| option == name);
        names.iter().find_map(value).map(|(_, value)| value.as_str())
    }
}

impl Puppetfile {
    /// Returns the declarations of a text with literal arguments; `None` if the text is not Ruby.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (_, statements) = parse("Puppetfile", text).ok()?;
        let mut puppetfile = Self::default();
        let calls = statements.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none());
        for call in calls {
            match (&*call.name, call.args.first().and_then(RubyNode::literal)) {
                ("forge", address) => puppetfile.forge = address,
                ("moduledir", directory) => puppetfile.module_directory = directory,
                ("mod", Some(name)) => puppetfile.modules.push(module(name, call)),
                _ => {}
            }
        }
        Some(puppetfile)
    }
}

fn module(name: String, call: &RubyCall) -> PuppetfileModule {
    let options = call.args.get(1);
    let entry = |pair: &HashPair| match pair {
        HashPair::Entry(key, Some(value)) => Some((key.literal()?, text(value)?)),
        HashPair::Entry(_, None) | HashPair::Splat(_) => None,
    };
    PuppetfileModule {
        name,
        version: options.and_then(RubyNode::literal),
        options: options
            .map(|options| options.pairs().iter().filter_map(entry).collect())
            .unwrap_or_default(),
    }
}

fn text(value: &RubyNode) -> Option<String> {
    if let RubyNodeKind::Boolean(value) = value.kind { Some(value.to_string()) } else { value.literal() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puppetfile_declares_modules() {
        let text = "forge 'https://forge.example.com'\nmoduledir 'external'\nmod 'puppetlabs/stdlib', '9.4.1'\n\
                    mod 'puppetlabs-concat', :latest\nmod 'app', git: 'https://git.example.com/app', :ref => 'v1'\n\
                    mod 'own', local: true\nmod 'other', ENV['X']\n";
        let puppetfile = Puppetfile::parse(text).unwrap();
        assert_eq!(puppetfile.forge.as_deref(), Some("https://forge.example.com"));
        assert_eq!(puppetfile.module_directory.as_deref(), Some("external"));
        let versions: Vec<_> = puppetfile.modules.iter().map(|module| module.version.as_deref()).collect();
        assert_eq!(versions, [Some("9.4.1"), Some("latest"), None, None, None]);
        let [_, _, app, own, _] = puppetfile.modules.as_slice() else { panic!() };
        assert_eq!(app.option(&["git"]), Some("https://git.example.com/app"));
        assert_eq!(app.option(&["tag", "ref"]), Some("v1"));
        assert_eq!(own.option(&["local"]), Some("true"));
    }

    #[test]
    fn text_that_is_not_ruby_declares_nothing() {
        assert_eq!(Puppetfile::parse("mod 'a"), None);
    }
}
