# frozen_string_literal: true

module Puppetfn
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
    # @return [Array(Integer, Numeric)] the quotient and the remainder of the seconds
    def divmod(divisor)
      number!(divisor, "Can not do modulus on a Timespan using a %s")
      (divisor.is_a?(Integer) ? to_i : to_f).divmod(divisor)
    end

    # @return [Numeric] the remainder of the seconds after a division
    def modulo(divisor)
      divmod(divisor).last
    end
    alias % modulo

    # Nanoseconds of the units that have totals.
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
      hash = {"seconds" => sign * total_seconds}
      hash["nanoseconds"] = sign * nanoseconds unless nanoseconds.zero?
      hash
    end

    private

    def number!(value, problem)
      raise Error[ArgumentError], Kernel.format(problem, with_article(value)) unless [Integer, Float].include?(value.class)
    end
  end
end
