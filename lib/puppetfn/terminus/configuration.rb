# frozen_string_literal: true

module Puppetfn
  module Terminus
    # The settings of the terminus: `puppetfn.conf` in Puppet's `confdir`, in the format of `puppet.conf` and `puppetdb.conf`.
    #
    # @api private
    class Configuration
      FILE = "puppetfn.conf"
      SECTION = "main"
      MODES = %w[use shadow off].freeze
      DEFAULTS = {
        "socket" => "/run/puppetfn/puppetfn.sock", "mode" => "use", "environments" => "", "connect_timeout" => "1s",
        "read_timeout" => "30s", "timeout" => "60s", "retry_after" => "30s", "max_answer_size" => "64MB", "differences_file" => ""
      }.freeze
      SECONDS = {"" => 1, "s" => 1, "m" => 60}.freeze
      BYTES = {"" => 1, "KB" => 1 << 10, "MB" => 1 << 20, "GB" => 1 << 30}.freeze
      # A socket's address has no room for more.
      SOCKET_LENGTH = 107
      private_constant :SECTION, :MODES, :DEFAULTS, :SECONDS, :BYTES, :SOCKET_LENGTH

      # @return [String] the path of the service's socket
      attr_reader :socket
      # @return [Symbol] `:use`, `:shadow` or `:off`
      attr_reader :mode
      # @return [Float] the seconds that the service has to accept a connection
      attr_reader :connect_timeout
      # @return [Float] the seconds that may pass without a byte of the answer
      attr_reader :read_timeout
      # @return [Float] the seconds that a request takes at most
      attr_reader :timeout
      # @return [Float] the seconds in which a service that did not answer in time is left alone
      attr_reader :retry_after
      # @return [Integer] the maximum size of an answer in bytes
      attr_reader :max_answer_size
      # @return [String, nil] the file that differences are appended to as JSON lines
      attr_reader :differences_file

      # Reads the file; all settings have their defaults if there is none.
      #
      # @param confdir [String]
      # @return [Configuration]
      # @raise [Puppet::Error] if a setting is wrong, with the file and the setting's name
      def self.read(confdir)
        path = File.join(confdir, FILE)
        text = File.exist?(path) ? File.read(path, encoding: "UTF-8") : ""
        new(path, text)
      rescue SystemCallError => e
        raise Puppet::Error, "#{path}: #{e.message}"
      end

      # @param path [String] the file, for messages
      # @param text [String] its contents
      def initialize(path, text)
        @path = path
        @values = DEFAULTS.merge(parse(text))
        @socket = socket_path("socket")
        @mode = choice("mode", MODES).to_sym
        @environments = @values["environments"].split(/[\s,]+/).reject(&:empty?)
        @connect_timeout, @read_timeout, @timeout = %w[connect_timeout read_timeout timeout].map { |name| positive_seconds(name) }
        @retry_after = seconds("retry_after")
        @max_answer_size = bytes("max_answer_size")
        @differences_file = @values["differences_file"].empty? ? nil : absolute_path("differences_file")
      end

      # @param environment [String]
      # @return [Boolean] whether the service is asked for catalogs of an environment
      def covers?(environment)
        @mode != :off && (@environments.empty? || @environments.include?(environment))
      end

      private

      def parse(text)
        wrong("it is not UTF-8") unless text.valid_encoding?

        section = nil
        text.each_line.with_index(1).each_with_object({}) do |(line, number), settings|
          case line.strip
          when "", /\A[#;]/ then next
          when /\A\[(\w+)\]\z/ then section = section_name(Regexp.last_match(1), number)
          when /\A(\w+)\s*=\s*(.*)\z/
            name, value = Regexp.last_match.captures
            wrong("line #{number}: the setting #{name} is in no section: put [#{SECTION}] before it") unless section
            settings[setting_name(name, number)] = value
          else wrong("line #{number}: neither a section, such as [#{SECTION}], nor a setting, such as mode = use")
          end
        end
      end

      def section_name(name, number)
        name == SECTION ? name : wrong("line #{number}: the only section is [#{SECTION}], not [#{name}]")
      end

      def setting_name(name, number)
        DEFAULTS.key?(name) ? name : wrong("line #{number}: there is no setting #{name}; there are #{DEFAULTS.keys.join(", ")}")
      end

      def choice(name, choices)
        value = @values[name]
        choices.include?(value) ? value : wrong_value(name, "one of #{choices.join(", ")}")
      end

      def absolute_path(name)
        value = @values[name]
        value.start_with?("/") && !value.include?("\0") ? value : wrong_value(name, "an absolute path")
      end

      def socket_path(name)
        path = absolute_path(name)
        path.bytesize <= SOCKET_LENGTH ? path : wrong_value(name, "a path of at most #{SOCKET_LENGTH} bytes")
      end

      def seconds(name)
        number, unit = quantity(name, /\A(\d{1,6}(?:\.\d+)?)\s*([sm]?)\z/)
        number ? number.to_f * SECONDS[unit] : wrong_value(name, "a time, such as 30s or 2m")
      end

      def positive_seconds(name)
        number = seconds(name)
        number.positive? ? number : wrong_value(name, "a time longer than none")
      end

      def bytes(name)
        number, unit = quantity(name, /\A([1-9]\d{0,9})\s*((?:[KMG]B)?)\z/)
        number ? number.to_i * BYTES[unit] : wrong_value(name, "a size, such as 64MB")
      end

      def quantity(name, pattern)
        match = pattern.match(@values[name])
        match ? match.captures : []
      end

      def wrong_value(name, wanted)
        wrong("[#{SECTION}] #{name} has to be #{wanted}, not #{@values[name].inspect}")
      end

      def wrong(message)
        raise Puppet::Error, "#{@path}: #{message}"
      end
    end
  end
end
