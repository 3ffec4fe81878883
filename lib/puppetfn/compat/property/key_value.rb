# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property
      # A property that has values by keys, of which a resource may have some only.
      class KeyValue < Property
        class << self
          # @return [Boolean, nil] whether only changed and new keys are shown
          attr_accessor :log_only_changed_or_new_keys
        end

        validate do |value|
          next if value.is_a?(Hash)
          unless value.is_a?(String)
            raise ArgumentError, "The #{name} property must be specified as a hash or an array of key/value pairs (strings)!"
          end
          raise ArgumentError, "Key/value pairs must be separated by '#{separator}'" unless value.include?(separator.to_s)
        end

        munge do |value|
          value.is_a?(String) ? value : value.to_h { |key, setting| [key.to_s.strip.to_sym, setting.to_s] }
        end

        # @return [Symbol] the parameter that says whether other keys are removed
        def membership
          :key_value_membership
        end

        # @return [Boolean]
        def inclusive?
          @resource[membership] == :inclusive
        end

        # @return [String]
        def separator
          "="
        end

        # @return [String]
        def delimiter
          ";"
        end

        # @return [Hash{Symbol=>String}]
        def hashify_should
          return @should.first if @should.first.is_a?(Hash)

          @should.to_h do |pair|
            key, value = pair.split(separator)
            [key.strip.intern, value]
          end
        end

        # @return [Hash{Symbol=>String}, nil]
        def should
          return unless @should

          current = process_current_hash(retrieve)
          wanted = current.merge(hashify_should)
          @changed_or_new_keys ||= wanted.keys.select { |key| !current.key?(key) || current[key] != wanted[key] }
          wanted
        end

        # @return [Hash] without values where only the keys of the resource count
        def process_current_hash(current)
          return {} if current == :absent

          inclusive? ? current.transform_values { nil } : current
        end

        # @return [Hash, :absent]
        def retrieve
          provider&.public_send(name) || :absent
        end

        # @return [Boolean]
        def insync?(is)
          is ? is == should : true
        end

        # @return [String]
        def hash_to_key_value_s(hash)
          hash = hash.slice(*@changed_or_new_keys) if self.class.log_only_changed_or_new_keys
          hash.map { |pair| pair.join(separator) }.join(delimiter)
        end

        def should_to_s(value)
          hash_to_key_value_s(value)
        end

        def is_to_s(value)
          hash_to_key_value_s(value)
        end
      end
    end
  end
end
