//! `Type <| query |> { ... }`.
//!
//! See Puppet's `pops/evaluator/collector_transformer.rb`.

use std::sync::Arc;

use super::super::{Frame, Machine};
use super::line_of;
use super::resources::DeclaredGroup;
use crate::eval::code::Node;
use crate::eval::declaration::{CollectorCode, ConditionCode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_catalog::{
    CollectorCondition, CollectorDeclaration, CollectorId, ExportedResource, PendingCollector, Reference,
    ResourceParameter, with_given,
};
use puppetfn_syntax::ast::ResourceForm;
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;

impl Machine {
    pub(super) fn collector(
        &mut self,
        code: &CollectorCode,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<CollectorId, Error> {
        if code.is_exported && self.compilation().export_source().is_none() {
            self.shared.log_issue(
                LogLevel::Warning,
                "RT_NO_STORECONFIGS",
                "You cannot collect exported resources without storeconfigs being set; the collection will be ignored",
                &frame.context.unit.place(node.at),
            );
        }
        let lower = code.type_name.to_lowercase();
        if lower == "class" {
            return Err(Error::new(ErrorKind::Evaluation, "Classes cannot be collected"));
        }
        let Some((kind, _)) = self.kind(&lower)? else {
            return Err(Error::new(ErrorKind::Evaluation, format!("Resource type {lower} doesn't exist")));
        };
        let parameters = self.parameters(&code.operations, frame)?;
        let query = code.condition.as_ref().map(|condition| self.query(condition, frame)).transpose()?;
        let collector = CollectorDeclaration {
            type_name: kind.type_name.clone(),
            query,
            is_exported: code.is_exported,
            parameters,
            place: Some(line_of(node.at, frame)),
        };
        Ok(self.compilation().collect(self.scope, collector))
    }

    /// Queries the source of exported resources for new collectors, and declares the results in the collectors' scopes.
    ///
    /// # Errors
    /// Fails if the source cannot answer, or if a resource is in the catalog already.
    pub(super) fn collect_exports(&mut self) -> Result<(), Error> {
        let pending = self.compilation().pending_collectors()?;
        let Some(source) = self.compilation().export_source().filter(|_| !pending.is_empty()).cloned() else {
            return Ok(());
        };
        for PendingCollector { id, scope, query } in pending {
            let outer = std::mem::replace(&mut self.scope, scope);
            // The source may be the host's, which sees the scope of the collector.
            let found = self.away(None, |shared| {
                source.find(&query, &mut |warning| shared.host.log(LogLevel::Warning, &warning))
            });
            let declared = found.and_then(|resources| self.declare_exports(&query.type_name, resources));
            self.scope = outer;
            self.compilation().found_exports(id, declared?);
        }
        Ok(())
    }

    fn declare_exports(
        &mut self,
        type_name: &str,
        resources: Vec<ExportedResource>,
    ) -> Result<Vec<(Reference, Arc<str>)>, Error> {
        let declared = DeclaredGroup { type_name, form: ResourceForm::Regular, place: None };
        let mut found: Vec<(Reference, Arc<str>)> = Vec::new();
        for resource in resources {
            if !self.compilation().admits(type_name, &resource)? {
                continue;
            }
            let ExportedResource { node, title, parameters } = resource;
            let parameter = |(name, value): (Arc<str>, Value)| {
                self.compilation().parameter(self.scope, name, value, false, None)
            };
            let parameters: Vec<ResourceParameter> = parameters.into_iter().map(parameter).collect();
            let references = self.create_resources(&declared, &[Value::String(title)], parameters)?;
            found.extend(references.into_iter().map(|reference| (reference, Arc::clone(&node))));
        }
        Ok(found)
    }

    fn query(&mut self, condition: &ConditionCode, frame: Frame<'_>) -> Result<CollectorCondition, Error> {
        self.guard.check()?;
        match condition {
            ConditionCode::And(sides) => {
                let [left, right] = &**sides;
                Ok(CollectorCondition::And(Box::new([self.query(left, frame)?, self.query(right, frame)?])))
            }
            ConditionCode::Or(sides) => {
                let [left, right] = &**sides;
                Ok(CollectorCondition::Or(Box::new([self.query(left, frame)?, self.query(right, frame)?])))
            }
            ConditionCode::Untransformable(name, class) => {
                self.eval(name, frame)?;
                let message = format!("Cannot transform object of class Puppet::Pops::Model::{class}");
                Err(Error::new(ErrorKind::Evaluation, message))
            }
            ConditionCode::Compare(is_equal, sides) => {
                let [name, value] = &**sides;
                let name = self.eval(name, frame)?.ruby_to_s(&self.limits)?;
                let value = self.eval(value, frame)?;
                // Parameters have references in the same form.
                let value = with_given(&value, Depth::nesting(&self.limits))?.unwrap_or(value);
                match (is_equal, &*name) {
                    (true, "tag") => tags(&value, &self.limits).map(CollectorCondition::Tagged),
                    (true, name) => Ok(CollectorCondition::Equal(name.into(), value)),
                    (false, name) => Ok(CollectorCondition::NotEqual(name.into(), value)),
                }
            }
        }
    }
}

fn tags(value: &Value, limits: &Limits) -> Result<Vec<String>, Error> {
    let values = if let Value::Array(values) = value { values } else { std::slice::from_ref(value) };
    let tag = |value: &Value| match value {
        Value::Integer(_) | Value::Float(_) => {
            Err(Error::new(ErrorKind::Evaluation, "Cannot transform a number to a tag"))
        }
        other => Ok(other.ruby_to_s(limits)?.to_lowercase()),
    };
    values.iter().map(tag).collect()
}
