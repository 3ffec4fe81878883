//! Runs query trees.

use std::collections::HashMap;
use std::ops::ControlFlow;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use serde_json::{Map, Value as Json};

use super::aggregate::Accumulator;
use super::clojure_order;
use super::entity::{Column, ColumnType, Entity};
use super::evaluate::{holds, value_of};
use super::jsonb::{canonical, compare, text};
use super::plan::{GroupKey, InSubquery, OrderKey, Projection, QueryPlan, RowFilter, SubqueryRows};

/// A row of an entity. A column that a row lacks is one that its source does not know.
pub type Row = Map<String, Json>;

/// The rows and columns of an entity that a query reads. Rows that cannot meet its condition may be left out.
#[derive(Clone, Copy, Debug)]
pub struct TableScan<'q> {
    /// The entity.
    pub entity: Entity,
    /// The name of the only node whose rows count.
    pub node: Option<&'q str>,
    /// The only type of resources that counts.
    pub type_name: Option<&'q str>,
    /// The name of the only fact that counts.
    pub fact: Option<&'q str>,
    /// Whether only exported resources count.
    pub exported: bool,
}

/// Called with each row.
pub type RowVisitor<'v> = dyn FnMut(&Row) -> Result<ControlFlow<()>, Error> + 'v;

/// Tables that queries are run on.
pub trait QueryTables {
    /// Calls `visit` with the rows of an entity, in a fixed order, until it breaks off.
    ///
    /// # Errors
    /// Fails if the source does not have the entity, or cannot be read, and with the errors of `visit`.
    fn scan(&self, scan: &TableScan<'_>, visit: &mut RowVisitor<'_>) -> Result<(), Error>;

    /// Returns true if a node is neither deactivated nor expired.
    fn is_active(&self, node: &str) -> bool;
}

/// Runs a query, and returns its rows.
pub(crate) fn run(plan: &QueryPlan, tables: &dyn QueryTables, limits: &Limits) -> Result<Vec<Json>, Error> {
    if let Some(filter) = &plan.filter {
        answer_subqueries(filter, tables, limits)?;
    }
    let is_grouped = plan.group_by.is_some() || plan.projections.iter().any(is_aggregate);
    let mut rows = if is_grouped { grouped(plan, tables, limits)? } else { selected(plan, tables, limits)? };
    if plan.entity == Entity::FactNames && plan.projections.is_empty() {
        rows = rows.into_iter().map(|row| row.get("name").cloned().unwrap_or_default()).collect();
    }
    Ok(rows)
}

fn is_aggregate(projection: &Projection) -> bool {
    matches!(projection, Projection::Function(call) if call.function.is_aggregate())
}

/// Calls `visit` with the rows that meet the condition.
fn matching(plan: &QueryPlan, tables: &dyn QueryTables, visit: &mut RowVisitor<'_>) -> Result<(), Error> {
    let scan = TableScan {
        entity: plan.entity,
        node: plan.required("certname"),
        type_name: plan.required("type").filter(|_| plan.entity == Entity::Resources),
        fact: plan.required("name").filter(|_| matches!(plan.entity, Entity::Facts | Entity::FactContents)),
        exported: plan.requires_exported(),
    };
    tables.scan(&scan, &mut |row| {
        let meets = match &plan.filter {
            Some(filter) => holds(filter, row, plan.entity, tables)? == Some(true),
            None => true,
        };
        if meets { visit(row) } else { Ok(ControlFlow::Continue(())) }
    })
}

fn selected(plan: &QueryPlan, tables: &dyn QueryTables, limits: &Limits) -> Result<Vec<Json>, Error> {
    let mut found: Vec<(Vec<Json>, Json)> = Vec::new();
    let wanted = plan.limit.map(|limit| limit.saturating_add(plan.offset));
    let most = wanted.filter(|_| plan.order_by.is_empty());
    matching(plan, tables, &mut |row| {
        if most.is_some_and(|most| found.len() >= most) {
            return Ok(ControlFlow::Break(()));
        }
        check_count(found.len(), limits)?;
        let keys = sort_values(&plan.order_by, row, plan.entity)?;
        found.push((keys, project(plan, row)?));
        Ok(ControlFlow::Continue(()))
    })?;
    sort(&mut found, &plan.order_by);
    Ok(page(found, plan))
}

