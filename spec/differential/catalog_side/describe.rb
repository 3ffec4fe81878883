# frozen_string_literal: true

require "json"
require_relative "../catalog_calls"

module Differential
  # What both sides tell of a catalog.
  module CatalogSide
    WRITTEN = File.read(File.join(__dir__, "..", "catalogs.pp.txt"), encoding: "UTF-8").sub(/\A#.*\n/, "").split(/^-+\n/)
    NODE = "web.example.com"

    class << self
      # Prints what the block makes of each manifest, with the modules on a path; with the argument `written`, only of
      # those that are written by hand.
      def run(&block)
        calls = ARGV.include?("written") ? {} : CatalogCalls.all.transform_values { |manifests| answers(manifests, [], &block) }
        puts(JSON.generate({"written" => answers(WRITTEN, MODULEPATH, &block), "calls" => calls}))
      end

      private

      def answers(manifests, modulepath)
        manifests.map do |manifest|
          describe(yield(manifest, modulepath))
        rescue StandardError => e
          {error: e.message.sub(/ on node #{NODE}\z/, "")}
        end
      end

      def describe(catalog)
        {
          resources: catalog.resources.reject(&:virtual?).map { |resource| resource(resource) }.sort_by(&:first),
          edges: catalog.edges.reject { |edge| edge.target.virtual? }.map { |edge| "#{edge.source} => #{edge.target}" }.sort,
          classes: catalog.classes.sort
        }
      end

      def resource(resource)
        values = resource.to_hash.reject { |_name, value| value.nil? || value == :undef }
        [resource.to_s, values.map { |name, value| [name.to_s, plain(value)] }.sort, resource.tags.to_a.map(&:to_s).sort]
      end

      def plain(value)
        case value
        when Array then value.map { |element| plain(element) }
        when Hash then value.to_h { |key, element| [key.to_s, plain(element)] }
        # Relationships are texts in Puppet, and references here.
        when ::Puppet::Resource, String then value.to_s
        else value.inspect
        end
      end
    end
  end
end
