//! Definitions and resources in Puppet Notation.
#![allow(clippy::wildcard_enum_match_arm, reason = "each method is for some kinds of expressions")]

use super::{NotationNode, Transformer, nop};
use crate::ast::{
    ArrowOp, AttributeOperation, Block, ExprKind, Feature, OperationAttribute, Parameter, ResourceForm,
    SettingValue, TypeBody, TypeMember,
};

type PnEntries<'a> = Vec<(&'a str, NotationNode<'a>)>;

impl<'a> Transformer<'a> {
    pub(super) fn definition(&self, kind: &'a ExprKind<'_>) -> NotationNode<'a> {
        match kind {
            ExprKind::Function(function) => {
                let returns = function.return_type.as_ref().map(|t| ("returns", self.expr(t)));
                let mut entries = self.named(&function.name, None, &function.parameters, &function.body);
                entries.extend(returns);
                map("function", entries)
            }
            ExprKind::Plan(plan) => map("plan", self.named(&plan.name, None, &plan.parameters, &plan.body)),
            ExprKind::Class(class) => {
                map("class", self.named(&class.name, class.parent, &class.parameters, &class.body))
            }
            ExprKind::ResourceType(t) => map("define", self.named(&t.name, None, &t.parameters, &t.body)),
            ExprKind::Node(node) => {
                let mut entries = vec![("matches", NotationNode::List(self.exprs(&node.matches)))];
                entries.extend(node.parent.as_ref().map(|parent| ("parent", self.expr(parent))));
                entries.extend(self.block("body", &node.body));
                map("node", entries)
            }
            ExprKind::TypeAlias(alias) => NotationNode::Call(
                "type-alias",
                vec![NotationNode::text(alias.name), self.expr(&alias.value)],
            ),
            ExprKind::TypeMapping(mapping) => NotationNode::Call(
                "type-mapping",
                vec![self.expr(&mapping.type_expr), self.expr(&mapping.value)],
            ),
            ExprKind::TypeDefinition(definition) => {
                let parent = definition.parent.map_or(NotationNode::Nil, NotationNode::text);
                let body = match &definition.body {
                    TypeBody::Members(members) => NotationNode::Call(
                        "members",
                        members.iter().map(|member| self.member(member)).collect(),
                    ),
                    TypeBody::Statements(block) if block.statements.is_empty() => nop(),
                    TypeBody::Statements(block) => NotationNode::Call("block", self.exprs(&block.statements)),
                };
                NotationNode::Call("type-definition", vec![NotationNode::text(definition.name), parent, body])
            }
            _ => nop(),
        }
    }

    /// Returns a member of a type, which Puppet has no notation for.
    fn member(&self, member: &'a TypeMember<'_>) -> NotationNode<'a> {
        match member {
            TypeMember::Attribute(feature) => map("attr", self.feature(feature)),
            TypeMember::Reference(feature) => map("has", self.feature(feature)),
            TypeMember::Invariant(invariant) => {
                let mut entries: PnEntries<'a> = Vec::new();
                entries.extend(invariant.message.as_ref().map(|message| ("message", self.expr(message))));
                entries.push(("check", self.setting(&invariant.condition)));
                map("invariant", entries)
            }
            TypeMember::Abstract(_) => NotationNode::Call("abstract", Vec::new()),
        }
    }

    fn feature(&self, feature: &'a Feature<'_>) -> PnEntries<'a> {
        let mut entries = vec![("name", NotationNode::text(feature.name))];
        entries.extend(feature.type_expr.as_ref().map(|t| ("type", self.expr(t))));
        let settings = feature.settings.iter().map(|setting| (setting.name, self.setting(&setting.value)));
        entries.push(("settings", NotationNode::Map(settings.collect())));
        entries
    }

    fn setting(&self, value: &'a SettingValue<'_>) -> NotationNode<'a> {
        match value {
            SettingValue::Expr(expr) => self.expr(expr),
            SettingValue::Block(block) => NotationNode::Call("block", self.exprs(&block.statements)),
            SettingValue::Lambda(lambda) => self.lambda(lambda),
        }
    }

    fn named(
        &self,
        name: &'a str,
        parent: Option<&'a str>,
        parameters: &'a [Parameter<'_>],
        body: &'a Block<'_>,
    ) -> PnEntries<'a> {
        let mut entries = vec![("name", NotationNode::text(name))];
        entries.extend(parent.map(|parent| ("parent", NotationNode::text(parent))));
        entries.extend(self.parameters(parameters));
        entries.extend(self.block("body", body));
        entries
    }

    pub(super) fn parameters(&self, parameters: &'a [Parameter<'_>]) -> Option<(&'a str, NotationNode<'a>)> {
        let parameter = |parameter: &'a Parameter<'_>| {
            let mut entries = Vec::new();
            entries.extend(parameter.type_expr.as_ref().map(|t| ("type", self.expr(t))));
            entries.extend(parameter.captures_rest.then(|| ("splat", NotationNode::Atom("true".to_owned()))));
            entries.extend(parameter.is_block.then(|| ("block", NotationNode::Atom("true".to_owned()))));
            entries.extend(parameter.default.as_ref().map(|value| ("value", self.expr(value))));
            (parameter.name, NotationNode::Map(entries))
        };
        (!parameters.is_empty())
            .then(|| ("params", NotationNode::Map(parameters.iter().map(parameter).collect())))
    }

    pub(super) fn catalog(&self, kind: &'a ExprKind<'_>) -> NotationNode<'a> {
        match kind {
            ExprKind::Resource(resource) => {
                let bodies = resource.bodies.iter().map(|body| {
                    NotationNode::Map(vec![
                        ("title", self.expr(&body.title)),
                        ("ops", self.operations(&body.operations)),
                    ])
                });
                let bodies = NotationNode::List(bodies.collect());
                let entries = vec![("type", self.expr(&resource.type_name)), ("bodies", bodies)];
                with_form("resource", entries, resource.form)
            }
            ExprKind::ResourceDefaults(defaults) => {
                let operations = self.operations(&defaults.operations);
                let entries = vec![("type", self.expr(&defaults.type_ref)), ("ops", operations)];
                with_form("resource-defaults", entries, defaults.form)
            }
            ExprKind::ResourceOverride(overrides) => {
                let operations = self.operations(&overrides.operations);
                let entries = vec![("resources", self.expr(&overrides.resources)), ("ops", operations)];
                with_form("resource-override", entries, overrides.form)
            }
            ExprKind::Collector(collector) => {
                let name = if collector.query.exported { "exported-query" } else { "virtual-query" };
                let condition = collector.query.condition.as_ref().map(|condition| self.expr(condition));
                let query = NotationNode::Call(name, condition.into_iter().collect());
                let mut entries = vec![("type", self.expr(&collector.type_expr)), ("query", query)];
                if !collector.operations.is_empty() {
                    entries.push(("ops", self.operations(&collector.operations)));
                }
                map("collect", entries)
            }
            ExprKind::Apply(apply) => {
                let mut entries = vec![("args", NotationNode::List(self.exprs(&apply.arguments)))];
                entries.extend(self.block("body", &apply.body));
                map("apply", entries)
            }
            _ => nop(),
        }
    }

    fn operations(&self, operations: &'a [AttributeOperation<'_>]) -> NotationNode<'a> {
        let operation = |operation: &'a AttributeOperation<'_>| {
            let value = self.expr(&operation.value);
            match operation.attribute {
                OperationAttribute::Named(name, ArrowOp::Set) => {
                    NotationNode::Call("=>", vec![NotationNode::text(name), value])
                }
                OperationAttribute::Named(name, ArrowOp::Append) => {
                    NotationNode::Call("+>", vec![NotationNode::text(name), value])
                }
                OperationAttribute::All => NotationNode::Call("splat-hash", vec![value]),
            }
        };
        NotationNode::List(operations.iter().map(operation).collect())
    }
}

fn with_form<'a>(name: &'static str, mut entries: PnEntries<'a>, form: ResourceForm) -> NotationNode<'a> {
    match form {
        ResourceForm::Regular => {}
        ResourceForm::Virtual => entries.push(("form", NotationNode::text("virtual"))),
        ResourceForm::Exported => entries.push(("form", NotationNode::text("exported"))),
    }
    map(name, entries)
}

fn map<'a>(name: &'static str, entries: PnEntries<'a>) -> NotationNode<'a> {
    NotationNode::Call(name, vec![NotationNode::Map(entries)])
}
