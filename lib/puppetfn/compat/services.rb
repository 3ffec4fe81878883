# frozen_string_literal: true

module Puppetfn
  module Puppet
    # What `Puppet.runtime` has, by name: the client of HTTP and Facter.
    class Services
      MAKERS = {http: -> { HTTP::Client.new }, facter: -> { defined?(::Facter) ? ::Facter : Facter }}.freeze
      private_constant :MAKERS

      def initialize
        clear
      end

      # @param name [Symbol]
      # @return [Object]
      # @raise [ArgumentError] when there is no such service
      def [](name)
        @services[name] ||= (MAKERS[name] or raise ArgumentError, "Unknown service #{name}").call
      end

      # Puts another in the place of a service.
      def []=(name, service)
        @services[name] = service
      end

      # @return [void]
      def clear
        @services = {}
      end
    end
  end
end
