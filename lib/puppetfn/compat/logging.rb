# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # A message, and the levels that messages have.
      class Log
        include Tagging

        # @return [Symbol]
        attr_reader :level

        # @return [String]
        attr_reader :message

        # @return [String]
        attr_reader :source

        # @return [Time]
        attr_reader :time

        # Logs a message.
        #
        # @param options [Hash] `:level`, `:message`, `:source` and `:tags`
        # @return [Log]
        def self.create(options)
          new(options)
        end

        # (see create)
        def initialize(options)
          @level = options[:level]&.to_sym or raise ArgumentError, "Puppet::Util::Log requires a log level"
          raise ArgumentError, "Invalid log level #{level}" unless Logs::LEVELS.include?(level)
          raise ArgumentError, "Puppet::Util::Log requires a message" unless options[:message]

          @message = options[:message].to_s
          @source = options.fetch(:source, "Puppet").to_s
          @time = Time.now
          tag(level, *options[:tags])
          Puppet.send_log(level, message, (source unless source == "Puppet"))
        end

        # @return [String]
        def to_s
          message
        end

        # @return [String] the message as reports show it
        def to_report
          "#{time} #{source} (#{level}): #{self}"
        end

        # @return [Array<Symbol>] from the least to the most important
        def self.levels
          Logs::LEVELS
        end

        # @return [Symbol] the least important level that is kept
        def self.level
          (Runtime.current || Runtime.process)&.logs&.level || Logs::DEFAULT_LEVEL
        end

        # @param level [Symbol, String]
        def self.level=(level)
          Runtime.surroundings!("Puppet::Util::Log.level=").logs.level = level
        end

        # Sends messages to one more place.
        #
        # @param destination [#<<, Symbol] `:console` are the standard output and error
        # @return [void]
        def self.newdestination(destination)
          destination = Console.new if destination == :console
          Runtime.surroundings!("Puppet::Util::Log.newdestination").logs.destinations << destination
        end

        # Sends messages to one more place during a block.
        #
        # @param destination (see newdestination)
        # @return [Object] the result of the block
        def self.with_destination(destination)
          destinations = Runtime.surroundings!("Puppet::Util::Log.with_destination").logs.destinations
          newdestination(destination)
          added = destinations.last
          begin
            yield
          ensure
            destinations.delete_if { |known| known.equal?(added) }
          end
        end

        # Sends no more messages to places that were added.
        #
        # @return [void]
        def self.close_all
          Runtime.surroundings!("Puppet::Util::Log.close_all").logs.destinations.clear
        end

        # Shows messages as they come.
        class Console
          # The levels that go to the standard output; others go to the standard error.
          PRINTED = %i[debug info notice].freeze
          private_constant :PRINTED

          # @param message [Logs::Message]
          # @return [void]
          def <<(message)
            text = "#{message.level.to_s.capitalize}: #{message}"
            PRINTED.include?(message.level) ? $stdout.puts(text) : Kernel.warn(text)
          end
        end

        # @return [Boolean] whether a level exists
        def self.validlevel?(level)
          Logs::LEVELS.include?(level)
        end

        # Calls the block with each level.
        def self.eachlevel(&block)
          Logs::LEVELS.each(&block)
        end
      end

      # The methods that log; their messages go to the logs of the runtime that is at work.
      module Logging
        # How many warnings are remembered, so that they are not given twice.
        MOST_UNIQUE = 100
        private_constant :MOST_UNIQUE

        (Logs::LEVELS - [:debug]).each do |level|
          define_method(level) do |message|
            send_log(level, message.is_a?(Array) ? message.join(" ") : message)
          end
        end

        # Logs at level debug; a block is only called when such messages are kept.
        def debug(*args)
          return unless Log.level == :debug

          send_log(:debug, block_given? ? yield(*args) : args.join(" "))
        end

        # @param level [Symbol]
        # @param message [#to_s]
        # @param source [String, nil] the code that it is from
        # @param issue [Hash{Symbol=>Object}, nil] the issue, if it is a warning or an error about code
        # @return [void]
        def send_log(level, message, source = nil, issue = nil)
          runtime = Runtime.current
          return runtime.logs.add(level, message, source, issue) if runtime
          return if Runtime.process&.logs&.tell(level, message)
          return unless Logs.rank(level) >= Logs.rank(Logs::DEFAULT_LEVEL)

          # No one owns the message: it is shown as Puppet would show it, rather than lost.
          Kernel.warn("#{level.to_s.capitalize}: #{message}")
        end

        # Logs an exception, by its own message or by another.
        def log_exception(exception, message = :default, options = {})
          if message == :default
            # The logged text leaves out the location of the error.
            message = exception.is_a?(ParseErrorWithIssue) ? exception.basic_message : exception.message
          end
          send_log(options[:level] || :err, message.to_s)
        end

        # Logs a message once for each key.
        #
        # @return [void]
        def warn_once(kind, key, message, file = nil, line = nil, level = :warning)
          once(kind, key, message) do
            location = Errors.error_location(file, line)
            location = "(file & line not available)" if location.empty?
            suffix = "\n   #{location}" unless file == :default && line == :default
            send_log(level, "#{message}#{suffix}")
          end
        end

        # Warns once for each key, or for each caller when there is no key.
        #
        # @return [void]
        def deprecation_warning(message, key = nil)
          caller_line = caller(1, 1).first
          once("deprecations", key || caller_line, message) do
            warning("#{message}\n   (location: #{caller_line})")
          end
        end

        # Warns once of a deprecation in a file.
        #
        # @return [void]
        def puppet_deprecation_warning(message, options = {})
          key, file, line = options.values_at(:key, :file, :line)
          raise DevError, "Need either :file and :line, or :key" if key.nil? && (file.nil? || line.nil?)

          once("deprecations", key || "#{file}:#{line}", message) do
            warning("#{message}\n   #{Errors.error_location_with_unknowns(file, line)}")
          end
        end

        private

        # Calls the block once for a key, unless messages of the kind are not wanted. The message is kept by its key, as in Puppet.
        def once(kind, key, message)
          return if Runtime.current && Runtime.current.settings[:disable_warnings].include?(kind.to_s)

          given = Runtime.current ? Runtime.current.logs.given(kind) : {}
          return if given.size >= MOST_UNIQUE || given.key?(key)

          given[key] = message
          yield
        end
      end
    end

    Log = Util::Log
  end
end
