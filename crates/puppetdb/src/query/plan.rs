//! Query trees: queries that were checked against the columns of their entities.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde_json::{Number, Value as Json};

use super::decimal::Decimal;
use super::entity::{Column, Entity};
use super::instant::Instant;
use super::regexp::Regexp;

/// A query of one entity.
#[derive(Clone, Debug)]
pub(crate) struct QueryPlan {
    pub entity: Entity,
    pub filter: Option<RowFilter>,
    /// The columns of the answer, functions first; all columns if there are none.
    pub projections: Vec<Projection>,
    pub group_by: Option<Vec<GroupKey>>,
    pub order_by: Vec<OrderKey>,
    pub limit: Option<usize>,
    pub offset: usize,
}

/// A condition. Its value is true, false or unknown, as in SQL.
#[derive(Clone, Debug)]
pub(crate) enum RowFilter {
    All(Vec<RowFilter>),
    Any(Vec<RowFilter>),
    Not(Box<RowFilter>),
    Column(&'static Column, ColumnTest),
    Member(MemberTest),
    /// A column compared with the type of its JSON.
    TypeOf(&'static Column, String),
    /// A parameter of a resource, compared as PuppetDB serializes it.
    Parameter(String, ParameterTest),
    Subquery(Box<InSubquery>),
    /// Whether the node is active, or is not.
    Active(bool),
}

/// A comparison of parameters by their JSON.
#[derive(Clone, Debug)]
pub(crate) enum ParameterTest {
    Equal(String),
    Matches(Regexp),
}

/// A condition of a column.
#[derive(Clone, Debug)]
pub(crate) enum ColumnTest {
    Text(String),
    Boolean(bool),
    Number(ComparisonOp, Decimal),
    Time(ComparisonOp, Instant),
    /// Any JSON, by the order of `jsonb`.
    Json(Json),
    /// Numbers only.
    JsonNumber(ComparisonOp, Decimal),
    /// A list of texts that contains one.
    Contains(String),
    Matches(Regexp),
    OneOf(HashSet<String>),
    /// A path of a fact, by its canonical JSON.
    Path(HashSet<String>),
    PathMatches(Vec<PathPattern>),
    /// A path of a fact, as PuppetDB encodes it.
    EncodedPathMatches(Regexp),
    Null(bool),
}

/// A pattern for an element of a path.
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    pub regexp: Regexp,
    /// The kind of element, if it is not any.
    pub kind: Option<PathKind>,
}

/// The kind of an element of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathKind {
    Name,
    Index,
}

/// A condition of a member of a document.
#[derive(Clone, Debug)]
pub(crate) struct MemberTest {
    pub column: &'static Column,
    pub path: Vec<PathStep>,
    pub condition: MemberCondition,
}

/// A step into a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PathStep {
    /// A member of an object.
    Name(String),
    /// An element of an array.
    Index(usize),
    /// A member of an object, or an element of an array.
    NameOrIndex(String),
}

/// A condition of the value of a member.
#[derive(Clone, Debug)]
pub(crate) enum MemberCondition {
    /// The document contains the value there: `@>`.
    Contains(Json),
    /// The value is equal.
    Equal(Json),
    Order(ComparisonOp, Json),
    Matches(Regexp),
    Null(bool),
}

/// An operator that compares values by their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComparisonOp {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl ComparisonOp {
    pub fn parse(operator: &str) -> Option<Self> {
        Some(match operator {
            "=" => Self::Equal,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// A condition that columns are in the answer of another query.
#[derive(Clone, Debug)]
pub(crate) struct InSubquery {
    pub columns: Vec<&'static Column>,
    pub plan: QueryPlan,
    /// The answer, once the query was run.
    pub members: OnceLock<SubqueryRows>,
}

/// The rows of a subquery.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubqueryRows {
    /// The canonical JSON of each row without nulls.
    pub rows: HashSet<String>,
    /// Whether a row has a null.
    pub has_null: bool,
}

/// A column of an answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Projection {
    Column(&'static Column),
    /// A member of a document, named by the whole field.
    Member {
        name: String,
        column: &'static Column,
        path: Vec<String>,
    },
    Function(AggregateCall),
}

/// A call of a function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AggregateCall {
    pub function: QueryFunction,
    pub argument: Option<&'static Column>,
    /// The format of `to_string`.
    pub format: Option<String>,
}

/// A function of queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueryFunction {
    Count,
    Avg,
    Sum,
    Min,
    Max,
    ToString,
    JsonbTypeof,
}

