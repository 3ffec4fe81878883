# frozen_string_literal: true

module Puppetfn
  class Runtime
    # @return [Coverage, nil] counts which code is evaluated, if it is to be counted
    attr_reader :coverage

    # Counts from now on which code is evaluated, which takes a little time.
    #
    # @param coverage [Coverage] may be that of other runtimes, too
    # @return [self]
    # @raise [ArgumentError] when code was evaluated before
    def record_coverage(coverage)
      raise ArgumentError, "coverage has to be recorded from the first evaluation on" if evaluated?

      @coverage = coverage
      self
    end
  end
end
