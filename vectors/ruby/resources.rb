# frozen_string_literal: true

require "json"
require_relative "extension"
require_relative "messages"
require_relative "modules"
require_relative "ruby_errors"

module Vectors
  # Makes instances of the resources of small programs, and their relationship graph. The modules are those of the
  # catalogs, in the directory beside; `facts.json` has the facts.
  module Resources
    KINDS = %w[base title attribute several provider metaparameter graph].freeze
    # An object as Ruby shows it.
    OBJECT = /#<Puppet.*>/m
    # Where Puppet stumbles, it is enough that there is an error.
    STUMBLED = %w[NoMethodError TypeError].freeze
    PARTS = %w[resources edges cycles].freeze
    # Stands for the directory that a case is run in.
    DIRECTORY = "<DIRECTORY>"
    RELATIVE = /"#{DIRECTORY}(\/[^"]+)"/
    private_constant :OBJECT, :STUMBLED, :PARTS, :DIRECTORY, :RELATIVE

    def self.failures(directory, cases)
      Extension.load
      world = (@worlds ||= {})[directory] ||= World.new(directory)
      cases.map { |recorded| difference(recorded.data["code"], recorded.data["expected"], world.outcome(recorded.data["code"])) }
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
      JSON.parse(paths.reduce(JSON.generate(expected)) { |text, path| text.gsub(%r{"/[^"]*?#{Regexp.escape(path)}"}, "\"#{DIRECTORY}#{path}\"") })
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
      VARIABLES = "/var/opt/puppetfn-vectors"
      # What resources have though code does not say so.
      UNSAID = %i[provider loglevel].freeze
      private_constant :VARIABLES, :UNSAID

      def initialize(directory)
        @facts = JSON.parse(File.read(File.join(directory, "facts.json")))
        @modules = Modules.unpack(File.join(directory, "..", "catalogs", "modules.tar.gz"))
      end

      # What comes of a program, in the form of what is recorded.
      def outcome(code)
        phase = "compile"
        runtime = Puppetfn::Runtime.new(modulepath: [@modules], facts: @facts, node: "vm.example.com",
          settings: {clientbucketdir: "#{VARIABLES}/clientbucket"})
        catalog = runtime.compile(code)
        phase = "instances"
        ral = catalog.to_ral
        resources = runtime.activate { ral.sort_by(&:ref).to_h { |resource| [resource.ref, values(resource)] } }
        phase = "graph"
        hidden("resources" => resources, **described(ral.relationship_graph))
      rescue StandardError, ScriptError, SystemStackError => e
        hidden("error" => {"class" => e.class.name, "message" => e.message}, "phase" => phase)
      end

      private

      def values(resource)
        said = resource.to_hash.select { |name, _| !UNSAID.include?(name) || resource.original_parameters.key?(name) }
        said.sort.to_h { |name, value| [name.name, plain(value)] }
      end

      def described(graph)
        edges = graph.edges.map { |edge| [edge.source.ref, edge.target.ref, edge.event.to_s, edge.callback.to_s] }
        {"edges" => edges.sort, "cycles" => graph.cycles.map { |cycle| cycle.map(&:ref).sort }.sort}
      end

      def plain(value)
        case value
        when Symbol then {"symbol" => value.name}
        when Hash then {"hash" => value.map { |pair| pair.map { |part| plain(part) } }}
        when Array then value.map { |element| plain(element) }
        when Puppet::Resource then {"ref" => value.ref}
        when String then value.dup.force_encoding(Encoding::UTF_8)
        when Numeric, true, false, nil then value
        else {"object" => value.class.name, "text" => value.to_s}
        end
      end

      def hidden(outcome)
        JSON.parse(JSON.generate(outcome).gsub(@modules, "<MODULES>").gsub(VARIABLES, "<VARDIR>").gsub("\"#{Dir.pwd}/", "\"#{DIRECTORY}/"))
      end
    end
    private_constant :World
  end
end
