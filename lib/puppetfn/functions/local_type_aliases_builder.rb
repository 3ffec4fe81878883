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
          called_from = "Called from <#{location.path}:#{location.lineno}>"
          @names << loader.define_type(assignment_string)
        rescue ParseError => e
          # What is Puppet code, but no definition, needs no other words.
          problem = e.message if e.message.start_with?("Expected a type alias")
          problem ||= "Parsing of 'type \"#{assignment_string}\"' failed with message: <#{e.message}>"
          raise ArgumentError, "#{problem}.\n#{called_from}"
        end
      end
    end
  end
end
