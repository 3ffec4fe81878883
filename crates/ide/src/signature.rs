//! Signature help for the call around the cursor.

use std::ops::Range;
use std::path::Path;

use super::Ide;
use super::bolt;
use super::context::{CallAround, context};
use super::describe::lower;
use puppetfn_check::CallableFunction;
use puppetfn_index::Symbol;
use puppetfn_types::function::{FunctionBody, Signature};

/// The signatures of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    /// The signatures.
    pub signatures: Vec<SignatureText>,
    /// The index of the signature that matches the arguments so far.
    pub active: usize,
    /// The index of the current argument's parameter.
    pub parameter: usize,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureText {
    /// The signature as text.
    pub label: String,
    /// The byte ranges of its parameters in the label.
    pub parameters: Vec<Range<usize>>,
    /// The documentation of the function, as Markdown.
    pub documentation: String,
}

impl Ide {
    /// Returns the signatures of the call whose arguments contain an offset.
    pub fn signature_help(&self, path: &Path, offset: u32) -> Option<SignatureHelp> {
        let source = self.source(path)?;
        let call = context(source.text(), source.mode(), offset).calls.pop()?;
        let Some(callable) = self.world().callable(&call.name, &self.origin(path)) else {
            return bolt_help(&call).filter(|_| self.is_plan(path));
        };
        let (signatures, documentation) = match callable {
            CallableFunction::Native(function) => {
                let doc = match function.body() {
                    FunctionBody::Native(native) => native.doc().to_owned(),
                    _ => String::new(),
                };
                (function.signatures().to_vec(), doc)
            }
            CallableFunction::Declared(signatures) => {
                (signatures.to_vec(), self.documentation(&Symbol::Function(lower(&call.name)), path))
            }
        };
        let shown: Vec<_> = signatures.iter().filter(|signature| !signature.handles_mismatch()).collect();
        let takes = |signature: &&Signature| {
            signature.callable().size().max.is_none_or(|max| (call.arguments as u64) < max.max(1))
        };
        let active = shown.iter().position(takes).unwrap_or(0);
        let last =
            shown.get(active).map_or(0, |signature| signature.parameter_names().len().saturating_sub(1));
        let texts = shown.iter().map(|signature| text(&call, signature, &documentation));
        Some(SignatureHelp { signatures: texts.collect(), active, parameter: call.arguments.min(last) })
    }
}

/// Returns the signatures of a function of Bolt.
fn bolt_help(call: &CallAround) -> Option<SignatureHelp> {
    let text = |(signature, doc): (&str, &str)| SignatureText {
        label: signature.to_owned(),
        parameters: bolt::parameters(signature),
        documentation: doc.to_owned(),
    };
    let signatures: Vec<_> = bolt::described(call.name.trim_start_matches("::")).map(text).collect();
    let last = signatures.first()?.parameters.len().saturating_sub(1);
    Some(SignatureHelp { signatures, active: 0, parameter: call.arguments.min(last) })
}

fn text(call: &CallAround, signature: &Signature, documentation: &str) -> SignatureText {
    let mut label = format!("{}(", call.name.trim_start_matches("::"));
    let mut parameters = Vec::new();
    for (name, t) in signature.parameter_names().iter().zip(signature.parameter_types()) {
        if !parameters.is_empty() {
            label.push_str(", ");
        }
        let start = label.len();
        label.push_str(&format!("{t} {name}"));
        parameters.push(start..label.len());
    }
    label.push(')');
    if let Some(returns) = signature.return_type() {
        label.push_str(&format!(" >> {returns}"));
    }
    SignatureText { label, parameters, documentation: documentation.to_owned() }
}
