# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Keeps from now on the origins of the entries of the catalog, which {Catalog#why} tells. It costs a little time.
    #
    # @return [self]
    def keep_origins
      evaluator.keep_origins
      @setup << :keep_origins.to_proc
      self
    end
  end
end
