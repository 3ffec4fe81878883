//! Documentation of built-in functions, from their declarations.

use super::declared::{Api, DeclaredFunction, DeclaredParameter, DeclaredSignature, ParameterKind};
use super::docstring::ReadingMode;
use super::function::DocumentedFunction;
use super::tag::DocTag;
use puppetfn_types::function::{Function as Callable, FunctionBody, Native, Signature};
use puppetfn_types::types::Type;

/// Documents a built-in function.
pub(super) fn document(callable: &Callable) -> DocumentedFunction {
    let signatures = callable.signatures().iter().filter(|signature| !signature.handles_mismatch());
    let declared = DeclaredFunction {
        name: callable.name().to_owned(),
        api: Api::BuiltIn,
        line: 0,
        comment: super::Comment::default(),
        signatures: signatures.map(declared).collect(),
        source: None,
    };
    let mut function = DocumentedFunction::of(declared, None, ReadingMode::Own);
    if let FunctionBody::Native(native) = callable.body() {
        describe(&mut function, native);
    }
    function
}

/// Adds the text and the examples.
fn describe(function: &mut DocumentedFunction, native: &Native) {
    let examples = native.examples().iter().map(|example| DocTag {
        tag_name: "example".to_owned(),
        name: Some(String::new()),
        text: Some(format!("{} # => {}", example.code, example.result)),
        ..DocTag::default()
    });
    function.docstring.text = native.doc().to_owned();
    function.docstring.tags.extend(examples);
    if let [only] = function.signatures.as_mut_slice() {
        only.docstring = function.docstring.clone();
    }
}

fn declared(signature: &Signature) -> DeclaredSignature {
    let size = signature.callable().size();
    let types = signature.parameter_types();
    let names = signature.parameter_names();
    let mut parameters = Vec::new();
    for (index, name) in (0u64..).zip(names) {
        let Some(t) = usize::try_from(index).ok().and_then(|index| types.get(index)).or_else(|| types.last())
        else {
            break;
        };
        let is_repeated = size.max.is_none() && index.saturating_add(1) == names.len() as u64;
        let is_optional = !is_repeated && index >= size.min;
        parameters.push(DeclaredParameter {
            name: name.to_string(),
            type_text: Some(shown(t, is_optional)),
            kind: if is_repeated { ParameterKind::Repeated } else { ParameterKind::Single },
            is_optional,
            ..DeclaredParameter::default()
        });
    }
    if let Some(block) = &signature.callable().block {
        let is_optional = matches!(block, Type::Optional(_));
        parameters.push(DeclaredParameter {
            name: signature.block_name().map_or_else(|| "block".to_owned(), ToString::to_string),
            type_text: Some(shown(block, is_optional)),
            kind: ParameterKind::Block,
            is_optional,
            ..DeclaredParameter::default()
        });
    }
    let return_type = signature.return_type().map(Type::to_string);
    DeclaredSignature { parameters, return_type, ..DeclaredSignature::default() }
}

/// Returns the type of a parameter, without the `Optional` that marks an optional one.
fn shown(t: &Type, is_optional: bool) -> String {
    if let Type::Optional(Some(inner)) = t
        && is_optional
    {
        return inner.to_string();
    }
    t.to_string()
}
