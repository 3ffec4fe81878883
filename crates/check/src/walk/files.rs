//! Files of modules that functions read, such as templates.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::declare::DefinitionInfo;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::super::world::ResolvedModuleFile;
use super::Walk;
use super::resource::{AcceptedParameters, BodyAttributes};
use puppetfn_base::source::Span;
use puppetfn_syntax::Mode;
use puppetfn_types::value::Value;

/// The mode of templates.
const TEMPLATE: Mode = Mode { tasks: false, template: true };

impl<'s> Walk<'_, 's> {
    /// Checks the files that a function reads, and the arguments of templates.
    pub(super) fn files_read(&mut self, function: &str, arguments: &[Value], at: Span) {
        match (function, arguments) {
            ("binary_file" | "file", names) => self.files(names, at),
            ("template", names) => {
                for name in names {
                    self.template_file(name, "", at);
                }
            }
            ("epp", [name, given @ ..]) => {
                let Some(file) = self.template_file(name, ".epp", at) else { return };
                if let Some(template) = self.world.template(&file) {
                    let name =
                        format!("The template '{}'", name.ruby_to_s(self.limits()).unwrap_or_default());
                    self.template_parameters(&DefinitionInfo { name, ..(*template).clone() }, given, at);
                }
            }
            ("inline_epp", [Value::String(text), given @ ..]) => {
                if let Some(template) = self.world.template_of(text, "inline_epp", TEMPLATE) {
                    self.template_parameters(&template, given, at);
                }
            }
            _ => {}
        }
    }

    /// Checks that one of several files is there.
    fn files(&mut self, names: &[Value], at: Span) {
        let mut texts = Vec::new();
        let mut unsure = Vec::new();
        for name in names {
            let Value::String(name) = name else { return };
            match self.world.module_file("files", name, "") {
                ResolvedModuleFile::Found(_) => return,
                ResolvedModuleFile::Missing => {}
                ResolvedModuleFile::Unsure => unsure.push(&**name),
            }
            texts.push(&**name);
        }
        let message = format!("Could not find any files from {}", texts.join(", "));
        if unsure.is_empty() && !texts.is_empty() {
            self.report(Rule::MissingFile, at, &*message);
        }
        for name in unsure {
            self.probably(Rule::MissingFile, &message, self.world.file_meant("files", name, ""), at);
        }
    }

    /// Checks that the module of a file's source has it, or one of several.
    pub(super) fn source_files(&mut self, source: &Value, at: Span) {
        let sources = match source {
            Value::Array(sources) => sources.to_vec(),
            source => vec![source.clone()],
        };
        let mut missing = Vec::new();
        for source in &sources {
            let Value::String(source) = source else { return };
            let Some(path) = source.strip_prefix("puppet:///modules/") else { return };
            match self.world.module_file("files", path.trim_end_matches('/'), "") {
                ResolvedModuleFile::Missing => missing.push(&**source),
                ResolvedModuleFile::Found(_) | ResolvedModuleFile::Unsure => return,
            }
        }
        if !missing.is_empty() {
            let message = format!("Could not retrieve information from source(s) {}", missing.join(", "));
            self.report(Rule::MissingFile, at, message);
        }
    }

    /// Returns the file of a template, and reports one that is not there.
    fn template_file(&mut self, name: &Value, ending: &str, at: Span) -> Option<std::path::PathBuf> {
        let Value::String(name) = name else { return None };
        match self.world.module_file("templates", name, ending) {
            ResolvedModuleFile::Found(path) => return Some(path),
            ResolvedModuleFile::Missing => {
                self.report(Rule::MissingFile, at, format!("Could not find template '{name}'"));
            }
            ResolvedModuleFile::Unsure => {
                let meant = self.world.file_meant("templates", name, ending);
                self.probably(Rule::MissingFile, &format!("Could not find template '{name}'"), meant, at);
            }
        }
        None
    }

    /// Checks the arguments of a template, which is as strict as a resource is.
    fn template_parameters(&mut self, template: &DefinitionInfo, given: &[Value], at: Span) {
        let mut attributes = BodyAttributes::default();
        if let Some(given) = given.first() {
            attributes.take(given, at);
        }
        // Arguments that are undef are passed over.
        let may_be_undef = |value: &Value| ValueKinds::of(value).meets(ValueKinds::UNDEF);
        let (lenient, strict): (Vec<_>, Vec<_>) =
            attributes.given().iter().partition(|(_, value, _)| may_be_undef(value));
        let parameters = AcceptedParameters::of(template, &template.name);
        self.unknown_parameters(&BodyAttributes::of(strict.into_iter()), &parameters);
        self.as_warnings(|walk| {
            walk.unknown_parameters(&BodyAttributes::of(lenient.into_iter()), &parameters);
        });
        self.parameter_types(&attributes, template);
        if !attributes.is_open() {
            self.missing_parameters(&attributes, template, at);
        }
    }
}
