# frozen_string_literal: true

require "rspec/core/formatters/base_formatter"

module Puppetfn
  module RSpec
    # Writes the results of examples as JUnit's XML: `--format junit`.
    #
    # @api private
    class JUnitFormatter < ::RSpec::Core::Formatters::BaseFormatter
      # Its name on the command line.
      NAME = "junit"
      # The names of the class in the gem rspec_junit_formatter, which it replaces where the gem is not installed.
      OF_GEM = %w[RspecJunitFormatter RSpecJUnitFormatter].freeze
      # Characters that XML cannot have.
      ILLEGAL = /[^\u{9}\u{A}\u{D}\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/
      ESCAPES = {"&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;"}.freeze
      private_constant :OF_GEM, :ILLEGAL, :ESCAPES

      ::RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :message, :dump_summary

      # Sets this class in place of its name, which RSpec does not know.
      #
      # @param options [::RSpec::Core::ConfigurationOptions]
      # @return [void]
      def self.name_in(options)
        options.options[:formatters]&.each do |formatter|
          formatter[0] = self if formatter.first == NAME || (OF_GEM.include?(formatter.first) && !gem?)
        end
      end

      def self.gem?
        Gem::Specification.find_by_name("rspec_junit_formatter") && true
      rescue Gem::MissingSpecError
        false
      end
      private_class_method :gem?

      # @param output [IO]
      def initialize(output)
        super
        require "socket"
        require "time"
        @results = []
        @messages = []
      end

      # @param notification [::RSpec::Core::Notifications::ExampleNotification]
      # @return [void]
      def example_passed(notification)
        @results << notification
      end
      alias example_failed example_passed
      alias example_pending example_passed

      # @param notification [::RSpec::Core::Notifications::MessageNotification]
      # @return [void]
      def message(notification)
        @messages << notification.message
      end

      # @param summary [::RSpec::Core::Notifications::SummaryNotification]
      # @return [void]
      def dump_summary(summary)
        output.puts '<?xml version="1.0" encoding="UTF-8"?>'
        output.puts suite(summary)
        @results.each { |result| output.puts test_case(result, result.example) }
        output.puts "  <system-err>#{escaped(@messages.join("\n"))}</system-err>" if summary.errors_outside_of_examples_count.positive?
        output.puts "</testsuite>"
      end

      private

      def suite(summary)
        attributes = {
          name: "puppetfn test", tests: summary.example_count, skipped: summary.pending_count, failures: summary.failure_count,
          errors: summary.errors_outside_of_examples_count, time: seconds(summary.duration), timestamp: Time.now.utc.iso8601,
          hostname: Socket.gethostname
        }
        "<testsuite#{written(attributes)}>"
      end

      def test_case(result, example)
        attributes = {
          classname: example.file_path.delete_prefix("./").delete_suffix(".rb").delete_suffix(".pp").tr("/", "."),
          name: example.full_description, file: example.file_path, time: seconds(example.execution_result.run_time || 0)
        }
        start = "  <testcase#{written(attributes)}"
        case example.execution_result.status
        when :pending then "#{start}><skipped/></testcase>"
        when :failed then "#{start}>#{failure_element(result)}</testcase>"
        else "#{start}/>"
        end
      end

      def failure_element(failure)
        exception = failure.exception
        text = [*failure.message_lines, *failure.formatted_backtrace].join("\n")
        "<failure#{written(message: exception.message, type: exception.class.name)}>#{escaped(text)}</failure>"
      end

      def written(attributes)
        attributes.map { |name, value| " #{name}=\"#{escaped(value.to_s).gsub("\n", "&#10;")}\"" }.join
      end

      def seconds(duration)
        format("%.6f", duration)
      end

      def escaped(text)
        text.encode("UTF-8", invalid: :replace, undef: :replace).scrub.gsub(/\e\[[\d;]*m/, "").gsub(ILLEGAL, "\u{FFFD}").gsub(/[&<>"]/, ESCAPES)
      end
    end
  end
end
