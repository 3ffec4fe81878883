# frozen_string_literal: true

require_relative "providers/service"

module Puppetfn
  module Puppet
    Type.newtype(:service) do
      desc "A service: whether it runs, and whether it is started with the system."

      feature :refreshable, "The provider can restart services.", methods: [:restart]
      feature :enableable, "The provider can enable and disable services.", methods: %i[disable enable enabled?]
      feature :delayed_startable, "The provider can have services start late.", methods: [:delayed_start]
      feature :manual_startable, "The provider can have services be started by hand.", methods: [:manual_start]
      feature :controllable, "The provider has a variable for each service."
      feature :flaggable, "The provider can pass flags to services."
      feature :maskable, "The provider can keep services from being started.", methods: [:mask]
      feature :configurable_timeout, "The provider can wait for services."
      feature :manages_logon_credentials, "The provider can say as whom services run."

      newproperty(:enable, required_features: :enableable) do
        desc "Whether the service is started with the system."
        newvalue(:true, event: :service_enabled)
        newvalue(:false, event: :service_disabled)
        newvalue(:manual, event: :service_manual_start, required_features: :manual_startable)
        newvalue(:mask, event: :service_disabled, required_features: :maskable)
        newvalue(:delayed, event: :service_delayed_start, required_features: :delayed_startable)
      end

      newproperty(:ensure) do
        desc "Whether the service runs."
        newvalue(:stopped, event: :service_stopped)
        newvalue(:running, event: :service_started, invalidate_refreshes: true)
        aliasvalue(:false, :stopped)
        aliasvalue(:true, :running)
      end

      newproperty(:logonaccount, required_features: :manages_logon_credentials) { desc "As whom the service runs." }

      newparam(:logonpassword, required_features: :manages_logon_credentials) do
        desc "The password of that account."
        validate { |value| raise ArgumentError, "Passwords cannot include ':'" if value.is_a?(String) && value.include?(":") }
        sensitive true
        defaultto { @resource[:logonaccount] ? "" : nil }
      end

      newproperty(:flags, required_features: :flaggable) { desc "Flags of the service." }
      newparam(:binary) { desc "The program of the service." }

      newparam(:hasstatus) do
        desc "Whether the service can say its state."
        newvalues(:true, :false)
        defaultto :true
      end

      newparam(:name, namevar: true) { desc "The service." }

      newparam(:path) do
        desc "Where scripts of services are."
        munge { |value| [value].flatten.flat_map { |paths| paths.split(File::PATH_SEPARATOR) } }
        defaultto { provider.class.defpath if provider.class.respond_to?(:defpath) }
      end

      newparam(:pattern) do
        desc "What the service is found by among processes."
        defaultto { @resource[:binary] || @resource[:name] }
      end

      %i[restart start status stop].each { |name| newparam(name) { desc "A command in place of the system's." } }

      newparam(:control) do
        desc "The variable of the service."
        defaultto { "#{resource.name.tr(".", "_").upcase}_START" if resource.provider.controllable? }
      end

      newparam(:hasrestart) do
        desc "Whether the service can restart by itself."
        newvalues(:true, :false)
      end

      newparam(:manifest) { desc "What the service is defined by." }

      newparam(:timeout, required_features: :configurable_timeout) do
        desc "How many seconds a change may take."
        defaultto { provider.respond_to?(:default_timeout) ? provider.default_timeout : 10 }

        munge do |value|
          number = value.to_i if value.respond_to?(:to_i)
          unless number&.positive?
            raise Puppet::Error, "\"#{value}\" is not a positive integer: the timeout parameter must be specified as a positive " \
                                 "integer"
          end
          number
        end
      end

      OwnTypes::ServiceProviders.provide_for(self)

      validate do
        if @parameters[:logonpassword] && @parameters[:logonaccount].nil?
          raise Puppet::Error, "The 'logonaccount' parameter is mandatory when setting 'logonpassword'."
        end
      end

      def self.needs_ensure_retrieved
        false
      end

      def refresh; end
    end
  end
end
