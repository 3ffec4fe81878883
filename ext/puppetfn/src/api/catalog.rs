//! The catalog of `Puppetfn::Evaluator`, and the operations of functions on it.

use std::collections::HashMap;
use std::sync::Arc;

use magnus::r_hash::ForEach;
use magnus::{
    Error, Module, Object, RArray, RClass, RHash, Ruby, Symbol, TryConvert, Value, function, method,
};
use puppetfn::catalog::{Draft, Identity, Reference, Resource, ResourceRelation, Selection};
use puppetfn::error::{Error as CoreError, SourceLocation};
use puppetfn::eval::{CatalogStep, Manifest, NodeClass, Runtime};
use puppetfn::function::{CatalogCompiler, DefinitionOutline, Exposure, Inclusion};
use puppetfn::value::Value as CoreValue;

use super::describer::Describer;
use super::evaluator::Evaluator;
use super::graph;
use super::limits;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, of_code};

impl Evaluator {
    /// Runs a closure with the runtime, and converts its errors to exceptions.
    pub(super) fn with_catalog<T>(
        &self,
        ruby: &Ruby,
        run: impl FnOnce(&Runtime) -> Result<T, CoreError>,
    ) -> Result<T, Error> {
        self.with_core(run)?.map_err(|error| of_code(ruby, &error))
    }

    /// Does the same with the interface to the catalog that functions use.
    fn with_compiler<T>(
        &self,
        ruby: &Ruby,
        run: impl FnOnce(&dyn CatalogCompiler) -> Result<T, CoreError>,
    ) -> Result<T, Error> {
        self.with_catalog(ruby, |core| run(&core.compiler()))
    }

    /// Returns a copy of a resource, because Ruby may run other threads while it creates its objects.
    fn found(&self, reference: &Reference) -> Result<Option<Resource>, Error> {
        self.with_core(|core| core.with_catalog(|catalog| catalog.resource(reference).cloned()))
    }

    /// @yard
    /// @def makes_catalog?
    /// @return [Boolean] whether code can declare resources; false for scripts
    fn makes_catalog(ruby: &Ruby, this: &Self) -> Result<bool, Error> {
        guarded(ruby, || this.with_core(|core| core.compiler().makes_catalog()))
    }

