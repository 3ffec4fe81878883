# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Coverage of lines and branches of the module's code, in a run of `puppetfn test --coverage`.
    #
    # @api private
    class CodeCoverage
      # An option is wrong.
      class UsageError < StandardError; end

      # The options about coverage on the command line and in `puppetfn.toml`.
      class Options
        # The kinds of coverage that can have a minimum.
        KINDS = %i[lines branches definitions resources].freeze
        FORMATS = [:text, *Puppetfn::Coverage::PATHS.keys].freeze
        private_constant :FORMATS

        # @return [Array<String>, nil] patterns of the files that are counted
        attr_reader :files

        # @return [Array<String>, nil] patterns of files that are not
        attr_reader :exclude

        # @return [Array<Array(Symbol, String)>] the reports to write: formats and paths
        attr_reader :reports

        # @return [Hash{Symbol=>Numeric}] the smallest coverage that is accepted, in percent, by kind
        attr_reader :minimum

        # Takes the options from arguments.
        #
        # @param arguments [Array<String>]
        # @return [Options, nil] nil if coverage is not asked for
        # @raise [UsageError] if an option or the `puppetfn.toml` is invalid
        def self.take(arguments)
          reports = take_values(arguments, "coverage", optional: true)
          given = %w[minimum files exclude].to_h { |name| [name.to_sym, take_values(arguments, "coverage-#{name}")] }
          return if reports.empty? && given.values.all?(&:empty?)

          new({reports: reports.compact, **given}, project)
        end

        def self.project
          Puppetfn::Coverage.project(Dir.pwd)
        rescue ArgumentError => e
          raise UsageError, e.message
        end
        private_class_method :project

        # Removes an option, which may be there several times, and returns its values: after an equals sign, or the next argument.
        def self.take_values(arguments, name, optional: false)
          values = []
          while (index = arguments.index { |argument| argument.match?(/\A--#{name}(=|\z)/) })
            value = arguments.delete_at(index)[/=(.*)\z/m, 1]
            value ||= arguments.delete_at(index) unless optional
            raise UsageError, "--#{name} needs a value" if value.nil? && !optional

            values << value
          end
          values
        end

        # @param given [Hash{Symbol=>Array<String>}] on the command line
        # @param project [Hash{Symbol=>Object}] in `puppetfn.toml`
        def initialize(given, project)
          @files = given[:files].any? ? given[:files] : project[:files]
          @exclude = given[:exclude].any? ? given[:exclude] : project[:exclude]
          reports = given[:reports].any? ? given[:reports].flat_map { |text| text.split(",") } : project[:reports] || []
          @reports = reports.map { |text| report(text) }
          @minimum = (project[:minimum] || {}).merge(minimum_of(given[:minimum]))
          @minimum.each { |kind, percent| check(kind, percent) }
        end

        # Sets the options for roles, whose examples look at no resources.
        #
        # @param files [Array<String>] the files that are counted by default
        # @return [void]
        def count_roles(files)
          @files ||= files
          @has_no_resources = true
        end

        # @return [Boolean] whether resources are not reported
        def no_resources?
          @has_no_resources == true
        end

        private

        def report(text)
          name, path = text.split(":", 2)
          format = FORMATS.find { |known| known.name == name }
          raise UsageError, "there is no format '#{name}' of coverage; expected one of #{FORMATS.join(", ")}" unless format

          [format, path.to_s.empty? ? Puppetfn::Coverage::PATHS[format] : path]
        end

        # A number alone, such as `90`, is the minimum of lines.
        def minimum_of(texts)
          texts.flat_map { |text| text.split(",") }.to_h do |text|
            kind, percent = text.include?("=") ? text.split("=", 2) : ["lines", text]
            [kind.to_sym, Float(percent, exception: false) || percent]
          end
        end

        def check(kind, percent)
          unless KINDS.include?(kind)
            raise UsageError, "there is no coverage of '#{kind}'; expected one of #{KINDS.join(", ")}"
          end
          return if percent.is_a?(Numeric) && percent.between?(0, 100)

          raise UsageError, "the minimum coverage of #{kind} is a percentage from 0 to 100, not '#{percent}'"
        end
      end

      class << self
        # @return [CodeCoverage, nil] the coverage of this run, if it is enabled
        attr_reader :current

        # Counts from now on.
        #
        # @param options [Options, nil]
        # @return [CodeCoverage]
        def start(options = nil)
          @current = new(options)
        end

        # @return [Puppetfn::Coverage, nil] the counters of the runtimes of examples
        def recorder
          @current&.recorder
        end

        # Returns a part of the keys of cached catalogs. While coverage is recorded, each outermost group compiles its own catalogs,
        # so that counts depend neither on the process that runs a group nor on the groups before it.
        #
        # @param example [Object]
        # @return [Array]
        def scope_of(example)
          @current ? [example.class.parent_groups.last] : []
        end

        # @return [Array, nil] the counts since the last call, for another process
        def take
          recorder&.take
        end

        # @param counts [Array, nil] the counts of another process
        # @return [void]
        def merge(counts)
          recorder&.merge(counts) if counts
        end
      end

      # @return [Puppetfn::Coverage]
      attr_reader :recorder

      # @param options [Options, nil] nil for all code of the module, without a report
      def initialize(options)
        @options = options
        @failures = []
        patterns = {files: options&.files, exclude: options&.exclude}.compact
        @recorder = Puppetfn::Coverage.of(Dir.pwd, **patterns)
      end

      # Prints a table, and writes the reports.
      #
      # @return [void]
      def report
        @recorder.problems.each { |problem| warn "puppetfn test: not counted: #{problem}" }
        puts "", @recorder.to_s
        puts "", resource_lines if !@options.no_resources? && resources[:total].positive?
        @options.reports.each { |format, path| write(format, path) if path }
      end

      # @return [Array<String>] why the run fails: reports that cannot be written, and coverage that is less than the minimum
      def failures
        shortfalls = @options.minimum.filter_map do |kind, minimum|
          covered, total = count(kind)
          next if covered * 100 >= minimum * total

          "the coverage of #{kind} is #{percent(covered, total)}, below the minimum of #{minimum.to_s.delete_suffix(".0")}%"
        end
        @failures + shortfalls
      end

      private

      def write(format, path)
        puts "#{format}: #{@recorder.write(format, path)}"
      rescue SystemCallError => e
        @failures << "cannot write the coverage report: #{e.message}"
      end

      # As the examples have looked at them.
      def resources
        @resources ||= Coverage.results
      end

      def resource_lines
        covered, total = count(:resources)
        untouched = resources[:resources].reject { |_, state| state[:touched] }.keys.sort
        ["Resources: #{percent(covered, total)} (#{covered}/#{total})", *untouched.map { |name| "  not tested: #{name}" }]
      end

      def count(kind)
        kind == :resources ? resources.values_at(:touched, :total) : @recorder.counts.fetch(kind)
      end

      # Rounded down, so that 100 percent means all.
      def percent(covered, total)
        format("%.2f%%", covered * 10_000 / total / 100.0)
      end
    end
  end
end
