# frozen_string_literal: true

module Puppetfn
  class LegacyFunctions < Module
    # The functions that Puppet itself has in the 3.x API, which functions of modules call as methods of
    # the scope.
    #
    # @api private
    module PuppetsOwn
      # These are the built-in functions of the same names: the arity and type of each.
      BUILT_IN = {
        contain: [-2], create_resources: [-3], digest: [1, :rvalue], fail: [-1], file: [-2, :rvalue],
        fqdn_rand: [-2, :rvalue], generate: [-2, :rvalue], include: [-2], inline_template: [-2, :rvalue],
        md5: [1, :rvalue], realize: [-2], require: [-2], scanf: [2, :rvalue], sha1: [1, :rvalue],
        sha256: [1, :rvalue], shellquote: [-1, :rvalue], sprintf: [-2, :rvalue], tag: [-2],
        tagged: [-2, :rvalue], template: [-2, :rvalue], versioncmp: [2, :rvalue]
      }.freeze

      # These only say that they are called in another way.
      ELSEWHERE = {
        assert_type: [-3, :rvalue], binary_file: [1, :rvalue], break: [0], defined: [-2, :rvalue],
        dig: [-1, :rvalue], each: [-3, :rvalue], epp: [-2, :rvalue], filter: [-3, :rvalue],
        find_file: [-2, :rvalue], hiera: [-2, :rvalue], hiera_array: [-2, :rvalue], hiera_hash: [-2, :rvalue],
        hiera_include: [-2], inline_epp: [-2, :rvalue], lest: [-2, :rvalue], lookup: [-2, :rvalue],
        map: [-3, :rvalue], match: [2], new: [-1, :rvalue], next: [-2], reduce: [-3, :rvalue],
        regsubst: [-4, :rvalue], return: [-2], reverse_each: [-1, :rvalue], slice: [-3, :rvalue],
        split: [2, :rvalue], step: [-1, :rvalue], strftime: [-3, :rvalue], then: [-2, :rvalue],
        type: [-1, :rvalue], with: [-1, :rvalue]
      }.freeze

      # Puppet has a function of the 4.x API for these, which it tells callers of the older one.
      DEPRECATED = %i[contain include require].freeze

      LEVELS = Logs::LEVELS.to_h { |level| [level, [-1]] }.freeze
      SIGNATURES = {**BUILT_IN, **ELSEWHERE, **LEVELS}.freeze
      private_constant :BUILT_IN, :DEPRECATED, :ELSEWHERE, :LEVELS, :SIGNATURES

      class << self
        # @return [Array<Symbol>] of those that do something in this API
        def built_in_names
          BUILT_IN.keys
        end

        # @param name [Symbol]
        # @return [Boolean]
        def include?(name)
          SIGNATURES.key?(name)
        end

        # @param name [Symbol]
        # @return [Hash] what is known of the function
        def info(name)
          arity, type = SIGNATURES.fetch(name)
          LegacyFunctions.info(name, {arity: arity, type: type})
        end

        # @param name [Symbol]
        # @return [Proc] what the function does, as a method of a scope
        def body(name)
          return ->(args) { public_send(name, args.join(" ")) } if LEVELS.key?(name)
          return ->(_args) { Puppet::Parser::Functions::Error.is4x(name) } if ELSEWHERE.key?(name)

          lambda do |args|
            built_in = runtime.loader.built_in(name.name)
            raise UnavailableError, "The function #{name}" unless built_in

            PuppetsOwn.warn_of(name) if DEPRECATED.include?(name)
            built_in.call(self, *args)
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
      end
    end
  end
end
