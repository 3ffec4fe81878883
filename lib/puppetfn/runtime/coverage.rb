# frozen_string_literal: true

module Puppetfn
  class Runtime
    # @return [Coverage, nil] the execution counts of Puppet code, if they are recorded
    attr_reader :coverage

    # Counts executions of Puppet code from now on, which costs a little time.
    #
    # @param coverage [Coverage] can be shared with other runtimes
    # @return [self]
    # @raise [ArgumentError] if code was evaluated before
    def record_coverage(coverage)
      raise Error[ArgumentError], "coverage has to be recorded from the first evaluation on" if evaluated?

      @coverage = coverage
      @setup << ->(runtime) { runtime.record_coverage(coverage) }
      self
    end
  end
end
