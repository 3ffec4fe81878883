//! Parameters of methods and blocks, and targets of assignments.

use ruby_prism::{Location, Node as Prism, NodeList, ParametersNode};

use super::{PrismConverter, end, name, start};
use crate::tree::{RubyNode, RubyNodeKind, RubyParameter, RubyParameters};

impl PrismConverter<'_> {
    pub(super) fn parameters_of_block(&mut self, node: Option<Prism<'_>>) -> RubyParameters {
        let Some(block) = node.as_ref().and_then(Prism::as_block_parameters_node) else {
            return RubyParameters::default();
        };
        let mut found = block.parameters().map(|node| self.parameters(&node)).unwrap_or_default();
        for local in &block.locals() {
            found.names.extend(local.as_block_local_variable_node().map(|local| name(&local.name())));
        }
        found
    }

    pub(super) fn parameters(&mut self, node: &ParametersNode<'_>) -> RubyParameters {
        let mut names = Vec::new();
        let leading = required(&node.requireds(), &mut names);
        let optional: Vec<RubyParameter> =
            node.optionals().iter().filter_map(|one| self.with_default(&one)).collect();
        let rest = node.rest().and_then(|rest| rest.as_rest_parameter_node());
        let rest = rest.map(|rest| RubyParameter {
            name: rest.name().map(|found| name(&found)),
            at: start(&rest.name_loc().unwrap_or_else(|| rest.location())),
            default: None,
        });
        let trailing = required(&node.posts(), &mut names);
        let keywords: Vec<RubyParameter> =
            node.keywords().iter().filter_map(|one| self.with_default(&one)).collect();
        let block =
            node.block().and_then(|block| block.as_block_parameter_node()).map(|block| RubyParameter {
                name: block.name().map(|found| name(&found)),
                at: start(&block.name_loc().unwrap_or_else(|| block.location())),
                default: None,
            });
        let forwards = matches!(node.keyword_rest(), Some(Prism::ForwardingParameterNode { .. }));
        let others = optional.iter().chain(&rest).chain(&keywords).chain(&block);
        names.extend(others.filter_map(|one| one.name.clone()));
        RubyParameters { leading, optional, rest, trailing, keywords, block, forwards, names }
    }

    fn with_default(&mut self, node: &Prism<'_>) -> Option<RubyParameter> {
        let (id, location, default) = if let Some(node) = node.as_optional_parameter_node() {
            (node.name(), node.name_loc(), Some(self.node(&node.value())))
        } else if let Some(node) = node.as_optional_keyword_parameter_node() {
            (node.name(), node.name_loc(), Some(self.node(&node.value())))
        } else {
            let node = node.as_required_keyword_parameter_node()?;
            (node.name(), node.name_loc(), None)
        };
        Some(RubyParameter { name: Some(name(&id)), at: start(&location), default })
    }

    /// Converts an assignment.
    pub(super) fn assignment(&mut self, node: &Prism<'_>) -> Option<RubyNodeKind> {
        macro_rules! write {
            ($as:ident, $kind:path) => {{
                let node = node.$as()?;
                let target = target(&node.name_loc(), $kind(name(&node.name())));
                RubyNodeKind::Assign(target, self.boxed(&node.value()), None)
            }};
        }
        macro_rules! update {
            ($as:ident, $kind:path, $operator:expr) => {{
                let node = node.$as()?;
                let target = target(&node.name_loc(), $kind(name(&node.name())));
                RubyNodeKind::Assign(target, self.boxed(&node.value()), Some($operator.to_owned()))
            }};
        }
        macro_rules! index {
            ($as:ident, $operator:expr) => {{
                let node = node.$as()?;
                let receiver = self.optional(node.receiver())?;
                let args = node.arguments().map(|found| self.list(&found.arguments())).unwrap_or_default();
                let target = target(&node.location(), RubyNodeKind::Index(Box::new(receiver), args));
                RubyNodeKind::Assign(target, self.boxed(&node.value()), Some($operator.to_owned()))
            }};
        }
        macro_rules! field {
            ($as:ident, $operator:expr) => {{
                let node = node.$as()?;
                let receiver = self.optional(node.receiver())?;
                let target = target(
                    &node.location(),
                    RubyNodeKind::Field(Box::new(receiver), name(&node.read_name())),
                );
                RubyNodeKind::Assign(target, self.boxed(&node.value()), Some($operator.to_owned()))
            }};
        }
        Some(match node {
            Prism::LocalVariableWriteNode { .. } => write!(as_local_variable_write_node, RubyNodeKind::Local),
            Prism::InstanceVariableWriteNode { .. } => {
                write!(as_instance_variable_write_node, RubyNodeKind::Instance)
            }
            Prism::GlobalVariableWriteNode { .. } => {
                write!(as_global_variable_write_node, RubyNodeKind::Global)
            }
            Prism::ConstantWriteNode { .. } => write!(as_constant_write_node, RubyNodeKind::Constant),
            Prism::ConstantPathWriteNode { .. } => {
                let node = node.as_constant_path_write_node()?;
                let target = self.boxed(&node.target().as_node());
                RubyNodeKind::Assign(target, self.boxed(&node.value()), None)
            }
            Prism::LocalVariableOperatorWriteNode { .. } => {
                update!(as_local_variable_operator_write_node, RubyNodeKind::Local, "op=")
            }
            Prism::LocalVariableOrWriteNode { .. } => {
                update!(as_local_variable_or_write_node, RubyNodeKind::Local, "||=")
            }
            Prism::LocalVariableAndWriteNode { .. } => {
                update!(as_local_variable_and_write_node, RubyNodeKind::Local, "&&=")
            }
            Prism::InstanceVariableOperatorWriteNode { .. } => {
                update!(as_instance_variable_operator_write_node, RubyNodeKind::Instance, "op=")
            }
            Prism::InstanceVariableOrWriteNode { .. } => {
                update!(as_instance_variable_or_write_node, RubyNodeKind::Instance, "||=")
            }
            Prism::InstanceVariableAndWriteNode { .. } => {
                update!(as_instance_variable_and_write_node, RubyNodeKind::Instance, "&&=")
            }
            Prism::GlobalVariableOperatorWriteNode { .. } => {
                update!(as_global_variable_operator_write_node, RubyNodeKind::Global, "op=")
            }
            Prism::GlobalVariableOrWriteNode { .. } => {
                update!(as_global_variable_or_write_node, RubyNodeKind::Global, "||=")
            }
            Prism::GlobalVariableAndWriteNode { .. } => {
                update!(as_global_variable_and_write_node, RubyNodeKind::Global, "&&=")
            }
            Prism::ConstantOrWriteNode { .. } => {
                update!(as_constant_or_write_node, RubyNodeKind::Constant, "||=")
            }
            Prism::ConstantAndWriteNode { .. } => {
                update!(as_constant_and_write_node, RubyNodeKind::Constant, "&&=")
            }
            Prism::ConstantOperatorWriteNode { .. } => {
                update!(as_constant_operator_write_node, RubyNodeKind::Constant, "op=")
            }
            Prism::IndexOperatorWriteNode { .. } => index!(as_index_operator_write_node, "op="),
            Prism::IndexOrWriteNode { .. } => index!(as_index_or_write_node, "||="),
            Prism::IndexAndWriteNode { .. } => index!(as_index_and_write_node, "&&="),
            Prism::CallOperatorWriteNode { .. } => field!(as_call_operator_write_node, "op="),
            Prism::CallOrWriteNode { .. } => field!(as_call_or_write_node, "||="),
            Prism::CallAndWriteNode { .. } => field!(as_call_and_write_node, "&&="),
            Prism::MultiWriteNode { .. } => {
                let node = node.as_multi_write_node()?;
                let mut targets = self.list(&node.lefts());
                targets.extend(self.optional(node.rest()));
                targets.extend(self.list(&node.rights()));
                RubyNodeKind::MultiAssign(targets, self.boxed(&node.value()))
            }
            _ => return self.target(node),
        })
    }

    /// Converts the target of a multiple assignment, `for` or `rescue`.
    fn target(&mut self, node: &Prism<'_>) -> Option<RubyNodeKind> {
        Some(match node {
            Prism::LocalVariableTargetNode { .. } => {
                RubyNodeKind::Local(name(&node.as_local_variable_target_node()?.name()))
            }
            Prism::InstanceVariableTargetNode { .. } => {
                RubyNodeKind::Instance(name(&node.as_instance_variable_target_node()?.name()))
            }
            Prism::GlobalVariableTargetNode { .. } => {
                RubyNodeKind::Global(name(&node.as_global_variable_target_node()?.name()))
            }
            Prism::ConstantTargetNode { .. } => {
                RubyNodeKind::Constant(name(&node.as_constant_target_node()?.name()))
            }
            Prism::ConstantPathTargetNode { .. } => {
                let node = node.as_constant_path_target_node()?;
                self.constant_path(node.name(), node.parent())?
            }
            Prism::IndexTargetNode { .. } => {
                let node = node.as_index_target_node()?;
                let args = node.arguments().map(|found| self.list(&found.arguments())).unwrap_or_default();
                RubyNodeKind::Index(self.boxed(&node.receiver()), args)
            }
            Prism::CallTargetNode { .. } => {
                let node = node.as_call_target_node()?;
                RubyNodeKind::Field(
                    self.boxed(&node.receiver()),
                    name(&node.name()).trim_end_matches('=').to_owned(),
                )
            }
            _ => return None,
        })
    }
}

fn target(location: &Location<'_>, kind: RubyNodeKind) -> Box<RubyNode> {
    Box::new(RubyNode { start: start(location), end: end(location), kind })
}

/// Returns required parameters; destructured ones have no names.
fn required(nodes: &NodeList<'_>, names: &mut Vec<String>) -> Vec<RubyParameter> {
    nodes
        .iter()
        .map(|node| {
            let found = node.as_required_parameter_node().map(|one| name(&one.name()));
            match &found {
                Some(found) => names.push(found.clone()),
                None => names_within(&node, names),
            }
            RubyParameter { name: found, at: start(&node.location()), default: None }
        })
        .collect()
}

/// Adds the names of a parameter that is taken apart.
fn names_within(node: &Prism<'_>, names: &mut Vec<String>) {
    let Some(targets) = node.as_multi_target_node() else {
        let splat = node.as_splat_node().and_then(|splat| splat.expression());
        let inner = splat.as_ref().unwrap_or(node);
        names.extend(inner.as_required_parameter_node().map(|one| name(&one.name())));
        return;
    };
    for inner in targets.lefts().iter().chain(targets.rest()).chain(targets.rights().iter()) {
        names_within(&inner, names);
    }
}
