# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The platform that code finds itself on: in an example it is that of the facts.
    #
    # @api private
    module Platform
      class << self
        # @param facts [Hash{String=>Object}]
        # @return [:windows, :posix, nil] nil when the facts do not say
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

      # @param platform [:windows, :posix, nil] nil for that of this machine
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
        File::ALT_SEPARATOR ? :windows : :posix
      end

      # @return [Boolean]
      def actually_windows?
        actual_platform == :windows
      end
    end

    Puppet::Util::Platform.singleton_class.prepend(Platform)
  end
end
