//! Variables, facts, and the names of what modules have.
#![allow(clippy::wildcard_enum_match_arm, reason = "only some names can be written at a place")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Completion, CompletionKind};
use crate::Ide;
use puppetfn_base::file_system::EntryKind;
use puppetfn_base::source::Span;
use puppetfn_index::{Role, Symbol};
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::types::Type;

/// Facts that have others in them, with what these are.
const NESTED: [(&str, &[(&str, &str)]); 14] = [
    (
        "os",
        &[
            ("architecture", "String"),
            ("distro", "Hash"),
            ("family", "String"),
            ("hardware", "String"),
            ("name", "String"),
            ("release", "Hash"),
            ("selinux", "Hash"),
            ("windows", "Hash"),
            ("macosx", "Hash"),
        ],
    ),
    ("os.release", &[("full", "String"), ("major", "String"), ("minor", "String")]),
    (
        "os.distro",
        &[("codename", "String"), ("description", "String"), ("id", "String"), ("release", "Hash")],
    ),
    ("os.distro.release", &[("full", "String"), ("major", "String"), ("minor", "String")]),
    (
        "os.selinux",
        &[
            ("config_mode", "String"),
            ("config_policy", "String"),
            ("current_mode", "String"),
            ("enabled", "Boolean"),
            ("enforced", "Boolean"),
            ("policy_version", "String"),
        ],
    ),
    (
        "networking",
        &[
            ("dhcp", "String"),
            ("domain", "String"),
            ("fqdn", "String"),
            ("hostname", "String"),
            ("interfaces", "Hash"),
            ("ip", "String"),
            ("ip6", "String"),
            ("mac", "String"),
            ("mtu", "Integer"),
            ("netmask", "String"),
            ("netmask6", "String"),
            ("network", "String"),
            ("network6", "String"),
            ("primary", "String"),
            ("scope6", "String"),
        ],
    ),
    ("memory", &[("swap", "Hash"), ("system", "Hash")]),
    (
        "memory.system",
        &[
            ("available", "String"),
            ("available_bytes", "Integer"),
            ("capacity", "String"),
            ("total", "String"),
            ("total_bytes", "Integer"),
            ("used", "String"),
            ("used_bytes", "Integer"),
        ],
    ),
    (
        "memory.swap",
        &[
            ("available", "String"),
            ("available_bytes", "Integer"),
            ("capacity", "String"),
            ("encrypted", "Boolean"),
            ("total", "String"),
            ("total_bytes", "Integer"),
            ("used", "String"),
            ("used_bytes", "Integer"),
        ],
    ),
    (
        "processors",
        &[
            ("cores", "Integer"),
            ("count", "Integer"),
            ("extensions", "Array"),
            ("isa", "String"),
            ("models", "Array"),
            ("physicalcount", "Integer"),
            ("speed", "String"),
            ("threads", "Integer"),
        ],
    ),
    (
        "system_uptime",
        &[("days", "Integer"), ("hours", "Integer"), ("seconds", "Integer"), ("uptime", "String")],
    ),
    (
        "identity",
        &[
            ("gid", "Integer"),
            ("group", "String"),
            ("privileged", "Boolean"),
            ("uid", "Integer"),
            ("user", "String"),
        ],
    ),
    (
        "dmi",
        &[
            ("bios", "Hash"),
            ("board", "Hash"),
            ("chassis", "Hash"),
            ("manufacturer", "String"),
            ("product", "Hash"),
        ],
    ),
    ("ruby", &[("platform", "String"), ("sitedir", "String"), ("version", "String")]),
];

