//! Ruby code that Puppet or r10k refuses: functions that cannot be loaded or called, names in templates that nothing defines,
//! and declarations in a `Puppetfile`.

mod function;
mod puppetfile;
mod removed;
mod resource_type;
mod template;

pub use function::function_failures;
pub use puppetfile::puppetfile_failures;
pub use removed::removed_uses;
pub use resource_type::resource_type_failures;
pub use template::{CalledFunction, TemplateCalls, template_calls};

/// An error that code leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeFailure {
    /// The line, counted from 1.
    pub line: u32,
    /// The message.
    pub message: String,
    /// Whether each use of the code fails; otherwise some uses do.
    pub is_certain: bool,
}

impl CodeFailure {
    fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), is_certain: true }
    }
}

/// Returns the name that the path of a file gives its definition, below a directory.
fn expected_name(path: &str, directory: &str) -> Option<String> {
    let (_, file) = path.rsplit_once(directory)?;
    Some(file.strip_suffix(".rb")?.replace('/', "::"))
}
