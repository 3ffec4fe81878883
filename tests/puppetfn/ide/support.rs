//! Projects in memory, with the place of the cursor.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn::check::{DataLayer, TextOrigin};
use puppetfn::ide::{FileSpan, Ide, ProjectFile};
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;
use puppetfn::syntax::Mode;

use crate::support::files::files;

/// A project, and the place in one of its files at which there was a `|`.
pub struct Project {
    pub ide: Ide,
    pub path: PathBuf,
    pub offset: u32,
}

/// The module `m` at `/modules/m`, with files by their names there. A `¦` is where the cursor is.
pub fn project(all: &[(&str, &str)]) -> Project {
    let mut cursor = None;
    let mut texts = Vec::new();
    for (name, text) in all {
        let path = format!("/modules/m/{name}");
        if let Some(at) = text.find('¦') {
            cursor = Some((PathBuf::from(&path), at as u32));
        }
        texts.push((path, text.replace('¦', "")));
    }
    let in_files: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let loader = Loader::new(files(&in_files), vec!["/modules".into()], None, Limits::DEFAULT);
    let mut ide = Ide::new(Arc::new(loader), Limits::DEFAULT, false);
    for (path, text) in &texts {
        if path.ends_with(".pp") || path.ends_with(".epp") {
            ide.set(file(path, text));
        }
    }
    for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".erb")) {
        let name = path.replace("/modules/m/templates/", "m/");
        ide.set_erb(Path::new(path), &name, text.as_str().into());
    }
    let data = texts.iter().filter(|(path, _)| path.ends_with(".yaml"));
    let data =
        data.map(|(path, text)| ide.world().read_data(text, Some(path), DataLayer::Module("m".to_owned())));
    let data = data.collect();
    ide.set_data(data, None);
    let (path, offset) = cursor.unwrap_or_else(|| (texts[0].0.clone().into(), 0));
    Project { ide, path, offset }
}

pub fn file(path: &str, text: &str) -> ProjectFile {
    let mode = Mode { template: path.ends_with(".epp"), ..Mode::default() };
    let origin = TextOrigin { module: Some("m".into()), file: None, is_in_module: true };
    ProjectFile { path: path.into(), text: text.into(), mode, origin }
}

impl Project {
    /// Returns the labels of the completions at the cursor.
    pub fn completions(&self) -> Vec<String> {
        self.ide.completions(&self.path, self.offset).into_iter().map(|one| one.label).collect()
    }

    pub fn hover(&self) -> String {
        self.ide.hover(&self.path, self.offset).map(|hover| hover.markdown).unwrap_or_default()
    }

    /// Returns each location as its file, line and text.
    pub fn shown(&self, locations: &[FileSpan]) -> Vec<String> {
        locations.iter().map(|one| self.place(&one.path, one.span.start, one.span.end)).collect()
    }

    fn place(&self, path: &Path, start: u32, end: u32) -> String {
        let name = path.strip_prefix("/modules/m").unwrap_or(path).display().to_string();
        let Some(text) = self.ide.text(path) else { return name };
        let line = text[..start as usize].matches('\n').count() + 1;
        format!("{name}:{line} {}", &text[start as usize..end as usize])
    }
}
