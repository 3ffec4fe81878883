# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property
      # The property that `ensurable` defines: whether the resource exists.
      class Ensure < Property
        @name = :ensure

        # Defines `present` and `absent`.
        def self.defaultvalues
          newvalue(:present) { create_or_destroy(:create) }
          newvalue(:absent) { create_or_destroy(:destroy) }
          defaultto { :present if @resource.managed? }
          @doc ||= "Whether the resource is there."
        end

        defaultto { :present if @resource.managed? }

        # @return [String]
        def change_to_s(current, wanted)
          if current.nil? || current == :absent then "created"
          elsif wanted == :absent then "removed"
          else "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
          end
        end

        # @return [:present, :absent]
        # @raise [DevError] when neither the provider nor the resource can tell
        def retrieve
          answering = [@resource.provider, @resource].find { |object| object.respond_to?(:exists?) }
          raise DevError, "No ability to determine if #{@resource.class.name} exists" unless answering

          answering.exists? ? :present : :absent
        end

        private

        # The change itself is the only event.
        def create_or_destroy(action)
          provider = @resource.provider
          (provider.respond_to?(action) ? provider : @resource).public_send(action)
          nil
        end
      end
    end
  end
end
