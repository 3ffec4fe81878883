# frozen_string_literal: true

require "digest"
require "json"
require "zlib"
require_relative "extension"
require_relative "modules"
require_relative "recorded"

module Vectors
  # Compiles recorded catalogs of modules (Modules). `facts.jsonl.gz` has the facts of nodes by their digests.
  module Catalog
    # How many differences of one catalog are told.
    SHOWN = 8
    # When they were recorded: some compare times among the facts with that of the compilation.
    RECORDED_AT = Time.utc(2026, 11, 22, 7, 45)
    # Matches texts of several lines in a `when`.
    TEXT = ->(value) { value.is_a?(String) && value.count("\n") > 1 && value.size > 80 }
    private_constant :SHOWN, :RECORDED_AT, :TEXT

    # The clock of the recording, in place of the machine's.
    module Clock
      def clock
        Puppet::Pops::Time::Timestamp.from_time(RECORDED_AT)
      end
    end
    private_constant :Clock

    def self.failures(directory, cases)
      Extension.load
      Puppetfn::Libraries.singleton_class.prepend(Clock)
      world = (@worlds ||= {})[directory] ||= World.new(directory)
      cases.map { |recorded| differences(recorded.data["expected"], world.outcome(recorded.data)) }
    end

    # What is different, a line each; nil when nothing is.
    def self.differences(expected, actual)
      found = compare(expected, actual)
      return if found.empty?

      more = found.size > SHOWN ? ["and #{found.size - SHOWN} more differences"] : []
      [*found.first(SHOWN), *more].join("\n")
    end

    def self.compare(expected, actual)
      return [] if expected == actual

      theirs, ours = expected["catalog"], actual["catalog"]
      return [difference("outcome", expected["error"] || "a catalog", actual["error"] || "a catalog")] unless theirs && ours

      resources(theirs, ours) + %w[edges classes tags order].filter_map do |part|
        difference(part, *without_common(theirs[part], ours[part])) if theirs[part] != ours[part]
      end
    end
    private_class_method :compare

    def self.resources(theirs, ours)
      ours, theirs = [ours, theirs].map { |catalog| catalog["resources"].to_h { |found| ["#{found["type"]}[#{found["title"]}]", found] } }
      (theirs.keys | ours.keys).flat_map do |name|
        next difference(name, *[theirs, ours].map { |side| side.key?(name) ? "declared" : "not there" }) unless theirs[name] && ours[name]

        attributes(name, theirs[name], ours[name])
      end
    end
    private_class_method :resources

    def self.attributes(name, theirs, ours)
      given, made = theirs["parameters"], ours["parameters"]
      parameters = (given.keys | made.keys).filter_map do |parameter|
        values = [given, made].map { |side| side.fetch(parameter, :absent) }
        difference("#{name} #{parameter}", *values) unless values.first == values.last
      end
      others = (theirs.keys - ["parameters"]).filter_map do |attribute|
        difference("#{name} (#{attribute})", *without_common(theirs[attribute], ours[attribute])) if theirs[attribute] != ours[attribute]
      end
      parameters + others
    end
    private_class_method :attributes

    # Lists that have the same elements in another order are told as they are, others without what they share.
    def self.without_common(theirs, ours)
      return [theirs, ours] unless theirs.is_a?(Array) && ours.is_a?(Array) && theirs.sort != ours.sort

      [theirs - ours, ours - theirs]
    end
    private_class_method :without_common

    def self.difference(place, theirs, ours)
      "#{place}: expected #{show(theirs)}, got #{show(ours)}"
    end
    private_class_method :difference

    def self.show(value)
      text = value.is_a?(Symbol) ? value.name : JSON.generate(value)
      text.size > 300 ? "#{text[0, 300]}..." : text
    end
    private_class_method :show

    # Facts as rspec-puppet has them, by which the catalogs were recorded: undef facts stay undef.
    module UndefFacts
      private

      def fact_variables(facts)
        Puppetfn::Facts.variables(facts, missing: nil)
      end
    end

    # The modules and facts of a directory.
    class World
      # What stands for a fact that is no data.
      SYMBOL = "__symbol"
      private_constant :SYMBOL

      def initialize(directory)
        @facts = Zlib::GzipReader.open(File.join(directory, FACTS)) do |file|
          file.each_line.to_h { |line| JSON.parse(line).values_at("digest", "facts") }
        end
        @source = Modules.of(directory)
      end

      # @param data [Hash, nil] a case; nil for all modules
      # @return [String] the module path
      def modules(data = nil)
        @source.directory(data && data["module"])
      end

      # What comes of a case, in the form of what is recorded.
      def outcome(data)
        {"catalog" => recorded_form(compile(data).to_data_hash, data)}
      rescue Puppet::Error, ArgumentError => e
        {"error" => {"class" => e.class.name, "message" => hidden(e.message, data)}}
      end

      # @return [Puppetfn::Catalog]
      def compile(data, facts = facts(data))
        runtime(data, facts).compile(text(data["code"], data))
      end

      # @return [Hash{String=>Object}] those of the node of a case
      def facts(data)
        symbols(@facts.fetch(data["facts"]))
      end

      # @param data [Hash, nil] its case; nil for the place of all modules
      # @return [String] a text with the place of the modules in it
      def text(text, data = nil)
        text.gsub("<MODULES>", modules(data))
      end

      # @param catalog [Hash] a catalog as agents get it
      # @return [Hash] its recorded form
      def recorded_form(catalog, data)
        described = Catalog.describe(hidden(catalog, data))
        @source.texts_recorded? ? described : Catalog.with_digests(described)
      end

      # @param value [Object] of the answer to a case
      # @return [Object] the value as it is recorded, without the place of the modules
      def hidden(value, data)
        case value
        when String then value.gsub(modules(data), "<MODULES>")
        when Array then value.map { |element| hidden(element, data) }
        when Hash then value.to_h { |key, element| [hidden(key, data), hidden(element, data)] }
        else value
        end
      end

      private

      def runtime(data, facts)
        Puppetfn::Scope.prepend(UndefFacts)
        modules = modules(data)
        Puppetfn::Runtime.new(
          modulepath: modules, environment: Puppetfn::Environment.new(nil, [modules], name: data["environment"]),
          facts: facts, node: data["node"], trusted: data["trusted"],
          server_facts: data["server_facts"], variables: data["variables"],
          hiera_config: data["hiera_config"] && text(data["hiera_config"], data),
          strict: data["strict"].to_sym, strict_variables: data["strict_variables"],
          settings: data["settings"].transform_keys(&:to_sym)
        )
      end

      def symbols(value)
        case value
        when Hash then value.keys == [SYMBOL] ? value[SYMBOL].to_sym : value.transform_values { |element| symbols(element) }
        when Array then value.map { |element| symbols(element) }
        else value
        end
      end
    end

    class << self
      # @param data [Hash] a catalog as agents get it
      # @return [Hash] the form in which catalogs are recorded
      def describe(data)
        {
          "resources" => data["resources"].map { |found| resource(found) }.sort_by { |found| found.values_at("type", "title") },
          "edges" => data["edges"].map { |edge| edge.values_at("source", "target") }.sort,
          "classes" => data["classes"].sort, "tags" => data["tags"].sort,
          "order" => data["resources"].map { |found| "#{found["type"]}[#{found["title"]}]" }
        }
      end

      # Replaces texts that templates have rendered. Most of their words are the work of the modules' authors.
      #
      # @return [Object] the value with digests of the texts
      def with_digests(value)
        case value
        when TEXT then "<TEXT sha256:#{Digest::SHA256.hexdigest(value)}>"
        when Array then value.map { |element| with_digests(element) }
        when Hash then value.to_h { |key, element| [with_digests(key), with_digests(element)] }
        else value
        end
      end

      private

      # Only resources that are not virtual are in the data of a catalog.
      def resource(data)
        {
          "type" => data["type"], "title" => data["title"], "tags" => data["tags"].sort, "exported" => data["exported"],
          "virtual" => false, "file" => (data["file"] unless data["file"] == ""), "line" => data["line"], "kind" => data["kind"],
          "sensitive" => data.fetch("sensitive_parameters", []).sort, "parameters" => data.fetch("parameters", {}).sort.to_h
        }
      end
    end
  end
end
