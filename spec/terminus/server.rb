# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require_relative "../support/differential"

module TerminusSpec
  # A Puppet server without its network, in a process: `puppet_side.rb`.
  class Server
    LIBRARY = File.expand_path("../../lib", __dir__)

    # A command's answer, log and time.
    Result = Struct.new(:answer, :error, :log, :seconds) do
      # The catalog for PuppetDB's terminus, without its UUID and version.
      def catalog = answer && answer["catalog"].except("catalog_uuid", "version")

      # The catalog for agents.
      def filtered = answer && answer["filtered"].except("catalog_uuid", "version")

      def references = filtered["resources"].map { |resource| "#{resource["type"]}[#{resource["title"]}]" }

      # Messages above the debug level.
      def messages = log.reject { |level, *| level == "debug" }.map { |level, message, *| "#{level}: #{message}" }

      # Messages of the terminus itself.
      def notes = messages.grep(/puppetfn/)
    end

    # @return [String] a directory with `conf`, `environments` and `enc`
    attr_reader :directory

    # @param directory [String]
    # @param files [Hash{String=>String}] below the directory
    def initialize(directory, files)
      @directory = directory
      %w[conf enc environments/production/manifests].each { |path| FileUtils.mkdir_p(File.join(directory, path)) }
      write("enc/classify" => "#!/bin/sh\ncat \"$(dirname \"$0\")/$1.yaml\"\n", **files)
      File.chmod(0o755, File.join(directory, "enc/classify"))
      @input, @output, @process = Open3.popen2(*Differential::RUBY, File.join(__dir__, "puppet_side.rb"), directory, LIBRARY)
    end

    # @param files [Hash{String=>String}]
    def write(**files)
      files.each do |path, text|
        path = File.join(@directory, path.to_s)
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text)
      end
    end

    # @return [Result]
    def configure(text) = run("configure", text: text)

    # @return [Result]
    def find(**options) = run("find", **options)

    # Compiles a catalog with Puppet's own compiler.
    #
    # @return [Result]
    def plain(**options) = find(terminus: "compiler", **options)

    def stop
      @input.close
      @process.value
    end

    private

    def run(command, **options)
      @input.puts(JSON.generate({do: command, **options}, max_nesting: 0))
      @input.flush
      line = @output.gets or raise "Puppet's process ended"
      Result.new(*JSON.parse(line).values_at("answer", "error", "log", "seconds"))
    end
  end
end
