//! `type { title: ... }`, `Type { ... }` and `Type[title] { ... }`.
//!
//! See Puppet's `pops/evaluator/runtime3_resource_support.rb`.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::{EvalResult, Frame, Machine, during, failure};
use super::line_of;
use crate::eval::code::Node;
use crate::eval::declaration::{BodyCode, ChangesCode, OperationCode, ResourcesCode, TypeName};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Depth;
use puppetfn_catalog::{
    NameMap, Reference, ResourceDeclaration, ResourceKind, ResourceParameter, TitleMeaning, flat, given,
    with_given,
};
use puppetfn_syntax::ast::ResourceForm;
use puppetfn_types::function::LogLevel;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::infer;
use puppetfn_types::value::{FrozenText, Value, label};

/// Resources of one type that are declared together.
pub(super) struct DeclaredGroup<'d> {
    pub type_name: &'d str,
    pub form: ResourceForm,
    pub place: Option<SourceLocation>,
}

/// Number of parameters from which on repeated names are looked for in a set.
const MANY: usize = 32;

impl Machine {
    pub(super) fn resources(&mut self, code: &ResourcesCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        let type_name = self.type_to_declare(&code.type_name, frame)?;
        if code.form == ResourceForm::Exported && self.compilation().export_source().is_none() {
            self.shared.log_issue(
                LogLevel::Warning,
                "RT_NO_STORECONFIGS_EXPORT",
                "You cannot collect exported resources without storeconfigs being set; the export is ignored",
                &frame.context.unit.place(node.at),
            );
        }
        let mut owners = HashSet::new();
        let mut bodies = Vec::with_capacity(code.bodies.len());
        let mut defaults = Vec::new();
        for body in &code.bodies {
            let titles = self.titles(body, frame)?;
            let is_only = code.bodies.len() == 1 && titles.len() == 1;
            for title in titles.iter().filter(|_| !is_only) {
                if !owners.insert(title.clone()) {
                    let shown = title.as_deref().unwrap_or("default");
                    let message =
                        format!("The title '{shown}' has already been used in this resource expression");
                    return Err(failure(node, frame, message));
                }
            }
            let parameters = self.body_parameters(body, node, frame)?;
            if titles.contains(&None) {
                defaults = self.shared_by_resources(parameters.clone());
            }
            bodies.push((titles, parameters));
        }
        let declared =
            DeclaredGroup { type_name: &type_name, form: code.form, place: Some(line_of(node.at, frame)) };
        let mut references = Vec::new();
        for (titles, parameters) in bodies {
            let mut all = with_defaults(&defaults, parameters);
            let titles: Vec<Value> = titles.into_iter().flatten().map(Value::String).collect();
            if titles.len() > 1 {
                all = self.shared_by_resources(all);
            }
            for reference in self.create_resources(&declared, &titles, all)? {
                references.push(reference.to_type().into());
            }
        }
        Ok(references.into())
    }

    /// Returns parameters that several resources are to have, as one object each.
    fn shared_by_resources(&self, mut parameters: Vec<ResourceParameter>) -> Vec<ResourceParameter> {
        self.compilation().share(&mut parameters);
        parameters
    }

    fn type_to_declare(&mut self, code: &TypeName, frame: Frame<'_>) -> Result<Arc<str>, Error> {
        let (node, is_type) = match code {
            TypeName::Known(name) => return Ok(Arc::clone(name)),
            TypeName::Code(node, is_type) => (node, *is_type),
        };
        let value = self.eval(node, frame)?;
        let shown = if let Value::Type(t) = &value {
            match &**t {
                Type::Class(None) if is_type => return Ok("class".into()),
                Type::Resource(resource) if is_type && resource.title.is_none() => {
                    if let Some(name) = &resource.type_name {
                        return Ok(Arc::clone(name));
                    }
                    t.to_string()
                }
                Type::Class(_) | Type::Resource(_) if is_type => t.to_string(),
                _ => infer(&value, &self.limits)?.generalize().to_string(),
            }
        } else {
            infer(&value, &self.limits)?.generalize().to_string()
        };
        let message = format!(
            "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {shown}"
        );
        Err(failure(node, frame, message))
    }

