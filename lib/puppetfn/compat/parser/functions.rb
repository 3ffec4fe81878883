# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Parser
      # The API that functions were written against before Puppet 4.
      #
      #   module Puppet::Parser::Functions
      #     newfunction(:double, type: :rvalue, arity: 1, doc: "Twice a number.") do |args|
      #       args[0] * 2
      #     end
      #   end
      #
      # All of this concerns the functions of the runtime at work. It has one environment, so environments that are
      # passed are ignored.
      module Functions
        extend StandIn

        class << self
          # Ruby looks here for constants that a function names without a namespace, such as `Bignum` of older Rubies.
          #
          # @param name [Symbol]
          # @raise [NameError]
          def const_missing(name)
            raise NameError.new("uninitialized constant #{puppet_name}::#{name}", name, receiver: self)
          end

          # Defines a function.
          #
          # @param name [String, Symbol]
          # @param options [Hash]
          # @option options [:rvalue, :statement] :type whether the function has a result
          # @option options [Integer] :arity how many arguments it takes; -3 means two or more
          # @option options [String] :doc
          # @yieldparam args [Array<Object>] in the block, which is evaluated as a method of a {Scope}
          # @return [Hash] metadata of the function
          def newfunction(name, options = {}, &block)
            functions("newfunction").newfunction(name.intern, options, &block)
          end

          # Returns the method of a scope that is a function, which is loaded if need be.
          #
          # @param name [String, Symbol]
          # @return [String, false] false when there is no such function
          def function(name, _environment = nil)
            info = functions("function").find(name.intern)
            info ? info[:name] : false
          end

          # @param name [String, Symbol]
          # @return [Boolean] whether a function that was loaded has a result
          def rvalue?(name, _environment = nil)
            info = functions("rvalue?").get_function_info(name.intern)
            info ? info[:type] == :rvalue : false
          end

          # @param name [String, Symbol]
          # @return [Integer] the arity of a function that was loaded
          def arity(name, _environment = nil)
            info = functions("arity").get_function_info(name.intern)
            info ? info[:arity] : -1
          end

          # @return [String] the documents of all functions
          def functiondocs(_environment = nil)
            functions("functiondocs").autoload_all
            sorted = functions("functiondocs").all_function_info.sort_by { |name, _| name }
            sorted.map { |name, info| documentation(name, info) }.join
          end

          # @return [Module] the functions of the runtime at work, as methods of its scopes
          # @api private
          def environment_module(_environment = nil)
            functions("environment_module")
          end

          # @return [AutoloaderDelegate]
          # @api private
          def autoloader
            @autoloader ||= AutoloaderDelegate.new
          end

          private

          def functions(method)
            Runtime.current!("Puppet::Parser::Functions.#{method}").legacy_functions
          end

          def documentation(name, info)
            text = info[:doc] ? Util::Docs.scrub(info[:doc]) : "Undocumented.\n"
            "#{name}\n#{"-" * name.size}\n#{text}\n\n- *Type*: #{info[:type]}\n\n"
          end
        end

        # The loader of function files, for code that loads them by hand.
        class AutoloaderDelegate
          # Loads all functions.
          #
          # @return [void]
          def loadall(_environment = nil)
            deprecated("Puppet::Parser::Functions#loadall", "loadall")
            functions("loadall").autoload_all
          end

          # Loads a function.
          #
          # @param name [String, Symbol]
          # @return [Boolean] whether the function has a file
          def load(name, _environment = nil)
            deprecated("Puppet::Parser::Functions#load('#{name}')", "load(\"#{name}\")")
            functions("load").autoload_function(name.to_sym) || false
          end

          # @param name [String, Symbol]
          # @return [Boolean] whether a function was loaded
          def loaded?(name)
            deprecated("Puppet::Parser::Functions.loaded?('#{name}')", "loaded?(\"#{name}\")")
            functions("loaded?").autoloaded?(name.to_sym)
          end

          private

          def deprecated(key, call)
            return if Puppet[:strict] == :off

            Puppet.warn_once("deprecations", key,
              "The method 'Puppet::Parser::Functions.autoloader##{call}' is deprecated in favor of using " \
              "'Scope#call_function'.")
          end

          def functions(method)
            Runtime.current!("Puppet::Parser::Functions.autoloader.#{method}").legacy_functions
          end
        end

        # The error of functions that have no implementation in the 3.x API.
        class Error
          # @raise [ParseError] always
          def self.is4x(name)
            raise ParseError, "#{name}() can only be called using the 4.x function API. See Scope#call_function"
          end
        end
      end
    end
  end
end
