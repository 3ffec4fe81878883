# frozen_string_literal: true

require "json"
require "time"
require_relative "difference"

module Puppetfn
  module Terminus
    # Reports the differences of catalogs: to Puppet's log, and to a file of JSON lines, one for each catalog.
    #
    # @api private
    class DifferenceReport
      # Differences of a catalog that are logged.
      MAX_LOGGED = 20
      # Differences of a catalog that are written to the file.
      MAX_WRITTEN = 1000
      # Characters of a value.
      MAX_LOGGED_LENGTH = 200
      MAX_WRITTEN_LENGTH = 2000
      private_constant :MAX_LOGGED, :MAX_WRITTEN, :MAX_LOGGED_LENGTH, :MAX_WRITTEN_LENGTH

      # @param file [String, nil]
      def initialize(file)
        @file = file
      end

      # @param node [Puppet::Node]
      # @param outcome [String] `same`, `different`, `declined` or `unavailable`
      # @param differences [Array<Difference>]
      # @param secrets [Secrets]
      # @param times [Hash{String=>Float}]
      # @return [void]
      def add(node, outcome, differences, secrets, times)
        log(node, differences, secrets) if outcome == "different"
        Puppet.info("puppetfn: the same catalog for #{node.name} as Puppet's") if outcome == "same"
        write(entry(node, outcome, differences, secrets).merge(times)) if @file
      end

      private

      def log(node, differences, secrets)
        differences.first(MAX_LOGGED).each do |one|
          sides = [one.puppet, one.puppetfn].map { |value| text(value, secrets) }
          Puppet.warning("puppetfn: #{node.name}: #{secrets.redact(one.resource)}: #{one.attribute}: Puppet #{sides[0]}, puppetfn #{sides[1]}")
        end
        more = differences.size - MAX_LOGGED
        Puppet.warning("puppetfn: #{node.name}: #{more} more differences") if more.positive?
      end

      def text(value, secrets)
        return "has none" if value.nil?

        shortened(value.is_a?(String) ? secrets.redact(value) : JSON.generate(secrets.redact(value)), MAX_LOGGED_LENGTH)
      end

      def entry(node, outcome, differences, secrets)
        listed = differences.first(MAX_WRITTEN).map do |one|
          sides = [one.puppet, one.puppetfn].map { |value| written(value, secrets) }
          {"resource" => secrets.redact(one.resource), "attribute" => one.attribute, "puppet" => sides[0], "puppetfn" => sides[1]}
        end
        {"time" => Time.now.utc.iso8601, "node" => node.name, "environment" => node.environment.name.to_s, "outcome" => outcome,
         "differences" => listed, "total" => outcome == "different" ? differences.size : 0}
      end

      def written(value, secrets)
        value = secrets.redact(value)
        text = value.is_a?(String) ? value : JSON.generate([value])
        text.length > MAX_WRITTEN_LENGTH ? shortened(text, MAX_WRITTEN_LENGTH) : value
      end

      def shortened(text, length)
        text.length > length ? "#{text[0, length]}..." : text
      end

      # Several processes and threads may append: each line is written at once.
      def write(entry)
        File.open(@file, File::WRONLY | File::APPEND | File::CREAT, 0o640) { |file| file.syswrite("#{JSON.generate(entry)}\n") }
        @is_unwritable = false
      rescue SystemCallError, IOError => e
        Puppet.warning("puppetfn: #{@file} cannot be written: #{e.message}") unless @is_unwritable
        @is_unwritable = true
      end
    end
  end
end
