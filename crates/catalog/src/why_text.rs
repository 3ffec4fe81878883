//! Explanations of resources as text.

use std::path::Path;

use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;

use super::code::value_line;
use super::origin::{ClassInclusion, InclusionKind, ParameterCause};
use super::{ParameterOrigin, Reference, ResourceOrigin, ResourceProvenance, ResourceRelation};

/// Maximum number of characters of a value; longer ones are cut.
const LONGEST: usize = 120;

impl ResourceProvenance {
    /// Returns the explanation as text. Paths in the directory are relative to it.
    ///
    /// # Errors
    /// Fails if a value cannot be formatted.
    pub fn to_text(&self, directory: Option<&Path>, limits: &Limits) -> Result<String, Error> {
        let mut writer = ExplanationWriter { directory, limits, out: String::new() };
        writer.why(self)?;
        Ok(writer.out)
    }
}

struct ExplanationWriter<'e> {
    directory: Option<&'e Path>,
    limits: &'e Limits,
    out: String,
}

impl ExplanationWriter<'_> {
    fn why(&mut self, why: &ResourceProvenance) -> Result<(), Error> {
        let ResourceProvenance { resource, chain, relations, .. } = why;
        let place = self.place(", declared at ", resource.place.as_ref());
        self.line(&format!("{}{place}", resource.reference));
        self.origin(resource)?;
        for origin in chain {
            let place = self.place(", defined at ", origin.definition.as_ref());
            self.line(&format!("in {}{place}", origin.reference));
            self.origin(origin)?;
        }
        for (title, is_before) in [("before it:", true), ("after it:", false)] {
            let mut relations =
                relations.iter().filter(|relation| relation.is_before == is_before).peekable();
            if relations.peek().is_some() {
                self.line(title);
            }
            relations.for_each(|relation| self.relation(relation, &resource.reference));
        }
        Ok(())
    }

    fn origin(&mut self, origin: &ResourceOrigin) -> Result<(), Error> {
        for (index, inclusion) in origin.inclusions.iter().enumerate() {
            self.inclusion(inclusion, index > 0);
        }
        origin.parameters.iter().try_for_each(|parameter| self.parameter(parameter))
    }

    fn inclusion(&mut self, inclusion: &ClassInclusion, is_further: bool) {
        let way = match inclusion.way {
            InclusionKind::Include => "included by",
            InclusionKind::Require => "required by",
            InclusionKind::Contain => "contained by",
            InclusionKind::Declaration => "declared as a resource by",
            InclusionKind::Inherits => "inherited by",
            InclusionKind::Classifier => "named by the node classifier for",
        };
        let also = if is_further { "also " } else { "" };
        let place = self.place(" at ", inclusion.place.as_ref());
        self.line(&format!("  {also}{way} {}{place}", inclusion.by));
    }

    fn parameter(&mut self, parameter: &ParameterOrigin) -> Result<(), Error> {
        let value = value_line(&parameter.value, LONGEST, self.limits)?;
        let cause = match parameter.cause {
            ParameterCause::Declaration => "the declaration",
            ParameterCause::Classifier => "the node classifier",
            ParameterCause::TypeDefault => "a default for the type",
            ParameterCause::Override => "an override",
            ParameterCause::Data => "data",
            ParameterCause::DefaultValue => "the default value in the definition",
            ParameterCause::Container => "what contains it",
            ParameterCause::Relationship => "a relationship",
        };
        let place = self.place(" at ", parameter.place.as_ref());
        self.line(&format!("  {} => {value}  # {cause}{place}", parameter.name));
        for line in parameter.explanation.iter().flat_map(|explanation| explanation.lines()) {
            self.line(&format!("      {line}"));
        }
        Ok(())
    }

    fn relation(&mut self, relation: &ResourceRelation, resource: &Reference) {
        let (by, parameter) = &relation.said_by;
        let place = self.place(" at ", relation.place.as_ref());
        let told = match (relation.notifies, relation.is_before) {
            (false, _) => "",
            (true, true) => ", which notifies it",
            (true, false) => ", which is notified",
        };
        let of =
            if relation.of == *resource { String::new() } else { format!(" for all in {}", relation.of) };
        self.line(&format!("  {}{told}{of}  # {parameter} of {by}{place}", relation.other));
    }

    /// Returns a place behind some words; nothing if it is unknown.
    fn place(&self, words: &str, place: Option<&SourceLocation>) -> String {
        let Some(place) = place else { return String::new() };
        let Some(file) = place.file.as_deref() else { return String::new() };
        let inside =
            self.directory.and_then(|directory| Path::new(file).strip_prefix(directory).ok()?.to_str());
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{words}{}{line}", inside.unwrap_or(file))
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}
