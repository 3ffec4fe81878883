# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The helpers that functions borrow from Puppet.
    module Util
      extend StandIn

      autoload :Checksums, File.join(__dir__, "checksums")
      autoload :ClassGen, File.join(__dir__, "class_generator")
      autoload :ProviderFeatures, File.join(__dir__, "provider_features")
      autoload :IniConfig, File.join(__dir__, "ini_config")
      autoload :FileType, File.join(__dir__, "file_type")
      autoload :SymbolicFileMode, File.join(__dir__, "symbolic_file_mode")
      autoload :Execution, File.join(__dir__, "execution")
      autoload :Tagging, File.join(__dir__, "tagging")
      autoload :FileParsing, File.join(__dir__, "util", "file_parsing")
      autoload :SUIDManager, File.join(__dir__, "util", "suid_manager")
      autoload :Puppetdb, File.join(__dir__, "util", "puppetdb")
      autoload :Storage, File.join(__dir__, "util", "storage")
      %i[Warnings RetryAction].each { |name| autoload name, File.join(__dir__, "util", "retries") }
      %i[RunMode UnixRunMode WindowsRunMode].each { |mode| autoload mode, File.join(__dir__, "util", "run_mode") }

      URI_PARTS = %r{\A((?:[^:/?#]+:)?(?://[^/?#]*)?)([^?]*)(?:\?(.*))?\z}m
      WINDOWS_ABSOLUTE_PATH = %r{\A(?:[A-Z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)}i
      private_constant :URI_PARTS, :WINDOWS_ABSOLUTE_PATH

      module_function

      # Returns true if a path is absolute.
      #
      # @param path [String]
      # @param platform [:posix, :windows, nil] the platform of this process when it is not given
      # @return [Boolean]
      def absolute_path?(path, platform = nil)
        unless path.is_a?(String)
          Puppet.warning("Cannot check if #{path} is an absolute path because it is a '#{path.class}' and not a String'")
          return false
        end
        case platform || (Platform.windows? ? :windows : :posix)
        when :posix then path.match?(/^\//)
        when :windows then path.match?(WINDOWS_ABSOLUTE_PATH)
        else raise DevError, "unknown platform #{platform} in absolute_path"
        end
      end

      # Returns a number below `max` that depends on the seed alone, as a String.
      #
      # @param seed [Integer]
      # @param max [Integer, Float]
      # @return [String]
      def deterministic_rand(seed, max)
        deterministic_rand_int(seed, max).to_s
      end

      # Returns a number below `max` that depends on the seed alone.
      #
      # @param seed [Integer]
      # @param max [Integer, Float]
      # @return [Integer, Float]
      def deterministic_rand_int(seed, max)
        Random.new(seed).rand(max)
      end

      # Returns the path of an executable on the search path.
      #
      # @param bin [String] a name, or an absolute path
      # @return [String, nil]
      def which(bin)
        return (bin if FileTest.file?(bin) && FileTest.executable?(bin)) if absolute_path?(bin)

        ENV.fetch("PATH", "").split(File::PATH_SEPARATOR)
          .map { |dir| File.join(dir, bin) }
          .find { |path| FileTest.file?(path) && FileTest.executable?(path) }
      end

      # Returns the value of a variable of this process's environment.
      #
      # @param name [String]
      # @param _mode [Symbol, nil] the platform, which makes no difference to Ruby
      # @return [String, nil]
      def get_env(name, _mode = nil)
        ENV.fetch(name, nil)
      end

      # Returns the variables of this process's environment.
      #
      # @param _mode (see get_env)
      # @return [Hash{String=>String}]
      def get_environment(_mode = nil)
        ENV.to_hash
      end

      # Sets a variable of this process's environment.
      #
      # @param name [String]
      # @param value [String, nil] nil takes it away
      # @param _mode (see get_env)
      def set_env(name, value = nil, _mode = nil)
        ENV[name] = value
      end

      # Changes environment variables of the process during a block.
      #
      # @param variables [Hash{String, Symbol=>String}]
      # @return [Object] the result of the block
      def withenv(variables, _mode = nil)
        before = ENV.to_h
        begin
          variables.each { |name, value| ENV[name.to_s] = value }
          yield
        ensure
          ENV.replace(before)
        end
      end

      # Symbols in place of the String keys of a Hash.
      #
      # @param hash [Hash]
      # @return [Hash]
      def symbolizehash(hash)
        hash.transform_keys { |key| key.to_s.to_sym }
      end

      # Percent-encodes the characters of a URI that need it, by the rules of each of its parts.
      #
      # @param path [String] a URI, or a path
      # @return [String]
      # @raise [ArgumentError] when the path is nil
      def uri_encode(path)
        raise ArgumentError, "path may not be nil" if path.nil?

        authority, rest, query = path.match(URI_PARTS).captures
        encoded = authority + ::URI::DEFAULT_PARSER.escape(rest)
        return encoded unless query

        pairs = query.split("&").map { |pair| pair.split("=").map { |text| uri_query_encode(text) }.join("=") }
        "#{encoded}?#{pairs.join("&")}"
      end

      # @param text [String] of a query
      # @return [String] with percents
      def uri_query_encode(text)
        ::CGI.escape(text).gsub("+", "%20")
      end

      # @param text [String] of a URI
      # @return [String] without percents, in the same encoding
      def uri_unescape(text)
        encoding = text.encoding == Encoding::US_ASCII ? Encoding::UTF_8 : text.encoding
        ::URI::DEFAULT_PARSER.unescape(text.b).force_encoding(encoding)
      end

      # Returns the URI of a file.
      #
      # @param path [String, nil] an absolute path
      # @return [URI::Generic, nil]
      # @raise [Puppet::Error] when it has characters that no URI can have, such as brackets
      def path_to_uri(path)
        return unless path

        location, query = uri_encode(path).split("?")
        ::URI::Generic.build(scheme: "file", path: location, query: query)
      rescue ::URI::Error => e
        raise Error, "Failed to convert '#{path}' to URI: #{e}"
      end

      # Comparison of version numbers.
      module Package
        autoload :Version, "#{__dir__}/util/package_version"

        PART = /[-.]|\d+|[^-.\d]+/
        SEPARATOR_RANK = {"-" => 0, "." => 1}.freeze
        private_constant :PART, :SEPARATOR_RANK

        module_function

        # Compares two version numbers as package managers do.
        #
        # @param version_a [String]
        # @param version_b [String]
        # @param ignore_trailing_zeroes [Boolean] whether 1.0 equals 1.0.0
        # @return [-1, 0, 1]
        def versioncmp(version_a, version_b, ignore_trailing_zeroes = false)
          version_a, version_b = [version_a, version_b].map { |v| Package.without_trailing_zeroes(v) } if ignore_trailing_zeroes
          parts_b = version_b.scan(PART)
          version_a.scan(PART).zip(parts_b) do |a, b|
            break if b.nil?
            return Package.compare_parts(a, b) unless a == b
          end
          # All parts that both have are equal: the whole decides.
          version_a <=> version_b
        end

        # @api private
        def self.compare_parts(a, b)
          rank_a, rank_b = SEPARATOR_RANK.fetch(a, 2), SEPARATOR_RANK.fetch(b, 2)
          return rank_a <=> rank_b unless rank_a == rank_b
          # A leading zero makes a fraction of a number: 1.05 comes before 1.4.
          return a.to_i <=> b.to_i if [a, b].all? { |part| part.match?(/\A[1-9]\d*\z/) }

          a.upcase <=> b.upcase
        end

        # @api private
        def self.without_trailing_zeroes(version)
          head, *rest = version.split("-")
          [head.to_s.sub(/[.0]+\z/, ""), *rest].join("-")
        end
      end

      # The platform of this process.
      module Platform
        module_function

        # @return [Boolean]
        def windows?
          !File::ALT_SEPARATOR.nil?
        end

        # @return [Boolean]
        def jruby?
          RUBY_PLATFORM == "java"
        end

        # @return [Boolean]
        def fips_enabled?
          false
        end
      end

      # JSON.
      module Json
        # A text is not JSON.
        class ParseError < StandardError
          attr_reader :cause, :data

          def initialize(message, cause = nil, data = nil)
            super(message)
            @cause = cause
            @data = data
          end
        end

        module_function

        # @param string [String]
        # @return [Object]
        # @raise [ParseError]
        def load(string, options = {})
          require "json"
          ::JSON.parse(string, **options)
        rescue ::JSON::ParserError => e
          raise ParseError.new(e.message, e, string)
        end

        # @param filename [String]
        # @return [Object, nil] nil unless the file can be read and is JSON
        def load_file_if_valid(filename, options = {})
          load(RegularFile.read(filename), options)
        rescue ParseError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve JSON content from file '#{filename}': #{e.message}")
          nil
        end

        # @return [String]
        def dump(object, options = {})
          require "json"
          options.delete(:pretty) ? ::JSON.pretty_generate(object, options) : ::JSON.generate(object, options)
        end
      end

      # Differences of files, which no one changes here.
      module Diff
        extend StandIn
      end

      # Puppet's interface to Windows, which nothing uses here.
      module Windows
        extend StandIn

        %i[ADSI EventLog File Registry SID Service].each { |name| const_set(name, Module.new.extend(StandIn)) }
      end
    end
  end
end

require_relative "util/posix"
