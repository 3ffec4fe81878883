# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The node of an example: its name, and the data that code sees of it.
    #
    # @api private
    class Node
      # Examples are about a few systems in turn, and many about the same.
      @known_facts = Recent.new(64)

      class << self
        # @return [Recent] the facts of the nodes of the last examples
        attr_reader :known_facts
      end

      # @return [String]
      attr_reader :name

      # @param example [Support]
      # @param name [String]
      # @param environment [String]
      # @param facts_only [Boolean] whether the node has no parameters, and no external data
      # @param renamed [Boolean] whether its name counts, not the name in the example's facts
      def initialize(example, name, environment, facts_only: false, renamed: false)
        @example = example
        @name = name
        @environment = environment
        @facts_only = facts_only
        @renamed = renamed
        @configuration = ::RSpec.configuration
      end

      # Returns the values that identify it among other nodes.
      #
      # @return [Array<Object>]
      def identity
        names = %i[node_params trusted_facts trusted_external_data]
        defaults = %i[default_node_params default_trusted_facts default_trusted_external_data]
        [@name, @environment, facts.object_id, *defaults.map { |name| @configuration.public_send(name) },
         *names.map { |name| @example.public_send(name) if Settings.given?(@example, name) }]
      end

      # Returns the facts. Facts derived from the name are defaults, and win where the example names its node.
      #
      # @return [Hash{String=>Object}] the same object for all examples with equal facts: it must not be changed
      def facts
        @facts ||= begin
          given = @example.facts if Settings.given?(@example, :facts)
          is_derived = @renamed || (Settings.given?(@example, :node) && @configuration.derive_node_facts_from_nodename)
          inputs = [@name, @environment, @configuration.facter_implementation, is_derived, @configuration.default_facts, given]
          Node.known_facts.fetch(inputs) { make_facts(is_derived) }
        end
      end

      # Reads all of the example's data about the node, so that mistakes in it are raised.
      #
      # @return [self]
      # @raise [TypeError] when that is not a Hash
      def check
        %i[facts node_params trusted_facts trusted_external_data].each { |name| ask(name) }
        self
      end

      # @return [Hash{String=>Object}] variables of the top scope that are not facts
      def variables
        # The scope has this one itself.
        parameters.except("module_name")
      end

      # @return [Hash{String=>Object}] the parameters from its classifier
      def parameters
        @facts_only ? {} : plain(@configuration.default_node_params).merge(given(:node_params))
      end

      # @return [Hash{String=>Object}] the value of `$server_facts`
      def server_facts
        # Examples may mock the access to facts.
        networking = hash(Facter.to_hash["networking"])
        name = networking["fqdn"] || networking.values_at("hostname", "domain").compact.join(".")
        {
          "serverversion" => Puppet.version, "serverimplementation" => Target.current.implementation, "servername" => name,
          "serverip" => networking["ip"], "environment" => @environment
        }.compact
      end

      # @return [Hash{String=>Object}] the value of `$trusted`
      def trusted
        hostname, domain = name.split(".", 2)
        {
          "authenticated" => "remote", "certname" => name, "hostname" => hostname, "domain" => domain,
          "extensions" => plain(@configuration.default_trusted_facts).merge(given(:trusted_facts)),
          "external" => @facts_only ? {} : plain(@configuration.default_trusted_external_data).merge(given(:trusted_external_data))
        }
      end

      private

      def make_facts(is_derived)
        facts = plain(@configuration.default_facts)
        fill(facts, named)
        fill(facts["networking"] ||= {}, networking)
        facts.update("clientversion" => Puppet.version, "environment" => @environment)
        facts.update(given(:facts))
        if is_derived
          facts.update(named)
          facts["networking"] = networking.merge(hash(facts["networking"]), networking)
        end
        facts.transform_keys(&:downcase).freeze
      end

      def given(name)
        value = ask(name)
        value ? plain(value) : {}
      end

      # @return [Hash, nil] nil when the example does not define it
      def ask(name)
        return unless Settings.given?(@example, name)

        value = @example.public_send(name)
        return value if value.is_a?(Hash)

        raise TypeError, "let(:#{name}) has to give a Hash, not #{value.inspect}"
      end

      def named
        names = {"hostname" => name.split(".").first, "fqdn" => name, "domain" => name.split(".", 2).last, "clientcert" => name}
        # rspec-puppet keeps Facter from looking for it.
        names["ipaddress6"] = "FE80:0000:0000:0000:AAAA:AAAA:AAAA" if @configuration.facter_implementation.to_sym == :facter
        names
      end

      def networking
        named.slice("hostname", "fqdn", "domain")
      end

      # Sets facts that are missing, or nil.
      def fill(facts, missing)
        facts.update(missing) { |_name, present, default| present.nil? ? default : present }
      end

      def hash(value)
        value.is_a?(Hash) ? value : {}
      end

      # With keys that are Strings. It is a copy, for specs change their settings.
      def plain(value)
        case value
        when Hash then value.to_h { |key, element| [key.to_s, plain(element)] }
        when Array then value.map { |element| plain(element) }
        else value
        end
      end
    end
  end
end
