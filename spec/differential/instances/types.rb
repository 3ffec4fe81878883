# frozen_string_literal: true

require_relative "../settings"
require_relative "../../../lib/puppetfn"

module Differential
  # What there is to be drawn: Puppet's own types and those of modules, with their attributes.
  module InstanceTypes
    # Puppet's own types, but for `component`, which no code names.
    OWN = %w[exec file filebucket group notify package resources schedule service stage tidy user whit].freeze

    # An attribute: its kind, and texts of values that it knows.
    Attribute = Struct.new(:name, :kind, :values)
    Type = Struct.new(:name, :attributes, :providers)

    class << self
      # @return [Hash{String=>Type}]
      def all
        @all ||= begin
          runtime = Puppetfn::Runtime.new(modulepath: MODULEPATH)
          runtime.activate { (OWN + of_modules).filter_map { |name| described(name, runtime) }.to_h { |type| [type.name, type] } }
        end
      end

      # @return [Array<String>]
      def of_modules
        MODULEPATH.flat_map { |path| Dir["#{path}/*/lib/puppet/type/*.rb"] }.map { |file| File.basename(file, ".rb") }.sort.uniq
      end

      private

      # Those whose files need what is not there are for types_spec.rb.
      def described(name, runtime)
        type = runtime.resource_type(name) or return
        Type.new(name, (type.parameters + type.validproperties).map { |attribute| attribute(type, attribute) }, providers(type))
      rescue Puppet::Error
        nil
      end

      def attribute(type, name)
        attribute = type.attrclass(name)
        Attribute.new(name.name, attribute < Puppet::Property ? :property : :parameter, attribute.value_collection.values.map(&:to_s))
      end

      # Of modules by their files: some need what is not there.
      def providers(type)
        return type.providers.map(&:to_s) if OWN.include?(type.name.name)

        MODULEPATH.flat_map { |path| Dir["#{path}/*/lib/puppet/provider/#{type.name}/*.rb"] }.map { |file| File.basename(file, ".rb") }.sort
      end
    end
  end
end
