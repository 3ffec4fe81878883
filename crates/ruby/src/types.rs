//! Resource types and providers.

mod api;
mod attribute;
mod condition;
mod evaluation;
mod provider;
mod requirements;
mod resource_type;
mod validation;
mod value;

use std::rc::Rc;

use puppetfn_catalog::TypeDescription;
use puppetfn_doc::DeclaredProvider;

use crate::source::RubyText;
use crate::tree::RubyNode;
use evaluation::Evaluation;
use value::StaticScope;

/// Returns the resource types and the providers that a file declares, in order.
pub fn read(source: &Rc<RubyText>, statements: &[RubyNode]) -> (Vec<TypeDescription>, Vec<DeclaredProvider>) {
    let mut evaluation = Evaluation::new(Rc::clone(source));
    evaluation.run(statements, &StaticScope::new(source, None));
    evaluation.finish()
}