    /// @yard
    /// @def complete_catalog
    /// Completes the catalog: evaluates the node, resources of defined types and collectors.
    /// @raise [Puppet::Error] when that fails
    fn complete_catalog(ruby: &Ruby, this: &Self) -> Result<(), Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            this.with_catalog(ruby, |core| core.complete_catalog())
        })
    }

    /// @yard
    /// @def compile(manifests, classes)
    /// Compiles the catalog of the node.
    /// @param manifests [Array<Array(String, String)>] the files of the main manifest: code, and the name of a file or
    ///   nil
    /// @param classes [Array<Array(String, Hash{String=>Object})>] the classes of the node with their parameters
    /// @raise [Puppet::Error] when that fails
    fn compile(
        ruby: &Ruby,
        this: &Self,
        manifests: Vec<(String, Option<String>)>,
        classes: RArray,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let manifest =
                |(text, file): (String, Option<String>)| Manifest { text, file: file.map(Arc::from) };
            let manifests: Vec<Manifest> = manifests.into_iter().map(manifest).collect();
            let classes =
                classes.into_iter().map(|class| node_class(ruby, class)).collect::<Result<Vec<_>, _>>()?;
            this.with_catalog(ruby, |core| core.make_catalog(&manifests, &classes))
        })
    }

    /// @yard
    /// @def advance_catalog(step)
    /// @param step [:node, :additions, :validation] the step to run
    fn advance_catalog(ruby: &Ruby, this: &Self, step: Symbol) -> Result<(), Error> {
        guarded(ruby, || {
            let step = match &*step.name()? {
                "node" => CatalogStep::Node,
                "additions" => CatalogStep::Additions,
                "validation" => CatalogStep::Validation,
                other => {
                    let message = format!("unknown step {other}, expected node, additions or validation");
                    return Err(Error::new(ruby.exception_arg_error(), message));
                }
            };
            this.with_catalog(ruby, |core| core.advance_catalog(step))
        })
    }

    /// @yard
    /// @def resources
    /// @return [Array<Array(String, String)>] the types and titles of all resources of the catalog
    fn resources(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let references = |core: &Runtime| core.with_catalog(|catalog| references(catalog.resources()));
            Ok(ruby.ary_from_iter(this.with_core(references)?.iter().map(|found| pair(ruby, found))))
        })
    }

    /// @yard
    /// @def snapshot
    /// Returns the data for instances of resource types, for all resources at once.
    /// @return [Array(Array<Array>, Array<Array(Integer, Integer)>)] all resources as returned by {#described}, and the
    ///   containment edges as pairs of indices in that list
    fn snapshot(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            // The resources are copied, because Ruby may run other threads while it creates its objects.
            let (resources, edges) = this.with_core(|core| core.with_catalog(resources_and_edges))?;
            let found = ruby.ary_new_capa(resources.len());
            let mut describer = Describer::new(ruby);
            resources.iter().try_for_each(|resource| found.push(describer.describe(resource)?))?;
            let edges = ruby.ary_from_iter(edges.into_iter().map(|(a, b)| ruby.ary_from_iter([a, b])));
            Ok(ruby.ary_from_iter([found, edges]))
        })
    }

    /// @yard
    /// @def described(type, title)
    /// @param type [String]
    /// @param title [String]
    /// @return [Array, nil] the data for an instance of its type, if the resource is declared: its type, title,
    ///   parameters by symbols, file, line, whether it is virtual and exported, the names of its sensitive parameters,
    ///   its tags, whether all its parameters are strings, its kind in catalogs, and its title if that is not a String
    fn described(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: String,
    ) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            let found = this.found(&Reference::new(&type_name, &title))?;
            found.map(|resource| Describer::new(ruby).describe(&resource)).transpose()
        })
    }

    /// @yard
    /// @def overview
    /// @return [Array<Array(String, String, String, Boolean, Boolean)>] for each resource the type, the title, the file
    ///   if there is one, and whether it is virtual and exported
    fn overview(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let entry = |resource: &Resource| {
                let reference = resource.reference();
                let file = resource.place().and_then(|place| place.file.as_deref()).map(str::to_owned);
                (
                    reference.type_name().to_string(),
                    reference.title().to_string(),
                    file,
                    resource.is_virtual(),
                    resource.is_exported(),
                )
            };
            let entries = |core: &Runtime| {
                core.with_catalog(|catalog| catalog.resources().map(entry).collect::<Vec<_>>())
            };
            Ok(ruby.ary_from_vec(this.with_core(entries)?))
        })
    }

    /// @yard
    /// @def edges
    /// @return [Array<Array>] the containment edges: pairs of types and titles
    fn edges(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let edges = this.with_core(|core| {
                core.with_catalog(|catalog| {
                    let edges = catalog.edges();
                    edges.map(|(a, b)| (a.reference().clone(), b.reference().clone())).collect::<Vec<_>>()
                })
            })?;
            let edge = |(a, b): &(Reference, Reference)| ruby.ary_from_iter([pair(ruby, a), pair(ruby, b)]);
            Ok(ruby.ary_from_iter(edges.iter().map(edge)))
        })
    }

    /// @yard
    /// @def classes
    /// @return [Array<String>] the names of the classes and nodes that were evaluated
    fn classes(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let names = |core: &Runtime| {
                core.with_catalog(|catalog| catalog.classes().map(str::to_owned).collect::<Vec<_>>())
            };
            Ok(ruby.ary_from_vec(this.with_core(names)?))
        })
    }

    /// @yard
    /// @def catalog_tags
    /// @return [Array<String>]
    fn catalog_tags(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let tags = |core: &Runtime| {
                core.with_catalog(|catalog| {
                    catalog.tags().iter().map(ToString::to_string).collect::<Vec<_>>()
                })
            };
            Ok(ruby.ary_from_vec(this.with_core(tags)?))
        })
    }

    /// @yard
    /// @def resource(type, title)
    /// @param type [String]
    /// @param title [String]
    /// @return [Hash{Symbol=>Object}, nil] the description of a resource, if it is declared
    fn resource(ruby: &Ruby, this: &Self, type_name: String, title: String) -> Result<Option<RHash>, Error> {
        guarded(ruby, || {
            let found = this.found(&Reference::new(&type_name, &title))?;
            found.map(|resource| description(ruby, &resource)).transpose()
        })
    }

    /// @yard
    /// @def declare(type, title, parameters, exposure, place)
    /// Declares a resource in the class or resource in which the running function is called.
    /// @param type [String]
    /// @param title [String]
    /// @param parameters [Hash{String=>Object}]
    /// @param exposure [:regular, :virtual, :exported]
    /// @param place [Array(String, Integer)] the file and the line of the declaration, nil if unknown
    /// @raise [Puppet::Error] when there is no such type, or when the resource is declared already
    fn declare(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: Value,
        parameters: Value,
        exposure: Symbol,
        (file, line): (Option<String>, Option<u32>),
    ) -> Result<(), Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            let given = to_value(ruby, parameters)?;
            let mut parameters = Vec::new();
            if let CoreValue::Hash(hash) = &given {
                for (name, value) in hash.iter() {
                    if let CoreValue::String(name) = name {
                        parameters.push((Arc::clone(name), value.clone()));
                    }
                }
            }
            let exposure = match &*exposure.name()? {
                "virtual" => Exposure::Virtual,
                "exported" => Exposure::Exported,
                _ => Exposure::Regular,
            };
            let titles = [to_value(ruby, title)?];
            let place =
                line.map(|line| SourceLocation { file: file.map(Arc::from), line: Some(line), column: None });
            this.with_compiler(ruby, |compiler| {
                compiler.create_resources(&type_name, &titles, &parameters, exposure, place).map(|_| ())
            })
        })
    }

    /// @yard
    /// @def set_parameter(type, title, name, value)
    /// Sets a parameter of a declared resource.
    /// @param type [String]
    /// @param title [String]
    /// @param name [String]
    /// @param value [Object]
    /// @raise [Puppet::Error] when there is no such resource
    fn set_parameter(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: String,
        name: String,
        value: Value,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let (reference, value) = (Reference::new(&type_name, &title), to_value(ruby, value)?);
            this.with_compiler(ruby, |compiler| compiler.set_parameter(&reference, &name, value))
        })
    }

    /// @yard
    /// @def tag(type, title, tags)
    /// Tags a declared resource.
    /// @param type [String]
    /// @param title [String]
    /// @param tags [Array<String>]
    /// @raise [Puppet::Error] when there is no such resource, or one is not a tag
    fn tag(ruby: &Ruby, this: &Self, type_name: String, title: String, tags: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let (reference, tags) = (Reference::new(&type_name, &title), [to_value(ruby, tags)?]);
            this.with_compiler(ruby, |compiler| compiler.tag_resource(&reference, &tags))
        })
    }

    /// @yard
    /// @def remove(type, title)
    /// Takes a resource out of the catalog.
    /// @param type [String]
    /// @param title [String]
    /// @return [Boolean] whether it was there
    fn remove(ruby: &Ruby, this: &Self, type_name: String, title: String) -> Result<bool, Error> {
        let reference = Reference::new(&type_name, &title);
        guarded(ruby, || this.with_compiler(ruby, |compiler| compiler.remove_resource(&reference)))
    }

    /// @yard
    /// @def include(names)
    /// Declares classes, unless they are declared already.
    /// @param names [Array<String>]
    /// @raise [Puppet::Error] when there is no such class, or its evaluation fails
    fn include(ruby: &Ruby, this: &Self, names: Vec<String>) -> Result<(), Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            this.with_compiler(ruby, |compiler| compiler.include(&names, Inclusion::Include))
        })
    }

    /// @yard
    /// @def container
    /// @return [Array(String, String), nil] the type and title of the class or resource in which the
    ///   function is called that runs
    fn container(ruby: &Ruby, this: &Self) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let container = this.with_compiler(ruby, |compiler| compiler.container())?;
            Ok(container.map(|container| pair(ruby, &container)))
        })
    }

    /// @yard
    /// @def source
    /// @return [Array(String, String, String)] the kind (`hostclass`, `node` or `definition`), name and module of the
    ///   definition whose code called the running function; the top level is a class without a name
    fn source(ruby: &Ruby, this: &Self) -> Result<(&'static str, String, String), Error> {
        guarded(ruby, || {
            let definition = this.with_compiler(ruby, |compiler| compiler.definition())?;
            Ok((definition.kind, definition.name.to_string(), definition.module.to_string()))
        })
    }

    /// @yard
    /// @def class?(name)
    /// @param name [String]
    /// @return [Boolean] whether a class of this name exists
    fn has_class(ruby: &Ruby, this: &Self, name: String) -> Result<bool, Error> {
        let name = name.trim_start_matches("::").to_lowercase();
        guarded(ruby, || this.with_compiler(ruby, |compiler| compiler.has_class(&name)))
    }

    /// @yard
    /// @def definition(kind, name)
    /// @param kind [String] `hostclass` or `definition`
    /// @param name [String]
    /// @return [Array(String, Integer, Array<String>), nil] the file, the line and the parameters of a class or defined type
    fn outline(ruby: &Ruby, this: &Self, kind: String, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let outline =
                this.with_compiler(ruby, |compiler| compiler.definition_outline(kind == "hostclass", &name))?;
            let Some(DefinitionOutline { place, parameters }) = outline else { return Ok(None) };
            let names = ruby.ary_from_iter(parameters.iter().map(|name| name.to_string()));
            let values = ruby.ary_new();
            values.push(place.file.as_deref())?;
            values.push(place.line)?;
            values.push(names)?;
            Ok(Some(values))
        })
    }

    /// @yard
    /// @def resource_type?(name)
    /// @param name [String]
    /// @return [Boolean] whether a resource type of this name exists
    fn has_resource_type(ruby: &Ruby, this: &Self, name: String) -> Result<bool, Error> {
        guarded(ruby, || this.with_compiler(ruby, |compiler| compiler.has_resource_type(&name)))
    }
}

