# frozen_string_literal: true

require "open3"

module Puppetfn
  module RSpec
    module Facter
      module Core
        # Commands, which are run as they are.
        module Execution
          # Raised when a command cannot be run.
          class ExecutionFailure < StandardError; end

          # Finds and runs commands. As in Facter, specs that mock `execute` do not change `exec`.
          #
          # @api private
          class Posix
            # The default time limit of a command, in seconds.
            TIMEOUT = 300
            # Programs have the same output everywhere.
            ENVIRONMENT = {"LC_ALL" => "C", "LANG" => "C"}.freeze
            # A program, also in quotes, and its arguments.
            COMMAND = /\A(?:"(?<double>.+?)"|'(?<single>.+?)'|(?<plain>[^ ]+))(?: +(?<arguments>.*))?\z/m
            private_constant :TIMEOUT, :ENVIRONMENT, :COMMAND

            # @return [Array<String>] the directories of programs
            def search_paths
              ENV.fetch("PATH", "").split(Platform::PATH_SEPARATOR) + ["/sbin", "/usr/sbin"]
            end

            # @param program [String]
            # @return [String, nil] its path
            def which(program)
              candidates = absolute_path?(program) ? [program] : search_paths.map { |directory| File.join(directory, program) }
              candidates.find { |path| File.executable?(path) && FileTest.file?(path) }
            end

            # @param path [String]
            # @return [Boolean]
            def absolute_path?(path, _platform = nil)
              path.start_with?("/")
            end

            # @param command [String]
            # @return [String, nil] with the path of the program, or nil if it is not found
            def expand_command(command)
              parts = COMMAND.match(command) or return
              program = which(parts[:double] || parts[:single] || parts[:plain]) or return
              program = "'#{program}'" if program.match?(/\s/)
              [program, parts[:arguments]].compact.join(" ")
            end

            # @param values [Hash{String=>String, nil}] variables that the environment has while the block runs
            # @return [Object] the result of the block
            def with_env(values)
              before = values.to_h { |name, _| [name, ENV.fetch(name, nil)] }
              ENV.update(values)
              yield
            ensure
              ENV.update(before) if before
            end

            # @param command [String]
            # @option options [Object] :on_fail the result when it cannot be run; `:raise` raises
            # @option options [Boolean] :expand false for commands that may be built into the shell
            # @option options [Numeric] :timeout in seconds
            # @return [Object] its output, without space around it
            # @raise [ExecutionFailure]
            def execute(command, options = {})
              expanded = options[:expand] == false && builtin?(command) ? command : expand_command(command)
              raise ExecutionFailure, "Could not execute '#{command}': command not found" unless expanded

              run(expanded, limit(options)).strip
            rescue SystemCallError, Timeout::Error, ExecutionFailure => e
              on_fail = options.fetch(:on_fail, :raise)
              return on_fail unless on_fail == :raise
              raise if e.is_a?(ExecutionFailure)

              raise ExecutionFailure, "Failed while executing '#{command}': #{e.message}"
            end

            private

            def builtin?(command)
              Open3.capture2("type #{command[/\A\S*/]}").first.include?("builtin")
            end

            def limit(options)
              given = options.values_at(:timeout, :time_limit, :limit).compact.first.to_i
              given.positive? ? given : TIMEOUT
            end

            def run(command, limit)
              Open3.popen3(ENVIRONMENT, command) do |input, output, errors, process|
                input.close
                readers = [output, errors].map { |stream| Thread.new { stream.read } }
                next readers.first.value if readers.all? { |reader| reader.join(limit) }

                Process.kill(:KILL, process.pid)
                raise Timeout::Error, "Timeout encounter after #{limit}s, killing process with pid: #{process.pid}"
              ensure
                readers&.each(&:kill)
              end
            end
          end

          @impl = Posix.new

          class << self
            # @api private
            # @return [Posix]
            attr_reader :impl
          end

          module_function

          # (see Posix#search_paths)
          def search_paths
            Execution.impl.search_paths
          end

          # (see Posix#which)
          def which(program)
            Execution.impl.which(program)
          end

          # (see Posix#absolute_path?)
          def absolute_path?(path, platform = nil)
            Execution.impl.absolute_path?(path, platform)
          end

          # (see Posix#expand_command)
          def expand_command(command)
            Execution.impl.expand_command(command)
          end

          # (see Posix#with_env)
          def with_env(values, &block)
            Execution.impl.with_env(values, &block)
          end

          # @param command [String]
          # @return [String, nil] its output, or nil if it cannot be run
          def exec(command)
            Execution.impl.execute(command, on_fail: nil)
          end

          # (see Posix#execute)
          def execute(command, options = {})
            Execution.impl.execute(command, options)
          end
        end
      end
    end
  end
end
