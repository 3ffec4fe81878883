# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Functions
      # The receiver of the blocks of `local_types`.
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

        # Defines an alias. It may use other aliases, also later ones.
        #
        # @param assignment_string [String] the text after the keyword `type`: `Name = Type`
        # @raise [ArgumentError] when it is not a definition
        def type(assignment_string)
          location = caller_locations(1, 1).first
          called_from = "Called from <#{location.path}:#{location.lineno}>"
          @names << loader.define_type(assignment_string)
        rescue ParseError => e
          # Puppet code that is no definition has a message of its own.
          problem = e.message if e.message.start_with?("Expected a type alias")
          problem ||= "Parsing of 'type \"#{assignment_string}\"' failed with message: <#{e.message}>"
          raise Puppetfn::Error[ArgumentError], "#{problem}.\n#{called_from}"
        end
      end
    end
  end
end
