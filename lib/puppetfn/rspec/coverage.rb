# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Which resources of the module's catalogs examples have looked at. The resources of the module's catalogs that
    # examples have checked.
    #   at_exit { RSpec::Puppet::Coverage.report! }
    #   RSpec.configure { |c| c.after(:suite) { RSpec::Puppet::Coverage.report!(95) } }
    class Coverage
      # The resources of every catalog.
      ALWAYS = ["Stage[main]", "Class[Settings]", "Class[main]", "Node[default]"].freeze
      private_constant :ALWAYS

      class << self
        # @return [Coverage] the coverage of the examples
        def instance
          @instance ||= new
        end

        attr_writer :instance

        %i[
          filters filters_regex add cover! report! add_filter add_filter_regex add_from_catalog results take merge
        ].each do |name|
          define_method(name) { |*arguments| instance.public_send(name, *arguments) }
        end
      end

      # @return [Array<String>] the resources that are left out
      attr_accessor :filters

      # @return [Array<Regexp>] patterns of ignored resources
      attr_accessor :filters_regex

      def initialize
        @filters = ALWAYS.dup
        @filters_regex = []
        @touched = {}
      end

      # Counts a resource.
      #
      # @param resource [#to_s]
      # @return [void]
      def add(resource)
        name = resource.to_s
        @touched[name] = false unless @touched.key?(name) || filtered?(name)
      end

      # Counts the resources of a catalog that are of a module.
      #
      # @param catalog [ExampleCatalog]
      # @param mod [String, nil] the name of the module; nil for all
      # @return [void]
      def add_from_catalog(catalog, mod)
        return if catalog.covered_as == mod

        catalog.covered_as = mod
        directories = Settings.coverage_directories(mod) if mod
        catalog.each_place do |type, title, file|
          add("#{type}[#{title}]") if mod.nil? || of_module?(type, title, file, mod, directories)
        end
      end

      # Leaves a resource out.
      #
      # @param type [String]
      # @param title [String]
      # @return [void]
      def add_filter(type, title)
        type = capitalized(type)
        @filters |= ["#{type}[#{type == "Class" ? capitalized(title) : title}]"]
      end

      # Leaves resources out.
      #
      # @param type [String]
      # @param pattern [Regexp] of titles
      # @return [void]
      # @raise [ArgumentError] when it is not a Regexp
      def add_filter_regex(type, pattern)
        raise ArgumentError, "pattern argument must be a Regexp" unless pattern.is_a?(Regexp)

        @filters_regex << /\A#{Regexp.escape(capitalized(type))}\[#{within(pattern.source)}\]\z/
      end

      # Notes that an example has looked at a resource.
      #
      # @param resource [#to_s]
      # @return [void]
      def cover!(resource)
        name = resource.to_s
        @touched[name] = true if @touched.key?(name) && !filtered?(name)
      end

      # Prints the coverage, and fails the run if it is too low.
      #
      # @param desired [Numeric, nil] required coverage, in percent
      # @return [void]
      def report!(desired = nil)
        report = results
        check(desired || 0, report)
        puts "\n\nCoverage Report:\n\n#{report[:text]}"
      end

      # @return [Hash{Symbol=>Object}]
      def results
        @touched.delete_if { |name, _| filtered?(name) }
        total, touched = @touched.size, @touched.count { |_, looked_at| looked_at }
        report = {
          total: total, touched: touched, untouched: total - touched,
          coverage: format("%5.2f", total.zero? ? 100.0 : touched * 100.0 / total),
          resources: @touched.transform_values { |looked_at| {touched: looked_at} }
        }
        report.merge(text: text(report))
      end

      # Returns the coverage noted since the last call, for another process.
      #
      # @api private
      # @return [Array]
      def take
        [@touched, @filters, @filters_regex].tap { @touched = {} }
      end

      # Adds the coverage that another process has noted.
      #
      # @api private
      # @param noted [Array]
      # @return [void]
      def merge(noted)
        touched, filters, patterns = noted
        @touched.merge!(touched) { |_, here, there| here || there }
        @filters |= filters
        @filters_regex |= patterns
      end

      private

      def filtered?(name)
        @filters.include?(name) || @filters_regex.any? { |pattern| pattern.match?(name) }
      end

      # Resources that the code of the example declares itself have no file.
      def of_module?(type, title, file, mod, directories)
        return title.split("::").first&.downcase == mod if type == "Class"

        !file.nil? && directories.any? { |directory| file.include?(directory) }
      end

      def capitalized(name)
        name.split("::").map(&:capitalize).join("::")
      end

      # Returns a pattern of a title as a part of one of a reference.
      def within(source)
        source = source.match?(/\A(\\A|\^)/) ? source.sub(/\A(?:\\A|\^)/, "") : ".*#{source}"
        # A backslash in front makes a dollar of the sign.
        source.match?(/(?<!\\)(\\\\)*(?:\\[zZ]|\$)\z/) ? source.sub(/(?:\\[zZ]|\$)\z/, "") : "#{source}.*"
      end

      def check(desired, report)
        unless desired.is_a?(Numeric) && desired.between?(0, 100)
          return puts("The desired coverage must be 0 <= x <= 100, not '#{desired.inspect}'")
        end

        actual = report[:coverage].to_f
        group = ::RSpec.describe("Code coverage")
        example = group.example("must cover at least #{desired}% of resources") { expect(actual).to be >= desired.to_f }
        group.run(::RSpec.configuration.reporter)
        example.execution_result.pending_message = report[:text]
        return unless example.execution_result.status == :failed

        ::RSpec.world.non_example_failure = true
        ::RSpec.world.wants_to_quit = true
      end

      def text(report)
        lines = ["Total resources:   #{report[:total]}", "Touched resources: #{report[:touched]}",
                 "Resource coverage: #{report[:coverage]}%"]
        untouched = report[:resources].reject { |_, state| state[:touched] }.keys
        lines.push("", "Untouched resources:", *untouched.map { |name| "  #{name}" }.sort) if untouched.any?
        lines.join("\n")
      end
    end
  end
end