impl Ide {
    /// Returns the variables that code at an offset sees.
    pub(super) fn variables(&self, path: &Path, offset: u32, span: Span) -> Vec<Completion> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let types = self.types(path).unwrap_or_default();
        let around = source.index.definition_around(offset);
        let is_within =
            |at: Span| around.is_none_or(|around| around.span.start <= at.start && at.end <= around.span.end);
        let own = source.index.defined().filter(|one| {
            let is_variable = matches!(one.symbol, Symbol::Variable { .. } | Symbol::Local { .. });
            is_variable && is_within(one.span) && one.span.end <= offset && one.span != span
        });
        let mut found: Vec<_> = own
            .map(|one| {
                let stated = self.declared_parameter(&one.symbol, path);
                let observed = types.iter().rev().find(|(at, _)| {
                    one.span.start <= at.end && at.start <= one.span.start && at.end == one.span.end
                });
                let observed = observed.map(|(_, t)| t).filter(|t| **t != Type::Any).map(|t| t.to_string());
                let (t, doc) = stated.unwrap_or_default();
                let t = if t.is_empty() { observed.unwrap_or_default() } else { t };
                Completion::new(CompletionKind::Variable, one.symbol.name(), span).detail(t).documented(doc)
            })
            .collect();
        let inherited = around.and_then(|around| around.parent.clone());
        let of_classes = self.names_of(&|symbol| match symbol {
            Symbol::Variable { owner, name } if inherited.as_ref() == Some(owner) => Some(name.to_string()),
            Symbol::Variable { owner, name } if !owner.is_empty() && self.is_class(owner) => {
                Some(format!("{owner}::{name}"))
            }
            _ => None,
        });
        found
            .extend(of_classes.into_iter().map(|name| Completion::new(CompletionKind::Variable, name, span)));
        for name in ["facts", "trusted", "server_facts", "environment", "title", "name", "module_name"] {
            found.push(Completion::new(CompletionKind::Variable, name, span));
        }
        found
    }

    fn is_class(&self, name: &str) -> bool {
        !self.index.definitions(&Symbol::Class(name.into()), Path::new("")).is_empty()
    }

    /// Returns the keys of facts, below others.
    pub(super) fn fact_keys(&self, path: &[String], span: Span) -> Vec<Completion> {
        let fact = |name: &str, t: &str| Completion::new(CompletionKind::Fact, name, span).detail(t);
        if path.is_empty() {
            let names = self.world().facts().into_iter();
            return names
                .map(|name| {
                    fact(&name, if NESTED.iter().any(|(nested, _)| *nested == name) { "Hash" } else { "" })
                })
                .collect();
        }
        let path = path.join(".");
        let nested = NESTED.iter().find(|(name, _)| *name == path);
        nested.into_iter().flat_map(|(_, keys)| keys.iter()).map(|(name, t)| fact(name, t)).collect()
    }

    /// Returns the names that the project defines, each once and sorted.
    pub(super) fn names_of(&self, name: &dyn Fn(&Symbol) -> Option<String>) -> Vec<String> {
        let mut found = BTreeSet::new();
        for (_, index) in self.index.files() {
            let defined = index.occurrences().iter().filter(|one| one.role == Role::Definition);
            found.extend(defined.filter_map(|one| name(&one.symbol)));
        }
        found.into_iter().collect()
    }

    /// Returns the files in a directory of the modules, as functions are given them.
    pub(super) fn files_in(&self, directory: &str, span: Span) -> Vec<Completion> {
        let mut found = Vec::new();
        for module in self.loader.module_names().unwrap_or_default() {
            let Ok(Some(root)) = self.loader.module_directory(&module) else { continue };
            let mut files = Vec::new();
            self.list(&root.join(directory), &mut PathBuf::new(), &mut files);
            found.extend(files.into_iter().map(|file| {
                Completion::new(CompletionKind::File, format!("{module}/{}", file.display()), span)
            }));
        }
        found
    }

    /// Lists the files in a directory, with those in the directories in it.
    fn list(&self, root: &Path, within: &mut PathBuf, found: &mut Vec<PathBuf>) {
        /// Deeper or more is no directory of templates.
        const DEEPEST: usize = 16;
        const MOST: usize = 10_000;
        let Ok(entries) = self.loader.file_system().list(&root.join(&*within)) else { return };
        for entry in entries {
            if found.len() >= MOST || within.components().count() >= DEEPEST {
                return;
            }
            within.push(&entry.name);
            if entry.kind == EntryKind::Directory {
                self.list(root, within, found)
            } else {
                found.push(within.clone())
            }
            within.pop();
        }
    }
}
