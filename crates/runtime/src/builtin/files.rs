//! Functions that find and read files of modules: `file`, `find_file` and the like.
//!
//! See Puppet's `functions/{binary_file,find_file,find_template,module_directory}.rb` and `parser/functions/file.rb`.

use std::path::PathBuf;
use std::sync::Arc;

use super::legacy::{LegacyArity, legacy, refused, text};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Declaration, Deviation, native};
use puppetfn_types::value::{Binary, Value};

/// The directory of a module in which files lie, and the one in which templates do.
const FILES: &str = "files";
pub(super) const TEMPLATES: &str = "templates";

pub(super) fn file() -> Declaration {
    legacy("file", LegacyArity::AtLeast(1), |call, arguments| {
        let names = arguments.iter().map(|name| text(Some(name))).collect::<Result<Vec<_>, _>>()?;
        let files = call.caller().files();
        for name in &names {
            if let Some(path) = files.find(name, FILES)? {
                return files.read(&path).map(Value::of_text_bytes);
            }
        }
        let message = format!("Could not find any files from {}", names.join(", "));
        Err(Error::new(ErrorKind::Evaluation, message))
    })
    .doc(
        "Gives the content of the first of some files that exists. A file is named by its path, or as \
         `module/path` where it is in the directory `files` of a module.",
    )
    .example("file('/nothing', '/dev/null')", "''")
}

pub(super) fn binary_file() -> Declaration {
    native("binary_file")
        .scope_method(refused(1, true))
        .doc("Returns the content of a file as a `Binary`. The file is named as for `file`.")
        .example("binary_file('/dev/null')", "Binary('')")
        .dispatch::<&str>("(String path)", |call, name| {
            let files = call.caller().files();
            match files.find(name, FILES)? {
                Some(path) => Ok(Value::Binary(Binary::new(files.read(&path)?))),
                None => Err(Error::new(
                    ErrorKind::Evaluation,
                    format!("binary_file(): The given file '{name}' does not exist"),
                )),
            }
        })
}

pub(super) fn find_file() -> Declaration {
    finder("find_file", FILES)
        .scope_method(refused(-2, true))
        .doc(
            "Finds the first of some files that exists, and gives its path. The files are named as for \
             `file`.",
        )
        .example("find_file('/nothing', '/dev/null')", "'/dev/null'")
}

pub(super) fn find_template() -> Declaration {
    finder("find_template", TEMPLATES)
        .doc(
            "Finds the first of some templates that exists, and gives its path. A template is named by its \
             path, or as `module/path` where it is in the directory `templates` of a module.",
        )
        .example("find_template('apache/nothing.epp')", "undef")
}

fn finder(name: &'static str, kind: &'static str) -> Declaration {
    of_names(name, ["(String paths*)", "(Array[String] paths_array*)"], move |call, name| {
        call.caller().files().find(name, kind)
    })
}

pub(super) fn module_directory() -> Declaration {
    of_names("module_directory", ["(String names*)", "(Array[String] names*)"], |call, name| {
        call.caller().files().module_directory(name)
    })
    .doc("Finds the first existing module, and returns its directory.")
    .example("module_directory('nothing', 'nowhere')", "undef")
}

/// Declares a function that returns the first path that is found for one of several names. These are
/// its arguments, or the first of them is an array of them.
fn of_names(
    name: &'static str,
    [one_by_one, array]: [&'static str; 2],
    find: impl Fn(&Call<'_>, &str) -> Result<Option<PathBuf>, Error> + Send + Sync + 'static,
) -> Declaration {
    let find = Arc::new(find);
    let first = move |call: &mut Call<'_>, names: &[Value]| {
        for name in names {
            if let Some(path) = find(call, call.value_as::<&str>(name)?)? {
                return Ok(Value::from(path.to_string_lossy().into_owned()));
            }
        }
        Ok(Value::Undef)
    };
    let each = first.clone();
    native(name).dispatch::<&[Value]>(one_by_one, first).dispatch::<&[Value]>(
        array,
        move |call, arguments| {
            if arguments.len() > 1 {
                call.deviate(Deviation::from_all("several arrays of names of files"))?;
            }
            let names: Vec<Value> = arguments.iter().flat_map(puppetfn_catalog::flat).collect();
            each(call, &names)
        },
    )
}
