//! The definitions in a text: functions, classes, defined types, and the variables that these set.
#![allow(clippy::wildcard_enum_match_arm, reason = "only definitions and assignments are collected")]

use std::collections::HashSet;
use std::sync::Arc;

use super::abstraction::certain;
use super::words::qualified;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_runtime::builtin::registry;
use puppetfn_syntax::ast::{
    self, AttributeOperation, BinaryOp, Expr, ExprKind, FunctionCall, FunctionDefinition, Lambda,
    OperationAttribute, Parameter, Program,
};
use puppetfn_types::function::{Control, Signature};
use puppetfn_types::types::parse::{TypeLookup, of_expr};
use puppetfn_types::types::{CallableType, Size, TupleType, Type};

/// A class or a defined type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DefinitionInfo {
    /// The name in lower case.
    pub name: String,
    pub is_class: bool,
    pub parameters: Vec<DefinitionParameter>,
    /// The class that a class builds on, in lower case.
    pub parent: Option<String>,
    /// The variables that it may set.
    pub variables: HashSet<String>,
    /// Its location, if the text belongs to a file.
    pub place: Option<SourceLocation>,
}

/// A parameter of a class or of a defined type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DefinitionParameter {
    pub name: Arc<str>,
    pub t: Type,
    pub is_required: bool,
    /// Its location, if the text belongs to a file.
    pub place: Option<SourceLocation>,
}

impl DefinitionInfo {
    pub fn parameter(&self, name: &str) -> Option<&DefinitionParameter> {
        self.parameters.iter().find(|parameter| &*parameter.name == name)
    }
}

/// An attribute that an override or a collector sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OverriddenAttribute {
    pub resources: ReferencedResources,
    /// `None` if it may be any.
    pub attribute: Option<String>,
}

/// The resources of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ReferencedResources {
    /// The resource type in lower case; empty where it may be any.
    pub type_name: String,
    /// The title, where only one is meant.
    pub title: Option<String>,
}

impl ReferencedResources {
    /// Returns the type and the title of an expression's resources, as far as they can be seen in it.
    pub fn of(expr: &Expr<'_>) -> Self {
        match &expr.kind {
            ExprKind::Reference(name) => Self { type_name: lower(name), title: None },
            ExprKind::Access(access) => {
                let title = match access.keys.as_slice() {
                    [title] => title.kind.as_constant_string().map(str::to_owned),
                    _ => None,
                };
                Self { title, ..Self::of(&access.operand) }
            }
            _ => Self::default(),
        }
    }
}

/// The declarations of a text, and its effects on other texts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Declarations {
    /// By name in lower case.
    pub functions: Vec<(String, Signature, Option<SourceLocation>)>,
    pub definitions: Vec<DefinitionInfo>,
    /// The names of types, in lower case.
    pub types: HashSet<String>,
    /// The variables that are set at the top level, or for nodes.
    pub variables: HashSet<String>,
    /// The resource types, in lower case, whose parameters are also set elsewhere than where a resource is
    /// declared.
    pub adjusted: HashSet<String>,
    /// The attributes that overrides and collectors set.
    pub overridden: Vec<OverriddenAttribute>,
    /// The types of declared and referenced resources, in lower case.
    pub resources: HashSet<String>,
    /// The functions that are called, in lower case.
    pub called: HashSet<String>,
    /// Names with `::` in code and strings, in lower case: variables of classes may be among them.
    pub qualified: HashSet<String>,
}

impl Declarations {
    /// Returns the definitions of a text, with the names of types resolved by `types`. Definitions of a file have its path and their lines.
    pub fn of(
        program: &Program<'_>,
        file: Option<(&Arc<str>, &LineIndex)>,
        types: &dyn TypeLookup,
        limits: &Limits,
    ) -> Self {
        let mut found =
            DeclarationCollector { text: program.text, file, types, limits, declarations: Self::default() };
        let mut variables = HashSet::new();
        for statement in &program.statements {
            found.expr(statement, &mut variables);
        }
        found.declarations.variables.extend(variables);
        found.declarations.qualified = qualified(program.text);
        found.declarations
    }

