//! The release that the requirements of a module name.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::path::Path;

use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::target::Target;
use serde_json::Value;

use super::paths::absolute;

/// Returns the earliest release that a module with a path requires, if the requirements in its `metadata.json` name OpenVox and not
/// Puppet.
pub fn required_target(path: &Path) -> Option<Target> {
    let path = absolute(path);
    let file =
        path.ancestors().map(|directory| directory.join("metadata.json")).find(|file| file.is_file())?;
    let metadata = StdFileSystem::DEFAULT.read(&file).ok()?;
    of_metadata(&serde_json::from_slice(&metadata).ok()?)
}

fn of_metadata(metadata: &Value) -> Option<Target> {
    let requirements = metadata.get("requirements")?.as_array()?;
    let range = |name: &str| {
        let named = |required: &&Value| required.get("name").and_then(Value::as_str) == Some(name);
        requirements
            .iter()
            .find(named)
            .map(|required| required.get("version_requirement").and_then(Value::as_str).unwrap_or_default())
    };
    let openvox = range("openvox").filter(|_| range("puppet").is_none())?;
    Some(if lowest_major(openvox) >= 9 { Target::OpenVox9 } else { Target::OpenVox8 })
}

/// Returns the lowest major version that a range such as `>= 8.19.0 < 10.0.0` or `9.x` admits.
fn lowest_major(range: &str) -> u64 {
    let bounds = range.split_whitespace().filter(|bound| !bound.starts_with('<'));
    let number = |text: &str| text.split('.').next().and_then(|major| major.parse().ok());
    let mut majors = bounds.filter_map(|bound| number(bound.trim_start_matches(['>', '=', '~', '^'])));
    majors.next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Target, of_metadata};

    #[test]
    fn requirements_of_openvox_alone_name_a_release() {
        let of = |requirements| of_metadata(&json!({ "requirements": requirements }));
        let openvox = |range: &str| json!({"name": "openvox", "version_requirement": range});
        let puppet = json!({"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"});
        assert_eq!(of(json!([openvox(">= 8.19.0 < 10.0.0")])), Some(Target::OpenVox8));
        assert_eq!(of(json!([openvox(">= 9.0.0 < 10.0.0")])), Some(Target::OpenVox9));
        assert_eq!(of(json!([openvox("9.x")])), Some(Target::OpenVox9));
        assert_eq!(of(json!([{"name": "openvox"}])), Some(Target::OpenVox8));
        assert_eq!(of(json!([puppet, openvox(">= 8.19.0 < 10.0.0")])), None);
        assert_eq!(of(json!([puppet])), None);
        assert_eq!(of(json!("openvox")), None);
    }
}