impl Evaluator {
    /// @yard
    /// @def keep_origins
    /// Records the origins of the catalog's resources and parameters.
    fn keep_origins(ruby: &Ruby, this: &Self) -> Result<(), Error> {
        guarded(ruby, || this.with_core(Runtime::keep_origins))
    }

    /// @yard
    /// @def relations(reference)
    /// @param reference [String] such as `File[/etc/motd]`
    /// @return [Array<Hash{String=>Object}>] the relationships of the resource and of its containers: see `relations` of
    ///   `Puppetfn::Catalog#why`
    /// @raise [Puppet::Error] if there is no such resource
    fn relations(ruby: &Ruby, this: &Self, reference: String) -> Result<Value, Error> {
        guarded(ruby, || {
            let Some(found) = Reference::parse(&reference) else {
                let message = format!("expected a resource such as File[/etc/motd], got '{reference}'");
                return Err(Error::new(ruby.exception_arg_error(), message));
            };
            let relations = this.with_catalog(ruby, |core| core.relations(&found))?;
            let data: Vec<_> = relations.iter().map(ResourceRelation::to_data).collect();
            to_object(ruby, &data.into())
        })
    }

    /// @yard
    /// @def cycle_edges
    /// @return [Array<Array<String>>] the edges of each dependency cycle, in sentences
    fn cycle_edges(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let cycles = this.with_core(|core| core.with_catalog(|draft| draft.cycles(&[])))?;
            Ok(graph::edges(ruby, &cycles))
        })
    }

    /// @yard
    /// @def why(reference)
    /// @param reference [String] such as `File[/etc/motd]`
    /// @return [Hash{String=>Object}] why it is in the catalog: see `Puppetfn::Catalog#why`
    /// @raise [ArgumentError] when it is no reference
    /// @raise [Puppet::Error] when there is no such resource, or {#keep_origins} was not called
    fn why(ruby: &Ruby, this: &Self, reference: String) -> Result<Value, Error> {
        guarded(ruby, || {
            let Some(found) = Reference::parse(&reference) else {
                let message = format!("expected a resource such as File[/etc/motd], got '{reference}'");
                return Err(Error::new(ruby.exception_arg_error(), message));
            };
            let why = this.with_catalog(ruby, |core| core.why(&found)?.to_data(&limits::current()))?;
            to_object(ruby, &why)
        })
    }

    /// @yard
    /// @def catalog_data(environment, version, uuid, virtual)
    /// @param environment [String]
    /// @param version [Integer, String] of the code
    /// @param uuid [String] of the catalog
    /// @param virtual [Boolean] whether resources are wanted that are only virtual
    /// @return [Array(Hash{String=>Object}, Array<String>)] the catalog as data in Puppet's form, and the warnings
    /// @raise [Puppet::Error] for values that data cannot represent
    fn catalog_data(
        ruby: &Ruby,
        this: &Self,
        environment: String,
        version: Value,
        uuid: String,
        r#virtual: bool,
    ) -> Result<(Value, Vec<String>), Error> {
        guarded(ruby, || {
            let identity = Identity { environment, version: to_value(ruby, version)?, code_id: None, uuid };
            let selection = if r#virtual { Selection::All } else { Selection::Real };
            this.settle_loans(ruby)?;
            let made = this.with_catalog(ruby, |core| {
                core.with_catalog(|draft| draft.finish(identity, selection, &limits::current()))
            })?;
            Ok((to_object(ruby, &made.catalog.to_value())?, made.warnings))
        })
    }

    /// @yard
    /// @def catalog_json(environment, version, uuid)
    /// @param environment [String]
    /// @param version [Integer, String] of the code
    /// @param uuid [String] of the catalog
    /// @return [Array(String, Array<String>)] the catalog as JSON in Puppet's form, and the warnings
    /// @raise [Puppet::Error] for values that data cannot represent
    fn catalog_json(
        ruby: &Ruby,
        this: &Self,
        environment: String,
        version: Value,
        uuid: String,
    ) -> Result<(String, Vec<String>), Error> {
        guarded(ruby, || {
            let identity = Identity { environment, version: to_value(ruby, version)?, code_id: None, uuid };
            this.settle_loans(ruby)?;
            let text = this.with_catalog(ruby, |core| {
                core.with_catalog(|draft| draft.finish_text(identity, Selection::Real, &limits::current()))
            })?;
            Ok((text.json, text.warnings))
        })
    }
}