    /// Adds the declarations of another text.
    pub fn extend(&mut self, other: Self) {
        self.functions.extend(other.functions);
        self.definitions.extend(other.definitions);
        self.types.extend(other.types);
        self.variables.extend(other.variables);
        self.adjusted.extend(other.adjusted);
        self.overridden.extend(other.overridden);
        self.resources.extend(other.resources);
        self.called.extend(other.called);
        self.qualified.extend(other.qualified);
    }
}

/// Returns the parameters of a template, as a definition; `None` if it declares none.
pub(super) fn template(
    program: &Program<'_>,
    name: &str,
    types: &dyn TypeLookup,
    limits: &Limits,
) -> Option<DefinitionInfo> {
    let parameters = program.statements.iter().find_map(|statement| match &statement.kind {
        ExprKind::Template(template) => template.parameters.as_ref(),
        _ => None,
    })?;
    let collector = DeclarationCollector {
        text: program.text,
        file: None,
        types,
        limits,
        declarations: Declarations::default(),
    };
    let definition = collector.definition("", parameters, None, HashSet::new(), false);
    Some(DefinitionInfo { name: name.to_owned(), ..definition })
}

struct DeclarationCollector<'a> {
    text: &'a str,
    /// The name of the file, and its line index.
    file: Option<(&'a Arc<str>, &'a LineIndex)>,
    types: &'a dyn TypeLookup,
    limits: &'a Limits,
    declarations: Declarations,
}

