# frozen_string_literal: true

require "json"
require_relative "extension"
require_relative "instances"
require_relative "messages"
require_relative "modules"
require_relative "ruby_errors"

module Vectors
  # Makes instances of the resources of small programs, and their relationship graph. The modules are those of the
  # catalogs (Modules); `facts.json` has the facts.
  module Resources
    KINDS = %w[base title attribute several provider metaparameter graph].freeze
    # An object as Ruby shows it.
    OBJECT = /#<Puppet.*>/m
    # Where Puppet stumbles, it is enough that there is an error.
    STUMBLED = %w[NoMethodError TypeError].freeze
    PARTS = %w[resources edges cycles].freeze
    RELATIVE = /"#{Instances::DIRECTORY}(\/[^"]+)"/
    private_constant :OBJECT, :STUMBLED, :PARTS, :RELATIVE

    def self.failures(directory, cases)
      Extension.load
      world = (@worlds ||= {})[directory] ||= World.new(directory)
      cases.map { |recorded| difference(recorded.data["code"], recorded.data["expected"], world.outcome(recorded.data)) }
    end

    def self.difference(code, expected, actual)
      expected, actual = [within_directory(expected, actual), actual].map { |outcome| plain(outcome) }
      return if [expected, with_message(expected) { |message| Messages.without_secrets(message, code) }].include?(actual)
      return if stumbled?(expected, actual)

      return "expected #{JSON.generate(expected)}\n     got #{JSON.generate(actual)}" if expected["error"] || actual["error"]

      PARTS.filter_map do |part|
        theirs, ours = [expected, actual].map { |outcome| outcome[part].to_a }
        "#{part}: expected #{JSON.generate(theirs - ours)}, got #{JSON.generate(ours - theirs)}" if theirs != ours
      end.join("\n")
    end

    # What depends on the code of either side is no part of an error.
    def self.plain(outcome)
      with_message(outcome) { |message| RubyErrors.comparable(message).gsub(OBJECT, "#<Puppet>") }
    end

    # The outcome with what the block makes of its error's message, if it has one.
    def self.with_message(outcome)
      error = outcome["error"]
      error ? outcome.merge("error" => error.merge("message" => yield(error["message"]))) : outcome
    end

    # What is expected, with our name for the directory that relative paths are in: Puppet ran in another.
    def self.within_directory(expected, actual)
      paths = JSON.generate(actual).scan(RELATIVE).flatten
      text = paths.reduce(JSON.generate(expected)) do |known, path|
        known.gsub(%r{"/[^"]*?#{Regexp.escape(path)}"}, "\"#{Instances::DIRECTORY}#{path}\"")
      end
      JSON.parse(text)
    end

    def self.stumbled?(expected, actual)
      theirs, ours = expected["error"], actual["error"]
      return true if ours && RubyErrors.unrecorded?(ours["message"])
      return false unless theirs && ours && expected["phase"] == actual["phase"]

      STUMBLED.include?(theirs["class"]) || (theirs["class"] == ours["class"] && Messages.stumbled?(theirs["message"], ours["message"]))
    end
    private_class_method :difference, :plain, :with_message, :within_directory, :stumbled?

    # The modules and facts of a directory.
    class World
      def initialize(directory)
        @facts = JSON.parse(File.read(File.join(directory, "facts.json")))
        @source = Modules.of(directory)
      end

      # What comes of a program, in the form of what is recorded.
      def outcome(data)
        phase = "compile"
        modules = @source.directory(data["module"])
        runtime = Puppetfn::Runtime.new(modulepath: [modules], facts: @facts, node: Instances::NODE,
          settings: {clientbucketdir: "#{Instances::VARIABLES}/clientbucket"})
        catalog = runtime.compile(data["code"])
        phase = "instances"
        ral = catalog.to_ral
        resources = runtime.activate { Instances.resources(ral.to_a) }
        phase = "graph"
        graph = ral.relationship_graph
        Instances.hidden({"resources" => resources, **Instances.graph(graph.edges, graph.cycles)}, modules)
      rescue StandardError, ScriptError, SystemStackError => e
        Instances.hidden({"error" => {"class" => e.class.name, "message" => e.message}, "phase" => phase}, modules)
      end
    end
    private_constant :World
  end
end