/// Returns a class of a node: its name, and a hash of parameters by their names.
fn node_class(ruby: &Ruby, class: Value) -> Result<NodeClass, Error> {
    let (name, given) = <(String, RHash)>::try_convert(class)?;
    let mut parameters = Vec::with_capacity(given.len());
    given.foreach(|name: String, value: Value| {
        parameters.push((name.into(), to_value(ruby, value)?));
        Ok(ForEach::Continue)
    })?;
    Ok(NodeClass { name: name.into(), parameters })
}

fn references<'r>(resources: impl Iterator<Item = &'r Resource>) -> Vec<Reference> {
    resources.map(|resource| resource.reference().clone()).collect()
}

/// Returns the resources of a catalog, and the containment edges as pairs of indices.
fn resources_and_edges(catalog: &Draft) -> (Vec<Resource>, Vec<(usize, usize)>) {
    let resources: Vec<Resource> = catalog.resources().cloned().collect();
    let places: HashMap<&Reference, usize> =
        resources.iter().enumerate().map(|(place, resource)| (resource.reference(), place)).collect();
    let place = |resource: &Resource| places.get(resource.reference()).copied();
    let edges = catalog.edges().filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
    (resources, edges)
}

fn pair(ruby: &Ruby, reference: &Reference) -> RArray {
    ruby.ary_from_iter([&**reference.type_name(), &**reference.title()])
}

