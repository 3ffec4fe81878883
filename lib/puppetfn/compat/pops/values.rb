# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      # Times, under the names that Puppet has for them.
      module Time
        extend StandIn

        NSECS_PER_USEC = 1_000
        NSECS_PER_MSEC = 1_000_000
        NSECS_PER_SEC = 1_000_000_000
        NSECS_PER_MIN = NSECS_PER_SEC * 60
        NSECS_PER_HOUR = NSECS_PER_MIN * 60
        NSECS_PER_DAY = NSECS_PER_HOUR * 24

        TimeData = VALUE_CLASSES.fetch("TimeData")
        Timespan = VALUE_CLASSES.fetch("Timespan")
        Timestamp = VALUE_CLASSES.fetch("Timestamp")
      end

      Types::PBinaryType.const_set(:Binary, VALUE_CLASSES.fetch("Binary"))
    end
  end

  # Semantic versions, under the names that Puppet's gem has for them. Where that is loaded, its names are
  # left alone.
  const_set(:SemanticPuppet, Object.const_defined?(:SemanticPuppet) ? Module.new : Object.const_set(:SemanticPuppet, Module.new))

  SemanticPuppet.const_set(:Version, VALUE_CLASSES.fetch("SemVer"))
  SemanticPuppet.const_set(:VersionRange, VALUE_CLASSES.fetch("SemVerRange"))

  # The classes got their names above; these are short ones.
  {
    TimeData: Puppet::Pops::Time::TimeData, Timespan: Puppet::Pops::Time::Timespan, Timestamp: Puppet::Pops::Time::Timestamp,
    Binary: Puppet::Pops::Types::PBinaryType::Binary, SemVer: SemanticPuppet::Version, SemVerRange: SemanticPuppet::VersionRange,
    Sensitive: Puppet::Pops::Types::PSensitiveType::Sensitive
  }.each { |name, value_class| const_set(name, value_class) }
end
