# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Runs commands as Puppet does: outside of specs, puppetfn runs none.
    module Execution
      # What a command printed.
      class ProcessOutput < String
        # @return [Integer] the exit code
        attr_reader :exitstatus

        # @param text [String]
        # @param exitstatus [Integer]
        def initialize(text, exitstatus)
          super(text)
          @exitstatus = exitstatus
        end
      end

      # @param command [String, Array<String>]
      # @option options [Boolean] :failonfail whether an exit code other than 0 is an error; it is where no options are given
      # @option options [Boolean] :combine whether what goes to standard error counts; it does where no options are given
      # @option options [String] :cwd
      # @option options [Hash] :custom_environment
      # @return [ProcessOutput]
      # @raise [Puppet::ExecutionFailure]
      def execute(command, options = {failonfail: true, combine: true})
        require "open3"
        command = Array(command).map(&:to_s) if command.is_a?(Array)
        environment = (options[:custom_environment] || {}).to_h { |name, value| [name.to_s, value&.to_s] }
        output, error, status = Open3.capture3(environment, *command, **options.slice(:cwd).transform_keys(cwd: :chdir))
        output += error if options.fetch(:combine, false)
        fail_with(command, status, output) if options.fetch(:failonfail, false) && !status.success?
        ProcessOutput.new(output, status.exitstatus || 1)
      rescue SystemCallError => e
        raise Puppet::ExecutionFailure, "Could not execute posix command: #{e.message}"
      end

      private

      def fail_with(command, status, output)
        raise Puppet::ExecutionFailure,
          "Execution of '#{Array(command).join(" ")}' returned #{status.exitstatus}: #{output.strip}"
      end
    end

    Puppet::Util::Execution.singleton_class.prepend(Execution)
  end
end
