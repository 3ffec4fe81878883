//! Definitions, and what is for catalogs, as JSON.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are in the file beside")]

use serde_json::{Value as Json, json};

use super::{Tree, node, span};
use crate::syntax::ast::{
    ArrowOp, Attribute, AttributeOperation, Expr, ExprKind, Feature, Function, Member, Parameter,
    ResourceForm, Setting, SettingValue, TypeBody, TypeDefinition,
};

impl Tree<'_> {
    /// A definition or an expression of a catalog.
    pub(super) fn definition(&self, expr: &Expr<'_>) -> Json {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Function(function) => self.function("function", function, expr),
            ExprKind::Plan(plan) => self.function("plan", plan, expr),
            ExprKind::Class(class) => node(
                "class",
                at,
                [
                    ("doc", self.doc(expr)),
                    ("name", json!(class.name)),
                    ("parameters", self.parameters(&class.parameters)),
                    ("parent", json!(class.parent)),
                    ("body", self.block(&class.body)),
                ],
            ),
            ExprKind::ResourceType(resource_type) => node(
                "define",
                at,
                [
                    ("doc", self.doc(expr)),
                    ("name", json!(resource_type.name)),
                    ("parameters", self.parameters(&resource_type.parameters)),
                    ("body", self.block(&resource_type.body)),
                ],
            ),
            ExprKind::Node(definition) => node(
                "node",
                at,
                [
                    ("doc", self.doc(expr)),
                    ("matches", self.exprs(&definition.matches)),
                    ("parent", self.option(definition.parent.as_ref())),
                    ("body", self.block(&definition.body)),
                ],
            ),
            ExprKind::TypeAlias(alias) => node(
                "type_alias",
                at,
                [
                    ("doc", self.doc(expr)),
                    ("name", json!(alias.name)),
                    ("name_span", span(alias.name_span)),
                    ("value", self.expr(&alias.value)),
                ],
            ),
            ExprKind::TypeMapping(mapping) => node(
                "type_mapping",
                at,
                [
                    ("doc", self.doc(expr)),
                    ("mapped", self.expr(&mapping.type_expr)),
                    ("value", self.expr(&mapping.value)),
                ],
            ),
            ExprKind::TypeDefinition(definition) => self.type_definition(definition, expr),
            ExprKind::Resource(resource) => {
                let bodies = resource.bodies.iter().map(|body| {
                    json!({"title": self.expr(&body.title), "attributes": self.attributes(&body.operations)})
                });
                let parts = [
                    ("form", form(resource.form)),
                    ("name", self.expr(&resource.type_name)),
                    ("bodies", bodies.collect()),
                ];
                node("resource", at, parts)
            }
            ExprKind::ResourceDefaults(defaults) => node(
                "resource_defaults",
                at,
                [
                    ("form", form(defaults.form)),
                    ("resource_type", self.expr(&defaults.type_ref)),
                    ("attributes", self.attributes(&defaults.operations)),
                ],
            ),
            ExprKind::ResourceOverride(overrides) => node(
                "resource_override",
                at,
                [
                    ("form", form(overrides.form)),
                    ("resources", self.expr(&overrides.resources)),
                    ("attributes", self.attributes(&overrides.operations)),
                ],
            ),
            ExprKind::Collector(collector) => node(
                "collector",
                at,
                [
                    ("resource_type", self.expr(&collector.type_expr)),
                    ("exported", json!(collector.query.exported)),
                    ("condition", self.option(collector.query.condition.as_ref())),
                    ("attributes", self.attributes(&collector.operations)),
                ],
            ),
            ExprKind::Apply(apply) => node(
                "apply",
                at,
                [("arguments", self.exprs(&apply.arguments)), ("body", self.block(&apply.body))],
            ),
            // `expr` hands over the kinds above only.
            _ => Json::Null,
        }
    }

    /// The comment above a definition.
    fn doc(&self, expr: &Expr<'_>) -> Json {
        self.program.doc_comment(expr).map_or(Json::Null, |comment| Json::from(comment.text))
    }

    fn function(&self, kind: &str, function: &Function<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(function.name)),
            ("parameters", self.parameters(&function.parameters)),
            ("return_type", self.option(function.return_type.as_ref())),
            ("body", self.block(&function.body)),
        ];
        node(kind, expr.span, parts)
    }

    pub(super) fn parameters(&self, parameters: &[Parameter<'_>]) -> Json {
        let parameter = |parameter: &Parameter<'_>| {
            json!({
                "span": span(parameter.span),
                "name": parameter.name,
                "value_type": self.option(parameter.type_expr.as_ref()),
                "captures_rest": parameter.captures_rest,
                "is_block": parameter.is_block,
                "default": self.option(parameter.default.as_ref()),
            })
        };
        parameters.iter().map(parameter).collect()
    }

    fn attributes(&self, operations: &[AttributeOperation<'_>]) -> Json {
        let attribute = |operation: &AttributeOperation<'_>| {
            let (name, op) = match operation.attribute {
                Attribute::Named(name, ArrowOp::Set) => (name, "=>"),
                Attribute::Named(name, ArrowOp::Append) => (name, "+>"),
                Attribute::All => ("*", "=>"),
            };
            json!({
                "span": span(operation.span), "name": name, "op": op, "value": self.expr(&operation.value),
            })
        };
        operations.iter().map(attribute).collect()
    }

    fn type_definition(&self, definition: &TypeDefinition<'_>, expr: &Expr<'_>) -> Json {
        let (members, body) = match &definition.body {
            TypeBody::Members(members) => {
                (members.iter().map(|member| self.member(member)).collect(), Json::Null)
            }
            TypeBody::Statements(block) => (Json::Null, self.block(block)),
        };
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(definition.name)),
            ("parent", json!(definition.parent)),
            ("members", members),
            ("body", body),
        ];
        node("type_definition", expr.span, parts)
    }

    fn member(&self, member: &Member<'_>) -> Json {
        match member {
            Member::Attribute(feature) => self.feature("attr", feature),
            Member::Reference(feature) => self.feature("has", feature),
            Member::Invariant(invariant) => node(
                "invariant",
                invariant.span,
                [
                    ("message", self.option(invariant.message.as_ref())),
                    ("condition", self.setting_value(&invariant.condition)),
                ],
            ),
            Member::Abstract(at) => node("abstract", *at, []),
        }
    }

    fn feature(&self, kind: &str, feature: &Feature<'_>) -> Json {
        let setting = |setting: &Setting<'_>| {
            json!({
                "name": setting.name,
                "name_span": span(setting.name_span),
                "value": self.setting_value(&setting.value),
            })
        };
        let parts = [
            ("name", json!(feature.name)),
            ("name_span", span(feature.name_span)),
            ("value_type", self.option(feature.type_expr.as_ref())),
            ("settings", feature.settings.iter().map(setting).collect()),
        ];
        node(kind, feature.span, parts)
    }

    fn setting_value(&self, value: &SettingValue<'_>) -> Json {
        match value {
            SettingValue::Expr(expr) => self.expr(expr),
            SettingValue::Block(block) => self.block(block),
            SettingValue::Lambda(lambda) => self.lambda(Some(lambda)),
        }
    }
}

fn form(form: ResourceForm) -> Json {
    Json::from(match form {
        ResourceForm::Regular => "regular",
        ResourceForm::Virtual => "virtual",
        ResourceForm::Exported => "exported",
    })
}
