# frozen_string_literal: true

module Puppetfn
  module Puppet
    # States that one resource comes before another, and whether events are passed on to the other.
    class Relationship
      attr_accessor :source, :target

      # @return [Symbol, nil] the method of the target to call
      attr_accessor :callback

      # @return [Symbol, nil] the events of the source that are passed on
      attr_reader :event

      # @param label [Hash{Symbol=>Symbol}, nil] `callback` and `event`
      def initialize(source, target, label = nil)
        @source = source
        @target = target
        return unless label

        @callback, event = label.values_at(:callback, :event)
        self.event = event if event
      end

      # @raise [ArgumentError] when nothing is to be called
      def event=(event)
        raise ArgumentError, "You must pass a callback for non-NONE events" if event != :NONE && !callback

        @event = event
      end

      # @return [Hash{Symbol=>Symbol}]
      def label
        {callback: callback, event: event}.compact
      end

      # @return [String]
      def to_s
        "#{source} => #{target}"
      end
      alias ref to_s

      # @return [String]
      def inspect
        "{ #{self} }"
      end
    end
  end
end
