//! Checks of comments: missing documentation, and contradictions to the declarations below.

use std::fmt;

use super::declared::{
    Api, Comment, DeclaredDefinition, DeclaredFunction, DeclaredParameter, DeclaredSignature, DeclaredType,
    DefinitionKind,
};
use super::docstring::Docstring;
use super::function::TAGS_OF_SIGNATURES;
use super::tag::DocTag;
use super::{DataType, DocumentedResourceType, example};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{AttributeDescription, AttributeKind, TypeDescription};
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};

/// The maximum length of a summary, as in Puppet Strings.
const LONGEST_SUMMARY: usize = 140;

/// A finding, with its location and a remedy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DocFinding {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The name of the rule, which is stable across versions.
    pub rule: String,
    /// The problem, its reason and a remedy.
    pub message: String,
}

impl fmt::Display for DocFinding {
    /// Prints as compilers do: `file:line: message [rule]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, rule, message } = self;
        write!(f, "{file}:{line}: {message} [{rule}]")
    }
}

/// Returns true for the line of a tag that is the caption of a block of code in the text, as in the comments of Puppet's functions.
fn is_before_code_block(comment: &str, line: u32) -> bool {
    let mut below = comment.lines().skip(line as usize).skip(1).map(str::trim_start);
    below.find(|line| !line.is_empty()).is_some_and(|line| line.starts_with("```") || line.starts_with("~~~"))
}

/// The checks of one file's comments.
pub(super) struct Lint<'a> {
    file: &'a str,
    findings: &'a mut Vec<DocFinding>,
}

impl<'a> Lint<'a> {
    pub fn new(file: &'a str, findings: &'a mut Vec<DocFinding>) -> Self {
        Self { file, findings }
    }

    pub fn type_alias(&mut self, declared: &DeclaredType) {
        let docstring = Docstring::parse(&declared.comment.text);
        if docstring.is_empty() {
            let name = &declared.name;
            self.find(
                declared.line,
                "undocumented",
                format!("type alias {name} has no documentation; describe it in a comment above it"),
            );
        }
        self.tags(&declared.comment, &docstring);
    }

    /// Checks the comment of a class, a defined type or a plan.
    pub fn definition(&mut self, declared: &DeclaredDefinition) {
        let docstring = Docstring::parse(&declared.comment.text);
        if docstring.is_empty() {
            let (kind, name) = (declared.kind.title(), &declared.name);
            let message = format!("{kind} {name} has no documentation; describe it in a comment above it");
            self.find(declared.line, "undocumented", message);
            return;
        }
        self.tags(&declared.comment, &docstring);
        // A resource's title is a parameter without a declaration.
        let is_title =
            |tag: &&DocTag| tag.name.as_deref().is_some_and(|name| matches!(name, "name" | "title"));
        for tag in docstring.tagged("param").filter(|tag| !is_title(tag)) {
            self.param(&declared.parameters, &declared.comment, tag);
        }
        self.undocumented(&declared.parameters, &docstring);
    }

    pub fn function(&mut self, declared: &DeclaredFunction) {
        let own = Docstring::parse(&declared.comment.text);
        let signatures: Vec<_> =
            declared.signatures.iter().map(|signature| Docstring::parse(&signature.comment.text)).collect();
        if own.is_empty() && signatures.iter().all(Docstring::is_empty) {
            let (name, place) = (&declared.name, declared.api.place_of_comment());
            let message = format!("function {name} has no documentation; describe it {place}");
            self.find(declared.line, "undocumented", message);
            return;
        }
        self.tags(&declared.comment, &own);
        match declared.api {
            Api::Ruby4x | Api::BuiltIn => {
                self.misplaced(declared, &own);
                for (signature, docstring) in declared.signatures.iter().zip(&signatures) {
                    self.tags(&signature.comment, docstring);
                    self.signature(declared, signature, &signature.comment, docstring);
                }
            }
            Api::Puppet => {
                for signature in &declared.signatures {
                    self.signature(declared, signature, &declared.comment, &own);
                }
            }
            Api::Ruby3x if own.tag("return").is_none() && own.tag("overload").is_none() => {
                self.no_return(declared, declared.line);
            }
            Api::Ruby3x => {}
        }
    }

    /// Reports tags that are unknown or malformed.
    fn tags(&mut self, comment: &Comment, docstring: &Docstring) {
        for tag in &docstring.tags {
            let line = comment.line.saturating_add(tag.line);
            if !tag.is_known() {
                let name = &tag.tag_name;
                let message = format!("there is no tag @{name}; indent the line if it is text");
                self.find(line, "unknown_tag", message);
            }
            self.example(comment, tag);
            self.repeated(comment, docstring, tag);
            self.summary(line, tag);
        }
    }

    /// Reports a summary that does not fit into the lists of documents.
    fn summary(&mut self, line: u32, tag: &DocTag) {
        let Some(summary) = tag.text.as_deref().filter(|_| tag.tag_name == "summary") else { return };
        let length = summary.chars().count();
        if length > LONGEST_SUMMARY {
            let message = format!(
                "the summary has {length} characters, more than the maximum of {LONGEST_SUMMARY}; \
                 move details to the text"
            );
            self.find(line, "long_summary", message);
        }
    }

