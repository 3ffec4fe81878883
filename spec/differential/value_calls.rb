# frozen_string_literal: true

module Differential
  # Makes calls of the methods of values that Ruby has no class of its own for: times, versions and
  # bytes. Needs no Puppet.
  class ValueCalls
    TIMESPANS = %w[0-00:00:00.0 0-00:00:01.5 1-02:03:04.000000005 -0-00:00:02.25 -3-04:05:06.789 400-23:59:59.999999999]
      .map { |text| "::Puppet::Pops::Time::Timespan.parse(#{text.inspect})" }.freeze
    TIMESTAMPS = ["1970-01-01", "2020-02-29T12:30:45.123456789 UTC", "1969-12-31T23:59:59.5 UTC", "2038-01-19 03:14:08 UTC"]
      .map { |text| "::Puppet::Pops::Time::Timestamp.parse(#{text.inspect})" }.freeze
    VERSIONS = %w[0.0.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-rc.10 1.0.0 1.2.3+build.5 1.2.3-1.x+b 10.0.1]
      .map { |text| "::SemanticPuppet::Version.parse(#{text.inspect})" }.freeze
    RANGES = ["1.x", "~1.2", "^1.2.3", ">=1.0.0 <2.0.0", "1.0.0 - 1.2.3", ">1.2.3", "<=1.0.0", "1.0.0-alpha", "*", ">=1.0.0-rc.1 || 3.x"]
      .map { |text| "::SemanticPuppet::VersionRange.parse(#{text.inspect})" }.freeze
    BYTES = ['"".b', '"a"', '"\xff\x00\xfe".b', '"h\u00e9llo " * 20'].freeze
    BINARIES = BYTES.map { |bytes| "::Puppet::Pops::Types::PBinaryType::Binary.new(#{bytes})" }.freeze

    OTHERS = ["0", "1", "-7", "2.5", '"x"', "nil", "[1]"].freeze

    TIMESPAN_FORMATS = ["%D-%H:%M:%S", "%H", "%3H", "%-H", "%_4M", "%S.%L", "%S.%N", "%3N", "%%", "%x", "%"].freeze
    TIMESTAMP_FORMATS = ["%F %T", "%c", "%s %L %N", "%3N|%-d|%^a|%10Y|%:z", "%j %U %u"].freeze

    UNREADABLE = ['Timespan.parse("1 day")', 'Timespan.parse("1:2:3:4:5")', 'Timespan.parse("5", "%H:%M")', 'Timespan.parse("5", ["%H:%M", "%Q"])',
                  'Timestamp.parse("yesterday")', 'Timestamp.parse("2020-13-01")', 'Timestamp.parse("10:20", "%H")',
                  'Timestamp.parse("2020-01-01 UTC", "%F %Z", "+02:00")', 'Timestamp.parse("2020-01-01", nil, "Mars/Base")'].freeze

    def self.topics
      new.to_h.keys
    end

    def to_h
      {"times" => timespans + timestamps + unreadable, "versions" => versions + ranges, "bytes" => binaries}
    end

    private

    def timespans
      TIMESPANS.flat_map do |span|
        parts = %w[to_s to_f to_i to_r negative? days hours minutes seconds milliseconds nanoseconds nsecs to_hash to_hash(true) -@.to_s]
        calls(span, parts) + operators(span, %w[+ - * / % div <=> ==], TIMESPANS + TIMESTAMPS.first(1) + OTHERS) +
          TIMESPAN_FORMATS.map { |format| "#{span}.format(#{format.inspect})" }
      end
    end

    def timestamps
      TIMESTAMPS.flat_map do |stamp|
        calls(stamp, %w[to_s to_f to_i to_r nsecs to_time.to_s]) +
          operators(stamp, %w[+ - <=> ==], TIMESTAMPS + TIMESPANS.first(2) + OTHERS) +
          TIMESTAMP_FORMATS.flat_map { |format| [%w[], %w["+02:00"], %w["-0330"], %w["EST"]].map { |zone| "#{stamp}.format(#{[format.inspect, *zone].join(", ")})" } }
      end
    end

    def unreadable
      UNREADABLE.map { |code| "::Puppet::Pops::Time::#{code}.to_s" }
    end

    def versions
      VERSIONS.flat_map do |version|
        calls(version, %w[to_s major minor patch prerelease build stable? to_stable.to_s next(:major).to_s next(:patch).to_s]) +
          operators(version, %w[<=> == eql?], VERSIONS)
      end + ["1.0", "01.0.0", "1.0.0-", "x", ""].map { |text| "::SemanticPuppet::Version.valid?(#{text.inspect})" }
    end

    def ranges
      RANGES.flat_map do |range|
        calls(range, %w[to_s inspect]) + VERSIONS.map { |version| "#{range}.include?(#{version})" } +
          RANGES.flat_map { |other| ["#{range}.intersection(#{other}).inspect", "#{range} == #{other}"] }
      end
    end

    def binaries
      BINARIES.flat_map do |binary|
        calls(binary, %w[to_s relaxed_to_s urlsafe_to_s length binary_buffer.bytes]) + operators(binary, %w[== eql?], BINARIES)
      end + base64
    end

    def base64
      %w[from_base64 from_base64_strict from_base64_urlsafe].flat_map do |method|
        ["aGk=", "aGk", "_-8=", "/+8", "a b\nc", "", "$"].map do |text|
          "::Puppet::Pops::Types::PBinaryType::Binary.#{method}(#{text.inspect}).to_s"
        end
      end
    end

    def calls(value, methods)
      methods.map { |method| "#{value}.#{method}" }
    end

    # Times are shown as text: their `inspect` is nothing to rely on.
    def operators(value, operators, others)
      operators.product(others).map do |operator, other|
        call = operator.match?(/\w/) ? "#{value}.#{operator}(#{other})" : "(#{value} #{operator} #{other})"
        %w[+ - * / div].include?(operator) ? "#{call}.to_s" : call
      end
    end
  end
end