    /// Returns the titles of a body; `None` for `default`.
    fn titles(&mut self, body: &BodyCode, frame: Frame<'_>) -> Result<Vec<Option<Arc<str>>>, Error> {
        let fail = |message: String| Err(failure(&body.title, frame, message));
        let value = self.eval(&body.title, frame)?;
        if matches!(value, Value::Undef) {
            return fail("Missing title. The title expression resulted in undef".into());
        }
        let mut titles = Vec::new();
        for (index, title) in flat(&value).into_iter().enumerate() {
            match title {
                Value::Default => titles.push(None),
                Value::String(title) if title.is_empty() => {
                    return fail(format!(
                        "Empty string title at {index}. Title strings must have a length greater than zero."
                    ));
                }
                // A copy, which is not frozen.
                Value::String(title) if FrozenText::is_marked(&title) => titles.push(Some((&*title).into())),
                Value::String(title) => titles.push(Some(title)),
                Value::Undef => {
                    return fail(format!(
                        "Missing title at index {index}. The title expression resulted in an undef title"
                    ));
                }
                other => {
                    let actual = infer(&other, &self.limits)?.generalize();
                    return fail(format!(
                        "Illegal title type at index {index}. Expected String, got {actual}"
                    ));
                }
            }
        }
        Ok(titles)
    }

