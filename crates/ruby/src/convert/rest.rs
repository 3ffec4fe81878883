//! Nodes that matter only for their children.

use ruby_prism::{Node as Prism, Visit};

use super::PrismConverter;
use crate::tree::RubyNode;

/// Visitor that converts the children of a node.
struct ChildConverter<'c, 's> {
    converter: &'c mut PrismConverter<'s>,
    found: Vec<RubyNode>,
}

impl<'pr> Visit<'pr> for ChildConverter<'_, '_> {
    fn visit(&mut self, node: &Prism<'pr>) {
        self.found.push(self.converter.node(node));
    }
}

macro_rules! visit {
    ($node:ident, $children:ident, $($variant:ident $concrete:ident $visit:ident,)*) => {
        match $node {
            $(Prism::$variant { .. } => if let Some(concrete) = $node.$concrete() {
                ruby_prism::$visit(&mut $children, &concrete);
            },)*
            // Nodes without children, and kinds with a conversion of their own.
            _ => {}
        }
    };
}

impl PrismConverter<'_> {
    /// Converts the children of a node.
    pub(super) fn rest(&mut self, node: &Prism<'_>) -> Vec<RubyNode> {
        let mut children = ChildConverter { converter: self, found: Vec::new() };
        visit! {
            node, children,
            AliasGlobalVariableNode as_alias_global_variable_node visit_alias_global_variable_node,
            AlternationPatternNode as_alternation_pattern_node visit_alternation_pattern_node,
            ArgumentsNode as_arguments_node visit_arguments_node,
            ArrayPatternNode as_array_pattern_node visit_array_pattern_node,
            AssocNode as_assoc_node visit_assoc_node,
            AssocSplatNode as_assoc_splat_node visit_assoc_splat_node,
            BlockArgumentNode as_block_argument_node visit_block_argument_node,
            BlockNode as_block_node visit_block_node,
            BlockParametersNode as_block_parameters_node visit_block_parameters_node,
            BreakNode as_break_node visit_break_node,
            CapturePatternNode as_capture_pattern_node visit_capture_pattern_node,
            CaseMatchNode as_case_match_node visit_case_match_node,
            ClassVariableAndWriteNode as_class_variable_and_write_node visit_class_variable_and_write_node,
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node visit_class_variable_operator_write_node,
            ClassVariableOrWriteNode as_class_variable_or_write_node visit_class_variable_or_write_node,
            ClassVariableWriteNode as_class_variable_write_node visit_class_variable_write_node,
            ConstantPathAndWriteNode as_constant_path_and_write_node visit_constant_path_and_write_node,
            ConstantPathNode as_constant_path_node visit_constant_path_node,
            ConstantPathOperatorWriteNode as_constant_path_operator_write_node visit_constant_path_operator_write_node,
            ConstantPathOrWriteNode as_constant_path_or_write_node visit_constant_path_or_write_node,
            ConstantPathTargetNode as_constant_path_target_node visit_constant_path_target_node,
            DefinedNode as_defined_node visit_defined_node,
            ElseNode as_else_node visit_else_node,
            EmbeddedStatementsNode as_embedded_statements_node visit_embedded_statements_node,
            EmbeddedVariableNode as_embedded_variable_node visit_embedded_variable_node,
            EnsureNode as_ensure_node visit_ensure_node,
            ErrorRecoveryNode as_error_recovery_node visit_error_recovery_node,
            FindPatternNode as_find_pattern_node visit_find_pattern_node,
            FlipFlopNode as_flip_flop_node visit_flip_flop_node,
            ForwardingSuperNode as_forwarding_super_node visit_forwarding_super_node,
            HashPatternNode as_hash_pattern_node visit_hash_pattern_node,
            ImaginaryNode as_imaginary_node visit_imaginary_node,
            InNode as_in_node visit_in_node,
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node visit_interpolated_match_last_line_node,
            InterpolatedXStringNode as_interpolated_x_string_node visit_interpolated_x_string_node,
            MatchPredicateNode as_match_predicate_node visit_match_predicate_node,
            MatchRequiredNode as_match_required_node visit_match_required_node,
            MultiTargetNode as_multi_target_node visit_multi_target_node,
            NextNode as_next_node visit_next_node,
            OptionalKeywordParameterNode as_optional_keyword_parameter_node visit_optional_keyword_parameter_node,
            OptionalParameterNode as_optional_parameter_node visit_optional_parameter_node,
            ParametersNode as_parameters_node visit_parameters_node,
            PinnedExpressionNode as_pinned_expression_node visit_pinned_expression_node,
            PinnedVariableNode as_pinned_variable_node visit_pinned_variable_node,
            PostExecutionNode as_post_execution_node visit_post_execution_node,
            PreExecutionNode as_pre_execution_node visit_pre_execution_node,
            ProgramNode as_program_node visit_program_node,
            RangeNode as_range_node visit_range_node,
            RescueModifierNode as_rescue_modifier_node visit_rescue_modifier_node,
            RescueNode as_rescue_node visit_rescue_node,
            ReturnNode as_return_node visit_return_node,
            ShareableConstantNode as_shareable_constant_node visit_shareable_constant_node,
            StatementsNode as_statements_node visit_statements_node,
            SuperNode as_super_node visit_super_node,
            UndefNode as_undef_node visit_undef_node,
            UntilNode as_until_node visit_until_node,
            WhenNode as_when_node visit_when_node,
            WhileNode as_while_node visit_while_node,
            YieldNode as_yield_node visit_yield_node,
        }
        children.found
    }
}
