# frozen_string_literal: true

require "json"
require_relative "../settings"

module Differential
  # Statements, one a line, that declare resources. If `alone`, each is one resource that is looked at by itself, too.
  InstanceProgram = Struct.new(:number, :statements, :alone, keyword_init: true) do
    # @param line [String] JSON
    # @return [InstanceProgram]
    def self.load(line)
      new(**JSON.parse(line).transform_keys(&:to_sym))
    end

    # The manifest: those of the statements that are given by their numbers, each on its line.
    def code(numbers = nil)
      statements.each_with_index.map { |statement, index| "#{statement if numbers.nil? || numbers.include?(index)}\n" }.join
    end

    def to_s
      "# number #{number}\n#{code}"
    end
  end

  # What a side makes of a program: instances or errors, and the relationship graph of all resources that are right.
  class InstanceAnswer
    FACTS = {
      "os" => {"name" => "Debian", "family" => "Debian", "release" => {"full" => "12.5", "major" => "12"}, "architecture" => "amd64"},
      "kernel" => "Linux", "networking" => {"fqdn" => "vm.example.com", "hostname" => "vm"}, "service_provider" => "systemd", "path" => "/usr/bin:/bin"
    }.freeze
    NODE = "vm.example.com"
    # What texts show of the side that made them: objects with their addresses, directories, code.
    HIDDEN = [
      [/(?<=undefined method `|undefined local variable or method `)([^']+)' for #<.*/m, "\\1' for #<…>"],
      [/Puppetfn::/, ""], [/(?<object>#<(?:Puppet::|Type |#<Class:0x\h+>:|Deferred)(?:=>|[^<>]|#<\w+>|\g<object>)*>)/, "#<…>"], [/0x\h{8,16}/, "0x…"], [/\n\n.*?\^+(?= \(line|\z)/m, ""]
    ].freeze

    DEFERRED = ->(value) { value.to_s.start_with?("Deferred(") }
    private_constant :DEFERRED

    def initialize(side, program)
      @side = side
      @program = program
    end

    # @return [Hash{String=>Object}] data for JSON
    def data
      numbers = (0...@program.statements.size).to_a
      alone = instances(numbers) if @program.alone
      right = alone ? numbers.reject { |number| alone[number]&.key?("error") } : numbers
      hide({"alone" => alone, **graph(right), "logs" => logs}.compact)
    end

    private

    # Warnings, and the cycles. What is raised is logged, too; and Puppet compiles more often.
    def logs
      @side.logs.select { |level, message| level != "err" || message.start_with?("Found") }.map { |entry| entry.join(": ") }.uniq.sort
    end

    # The instance or the error of each of some statements, by its number.
    def instances(numbers)
      found = {}
      @side.each_resource(@program.code(numbers)) do |line, instance|
        found[line - 1] = attempt("instance") { described(instance.call) } if line
      end
      found
    rescue StandardError, ScriptError, SystemStackError => e
      return {numbers.first => failure("compile", e)} if numbers.one?

      numbers.map { |number| instances([number]) }.reduce(:merge)
    end

    def graph(numbers)
      attempt("compile") do
        catalog = @side.compile(@program.code(numbers))
        attempt("instances") do
          ral = catalog.to_ral
          @side.active { attempt("graph") { graph_of(ral) } }
        end
      end
    end

    def graph_of(ral)
      graph = ral.relationship_graph
      edges = graph.edges.map { |edge| [edge.source.ref, edge.target.ref, edge.event.to_s, edge.callback.to_s].join(" ") }
      graph.report_cycles_in_graph
      {"paths" => ral.resources.to_h { |resource| [resource.ref, resource.path] }, "edges" => edges.sort}
    end

    def attempt(phase)
      yield
    rescue StandardError, ScriptError, SystemStackError => e
      failure(phase, e)
    end

    def failure(phase, error)
      {"error" => "#{phase}: #{error.class}: #{error.message}"}
    end

    def described(resource)
      values = resource.to_hash.sort_by { |name, _| name.name }.to_h { |name, value| [name.name, plain(value)] }
      values.merge("(title)" => resource.title, "(tags)" => resource.tags.to_a.sort, "(sensitive)" => sensitive(resource))
    end

    def sensitive(resource)
      resource.parameters_with_value.select(&:sensitive).map { |parameter| parameter.name.to_s }.sort
    end

    def plain(value)
      case value
      when Symbol then {"symbol" => value.name}
      when Hash then {"hash" => value.map { |pair| pair.map { |part| plain(part) } }}
      when Array then value.map { |element| plain(element) }
      when Puppet::Resource then {"ref" => value.ref}
      when String, Integer, true, false, nil then value
      when Puppet::Pops::Types::PAnyType, Puppet::Pops::Types::PuppetObject, DEFERRED then {"text" => value.to_s}
      else {"object" => value.class.name, "text" => value.to_s}
      end
    end

    def hide(value)
      case value
      when String then HIDDEN.reduce(value.dup.force_encoding(Encoding::UTF_8).scrub) { |text, (pattern, by)| text.gsub(pattern, by) }
      when Array then value.map { |element| hide(element) }
      when Hash then value.to_h { |key, element| [hide(key.to_s), hide(element)] }
      else value
      end
    end
  end
end