impl DeclarationCollector<'_> {
    /// Collects the declarations in an expression; variables that it sets in the scope around it go to `variables`.
    fn expr(&mut self, expr: &Expr<'_>, variables: &mut HashSet<String>) {
        match &expr.kind {
            ExprKind::Function(function) => {
                let signature = signature(function, self.text, self.types, self.limits);
                let place = self.place(expr.anchor());
                self.declarations.functions.push((function.name.to_lowercase(), signature, place));
                self.inner(expr);
                return;
            }
            ExprKind::Plan(_) => return self.inner(expr),
            ExprKind::Class(class) => {
                let variables = self.inner_variables(expr);
                let definition =
                    self.definition(&class.name, &class.parameters, class.parent, variables, true);
                let place = self.place(expr.anchor());
                self.declarations.definitions.push(DefinitionInfo { place, ..definition });
                return;
            }
            ExprKind::ResourceType(define) => {
                let variables = self.inner_variables(expr);
                let definition = self.definition(&define.name, &define.parameters, None, variables, false);
                let place = self.place(expr.anchor());
                self.declarations.definitions.push(DefinitionInfo { place, ..definition });
                return;
            }
            ExprKind::Node(_) => {
                let set = self.inner_variables(expr);
                self.declarations.variables.extend(set);
                return;
            }
            ExprKind::TypeAlias(alias) => {
                self.declarations.types.insert(alias.name.to_lowercase());
            }
            ExprKind::TypeDefinition(definition) => {
                self.declarations.types.insert(definition.name.to_lowercase());
            }
            ExprKind::Binary(binary) if binary.op == BinaryOp::Assign => assigned(&binary.left, variables),
            ExprKind::Resource(resource) => {
                if let ExprKind::Name(name) | ExprKind::Reference(name) = resource.type_name.kind {
                    self.declarations.resources.insert(lower(name));
                }
            }
            ExprKind::ResourceDefaults(defaults) => {
                self.adjusted(&ReferencedResources::of(&defaults.type_ref))
            }
            ExprKind::ResourceOverride(overrides) => {
                self.overridden(&ReferencedResources::of(&overrides.resources), &overrides.operations);
            }
            ExprKind::Collector(collector) if !collector.operations.is_empty() => {
                self.overridden(&ReferencedResources::of(&collector.type_expr), &collector.operations);
            }
            ExprKind::Call(call) => {
                if let ExprKind::Name(name) = call.function.kind {
                    self.called(name);
                    self.created(name, &call.arguments);
                }
                self.lambda(call.lambda.as_ref());
            }
            ExprKind::Method(method) => {
                self.called(method.name);
                self.lambda(method.lambda.as_ref());
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.expr(child, variables));
    }

    fn inner(&mut self, expr: &Expr<'_>) {
        self.inner_variables(expr);
    }

    fn inner_variables(&mut self, expr: &Expr<'_>) -> HashSet<String> {
        let mut variables = HashSet::new();
        expr.for_each_child(&mut |child| self.expr(child, &mut variables));
        variables
    }

    fn lambda(&mut self, lambda: Option<&Lambda<'_>>) {
        let Some(lambda) = lambda else { return };
        let mut own = HashSet::new();
        for parameter in &lambda.parameters {
            parameter.default.iter().for_each(|default| self.expr(default, &mut own));
        }
        lambda.body.statements.iter().for_each(|statement| self.expr(statement, &mut own));
    }

    /// Notes the resource type that a function gets by its name.
    fn created(&mut self, function: &str, arguments: &[Expr<'_>]) {
        let is_creating = matches!(function, "create_resources" | "ensure_resource" | "ensure_resources");
        let name = arguments.first().filter(|_| is_creating);
        let name = name.and_then(|argument| argument.kind.as_constant_string());
        self.declarations.resources.extend(name.map(lower));
    }

    fn called(&mut self, name: &str) {
        self.declarations.called.insert(name.trim_start_matches("::").to_lowercase());
    }

    /// Notes that resources are changed elsewhere than where they are declared.
    fn adjusted(&mut self, resources: &ReferencedResources) {
        self.declarations.adjusted.insert(resources.type_name.clone());
        self.declarations.resources.insert(resources.type_name.clone());
    }

    fn overridden(&mut self, resources: &ReferencedResources, operations: &[AttributeOperation<'_>]) {
        self.adjusted(resources);
        self.declarations.overridden.extend(operations.iter().map(|operation| OverriddenAttribute {
            resources: resources.clone(),
            attribute: named(operation.attribute).map(str::to_owned),
        }));
    }

    fn definition(
        &self,
        name: &str,
        parameters: &[Parameter<'_>],
        parent: Option<&str>,
        mut variables: HashSet<String>,
        is_class: bool,
    ) -> DefinitionInfo {
        variables.extend(parameters.iter().map(|parameter| parameter.name.to_owned()));
        variables.extend(["name", "title", "module_name", "caller_module_name"].map(str::to_owned));
        let parameter = |parameter: &Parameter<'_>| DefinitionParameter {
            name: parameter.name.into(),
            t: stated(parameter.type_expr.as_ref(), self.text, self.types, self.limits),
            is_required: parameter.default.is_none(),
            place: self.place(parameter.span.start),
        };
        DefinitionInfo {
            name: lower(name),
            is_class,
            parameters: parameters.iter().map(parameter).collect(),
            parent: parent.map(lower),
            variables,
            place: None,
        }
    }

    /// Returns a location, if the text belongs to a file.
    fn place(&self, offset: u32) -> Option<SourceLocation> {
        let (file, lines) = self.file.as_ref()?;
        let (line, column) = lines.position(self.text, offset);
        Some(SourceLocation { file: Some(Arc::clone(file)), line: Some(line), column: Some(column) })
    }
}

/// Returns the normalized name of a class or type.
fn lower(name: &str) -> String {
    name.trim_start_matches("::").to_lowercase()
}

/// Collects the names of the variables that an assignment sets.
fn assigned(target: &Expr<'_>, variables: &mut HashSet<String>) {
    match &target.kind {
        ExprKind::Variable(name) => _ = variables.insert((*name).to_owned()),
        ExprKind::Array(targets) => targets.iter().for_each(|target| assigned(target, variables)),
        _ => {}
    }
}

/// Returns the type that code states, as far as that is certain.
pub(super) fn stated(t: Option<&Expr<'_>>, text: &str, types: &dyn TypeLookup, limits: &Limits) -> Type {
    t.and_then(|t| of_expr(t, text, types, limits).ok()).map_or(Type::Any, |t| certain(&t))
}

/// Returns the signature of a function in the Puppet language, with its result type if that is certain.
pub(super) fn signature(
    function: &FunctionDefinition<'_>,
    text: &str,
    types: &dyn TypeLookup,
    limits: &Limits,
) -> Signature {
    // Arguments of `return` are not checked.
    let is_checked = !function.body.statements.iter().any(may_return);
    let returns = function.return_type.as_ref().filter(|_| is_checked);
    let returns = returns.map(|t| stated(Some(t), text, types, limits));
    let (params, names, block) = parameters(&function.parameters, text, types, limits);
    let block_name = function.parameters.iter().find(|parameter| parameter.is_block);
    let callable = CallableType { params: Some(params), block, returns: returns.filter(|t| *t != Type::Any) };
    Signature::new(callable, names, block_name.map(|parameter| parameter.name.into()))
}

fn called_name<'s>(call: &FunctionCall<'s>) -> Option<&'s str> {
    if let ExprKind::Name(name) = call.function.kind { Some(name) } else { None }
}

