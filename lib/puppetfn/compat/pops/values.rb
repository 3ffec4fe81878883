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

        TimeData = Puppetfn::TimeData
        Timespan = Puppetfn::Timespan
        Timestamp = Puppetfn::Timestamp
      end

      Types::PBinaryType.const_set(:Binary, Puppetfn::Binary)
    end
  end

  # Semantic versions, under the names that Puppet's gem has for them.
  module SemanticPuppet
    Version = SemVer
    VersionRange = SemVerRange
  end

  Object.const_set(:SemanticPuppet, SemanticPuppet) unless Object.const_defined?(:SemanticPuppet)
end
