//! Functions in Ruby: the signatures that their files declare.

use std::sync::Arc;

use super::abstraction::certain;
use puppetfn_base::limits::Limits;
use puppetfn_doc::{DeclaredFunction, DeclaredSignature, ParameterKind};
use puppetfn_types::function::Signature;
use puppetfn_types::types::parse::{TypeLookup, parse};
use puppetfn_types::types::{CallableType, Size, TupleType, Type};

/// Returns the signatures of a function; `None` if its file does not declare all of them.
pub(super) fn signatures(
    function: &DeclaredFunction,
    types: &dyn TypeLookup,
    limits: &Limits,
) -> Option<Arc<[Signature]>> {
    // One with a method `call` of its own does not go by its signatures.
    let source = function.source.as_deref()?;
    if function.signatures.is_empty() || source.lines().any(|line| is_definition_of_call(line.trim_start())) {
        return None;
    }
    Some(function.signatures.iter().map(|declared| signature(declared, types, limits)).collect())
}

fn is_definition_of_call(line: &str) -> bool {
    let name = line.strip_prefix("def ").map(str::trim_start).map(|name| name.trim_start_matches("self."));
    name.and_then(|name| name.strip_prefix("call"))
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!')))
}

fn signature(declared: &DeclaredSignature, types: &dyn TypeLookup, limits: &Limits) -> Signature {
    // A text that cannot be parsed becomes any type, and so does one that uses types of the file's own.
    let stated = |text: &Option<String>| {
        let t = text.as_deref().map(|text| parse(text, types, limits));
        t.and_then(Result::ok).map_or(Type::Any, |t| certain(&t))
    };
    let mut params = Vec::new();
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut block = None;
    let (mut min, mut max) = (0u64, Some(0u64));
    for parameter in &declared.parameters {
        let t = stated(&parameter.type_text);
        let is_optional = parameter.is_optional || parameter.default.is_some();
        match parameter.kind {
            ParameterKind::Block => {
                let t = if t.is_callable_kind(false) { t } else { Type::Callable(Arc::default()) };
                block = Some((if is_optional { Type::optional(t) } else { t }, parameter.name.as_str()));
                continue;
            }
            ParameterKind::Repeated => max = None,
            ParameterKind::Single => max = max.map(|max| max.saturating_add(1)),
        }
        if !is_optional && parameter.kind == ParameterKind::Single {
            min = min.saturating_add(1);
        }
        params.push(t);
        names.push(parameter.name.as_str().into());
    }
    let callable = CallableType {
        params: Some(TupleType { types: params.into(), size: Some(Size::new(min, max)) }),
        block: block.as_ref().map(|(t, _)| t.clone()),
        returns: Some(stated(&declared.return_type)).filter(|t| *t != Type::Any),
    };
    Signature::new(callable, names, block.map(|(_, name)| name.into()))
}
