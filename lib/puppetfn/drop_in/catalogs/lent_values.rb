# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A lambda of code that puppetfn evaluates, as functions of Puppet ask for it: `block.closure`.
      class LentClosure
        # A parameter of a lambda. Its value is only there where it is optional.
        Parameter = Struct.new(:name, :value, :captures_rest)
        private_constant :Parameter

        # @return [Puppetfn::Closure]
        attr_reader :lent

        # @param closure [Puppetfn::Closure]
        # @param values [Values]
        def initialize(closure, values)
          @lent, @values = closure, values
        end

        # @param arguments [Array<Object>] values of Puppet
        # @return [Object] a value of Puppet
        def call(*arguments)
          @values.lend { @lent.call(*@values.from_puppet(arguments)) }
        rescue Puppetfn::Puppet::Pops::Evaluator::Return => e
          raise ::Puppet::Pops::Evaluator::Return.new(@values.to_puppet(e.value), e.file, e.line)
        rescue Puppetfn::Puppet::Pops::Evaluator::Next => e
          raise ::Puppet::Pops::Evaluator::Next.new(@values.to_puppet(e.value), e.file, e.line)
        end

        # @return [::Puppet::Pops::Types::PCallableType]
        def type
          @type ||= @values.to_puppet(@lent.type)
        end

        # @return [Array<#name, #value, #captures_rest>]
        def parameters
          @parameters ||= @lent.parameters.map { |given| Parameter.new(given.name, (true if given.optional?), given.captures_rest?) }
        end

        # @return [Integer]
        def parameter_count
          parameters.size
        end

        # @return [Array<String>]
        def parameter_names
          parameters.map(&:name)
        end

        # @return [Boolean]
        def last_captures_rest?
          @lent.last_captures_rest?
        end

        # @return [String]
        def closure_name
          @lent.closure_name
        end

        # @return [Array<LentClosure>]
        def signatures
          [self]
        end
      end

      # The lookup context of a function that returns data.
      class LentLookupContext < ::Puppet::Pops::Lookup::Context
        extend StandIn
        stands_in_for ::Puppet::Pops::Lookup::Context
        extend Declining

        # @return [::Puppet::Pops::Types::PObjectType] the type of the class that it stands for
        def self._pcore_type = ::Puppet::Pops::Lookup::Context._pcore_type

        # @return [Puppetfn::PuppetObject]
        attr_reader :lent

        # @param lent [Puppetfn::PuppetObject]
        # @param values [Values]
        def initialize(lent, values) # rubocop:disable Lint/MissingSuper
          @lent, @values = lent, values
        end

        # @return [Compilation]
        def compilation = @values.compilation

        # @return [Symbol]
        def environment_name = @values.environment.name

        %i[module_name cache cache_all cache_has_key cached_value interpolate not_found].each do |name|
          define_method(name) do |*arguments|
            @values.lend { @lent.public_send(name, *@values.from_puppet(arguments)) }
          end
        end

        # Calls the block with the text only if somebody reads it.
        def explain
          @lent.explain { yield.to_s }
          nil
        end

        # @param path [String]
        # @return [Object] the content of a file, or the result of the block for it
        def cached_file_data(path, &block)
          return @values.lend { @lent.cached_file_data(path) } unless block

          @values.lend { @lent.cached_file_data(path) { |content| @values.from_puppet(@values.cached { yield(content) }) } }
        end

        # @return [nil, ::Puppet::Pops::Types::Iterable]
        def cached_entries(&block)
          entries = @values.lend { @lent.cached_entries }
          return ::Puppet::Pops::Types::Iterable.on(entries) unless block

          entries.each { |pair| block.arity == 2 ? yield(*pair) : yield(pair) }
          nil
        end

        decline_others_of(::Puppet::Pops::Lookup::Context, [])
      end
    end
  end
end
