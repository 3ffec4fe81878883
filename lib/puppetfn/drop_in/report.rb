# frozen_string_literal: true

module Puppetfn
  module DropIn
    # @return [Hash] see {Puppet.report}
    def self.report
      counted = counts
      counted = counted.merge(catalog: defined?(CatalogCompiler) ? CatalogCompiler.counts : {taken: 0, declined: {}})
      pieces = counted.map { |piece, count| [piece, {state: states.fetch(piece), **count}] }
      pieces.to_h.merge(differences: Shadow.differences)
    end
  end
end
