//! `puppetfn why`.

use std::io::{self, Write};
use std::path::PathBuf;

use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{
    ClassInclusion, InclusionKind, ParameterCause, ParameterOrigin, Reference, ResourceOrigin,
    ResourceProvenance, ResourceRelation,
};
use puppetfn_types::convert::json;
use puppetfn_types::value::Value;

use super::args::why::{WhyArgs, WhyFormat};
use super::compile::text::code;
use super::{CommandFailure, CommandHost, CompileOptions, FAILED, OK, compile};

/// Longer values are cut for people.
const LONGEST: usize = 120;

pub(super) fn run(
    arguments: &WhyArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let Some(resource) = Reference::of_value(&Value::from(arguments.resource.as_str())) else {
        let named = &arguments.resource;
        return Err(CommandFailure::Usage(format!(
            "expected a resource such as File[/etc/motd], got '{named}'"
        )));
    };
    let (given, mut log) = (&arguments.given, Vec::new());
    let found =
        given.configuration().why(&arguments.node, &given.settings.facts(), &resource, host, &mut log);
    compile::report(&log, err);
    let (why, options) = match found? {
        Ok(found) => found,
        Err(error) => {
            compile::failed(&error, err);
            return Ok(FAILED);
        }
    };
    match arguments.format {
        WhyFormat::Json => {
            let data = why.to_data(&options.limits)?;
            writeln!(out, "{:#}", json::to_json(&data, &options.limits)?)?;
        }
        WhyFormat::Human => ExplanationWriter::of(&options, out).why(&why)?,
    }
    Ok(OK)
}

/// The output for people.
struct ExplanationWriter<'o> {
    /// The directory that paths are below, if they are: it is not written.
    directory: Option<PathBuf>,
    limits: Limits,
    out: &'o mut dyn Write,
}

impl<'o> ExplanationWriter<'o> {
    fn of(options: &CompileOptions, out: &'o mut dyn Write) -> Self {
        Self { directory: options.environment.clone(), limits: options.limits, out }
    }

    fn why(&mut self, why: &ResourceProvenance) -> Result<(), CommandFailure> {
        let ResourceProvenance { resource, chain, relations, .. } = why;
        let place = self.place(", declared at ", resource.place.as_ref());
        writeln!(self.out, "{}{place}", resource.reference)?;
        self.origin(resource)?;
        for origin in chain {
            let place = self.place(", defined at ", origin.definition.as_ref());
            writeln!(self.out, "in {}{place}", origin.reference)?;
            self.origin(origin)?;
        }
        for (title, is_before) in [("before it:", true), ("after it:", false)] {
            let mut relations =
                relations.iter().filter(|relation| relation.is_before == is_before).peekable();
            if relations.peek().is_some() {
                writeln!(self.out, "{title}")?;
            }
            relations.try_for_each(|relation| self.relation(relation, &resource.reference))?;
        }
        Ok(())
    }

    fn origin(&mut self, origin: &ResourceOrigin) -> Result<(), CommandFailure> {
        for (index, inclusion) in origin.inclusions.iter().enumerate() {
            self.inclusion(inclusion, index > 0)?;
        }
        for parameter in &origin.parameters {
            self.parameter(parameter)?;
        }
        Ok(())
    }

    fn inclusion(&mut self, inclusion: &ClassInclusion, is_further: bool) -> io::Result<()> {
        let what = match inclusion.way {
            InclusionKind::Include => "included by",
            InclusionKind::Require => "required by",
            InclusionKind::Contain => "contained by",
            InclusionKind::Declaration => "declared as a resource by",
            InclusionKind::Inherits => "inherited by",
            InclusionKind::Classifier => "named by the node classifier for",
        };
        let also = if is_further { "also " } else { "" };
        let place = self.place(" at ", inclusion.place.as_ref());
        writeln!(self.out, "  {also}{what} {}{place}", inclusion.by)
    }

    fn parameter(&mut self, parameter: &ParameterOrigin) -> Result<(), CommandFailure> {
        let value = self.value(&parameter.value)?;
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
        writeln!(self.out, "  {} => {value}  # {cause}{place}", parameter.name)?;
        for line in parameter.explanation.iter().flat_map(|explanation| explanation.lines()) {
            writeln!(self.out, "      {line}")?;
        }
        Ok(())
    }

    fn relation(&mut self, relation: &ResourceRelation, resource: &Reference) -> Result<(), CommandFailure> {
        let (by, parameter) = &relation.said_by;
        let place = self.place(" at ", relation.place.as_ref());
        let told = match (relation.notifies, relation.is_before) {
            (false, _) => "",
            (true, true) => ", which notifies it",
            (true, false) => ", which is notified",
        };
        let of =
            if relation.of == *resource { String::new() } else { format!(" for all in {}", relation.of) };
        writeln!(self.out, "  {}{told}{of}  # {parameter} of {by}{place}", relation.other)?;
        Ok(())
    }

    /// Returns a value as code on one line.
    fn value(&self, value: &Value) -> Result<String, Error> {
        let text = code(value, 0, &self.limits)?;
        let text = text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
        Ok(match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        })
    }

    /// Returns where something is, behind some words; nothing if that is not known.
    fn place(&self, words: &str, place: Option<&SourceLocation>) -> String {
        let Some(place) = place else { return String::new() };
        let Some(file) = place.file.as_deref() else { return String::new() };
        let inside = self.directory.as_deref().and_then(|directory| {
            std::path::Path::new(file).strip_prefix(directory).ok().and_then(std::path::Path::to_str)
        });
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{words}{}{line}", inside.unwrap_or(file))
    }
}
