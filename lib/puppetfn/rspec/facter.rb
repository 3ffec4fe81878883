# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The module below has the name that specs know, unless Facter itself is there.
    const_set(:Facter, Object.const_set(:Facter, Module.new)) unless Object.const_defined?(:Facter)

    # What stands for Facter in specs: the facts of the example, and those that a spec adds.
    #
    # It asks nothing of the machine.
    module Facter
      # The version of Facter that comes with the Puppet whose answers are given.
      VERSION = "4.11.0"

      # A fact by name.
      Fact = Struct.new(:name, :value)

      # What the block given to {Facter.add} is evaluated in.
      class Resolution
        # @return [Object] the value
        attr_reader :value

        # @param value [Object]
        # @yieldreturn [Object] the value, in place of the argument
        def setcode(value = nil, &block)
          @value = block ? block.call : value
        end

        # Facts of a spec are there whatever the others are.
        def confine(*) = nil

        # The fact that was added last is the one that counts.
        def has_weight(*) = nil # rubocop:disable Naming/PredicateName
      end

      # Commands, which are run as they are.
      module Core
        # Runs commands for facts.
        module Execution
          # What is raised when a command cannot be run.
          class ExecutionFailure < StandardError; end

          class << self
            # @param program [String]
            # @return [String, nil] its path
            def which(program)
              ENV.fetch("PATH", "").split(File::PATH_SEPARATOR).map { |directory| File.join(directory, program) }
                .find { |path| File.file?(path) && File.executable?(path) }
            end

            # @param command [String]
            # @option options [Object] :on_fail what to return when it cannot be run; `:raise` raises
            # @return [Object] what it printed
            # @raise [ExecutionFailure]
            def execute(command, options = {})
              IO.popen(command, err: File::NULL, &:read).strip
            rescue SystemCallError => e
              on_fail = options.fetch(:on_fail, :raise)
              return on_fail unless on_fail == :raise

              raise ExecutionFailure, "Failed while executing '#{command}': #{e.message}"
            end

            # @param command [String]
            # @return [String, nil]
            def exec(command)
              execute(command, on_fail: nil)
            end
          end
        end
      end

      @node_facts = {}
      @facts = {}

      class << self
        # @return [Hash{String=>Object}] the facts
        def to_hash
          @node_facts.each_key { |name| own(name) }
          @facts
        end

        # Makes these the facts. They are not changed, whatever specs do with what they get of them.
        #
        # @api private
        # @param facts [Hash{String=>Object}]
        def facts=(facts)
          @node_facts = facts
          @facts = {}
        end

        # @param name [String, Symbol] a fact, or a path such as `os.family`
        # @return [Object, nil]
        def value(name)
          name = name.to_s
          first, *parts = name.split(".")
          return own(name) if parts.empty? || @facts.key?(name) || @node_facts.key?(name)

          parts.reduce(own(first)) do |value, part|
            break unless value.is_a?(Hash)

            value[part]
          end
        end

        # @param name [String, Symbol]
        # @return [Fact, nil]
        def fact(name)
          value = value(name)
          Fact.new(name.to_s, value) unless value.nil?
        end
        alias [] fact

        # @param name [String, Symbol]
        # @yield in a {Resolution}
        # @return [void]
        def add(name, options = {}, &block)
          resolution = Resolution.new
          resolution.setcode(options[:value])
          resolution.instance_eval(&block) if block
          @facts[name.to_s] = resolution.value
        end

        # Forgets all facts.
        #
        # @return [void]
        def clear
          @node_facts = {}
          @facts = {}
        end
        alias reset clear

        # @return [String]
        def version
          VERSION
        end

        # There are no files of facts, no messages and no caches.
        %i[
          search search_external loadfacts flush clear_messages debug debugging debugging? warn log_exception
          setup_logging trace
        ].each do |name|
          define_method(name) { |*| nil }
        end

        private

        # Returns a fact, with hashes and arrays that are there for nobody else.
        def own(name)
          return @facts[name] if @facts.key?(name) || !@node_facts.key?(name)

          @facts[name] = copy(@node_facts[name])
        end

        def copy(value)
          case value
          when Hash then value.transform_values { |element| copy(element) }
          when Array then value.map { |element| copy(element) }
          else value
          end
        end
      end
    end
  end
end
