//! Writes of functions in Ruby to the catalog and to scopes, through `Puppetfn::Evaluator`.

use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{Error, Module, RArray, RClass, Ruby, Symbol, TryConvert, Value, method};
use puppetfn::catalog::{Membership, Reference, ResourceChange, WrittenParameter, WrittenResource};
use puppetfn::error::SourceLocation;

use super::evaluator::Evaluator;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, of_code};
use crate::ruby::raw::once;

/// The type and title of a resource.
type TypeAndTitle = (String, String);

fn reference((type_name, title): &TypeAndTitle) -> Reference {
    Reference::new(type_name, title)
}

fn place(file: Option<String>, line: Option<u32>) -> Option<SourceLocation> {
    (file.is_some() || line.is_some()).then(|| SourceLocation {
        file: file.map(Arc::from),
        line,
        column: None,
    })
}

/// Returns a parameter of an array: its name, value, file and line, and whether the calling code sets it and adds to
/// the value before.
fn parameter(ruby: &Ruby, parameter: Value) -> Result<WrittenParameter, Error> {
    let (name, value, file, line, is_of_caller, is_added) =
        <(String, Value, Option<String>, Option<u32>, bool, bool)>::try_convert(parameter)?;
    let value = to_value(ruby, value)?;
    Ok(WrittenParameter { name: name.into(), value, place: place(file, line), is_of_caller, is_added })
}

fn parameters(ruby: &Ruby, given: RArray) -> Result<Vec<WrittenParameter>, Error> {
    given.into_iter().map(|given| parameter(ruby, given)).collect()
}

fn names(value: Value) -> Result<Vec<Arc<str>>, Error> {
    Ok(Vec::<String>::try_convert(value)?.into_iter().map(Arc::from).collect())
}

fn change_of(ruby: &Ruby, kind: Symbol, value: Value) -> Result<ResourceChange, Error> {
    Ok(match &*kind.name()? {
        "parameter" => ResourceChange::Parameter(parameter(ruby, value)?),
        "value" => {
            let (name, value) = <(String, Value)>::try_convert(value)?;
            ResourceChange::Value(name.into(), to_value(ruby, value)?)
        }
        "removal" => ResourceChange::Removal(String::try_convert(value)?.into()),
        "virtual" => ResourceChange::Virtual(value.to_bool()),
        "exported" => ResourceChange::Exported(value.to_bool()),
        "evaluated" => ResourceChange::Evaluated(value.to_bool()),
        "tags" => ResourceChange::Tags(names(value)?),
        "file" => ResourceChange::File(Option::<String>::try_convert(value)?.map(Arc::from)),
        "line" => ResourceChange::Line(Option::<u32>::try_convert(value)?),
        "sensitive" => ResourceChange::Sensitive(names(value)?),
        other => {
            return Err(Error::new(
                ruby.exception_arg_error(),
                format!("unknown change of a resource: {other}"),
            ));
        }
    })
}

