# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The part of Puppet that functions and types belong to.
    module Pops
      # The implementation of functions.
      module Functions
        extend StandIn

        Function = Puppetfn::Function
        Dispatcher = Puppetfn::Dispatcher
        Dispatch = Puppetfn::Dispatch
      end

      # The lookup of data, as far as functions that provide data meet it.
      module Lookup
        extend StandIn

        # The context that such a function gets besides its options.
        Context = Puppetfn::PuppetObject

        # Specs call such functions with contexts that they create from anything. No lookup stands behind them.
        Context.define_singleton_method(:new) do |_function_context, _lookup_invocation|
          make(Puppetfn::Type.parse("Puppet::LookupContext"), [])
        end

        # A function that returns data has none for a key.
        class NoSuchKey < ::Exception # rubocop:disable Lint/InheritException
          def initialize
            super("uncaught throw :no_such_key")
          end
        end
      end

      # The evaluator of the Puppet language, as far as functions meet it.
      module Evaluator
        extend StandIn

        CallableSignature = Puppetfn::Signature

        # A value that is made when the catalog is applied.
        class DeferredValue
          # @param block [Proc]
          def initialize(block)
            @block = block
          end

          # @return [Object]
          def resolve
            value = @block.call
            value.is_a?(Types::PSensitiveType::Sensitive) ? value.unwrap : value
          end
        end

        # A way out of a lambda or function that is not an error.
        class Jumper < ::Exception # rubocop:disable Lint/InheritException
          # @return [Object]
          attr_reader :value

          attr_reader :file, :line

          def initialize(value, file, line)
            super()
            @value = value
            @file = file
            @line = line
          end
        end

        # The `next` function was called.
        class Next < Jumper; end

        # The `return` function was called.
        class Return < Jumper; end

        # A function has asked for a parameter that has no value yet, for the default value of one: no error of its own.
        class UnevaluatedParameter < ::Exception; end # rubocop:disable Lint/InheritException

        # The `break` function was called.
        class PuppetStopIteration < StopIteration
          attr_reader :file, :line, :pos

          def initialize(file, line, pos = nil)
            super()
            @file = file
            @line = line
            @pos = pos
          end

          # @return [String] the message if there was no iteration to stop
          def message
            "break() from context where this is illegal"
          end
        end
      end

      # The loader of functions and types by name.
      module Loader
        extend StandIn

        # The name of a definition, with its kind.
        class TypedName
          # The naming authority of Puppet's and modules' definitions.
          AUTHORITY = "http://puppet.com/2016.1/runtime"
          private_constant :AUTHORITY

          # @return [Symbol] `:function` or `:type`
          attr_reader :type

          # @return [String] the name in lower case, without leading `::`
          attr_reader :name

          # @return [String]
          attr_reader :name_authority

          # @param type [Symbol]
          # @param name [String]
          # @param name_authority [String]
          def initialize(type, name, name_authority = AUTHORITY)
            @type = type
            @name = name.to_s.downcase.delete_prefix("::").freeze
            @name_authority = name_authority
            freeze
          end

          # @return [Array<String>] the segments between the `::`
          def name_parts
            name.split("::")
          end

          # @return [Boolean] whether the name has a namespace
          def qualified?
            name.include?("::")
          end

          # @return [TypedName, nil] of the namespace
          def parent
            TypedName.new(type, name.rpartition("::").first, name_authority) if qualified?
          end

          # @return [String]
          def compound_name
            "#{name_authority}/#{type}/#{name}"
          end
          alias to_s compound_name

          def ==(other)
            other.is_a?(TypedName) && compound_name == other.compound_name
          end
          alias eql? ==

          # @return [Integer]
          def hash
            compound_name.hash
          end
        end

        # Something that was found by name.
        NamedEntry = Struct.new(:typed_name, :value)
      end
    end
  end
end