/// Returns the description of a resource for Ruby.
fn description(ruby: &Ruby, resource: &Resource) -> Result<RHash, Error> {
    let parameters = ruby.hash_new();
    for (name, value) in resource.given_parameters() {
        parameters.aset(name, to_object(ruby, value)?)?;
    }
    let of_title = ruby.hash_new();
    for (name, value) in resource.of_title() {
        of_title.aset(name, to_object(ruby, &value)?)?;
    }
    let place = resource.place();
    let known = ruby.hash_new();
    known.aset(ruby.to_symbol("type"), resource.type_name())?;
    known.aset(ruby.to_symbol("title"), resource.title())?;
    known.aset(ruby.to_symbol("kind"), resource.kind_name())?;
    known.aset(ruby.to_symbol("parameters"), parameters)?;
    known.aset(ruby.to_symbol("of_title"), of_title)?;
    known.aset(ruby.to_symbol("tags"), ruby.ary_from_iter(resource.tags().iter().map(|tag| &**tag)))?;
    known.aset(ruby.to_symbol("sensitive"), ruby.ary_from_iter(resource.sensitive_parameters()))?;
    known.aset(ruby.to_symbol("virtual"), resource.is_virtual())?;
    known.aset(ruby.to_symbol("exported"), resource.is_exported())?;
    known.aset(ruby.to_symbol("file"), place.and_then(|place| place.file.as_deref()))?;
    known.aset(ruby.to_symbol("line"), place.and_then(|place| place.line))?;
    Ok(known)
}

