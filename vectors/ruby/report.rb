# frozen_string_literal: true

require "json"

module Vectors
  # Counts what passed and what failed, and prints it.
  class Report
    # Longer inputs are cut short.
    WIDTH = 400
    private_constant :WIDTH

    # @param deviations [Hash{String=>String}] why a case may fail, by its id
    # @param shown [Integer] how many failures to print in full
    def initialize(deviations, shown:)
      @deviations = deviations
      @shown = shown
      @failures = []
      @passed = 0
      @deviated = 0
      @left_out = 0
    end

    # Adds the cases of a file, and prints its line.
    #
    # @param path [String]
    # @param cases [Array<Case>]
    # @param failures [Array<String, nil>] what is wrong with each of them
    def add(path, cases, failures)
      deviating, others = cases.zip(failures).partition { |recorded, failure| failure && @deviations.key?(recorded.id) }
      failed = others.filter_map { |recorded, failure| fail(recorded, failure) } # rubocop:disable Lint/UnreachableLoop
      @failures.concat(failed)
      @deviated += deviating.size
      @passed += others.size - failed.size
      puts ["#{path} #{others.size - failed.size}/#{cases.size}", *deviations(deviating.size)].join(", ")
    end

    # Prints why cases of a file are not run.
    #
    # @param path [String]
    # @param reasons [Array<String>] the reason for each of the cases
    def leave_out(path, reasons)
      @left_out += reasons.size
      reasons.tally.each { |reason, count| puts "#{path}: #{count} left out: #{reason}" }
    end

    # Prints the failures and the sums.
    #
    # @return [Boolean] whether all is well
    def finish
      @failures.first(@shown).each { |failure| puts "", failure }
      puts "" if @shown.positive? && @failures.any?
      puts ["#{@passed} passed", "#{@failures.size} failed", *deviations(@deviated), *("#{@left_out} left out" if @left_out.positive?)].join(", ")
      @failures.empty?
    end

    private

    def deviations(count)
      count.zero? ? [] : ["#{count} deviation#{"s" if count > 1}"]
    end

    # The text of a failure, if it is one.
    def fail(recorded, failure)
      reason = @deviations[recorded.id]
      failure ||= "the answer is the recorded one; strike the case from the deviations (#{reason})" if reason
      failure && [recorded.id, "  #{input(recorded)}", failure.gsub(/^/, "  ")].join("\n")
    end

    def input(recorded)
      text = JSON.generate(recorded.data.except("id", "op"))
      text.size > WIDTH ? "#{text[0, WIDTH]}..." : text
    end
  end
end
