# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The module below has the name that specs know, unless Facter itself is there.
    const_set(:Facter, Object.const_set(:Facter, Module.new)) unless Object.const_defined?(:Facter)

    # Facter's stand-in for specs: the facts of the example, and custom facts, which specs add or files of modules define.
    #
    # An example with a node has the facts of the node only, and custom facts that are requested by the names of their
    # files. Other examples, as in specs of custom facts, have the facts of this machine, too.
    module Facter
      # The version of Facter that comes with the emulated Puppet.
      VERSION = "4.11.0"

      # Ends the search for a value: a resolution has raised an error.
      class ResolveCustomFactError < StandardError; end

      # A fact with the value that it has until facts are cleared.
      #
      # @!attribute [r] name
      #   @return [String]
      # @!attribute [rw] value
      #   @return [Object, nil]
      ResolvedFact = Struct.new(:name, :value) do
        # @return [String]
        def to_s
          value.to_s
        end
      end

      # The namespace in which specs find the classes of custom facts.
      module Util
        autoload :Fact, File.join(__dir__, "facter", "fact.rb")
        autoload :Resolution, File.join(__dir__, "facter", "resolution.rb")
      end

      # (see Util)
      module Core
        autoload :Aggregate, File.join(__dir__, "facter", "aggregate.rb")
        autoload :Execution, File.join(__dir__, "facter", "execution.rb")
      end

      autoload :Files, File.join(__dir__, "facter", "files.rb")
      autoload :Machine, File.join(__dir__, "facter", "machine.rb")

      class << self
        # @return [Hash{String=>Object}] the facts that have values
        def to_hash
          @collection.to_hash
        end

        # Makes these the facts, and the only ones. They are not changed, whatever specs do with the values that they get.
        #
        # @api private
        # @param facts [Hash{String=>Object}]
        def facts=(facts)
          @known = {}
          @collection = Collection.new(facts)
        end

        # Has the facts of this machine fill in for facts that the last node did not have.
        #
        # @api private
        # @return [void]
        def leave_node
          @collection.of_node = false
        end

        # Returns a fact: the same object until facts are cleared, whose value specs may mock.
        #
        # @param name [String, Symbol] a fact, or a path such as `os.family`
        # @return [ResolvedFact, nil]
        def fact(name)
          known(name.to_s.downcase)
        end

        # @param name (see fact)
        # @return [ResolvedFact, nil]
        def [](name)
          fact(name)
        end

        # @param name (see fact)
        # @return [Object, nil]
        def value(name)
          known(name.to_s.downcase)&.value
        end

        # Adds a way to find the value of a fact.
        #
        # @param name [String, Symbol]
        # @option options [Integer] :weight
        # @option options [Numeric] :timeout in seconds
        # @option options [Object] :value
        # @option options [Symbol] :type `:simple` or `:aggregate`
        # @yield in a {Util::Resolution}, or a {Core::Aggregate}
        # @return [Util::Fact]
        def add(name, options = {}, &block)
          @collection.define(name).tap { |fact| fact.add(options, &block) }
        end

        # @param name [String, Symbol]
        # @yield in a {Util::Fact}
        # @return [Util::Fact]
        def define_fact(name, _options = {}, &block)
          @collection.define(name).tap { |fact| fact.instance_eval(&block) if block }
        end

        # Forgets all facts, and which files were loaded.
        #
        # @return [void]
        def clear
          @known = {}
          reset
        end

        # Forgets custom facts, and which files were loaded. Facts that were asked for keep their values.
        #
        # @return [void]
        def reset
          @collection = Collection.new
          nil
        end

        # Has custom facts find their values again. Facts that were asked for keep theirs.
        #
        # @return [void]
        def flush
          @collection.flush
        end

        # @return [Array<String>] the names of facts that have values
        def list
          to_hash.keys.sort
        end

        # @yieldparam name [String]
        # @yieldparam value [Object]
        # @return [self]
        def each(&block)
          to_hash.each(&block)
          self
        end

        # @param directories [Array<String>] further directories of custom facts
        # @return [void]
        def search(*directories)
          @collection.files.directories.concat(directories)
          nil
        end

        # @return [Array<String>] the directories that were given to {search}
        def search_path
          @collection.files.directories
        end

        # @return [void]
        def loadfacts
          @collection.files.load_all
        end

        # @return [String] the version of Facter or OpenFact that belongs to the emulated release
        def version
          Target.current.facter_version
        end

        # Reports a problem of a custom fact.
        #
        # @param message [Object]
        # @return [void]
        def warn(message)
          Kernel.warn("Facter: #{message}")
        end

        # @param message (see warn)
        # @return [void]
        def warnonce(message)
          warn(message) if (@said ||= Set.new).add?(message.to_s)
        end

        # @return [void]
        def clear_messages
          @said = nil
        end

        # @param exception [Exception]
        # @param message [String, nil] in place of the exception's
        # @return [void]
        def log_exception(exception, message = nil)
          warn(message.to_s.empty? ? exception.message : message)
        end

        # There are no external facts, and no other messages; nothing is done in parallel.
        %i[
          search_external load_external debug debugonce debugging debugging? trace trace? http_debug http_debug?
          on_message setup_logging enable_sequential disable_sequential sequential?
        ].each do |name|
          define_method(name) { |*| nil }
        end

        # Returns the value of a fact without custom facts.
        #
        # @api private
        # @param name [String]
        # @return [Object, nil]
        def core_value(name)
          @collection.core_value(name.to_s.downcase)
        end

        private

        # Missing facts are looked for again: a spec may add them.
        def known(name)
          @known[name] ||= @collection.resolve(name)
        end
      end
    end
  end
end

require_relative "facter/collection"

Puppetfn::RSpec::Facter.clear
