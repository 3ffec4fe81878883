# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The resource types in the modules of examples. They are about the system that the facts are of, and so they
    # ask nothing of the machine that the examples run on.
    #
    # @api private
    class ExampleTypes < ResourceTypes
      # Where the files are evaluated. What they require is what specs get that require the same.
      class Files < Sandbox
        # @return [ExampleTypes]
        def resource_types
          @resource_types ||= ExampleTypes.new(self)
        end

        private

        def real_libraries
          []
        end
      end

      # Makes the current facts decide the default providers.
      #
      # @return [void]
      def choose_providers_anew
        each { |type| type.defaultprovider = nil }
      end

      private

      def load(name)
        super.tap do |type|
          case name
          # Paths and users are those of another system.
          when :file then type.paramclass(:path).munge { |value| value }
          when :exec then type.paramclass(:user).validate { |_value| nil }
          end
        end
      end
    end
  end
end
