//! Requests to a file server, with the answers of Puppet 8.11.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may take the short way"
)]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use puppetfn_base::limits::Limits;
use puppetfn_fileserver::{
    FileError, FileLimits, FileMetadata, FileRequest, FileServer, FileServerSettings, query_options,
};
use puppetfn_project::Environment;
use tempfile::TempDir;

/// A code directory with modules, and a file server for it.
struct ServedDirectory {
    directory: TempDir,
    environment: Environment,
    server: FileServer,
}

impl ServedDirectory {
    fn new() -> Self {
        Self::with_limits(FileLimits::new(Limits::DEFAULT))
    }

    fn with_limits(limits: FileLimits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let modulepath = ["site", "modules"].map(|name| directory.path().join(name)).to_vec();
        modulepath.iter().for_each(|path| fs::create_dir(path).unwrap());
        let settings = FileServerSettings {
            configuration: Some(directory.path().join("fileserver.conf")),
            codedir: directory.path().to_str().unwrap().to_owned(),
            host: "puppet.example.com".to_owned(),
            ..FileServerSettings::default()
        };
        let environment = Environment { modulepath, ..Environment::default() };
        Self { directory, environment, server: FileServer::new(settings, limits) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(&self, name: &str, content: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) -> &Self {
        symlink(target, self.path(name)).unwrap();
        self
    }

    fn find(&self, key: &str, query: &str) -> Result<FileMetadata, FileError> {
        self.server.metadata(&self.environment, &request(key, query)?)
    }

    fn search(&self, key: &str, query: &str) -> Result<Vec<FileMetadata>, FileError> {
        self.server.metadatas(&self.environment, &request(key, query)?)
    }

    fn content(&self, key: &str) -> Result<String, FileError> {
        let mut content = self.server.content(&self.environment, &request(key, "")?)?;
        let mut text = String::new();
        content.read_to_string(&mut text).unwrap();
        assert_eq!(content.length(), text.len() as u64);
        Ok(text)
    }

    /// Returns the paths that a search finds, sorted, with the directory that they are in.
    fn found(&self, key: &str, query: &str) -> Result<Vec<String>, FileError> {
        let found = self.search(key, query)?;
        let root = format!("{}/", self.directory.path().display());
        let text = |file: FileMetadata| {
            format!("{}: {}", file.path.strip_prefix(&root).unwrap(), file.relative_path.unwrap())
        };
        let mut texts: Vec<String> = found.into_iter().map(text).collect();
        texts.sort();
        Ok(texts)
    }

    fn error<T: std::fmt::Debug>(&self, result: Result<T, FileError>) -> String {
        let error = result.unwrap_err();
        let text = error.to_string().replace(&*self.directory.path().to_string_lossy(), "DIR");
        format!("{} {} {text}", error.status(), error.issue_kind())
    }
}

fn request(key: &str, query: &str) -> Result<FileRequest, FileError> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let options = query_options(pairs)?;
    Ok(FileRequest { key: key.to_owned(), node: Some("web1.example.com".to_owned()), options })
}

const HELLO: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

#[test]
fn metadata_has_puppets_bytes() {
    let served = ServedDirectory::new();
    served.file("modules/m/files/a \"ü\"", "hello").link("modules/m/files/l", "a \"ü\"");
    let root = served.directory.path().display().to_string();
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    assert_eq!(
        served.find("modules/m/a \"ü\"", "").unwrap().to_json().unwrap(),
        format!(
            r#"{{"path":"{root}/modules/m/files/a \"ü\"","relative_path":null,"links":"manage","owner":{uid},"group":{gid},"mode":420,"checksum":{{"type":"sha256","value":"{{sha256}}{HELLO}"}},"type":"file","destination":null}}"#
        )
    );
    assert_eq!(
        served.find("modules/m/l", "checksum_type=none").unwrap().to_json().unwrap(),
        format!(
            r#"{{"path":"{root}/modules/m/files/l","relative_path":null,"links":"manage","owner":{uid},"group":{gid},"mode":420,"checksum":{{"type":"none","value":"{{none}}"}},"type":"link","destination":"a \"ü\""}}"#
        )
    );
}

#[test]
fn mounts_find_files_of_modules() {
    let served = ServedDirectory::new();
    served.file("site/a/files/x", "1").file("modules/a/files/x", "2").file("modules/a/files/y", "3");
    served.file("modules/b/lib/p.rb", "4").file("modules/b/tasks/t.sh", "5").file("modules/b/scripts/s", "6");
    served
        .file("modules/b/facts.d/f.txt", "7")
        .file("modules/b/locales/de.po", "8")
        .file("modules/B/files/x", "9");
    served.file("modules/c/files/x", "10").file("modules/c/metadata.json", "{\"name\": \"o-c\"}");
    let cases = [
        ("modules/a/x", "1"),
        // Only the first module of a name counts.
        ("modules/a/y", "404 RESOURCE_NOT_FOUND Not Found: Could not find file_content modules/a/y"),
        ("modules//a/x", "404 RESOURCE_NOT_FOUND Not Found: Could not find file_content modules//a/x"),
        ("modules/a//x", "1"),
        ("plugins/p.rb", "4"),
        ("tasks/b/t.sh", "5"),
        ("scripts/b/s", "6"),
        ("pluginfacts/f.txt", "7"),
        ("locales/de.po", "8"),
        // Puppet does without such modules: of this name, and with such metadata.
        ("modules/B/x", "404 RESOURCE_NOT_FOUND Not Found: Could not find file_content modules/B/x"),
        ("modules/c/x", "404 RESOURCE_NOT_FOUND Not Found: Could not find file_content modules/c/x"),
        ("modules", "500 RUNTIME_ERROR Server Error: No module specified"),
        ("tasks/", "500 RUNTIME_ERROR Server Error: No task specified"),
        ("modules/a", "500 RUNTIME_ERROR Server Error: Is a directory - DIR/site/a/files"),
    ];
    for (key, expected) in cases {
        let content = served.content(key);
        assert_eq!(content.clone().unwrap_or_else(|_| served.error(content)), expected, "{key}");
    }
}

#[test]
fn names_do_not_lead_out_of_mounts() {
    let served = ServedDirectory::new();
    served.file("modules/m/files/a", "1").file("modules/m/secret", "2");
    let invalid = |what: &str| format!("500 RUNTIME_ERROR Server Error: Cannot find file: Invalid {what}");
    let absent = |key: &str| format!("404 RESOURCE_NOT_FOUND Not Found: Could not find file_content {key}");
    let cases = [
        ("modules/m/../secret", invalid("relative path 'm/../secret'")),
        ("modules/..", invalid("relative path '..'")),
        ("modules/m/a/..", invalid("relative path 'm/a/..'")),
        ("modules/m/%2e%2e/secret", absent("modules/m/%2e%2e/secret")),
        ("modules/m/..\\secret", absent("modules/m/..\\secret")),
        ("modules/./m/a", absent("modules/./m/a")),
        ("../modules/m/a", invalid("mount '..'")),
        ("", invalid("mount ''")),
        // Puppet serves these, and any file of the machine.
        ("/etc/passwd", invalid("mount ''")),
        ("file:/etc/passwd", invalid("mount 'file:'")),
        ("http://example.com/a", invalid("mount 'http:'")),
        ("modules/m/a\0b", "500 RUNTIME_ERROR Server Error: string contains null byte".to_owned()),
        ("modules/m\0/a", absent("modules/m\0/a")),
    ];
    for (key, expected) in cases {
        assert_eq!(served.error(served.content(key)), expected, "{key}");
        assert_eq!(served.error(served.find(key, "")), expected.replace("file_content", "file_metadata"));
    }
    assert_eq!(
        served.error(served.search("other/x", "links=manage&recurse=true&n=3&ignore=a&ignore=b")),
        "500 RUNTIME_ERROR Server Error: Not authorized to call search on /file_metadata/other/x with {:links=>\"manage\", \
         :recurse=>true, :n=>3, :ignore=>[\"a\", \"b\"]}"
    );
}

#[test]
fn searches_merge_modules_and_obey_options() {
    let served = ServedDirectory::new();
    served.file("site/a/lib/x/1.rb", "1").file("modules/b/lib/x/1.rb", "2").file("modules/b/lib/x/2.rb", "3");
    served.file("modules/b/lib/.git/y", "4").file("modules/b/lib/z~", "5");
    let all = ["modules/b/lib: .git", "modules/b/lib: .git/y", "modules/b/lib: x/2.rb", "modules/b/lib: z~"];
    let own = ["site/a/lib: .", "site/a/lib: x", "site/a/lib: x/1.rb"];
    assert_eq!(served.found("plugins", "recurse=true").unwrap(), [&all[..], &own].concat());
    // There is one search only.
    assert_eq!(served.found("plugins/x", "recurse=true").unwrap(), [&all[..], &own].concat());
    let cases = [
        ("", vec![own[0]]),
        ("recurse=false", vec![own[0]]),
        ("recurse=remote&ignore=.git&ignore=*~", [&all[2..3], &own].concat()),
        // A pattern does not match a leading point unless it has one.
        ("recurse=true&ignore=*", vec![all[0], own[0]]),
        ("recurse=true&recurselimit=1", vec![all[0], all[3], own[0], own[1]]),
        ("recurse=true&recurselimit=0", vec![own[0]]),
    ];
    for (query, expected) in cases {
        assert_eq!(served.found("plugins", query).unwrap(), expected, "{query}");
    }
    let failures = [
        ("recurse=5", "Fileset recurse parameter must not be a number anymore, please use recurselimit"),
        ("recurse=true&recurselimit=x", "comparison of Integer with String failed"),
        ("links=ignore", "Invalid :links value 'ignore'"),
        ("checksum_type=etag", "Unsupported checksum type etag"),
        ("source_permissions=some", "Unsupported source_permission some"),
        ("max_files=08", "invalid value for Integer(): \"08\""),
    ];
    for (query, expected) in failures {
        let expected = format!("500 RUNTIME_ERROR Server Error: {expected}");
        assert_eq!(served.error(served.search("plugins", query)), expected, "{query}");
    }
    // Without any such directory, agents get one that is empty.
    assert_eq!(served.found("pluginfacts", "recurse=true").unwrap(), ["site: ."]);
}

#[test]
fn the_number_of_files_is_limited() {
    let served = ServedDirectory::with_limits(FileLimits { entries: 5, ..FileLimits::new(Limits::DEFAULT) });
    (0..4).for_each(|index| _ = served.file(&format!("modules/m/files/{index}"), ""));
    assert_eq!(served.search("modules/m", "recurse=true").unwrap().len(), 5);
    let message = served.error(served.search("modules/m", "recurse=true&max_files=3"));
    let expected = "The directory 'DIR/modules/m/files' contains 4 entries, which exceeds the limit of 3 specified by the max_files";
    assert!(message.contains(expected), "{message}");
    served.file("modules/m/files/d/4", "");
    assert_eq!(
        served.error(served.search("modules/m", "recurse=true")),
        "500 RUNTIME_ERROR Server Error: The directory 'DIR/modules/m/files' contains more than 5 entries, the limit `entries` of \
         the file server"
    );
    // Links in circles end there, too.
    let served = ServedDirectory::with_limits(FileLimits { entries: 20, ..FileLimits::new(Limits::DEFAULT) });
    served.file("modules/m/files/a", "").link("modules/m/files/l", ".");
    let message = served.error(served.search("modules/m", "recurse=true&links=follow"));
    assert!(message.contains("the limit `entries`"), "{message}");
    assert_eq!(served.search("modules/m", "recurse=true").unwrap().len(), 3);
}

#[test]
fn only_regular_files_are_opened() {
    let served = ServedDirectory::new();
    served.file("modules/m/files/a", "hello").file("outside", "hello");
    served.link("modules/m/files/out", "../../../outside").link("modules/m/files/null", "/dev/null");
    served.link("modules/m/files/zero", "/dev/zero").link("modules/m/files/none", "nowhere");
    served.link("modules/m/files/pipe", "fifo").link("modules/m/files/dir", ".");
    let fifo = served.path("modules/m/files/fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).unwrap();
    let checksum = |key: &str, query: &str| match served.find(key, query) {
        Ok(found) => format!("{} {}", found.kind, found.checksum.value.unwrap_or_default()),
        Err(error) => error.to_string(),
    };
    let linked = format!("link {{sha256}}{HELLO}");
    let empty = "link {sha256}e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let cases = [
        ("modules/m/out", "", linked.as_str()),
        ("modules/m/out", "links=follow&checksum_type=md5", "file {md5}5d41402abc4b2a76b9719d911017c592"),
        ("modules/m/null", "", empty),
        // Puppet reads these until its memory or the patience of the agent ends.
        ("modules/m/zero", "", "link "),
        ("modules/m/pipe", "", "link "),
        ("modules/m/dir", "", "link "),
        ("modules/m/zero", "links=follow", "Server Error: Cannot manage files of type characterSpecial"),
        ("modules/m/fifo", "", "fifo {none}"),
        ("modules/m/none", "", "Not Found: Could not find file_metadata modules/m/none"),
    ];
    for (key, query, expected) in cases {
        assert_eq!(checksum(key, query), expected, "{key} {query}");
    }
    assert_eq!(served.content("modules/m/out").unwrap(), "hello");
    assert_eq!(served.content("modules/m/null").unwrap(), "");
    let fails = |key: &str, kind: &str| {
        let expected = format!(
            "500 RUNTIME_ERROR Server Error: Failed to serialize Puppet::FileServing::Content for '{key}': Could not render to \
             Puppet::Network::Format[binary]: Cannot read files of type {kind}"
        );
        assert_eq!(served.error(served.content(key)), expected);
    };
    fails("modules/m/fifo", "fifo");
    fails("modules/m/pipe", "fifo");
    fails("modules/m/zero", "characterSpecial");
    // A search that follows links fails for one that leads nowhere.
    assert_eq!(
        served.error(served.search("modules/m", "recurse=true&recurselimit=1&links=follow&ignore=zero")),
        "500 RUNTIME_ERROR Server Error: No such file or directory - DIR/modules/m/files/none"
    );
}

#[test]
fn files_that_may_not_be_read_are_errors() {
    use std::os::unix::fs::PermissionsExt as _;
    // Root may read everything.
    if rustix::process::geteuid().is_root() {
        return;
    }
    let served = ServedDirectory::new();
    served.file("modules/m/files/closed/d/a", "").file("modules/m/files/secret", "");
    let permit =
        |name: &str, mode| fs::set_permissions(served.path(name), fs::Permissions::from_mode(mode)).unwrap();
    permit("modules/m/files/closed", 0o600);
    permit("modules/m/files/secret", 0);
    let denied = |path: &str| {
        format!("500 RUNTIME_ERROR Server Error: Permission denied - DIR/modules/m/files/{path}")
    };
    assert_eq!(served.error(served.find("modules/m/secret", "")), denied("secret"));
    // Puppet lists the directory, and does not look into those below.
    assert_eq!(served.error(served.search("modules/m/closed", "recurse=true")), denied("closed/d"));
    permit("modules/m/files/closed", 0o700);
}

#[test]
fn names_that_are_not_utf_8_fail_as_in_puppet() {
    use std::os::unix::ffi::OsStrExt as _;
    let served = ServedDirectory::new();
    served.file("modules/m/files/a", "");
    let name = std::ffi::OsStr::from_bytes(b"b\xff");
    fs::write(served.path("modules/m/files").join(name), "").unwrap();
    let expected = "500 RUNTIME_ERROR Server Error: invalid byte sequence in UTF-8";
    assert_eq!(served.error(served.search("modules/m", "recurse=true")), expected);
    assert_eq!(served.search("modules/m", "recurse=true&ignore=b*").unwrap().len(), 2);
}

#[test]
fn configured_mounts_have_directories_of_clients() {
    let served = ServedDirectory::new();
    let root = served.directory.path().display().to_string();
    let configuration = |text: &str| {
        fs::write(served.path("fileserver.conf"), text.replace("DIR", &root)).unwrap();
        let log = || served.server.take_log().into_iter().map(|entry| entry.message.replace(&root, "DIR"));
        _ = served.find("modules/none/x", "");
        log().collect::<Vec<_>>()
    };
    served.file("shared/a", "1").file("nodes/web1.example.com/a", "2").file("hosts/web1/a", "3");
    served.file("domains/example.com%/a", "4").file("modules/m/files/a", "5");
    let text = "# mounts\n[files]\n  path DIR/shared  # all\n  allow *\n\n[nodes]\npath DIR/nodes/%H\nallow *.example.com\ndeny x\n\
                [hosts]\npath DIR/hosts/%h\n[domains]\npath DIR/domains/%d%%\n[gone]\npath DIR/gone\n[modules]\npath DIR/shared\n";
    assert_eq!(
        configuration(text),
        [
            "Entry 'allow *.example.com' is unsupported and will be ignored at (file: DIR/fileserver.conf, line: 8)",
            "Entry 'deny x' is unsupported and will be ignored at (file: DIR/fileserver.conf, line: 9)",
            "Removing mount \"gone\": DIR/gone does not exist or is not a directory",
            "The 'modules' module can not have a path. Ignoring attempt to set it",
        ]
    );
    let contents =
        ["files/a", "nodes/a", "hosts/a", "domains/a", "modules/m/a"].map(|key| served.content(key).unwrap());
    assert_eq!(contents, ["1", "2", "3", "4", "5"]);
    assert!(
        served
            .error(served.content("gone/a"))
            .contains("Not authorized to call find on /file_content/gone/a")
    );
    assert!(served.error(served.content("files/../nodes/x")).contains("Invalid relative path"));
    // Names that are none of a node never choose a directory.
    for node in ["..", "a...", ".x", "a/b", ""] {
        let mut request = request("hosts/a", "").unwrap();
        request.node = Some(node.to_owned());
        for key in ["nodes/a", "hosts/a", "domains/a"] {
            key.clone_into(&mut request.key);
            assert!(served.server.content(&served.environment, &request).is_err(), "{node} {key}");
        }
    }
    // A malformed file changes nothing.
    let malformed = [
        ("[files]\npath = /tmp\n", "Fileserver configuration file does not use '=' as a separator"),
        ("[files]\n", "Mounts without paths are not usable"),
        (
            "[files]\npath DIR/shared\n[files]\n",
            "mount[files] is already mounted at files at (file: DIR/fileserver.conf, line: 3)",
        ),
        ("[files]\nroot /x\n", "Invalid argument 'root' at (file: DIR/fileserver.conf, line: 2)"),
        ("\n[a b]\n", "Invalid entry at (file: DIR/fileserver.conf, line: 2): '[a b]'"),
    ];
    for (text, expected) in malformed {
        let expected = format!("Error parsing fileserver configuration: {expected}; using old configuration");
        assert_eq!(configuration(text), [expected]);
        assert_eq!(served.content("files/a").unwrap(), "1");
    }
    // Changes count even if they leave the size and the time of the file as they were.
    for name in ["one", "two"].repeat(50) {
        assert!(configuration(&format!("[{name}]\npath DIR/shared\n")).is_empty());
        assert_eq!(served.content(&format!("{name}/a")).unwrap(), "1");
    }
    assert!(configuration("[other]\npath DIR/shared\n").is_empty());
    assert!(served.content("files/a").is_err());
    assert_eq!(served.content("other/a").unwrap(), "1");
}

#[test]
fn checksums_follow_changes_within_a_tick() {
    let served = ServedDirectory::new();
    for round in 0..300_u32 {
        // The same length, and the same time of change where the clock is coarse.
        served.file("modules/m/files/a", &format!("{round:03}"));
        let found = served.find("modules/m/a", "checksum_type=sha1").unwrap();
        let again = served.find("modules/m/a", "checksum_type=sha1").unwrap();
        assert_eq!(found, again);
        let lite = served.find("modules/m/a", "checksum_type=sha1lite").unwrap().checksum.value.unwrap();
        assert_eq!(found.checksum.value.unwrap().replace("{sha1}", ""), lite.replace("{sha1lite}", ""));
        let text = format!("{round:03}");
        let expected = <sha1::Sha1 as sha1::Digest>::digest(&text)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        assert_eq!(lite, format!("{{sha1lite}}{expected}"));
    }
}

#[test]
fn content_is_never_a_part_of_a_file() {
    let served = ServedDirectory::new();
    served.file("modules/m/files/a", "hello");
    let mut content =
        served.server.content(&served.environment, &request("modules/m/a", "").unwrap()).unwrap();
    served.file("modules/m/files/a", "hi");
    assert!(content.read_to_end(&mut Vec::new()).is_err());
    let mut content =
        served.server.content(&served.environment, &request("modules/m/a", "").unwrap()).unwrap();
    served.file("modules/m/files/a", "longer");
    let mut text = String::new();
    content.read_to_string(&mut text).unwrap();
    assert_eq!(text, "lo");
}
