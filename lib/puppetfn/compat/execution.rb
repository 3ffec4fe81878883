# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Programs, which functions run if they are allowed to.
      module Execution
        extend StandIn

        # Where no options are given.
        NO_OPTIONS_SPECIFIED = {}.freeze
        ADVICE = "Running programs is off; allow `exec` to turn it on."
        private_constant :ADVICE

        # Output of a program.
        class ProcessOutput < String
          # @return [Integer]
          attr_reader :exitstatus

          def initialize(text, exitstatus)
            super(text)
            @exitstatus = exitstatus
          end
        end

        class << self
          # Runs a program.
          #
          # @param command [String, Array<String>]
          # @option options [Boolean] :failonfail whether an exit code other than 0 is an error, as without options
          # @option options [Boolean] :combine whether the standard error counts, as without options
          # @option options [String] :cwd
          # @option options [Hash] :custom_environment
          # @return [ProcessOutput]
          # @raise [UnavailableError] unless programs may be run
          # @raise [Puppet::ExecutionFailure]
          def execute(command, options = NO_OPTIONS_SPECIFIED)
            shown = Array(command).join(" ")
            check_permission("Puppet::Util::Execution.execute (of #{shown.inspect})")
            plain = options.equal?(NO_OPTIONS_SPECIFIED)
            output, status = run(command, options, options.fetch(:combine, plain))
            if options.fetch(:failonfail, plain) && !status.success?
              raise ExecutionFailure, "Execution of '#{shown}' returned #{status.exitstatus}: #{output.strip}"
            end
            ProcessOutput.new(output, status.exitstatus || 1)
          rescue SystemCallError => e
            raise ExecutionFailure, "Could not execute posix command: #{e.message}"
          end

          # Runs a program, whose output a block reads.
          #
          # @return [Object] the block's result
          # @raise [UnavailableError] unless programs may be run
          # @raise [Puppet::ExecutionFailure]
          def execpipe(command, failonfail = true)
            shown = Array(command).join(" ")
            check_permission("Puppet::Util::Execution.execpipe (of #{shown.inspect})")
            result = IO.popen(["/bin/sh", "-c", "#{shown} 2>&1"]) { |pipe| yield pipe }
            raise ExecutionFailure, result.to_s if failonfail && !$?.success?

            result
          end

          # @return [String] the directory that Ruby's programs are in
          def ruby_path
            RbConfig.ruby
          end

          private

          def check_permission(name)
            raise UnavailableError.new(name, ADVICE) unless Runtime.current&.allow?(:exec)
          end

          def run(command, options, combine)
            require "open3"
            command = command.map(&:to_s) if command.is_a?(Array)
            environment = {"LANG" => "C", "LC_ALL" => "C"}
            environment.update(options[:custom_environment].to_h { |name, value| [name.to_s, value&.to_s] }) if options[:custom_environment]
            settings = options[:cwd] ? {chdir: options[:cwd]} : {}
            settings[:stdin_data] = File.read(options[:stdinfile]) if options[:stdinfile]
            return Open3.capture2e(environment, *command, **settings) if combine

            output, _, status = Open3.capture3(environment, *command, **settings)
            [output, status]
          end
        end
      end
    end
  end
end
