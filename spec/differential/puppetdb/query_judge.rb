# frozen_string_literal: true

require "json"
require "puppetfn"
require_relative "query_data"
require_relative "random_query"
require_relative "server"
require_relative "usual_queries"

module Differential
  module PuppetDB
    # Compares the answers of a real PuppetDB and of puppetfn to the same queries.
    class QueryJudge
      # @param server [Server]
      def initialize(server)
        @server = server
        data = QueryData.new(server)
        data.store
        @runtime = Puppetfn::Runtime.new
        @runtime.puppetdb = data.tables
      end

      # @param seeds [Range<Integer>]
      # @return [Hash{String=>Object}] the counts of equal answers, rows, errors, and failures of PuppetDB, and the differences
      def compare(seeds)
        counts = {"answers" => 0, "rows" => 0, "errors" => 0, "failures" => 0, "differences" => []}
        USUAL_QUERIES.each { |query| add(counts, "usual", query) }
        seeds.each { |seed| add(counts, seed, RandomQuery.new(seed).query) }
        counts
      end

      private

      def add(counts, seed, query)
        theirs, ours = answer { @server.query(query) }, answer { @runtime.query_puppetdb(query) }
        if theirs.is_a?(String) && ours.is_a?(String)
          counts["errors"] += 1
        elsif theirs.is_a?(String) && theirs.start_with?("500: ")
          # PuppetDB fails by itself, as where a query sorts by a column of a table that it has left out.
          counts["failures"] += 1
        elsif same?(query, theirs, ours)
          counts["answers"] += 1
          counts["rows"] += theirs.size
        else
          counts["differences"] << ["#{seed}: #{JSON.generate(query)}", "PuppetDB: #{shown(theirs)}", "puppetfn: #{shown(ours)}"]
        end
      end

      def answer
        yield
      rescue StandardError => e
        e.message
      end

      # The keys of a row have an order, too. Rows only have the order that a query says.
      def same?(query, theirs, ours)
        return false if theirs.is_a?(String) || ours.is_a?(String)

        theirs, ours = [theirs, ours].map { |rows| rows.map { |row| JSON.generate(row) } }
        RandomQuery.ordered?(query) ? theirs == ours : theirs.sort == ours.sort
      end

      def shown(answer) = (answer.is_a?(String) ? answer : JSON.generate(answer)).slice(0, 700)
    end
  end
end
