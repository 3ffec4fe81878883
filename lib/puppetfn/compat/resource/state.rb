# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Resource
      # Resources of a system, by their types' names and their own. See Puppet's `indirector/resource/ral.rb`.
      class SystemResources
        include StandIn

        # @param key [String] such as `user/alice`
        # @return [Resource] the state of the resource
        # @raise [Puppet::Error] if there is no such type
        def find(key, **)
          type, name = type_and_name(key)
          found = listed(type).find { |instance| instance.name == name }
          (found || type.new(name: name, audit: type.properties.map(&:name))).to_resource
        end

        # @param key [String] such as `user`, or `user/alice`
        # @param conditions [Hash{Symbol=>Object}] values of attributes
        # @return [Array<Resource>]
        # @raise [Puppet::Error] if there is no such type
        def search(key, conditions = {})
          type, name = type_and_name(key)
          conditions = name ? conditions.merge(name: name) : conditions
          found = type.instances.map(&:to_resource).select do |resource|
            conditions.all? { |attribute, value| resource[attribute].to_s == value.to_s }
          end
          found.sort_by(&:title)
        end

        private

        def type_and_name(key)
          type, name = key.split("/", 2)
          known = Puppet::Type.type(type) or raise Puppet::Error, "Could not find type #{type}"
          [known, (name unless name == "")]
        end

        # Puppet's own types have no providers here; a resource needs no list.
        def listed(type)
          type.instances
        rescue UnavailableError
          []
        end

        def puppet_name
          "Puppet::Resource.indirection"
        end
      end

      # @return [SystemResources]
      def self.indirection
        @indirection ||= SystemResources.new
      end

      # @return [String] Puppet code that declares the resource
      def to_manifest
        names = parameters.keys.sort
        names.unshift(:ensure) if names.delete(:ensure)
        width = names.map(&:size).max || 0
        lines = names.map { |name| Kernel.format("  %-#{width}s => %s,\n", name, shown_value(name)) }
        "#{type.to_s.downcase} { '#{title.gsub("'", "\\\\'")}':\n#{lines.join}}"
      end

      # @return [Resource] a copy that belongs to no catalog, with the values from its title
      def copy_as_resource
        named.detached
      end

      private

      def shown_value(name)
        return Hidden.inspect if sensitive_parameters.include?(name)

        Parameter.format_value_for_display(parameters[name])
      end
    end
  end
end
