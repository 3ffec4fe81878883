# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # One run of a compiler: it makes a runtime, evaluates the initial code, and yields the compiler.
      #
      # @api private
      class Compilation
        # The code that is evaluated first.
        class Main
          # The file name of code that is given as a String.
          NO_FILE = "unknown-source-location"

          # @return [Main]
          # @raise [ArgumentError] when arguments exclude each other
          # @raise [Puppet::Pops::Types::TypeAssertionError] when an argument is of the wrong type
          def self.for(configured_by_env, manifest_file, code_string)
            Arguments.mutually_exclusive(manifest_file, code_string, "manifest_file", "code_string")
            Arguments.non_empty_string(manifest_file, "manifest_file", allow_nil: true)
            Arguments.non_empty_string(code_string, "code_string", allow_nil: true)
            Arguments.type("Boolean", configured_by_env, "configured_by_env")
            if configured_by_env && (manifest_file || code_string)
              raise Puppetfn::Error[ArgumentError], "manifest_file or code_string cannot be given when configured_by_env is true"
            end

            new(configured_by_env, manifest_file, code_string)
          end

          # @return [String, nil]
          attr_reader :code

          def initialize(configured, file, code)
            @configured = configured
            @file = file
            @code = code
          end

          # Returns the same with defaults from the settings and the environment.
          def resolve(context, settings)
            return self unless @configured

            code = settings[:code] if settings.include?(:code) && settings[:code] != ""
            file = settings[:manifest] if settings.include?(:manifest) && settings[:manifest]
            Main.new(true, file || context.manifest, code)
          end

          # @return [String, nil] the manifest, unless code was given
          def file
            @file unless @code
          end
        end

        # The trusted facts of a node that did not ask for a catalog.
        TRUSTED = {"authenticated" => "local", "certname" => nil, "extensions" => {}, "hostname" => nil, "domain" => nil,
                   "external" => {}}.freeze
        private_constant :TRUSTED

        # @param context [Context]
        # @param main [Main]
        # @param facts [Hash]
        # @param variables [Hash]
        def initialize(context, main, facts, variables)
          @context = context
          @facts = (context.facts || {}).merge(facts || {})
          @variables = variables
          @runtime = make_runtime
          Runtime.process.hand_on_to(@runtime)
          @main = main.resolve(context, @runtime.settings)
          @runtime.settings[:code] = @main.code || ("undef" unless @main.file) || ""
          # Functions that the initial code calls may need it.
          compiler
        end

        # @yieldparam compiler [Compiler]
        # @return [Object] the result of the block
        def run
          @runtime.activate do
            during do
              set_variables
              yield compiler if block_given?
            end
          end
        end

        private

        attr_reader :runtime

        # Sets the trusted and server facts.
        def set_data_of_node
          runtime.scope.set_trusted(TRUSTED)
          runtime.scope.set_server_facts("environment" => environment.to_s)
        end

        # Compilers are always strict.
        def settings
          Runtime.process.settings.assigned.except(:strict, :strict_variables)
        end

        def environment
          @context.environment
        end

        def node_name
          @context.node.name
        end

        # Returns the code that comes first, each with the file that it is from.
        def sources
          return [[@main.code, main_file]] if @main.code

          @sources ||= manifests(@main.file).map { |file| [RegularFile.read(file), file] }
        end

        def evaluate_main
          sources.each { |code, file| evaluate_first(code, file) }
        end

        def evaluate_first(code, file)
          runtime.evaluate_string(code, file)
        rescue ParseErrorWithIssue => e
          e.environment = environment.name if unreadable?(code, file)
          raise
        rescue ParseError => e
          raise unless unreadable?(code, file)

          raise Error, "Could not parse for environment #{environment}: #{e}", e.backtrace
        rescue ArgumentError => e
          # Problems of definitions are found before anything is evaluated.
          raise Error, "Could not parse for environment #{environment}: #{e}", e.backtrace
        end

        def unreadable?(code, file)
          runtime.validate_string(code, file, tasks: runtime.node.nil?).any? { |found| found.severity == :error }
        end

        def refuse_manifest(problem)
          raise Error, "Could not parse for environment #{environment}: manifest of environment '#{environment}' appoints #{problem}"
        end

        # Sets the variables of the environment and of the compilation, except variables with the names of facts.
        def set_variables
          [@context.variables, @variables, target_variables].each do |given|
            raise Puppetfn::Error[ArgumentError], "Given variables must be a hash, got #{given.class}" unless given.is_a?(Hash)
          end
          own = without_those_of(@facts, @variables, "fact", "plan variable")
          target = without_those_of(@facts, target_variables, "fact", "target variable")
          target = without_those_of(own, target, "plan variable", "target variable")
          @context.variables.merge(target, own).each { |name, value| set_variable(name, value) }
        end

        def target_variables
          {}
        end

        def without_those_of(others, variables, kind_of_others, kind)
          hidden, left = variables.partition { |name, _| others.include?(name) }
          if hidden.any?
            names = hidden.map { |name, _| "$#{name}" }.join(", ")
            plural = "s" if hidden.size > 1
            Puppet.warning("#{kind.capitalize}#{plural} #{names} will be overridden by #{kind_of_others}#{plural} " \
                           "of the same name in the apply block")
          end
          left.to_h
        end

        VARIABLE_NAME = /\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*\z/
        private_constant :VARIABLE_NAME

        def set_variable(name, value)
          raise Puppetfn::Error[ArgumentError], "Given variable '#{name}' has illegal name" unless VARIABLE_NAME.match?(name)
          unless Puppetfn::Type.parse("RichData").instance?(value)
            raise Puppetfn::Error[ArgumentError], "Given value for '#{name}' has illegal type - got: #{value.class}"
          end

          runtime.scope.setvar(name, value)
        end
      end

      # A run of a compiler for scripts.
      #
      # @api private
      class ScriptCompilation < Compilation
        def initialize(context, main, facts, variables, set_local_facts)
          super(context, main, facts, variables)
          if set_local_facts
            set_data_of_node
            runtime.scope.set_facts(@facts)
          end
        end

        private

        def make_runtime
          Runtime.new(environment: environment, node: nil, settings: settings.merge(tasks: true))
        end

        def compiler
          @compiler ||= ScriptCompiler.new(runtime).tap do |compiler|
            runtime.pal_compilers = {pal_compiler: compiler, pal_script_compiler: compiler}
          end
        end

        def during
          runtime.for_node(node_name) do
            evaluate_main
            yield
          end
        end

        def main_file
          Main::NO_FILE
        end

        def manifests(file)
          return [] unless file

          refuse_manifest("directory '#{file}'. It must be a file") if File.directory?(file)
          refuse_manifest("'#{file}'. It does not exist") unless File.exist?(file)
          [file]
        end
      end

      # A run of a compiler that makes a catalog.
      #
      # @api private
      class CatalogCompilation < Compilation
        def initialize(context, main, facts, variables, target_variables)
          @target_variables = target_variables
          super(context, main, facts, variables)
          set_data_of_node
          runtime.settings[:tasks] = false
        end

        private

        attr_reader :target_variables

        def make_runtime
          Runtime.new(environment: environment, node: node_name, facts: facts_of_node(@facts), settings: settings)
        end

        # Facts as a node has them: undef, and values that are not data, become texts.
        def facts_of_node(value)
          case value
          when Hash then value.to_h { |key, element| [facts_of_node(key), facts_of_node(element)] }
          when Array then value.map { |element| facts_of_node(element) }
          when Numeric, true, false then value
          else value.to_s
          end
        end

        def compiler
          @compiler ||= CatalogCompiler.new(runtime).tap do |compiler|
            runtime.pal_compilers = {pal_compiler: compiler, pal_catalog_compiler: compiler}
          end
        end

        def during
          # Code that cannot be read is no matter of the node.
          sources.each { |code, file| evaluate_first(code, file) if unreadable?(code, file) }
          runtime.for_node do
            evaluate_main
            compiler.evaluate_ast_node
            compiler.compile_additions
            yield
          end
        end

        def main_file
          nil
        end

        # As in Puppet, a directory stands for all manifests in it.
        def manifests(file)
          return [] unless file && File.exist?(file)

          File.directory?(file) ? Dir.glob(File.join(file, "**", "*.pp")).sort : [file]
        end
      end
    end
  end
end
