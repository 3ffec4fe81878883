# frozen_string_literal: true

require_relative "puppetfn/extension"

# The parts that are written in Ruby.
require_relative "puppetfn/namespace"
require_relative "puppetfn/cli"
require_relative "puppetfn/errors"
require_relative "puppetfn/regular_file"
require_relative "puppetfn/snapshot"
require_relative "puppetfn/logs"
require_relative "puppetfn/diagnostic"
require_relative "puppetfn/environment"
require_relative "puppetfn/recent"
require_relative "puppetfn/settings"
require_relative "puppetfn/legacy_functions"
require_relative "puppetfn/legacy_functions/puppets_own"
require_relative "puppetfn/functions/translation"
require_relative "puppetfn/facts"
require_relative "puppetfn/scope"
require_relative "puppetfn/caller_scope"
require_relative "puppetfn/injector"
require_relative "puppetfn/catalog"
require_relative "puppetfn/compiler"
require_relative "puppetfn/loader"
require_relative "puppetfn/graph"
require_relative "puppetfn/runtime"
require_relative "puppetfn/runtime/given"
require_relative "puppetfn/runtime/types"
require_relative "puppetfn/runtime/origins"
require_relative "puppetfn/runtime/node"
require_relative "puppetfn/runtime/writes"
require_relative "puppetfn/catalog_loans"
require_relative "puppetfn/catalog_writes"
require_relative "puppetfn/values/immutable"
require_relative "puppetfn/values/object"
require_relative "puppetfn/values/features"
require_relative "puppetfn/compat"
require_relative "puppetfn/closure"
require_relative "puppetfn/functions"
require_relative "puppetfn/functions/injection"
require_relative "puppetfn/functions/function"
require_relative "puppetfn/functions/function_3x"
require_relative "puppetfn/functions/dispatcher_builder"
require_relative "puppetfn/functions/local_types"
require_relative "puppetfn/standard_library"
require_relative "puppetfn/sandbox"
require_relative "puppetfn/evaluated_files"
require_relative "puppetfn/definition_file"
require_relative "puppetfn/function_loader"
require_relative "puppetfn/doc"
require_relative "puppetfn/eager_load"

module Puppetfn
  # What not every program needs is loaded when it is first named.
  {
    CodeFunction: "code_function", DataTypeLoader: "data_type_loader", Fleet: "fleet", FunctionSignature: "function_signature",
    LegacyFunctionLoader: "legacy_function_loader", Libraries: "libraries", MissingLibrary: "missing_library",
    ObjectImplementation: "object_implementation",
    RalCatalog: "ral_catalog", RelationshipGraph: "relationship_graph", ResourceTypes: "resource_types"
  }.each { |name, file| autoload name, File.join(__dir__, "puppetfn", file) }
end
