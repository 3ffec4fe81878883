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
        # Variables of the environment that programs do not get from this process: see Puppet's `util/posix.rb`.
        USER_VARIABLES = %w[HOME USER LOGNAME].freeze
        LOCALE_VARIABLES = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
        private_constant :ADVICE, :USER_VARIABLES, :LOCALE_VARIABLES

        # Output of a program.
        class ProcessOutput < String
          # @return [Integer, nil] nil if a signal has ended the program
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
          # @option options [Boolean] :override_locale whether the program has the locale `C`, as without options
          # @option options [Boolean] :squelch whether the output is of no interest
          # @option options [Boolean] :sensitive whether errors must not show the command
          # @return [ProcessOutput]
          # @raise [UnavailableError] unless programs may be run
          # @raise [ArgumentError] when there is no directory `cwd`
          # @raise [Puppet::ExecutionFailure]
          def execute(command, options = NO_OPTIONS_SPECIFIED)
            command = command.flatten.map(&:to_s) if command.is_a?(Array)
            shown = options[:sensitive] ? "[redacted]" : Array(command).join(" ")
            check_permission("Puppet::Util::Execution.execute (of #{shown.inspect})")
            cwd = options[:cwd]
            raise ArgumentError, "Working directory #{cwd} does not exist!" if cwd && !File.directory?(cwd)

            plain = options.equal?(NO_OPTIONS_SPECIFIED)
            output, code = run(command, options, options.fetch(:combine, plain))
            if options.fetch(:failonfail, plain) && code != 0
              raise ExecutionFailure, "Execution of '#{shown}' returned #{code}: #{output.strip}"
            end
            ProcessOutput.new(output, code)
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
            settings = options[:cwd] ? {chdir: options[:cwd]} : {}
            settings[:stdin_data] = File.read(options[:stdinfile]) if options[:stdinfile]
            output, status =
              if combine then Open3.capture2e(environment(options), *command, **settings)
              else Open3.capture3(environment(options), *command, **settings).values_at(0, 2)
              end
            [options[:squelch] ? "" : output, status.exitstatus]
          rescue SystemCallError => e
            # In Puppet, the process that would become the program logs this to its standard error, and ends with 1.
            [combine ? "Error: Could not execute posix command: #{e.message}\n" : "", 1]
          end

          def environment(options)
            variables = USER_VARIABLES.to_h { |name| [name, nil] }
            if options.fetch(:override_locale, true)
              LOCALE_VARIABLES.each { |name| variables[name] = nil }
              variables.update("LANG" => "C", "LC_ALL" => "C")
            end
            options[:custom_environment]&.each { |name, value| variables[name.to_s] = value&.to_s }
            variables
          end
        end
      end
    end
  end
end
