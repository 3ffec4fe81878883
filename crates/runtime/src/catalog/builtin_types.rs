//! The resource types of Puppet itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::{NativeType, Titles};

/// One of them: its names in lower case, sorted.
struct Row {
    name: &'static str,
    /// The parameters and properties, without those that all types have.
    parameters: &'static [&'static str],
    keys: &'static [&'static str],
    is_isomorphic: bool,
}

/// The type of this name, which is in lower case.
pub(super) fn builtin_type(name: &str) -> Option<&'static Arc<NativeType>> {
    static TYPES: LazyLock<HashMap<&str, Arc<NativeType>>> = LazyLock::new(|| {
        let native = |row: &Row| {
            let names = |names: &[&str]| names.iter().map(|name| Arc::from(*name)).collect::<Vec<Arc<str>>>();
            let titles = if row.name == "file" { Titles::Paths } else { Titles::Whole };
            NativeType::new(row.name, names(row.parameters), names(row.keys), row.is_isomorphic, titles)
        };
        ROWS.iter().map(|row| (row.name, Arc::new(native(row)))).collect()
    });
    TYPES.get(name)
}

/// All of them, sorted by name.
const ROWS: &[Row] = &[
    Row { name: "component", parameters: &[], keys: &["name"], is_isomorphic: true },
    Row {
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
    Row {
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
    Row { name: "filebucket", parameters: &["path", "port", "server"], keys: &["name"], is_isomorphic: true },
    Row {
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
    Row { name: "notify", parameters: &["message", "withpath"], keys: &["name"], is_isomorphic: true },
    Row {
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
    Row {
        name: "resources",
        parameters: &["purge", "unless_system_user", "unless_uid"],
        keys: &["name"],
        is_isomorphic: true,
    },
    Row {
        name: "schedule",
        parameters: &["period", "periodmatch", "range", "repeat", "weekday"],
        keys: &["name"],
        is_isomorphic: true,
    },
    Row {
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
    Row { name: "stage", parameters: &[], keys: &["name"], is_isomorphic: true },
    Row {
        name: "tidy",
        parameters: &["age", "backup", "matches", "max_files", "path", "recurse", "rmdirs", "size", "type"],
        keys: &["path"],
        is_isomorphic: false,
    },
    Row {
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
    Row { name: "whit", parameters: &[], keys: &["name"], is_isomorphic: true },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(ROWS.is_sorted_by_key(|row| row.name));
        assert!(ROWS.iter().all(|row| row.parameters.is_sorted() && row.keys.is_sorted()));
    }
}
