//! Resource types and providers.

mod api;
mod attribute;
mod combination;
mod condition;
mod evaluation;
mod provider;
mod requirements;
mod resource_type;
mod validation;
mod value;

use std::rc::Rc;

use crate::source::RubyText;
use crate::tree::RubyNode;
use evaluation::Evaluation;
pub use evaluation::TypeDeclarations;
use value::StaticScope;

/// Returns the resource types, metaparameters and providers that a file declares, in order.
pub fn read(source: &Rc<RubyText>, statements: &[RubyNode]) -> TypeDeclarations {
    let mut evaluation = Evaluation::new(Rc::clone(source));
    evaluation.run(statements, &StaticScope::new(source, None));
    evaluation.finish()
}
