//! Why the arguments of a call match no signature.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use std::cmp::Reverse;
use std::sync::Arc;

use super::Signature;
use crate::types::ops::describe::{
    Closeness, Messages, Mismatch, MismatchKind, MismatchPath, PathElement, SizeKind, find_mismatches_at,
    merge,
};
use crate::types::{Size, TupleType, Type};

/// Returns the mismatches of a call's arguments with each of the signatures.
///
/// `arguments` are the types of the arguments; the type of the block, if given, comes last. The mismatches of a signature
/// that takes the arguments are about the block. If no signature takes the block, all mismatches are.
pub fn signature_mismatches(signatures: &[&Signature], arguments: &[Type]) -> Vec<Vec<Mismatch>> {
    let each = |describe: fn(&Signature, &[Type], usize) -> Vec<Mismatch>| {
        signatures.iter().enumerate().map(move |(index, s)| describe(s, arguments, index))
    };
    let mut found: Vec<_> = each(describe_arguments).collect();
    if found.iter().all(|mismatches| !mismatches.is_empty()) {
        return found;
    }
    let blocks: Vec<_> = each(describe_block).collect();
    if blocks.iter().all(|mismatches| !mismatches.is_empty()) {
        return blocks;
    }
    for (mismatches, block) in found.iter_mut().zip(blocks) {
        if mismatches.is_empty() {
            *mismatches = block;
        }
    }
    found
}

/// Describes why arguments of these types match none of the signatures of the function `name`, which is
/// `lambda` for a block.
///
/// Signatures that word mismatches themselves are ignored. See [`signature_mismatches`] for
/// `arguments`.
pub fn describe_signatures(
    name: &str,
    signatures: &[Signature],
    arguments: &[Type],
    messages: Messages,
) -> String {
    let signatures: Vec<_> = signatures.iter().filter(|signature| !signature.handles_mismatch()).collect();
    let each = signature_mismatches(&signatures, arguments);
    let label = if name == "lambda" { "block".to_owned() } else { format!("'{name}'") };
    let mut text = label;
    if let [only] = merge(0, SizeKind::Count, &each).as_slice() {
        only.write(&mut text, "", messages);
        return text;
    }
    let indent = if let [signature] = signatures.as_slice() {
        text.push_str(" expects (");
        text.push_str(&signature.parameters_string());
        text.push(')');
        "\n  "
    } else {
        let order = if messages == Messages::Rich { " these, the nearest first" } else { "" };
        text = format!(
            "The function {text} was called with arguments it does not accept. It expects one of{order}:"
        );
        "\n    "
    };
    let mut rejections: Vec<_> = signatures.iter().zip(each).collect();
    if messages == Messages::Rich && rejections.len() > 1 {
        // The sort is stable: equally near signatures stay in order.
        rejections.sort_by_key(|(_, mismatches)| Reverse(Closeness::of(mismatches, 1)));
    }
    for (signature, mismatches) in rejections {
        if signatures.len() > 1 {
            text.push_str("\n  (");
            text.push_str(&signature.parameters_string());
            text.push(')');
        }
        for mismatch in messages.select(mismatches) {
            text.push_str(indent);
            text.push_str("rejected:");
            mismatch.write_unnumbered(&mut text, messages);
        }
    }
    text
}

/// Returns the block among the arguments: Puppet takes a last argument that can be called for it.
fn split_block(arguments: &[Type]) -> (&[Type], Option<&Type>) {
    match arguments {
        [rest @ .., block] if block.is_callable_kind(true) => (rest, Some(block)),
        _ => (arguments, None),
    }
}

fn describe_arguments(signature: &Signature, arguments: &[Type], index: usize) -> Vec<Mismatch> {
    let (arguments, _) = split_block(arguments);
    let allowed = signature.callable().params.as_ref().map_or(Size::ANY, TupleType::size);
    let given = Size::exactly(arguments.len());
    let path = MismatchPath::from(PathElement::Signature(index));
    if !allowed.includes(given) {
        return vec![Mismatch { path, kind: MismatchKind::Count { expected: allowed, actual: given } }];
    }
    let types = signature.parameter_types();
    let Some(last) = types.len().checked_sub(1) else { return Vec::new() };
    for (index, argument) in arguments.iter().enumerate() {
        let index = index.min(last);
        let Some(expected) = types.get(index) else { continue };
        if expected.assignable(argument) {
            continue;
        }
        let name = signature.parameter_names().get(index).map_or_else(|| "".into(), Arc::clone);
        let mut path = path.clone();
        path.push(PathElement::Parameter(name));
        let mismatches = find_mismatches_at(path, expected, argument);
        if !mismatches.is_empty() {
            return mismatches;
        }
    }
    Vec::new()
}

fn describe_block(signature: &Signature, arguments: &[Type], index: usize) -> Vec<Mismatch> {
    let (_, given) = split_block(arguments);
    let mut path = MismatchPath::from(PathElement::Signature(index));
    match (signature.callable().block.as_ref(), given) {
        (None, None) => Vec::new(),
        (None, Some(_)) => vec![Mismatch { path, kind: MismatchKind::UnexpectedBlock }],
        (Some(expected), None) if expected.assignable(&Type::Undef) => Vec::new(),
        (Some(_), None) => vec![Mismatch { path, kind: MismatchKind::MissingBlock }],
        (Some(expected), Some(given)) => {
            path.push(PathElement::Block);
            find_mismatches_at(path, expected, given)
        }
    }
}
