# frozen_string_literal: true

require_relative "any_subject"
require_relative "order"
require_relative "parameter"
require_relative "relationships"

module Puppetfn
  module RSpec
    # `contain_TYPE(title)`: whether a resource is declared, how, and in which order with others.
    #
    #   expect(catalogue).to contain_file("/etc/motd").with_ensure("file").that_requires("Package[motd]")
    #   expect(catalogue).not_to contain_package(/-dev$/)
    class ContainResource
      include AnySubject

      # The relationships that can be asked for, by the words that descriptions have for them: in the order in which they
      # are told, where only the last counts.
      RELATIONSHIPS = {
        that_notifies: "notifies", that_subscribes_to: "subscribes to", that_requires: "requires",
        that_comes_before: "comes before"
      }.freeze
      # In the order in which messages tell them, and in their words.
      DISORDER = {
        that_comes_before: "comes before", that_requires: "requires", that_notifies: "notifies",
        that_subscribes_to: "is subscribed to"
      }.freeze
      # The negations of relationships: the relationship, and the words that descriptions and messages have for the negation.
      NEGATIONS = {
        without_comes_before: [:that_comes_before, "does not come before"],
        without_requires: [:that_requires, "does not require"],
        without_notifies: [:that_notifies, "does not notify"],
        without_subscribes_to: [:that_subscribes_to, "is not subscribed to"]
      }.freeze
      private_constant :RELATIONSHIPS, :DISORDER, :NEGATIONS

      # @param type [String] as in the names of matchers: `concat__fragment` for `Concat::Fragment`
      # @param title [String, Regexp] a Regexp means any resource of the type whose title matches
      def initialize(type, title)
        @type = ContainResource.type_named(type)
        @title = title
        @expected = []
        @refused = []
        @relationships = Hash.new { |relationships, kind| relationships[kind] = [] }
        @negations = []
        @problems = []
      end

      # @param name [String]
      # @return [String] the type
      def self.type_named(name)
        name.split("__").map(&:capitalize).join("::")
      end

      # @param params [Hash{String, Symbol=>Object}] values, also a Regexp, a Proc that gets the value, or nil
      #   for a parameter that is not set
      # @return [self]
      def with(params = nil, *)
        @expected |= params.to_a
        self
      end

      # As {#with}, and no other parameters.
      #
      # @param params [Hash{String, Symbol=>Object}]
      # @return [self]
      def only_with(params)
        @count = (@count || 0) + params.compact.size
        with(params)
      end

      # @param names [Array<String, Symbol>, Hash{String, Symbol=>Object}] parameters that are not set, or values that
      #   parameters do not have
      # @return [self]
      def without(names = nil, *)
        @refused |= Array(names)
        self
      end

      RELATIONSHIPS.each_key do |name|
        define_method(name) do |references|
          @relationships[name].concat(Array(references))
          self
        end
      end

      # Requires that the resource has no such relationship with others, which need not be in the catalog. Without references, or if the
      # resource has a parameter of this name, it is the parameter that must not be set, as in rspec-puppet.
      #
      # @!method without_comes_before(references)
      # @!method without_requires(references)
      # @!method without_notifies(references)
      # @!method without_subscribes_to(references)
      # @param references [String, Puppet::Resource, Array<String, Puppet::Resource>]
      # @return [self]
      NEGATIONS.each_key do |name|
        define_method(name) do |*references|
          references.empty? ? @refused << [name.name.delete_prefix("without_"), nil] : @negations << [name, references.first]
          self
        end
      end

      # @param catalogue [Catalog, #call]
      # @return [Boolean]
      def matches?(catalogue)
        @catalogue = catalogue.respond_to?(:call) ? catalogue.call : catalogue
        @candidates = candidates.each { |resource| Coverage.cover!(resource) }
        @resource, problems = @candidates.map { |resource| [resource, problems_of(resource)] }.min_by { |_, found| found.size }
        @problems = problems || []
        !@resource.nil? && @problems.empty?
      end

      # @return [String]
      def description
        ["contain #{reference}", wishes].compact.join(" ")
      end

      # @return [String] as in rspec-puppet, with the present resources or values
      def failure_message
        "expected that the catalogue would contain #{reference}#{listed_problems}#{@resource ? other_candidates : neighbours}"
      end

      # @return [String]
      def failure_message_when_negated
        "expected that the catalogue would not contain #{reference}#{listed_problems}#{other_candidates}"
      end

      # @return [true] expected and actual values can be compared, where these are texts
      def diffable?
        true
      end

      # @return [String] with an empty line between values, and between the elements of arrays
      def expected
        @problems.grep(Parameter::Problem).filter_map(&:expected).join("\n\n")
      end

      # @return [String] (see #expected)
      def actual
        @problems.grep(Parameter::Problem).filter_map(&:actual).join("\n\n")
      end

      private

      # `with_NAME(value)`, `only_with_NAME(value)` and `without_NAME`.
      def method_missing(name, *args)
        case name
        when /\Awith_(.+)/m then @expected << [$1, args.first]
        when /\Aonly_with_(.+)/m
          @count = (@count || 0) + 1
          @expected << [$1, args.first]
        when /\Awithout_(.+)/m then @refused << [$1, args.first]
        else return super
        end
        self
      end

      def respond_to_missing?(name, include_private = false)
        name.match?(/\A((only_)?with|without)_./) || super
      end

      def reference
        "#{@type}[#{@title}]"
      end

      # Only relationships of one kind are described, and then nothing else, as in rspec-puppet.
      def wishes
        kind = RELATIONSHIPS.keys.reverse.find { |name| @relationships.key?(name) }
        words = kind ? "that #{RELATIONSHIPS[kind]}" : "with"
        list = kind ? @relationships[kind] : [*("exactly #{@count} parameters" if @count), *(expectations + refusals).map(&:to_s)]
        wishes = ["#{words} #{listed(list)}"].reject { list.empty? }
        wishes += @negations.map { |name, references| "that #{NEGATIONS[name].last} #{listed(Array(references))}" }
        wishes.join(" and ") unless wishes.empty?
      end

      def listed(items)
        [items[0..-2].join(", "), items.last].reject { |part| part.to_s.empty? }.join(" and ")
      end

      def listed_problems
        " with #{@problems.join(", and parameter ")}" if @problems.any?
      end

      # Returns a note with the present resources of the type.
      def neighbours
        titles = @catalogue.resources.select { |resource| resource.type == @type }.map { |resource| resource.title.to_s }
        titles -= %w[main Settings]
        return "\nit has none of that type" if titles.empty?

        "\nof that type it has only #{shortened(titles)}"
      end

      # Names the compared resource, and the others whose titles match.
      def other_candidates
        return unless @title.is_a?(Regexp) && @resource

        titles = @candidates.map { |resource| resource.title.to_s }
        others = titles - [@resource.title.to_s]
        "\nit has #{@resource.to_ref}#{" and #{shortened(others)}" if others.any?}"
      end

      def shortened(titles)
        "#{titles.first(10).join(", ")}#{" and #{titles.size - 10} more" if titles.size > 10}"
      end

      # Resources of the title, of which a catalog has one; for a Regexp, resources whose titles match.
      def candidates
        return [@catalogue.resource(@type, @title)].compact unless @title.is_a?(Regexp)

        # Specs write the names of classes in lower case.
        names = ->(resource) { [resource.title.to_s, *(resource.title.to_s.downcase if @type == "Class")] }
        @catalogue.resources.select { |resource| resource.type == @type && names[resource].any?(@title) }
      end

      def expectations
        @expected.map { |name, value| Parameter.new(name, value) }
      end

      def refusals
        @refused.map { |name, value| Parameter.new(name, value, refused: true) }
      end

      def problems_of(resource)
        values = parameters(resource)
        count = "exactly #{@count} parameters but the catalogue contains #{values.size}" if @count && @count != values.size
        [count, *(expectations + refusals).filter_map { |parameter| parameter.problem(values) }, *disorder(resource),
         *unwanted_order(resource, values)].compact
      end

      # Every resource has the parameter of its title: it only counts if the example names it.
      def parameters(resource)
        values = resource.to_hash
        resource.sensitive_parameters.each do |name|
          values[name] = Sensitive.new(values[name]) unless values[name].respond_to?(:unwrap)
        end
        namevar = resource.resource_type ? resource.key_attributes.first : :name
        values.delete(namevar) if @expected.none? { |name, _| name.to_sym == namevar }
        values
      end

      def disorder(resource)
        return [] if @relationships.empty?

        relationships = @catalogue.respond_to?(:relationships) ? @catalogue.relationships : Relationships.new(@catalogue)
        DISORDER.flat_map do |name, words|
          @relationships.fetch(name, []).reject { |other| relationships.public_send(name, resource, other) }
            .map { |other| "that #{words} #{other}" }
        end
      end

      def unwanted_order(resource, values)
        order = nil
        @negations.flat_map do |name, references|
          parameter = name.name.delete_prefix("without_")
          next [Parameter.new(parameter, references, refused: true).problem(values)] if values.key?(parameter.to_sym)

          order ||= Order.new(@catalogue)
          kind, words = NEGATIONS.fetch(name)
          Array(references).select { |other| order.public_send(kind, resource, other) }.map { |other| "that #{words} #{other}" }
        end
      end
    end
  end
end
