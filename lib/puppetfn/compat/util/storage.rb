# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # State that resources keep between runs of an agent; here for as long as the process runs. See Puppet's
      # `util/storage.rb`.
      class Storage
        @state = {}

        class << self
          # @return [Hash{Symbol, String=>Hash}]
          attr_reader :state

          # @param object [Symbol, Object] a resource
          # @return [Hash] its entries
          def cache(object)
            @state[object.is_a?(Symbol) ? object : object.to_s] ||= {}
          end

          def clear
            @state.clear
          end

          def init
            @state = {}
          end

          # There is no file to load or to store.
          def load; end
          alias store load

          # @return [String]
          def stateinspect
            @state.inspect
          end
        end
      end
    end
  end
end
