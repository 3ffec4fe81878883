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
      require "puppetfn/pal"
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
        @logged = []
      end

      # What comes of the case, in the fields that the case has for it.
      def run
        early = []
        results = []
        failure = failure_of_setup do |compiler|
          early = take_logs
          results = @data["calls"].map { |call| answer(compiler, call) }
        end
        early = take_logs if failure
        outcome = {"results" => results}
        outcome["setup_error"] = failure if failure
        outcome["setup_logs"] = early if early.any?
        outcome
      end

      private

      # Yields what code is evaluated and functions are called with. Only {#answer} knows what fails after that.
      def failure_of_setup(&)
        @data.key?("manifest") ? with_main_manifest(&) : yield(runtime)
        nil
      rescue StandardError => e
        describe(e)
      end

      def runtime
        Puppetfn::Runtime.new(modulepath: modulepath, environment: environment, node: (NODE if catalog?)).tap do |runtime|
          runtime.logs.destinations << @logged
        end
      end

      # A main manifest is one of an environment, of which its errors tell.
      def with_main_manifest(&)
        Puppetfn::Puppet.initialize_settings(["--certname", NODE])
        Puppetfn::Runtime.process.logs.destinations.replace([@logged])
        manifest = {manifest_file: File.join(@root, @data["manifest"])}
        Puppetfn::Puppet::Pal.in_environment(File.basename(environment), env_dir: environment, modulepath: modulepath, facts: {}) do |pal|
          catalog? ? pal.with_catalog_compiler(**manifest, &) : pal.with_script_compiler(**manifest, &)
        end
      end

      def catalog?
        @data["compiler"] == "catalog"
      end

      def environment
        File.join(@root, @data["environment"])
      end

      def modulepath
        @data["modulepath"].map { |path| File.join(@root, path) }
      end

      def answer(compiler, call)
        answer = begin
          {"result" => hide_root(show(value(compiler, call)))}
        rescue SystemExit, Interrupt, NoMemoryError
          raise
        rescue Exception => e # rubocop:disable Lint/RescueException
          {"error" => describe(e)}
        end
        logs = take_logs
        logs.empty? ? answer : answer.merge("logs" => logs)
      end

      def value(compiler, call)
        return compiler.evaluate_string(call["eval"]) if call.key?("eval")

        compiler.call_function(call["fn"], *call["args"])
      end

      def take_logs
        logs = @logged.filter_map { |entry| [entry.level.to_s, hide_root(entry.message)] if LEVELS.include?(entry.level) }
        @logged.clear
        logs
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
