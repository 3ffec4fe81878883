//! Limits on the size of types that code builds.

use std::ops::ControlFlow;

use crate::types::{ObjectRef, Type, TypeSetRef};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Limits, VisitState, Work};

impl Type {
    /// Checks the size of a new type, so that code that traverses it need not guard against endless ones.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it has more parts than [`Limits::work`], or nests deeper
    /// than [`Limits::nesting`].
    pub(crate) fn check_extent(&self, limits: &Limits) -> Result<(), Error> {
        check(self, VisitState::new(&Work::new(limits)))
    }
}

fn check(t: &Type, visit: VisitState<'_>) -> Result<(), Error> {
    let visit = visit.deeper()?;
    let visited = t.visit_contained(|part| match check(part, visit) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    });
    if let ControlFlow::Break(error) = visited {
        return Err(error);
    }
    // Uses within the definition itself are of another kind, so there is no cycle.
    if let Type::Object(ObjectRef::Use(object)) = t {
        let members = object.attributes().values().chain(object.functions().values());
        let types = members.map(|member| &member.t).chain(object.parent());
        types.into_iter().try_for_each(|part| check(part, visit))?;
    } else if let Type::TypeSet(TypeSetRef::Use(set)) = t {
        let types =
            set.types().values().filter_map(|t| if let Value::Type(t) = t { Some(&**t) } else { None });
        types.into_iter().try_for_each(|part| check(part, visit))?;
    }
    Ok(())
}
