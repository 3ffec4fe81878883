# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"
require_relative "extension"

module Vectors
  # Runs the cases of autoloading; spec/vectors/load/README.md describes them.
  module Load
    # What is recorded of the logs.
    LEVELS = %i[notice warning err alert emerg crit].freeze
    # The fields with what is expected.
    OUTCOME = %w[results setup_error setup_logs].freeze
    NODE = "node.example.com"
    private_constant :LEVELS, :OUTCOME, :NODE

    def self.failures(_directory, cases)
      Extension.load
      cases.map do |recorded|
        expected = recorded.data.slice(*OUTCOME)
        actual = in_tree(recorded.data["files"]) { |root| World.new(recorded.data, root).run }
        "expected #{JSON.generate(expected)}\ngot      #{JSON.generate(actual)}" if actual != expected
      end
    end

    # Writes files below a directory that is there for the length of the block.
    def self.in_tree(files)
      Dir.mktmpdir("puppetfn-vectors-") do |directory|
        root = File.realpath(directory)
        FileUtils.mkdir_p([File.join(root, "env"), File.join(root, "modules")])
        files.each do |path, text|
          file = File.join(root, path)
          FileUtils.mkdir_p(File.dirname(file))
          File.binwrite(file, text)
        end
        yield root
      end
    end
    private_class_method :in_tree

    # The modules and the environment of a case.
    class World
      def initialize(data, root)
        @data = data
        @root = root
        @runtime = Puppetfn::Runtime.new(
          modulepath: data["modulepath"].map { |path| File.join(root, path) },
          environment: File.join(root, data["environment"]),
          node: (NODE if data["compiler"] == "catalog")
        )
      end

      # What comes of the case, in the fields that the case has for it.
      def run
        failure = set_up
        logs = take_logs
        outcome = {"results" => failure ? [] : @data["calls"].map { |call| answer(call) }}
        outcome["setup_error"] = failure if failure
        outcome["setup_logs"] = logs if logs.any?
        outcome
      end

      private

      def set_up
        @runtime.evaluate_file(File.join(@root, @data["manifest"])) if @data.key?("manifest")
        nil
      rescue StandardError => e
        describe(e)
      end

      def answer(call)
        answer = begin
          {"result" => hide_root(show(value(call)))}
        rescue SystemExit, Interrupt, NoMemoryError
          raise
        rescue Exception => e # rubocop:disable Lint/RescueException
          {"error" => describe(e)}
        end
        logs = take_logs
        logs.empty? ? answer : answer.merge("logs" => logs)
      end

      def value(call)
        return @runtime.evaluate_string(call["eval"]) if call.key?("eval")

        @runtime.call_function(call["fn"], *call["args"])
      end

      def take_logs
        logs = @runtime.logs.map { |level, text| [level.to_s, hide_root(text)] if LEVELS.include?(level) }
        @runtime.logs.clear
        logs.compact
      end

      def describe(error)
        "#{error.class.name}: #{hide_root(error.message)}"
      end

      # As Ruby's inspect, but types as their text.
      def show(value)
        case value
        when Array then "[#{value.map { |element| show(element) }.join(", ")}]"
        when Hash then "{#{value.map { |key, element| "#{show(key)}=>#{show(element)}" }.join(", ")}}"
        when Puppetfn::Type then value.to_s
        else value.inspect
        end
      end

      def hide_root(text)
        text.gsub(@root, "<ROOT>")
      end
    end
  end
end
