//! Caches compiled templates, since most are evaluated many times.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::code::TemplateCode;
use puppetfn_catalog::FastMap;

/// The owner of a template's parameters in messages: to Puppet, a template is a lambda.
pub(super) const OWNER: &str = "lambda";

/// Maximum number of cached templates. A program can generate any number of templates.
const KEPT: usize = 200;

/// The names that a template sees where it is evaluated.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct TemplateContext {
    /// The variables of the functions and lambdas around, which have values.
    pub locals: Box<[Box<str>]>,
    /// The class or node around.
    pub class: Option<Arc<str>>,
    /// The names of the arguments; `None` if there are no arguments.
    pub arguments: Option<Box<[Box<str>]>>,
}

/// The key of a compiled template.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct TemplateKey {
    pub text: Box<str>,
    pub file: Box<str>,
    pub surroundings: TemplateContext,
}

/// The cache of templates.
#[derive(Default, Debug)]
pub(super) struct Templates(Mutex<FastMap<TemplateKey, Arc<TemplateCode>>>);

impl Templates {
    pub fn get(&self, key: &TemplateKey) -> Option<Arc<TemplateCode>> {
        self.lock().get(key).cloned()
    }

    pub fn add(&self, key: TemplateKey, template: TemplateCode) -> Arc<TemplateCode> {
        let template = Arc::new(template);
        let mut kept = self.lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&template));
        template
    }

    fn lock(&self) -> MutexGuard<'_, FastMap<TemplateKey, Arc<TemplateCode>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
