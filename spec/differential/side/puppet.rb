# frozen_string_literal: true

require "puppet_pal"
require "tmpdir"

module Differential
  # Real Puppet behind the interface that World and the runner use. The other half is
  # Side::Puppetfn; both answer to the same messages.
  module Side
    class Puppet
      # Yields the side inside a script compiler. Everything happens inside: loaders, settings and
      # facts belong to the compiler.
      def self.boot(modulepath: MODULEPATH, facts: FACTS, variables: VARIABLES, &block)
        with_settings { in_environment(modulepath, facts, variables, &block) }
      end

      # Puppet takes its settings once in a process.
      def self.with_settings
        Dir.mktmpdir("differential") do |dir|
          ::Puppet.initialize_settings(["--vardir", "#{dir}/var", "--confdir", "#{dir}/conf",
                                        "--certname", "node.example.com"])
          ::Puppet[:disable_i18n] = true
          # Deprecations are logged once a process and name Ruby files; they are not part of an answer.
          ::Puppet[:disable_warnings] = ["deprecations"]
          yield
        end
      end

      # Yields the side in a new environment.
      def self.in_environment(modulepath, facts, variables)
        ::Puppet::Util::Log.close_all
        ::Puppet::Pal.in_tmp_environment("production", modulepath: modulepath, facts: facts.dup, variables: variables) do |pal|
          pal.with_script_compiler { |compiler| yield new(compiler) }
        end
      end

      def initialize(compiler)
        @compiler = compiler
        @logs = []
        collector = ::Puppet::Util::Log.desttypes[:array].new(@logs)
        ::Puppet::Util::Log.destinations[self] = collector
      end

      def call_function(name, *args, &block)
        @compiler.call_function(name, *args, &block)
      end

      # Evaluates code in the Puppet language.
      def evaluate(code)
        @compiler.evaluate_string(code)
      end

      def type(string)
        @compiler.type(string)
      end

      def type?(value)
        ::Puppet::Pops::Types::PAnyType === value
      end

      def sensitive_class
        ::Puppet::Pops::Types::PSensitiveType::Sensitive
      end

      # The callable type of each signature, as text.
      def callables(name)
        @compiler.function_signature(name).callables.map(&:to_s)
      end

      # Each signature the way mismatch errors show it.
      def signatures(name)
        describer = ::Puppet::Pops::Types::TypeMismatchDescriber.singleton
        function_class(name).signatures.map { |signature| "(#{describer.send(:signature_string, signature)})" }
      end

      # The top scope.
      def scope
        ::Puppet.lookup(:global_scope)
      end

      # The loader of what is in no module.
      def loader
        ::Puppet.lookup(:loaders).private_environment_loader
      end

      # Whether a call by name reaches the function of the 3.x API.
      def legacy?(name)
        function_class(name) < ::Puppet::Functions::Function3x
      end

      # What `strict` is set to: :error is the default of Puppet 8, :warning the one of Puppet 7.
      def strict=(level)
        ::Puppet[:strict] = level
      end

      # Runs the block and returns its value and what was logged meanwhile, as [[:level, "text"], ...].
      def capture_logs
        @logs.clear
        value = yield
        [value, @logs.map { |entry| [entry.level, entry.message.to_s] }]
      end

      # The class made for a function; the generator of calls reads its dispatchers.
      def function_class(name)
        loader.load(:function, name).class
      end
    end
  end
end