impl Evaluator {
    /// @yard
    /// @def change_resource(type, title, change, value)
    /// Changes a declared resource, without the rules for code.
    /// @param type [String]
    /// @param title [String]
    /// @param change [:parameter, :value, :removal, :virtual, :exported, :evaluated, :tags, :file, :line, :sensitive]
    /// @param value [Object] for `:parameter` an array of its name, value, file and line, and whether the calling code sets it
    ///   and adds to the value before; for `:value` the name of a parameter and its value
    /// @raise [Puppet::Error] when there is no such resource
    fn change_resource(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: String,
        change: Symbol,
        value: Value,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let (reference, change) = (Reference::new(&type_name, &title), change_of(ruby, change, value)?);
            this.with_catalog(ruby, |core| core.change_resource(&reference, change))
        })
    }

    /// @yard
    /// @def add_resource(type, title, parameters, exposure, tags, place, scopes)
    /// Adds a resource to the catalog.
    /// @param type [String]
    /// @param title [Object]
    /// @param parameters [Array<Array>] as of {#change_resource}
    /// @param exposure [Array(Boolean, Boolean)] whether it is virtual and exported
    /// @param tags [Array<String>]
    /// @param place [Array(String, Integer)] the file and the line of the declaration, nil if unknown
    /// @param scopes [Array(Integer, Integer), nil] the scopes of the resource and of its container; nil for none:
    ///   nothing contains or evaluates it
    /// @raise [Puppet::Error] when there is no such type, or when the resource is declared already
    #[allow(clippy::too_many_arguments, reason = "Ruby passes all fields of a resource in one call")]
    fn add_resource(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: Value,
        given: RArray,
        (is_virtual, is_exported): (bool, bool),
        tags: Value,
        (file, line): (Option<String>, Option<u32>),
        scopes: Option<(u32, u32)>,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let resource = WrittenResource {
                type_name,
                title: to_value(ruby, title)?,
                parameters: parameters(ruby, given)?,
                tags: names(tags)?,
                is_virtual,
                is_exported,
                place: place(file, line),
                membership: scopes.map_or(Membership::Listed, |(scope, container)| Membership::Declared {
                    scope,
                    container,
                }),
            };
            this.with_catalog(ruby, |core| core.add_resource(resource))
        })
    }

    /// @yard
    /// @def add_override(type, title, parameters, place)
    /// Overrides a resource's parameters by the rules for the code that called the running function, now or when the
    /// resource is declared.
    /// @param type [String]
    /// @param title [String]
    /// @param parameters [Array<Array>] as of {#change_resource}
    /// @param place [Array(String, Integer)]
    /// @raise [Puppet::Error] when the code may not change it
    fn add_override(
        ruby: &Ruby,
        this: &Self,
        type_name: String,
        title: String,
        given: RArray,
        (file, line): (Option<String>, Option<u32>),
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let (reference, given) = (Reference::new(&type_name, &title), parameters(ruby, given)?);
            this.with_catalog(ruby, |core| core.add_override(reference, given, place(file, line)))
        })
    }

    /// @yard
    /// @def add_edge(container, resource)
    /// Adds a containment edge.
    /// @param container [Array(String, String)] type and title
    /// @param resource [Array(String, String)] type and title
    /// @raise [Puppet::Error] when one of them is not in the catalog
    fn add_edge(
        ruby: &Ruby,
        this: &Self,
        container: TypeAndTitle,
        resource: TypeAndTitle,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            this.with_catalog(ruby, |core| core.add_edge(&reference(&container), &reference(&resource)))
        })
    }

    /// @yard
    /// @def remove_edge(container, resource)
    /// @param container [Array(String, String)] type and title
    /// @param resource [Array(String, String)] type and title
    /// @return [Boolean] whether the edge existed
    fn remove_edge(
        ruby: &Ruby,
        this: &Self,
        container: TypeAndTitle,
        resource: TypeAndTitle,
    ) -> Result<bool, Error> {
        guarded(ruby, || {
            this.with_catalog(ruby, |core| core.remove_edge(&reference(&container), &reference(&resource)))
        })
    }

    /// @yard
    /// @def add_class(name)
    /// Adds a name to the classes of the catalog, and its tag.
    /// @param name [String]
    /// @raise [Puppet::Error] when it cannot be a tag
    fn add_class_name(ruby: &Ruby, this: &Self, name: String) -> Result<(), Error> {
        guarded(ruby, || this.with_catalog(ruby, |core| core.add_class_name(&Arc::from(name))))
    }

    /// @yard
    /// @def tag_catalog(tags)
    /// @param tags [Array<String>]
    /// @raise [Puppet::Error] when one is not a tag
    fn tag_catalog(ruby: &Ruby, this: &Self, tags: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let tags = [to_value(ruby, tags)?];
            this.with_catalog(ruby, |core| core.tag_catalog(&tags))
        })
    }

    /// @yard
    /// @def set_catalog_attribute(name, value)
    /// @param name [String] as the catalog's data has it
    /// @param value [Object]
    fn set_catalog_attribute(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let value = to_value(ruby, value)?;
            this.with_catalog(ruby, |core| core.set_catalog_attribute(&name, value))
        })
    }

    /// @yard
    /// @def scope_defaults(scope, type)
    /// @param scope [Integer]
    /// @param type [String]
    /// @return [Array<Array(String, Object, String, Integer)>] name, value, file and line of the parameters that resources of
    ///   a type have by default because of the scope itself
    fn scope_defaults(ruby: &Ruby, this: &Self, scope: u32, type_name: String) -> Result<RArray, Error> {
        guarded(ruby, || {
            let found = ruby.ary_new();
            for (name, value, place) in
                this.with_catalog(ruby, |core| core.scope_defaults(scope, &type_name))?
            {
                let place = place.as_ref();
                let file = place.and_then(|place| place.file.as_deref());
                found.push((&*name, to_object(ruby, &value)?, file, place.and_then(|place| place.line)))?;
            }
            Ok(found)
        })
    }

    /// @yard
    /// @def define_defaults(scope, type, parameters)
    /// @param scope [Integer]
    /// @param type [String]
    /// @param parameters [Array<Array>] as of {#change_resource}
    /// @raise [Puppet::Error] when one has a default value in the scope already
    fn define_defaults(
        ruby: &Ruby,
        this: &Self,
        scope: u32,
        type_name: String,
        given: RArray,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let given = parameters(ruby, given)?;
            this.with_catalog(ruby, |core| core.define_defaults(scope, &type_name, given))
        })
    }

    /// @yard
    /// @def replace_defaults(scope, type, parameters)
    /// Sets default parameters as {#define_defaults} does, in place of earlier ones of the same names.
    /// @param scope [Integer]
    /// @param type [String]
    /// @param parameters [Array<Array>] as of {#change_resource}
    fn replace_defaults(
        ruby: &Ruby,
        this: &Self,
        scope: u32,
        type_name: String,
        given: RArray,
    ) -> Result<(), Error> {
        guarded(ruby, || {
            let given = parameters(ruby, given)?;
            this.with_catalog(ruby, |core| core.replace_defaults(scope, &type_name, given))
        })
    }

    /// @yard
    /// @def scope_parent(scope)
    /// @param scope [Integer]
    /// @return [Integer, nil] the scope around it
    fn scope_parent(ruby: &Ruby, this: &Self, scope: u32) -> Result<Option<u32>, Error> {
        guarded(ruby, || this.with_catalog(ruby, |core| core.scope_parent(scope)))
    }

    /// @yard
    /// @def scope_global(scope)
    /// @param scope [Integer]
    /// @return [Integer] the scope of the node or the top scope, whose variables it sees
    fn scope_global(ruby: &Ruby, this: &Self, scope: u32) -> Result<u32, Error> {
        guarded(ruby, || this.with_catalog(ruby, |core| core.scope_global(scope)))
    }

    /// @yard
    /// @def class_scope(name)
    /// @param name [String] of a class, without leading `::`
    /// @return [Integer, nil] its scope, if it was evaluated
    fn class_scope(ruby: &Ruby, this: &Self, name: String) -> Result<Option<u32>, Error> {
        guarded(ruby, || this.with_catalog(ruby, |core| Ok(core.class_scope(&name))))
    }

    /// @yard
    /// @def redefine_defaults(scope)
    /// Marks the default parameters of a scope and its inner scopes as redefined, so that they are looked up in the runtime.
    /// @param scope [Integer]
    fn redefine_defaults(ruby: &Ruby, this: &Self, scope: u32) -> Result<(), Error> {
        guarded(ruby, || this.with_catalog(ruby, |core| core.redefine_defaults(scope)))
    }

    /// @yard
    /// @def redefine_lookups
    /// Allows a scope to find variables in a way of its own.
    /// @return [Boolean] false if code has variables, which are not looked up by methods of scopes
    fn redefine_lookups(ruby: &Ruby, this: &Self) -> Result<bool, Error> {
        guarded(ruby, || this.with_core(|core| core.redefine_lookups()))
    }

    /// @yard
    /// @def in_scope(scope)
    /// Acts in a scope for the length of a block, whatever code called the running Ruby function.
    /// @param scope [Integer]
    /// @yieldreturn [Object]
    /// @return [Object] the block's result
    fn in_scope(ruby: &Ruby, this: &Self, scope: u32) -> Result<Value, Error> {
        guarded(ruby, || {
            let block = ruby.block_proc()?;
            let result = this.with_core(|core| core.in_scope(scope, || once(|| block.call(()))))?;
            result.map_err(|error| of_code(ruby, &error))?
        })
    }

    /// @yard
    /// @def lend
    /// Makes {Runtime#settle_loans} run before code continues, because Ruby code holds parameters that it may change.
    fn lend(this: &Self) {
        this.link().lend();
    }

    /// @yard
    /// @def settled
    /// Records that no Ruby code holds parameters any more.
    fn settled(this: &Self) {
        this.link().end_loans();
    }
}

