# frozen_string_literal: true

require "yaml"

module AgentVerifier
  # Reports and output of agents without times and identifiers, which differ between runs.
  module AgentReport
    # Keys whose values are times, or identifiers of a run, or the port of the server.
    VARYING = %w[time evaluation_time transaction_uuid catalog_uuid configuration_version server_used].freeze
    # Parts of texts that differ: times, versions of catalogs, names of temporary files with their times in differences.
    TEXTS = {
      /(?<=in |version ')\d[\d.]*/ => "N",
      /\d{8}-\d+-[a-z0-9]+/ => "TEMPORARY",
      /^((?:---|\+\+\+) .*?)\t\d{4}-.*/ => "\\1",
      /localhost:\d+/ => "localhost:PORT"
    }.freeze
    private_constant :VARYING, :TEXTS

    class << self
      # @param text [String] YAML, with names of Ruby's classes or without
      # @return [Hash]
      def read(text)
        plain = text.gsub(%r{^(\s*)?--- !ruby/.*$}, "---").gsub(%r{!ruby/(?!sym\b)\S+}, "")
        varying = YAML.safe_load(plain, permitted_classes: [Symbol, Time], aliases: true)
        varying["metrics"]&.delete("time")
        steady(varying)
      end

      # @param output [String]
      # @return [String]
      def text(output) = TEXTS.reduce(output) { |text, (pattern, steady)| text.gsub(pattern, steady) }

      private

      def steady(value)
        case value
        when Hash then value.reject { |key, _| VARYING.include?(key) }.to_h { |key, element| [key.to_s, steady(element)] }
        when Array then value.map { |element| steady(element) }
        when String then text(value)
        when Symbol, Time then value.to_s
        else value
        end
      end
    end
  end
end
