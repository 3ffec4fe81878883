# frozen_string_literal: true

require_relative "any_subject"

module Puppetfn
  module RSpec
    # `compile`: whether a catalog compiles, whose resources are valid for their types, and have no cycles.
    #
    #   it { is_expected.to compile.with_all_deps }
    #   it { is_expected.to compile.and_raise_error(/expects a match/) }
    class Compile
      include AnySubject

      RELATIONSHIPS = %i[require subscribe notify before].freeze
      private_constant :RELATIONSHIPS

      # Requires that all resources that others name exist.
      #
      # @return [self]
      def with_all_deps
        @all_dependencies = true
        self
      end

      # @param message [String, Regexp]
      # @return [self]
      def and_raise_error(message)
        @expected = message
        self
      end

      # @param catalogue [#call, Catalog]
      # @return [Boolean]
      def matches?(catalogue)
        catalogue = catalogue.call if catalogue.respond_to?(:call)
        @cycles = catalogue.is_a?(ExampleCatalog) ? catalogue.cycles : Cycle.all(catalogue)
        return false if @cycles.any?

        @missing = missing(catalogue) if @all_dependencies
        @missing.nil? && @expected.nil?
      rescue Puppet::Error => e
        @error = e
        case @expected
        when nil then false
        when Regexp then @expected.match?(e.message)
        else e.message == @expected
        end
      end

      # @return [String]
      def description
        @expected ? "fail to compile and #{wish}" : "compile into a catalogue without dependency cycles"
      end

      # @return [String] as in rspec-puppet, with the expectation
      def failure_message
        if @cycles&.any? then "dependency cycles found: #{@cycles.join("; ")}#{edges}"
        elsif @error then "error during compilation: #{@error.message}#{"\nexpected to #{description}" if @expected}"
        elsif @missing then "expected that the catalogue would include #{@missing}"
        else "expected that the catalogue would #{description}"
        end
      end

      # @return [String]
      def failure_message_when_negated
        "expected that the catalogue would #{"not " unless @expected}compile but it does#{" not" if @expected}"
      end

      private

      # Returns the origins of the cycles' edges.
      def edges
        @cycles.flat_map(&:edges).uniq.map { |edge| "  #{edge}" }.join("\n")
      end

      def wish
        @expected.is_a?(Regexp) ? "raise an error matching #{@expected.inspect}" : "raise the error #{@expected.inspect}"
      end

      # Returns the last reference to a resource that is not there, and where it is.
      def missing(catalogue)
        known = names(catalogue)
        catalogue.resources.reverse_each do |resource|
          resource.to_hash.slice(*RELATIONSHIPS).values.flatten.reverse_each do |other|
            next if !other.is_a?(Puppet::Resource) || known.include?(other.ref)

            return "#{other.ref} used at #{resource.file}:#{resource.line} in #{resource.ref}"
          end
        end
        nil
      end

      # All that resources can be called.
      def names(catalogue)
        catalogue.resources.flat_map do |resource|
          aliases = [resource[:alias], *(resource.uniqueness_key.first if resource.resource_type)].flatten.compact
          [resource.ref, *aliases.map { |name| "#{resource.type}[#{name}]" }]
        end.to_set
      end
    end
  end
end
