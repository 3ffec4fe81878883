# frozen_string_literal: true

require_relative "puppetfn/extension"
require_relative "puppetfn/namespace"
require_relative "puppetfn/errors"

# A file is named after its constant, by Zeitwerk's rules; plain `autoload` loads it. The folders below group files by purpose
# and are not namespaces. A folder that is named after a class or module has the constants nested in it.
module Puppetfn
  library = File.join(__dir__, "puppetfn")
  autoload :CallerScope, "#{library}/evaluation/caller_scope"
  autoload :Catalog, "#{library}/catalog/catalog"
  autoload :CatalogLoans, "#{library}/catalog/catalog_loans"
  autoload :CatalogWrites, "#{library}/catalog/catalog_writes"
  autoload :Check, "#{library}/reporting/check"
  autoload :ClassOfFunction, "#{library}/callables/class_of_function"
  autoload :CodeFunction, "#{library}/callables/code_function"
  autoload :Compat, "#{library}/compat"
  autoload :Compiler, "#{library}/evaluation/compiler"
  autoload :Configuration, "#{library}/catalog/configuration"
  autoload :DataTypeLoader, "#{library}/loading/data_type_loader"
  autoload :DefinitionFile, "#{library}/loading/definition_file"
  autoload :Diagnostic, "#{library}/reporting/diagnostic"
  autoload :Environment, "#{library}/environment/environment"
  autoload :EvaluatedFiles, "#{library}/loading/evaluated_files"
  autoload :Facts, "#{library}/environment/facts"
  autoload :Fleet, "#{library}/catalog/fleet"
  autoload :FunctionLoader, "#{library}/loading/function_loader"
  autoload :FunctionSignature, "#{library}/callables/function_signature"
  autoload :Functions, "#{library}/functions"
  autoload :Immutable, "#{library}/values/immutable"
  autoload :Injector, "#{library}/evaluation/injector"
  autoload :LegacyFunctionLoader, "#{library}/loading/legacy_function_loader"
  autoload :LegacyFunctions, "#{library}/callables/legacy_functions"
  autoload :Libraries, "#{library}/libraries/libraries"
  autoload :Loaders, "#{library}/loading/loaders"
  autoload :Logs, "#{library}/reporting/logs"
  autoload :MissingLibrary, "#{library}/libraries/missing_library"
  autoload :ObjectImplementation, "#{library}/values/object_implementation"
  autoload :RalCatalog, "#{library}/ral/ral_catalog"
  autoload :FilteredCatalog, "#{library}/catalog/filtered_catalog"
  autoload :Recent, "#{library}/recent"
  autoload :RedefinedScope, "#{library}/evaluation/redefined_scope"
  autoload :RegularFile, "#{library}/loading/regular_file"
  autoload :RelationshipGraph, "#{library}/ral/relationship_graph"
  autoload :ResourceTypes, "#{library}/ral/resource_types"
  autoload :Sandbox, "#{library}/loading/sandbox"
  autoload :Scope, "#{library}/evaluation/scope"
  autoload :ScriptCompiler, "#{library}/evaluation/script_compiler"
  autoload :Settings, "#{library}/environment/settings"
  autoload :SharedNames, "#{library}/ral/shared_names"
  autoload :StandIn, "#{library}/compat/stand_in"
  autoload :StandardLibrary, "#{library}/libraries/standard_library"
  autoload :Target, "#{library}/environment/target"
  autoload :Translation, "#{library}/translation"
end

# The extension defines these classes and modules, so naming them would load nothing. The files add the methods in Ruby.
require_relative "puppetfn/callables/closure"
require_relative "puppetfn/catalog/graph"
require_relative "puppetfn/cli"
require_relative "puppetfn/doc"
require_relative "puppetfn/loading/loader"
require_relative "puppetfn/loading/snapshot"
require_relative "puppetfn/reporting/coverage"
require_relative "puppetfn/runtime"
require_relative "puppetfn/values/puppet_object"
require_relative "puppetfn/values/type"

require_relative "puppetfn/eager_load"

module Puppetfn
  # Constants that only some programs use are loaded on first use. All others are loaded now: a thread must not be
  # interrupted while it loads a constant (see {.eager_load!}).
  deferred = %i[
    CatalogLoans Check CodeFunction Configuration Cty DataTypeLoader Diagnostic FilteredCatalog Fleet FunctionSignature LegacyFunctionLoader
    Libraries MissingLibrary ObjectImplementation RalCatalog RelationshipGraph ResourceTypes ScriptCompiler SharedNames
  ]
  (constants(false) - deferred).each { |name| const_get(name, false) }
end
