//! `left -> right`, and the like.
//!
//! See Puppet's `pops/evaluator/relationship_operator.rb`.

use indexmap::IndexSet;

use super::super::{EvalResult, Frame, Machine, during, failure};
use super::line_of;
use crate::eval::code::{Node, Op};
use crate::eval::declaration::{DeclareCode, RelationshipCode};
use crate::eval::text::with_article;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_catalog::{Reference, RelationshipSide, with_given};
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::parse;
use puppetfn_types::value::{Value, label};

impl Machine {
    /// The value of a relationship is its right side. Collectors are not values, so they are left out.
    pub(super) fn relationship(
        &mut self,
        code: &RelationshipCode,
        node: &Node,
        frame: Frame<'_>,
    ) -> EvalResult {
        let sides = self.relate(code, node, frame)?;
        let references = sides.into_iter().filter_map(|side| match side {
            RelationshipSide::Resource(reference) => Some(Value::from(reference.to_type())),
            RelationshipSide::Collector(_) => None,
        });
        Ok(references.collect::<Vec<_>>().into())
    }

    /// Makes a relationship, and returns the side that the next one in a chain continues with.
    fn relate(
        &mut self,
        code: &RelationshipCode,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<Vec<RelationshipSide>, Error> {
        let [left, right] = &*code.sides;
        // Values are checked once both sides have been evaluated.
        let (left, right) = (self.operands(left, frame)?, self.operands(right, frame)?);
        let left = distinct(self.sides(left, node, frame)?);
        let right = distinct(self.sides(right, node, frame)?);
        let (from, to) = if code.is_reversed { (&right, &left) } else { (&left, &right) };
        let mut compilation = self.compilation();
        compilation.add_relationships(from, to, code.relation, || line_of(node.at, frame));
        if let [RelationshipSide::Collector(id)] = right.as_slice() {
            compilation.set_alternative(*id, &left);
        }
        Ok(if right.is_empty() { left } else { right })
    }

    /// Evaluates one side of a relationship.
    fn operands(&mut self, side: &Node, frame: Frame<'_>) -> Result<Vec<RelationOperand>, Error> {
        self.guard.check()?;
        match &side.op {
            Op::Declare(declared) => match &**declared {
                DeclareCode::Collector(collector) => {
                    let id = self.collector(collector, side, frame);
                    id.map(|id| vec![RelationOperand::Side(RelationshipSide::Collector(id))])
                        .map_err(|e| during(e, super::label(declared), side.at, frame))
                }
                DeclareCode::Relationship(inner) => {
                    let label = format!("a '{}' expression", inner.symbol);
                    self.relate(inner, side, frame)
                        .map(|sides| sides.into_iter().map(RelationOperand::Side).collect())
                        .map_err(|error| during(error, &label, side.at, frame))
                }
                _ => Ok(vec![RelationOperand::Value(self.eval(side, frame)?)]),
            },
            Op::Array(items) => {
                let mut operands = Vec::with_capacity(items.len());
                for item in items {
                    operands.extend(self.operands(&item.code, frame)?);
                }
                Ok(operands)
            }
            _ => Ok(vec![RelationOperand::Value(self.eval(side, frame)?)]),
        }
    }

    /// Returns the resources and collectors of one side of a relationship.
    fn sides(
        &mut self,
        operands: Vec<RelationOperand>,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<Vec<RelationshipSide>, Error> {
        let mut sides = Vec::with_capacity(operands.len());
        for operand in operands {
            match operand {
                RelationOperand::Side(side) => sides.push(side),
                RelationOperand::Value(value) => {
                    for value in puppetfn_catalog::flat(&value) {
                        sides.push(RelationshipSide::Resource(self.related(&value, node, frame)?));
                    }
                }
            }
        }
        Ok(sides)
    }

    /// Returns the resource that a value refers to.
    fn related(&mut self, value: &Value, node: &Node, frame: Frame<'_>) -> Result<Reference, Error> {
        let t = match value {
            Value::Type(t) => Type::clone(t),
            Value::String(text) => self.type_of_text(text)?,
            other => {
                let label = with_article(&label(other));
                let message = format!(
                    "Illegal relationship operand, can not form a relationship with {label}. A Catalog type is required."
                );
                return Err(failure(node, frame, message));
            }
        };
        // A class without a name is no reference in a parameter either.
        with_given(&Value::from(t.clone()), Depth::nesting(&self.limits))?;
        Reference::related(&t).ok_or_else(|| {
            let message = format!(
                "Illegal relationship operand, can not form a relationship with something of type {t}. A Catalog type is required."
            );
            failure(node, frame, message)
        })
    }

    fn type_of_text(&mut self, text: &str) -> Result<Type, Error> {
        // Only the message counts: the text is not part of the code that it would be placed in.
        let t = parse(text, &self.shared.types, &self.limits)
            .map_err(|error| Error::new(ErrorKind::Evaluation, error.message()))?;
        if let Type::Reference(written) = &t
            && let Some((type_name, title)) = written.strip_suffix(']').and_then(|t| t.split_once('['))
            && let Some((kind, _)) = self.kind(type_name)?
        {
            let title = title.trim_matches(['\'', '"']);
            return Ok(Reference::new(&kind.type_name, title).to_type());
        }
        Ok(t)
    }
}

/// An evaluated operand of a relationship.
enum RelationOperand {
    /// A resource or a collector.
    Side(RelationshipSide),
    /// A value that has yet to be resolved to resources.
    Value(Value),
}

/// Each side once, where it is first.
fn distinct(sides: Vec<RelationshipSide>) -> Vec<RelationshipSide> {
    sides.into_iter().collect::<IndexSet<_>>().into_iter().collect()
}
