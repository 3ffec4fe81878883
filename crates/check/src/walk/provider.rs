//! Providers of resources.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::finding::Finding;
use super::super::native_type::RubyResourceType;
use super::super::rule::Rule;
use super::Walk;
use super::resource::BodyAttributes;
use puppetfn_base::diagnostic::Severity;
use puppetfn_types::value::Value;

impl<'s> Walk<'_, 's> {
    /// Reports a provider that neither the type nor a module has. Modules that are not there may have any, so that then it
    /// has to be a slip away from one.
    pub(super) fn provider(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        reference: &str,
    ) {
        let given = attributes.given().iter().find(|(name, ..)| name == "provider");
        let Some((_, Value::String(provider), span)) = given else { return };
        if !t.may_have("provider") || self.world.has_provider(t, provider) {
            return;
        }
        let description = t.description();
        let message =
            format!("Parameter provider failed on {reference}: Invalid {} provider '{provider}'", t.name());
        let names = description.providers.iter().map(String::as_str);
        let finding = Finding::new(Rule::UnknownProvider, message.clone(), *span);
        let finding = finding.meant(provider, names, (self.text, span.start));
        if self.world.has_all_providers(t, self.origin) {
            self.note(finding);
        } else if finding.message != message {
            self.note(Finding { severity: Severity::Warning, ..finding });
        }
    }
}
