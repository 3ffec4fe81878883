# frozen_string_literal: true

require_relative "any_subject"

module Puppetfn
  module RSpec
    # `have_resource_count`, `have_class_count` and `have_TYPE_resource_count`: how many resources are declared.
    class ResourceCount
      include AnySubject

      # The resources of every catalog.
      ALWAYS = ["Class[main]", "Class[Main]", "Class[Settings]", "Stage[main]"].freeze
      private_constant :ALWAYS

      # @param type [String] `resource` for all but classes, or as in the names of matchers
      # @param count [Integer]
      def initialize(type, count)
        @type = type
        @count = count.to_i
      end

      # @param catalogue [Catalog, #call]
      # @return [Boolean]
      def matches?(catalogue)
        catalogue = catalogue.call if catalogue.respond_to?(:call)
        resources = catalogue.resources.reject { |resource| ALWAYS.include?(resource.to_ref) }
        @actual = resources.count { |resource| counts?(resource) }
        @actual == @count
      end

      # @return [String]
      def description
        what = {"resource" => "resource", "class" => "class"}.fetch(@type) { "#{ContainResource.type_named(@type)} resource" }
        "contain exactly #{@count} #{what}#{(what == "class" ? "es" : "s") if @count != 1}"
      end

      # @return [String]
      def failure_message
        "expected that the catalogue would #{description} but it contains #{@actual}"
      end

      # @return [String]
      def failure_message_when_negated
        "expected that the catalogue would not #{description} but it does"
      end

      private

      def counts?(resource)
        return !%w[Class Node].include?(resource.type) if @type == "resource"

        resource.type == ContainResource.type_named(@type)
      end
    end
  end
end
