# frozen_string_literal: true

require "rspec/matchers"
require_relative "compile"
require_relative "contain_resource"
require_relative "resource_count"

module Puppetfn
  module RSpec
    # Matchers for catalogs.
    module ManifestMatchers
      extend ::RSpec::Matchers::DSL

      # The name of the matcher contains the type.
      CONTAIN = /\A(?:create|contain)_(.+)/m
      COUNT = /\Ahave_(?:(resource|class)|(.+)_resource)_count\z/
      private_constant :CONTAIN, :COUNT

      matcher :include_class do |name|
        match do |catalogue|
          ::RSpec.deprecate("include_class()", replacement: "contain_class()")
          catalogue = catalogue.call if catalogue.respond_to?(:call)
          catalogue.classes.include?(name)
        end
        description { "include Class[#{name}]" }
        failure_message { "expected that the catalogue would include Class[#{name}]" }
        supports_block_expectations
      end

      # @return [Compile]
      def compile
        Compile.new
      end

      private

      def method_missing(name, *args, &block)
        case name
        when CONTAIN then ContainResource.new($1, args.first)
        when COUNT then ResourceCount.new($1 || $2, args.first)
        else super
        end
      end

      def respond_to_missing?(name, include_private = false)
        name.match?(CONTAIN) || name.match?(COUNT) || super
      end
    end
  end
end
