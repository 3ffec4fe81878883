//! Entities of PuppetDB's query language, their columns and relationships.
//!
//! See `query_eng/engine.clj` of PuppetDB.

use std::fmt;

/// An entity: a table that queries select rows from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entity {
    /// Catalogs, with their resources and edges.
    Catalogs,
    /// Relationships of resources.
    Edges,
    /// Environments of nodes.
    Environments,
    /// Events of reports.
    Events,
    /// Leaves of facts.
    FactContents,
    /// Names of facts.
    FactNames,
    /// Paths of the leaves of facts.
    FactPaths,
    /// Facts.
    Facts,
    /// The facts of a node.
    Factsets,
    /// Nodes with their facts and trusted facts.
    Inventory,
    /// Nodes.
    Nodes,
    /// Packages on nodes.
    PackageInventory,
    /// Packages on any node.
    Packages,
    /// Servers that compiled catalogs.
    Producers,
    /// Reports.
    Reports,
    /// Resources.
    Resources,
}

/// The type of a column, which decides how its values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// A text.
    Text,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// A time.
    Timestamp,
    /// A list of texts.
    TextArray,
    /// The value of a fact: any JSON.
    FactValue,
    /// A JSON object whose members can be queried by dotted fields.
    Document,
    /// The path of a leaf of a fact: names and indexes.
    Path,
    /// JSON that cannot be queried.
    Opaque,
}

/// A column of an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name of the column.
    pub name: &'static str,
    /// The type of its values.
    pub column_type: ColumnType,
    /// Whether answers can have it.
    pub projectable: bool,
    /// Whether conditions can name members of its value: `facts.os.family`.
    pub dotted: bool,
}

impl Column {
    const fn new(name: &'static str, column_type: ColumnType) -> Self {
        Self { name, column_type, projectable: true, dotted: false }
    }

    const fn dotted(name: &'static str) -> Self {
        Self { name, column_type: ColumnType::Document, projectable: true, dotted: true }
    }

    const fn hidden(name: &'static str, column_type: ColumnType) -> Self {
        Self { name, column_type, projectable: false, dotted: false }
    }

    /// Whether conditions can name the column.
    pub fn is_queryable(&self) -> bool {
        self.column_type != ColumnType::Opaque
    }
}

/// A relationship for implicit subqueries: columns of both entities that have to be equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntityRelationship {
    /// Columns of the entity of the query.
    pub local: &'static [&'static str],
    /// Columns of the entity of the subquery.
    pub foreign: &'static [&'static str],
}

use ColumnType::{Boolean, Document, FactValue, Integer, Opaque, Path, Text, TextArray, Timestamp};

/// Columns in PuppetDB's order, in which answers have them.
const CATALOGS: &[Column] = &[
    Column::new("version", Text),
    Column::new("certname", Text),
    Column::new("hash", Text),
    Column::new("transaction_uuid", Text),
    Column::new("catalog_uuid", Text),
    Column::new("code_id", Text),
    Column::new("job_id", Text),
    Column::new("environment", Text),
    Column::new("producer_timestamp", Timestamp),
    Column::new("producer", Text),
    Column::new("resources", Opaque),
    Column::new("edges", Opaque),
];

const EDGES: &[Column] = &[
    Column::new("certname", Text),
    Column::new("relationship", Text),
    Column::new("source_title", Text),
    Column::new("source_type", Text),
    Column::new("target_title", Text),
    Column::new("target_type", Text),
];

const NAMES: &[Column] = &[Column::new("name", Text)];

const EVENTS: &[Column] = &[
    Column::new("certname", Text),
    Column::new("configuration_version", Text),
    Column::new("run_start_time", Timestamp),
    Column::new("run_end_time", Timestamp),
    Column::new("report_receive_time", Timestamp),
    Column::new("report", Text),
    Column::new("status", Text),
    Column::new("corrective_change", Boolean),
    Column::new("timestamp", Timestamp),
    Column::new("resource_type", Text),
    Column::new("resource_title", Text),
    Column::new("property", Text),
    Column::new("new_value", Text),
    Column::new("old_value", Text),
    Column::new("message", Text),
    Column::new("file", Text),
    Column::new("line", Integer),
    Column::new("containment_path", TextArray),
    Column::new("containing_class", Text),
    Column::new("environment", Text),
    Column::hidden("latest_report?", Boolean),
    Column::new("name", Text),
];

const FACT_CONTENTS: &[Column] = &[
    Column::new("certname", Text),
    Column::new("environment", Text),
    Column::new("path", Path),
    Column::new("name", Text),
    Column::new("value", FactValue),
];

const FACT_PATHS: &[Column] = &[
    Column::new("type", Text),
    Column::new("path", Path),
    Column::new("name", Text),
    Column::hidden("depth", Integer),
];

