# frozen_string_literal: true

module Puppetfn
  class LegacyFunctions < Module
    # The functions that Puppet itself has in the 3.x API, which functions of modules call as methods of
    # the scope.
    #
    # @api private
    module PuppetsOwn
      # The declarations of the functions have their arity, whether they return a result, and the effect of their methods in this API.
      METHODS = NativeFunction.scope_methods.freeze
      private_constant :METHODS

      class << self
        # @return [Array<Symbol>] the functions with an effect in this API
        def built_in_names
          METHODS.filter_map { |name, (_, _, kind)| name if %i[calls deprecated].include?(kind) }
        end

        # @param name [Symbol]
        # @return [Boolean]
        def include?(name)
          METHODS.key?(name)
        end

        # @param name [Symbol]
        # @return [Hash] the declaration of the function
        def info(name)
          arity, has_result, = METHODS.fetch(name)
          LegacyFunctions.info(name, {arity: arity, type: has_result ? :rvalue : nil})
        end

        # @param name [Symbol]
        # @return [Proc] the body of the scope's method
        def body(name)
          case METHODS.fetch(name).last
          when :logs then ->(args) { public_send(name, args.join(" ")) }
          when :refuses then ->(_args) { Puppet::Parser::Functions::Error.is4x(name) }
          when :deprecated then calling(name) { PuppetsOwn.warn_of(name) }
          else calling(name)
          end
        end

        # Warns once that the function is deprecated in this API.
        #
        # @param name [Symbol]
        # @return [void]
        def warn_of(name)
          message = "Calling function_#{name} via the Scope class is deprecated. Use Scope#call_function instead"
          Puppet.warn_once("deprecations", "3xfunction##{name}", message)
        end

        private

        # Returns a method that calls the built-in function, and the block after that.
        def calling(name, &after)
          lambda do |args|
            built_in = runtime.loader.built_in(name.name)
            raise UnavailableError, "The function #{name}" unless built_in

            built_in.call(self, *args).tap { after&.call }
          end
        end
      end
    end
  end
end
