# frozen_string_literal: true

module Puppetfn
  module Terminus
    # The service's answer for a node.
    #
    # @api private
    class ServiceResult
      # @return [Symbol] `:catalog`, `:error`, `:declined` or `:unavailable`
      attr_reader :kind
      # @return [String, nil] the error, or the reason for a missing catalog
      attr_reader :message
      # @return [Array<Hash>] the log's entries
      attr_reader :log
      # @return [Hash{String=>Object}, nil] the catalog's JSON
      attr_reader :catalog

      # @param kind [Symbol]
      # @param message [String, nil]
      # @param log [Array<Hash>]
      # @param catalog [Hash{String=>Object}, nil]
      # @param is_rich [Boolean] whether the catalog may have rich data
      def initialize(kind, message, log = [], catalog = nil, is_rich = false)
        @kind = kind
        @message = message
        @log = log
        @catalog = catalog
        @is_rich = is_rich
      end

      # @return [Boolean] whether the catalog may have rich data
      def rich?
        @is_rich
      end

      # Logs the entries as if Puppet's compiler had logged them.
      #
      # @return [void]
      def write_log
        @log.each do |entry|
          Puppet::Util::Log.create(
            level: entry["level"].to_sym, source: entry["source"] || "Puppet", message: entry["message"],
            file: entry["file"], line: entry["line"]
          )
        end
      end
    end
  end
end
