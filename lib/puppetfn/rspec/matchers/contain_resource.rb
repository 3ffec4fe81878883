# frozen_string_literal: true

require_relative "any_subject"
require_relative "parameters"
require_relative "relationships"

module Puppetfn
  module RSpec
    # `contain_TYPE(title)`: whether a resource is declared, how, and in which order with others.
    #
    #   expect(catalogue).to contain_file("/etc/motd").with_ensure("file").that_requires("Package[motd]")
    class ContainResource
      include AnySubject

      # The relationships that can be asked for, by the words that messages have for them.
      RELATIONSHIPS = {
        that_comes_before: "comes before", that_requires: "requires", that_notifies: "notifies",
        that_subscribes_to: "subscribes to"
      }.freeze
      private_constant :RELATIONSHIPS

      # @param type [String] as in the names of matchers: `concat__fragment` for `Concat::Fragment`
      # @param title [String]
      def initialize(type, title)
        @type = ContainResource.type_named(type)
        @title = title
        @expected = {}
        @unset = []
        @refused = {}
        @relationships = []
      end

      # @param name [String]
      # @return [String] the type
      def self.type_named(name)
        name.split("__").map(&:capitalize).join("::")
      end

      # @param params [Hash{String, Symbol=>Object}] values, also a Regexp, a Proc that is given the value, or nil
      #   for a parameter that is not set
      # @return [self]
      def with(params)
        params.each { |name, value| @expected[name.to_sym] = value }
        self
      end

      # As {#with}, and no other parameters.
      #
      # @param params [Hash{String, Symbol=>Object}]
      # @return [self]
      def only_with(params)
        @count = (@count || 0) + params.count { |_, value| !value.nil? }
        with(params)
      end

      # @param names [Array<String, Symbol>, Hash{String, Symbol=>Object}] parameters that are not set, or values that
      #   parameters do not have
      # @return [self]
      def without(names)
        if names.is_a?(Hash)
          names.each { |name, value| @refused[name.to_sym] = value }
        else
          @unset.concat(Array(names).map(&:to_sym))
        end
        self
      end

      RELATIONSHIPS.each_key do |name|
        define_method(name) do |references|
          @relationships.concat(Array(references).map { |reference| [name, reference] })
          self
        end
      end

      # @param catalogue [Catalog, #call]
      # @return [Boolean]
      def matches?(catalogue)
        @catalogue = catalogue.respond_to?(:call) ? catalogue.call : catalogue
        @resource = @catalogue.resource(@type, @title)
        @problems = @resource ? problems : []
        !@resource.nil? && @problems.empty?
      end

      # @return [String]
      def description
        wishes = [("with exactly #{@count} parameters" if @count), *Parameters.describe(@expected, @unset, @refused),
                  *@relationships.map { |name, reference| "that #{RELATIONSHIPS[name]} #{reference}" }].compact
        ["contain #{reference}", *wishes].join(" ")
      end

      # @return [String]
      def failure_message
        why = @resource ? @problems.map { |problem| "\n  #{problem}" }.join : ""
        "expected that the catalogue would #{description}#{", but#{why.empty? ? " it is not declared" : ":#{why}"}"}"
      end

      # @return [String]
      def failure_message_when_negated
        "expected that the catalogue would not #{description}"
      end

      private

      # `with_NAME(value)`, `only_with_NAME(value)` and `without_NAME`.
      def method_missing(name, *args)
        case name
        when /\Awithout_(.+)/ then args.empty? ? without([$1]) : without($1 => args.first)
        when /\A(only_with|with)_(.+)/ then public_send($1, $2 => args.first)
        else super
        end
      end

      def respond_to_missing?(name, include_private = false)
        name.match?(/\A((only_)?with|without)_./) || super
      end

      def reference
        "#{@type}[#{@title}]"
      end

      def problems
        parameters = Parameters.new(@resource, @expected.keys)
        count = "expected exactly #{@count} parameters, and there are #{parameters.count}" if @count && @count != parameters.count
        [count, *parameters.problems(@expected, @unset, @refused), *disorder].compact
      end

      def disorder
        relationships = Relationships.new(@catalogue)
        @relationships.filter_map do |name, other|
          "expected that it #{RELATIONSHIPS[name]} #{other}" unless relationships.public_send(name, @resource, other)
        end
      end
    end

    # `have_resource_count`, `have_class_count` and `have_TYPE_resource_count`: how many resources are declared.
    class ResourceCount
      include AnySubject

      # What every catalog has.
      ALWAYS = ["Class[main]", "Class[Main]", "Class[Settings]", "Stage[main]"].freeze
      private_constant :ALWAYS

      # @param type [String] `resource` for all but classes, or as in the names of matchers
      # @param count [Integer]
      def initialize(type, count)
        @type = type
        @count = count
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

    # Matchers for catalogs.
    module ManifestMatchers
      private

      def method_missing(name, *args, &block)
        case name
        when /\A(?:create|contain)_(.+)/ then ContainResource.new($1, args.first)
        when /\Ahave_(.+)_resource_count\z/, /\Ahave_(resource|class)_count\z/ then ResourceCount.new($1, args.first)
        else super
        end
      end

      def respond_to_missing?(name, include_private = false)
        name.match?(/\A((create|contain)_.|have_(.+_resource|resource|class)_count\z)/) || super
      end
    end
  end
end