const FACTS: &[Column] = &[
    Column::new("certname", Text),
    Column::new("environment", Text),
    Column::new("name", Text),
    Column::new("value", FactValue),
];

const FACTSETS: &[Column] = &[
    Column::new("timestamp", Timestamp),
    Column::new("facts", Document),
    Column::new("certname", Text),
    Column::new("hash", Text),
    Column::new("producer_timestamp", Timestamp),
    Column::new("producer", Text),
    Column::new("environment", Text),
];

const INVENTORY: &[Column] = &[
    Column::new("certname", Text),
    Column::new("timestamp", Timestamp),
    Column::new("environment", Text),
    Column::dotted("facts"),
    Column::dotted("trusted"),
];

const NODES: &[Column] = &[
    Column::new("certname", Text),
    Column::new("deactivated", Timestamp),
    Column::new("expired", Timestamp),
    Column::new("facts_environment", Text),
    Column::new("catalog_timestamp", Timestamp),
    Column::new("facts_timestamp", Timestamp),
    Column::new("report_timestamp", Timestamp),
    Column::new("latest_report_hash", Text),
    Column::new("latest_report_noop", Boolean),
    Column::new("latest_report_noop_pending", Boolean),
    Column::new("latest_report_status", Text),
    Column::new("latest_report_corrective_change", Boolean),
    Column::new("latest_report_job_id", Text),
    Column::new("cached_catalog_status", Text),
    Column::new("catalog_environment", Text),
    Column::new("report_environment", Text),
];

const PACKAGES: &[Column] =
    &[Column::new("package_name", Text), Column::new("version", Text), Column::new("provider", Text)];

const PACKAGE_INVENTORY: &[Column] = &[
    Column::new("certname", Text),
    Column::new("package_name", Text),
    Column::new("version", Text),
    Column::new("provider", Text),
];

const REPORTS: &[Column] = &[
    Column::new("hash", Text),
    Column::new("certname", Text),
    Column::new("noop_pending", Boolean),
    Column::new("puppet_version", Text),
    Column::new("report_format", Integer),
    Column::new("configuration_version", Text),
    Column::new("start_time", Timestamp),
    Column::new("end_time", Timestamp),
    Column::new("producer_timestamp", Timestamp),
    Column::new("producer", Text),
    Column::new("corrective_change", Boolean),
    Column::new("metrics", Opaque),
    Column::new("logs", Opaque),
    Column::new("receive_time", Timestamp),
    Column::new("transaction_uuid", Text),
    Column::new("catalog_uuid", Text),
    Column::new("noop", Boolean),
    Column::new("code_id", Text),
    Column::new("job_id", Text),
    Column::new("cached_catalog_status", Text),
    Column::new("environment", Text),
    Column::new("status", Text),
    Column::new("type", Text),
    Column::hidden("latest_report?", Boolean),
    Column::new("resource_events", Opaque),
];

const RESOURCES: &[Column] = &[
    Column::new("certname", Text),
    Column::new("environment", Text),
    Column::new("resource", Text),
    Column::new("type", Text),
    Column::new("title", Text),
    Column::hidden("tag", TextArray),
    Column::new("tags", TextArray),
    Column::new("exported", Boolean),
    Column::new("file", Text),
    Column::new("line", Integer),
    Column::dotted("parameters"),
];

/// Entities that name nodes, which implicit subqueries relate by `certname`.
const OF_NODES: [Entity; 11] = [
    Entity::Factsets,
    Entity::Reports,
    Entity::PackageInventory,
    Entity::Inventory,
    Entity::Catalogs,
    Entity::Nodes,
    Entity::Facts,
    Entity::FactContents,
    Entity::Events,
    Entity::Edges,
    Entity::Resources,
];

const CERTNAME: EntityRelationship = EntityRelationship { local: &["certname"], foreign: &["certname"] };
const ENVIRONMENT: EntityRelationship = EntityRelationship { local: &["environment"], foreign: &["name"] };
const PRODUCER: EntityRelationship = EntityRelationship { local: &["producer"], foreign: &["name"] };

impl Entity {
    /// All entities, in the order of their names.
    pub const ALL: [Self; 16] = [
        Self::Catalogs,
        Self::Edges,
        Self::Environments,
        Self::Events,
        Self::FactContents,
        Self::FactNames,
        Self::FactPaths,
        Self::Facts,
        Self::Factsets,
        Self::Inventory,
        Self::Nodes,
        Self::PackageInventory,
        Self::Packages,
        Self::Producers,
        Self::Reports,
        Self::Resources,
    ];