/// Returns true if `return` is called in an expression.
fn may_return(expr: &Expr<'_>) -> bool {
    let (name, lambda) = match &expr.kind {
        ExprKind::Call(call) => (called_name(call), call.lambda.as_ref()),
        ExprKind::Method(method) => (Some(method.name), method.lambda.as_ref()),
        _ => (None, None),
    };
    let is_return = name.is_some_and(|name| {
        let function = registry().get(name).ok().flatten();
        function.is_some_and(|function| function.control() == Some(Control::Return))
    });
    if is_return || lambda.is_some_and(|lambda| lambda.body.statements.iter().any(may_return)) {
        return true;
    }
    let mut found = false;
    expr.for_each_child(&mut |child| found = found || may_return(child));
    found
}

/// Returns the type of a lambda.
pub(super) fn lambda_type(
    lambda: &Lambda<'_>,
    text: &str,
    types: &dyn TypeLookup,
    limits: &Limits,
) -> CallableType {
    let (params, _, block) = parameters(&lambda.parameters, text, types, limits);
    CallableType { params: Some(params), block, returns: None }
}

fn parameters(
    parameters: &[ast::Parameter<'_>],
    text: &str,
    types: &dyn TypeLookup,
    limits: &Limits,
) -> (TupleType, Vec<Arc<str>>, Option<Type>) {
    let mut params = Vec::with_capacity(parameters.len());
    let mut names = Vec::with_capacity(parameters.len());
    let mut block = None;
    let (mut min, mut max) = (0u64, Some(0u64));
    for parameter in parameters {
        let t = stated(parameter.type_expr.as_ref(), text, types, limits);
        if parameter.is_block {
            let callable = Type::Callable(Arc::default());
            block = Some(if t.is_callable_kind(true) { t } else { Type::optional(callable) });
            continue;
        }
        let (t, size) = match t {
            Type::Array(array) if parameter.captures_rest => {
                (array.element.clone(), array.size.unwrap_or(Size::ANY))
            }
            t if parameter.captures_rest => (t, Size::ANY),
            t => (t, Size::new(u64::from(parameter.default.is_none()), Some(1))),
        };
        // A default of the rest parameter makes its elements optional.
        let min_of_rest = if parameter.captures_rest && parameter.default.is_some() { 0 } else { size.min };
        min = min.saturating_add(min_of_rest);
        max = max.zip(size.max).map(|(a, b)| a.saturating_add(b));
        params.push(t);
        names.push(parameter.name.into());
    }
    (TupleType { types: params.into(), size: Some(Size::new(min, max)) }, names, block)
}

/// Returns the name of an attribute, if it is given by its name.
pub(super) fn named<'s>(attribute: OperationAttribute<'s>) -> Option<&'s str> {
    match attribute {
        OperationAttribute::Named(name, _) => Some(name),
        OperationAttribute::All => None,
    }
}