impl QueryFunction {
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "count" => Self::Count,
            "avg" => Self::Avg,
            "sum" => Self::Sum,
            "min" => Self::Min,
            "max" => Self::Max,
            "to_string" => Self::ToString,
            "jsonb_typeof" => Self::JsonbTypeof,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Avg => "avg",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::ToString => "to_string",
            Self::JsonbTypeof => "jsonb_typeof",
        }
    }

    /// Returns true if one value comes of many rows.
    pub fn is_aggregate(self) -> bool {
        !matches!(self, Self::ToString | Self::JsonbTypeof)
    }
}

/// An expression by which rows are grouped.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum GroupKey {
    Column(&'static Column),
    /// A member of a document, by the whole field.
    Member(String),
    /// The result of a projected function.
    Function(QueryFunction),
}

/// A column by which rows are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OrderKey {
    pub column: &'static Column,
    pub descending: bool,
}

/// Returns the decimal value of a number.
pub(crate) fn decimal(number: &Number) -> Decimal {
    Decimal::of(number)
}

impl QueryPlan {
    /// Calls `visit` with each entity that the query reads, and the columns that it names.
    pub fn visit(&self, visit: &mut dyn FnMut(Entity, Option<&'static Column>)) {
        visit(self.entity, None);
        for projection in &self.projections {
            match projection {
                Projection::Column(column) | Projection::Member { column, .. } => {
                    visit(self.entity, Some(column))
                }
                Projection::Function(call) => {
                    if let Some(column) = call.argument {
                        visit(self.entity, Some(column));
                    }
                }
            }
        }
        self.order_by.iter().for_each(|key| visit(self.entity, Some(key.column)));
        if let Some(filter) = &self.filter {
            filter.visit(self.entity, visit);
        }
    }

    /// Returns the text that all rows have in a column, if the condition says one.
    pub fn required(&self, column: &str) -> Option<&str> {
        self.filter.as_ref().and_then(|filter| filter.required(column))
    }

    /// Returns true if the condition requires resources to be exported.
    pub fn requires_exported(&self) -> bool {
        self.filter.as_ref().is_some_and(RowFilter::requires_exported)
    }
}

impl RowFilter {
    fn visit(&self, entity: Entity, visit: &mut dyn FnMut(Entity, Option<&'static Column>)) {
        match self {
            Self::All(filters) | Self::Any(filters) => {
                filters.iter().for_each(|filter| filter.visit(entity, visit))
            }
            Self::Not(filter) => filter.visit(entity, visit),
            Self::Column(column, _) | Self::TypeOf(column, _) => visit(entity, Some(column)),
            Self::Member(test) => visit(entity, Some(test.column)),
            Self::Subquery(subquery) => {
                subquery.columns.iter().for_each(|column| visit(entity, Some(column)));
                subquery.plan.visit(visit);
            }
            Self::Parameter(..) | Self::Active(_) => {}
        }
    }

    fn required(&self, name: &str) -> Option<&str> {
        match self {
            Self::All(filters) => filters.iter().find_map(|filter| filter.required(name)),
            Self::Column(column, ColumnTest::Text(text)) if column.name == name => Some(text),
            Self::Any(_)
            | Self::Not(_)
            | Self::Column(..)
            | Self::Member(_)
            | Self::TypeOf(..)
            | Self::Parameter(..)
            | Self::Subquery(_)
            | Self::Active(_) => None,
        }
    }

    fn requires_exported(&self) -> bool {
        match self {
            Self::All(filters) => filters.iter().any(Self::requires_exported),
            Self::Any(filters) => !filters.is_empty() && filters.iter().all(Self::requires_exported),
            Self::Column(column, ColumnTest::Boolean(true)) => column.name == "exported",
            Self::Not(_)
            | Self::Column(..)
            | Self::Member(_)
            | Self::TypeOf(..)
            | Self::Parameter(..)
            | Self::Subquery(_)
            | Self::Active(_) => false,
        }
    }
}
