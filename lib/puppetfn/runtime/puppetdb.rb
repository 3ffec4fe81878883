# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Queries to PuppetDB.
    module Puppetdb
      # Has queries answered with rows of PuppetDB's entities. Facts are given as `inventory`, `factsets` or `facts`.
      #
      # @example
      #   runtime = Puppetfn::Runtime.new
      #   runtime.puppetdb = {inventory: [{certname: "web1", facts: {kernel: "Linux"}}]}
      #   runtime.call_function("puppetdb_query", "inventory[certname] { facts.kernel = 'Linux' }") # => [{"certname" => "web1"}]
      # @param tables [Hash{String, Symbol=>Array<Hash>}] by entity, the rows that PuppetDB answers to `/pdb/query/v4/ENTITY`
      # @return [void]
      # @raise [Puppet::Error] if an entity does not exist, or rows are not the entity's
      def puppetdb=(tables)
        require "json"
        rows = JSON.generate(tables)
        evaluator.puppetdb = rows
        @setup << ->(runtime) { runtime.evaluator.puppetdb = rows }
      end

      # Answers a query to PuppetDB.
      #
      # @param query [String, Array, nil] in PQL or as an abstract syntax tree; for an endpoint a condition, or nil for all rows
      # @param endpoint [String, nil] the entity whose endpoint is asked, if the query does not name one
      # @return [Array<Object>] the rows
      # @raise [Puppet::Error] if the query is malformed, or there is no data for it
      def query_puppetdb(query, endpoint = nil)
        evaluator.query_puppetdb(query, endpoint)
      end
    end
  end
end
