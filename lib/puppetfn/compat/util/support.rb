# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # YAML.
      module Yaml
        # A text is not YAML, or has objects that are not permitted.
        class YamlLoadError < Puppet::Error; end

        # Classes of objects that texts may have besides data.
        PERMITTED = [].freeze
        private_constant :PERMITTED

        module_function

        # @param yaml [String]
        # @param allowed_classes [Array<Class>] besides the classes of data
        # @param filename [String, nil] for messages
        # @return [Object] false for an empty text
        # @raise [YamlLoadError]
        def safe_load(yaml, allowed_classes = [], filename = nil)
          data = ::YAML.safe_load(yaml, permitted_classes: allowed_classes, aliases: true, filename: filename)
          data = false if data.nil?
          data
        rescue ::Psych::DisallowedClass => e
          detail = filename ? "(#{filename})" : "(<unknown>)"
          raise YamlLoadError.new("#{detail}: #{e.message}", e)
        rescue ::Psych::SyntaxError => e
          raise YamlLoadError.new(e.message, e)
        end

        # @param filename [String]
        # @return [Object] see {safe_load}
        # @raise [YamlLoadError]
        def safe_load_file(filename, allowed_classes = [])
          safe_load(RegularFile.read(filename), allowed_classes, filename)
        end

        # @param filename [String]
        # @return [Object, nil] nil unless the file can be read and is YAML
        def safe_load_file_if_valid(filename, allowed_classes = [])
          safe_load_file(filename, allowed_classes)
        rescue YamlLoadError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve YAML content: #{e.message}")
          nil
        end

        # Writes a file.
        #
        # @return [void]
        def dump(structure, filename)
          File.write(filename, ::YAML.dump(structure))
        end
      end

      # Profiling of compilations, which is always off.
      module Profiler
        module_function

        # @return [Object] the block's result
        def profile(_message, _metric_id = nil)
          yield
        end

        # @return [Array] no profilers
        def current
          []
        end

        # @return [void]
        def add_profiler(profiler)
          profiler
        end

        # @return [void]
        def remove_profiler(_profiler); end

        # @return [void]
        def clear; end
      end

      # SELinux, which only a library for it could ask.
      module SELinux
        module_function

        # @return [Boolean]
        def selinux_support?
          false
        end

        # Without SELinux, files have no contexts.
        #
        # @!method get_selinux_current_context(file)
        #   @return [nil]
        # @!method get_selinux_default_context(file, ensure = nil)
        #   @return [nil]
        # @!method parse_selinux_context(component, context)
        #   @return [nil]
        # @!method set_selinux_context(file, value, component = false)
        #   @return [nil]
        # @!method set_selinux_default_context(file, ensure = nil)
        #   @return [nil]
        %i[
          get_selinux_current_context get_selinux_default_context get_selinux_default_context_with_handle parse_selinux_context
          set_selinux_context set_selinux_default_context
        ].each do |name|
          define_method(name) { |*| nil }
          module_function name
        end
      end

      # A set of tags.
      class TagSet < ::Set
        # @param data [Array<String>]
        # @return [TagSet]
        def self.from_data_hash(data)
          new(data)
        end

        # @return [Array<String>]
        def to_data_hash
          to_a
        end

        # @param separator [String, nil]
        # @return [String]
        def join(*separator)
          to_a.join(*separator)
        end
      end

      # Texts in other encodings.
      module CharacterEncoding
        module_function

        # @param string [String]
        # @return [String] the same characters in UTF-8; as it is where that is impossible
        def convert_to_utf_8(string)
          string = string.dup
          return string if string.encoding == Encoding::UTF_8
          return override_encoding_to_utf_8(string) if string.encoding == Encoding::BINARY

          string.encode(Encoding::UTF_8)
        rescue EncodingError
          string
        end

        # @param string [String]
        # @return [String] the same bytes as UTF-8, if they are
        def override_encoding_to_utf_8(string)
          forced = string.dup.force_encoding(Encoding::UTF_8)
          forced.valid_encoding? ? forced : string.dup
        end
      end

      # Names of constants and the files that define them.
      module ConstantInflector
        module_function

        # @param file [String]
        # @return [String]
        def file2constant(file)
          file.split("/").map { |part| part.split("_").map { |word| word[0].upcase + word[1..] }.join }.join("::")
        end

        # @param constant [Module, String]
        # @return [String]
        def constant2file(constant)
          constant.to_s.gsub(/([a-z])([A-Z])/) { "#{$1}_#{$2}" }.gsub("::", "/").downcase
        end
      end

      module_function

      # Logs how long a block takes.
      #
      # @param args [Array] a level and a text, in which `%{seconds}` is replaced
      # @return [Object] the seconds; the block's result, if the level is not logged
      def benchmark(*args, &block)
        message, level, object = args.pop, args.pop, args.pop || Puppet
        raise DevError, "Failed to provide level to benchmark" unless level
        raise DevError, "Failed to provide object to benchmark" unless level == :none || object.respond_to?(level)
        return yield if level == :none || Logs.rank(level) < Logs.rank(Log.level)

        seconds = thinmark(&block)
        shown = format("%0.2f", seconds)
        text = message.include?("%{seconds}") ? message.gsub("%{seconds}", shown) : "#{message} in #{shown} seconds"
        object.public_send(level, text)
        seconds
      end

      # @return [Float] duration of the block, in seconds
      def thinmark
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        yield
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      end

      # @param backtrace [Array<String>]
      # @return [String]
      def pretty_backtrace(backtrace = caller(1))
        backtrace.map { |frame| resolve_stackframe(frame) }.join("\n")
      end

      # @param frame [String]
      # @return [String] the frame with the real path of its file, if there is such a file
      def resolve_stackframe(frame)
        path, rest = frame.match(/^(.*):(\d+.*)$/)&.captures
        path ? "#{File.realpath(path)}:#{rest}" : frame
      rescue SystemCallError
        frame
      end

      # Calls a block, and ends the process if that fails.
      #
      # @return [Object] the block's result
      def exit_on_fail(_message, _code = 1)
        yield
      end

      # Calls a block with another umask.
      #
      # @return [Object] the block's result
      def withumask(mask)
        before = File.umask(mask)
        yield
      ensure
        File.umask(before) if before
      end

      # @return [Object] the block's result
      def skip_external_facts
        yield
      end

      # @param uri [URI::Generic]
      # @return [String, nil] the path of the file that a URI names
      def uri_to_path(uri)
        uri_unescape(uri.path) if uri.is_a?(::URI::Generic) && uri.path
      end

      # Writes a file in place of another one.
      #
      # @param file [String]
      # @param mode [Integer, nil]
      # @yieldparam io [File]
      # @return [void]
      def replace_file(file, mode = nil)
        require "tempfile"
        temporary = Tempfile.create("puppetfn", File.dirname(file))
        yield temporary
        temporary.close
        mode ||= File.exist?(file) ? File.stat(file).mode & 0o7777 : 0o644
        File.chmod(mode, temporary.path)
        File.rename(temporary.path, file)
      end
    end
  end
end
