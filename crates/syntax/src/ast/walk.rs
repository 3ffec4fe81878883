//! The parts of expressions.

use super::{
    AttributeOperation, Block, Expr, ExprKind, KeyedEntry, Parameter, SettingValue, StringSegment, TypeBody,
    TypeMember,
};

impl<'s> Expr<'s> {
    /// Calls a function with each direct child of this expression, in source order except for return types, which come
    /// last. Children of lambdas are skipped: they are not evaluated with the rest.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr<'s>)) {
        match &self.kind {
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regexp(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::RenderText(_) => {}
            ExprKind::Interpolation(segments) => {
                segments.iter().filter_map(code).for_each(visit);
            }
            ExprKind::Heredoc(heredoc) => visit(&heredoc.text),
            ExprKind::Array(exprs) | ExprKind::Block(exprs) | ExprKind::Error(exprs) => {
                exprs.iter().for_each(visit)
            }
            ExprKind::Hash(items) => entries(items, visit),
            ExprKind::Access(access) => {
                visit(&access.operand);
                access.keys.iter().for_each(visit);
            }
            ExprKind::Call(call) => {
                visit(&call.function);
                call.arguments.iter().for_each(visit);
            }
            ExprKind::Method(method) => {
                visit(&method.receiver);
                method.arguments.iter().for_each(visit);
            }
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) | ExprKind::Render(inner) => visit(inner),
            ExprKind::Binary(binary) => {
                visit(&binary.left);
                visit(&binary.right);
            }
            ExprKind::Selector(selector) => {
                visit(&selector.operand);
                entries(&selector.entries, visit);
            }
            ExprKind::If(conditional) => {
                for branch in &conditional.branches {
                    visit(&branch.test);
                    branch.then.statements.iter().for_each(&mut *visit);
                }
                conditional.otherwise.iter().flat_map(statements).for_each(visit);
            }
            ExprKind::Unless(unless) => {
                visit(&unless.test);
                unless.then.statements.iter().for_each(&mut *visit);
                unless.otherwise.iter().flat_map(statements).for_each(visit);
            }
            ExprKind::Case(case) => {
                visit(&case.test);
                for option in &case.options {
                    option.values.iter().chain(&option.then.statements).for_each(&mut *visit);
                }
            }
            ExprKind::Function(function) | ExprKind::Plan(function) => {
                parameters(&function.parameters, visit);
                function.body.statements.iter().chain(&function.return_type).for_each(visit);
            }
            ExprKind::Class(class) => {
                parameters(&class.parameters, visit);
                class.body.statements.iter().for_each(visit);
            }
            ExprKind::ResourceType(resource_type) => {
                parameters(&resource_type.parameters, visit);
                resource_type.body.statements.iter().for_each(visit);
            }
            ExprKind::Node(node) => {
                node.matches.iter().chain(&node.parent).chain(&node.body.statements).for_each(visit);
            }
            ExprKind::TypeAlias(alias) => visit(&alias.value),
            ExprKind::TypeMapping(mapping) => {
                visit(&mapping.type_expr);
                visit(&mapping.value);
            }
            ExprKind::TypeDefinition(definition) => match &definition.body {
                TypeBody::Members(items) => items.iter().for_each(|item| member(item, visit)),
                TypeBody::Statements(block) => block.statements.iter().for_each(visit),
            },
            ExprKind::Resource(resource) => {
                visit(&resource.type_name);
                for body in &resource.bodies {
                    visit(&body.title);
                    operations(&body.operations, visit);
                }
            }
            ExprKind::ResourceDefaults(defaults) => {
                visit(&defaults.type_ref);
                operations(&defaults.operations, visit);
            }
            ExprKind::ResourceOverride(overrides) => {
                visit(&overrides.resources);
                operations(&overrides.operations, visit);
            }
            ExprKind::Collector(collector) => {
                visit(&collector.type_expr);
                collector.query.condition.iter().for_each(&mut *visit);
                operations(&collector.operations, visit);
            }
            ExprKind::Apply(apply) => {
                apply.arguments.iter().chain(&apply.body.statements).for_each(visit);
            }
            ExprKind::Template(template) => {
                parameters(template.parameters.as_deref().unwrap_or_default(), visit);
                template.body.iter().for_each(visit);
            }
        }
    }
}

fn code<'a, 's>(segment: &'a StringSegment<'s>) -> Option<&'a Expr<'s>> {
    match segment {
        StringSegment::Text(..) => None,
        StringSegment::Expr(code) => Some(code),
    }
}

fn statements<'a, 's>(block: &'a Block<'s>) -> &'a [Expr<'s>] {
    &block.statements
}

fn entries<'a, 's>(entries: &'a [KeyedEntry<'s>], visit: &mut dyn FnMut(&'a Expr<'s>)) {
    for entry in entries {
        visit(&entry.key);
        visit(&entry.value);
    }
}

fn operations<'a, 's>(operations: &'a [AttributeOperation<'s>], visit: &mut dyn FnMut(&'a Expr<'s>)) {
    operations.iter().map(|operation| &operation.value).for_each(visit);
}

fn parameters<'a, 's>(parameters: &'a [Parameter<'s>], visit: &mut dyn FnMut(&'a Expr<'s>)) {
    for parameter in parameters {
        parameter.type_expr.iter().chain(&parameter.default).for_each(&mut *visit);
    }
}

fn member<'a, 's>(member: &'a TypeMember<'s>, visit: &mut dyn FnMut(&'a Expr<'s>)) {
    match member {
        TypeMember::Attribute(feature) | TypeMember::Reference(feature) => {
            feature.type_expr.iter().for_each(&mut *visit);
            feature.settings.iter().for_each(|item| setting(&item.value, visit));
        }
        TypeMember::Invariant(invariant) => {
            invariant.message.iter().for_each(&mut *visit);
            setting(&invariant.condition, visit);
        }
        TypeMember::Abstract(_) => {}
    }
}

fn setting<'a, 's>(value: &'a SettingValue<'s>, visit: &mut dyn FnMut(&'a Expr<'s>)) {
    match value {
        SettingValue::Expr(expr) => visit(expr),
        SettingValue::Block(block) => block.statements.iter().for_each(visit),
        SettingValue::Lambda(_) => {}
    }
}
