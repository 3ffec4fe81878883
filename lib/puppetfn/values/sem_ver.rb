# frozen_string_literal: true

module Puppetfn
  # A semantic version. As Puppet has it, it is a Numeric, which does not make it a number.
  class SemVer
    # The syntax of {.parse}.
    PATTERN = /\A(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?(?:\+(.*))?\z/m
    private_constant :PATTERN

    # @param text [String]
    # @return [Boolean] whether the text is a version
    def self.valid?(text)
      parse(text)
      true
    rescue ArgumentError
      false
    end

    # @return [Integer]
    def major
      parts[0].to_i
    end

    # @return [Integer]
    def minor
      parts[1].to_i
    end

    # @return [Integer]
    def patch
      parts[2].to_i
    end

    # @return [String, nil] the text after the hyphen
    def prerelease
      parts[3] unless parts[3].to_s.empty?
    end

    # @return [String, nil] the text after the plus
    def build
      parts[4]
    end

    # @return [Boolean] whether it is a release, not one that precedes a release
    def stable?
      prerelease.nil?
    end

    # @return [SemVer] without prerelease
    def to_stable
      SemVer.new(major, minor, patch, nil, build)
    end

    # @param part [:major, :minor, :patch]
    # @return [SemVer] the next release that differs in this part
    def next(part)
      case part
      when :major then SemVer.new(major.next, 0, 0)
      when :minor then SemVer.new(major, minor.next, 0)
      when :patch then SemVer.new(major, minor, patch.next)
      else raise Error[ArgumentError], "expected :major, :minor or :patch, got #{part.inspect}"
      end
    end

    # @return [String]
    def inspect
      to_s
    end

    private

    def parts
      @parts ||= PATTERN.match(to_s).captures
    end
  end
end
