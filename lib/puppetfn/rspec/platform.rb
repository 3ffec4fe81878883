# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The platform that code finds itself on: in an example, the platform of the facts.
    #
    # @api private
    module Platform
      # The platform that this process runs on, whatever constants specs replace.
      ACTUAL = File::ALT_SEPARATOR ? :windows : :posix
      # The separator of directories in settings and environment variables of this process.
      PATH_SEPARATOR = File::PATH_SEPARATOR

      class << self
        # Returns the platform that an example's facts state. As in rspec-puppet, the facts are read before the
        # example's own hooks run.
        #
        # @param example [Object]
        # @return [:windows, :posix, nil]
        def of_example(example)
          given = example.facts if Settings.given?(example, :facts)
          known = ::RSpec.configuration.default_facts
          known = known.merge(given) if given.is_a?(Hash)
          named = %w[operatingsystem osfamily os].to_h { |name| [name, known.fetch(name) { known[name.to_sym] }] }.compact
          named["os"] = named["os"].transform_keys(&:to_s) if named["os"].is_a?(Hash)
          of(named)
        end

        # @param facts [Hash{String=>Object}]
        # @return [:windows, :posix, nil] nil when the facts do not state it
        def of(facts)
          name = facts.fetch("operatingsystem") do
            facts.fetch("osfamily") do
              os = facts["os"]
              os.fetch("name") { os["family"] } if os.is_a?(Hash)
            end
          end
          name && (name.to_s.casecmp?("windows") ? :windows : :posix)
        end
      end

      # @return [Boolean]
      def windows?
        pretending? ? pretend_windows? : super
      end

      # @param platform [:windows, :posix, nil] nil for the platform of this machine
      # @return [void]
      def pretend_to_be(platform)
        @pretend_platform = platform
      end

      # @return [:windows, :posix, nil]
      def pretend_platform
        @pretend_platform
      end

      # @return [Boolean]
      def pretending?
        !@pretend_platform.nil?
      end

      # @return [Boolean]
      def pretend_windows?
        @pretend_platform == :windows
      end

      # @return [:windows, :posix]
      def actual_platform
        ACTUAL
      end

      # @return [Boolean]
      def actually_windows?
        actual_platform == :windows
      end
    end

    # The constants of Ruby's that differ by platform, for as long as an example pretends to be on one.
    module Consts
      CONSTANTS = {
        posix: [[File, :PATH_SEPARATOR, ":"], [File, :ALT_SEPARATOR, nil]],
        windows: [[File, :PATH_SEPARATOR, ";"], [File, :ALT_SEPARATOR, "\\"]]
      }.freeze
      # The separators within paths, for a class that not all specs need.
      SEPARATORS = {posix: %r{/}, windows: %r{[\\/]}}.freeze
      private_constant :CONSTANTS, :SEPARATORS

      class << self
        # @param platform [:windows, :posix]
        # @return [void]
        def stub_consts_for(platform)
          CONSTANTS.fetch(platform).each { |owner, name, value| replace(owner, name, value) }
          replace(::Pathname, :SEPARATOR_PAT, SEPARATORS.fetch(platform)) if pathname?
          Puppet::Util::Platform.pretend_to_be(platform)
        end

        # @return [void]
        def restore_consts
          stub_consts_for(::RSpec.configuration.platform)
        end

        # Runs a block on the platform of the settings, whatever the facts of the example are of.
        def without_stubs
          pretended = Puppet::Util::Platform.pretend_platform
          return yield unless pretended

          restore_consts
          begin
            yield
          ensure
            stub_consts_for(pretended)
          end
        end

        private

        # Whether Pathname is loaded. `autoload?` looks the file up on the load path, which examples change.
        def pathname?
          return @has_pathname if @has_pathname || @features == $LOADED_FEATURES.size

          @features = $LOADED_FEATURES.size
          @has_pathname = !Object.autoload?(:Pathname)
        end

        def replace(owner, name, value)
          return if owner.const_get(name) == value

          owner.send(:remove_const, name)
          owner.const_set(name, value)
        end
      end
    end

    Puppet::Util::Platform.singleton_class.prepend(Platform)
  end
end
