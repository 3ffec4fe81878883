# frozen_string_literal: true

module Puppetfn
  # A point in time.
  class Timestamp
    class << self
      # @param nanoseconds [Integer] since the start of 1970
      # @return [Timestamp]
      def new(nanoseconds)
        at(*nanoseconds.divmod(TimeData::NSECS_PER_SEC))
      end

      # @return [Timestamp] this very moment
      def now
        from_time(::Time.now)
      end

      # @param time [Time]
      # @return [Timestamp]
      def from_time(time)
        at(time.tv_sec, time.tv_nsec)
      end

      # @param hash [Hash{String=>Object}] `string`, and maybe `format` and `timezone`
      # @return [Timestamp]
      def from_hash(hash)
        parse(hash["string"], hash["format"], hash["timezone"])
      end

      # @param text [String]
      # @param format [String, Array<String>, nil, :default] as Ruby's `strptime` takes it
      # @param timezone [String, nil, :default] of a text that names none
      # @return [Timestamp]
      # @raise [ArgumentError] when the text is not in one of the formats
      def parse(text, format = :default, timezone = nil)
        read(text, format, timezone == :default ? nil : timezone)
      end
    end

    # These make no sense for a point in time.
    undef_method :-@, :+@, :div, :fdiv, :abs, :abs2, :magnitude, :negative?, :positive?, :%, :modulo, :divmod

    # @param other [Timespan, Integer, Float] numbers are seconds
    # @return [Timestamp]
    def +(other)
      Timestamp.new(nsecs + nanoseconds_of(other, "%s cannot be added to a Timestamp", Timespan))
    end

    # @param other [Timestamp, Timespan, Integer, Float] numbers are seconds
    # @return [Timespan, Timestamp] the time between two points, or another point
    def -(other)
      difference = nsecs - nanoseconds_of(other, "%s cannot be subtracted from a Timestamp", TimeData)
      (other.is_a?(Timestamp) ? Timespan : Timestamp).new(difference)
    end

    # @param format [String] as Ruby's `strftime` takes it
    # @param timezone [String, nil] in which the time is shown, UTC by default
    # @return [String]
    def format(format, timezone = nil)
      show(format, timezone)
    end

    # @return [Time] in UTC
    def to_time
      ::Time.at(to_r).utc
    end
  end
end
