//! The texts of `metadata.json` and `Puppetfile`.

use std::path::Path;
use std::sync::Arc;

use puppetfn_base::source::Span;
use puppetfn_check::ModuleFileKind;

/// A text that names modules.
#[derive(Clone, Debug)]
pub struct ModuleFile {
    pub(crate) kind: ModuleFileKind,
    pub(crate) text: Arc<str>,
}

/// The role of a quoted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum QuotedRole {
    /// The name of a module.
    Module,
    /// The version of a module, or a range of them.
    Version { module: String },
}

impl ModuleFile {
    /// Returns the kind of a file by its path.
    pub fn kind_of(path: &Path) -> Option<ModuleFileKind> {
        let directory = path.parent().and_then(Path::file_name);
        match path.file_name()?.to_str()? {
            "metadata.json" => Some(ModuleFileKind::Metadata),
            "Puppetfile" => Some(ModuleFileKind::Puppetfile),
            name if name.ends_with(".json") && directory.is_some_and(|name| name == "tasks") => {
                Some(ModuleFileKind::TaskMetadata)
            }
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the quoted text at an offset, with its role.
    pub(crate) fn quoted_at(&self, offset: u32) -> Option<(Span, QuotedRole)> {
        let text = &*self.text;
        let line_start = text.get(..offset as usize)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.get(line_start..)?.lines().next()?;
        let (start, end) = quoted(line, offset as usize - line_start)?;
        let span = Span::new((line_start + start) as u32, (line_start + end) as u32);
        let before = line.get(..start.saturating_sub(1))?.trim();
        let role = match self.kind {
            ModuleFileKind::Metadata => in_metadata(text, span, before)?,
            ModuleFileKind::Puppetfile => in_puppetfile(before)?,
            ModuleFileKind::TaskMetadata | ModuleFileKind::EnvironmentConf | ModuleFileKind::PuppetConf => {
                return None;
            }
        };
        Some((span, role))
    }
}

/// Returns the range of the quoted text of a line around an offset. A text without an end goes up to the end of the line.
fn quoted(line: &str, at: usize) -> Option<(usize, usize)> {
    let mut open: Option<(usize, char)> = None;
    for (index, c) in line.char_indices() {
        match open {
            None if matches!(c, '\'' | '"') => open = Some((index + 1, c)),
            Some((start, quote)) if c == quote => {
                if start <= at && at <= index {
                    return Some((start, index));
                }
                open = None;
            }
            None | Some(_) => {}
        }
    }
    open.map(|(start, _)| start).filter(|start| *start <= at).map(|start| (start, line.len()))
}

/// Returns the role of a value of `dependencies`.
fn in_metadata(text: &str, span: Span, before: &str) -> Option<QuotedRole> {
    let before_value = text.get(..span.start as usize)?;
    let list = before_value.get(before_value.rfind("\"dependencies\"")?..)?;
    if list.matches('[').count() <= list.matches(']').count() {
        return None;
    }
    let key = before.strip_suffix(':')?.trim_end();
    if key.ends_with("\"name\"") {
        return Some(QuotedRole::Module);
    }
    let object = text.get(before_value.rfind('{')?..)?;
    let object = object.split('}').next()?;
    let name = object.split("\"name\"").nth(1)?.split('"').nth(1)?;
    key.ends_with("\"version_requirement\"").then(|| QuotedRole::Version { module: name.to_owned() })
}

/// Returns the role of an argument of `mod`.
fn in_puppetfile(before: &str) -> Option<QuotedRole> {
    let arguments = before.strip_prefix("mod")?.trim_start_matches(['(', ' ', '\t']);
    if arguments.is_empty() {
        return Some(QuotedRole::Module);
    }
    let quote = arguments.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (name, rest) = arguments.get(1..)?.split_once(quote)?;
    (rest.trim() == ",").then(|| QuotedRole::Version { module: name.to_owned() })
}
