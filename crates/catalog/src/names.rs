//! Collections by names.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};

/// Values by names, in order of insertion. Names are short: the standard hasher takes several times as long.
pub type NameMap<N, V> = IndexMap<N, V, RandomState>;

/// Names, in order of insertion.
pub(crate) type NameSet<N> = IndexSet<N, RandomState>;

/// Values by short keys, in no order.
pub type FastMap<K, V> = HashMap<K, V, RandomState>;
