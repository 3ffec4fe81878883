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

    # Converts the other operand of a calculation to nanoseconds: a number, or a time of the given kind.
    def nanoseconds_of(other, problem, kind)
      case other
      when kind then other.nsecs
      when Integer, Float then (other * NSECS_PER_SEC).to_i
      else
        text = Kernel.format(problem, with_article(other))
        raise Error[ArgumentError], text[0].upcase + text[1..]
      end
    end

    def with_article(other)
      name = other.class.name.to_s.split("::").last
      "#{name.match?(/\A[AEIOUaeiou]/) ? "an" : "a"} #{name}"
    end
  end
end