/// @yard
/// @def name_parameter(type)
/// @param type [String]
/// @return [String] the parameter that names resources of one of Puppet's own types
fn name_parameter(type_name: String) -> &'static str {
    puppetfn::catalog::name_parameter(&type_name)
}

/// Defines the methods.
pub fn init(evaluator: RClass) -> Result<(), Error> {
    evaluator.define_singleton_method("name_parameter", function!(name_parameter, 1))?;
    evaluator.define_method("makes_catalog?", method!(Evaluator::makes_catalog, 0))?;
    evaluator.define_method("complete_catalog", method!(Evaluator::complete_catalog, 0))?;
    evaluator.define_method("compile", method!(Evaluator::compile, 2))?;
    evaluator.define_method("advance_catalog", method!(Evaluator::advance_catalog, 1))?;
    evaluator.define_method("resources", method!(Evaluator::resources, 0))?;
    evaluator.define_method("snapshot", method!(Evaluator::snapshot, 0))?;
    evaluator.define_method("described", method!(Evaluator::described, 2))?;
    evaluator.define_method("overview", method!(Evaluator::overview, 0))?;
    evaluator.define_method("edges", method!(Evaluator::edges, 0))?;
    evaluator.define_method("classes", method!(Evaluator::classes, 0))?;
    evaluator.define_method("catalog_tags", method!(Evaluator::catalog_tags, 0))?;
    evaluator.define_method("resource", method!(Evaluator::resource, 2))?;
    evaluator.define_method("declare", method!(Evaluator::declare, 5))?;
    evaluator.define_method("set_parameter", method!(Evaluator::set_parameter, 4))?;
    evaluator.define_method("tag", method!(Evaluator::tag, 3))?;
    evaluator.define_method("remove", method!(Evaluator::remove, 2))?;
    evaluator.define_method("include", method!(Evaluator::include, 1))?;
    evaluator.define_method("container", method!(Evaluator::container, 0))?;
    evaluator.define_method("source", method!(Evaluator::source, 0))?;
    evaluator.define_method("definition", method!(Evaluator::outline, 2))?;
    evaluator.define_method("class?", method!(Evaluator::has_class, 1))?;
    evaluator.define_method("keep_origins", method!(Evaluator::keep_origins, 0))?;
    evaluator.define_method("relations", method!(Evaluator::relations, 1))?;
    evaluator.define_method("cycle_edges", method!(Evaluator::cycle_edges, 0))?;
    evaluator.define_method("why", method!(Evaluator::why, 1))?;
    evaluator.define_method("catalog_data", method!(Evaluator::catalog_data, 4))?;
    evaluator.define_method("catalog_json", method!(Evaluator::catalog_json, 3))?;
    evaluator.define_method("resource_type?", method!(Evaluator::has_resource_type, 1))
}
