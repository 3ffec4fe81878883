//! Walks a syntax tree and notes each name in it.
#![allow(clippy::wildcard_enum_match_arm, reason = "only references and definitions are indexed")]

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::names::name_span;
use super::scopes::{LexicalScopes, Owner};
use super::symbol::{Occurrence, Role, Symbol, SymbolDefinition};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{
    Access, AttributeOperation, BinaryExpr, BinaryOp, Expr, ExprKind, FunctionCall, FunctionDefinition,
    Lambda, OperationAttribute, Parameter, Program, ResourceExpr, StringSegment,
};

/// The names that were found so far.
pub(crate) struct OccurrenceCollector<'s> {
    text: &'s str,
    program: &'s Program<'s>,
    scopes: LexicalScopes,
    occurrences: Vec<Occurrence>,
    definitions: Vec<SymbolDefinition>,
}

impl<'s> OccurrenceCollector<'s> {
    pub fn new(program: &'s Program<'s>) -> Self {
        let (occurrences, definitions) = (Vec::new(), Vec::new());
        Self { text: program.text, program, scopes: LexicalScopes::new(), occurrences, definitions }
    }

    pub fn collect(mut self) -> (Vec<Occurrence>, Vec<SymbolDefinition>) {
        self.all(&self.program.statements);
        (self.occurrences, self.definitions)
    }

