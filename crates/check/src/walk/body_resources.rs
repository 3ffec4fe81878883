//! The resources of a class or defined type, and overrides of others.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds declare no resources")]

use std::collections::{HashMap, HashSet};

use super::super::declare::named;
use super::super::rule::Rule;
use super::super::world::Callee;
use super::Walk;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, Lambda, ResourceExpr, ResourceOverride};
use puppetfn_types::types::parse::capitalize_segments;

/// Built-in functions that declare resources, or that call others.
const DECLARING: [&str; 2] = ["call", "create_resources"];

/// The type of a resource in lower case, and its title.
pub(super) type ResourceKey<'s> = (String, &'s str);

/// The resources that a body may declare.
#[derive(Default)]
struct DeclaredResources<'s> {
    /// Resources with literal titles, each with the attributes that it certainly sets.
    known: HashMap<ResourceKey<'s>, HashSet<&'s str>>,
    /// The types of resources with other titles or names.
    open_types: HashSet<String>,
    /// Whether there may be resources of any type.
    is_open: bool,
}

impl<'s> Walk<'_, 's> {
    /// Checks the overrides of a class or defined type. Puppet lets it override its own resources alone, unless it inherits.
    pub(super) fn overrides_in(&mut self, statements: &[Expr<'s>]) {
        let mut overrides = Vec::new();
        statements.iter().for_each(|statement| collect_overrides(statement, &mut overrides));
        if overrides.is_empty() {
            return;
        }
        let mut declared = DeclaredResources::default();
        statements.iter().for_each(|statement| self.collect_declared(statement, &mut declared));
        for (one, at) in overrides {
            self.override_of(one, at, &declared);
        }
    }

    fn override_of(&mut self, one: &ResourceOverride<'s>, at: Span, declared: &DeclaredResources<'s>) {
        for key in references(&one.resources) {
            let shown = shown(&key);
            match declared.known.get(&key) {
                None if declared.is_open || declared.open_types.contains(&key.0) || key.0 == "class" => {}
                None => {
                    let message = format!(
                        "Could not find resource(s) {shown} for overriding: only the class or defined type that declares a \
                         resource, and classes that inherit it, can override its attributes"
                    );
                    self.report(Rule::Override, at, message);
                }
                Some(attributes) => {
                    let names =
                        one.operations.iter().filter_map(|one| Some((named(one.attribute)?, one.span)));
                    for (name, span) in names.filter(|(name, _)| attributes.contains(name)) {
                        let message =
                            format!("Parameter '{name}' is already set on {shown}; cannot redefine");
                        self.report(Rule::Override, span, message);
                    }
                }
            }
        }
    }

    fn collect_declared(&self, expr: &Expr<'s>, declared: &mut DeclaredResources<'s>) {
        match &expr.kind {
            ExprKind::Resource(resource) => collect_resource(resource, declared),
            ExprKind::Call(call) => {
                match call.function.kind {
                    ExprKind::Name(name) => declared.is_open |= self.may_declare(name),
                    _ => declared.is_open = true,
                }
                self.collect_in_lambda(call.lambda.as_ref(), declared);
            }
            ExprKind::Method(method) => {
                declared.is_open |= self.may_declare(method.name);
                self.collect_in_lambda(method.lambda.as_ref(), declared);
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.collect_declared(child, declared));
    }

    fn collect_in_lambda(&self, lambda: Option<&Lambda<'s>>, declared: &mut DeclaredResources<'s>) {
        for statement in lambda.iter().flat_map(|lambda| &lambda.body.statements) {
            self.collect_declared(statement, declared);
        }
    }

    /// Returns true if a function may declare resources.
    fn may_declare(&self, function: &str) -> bool {
        let is_own = matches!(self.world.function(function, self.origin), Callee::Native(_));
        !is_own || DECLARING.contains(&function.trim_start_matches("::"))
    }
}

fn collect_overrides<'e, 's>(expr: &'e Expr<'s>, overrides: &mut Vec<(&'e ResourceOverride<'s>, Span)>) {
    let lambda = match &expr.kind {
        ExprKind::ResourceOverride(one) => {
            overrides.push((one, expr.diagnostic_span()));
            None
        }
        ExprKind::Call(call) => call.lambda.as_ref(),
        ExprKind::Method(method) => method.lambda.as_ref(),
        _ => None,
    };
    for statement in lambda.iter().flat_map(|lambda| &lambda.body.statements) {
        collect_overrides(statement, overrides);
    }
    expr.for_each_child(&mut |child| collect_overrides(child, overrides));
}

fn collect_resource<'s>(resource: &ResourceExpr<'s>, declared: &mut DeclaredResources<'s>) {
    let (ExprKind::Name(name) | ExprKind::Reference(name)) = resource.type_name.kind else {
        declared.is_open = true;
        return;
    };
    let type_name = name.trim_start_matches("::").to_lowercase();
    for body in &resource.bodies {
        let names: Option<HashSet<&str>> = body.operations.iter().map(|one| named(one.attribute)).collect();
        // A resource with an alias or a name of its own is found by that, too.
        let is_known = names.as_ref().is_some_and(|names| !names.iter().any(|name| is_naming(name)));
        match constants(&body.title).filter(|_| is_known) {
            Some(titles) => {
                let set: HashSet<&str> = body
                    .operations
                    .iter()
                    .filter(|one| has_value(&one.value))
                    .filter_map(|one| named(one.attribute))
                    .collect();
                for title in titles {
                    // Of several declarations, only one takes place.
                    let attributes =
                        declared.known.entry(key(&type_name, title)).or_insert_with(|| set.clone());
                    attributes.retain(|name| set.contains(name));
                }
            }
            None if matches!(body.title.kind, ExprKind::Default) => {}
            None => _ = declared.open_types.insert(type_name.clone()),
        }
    }
}

