//! Documentation of functions: their declarations and the comments on them.

use super::declared::{Api, DeclaredFunction, DeclaredParameter, DeclaredSignature};
use super::docstring::{Docstring, ReadingMode};
use super::tag::DocTag;

/// Tags that have no meaning in a function's own comment if each `dispatch` has a comment.
pub(super) const TAGS_OF_SIGNATURES: [&str; 3] = ["param", "return", "overload"];

/// The documentation of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedFunction {
    /// The full name.
    pub name: String,
    /// The file that defines it; `None` for a built-in one.
    pub file: Option<String>,
    /// The line of the definition, counted from 1.
    pub line: u32,
    /// The API that it uses.
    pub api: Api,
    /// The docstring; of a function with a single signature, the signature's too.
    pub docstring: Docstring,
    /// The signatures.
    pub signatures: Vec<DocumentedSignature>,
    /// The text of the definition.
    pub source: Option<String>,
}

/// The documentation of a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedSignature {
    /// The signature as text: `max(Numeric $a, Optional[Numeric] $b)`.
    pub text: String,
    /// The docstring. Each parameter and the result have a tag.
    pub docstring: Docstring,
    /// The defaults of parameters, by name.
    pub defaults: Vec<(String, String)>,
}

impl DocumentedFunction {
    /// Documents a declaration.
    pub fn of(declared: DeclaredFunction, file: Option<String>, reading: ReadingMode) -> Self {
        let own = Docstring::read(&declared.comment.text, reading);
        let (docstring, signatures) = match declared.api {
            Api::Ruby4x | Api::BuiltIn => of_signatures(&declared, own, reading),
            Api::Ruby3x | Api::Puppet => of_function(&declared, own, reading),
        };
        let DeclaredFunction { name, api, line, source, .. } = declared;
        Self { name, file, line, api, docstring, signatures, source }
    }
}

/// Documents a function whose signatures have their own comments.
fn of_signatures(
    declared: &DeclaredFunction,
    mut own: Docstring,
    reading: ReadingMode,
) -> (Docstring, Vec<DocumentedSignature>) {
    own.tags.retain(|tag| !TAGS_OF_SIGNATURES.contains(&tag.tag_name.as_str()));
    let document = |signature: &DeclaredSignature| {
        let docstring = Docstring::read(&signature.comment.text, reading);
        DocumentedSignature::of(&declared.name, signature, docstring, DeclaredParameter::marked_name)
    };
    let mut signatures: Vec<_> = declared.signatures.iter().map(document).collect();
    match signatures.as_mut_slice() {
        [] => {
            let only = DocumentedSignature::of(
                &declared.name,
                &DeclaredSignature::default(),
                Docstring::default(),
                DeclaredParameter::marked_name,
            );
            signatures.push(DocumentedSignature { docstring: own.clone(), ..only });
        }
        [only] => {
            own.tags.append(&mut only.docstring.tags);
            // Puppet Strings ignores that text.
            if own.text.is_empty() && reading == ReadingMode::Own {
                own.text = std::mem::take(&mut only.docstring.text);
            }
            only.docstring = own.clone();
        }
        _ => {}
    }
    (own, signatures)
}

/// Documents a function with one comment for all signatures.
fn of_function(
    declared: &DeclaredFunction,
    mut own: Docstring,
    reading: ReadingMode,
) -> (Docstring, Vec<DocumentedSignature>) {
    let overloads: Vec<_> =
        own.tagged("overload").map(|tag| overload(&declared.name, tag, reading)).collect();
    if !overloads.is_empty() {
        own.tags.retain(|tag| tag.tag_name != "overload");
        return (own, overloads);
    }
    let of_tags =
        || DeclaredSignature { parameters: documented_parameters(&own), ..DeclaredSignature::default() };
    let signature = declared.signatures.first().cloned().unwrap_or_else(of_tags);
    let name_of = match reading {
        ReadingMode::Own => DeclaredParameter::marked_name,
        ReadingMode::Strings => |parameter: &DeclaredParameter| parameter.name.clone(),
    };
    let signature = DocumentedSignature::of(&declared.name, &signature, own, name_of);
    (signature.docstring.clone(), vec![signature])
}

/// Returns the parameters of a comment, for functions that do not declare them.
fn documented_parameters(docstring: &Docstring) -> Vec<DeclaredParameter> {
    let named = docstring.tagged("param").filter_map(|tag| tag.name.clone());
    named.map(|name| DeclaredParameter { name, ..DeclaredParameter::default() }).collect()
}

/// Returns the signature in an `@overload` tag.
fn overload(name: &str, tag: &DocTag, reading: ReadingMode) -> DocumentedSignature {
    let text = tag.name.clone().unwrap_or_else(|| format!("{name}()"));
    let docstring = Docstring::read(tag.text.as_deref().unwrap_or_default(), reading);
    DocumentedSignature { text, docstring, defaults: Vec::new() }
}

impl DocumentedSignature {
    /// Documents a signature: declared types win over documented ones.
    fn of(
        name: &str,
        declared: &DeclaredSignature,
        mut docstring: Docstring,
        name_of: fn(&DeclaredParameter) -> String,
    ) -> Self {
        let mut parameters = Vec::new();
        let mut defaults = Vec::new();
        for parameter in &declared.parameters {
            let marked = name_of(parameter);
            let tag =
                docstring.tags.iter_mut().find(|tag| tag.is_param(&parameter.name) || tag.is_param(&marked));
            let documented = tag.as_ref().and_then(|tag| tag.types.as_ref()?.first().cloned());
            let t = parameter.shown_type(documented.as_deref());
            let default = parameter.default.as_deref().map(|default| format!(" = {default}"));
            parameters.push(format!(
                "{t} {}${}{}",
                marked.strip_suffix(parameter.name.as_str()).unwrap_or_default(),
                parameter.name,
                default.unwrap_or_default()
            ));
            if let Some(default) = &parameter.default {
                defaults.push((marked.clone(), default.clone()));
            }
            match tag {
                Some(tag) => {
                    tag.name = Some(marked);
                    if parameter.type_text.is_some() || parameter.is_optional || tag.types.is_none() {
                        tag.types = Some(vec![t]);
                    }
                }
                None => docstring.tags.push(DocTag::empty("param", Some(marked), vec![t])),
            }
        }
        let returned = || declared.return_type.clone().unwrap_or_else(|| "Any".to_owned());
        match docstring.tags.iter_mut().find(|tag| tag.tag_name == "return") {
            Some(tag) if tag.types.is_none() || declared.return_type.is_some() => {
                tag.types = Some(vec![returned()]);
            }
            Some(_) => {}
            None => docstring.tags.push(DocTag::empty("return", None, vec![returned()])),
        }
        Self { text: format!("{name}({})", parameters.join(", ")), docstring, defaults }
    }
}