    /// Reports a tag for a parameter that an earlier tag documents.
    fn repeated(&mut self, comment: &Comment, docstring: &Docstring, tag: &DocTag) {
        let is_same = |other: &DocTag| other.tag_name == "param" && other.name == tag.name;
        if tag.tag_name == "param"
            && let Some(name) = &tag.name
            && let Some(first) = docstring.tags.iter().find(|other| is_same(other))
            && first.line < tag.line
        {
            let message = format!("@param {name} is documented before; put both texts into one tag");
            self.find(comment.line.saturating_add(tag.line), "repeated_param", message);
        }
    }

    /// Reports an example without code, or with invalid Puppet code.
    fn example(&mut self, comment: &Comment, tag: &DocTag) {
        let text = tag.text.as_deref().unwrap_or_default();
        if tag.tag_name != "example" {
        } else if text.trim().is_empty() && !is_before_code_block(&comment.text, tag.line) {
            let message = "the example has no code; indent the code below @example, or remove the tag";
            self.find(comment.line.saturating_add(tag.line), "empty_example", message.to_owned());
        } else if let Some((line, mistake)) = example::mistake(text) {
            let below = example::line_in_comment(&comment.text, tag.line, text, line);
            self.find(comment.line.saturating_add(below), "example", no_code(tag, &mistake));
        }
    }

    /// Reports missing documentation of a resource type, and mistakes in its examples.
    pub fn resource_type(&mut self, t: &DocumentedResourceType) {
        let TypeDescription { name, line, attributes, .. } = &t.description;
        if t.docstring.is_empty() {
            let message =
                format!("resource type {name} has no documentation; describe it with `@doc` or `desc`");
            self.find(*line, "undocumented", message);
        }
        for attribute in attributes.iter().filter(|attribute| is_silent(attribute)) {
            let (kind, attribute) = (attribute.kind.title(), &attribute.name);
            let message = format!(
                "{kind} {attribute} of the resource type {name} is not documented; describe it with `desc`"
            );
            self.find(*line, "undocumented_param", message);
        }
        for tag in t.docstring.tagged("example") {
            if let Some((_, mistake)) = example::mistake(tag.text.as_deref().unwrap_or_default()) {
                self.find(*line, "example", no_code(tag, &mistake));
            }
        }
    }

    /// Reports missing documentation of a data type in Ruby, and tags for attributes that it does not have.
    pub fn data_type(&mut self, comment: &Comment, t: &DataType) {
        let docstring = Docstring::parse(&comment.text);
        if docstring.is_empty() {
            let name = &t.name;
            let message = format!("data type {name} has no documentation; describe it in a comment above it");
            self.find(t.line, "undocumented", message);
            return;
        }
        self.tags(comment, &docstring);
        let names: Vec<&str> = t.docstring.tagged("param").filter_map(|tag| tag.name.as_deref()).collect();
        for tag in docstring.tagged("param") {
            let name = tag.name.as_deref().unwrap_or_default();
            if !names.contains(&name) {
                let message = format!("@param {name} names no attribute of the data type {}", t.name);
                self.find(comment.line.saturating_add(tag.line), "unknown_param", message);
            }
        }
        for name in names.into_iter().filter(|name| !docstring.tagged("param").any(|tag| tag.is_param(name)))
        {
            let message = format!("attribute {name} is not documented; add `@param {name} text`");
            self.find(t.line, "undocumented_param", message);
        }
    }

    /// Reports tags above `create_function` that belong above a `dispatch`.
    fn misplaced(&mut self, declared: &DeclaredFunction, own: &Docstring) {
        for tag in own.tags.iter().filter(|tag| TAGS_OF_SIGNATURES.contains(&tag.tag_name.as_str())) {
            let name = &tag.tag_name;
            let remedy = match name.as_str() {
                "overload" => "remove it: each dispatch is one",
                _ => {
                    "move it to the comment above the dispatch, or above the method of a function without one"
                }
            };
            self.find(
                declared.comment.line.saturating_add(tag.line),
                "misplaced_tag",
                format!("@{name} is not read above create_function; {remedy}"),
            );
        }
    }

    fn signature(
        &mut self,
        function: &DeclaredFunction,
        declared: &DeclaredSignature,
        comment: &Comment,
        docstring: &Docstring,
    ) {
        if docstring.tag("overload").is_some() {
            return;
        }
        for tag in docstring.tagged("param") {
            self.param(&declared.parameters, comment, tag);
        }
        self.undocumented(&declared.parameters, docstring);
        match (docstring.tag("return"), declared.return_type.as_deref()) {
            (None, None) => self.no_return(function, declared.line),
            (Some(tag), Some(declared)) => self.result(comment, tag, declared),
            (None, Some(_)) | (Some(_), None) => {}
        }
    }

    /// Reports undocumented parameters, unless there is no documentation at all.
    fn undocumented(&mut self, parameters: &[DeclaredParameter], docstring: &Docstring) {
        for parameter in parameters {
            if !docstring.is_empty() && tag_of(docstring, parameter).is_none() {
                let name = &parameter.name;
                let message = format!("parameter {name} is not documented; add `@param {name} text`");
                self.find(parameter.line, "undocumented_param", message);
            }
        }
    }