/// Returns true if an expression certainly has a value: undef leaves an attribute as it is.
fn has_value(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => has_value(inner),
        kind => {
            !matches!(kind, ExprKind::Undef)
                && (kind.is_literal()
                    || matches!(kind, ExprKind::Array(_) | ExprKind::Interpolation(_) | ExprKind::Name(_)))
        }
    }
}

/// Returns true for attributes that name a resource besides its title.
fn is_naming(attribute: &str) -> bool {
    matches!(attribute, "alias" | "command" | "name" | "path")
}

/// Returns the reference to a resource, for messages.
pub(super) fn shown((type_name, title): &ResourceKey<'_>) -> String {
    format!("{}[{title}]", capitalize_segments(type_name))
}

/// Returns the key of a resource. A slash at the end of a title does not count.
pub(super) fn key<'s>(type_name: &str, title: &'s str) -> ResourceKey<'s> {
    let trimmed = title.trim_end_matches('/');
    let title = if type_name == "file" && !trimmed.is_empty() { trimmed } else { title };
    (type_name.to_owned(), title)
}

/// Returns the texts of an expression that is a constant, or an array of constants.
pub(super) fn constants<'e, 's: 'e>(expr: &'e Expr<'s>) -> Option<Vec<&'s str>> {
    match &expr.kind {
        ExprKind::String(text) => match text {
            std::borrow::Cow::Borrowed(text) => Some(vec![text]),
            std::borrow::Cow::Owned(_) => None,
        },
        ExprKind::Name(name) => Some(vec![name]),
        ExprKind::Paren(inner) => constants(inner),
        ExprKind::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(constants).collect();
            items.map(|items| items.concat())
        }
        _ => None,
    }
}

/// Returns the resources that an expression refers to by literal titles.
pub(super) fn references<'s>(expr: &Expr<'s>) -> Vec<ResourceKey<'s>> {
    match &expr.kind {
        ExprKind::Paren(inner) => references(inner),
        ExprKind::Array(items) => items.iter().flat_map(references).collect(),
        ExprKind::Access(access) => {
            let ExprKind::Reference(name) = access.operand.kind else { return Vec::new() };
            let type_name = name.trim_start_matches("::").to_lowercase();
            let titles = access.keys.iter().filter_map(constants).flatten();
            titles.map(|title| key(&type_name, title)).collect()
        }
        _ => Vec::new(),
    }
}
