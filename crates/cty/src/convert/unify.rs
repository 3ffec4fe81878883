//! The one type that values of several types can be converted to.
//!
//! See go-cty's `cty/convert/unify.go`.

use super::order::by_preference;
use super::{Conversion, Safety};
use crate::types::CtyType;

/// Number of types of each kind.
#[derive(Default)]
struct KindCounts {
    maps: usize,
    lists: usize,
    sets: usize,
    objects: usize,
    tuples: usize,
    dynamic: usize,
}

impl KindCounts {
    fn of(types: &[CtyType]) -> Self {
        let mut kinds = Self::default();
        for t in types {
            match t {
                CtyType::Map(_) => kinds.maps += 1,
                CtyType::List(_) => kinds.lists += 1,
                CtyType::Set(_) => kinds.sets += 1,
                CtyType::Object(_) => kinds.objects += 1,
                CtyType::Tuple(_) => kinds.tuples += 1,
                CtyType::Dynamic => kinds.dynamic += 1,
                CtyType::Bool | CtyType::Number | CtyType::String | CtyType::Capsule(_) => {}
            }
        }
        kinds
    }
}

/// Returns a type to which values of all these types can be converted, if there is one.
pub fn unify(types: &[CtyType], safety: Safety) -> Option<CtyType> {
    let KindCounts { maps, lists, sets, objects, tuples, dynamic } = KindCounts::of(types);
    let all = types.len();
    let only = |count: usize| count > 0 && count + dynamic == all;
    let with = |count: usize, others: usize| count > 0 && count + others + dynamic == all;
    if dynamic > 0 && [maps, lists, sets, objects, tuples].into_iter().any(only) {
        return Some(CtyType::Dynamic);
    }
    if only(maps) {
        return unify_collections(types, CtyType::map, safety);
    }
    if only(lists) {
        return unify_collections(types, CtyType::list, safety);
    }
    if only(sets) {
        return unify_collections(types, CtyType::set, safety);
    }
    if only(objects) {
        return unify_objects(types, safety);
    }
    if only(tuples) {
        return unify_tuples(types, safety);
    }
    if with(maps, objects)
        && let Some(t @ CtyType::Map(_)) = unify_mixed(types, is_object, objects_to_map, safety)
    {
        return Some(t);
    }
    if with(lists, tuples)
        && let Some(t @ CtyType::List(_)) = unify_mixed(types, is_tuple, tuples_to_list, safety)
    {
        return Some(t);
    }
    // Which of the cases above a mixture is of is decided once.
    if objects > 0 && tuples > 0 && !with(maps, objects) && !with(lists, tuples) {
        return None;
    }
    let fits = |wanted: &CtyType| types.iter().all(|t| converts(t, wanted, safety));
    by_preference(types).into_iter().find(|wanted| fits(wanted)).cloned()
}

fn converts(from: &CtyType, to: &CtyType, safety: Safety) -> bool {
    from == to || Conversion::find(from, to, safety).is_some()
}

fn is_object(t: &CtyType) -> bool {
    matches!(t, CtyType::Object(_))
}

fn is_tuple(t: &CtyType) -> bool {
    matches!(t, CtyType::Tuple(_))
}

/// Unifies the types that are `structural` to a collection, and then the collection with the other types.
fn unify_mixed(
    types: &[CtyType],
    structural: fn(&CtyType) -> bool,
    to_collection: fn(&[CtyType], Safety) -> Option<CtyType>,
    safety: Safety,
) -> Option<CtyType> {
    let own: Vec<CtyType> = types.iter().filter(|t| structural(t)).cloned().collect();
    let collection = to_collection(&own, safety)?;
    let replaced = |t: &CtyType| if structural(t) { collection.clone() } else { t.clone() };
    unify(&types.iter().map(replaced).collect::<Vec<_>>(), safety)
}

fn unify_collections(
    types: &[CtyType],
    collection: fn(CtyType) -> CtyType,
    safety: Safety,
) -> Option<CtyType> {
    let elements: Vec<CtyType> = types.iter().filter_map(CtyType::element_type).cloned().collect();
    let unified = collection(unify(&elements, safety)?);
    types.iter().all(|t| converts(t, &unified, safety)).then_some(unified)
}

fn unify_objects(types: &[CtyType], safety: Safety) -> Option<CtyType> {
    let objects: Vec<_> = types.iter().filter_map(CtyType::attributes).collect();
    let (first, others) = objects.split_first()?;
    if others.iter().any(|attributes| !attributes.keys().eq(first.keys())) {
        return objects_to_map(types, safety);
    }
    let mut unified = Vec::new();
    for name in first.keys() {
        let across: Vec<CtyType> =
            objects.iter().filter_map(|attributes| attributes.get(name)).cloned().collect();
        unified.push((name, unify(&across, safety)?));
    }
    let unified = CtyType::object(unified);
    if types.iter().all(|t| converts(t, &unified, safety)) {
        return Some(unified);
    }
    objects_to_map(types, safety)
}

fn objects_to_map(types: &[CtyType], safety: Safety) -> Option<CtyType> {
    let attributes = types.iter().filter_map(CtyType::attributes).flat_map(|attributes| attributes.values());
    let unified = CtyType::map(unify(&attributes.cloned().collect::<Vec<_>>(), safety)?);
    types.iter().all(|t| converts(t, &unified, safety)).then_some(unified)
}

fn unify_tuples(types: &[CtyType], safety: Safety) -> Option<CtyType> {
    let tuples: Vec<&[CtyType]> = types.iter().filter_map(CtyType::tuple_elements).collect();
    let (first, others) = tuples.split_first()?;
    if others.iter().any(|elements| elements.len() != first.len()) {
        return tuples_to_list(types, safety);
    }
    let mut unified = Vec::new();
    for place in 0..first.len() {
        let across: Vec<CtyType> =
            tuples.iter().filter_map(|elements| elements.get(place)).cloned().collect();
        unified.push(unify(&across, safety)?);
    }
    let unified = CtyType::tuple(unified);
    if types.iter().all(|t| converts(t, &unified, safety)) {
        return Some(unified);
    }
    tuples_to_list(types, safety)
}

fn tuples_to_list(types: &[CtyType], safety: Safety) -> Option<CtyType> {
    let elements = types.iter().filter_map(CtyType::tuple_elements).flatten();
    let unified = CtyType::list(unify(&elements.cloned().collect::<Vec<_>>(), safety)?);
    types.iter().all(|t| converts(t, &unified, safety)).then_some(unified)
}