    fn body_parameters(
        &mut self,
        body: &BodyCode,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<Vec<ResourceParameter>, Error> {
        let parameters = self.parameters(&body.operations, frame)?;
        match repeated(&parameters) {
            None => Ok(parameters),
            Some(name) => {
                Err(failure(node, frame, format_args!("The attribute '{name}' has already been set")))
            }
        }
    }

    /// Returns the parameters that operations set, in order.
    pub(super) fn parameters(
        &mut self,
        operations: &[OperationCode],
        frame: Frame<'_>,
    ) -> Result<Vec<ResourceParameter>, Error> {
        let mut parameters = Vec::with_capacity(operations.len());
        for operation in operations {
            let value = self.eval(&operation.value, frame)?;
            let place = Some(line_of(operation.at, frame));
            let label = if operation.name.is_some() { "a '=>' expression" } else { "an Object" };
            let value = match with_given(&value, Depth::nesting(&self.limits)) {
                // Resources have arrays and hashes of their own, which they share with their variables only.
                Ok(converted) => converted.unwrap_or(value).duplicated_if_shared(),
                Err(error) => return Err(during(error, label, operation.at, frame)),
            };
            if let Some(name) = &operation.name {
                let value = given(name, &value);
                let name = Arc::clone(name);
                let parameter =
                    self.compilation().parameter(self.scope, name, value, operation.is_added, place);
                parameters.push(parameter);
                continue;
            }
            let Value::Hash(hash) = &value else {
                let actual = infer(&value, &self.limits)?.generalize();
                let message = format!("Expected value of type Hash, got {actual}");
                return Err(failure(&operation.value, frame, message));
            };
            for (name, value) in hash.iter() {
                let name = name.ruby_to_s(&self.limits)?;
                let value = given(&name, value);
                let parameter = self.compilation().parameter(self.scope, name, value, false, place.clone());
                parameters.push(parameter);
            }
        }
        Ok(parameters)
    }

    /// Declares resources of one type with the same parameters.
    pub(super) fn create_resources(
        &mut self,
        declared: &DeclaredGroup<'_>,
        titles: &[Value],
        mut parameters: Vec<ResourceParameter>,
    ) -> Result<Vec<Reference>, Error> {
        let mut references = Vec::with_capacity(titles.len());
        let mut parameters_of = |index: usize| {
            let is_last = index.saturating_add(1) == titles.len();
            if is_last { std::mem::take(&mut parameters) } else { parameters.clone() }
        };
        if declared.type_name.eq_ignore_ascii_case("class") {
            for (index, title) in titles.iter().enumerate() {
                let title = title.ruby_to_s(&self.limits)?;
                references.push(self.declare_class(&title, declared, parameters_of(index))?);
            }
            return Ok(references);
        }
        let Some((kind, definition)) = self.kind(declared.type_name)? else {
            let message = format!("Unknown resource type: '{}'", declared.type_name);
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        self.ask_for_defaults(&kind.type_name)?;
        for (index, title) in titles.iter().enumerate() {
            if matches!(title, Value::Undef) {
                let problem = "No title provided and";
                let message = format!("{problem} :{} is not a valid resource reference", declared.type_name);
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
            let mut declaration = declaration(&kind, title.clone(), declared, parameters_of(index));
            if kind.native_type().is_some_and(|t| t.titles() == TitleMeaning::Patterns) {
                let title = title.ruby_to_s(&self.limits)?;
                declaration.title_parts =
                    self.away(None, |shared| shared.host.parse_title(&kind.type_name, &title))?;
            }
            let mut compilation = self.compilation();
            let resource = compilation.prepare(self.scope, declaration, None)?;
            references.push(resource.reference().clone());
            let id = compilation.add(self.scope, resource)?;
            drop(compilation);
            if let Some(definition) = &definition {
                self.shared.definitions.set_resource(id, definition);
            }
        }
        Ok(references)
    }

    pub(super) fn resource_defaults(&mut self, code: &ChangesCode, frame: Frame<'_>) -> EvalResult {
        let subject = self.eval(&code.subject, frame)?;
        let type_name = match &subject {
            Value::Type(t) => match &**t {
                Type::Resource(resource) if resource.title.is_none() => resource.type_name.clone(),
                _ => None,
            },
            _ => None,
        };
        let Some(type_name) = type_name else {
            let actual = infer(&subject, &self.limits)?.generalize();
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
            );
            return Err(failure(&code.subject, frame, message));
        };
        let parameters = self.parameters(&code.operations, frame)?;
        let type_name = Arc::clone(Reference::new(&type_name, "defaults").type_name());
        self.compilation().scopes.set_defaults(self.scope, &type_name, parameters)?;
        Ok(subject)
    }

    pub(super) fn resource_override(
        &mut self,
        code: &ChangesCode,
        node: &Node,
        frame: Frame<'_>,
    ) -> EvalResult {
        let subject = self.eval(&code.subject, frame)?;
        let mut parameters = self.parameters(&code.operations, frame)?;
        let resources = flat(&subject);
        if resources.len() > 1 {
            self.compilation().share(&mut parameters);
        }
        for resource in resources {
            let reference = match &resource {
                Value::Type(t) if matches!(**t, Type::Resource(_)) => Reference::of_type(t),
                _ => None,
            };
            let Some(reference) = reference else {
                let actual = label(&resource);
                let message = format!("Resource Override can only operate on resources, got: {actual}");
                return Err(failure(node, frame, message));
            };
            let place = Some(line_of(node.at, frame));
            self.compilation().override_resource(self.scope, reference, parameters.clone(), place)?;
        }
        self.log_warnings();
        Ok(subject)
    }
}

/// Returns the name of the first parameter whose name another one before it has.
fn repeated(parameters: &[ResourceParameter]) -> Option<&Arc<str>> {
    let names = || parameters.iter().map(|parameter| &parameter.name);
    if parameters.len() >= MANY {
        let mut known = HashSet::new();
        return names().find(|name| !known.insert(*name));
    }
    let is_before = |(index, name): (usize, &Arc<str>)| names().take(index).any(|known| known == name);
    names().enumerate().find(|(index, name)| is_before((*index, name))).map(|(_, name)| name)
}

/// Returns parameters with the default values of the other bodies of their expression.
fn with_defaults(
    defaults: &[ResourceParameter],
    parameters: Vec<ResourceParameter>,
) -> Vec<ResourceParameter> {
    if defaults.is_empty() {
        return parameters;
    }
    let all = defaults.iter().cloned().chain(parameters);
    let all: NameMap<Arc<str>, ResourceParameter> =
        all.map(|parameter| (Arc::clone(&parameter.name), parameter)).collect();
    all.into_values().collect()
}

pub(super) fn declaration(
    kind: &Arc<ResourceKind>,
    title: Value,
    declared: &DeclaredGroup<'_>,
    parameters: Vec<ResourceParameter>,
) -> ResourceDeclaration {
    ResourceDeclaration {
        parameters,
        place: declared.place.clone(),
        is_virtual: declared.form != ResourceForm::Regular,
        is_exported: declared.form == ResourceForm::Exported,
        ..ResourceDeclaration::new(Arc::clone(kind), title)
    }
}