fn check_count(count: usize, limits: &Limits) -> Result<(), Error> {
    if count < limits.elements {
        return Ok(());
    }
    let message = format!("a query has more than {} rows (limit 'elements')", limits.elements);
    Err(Error::new(ErrorKind::Limit, message))
}

fn sort_values(keys: &[OrderKey], row: &Row, entity: Entity) -> Result<Vec<Json>, Error> {
    keys.iter().map(|key| Ok(value_of(row, key.column, entity)?.clone())).collect()
}

/// Sorts as PostgreSQL does: nulls are greater than all values.
fn sort(rows: &mut [(Vec<Json>, Json)], keys: &[OrderKey]) {
    rows.sort_by(|(a, _), (b, _)| {
        let mut orders = keys.iter().zip(a.iter().zip(b)).map(|(key, (a, b))| {
            let is_null = |value: &Json| value.is_null() && key.column.column_type != ColumnType::FactValue;
            let order = is_null(a).cmp(&is_null(b)).then_with(|| compare(a, b));
            if key.descending { order.reverse() } else { order }
        });
        orders.find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
}

fn page(rows: Vec<(Vec<Json>, Json)>, plan: &QueryPlan) -> Vec<Json> {
    let rows = rows.into_iter().map(|(_, row)| row).skip(plan.offset);
    rows.take(plan.limit.unwrap_or(usize::MAX)).collect()
}

/// Returns the columns of the answer of a row.
fn project(plan: &QueryPlan, row: &Row) -> Result<Json, Error> {
    let mut answer = Map::new();
    if plan.projections.is_empty() {
        for column in plan.entity.columns().iter().filter(|column| column.projectable) {
            // Columns without data are null, unless the query names them.
            let value = row.get(column.name).cloned().unwrap_or_default();
            answer.insert(column.name.to_owned(), shown(column, value));
        }
    }
    for projection in &plan.projections {
        match projection {
            Projection::Column(column) => {
                let value = value_of(row, column, plan.entity)?.clone();
                answer.insert(column.name.to_owned(), shown(column, value));
            }
            Projection::Member { name, column, path } => {
                let document = value_of(row, column, plan.entity)?;
                let found = path.iter().try_fold(document, |value, name| value.as_object()?.get(name));
                answer.insert(name.clone(), found.cloned().unwrap_or_default());
            }
            Projection::Function(call) => {
                let name = call.function.name().to_owned();
                answer.insert(name, super::aggregate::scalar(call, row, plan.entity)?);
            }
        }
    }
    Ok(Json::Object(clojure_order::members_in_order(answer)))
}

/// Returns a value as answers have it. PuppetDB reads the values of facts, and writes them again.
fn shown(column: &Column, value: Json) -> Json {
    if column.column_type == ColumnType::FactValue { clojure_order::in_order(value) } else { value }
}

/// A group: the values that it is sorted by, its columns, and its functions.
type RowGroup = (Vec<Json>, Map<String, Json>, Vec<Accumulator>);

/// Returns a row for each group.
fn grouped(plan: &QueryPlan, tables: &dyn QueryTables, limits: &Limits) -> Result<Vec<Json>, Error> {
    let keys = plan.group_by.as_deref().unwrap_or_default();
    let mut groups: Vec<RowGroup> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let start = || -> Vec<Accumulator> {
        let functions = plan.projections.iter().filter_map(|projection| match projection {
            Projection::Function(call) if call.function.is_aggregate() => Some(Accumulator::new(call)),
            Projection::Function(_) | Projection::Column(_) | Projection::Member { .. } => None,
        });
        functions.collect()
    };
    if plan.group_by.is_none() {
        groups.push((Vec::new(), Map::new(), start()));
    }
    matching(plan, tables, &mut |row| {
        let key = Json::Array(keys.iter().map(|key| group_value(key, plan, row)).collect::<Result<_, _>>()?);
        let index = match plan.group_by {
            None => 0,
            Some(_) => match known.get(&canonical(&key)) {
                Some(index) => *index,
                None => {
                    check_count(groups.len(), limits)?;
                    known.insert(canonical(&key), groups.len());
                    let plain = plan.projections.iter().filter(|projection| !is_aggregate(projection));
                    let plain =
                        QueryPlan { projections: plain.cloned().collect(), filter: None, ..plan.clone() };
                    let shown = if plain.projections.is_empty() { Json::Null } else { project(&plain, row)? };
                    let shown = shown.as_object().cloned().unwrap_or_default();
                    groups.push((sort_values(&plan.order_by, row, plan.entity)?, shown, start()));
                    groups.len().saturating_sub(1)
                }
            },
        };
        if let Some((_, _, accumulators)) = groups.get_mut(index) {
            accumulators.iter_mut().try_for_each(|accumulator| accumulator.add(row, plan.entity))?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let mut rows = Vec::new();
    for (order, shown, accumulators) in groups {
        let mut answer = Map::new();
        for accumulator in accumulators {
            answer.insert(accumulator.name().to_owned(), accumulator.finish()?);
        }
        // Functions come first.
        answer.extend(shown);
        rows.push((order, Json::Object(clojure_order::members_in_order(answer))));
    }
    sort(&mut rows, &plan.order_by);
    Ok(page(rows, plan))
}

fn group_value(key: &GroupKey, plan: &QueryPlan, row: &Row) -> Result<Json, Error> {
    let projected = |matches: &dyn Fn(&&Projection) -> bool| {
        let projection = plan.projections.iter().find(matches);
        let one = QueryPlan {
            projections: projection.cloned().into_iter().collect(),
            filter: None,
            ..plan.clone()
        };
        if one.projections.is_empty() { Ok(Json::Null) } else { project(&one, row) }
    };
    match key {
        GroupKey::Column(column) => Ok(value_of(row, column, plan.entity)?.clone()),
        GroupKey::Member(name) => {
            projected(&|projection| matches!(projection, Projection::Member { name: own, .. } if own == name))
        }
        GroupKey::Function(function) => projected(
            &|projection| matches!(projection, Projection::Function(call) if call.function == *function),
        ),
    }
}

/// Runs the subqueries of a condition, each once.
fn answer_subqueries(filter: &RowFilter, tables: &dyn QueryTables, limits: &Limits) -> Result<(), Error> {
    match filter {
        RowFilter::All(filters) | RowFilter::Any(filters) => {
            filters.iter().try_for_each(|filter| answer_subqueries(filter, tables, limits))
        }
        RowFilter::Not(filter) => answer_subqueries(filter, tables, limits),
        RowFilter::Subquery(subquery) => {
            let members = members(subquery, tables, limits)?;
            // Another answer is there already only if the query is run again.
            _ = subquery.members.set(members);
            Ok(())
        }
        RowFilter::Column(..)
        | RowFilter::Member(_)
        | RowFilter::TypeOf(..)
        | RowFilter::Parameter(..)
        | RowFilter::Active(_) => Ok(()),
    }
}

fn members(subquery: &InSubquery, tables: &dyn QueryTables, limits: &Limits) -> Result<SubqueryRows, Error> {
    let mut members = SubqueryRows::default();
    let inner: Vec<Option<&'static Column>> = subquery
        .plan
        .projections
        .iter()
        .map(|projection| match projection {
            Projection::Column(column) => Some(*column),
            Projection::Member { .. } | Projection::Function(_) => None,
        })
        .collect();
    for row in run(&subquery.plan, tables, limits)? {
        let Some(row) = row.as_object() else { continue };
        let mut key = Vec::new();
        for (outer, inner) in subquery.columns.iter().zip(&inner) {
            let Some(inner) = inner else { continue };
            key.push(coerced(row.get(inner.name).unwrap_or(&Json::Null), inner, outer));
        }
        if key.iter().any(Option::is_none) {
            members.has_null = true;
        } else {
            let key: Vec<Json> = key.into_iter().flatten().collect();
            members.rows.insert(canonical(&Json::Array(key)));
        }
    }
    Ok(members)
}

/// Returns a value of one column as another one has it; `None` for null.
fn coerced(value: &Json, from: &Column, to: &Column) -> Option<Json> {
    match to.column_type {
        ColumnType::Text => text(value).map(Json::from),
        ColumnType::FactValue if from.column_type == ColumnType::FactValue => Some(value.clone()),
        _ => (!value.is_null()).then(|| value.clone()),
    }
}
