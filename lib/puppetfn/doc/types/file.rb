# frozen_string_literal: true

require_relative "../source"
require_relative "../syntax"
require_relative "evaluation"
require_relative "declarations"

class Puppetfn::Doc
  module Types
    # The resource types and the providers that a Ruby file declares, found without running it.
    #
    # @api private
    class File
      class << self
        # @param source [Source]
        # @return [Hash{Symbol => Array<Hash>}] `types` and `providers`
        def read(source)
          declarations = Declarations.new(source)
          Evaluation.new(declarations, source.path).run(source.tree[1], Scope.new(nil, {}))
          {types: declarations.types.map(&:to_h), providers: declarations.providers.map(&:to_h)}
        end
      end
    end
  end
end
