# frozen_string_literal: true

module Puppetfn
  # A time: in calculations and comparisons with numbers it counts as its seconds.
  class TimeData
    # Nanoseconds in a second.
    NSECS_PER_SEC = 1_000_000_000

    # @return [Integer, nil] -1, 0 or 1; nil when the other is neither a number nor a time of this kind
    def <=>(other)
      case other
      when self.class then nsecs <=> other.nsecs
      when Integer then to_i <=> other
      when Float then to_f <=> other
      end
    end

    # Instead of the extension's, which knows no numbers.
    remove_method :==

    # @return [Boolean] whether the other is the same time, or as many seconds
    def ==(other)
      (self <=> other)&.zero? || false
    end

    # @return [Float] the seconds
    def to_f
      nsecs.fdiv(NSECS_PER_SEC)
    end

    # @return [Integer] the whole seconds
    def to_i
      nsecs / NSECS_PER_SEC
    end
    alias to_int to_i

    # @return [Rational] the seconds
    def to_r
      Rational(nsecs, NSECS_PER_SEC)
    end

    # @return [Complex]
    def to_c
      to_f.to_c
    end

    # @return [String]
    def inspect
      "#<#{self.class} #{self}>"
    end

    undef_method :phase, :polar, :rect, :rectangular

    private

    # What another operand of a calculation is in nanoseconds: a number, or a time of the given kind.
    def nanoseconds_of(other, problem, kind)
      case other
      when kind then other.nsecs
      when Integer, Float then (other * NSECS_PER_SEC).to_i
      else
        text = Kernel.format(problem, with_article(other))
        raise ArgumentError, text[0].upcase + text[1..]
      end
    end

    def with_article(other)
      name = other.class.name.to_s.split("::").last
      "#{name.match?(/\A[AEIOUaeiou]/) ? "an" : "a"} #{name}"
    end
  end

  # A length of time.
  class Timespan
    class << self
      # @param nanoseconds [Integer]
      # @return [Timespan]
      def new(nanoseconds)
        of(*nanoseconds.divmod(TimeData::NSECS_PER_SEC))
      end

      # @param text [String]
      # @param format [String, Array<String>, nil] as `Timespan#format` takes it
      # @return [Timespan]
      # @raise [ArgumentError] when the text is not in one of the formats
      def parse(text, format = nil)
        read(text, format)
      end

      # @return [Timespan] the sum of the parts
      def from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
        total = (((days * 24) + hours) * 60) + minutes
        total = (((total * 60) + seconds) * 1000) + milliseconds
        total = (((total * 1000) + microseconds) * 1000) + nanoseconds
        new(negative ? -total : total)
      end

      # @param hash [Hash{String=>Object}] `string` and maybe `format`, or the parts by their names
      # @return [Timespan]
      def from_hash(hash)
        hash.include?("string") ? from_string_hash(hash) : from_fields_hash(hash)
      end

      # (see from_hash)
      def from_string_hash(hash)
        parse(hash["string"], hash["format"])
      end

      # (see from_hash)
      def from_fields_hash(hash)
        names = %w[days hours minutes seconds milliseconds microseconds nanoseconds]
        from_fields(hash["negative"] || false, *names.map { |name| hash[name] || 0 })
      end
    end

    # @return [Boolean]
    def negative?
      nsecs.negative?
    end

    # @param other [Timespan, Timestamp, Integer, Float] numbers are seconds
    # @return [Timespan, Timestamp]
    def +(other)
      return other + self if other.is_a?(Timestamp)

      Timespan.new(nsecs + nanoseconds_of(other, "%s cannot be added to a Timespan", Timespan))
    end

    # @param other [Timespan, Integer, Float] numbers are seconds
    # @return [Timespan]
    def -(other)
      Timespan.new(nsecs - nanoseconds_of(other, "%s cannot be subtracted from a Timespan", Timespan))
    end

    # @return [Timespan]
    def -@
      Timespan.new(-nsecs)
    end

    # (The message of Puppet, which names the other kind of time, is kept.)
    #
    # @param factor [Integer, Float]
    # @return [Timespan]
    def *(factor)
      number!(factor, "A Timestamp cannot be multiplied by %s")
      Timespan.new((nsecs * factor).to_i)
    end

    # @param divisor [Timespan, Integer, Float]
    # @return [Float, Timespan] how often the other goes into it, or a part of it
    def div(divisor)
      return nsecs.fdiv(divisor.nsecs) if divisor.is_a?(Timespan)

      number!(divisor, "A Timespan cannot be divided by %s")
      Timespan.new(nsecs.div(divisor))
    end
    alias / div

    # @param divisor [Integer, Float]
    # @return [Array(Integer, Numeric)] the quotient and what is left of the seconds
    def divmod(divisor)
      number!(divisor, "Can not do modulus on a Timespan using a %s")
      (divisor.is_a?(Integer) ? to_i : to_f).divmod(divisor)
    end

    # @return [Numeric] what is left of the seconds after a division
    def modulo(divisor)
      divmod(divisor).last
    end
    alias % modulo

    # The nanoseconds of each unit of which there is a total.
    UNITS = {
      days: 86_400_000_000_000, hours: 3_600_000_000_000, minutes: 60_000_000_000, seconds: 1_000_000_000,
      milliseconds: 1_000_000, microseconds: 1_000, nanoseconds: 1
    }.freeze
    private_constant :UNITS

    UNITS.each { |unit, size| define_method(:"total_#{unit}") { nsecs.abs / size } }

    # @return [Integer] the whole days
    def days
      total_days
    end

    # @return [Integer] the hours of the day
    def hours
      total_hours % 24
    end

    # @return [Integer] the minutes of the hour
    def minutes
      total_minutes % 60
    end

    # @return [Integer] the seconds of the minute
    def seconds
      total_seconds % 60
    end

    # @return [Integer] the milliseconds of the second
    def milliseconds
      total_milliseconds % 1000
    end

    # @return [Integer] the nanoseconds of the second
    def nanoseconds
      total_nanoseconds % NSECS_PER_SEC
    end

    # @param format [String] as the function `strftime` takes it
    # @return [String]
    # @raise [ArgumentError] when the format is not one
    def format(format)
      show(format, nil)
    end

    # @param compact [Boolean] seconds and nanoseconds only
    # @return [Hash{String=>Object}] the parts that are not zero
    def to_hash(compact = false)
      return fields.to_h unless compact

      sign = negative? ? -1 : 1
      hash = { "seconds" => sign * total_seconds }
      hash["nanoseconds"] = sign * nanoseconds unless nanoseconds.zero?
      hash
    end

    private

    def number!(value, problem)
      raise ArgumentError, Kernel.format(problem, with_article(value)) unless [Integer, Float].include?(value.class)
    end
  end

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
