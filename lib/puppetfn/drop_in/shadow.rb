# frozen_string_literal: true

module Puppetfn
  module DropIn
    # Runs both sides: Puppet's answer is returned, and a different answer of puppetfn is noted and reported.
    module Shadow
      # The number of differences that are kept; all are reported.
      KEPT = 1_000

      @differences = []

      class << self
        # @return [Array<String>]
        attr_reader :differences

        # @param theirs [Object] Puppet's answer
        # @param ours [Object, nil] the answer of puppetfn; nil where it has none
        # @yieldreturn [String] the question; it is only formatted for a difference, as the formatter of types may be at
        #   work itself
        # @return [void]
        def compare(theirs, ours)
          return if ours.nil? || same?(theirs, ours)

          note("#{yield}: Puppet says #{show(theirs)}, puppetfn #{show(ours)}")
        end

        # @param difference [String]
        # @return [void]
        def note(difference)
          @differences << difference if @differences.size < KEPT
          Kernel.warn("puppetfn: #{difference}")
        end

        # @param value [Object]
        # @return [String] for a message
        def show(value)
          return ::Puppet::Pops::Types::TypeFormatter.new.string(value) if value.is_a?(::Puppet::Pops::Types::PAnyType)

          value.inspect[0, 500]
        end

        # @param one [Object] data
        # @param other [Object] data
        # @return [String, nil] where it begins to differ, and how
        def first_difference(one, other, place = "")
          parts = parts_of(one, other)
          return parts.lazy.filter_map { |mine, yours, step| first_difference(mine, yours, "#{place}#{step}") }.first if parts

          "Puppet says #{show(one)} at #{place}, puppetfn #{show(other)}" unless one == other
        end

        private

        # Returns the pairs of elements at the same place, if both have the same places.
        def parts_of(one, other)
          if one.is_a?(Hash) && other.is_a?(Hash) && one.keys.sort == other.keys.sort
            one.map { |key, value| [value, other[key], ".#{key}"] }
          elsif one.is_a?(Array) && other.is_a?(Array) && one.size == other.size
            one.each_index.map { |index| [one[index], other[index], "[#{index}]"] }
          end
        end

        # Returns true if two answers are the same. Types are, if they are made of the same.
        def same?(one, other)
          case one
          when ::Puppet::Pops::Types::PTypeAliasType then one.equal?(other)
          when ::Puppet::Pops::Types::TypedModelObject
            one.equal?(other) || one.class == other.class && same?(variables(one), variables(other))
          when ::Puppet::Pops::Model::Factory then same?(one.model, other.model)
          when ::Puppet::Pops::Parser::Locator then one.class == other.class && one.eql?(other)
          when ::Puppet::Pops::Model::PopsObject
            one.equal?(other) || one.class == other.class && same?(variables(one), variables(other))
          when Array then other.is_a?(Array) && one.size == other.size && one.zip(other).all? { |pair| same?(*pair) }
          when Float then one.equal?(other) || one == other || one.nan? && other.is_a?(Float) && other.nan?
          else one == other
          end
        end

        # Returns the components of an object, without its caches, and without the locator that all parts of a
        # program share.
        def variables(object)
          names = object.instance_variables.sort - %i[@regexp @hashed]
          names -= [:@locator] if object.is_a?(::Puppet::Pops::Model::Positioned)
          names.flat_map { |name| [name, object.instance_variable_get(name)] }
        end
      end

      # @api private
      module InstanceCheck
        def instance?(value, guard = nil)
          super.tap do |theirs|
            Shadow.compare(theirs, guard.nil? ? DropIn.instance?(self, value) : nil) do
              "#{Shadow.show(self)}.instance?(#{value.class} #{Shadow.show(value)})"
            end
          end
        end
      end

      # @api private
      module AssignableCheck
        def assignable?(type, guard = nil)
          super.tap do |theirs|
            Shadow.compare(theirs, guard.nil? ? DropIn.assignable?(self, type) : nil) do
              "#{Shadow.show(self)}.assignable?(#{Shadow.show(type)})"
            end
          end
        end
      end

      # @api private
      module CallableCheck
        def callable_with?(args, block = nil)
          super.tap do |theirs|
            Shadow.compare(theirs, args.instance_of?(Array) ? DropIn.callable_with?(self, args, block) : nil) do
              "#{Shadow.show(self)}.callable_with?(#{Shadow.show(args)})"
            end
          end
        end
      end

      # @api private
      module Dispatching
        def find_matching_dispatcher(args, &block)
          super.tap do |theirs|
            ours = DropIn.find_dispatch(self, args, block) if args.instance_of?(Array)
            Shadow.compare((theirs && dispatchers.index(theirs)) || false, ours) { "the dispatch for #{Shadow.show(args)}" }
          end
        end
      end

      # Calls are compared by the dispatch that they find.
      #
      # @api private
      module Calling
      end

      # @api private
      module Wording
        def describe_signatures(closure, signatures, args_tuple, *others)
          super.tap do |theirs|
            ours = DropIn.describe_signatures(closure, signatures, args_tuple) if others.empty?
            Shadow.compare(theirs, ours) { "the error of #{closure}" }
          end
        end

        def describe_mismatch(name, expected, actual, *others)
          super.tap do |theirs|
            ours = DropIn.describe_mismatch(name, expected, actual) if others.empty?
            Shadow.compare(theirs, ours) { "the error of #{name}" }
          end
        end
      end

      # @api private
      module Inference
        %i[infer infer_set generalize].each do |name|
          define_method(name) do |value|
            super(value).tap do |theirs|
              Shadow.compare(theirs, DropIn.public_send(name, value)) { "#{name} of #{Shadow.show(value)}" }
            end
          end
        end

        def common_type(one, other)
          super.tap do |theirs|
            Shadow.compare(theirs, DropIn.common_type(one, other)) do
              "common_type of #{Shadow.show(one)} and #{Shadow.show(other)}"
            end
          end
        end
      end

      # @api private
      module Parsing
        def parse_string(code, path = nil)
          super.tap { |theirs| Shadow.compare(theirs, DropIn.parse_code(self, code, path)) { "the model of #{path || code}" } }
        end

        def parse_file(file)
          super.tap do |theirs|
            Shadow.compare(theirs, DropIn.parse_code(self, theirs["locator"].string, theirs["locator"].file)) { "the model of #{file}" }
          end
        end
      end

      # @api private
      module TemplateParsing
        def parse_file(file)
          super.tap do |theirs|
            Shadow.compare(theirs, DropIn.parse_code(self, theirs["locator"].string, theirs["locator"].file)) { "the model of #{file}" }
          end
        end
      end

      # @api private
      module Compiling
        def compile(node, code_id = nil)
          super.tap do |theirs|
            ours = equal?(::Puppet::Parser::Compiler) && CatalogCompiler.try(node) or next
            # These differ for each compilation.
            ours, theirs = [ours, theirs].map { |catalog| catalog.to_data_hash.except("version", "catalog_uuid", "code_id") }
            difference = Shadow.first_difference(theirs, ours)
            Shadow.note("the catalog of #{node.name}: #{difference}") if difference
          end
        end
      end

      # @api private
      module TypeParsing
        def parse(string, context = nil)
          super.tap { |theirs| Shadow.compare(theirs, DropIn.parse_type(self, string, context)) { "the type #{string.inspect}" } }
        end
      end
    end
  end
end