    /// Reports a `@param` tag without a matching parameter, or with a type that differs from the declared one.
    fn param(&mut self, parameters: &[DeclaredParameter], comment: &Comment, tag: &DocTag) {
        let line = comment.line.saturating_add(tag.line);
        let Some(name) = tag.name.as_deref() else {
            let message = "@param names no parameter; write `@param name text`".to_owned();
            return self.find(line, "unknown_param", message);
        };
        let is_meant =
            |parameter: &&DeclaredParameter| parameter.name == name || parameter.marked_name() == name;
        let Some(parameter) = parameters.iter().find(is_meant) else {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let parameters = match names.as_slice() {
                [] => "there are no parameters".to_owned(),
                [name] => format!("the only one is {name}"),
                names => format!("they are {}", names.join(", ")),
            };
            let message = format!("@param {name} names no parameter of the signature: {parameters}");
            return self.find(line, "unknown_param", message);
        };
        if let (Some(t), Some(documented)) = (&parameter.type_text, &tag.types)
            && !is_same(documented, t)
            && !is_same(documented, &parameter.shown_type(None))
        {
            let documented = documented.join(", ");
            let message =
                format!("@param {name} says [{documented}], but the signature says {t}; leave the type out");
            self.find(line, "param_type", message);
        }
    }

    /// Reports a `@return` tag with a type that differs from the declared one.
    fn result(&mut self, comment: &Comment, tag: &DocTag, declared: &str) {
        if let Some(documented) = &tag.types
            && !is_same(documented, declared)
        {
            let documented = documented.join(", ");
            let message = format!("@return says [{documented}], but the result is declared as {declared}");
            self.find(comment.line.saturating_add(tag.line), "return_type", message);
        }
    }

    fn no_return(&mut self, function: &DeclaredFunction, line: u32) {
        let name = &function.name;
        let message = format!("the result of {name} is not documented; add `@return [Type] text`");
        self.find(line, "undocumented_return", message);
    }

    fn find(&mut self, line: u32, rule: &str, message: String) {
        self.findings.push(DocFinding { file: self.file.to_owned(), line, rule: rule.to_owned(), message });
    }
}

/// Returns the message for an example with a mistake.
fn no_code(tag: &DocTag, mistake: &str) -> String {
    let title = tag.name.as_deref().filter(|title| !title.is_empty()).map(|title| format!(" '{title}'"));
    format!("the example{} is not valid Puppet code: {mistake}", title.unwrap_or_default())
}

/// Returns true for an undocumented attribute that needs documentation.
fn is_silent(attribute: &AttributeDescription) -> bool {
    attribute.doc.as_deref().is_none_or(|doc| doc.trim().is_empty()) && attribute.name != "provider"
}

/// Returns the tag of a parameter.
fn tag_of<'a>(docstring: &'a Docstring, parameter: &DeclaredParameter) -> Option<&'a DocTag> {
    let marked = parameter.marked_name();
    docstring.tags.iter().find(|tag| tag.is_param(&parameter.name) || tag.is_param(&marked))
}

/// Returns true if the types in a tag together equal the declared type.
fn is_same(documented: &[String], declared: &str) -> bool {
    let documented = match documented {
        [only] => only.clone(),
        several => format!("Variant[{}]", several.join(", ")),
    };
    let parse = |text: &str| parse(text, &NoAliases, &Limits::FURTHEST);
    let accept_same = |a: Type, b: Type| a == b || a.assignable(&b) && b.assignable(&a);
    match (parse(&documented), parse(declared)) {
        (Ok(documented), Ok(declared)) => accept_same(documented, declared),
        // Names of aliases, or no types at all.
        _ => documented.split_whitespace().eq(declared.split_whitespace()),
    }
}

trait HasTitle {
    /// Returns the word for messages.
    fn title(self) -> &'static str;
}

impl HasTitle for AttributeKind {
    fn title(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Parameter => "parameter",
            Self::Check => "check",
        }
    }
}

impl DefinitionKind {
    /// Returns the word for messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::DefinedType => "defined type",
            Self::Plan => "plan",
        }
    }
}

impl Api {
    /// Returns the place for the comment of a function.
    fn place_of_comment(self) -> &'static str {
        match self {
            Self::Ruby4x => "in a comment above create_function",
            Self::Ruby3x => "with `:doc` of newfunction",
            Self::Puppet | Self::BuiltIn => "in a comment above it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(documented: &[&str], declared: &str) -> bool {
        is_same(&documented.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>(), declared)
    }

    #[test]
    fn types_are_compared_as_types() {
        assert!(same(&["Hash[String,Integer]"], "Hash[String, Integer]"));
        assert!(same(&["String", "Undef"], "Optional[String]"));
        assert!(same(&["Stdlib::Port"], "Stdlib::Port"));
        assert!(!same(&["String"], "String[1]"));
        assert!(!same(&["Stdlib::Host"], "Stdlib::Port"));
        assert!(!same(&["the value"], "String"));
    }
}