/// Defines the methods.
pub fn init(evaluator: RClass) -> Result<(), Error> {
    evaluator.define_method("scope_global", method!(Evaluator::scope_global, 1))?;
    evaluator.define_method("class_scope", method!(Evaluator::class_scope, 1))?;
    evaluator.define_method("change_resource", method!(Evaluator::change_resource, 4))?;
    evaluator.define_method("add_resource", method!(Evaluator::add_resource, 7))?;
    evaluator.define_method("add_override", method!(Evaluator::add_override, 4))?;
    evaluator.define_method("add_edge", method!(Evaluator::add_edge, 2))?;
    evaluator.define_method("remove_edge", method!(Evaluator::remove_edge, 2))?;
    evaluator.define_method("add_class", method!(Evaluator::add_class_name, 1))?;
    evaluator.define_method("tag_catalog", method!(Evaluator::tag_catalog, 1))?;
    evaluator.define_method("set_catalog_attribute", method!(Evaluator::set_catalog_attribute, 2))?;
    evaluator.define_method("scope_defaults", method!(Evaluator::scope_defaults, 2))?;
    evaluator.define_method("define_defaults", method!(Evaluator::define_defaults, 3))?;
    evaluator.define_method("replace_defaults", method!(Evaluator::replace_defaults, 3))?;
    evaluator.define_method("scope_parent", method!(Evaluator::scope_parent, 1))?;
    evaluator.define_method("redefine_defaults", method!(Evaluator::redefine_defaults, 1))?;
    evaluator.define_method("redefine_lookups", method!(Evaluator::redefine_lookups, 0))?;
    evaluator.define_method("in_scope", method!(Evaluator::in_scope, 1))?;
    evaluator.define_method("lend", method!(Evaluator::lend, 0))?;
    evaluator.define_method("settled", method!(Evaluator::settled, 0))
}
