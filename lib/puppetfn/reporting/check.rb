# frozen_string_literal: true

require "json"
require "stringio"

module Puppetfn
  # The findings of `puppetfn check`: errors in code and data, found without running them.
  #
  # @example
  #   Puppetfn::Check.run("spec/control_repository", select: "unused-parameter").map(&:rule).uniq  # => ["unused-parameter"]
  module Check
    # A finding.
    #
    # @!attribute [r] rule
    #   @return [String] the rule, as `puppetfn check --list` names it
    # @!attribute [r] severity
    #   @return [Symbol] `:error` or `:warning`
    # @!attribute [r] message
    #   @return [String]
    # @!attribute [r] file
    #   @return [String]
    # @!attribute [r] line
    #   @return [Integer] from 1
    # @!attribute [r] column
    #   @return [Integer] in characters, from 1
    # @!attribute [r] related
    #   @return [Array<Hash{String=>Object}>] other places with their `message`, `file`, `line` and `column`
    Finding = Struct.new(:rule, :severity, :message, :file, :line, :column, :related, keyword_init: true) do
      # @return [String] as compilers print it
      def to_s
        "#{file}:#{line}:#{column}: #{severity}: #{message} [#{rule}]"
      end
    end

    # Checks files and directories.
    #
    # @param paths [Array<String>] by default the working directory
    # @param options [Hash{Symbol=>Object}] options of `puppetfn check`, such as `modulepath`, `environment`, `hiera_config`, `select`,
    #   `ignore`, `target`, `config` and `baseline`; an option without a value is `true`
    # @return [Array<Finding>] by file and line; the settings are of the `puppetfn.toml` nearest to the first path
    # @raise [ArgumentError] when a path or an option does not exist
    def self.run(*paths, **options)
      out, err = StringIO.new, StringIO.new
      CLI.run(["check", "--format=json", *arguments(options), "--", *paths.flatten.map(&:to_s)], out: out, err: err)
      raise Error[ArgumentError], problem(err.string) if out.string.empty?

      JSON.parse(out.string, symbolize_names: true).map do |found|
        related = found.fetch(:related, []).map { |place| place.transform_keys(&:to_s) }
        Finding.new(**found, severity: found[:severity].to_sym, related: related)
      end
    end

    def self.arguments(options)
      options.compact.flat_map do |name, value|
        option = "--#{name.to_s.tr("_", "-")}"
        case value
        when true then [option]
        when false then []
        else Array(value).map { |one| "#{option}=#{one}" }
        end
      end
    end

    # The first line is the error; the help and the usage are about the command.
    def self.problem(text)
      text.lines.first.to_s.chomp.delete_prefix("error: ")
    end
    private_class_method :arguments, :problem
  end
end
