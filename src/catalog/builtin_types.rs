//! The resource types of Puppet itself.

/// A resource type that is written in Ruby, as far as a catalog has to know it.
#[derive(Debug)]
pub(super) struct BuiltinType {
    /// In lower case.
    pub name: &'static str,
    /// The parameters and properties, without those that all types have, sorted.
    parameters: &'static [&'static str],
    /// The parameters that identify a resource on the node, sorted.
    pub keys: &'static [&'static str],
    /// Whether no two resources can have the same keys.
    pub is_isomorphic: bool,
}

impl BuiltinType {
    pub fn has_parameter(&self, name: &str) -> bool {
        self.parameters.binary_search(&name).is_ok()
    }

    /// The parameter that the title is the value of where it is not given.
    pub fn name_parameter(&self) -> &'static str {
        match self.keys {
            [only] => only,
            _ => "name",
        }
    }

    /// The value that a title stands for: paths of files end without a slash.
    pub fn name_of<'t>(&self, title: &'t str) -> &'t str {
        if self.name != "file" {
            return title;
        }
        let path = title.trim_end_matches('/');
        let is_root = path.is_empty() || path.ends_with(':');
        if is_root { title.get(..path.len().saturating_add(1)).unwrap_or(title) } else { path }
    }
}

/// All of them, sorted by name.
pub(super) const BUILTIN_TYPES: &[BuiltinType] = &[
    BuiltinType { name: "component", parameters: &[], keys: &["name"], is_isomorphic: true },
    BuiltinType {
        name: "exec",
        parameters: &[
            "command",
            "creates",
            "cwd",
            "environment",
            "group",
            "logoutput",
            "onlyif",
            "path",
            "provider",
            "refresh",
            "refreshonly",
            "returns",
            "timeout",
            "tries",
            "try_sleep",
            "umask",
            "unless",
            "user",
        ],
        keys: &["command"],
        is_isomorphic: false,
    },
    BuiltinType {
        name: "file",
        parameters: &[
            "backup",
            "checksum",
            "checksum_value",
            "content",
            "ctime",
            "ensure",
            "force",
            "group",
            "ignore",
            "links",
            "max_files",
            "mode",
            "mtime",
            "owner",
            "path",
            "provider",
            "purge",
            "recurse",
            "recurselimit",
            "replace",
            "selinux_ignore_defaults",
            "selrange",
            "selrole",
            "seltype",
            "seluser",
            "show_diff",
            "source",
            "source_permissions",
            "sourceselect",
            "staging_location",
            "target",
            "type",
            "validate_cmd",
            "validate_replacement",
        ],
        keys: &["path"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "filebucket",
        parameters: &["path", "port", "server"],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "group",
        parameters: &[
            "allowdupe",
            "attribute_membership",
            "attributes",
            "auth_membership",
            "ensure",
            "forcelocal",
            "gid",
            "ia_load_module",
            "members",
            "provider",
            "system",
        ],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "notify",
        parameters: &["message", "withpath"],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "package",
        parameters: &[
            "adminfile",
            "allow_virtual",
            "allowcdrom",
            "category",
            "command",
            "configfiles",
            "description",
            "enable_only",
            "ensure",
            "flavor",
            "install_only",
            "install_options",
            "instance",
            "mark",
            "package_settings",
            "platform",
            "provider",
            "reinstall_on_refresh",
            "responsefile",
            "root",
            "source",
            "status",
            "uninstall_options",
            "vendor",
        ],
        keys: &["command", "name", "provider"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "resources",
        parameters: &["purge", "unless_system_user", "unless_uid"],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "schedule",
        parameters: &["period", "periodmatch", "range", "repeat", "weekday"],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType {
        name: "service",
        parameters: &[
            "binary",
            "control",
            "enable",
            "ensure",
            "flags",
            "hasrestart",
            "hasstatus",
            "logonaccount",
            "logonpassword",
            "manifest",
            "path",
            "pattern",
            "provider",
            "restart",
            "start",
            "status",
            "stop",
            "timeout",
        ],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType { name: "stage", parameters: &[], keys: &["name"], is_isomorphic: true },
    BuiltinType {
        name: "tidy",
        parameters: &["age", "backup", "matches", "max_files", "path", "recurse", "rmdirs", "size", "type"],
        keys: &["path"],
        is_isomorphic: false,
    },
    BuiltinType {
        name: "user",
        parameters: &[
            "allowdupe",
            "attribute_membership",
            "attributes",
            "auth_membership",
            "auths",
            "comment",
            "ensure",
            "expiry",
            "forcelocal",
            "gid",
            "groups",
            "home",
            "ia_load_module",
            "iterations",
            "key_membership",
            "keys",
            "loginclass",
            "managehome",
            "membership",
            "password",
            "password_max_age",
            "password_min_age",
            "password_warn_days",
            "profile_membership",
            "profiles",
            "project",
            "provider",
            "purge_ssh_keys",
            "role_membership",
            "roles",
            "salt",
            "shell",
            "system",
            "uid",
        ],
        keys: &["name"],
        is_isomorphic: true,
    },
    BuiltinType { name: "whit", parameters: &[], keys: &["name"], is_isomorphic: true },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(BUILTIN_TYPES.is_sorted_by_key(|t| t.name));
        assert!(BUILTIN_TYPES.iter().all(|t| t.parameters.is_sorted() && t.keys.is_sorted()));
    }

    #[test]
    fn paths_end_without_a_slash() {
        let file = BUILTIN_TYPES.iter().find(|t| t.name == "file").unwrap();
        for (title, path) in [("/a/b//", "/a/b"), ("/", "/"), ("C:/", "C:/"), ("/a", "/a")] {
            assert_eq!(file.name_of(title), path);
        }
    }
}
