# frozen_string_literal: true

module Puppetfn
  # Execution counts of lines and branches of Puppet code: manifests, functions in the Puppet language, and templates in EPP.
  #
  # @example
  #   coverage = Puppetfn::Coverage.of("spec/rspec/modules/kiosk")
  #   runtime = Puppetfn::Runtime.new(modulepath: ["spec/rspec/modules"]).record_coverage(coverage)
  #   runtime.call_function("kiosk::surcharge")  # => 2
  #   coverage.counts[:lines]                    # => [2, 11]
  #   coverage.percent(:lines).round(2)          # => 18.18
  class Coverage
    # The files of a module that are counted, as patterns.
    FILES = %w[manifests/**/*.pp functions/**/*.pp templates/**/*.epp].freeze
    # The default paths of reports, by format.
    PATHS = {
      lcov: "coverage/lcov.info", cobertura: "coverage/cobertura.xml", html: "coverage", simplecov: "coverage/.resultset.json"
    }.freeze

    # Files whose names match; `*` is a part of a path, `**` any parts.
    #
    # @api private
    class Patterns
      OPTIONS = File::FNM_PATHNAME | File::FNM_EXTGLOB
      private_constant :OPTIONS

      # @param root [String]
      # @param files [Array<String>] patterns
      # @param exclude [Array<String>] patterns of files and directories
      def initialize(root, files, exclude)
        @root, @files, @exclude = root, files, exclude.map { |pattern| pattern.chomp("/") }
      end

      # @return [Array<String>] whole paths without links, sorted
      def paths
        Dir.glob(@files, base: @root).reject { |name| excluded?(name) }
          .map { |name| File.join(@root, name) }.select { |path| File.file?(path) }
          .map { |path| File.realpath(path) }.select { |path| path.start_with?(File.join(@root, "")) }.uniq.sort
      end

      private

      def excluded?(name)
        parts = name.split("/")
        ancestors = parts.each_index.map { |index| parts[0..index].join("/") }
        ancestors.any? { |path| @exclude.any? { |pattern| File.fnmatch?(pattern, path, OPTIONS) } }
      end
    end
    private_constant :Patterns

    class << self
      # Returns coverage that counts the files of a module or another directory, which is read now.
      #
      # @param root [String]
      # @param files [Array<String>] patterns of paths below it
      # @param exclude [Array<String>] patterns of files and directories that are not counted
      # @return [Coverage]
      def of(root, files: FILES, exclude: [])
        root = File.realpath(root)
        new(root, Patterns.new(root, files, exclude).paths.map { |path| [path, RegularFile.read(path).scrub] })
      end
    end

    # Returns the covered share in percent; 100 if there is nothing to cover.
    #
    # @param kind [:lines, :branches, :definitions] definitions are classes, defined types, nodes and functions
    # @return [Float]
    def percent(kind)
      covered, total = counts.fetch(kind)
      total.zero? ? 100.0 : covered * 100.0 / total
    end

    # Returns a table with the files, and the lines and branches of each that were missed.
    #
    # @return [String]
    def to_s
      render("text", 0).fetch("")
    end

    # Writes a report. SimpleCov's resultset keeps the results of other commands.
    #
    # @param format [:lcov, :cobertura, :html, :simplecov, :text]
    # @param path [String] the file, or the directory of `:html`
    # @return [String] the path of the file, or of the first page
    # @raise [ArgumentError] if the format is unknown
    # @raise [SystemCallError] if a file cannot be written
    def write(format, path = PATHS.fetch(format.to_sym, "coverage/coverage.txt"))
      written = render(format.to_s, (Time.now.to_f * 1000).to_i).map do |name, text|
        file = name.empty? ? path : File.join(path, name)
        make_directory(File.dirname(file))
        File.write(file, format.to_sym == :simplecov ? with_other_commands(file, text) : text)
        file
      end
      written.first
    end

    private

    def make_directory(directory)
      require "fileutils"
      FileUtils.mkdir_p(directory)
    end

    # Replaces a file that is no resultset.
    def with_other_commands(file, text)
      require "json"
      known = File.file?(file) ? JSON.parse(File.read(file)) : {}
      known.is_a?(Hash) ? "#{JSON.pretty_generate(known.merge(JSON.parse(text)))}\n" : text
    rescue JSON::ParserError
      text
    end
  end
end