    /// Returns the name in queries.
    pub fn name(self) -> &'static str {
        match self {
            Self::Catalogs => "catalogs",
            Self::Edges => "edges",
            Self::Environments => "environments",
            Self::Events => "events",
            Self::FactContents => "fact_contents",
            Self::FactNames => "fact_names",
            Self::FactPaths => "fact_paths",
            Self::Facts => "facts",
            Self::Factsets => "factsets",
            Self::Inventory => "inventory",
            Self::Nodes => "nodes",
            Self::PackageInventory => "package_inventory",
            Self::Packages => "packages",
            Self::Producers => "producers",
            Self::Reports => "reports",
            Self::Resources => "resources",
        }
    }

    /// Returns the entity of a name, in which dashes stand for underscores.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.into_iter().find(|entity| entity.name() == name)
    }

    /// Returns true if PQL has the entity.
    pub fn is_in_pql(self) -> bool {
        !matches!(self, Self::FactNames | Self::Producers)
    }

    /// Returns the name that PuppetDB's messages have.
    pub(crate) fn alias(self) -> &'static str {
        match self {
            Self::FactContents => "fact_nodes",
            _ => self.name(),
        }
    }

    /// Returns true if the rows belong to nodes.
    pub fn names_nodes(self) -> bool {
        OF_NODES.contains(&self)
    }

    /// Returns the columns, in PuppetDB's order.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Catalogs => CATALOGS,
            Self::Edges => EDGES,
            Self::Environments | Self::FactNames | Self::Producers => NAMES,
            Self::Events => EVENTS,
            Self::FactContents => FACT_CONTENTS,
            Self::FactPaths => FACT_PATHS,
            Self::Facts => FACTS,
            Self::Factsets => FACTSETS,
            Self::Inventory => INVENTORY,
            Self::Nodes => NODES,
            Self::PackageInventory => PACKAGE_INVENTORY,
            Self::Packages => PACKAGES,
            Self::Reports => REPORTS,
            Self::Resources => RESOURCES,
        }
    }

    /// Returns a column by its name.
    pub fn column(self, name: &str) -> Option<&'static Column> {
        self.columns().iter().find(|column| column.name == name)
    }

    /// Returns the names of the columns that conditions can name, sorted.
    pub fn queryable(self) -> Vec<&'static str> {
        let mut names: Vec<_> =
            self.columns().iter().filter(|column| column.is_queryable()).map(|column| column.name).collect();
        names.sort_unstable();
        names
    }

    /// Returns the names of the columns that answers can have.
    pub fn projectable(self) -> impl Iterator<Item = &'static str> {
        self.columns().iter().filter(|column| column.projectable).map(|column| column.name)
    }

    /// Returns the relationship for an implicit subquery of another entity.
    pub fn relationship(self, other: Self) -> Option<EntityRelationship> {
        match (self, other) {
            (Self::Environments, Self::Producers | Self::PackageInventory | Self::Edges | Self::Nodes) => {
                None
            }
            (Self::Environments, other) if other.names_nodes() => {
                Some(EntityRelationship { local: &["name"], foreign: &["environment"] })
            }
            (Self::Producers, Self::Factsets | Self::Catalogs | Self::Reports) => {
                Some(EntityRelationship { local: &["name"], foreign: &["producer"] })
            }
            (Self::FactPaths, Self::Facts) => {
                Some(EntityRelationship { local: &["name"], foreign: &["name"] })
            }
            (Self::FactPaths, Self::FactContents) => {
                Some(EntityRelationship { local: &["path"], foreign: &["path"] })
            }
            (Self::Facts, Self::FactContents) | (Self::FactContents, Self::Facts) => {
                Some(EntityRelationship { local: &["certname", "name"], foreign: &["certname", "name"] })
            }
            (
                Self::Facts
                | Self::FactContents
                | Self::Reports
                | Self::Catalogs
                | Self::Factsets
                | Self::Events
                | Self::Resources,
                Self::Environments,
            ) => Some(ENVIRONMENT),
            (Self::Reports | Self::Catalogs | Self::Factsets, Self::Producers) => Some(PRODUCER),
            (Self::Reports, Self::Events) => {
                Some(EntityRelationship { local: &["hash"], foreign: &["report"] })
            }
            (Self::Events, Self::Reports) => {
                Some(EntityRelationship { local: &["report"], foreign: &["hash"] })
            }
            (Self::Resources, Self::Catalogs | Self::Nodes) => Some(CERTNAME),
            (Self::Resources | Self::Packages, _) => None,
            // PuppetDB has `package-inventory` here, which no query can name.
            (_, Self::PackageInventory) => None,
            (from, to) if from.names_nodes() && to.names_nodes() => Some(CERTNAME),
            _ => None,
        }
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
