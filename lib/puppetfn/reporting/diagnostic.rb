# frozen_string_literal: true

module Puppetfn
  # A problem in code: something that is wrong or questionable.
  #
  # @!attribute [r] severity
  #   @return [Symbol] `:error`, `:warning`, or `:deprecation`
  # @!attribute [r] code
  #   @return [String] Puppet's name for the kind of problem, such as `DUPLICATE_KEY`
  # @!attribute [r] message
  #   @return [String] in Puppet's words, without the place
  # @!attribute [r] file
  #   @return [String, nil]
  # @!attribute [r] line
  #   @return [Integer] from 1
  # @!attribute [r] column
  #   @return [Integer] in characters, from 1
  Diagnostic = Struct.new(:severity, :code, :message, :file, :line, :column) do
    # @return [String] the message and the place, as Puppet shows them
    def to_s
      place = {file: file, line: line, column: column}.compact.map { |name, value| "#{name}: #{value}" }
      "#{message} (#{place.join(", ")})"
    end
  end
end
