# frozen_string_literal: true

module Puppetfn
  module Terminus
    # A difference between Puppet's catalog and the service's. The value of a side is nil if it lacks the element.
    #
    # @api private
    class Difference
      CATALOG = "catalog"
      private_constant :CATALOG

      # @return [String] the resource, or `catalog`
      attr_reader :resource
      # @return [String] the parameter or another attribute
      attr_reader :attribute
      # @return [Object] Puppet's value
      attr_reader :puppet
      # @return [Object] the service's
      attr_reader :puppetfn

      # @param puppet [String, nil] Puppet's error, if it raised one
      # @param puppetfn [String, nil] the service's
      # @return [Difference] of the results of compilation
      def self.of_outcome(puppet, puppetfn)
        new(CATALOG, "error", puppet, puppetfn)
      end

      # @param resource [String]
      # @param attribute [String]
      # @param puppet [Object]
      # @param puppetfn [Object]
      def initialize(resource, attribute, puppet, puppetfn)
        @resource = resource
        @attribute = attribute
        @puppet = puppet
        @puppetfn = puppetfn
      end
    end
  end
end
