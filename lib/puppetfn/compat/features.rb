# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The available libraries and platforms, as `Puppet.features.name?`.
    #
    # Modules add features in `lib/puppet/feature`.
    class Features
      # The files to require for each library.
      LIBRARIES = {
        base64: ["base64"], json: ["json"], ssl: ["openssl"], openssl: ["openssl"], zlib: ["zlib"],
        bcrypt: ["bcrypt"], hocon: ["hocon"], msgpack: ["msgpack"], diff: ["diff/lcs", "diff/lcs/hunk"], ldap: ["ldap"],
        cfpropertylist: ["cfpropertylist"], hiera: ["hiera"], hiera_eyaml: ["hiera/backend/eyaml/parser/parser"],
        libshadow: ["shadow"], minitar: ["archive/tar/minitar"], selinux: ["selinux"], sqlite: ["sqlite3"],
        ssh: ["net/ssh"], syslog: ["syslog"], telnet: ["net/telnet"]
      }.freeze
      DIRECTORY = "puppet/feature"
      private_constant :LIBRARIES, :DIRECTORY

      def initialize
        @results = {}
        @tests = LIBRARIES.transform_values { |libraries| -> { libraries?(libraries) } }
      end

      # Defines how to find out whether a feature is there.
      #
      # @param name [String, Symbol]
      # @option options [String, Array<String>] :libs the libraries that it needs
      # @yieldreturn [Boolean, nil] whether it is there; nil if that may change
      # @return [void]
      def add(name, options = {}, &block)
        name = name.to_sym
        @results.delete(name)
        @tests[name] = block || -> { libraries?(Array(options[:libs])) }
        define_singleton_method(:"#{name}?") { present?(name) }
      end

      # @return [Boolean]
      def microsoft_windows?
        Util::Platform.windows?
      end

      # @return [Boolean]
      def posix?
        !microsoft_windows?
      end

      # @return [Boolean]
      def root?
        Process.uid.zero?
      end

      # @return [Boolean]
      def manages_symlinks?
        true
      end

      private

      def libraries?(files)
        files.each { |file| require file }
        true
      rescue LoadError
        nil
      end

      def present?(name)
        @results[name] = @tests.fetch(name).call if @results[name].nil?
        @results[name] ? true : false
      rescue StandardError, ScriptError => e
        Puppet.warning("Failed to load feature test for #{name}: #{e}")
        false
      end

      # A feature that no one knows of is not there.
      def method_missing(name, *arguments)
        return super unless name.end_with?("?") && arguments.empty?

        feature = name.to_s.delete_suffix("?").to_sym
        unless @tests.key?(feature)
          # It may be a feature of a module, whose file adds it.
          Runtime.current&.resource_types&.load_feature(feature)
          return false unless @tests.key?(feature)
        end
        present?(feature)
      end

      def respond_to_missing?(name, _include_private = false)
        name.end_with?("?")
      end
    end
  end
end
