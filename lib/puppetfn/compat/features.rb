# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The available libraries and platforms, as `Puppet.features.name?`.
    #
    # Modules add features in `lib/puppet/feature`.
    class Features
      # The files to require for each library.
      LIBRARIES = {
        diff: ["diff/lcs", "diff/lcs/hunk"], hiera: ["hiera"], ldap: ["ldap"], libshadow: ["shadow"],
        minitar: ["archive/tar/minitar"], openssl: ["openssl"], sqlite: ["sqlite3"], syslog: ["syslog"]
      }.freeze
      # Those for which Puppet has a file of their own, so that a module can have another in its place.
      REPLACEABLE = {
        cfpropertylist: ["cfpropertylist"], hiera_eyaml: ["hiera/backend/eyaml/parser/parser"], hocon: ["hocon"],
        msgpack: ["msgpack"], selinux: ["selinux"], ssh: ["net/ssh"], telnet: ["net/telnet"], zlib: ["zlib"]
      }.freeze
      DIRECTORY = "puppet/feature"
      private_constant :LIBRARIES, :REPLACEABLE, :DIRECTORY

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
        files.each do |file|
          StandardLibrary.load_whole(file)
          require file
        end
        true
      rescue LoadError
        nil
      end

      def present?(name)
        @results[name] = (@tests[name] || -> { libraries?(REPLACEABLE.fetch(name)) }).call if @results[name].nil?
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
          return false unless @tests.key?(feature) || REPLACEABLE.key?(feature)
        end
        present?(feature)
      end

      def respond_to_missing?(name, _include_private = false)
        name.end_with?("?")
      end
    end
  end
end
