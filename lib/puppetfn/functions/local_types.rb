# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Functions
      # What the blocks of `local_types` are evaluated in.
      class LocalTypeAliasesBuilder
        # @return [Loader] sees the aliases that were defined
        attr_reader :loader

        # @return [Array<String>] the names of the aliases
        attr_reader :names

        # @param loader [Loader]
        # @param _name [String] the name of the function
        def initialize(loader, _name)
          @loader = loader.local
          @names = []
        end

        # Defines an alias. It may use others, also those that follow.
        #
        # @param assignment_string [String] what may follow the keyword `type`: `Name = Type`
        # @raise [ArgumentError] when it is not a definition
        def type(assignment_string)
          location = caller_locations(1, 1).first
          @names << loader.define_type(assignment_string)
        rescue ParseError => e
          raise ArgumentError, "Parsing of 'type \"#{assignment_string}\"' failed with message: <#{e.message}>.\n" \
                               "Called from <#{location.path}:#{location.lineno}>"
        end
      end
    end
  end
end
