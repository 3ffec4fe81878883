# frozen_string_literal: true

require_relative "../puppetfn"
require_relative "pal/process"
require_relative "pal/arguments"
require_relative "pal/environments"
require_relative "pal/context"
require_relative "pal/compilation"
require_relative "pal/function_signature"
require_relative "pal/compiler"
require_relative "pal/script_compiler"
require_relative "pal/catalog_compiler"
require_relative "pal/json_catalog_encoder"

module Puppetfn
  module Puppet
    # Puppet as a library: the API of programs that embed Puppet, on {Puppetfn::Runtime}.
    #
    #   require "puppetfn/pal"
    #
    #   Puppet::Pal.in_tmp_environment("mine", modulepath: ["modules"], facts: {}) do |pal|
    #     pal.with_script_compiler { |compiler| compiler.call_function("stdlib::extname", "a.b") }
    #   end
    #
    # Arguments are checked, and errors worded, as in Puppet. docs/pal.md lists the differences.
    module Pal
      extend StandIn

      class << self
        # Yields this module, for use in an environment that is made for the length of a block.
        #
        # @param env_name [String] shows in errors
        # @param modulepath [Array<String>] directories with modules
        # @param settings_hash [Hash] means nothing, as in Puppet
        # @param facts [Hash, nil] without facts, none are determined
        # @param variables [Hash{String=>Object}] variables of the top scope
        # @yieldparam pal [Puppet::Pal]
        # @return [Object] the result of the block
        # @raise [Puppet::Pops::Types::TypeAssertionError] when an argument is of the wrong type
        def in_tmp_environment(env_name, modulepath: [], settings_hash: {}, facts: nil, variables: {}, &block) # rubocop:disable Lint/UnusedMethodArgument
          Arguments.non_empty_string(env_name, "temporary environment name")
          Arguments.strings(modulepath, "modulepath")
          raise Puppetfn::Error[ArgumentError], "A block must be given to 'in_tmp_environment'" unless block

          environment = Environment.new(nil, modulepath, name: env_name)
          Context.new(environment, facts: facts, variables: variables).during { block.call(self) }
        end

        # Yields this module, for use in an environment that has a directory.
        #
        # @param env_name [String]
        # @param modulepath [Array<String>, nil] in place of the environment's
        # @param pre_modulepath [Array<String>] comes before it
        # @param post_modulepath [Array<String>] comes after it
        # @param settings_hash [Hash] means nothing, as in Puppet
        # @param env_dir [String, nil] the directory
        # @param envpath [String, nil] directories in one of which is the directory, if `env_dir` is not given
        # @param facts [Hash, nil]
        # @param variables [Hash{String=>Object}]
        # @yieldparam pal [Puppet::Pal]
        # @return [Object] the result of the block
        # @raise [ArgumentError] when there is no such directory
        # @raise [Puppet::Pops::Types::TypeAssertionError] when an argument is of the wrong type
        def in_environment(env_name, modulepath: nil, pre_modulepath: [], post_modulepath: [], settings_hash: {}, # rubocop:disable Lint/UnusedMethodArgument
                           env_dir: nil, envpath: nil, facts: nil, variables: {}, &block)
          Arguments.non_empty_string(env_name, "env_name")
          Arguments.strings(modulepath, "modulepath", allow_nil: true)
          Arguments.strings(pre_modulepath, "pre_modulepath")
          Arguments.strings(post_modulepath, "post_modulepath")
          Arguments.mutually_exclusive(env_dir, envpath, "env_dir", "envpath")
          raise Puppetfn::Error[ArgumentError], "A block must be given to 'in_environment'" unless block

          found = env_dir ? Environments.at(env_dir) : Environments.find(env_name, envpath)
          path = [*pre_modulepath, *(modulepath || found.modulepath), *post_modulepath]
          environment = Environment.new(found.directory, path, name: env_name)
          context = Context.new(environment, manifest: found.manifest, facts: facts, variables: variables)
          context.during { block.call(self) }
        end

        # Yields a compiler for scripts, which evaluates code and calls functions.
        #
        # @param configured_by_env [Boolean] whether the manifest of the environment is evaluated first
        # @param manifest_file [String, nil] a file that is evaluated first
        # @param code_string [String, nil] code that is evaluated first
        # @param facts [Hash] take precedence over facts of the environment
        # @param variables [Hash{String=>Object}] take precedence over variables of the environment
        # @param set_local_facts [Boolean] whether `$facts`, `$trusted` and `$server_facts` are set
        # @yieldparam compiler [ScriptCompiler]
        # @return [Object] the result of the block
        # @raise [Puppet::Error] whatever is raised in the block, and by the code
        def with_script_compiler(configured_by_env: false, manifest_file: nil, code_string: nil, facts: {},
                                 variables: {}, set_local_facts: true, &block)
          main = Compilation::Main.for(configured_by_env, manifest_file, code_string)
          ScriptCompilation.new(Context.current!, main, facts, variables, set_local_facts).run(&block)
        end

        # Yields a compiler that makes a catalog.
        #
        # @param configured_by_env [Boolean] whether the manifest of the environment is evaluated first
        # @param manifest_file [String, nil] a file that is evaluated first
        # @param code_string [String, nil] code that is evaluated first
        # @param facts [Hash] take precedence over facts of the environment
        # @param variables [Hash{String=>Object}] take precedence over variables of the environment
        # @param target_variables [Hash{String=>Object}] come after both
        # @yieldparam compiler [CatalogCompiler]
        # @return [Object] the result of the block
        # @raise [Puppet::Error] whatever is raised in the block, and by the code
        def with_catalog_compiler(configured_by_env: false, manifest_file: nil, code_string: nil, facts: {},
                                  variables: {}, target_variables: {}, &block)
          main = Compilation::Main.for(configured_by_env, manifest_file, code_string)
          CatalogCompilation.new(Context.current!, main, facts, variables, target_variables).run(&block)
        end

        # Evaluates code in a compiler for scripts.
        #
        # @param code_string [String]
        # @return [Object] the value of the last statement
        # @deprecated as in Puppet, and not there in OpenVox 9; use {with_script_compiler}
        def evaluate_script_string(code_string)
          with_script_compiler { |compiler| compiler.evaluate_string(code_string) }
        end

        # Evaluates a file in a compiler for scripts.
        #
        # @param manifest_file [String]
        # @return [Object] the value of the last statement
        # @deprecated as in Puppet, and not there in OpenVox 9; use {with_script_compiler}
        def evaluate_script_manifest(manifest_file)
          with_script_compiler { |compiler| compiler.evaluate_file(manifest_file) }
        end
      end
      singleton_class.undef_method(:evaluate_script_string, :evaluate_script_manifest) if Target.default.has?(:no_script_methods)
    end
  end
end
