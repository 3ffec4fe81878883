# frozen_string_literal: true

# Loaded first: these classes have names of Puppet's and define the namespaces of these names.
%i[Catalog Scope].each { |name| Puppetfn.const_get(name, false) }

require_relative "compat/errors"
require_relative "compat/util"
require_relative "compat/logging"
require_relative "compat/puppet"
require_relative "compat/facter"
require_relative "compat/features"
require_relative "compat/resource"
require_relative "compat/resource_type"
require_relative "compat/node"
require_relative "compat/util/support"
require_relative "compat/parser"
require_relative "compat/pops"
require_relative "compat/pops/types"
require_relative "compat/pops/values"
require_relative "values/binary"
require_relative "values/sem_ver"
require_relative "values/sem_ver_range"
require_relative "values/time_data"
require_relative "values/timespan"
require_relative "values/timestamp"
require_relative "compat/pops/parsing"

module Puppetfn
  # Parts that many functions do without are loaded when they are first named.
  {
    Puppet => {
      FileSystem: "file_system", Module: "module", DataTypes: "data_types",
      # For resource types.
      Type: "type", Parameter: "parameter", Property: "property", Provider: "provider",
      Confine: "provider", Confiner: "provider", ConfineCollection: "provider", Coercion: "coercion",
      ResourceApi: "resource_api", Relationship: "relationship", SELFileContext: "property/sel_file_context",
      ConstantAlreadyDefined: "class_generator", SubclassAlreadyDefined: "class_generator",
      Application: "application", FileServing: "file_serving", Generate: "generate", Network: "network", HTTP: "http",
      Graph: "graph", Reports: "reports", Services: "services", Test: "test", Transaction: "transaction"
    },
    Puppet::Resource => {Status: "resource/status"}, Puppet::Util => {Docs: "docs"},
    Puppet::Parser => {
      Functions: "parser/functions", Resource: "parser/resource", TemplateWrapper: "parser/template_wrapper"
    },
    Puppet::Pops => {Serialization: "pops/serialization"},
    Puppet::Pops::Evaluator => {
      Runtime3Converter: "pops/runtime3_converter", Runtime3FunctionArgumentConverter: "pops/runtime3_converter",
      Runtime3ResourceSupport: "pops/runtime3_resource_support"
    },
    Puppet::Pops::Types => {
      Iterable: "pops/iterable", Iterator: "pops/iterable", HashIterator: "pops/iterable",
      TypeFactory: "pops/type_factory", ValueText: "pops/value_text",
      Singleton: "pops/type_operations", StringConverter: "pops/type_operations",
      TypeAsserter: "pops/type_operations", TypeCalculator: "pops/type_operations",
      TypeFormatter: "pops/type_operations", TypeMismatchDescriber: "pops/type_operations",
      TypeParser: "pops/type_operations"
    }
  }.each { |namespace, files| files.each { |name, file| namespace.autoload(name, File.join(__dir__, "compat", file)) } }

  # Where functions `require` files of Puppet, these stand for them.
  #
  # @api private
  module Compat
    # The files of Puppet whose content is defined by puppetfn.
    FEATURES = %w[
      puppet/coercion puppet/confine puppet/confine_collection puppet/confiner puppet/datatypes puppet/error puppet/file_system puppet/functions
      puppet/generate/models/type/property puppet/generate/models/type/type
      puppet/module puppet/network/http_pool puppet/parameter puppet/parameter/boolean puppet/parameter/package_options puppet/parameter/path
      puppet/parameter/value puppet/parameter/value_collection puppet/parser puppet/parser/files puppet/parser/functions puppet/parser/resource
      puppet/parser/scope puppet/parser/templatewrapper puppet/pops puppet/property puppet/property/boolean
      puppet/property/ensure puppet/property/keyvalue puppet/property/list puppet/property/ordered_list
      puppet/provider puppet/provider/exec puppet/provider/package puppet/provider/parsedfile puppet/resource
      puppet/resource_api puppet/resource_api/simple_provider puppet/type puppet/type/file/selcontext puppet/util puppet/util/checksums
      puppet/util/classgen puppet/util/diff puppet/util/errors puppet/util/execution puppet/util/filetype
      puppet/util/inifile puppet/util/json puppet/util/log puppet/util/logging puppet/util/package
      puppet/util/package/version/debian puppet/util/package/version/gem puppet/util/package/version/range
      puppet/util/package/version/range/eq puppet/util/package/version/range/gt
      puppet/util/package/version/range/gt_eq puppet/util/package/version/range/lt puppet/util/package/version/range/lt_eq
      puppet/util/package/version/range/min_max puppet/util/package/version/range/simple
      puppet/util/platform puppet/util/profiler puppet/util/provider_features puppet/util/puppetdb puppet/util/suidmanager
      puppet/util/symbolic_file_mode puppet/util/tagging puppet/version semantic_puppet
    ].map { |file| "#{file}.rb" }.freeze

    # The other files of Puppet: requiring one changes nothing, and whoever uses a name that it would define is told
    # that it is missing.
    OTHERS = %r{\Apuppet/(?:
      (?:agent|application|configurer|confine/\w+|context|daemon|data_binding|defaults|environments|etc|face|facter_impl|feature/base|
      ffi|file_bucket|file_serving|forge|gettext|graph|http|indirector|info_service|interface|loaders|metatype|module_tool|
      network|node|pal|pops|reports|resource/catalog|resource/status|runtime|scheduler|settings|ssl|thread_local|
      transaction|trusted_external|x509|resource_api/\w+|provider/(?:aixobject|ldap|nameservice|network_device|package_targetable))(?:/\w+)*|
      util/(?:at_fork|autoload|backups|character_encoding|colors|command_line|constant_inflector|docs|execution_stub|feature|
      file_watcher|fileparsing|http_proxy|instance_loader|json_lockfile|ldap(?:/\w+)?|libuser|limits|lockfile|metaid|metric|
      monkey_patches|multi_match|network_device(?:/\w+)*|pidlock|plist|posix|psych_support|rdoc|reference|
      resource_template|retry_action|rpm_compare|rubygems|run_mode|selinux|skip_tags|splayer|storage|tag_set|terminal|
      user_attr|warnings|watched_file|watcher|windows(?:/\w+)*|yaml)
    )(?:\.rb)?\z}x

    # The directory whose `puppet.rb` stands for Puppet's.
    SHIM = File.join(__dir__, "compat", "shim")

    class << self
      # Makes `require "puppet/util"` and the like resolve to the code that is loaded already.
      def provide
        $LOAD_PATH.unshift(SHIM)
        $LOADED_FEATURES.concat(FEATURES)
      end

      # Answers `require "puppet"`.
      #
      # For a function it is done already. Anyone else means Puppet: if it is installed, it gets its
      # name back and is loaded; functions that run in puppetfn keep the constants that they have.
      def puppet_required
        return if Runtime.current || !installed?

        withdraw
        Kernel.warn("puppetfn: Puppet is loaded after puppetfn and takes over the constant Puppet. " \
                    "Require \"puppet\" before \"puppetfn\" to have no ambiguity.")
        Kernel.require("puppet")
      end

      # @param feature [String] as `require` takes it
      # @return [Boolean] whether it is a file of an installed Puppet
      def of_installed_puppet?(feature)
        _, path = $LOAD_PATH.resolve_feature_path(feature)
        library = path&.delete_suffix(".rb")&.delete_suffix(feature.delete_suffix(".rb"))
        !library.nil? && library != path && File.file?(File.join(library, "puppet.rb"))
      end

      private

      def installed?
        paths = $LOAD_PATH - [SHIM]
        paths.any? { |path| File.file?(File.join(path, "puppet.rb")) } || !Gem::Specification.find_by_path("puppet").nil?
      end

      def withdraw
        $LOAD_PATH.delete(SHIM)
        FEATURES.each { |feature| $LOADED_FEATURES.delete(feature) }
        Object.send(:remove_const, :Puppet) if Object.const_defined?(:Puppet) && ::Puppet.equal?(Puppetfn::Puppet)
      end
    end
  end

  Compat.provide unless beside_puppet?
end
