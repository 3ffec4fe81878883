# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Keeps from now on where what is in the catalog comes from, which {Catalog#why} tells. It costs a little time.
    #
    # @return [self]
    def keep_origins
      evaluator.keep_origins
      self
    end
  end
end