    fn all(&mut self, statements: &[Expr<'_>]) {
        statements.iter().for_each(|statement| self.expr(statement));
    }

    fn note(&mut self, symbol: Symbol, span: Span, role: Role) {
        self.occurrences.push(Occurrence { symbol, span, role });
    }

    fn expr(&mut self, expr: &Expr<'_>) {
        match &expr.kind {
            ExprKind::Variable(name) => return self.variable(name, expr.span),
            ExprKind::Reference(name) => return self.note(Symbol::Type(lower(name)), expr.span, Role::Read),
            ExprKind::Binary(binary) if binary.op == BinaryOp::Assign => return self.assignment(binary),
            ExprKind::Function(function) => return self.function(function, expr, Symbol::Function),
            ExprKind::Plan(plan) => return self.function(plan, expr, Symbol::Plan),
            ExprKind::Class(class) => {
                let parent = class.parent.map(lower);
                if let (Some(parent), Some(span)) =
                    (&parent, class.parent.and_then(|name| Span::of_part(self.text, name)))
                {
                    self.note(Symbol::Class(Arc::clone(parent)), span, Role::Read);
                }
                let name = lower(&class.name);
                self.define(Symbol::Class(Arc::clone(&name)), expr, parent.clone());
                let owner = Owner::Named { name, parent };
                return self.body(owner, false, &class.parameters, &class.body.statements, None);
            }
            ExprKind::ResourceType(define) => {
                let name = lower(&define.name);
                self.define(Symbol::Type(Arc::clone(&name)), expr, None);
                let owner = Owner::Named { name, parent: None };
                return self.body(owner, false, &define.parameters, &define.body.statements, None);
            }
            ExprKind::TypeAlias(alias) => {
                self.define(Symbol::Type(lower(alias.name)), expr, None);
                return self.expr(&alias.value);
            }
            ExprKind::TypeDefinition(definition) => {
                self.define(Symbol::Type(lower(definition.name)), expr, None)
            }
            ExprKind::Template(template) => {
                let owner = Owner::Local(expr.span.start);
                let parameters = template.parameters.as_deref().unwrap_or_default();
                return self.body(owner, true, parameters, &template.body, None);
            }
            ExprKind::Access(access) => return self.access(access),
            ExprKind::Resource(resource) => return self.resource(resource),
            ExprKind::ResourceDefaults(defaults) => {
                self.expr(&defaults.type_ref);
                return self.operations(type_name(&defaults.type_ref).as_ref(), &defaults.operations);
            }
            ExprKind::ResourceOverride(overrides) => {
                self.expr(&overrides.resources);
                return self.operations(type_name(&overrides.resources).as_ref(), &overrides.operations);
            }
            ExprKind::Collector(collector) => {
                self.expr(&collector.type_expr);
                collector.query.condition.iter().for_each(|condition| self.expr(condition));
                return self.operations(type_name(&collector.type_expr).as_ref(), &collector.operations);
            }
            ExprKind::Call(call) => return self.call(call),
            ExprKind::Method(method) => {
                self.expr(&method.receiver);
                if method.name == "new" && is_deferred(&method.receiver) {
                    self.deferred(&method.arguments);
                }
                self.note(Symbol::Function(lower(method.name)), method.name_span, Role::Read);
                self.all(&method.arguments);
                return self.lambda(method.lambda.as_ref());
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }

    fn variable(&mut self, name: &str, span: Span) {
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        let span = Span::of_part(self.text, name).unwrap_or(span);
        self.note(self.scopes.used(name), span, Role::Read);
    }

    fn assignment(&mut self, binary: &BinaryExpr<'_>) {
        self.expr(&binary.right);
        self.target(&binary.left);
    }

    fn target(&mut self, target: &Expr<'_>) {
        match &target.kind {
            ExprKind::Variable(name) => {
                let span = Span::of_part(self.text, name).unwrap_or(target.span);
                self.note(self.scopes.set(name), span, Role::Definition);
            }
            ExprKind::Array(targets) => targets.iter().for_each(|target| self.target(target)),
            _ => self.expr(target),
        }
    }

    fn define(&mut self, symbol: Symbol, definition: &Expr<'_>, parent: Option<Arc<str>>) {
        let name_span = name_span(self.text, definition).unwrap_or(definition.span);
        self.note(symbol.clone(), name_span, Role::Definition);
        self.definitions.push(SymbolDefinition { symbol, span: definition.span, name_span, parent });
    }

    fn function(
        &mut self,
        function: &FunctionDefinition<'_>,
        expr: &Expr<'_>,
        symbol: fn(Arc<str>) -> Symbol,
    ) {
        self.define(symbol(lower(&function.name)), expr, None);
        let owner = Owner::Local(expr.span.start);
        let body = &function.body.statements;
        self.body(owner, false, &function.parameters, body, function.return_type.as_ref());
    }

    fn lambda(&mut self, lambda: Option<&Lambda<'_>>) {
        let Some(lambda) = lambda else { return };
        let owner = Owner::Local(lambda.span.start);
        let body = &lambda.body.statements;
        self.body(owner, true, &lambda.parameters, body, lambda.return_type.as_ref());
    }

    /// Walks a body with a scope of its own.
    fn body(
        &mut self,
        owner: Owner,
        sees_outer: bool,
        parameters: &[Parameter<'_>],
        statements: &[Expr<'_>],
        return_type: Option<&Expr<'_>>,
    ) {
        let mut names: HashSet<String> =
            parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
        statements.iter().for_each(|statement| assigned(statement, &mut names));
        self.scopes.enter(owner, names, sees_outer);
        for parameter in parameters {
            parameter.type_expr.iter().for_each(|t| self.expr(t));
            let span = Span::of_part(self.text, parameter.name).unwrap_or(parameter.span);
            self.note(self.scopes.set(parameter.name), span, Role::Definition);
            parameter.default.iter().for_each(|default| self.expr(default));
        }
        return_type.iter().for_each(|t| self.expr(t));
        self.all(statements);
        self.scopes.leave();
    }

    fn access(&mut self, access: &Access<'_>) {
        if let ExprKind::Reference(name) = access.operand.kind {
            let type_name = lower(name);
            for (title, span) in access.keys.iter().flat_map(|key| texts(self.text, key)) {
                let symbol = match &*type_name {
                    "class" => Symbol::Class(lower(&title)),
                    _ => Symbol::Resource { type_name: Arc::clone(&type_name), title: (*title).into() },
                };
                self.note(symbol, span, Role::Read);
            }
        }
        self.expr(&access.operand);
        self.all(&access.keys);
    }

    fn resource(&mut self, resource: &ResourceExpr<'_>) {
        let type_name = type_name(&resource.type_name);
        let is_class = type_name.as_deref() == Some("class");
        match resource.type_name.kind {
            ExprKind::Name(_) if is_class => {}
            ExprKind::Name(name) => self.note(Symbol::Type(lower(name)), resource.type_name.span, Role::Read),
            _ => self.expr(&resource.type_name),
        }
        for body in &resource.bodies {
            let titles = texts(self.text, &body.title);
            for (title, span) in &titles {
                match &type_name {
                    Some(_) if is_class => self.note(Symbol::Class(lower(title)), *span, Role::Read),
                    Some(type_name) => {
                        let title = (&**title).into();
                        let symbol = Symbol::Resource { type_name: Arc::clone(type_name), title };
                        self.note(symbol, *span, Role::Definition);
                    }
                    None => {}
                }
            }
            self.expr(&body.title);
            let class = titles.first().filter(|_| is_class).map(|(title, _)| lower(title));
            let owner = if is_class { class } else { type_name.clone() };
            self.operations(owner.as_ref(), &body.operations);
        }
    }

    /// Notes the attributes that a resource body sets, as parameters of the owner.
    fn operations(&mut self, owner: Option<&Arc<str>>, operations: &[AttributeOperation<'_>]) {
        for operation in operations {
            if let (OperationAttribute::Named(name, _), Some(owner)) = (operation.attribute, owner) {
                let start = operation.span.start;
                let span =
                    Span::of_part(self.text, name).unwrap_or(Span::new(start, start + name.len() as u32));
                let symbol = Symbol::Variable { owner: Arc::clone(owner), name: name.into() };
                self.note(symbol, span, Role::Read);
            }
            self.expr(&operation.value);
        }
    }

    fn call(&mut self, call: &FunctionCall<'_>) {
        if let ExprKind::Name(name) = call.function.kind {
            self.note(Symbol::Function(lower(name)), call.function.span, Role::Read);
            self.named_by(name.trim_start_matches("::"), &call.arguments);
        } else {
            self.expr(&call.function);
            if is_deferred(&call.function) {
                self.deferred(&call.arguments);
            }
        }
        self.all(&call.arguments);
        self.lambda(call.lambda.as_ref());
    }

    /// Notes the function that a new Deferred calls.
    fn deferred(&mut self, arguments: &[Expr<'_>]) {
        for (name, span) in arguments.first().into_iter().flat_map(|name| texts(self.text, name)) {
            self.note(Symbol::Function(lower(&name)), span, Role::Read);
        }
    }

    /// Notes the names in the arguments of functions.
    fn named_by(&mut self, function: &str, arguments: &[Expr<'_>]) {
        let symbol: fn(&str) -> Symbol = match function {
            "include" | "contain" | "require" => |name| Symbol::Class(lower(name)),
            "create_resources" | "ensure_resource" | "ensure_resources" => |name| Symbol::Type(lower(name)),
            "lookup" | "hiera" | "hiera_array" | "hiera_hash" => |name| Symbol::Key(name.into()),
            "epp" | "template" | "find_template" => |name| Symbol::Template(name.into()),
            "file" | "binary_file" | "find_file" => |name| Symbol::File(name.into()),
            _ => return,
        };
        let is_path =
            matches!(function, "epp" | "template" | "find_template" | "file" | "binary_file" | "find_file");
        let is_list = matches!(function, "include" | "contain" | "require") || is_path && function != "epp";
        let named = arguments.iter().take(if is_list { usize::MAX } else { 1 });
        let mut found = Vec::new();
        for argument in named {
            found.extend(texts(self.text, argument));
            if is_path {
                found.extend(self.in_own_module(argument).map(|(name, span)| (Cow::Owned(name), span)));
            }
        }
        for (name, span) in found {
            self.note(symbol(&name), span, Role::Read);
        }
    }

    /// Returns the file in `"${module_name}/file"`.
    fn in_own_module(&self, argument: &Expr<'_>) -> Option<(String, Span)> {
        let ExprKind::Interpolation(segments) = &argument.kind else { return None };
        let [StringSegment::Expr(first), StringSegment::Text(rest, _)] = &**segments else { return None };
        let is_module = matches!(first.kind, ExprKind::Variable("module_name"));
        let module = self.scopes.module().filter(|_| is_module)?;
        let Span { start, end } = argument.span;
        Some((format!("{module}{rest}"), Span::new(start + 1, end.saturating_sub(1).max(start + 1))))
    }
}

/// Returns true if an expression names the type of deferred calls.
fn is_deferred(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Reference("Deferred"))
}

/// Returns the lookup form of a class, type or function name.
fn lower(name: &str) -> Arc<str> {
    name.trim_start_matches("::").to_lowercase().into()
}

/// Returns the literal texts in an expression and their spans, without quotes.
fn texts<'e>(text: &str, expr: &'e Expr<'_>) -> Vec<(Cow<'e, str>, Span)> {
    match &expr.kind {
        ExprKind::Name(name) => vec![(Cow::Borrowed(*name), expr.span)],
        ExprKind::String(value) => {
            let within =
                || Span::new(expr.span.start + 1, expr.span.end.saturating_sub(1).max(expr.span.start + 1));
            let span = Span::of_part(text, value).unwrap_or_else(within);
            vec![(Cow::Borrowed(&**value), span)]
        }
        ExprKind::Array(items) => items.iter().flat_map(|item| texts(text, item)).collect(),
        ExprKind::Paren(inner) => texts(text, inner),
        _ => Vec::new(),
    }
}

/// Returns the name of the type that an expression names: `file`, `File`, `File['a']`.
fn type_name(expr: &Expr<'_>) -> Option<Arc<str>> {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Reference(name) => Some(lower(name)),
        ExprKind::String(name) => Some(lower(name)),
        ExprKind::Access(access) => type_name(&access.operand),
        _ => None,
    }
}

/// Collects the variables that an expression sets in its own scope.
fn assigned(expr: &Expr<'_>, names: &mut HashSet<String>) {
    match &expr.kind {
        ExprKind::Binary(binary) if binary.op == BinaryOp::Assign => targets(&binary.left, names),
        // A body has a scope of its own.
        kind if kind.body().is_some() => return,
        _ => {}
    }
    expr.for_each_child(&mut |child| assigned(child, names));
}

fn targets(target: &Expr<'_>, names: &mut HashSet<String>) {
    match &target.kind {
        ExprKind::Variable(name) => _ = names.insert((*name).to_owned()),
        ExprKind::Array(all) => all.iter().for_each(|target| targets(target, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FileIndex, Role};
    use puppetfn_base::limits::Limits;
    use puppetfn_syntax::parse;

    /// Returns each name with its symbol, and a mark on definitions.
    fn names(text: &str) -> Vec<String> {
        let program = parse(text, &Limits::DEFAULT).unwrap();
        let show = |occurrence: &crate::Occurrence| {
            let mark = if occurrence.role == Role::Definition { "=" } else { "" };
            format!("{} {:?}{mark}", occurrence.span.text(text), occurrence.symbol)
                .replace("Variable { owner: ", "$ { ")
                .replace("Resource { type_name: ", "R { ")
        };
        FileIndex::of(&program).occurrences().iter().map(show).collect()
    }

    #[test]
    fn variables_belong_to_what_sets_them() {
        assert_eq!(
            names("class a($x) { $y = $x [1].each |$x| { notice($x, $y) } }\nnotice($a::y, $z)"),
            [
                "a Class(\"a\")=",
                "x $ { \"a\", name: \"x\" }=",
                "y $ { \"a\", name: \"y\" }=",
                "x $ { \"a\", name: \"x\" }",
                "each Function(\"each\")",
                "x Local { scope: 31, name: \"x\" }=",
                "notice Function(\"notice\")",
                "x Local { scope: 31, name: \"x\" }",
                "y $ { \"a\", name: \"y\" }",
                "notice Function(\"notice\")",
                "a::y $ { \"a\", name: \"y\" }",
                "z $ { \"\", name: \"z\" }",
            ]
        );
    }

    #[test]
    fn resources_name_types_titles_and_parameters() {
        assert_eq!(
            names("m::d { ['a', 'b']: x => 1 }\nclass { '::m': y => M::D['a'] }\nM::D['b'] { x => 2 }"),
            [
                "m::d Type(\"m::d\")",
                "a R { \"m::d\", title: \"a\" }=",
                "b R { \"m::d\", title: \"b\" }=",
                "x $ { \"m::d\", name: \"x\" }",
                "::m Class(\"m\")",
                "y $ { \"m\", name: \"y\" }",
                "M::D Type(\"m::d\")",
                "a R { \"m::d\", title: \"a\" }",
                "M::D Type(\"m::d\")",
                "b R { \"m::d\", title: \"b\" }",
                "x $ { \"m::d\", name: \"x\" }",
            ]
        );
    }

    #[test]
    fn functions_are_given_names() {
        assert_eq!(
            names("include a, 'b'\nepp('m/t.epp', {'k' => lookup('a::k')})\n\"${x} $x\""),
            [
                "include Function(\"include\")",
                "a Class(\"a\")",
                "b Class(\"b\")",
                "epp Function(\"epp\")",
                "m/t.epp Template(\"m/t.epp\")",
                "lookup Function(\"lookup\")",
                "a::k Key(\"a::k\")",
                "x $ { \"\", name: \"x\" }",
                "x $ { \"\", name: \"x\" }",
            ]
        );
    }

    #[test]
    fn deferred_calls_name_functions() {
        assert_eq!(
            names("Deferred('M::f', ['x'])\nDeferred.new('m::g')\nfind_file('m/f')"),
            [
                "Deferred Type(\"deferred\")",
                "M::f Function(\"m::f\")",
                "Deferred Type(\"deferred\")",
                "new Function(\"new\")",
                "m::g Function(\"m::g\")",
                "find_file Function(\"find_file\")",
                "m/f File(\"m/f\")",
            ]
        );
    }

    #[test]
    fn what_a_class_does_not_set_is_its_parents() {
        let found = names("class b inherits a::c { notice($x) }");
        assert_eq!(found[0], "b Class(\"b\")=");
        assert_eq!(found[1], "a::c Class(\"a::c\")");
        assert_eq!(found[3], "x $ { \"a::c\", name: \"x\" }");
    }
}
